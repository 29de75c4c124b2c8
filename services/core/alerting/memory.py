"""What alerting remembers, as rows by key: what was told, what is held, how far a story has come, who said "on it".

Rows are values that a compacted topic can hold: `changed` names what a step wrote, to be sent in the same transaction as the
alerts and the offsets, and `load` takes them back in any order. Old rows leave a few at a time, in the order of their last use.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import Final

import msgspec

from services.core.alerting.alert import Kind, Told
from services.core.alerting.rule import Silence
from services.core.times import instant

KEPT: Final = timedelta(days=30)
"""How long a story is remembered after its last event: twice the grouper's window."""
LEAVING: Final = 4
"""Rows that leave with each event at most."""
MOST_ALERTS: Final = 20
"""Alerts that are remembered per rule and story, newest first: what a kill can name."""


class Remembered(msgspec.Struct, frozen=True, kw_only=True):
    """An alert that went out, and the inputs and providers that it was built on."""

    id: str
    kind: Kind
    title: str
    at: str
    channels: tuple[str, ...]
    inputs: tuple[str, ...] = ()
    providers: tuple[str, ...] = ()
    reversed_by: str | None = None


class Mark(msgspec.Struct, frozen=True, kw_only=True, tag="mark"):
    """How far a story has come: its last sequence, its outlets, when its last events came, and who has said "on it"."""

    story: str
    at: str
    sequence: int = 0
    outlets: int = 0
    times: tuple[str, ...] = ()
    on_it: str | None = None

    @property
    def key(self) -> str:
        return f"mark:{self.story}"


class Memo(msgspec.Struct, frozen=True, kw_only=True, tag="memo"):
    """What one rule has told of one story. `values` are its figures as last told, `said` what was told last (a fingerprint)."""

    rule: str
    story: str
    at: str
    alerts: tuple[Remembered, ...] = ()
    thread: str | None = None
    last: str | None = None
    said: str | None = None
    values: dict[str, str] = {}

    @property
    def key(self) -> str:
        return memo_key(self.rule, self.story)


class Group(msgspec.Struct, frozen=True, kw_only=True, tag="group"):
    """An alert that is being collected: `due` says when it goes out, `why` what it waits for."""

    key: str
    id: str
    rule: str
    story: str
    event: str
    kind: Kind
    due: str
    why: str | None
    channels: tuple[str, ...]
    events: tuple[Told, ...]
    reverses: tuple[str, ...] = ()
    left_out: int = 0


class Silenced(msgspec.Struct, frozen=True, kw_only=True, tag="silence"):
    """A silence, until it is over."""

    silence: Silence

    @property
    def key(self) -> str:
        return f"silence:{self.silence.id}"


Row = Mark | Memo | Group | Silenced


def memo_key(rule: str, story: str) -> str:
    return f"memo:{story}:{rule}"


class Memory:
    """The rows, and what was written since it was last asked."""

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        self._rows: dict[str, Row] = {}
        self._rules_of: dict[str, dict[str, None]] = {}
        self._due: list[tuple[datetime, str]] = []
        self._changed: dict[str, None] = {}
        self._silences: dict[str, Silence] = {}
        self._groups_of: dict[str, dict[str, None]] = {}
        for row in sorted(rows, key=lambda row: (_age(row), row.key)):
            self._take(row)

    def put(self, row: Row) -> None:
        """Remember a row, in place of the one of its key."""
        self._take(row)
        self._changed[row.key] = None

    def drop(self, key: str) -> None:
        """Forget a row."""
        if (row := self._rows.pop(key, None)) is None:
            return
        if isinstance(row, Memo):
            rules = self._rules_of[row.story]
            rules.pop(row.rule, None)
            if not rules:
                del self._rules_of[row.story]
        elif isinstance(row, Group):
            groups = self._groups_of[row.story]
            groups.pop(key, None)
            if not groups:
                del self._groups_of[row.story]
        self._silences.pop(key, None)
        self._changed[key] = None

    def changed(self) -> list[tuple[str, Row | None]]:
        """Rows written since this was last asked, None for those that are gone; asking clears it."""
        keys, self._changed = self._changed, {}
        return [(key, self._rows.get(key)) for key in keys]

    def rows(self) -> Iterator[Row]:
        """All rows, the least used first."""
        return iter(self._rows.values())

    # -- by kind -------------------------------------------------------------------------------------------------------

    def mark(self, story: str) -> Mark | None:
        row = self._rows.get(f"mark:{story}")
        return row if isinstance(row, Mark) else None

    def memo(self, rule: str, story: str) -> Memo | None:
        row = self._rows.get(memo_key(rule, story))
        return row if isinstance(row, Memo) else None

    def group(self, key: str) -> Group | None:
        row = self._rows.get(key)
        return row if isinstance(row, Group) else None

    def groups_of(self, story: str) -> list[Group]:
        """What is held of a story, by key."""
        found = (self.group(key) for key in sorted(self._groups_of.get(story, ())))
        return [group for group in found if group is not None]

    def told_of(self, story: str) -> list[Memo]:
        """What every rule has told of a story, the rules in their order of first use."""
        found = (self.memo(rule, story) for rule in sorted(self._rules_of.get(story, ())))
        return [memo for memo in found if memo is not None and memo.alerts]

    def silences(self) -> list[Silence]:
        """All that were asked for and are not forgotten yet."""
        return list(self._silences.values())

    def due(self, now: datetime) -> Iterator[Group]:
        """Groups whose time has come, by time and key; each is given once and stays until it is dropped."""
        while self._due and self._due[0][0] <= now:
            at, key = heapq.heappop(self._due)
            group = self.group(key)
            if group is not None and instant(group.due) == at:
                yield group

    def held(self) -> int:
        """How many alerts wait."""
        return sum(map(len, self._groups_of.values()))

    def next_due(self) -> datetime | None:
        """When the next group is due, as far as is known without looking further."""
        return self._due[0][0] if self._due else None

    def let_go(self, now: datetime) -> None:
        """Forget a few rows that nobody has asked for in a long time."""
        leaving: list[str] = []
        for key, row in self._rows.items():
            if isinstance(row, Group):
                continue
            age = _age(row)
            if age >= (now - KEPT).timestamp() or len(leaving) == LEAVING:
                break
            leaving.append(key)
        for key in leaving:
            self.drop(key)

    def _take(self, row: Row) -> None:
        self._rows.pop(row.key, None)  # to the end of the queue
        self._rows[row.key] = row
        if isinstance(row, Memo):
            self._rules_of.setdefault(row.story, {})[row.rule] = None
        elif isinstance(row, Silenced):
            self._silences[row.key] = row.silence
        elif isinstance(row, Group):
            self._groups_of.setdefault(row.story, {})[row.key] = None
            due = instant(row.due)
            assert due is not None, row.due
            heapq.heappush(self._due, (due, row.key))


def _age(row: Row) -> float:
    """When a row was last used, as a time stamp."""
    text = row.due if isinstance(row, Group) else row.silence.until if isinstance(row, Silenced) else row.at
    at = instant(text)
    return at.timestamp() if at else 0.0
