"""One feed's way onto the log: what the feed knows is added, what may not come by it is kept out, its pace is held."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import msgspec

from services.contract.codec import encode
from services.contract.feeds import AnyFeed, Feed, seconds
from services.contract.settings import Settings
from services.core.article import Article, Command
from services.core.errors import RejectedInput
from services.core.wire import Parsed
from services.publisher.publish import Publisher
from services.publisher.zone import embargo_with_zone, with_zone
from services.runtime import metrics
from services.runtime.logs import logger

log = logger(__name__)


def prepare(parsed: Parsed, feed: Feed, *, near: datetime) -> Parsed:
    """The input as the feed completes it. `near` is when it came, the same in every life: it may decide an hour that comes twice."""
    items: list[Article | Command] = []
    refused: list[RejectedInput] = []
    for item in parsed.articles:
        why = _kept_out(item, feed)
        if why is not None:
            why.data = encode(item)
            refused.append(why)
        else:
            items.append(_completed(item, feed, near) if isinstance(item, Article) else item)
    return Parsed(tuple(items), (*parsed.rejected, *refused), parsed.skipped)


def _kept_out(item: Article | Command, feed: Feed) -> RejectedInput | None:
    if isinstance(item, Command):
        if feed.commands:
            return None
        return RejectedInput("not_allowed", "an editors' command; this feed carries articles", source=item.id)
    if feed.only and item.provider not in feed.only:
        return RejectedInput(
            "wrong_provider", f"provider {item.provider!r} does not come by this feed", source=item.uri
        )
    return None


def _completed(article: Article, feed: Feed, near: datetime) -> Article:
    known: dict[str, Any] = {"language": article.language or feed.language}
    if feed.zone is not None:
        zone = ZoneInfo(feed.zone)
        known["version_created"] = with_zone(article.version_created, zone, near=near)
        known["first_created"] = with_zone(article.first_created, zone, near=near)
        known["embargoed"] = embargo_with_zone(article.embargoed, zone)
    return msgspec.structs.replace(article, **known)


class Watch:
    """Whether a feed is well and heard of. Called from the feed's thread and from the one that looks after all."""

    def __init__(self, name: str, quiet_after: str | None, clock: Callable[[], float] = time.time) -> None:
        self._name = name
        self._limit = seconds(quiet_after) if quiet_after is not None else None
        self._clock = clock
        self._heard = clock()
        self._quiet = False
        self._ill: str | None = None
        metrics.FEED_HEALTHY.labels(name).set(1)
        metrics.FEED_QUIET.labels(name).set(0)

    @property
    def ill(self) -> str | None:
        """Why the feed cannot be read; None where it can."""
        return self._ill

    def heard(self, items: int = 1) -> None:
        """Items came."""
        if items:
            self._heard = self._clock()
            metrics.FEED_LAST_ITEM.labels(self._name).set(self._heard)
            if self._quiet:
                log.info("a feed speaks again", feed=self._name)
            self._set_quiet(quiet=False)

    def well(self) -> None:
        """It could be read, whether or not there was something."""
        if self._ill is not None:
            log.info("a feed can be read again", feed=self._name)
        self._ill = None
        metrics.FEED_HEALTHY.labels(self._name).set(1)

    def fails(self, why: str) -> None:
        """It could not be read."""
        if why != self._ill:
            log.warning("a feed cannot be read", feed=self._name, why=why)
        self._ill = why
        metrics.FEED_HEALTHY.labels(self._name).set(0)
        metrics.FEED_FAILURES.labels(self._name).inc()

    def look(self) -> bool:
        """Whether its silence is an alarm by now; rung once."""
        silent = self._clock() - self._heard
        if self._limit is not None and silent >= self._limit and not self._quiet:
            log.warning("a feed is quiet", feed=self._name, minutes=round(silent / 60, 1))
            self._set_quiet(quiet=True)
        return self._quiet

    def _set_quiet(self, *, quiet: bool) -> None:
        self._quiet = quiet
        metrics.FEED_QUIET.labels(self._name).set(quiet)


class Rate:
    """Spaces what comes; thread-safe. `delay` is asked once per item."""

    def __init__(self, seconds_per_item: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._each = seconds_per_item
        self._clock = clock
        self._due = 0.0
        self._lock = threading.Lock()

    def delay(self, items: int = 1) -> float:
        """Seconds until it is the turn of the next; the turn after it is `items` later."""
        with self._lock:
            now = self._clock()
            start = max(now, self._due)
            self._due = start + items * self._each
            return start - now

    def behind(self) -> float:
        """Seconds until the next turn, without taking it."""
        return max(0.0, self._due - self._clock())


@dataclass(slots=True)
class Inlet:
    """A feed with its publisher. `wait` sleeps, but not past the wish to stop."""

    name: str
    feed: AnyFeed
    publisher: Publisher
    watch: Watch
    rate: Rate
    wait: Callable[[float], object]

    def take(
        self, parsed: Parsed, *, near: datetime, pace: Callable[[str | None], None] | None = None,
    ) -> Parsed:  # fmt: skip
        """Send one input in order and say what it came to. Blocks at the feed's rate and while too much is in flight.

        `pace` waits for the time of an archive's item.

        Raises KafkaError.
        """
        ready = prepare(parsed, self.feed, near=near)
        delay = self.rate.delay(len(ready.articles)) if ready.articles else 0.0
        if delay:
            self.wait(delay)
        before = self.publisher.counts.rejected
        self.publisher.take(ready, self.feed.provider, pace)
        self.count(ready, self.publisher.counts.rejected - before)
        return ready

    def count(self, ready: Parsed, rejected: int) -> None:
        """Tell the metrics and the watch."""
        outcomes = {"accepted": len(ready.articles), "rejected": rejected, "skipped": len(ready.skipped)}
        for outcome, number in outcomes.items():
            metrics.FEED_ITEMS.labels(self.name, outcome).inc(number)
        self.watch.heard(len(ready.articles))

    def flush(self) -> None:
        """Come back when the broker has what was taken. Raises KafkaError."""
        self.publisher.flush()


def inlet(
    name: str, feed: AnyFeed, producer: Any, settings: Settings, *, clock: Callable[[], datetime], wait: Callable[[float], object],
) -> Inlet:  # fmt: skip
    """A feed's way onto the log over this producer."""
    publisher = Publisher(producer, settings, clock=clock, edition=feed.edition, live=feed.stamp == "live")
    return Inlet(name, feed, publisher, Watch(name, feed.quiet_after), Rate(feed.seconds_per_item), wait)
