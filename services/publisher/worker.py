"""`writethru publish` and `writethru run publisher`: files, folders and archives onto the log, once, from the beginning.

Running it again is safe: the same input has the same input id, and the grouper knows it. That is also how a publisher that
was killed goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from kafka.errors import KafkaError

from services.contract.settings import Settings
from services.contract.topics import ARTICLES, REJECTED
from services.publisher.publish import Counts, Publisher, shut
from services.runtime.archive import read
from services.runtime.clients import producer
from services.runtime.health import Health
from services.runtime.lifecycle import Again, Exit, Stop, end
from services.runtime.logs import logger
from services.runtime.pace import Pace
from services.runtime.topic_admin import wait_for_topics

log = logger(__name__)

TELL_EVERY: Final = 1_000
AGAIN: Final = "run it again, what was sent is known by its input id"
Counting = Callable[[Iterable[Any]], Iterable[Any]]


def run(
    settings: Settings, health: Health, stop: Stop, *, paths: list[Path], provider: str | None = None, edition: int = 0,
    speed: float | None = None, counting: Counting = iter,
) -> Counts | None:  # fmt: skip
    """Publish every input under `paths`, in order; None if told to stop before the end.

    `speed` is how many times faster than the archive's own pace, None as fast as the broker takes it. `counting` wraps the
    inputs, to show progress. Raises UnreadablePath, Again, WrongTopics, NotAllowed.
    """
    if not wait_for_topics(settings, stop, health, (ARTICLES, REJECTED)):
        return None
    pace = Pace(speed, stop.wait) if speed else None
    try:
        sender = producer(settings, f"{settings.topic_prefix}publisher-{settings.instance}")
        publisher = Publisher(sender, settings, clock=lambda: datetime.now(UTC), edition=edition)
        with health.guard(stop, lambda why: end(Exit.AGAIN, f"{why}; {AGAIN}"), dead_after=float("inf")):
            try:
                health.ready()
                inputs = (parsed for path in paths for parsed in read(path, provider=provider, limits=settings.limits))
                for number, parsed in enumerate(counting(inputs), 1):
                    if stop.asked:
                        break
                    publisher.take(parsed, provider, pace.wait if pace else None)
                    health.beat()
                    if number % TELL_EVERY == 0:
                        log.info("publishing", inputs=number, published=publisher.counts.published)
                publisher.flush()
            finally:
                shut(sender, 10)
    except KafkaError as error:
        raise Again(f"kafka: {error!r}; {AGAIN}") from error
    counts = publisher.counts
    log.info("published", published=counts.published, rejected=counts.rejected, skipped=counts.skipped)
    return None if stop.asked else counts
