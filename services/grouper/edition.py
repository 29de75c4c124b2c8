"""One edition at work: a record of the log in, what it asks of Kafka out. No Kafka here, so that it can be tried without."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Final

import msgspec

from services.contract.codec import decode, encode
from services.contract.messages import Rejected, rejected
from services.core.article import Command
from services.core.errors import RejectedInput
from services.core.grouping.row import Row
from services.core.grouping.state import State, Window
from services.core.grouping.story import Step, skip, step, step_again
from services.core.identity import digest
from services.core.revision import Revision
from services.core.times import iso
from services.core.wire.limits import DEFAULT, Limits
from services.grouper.intake import read_record
from services.grouper.recovery import MARGIN, Plan, RowHead
from services.runtime import metrics
from services.runtime.row_store import ByteStore, DecodedRows, row_key

TOMBSTONES_PER_RECORD: Final = 8
"""Twice what a row lets expire, so that a backlog ends."""
PROGRESS_EVERY: Final = 5_000


class Work(msgspec.Struct, frozen=True):
    """What one record asks for, in this order: tombstones, its row, its revisions; or a rejection.

    `again`: the row stands in the table already and only its changelog record is sent again.
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
        self._stored = stored
        self._rows = DecodedRows(number, stored)
        self._limits = limits
        self._skips = skips or {}
        self._expired: dict[str, int] = {}
        """Input ids that have left the window and wait for their tombstone, with the number of the row that let them go."""
        self._unsettled: deque[tuple[int, int]] = deque()
        """(offset, number) of rows whose offset is not committed yet."""
        self._settled = -1
        self._known_until = -1

    # -- beginning -----------------------------------------------------------------------------------------------------

    def recover(self, plan: Plan, known_until: int, progress: Callable[[int, int], None] | None = None) -> None:
        """Fold the rows of the plan. `known_until` is the highest offset that has a row."""
        for count, head in enumerate(plan.fold, 1):
            data = self._stored.get(row_key(self.number, head.input_id))
            assert data is not None
            self.state.fold(self._rows.wrote(decode(data, Row)))
            if progress is not None and count % PROGRESS_EVERY == 0:
                progress(count, len(plan.fold))
        if plan.fold:
            self._settled = plan.fold[-1].number
        self._expired = {head.input_id: self._settled for head in plan.expired}
        self._known_until = known_until
        self._count()

    # -- one record ----------------------------------------------------------------------------------------------------

    def take(self, value: bytes | None, *, offset: int, at: datetime, committed: int | None) -> Work:
        """The next record of the log. `at` is the broker's timestamp, `committed` the offset committed so far.

        An exception out of here is a bug: the record must not be acknowledged.
        """
        self._settle(committed)
        if offset in self._skips or self._was_skipped(offset):
            return self._skip(offset)
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
        this = record.id if isinstance(record, Command) else record.input_id
        assert this is not None
        row = self._look_up(this)
        if row is not None and row.offset == offset and this not in self.state.inputs:
            return self._send_again(row)
        done = step(self.state, record, offset=offset, rows=self._look_up)
        if done.redelivered:
            metrics.REDELIVERED.labels(self.number).inc()
            return Work()
        return self._write(done)

    # -- parts ---------------------------------------------------------------------------------------------------------

    def _look_up(self, input_id: str) -> Row | None:
        """A row of the window, or one that waits to be folded. What has left the window is as good as gone."""
        return None if input_id in self._expired else self._rows(input_id)

    def _skip(self, offset: int) -> Work:
        this = digest("skip", self.number, offset)
        row = self._look_up(this)
        if row is not None:
            return Work() if this in self.state.inputs else self._send_again(row)
        return self._write(skip(self.state, input_id=this, offset=offset, reason=self._skips[offset]))

    def _was_skipped(self, offset: int) -> bool:
        """Whether an operator had this record skipped before the process began again."""
        return offset <= self._known_until and self._look_up(digest("skip", self.number, offset)) is not None

    def _send_again(self, row: Row) -> Work:
        metrics.RESENT.labels(self.number).inc()
        work = self._write(step_again(self.state, row, self._look_up))
        return msgspec.structs.replace(work, again=True)

    def _write(self, done: Step) -> Work:
        row = done.row
        tombstones = self._tombstones()
        self._expired.pop(row.input_id, None)  # the same input, decided anew after it had left
        self._rows.wrote(row)
        for gone in done.expired:
            self._expired[gone] = row.number
            self._rows.dropped(gone)
        self._unsettled.append((row.offset, row.number))
        metrics.DECIDED.labels(self.number, row.decision.relation).inc()
        metrics.EXPIRED.labels(self.number).inc(len(done.expired))
        self._count()
        return Work(
            tombstones=tombstones, key=row_key(self.number, row.input_id), row=encode(row), revisions=done.revisions
        )

    def _settle(self, committed: int | None) -> None:
        while self._unsettled and committed is not None and self._unsettled[0][0] < committed:
            self._settled = self._unsettled.popleft()[1]

    def _tombstones(self) -> tuple[bytes, ...]:
        """Keys whose rows no restart can need any more: they left the window `MARGIN` committed rows ago."""
        due: list[str] = []
        for input_id, number in self._expired.items():
            if len(due) == TOMBSTONES_PER_RECORD or number > self._settled - MARGIN:
                break
            due.append(input_id)
        for input_id in due:
            del self._expired[input_id]
        return tuple(row_key(self.number, input_id) for input_id in due)

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
