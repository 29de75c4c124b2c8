"""The newsday in seeds/: every plot as seeds/README.md tells it, against the events written beside each file.

`NAME.expected.json` is what an editor says must come out (ids left out), by the rules of the change guide, not what the
program prints. `story` is a label: files of one label are one story, files of two labels are two.
"""

from __future__ import annotations

import json
from collections import defaultdict

import pytest

from services.core.article import Article
from services.core.change import NEW_DEVELOPMENTS
from services.core.events import event_kind
from services.core.wire.limits import DEFAULT
from services.local import Pipeline
from services.runtime.archive import read_file, sources
from tests.builders import CLOCK, ROOT

SEEDS = ROOT / "seeds"
FILES = {source.name: source for source in sources(SEEDS)}


def expected(name):
    return json.loads((SEEDS / name).with_suffix(".expected.json").read_bytes())


@pytest.fixture(scope="module")
def day():
    """File name → the decision and the event on its article, with the whole day replayed before."""
    pipeline, told = Pipeline(clock=CLOCK), {}
    for name, source in FILES.items():
        parsed = read_file(source, provider=None, limits=DEFAULT)
        assert not parsed.rejected, parsed.rejected
        (article,) = parsed.articles
        assert isinstance(article, Article)
        outcome = pipeline.feed(article)
        (event,) = outcome.events()
        told[name] = (outcome.step.row.decision, event)
    return told


def test_every_file_says_what_must_come_out():
    assert len(FILES) >= 30
    assert not [name for name in FILES if not (SEEDS / name).with_suffix(".expected.json").is_file()]


@pytest.mark.parametrize("name", FILES)
def test_the_decision(day, name):
    wanted = expected(name)
    decision, event = day[name]
    said = {"type": event_kind(event), "relation": decision.relation, "action": decision.action, "late": decision.late}
    assert said == {key: wanted[key] for key in said}


@pytest.mark.parametrize("name", FILES)
def test_the_verdicts(day, name):
    wanted = expected(name)
    change = day[name][1].data.change
    said = {"new_development": bool(change and change.new_development.yes), "push": bool(change and change.push.yes)}
    assert {key: said[key] for key in said if key in wanted} == {key: wanted[key] for key in said if key in wanted}


@pytest.mark.parametrize("name", [n for n in FILES if expected(n).get("paragraphs")])
def test_the_paragraphs(day, name):
    wanted = expected(name)["paragraphs"]
    entries = day[name][1].data.change.paragraphs
    places = {i.index: entry.development for entry in entries for i in entry.after}
    assert sorted(i for i, label in places.items() if label in NEW_DEVELOPMENTS) == wanted["new"]
    assert [i for i in wanted["background"] if places.get(i) != "context_added"] == []


def test_files_of_one_plot_are_one_story_and_plots_stay_apart(day):
    by_plot, by_story = defaultdict(set), defaultdict(set)
    for name, (_, event) in day.items():
        plot = expected(name)["story"]
        by_plot[plot].add(event.subject)
        by_story[event.subject].add(plot)
    assert {plot: len(stories) for plot, stories in by_plot.items() if len(stories) > 1} == {}
    assert {story: plots for story, plots in by_story.items() if len(plots) > 1} == {}
