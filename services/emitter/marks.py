"""Which sequence of each story was emitted last: a compacted topic, one partition beside each partition of revisions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from kafka import TopicPartition

from services.contract.codec import decode
from services.contract.messages import SequenceMark
from services.core.errors import BrokenLog
from services.runtime.lifecycle import Again, Stop

_POLL_MS: Final = 500
_ROUNDS: Final = 120
"""Polls without a record before an open transaction of somebody else is taken for stuck (a minute)."""


class Marks:
    """The marks of one partition. `reader` is a read_committed consumer of the marks topic that nobody else uses."""

    def __init__(self, partition: TopicPartition) -> None:
        self._partition = partition
        self._last: dict[str, int] = {}
        self._read_to = 0

    def catch_up(self, reader: Any, ends: Any, stop: Stop, beat: Callable[[], None] = lambda: None) -> int:
        """Read on to the high watermark, as a read_uncommitted client (`ends`) is told it; returns the count of stories.

        The high watermark counts what an open transaction has written: reading committed records up to it waits for
        that transaction's end. Raises Again if it does not end.
        """
        high_watermark = ends.end_offsets([self._partition])[self._partition]
        reader.assign([self._partition])
        reader.seek(self._partition, self._read_to) if self._read_to else reader.seek_to_beginning(self._partition)
        idle = 0
        while reader.position(self._partition) < high_watermark and not stop.asked:
            records = reader.poll(timeout_ms=_POLL_MS).get(self._partition, [])
            for record in records:
                if record.value is None:
                    self._last.pop(record.key.decode(), None)
                    continue
                mark = decode(record.value, SequenceMark)
                self._last[mark.story] = mark.sequence
            beat()
            idle = 0 if records else idle + 1
            if idle > _ROUNDS:
                raise Again(f"{self._partition}: a transaction below offset {high_watermark} does not end")
        self._read_to = reader.position(self._partition)
        return len(self._last)

    def is_repeat(self, story: str, sequence: int) -> bool:
        """Whether this revision was emitted before. Raises BrokenLog where one before it never was: a gap."""
        last = self._last.get(story, 0)
        if sequence <= last:
            return True
        if sequence != last + 1:
            raise BrokenLog(
                f"story {story}: sequence {sequence} follows {last}: revisions before it are missing, or marks of "
                f"{self._partition.topic}. Stop the emitters and run: writethru state check; where it finds marks missing, "
                "writethru state rebuild makes them again from story.events"
            )
        return False

    def emitted(self, story: str, sequence: int) -> None:
        """The event of this revision is committed, or will be with the transaction at hand."""
        self._last[story] = sequence
