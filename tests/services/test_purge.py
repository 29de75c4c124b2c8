"""An erased text leaves a row that still says what was decided, and a state that goes on."""

from __future__ import annotations

import pytest

from services.contract.access import READS, WRITES, commands, rights
from services.contract.codec import decode, encode
from services.contract.topics import TOPICS
from services.core.article import Command
from services.core.grouping.row import Row
from services.core.grouping.state import State
from services.core.grouping.story import step
from services.local import MemoryRows
from services.runtime.purge import emptied
from tests.builders import BUDGET, FERRY, HARVEST, UPDATED_FERRY, at, make, run

DAY = [
    make("ferry", FERRY, version="1", headline="Ferry burns off Tarmouth", version_created=at("07:00")),
    make("copy", FERRY, provider="tidende", version_created=at("07:05")),
    make("budget", BUDGET, version_created=at("07:10")),
    make("ferry", UPDATED_FERRY, version="2", headline="Ferry burns off Tarmouth", version_created=at("08:00")),
]


def test_nothing_of_the_text_is_left_in_a_row():
    _, outcomes = run(DAY)
    for outcome in (outcomes[0], outcomes[3]):
        bare = emptied(outcome.step.row)
        written = encode(bare)
        for word in (b"Sanna", b"Tarmouth", b"Renk", b"sanna", b"tarmouth"):
            assert word not in written
        assert decode(written, Row) == bare
        assert (bare.number, bare.decision, bare.revisions) == (
            outcome.step.row.number, outcome.step.row.decision, outcome.step.row.revisions,
        )  # fmt: skip


def test_a_command_has_no_text_to_take_out():
    _, outcomes = run([*DAY, Command(command="pin", id="c", by="desk", at=at("09:00"))])
    assert emptied(outcomes[-1].step.row) == outcomes[-1].step.row


@pytest.mark.parametrize("gone", [{"ferry"}, {"copy"}, {"ferry", "copy"}, {"ferry", "copy", "budget"}])
def test_a_state_of_emptied_rows_takes_what_comes_next(gone):
    """Updates, copies, a kill and a resend of what was erased."""
    _, outcomes = run(DAY)
    state, rows = State(), MemoryRows()
    for outcome in outcomes:
        row = outcome.step.row
        assert row.article is not None
        kept = emptied(row) if row.article.uri in gone else row
        state.fold(kept)
        rows.put(kept)
    later = [
        make("ferry", (*UPDATED_FERRY, "The line will run again on Friday."), version="3", version_created=at("10:00")),
        make("third", UPDATED_FERRY, provider="posten", version_created=at("10:05")),
        make("harvest", HARVEST, version_created=at("10:10")),
        make("ferry", (), version="4", update_kind="kill", pub_status="canceled", version_created=at("11:00")),
        DAY[0],
    ]
    for offset, article in enumerate(later, 100):
        done = step(state, article, offset=offset, rows=rows)
        if not done.redelivered:
            rows.put(done.row)
            assert done.revisions or not done.row.decision.story


def test_every_topic_of_the_four_services_has_its_reader_and_its_writer():
    """Rights are those that the topics declare."""
    for topic in TOPICS:
        for service in ("publisher", "grouper", "emitter"):
            assert (service in topic.writers) == (topic in WRITES[service]), (service, topic.name)
            assert (service in topic.readers) == (topic in READS[service]), (service, topic.name)


def test_rights_carry_the_prefix_and_no_more_than_is_needed():
    assert {right.name for right in rights("reader", "p.")} == {"p.story.events"}
    assert not any("Write" in right.operations for right in rights("reader", ""))
    (ids,) = [line for line in commands("emitter", "p.", "k:9092") if "transactional-id" in line]
    assert ids.endswith("--transactional-id p.emitter- --resource-pattern-type prefixed")
