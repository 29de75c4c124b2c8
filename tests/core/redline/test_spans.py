"""The marks inside a paragraph read as an editor would make them, and always lead from one text to the other."""

from hypothesis import example, given
from hypothesis import strategies as st

from services.core.redline.spans import spans

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


def test_edits_close_together_are_one():
    assert marked("the big red ferry sank off Norvik today", "the small and blue ferry sank off Norvik today") == [
        ("big red", "small and blue")
    ]


def test_spurious_word_matches_do_not_shred_a_rewritten_paragraph():
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
