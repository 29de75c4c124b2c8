"""Parsed input onto Kafka: stamped, keyed, in order, and never more in flight than fits the memory."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from kafka.errors import KafkaError

from services.contract.codec import encode
from services.contract.messages import rejected
from services.contract.settings import Settings
from services.contract.topics import ARTICLES, LARGEST_INTERNAL, REJECTED, record_key, topic_name
from services.core.article import Article, Command
from services.core.errors import RejectedInput
from services.core.identity import stamp
from services.core.times import instant, iso
from services.core.wire import Parsed
from services.runtime import metrics
from services.runtime.logs import logger

log = logger(__name__)

IN_FLIGHT: Final = 2_000
"""Records sent and not acknowledged. The client itself would buffer without end while the broker is away."""


@dataclass(slots=True)
class Counts:
    """What became of the input so far. `published` counts what the broker has acknowledged."""

    published: int = 0
    rejected: int = 0
    skipped: int = 0


class Publisher:
    """Sends to one edition, in order. A record that the broker does not take raises; the same input may be sent again.

    `clock` tells the present: a stamp later than it is not believed. `producer` is a kafka-python producer.
    """

    def __init__(
        self, producer: Any, settings: Settings, *, clock: Callable[[], datetime], edition: int = 0, live: bool = False,
    ) -> None:  # fmt: skip
        self._producer = producer
        self._articles = topic_name(ARTICLES, settings.topic_prefix)
        self._rejected = topic_name(REJECTED, settings.topic_prefix)
        self._clock = clock
        self._edition = edition
        self._live = live
        self._stamped: datetime | None = None
        self._sent: deque[tuple[Any, bool]] = deque()
        self.counts = Counts()

    def stamped(self, item: Article | Command) -> Article | Command:
        """The item as it goes onto the log: by the rule that replay shares."""
        if isinstance(item, Command):
            return item
        item = stamp(item, previous=self._stamped, clock=self._clock(), live=self._live)
        self._stamped = instant(item.received_at) or self._stamped
        return item

    def send(self, record: Article | Command) -> Any:
        """One stamped record on its way: kafka-python's future of it. Raises RejectedInput, KafkaError."""
        value = encode(record)
        if len(value) > LARGEST_INTERNAL:
            raise RejectedInput("too_large", f"{len(value):,} bytes as JSON, a record may have {LARGEST_INTERNAL:,}")
        return self._producer.send(self._articles, key=record_key(record), value=value, partition=self._edition)

    def publish(self, record: Article | Command) -> None:
        """Send one stamped record. Blocks while `IN_FLIGHT` are on their way. Raises RejectedInput, KafkaError."""
        self._keep(self.send(record), article=True)

    def reject(self, error: RejectedInput, provider: str | None = None) -> None:
        """Keep bad input, with the reason, on `wire.rejected`. Raises KafkaError."""
        message = rejected(
            error, error.data or b"", by="publisher", at=iso(self._clock()), edition=self._edition, provider=provider
        )
        self._keep(
            self._producer.send(self._rejected, key=(error.source or "").encode(), value=encode(message)), article=False
        )
        self.counts.rejected += 1
        metrics.REJECTED.labels("publisher", error.reason).inc()
        log.warning("rejected", reason=error.reason, detail=error.detail, source=error.source, position=error.position)

    def take(
        self, parsed: Parsed, provider: str | None = None, wait: Callable[[str | None], None] | None = None
    ) -> None:
        """All of one input: its items in order, what was rejected, what was left aside. `wait` keeps the archive's pace."""
        for item in parsed.articles:
            record = self.stamped(item)
            if wait is not None:
                wait(record.received_at)
            try:
                self.publish(record)
            except RejectedInput as error:
                self.reject(error, provider)
        for refused in parsed.rejected:
            self.reject(refused, provider)
        for skipped in parsed.skipped:
            self.counts.skipped += 1
            metrics.SKIPPED.labels(skipped.kind).inc()
            log.info("skipped", kind=skipped.kind, source=skipped.source, uri=skipped.uri)

    def flush(self) -> None:
        """Come back when the broker has everything that was sent here. Raises KafkaError.

        Only our own records are waited for: other feeds share the producer, and no feed waits for another's.
        """
        while self._sent:
            self._settle()

    def _keep(self, sent: Any, *, article: bool) -> None:
        self._sent.append((sent, article))
        while self._sent and (len(self._sent) > IN_FLIGHT or self._sent[0][0].is_done):
            self._settle()

    def _settle(self) -> None:
        sent, article = self._sent.popleft()
        sent.get()
        if article:
            self.counts.published += 1
            metrics.PUBLISHED.labels(self._edition).inc()


def shut(producer: Any, seconds: float) -> None:
    """Close a producer, within twice the time. What the broker has not taken by then is given up: it comes again in the next life."""
    with suppress(KafkaError):  # the client would say so by an error, in place of the one that ended us
        producer.close(timeout=seconds)
