"""What an operator does with what Kafka keeps: looks at it, makes lost marks again, takes an erased text out."""

from __future__ import annotations

import contextlib
import shutil
from pathlib import Path

import pytest
from kafka import TopicPartition

from services.contract.codec import decode, encode
from services.contract.topics import ARTICLES, EVENTS, REVISIONS, ROWS, SEQUENCES, story_partition, topic_name
from services.core.article import Article
from services.core.events import Event
from services.core.grouping.row import Row
from services.runtime.clients import admin
from tests.builders import BUDGET, FERRY, HARVEST, UPDATED_FERRY, at, make
from tests.e2e.kafka import Installation, by_id, reference
from tests.e2e.test_kafka import put

pytestmark = [pytest.mark.kafka, pytest.mark.xdist_group("kafka"), pytest.mark.timeout(600)]

DAY = (
    make("ferry", FERRY, version="1", version_created=at("07:00")),
    make("budget", BUDGET, version_created=at("07:10")),
    make("ferry", UPDATED_FERRY, version="2", version_created=at("08:00")),
)
LATER = make("harvest", HARVEST, version_created=at("09:00"))


def archive(path: Path, *articles: Article) -> str:
    path.write_bytes(b"".join(encode(article) + b"\n" for article in articles))
    return str(path)


def cut(installation: Installation, topic: str, ends: dict[int, int]) -> None:
    with contextlib.closing(admin(installation.settings)) as client:
        client.delete_records({TopicPartition(topic, partition): end for partition, end in ends.items()})


def none_left(installation: Installation, *commands: str) -> object:
    """`writethru …` once the stopped services are missed by their groups."""
    for _ in range(40):
        done = installation.run(*commands)
        if "stop them first" not in done.stderr:
            return done
    raise AssertionError(done.stderr)


def test_lost_marks_end_the_emitter_with_a_way_out(installation: Installation, tmp_path: Path):
    want = reference([*DAY, LATER])
    grouper, emitter = installation.start("grouper").ready(), installation.start("emitter").ready()
    assert installation.run("publish", archive(tmp_path / "a.jsonl", *DAY[:2])).returncode == 0
    first = installation.events(2, alive=[grouper, emitter])
    assert emitter.stop() == 0
    sound = installation.run("state", "check")
    assert sound.returncode == 0, sound.stdout
    assert "edition 0: 2 rows" in sound.stdout

    marks = topic_name(SEQUENCES, installation.settings.topic_prefix)
    cut(installation, marks, {story_partition(decode(event, Event).subject): -1 for event in first})
    assert installation.run("publish", archive(tmp_path / "b.jsonl", DAY[2])).returncode == 0
    emitter = installation.start("emitter")
    assert emitter.ended() == 70
    assert "writethru state rebuild" in emitter.lines()[-1]["why"]
    unsound = installation.run("state", "check")
    assert unsound.returncode == 1
    assert "2 stories have events above their mark" in unsound.stdout
    rebuilt = none_left(installation, "state", "rebuild")
    assert "2 marks written" in rebuilt.stderr

    emitter = installation.start("emitter").ready()
    assert installation.run("publish", archive(tmp_path / "c.jsonl", LATER)).returncode == 0
    assert by_id(installation.events(4, alive=[grouper, emitter])) == want


def test_an_erased_text_is_gone_from_every_topic_and_the_stories_go_on(installation: Installation, tmp_path: Path):
    grouper, emitter = installation.start("grouper").ready(), installation.start("emitter").ready()
    assert installation.run("publish", archive(tmp_path / "a.jsonl", *DAY)).returncode == 0
    installation.events(3, alive=[grouper, emitter])
    assert installation.run("purge", "nobody").returncode == 1
    asked = installation.run("purge", "ferry")
    assert asked.returncode == 0, asked.stderr
    assert "wire.articles: 2 record(s), until 20" in asked.stdout
    assert "story.revisions: 2 record(s)" in asked.stdout
    assert "until its row leaves the window" in asked.stdout
    assert "stop them first" in installation.run("purge", "ferry", "--cut").stderr
    assert (grouper.stop(), emitter.stop()) == (0, 0)
    exported = tmp_path / "rows.jsonl"
    assert installation.run("state", "export", str(exported)).returncode == 0
    assert [decode(line, Row).number for line in exported.read_bytes().splitlines()] == [0, 1, 2]

    done = none_left(installation, "purge", "ferry", "--cut")
    assert done.returncode == 0, done.stderr
    secret = b"Sanna Lind"
    for topic in (ARTICLES, REVISIONS, EVENTS):
        assert not [record for record in installation.read(topic) if secret in record.value], topic.name
    latest = {record.key: record.value for record in installation.read(ROWS)}  # what compaction leaves
    assert len(latest) == 3
    assert not [value for value in latest.values() if secret in value]

    left = len(installation.read(EVENTS))
    shutil.rmtree(installation.folder / "state")
    grouper, emitter = installation.start("grouper").ready(), installation.start("emitter").ready()
    again = make(
        "ferry", (*UPDATED_FERRY, "The line will run again on Friday."), version="3", version_created=at("10:00")
    )
    assert installation.run("publish", archive(tmp_path / "b.jsonl", LATER, again)).returncode == 0
    events = [decode(event, Event) for event in installation.events(left + 2, alive=[grouper, emitter])]
    assert {event.data.version.uri for event in events if event.data.version} >= {"harvest", "ferry"}
    assert (grouper.stop(), emitter.stop()) == (0, 0)


def test_a_log_of_rejects_whose_beginning_has_expired_does_not_keep_the_grouper_down(installation: Installation):
    """Nothing was ever decided: no row is missing."""
    grouper = installation.start("grouper").ready()
    put(installation, b"no json", b"\x00", b"{}")
    grouper.until(lambda: "writethru_rejected_total" in grouper.get("/metrics")[1], "rejecting")
    grouper.until(
        lambda: 'writethru_lag_records{partition="0",topic="wire.articles"} 0.0' in grouper.get("/metrics")[1],
        "through",
    )
    assert grouper.stop() == 0
    cut(installation, topic_name(ARTICLES, installation.settings.topic_prefix), {0: 2})
    grouper, emitter = installation.start("grouper").ready(), installation.start("emitter")
    put(installation, encode(LATER))
    assert len(installation.events(1, alive=[grouper, emitter])) == 1


def test_the_lag_behind_a_transactions_last_marker_is_none(installation: Installation):
    grouper = installation.start("grouper").ready()
    put(installation, encode(DAY[0]), encode(LATER), transactional_id="somebody-else")
    none = 'writethru_lag_records{partition="0",topic="wire.articles"} 0.0'
    grouper.until(lambda: len(installation.read(ROWS)) == 2 and none in grouper.get("/metrics")[1], "without lag")
    assert grouper.stop() == 0


def test_the_doctor_looks_at_an_installation_without_topics(installation: Installation):
    examined = installation.run("doctor", WRITETHRU_TOPIC_PREFIX="nothing-here.")
    assert examined.returncode == 1
    assert examined.stderr == ""
    assert "nothing-here.wire.articles: missing" in examined.stdout
    assert "start it: writethru run grouper" in examined.stdout
    assert "this clock says" in installation.run("doctor").stdout
