"""Decisions and events over whole logs: what the wire does to a story, and the rules of order, time and identity."""

from __future__ import annotations

from collections import deque
from dataclasses import fields
from datetime import timedelta

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from services.contract.codec import decode, encode
from services.core.article import Article, Command, Paragraph
from services.core.decision import ENGINE_VERSION
from services.core.errors import BrokenLog
from services.core.events import event_kind
from services.core.grouping.row import Row
from services.core.grouping.state import State, Window
from services.core.grouping.story import step, step_again
from services.core.wire.limits import DEFAULT
from services.local import Pipeline
from tests.builders import BUDGET, CLOCK, FERRY, HARVEST, UPDATED_FERRY, at, events, kinds, make, run


def decisions(outcomes):
    return [outcome.step.row.decision for outcome in outcomes]


class TestLineage:
    def test_a_story_is_created_then_updated(self):
        _, outcomes = run([
            make(version="1", version_created=at("07:00")),
            make(version="2", version_created=at("07:30"), body=UPDATED_FERRY),
        ])  # fmt: skip
        assert kinds(outcomes) == ["created", "updated"]
        first, second = decisions(outcomes)
        assert second.story == first.story
        assert (second.relation, second.predecessor) == ("new_version", outcomes[0].step.row.input_id)

    def test_4_an_update_under_a_new_identifier_is_no_new_story(self):
        _, outcomes = run([make("a"), make("b", UPDATED_FERRY)])
        assert kinds(outcomes) == ["created", "updated"]

    def test_17_an_update_with_a_new_headline_and_a_new_id_follows_its_slug(self):
        _, outcomes = run([
            make("a", FERRY[:1], headline="Ferry burns off Tarmouth", slugline="FERRY-FIRE/"),
            make("b", ["Owners said the engines were serviced in May.", "Shares fell."], headline="Sanna Lind owner speaks",
                 slugline="FERRY-FIRE/ (UPDATE 1)", update_kind="update", update_number=1),
        ])  # fmt: skip
        assert [d.relation for d in decisions(outcomes)] == ["new_story", "new_version"]
        assert len({d.story for d in decisions(outcomes)}) == 1

    def test_5_an_update_names_what_it_supersedes(self):
        _, outcomes = run([make("a"), make("b", HARVEST, supersedes="a")])
        assert decisions(outcomes)[1].predecessor == outcomes[0].step.row.input_id

    def test_13_a_repeat_with_only_a_newer_date_joins(self):
        _, outcomes = run([
            make(version="1", version_created=at("07:00")), make(version="2", version_created=at("09:00")),
        ])  # fmt: skip
        assert kinds(outcomes) == ["created", "joined"]
        assert decisions(outcomes)[1].action == "resend"

    def test_22_typography_alone_is_a_resend(self):
        dressed = [text.replace("-", "–").replace("'", "’") + " " for text in FERRY]
        _, outcomes = run([make(version="1"), make(version="2", body=dressed)])
        assert kinds(outcomes) == ["created", "joined"]

    def test_23_one_changed_number_is_an_update_however_alike_the_rest(self):
        _, outcomes = run([make(version="1"), make(version="2", body=(FERRY[0].replace("12", "1.2"), *FERRY[1:]))])
        assert kinds(outcomes) == ["created", "updated"]

    @pytest.mark.parametrize("word", ["not killed", "injured"])
    def test_one_changed_word_in_a_copy_elsewhere_is_seen(self, word):
        """An altered statement may be a joined copy to the grouper, but the event's change must say it."""
        _, outcomes = run([make("a"), make("b", (FERRY[0].replace("killed", word), *FERRY[1:]), provider="tidende")])
        change = events(outcomes)[1].data.change
        assert change is not None
        assert [entry.after[0].index for entry in change.paragraphs] == [0]

    def test_2_a_late_item_never_regresses_the_story(self):
        _, outcomes = run([
            make(version="2", version_created=at("08:00"), headline="Fifteen dead", body=UPDATED_FERRY),
            make(version="1", version_created=at("07:00"), headline="Twelve dead"),
        ])  # fmt: skip
        assert kinds(outcomes) == ["created", "joined"]
        late = events(outcomes)[1].data
        assert late.decision.late
        assert late.story.headline == "Fifteen dead"

    def test_65_replayed_in_reverse_the_late_item_is_marked(self):
        _, outcomes = run([
            make("b", UPDATED_FERRY, version_created=at("08:00")), make("a", FERRY, version_created=at("07:00")),
        ])  # fmt: skip
        assert kinds(outcomes) == ["created", "joined"]
        assert [d.late for d in decisions(outcomes)] == [False, True]
        assert len({d.story for d in decisions(outcomes)}) == 1

    def test_an_update_after_a_late_item_hangs_on_the_newest_version(self):
        _, outcomes = run([
            make(version="2", version_created=at("08:00")), make(version="1", body=FERRY[:2], version_created=at("07:00")),
            make(version="3", body=UPDATED_FERRY, version_created=at("09:00")),
        ])  # fmt: skip
        assert decisions(outcomes)[2].predecessor == outcomes[0].step.row.input_id

    def test_54_copies_elsewhere_say_what_they_copy_and_count_as_one_outlet(self):
        _, outcomes = run([
            make("a"), make("x", FERRY[:3], provider="tidende"), make("a", UPDATED_FERRY, version="2"),
            make("y", FERRY, provider="havn-avis"),
        ])  # fmt: skip
        assert kinds(outcomes) == ["created", "joined", "updated", "joined"]
        trimmed, late_copy = decisions(outcomes)[1], decisions(outcomes)[3]
        assert (trimmed.relation, trimmed.copy_of.kind) == ("copy", "trimmed")
        assert (late_copy.copy_of.kind, late_copy.copy_of.since) == ("exact", "overtaken")
        assert events(outcomes)[3].data.story.outlets == 1

    def test_75_a_copy_that_still_runs_what_was_corrected_says_so(self):
        _, outcomes = run([
            make("a", version="1"), make("a", UPDATED_FERRY, version="2", update_kind="correction"), make("x", provider="tidende"),
        ])  # fmt: skip
        assert kinds(outcomes) == ["created", "corrected", "joined"]
        assert decisions(outcomes)[2].copy_of.since == "corrected"

    @pytest.mark.parametrize(
        ("first", "second"),
        [("President resigns", "Mayor resigns"), ("12 dead on ferry", "12 dead in blast at plant"),
         ("Kort wins election", "Kort wins court case")],
    )  # fmt: skip
    def test_51_a_flash_does_not_swallow_another_flash(self, first, second):
        _, outcomes = run([make("a", (), headline=first), make("b", (), headline=second, provider="tidende")])
        assert kinds(outcomes) == ["created", "created"]

    def test_51_a_flash_and_its_story_are_one(self):
        _, outcomes = run([
            make("a", (), headline="Ferry Sanna Lind on fire in Vesk strait"), make("b", FERRY, headline="Ferry fire kills 12"),
        ])  # fmt: skip
        assert len({d.story for d in decisions(outcomes)}) == 1

    def test_unrelated_stories_stay_apart(self):
        _, outcomes = run([make("a"), make("b", BUDGET), make("c", HARVEST)])
        assert kinds(outcomes) == ["created"] * 3


class TestCorrections:
    def test_6_a_correction_sent_twice_is_refused_no_time(self):
        corrected = {"body": UPDATED_FERRY, "update_kind": "correction"}
        _, outcomes = run([make(version="1"), make(version="2", **corrected), make(version="3", **corrected)])
        assert kinds(outcomes) == ["created", "corrected", "corrected"]

    def test_11_first_sight_is_a_correction(self):
        _, outcomes = run([make(version="2", update_kind="correction")])
        (event,) = events(outcomes)
        assert event_kind(event) == "corrected"
        assert event.data.correction.target == "unseen"

    def test_42_a_notice_is_no_predecessor_and_what_it_leaves_out_stands(self):
        notice = make(
            "n", [('In the story headlined "Ferry burns off Tarmouth" please read in the first paragraph … 15 people were '
                  "killed … correcting the toll.")], headline="CORRECTION - Ferry", update_kind="correction",
        )  # fmt: skip
        _, outcomes = run(
            [make("a", headline="Ferry burns off Tarmouth"), notice, make("a", UPDATED_FERRY, version="2")]
        )
        assert kinds(outcomes) == ["created", "corrected", "updated"]
        first, second, third = decisions(outcomes)
        assert (second.relation, second.story) == ("notice", first.story)
        assert third.predecessor == outcomes[0].step.row.input_id
        change = events(outcomes)[1].data.change
        assert not [entry for entry in change.paragraphs if entry.op == "removed"]


class TestEndings:
    def test_a_kill_withdraws_its_item_and_names_who_still_runs_it(self):
        _, outcomes = run([
            make("a"), make("x", provider="tidende", outlet="Tidende Nett"), make("a", (), version="2", pub_status="canceled"),
        ])  # fmt: skip
        assert kinds(outcomes) == ["created", "joined", "withdrawn"]
        killed = events(outcomes)[2].data
        assert (killed.withdrawal.scope, killed.withdrawal.target, killed.story.status) == (
            "story",
            "seen",
            "withdrawn",
        )
        assert [recall.outlet for recall in killed.withdrawal.recalls] == ["Tidende Nett"]

    def test_70_a_kill_carries_no_killed_text(self):
        _, outcomes = run([make("a"), make("a", version="2", pub_status="canceled")])
        killed = events(outcomes)[1]
        assert killed.data.version.paragraphs == ()
        assert FERRY[0] not in encode(killed).decode()

    def test_69_a_kill_whose_slug_fits_several_items_ends_none(self):
        _, outcomes = run([
            make("a", slugline="NORTH/"), make("b", BUDGET, slugline="NORTH/"),
            make("k", (), slugline="NORTH/", update_kind="kill"),
        ])  # fmt: skip
        event = events(outcomes)[2]
        assert event_kind(event) == "withdrawn"
        assert event.data.withdrawal.target == "unresolved"
        assert event.data.story.status == "live"

    def test_1_a_kill_by_slug_does_not_reach_last_weeks_story(self):
        _, outcomes = run([
            make("a", slugline="NORTH/", version_created="2026-03-02T07:00:00Z"),
            make("k", (), slugline="NORTH/", update_kind="kill", version_created="2026-03-11T07:00:00Z"),
        ])  # fmt: skip
        assert kinds(outcomes) == ["created"]
        assert decisions(outcomes)[1].target == "unseen"

    def test_a_kill_that_quotes_the_headline_finds_its_item(self):
        _, outcomes = run([
            make("a", headline="Ferry burns off Tarmouth"), make("b", BUDGET, headline="Budget passes"),
            make("k", ['Kill the story headlined "Ferry burns off Tarmouth". It is wrong.'], update_kind="kill"),
        ])  # fmt: skip
        assert kinds(outcomes)[2] == "withdrawn"
        assert events(outcomes)[2].data.story.status == "withdrawn"
        assert decisions(outcomes)[2].story == decisions(outcomes)[0].story

    def test_a_story_is_withdrawn_only_when_no_live_lineage_remains(self):
        _, outcomes = run([
            make("a"), make("b", [*UPDATED_FERRY[:1], *HARVEST], evolved_from="a"), make("a", (), version="2", update_kind="kill"),
        ])  # fmt: skip
        killed = events(outcomes)[2].data
        assert (killed.withdrawal.scope, killed.story.status) == ("item", "live")

    def test_20_withdrawn_wins_over_an_update_that_arrives_late(self):
        _, outcomes = run([
            make(version="1", version_created=at("07:00")),
            make(body=(), version="3", version_created=at("09:00"), update_kind="kill"),
            make(version="2", version_created=at("08:00"), body=UPDATED_FERRY),
        ])  # fmt: skip
        assert kinds(outcomes) == ["created", "withdrawn", "joined"]
        assert events(outcomes)[2].data.story.status == "withdrawn"

    def test_12_hold_then_release(self):
        _, outcomes = run([
            make(version="1"), make(body=(), version="2", update_kind="hold"), make(version="3", update_kind="release"),
        ])  # fmt: skip
        assert kinds(outcomes) == ["created", "held", "released"]
        assert [event.data.story.status for event in events(outcomes)] == ["live", "held", "live"]

    def test_a_kill_before_its_target_waits_and_the_text_never_goes_out(self):
        pipeline, outcomes = run([make(body=(), update_kind="kill"), make(version="1")])
        assert decisions(outcomes)[0].story is None
        assert kinds(outcomes) == ["withdrawn"]
        event = events(outcomes)[0]
        assert (event.data.withdrawal.target, event.data.story.status) == ("seen", "withdrawn")
        assert event.data.version.input == outcomes[0].step.row.input_id
        assert not pipeline.state.waiting

    def test_a_kill_that_waited_in_vain_founds_a_story_of_its_own(self):
        pipeline, outcomes = run([
            make("gone", (), update_kind="kill", version_created="2026-03-11T07:00:00Z"),
            make("b", BUDGET, version_created="2026-03-13T07:00:00Z"),
            make("gone", FERRY, version_created="2026-03-13T08:00:00Z"),
        ])  # fmt: skip
        assert kinds(outcomes) == ["created", "withdrawn", "updated"]  # newer than its kill: back, in the kill's story
        assert events(outcomes)[1].data.withdrawal.target == "unseen"
        assert not pipeline.state.waiting


WORDS = {word for text in (*FERRY, *UPDATED_FERRY) for word in text.split() if len(word) > 7}


def leaked(outcomes, after):
    """Long words of the ferry story in any event from the one numbered `after` on."""
    return [word for event in events(outcomes)[after:] for word in WORDS if word in encode(event).decode()]


class TestKilledTextStaysIn:
    """Found by trying: every way in which a killed text came out again."""

    @pytest.mark.parametrize("order", [("1", "2"), ("2", "1")])
    def test_8_all_versions_that_a_kill_came_before(self, order):
        _, outcomes = run([
            make(body=(), version="3", update_kind="kill"),
            *(make(version=v, body=UPDATED_FERRY if v == "2" else FERRY, headline="Ferry burns") for v in order),
        ])  # fmt: skip
        assert kinds(outcomes) == ["withdrawn", "joined"]
        assert leaked(outcomes, 0) == []
        assert {event.data.story.status for event in events(outcomes)} == {"withdrawn"}

    def test_a_late_version_of_a_killed_item(self):
        _, outcomes = run(
            [make(version="1"), make(body=(), version="3", update_kind="kill"), make(version="2", body=UPDATED_FERRY)]
        )
        assert kinds(outcomes) == ["created", "withdrawn", "joined"]
        assert leaked(outcomes, 1) == []

    def test_the_rewrite_after_a_kill_is_not_redlined_against_it(self):
        _, outcomes = run([
            make(version="1", headline="Ferry Sanna burns"), make(body=(), version="2", update_kind="kill"),
            make(version="3", body=BUDGET, headline="Correction of the day"),
        ])  # fmt: skip
        assert kinds(outcomes) == ["created", "withdrawn", "updated"]
        assert leaked(outcomes, 1) == []
        assert "Sanna" not in "".join(encode(e).decode() for e in events(outcomes)[1:])
        assert events(outcomes)[2].data.story.status == "live"

    def test_a_copy_of_what_was_killed_joins_without_the_text(self):
        _, outcomes = run([make("a"), make("a", (), version="2", update_kind="kill"), make("x", provider="tidende")])
        assert kinds(outcomes)[2] == "joined"
        assert events(outcomes)[2].data.decision.copy_of.since == "withdrawn"
        assert leaked(outcomes, 1) == []

    def test_a_kills_own_headline_is_killed_text_when_it_repeats_it(self):
        _, outcomes = run(
            [
                make(headline="Ferry Sanna burns"),
                make(body=(), headline="Ferry Sanna burns", version="2", update_kind="kill"),
            ]
        )
        assert "Sanna" not in encode(events(outcomes)[1]).decode()

    def test_the_headline_goes_back_to_the_text_that_still_stands(self):
        _, outcomes = run([
            make("a", headline="Ferry burns"), make("b", UPDATED_FERRY, headline="UPDATE 1-Ferry sinks", supersedes="a"),
            make("b", (), version="2", update_kind="kill"),
        ])  # fmt: skip
        assert events(outcomes)[2].data.story.headline == "Ferry burns"

    def test_46_a_version_newer_than_its_kill_goes_out_in_either_order(self):
        kill, rewrite = make(body=(), version="2", update_kind="kill"), make(version="3", body=UPDATED_FERRY)
        _, after = run([make(version="1"), kill, rewrite])
        _, before = run([kill, rewrite])
        assert kinds(after) == ["created", "withdrawn", "updated"]
        assert kinds(before) == ["withdrawn", "created"]
        assert events(before)[1].data.story.status == "live"


def test_a_release_that_waits_does_not_hide_the_kill_that_waits():
    _, outcomes = run(
        [
            make(body=(), version="1", update_kind="release"),
            make(body=(), version="3", update_kind="kill"),
            make(version="2"),
        ]
    )
    assert kinds(outcomes) == ["withdrawn"]
    assert leaked(outcomes, 0) == []


class TestHolds:
    def test_text_sent_on_hold_is_not_published_and_its_usable_version_is(self):
        _, outcomes = run([make(version="1", pub_status="withheld"), make(version="2", pub_status="usable")])
        assert kinds(outcomes) == ["held", "updated"]
        assert events(outcomes)[0].data.version.paragraphs == ()
        assert [p.text for p in events(outcomes)[1].data.version.paragraphs] == list(FERRY)
        assert events(outcomes)[1].data.story.status == "live"

    def test_12_a_release_without_copy_lets_out_what_was_held(self):
        _, outcomes = run([make(version="1", pub_status="withheld", headline="Ferry burns"),
                           make(body=(), version="2", headline="RELEASE", update_kind="release")])  # fmt: skip
        released = events(outcomes)[1]
        assert event_kind(released) == "released"
        assert (released.data.version.headline, released.data.story.status) == ("Ferry burns", "live")
        assert [p.text for p in released.data.version.paragraphs] == list(FERRY)

    def test_a_release_of_nothing_is_no_story(self):
        _, outcomes = run([make(body=(), headline="RELEASE", update_kind="release")])
        assert kinds(outcomes) == []

    def test_a_hold_that_arrives_after_its_release_holds_nothing(self):
        _, outcomes = run([
            make(version="1", version_created=at("07:00")), make(version="3", version_created=at("09:00"), update_kind="release"),
            make(body=(), version="2", version_created=at("08:00"), update_kind="hold"),
        ])  # fmt: skip
        assert kinds(outcomes) == ["created", "released", "joined"]
        assert events(outcomes)[2].data.story.status == "live"

    def test_7_a_longer_embargo_on_the_same_words_is_no_resend(self):
        _, outcomes = run([make(version="1", embargoed=at("12:00")), make(version="2", embargoed=at("18:00"))])
        assert kinds(outcomes) == ["created", "updated"]
        assert events(outcomes)[1].data.story.embargoed_until == at("18:00")

    def test_a_release_ends_the_embargo(self):
        _, outcomes = run([make(version="1", embargoed=at("12:00")), make(version="2", update_kind="release")])
        assert events(outcomes)[1].data.story.embargoed_until is None


class TestCopiesStayCopies:
    def test_75_a_copys_own_next_version_does_not_drag_the_story_back(self):
        _, outcomes = run([
            make("a", headline="Ferry burns, 12 dead"), make("x", provider="tidende", headline="Ferry burns, 12 dead"),
            make("a", UPDATED_FERRY, version="2", headline="Ferry burns, 15 dead"),
            make("x", (*FERRY[:3],), provider="tidende", version="2", headline="Ferry burns, 12 dead"),
        ])  # fmt: skip
        last = events(outcomes)[3]
        assert event_kind(last) == "joined"
        assert (last.data.story.headline, last.data.story.outlets) == ("Ferry burns, 15 dead", 1)

    def test_a_copy_of_a_copy_names_the_original_and_not_its_flash(self):
        flash = (FERRY[0],)
        _, outcomes = run([
            make("f", flash), make("a", (*FERRY, "The owners have not spoken.")),
            make("x", FERRY, provider="tidende"), make("y", FERRY[:3], provider="kyst"),
        ])  # fmt: skip
        original = outcomes[1].step.row.input_id
        assert [d.copy_of.input for d in decisions(outcomes)[2:]] == [original, original]

    def test_a_copy_that_takes_a_correction_over_does_not_ring_again(self):
        corrected = (FERRY[0].replace("12 people", "13 people"), *FERRY[1:])
        _, outcomes = run([
            make("a"), make("x", provider="tidende"), make("a", corrected, version="2", update_kind="correction"),
            make("x", corrected, provider="tidende", version="2"),
        ])  # fmt: skip
        assert kinds(outcomes) == ["created", "joined", "corrected", "joined"]
        assert events(outcomes)[3].data.story.outlets == 1


def test_a_roundup_never_rings_whatever_its_version():
    _, outcomes = run([
        make("w", FERRY, update_kind="wrapup", urgency="1"), make("w", UPDATED_FERRY, version="2", update_kind="wrapup", urgency="1"),
    ])  # fmt: skip
    assert kinds(outcomes) == ["created", "updated"]
    assert [event.data.change.push.yes for event in events(outcomes)] == [False, False]


RESERVES = (
    "The central bank of Quern entered the market to arrange 1.5 billion crowns of repurchase agreements, it said.",
    "Dealers said funds were trading at 6.19 pct when the bank began its temporary supply of reserves.",
)
DAY_AFTER = (RESERVES[0], RESERVES[1].replace("6.19", "6.25"))


class TestSeries:
    def test_52_the_next_days_template_is_a_story_of_its_own_and_linked(self):
        _, outcomes = run([
            make("a", RESERVES, headline="Quern bank adds reserves", version_created="2026-03-02T11:44:00Z"),
            make("b", DAY_AFTER, headline="Quern bank adds reserves", version_created="2026-03-03T11:45:00Z"),
            make("c", RESERVES, headline="Quern bank adds reserves", version_created="2026-03-04T11:44:30Z"),
        ])  # fmt: skip
        first, second, third = decisions(outcomes)
        assert (second.relation, second.story != first.story) == ("new_story", True)
        assert second.series is not None
        assert second.series.previous_instance == outcomes[0].step.row.input_id
        assert third.story == first.story  # word for word: run again

    @pytest.mark.parametrize(
        "said",
        [{"update_kind": "correction"}, {"update_kind": "update", "update_number": 2}, {"evolved_from": "a"}],
    )
    def test_what_says_that_it_follows_an_item_follows_it_the_next_day_too(self, said):
        _, outcomes = run([
            make("a", RESERVES, headline="Quern bank adds reserves", version_created="2026-03-02T11:44:00Z"),
            make("b", DAY_AFTER, headline="Quern bank adds reserves", version_created="2026-03-03T11:45:00Z", **said),
        ])  # fmt: skip
        assert decisions(outcomes)[1].predecessor == outcomes[0].step.row.input_id

    def test_the_same_words_at_another_agency_are_no_series(self):
        _, outcomes = run([
            make("a", RESERVES, headline="Quern bank adds reserves", version_created="2026-03-02T11:44:00Z"),
            make("x", DAY_AFTER, provider="tidende", headline="Quern bank adds reserves",
                 version_created="2026-03-03T11:45:00Z"),
        ])  # fmt: skip
        assert len({d.story for d in decisions(outcomes)}) == 1


def test_48_a_row_past_the_window_is_no_candidate_while_it_waits_to_leave():
    crowd = [
        make(f"n{n}", [f"Note {n} on the {word} of Pell."], version_created="2026-03-01T08:00:00Z")
        for n, word in enumerate(
            ["harbour", "market", "orchard", "chapel", "tannery", "bridge", "mill", "ferry", "school"]
        )
    ]
    old = make("a", version_created="2026-03-01T09:00:00Z", headline="Ferry burns off Tarmouth")
    late = make("x", UPDATED_FERRY, provider="tidende", version_created="2026-03-16T09:00:00Z", headline="Ferry burns")
    pipeline, outcomes = run([*crowd, old, late])
    assert outcomes[-2].step.row.input_id in pipeline.state.inputs  # four rows leave with one that comes
    assert decisions(outcomes)[-1].relation == "new_story"


class TestCommands:
    def command(self, name, **what):
        return Command(command=name, id=f"cmd-{name}", by="desk", at=at("10:00"), **what)

    def two_stories(self):
        pipeline, outcomes = run([make("a"), make("b", BUDGET)])
        return pipeline, [outcome.step.row.decision.story for outcome in outcomes], outcomes

    def test_an_editor_merges_two_stories(self):
        pipeline, (one, two), _ = self.two_stories()
        merged = pipeline.feed(self.command("merge", stories=(one, two)))
        assert [(event_kind(e), e.subject) for e in merged.events()] == [("merged", one), ("merged", two)]
        first = next(merged.events())
        assert first.data.merged.members == (two,)
        assert first.data.merged.by == "desk"
        after = pipeline.feed(make("b", (*BUDGET, "A ruling is due in May."), version="2"))
        assert after.step.row.decision.story == one
        assert pipeline.state.final(two) == one

    def test_an_editor_splits_an_article_off(self):
        pipeline, outcomes = run([make("a"), make("b", HARVEST, evolved_from="a")])
        story = outcomes[0].step.row.decision.story
        split = pipeline.feed(self.command("split", inputs=(outcomes[1].step.row.input_id,)))
        assert [event_kind(e) for e in split.events()] == ["split", "split"]
        after = pipeline.feed(make("b", (*HARVEST, "Rain is forecast."), version="2"))
        assert after.step.row.decision.story == list(split.events())[1].subject != story

    def test_a_pin_puts_an_article_where_the_editor_says(self):
        pipeline, (one, two), outcomes = self.two_stories()
        pipeline.feed(self.command("pin", stories=(one,), inputs=(outcomes[1].step.row.input_id,)))
        after = pipeline.feed(make("b", (*BUDGET, "A ruling is due in May."), version="2"))
        assert after.step.row.decision.story == one
        assert two not in pipeline.state.stories

    def test_a_merge_into_a_withdrawn_story_brings_it_back(self):
        pipeline, outcomes = run(
            [make("a"), make("a", (), version="2", update_kind="kill"), make("b", BUDGET, headline="Budget")]
        )
        one, two = (outcomes[n].step.row.decision.story for n in (0, 2))
        merged = next(pipeline.feed(self.command("merge", stories=(one, two))).events())
        assert (merged.data.story.status, merged.data.story.headline) == ("live", "Budget")

    def test_a_split_gives_each_story_its_own_headline_counts_and_status(self):
        pipeline, outcomes = run([
            make("a", headline="Ferry"), make("b", HARVEST, supersedes="a", headline="Harvest", provider="nordwire"),
            make("b", (), version="2", update_kind="kill"),
        ])  # fmt: skip
        split = pipeline.feed(self.command("split", inputs=(outcomes[1].step.row.input_id,)))
        old, new = (event.data.story for event in split.events())
        assert (old.headline, old.status, old.articles) == ("Ferry", "live", 1)
        assert (new.headline, new.status, new.articles) == (None, "withdrawn", 2)

    def test_a_split_that_would_empty_the_story_has_no_effect(self):
        pipeline, outcomes = run([make("a"), make("b", HARVEST, supersedes="a")])
        pipeline.feed(self.command("split", inputs=(outcomes[1].step.row.input_id,)))
        again = Command(command="split", id="cmd-2", by="desk", at=at("10:05"), inputs=(outcomes[0].step.row.input_id,))
        assert list(pipeline.feed(again).events()) == []

    def test_a_pin_counts_what_it_gathers(self):
        pipeline, (one, _), outcomes = self.two_stories()
        pinned = pipeline.feed(self.command("pin", stories=(one,), inputs=(outcomes[1].step.row.input_id,)))
        assert next(pinned.events()).data.story.articles == 2

    @pytest.mark.parametrize("name", ["merge", "split", "pin"])
    def test_a_command_on_what_is_not_there_gets_its_row_and_changes_nothing(self, name):
        pipeline, _, _ = self.two_stories()
        outcome = pipeline.feed(self.command(name, stories=("no-such",), inputs=("nor-this",)))
        assert list(outcome.events()) == []
        assert outcome.step.row.decision.reason.startswith("no effect")
        assert pipeline.state.next_number == 3


class TestOrderTimeIdentity:
    def test_66_the_same_input_twice_yields_no_second_event(self):
        pipeline, outcomes = run([make(version="1"), make(version="2", body=UPDATED_FERRY), make(version="1")])
        assert outcomes[2].step.redelivered
        assert outcomes[2].step.row == outcomes[0].step.row
        assert pipeline.state.next_number == 2

    def test_sequences_are_contiguous_per_story_and_padded(self):
        _, outcomes = run([make(version="1"), make("b", BUDGET), make(version="2", body=UPDATED_FERRY)])
        assert [(e.data.story.sequence, e.sequence) for e in events(outcomes)] == [
            (1, "0000000001"), (1, "0000000001"), (2, "0000000002"),
        ]  # fmt: skip

    def test_time_is_left_out_when_its_zone_is_unknown(self):
        _, outcomes = run(
            [make("a", version_created="2026-03-11T07:00:00"), make("b", BUDGET, version_created=at("08:00"))]
        )
        first, second = (decode(encode(event), type(event)) for event in events(outcomes))
        assert first.time is msgspec.UNSET
        assert second.time == at("08:00")

    def test_before_the_first_stamp_recordedtime_is_left_out(self):
        _, outcomes = run([make("a")])
        assert b"recordedtime" not in encode(events(outcomes)[0])

    def test_73_an_item_dated_2099_moves_nothing(self):
        pipeline, _ = run(
            [make("a", version_created=at("07:00")), make("b", BUDGET, version_created="2099-01-01T00:00:00Z")]
        )
        assert pipeline.state.log_time == at("07:00")

    def test_an_operators_skip_is_a_row(self):
        pipeline = Pipeline(clock=CLOCK, skips={1: "poison"})
        outcomes = [pipeline.feed(a) for a in (make("a"), make("b", BUDGET), make("c", HARVEST))]
        skipped = outcomes[1].step.row
        assert (skipped.decision.relation, skipped.decision.reason, skipped.number) == ("skipped", "poison", 1)
        assert kinds(outcomes) == ["created", "created"]

    def test_a_row_of_a_newer_engine_ends_the_worker(self):
        _, outcomes = run([make()])
        newer = msgspec.structs.replace(outcomes[0].step.row, engine=ENGINE_VERSION + 1)
        with pytest.raises(BrokenLog, match="upgrade"):
            State().fold(newer)

    def test_a_gap_in_the_rows_ends_the_worker(self):
        _, outcomes = run([make("a"), make("b", BUDGET), make("c", HARVEST)])
        state = State()
        state.fold(outcomes[0].step.row)
        with pytest.raises(BrokenLog, match="follow"):
            state.fold(outcomes[2].step.row)

    def test_48_the_window_lets_go_by_count(self):
        pipeline, _ = run([make(str(n), [f"Number {n} of the day, said the harbour master."]) for n in range(20)],
                          window=Window(articles=5))  # fmt: skip
        assert pipeline.state.next_number - pipeline.state.window_start == 5
        assert len(pipeline.state.inputs) == len(pipeline.state.items) == len(list(pipeline.rows.in_order())) == 5

    def test_the_window_lets_go_by_log_time(self):
        pipeline, outcomes = run(
            [
                make("a", version_created="2026-03-01T07:00:00Z"),
                make("b", BUDGET, version_created="2026-03-02T07:00:01Z"),
            ],
            window=Window(age=timedelta(days=1)),
        )
        assert outcomes[1].step.expired == (outcomes[0].step.row.input_id,)
        assert list(pipeline.state.inputs) == [outcomes[1].step.row.input_id]


@pytest.mark.timeout(300)
def test_the_largest_rewrite_makes_an_event_under_the_topics_limit():
    def document(word):
        line = "{0} {1} reached the {0} of ward {2} by noon, said the {0} keeper, and all who were on the quay that day saw the {0} go by"
        return [line.format(word, n, n * 7) for n in range(DEFAULT.paragraphs)]

    assert 190 * 1024 < sum(map(len, document("barge"))) < DEFAULT.text

    _, outcomes = run([make(version="1", body=document("lorry")), make(version="2", body=document("barge"))])
    assert max(len(encode(event)) for event in events(outcomes)) < 1024 * 1024


# -- properties --------------------------------------------------------------------------------------------------------

_TEXTS = [FERRY, UPDATED_FERRY, FERRY[:2], BUDGET, (*BUDGET, "Talks go on."), HARVEST, HARVEST[:1], ()]
_articles = st.builds(
    make,
    uri=st.sampled_from(["a", "b", "c", "d"]),
    body=st.sampled_from(_TEXTS),
    provider=st.sampled_from(["nordwire", "tidende"]),
    headline=st.sampled_from([None, "Ferry burns off Tarmouth", "Budget passes"]),
    slugline=st.sampled_from([None, "FERRY-FIRE/", "BUDGET/"]),
    version=st.sampled_from([None, "1", "2", "3"]),
    version_created=st.sampled_from([None, at("07:00"), at("09:30"), "2026-03-13T12:00:00Z", "2026-03-20T12:00:00Z"]),
    update_kind=st.sampled_from(
        [None, None, None, "update", "correction", "kill", "hold", "release", "add", "advisory", "wrapup"]
    ),
    supersedes=st.sampled_from([None, None, "a", "zz"]),
)
_logs = st.lists(_articles, min_size=1, max_size=10)
_windows = st.sampled_from([Window(), Window(articles=4), Window(articles=6, age=timedelta(days=3))])
_slow = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def commands_for(outcomes, names):
    """Editors' commands on what a log has made so far."""
    rows = [o.step.row for o in outcomes if o.step.row.decision.story]
    stories = tuple(dict.fromkeys(row.decision.story for row in rows))
    for n, name in enumerate(names):
        yield Command(
            command=name, id=f"c{n}", by="desk", at=at("10:00"), stories=stories[:2] if name == "merge" else stories[:1],
            inputs=tuple(row.input_id for row in rows[n : n + 1]),
        )  # fmt: skip


def log_with_commands(articles, names, window):
    """A log with commands in its middle: (records, what they made)."""
    half = len(articles) // 2
    pipeline = Pipeline(clock=CLOCK, window=window)
    first = [pipeline.feed(a) for a in articles[:half]]
    commands = list(commands_for(first, names))
    rest = [pipeline.feed(r) for r in (*commands, *articles[half:])]
    return [*articles[:half], *commands, *articles[half:]], pipeline, first + rest


def laid_open(state: State):
    """Everything in a state that a decision could depend on."""
    return {
        "inputs": list(state.inputs.items()), "items": sorted(state.items.items()), "order": list(state.order),
        "stories": sorted((k, v.header, v.inputs) for k, v in state.stories.items()), "slugs": sorted(state.slugs.items()),
        "waiting": list(state.waiting.items()), "aliases": state._aliases, "next": state.next_number, "log": state.log_time,
    }  # fmt: skip


_names = st.lists(st.sampled_from(["merge", "split", "pin"]), max_size=3)


@_slow
@given(_logs, _names, _windows)
def test_the_same_log_gives_the_same_rows_and_events(articles, names, window):
    records, _, outcomes = log_with_commands(articles, names, window)
    _, again = run(records, window=window)
    assert [encode(o.step.row) for o in again] == [encode(o.step.row) for o in outcomes]
    assert [encode(e) for e in events(again)] == [encode(e) for e in events(outcomes)]


@_slow
@given(_logs, _names, _windows)
def test_49_folding_the_live_rows_again_gives_the_same_state(articles, names, window):
    """After every step, as a restart could come after any."""
    records, _, _ = log_with_commands(articles, names, window)
    pipeline = Pipeline(clock=CLOCK, window=window)
    for record in records:
        pipeline.feed(record)
        state = State(window=window)
        for row in pipeline.rows.in_order():
            state.fold(row)
        assert laid_open(state) == laid_open(pipeline.state)
    probe = make("probe", FERRY)
    assert step(state, probe, offset=99, rows=pipeline.rows) == step(
        pipeline.state, probe, offset=99, rows=pipeline.rows
    )


def test_a_split_whose_source_has_left_the_window_is_folded_again():
    pipeline, outcomes = run([make("a"), make("b", HARVEST, supersedes="a")], window=Window(articles=3))
    pipeline.feed(Command(command="split", id="s", by="desk", at=at("10:00"), inputs=(outcomes[1].step.row.input_id,)))
    pipeline.feed(make("c", BUDGET))
    assert [row.number for row in pipeline.rows.in_order()] == [1, 2, 3]
    state = State(window=Window(articles=3))
    for row in pipeline.rows.in_order():
        state.fold(row)
    assert laid_open(state) == laid_open(pipeline.state)


@_slow
@given(_logs, st.data())
def test_a_redelivered_input_gives_the_stored_decision(articles, data):
    pipeline, outcomes = run(articles)
    one = data.draw(st.sampled_from(outcomes))
    before = laid_open(pipeline.state)
    again = step(pipeline.state, one.record, offset=1_000, rows=pipeline.rows)
    assert again.redelivered
    assert again.row == one.step.row
    assert again.revisions == ()
    assert laid_open(pipeline.state) == before


@_slow
@given(_logs, _names, _windows)
def test_after_a_crash_the_rows_are_sent_again_as_the_same_bytes(articles, names, window):
    """Rule 8: rows that exist are folded, and their revisions made again, from the state as it was."""
    _, _, outcomes = log_with_commands(articles, names, window)
    rows: dict[str, Row] = {}
    state = State(window=window)
    for outcome in outcomes:
        if outcome.step.redelivered:
            continue
        made = step_again(state, outcome.step.row, rows.get)
        assert [encode(r) for r in made.revisions] == [encode(r) for r in outcome.step.revisions]
        assert made.expired == outcome.step.expired
        rows[outcome.step.row.input_id] = outcome.step.row
        for gone in made.expired:
            del rows[gone]


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(_logs, _names, _windows)
def test_every_story_counts_its_events_without_a_gap(articles, names, window):
    _, pipeline, outcomes = log_with_commands(articles, names, window)
    seen: dict[str, int] = {}
    for outcome in outcomes:
        for stamp in () if outcome.step.redelivered else outcome.step.row.revisions:
            assert stamp.sequence == seen.get(stamp.story, 0) + 1
            seen[stamp.story] = stamp.sequence
    state = pipeline.state
    assert {item.story for item in state.items.values()} <= set(state.stories)
    assert {live.story for live in state.inputs.values() if live.story} == set(state.stories)


@_slow
@given(_logs, _names, _windows)
def test_event_ids_are_never_given_twice(articles, names, window):
    """By inputs that come once: one that comes again when its row has left the window is decided again, under its old id."""
    _, _, outcomes = log_with_commands(list(dict.fromkeys(articles)), names, window)
    ids = [event.id for event in events(outcomes)]
    assert len(ids) == len(set(ids))


@_slow
@given(_logs)
def test_rows_and_revisions_survive_the_codec(articles):
    _, outcomes = run(articles)
    for outcome in outcomes:
        for value in (outcome.step.row, *outcome.step.revisions, *outcome.events()):
            assert decode(encode(value), type(value)) == value


def test_the_states_parts_are_all_laid_open():
    """A new part of State must join the comparison above, or say here why it need not."""
    known = {"edition", "window", "index", "inputs", "order", "items", "stories", "slugs", "waiting", "next_number",
             "log_time", "_aliases", "_aliases_by_row", "_fresh"}  # fmt: skip
    assert set(vars(State())) == known
    assert isinstance(State().order, deque)
    assert {f.name for f in fields(Window)} == {"articles", "age"}
    assert Paragraph("x").kind == "paragraph"
    assert issubclass(Article, msgspec.Struct)
