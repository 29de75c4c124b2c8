"""The pipeline in one process: the core's functions, one after another, with no broker.

This is `writethru replay` and `writethru demo`, and the reference for the Kafka run: same records in the same order, same
events, same ids.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import msgspec

from services.contract.codec import decode, encode
from services.core.article import Article, Command
from services.core.events import Event, emit
from services.core.grouping.row import Row
from services.core.grouping.state import State, Window
from services.core.grouping.story import Step, skip, step
from services.core.identity import digest, stamp
from services.core.times import instant

CACHED_ROWS: Final = 2_048
"""Rows kept decoded: a story's latest rows are read again with each of its articles."""


class RowStore:
    """Rows as their bytes, like the table of the Kafka run, with the latest ones decoded."""

    def __init__(self) -> None:
        self._bytes: dict[str, bytes] = {}
        self._decoded: OrderedDict[str, Row] = OrderedDict()

    def __call__(self, input_id: str) -> Row | None:
        row = self._decoded.get(input_id)
        if row is not None:
            self._decoded.move_to_end(input_id)
            return row
        stored = self._bytes.get(input_id)
        return self._keep(input_id, decode(stored, Row)) if stored is not None else None

    def put(self, row: Row) -> None:
        self._bytes[row.input_id] = encode(row)
        self._keep(row.input_id, row)

    def drop(self, input_id: str) -> None:
        del self._bytes[input_id]
        self._decoded.pop(input_id, None)

    def in_order(self) -> Iterator[Row]:
        """All live rows in decision order (they were put in that order)."""
        return (decode(stored, Row) for stored in self._bytes.values())

    def _keep(self, input_id: str, row: Row) -> Row:
        self._decoded[input_id] = row
        if len(self._decoded) > CACHED_ROWS:
            self._decoded.popitem(last=False)
        return row


@dataclass(frozen=True, slots=True)
class Outcome:
    """One record of the log and what came of it: the step, and what the predecessor is called (`uri@version`)."""

    record: Article | Command
    step: Step
    predecessor: str | None

    def events(self) -> Iterator[Event]:
        """The events of the step, made when asked for: a revision holds all that its event needs."""
        return map(emit, self.step.revisions)


class Assignment(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the assignments file: how an article was decided on arrival, and what its story became."""

    uri: str
    version: str | None
    story_id: str | None
    final_story_id: str | None
    relation: str
    action: str
    late: bool
    predecessor: str | None
    score: float
    reason: str


class Pipeline:
    """Publisher, grouper and emitter of one edition, called one after another.

    `clock` is the present, passed in: a stamp later than it is not believed. `skips` are offsets that an operator leaves
    out, with the reason.
    """

    def __init__(
        self, *, clock: datetime, window: Window | None = None, edition: int = 0, skips: dict[int, str] | None = None
    ) -> None:
        self.state = State(edition, window)
        self.rows = RowStore()
        self._clock = clock
        self._skips = skips or {}
        self._stamped: datetime | None = None
        self._offset = 0

    def feed(self, record: Article | Command) -> Outcome:
        """Take the next record of the log through all stages."""
        offset, self._offset = self._offset, self._offset + 1
        if isinstance(record, Article):
            record = stamp(record, previous=self._stamped, clock=self._clock)
            self._stamped = instant(record.received_at) or self._stamped
        if offset in self._skips:
            skipped = digest("skip", self.state.edition, offset)
            done = skip(self.state, input_id=skipped, offset=offset, reason=self._skips[offset])
        else:
            done = step(self.state, record, offset=offset, rows=self.rows)
        previous = self.rows(done.row.decision.predecessor) if done.row.decision.predecessor else None
        if not done.redelivered:
            self.rows.put(done.row)
            for gone in done.expired:
                self.rows.drop(gone)
        return Outcome(record, done, previous.article.ref if previous and previous.article else None)


class Assignments:
    """Collects a line per input article, in input order, and knows each story's end only when the log has ended."""

    def __init__(self) -> None:
        self._lines: list[tuple[str, Assignment]] = []

    def add(self, outcome: Outcome) -> None:
        if not isinstance(outcome.record, Article):
            return
        decision = outcome.step.row.decision
        line = Assignment(
            uri=outcome.record.uri, version=outcome.record.version, story_id=decision.story,
            final_story_id=decision.story, relation=decision.relation, action=decision.action, late=decision.late,
            predecessor=outcome.predecessor, score=decision.score, reason=decision.reason,
        )  # fmt: skip
        self._lines.append((outcome.step.row.input_id, line))

    def final(self, state: State) -> Iterator[Assignment]:
        """The lines with what became of each story: after merges and splits, and after a kill has met its target."""
        for input_id, line in self._lines:
            live = state.inputs.get(input_id)
            last = live.story if live else state.final(line.story_id) if line.story_id else None
            yield msgspec.structs.replace(line, final_story_id=last)


def replay(records: Iterable[Article | Command], pipeline: Pipeline) -> Iterator[Outcome]:
    """Every record through the pipeline, in order."""
    return map(pipeline.feed, records)
