"""Where a grouper begins again: which rows are folded, and from which offset the log is read. Pure, so that it can be tried.

Rows are written and acknowledged before their input's offset is committed, so the table normally knows more than the
committed offset says. If it knows less (a changelog that lost its end, a recovery that came back short), the log is read
again from earlier: what has a row is sent again, what has none is decided again, both to the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

from services.core.errors import BrokenLog

PIPELINE: Final = 100
"""Inputs that are decided and not yet acknowledged, at most; more gained no speed, and each is sent again after a crash."""
MARGIN: Final = PIPELINE + 2
"""Rows before the end that may stand in the local store alone, never sent."""


class RowHead(msgspec.Struct, frozen=True):
    """The part of a row that recovery needs to order them."""

    input_id: str
    offset: int
    number: int
    window_start: int


class Plan(msgspec.Struct, frozen=True):
    """`fold`: rows in decision order. `begin`: commit this offset first, None where the committed one is right.

    `expired`: rows that have left the window and still wait for their tombstone. `waiting`: rows that are sent again when
    their record is read again.
    """

    fold: tuple[RowHead, ...] = ()
    begin: int | None = None
    expired: tuple[RowHead, ...] = ()
    waiting: tuple[RowHead, ...] = ()
    why: str = ""


def plan(heads: Iterable[RowHead], committed: int | None, log_start: int, *, ever_written: bool = True) -> Plan:
    """How to begin, given the table's rows, the committed offset, and the first offset that the log still holds.

    `ever_written`: whether the changelog has had a record. Where it never had, no row is missing: the log held nothing but
    rejects so far.

    Raises BrokenLog where rows are missing that the log no longer holds.
    """
    rows = sorted(heads, key=lambda head: head.number)
    by_number = {head.number: head for head in rows}
    if not rows:
        if committed and committed > log_start and (ever_written or log_start == 0):
            return _from_scratch(rows, log_start, f"no rows, yet offset {committed} is committed")
        return Plan()
    before = [head for head in rows if committed is None or head.offset < committed]
    if not before:
        if rows[0].number == 0:
            return Plan(waiting=tuple(rows))
        return _from_scratch(
            rows, log_start, f"no row before the committed offset {committed}, and the first is {rows[0].number}"
        )
    start = before[-1].window_start
    end = start - 1
    while end + 1 in by_number:
        end += 1
    if end < start:
        return _from_scratch(rows, log_start, f"row {start}, where the window starts, is missing")
    if committed is not None and committed <= by_number[end].offset + 1:
        return _fold_to(rows, by_number, before[-1].number, None, "")
    again = max(end - MARGIN, start)
    why = f"the rows end with offset {by_number[end].offset}, committed is {committed}"
    if again == start == 0:
        return Plan(begin=by_number[0].offset, waiting=tuple(rows), why=why)
    if again - 1 not in by_number or not _covers(by_number, again - 1):
        return _from_scratch(rows, log_start, f"{why}, and rows before {again} are missing")
    return _fold_to(rows, by_number, again - 1, by_number[again].offset, why)


def _fold_to(rows: list[RowHead], by_number: dict[int, RowHead], last: int, begin: int | None, why: str) -> Plan:
    start = by_number[last].window_start
    return Plan(
        fold=tuple(by_number[n] for n in range(start, last + 1)),
        begin=begin,
        expired=tuple(head for head in rows if head.number < start),
        waiting=tuple(head for head in rows if head.number > last),
        why=why,
    )


def _covers(by_number: dict[int, RowHead], last: int) -> bool:
    return all(n in by_number for n in range(by_number[last].window_start, last + 1))


def _from_scratch(rows: list[RowHead], log_start: int, why: str) -> Plan:
    """Decide the whole log again; only where all of it is there."""
    if log_start > 0:
        raise BrokenLog(f"{why}, and wire.articles begins at offset {log_start}: the window cannot be made again")
    return Plan(begin=0, waiting=tuple(rows), why=why)
