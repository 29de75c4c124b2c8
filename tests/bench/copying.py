"""The peer's second hop: revisions to events in kafka-python transactions, without making an event."""

from __future__ import annotations

import os

from kafka.structs import OffsetAndMetadata

from services.contract.settings import Settings
from services.contract.topics import EVENTS, REVISIONS, topic_name
from services.runtime.clients import consumer, producer


def main() -> None:
    settings = Settings.from_environment(os.environ)
    revisions, events = topic_name(REVISIONS, settings.topic_prefix), topic_name(EVENTS, settings.topic_prefix)
    reader = consumer(
        settings, "copying", group_id=f"{settings.topic_prefix}emitter", max_poll_records=100, fetch_max_wait_ms=100
    )
    writer = producer(settings, "copying", transactional_id=f"{settings.topic_prefix}copying", linger_ms=0)
    writer.init_transactions()
    reader.subscribe([revisions])
    while True:
        polled = reader.poll(timeout_ms=200)
        if not polled:
            continue
        writer.begin_transaction()
        for records in polled.values():
            for record in records:
                writer.send(events, key=record.key, value=record.value, partition=record.partition)
        offsets = {tp: OffsetAndMetadata(records[-1].offset + 1) for tp, records in polled.items()}
        writer.send_offsets_to_transaction(offsets, reader.group_metadata())
        writer.commit_transaction()


if __name__ == "__main__":
    main()
