"""Reading a topic outside any group: for `tail`, `rejected`, tests and benches. Nothing is committed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any

from kafka import TopicPartition

from services.contract.settings import Settings
from services.contract.topics import Topic, topic_name
from services.runtime.clients import consumer
from services.runtime.lifecycle import Stop

_POLL_MS = 200


def read_topic(
    topic: Topic, settings: Settings, stop: Stop, *, follow: bool = False, from_beginning: bool = True
) -> Iterator[Any]:
    """Committed records of the topic, each partition in its order; to the end as it is now, or for ever with `follow`.

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
        while not stop.asked:
            for records in reader.poll(timeout_ms=_POLL_MS).values():
                for record in records:
                    if follow or record.offset < ends[TopicPartition(name, record.partition)]:
                        yield record
            if not follow and all(reader.position(partition) >= end for partition, end in ends.items()):
                return
