"""The newsday in seeds/: every plot as seeds/README.md tells it, against the events written beside each file.

`NAME.expected.json` is what an editor says must come out (ids left out), by the rules of the change guide, not what the
program prints; a list, one for each item, where a file holds several. `story` is a label: what has one label is one story
at the end of the day, and two labels are two. What the program still gets wrong stands in `WRONG`, and is no expectation.
"""

from __future__ import annotations

import json
from collections import defaultdict
from typing import NamedTuple

import pytest

from services.core.article import Article
from services.core.change import NEW_DEVELOPMENTS, Change
from services.core.decision import Decision
from services.core.events import Event, event_kind
from services.core.wire import FORMATS, detect
from services.core.wire.limits import DEFAULT
from services.local import Pipeline
from services.runtime.archive import read_file, sources
from tests.builders import CLOCK, ROOT

SEEDS = ROOT / "seeds"
FILES = {source.name: source for source in sources(SEEDS)}
OTHER_LANGUAGES = {"ar", "de", "es", "fr", "ja"}

WRONG = {
    (
        "paragraphs",
        "1208_rivage_strike_3.xml",
    ): "another quotation of the same speaker is taken for the old one, reworded",
    ("decision", "1251_meridian_merger.xml"): "a takeover joins the market report that names both companies",
    ("copies", "1010_lantern_blast.txt"): "a text is overtaken only by a version of its own id, not by the next UPDATE",
    ("stories", "merger"): "a takeover joins the market report that names both companies",
    ("stories", "market"): "a takeover joins the market report that names both companies",
}
"""(question, file or story) → what the program gets wrong there. A line goes when its case passes: then the test says so."""


class Told(NamedTuple):
    """What came of one record: the decision, its first event (none for what was sent again), and its story at day's end."""

    decision: Decision
    event: Event | None
    story: str | None

    @property
    def change(self) -> Change | None:
        return self.event.data.change if self.event else None


class Wanted(NamedTuple):
    """What an editor expects of one item of a file."""

    name: str
    place: int
    said: dict

    def __str__(self) -> str:
        return f"{self.name}#{self.place}" if self.place else self.name


def expected(name) -> list[Wanted]:
    told = json.loads((SEEDS / name).with_suffix(".expected.json").read_bytes())
    return [Wanted(name, place, one) for place, one in enumerate(told if isinstance(told, list) else [told])]


ITEMS = [one for name in FILES for one in expected(name)]


def cases(question, items):
    """The items of a question, with those marked that the program is known to get wrong."""
    return [
        pytest.param(one, id=str(one), marks=pytest.mark.xfail(reason=WRONG[key]) if key in WRONG else ())
        for one in items
        if (key := (question, one.name if isinstance(one, Wanted) else one))
    ]


@pytest.fixture(scope="module")
def day() -> dict[tuple[str, int], Told]:
    """File and place → what came of that item, with the whole day replayed before."""
    pipeline, told = Pipeline(clock=CLOCK), {}
    for name, source in FILES.items():
        parsed = read_file(source, provider=None, limits=DEFAULT)
        assert not parsed.rejected, parsed.rejected
        assert len(parsed.articles) == len(expected(name)), name
        for place, record in enumerate(parsed.articles):
            outcome = pipeline.feed(record)
            events = list(outcome.events())
            if isinstance(record, Article):
                assert len(events) <= 1
            told[name, place] = Told(outcome.step.row.decision, events[0] if events else None, None)
    return {
        key: one._replace(story=pipeline.state.final(one.decision.story) if one.decision.story else None)
        for key, one in told.items()
    }


def test_the_day_is_as_full_as_a_desks_day():
    assert 60 <= len(FILES) <= 90
    assert len({one.said["story"] for one in ITEMS}) >= 12
    assert {detect(source.path.read_bytes()) for source in FILES.values() if not source.name.endswith(".jsonl")} == set(
        FORMATS
    )
    languages = {
        one.language
        for source in FILES.values()
        for one in read_file(source, provider=None, limits=DEFAULT).articles
        if isinstance(one, Article)
    }
    assert languages >= OTHER_LANGUAGES


def test_nothing_is_expected_to_be_wrong_that_is_not_there():
    assert {key for _, key in WRONG} <= set(FILES) | {one.said["story"] for one in ITEMS}


@pytest.mark.parametrize("wanted", cases("decision", [one for one in ITEMS if "type" in one.said]))
def test_the_decision(day, wanted):
    told = day[wanted.name, wanted.place]
    decision = told.decision
    said = {
        "type": event_kind(told.event) if told.event else None, "relation": decision.relation,
        "action": decision.action, "late": decision.late,
    }  # fmt: skip
    assert said == {key: wanted.said[key] for key in said}


@pytest.mark.parametrize(
    "wanted", cases("verdicts", [o for o in ITEMS if not {"new_development", "push"}.isdisjoint(o.said)])
)
def test_the_verdicts(day, wanted):
    change = day[wanted.name, wanted.place].change
    said = {"new_development": bool(change and change.new_development.yes), "push": bool(change and change.push.yes)}
    asked = said.keys() & wanted.said.keys()
    assert {key: said[key] for key in asked} == {key: wanted.said[key] for key in asked}


@pytest.mark.parametrize("wanted", cases("paragraphs", [one for one in ITEMS if one.said.get("paragraphs")]))
def test_the_paragraphs(day, wanted):
    paragraphs = wanted.said["paragraphs"]
    change = day[wanted.name, wanted.place].change
    places = {i.index: entry.development for entry in change.paragraphs for i in entry.after}
    assert sorted(i for i, label in places.items() if label in NEW_DEVELOPMENTS) == paragraphs["new"]
    assert [i for i in paragraphs["background"] if places.get(i) != "context_added"] == []


@pytest.mark.parametrize("wanted", [one for one in ITEMS if one.said.get("events") == []], ids=str)
def test_an_item_that_a_feed_still_holds_at_the_next_poll_makes_no_event(day, wanted):
    assert day[wanted.name, wanted.place].event is None


@pytest.mark.parametrize("plot", cases("stories", sorted({one.said["story"] for one in ITEMS})))
def test_files_of_one_plot_are_one_story_and_plots_stay_apart(day, plot):
    labels = defaultdict(set)
    for one in ITEMS:
        labels[day[one.name, one.place].story].add(one.said["story"])
    assert [shared for shared in labels.values() if plot in shared] == [{plot}]


def test_an_editors_merge_names_stories_of_the_morning(day):
    """Their ids come from the first items of the day: where a parser reads those otherwise, the command is made anew."""
    told = day["0645_desk_merge.jsonl", 0]
    assert told.decision.story == day["0605_almarfa_collapse.xml", 0].decision.story, (
        f"the stories to merge are now {[day[n, 0].decision.story for n in ('0605_almarfa_collapse.xml', '0630_atlas_collapse.json')]}"
    )


@pytest.mark.parametrize("wanted", cases("copies", [one for one in ITEMS if "copy_of" in one.said]))
def test_75_a_copy_names_what_it_copies_and_whether_that_still_stands(day, wanted):
    copied = day[wanted.name, wanted.place].decision.copy_of
    original = day[wanted.said["copy_of"], 0].event
    assert copied is not None
    assert (copied.input, copied.since) == (original.data.version.input, wanted.said["since"])
