"""The Faust agent without a broker: what is sent, what is acknowledged and when. A real RocksDB, sends that are done at once."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import orjson
import pytest
from faust.types import TP

from services.contract.codec import decode, encode
from services.contract.settings import Settings
from services.contract.topics import LARGEST_INTERNAL, story_partition
from services.core.errors import BrokenLog
from services.core.grouping.row import Row
from services.core.identity import stamp
from services.core.revision import Revision
from services.grouper import app as app_module
from services.grouper.app import Grouper
from services.grouper.pipe import Pipe
from services.runtime.health import Health
from services.runtime.lifecycle import Exit
from tests.builders import CLOCK, FERRY, UPDATED_FERRY, make


class Ended(Exception):
    """The process would have ended."""


class Sent:
    """What left the grouper, in order: ("row" | "tombstone" | topic, key, value, partition)."""

    def __init__(self) -> None:
        self.records: list[tuple[str, bytes, bytes | None, int | None]] = []

    def future(self, *record: Any) -> asyncio.Future[None]:
        self.records.append(record)
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        done.set_result(None)
        return done

    def of(self, kind: str) -> list[tuple[bytes, bytes | None, int | None]]:
        return [record[1:] for record in self.records if record[0] == kind]


@pytest.fixture
def grouper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Grouper, Sent]:
    made = Grouper(Settings(state_folder=tmp_path / "state"), Health("grouper"))
    made.app.finalize()
    sent = Sent()

    def to(topic: str) -> Any:
        async def send(*, key: bytes, value: bytes, partition: int | None = None) -> asyncio.Future[None]:
            return sent.future(topic, key, value, partition)

        return send

    monkeypatch.setattr(
        made.rows, "send_changelog", lambda partition, key, value: sent.future("row" if value else "tombstone", key, value, partition)
    )  # fmt: skip
    monkeypatch.setattr(made._revisions, "send", to("revision"))
    monkeypatch.setattr(made._rejected, "send", to("rejected"))

    def end(code: Exit, why: str) -> None:
        raise Ended(int(code), why)

    monkeypatch.setattr(app_module, "end", end)
    return made, sent


def records() -> list[bytes]:
    takes = [make(body=FERRY, version="1"), make(body=UPDATED_FERRY, version="2")]
    return [encode(stamp(take, previous=None, clock=CLOCK)) for take in takes]


async def feed(grouper: Grouper, values: list[bytes], partition: int = 3) -> list[int]:
    """Each value as the next record of one partition, through the agent; the offsets that were acknowledged."""
    acknowledged: list[int] = []
    grouper._generation = grouper.app.consumer_generation_id
    async with grouper.agent.test_context() as agent:
        for value in values:
            event = await agent.put(value, key=b"nordwire:ferry", partition=partition, wait=False)
            event.ack = lambda offset=event.message.offset: acknowledged.append(offset)
        for _ in range(500):
            await asyncio.sleep(0.01)
            if len(acknowledged) == len(values) or grouper.agent._crash_reason:
                break
        if grouper._pipe is not None:
            grouper._pipe.close()
    return acknowledged


def test_an_update_leaves_its_row_before_its_revision_in_its_own_partition(grouper):
    made, sent = grouper
    assert asyncio.run(feed(made, records())) == [0, 1]
    assert [kind for kind, *_ in sent.records] == ["row", "revision", "row", "revision"]
    assert [key for key, _, _ in sent.of("row")] == [b"3:000000000000", b"3:000000000001"]
    assert {partition for *_, partition in sent.of("row")} == {3}
    key, value, partition = sent.of("revision")[1]
    assert value is not None
    revision = decode(value, Revision)
    assert (revision.stamp.type, revision.edition) == ("updated", 3)
    assert (key, partition) == (revision.stamp.story.encode(), story_partition(revision.stamp.story))
    stored = made.rows.of(3).get(b"3:000000000001")
    assert stored == sent.of("row")[1][1]
    assert decode(stored, Row).offset == 1
    assert made.rows.of(4).get(b"3:000000000001") is None


def test_bad_records_go_to_rejected_and_the_next_is_decided(grouper):
    made, sent = grouper
    assert asyncio.run(feed(made, [b"{", *records()])) == [0, 1, 2]
    ((_, value, _),) = sent.of("rejected")
    assert value is not None
    assert orjson.loads(value)["reason"] == "broken_json"
    assert len(sent.of("row")) == 2


def test_a_row_above_the_topics_limit_is_an_error_before_faust_loses_it(grouper):
    made, _ = grouper
    with pytest.raises(BrokenLog, match=r"2,097,153 bytes"):
        made.rows.put(0, b"0:0", b"x" * (LARGEST_INTERNAL + 1))


def test_no_row_is_ever_written_again_with_other_bytes(grouper):
    made, sent = grouper

    async def write(*rows: bytes) -> None:
        for row in rows:
            made.rows.put(0, b"0:0", row)

    asyncio.run(write(b"{}", b"{}"))
    with pytest.raises(BrokenLog, match="with other bytes"):
        asyncio.run(write(b"[]"))
    assert len(sent.of("row")) == 2


def test_an_exception_in_processing_ends_the_process_and_names_the_record(grouper, monkeypatch):
    made, _ = grouper
    ends: list[tuple[int, str]] = []

    def end(code: Exit, why: str) -> None:
        ends.append((int(code), why))
        raise asyncio.CancelledError

    monkeypatch.setattr(app_module, "end", end)
    monkeypatch.setattr(made._edition(3), "take", lambda *_, **__: 1 / 0)
    assert asyncio.run(feed(made, records()[:1])) == []
    ((code, why),) = ends
    assert code == 70
    assert "--skip 3:0" in why


# -- the pipe ----------------------------------------------------------------------------------------------------------


def test_inputs_are_acknowledged_in_order_whichever_send_is_done_first():
    async def scenario() -> list[int]:
        acknowledged: list[int] = []
        loop = asyncio.get_running_loop()
        sends = [loop.create_future() for _ in range(3)]
        pipe = Pipe(10, failed=lambda error: pytest.fail(repr(error)))
        for number, send in enumerate(sends):
            await pipe.put(lambda number=number: acknowledged.append(number), [send])
        sends[2].set_result(None)
        sends[1].set_result(None)
        await asyncio.sleep(0)
        assert acknowledged == []
        sends[0].set_result(None)
        await pipe.drain()
        pipe.close()
        return acknowledged

    assert asyncio.run(scenario()) == [0, 1, 2]


def test_a_failed_send_acknowledges_nothing_from_there_on():
    async def scenario() -> tuple[list[int], list[BaseException]]:
        acknowledged: list[int] = []
        failures: list[BaseException] = []
        loop = asyncio.get_running_loop()
        sends = [loop.create_future() for _ in range(3)]
        pipe = Pipe(10, failed=failures.append)
        for number, send in enumerate(sends):
            await pipe.put(lambda number=number: acknowledged.append(number), [send])
        sends[0].set_result(None)
        sends[1].set_exception(TimeoutError("the broker"))
        sends[2].set_result(None)
        await asyncio.sleep(0.01)
        return acknowledged, failures

    acknowledged, failures = asyncio.run(scenario())
    assert acknowledged == [0]
    assert [type(failure) for failure in failures] == [TimeoutError]


def test_a_full_pipe_holds_the_stream_back():
    async def scenario() -> bool:
        pipe = Pipe(1, failed=lambda error: pytest.fail(repr(error)))
        never = asyncio.get_running_loop().create_future()
        for _ in range(2):  # one is being awaited, one waits in the queue
            await pipe.put(lambda: None, [never])
            await asyncio.sleep(0)
        try:
            await asyncio.wait_for(pipe.put(lambda: None, []), 0.05)
        except TimeoutError:
            return True
        finally:
            pipe.close()
        return False

    assert asyncio.run(scenario())


# -- a worker that silently stops --------------------------------------------------------------------------------------


class Consumer:
    """A consumer that stands still at `place` of a log that ends at `end`."""

    def __init__(self, place: int, end: int) -> None:
        self.place, self.end = place, end
        self.stable = end
        self._committed_offset: dict[TP, int] = {}

    def assignment(self) -> set[TP]:
        return {TP("wire.articles", 0), TP("grouper-rows-changelog", 0)}

    def highwater(self, tp: TP) -> int:
        assert tp.topic == "wire.articles"
        return self.end

    async def position(self, _: TP) -> int:
        return self.place

    @property
    def _thread(self) -> Consumer:
        return self

    def _ensure_consumer(self) -> Consumer:
        return self

    def last_stable_offset(self, _: TP) -> int:
        return self.stable


@pytest.mark.parametrize(("place", "ends"), [(7, True), (9, False)])
def test_a_worker_that_silently_stops_fetching_ends(grouper, monkeypatch, place, ends):
    made, _ = grouper
    consumer = Consumer(place, 9)
    monkeypatch.setattr(app_module, "STALLED", 0.0)
    monkeypatch.setattr(type(made.app), "consumer", consumer)

    async def looks() -> None:
        for _ in range(3):
            await made._look()
            await asyncio.sleep(0.01)

    if ends:
        with pytest.raises(Ended, match="2 records to read"):
            asyncio.run(looks())
    else:
        asyncio.run(looks())


def test_what_lies_behind_an_open_transaction_is_no_standstill(grouper, monkeypatch):
    made, _ = grouper
    consumer = Consumer(7, 9)
    consumer.stable = 7
    monkeypatch.setattr(app_module, "STALLED", 0.0)
    monkeypatch.setattr(type(made.app), "consumer", consumer)

    async def looks() -> None:
        for _ in range(3):
            await made._look()
            await asyncio.sleep(0.01)

    asyncio.run(looks())


def test_a_worker_that_goes_on_does_not_end(grouper, monkeypatch):
    made, _ = grouper
    consumer = Consumer(0, 9)
    monkeypatch.setattr(app_module, "STALLED", 0.0)
    monkeypatch.setattr(type(made.app), "consumer", consumer)

    async def looks() -> None:
        for place in range(8):
            consumer.place = place
            await made._look()
            await asyncio.sleep(0.01)

    asyncio.run(looks())
