"""The field of a chaos run: three brokers, the services kept alive as a supervisor would, and what must come out."""

from __future__ import annotations

import contextlib
import gc
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from kafka import TopicPartition
from kafka.errors import KafkaError

from deploy.kafka.broker import Cluster
from services.contract.codec import decode, encode
from services.contract.topics import EVENTS, ROWS, topic_name
from services.core.article import Article, Command
from services.core.events import Event, EventStory
from services.core.grouping.row import Row
from services.local import Pipeline
from services.runtime.clients import admin, consumer
from tests.builders import CLOCK
from tests.e2e.kafka import Installation, Service

SETTLES_WITHIN = 240.0
"""Seconds until everything must be there again after a fault: two busy cores, a session of ten seconds, a new leader."""
MAY_END_WITH = (-9, 75)
"""What a supervisor answers with a new life: our own SIGKILL, and a life that says that the next one can go on."""


class Kept:
    """A service that is started again when it ends, as a supervisor does. Any other end than `MAY_END_WITH` is a failure."""

    def __init__(self, start: Callable[[], Service]) -> None:
        self._start = start
        self.service = start()
        self.lives = 1

    def tend(self) -> None:
        code = self.service.process.poll()
        if code is None:
            return
        assert code in MAY_END_WITH, self.service.told()
        self.service = self._start()
        self.lives += 1

    def kill(self) -> None:
        self.service.kill()

    def restart(self) -> None:
        """As an upgrade does: asked to stop, it ends well, and its next life begins."""
        assert self.service.stop() == 0, self.service.told()
        self.service = self._start()
        self.lives += 1


class Undisturbed:
    """What `replay` makes of the same records, slice by slice: the reference."""

    def __init__(self, slices: Sequence[Sequence[Article | Command]]) -> None:
        self._pipeline = Pipeline(clock=CLOCK)
        self.events: dict[str, bytes] = {}
        self._slices = slices

    def slices(self) -> Iterator[tuple[Sequence[Article | Command], int]]:
        """Each slice, and how many events there must be once it is through."""
        for records in self._slices:
            for record in records:
                self.events |= {event.id: encode(event) for event in self._pipeline.feed(record).events()}
            yield records, len(self.events)

    @property
    def rows(self) -> dict[int, Row]:
        """The rows by number, without their place in the log: a publisher that begins again makes it longer."""
        return {row.number: nowhere(row) for row in self._pipeline.rows.in_order()}


class Watcher:
    """Reads story.events as any subscriber does, and fails on an event that comes twice."""

    def __init__(self, installation: Installation) -> None:
        self.events: dict[str, bytes] = {}
        self._reader: Any = consumer(installation.settings, "watcher", group_id=None, fetch_max_wait_ms=100)
        name = topic_name(EVENTS, installation.settings.topic_prefix)
        self._reader.assign([TopicPartition(name, number) for number in range(EVENTS.partitions)])
        self._reader.seek_to_beginning()

    def look(self) -> None:
        with contextlib.suppress(KafkaError):  # a broker that is being killed; asked again
            for records in self._reader.poll(timeout_ms=200).values():
                for record in records:
                    event = decode(record.value, Event)
                    assert event.id not in self.events, f"event {event.id} was emitted twice"
                    self.events[event.id] = record.value

    def close(self) -> None:
        self._reader.close(autocommit=False)


class Field:
    """Everything that a fault may lay hands on. `rng` decides; nothing else does."""

    def __init__(self, cluster: Cluster, folder: Path, rng: Random, undisturbed: Undisturbed, **more: str) -> None:
        self.cluster = cluster
        self.rng = rng
        self.folder = folder
        self.installation = Installation(cluster.bootstrap, folder, WRITETHRU_KAFKA_REPLICAS="3", **more)
        self.watcher = Watcher(self.installation)
        self.undisturbed = undisturbed
        self.groupers = 0
        self.grouper = self.new_grouper()
        self.emitters = [self.new_emitter("a")]
        self.publisher: Service | None = None
        self._archive: Path | None = None

    # -- services ------------------------------------------------------------------------------------------------------

    def new_grouper(self, state: Path | None = None, **more: str) -> Kept:
        """A grouper with a state folder of its own, or with `state`."""
        self.groupers += 1
        self.state = state or self.folder / f"state-{self.groupers}"
        environment = {"WRITETHRU_STATE_FOLDER": str(self.state), **more}
        return Kept(lambda: self.installation.start("grouper", **environment))

    def new_emitter(self, instance: str) -> Kept:
        return Kept(lambda: self.installation.start("emitter", instance=instance))

    def publish(self, records: Sequence[Article | Command]) -> None:
        """Have a publisher begin with these."""
        self._archive = self.folder / "slice.jsonl"
        self._archive.write_bytes(b"".join(encode(record) + b"\n" for record in records))
        self.publisher = self.installation.start("publisher", str(self._archive))

    def tend(self) -> None:
        """What a supervisor and a subscriber do meanwhile."""
        for kept in (self.grouper, *self.emitters):
            kept.tend()
        if self.publisher is not None and (code := self.publisher.process.poll()) is not None:
            assert code in (0, *MAY_END_WITH), self.publisher.told()
            self.publisher = self.installation.start("publisher", str(self._archive)) if code else None
        self.watcher.look()

    def pause(self, seconds: float) -> None:
        """Let time go by with nobody tended: what is killed stays down."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            self.watcher.look()
            time.sleep(0.05)

    def until(self, true: Callable[[], bool], what: str, within: float = SETTLES_WITHIN) -> None:
        deadline = time.monotonic() + within
        while not true():
            self.tend()
            assert time.monotonic() < deadline, f"not {what} within {within:.0f} s\n{self.told()}"
            time.sleep(0.05)

    def told(self) -> str:
        """The last words of everybody, and what is missing."""
        missing = len(self.undisturbed.events) - len(self.watcher.events)
        services = [kept.service for kept in (self.grouper, *self.emitters)]
        return "\n".join([f"{missing} events are missing", *(service.told() for service in services)])

    # -- what must hold ------------------------------------------------------------------------------------------------

    def settle(self, count: int) -> None:
        """Come back when the publisher is through and `count` events are there; fails on any that differs."""
        self.until(
            lambda: self.publisher is None and len(self.watcher.events) >= count, f"{count} events and no publisher"
        )
        wrong = [name for name, value in self.watcher.events.items() if self.undisturbed.events.get(name) != value]
        assert not wrong, f"{len(wrong)} events are not those of the undisturbed run, first {wrong[0]}"
        assert len(self.watcher.events) == count

    def check(self) -> None:
        """The events' ids and bytes, the final states of the stories, and every row, are those of the undisturbed run."""
        self.pause(2.0)
        assert self.watcher.events == self.undisturbed.events
        assert final_states(self.watcher.events.values()) == final_states(self.undisturbed.events.values())
        written: dict[int, bytes] = {}
        for record in self.installation.read(ROWS):
            row = decode(record.value, Row)
            assert written.setdefault(row.number, record.value) == record.value, f"row {row.number} has other bytes"
        assert {number: nowhere(decode(row, Row)) for number, row in written.items()} == self.undisturbed.rows

    def controller(self) -> int:
        """The node that leads the cluster's metadata."""
        with contextlib.closing(admin(self.installation.settings)) as client:
            quorum = client.describe_metadata_quorum()
        return int(quorum["topics"][0]["partitions"][0]["leader_id"])

    def close(self) -> None:
        self.installation.close()
        if (disk := self.folder / "disk").is_mount():
            subprocess.run(["umount", str(disk)], check=False)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)  # kafka-python leaves sockets of killed brokers open
            self.watcher.close()
            gc.collect()


def say(line: str) -> None:
    """A line of a run's progress, for `pytest -s`."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def nowhere(row: Row) -> Row:
    return msgspec.structs.replace(row, offset=0)


def final_states(events: Iterator[bytes] | Any) -> dict[str, EventStory]:
    """Each story as its last event tells it."""
    states: dict[str, EventStory] = {}
    for value in events:
        story = decode(value, Event).data.story
        if story.id not in states or states[story.id].sequence < story.sequence:
            states[story.id] = story
    return states
