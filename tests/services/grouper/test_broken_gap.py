"""A record that Faust leaves out is read again in the next life: it was lost without a word."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock

import pytest
from faust.types import TP

from services.contract.settings import Settings
from services.grouper import app as app_module
from services.grouper import gaps as gaps_module
from services.grouper.app import Grouper
from services.grouper.committed import LogConsumer
from services.grouper.gaps import Gaps
from services.runtime.health import Health
from services.runtime.lifecycle import Again, Exit

TOPIC = "wire.articles"


class Ended(Exception):
    """The process would have ended."""


class Reader:
    """A consumer of a log that holds records at `offsets`; what is between them are marks of transactions."""

    def __init__(self, *offsets: int, partition: int = 0) -> None:
        self.offsets = offsets
        self.partition = partition
        self.at = 0

    def assign(self, _: object) -> None: ...

    def seek(self, _: object, offset: int) -> None:
        self.at = offset

    def position(self, _: object) -> int:
        return self.at

    def poll(self, *, timeout_ms: int) -> dict[Any, list[Any]]:
        assert timeout_ms
        left = [offset for offset in self.offsets if offset >= self.at]
        return {(TOPIC, self.partition): [SimpleNamespace(offset=left[0])]} if left else {}


@pytest.fixture
def grouper(tmp_path, monkeypatch):
    def end(code: Exit, why: str) -> None:
        raise Ended(int(code), why)

    monkeypatch.setattr(app_module, "end", end)
    made = Grouper(Settings(state_folder=tmp_path), Health("grouper"))
    made._next[0] = 230
    return made


def come(made: Grouper, *offsets: int, partition: int = 0) -> None:
    async def all_of_them() -> None:
        for offset in offsets:
            await made._miss_nothing(TP(TOPIC, partition), offset)

    asyncio.run(all_of_them())


@pytest.mark.parametrize("offsets", [(230, 232), (231,), (230, 231, 234)])
def test_55_a_record_that_never_came_ends_the_life_before_a_later_one_is_decided(grouper, offsets):
    grouper._gaps._reader = Reader(*range(230, 240))
    with pytest.raises(Ended, match=r"\(75, 'record 0:23\d never came"):
        come(grouper, *offsets)


def test_marks_of_transactions_and_records_that_come_twice_are_no_gap(grouper):
    grouper._gaps._reader = Reader(230, 232, 236, 237)
    come(grouper, 230, 232, 236, 232, 236, 237)


def test_an_edition_that_was_never_read_begins_where_it_begins(grouper):
    come(grouper, 1_000, partition=5)
    grouper._gaps._reader = Reader(1_001, 1_002, partition=5)
    with pytest.raises(Ended):
        come(grouper, 1_002, partition=5)


def test_a_gap_that_cannot_be_read_is_not_passed(monkeypatch):
    monkeypatch.setattr(gaps_module, "LOOKS_FOR", 0.01)
    gaps = Gaps(Settings())
    gaps._reader = Reader()
    with pytest.raises(Again, match="could not be read"):
        gaps.first_record(TOPIC, 0, 3, 5)


class Recovering(LogConsumer):
    """Faust's consumer with its partitions, and no broker behind."""

    held = TOPIC

    def __init__(self) -> None:
        self.told: list[tuple[str, object]] = []
        self._active_partitions: set[TP] = set()
        self._paused_partitions: set[TP] = {LOG, CHANGELOG}

    async def seek(self, partition: TP, offset: int) -> None:
        self.told.append(("seek", (partition, offset, set(self._active_partitions))))


LOG, CHANGELOG = TP(TOPIC, 0), TP("rows", 0)


def test_57_nothing_is_read_from_the_log_before_faust_has_opened_its_flow_and_we_have_sought(grouper, monkeypatch):
    """Between recovery and the seek Faust drops what it reads, and a committed 0 it does not seek."""
    consumer = Recovering()
    monkeypatch.setattr(grouper.app.assignor, "assigned_actives", lambda: {LOG, CHANGELOG})
    monkeypatch.setattr(grouper, "_begin", AsyncMock())
    monkeypatch.setattr(app_module, "topic_name", lambda *_: TOPIC)
    monkeypatch.setattr(type(grouper.app), "consumer", consumer)
    monkeypatch.setattr(type(grouper.app), "consumer_generation_id", 1)
    monkeypatch.setattr(app_module, "OPENING", 0.001)
    recovery = grouper.app.tables.recovery

    async def life() -> None:
        grouper.app.rebalancing = True
        await grouper._recovered()
        consumer.resume_partitions({LOG, CHANGELOG})  # as Faust does, before its own seek
        recovery.completed.set()
        await asyncio.sleep(0.01)
        assert (consumer.told, consumer._active_partitions) == ([], {CHANGELOG})
        assert grouper._health.state["waits_for"]
        grouper.app.rebalancing = False
        await asyncio.wait_for(grouper._reading, 5)

    asyncio.run(life())
    assert consumer.told == [("seek", (LOG, 230, {CHANGELOG}))]
    assert consumer._active_partitions == {LOG, CHANGELOG}
    assert grouper._health.state["ready"]
