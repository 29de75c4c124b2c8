"""What a grouper that is started again must not forget."""

from __future__ import annotations

from pathlib import Path

import pytest

from services.contract.codec import encode
from services.contract.topics import ROWS
from services.core.article import Article
from tests.builders import BUDGET, FERRY, HARVEST, UPDATED_FERRY, at, make
from tests.e2e.kafka import Installation, by_id, reference

pytestmark = [pytest.mark.kafka, pytest.mark.xdist_group("kafka"), pytest.mark.timeout(600)]


def archive(path: Path, *articles: Article) -> Path:
    path.write_bytes(b"".join(encode(article) + b"\n" for article in articles))
    return path


def test_inputs_that_came_twice_before_a_restart_do_not_let_it_begin_with_an_empty_state(
    installation: Installation, tmp_path: Path
):
    """Repeats leave no rows: the committed offset lies past the last row, and the log is read again from its beginning."""
    bodies = {"ferry": FERRY, "budget": BUDGET, "harvest": HARVEST}
    articles = [make(uri, body, version_created=at(f"0{hour}:00")) for hour, (uri, body) in enumerate(bodies.items())]
    late = make("late", UPDATED_FERRY, provider="tidende", version_created=at("10:00"))
    want = reference([*articles, late])
    day = str(archive(tmp_path / "day.jsonl", *articles))
    grouper, emitter = installation.start("grouper").ready(), installation.start("emitter")
    for _ in range(2):
        assert installation.run("publish", day).returncode == 0
    repeats = f'writethru_redelivered_total{{edition="0"}} {len(articles)}.0'
    grouper.until(lambda: repeats in grouper.get("/metrics")[1], "through")
    assert grouper.stop() == 0
    grouper = installation.start("grouper").ready()
    assert installation.run("publish", str(archive(tmp_path / "late.jsonl", late))).returncode == 0
    assert by_id(installation.events(len(want), alive=[grouper, emitter])) == want
    assert installation.run("publish", day).returncode == 0
    assert grouper.stop() == 0
    rows: dict[bytes, set[bytes]] = {}
    for record in installation.read(ROWS):
        rows.setdefault(record.key, set()).add(record.value)
    assert [key for key, values in rows.items() if len(values) > 1] == [], "a row was written again with other bytes"
    assert len(rows) == len(articles) + 1
