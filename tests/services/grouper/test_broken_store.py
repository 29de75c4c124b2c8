"""A store that a power cut or a full disk left damaged must not keep the grouper down: the changelog has every row."""

from __future__ import annotations

import errno
import shutil
from pathlib import Path

import pytest
from aiokafka.errors import KafkaConnectionError

from services.contract.settings import Settings
from services.core.errors import BrokenLog
from services.grouper import endings
from services.grouper.app import Grouper
from services.grouper.endings import Contradiction, OversizedRow, clear_damage, verdict, wait_for_room
from services.grouper.table import RowTable
from services.grouper.worker import what_crashed
from services.runtime.health import Health
from services.runtime.lifecycle import Again, Exit, Stop


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


def test_a_crash_of_faust_says_why_and_with_which_code_to_begin_again(tmp_path):
    assert isinstance(what_crashed(KafkaConnectionError("gone"), tmp_path), Again)
    assert "a riddle" in str(what_crashed(OSError("a riddle"), tmp_path))
    assert not isinstance(what_crashed(OSError("a riddle"), tmp_path), Again)
    full = what_crashed(OSError(errno.ENOSPC, "No space left on device"), tmp_path)
    assert isinstance(full, Again)
    assert "make room" in str(full)


@pytest.mark.parametrize(
    ("error", "code", "says", "not_says"),
    [
        (KeyError("a bug"), Exit.BUG, "--skip 0:7", "Delete"),
        (OversizedRow("the row has 9 MiB"), Exit.BUG, "--skip 0:7", "Delete"),
        (Exception("Corruption: block checksum mismatch"), Exit.AGAIN, "damaged", "--skip"),
        (Exception("IO error: No space left on device: While appending"), Exit.AGAIN, "make room", "--skip"),
        (Contradiction("the row 0:1 stands already"), Exit.BUG, "Delete", "--skip"),
        (BrokenLog("row 5 was written by engine 99: upgrade first"), Exit.BUG, "upgrade first", "--skip"),
    ],
)
def test_only_a_record_that_cannot_be_decided_may_be_skipped(tmp_path, error, code, says, not_says):
    ended, why = verdict(error, tmp_path, "0:7")
    assert ended == code
    assert says in why
    assert not_says not in why


def test_57_a_table_that_was_found_damaged_in_life_is_made_again_by_the_next(tmp_path):
    (tmp_path / "table").mkdir()
    verdict(KeyError("a bug"), tmp_path / "table", "0:7")
    clear_damage(tmp_path / "table")
    assert (tmp_path / "table").is_dir()
    verdict(Exception("Corruption: block checksum mismatch"), tmp_path / "table", "0:7")
    clear_damage(tmp_path / "table")
    assert not (tmp_path / "table").exists()


def test_a_grouper_waits_for_room_on_its_disk_and_says_so(tmp_path, monkeypatch):
    stop, health, looks = Stop(), Health("grouper"), iter([False, False, True])
    monkeypatch.setattr(endings, "has_room", lambda _: next(looks))
    monkeypatch.setattr(endings, "LOOKS_EVERY", 0.0)
    assert wait_for_room(tmp_path, stop, health)
    assert health.state["waits_for"] == "room on the disk of its table"
    stop.ask()
    assert not wait_for_room(tmp_path, stop, health)
