"""What was kept is told in the order in which it came, not one partition after another."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from kafka import TopicPartition

from services.contract.settings import Settings
from services.contract.topics import EVENTS
from services.runtime import reading
from services.runtime.lifecycle import Stop
from services.runtime.reading import read_topic


class Reader:
    """Six partitions, each read to its end before the next; `times` by partition."""

    def __init__(self, times: dict[int, list[int]]) -> None:
        self.times = times
        self.at = dict.fromkeys(range(EVENTS.partitions), 0)
        self.held: set[TopicPartition] = set()

    def assign(self, _: Any) -> None: ...

    def seek_to_beginning(self, *_: Any) -> None: ...

    def end_offsets(self, partitions: list[TopicPartition]) -> dict[TopicPartition, int]:
        return {tp: len(self.times.get(tp.partition, [])) for tp in partitions}

    def position(self, tp: TopicPartition) -> int:
        return self.at[tp.partition]

    def poll(self, timeout_ms: int) -> dict[TopicPartition, list[Any]]:
        for number, times in self.times.items():
            tp, at = TopicPartition("story.events", number), self.at[number]
            if at < len(times) and tp not in self.held:
                self.at[number] = min(at + 2, len(times))
                return {tp: [SimpleNamespace(partition=number, offset=n, timestamp=times[n])
                             for n in range(at, self.at[number])]}  # fmt: skip
        return {}

    def pause(self, *partitions: TopicPartition) -> None:
        self.held |= set(partitions)

    def resume(self, *partitions: TopicPartition) -> None:
        self.held -= set(partitions)

    def paused(self) -> set[TopicPartition]:
        return self.held

    def close(self) -> None: ...


@pytest.mark.parametrize("waiting", [1, 1_000])
def test_partitions_are_told_by_time(monkeypatch: pytest.MonkeyPatch, waiting: int):
    reader = Reader({0: [1, 4, 6, 9, 11], 2: [2, 3, 8, 12], 5: [5, 7, 10]})
    monkeypatch.setattr(reading, "consumer", lambda *_, **__: reader)
    monkeypatch.setattr(reading, "_WAITING", waiting)
    assert [record.timestamp for record in read_topic(EVENTS, Settings(), Stop())] == list(range(1, 13))


def test_a_partition_keeps_its_own_order_whatever_its_clock_says(monkeypatch: pytest.MonkeyPatch):
    reader = Reader({0: [5, 1, 6], 2: [2, 3]})
    monkeypatch.setattr(reading, "consumer", lambda *_, **__: reader)
    told = [(record.partition, record.offset) for record in read_topic(EVENTS, Settings(), Stop())]
    assert [one for one in told if one[0] == 0] == [(0, 0), (0, 1), (0, 2)]
    assert len(told) == 5
