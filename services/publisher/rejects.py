"""`writethru rejected list|show|retry`: what was kept of bad input, and another try at it, with this release's parsers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime

from kafka.errors import KafkaError

from services.contract.codec import decode
from services.contract.messages import Rejected
from services.contract.settings import Settings
from services.contract.topics import REJECTED
from services.core.errors import WritethruError
from services.core.wire import Parsed, parse
from services.publisher.publish import Counts, Publisher
from services.runtime.clients import producer
from services.runtime.lifecycle import Again, Stop
from services.runtime.reading import read_topic


class NotKept(WritethruError):
    """There is no such rejected input, or not all of it was kept."""


def kept(settings: Settings, stop: Stop) -> Iterator[tuple[int, Rejected]]:
    """Every rejected input that the topic still holds, with its number (its offset)."""
    for record in read_topic(REJECTED, settings, stop):
        yield record.offset, decode(record.value, Rejected)


def one(settings: Settings, stop: Stop, number: int) -> Rejected:
    """The rejected input with this number. Raises NotKept."""
    for offset, message in kept(settings, stop):
        if offset == number:
            return message
    raise NotKept(f"no rejected input has the number {number}")


def read_again(message: Rejected, settings: Settings) -> Parsed:
    """The input parsed anew. Raises NotKept where only its beginning is there."""
    if not message.whole:
        raise NotKept(
            f"{message.source}: {message.size:,} bytes came in, {len(message.data):,} were kept; publish the file again"
        )
    form = "article_json" if message.by == "grouper" else "auto"
    return parse(
        message.data, source=message.source or "rejected", format=form, provider=message.provider,
        sidecar=message.defaults, limits=settings.limits,
    )  # fmt: skip


def retry(message: Rejected, parsed: Parsed, settings: Settings) -> Counts:
    """Publish what is read now. Items that were published before are known by their input id. Raises Again."""
    with closing(producer(settings, f"{settings.topic_prefix}retry")) as sender:
        publisher = Publisher(sender, settings, clock=lambda: datetime.now(UTC), edition=message.edition)
        try:
            for item in parsed.articles:
                publisher.publish(publisher.stamped(item))
            publisher.flush()
        except KafkaError as error:
            raise Again(f"kafka: {error!r}") from error
    return publisher.counts
