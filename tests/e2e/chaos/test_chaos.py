"""Pull any plug: the events, the stories' final states and the grouper's rows are those of the undisturbed run.

`make chaos CHAOS_KILLS=n` sets the number of faults (six there, if not told); CHAOS_SEED repeats a run's faults, CHAOS_ARTICLES sets how
many articles are replayed, CHAOS_LONG=1 adds a full disk, stepped clocks and a slow broker, CHAOS_ONLY=brokers,emitter takes the
faults named so. Faults are dealt from shuffled decks: in thirteen each comes once.
"""

from __future__ import annotations

import gzip
import itertools
import os
import secrets
import time
from pathlib import Path
from random import Random

import pytest

from deploy.kafka.broker import Cluster, missing
from services.contract.settings import Settings
from services.core.article import Article, Command
from services.core.wire import parse
from services.publisher.publish import Publisher
from services.synthetic.newsday import newsday
from tests.builders import CLOCK, SHARED
from tests.e2e.chaos.faults import FAULTS, LONG_FAULTS, Fault
from tests.e2e.chaos.field import Field, Undisturbed, say

LONG = bool(os.environ.get("CHAOS_LONG"))
ONLY = os.environ.get("CHAOS_ONLY", "").split(",")
DECK = [fault for fault in FAULTS + (LONG_FAULTS if LONG else ()) if any(part in fault.__name__ for part in ONLY)]
KILLS = int(os.environ.get("CHAOS_KILLS") or 6)
ARTICLES = int(os.environ.get("CHAOS_ARTICLES") or 250 * KILLS)
SEED = int(os.environ.get("CHAOS_SEED") or secrets.randbelow(1_000_000))
STREAM = SHARED / "data" / "stream" / "reuters21578.articles.jsonl.gz"

pytestmark = [pytest.mark.kafka, pytest.mark.xdist_group("kafka"), pytest.mark.timeout(600 + 180 * KILLS)]


def articles(count: int) -> list[Article | Command]:
    """The first of the real stream, stamped as a publisher does; an invented newsday where the stream is absent."""
    publisher = Publisher(None, Settings(), clock=lambda: CLOCK)
    if not STREAM.is_file():
        say(f"NOT THE REAL STREAM: {STREAM} is not beside this checkout; an invented newsday instead")
        return [publisher.stamped(item.article) for item in newsday(Random(SEED), count)]
    with gzip.open(STREAM) as lines:
        parsed = [parse(line, source="stream", format="article_json") for line in itertools.islice(lines, count)]
    return [publisher.stamped(item) for one in parsed for item in one.articles]


def drawn(rng: Random) -> list[Fault]:
    """The faults of this run: decks, each shuffled."""
    faults: list[Fault] = []
    while len(faults) < KILLS:
        faults += rng.sample(DECK, len(DECK))
    return faults[:KILLS]


def test_55_56_57_58_pull_any_plug(tmp_path: Path):
    if lacks := missing():
        if os.environ.get("WRITETHRU_REQUIRE_KAFKA"):
            pytest.fail(f"WRITETHRU_REQUIRE_KAFKA is set and there is no Kafka: {lacks}")
        pytest.skip(f"NOT TESTED OVER KAFKA: {lacks}")
    rng = Random(SEED)
    records = articles(ARTICLES)
    size = -(-len(records) // KILLS)
    undisturbed = Undisturbed([records[n : n + size] for n in range(0, len(records), size)])
    say(f"\nCHAOS_SEED={SEED} CHAOS_KILLS={KILLS} CHAOS_ARTICLES={len(records)}")
    with Cluster(3, heap="256m") as cluster:
        field = Field(cluster, tmp_path, rng, undisturbed)
        try:
            for fault, (part, count) in zip(drawn(rng), undisturbed.slices(), strict=True):
                began = time.monotonic()
                field.publish(part)
                seen = len(field.watcher.events) + rng.randrange(1, max(2, (count - len(field.watcher.events)) // 2))
                field.until(lambda seen=seen: len(field.watcher.events) >= seen, f"{seen} events")
                say(f"  {time.strftime('%H:%M:%S')} {fault.__name__.replace('_', ' ')}")
                fault(field)
                field.settle(count)
                say(f"    {count} events are right, {time.monotonic() - began:.0f} s")
            field.check()
        except BaseException:
            say(f"the logs lie in {tmp_path}; again with CHAOS_SEED={SEED}")
            raise
        finally:
            field.close()
