"""`writethru run emitter`: consume, make events, produce, in one Kafka transaction per poll.

The event, the mark of its story and the consumer's offsets are committed together or not at all. Whatever breaks a
transaction ends the process: the next life begins from what is committed.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from contextlib import closing
from typing import Any, Final, NamedTuple

import msgspec
from kafka import ConsumerRebalanceListener, KafkaConsumer, KafkaProducer, TopicPartition
from kafka.errors import (
    CommitFailedError,
    IllegalGenerationError,
    IllegalStateError,
    KafkaError,
    RebalanceInProgressError,
    UnknownMemberIdError,
)
from kafka.structs import OffsetAndMetadata

from services.contract.codec import decode, encode
from services.contract.messages import SequenceMark
from services.contract.settings import Settings
from services.contract.topics import EMITTER, EVENTS, LARGEST_EVENT, REVISIONS, SEQUENCES, topic_name
from services.core.errors import BrokenLog
from services.core.events import Event, emit, event_kind
from services.core.revision import Revision
from services.emitter.marks import Marks
from services.runtime import metrics
from services.runtime.clients import consumer, producer
from services.runtime.health import Health
from services.runtime.lifecycle import Again, Exit, Stop, end
from services.runtime.logs import logger
from services.runtime.memory import collect_seldom
from services.runtime.topic_admin import wait_for_topics

log = logger(__name__)

POLL_MS: Final = 200
BATCH: Final = 100
"""Revisions per transaction at most: under load a transaction's cost is shared, at rest each revision goes at once."""
WORK_SECONDS: Final = 10.0
"""After so long no further event is made before the transaction and the next poll: two articles of 200 KiB can take 20 s to
compare, and a member that does not poll for two minutes loses its partitions, only to meet the same batch again."""
REBALANCED: Final = (
    CommitFailedError, IllegalGenerationError, RebalanceInProgressError, UnknownMemberIdError,
)  # fmt: skip
"""The broker refuses the offsets of a member that is no longer of the group's generation."""
TRANSACTION_MS: Final = 30_000
"""A transaction that is open for longer is aborted by the broker; readers wait for it until then."""


def run(settings: Settings, health: Health, stop: Stop) -> None:
    """Emit until told to stop. Raises Again, BrokenLog, WrongTopics, NotAllowed."""
    if not wait_for_topics(settings, stop, health, (REVISIONS, EVENTS, SEQUENCES)):  # others may still be missing
        return
    try:
        health.beat()
        with (
            health.guard(stop, lambda why: end(Exit.AGAIN, why)),
            closing(Emitter(settings, health, stop)) as emitter,
        ):
            emitter.work()
    except KafkaError as error:
        raise Again(f"kafka: {error!r}") from error


class _Made(NamedTuple):
    partition: int
    key: bytes
    event: bytes
    mark: bytes
    kind: str


class Emitter:
    """One emitter: a consumer in the group, a transactional producer, and the marks of its partitions."""

    def __init__(self, settings: Settings, health: Health, stop: Stop) -> None:
        self._health = health
        self._stop = stop
        self._topics: dict[str, str] = {
            t.name: topic_name(t, settings.topic_prefix) for t in (REVISIONS, EVENTS, SEQUENCES)
        }
        name = f"{settings.topic_prefix}{EMITTER}-{settings.instance}"
        self._marks: dict[int, Marks] = {}
        self._lock = threading.Lock()
        self._new: set[TopicPartition] = set()
        self._membership: Any = None
        self._measured = 0.0
        self._revisions: KafkaConsumer = consumer(
            settings, name, group_id=f"{settings.topic_prefix}{EMITTER}", group_instance_id=name, max_poll_records=BATCH,
            session_timeout_ms=10_000, heartbeat_interval_ms=2_000, max_poll_interval_ms=120_000, fetch_max_wait_ms=100,
        )  # fmt: skip
        self._reader: KafkaConsumer = consumer(settings, f"{name}-marks", group_id=None)
        self._ends: KafkaConsumer = consumer(
            settings, f"{name}-ends", group_id=None, isolation_level="read_uncommitted"
        )
        self._producer: KafkaProducer = producer(
            settings, name, transactional_id=name, transaction_timeout_ms=TRANSACTION_MS, linger_ms=0,
            delivery_timeout_ms=TRANSACTION_MS, max_block_ms=TRANSACTION_MS,
        )  # fmt: skip

    def work(self) -> None:
        """Poll, emit, commit, again."""
        self._health.waits("its partitions")
        collect_seldom()
        self._producer.init_transactions()  # fences an earlier life of this instance and ends its transaction
        self._revisions.subscribe([self._topics[REVISIONS.name]], listener=_Listener(self))
        while not self._stop.asked:
            polled = self._revisions.poll(timeout_ms=POLL_MS)
            self._health.beat()
            for begun in self._begin_partitions():
                polled.pop(begun, None)  # read again, from what is committed
            if polled:
                self._commit(polled)
            self._measure_lag()
        log.info("stopping: the last transaction is committed")

    def _measure_lag(self) -> None:
        """At most once a second: the client has the numbers, and asks nobody."""
        if time.monotonic() - self._measured < 1.0:
            return
        self._measured = time.monotonic()
        for tp in self._revisions.assignment():
            end = self._revisions.highwater(tp)
            if end is not None and tp.partition in self._marks:
                metrics.LAG.labels(REVISIONS.name, tp.partition).set(max(0, end - self._revisions.position(tp)))

    def close(self) -> None:
        """Leave the group and give back the connections."""
        for client in (self._revisions, self._reader, self._ends):
            client.close(autocommit=False, timeout_ms=5_000)
        self._producer.close(timeout=5)

    # -- partitions ----------------------------------------------------------------------------------------------------

    def assigned(self, partitions: Iterable[TopicPartition]) -> None:
        """These partitions are ours from this generation on. Called by the client, in a thread of its own."""
        with self._lock:
            self._membership = self._revisions.group_metadata()
            self._new |= set(partitions)
        log.info("assigned", partitions=sorted(tp.partition for tp in partitions))

    def revoked(self, partitions: Iterable[TopicPartition]) -> None:
        """These are not ours any more; a transaction that is open with them will be refused by the broker."""
        with self._lock:
            self._new -= set(partitions)
        log.info("revoked", partitions=sorted(tp.partition for tp in partitions))

    def _begin_partitions(self) -> list[TopicPartition]:
        """Before the first revision of a partition: read what was emitted there, and start from what is committed.

        In this order, and by ourselves: the committed offset is told only when no transaction of the partition's last
        owner is open any more, and the marks must be no older than it.
        """
        with self._lock:
            begun, self._new = sorted(self._new), set()
        for tp in begun:
            offset = self._revisions.committed(tp)
            marks = self._marks.setdefault(
                tp.partition, Marks(TopicPartition(self._topics[SEQUENCES.name], tp.partition))
            )
            stories = marks.catch_up(self._reader, self._ends, self._stop, self._health.beat)
            try:
                self._revisions.seek(tp, offset) if offset is not None else self._revisions.seek_to_beginning(tp)
            except IllegalStateError:  # taken away again since
                continue
            log.info("partition begun", partition=tp.partition, offset=offset, stories=stories)
        if begun:
            self._health.ready()
        return begun

    # -- one transaction -----------------------------------------------------------------------------------------------

    def _commit(self, polled: dict[TopicPartition, list[Any]]) -> None:
        """The events of what was polled, with their marks and the offsets, in one transaction.

        What `WORK_SECONDS` leave no time for is read again with the next poll.
        """
        membership = self._membership
        outgoing: list[_Made] = []
        offsets: dict[TopicPartition, OffsetAndMetadata] = {}
        until = time.monotonic() + WORK_SECONDS
        for tp, records in polled.items():
            for record in records:
                if offsets and time.monotonic() > until:
                    self._revisions.seek(tp, record.offset)
                    break
                outgoing += self._make(tp.partition, record)
                offsets[tp] = OffsetAndMetadata(record.offset + 1)
                self._health.beat()
        events, marks = self._topics[EVENTS.name], self._topics[SEQUENCES.name]
        with metrics.TRANSACTION_SECONDS.time():
            try:
                self._producer.begin_transaction()
                for made in outgoing:
                    self._producer.send(events, key=made.key, value=made.event, partition=made.partition)
                    self._producer.send(marks, key=made.key, value=made.mark, partition=made.partition)
                self._producer.send_offsets_to_transaction(offsets, membership)
                self._producer.commit_transaction()  # raises if any send failed; then nothing of it is seen
            except REBALANCED as error:
                self._give_back(polled, error)
                return
        for made in outgoing:
            metrics.EMITTED.labels(made.kind).inc()

    def _make(self, partition: int, record: Any) -> tuple[_Made, ...]:
        """The event of one revision; none if it was emitted before."""
        marks = self._marks[partition]
        revision = decode(record.value, Revision)
        story, sequence = revision.stamp.story, revision.stamp.sequence
        if marks.is_repeat(story, sequence):
            metrics.REPEATED.inc()
            return ()
        with metrics.EMISSION_SECONDS.time():
            event = emit(revision)
            mark = encode(SequenceMark(story=story, sequence=sequence))
            made = _Made(partition, story.encode(), fitted(event), mark, event_kind(event))
        marks.emitted(story, sequence)
        return (made,)

    def _give_back(self, polled: dict[TopicPartition, list[Any]], error: KafkaError) -> None:
        """The group has changed under a transaction: end it, and begin what is still ours from what is committed."""
        log.warning("the group changed under a transaction: aborted", error=repr(error))
        self._producer.abort_transaction()
        with self._lock:
            self._new |= set(polled) & self._revisions.assignment()
        for tp in polled:
            self._marks.pop(tp.partition, None)


def fitted(event: Event) -> bytes:
    """The event as bytes that fit the topic; spans, which a reader can make again, go first. Raises BrokenLog."""
    data = encode(event)
    if len(data) > LARGEST_EVENT - 1024:
        data = encode(_without_spans(event))
    if len(data) > LARGEST_EVENT - 1024:
        raise BrokenLog(f"event {event.id} has {len(data):,} bytes, story.events takes {LARGEST_EVENT:,}")
    return data


def _without_spans(event: Event) -> Event:
    change = event.data.change
    if change is None:
        return event
    bare = tuple(msgspec.structs.replace(entry, spans=()) for entry in change.paragraphs)
    data = msgspec.structs.replace(event.data, change=msgspec.structs.replace(change, paragraphs=bare))
    return msgspec.structs.replace(event, data=data)


class _Listener(ConsumerRebalanceListener):  # type: ignore[misc]  # kafka-python ships no types
    def __init__(self, emitter: Emitter) -> None:
        self._emitter = emitter

    def on_partitions_assigned(self, assigned: list[TopicPartition]) -> None:
        self._emitter.assigned(assigned)

    def on_partitions_revoked(self, revoked: list[TopicPartition]) -> None:
        self._emitter.revoked(revoked)
