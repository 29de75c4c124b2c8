"""A store that a power cut or a full disk left damaged must not keep the grouper down: the changelog has every row."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from aiokafka.errors import KafkaConnectionError

from services.contract.settings import Settings
from services.grouper.app import Grouper
from services.grouper.table import RowTable
from services.grouper.worker import what_crashed
from services.runtime.health import Health
from services.runtime.lifecycle import Again


def table(folder: Path) -> RowTable:
    made = Grouper(Settings(state_folder=folder), Health("grouper"))
    made.app.finalize()
    return made.rows


def store_with_a_row(folder: Path) -> Path:
    """The folder of partition 0, closed, with one row in it."""
    rows = table(folder)
    database = rows._db(0)
    database.put(b"0:000000000000", b"{}")
    database.flush()
    database.close()
    path: Path = rows.data.partition_path(0)  # type: ignore[attr-defined]
    return path


def lose_a_manifest(path: Path) -> None:
    next(path.glob("MANIFEST-*")).unlink()


def fill_a_manifest(path: Path) -> None:
    next(path.glob("MANIFEST-*")).write_bytes(b"\xff" * 100)


def cut_current(path: Path) -> None:
    (path / "CURRENT").write_bytes(b"")


def scribble_in_current(path: Path) -> None:
    (path / "CURRENT").write_bytes(b"garbage\n")


def lose_a_table(path: Path) -> None:
    next(path.glob("*.sst")).unlink()


@pytest.mark.parametrize("damage", [lose_a_manifest, fill_a_manifest, cut_current, scribble_in_current, lose_a_table])
def test_57_a_damaged_store_is_begun_again_empty_and_recovered(tmp_path, damage):
    damage(store_with_a_row(tmp_path))
    rows = table(tmp_path)
    assert list(rows.of(0).values()) == []
    rows._db(0).put(b"0:000000000000", b"{}")
    assert rows.of(0).get(b"0:000000000000") == b"{}"


def test_a_sound_store_is_kept(tmp_path):
    store_with_a_row(tmp_path)
    assert list(table(tmp_path).of(0).values()) == [b"{}"]


def test_a_store_that_another_process_holds_is_not_thrown_away(tmp_path):
    path = store_with_a_row(tmp_path)
    holder = table(tmp_path)
    assert list(holder.of(0).values()) == [b"{}"]
    with pytest.raises(Exception, match="lock"):
        table(tmp_path).of(0).get(b"0:000000000000")
    assert path.is_dir()
    assert holder.of(0).get(b"0:000000000000") == b"{}"
    shutil.rmtree(path)


def test_a_crash_of_faust_says_why_and_with_which_code_to_begin_again():
    assert isinstance(what_crashed(KafkaConnectionError("gone")), Again)
    assert "disk full" in str(what_crashed(OSError("disk full")))
    assert not isinstance(what_crashed(OSError("disk full")), Again)
