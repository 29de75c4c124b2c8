"""Invented newsdays: that they are what they say, and what the program must get right on every one of them."""

from __future__ import annotations

import functools
import itertools
from datetime import datetime
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.contract.codec import encode
from services.core.article import Article
from services.core.change import NEW_DEVELOPMENTS
from services.core.language.text import words
from services.core.wire import parse
from services.local import Outcome, Pipeline
from services.synthetic import english, more_english, other_languages
from services.synthetic.newsday import newsday
from services.synthetic.truth import NEVER_RINGS, Edit, Item
from tests.builders import CLOCK

ALL_EDITS = set(Edit.__args__)
DAY = list(newsday(Random(11), 4_000))
seeds = st.sampled_from(range(20))
some_days = settings(max_examples=20, deadline=None, derandomize=True)  # one and the same days for everybody


def play(items: list[Item]) -> list[tuple[Item, Outcome]]:
    """A day through the pipeline, read as it comes from outside."""
    pipeline, told = Pipeline(clock=CLOCK), []
    for item in items:
        (article,) = parse(encode(item.article), source="day").articles
        told.append((item, pipeline.feed(article)))
    return told


@functools.cache
def one_story_at_a_time(seed: int) -> list[list[tuple[Item, Outcome]]]:
    """Each story of a small day as if it had no other: what look-alikes do to each other is another question."""
    stories: dict[str, list[Item]] = {}
    for item in newsday(Random(seed), 25):
        stories.setdefault(item.truth.story, []).append(item)
    return [play(story) for story in stories.values()]


def change(outcome: Outcome):
    (event,) = outcome.events()
    return event.data.change


def test_the_same_numbers_make_the_same_day():
    first, second = (list(newsday(Random(5), 300)) for _ in range(2))
    assert first == second != list(newsday(Random(6), 300))


def test_a_day_is_in_order_of_time_and_names_nobody_twice():
    times = [datetime.fromisoformat(item.article.version_created) for item in DAY]
    assert times == sorted(times)
    refs = [item.truth.ref for item in DAY]
    assert len(set(refs)) == len(refs)
    assert {item.truth.edit for item in DAY} == ALL_EDITS
    assert {item.article.language for item in DAY} == {"en", "de", "fr", "es"}


def test_truth_speaks_of_items_that_came_before():
    seen: dict[str, str] = {}
    for item in DAY:
        truth = item.truth
        assert truth.ref == item.article.ref
        assert len(truth.paragraphs) == len(item.article.body)
        for earlier in filter(None, (truth.predecessor, truth.copy_of)):
            assert seen[earlier] == truth.story
        assert (truth.relation == "new_story") == (truth.story not in seen.values())
        seen[truth.ref] = truth.story


def test_the_texts_are_read_as_they_were_made():
    for item in DAY[:500]:
        (article,) = parse(encode(item.article), source="day").articles
        assert isinstance(article, Article)
        assert [p.text for p in article.body] == [p.text for p in item.article.body]
        assert not article.parse_notes
        assert not any(mark in p.text for p in article.body for mark in "{}[]|")


@pytest.mark.parametrize(
    "kind", [*english.KINDS, *more_english.KINDS, *other_languages.KINDS], ids=lambda k: f"{k.language}-{k.name}"
)
def test_a_kind_can_be_told_by_two_reporters(kind):
    for wordings in (kind.headline, kind.lead, *kind.lines, *kind.later):
        assert len(set(wordings)) == len(wordings) >= 2
    told = " ".join(itertools.chain(kind.headline, kind.lead, *kind.lines))
    assert all(f"{{{name}}}" in told for name in (*kind.moving, kind.mendable))


def test_a_site_dresses_the_text_and_says_nothing_else():
    copies = [item for item in DAY if item.truth.edit == "copied"]
    texts = {item.truth.ref: item.article for item in DAY}
    for item in copies:
        mine = words(" ".join(p.text for p in item.article.body))
        theirs = words(" ".join(p.text for p in texts[item.truth.copy_of].body))
        assert len(mine) > 0.7 * len(theirs)
        assert set(mine[:-4]) <= set(theirs)


@some_days
@given(seeds)
def test_every_item_of_a_story_finds_it(seed):
    for story in one_story_at_a_time(seed):
        assert len({outcome.step.row.decision.story for _, outcome in story}) == 1


@some_days
@given(seeds)
def test_what_is_only_typography_or_a_copy_never_rings(seed):
    for item, outcome in itertools.chain.from_iterable(one_story_at_a_time(seed)):
        if item.truth.edit in NEVER_RINGS:
            assert not change(outcome).push.yes, item.truth


@some_days
@given(seeds)
def test_a_toll_that_rises_is_new_and_named(seed):
    for item, outcome in itertools.chain.from_iterable(one_story_at_a_time(seed)):
        if item.truth.edit != "moved_on":
            continue
        made = change(outcome)
        assert made.new_development.yes
        new = {i.index for entry in made.paragraphs if entry.development in NEW_DEVELOPMENTS for i in entry.after}
        assert 0 not in new or item.truth.paragraphs[0] == "new"
        assert {place for place, label in enumerate(item.truth.paragraphs) if label == "new"} & new, item.truth


@some_days
@given(seeds)
def test_a_kill_ends_its_item_and_a_correction_is_one(seed):
    for item, outcome in itertools.chain.from_iterable(one_story_at_a_time(seed)):
        decision = outcome.step.row.decision
        if item.truth.edit in ("killed", "corrected"):
            assert decision.action == item.truth.action, item.truth
