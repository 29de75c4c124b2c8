"""From the bytes of a record on `wire.articles` to a stamped Article or Command.

Anyone may produce to the topic, so nothing is believed that can be worked out: the input id always is, and a record without
one is read as Article JSON would be from a file.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final, TypeVar

import msgspec

from services.contract.codec import decode_record
from services.core.article import Article, Command
from services.core.errors import RejectedInput, UndecodableMessage
from services.core.identity import input_id
from services.core.times import instant, iso
from services.core.wire import parse
from services.core.wire.limits import Limits

R = TypeVar("R", Article, Command)

CLOCK_SKEW: Final = timedelta(minutes=5)
"""How far a `received_at` may lie after the broker's own time before it is not believed: an item dated 2099."""


def read_record(value: bytes | None, *, at: datetime, source: str, limits: Limits) -> Article | Command | None:
    """The record in `value`, stamped; None for an item that is no story (a picture). `at` is the broker's timestamp,
    `source` names the record in a rejection.

    A record whose input id is right comes from a publisher and is taken as it is. Any other is read like a line of an
    archive, gets its input id, and `at` for `received_at` if it has none. Raises RejectedInput.
    """
    if value is None:
        raise RejectedInput("empty", "a record without a value", source=source)
    try:
        record = decode_record(value)
    except UndecodableMessage:
        record = None  # the reading of archives says better what is wrong
    if isinstance(record, Article) and _is_ours(record, len(value), limits):
        return _not_after(record, at)
    parsed = parse(value, source=source, format="article_json", limits=limits)
    if parsed.rejected:
        raise parsed.rejected[0]
    if not parsed.articles:
        if not parsed.skipped:
            raise RejectedInput("empty", "there is no item in it", source=source)
        return None
    if len(parsed.articles) > 1:
        raise RejectedInput("several_items", "one record holds one item", source=source)
    item = parsed.articles[0]
    if isinstance(item, Command):
        return _not_after(item, at)
    received = item.received_at or iso(at)
    return _not_after(msgspec.structs.replace(item, input_id=input_id(item), received_at=received), at)


def _is_ours(article: Article, size: int, limits: Limits) -> bool:
    """Whether a publisher has read and stamped it: its input id is right and no limit is near."""
    small = size <= limits.text and len(article.body) <= limits.paragraphs
    return small and article.input_id is not None and article.input_id == input_id(article)


def _not_after(record: R, at: datetime) -> R:
    received = instant(record.received_at)
    if received is None or received <= at + CLOCK_SKEW:
        return record
    return msgspec.structs.replace(record, received_at=iso(at))
