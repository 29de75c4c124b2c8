"""Events in, alerts out: rulings, deliveries, what is remembered and the offsets in one Kafka transaction per poll.

There is one alerter: its partitions are assigned by hand, and a second one fences the first by its transactional id. Without
committed offsets it begins at the end: a first run pages for no history.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Any, Final

import msgspec
from kafka import KafkaConsumer, KafkaProducer, TopicPartition
from kafka.structs import OffsetAndMetadata

from services.contract.codec import decode, encode
from services.contract.messages import AlertCommand, Delivery, Ruled, delivery_id
from services.contract.rules import Rules
from services.contract.settings import Settings
from services.contract.topics import (
    ALERT_COMMANDS,
    ALERT_STATE,
    ALERTER,
    ALERTS,
    DELIVERIES,
    EVENTS,
    RULINGS,
    STORY_PARTITIONS,
    Topic,
    story_partition,
    topic_name,
)
from services.core.alerting.alert import Alert, Ruling
from services.core.alerting.desk import Alerting
from services.core.alerting.memory import Memory, Row
from services.core.errors import BrokenLog, UndecodableMessage
from services.core.events import Event
from services.core.identity import digest
from services.core.times import iso
from services.runtime import metrics
from services.runtime.clients import consumer, producer
from services.runtime.health import Health
from services.runtime.lifecycle import Again, Stop
from services.runtime.logs import logger

log = logger(__name__)

POLL_MS: Final = 100
BATCH: Final = 100
TRANSACTION_MS: Final = 30_000
MOST_RULINGS: Final = 500
"""Rulings of one event that are written down; of more it says how many."""
TOPIC_CHANNEL: Final = "topic"
FROM_FILE: Final = "file:"
"""Silences that rules.yaml names: they go when the file no longer has them."""

Message = tuple[str, bytes, bytes | None, int]
"""Topic, key, value and partition."""


class RulesLoop:
    """The rules over Kafka: one consumer, one transactional producer, and the alert desk. `clock` tells the time."""

    def __init__(
        self,
        settings: Settings,
        rules: Rules,
        health: Health,
        stop: Stop,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._health = health
        self._stop = stop
        self._clock = clock
        self._rules = rules
        self._prefix = settings.topic_prefix
        name = f"{settings.topic_prefix}{ALERTER}-rules"
        self._events: KafkaConsumer = consumer(
            settings, name, group_id=f"{settings.topic_prefix}{ALERTER}", max_poll_records=BATCH, fetch_max_wait_ms=100
        )
        self._reader: KafkaConsumer = consumer(settings, f"{name}-state", group_id=None)
        self._ends: KafkaConsumer = consumer(
            settings, f"{name}-ends", group_id=None, isolation_level="read_uncommitted"
        )
        self._producer: KafkaProducer = producer(
            settings, name, transactional_id=name, transaction_timeout_ms=TRANSACTION_MS, linger_ms=0,
            delivery_timeout_ms=TRANSACTION_MS, max_block_ms=TRANSACTION_MS,
        )  # fmt: skip
        self._desk: Alerting = Alerting(rules.rules)

    def work(self) -> None:
        """Poll, rule, commit, again. Raises Again, BrokenLog, KafkaError."""
        self._health.waits("what was told before")
        self._producer.init_transactions()  # fences an earlier life and ends its transaction: what is read next is all there is
        self._desk = Alerting(self._rules.rules, Memory(self._remembered()))
        starts = self._begin()
        self._take_silences()
        self._commit([], starts)  # a first run has begun here, whatever happens next
        self._health.ready()
        measured = 0.0
        while not self._stop.asked:
            polled = self._events.poll(timeout_ms=POLL_MS)
            self._health.beat()
            self._step(polled)
            if time.monotonic() - measured > 1.0:
                measured = time.monotonic()
                self._measure()
        log.info("rules: stopping, the last transaction is committed")

    def close(self) -> None:
        """Give back the connections."""
        for client in (self._events, self._reader, self._ends):
            client.close(autocommit=False, timeout_ms=5_000)
        self._producer.close(timeout=5)

    # -- the beginning -------------------------------------------------------------------------------------------------

    def _name(self, topic: Topic) -> str:
        return topic_name(topic, self._prefix)

    def _remembered(self) -> list[Row]:
        """The rows of the state topic, up to its high watermark."""
        tp = TopicPartition(self._name(ALERT_STATE), 0)
        end = self._ends.end_offsets([tp])[tp]
        self._reader.assign([tp])
        self._reader.seek_to_beginning(tp)
        rows: dict[bytes, bytes] = {}
        idle = 0
        while self._reader.position(tp) < end and not self._stop.asked:
            records = self._reader.poll(timeout_ms=500).get(tp, [])
            for record in records:
                rows.pop(record.key, None)
                if record.value is not None:
                    rows[record.key] = record.value
            self._health.beat()
            idle = 0 if records else idle + 1
            if idle > 120:
                raise Again(f"{tp}: a transaction below offset {end} does not end")
        log.info("rules: remembered", rows=len(rows))
        try:
            return [msgspec.json.decode(value, type=Row) for value in rows.values()]
        except msgspec.DecodeError as error:
            raise BrokenLog(f"{ALERT_STATE.name}: {error}") from error

    def _begin(self) -> dict[TopicPartition, int]:
        """Take all partitions, each from what is committed; where nothing is, from its end. Returns those ends."""
        events = [TopicPartition(self._name(EVENTS), number) for number in range(EVENTS.partitions)]
        every = [*events, TopicPartition(self._name(ALERT_COMMANDS), 0)]
        self._events.assign(every)
        starts: dict[TopicPartition, int] = {}
        ends = self._ends.end_offsets(every)
        for tp in every:
            committed = self._events.committed(tp)
            if committed is None:
                starts[tp] = ends[tp]
            self._events.seek(tp, starts.get(tp, committed))
        log.info("rules: begun", first_run=len(starts) == len(every), rules=len(self._rules.rules))
        return starts

    def _take_silences(self) -> None:
        """The silences of rules.yaml; those that it no longer has end."""
        wanted = {f"{FROM_FILE}{one.id}": one for one in self._rules.silences}
        for silence in self._desk.memory.silences():
            if silence.id.startswith(FROM_FILE) and silence.id not in wanted:
                self._desk.unsilence(silence.id)
        for name, silence in wanted.items():
            self._desk.silence(msgspec.structs.replace(silence, id=name))

    # -- one step ------------------------------------------------------------------------------------------------------

    def _step(self, polled: dict[TopicPartition, list[Any]]) -> None:
        now = self._clock()
        out: list[Message] = []
        offsets: dict[TopicPartition, int] = {}
        for tp, records in polled.items():
            for record in records:
                if tp.topic == self._name(ALERT_COMMANDS):
                    self._obey(record, now)
                else:
                    event = decode(record.value, Event)
                    rulings = self._desk.feed(event, now)
                    out.append(self._ruled(event, rulings, now))
                offsets[tp] = record.offset + 1
                self._health.beat()
        alerts = self._desk.tick(now)
        for alert in alerts:
            out += self._addressed(alert)
        if out or offsets or alerts:
            self._commit(out, offsets)
        for alert in alerts:
            metrics.ALERTED.labels(alert.kind).inc()

    def _commit(self, out: Iterable[Message], offsets: dict[TopicPartition, int]) -> None:
        """All of a step, or nothing of it: whatever breaks ends the process, and the next life begins from what is committed."""
        rows = self._desk.memory.changed()
        with metrics.TRANSACTION_SECONDS.time():
            self._producer.begin_transaction()
            for topic, key, value, partition in out:
                self._producer.send(topic, key=key, value=value, partition=partition)
            for name, row in rows:
                value = msgspec.json.encode(row) if row is not None else None
                self._producer.send(self._name(ALERT_STATE), key=name.encode(), value=value, partition=0)
            if offsets:
                places = {tp: OffsetAndMetadata(offset) for tp, offset in offsets.items()}
                self._producer.send_offsets_to_transaction(places, self._events.group_metadata())
            self._producer.commit_transaction()

    def _ruled(self, event: Event, rulings: list[Ruling], now: datetime) -> Message:
        for ruling in rulings:
            metrics.RULED.labels(ruling.state, ruling.code).inc()
        told = sorted(rulings, key=lambda one: not one.fired)[:MOST_RULINGS]
        ruled = Ruled(
            event=event.id, story=event.subject, at=iso(now), rulings=tuple(told), left_out=len(rulings) - len(told)
        )
        return self._name(RULINGS), event.subject.encode(), encode(ruled), story_partition(event.subject)

    def _addressed(self, alert: Alert) -> Iterable[Message]:
        """The alert for each of its channels: a delivery, or itself on the topic."""
        for channel in alert.channels:
            if channel == TOPIC_CHANNEL:
                place = story_partition(alert.story) if alert.story else 0
                yield self._name(ALERTS), (alert.story or alert.rule).encode(), encode(alert), place
                continue
            delivery = Delivery(id=delivery_id(alert.id, channel), channel=channel, alert=alert, made=alert.at)
            yield self._name(DELIVERIES), channel.encode(), encode(delivery), channel_partition(channel)

    def _obey(self, record: Any, now: datetime) -> None:
        """A person's word. What cannot be read is left out: anybody may write there."""
        try:
            command = decode(record.value or b"", AlertCommand)
        except UndecodableMessage as error:
            log.warning("rules: a command cannot be read", offset=record.offset, error=str(error))
            return
        match command:
            case AlertCommand(command="acknowledge", story=str() as story):
                self._desk.acknowledge(story, command.by, now)
            case AlertCommand(command="silence", silence=silence) if silence is not None:
                self._desk.silence(silence)
            case AlertCommand(command="unsilence", name=str() as name):
                self._desk.unsilence(name)
            case _:
                log.warning("rules: a command says too little", offset=record.offset, command=command.command)

    def _measure(self) -> None:
        for tp in self._events.assignment():
            end = self._events.highwater(tp)
            if end is not None and tp.topic == self._name(EVENTS):
                metrics.LAG.labels(EVENTS.name, tp.partition).set(max(0, end - self._events.position(tp)))
        metrics.HELD.set(self._desk.memory.held())


def channel_partition(channel: str) -> int:
    """The partition of a channel's deliveries, on the queue and on every tier."""
    return int(digest("channel", channel, size=4), 16) % STORY_PARTITIONS
