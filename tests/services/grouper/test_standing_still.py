"""A worker that silently stops fetching shows it on /healthz first, and then ends."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
from faust.types import TP

from services.contract.settings import Settings
from services.grouper import app as app_module
from services.grouper.app import STALLED, Grouper
from services.grouper.pipe import Pipe
from services.runtime.health import Health
from services.runtime.lifecycle import Exit

LOG = TP("wire.articles", 0)


class Ended(Exception):
    """The process would have ended."""


class Consumer:
    """Stands at `place` of a log of nine records."""

    def __init__(self) -> None:
        self.place = 5
        self._committed_offset = {LOG: 5}

    def assignment(self) -> set[TP]:
        return {LOG}

    async def position(self, _: TP) -> int:
        return self.place


@pytest.fixture
def standing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Grouper, Consumer, SimpleNamespace]:
    made, consumer, clock = (
        Grouper(Settings(state_folder=tmp_path), Health("grouper")),
        Consumer(),
        SimpleNamespace(now=0.0),
    )

    def end(code: Exit, why: str) -> None:
        raise Ended(code, why)

    monkeypatch.setattr(type(made.app), "consumer", consumer)
    monkeypatch.setattr(made, "_readable_end", lambda _: 9)
    monkeypatch.setattr(app_module, "end", end)
    monkeypatch.setattr(app_module, "time", SimpleNamespace(monotonic=lambda: clock.now))
    made._progress = (None, 0.0)
    return made, consumer, clock


async def look(standing: tuple[Grouper, Consumer, SimpleNamespace], seconds: float) -> bool:
    """One look so many seconds later; whether /healthz is green after it."""
    made, _, clock = standing
    clock.now += seconds
    await made._look()
    return made._health.state["unwell"] is None


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.anyio
async def test_58_a_fetcher_that_died_unseen_turns_healthz_red_and_ends_the_process(standing):
    assert await look(standing, 1)
    assert await look(standing, STALLED / 2)
    assert not await look(standing, 1)
    standing[1].place = 6  # it was slow, not dead
    assert await look(standing, 1)
    assert not await look(standing, STALLED / 2 + 1)
    with pytest.raises(Ended, match="3 records to read"):
        await look(standing, STALLED)


@pytest.mark.anyio
async def test_58_nothing_to_read_is_no_standstill(standing):
    standing[1].place = 9
    for _ in range(5):
        assert await look(standing, STALLED)


@pytest.mark.anyio
async def test_what_lies_behind_the_last_record_is_no_lag(standing):
    """A transaction's marker is an offset that is read past and never acknowledged."""
    made, consumer, _ = standing
    made._edition(0)
    gauge = app_module.metrics.LAG.labels("wire.articles", 0)
    consumer.place, consumer._committed_offset = 9, {LOG: 8}
    await look(standing, 1)
    assert gauge._value.get() == 0
    made._pipe = Pipe(1, lambda _: None)
    made._pipe.taken = 1  # read, and not acknowledged yet
    await look(standing, 1)
    assert gauge._value.get() == 1
    made._pipe.close()
