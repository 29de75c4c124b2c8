"""Progress on long work, and the pace of an archive."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import TypeVar

from services.core.times import instant

T = TypeVar("T")

LONGEST_WAIT = 366 * 86_400.0
"""Seconds. The clock takes no longer sleep than some hundred years, and a gap or a speed may ask for one."""


def counting(items: Iterable[T], *, show: bool) -> Iterator[T]:
    """The items, with a count and a rate on stderr where a person watches and the output is not for people already."""
    if not show or not sys.stderr.isatty() or sys.stdout.isatty():
        yield from items
        return
    from rich.console import Console
    from rich.progress import MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("articles"), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("replay", total=None)
        for item in items:
            yield item
            progress.advance(task)


class Pace:
    """Replays an archive at its own pace, or that many times faster."""

    def __init__(self, times: float) -> None:
        self._times = times
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
        time.sleep(min(max(0.0, due - time.monotonic()), LONGEST_WAIT))
