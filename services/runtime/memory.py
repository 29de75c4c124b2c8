"""The garbage collector, for processes that keep millions of small objects alive and make few cycles."""

from __future__ import annotations

import gc

YOUNG, MIDDLE, OLD = 50_000, 20, 100
"""Python's own thresholds are 700, 10, 10: with a full window each full collection walks millions of objects for nothing, a
pause of a second in front of somebody's alert."""


def collect_seldom() -> None:
    """Collect rarely from now on, and never look again at what is alive already."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, MIDDLE, OLD)
