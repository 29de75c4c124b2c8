"""Hours of the day in a zone, with its changes of the clock. `now` is an argument, and whatever the clock on the wall shows counts."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, time, timedelta
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo

from services.core.alerting.rule import Window

_DAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_MOST_STEPS: Final = 64
"""Windows that follow one another, until they are taken for endless."""


@lru_cache(maxsize=256)
def zone(name: str) -> ZoneInfo | None:
    """The zone of that name, None where there is none."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return None


def inside(window: Window, now: datetime) -> bool:
    """Whether `now` lies in the window."""
    here = now.astimezone(zone(window.zone) or UTC)
    start, end, clock = _clock(window.start), _clock(window.end), here.time().replace(tzinfo=None)
    if start < end:
        return start <= clock < end and _on(window, here)
    if clock >= start:
        return _on(window, here)
    return clock < end and _on(window, here - timedelta(days=1))


def ends(windows: Iterable[Window], now: datetime) -> datetime | None:
    """When the windows that `now` lies in are over, one after the other; None where it lies in none.

    Windows that follow one another without end count as over after a week.
    """
    windows = tuple(windows)
    at = now
    for _ in range(_MOST_STEPS):
        around = [window for window in windows if inside(window, at)]
        if not around:
            break
        at = max(_end(window, at) for window in around)
        if at - now > timedelta(days=7):
            break
    return at if at > now else None


def _end(window: Window, now: datetime) -> datetime:
    """The end of the window that `now` lies in, in UTC."""
    here = now.astimezone(zone(window.zone) or UTC)
    wall = datetime.combine(here.date(), _clock(window.end), here.tzinfo)
    if _clock(window.start) >= _clock(window.end) and here.time() >= _clock(window.start):
        wall = datetime.combine(here.date() + timedelta(days=1), _clock(window.end), here.tzinfo)
    if here.fold and wall.replace(fold=1).utcoffset() == here.utcoffset():
        wall = wall.replace(fold=1)  # the hour comes twice, and this is the second time
    end = wall.astimezone(UTC)
    return end if end > now else now.astimezone(UTC) + timedelta(minutes=1)


def _on(window: Window, day: datetime) -> bool:
    return window.days is None or _DAYS[day.weekday()] in window.days


def _clock(text: str) -> time:
    return time(int(text[:2]), int(text[3:]))
