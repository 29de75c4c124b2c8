"""A grouper that dies at any moment, on any machine, and begins again gives what an undisturbed one gives."""

from __future__ import annotations

from collections.abc import Iterator
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.contract.codec import encode
from services.core.article import Article
from services.core.errors import BrokenLog
from services.core.grouping.state import Window
from services.core.identity import stamp
from services.grouper.edition import Edition, heads
from services.grouper.recovery import MARGIN, Plan, RowHead, plan
from tests.builders import BUDGET, CLOCK, FERRY, HARVEST, UPDATED_FERRY, make, run

SMALL = Window(articles=6)


class Store(dict):
    """The table's bytes, as RocksDB or a changelog that was read to its end."""


class Broker:
    """What Kafka keeps of a grouper's life: the changelog, the revisions it took, and the committed offset."""

    def __init__(self, log: list[bytes]) -> None:
        self.log = log
        self.rows = Store()
        self.revisions: list[bytes] = []
        self.committed: int | None = None

    def live(self, until: int, acknowledged: int, *, lost_sends: int = 0) -> None:
        """One life: begin from what is kept, decide up to `until`, die with everything up to `acknowledged` committed.

        `lost_sends`: of the last records before death the row was written, and nothing else left the machine.
        """
        begun = self.committed is not None
        way = plan(
            heads(self.rows.values()), self.committed, 1 if begun else 0
        )  # the log's beginning is gone: no way round
        if way.begin is not None:
            self.committed = way.begin
        edition = Edition(0, self.rows, window=SMALL)
        edition.recover(way)
        start = self.committed or 0
        committed = self.committed
        for offset in range(start, until):
            work = edition.take(self.log[offset], offset=offset, at=CLOCK, committed=committed)
            for key in work.tombstones:
                self.rows.pop(key, None)
            if work.key is not None:
                assert not (work.again and self.rows[work.key] != work.row), "a row was written again with other bytes"
                self.rows[work.key] = work.row
            if offset < until - lost_sends:
                self.revisions += [encode(revision) for revision in work.revisions]
            if offset < acknowledged:
                committed = offset + 1
        self.committed = committed


def articles(choices: list[int]) -> list[Article]:
    """A log of a few stories, their updates, and inputs that come twice or again long after."""
    bodies = [FERRY, UPDATED_FERRY, BUDGET, HARVEST, BUDGET[:2], (*HARVEST, "The union will meet again on Friday.")]
    uris = ["ferry", "ferry", "budget", "harvest", "budget", "harvest"]
    return [
        stamp(
            make(uris[choice], bodies[choice], version=str(1 + choice // 4 + number % 3), headline=f"{uris[choice]} {choice}"),
            previous=None, clock=CLOCK,
        )
        for number, choice in enumerate(choices)
    ]  # fmt: skip


def undisturbed(log: list[Article]) -> list[bytes]:
    _, outcomes = run(log, window=SMALL)
    return [encode(revision) for outcome in outcomes for revision in outcome.step.revisions]


lives = st.lists(st.tuples(st.integers(1, 40), st.integers(0, 12), st.integers(0, 6)), max_size=5)


@patch("services.grouper.edition.MARGIN", 14)  # as more than what is in flight here, so that tombstones are sent too
@patch("services.grouper.recovery.MARGIN", 14)
@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(0, 5), min_size=30, max_size=60), lives)
def test_state_lost_after_a_restart(choices: list[int], deaths: list[tuple[int, int, int]]):
    log = articles(choices)
    broker = Broker([encode(article) for article in log])
    done = 0
    for further, unacknowledged, lost in deaths:
        until = min(len(log), max(done, broker.committed or 0) + further)
        acknowledged = max(broker.committed or 0, until - unacknowledged)
        broker.live(until, acknowledged, lost_sends=min(lost, until - acknowledged))
        done = until
    broker.live(len(log), len(log))
    assert list(dict.fromkeys(broker.revisions)) == undisturbed(log)
    _, outcomes = run(log, window=SMALL)
    assert {
        key: value for key, value in broker.rows.items() if value in {encode(o.step.row) for o in outcomes}
    } == broker.rows


def window(numbers: range, start: int = 0) -> Iterator[RowHead]:
    return (RowHead(input_id=f"i{n}", offset=10 + n, number=n, window_start=max(0, start)) for n in numbers)


def test_nothing_stored_and_nothing_committed_begins_at_the_beginning():
    assert plan([], None, 0) == Plan()


def test_rows_up_to_the_committed_offset_are_folded_and_the_rest_waits():
    way = plan(window(range(20)), committed=25, log_start=0)
    assert [head.number for head in way.fold] == list(range(15))
    assert way.begin is None


def test_a_recovery_that_came_back_short_reads_the_log_again():
    way = plan(window(range(300)), committed=10_000, log_start=0)
    assert way.begin == 10 + 299 - MARGIN
    assert [head.number for head in way.fold] == list(range(299 - MARGIN))


def test_a_hole_in_the_rows_is_decided_again():
    rows = [head for head in window(range(400)) if head.number != 350]
    way = plan(rows, committed=410, log_start=0)
    assert way.begin == 10 + 349 - MARGIN
    assert way.fold[-1].number == 349 - MARGIN - 1


def test_rows_that_left_the_window_are_named_for_their_tombstones():
    way = plan(window(range(30), start=12), committed=40, log_start=0)
    assert [head.number for head in way.expired] == list(range(12))
    assert [head.number for head in way.fold] == list(range(12, 30))


def test_a_lost_table_is_made_again_from_a_log_that_is_whole():
    assert plan([], committed=500, log_start=0).begin == 0


@pytest.mark.parametrize("rows", [[], list(window(range(50, 60), start=40))])
def test_a_lost_table_is_refused_where_the_log_has_lost_its_beginning_too(rows):
    with pytest.raises(BrokenLog, match="begins at offset 7"):
        plan(rows, committed=500, log_start=7)


def test_a_log_of_rejects_alone_whose_beginning_has_expired_is_begun_where_it_was_left():
    """No row was ever written, so none is missing; where the changelog has had rows, they are."""
    assert plan([], 90, 40, ever_written=False) == Plan()
    with pytest.raises(BrokenLog, match="cannot be made again"):
        plan([], 90, 40)
    assert plan([], 90, 0, ever_written=False).begin == 0  # all of the log is there: decided again, to the same end
