"""Gaps in the offsets of a log: the marks of somebody's transactions, or records that Faust did not hand over."""

from __future__ import annotations

import time
from typing import Any, Final

from kafka import TopicPartition

from services.contract.settings import Settings
from services.runtime.clients import consumer
from services.runtime.lifecycle import Again

LOOKS_FOR: Final = 30.0
"""Seconds until the broker must have said what lies in a gap."""


class Gaps:
    """A consumer beside Faust's, opened with the first gap. It reads what Faust reads: committed records."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._reader: Any = None

    def first_record(self, topic: str, partition: int, begin: int, end: int) -> int | None:
        """The offset of the first record from `begin` on, if it is below `end`. Raises Again, KafkaError."""
        if self._reader is None:
            self._reader = consumer(
                self._settings, "writethru-gaps", group_id=None, fetch_max_wait_ms=100, max_poll_records=1,
            )  # fmt: skip
        tp = TopicPartition(topic, partition)
        self._reader.assign([tp])
        self._reader.seek(tp, begin)
        deadline = time.monotonic() + LOOKS_FOR
        while time.monotonic() < deadline:
            for record in self._reader.poll(timeout_ms=500).get(tp, []):
                return int(record.offset) if record.offset < end else None
            if self._reader.position(tp) >= end:  # nothing but marks, and records of transactions that were aborted
                return None
        raise Again(f"{topic} {partition}: what lies from offset {begin} to {end} could not be read")
