"""The candidate index: found again, forgotten cleanly, and always in the same order."""

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.core.article import Article, Paragraph
from services.core.errors import BrokenLog
from services.core.grouping.fingerprint import FINGERPRINT_VERSION, fingerprint
from services.core.grouping.index import RING, CandidateIndex

PLACES = ("Quern", "Brannock", "Tolvey", "Ashmere", "Pell", "Orrin", "Wick", "Stannow", "Lathe", "Morrow")
EVENTS = ("ferry sank", "lock burst", "mayor resigned", "strike began", "bridge closed", "orchard burned")


def print_of(text, headline=None):
    return fingerprint(Article(provider="p", uri="u", headline=headline, body=(Paragraph(text),)))


def news(seed):
    place, event = PLACES[seed % 10], EVENTS[seed // 10 % 6]
    return print_of(
        f"A {event} at {place} on day {seed}, with {seed * 7 % 90} people near. Witness {place}son spoke of {event}.",
        headline=f"{place}: {event}",
    )


def tables(index):
    counts = index._counts
    held = [np.flatnonzero(table) for table in (counts.terms, counts.shingles)]
    return (
        counts.articles,
        [
            (slots.tolist(), table[slots].tolist())
            for slots, table in zip(held, (counts.terms, counts.shingles), strict=True)
        ],
        counts._logs[held[0]].tolist(),
        sorted(index._entries),
        index._copies,
    )


def test_an_article_is_found_again_and_never_itself_before_it_came():
    index = CandidateIndex()
    assert index.search(news(3), None) == ()
    index.add(0, news(3), None)
    found = index.search(news(3), None)
    assert [(m.number, m.exact) for m in found] == [(0, True)]
    assert found[0].lineage == found[0].story == found[0].contains == found[0].contained == 1.0


@settings(max_examples=12, deadline=None)
@given(st.lists(st.integers(0, 59), min_size=1, max_size=40), st.integers(0, 40), st.integers(0, 59))
def test_a_window_that_moved_on_equals_one_built_from_its_live_articles(seeds, expired, asked):
    expired = min(expired, len(seeds))
    moved, built = CandidateIndex(), CandidateIndex()
    for number, seed in enumerate(seeds):
        moved.add(number, news(seed), number * 600.0)
    for number in range(expired):
        moved.remove(number)
    for number, seed in list(enumerate(seeds))[expired:]:
        built.add(number, news(seed), number * 600.0)
    assert tables(moved) == tables(built)
    assert moved.search(news(asked), 0.0) == built.search(news(asked), 0.0)


@settings(max_examples=8, deadline=None)
@given(st.lists(st.integers(0, 59), min_size=1, max_size=RING, unique=True), st.randoms(use_true_random=False))
def test_removing_everything_in_any_order_leaves_a_clean_index(seeds, rng):
    index = CandidateIndex()
    for number, seed in enumerate(seeds):
        index.add(number, news(seed), None)
    numbers = list(range(len(seeds)))
    rng.shuffle(numbers)
    for number in numbers:
        index.remove(number)
        index.remove(number)  # twice is no error
    assert tables(index) == tables(CandidateIndex())
    assert not index._rings.any()
    assert index.search(news(seeds[0]), None) == ()


def test_full_rings_move_on_as_one_built_anew():
    moved, built = CandidateIndex(), CandidateIndex()
    for number in range(RING * 3):
        moved.add(number, news(number % 60), None)
    for number in range(RING * 2):
        moved.remove(number)
    for number in range(RING * 2, RING * 3):
        built.add(number, news(number % 60), None)
    for seed in range(0, 60, 7):
        assert moved.search(news(seed), None) == built.search(news(seed), None)


def test_ties_go_to_the_later_number():
    index = CandidateIndex()
    for number in (4, 9, 7):
        index.add(number, news(5), None)
    assert [m.number for m in index.search(news(5), None)] == [9, 7, 4]


def test_a_search_leaves_no_trace():
    index = CandidateIndex()
    for number in range(30):
        index.add(number, news(number), None)
    first = index.search(news(11), None)
    index.search(news(44), 5.0)
    assert index.search(news(11), None) == first
    assert not index._counts._place.any()
    assert not index._counts._seen.any()


def test_50_signatures_of_another_version_are_refused():
    other = msgspec.structs.replace(news(1), version=FINGERPRINT_VERSION + 1)
    with pytest.raises(BrokenLog):
        CandidateIndex().add(0, other, None)
    with pytest.raises(BrokenLog):
        CandidateIndex().search(other, None)


def test_a_number_indexed_twice_is_a_broken_log():
    index = CandidateIndex()
    index.add(0, news(1), None)
    with pytest.raises(BrokenLog):
        index.add(0, news(2), None)


def test_48_the_index_does_not_grow_for_ever():
    index = CandidateIndex()
    for number in range(400):
        index.add(number, news(number % 60), None)
        index.remove(number - 50)
    assert len(index) == 50
    assert sum(map(len, index._copies.values())) == 50
    assert int((index._rings > 0).any(axis=1).sum()) < 600


def test_47_candidates_are_verified_a_shared_word_alone_joins_nothing():
    index = CandidateIndex()
    index.add(0, print_of("Zebrano panels were sold out at the Pell timber yard.", "Timber sells out"), None)
    found = index.search(print_of("A yacht named Zebrano won the northern regatta by a minute.", "Yacht wins"), None)
    assert all(m.story < 0.5 and m.lineage < 0.5 for m in found)


def test_an_empty_article_is_no_candidate_and_finds_none():
    index = CandidateIndex()
    empty = print_of("…")
    index.add(0, empty, None)
    assert index.search(empty, None) == ()
    assert index.search(news(1), None) == ()


def test_an_exact_copy_is_found_among_hundreds_of_look_alikes():
    index = CandidateIndex()
    template = "Shares of {0} closed at {1} on volume of {2} in thin trade before the holiday."
    for number in range(300):
        index.add(number, print_of(template.format(PLACES[number % 10], number, number * 3)), None)
    assert index.search(print_of(template.format("Brannock", 1, 3)), None)[0].number == 1


def test_all_scores_are_rounded_and_within_bounds():
    index = CandidateIndex()
    for number in range(60):
        index.add(number, news(number), number * 3_600.0)
    for match in index.search(news(17), 0.0, limit=60):
        for value in (match.lineage, match.story, match.contains, match.contained):
            assert 0.0 <= value <= 1.0
            assert value == round(value, 6)
        assert all(np.isfinite(v) for v in match.fields.values())
