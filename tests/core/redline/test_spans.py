"""The marks inside a paragraph read as an editor would make them, and always lead from one text to the other."""

from itertools import accumulate, pairwise

import regex
from hypothesis import example, given
from hypothesis import strategies as st

from services.core.redline.spans import _PIECE, SCRAP_LETTERS, _pieces, spans

TEXT = st.text(alphabet=st.sampled_from("ab .,-'\n é\u0301漢字ไั👨\u200d👩🇩🇪עב\u202e1²9"), max_size=30) | st.text(
    max_size=20
)


def marked(before, after):
    return [(span.before.text, span.after.text) for span in spans(before, after)]


@given(TEXT, TEXT)
@example(" \u0301", " ")
def test_spans_turn_before_into_after(before, after):
    out, at = [], 0
    for span in spans(before, after):
        assert span.before.at[0] >= at
        assert before[slice(*span.before.at)] == span.before.text
        assert after[slice(*span.after.at)] == span.after.text
        assert span.before.text != span.after.text
        assert span.op == (
            "replace" if span.before.text and span.after.text else "delete" if span.before.text else "insert"
        )
        out += [before[at : span.before.at[0]], span.after.text]
        at = span.before.at[1]
    assert "".join([*out, before[at:]]) == after


def test_equal_texts_have_none():
    assert spans("The port is shut.", "The port is shut.") == ()


def test_whole_words_not_letters():
    assert marked("imposed a toll", "proposed a toll") == [("imposed", "proposed")]


def test_a_figure_is_marked_whole_with_its_sign_and_point():
    assert marked("rose 1.5 pct to -3", "rose 15 pct to 3") == [("1.5", "15"), ("-3", "3")]


def test_an_acronym_is_marked_whole():
    assert marked("the U.S. envoy", "the U.N. envoy") == [("U.S", "U.N")]
    assert marked("the É.U.A. envoy", "the U.S.A. envoy") == [("É.U.A", "U.S.A")]


def test_edits_close_together_are_one():
    assert marked("the big red ferry sank off Norvik today", "the small and blue ferry sank off Norvik today") == [
        ("big red", "small and blue")
    ]


def test_29_spurious_word_matches_do_not_shred_a_rewritten_paragraph():
    before = "The minister of trade said on Monday that the port would be closed to the public for a week."
    after = "Dockers in Norvik walked out in the night and a union leader spoke of the worst to come in years."
    assert len(spans(before, after)) == 1


def test_islands_of_stock_phrases_do_not_hold_a_rewrite_together():
    before = (
        "Storms battered villages along eastern shores, the coast guard said, while engineers inspected damaged dykes."
    )
    after = (
        "Nobody expected such crowds beside flooded meadows, the coast guard said, because warnings came much earlier."
    )
    assert len(spans(before, after)) == 1


def test_an_extended_paragraph_is_one_insertion():
    assert marked("The port is shut.", "The port is shut. It opens on Friday.") == [("", " It opens on Friday.")]


def test_han_is_marked_by_character_and_clusters_are_not_cut():
    assert marked("震度5の地震で3人がけがをしたと発表した", "震度5の地震で5人がけがをしたと発表した") == [("3", "5")]
    assert marked("family 👨‍👩 here", "family 👨 here") == [("👨‍👩", "👨")]


def test_right_to_left_offsets_count_code_points():
    (span,) = spans("قتل ثلاثة أشخاص في الميناء", "قتل خمسة أشخاص في الميناء")
    assert (span.before.at, span.before.text, span.after.text) == ((4, 9), "ثلاثة", "خمسة")


def test_a_very_long_paragraph_falls_back_to_one_replacement():
    assert len(spans("a b " * 8000, "c d " * 8000)) == 1


LATIN_TEXT = st.text(alphabet=st.sampled_from("ab Zéu.,:/-−+'’\n\t\r\x1c\u00a0019$%“”—"), max_size=40)


@given(LATIN_TEXT)
def test_the_quick_way_through_latin_text_finds_the_same_words(text):
    assert _pieces(text) == _PIECE.findall(text)


MIXED = st.lists(
    st.sampled_from(["a", "b", "ß", " ", " ", ".", "’", "1", "e\u0301", "👨\u200d👩\u200d👧", "🇩🇪", "ไั", "漢", "字", "ע", "ب", "\u064b", "\u200f"]),
    max_size=30,
).map("".join)  # fmt: skip


def boundaries(text):
    """Where a person may put a pen down: between grapheme clusters."""
    return {0, *accumulate(map(len, regex.findall(r"\X", text)))}


@given(MIXED, MIXED)
def test_no_mark_begins_or_ends_inside_a_grapheme_cluster(before, after):
    old, new = boundaries(before), boundaries(after)
    for span in spans(before, after):
        assert {*span.before.at} <= old
        assert {*span.after.at} <= new


WORDS = st.lists(
    st.sampled_from(["port", "ferry", "קרה", "قتل", "12", "1,550", "-3", "l'Etat", "U.S", "Z.E.V"]), max_size=12
)


@given(WORDS, WORDS)
def test_a_word_or_figure_is_marked_whole_or_not_at_all(before, after):
    old, new = " ".join(before), " ".join(after)
    for span in spans(old, new):
        for text, (start, end) in ((old, span.before.at), (new, span.after.at)):
            for at in (start, end):
                inside = 0 < at < len(text) and not text[at - 1].isspace() and not text[at].isspace()
                assert not inside


@given(WORDS, WORDS)
def test_there_are_no_more_marks_than_words_that_stayed_allow(before, after):
    old, new = " ".join(before), " ".join(after)
    marks = spans(old, new)
    assert len(marks) <= min(len(before), len(after)) // 2 + 2
    for one, other in pairwise(marks):
        kept = old[one.before.at[1] : other.before.at[0]]
        assert len(kept.split()) >= 2 or len(kept.strip()) >= SCRAP_LETTERS


def test_two_long_edits_round_a_stock_phrase_are_one_replacement():
    before = (
        "Storms battered villages along eastern shores and engineers inspected dykes, the coast guard said on Monday."
    )
    after = (
        "Nobody expected crowds like these beside flooded meadows in the north, the coast guard said late yesterday."
    )
    assert len(spans(before, after)) == 1
