"""One edition at work: a record of the log in, what it asks of Kafka out. No Kafka here, so that it can be tried without."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Final

import msgspec

from services.contract.codec import encode
from services.contract.messages import Rejected, rejected
from services.core.errors import RejectedInput
from services.core.grouping.state import State, Window
from services.core.grouping.story import Step, skip, step, step_again
from services.core.identity import digest
from services.core.revision import Revision
from services.core.times import iso
from services.core.wire.limits import DEFAULT, Limits
from services.grouper.intake import read_record
from services.grouper.recovery import MARGIN, Plan, RowHead
from services.runtime import metrics
from services.runtime.row_store import ByteStore, RowStore

TOMBSTONES_PER_RECORD: Final = 8
"""Twice what a row lets expire, so that a backlog ends."""
PROGRESS_EVERY: Final = 5_000


class Work(msgspec.Struct, frozen=True):
    """What one record asks for, in this order: tombstones, its row, its revisions; or a rejection.

    `again`: the row stands in the table already, and only its changelog record is sent again.
    """

    tombstones: tuple[bytes, ...] = ()
    key: bytes | None = None
    row: bytes | None = None
    again: bool = False
    revisions: tuple[Revision, ...] = ()
    rejection: Rejected | None = None


class Edition:
    """The state of one partition, and the step for each of its records."""

    def __init__(
        self, number: int, stored: ByteStore, *, window: Window | None = None, limits: Limits = DEFAULT,
        skips: dict[int, str] | None = None,
    ) -> None:  # fmt: skip
        self.number = number
        self.state = State(number, window)
        self._rows = RowStore(number, stored)
        self._limits = limits
        self._skips = skips or {}
        self._waiting: dict[int, int] = {}
        """Offset → number of rows that were decided in an earlier life, and are sent again when their record comes."""
        self._expired: deque[tuple[int, int]] = deque()
        """(number, number of the row that let it go) of rows that have left the window and wait for their tombstone."""
        self._unsettled: deque[tuple[int, int]] = deque()
        """(offset, number) of rows whose offset is not committed yet."""
        self._settled = -1

    # -- beginning -----------------------------------------------------------------------------------------------------

    def recover(self, way: Plan, progress: Callable[[int, int], None] | None = None) -> None:
        """Fold the rows of the plan."""
        for count, head in enumerate(way.fold, 1):
            row = self._rows.by_number(head.number)
            assert row is not None
            self.state.fold(row)
            self._rows.wrote(row)
            if progress is not None and count % PROGRESS_EVERY == 0:
                progress(count, len(way.fold))
        if way.fold:
            self._settled = way.fold[-1].number
        self._expired.extend((head.number, self._settled) for head in way.expired)
        self._waiting = {head.offset: head.number for head in way.waiting}
        self._count()

    # -- one record ----------------------------------------------------------------------------------------------------

    def take(self, value: bytes | None, *, offset: int, at: datetime, committed: int | None) -> Work:
        """The next record of the log. `at` is the broker's timestamp, `committed` the offset committed so far.

        An exception out of here is a bug: the record must not be acknowledged.
        """
        self._settle(committed)
        number = self._waiting.pop(offset, None)
        if number is not None:
            return self._send_again(number)
        if offset in self._skips:
            this = digest("skip", self.number, offset)
            return self._write(skip(self.state, input_id=this, offset=offset, reason=self._skips[offset]))
        source = f"wire.articles:{self.number}:{offset}"
        try:
            record = read_record(value, at=at, source=source, limits=self._limits)
        except RejectedInput as error:
            metrics.REJECTED.labels("grouper", error.reason).inc()
            message = rejected(error, value or b"", by="grouper", at=iso(at), edition=self.number, offset=offset)
            return Work(rejection=message)
        if record is None:
            metrics.SKIPPED.labels("no story").inc()
            return Work()
        done = step(self.state, record, offset=offset, rows=self._rows)
        if done.redelivered:
            metrics.REDELIVERED.labels(self.number).inc()
            return Work()
        return self._write(done)

    # -- parts ---------------------------------------------------------------------------------------------------------

    def _send_again(self, number: int) -> Work:
        row = self._rows.by_number(number)
        assert row is not None
        metrics.RESENT.labels(self.number).inc()
        return self._write(step_again(self.state, row, self._rows), again=True)

    def _write(self, done: Step, *, again: bool = False) -> Work:
        row = done.row
        tombstones = self._tombstones()
        self._expired.extend((self._rows.expired(gone), row.number) for gone in done.expired)
        self._rows.wrote(row)
        self._unsettled.append((row.offset, row.number))
        metrics.DECIDED.labels(self.number, row.decision.relation).inc()
        metrics.EXPIRED.labels(self.number).inc(len(done.expired))
        self._count()
        return Work(
            tombstones=tombstones,
            key=self._rows.key(row.number),
            row=encode(row),
            again=again,
            revisions=done.revisions,
        )

    def _settle(self, committed: int | None) -> None:
        while self._unsettled and committed is not None and self._unsettled[0][0] < committed:
            self._settled = self._unsettled.popleft()[1]

    def _tombstones(self) -> tuple[bytes, ...]:
        """Keys of rows that no restart can need any more: they left the window more than `MARGIN` committed rows ago."""
        due: list[bytes] = []
        while self._expired and len(due) < TOMBSTONES_PER_RECORD and self._expired[0][1] < self._settled - MARGIN:
            due.append(self._rows.key(self._expired.popleft()[0]))
        return tuple(due)

    def _count(self) -> None:
        metrics.WINDOW.labels(self.number).set(len(self.state.inputs))
        metrics.STORIES.labels(self.number).set(len(self.state.stories))


def heads(stored: Iterable[bytes]) -> list[RowHead]:
    """The heads of rows, without decoding the rest."""
    return [_HEAD.decode(value) for value in stored]


_HEAD: Final = msgspec.json.Decoder(RowHead)


def broker_time(seconds: float | None) -> datetime:
    """Kafka's timestamp as Faust hands it over."""
    return datetime.fromtimestamp(seconds or 0.0, UTC)
