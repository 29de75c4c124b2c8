"""Progress on long work."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")


def counting(items: Iterable[T], *, show: bool, what: str = "replay") -> Iterator[T]:
    """The items, with a count and a rate on stderr where a person watches and the output is not for people already."""
    if not show or not sys.stderr.isatty() or sys.stdout.isatty():
        yield from items
        return
    from rich.console import Console
    from rich.progress import MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("articles"), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=None)
        for item in items:
            yield item
            progress.advance(task)
