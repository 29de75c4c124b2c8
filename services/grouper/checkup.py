"""`writethru state check|export`: the grouper's rows as the changelog holds them, without a grouper."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import NamedTuple

from kafka import TopicPartition

from services.contract.codec import decode
from services.contract.settings import Settings
from services.contract.topics import ARTICLES, EDITIONS, GROUPER, ROWS, topic_name
from services.core.decision import ENGINE_VERSION
from services.core.errors import BrokenLog, UndecodableMessage
from services.core.grouping.row import Row
from services.grouper.recovery import RowHead, plan
from services.runtime.clients import admin, consumer
from services.runtime.lifecycle import Stop
from services.runtime.reading import read_topic


class Found(NamedTuple):
    """A line about one edition, and whether it is good."""

    good: bool
    what: str


def check_rows(settings: Settings, stop: Stop) -> Iterator[Found]:
    """What a grouper that starts now would find, edition by edition; reads the whole changelog. Raises KafkaError."""
    heads: dict[int, dict[bytes, RowHead]] = {}
    seen: dict[bytes, int] = {}
    for record in read_topic(ROWS, settings, stop):
        rows = heads.setdefault(record.partition, {})
        if record.value is None:
            rows.pop(record.key, None)
            continue
        try:
            row = decode(record.value, Row)
        except UndecodableMessage as error:
            yield Found(good=False, what=f"row {record.key.decode()} cannot be read: {error}")
            continue
        if row.engine > ENGINE_VERSION:
            yield Found(
                good=False, what=f"row {record.key.decode()} is of engine {row.engine}, this is {ENGINE_VERSION}"
            )
        if record.key in rows and seen[record.key] != hash(record.value):
            yield Found(good=False, what=f"row {record.key.decode()} was written again with other bytes")
        seen[record.key] = hash(record.value)
        rows[record.key] = RowHead(row.input_id, row.offset, row.number, row.window_start)
    begins, committed = _places(settings)
    for edition in range(EDITIONS):
        rows, at = heads.get(edition, {}), committed.get(edition)
        if not rows and at is None:
            continue
        yield _judge(edition, list(rows.values()), at, begins[edition], ever_written=edition in heads)


def live_rows(settings: Settings, stop: Stop) -> Iterator[bytes]:
    """Every row that has no tombstone, as its bytes, in the order of its edition. Reads the changelog twice."""
    last: dict[bytes, tuple[int, int]] = {}
    for record in read_topic(ROWS, settings, stop):
        if record.value is None:
            last.pop(record.key, None)
        else:
            last[record.key] = (record.partition, record.offset)
    for record in read_topic(ROWS, settings, stop):
        if last.get(record.key) == (record.partition, record.offset):
            yield record.value


def _judge(edition: int, heads: list[RowHead], committed: int | None, begins: int, *, ever_written: bool) -> Found:
    told = f"edition {edition}: {len(heads):,} rows, offset {committed} committed, the log begins at {begins}"
    try:
        way = plan(heads, committed, begins, ever_written=ever_written)
    except BrokenLog as error:
        return Found(good=False, what=f"{told}. {error}")
    if way.begin is not None:
        return Found(good=True, what=f"{told}. A grouper reads the log again from {way.begin}: {way.why}")
    return Found(
        good=True, what=f"{told}; {len(way.fold):,} in the window, {len(way.expired):,} wait for their tombstone"
    )


def _places(settings: Settings) -> tuple[dict[int, int], dict[int, int]]:
    """By edition: where the log begins, and the grouper's committed offset."""
    group, name = f"{settings.topic_prefix}{GROUPER}", topic_name(ARTICLES, settings.topic_prefix)
    with closing(admin(settings)) as client:
        offsets = client.list_group_offsets([group]).get(group, {})
    committed = {tp.partition: found.offset for tp, found in offsets.items() if tp.topic == name and found.offset >= 0}
    with closing(consumer(settings, "writethru-state", group_id=None)) as reader:
        begins = reader.beginning_offsets([TopicPartition(name, edition) for edition in range(EDITIONS)])
    return {tp.partition: offset for tp, offset in begins.items()}, committed
