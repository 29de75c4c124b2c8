"""Which sequence was emitted last: read before the first revision, waited for while a transaction is open."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from kafka import TopicPartition

from services.contract.codec import decode, encode
from services.contract.messages import SequenceMark
from services.contract.topics import LARGEST_EVENT
from services.core.errors import BrokenLog
from services.core.events import Event, emit
from services.emitter import marks as marks_module
from services.emitter.marks import Marks
from services.emitter.worker import fitted
from services.runtime.lifecycle import Again, Stop
from tests.builders import BUDGET, FERRY, UPDATED_FERRY, make, run

PARTITION = TopicPartition("story.sequences", 2)


class Reader:
    """A read_committed consumer of a marks partition. None in the log is a control record: no record, but an offset."""

    def __init__(self, log: list[tuple[str, int] | None], stable: int | None = None) -> None:
        self.log = log
        self.stable = len(log) if stable is None else stable
        self.at = 0

    def assign(self, partitions: list[TopicPartition]) -> None:
        assert partitions == [PARTITION]

    def seek(self, _: TopicPartition, offset: int) -> None:
        self.at = offset

    def seek_to_beginning(self, _: TopicPartition) -> None:
        self.at = 0

    def position(self, _: TopicPartition) -> int:
        return self.at

    def end_offsets(self, _: Any) -> dict[TopicPartition, int]:
        return {PARTITION: len(self.log)}

    def poll(self, *, timeout_ms: int) -> dict[TopicPartition, list[Any]]:
        assert timeout_ms
        chunk, self.at = self.log[self.at : min(self.at + 2, self.stable)], min(self.at + 2, self.stable)
        records = [
            SimpleNamespace(key=one[0].encode(), value=encode(SequenceMark(story=one[0], sequence=one[1]))) for one in chunk if one
        ]  # fmt: skip
        return {PARTITION: records} if records else {}


def caught_up(reader: Reader) -> Marks:
    marks = Marks(PARTITION)
    marks.catch_up(reader, reader, Stop())
    return marks


def test_a_revision_at_or_below_its_storys_mark_is_a_repeat():
    marks = caught_up(Reader([("a", 1), ("b", 1), ("a", 2), None]))
    assert [marks.is_repeat("a", n) for n in (1, 2, 3)] == [True, True, False]
    assert not marks.is_repeat("c", 1)


def test_a_gap_above_the_mark_ends_the_process():
    marks = caught_up(Reader([("a", 1)]))
    with pytest.raises(BrokenLog, match="sequence 3 follows 1"):
        marks.is_repeat("a", 3)
    with pytest.raises(BrokenLog, match="sequence 2 follows 0"):
        marks.is_repeat("never seen", 2)


def test_copies_after_scaling_out_are_known_from_where_reading_stopped():
    reader = Reader([("a", 1), None])
    marks = caught_up(reader)
    reader.log += [("a", 2), None, ("b", 1)]
    reader.stable = len(reader.log)
    assert marks.catch_up(reader, reader, Stop()) == 2
    assert marks.is_repeat("a", 2)
    assert marks.is_repeat("b", 1)


def test_an_open_transaction_of_somebody_else_is_waited_for_and_not_for_ever(monkeypatch):
    monkeypatch.setattr(marks_module, "_ROUNDS", 3)
    reader = Reader([("a", 1), ("a", 2)], stable=1)
    with pytest.raises(Again, match="does not end"):
        caught_up(reader)


def test_nothing_is_read_again_once_it_was_asked_to_stop():
    stop = Stop()
    stop.ask()
    assert Marks(PARTITION).catch_up(Reader([("a", 1)], stable=0), Reader([("a", 1)]), stop) == 0


# -- events that fit ---------------------------------------------------------------------------------------------------


def test_an_event_above_the_topics_limit_loses_its_spans_and_nothing_else():
    _, outcomes = run([make(version="1"), make(body=UPDATED_FERRY, version="2")])
    event = emit(outcomes[-1].step.revisions[0])
    assert decode(fitted(event), Event) == event
    change = event.data.change
    assert change is not None
    padded = _padded(event, by=LARGEST_EVENT - 1024 - len(encode(event)) + 8)
    small = decode(fitted(padded), Event)
    assert small.data.change is not None
    assert all(entry.spans == () for entry in small.data.change.paragraphs)
    assert [entry.after for entry in small.data.change.paragraphs] == [entry.after for entry in change.paragraphs]


def test_an_event_that_cannot_fit_is_no_event_in_silence():
    _, outcomes = run([make(body=FERRY + BUDGET)])
    with pytest.raises(BrokenLog, match=r"story.events takes 1,048,576"):
        fitted(_padded(emit(outcomes[0].step.revisions[0]), by=LARGEST_EVENT))


def _padded(event: Event, *, by: int) -> Event:
    from msgspec.structs import replace

    version = event.data.version
    assert version is not None
    return replace(event, data=replace(event.data, version=replace(version, usage_terms="x" * by)))
