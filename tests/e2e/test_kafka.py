"""The same over Kafka: real processes, a real broker, and the events of `replay`, ids and bytes."""

from __future__ import annotations

import gzip
import itertools
import time
from pathlib import Path

import pytest

from services.contract.codec import decode, encode
from services.contract.messages import Rejected
from services.contract.settings import Settings
from services.contract.topics import ARTICLES, EVENTS, REJECTED, REVISIONS, ROWS, topic_name
from services.core.article import Article, Command
from services.core.events import Event, event_kind
from services.publisher.publish import Publisher
from services.runtime.archive import read
from services.runtime.clients import producer
from tests.builders import CLOCK, FERRY, ROOT, UPDATED_FERRY, make, shared
from tests.e2e.kafka import PATIENCE, Installation, by_id, reference

pytestmark = [pytest.mark.kafka, pytest.mark.xdist_group("kafka"), pytest.mark.timeout(600)]


def newsday(installation: Installation) -> list[Article | Command]:
    parsed = read(ROOT / "seeds", provider=None, limits=installation.settings.limits)
    return [item for one in parsed for item in one.articles]


def stamped(records: list[Article | Command]) -> list[Article | Command]:
    """As a publisher sends them."""
    publisher = Publisher(None, Settings(), clock=lambda: CLOCK)
    return [publisher.stamped(record) for record in records]


def stream(count: int, folder: Path) -> Path:
    """The first articles of the real stream, as an archive."""
    path = shared("data", "stream", "reuters21578.articles.jsonl.gz")
    archive = folder / "stream.jsonl"
    with gzip.open(path) as lines, archive.open("wb") as out:
        out.writelines(itertools.islice(lines, count))
    return archive


def test_the_newsday_over_kafka_is_the_newsday_of_replay(installation: Installation):
    want = reference(newsday(installation))
    services = [installation.start("grouper").ready(), installation.start("emitter").ready()]
    done = installation.run("publish", "seeds")
    assert done.returncode == 0, done.stderr
    got = by_id(installation.events(len(want), alive=services))
    assert got == want

    again = installation.run("publish", "seeds")  # the same inputs twice: no second event
    assert again.returncode == 0, again.stderr
    third = reference(newsday(installation), edition=3)
    assert installation.run("publish", "seeds", "--edition", "3").returncode == 0
    assert by_id(installation.events(len(want) + len(third), alive=services)) == {**want, **third}

    told = installation.run("tail", "--json", "--from-beginning", "--no-follow")
    assert sorted(told.stdout.encode().splitlines()) == sorted([*want.values(), *third.values()])
    story = decode(next(iter(want.values())), Event).subject
    one = installation.run("tail", "--story", story, "--json", "--from-beginning", "--no-follow")
    assert [decode(line.encode(), Event).data.story.sequence for line in one.stdout.splitlines()] == list(
        range(1, sum(decode(event, Event).subject == story for event in want.values()) + 1)
    )
    assert installation.run("topics", "check").returncode == 0
    examined = installation.run("doctor")
    assert examined.returncode == 0, examined.stdout
    assert "grouper: 1 running, group stable" in examined.stdout
    assert 'writethru_lag_records{partition="0",topic="wire.articles"} 0.0' in services[0].get("/metrics")[1]

    assert [service.stop() for service in services] == [0, 0]
    for service in services:
        assert service.lines()[-1]["why"] == "asked to stop"
    deadline = time.monotonic() + PATIENCE  # a static member is missed when its session ends, not when it leaves
    while (unwell := installation.run("doctor")).returncode == 0:
        assert time.monotonic() < deadline, unwell.stdout
    assert unwell.returncode == 1
    assert "start it: writethru run grouper" in unwell.stdout


def test_pulling_the_plug_on_each_service_loses_and_repeats_nothing(installation: Installation, tmp_path: Path):
    archive = stream(2_000, tmp_path)
    records = [
        item for one in read(archive, provider=None, limits=installation.settings.limits) for item in one.articles
    ]
    want = reference(records)
    publisher = installation.start("publisher", str(archive))
    publisher.until(lambda: len(installation.read(ARTICLES)) > 300, "publishing")
    publisher.kill()
    grouper = installation.start("grouper").ready()
    first, second = installation.start("emitter", instance="a"), installation.start("emitter", instance="b")
    second.ready()
    assert installation.start("publisher", str(archive)).ended() == 0  # from the beginning: known inputs are no news
    for least in (200, 700):
        grouper.until(lambda least=least: len(installation.read(EVENTS)) > least, f"past {least} events")
        grouper.kill()
        grouper = installation.start("grouper")
    first.kill()
    second.stop()
    third = installation.start("emitter", instance="a")
    assert by_id(installation.events(len(want), alive=[third])) == want
    rows = {record.key: record.value for record in installation.read(ROWS)}
    assert len({record.value for record in installation.read(ROWS)}) == len(rows) == 2_000, "a row has other bytes"
    assert {decode(e, Event).subject for e in want.values()} == {r.key.decode() for r in installation.read(REVISIONS)}


def put(installation: Installation, *values: bytes | None, key: bytes = b"somebody", **more: object) -> None:
    """Records on wire.articles from a producer that is none of ours."""
    client = producer(installation.settings, "somebody", **more)
    name = topic_name(ARTICLES, installation.settings.topic_prefix)
    if "transactional_id" in more:
        client.init_transactions()
    for value in values:
        if "transactional_id" in more:
            client.begin_transaction()
        client.send(name, key=key, value=value, partition=0)
        if "transactional_id" in more:
            client.commit_transaction()
    client.flush()
    client.close(timeout=5)


def test_what_anybody_puts_on_the_topic_is_decided_or_kept_with_its_reason(installation: Installation):
    grouper, emitter = installation.start("grouper"), installation.start("emitter")
    good = b'{"provider": "nordwire", "uri": "n1", "headline": "Ferry burns off Tarmouth", "body": ["Twelve died."]}'
    put(installation, b"\x00 no json", b'{"provider": "nordwire"}', None, good)
    (event,) = [decode(value, Event) for value in installation.events(1, alive=[grouper, emitter])]
    assert event_kind(event) == "created"
    assert event.data.version is not None
    assert event.data.version.received_at == event.recordedtime != None  # noqa: E711  # Kafka's own time
    kept = [decode(record.value, Rejected) for record in installation.read(REJECTED)]
    assert [(one.reason, one.offset, one.by) for one in kept] == [
        ("binary", 0, "grouper"), ("missing_uri", 1, "grouper"), ("empty", 2, "grouper"),
    ]  # fmt: skip
    assert kept[1].data == b'{"provider": "nordwire"}'
    listed = installation.run("rejected", "list")
    assert [line.split()[0] for line in listed.stdout.splitlines()] == ["0", "1", "2"]
    assert installation.run("rejected", "show", "1").stdout == '{"provider": "nordwire"}'
    tried = installation.run("rejected", "retry", "1")
    assert (tried.returncode, "still rejected" in tried.stderr) == (1, True)
    assert (grouper.stop(), emitter.stop()) == (0, 0)


def test_gaps_in_the_log_from_a_transactional_producer_lose_nothing(installation: Installation):
    articles = [make(f"n{number}", (f"Item number {number} of {uri}.", *body)) for number, (uri, body) in
                enumerate([("a", FERRY), ("b", UPDATED_FERRY)] * 10)]  # fmt: skip
    grouper, emitter = installation.start("grouper").ready(), installation.start("emitter")
    put(installation, *(encode(one) for one in articles[:10]), transactional_id="somebody-else")
    installation.events(10, alive=[grouper, emitter])
    grouper.kill()
    put(installation, *(encode(one) for one in articles[10:]), transactional_id="somebody-else")
    grouper = installation.start("grouper").ready()
    assert len(by_id(installation.events(20, alive=[grouper, emitter]))) == 20
    assert grouper.stop() == 0


def test_what_a_transaction_took_back_is_never_decided(installation: Installation):
    grouper, emitter = installation.start("grouper").ready(), installation.start("emitter")
    client = producer(installation.settings, "somebody", transactional_id="somebody-aborts")
    client.init_transactions()
    for uri, body, kept in (("taken-back", UPDATED_FERRY, False), ("kept", FERRY, True)):
        client.begin_transaction()
        name = topic_name(ARTICLES, installation.settings.topic_prefix)
        client.send(name, key=uri.encode(), value=encode(make(uri, body)), partition=0)
        client.flush()
        client.commit_transaction() if kept else client.abort_transaction()
    client.close(timeout=5)
    put(installation, encode(make("after", UPDATED_FERRY, provider="other")))
    events = [decode(value, Event) for value in installation.events(2, alive=[grouper, emitter])]
    assert sorted(event.data.version.uri for event in events if event.data.version) == ["after", "kept"]
    assert grouper.stop() == 0


def test_two_groupers_fight_and_one_gives_way(installation: Installation):
    want = reference(newsday(installation))
    first = installation.start("grouper").ready()
    second = installation.start("grouper", WRITETHRU_STATE_FOLDER=str(installation.folder / "other"))
    assert installation.run("publish", "seeds").returncode == 0
    assert first.ended() == 75
    assert "another instance took over" in first.lines()[-1]["why"]
    emitter = installation.start("emitter")
    assert by_id(installation.events(len(want), alive=[second.ready(), emitter])) == want


def test_a_lost_state_folder_is_recovered_from_the_changelog(installation: Installation):
    records = stamped(newsday(installation))
    want = reference(records)
    grouper, emitter = installation.start("grouper").ready(), installation.start("emitter")
    put(installation, *map(encode, records[:15]))
    grouper.until(lambda: len(installation.read(ROWS)) >= 15, "half through")
    grouper.kill()
    grouper = installation.start("grouper", WRITETHRU_STATE_FOLDER=str(installation.folder / "empty")).ready()
    put(installation, *map(encode, records[15:]))
    assert by_id(installation.events(len(want), alive=[grouper, emitter])) == want
