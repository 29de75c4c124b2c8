"""`writethru purge URI`: where an item's text stands in Kafka, and how it is taken out as far as Kafka allows.

A log is cut from its beginning or not at all: `cut` takes away everything in a partition up to the last record that holds the
text. What nobody has read yet is never cut. The table's row is written again without its text, and the changelog's
cleaner then drops the old one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from typing import Any, Final

import msgspec
from kafka import TopicPartition
from kafka.admin import ConfigResource, ConfigResourceType

from services.contract.codec import decode, decode_record, encode
from services.contract.settings import Settings
from services.contract.topics import (
    ARTICLES,
    DAY_MS,
    EMITTER,
    EVENTS,
    GROUPER,
    REJECTED,
    REVISIONS,
    ROWS,
    Topic,
    topic_name,
)
from services.core.article import Article
from services.core.errors import UndecodableMessage, WritethruError
from services.core.events import Event
from services.core.grouping.row import Row
from services.core.revision import Revision
from services.runtime.clients import admin, producer
from services.runtime.lifecycle import Stop
from services.runtime.reading import read_topic

CLEANED_WITHIN_MS: Final = 60 * 60 * 1000
"""What a purge sets as the changelog's max.compaction.lag.ms: by itself Kafka may leave old rows for as long as a segment
is written to, a week."""
LOGS: Final = (ARTICLES, REVISIONS, EVENTS, REJECTED)


class Unread(WritethruError):
    """Records that a service has not read yet would be cut away."""


class Place(msgspec.Struct, frozen=True):
    """One record that holds the text, or may quote it. `at` is Kafka's timestamp, in ms."""

    topic: Topic
    partition: int
    offset: int
    at: int

    @property
    def until(self) -> int | None:
        """When retention takes it, in ms since 1970; None where only a purge does."""
        days = self.topic.retention_days
        return None if days is None or self.topic.cleanup == "compact" else self.at + days * DAY_MS


def places(uri: str, settings: Settings, stop: Stop) -> list[Place]:
    """Every record that holds the text of `uri`, or, in its stories from then on, may quote it. Raises KafkaError."""
    found: list[Place] = []
    stories: set[str] = set()
    for topic in (ARTICLES, REJECTED, ROWS, REVISIONS, EVENTS):
        found += [
            Place(topic, record.partition, record.offset, record.timestamp)
            for record in read_topic(topic, settings, stop)
            if record.value is not None and _holds(topic, record, uri, stories)
        ]
    return found


def cut(found: Iterable[Place], settings: Settings) -> dict[TopicPartition, int]:
    """Take away everything up to the last of these in each partition of the logs; returns where each begins now.

    Raises Unread, KafkaError.
    """
    ends: dict[TopicPartition, int] = defaultdict(int)
    for place in found:
        if place.topic in LOGS:
            tp = TopicPartition(topic_name(place.topic, settings.topic_prefix), place.partition)
            ends[tp] = max(ends[tp], place.offset + 1)
    with closing(admin(settings)) as client:
        for service in (GROUPER, EMITTER):
            _require_read(client, f"{settings.topic_prefix}{service}", service, ends)
        if ends:
            client.delete_records(dict(ends))
    return dict(ends)


def empty_rows(uri: str, settings: Settings, stop: Stop) -> int:
    """Write the rows of `uri` again without their text, and have the changelog cleaned soon; returns how many.

    No grouper may run, and its state folder must be deleted before the next one. Raises KafkaError.
    """
    rows: dict[bytes, tuple[int, Row]] = {}
    for record in read_topic(ROWS, settings, stop):
        rows.pop(record.key, None)
        if record.value is not None and _holds(ROWS, record, uri, set()):
            rows[record.key] = (record.partition, decode(record.value, Row))
    if not rows:
        return 0
    name = topic_name(ROWS, settings.topic_prefix)
    with closing(producer(settings, f"{settings.topic_prefix}purge")) as sender:
        sent = [sender.send(name, key=key, value=encode(emptied(row)), partition=at) for key, (at, row) in rows.items()]
        for one in sent:
            one.get()
    with closing(admin(settings)) as client:
        lag = {"max.compaction.lag.ms": str(CLEANED_WITHIN_MS)}
        client.alter_configs([ConfigResource(ConfigResourceType.TOPIC, name, configs=lag)])
    return len(rows)


def emptied(row: Row) -> Row:
    """The row with what it decided, and nothing of what its article said."""
    if row.article is None:
        return row
    gone = row.article.headline
    bare = msgspec.structs.replace(
        row.article, headline=None, body=(), byline=None, dateline=None, ed_note=None, keywords=(), parse_notes=()
    )
    headers = tuple(
        msgspec.structs.replace(header, headline=None) if gone is not None and header.headline == gone else header
        for header in row.stories
    )
    return msgspec.structs.replace(row, article=bare, said=None, fingerprint=None, stories=headers)


def _holds(topic: Topic, record: Any, uri: str, stories: set[str]) -> bool:
    """Whether a record holds the text; its stories are added to `stories`."""
    if uri.encode() not in record.value and topic not in (REVISIONS, EVENTS):
        return False
    try:
        if topic is ARTICLES:
            item = decode_record(record.value)
            return isinstance(item, Article) and item.uri == uri
        if topic is REJECTED:
            return True
        if topic is ROWS:
            row = decode(record.value, Row)
            if row.article is None or row.article.uri != uri:
                return False
            stories.update(stamp.story for stamp in row.revisions)
            return bool(row.article.body or row.article.headline)
        story = record.key.decode()
        if story not in stories and _tells(topic, record.value, uri):
            stories.add(story)  # from here on its revisions and events may quote it
    except (UndecodableMessage, UnicodeDecodeError):
        return uri.encode() in record.value
    return story in stories


def _tells(topic: Topic, value: bytes, uri: str) -> bool:
    if topic is REVISIONS:
        revision = decode(value, Revision)
        return any(article is not None and article.uri == uri for article in (revision.article, revision.base))
    version = decode(value, Event).data.version
    return version is not None and version.uri == uri


def _require_read(client: Any, group: str, service: str, ends: Mapping[TopicPartition, int]) -> None:
    mine = {GROUPER: ARTICLES.name, EMITTER: REVISIONS.name}[service]
    offsets = client.list_group_offsets([group]).get(group, {})
    for tp, end in ends.items():
        if not tp.topic.endswith(mine):
            continue
        read = offsets[tp].offset if tp in offsets else 0
        if read < end:
            raise Unread(
                f"{tp.topic} {tp.partition}: the {service} has read up to {read}, the text stands before {end}: let it work first"
            )


def summary(found: Iterable[Place]) -> Iterator[tuple[Topic, int, int | None]]:
    """By topic: how many records, and when the last of them leaves by itself (ms since 1970; None: not by itself)."""
    by_topic: dict[str, list[Place]] = defaultdict(list)
    for place in found:
        by_topic[place.topic.name].append(place)
    for places_there in by_topic.values():
        untils = [place.until for place in places_there]
        known = [until for until in untils if until is not None]
        yield places_there[0].topic, len(places_there), max(known) if len(known) == len(untils) else None
