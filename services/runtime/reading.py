"""Reading a topic outside any group: for `tail`, `rejected`, tests and benches. Nothing is committed."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator
from contextlib import closing
from typing import Any

from kafka import TopicPartition

from services.contract.settings import Settings
from services.contract.topics import Topic, topic_name
from services.runtime.clients import consumer
from services.runtime.lifecycle import Stop

_POLL_MS = 200
_WAITING = 1_000
"""Records of one partition that may wait for those of another."""


def read_topic(
    topic: Topic, settings: Settings, stop: Stop, *, follow: bool = False, from_beginning: bool = True
) -> Iterator[Any]:
    """Committed records of the topic, to the end as it is now, or for ever with `follow`: each partition in its order, and up to
    that end the partitions' records by their time.

    Yields kafka-python's records (`partition`, `offset`, `timestamp` in ms, `key`, `value`). Raises KafkaError.
    """
    name = topic_name(topic, settings.topic_prefix)
    partitions = [TopicPartition(name, number) for number in range(topic.partitions)]
    with closing(consumer(settings, "writethru-reader", group_id=None, fetch_max_wait_ms=100)) as reader:
        reader.assign(partitions)
        (reader.seek_to_beginning if from_beginning else reader.seek_to_end)(*partitions)
        ends: dict[TopicPartition, int] = reader.end_offsets(partitions)
        for partition in partitions:
            reader.position(partition)  # the beginning or the end is looked up now, not at the first record
        waiting: dict[int, deque[Any]] = {partition.partition: deque() for partition in partitions}
        while not stop.asked:
            for records in reader.poll(timeout_ms=_POLL_MS).values():
                for record in records:
                    if follow or record.offset < ends[TopicPartition(name, record.partition)]:
                        waiting[record.partition].append(record)
            behind = {tp.partition for tp, end in ends.items() if reader.position(tp) < end}
            yield from _in_order(waiting, behind)
            _hold_back(reader, name, waiting)
            if not follow and not behind:
                return


def _in_order(waiting: dict[int, deque[Any]], behind: Collection[int]) -> Iterator[Any]:
    """What can be told by now, the oldest of all partitions first; partitions that are `behind` have more to come."""
    while all(waiting[partition] for partition in behind) and any(waiting.values()):
        first = min((records for records in waiting.values() if records), key=lambda records: records[0].timestamp)
        yield first.popleft()


def _hold_back(reader: Any, name: str, waiting: dict[int, deque[Any]]) -> None:
    """Read no further in partitions of which much waits for the others, and go on with those that do not."""
    full = {TopicPartition(name, partition) for partition, records in waiting.items() if len(records) > _WAITING}
    rest = {TopicPartition(name, partition) for partition in waiting} - full
    if full:
        reader.pause(*full)
    reader.resume(*(rest & reader.paused()))
