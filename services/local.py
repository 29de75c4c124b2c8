"""The pipeline in one process: the core's functions, one after another, with no broker.

This is `writethru replay` and `writethru demo`, and the reference for the Kafka run: same records in the same order, same
events, same ids.
"""

from __future__ import annotations

import itertools
import os
import signal
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from multiprocessing import get_context
from typing import Final, TypeVar

import msgspec

from services.contract.codec import decode, encode
from services.core.article import Article, Command
from services.core.events import Event, emit
from services.core.grouping.fingerprint import Fingerprint, fingerprint
from services.core.grouping.row import Row
from services.core.grouping.state import State, Window
from services.core.grouping.story import Step, skip, step
from services.core.identity import digest, stamp
from services.core.meaning.said import Said, what_it_says
from services.core.revision import Revision
from services.core.times import instant
from services.runtime.row_store import RowStore

Ready = tuple[Fingerprint, Said]
"""What an article's own words give: pure functions of it, so any process may compute them."""
T = TypeVar("T")
U = TypeVar("U")
BATCH: Final = 16
"""Records that go to a worker and back together: one by one, the way would cost as much as a short article."""
LONG_ARCHIVE: Final = 500
"""Records from which workers pay: each takes a second to begin."""
MOST_WORKERS: Final = 3
"""More wait for the one process that decides: on the Reuters stream and on mixed-dev half of the work is its own."""
AHEAD: Final = 3
"""Batches begun per worker before the first is asked for."""


class MemoryRows(RowStore):
    """Rows as their bytes in memory, as the table of the Kafka run has them on disk."""

    def __init__(self, edition: int = 0) -> None:
        self._bytes: dict[bytes, bytes] = {}
        super().__init__(edition, self._bytes)

    def put(self, row: Row) -> None:
        self._bytes[self.key(row.number)] = encode(row)
        self.wrote(row)

    def drop(self, input_id: str) -> None:
        del self._bytes[self.key(self.expired(input_id))]

    def in_order(self) -> Iterator[Row]:
        """All live rows in decision order (they were put in that order)."""
        return (decode(stored, Row) for stored in self._bytes.values())


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
        self.rows = MemoryRows(edition)
        self._clock = clock
        self._skips = skips or {}
        self._stamped: datetime | None = None
        self._offset = 0

    def feed(self, record: Article | Command) -> Outcome:
        """Take the next record of the log through all stages."""
        return self.take(self.stamped(record))

    def stamped(self, record: Article | Command) -> Article | Command:
        """The next record of the log with its stamps."""
        if not isinstance(record, Article):
            return record
        record = stamp(record, previous=self._stamped, clock=self._clock)
        self._stamped = instant(record.received_at) or self._stamped
        return record

    def take(self, record: Article | Command, ready: Ready | None = None) -> Outcome:
        """Decide the next stamped record. `ready` is what was read in it beforehand."""
        offset, self._offset = self._offset, self._offset + 1
        if offset in self._skips:
            skipped = digest("skip", self.state.edition, offset)
            done = skip(self.state, input_id=skipped, offset=offset, reason=self._skips[offset])
        else:
            prints, said = ready or (None, None)
            done = step(self.state, record, offset=offset, rows=self.rows, ready=prints, said=said)
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


def replay_encoded(
    records: Iterable[Article | Command], pipeline: Pipeline, *, workers: int
) -> Generator[tuple[Outcome, list[bytes]], None, None]:
    """`replay` with each event as its bytes; `workers` processes read the articles and make the events, 0 none.

    One process decides, in the order of the log, and all results are taken in that order: the same bytes however many
    workers.
    """
    if workers < 1:
        for outcome in replay(records, pipeline):
            yield outcome, [encode(event) for event in outcome.events()]
        return
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_leave_signals) as pool:
        try:
            stamped = _batches(map(pipeline.stamped, records))
            read = _ahead(((batch, pool.submit(_read_all, batch)) for batch in stamped), workers)
            decided = ([pipeline.take(*pair) for pair in zip(batch, done, strict=True)] for batch, done in read)
            made = ((batch, pool.submit(_emit_all, [o.step.revisions for o in batch])) for batch in decided)
            for batch, events in _ahead(made, workers):
                yield from zip(batch, events, strict=True)
        finally:
            pool.shutdown(cancel_futures=True)


def enough_workers(records: Iterable[T]) -> tuple[int, Iterator[T]]:
    """How many workers pay for these records on this machine, and the records. Few records are done before a worker is up."""
    records = iter(records)
    first = list(itertools.islice(records, LONG_ARCHIVE))
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    workers = min(cores, MOST_WORKERS) if cores > 1 and len(first) == LONG_ARCHIVE else 0
    return workers, itertools.chain(first, records)


def _batches(records: Iterable[T]) -> Iterator[list[T]]:
    records = iter(records)
    while batch := list(itertools.islice(records, BATCH)):
        yield batch


def _ahead(work: Iterable[tuple[T, Future[U]]], workers: int) -> Iterator[tuple[T, U]]:
    """The results of the work in its order, with so much of it begun ahead that no worker waits."""
    begun: deque[tuple[T, Future[U]]] = deque()
    for each in work:
        begun.append(each)
        if len(begun) > AHEAD * workers:
            first, future = begun.popleft()
            yield first, future.result()
    for first, future in begun:
        yield first, future.result()


def _leave_signals() -> None:
    """Ctrl-C is for the process that a person started; it ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _read_all(records: list[Article | Command]) -> list[Ready | None]:
    return [(fingerprint(each), what_it_says(each)) if isinstance(each, Article) else None for each in records]


def _emit_all(made: list[tuple[Revision, ...]]) -> list[list[bytes]]:
    return [[encode(emit(revision)) for revision in revisions] for revisions in made]
