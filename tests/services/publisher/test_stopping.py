"""A publisher that is asked to stop while the broker takes nothing ends, and says how to go on."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from services.contract.settings import Settings
from services.publisher import worker
from services.runtime import health as health_module
from services.runtime.health import Health
from services.runtime.lifecycle import Exit, Stop


class Future:
    def __init__(self, released: threading.Event) -> None:
        self.released = released
        self.is_done = False

    def get(self) -> None:
        assert self.released.wait(20), "nobody ended the wait"


class Producer:
    """Takes records and never hears of them again, as kafka-python for its ten minutes of delivery."""

    def __init__(self) -> None:
        self.released = threading.Event()

    def send(self, *_: Any, **__: Any) -> Future:
        return Future(self.released)

    def close(self, timeout: float) -> None: ...


def test_a_full_pipe_does_not_outlast_sigterm(monkeypatch: pytest.MonkeyPatch, tmp_path):
    (tmp_path / "a.json").write_text('{"provider": "nordwire", "uri": "n1", "headline": "Ferry burns off Tarmouth"}')
    sending, stop, ended = Producer(), Stop(), []

    def end(code: Exit, why: str) -> None:
        ended.append((code, why))
        sending.released.set()

    monkeypatch.setattr(worker, "wait_for_topics", lambda *_: True)
    monkeypatch.setattr(worker, "producer", lambda *_: sending)
    monkeypatch.setattr(worker, "end", end)
    monkeypatch.setattr(health_module, "STOPS_WITHIN", 0.3)
    monkeypatch.setattr(health_module, "GUARD_EVERY", 0.05)
    threading.Timer(0.2, stop.ask).start()
    worker.run(Settings(), Health("publisher"), stop, paths=[tmp_path])
    ((code, why),) = ended
    assert code == Exit.AGAIN
    assert "run it again" in why
