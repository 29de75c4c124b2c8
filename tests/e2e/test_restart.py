"""What a grouper that is started again must not forget."""

from __future__ import annotations

from pathlib import Path

import pytest

from services.contract.codec import encode
from services.contract.topics import ROWS
from services.core.article import Article, Command
from services.runtime.archive import read
from tests.builders import HARVEST, ROOT, make
from tests.e2e.kafka import Installation, by_id, reference

pytestmark = [pytest.mark.kafka, pytest.mark.xdist_group("kafka"), pytest.mark.timeout(600)]


def records(installation: Installation, *paths: Path) -> list[Article | Command]:
    parsed = (one for path in paths for one in read(path, provider=None, limits=installation.settings.limits))
    return [item for one in parsed for item in one.articles]


def test_inputs_that_came_twice_before_a_restart_do_not_let_it_begin_with_an_empty_state(
    installation: Installation, tmp_path: Path
):
    """Repeats leave no rows: the committed offset lies past the last row, and the log is read again from its beginning."""
    late = tmp_path / "late.jsonl"
    late.write_bytes(
        encode(make("late", HARVEST, headline="Frost halves the harvest", version_created="2026-03-12T10:00:00Z"))
    )
    want = reference(records(installation, ROOT / "seeds", late))
    grouper, emitter = installation.start("grouper").ready(), installation.start("emitter")
    for _ in range(2):
        assert installation.run("publish", "seeds").returncode == 0
    installation.events(len(want) - 1, alive=[grouper, emitter])
    grouper.until(
        lambda: f'\nwritethru_redelivered_total{{edition="0"}} {len(want) - 1}.0' in grouper.get("/metrics")[1],
        "through",
    )
    assert grouper.stop() == 0
    grouper = installation.start("grouper").ready()
    assert installation.run("publish", str(late)).returncode == 0
    assert by_id(installation.events(len(want), alive=[grouper, emitter])) == want
    assert installation.run("publish", "seeds").returncode == 0
    assert grouper.stop() == 0
    rows: dict[bytes, set[bytes]] = {}
    for record in installation.read(ROWS):
        rows.setdefault(record.key, set()).add(record.value)
    assert [key for key, values in rows.items() if len(values) > 1] == [], "a row was written again with other bytes"
    assert len(rows) == len(want)
