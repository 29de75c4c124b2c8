"""Blocks in reading order: what page and terminal show of a change."""

from hypothesis import given
from hypothesis import strategies as st

from services.core.meaning.compare import compare
from services.core.redline.spans import spans
from services.pages.redline import Fold, blocks, folded, marks, notes, verdict
from tests.builders import BUDGET, FERRY, UPDATED_FERRY, make

NOTICE = 'In the item headlined "Ferry burns" please read in second paragraph: The death toll rose to 15.'


def shown(old, new, **asked):
    change = compare(old, new, **asked)
    return blocks(old, new, change)


@given(st.text('ab c.,“"', max_size=20), st.text('ab c.,“"', max_size=20))
def test_the_marks_in_order_give_either_text_but_for_noise(before, after):
    found = marks(before, after, spans(before, after))
    assert "".join(mark.before for mark in found) == before
    assert "".join(mark.after for mark in found) == after


def test_every_paragraph_of_either_text_is_shown_once():
    old, new = make("a", FERRY), make("b", (UPDATED_FERRY[0], FERRY[3], *BUDGET[:1], FERRY[1]))
    found = shown(old, new)
    assert sorted(n for block in found for n in block.before) == list(range(1, len(FERRY) + 1))
    assert sorted(n for block in found for n in block.after) == [1, 2, 3, 4]


def test_what_was_removed_stands_behind_its_old_neighbour():
    places = [(block.op, block.before, block.after) for block in shown(make("a"), make("b", (FERRY[0], *FERRY[2:])))]
    assert places[:3] == [("unchanged", (1,), (1,)), ("removed", (2,), ()), ("unchanged", (3,), (2,))]


def test_33_a_moved_paragraph_says_where_it_was_and_is_not_folded():
    old, new = make("a", FERRY), make("b", (FERRY[2], FERRY[0], FERRY[1], *FERRY[3:]))
    (moved,) = [block for block in shown(old, new) if block.moved]
    assert (moved.where, moved.said) == ("¶1", "moved · was ¶3")
    assert not moved.is_quiet


def test_42_what_a_notice_does_not_restate_is_shown_as_standing():
    old, new = make("a"), make("b", [NOTICE])
    standing = [block for block in shown(old, new) if block.op == "stands"]
    assert [block.marks[0].after for block in standing] == [FERRY[block.before[0] - 1] for block in standing]
    assert len(standing) >= 3
    (fold,) = [row for row in folded(shown(old, new)) if isinstance(row, Fold)]
    assert fold.said == f"{len(standing)} standing"


def test_35_typography_is_no_edit_and_is_folded_with_the_unchanged():
    old, new = make("a", ['He said "no".', *FERRY]), make("b", ["He said “no”.", *FERRY])
    found = shown(old, new)
    assert {mark.kind for mark in found[0].marks} == {"same", "noise"}
    (fold,) = folded(found)
    assert fold.said == f"1 typography only, {len(FERRY)} unchanged"
    assert folded(found, everything=True) == found


def test_an_agencys_note_is_told_once_however_often_it_stands():
    note = "Corrects toll in paragraph 1 to 15 from 12"
    old, new = make("a"), make("b", (f"({note})", *UPDATED_FERRY), ed_note=note)
    assert [text.strip("()") for text in notes(new, compare(old, new))] == [note]


def test_the_verdict_comes_first():
    first = make("a", language="en")
    assert verdict(compare(first, make("b", UPDATED_FERRY, language="en"))) in ("alert", "new")
    assert verdict(compare(first, make("b", language="en"))) == "nothing new"
    assert (
        verdict(compare(first, make("b", BUDGET, language="en", headline="Budget"), check_same_story=True))
        == "different stories"
    )


def test_of_another_agencys_report_the_rest_is_shown_as_said_before():
    old, new = (
        make("a"),
        make("b", (FERRY[0], "Divers found 40 life jackets on Tuesday, Tarmouth police said."), provider="x"),
    )
    found = shown(old, new, basis="story")
    assert [block.op for block in found] == ["said", "added"]
