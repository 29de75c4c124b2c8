import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.core.article import Article, Paragraph
from services.core.meaning import notices


def article(*body, **fields):
    return Article(provider="p", uri="u", body=tuple(Paragraph(t) for t in body), **fields)


@pytest.mark.parametrize(
    "note, verb, places",
    [
        ("Adds minister in para 4", "add", (4,)),
        ("UPDATES with reaction in paras 3-5, 8", "update", (3, 4, 5, 8)),
        ("Corrects toll in 2nd graf", "correct", (2,)),
        ("Im 2. Absatz wurde die Zahl berichtigt", "correct", (2,)),
        ("Berichtigt: Vorname im dritten Absatz", "correct", (3,)),
        ("Corrige le nom au paragraphe 6", "correct", (6,)),
        ("Recasts lead", "recast", ()),
        ("Clarifies status of the port", "clarify", ()),
    ],
)
def test_the_agencys_own_line_says_what_it_did_and_where(note, verb, places):
    (stated,) = notices.stated(article("Two ferries sailed.", ed_note=note))
    assert (stated.text, stated.verb, stated.paragraphs) == (note, verb, places)


def test_28_a_correction_note_behind_the_copy_keeps_its_label():
    item = article("Two ferries sailed at noon.", "-- corrects number of ferries")
    assert [s.verb for s in notices.stated(item)] == ["correct"]
    assert notices.is_correction(item)


@pytest.mark.parametrize(
    "headline",
    ["CORRECTED - Ferry sinks", "CORRECTION: Ferry sinks", "(CORRECTED)-Ferry sinks", "Berichtigung: Fähre sinkt"],
)
def test_41_a_headline_alone_can_call_it_a_correction(headline):
    assert notices.is_correction(article("Two ferries sailed.", headline=headline))


def test_a_story_about_corrections_is_none():
    assert not notices.is_correction(
        article("The ministry corrected its figures, it said.", headline="Corrected data show rise")
    )


def test_42_a_please_read_item_is_a_notice():
    item = article('In the item headlined "Ferry sinks" please read in 2nd graf ... 14 people ... instead of 40.')
    assert notices.is_please_read(item)
    assert notices.stated(item)[0].paragraphs == (2,)
    assert not notices.is_please_read(article("She asked pupils to please read more."))


@given(st.text(max_size=300))
def test_any_text_can_be_read(text):
    item = article(text or "x", ed_note=text, headline=text)
    notices.stated(item)
    notices.is_correction(item)
