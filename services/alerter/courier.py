"""Deliveries to their channels: many at once, a few per channel, and nobody waits for somebody else's dead endpoint.

Records are taken in order, finished in any order, and committed up to the first that is not finished; what follows a failure (a
retry, a place among the dead) is in the same transaction as the offsets. A crash repeats attempts under the same id and loses none.
"""

from __future__ import annotations

import queue
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple

import msgspec
from kafka import KafkaConsumer, KafkaProducer, TopicPartition
from kafka.structs import OffsetAndMetadata

from services.alerter.channels import Channels, Outcome
from services.alerter.rules_loop import TRANSACTION_MS, channel_partition
from services.alerter.schedule import backoff, next_attempt, tier_of
from services.contract.codec import decode, encode
from services.contract.messages import Delivery, Endpoint
from services.contract.settings import Settings
from services.contract.topics import ALERTER, DEAD, DELIVERIES, ENDPOINTS, RETRIES, TIERS, Topic, topic_name
from services.core.errors import UndecodableMessage
from services.core.times import instant, iso
from services.runtime import metrics
from services.runtime.clients import consumer, producer
from services.runtime.health import Health
from services.runtime.lifecycle import Stop
from services.runtime.logs import logger

log = logger(__name__)

POLL_MS: Final = 50
HANDS: Final = 48
"""Attempts at once. Each dead endpoint holds one for a time limit, until it is left alone."""
AT_ONCE: Final = 4
"""Attempts at once per channel that answered last; one for any other."""
MOST_OPEN: Final = 2_000
"""Deliveries taken and not finished; more stay in Kafka."""
COMMIT_EVERY: Final = 0.1


class _Taken(NamedTuple):
    partition: TopicPartition
    offset: int
    delivery: Delivery


class _Channel:
    """How one channel does: what waits for it, how many are under way, and until when it is left alone."""

    def __init__(self) -> None:
        self.waiting: deque[_Taken] = deque()
        self.under_way = 0
        self.failures = 0
        self.good = False
        self.alone_until: datetime | None = None


class _Progress:
    """Which offsets of a partition are finished, and up to where all are."""

    def __init__(self) -> None:
        self._open: dict[int, bool] = {}

    def take(self, offset: int) -> None:
        self._open[offset] = False

    def finish(self, offset: int) -> None:
        self._open[offset] = True

    def advance(self) -> int | None:
        """The offset after the last of the finished run at the beginning; None where nothing is new."""
        end = None
        for offset in list(self._open):
            if not self._open[offset]:
                break
            del self._open[offset]
            end = offset + 1
        return end


class Courier:
    """The deliveries over Kafka. `clock` tells the time."""

    def __init__(
        self,
        settings: Settings,
        channels: Channels,
        health: Health,
        stop: Stop,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._channels = channels
        self._health = health
        self._stop = stop
        self._clock = clock
        self._prefix = settings.topic_prefix
        name = f"{settings.topic_prefix}{ALERTER}-courier"
        self._records: KafkaConsumer = consumer(
            settings, name, group_id=f"{settings.topic_prefix}{ALERTER}", max_poll_records=500, fetch_max_wait_ms=50
        )
        self._producer: KafkaProducer = producer(
            settings, name, transactional_id=name, transaction_timeout_ms=TRANSACTION_MS, linger_ms=0,
            delivery_timeout_ms=TRANSACTION_MS, max_block_ms=TRANSACTION_MS,
        )  # fmt: skip
        self._hands = ThreadPoolExecutor(HANDS, thread_name_prefix="deliver")
        self._finished: queue.SimpleQueue[tuple[_Taken, Outcome]] = queue.SimpleQueue()
        self._known: dict[str, _Channel] = {}
        self._disabled: dict[str, str] = {}
        self._progress: dict[TopicPartition, _Progress] = {}
        self._sleeping: dict[TopicPartition, datetime] = {}
        self._out: list[tuple[Topic, str, bytes]] = []
        self._open = 0
        self._full = False
        self._beaten = time.monotonic()

    @property
    def silent_for(self) -> float:
        """Seconds since the loop went round."""
        return time.monotonic() - self._beaten

    def work(self) -> None:
        """Take, deliver, commit, again. Raises KafkaError."""
        self._producer.init_transactions()
        self._begin()
        last = 0.0
        while not self._stop.asked or self._open:
            self._beaten = time.monotonic()
            if not self._stop.asked:
                self._take(self._records.poll(timeout_ms=POLL_MS))
            else:
                self._give_back()
                time.sleep(POLL_MS / 1000)
            self._settle()
            if time.monotonic() - last >= COMMIT_EVERY:
                last = time.monotonic()
                self._commit()
        self._commit()
        log.info("courier: stopping, what was under way is committed")

    def close(self) -> None:
        """Give back the connections; attempts under way end by their time limits."""
        self._hands.shutdown(wait=False, cancel_futures=True)
        self._channels.close()
        self._records.close(autocommit=False, timeout_ms=5_000)
        self._producer.close(timeout=5)

    # -- taking --------------------------------------------------------------------------------------------------------

    def _name(self, topic: Topic) -> str:
        return topic_name(topic, self._prefix)

    def _begin(self) -> None:
        """All partitions from what is committed; channels that are switched off are known before the first attempt."""
        off = TopicPartition(self._name(ENDPOINTS), 0)
        work = [TopicPartition(self._name(t), n) for t in (DELIVERIES, *RETRIES) for n in range(t.partitions)]
        self._records.assign([off])
        self._records.seek_to_beginning(off)
        end = self._records.end_offsets([off])[off]
        while self._records.position(off) < end and not self._stop.asked:
            self._take(self._records.poll(timeout_ms=POLL_MS))
        self._records.assign([off, *work])
        self._records.seek(off, end)
        for tp in work:
            committed = self._records.committed(tp)
            self._records.seek(tp, committed) if committed is not None else self._records.seek_to_beginning(tp)
        log.info("courier: begun", disabled=len(self._disabled))

    def _take(self, polled: dict[TopicPartition, list[Any]]) -> None:
        now = self._clock()
        for tp, records in polled.items():
            for record in records:
                if tp.topic == self._name(ENDPOINTS):
                    self._switch(record)
                elif not self._take_one(tp, record, now):
                    break
        for tp, until in list(self._sleeping.items()):
            if until <= now:
                del self._sleeping[tp]
                if not self._full:
                    self._records.resume(tp)
        self._hold_back()

    def _take_one(self, tp: TopicPartition, record: Any, now: datetime) -> bool:
        """Whether it was taken; a retry that is not due is left in its tier, and all after it are due later."""
        try:
            delivery = decode(record.value or b"", Delivery)
        except UndecodableMessage as error:
            log.warning("courier: a record that is no delivery is left out", topic=tp.topic, error=str(error))
            self._progress.setdefault(tp, _Progress()).take(record.offset)
            self._progress[tp].finish(record.offset)
            return True
        due = instant(delivery.due)
        wait = self._tier_wait(tp)
        written = datetime.fromtimestamp(record.timestamp / 1000, UTC) + timedelta(seconds=wait)
        if wait and written > now and (due is None or due > now):
            self._records.seek(tp, record.offset)
            self._records.pause(tp)
            self._sleeping[tp] = min(written, due) if due is not None else written
            return False
        self._progress.setdefault(tp, _Progress()).take(record.offset)
        self._open += 1
        taken = _Taken(tp, record.offset, delivery)
        channel = self._known.setdefault(delivery.channel, _Channel())
        left_alone = channel.alone_until is not None and channel.alone_until > now
        if delivery.channel in self._disabled:
            self._bury(taken, f"switched off: {self._disabled[delivery.channel]}")
        elif due is not None and due > now:
            self._again(taken, due, delivery.error or "", now)
        elif left_alone and channel.alone_until is not None:
            made = instant(delivery.made) or now
            if next_attempt(1, made, now) is None:
                self._bury(taken, delivery.error or "the endpoint did not answer")
            else:
                self._again(taken, channel.alone_until, delivery.error or "the endpoint is left alone for a while", now)
        else:
            channel.waiting.append(taken)
            self._start(channel)
        return True

    def _tier_wait(self, tp: TopicPartition) -> int:
        for topic, seconds in zip(RETRIES, TIERS.values(), strict=True):
            if tp.topic == self._name(topic):
                return seconds
        return 0

    def _switch(self, record: Any) -> None:
        try:
            endpoint = decode(record.value or b"", Endpoint)
        except UndecodableMessage:
            return
        if endpoint.disabled:
            self._disabled[endpoint.channel] = endpoint.why
        else:
            self._disabled.pop(endpoint.channel, None)
            self._known.pop(endpoint.channel, None) if not self._busy(endpoint.channel) else None
        metrics.ENDPOINTS_DISABLED.set(len(self._disabled))

    def _busy(self, channel: str) -> bool:
        known = self._known.get(channel)
        return known is not None and bool(known.under_way or known.waiting)

    def _hold_back(self) -> None:
        """Leave in Kafka what there is no room for."""
        full = self._open >= MOST_OPEN
        if full != self._full:
            self._full = full
            parts = [
                tp
                for tp in self._records.assignment()
                if tp not in self._sleeping and tp.topic != self._name(ENDPOINTS)
            ]
            (self._records.pause if full else self._records.resume)(*parts)

    # -- delivering ----------------------------------------------------------------------------------------------------

    def _start(self, channel: _Channel) -> None:
        """Begin as many attempts as the channel may have at once."""
        while channel.waiting and channel.under_way < (AT_ONCE if channel.good else 1):
            taken = channel.waiting.popleft()
            channel.under_way += 1
            self._hands.submit(self._attempt, taken)

    def _attempt(self, taken: _Taken) -> None:
        with metrics.DELIVERY_SECONDS.labels(self._channels.kind(taken.delivery.channel)).time():
            outcome = self._channels.attempt(taken.delivery, self._clock())
        self._finished.put((taken, outcome))

    def _settle(self) -> None:
        """What attempts came to."""
        while not self._finished.empty():
            taken, outcome = self._finished.get()
            now, delivery = self._clock(), taken.delivery
            channel = self._known.setdefault(delivery.channel, _Channel())
            channel.under_way -= 1
            self._count(delivery, outcome, now)
            if outcome.done:
                channel.good, channel.failures, channel.alone_until = True, 0, None
                self._finish(taken)
            elif outcome.refused:
                self._bury(taken, outcome.why)
            elif outcome.gone:
                self._disable(delivery.channel, outcome.why, now)
                self._bury(taken, outcome.why)
            else:
                self._failed(channel, taken, outcome, now)
            if self._stop.asked:
                continue
            self._go_on(delivery.channel, channel, outcome.why, now)
        metrics.ENDPOINTS_DOWN.set(sum(one.alone_until is not None for one in self._known.values()))

    def _failed(self, channel: _Channel, taken: _Taken, outcome: Outcome, now: datetime) -> None:
        channel.good = False
        channel.failures += 1
        pause = max(backoff(channel.failures), timedelta(seconds=outcome.after))
        channel.alone_until = now + pause
        tried = taken.delivery.attempt + 1
        again = next_attempt(tried, instant(taken.delivery.made) or now, now, outcome.after)
        delivery = msgspec.structs.replace(taken.delivery, attempt=tried, error=outcome.why)
        if again is None:
            self._bury(taken._replace(delivery=delivery), outcome.why)
        else:
            self._again(taken._replace(delivery=delivery), again.due, outcome.why, now)

    def _go_on(self, name: str, channel: _Channel, why: str, now: datetime) -> None:
        """What waits for the channel after an attempt: begin it, or send it after what just failed."""
        alone = channel.alone_until
        if name in self._disabled:
            while channel.waiting:
                self._bury(channel.waiting.popleft(), f"switched off: {self._disabled[name]}")
        elif alone is not None and alone > now:
            while channel.waiting:
                self._again(channel.waiting.popleft(), alone, why, now)
        else:
            self._start(channel)

    def _again(self, taken: _Taken, due: datetime, why: str, now: datetime) -> None:
        """Back into Kafka, to the tier that is over by then."""
        tier = tier_of((due - now).total_seconds())
        topic = RETRIES[list(TIERS).index(tier)]
        delivery = msgspec.structs.replace(taken.delivery, due=iso(due), error=why)
        self._out.append((topic, delivery.channel, encode(delivery)))
        self._finish(taken)

    def _bury(self, taken: _Taken, why: str) -> None:
        delivery = msgspec.structs.replace(taken.delivery, error=why, due=None)
        self._out.append((DEAD, delivery.channel, encode(delivery)))
        log.warning(
            "courier: given up", delivery=delivery.id, channel=delivery.channel, attempts=delivery.attempt, why=why
        )
        metrics.DELIVERED.labels(self._channels.kind(delivery.channel), "dead").inc()
        self._finish(taken)

    def _disable(self, channel: str, why: str, now: datetime) -> None:
        self._disabled[channel] = why
        metrics.ENDPOINTS_DISABLED.set(len(self._disabled))
        log.warning("courier: switched off", channel=channel, why=why)
        self._out.append((ENDPOINTS, channel, encode(Endpoint(channel=channel, disabled=True, why=why, at=iso(now)))))

    def _give_back(self) -> None:
        """On the way out: what has not begun stays where it is, uncommitted."""
        for channel in self._known.values():
            self._open -= len(channel.waiting)
            channel.waiting.clear()

    def _finish(self, taken: _Taken) -> None:
        self._open -= 1
        self._progress[taken.partition].finish(taken.offset)

    def _count(self, delivery: Delivery, outcome: Outcome, now: datetime) -> None:
        kind = self._channels.kind(delivery.channel)
        metrics.DELIVERED.labels(kind, "delivered" if outcome.done else "failed").inc()
        made = instant(delivery.made)
        if outcome.done and made is not None:
            metrics.ALERT_SECONDS.observe(max(0.0, (now - made).total_seconds()))

    # -- committing ----------------------------------------------------------------------------------------------------

    def _commit(self) -> None:
        """What follows from finished attempts, and how far all are finished, in one transaction."""
        offsets = {
            tp: OffsetAndMetadata(end) for tp, one in self._progress.items() if (end := one.advance()) is not None
        }
        if not offsets and not self._out:
            return
        out, self._out = self._out, []
        self._producer.begin_transaction()
        for topic, channel, value in out:
            place = channel_partition(channel) if topic.partitions > 1 else 0
            self._producer.send(self._name(topic), key=channel.encode(), value=value, partition=place)
        if offsets:
            self._producer.send_offsets_to_transaction(offsets, self._records.group_metadata())
        self._producer.commit_transaction()
