"""The pace of an archive: replayed as it came in, or that many times faster."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime

from services.core.times import instant

LONGEST_WAIT = 366 * 86_400.0
"""Seconds. The clock takes no longer sleep than some hundred years, and a gap or a speed may ask for one."""


class Pace:
    """Replays an archive at its own pace, or that many times faster."""

    def __init__(self, times: float, sleep: Callable[[float], object] | None = None) -> None:
        self._times = times
        self._sleep = sleep or time.sleep
        self._began: tuple[datetime, float] | None = None

    def wait(self, log_time: str | None) -> None:
        """Sleep until it is this record's turn. Records without a time come at once."""
        at = instant(log_time)
        if at is None:
            return
        if self._began is None:
            self._began = (at, time.monotonic())
        first, began = self._began
        due = began + (at - first).total_seconds() / self._times
        self._sleep(min(max(0.0, due - time.monotonic()), LONGEST_WAIT))
