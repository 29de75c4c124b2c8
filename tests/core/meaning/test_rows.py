import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.core.article import Article, Paragraph
from services.core.meaning import rows
from services.core.meaning.compare import compare

TABLE = ("Oper shr 24 cts vs 19 cts", "Oper net 1,096,332 vs 794,711", "Avg shrs 4,501,000 vs 4,220,000")


def article(*body, headline="NORVIK FERRIES 2ND QTR NET"):
    return Article(provider="a", uri="u", language="en", headline=headline, body=tuple(map(Paragraph, body)))


@pytest.mark.parametrize(
    "text, losses",
    [
        ("Shr loss 24 cts vs profit 19 cts", (True, False)),
        ("Oper net 1,096,332 vs loss 794,711", (False, True)),
        ("Loss 12.5 mln vs loss 3.1 mln", (True, True)),
        ("Avg shrs 4,501,000 vs 4,220,000", None),
        ("The yard made a loss of 12 mln crowns.", None),
        ("Sales rose", None),
    ],
)
def test_a_row_says_per_period_whether_it_is_a_loss(text, losses):
    assert rows.losses(text) == losses


def test_profits_that_were_losses_are_a_correction_that_rings():
    new = ("Oper shr loss 24 cts vs loss 19 cts", "Oper loss 1,096,332 vs loss 794,711", TABLE[2])
    change = compare(article(*TABLE), article(*new, headline="CORRECTED - NORVIK FERRIES 2ND QTR"), action="correct")
    assert [p.development for p in change.paragraphs] == ["correction", "correction"]
    assert change.push.yes


def test_columns_that_changed_places_are_other_figures():
    change = compare(article(*TABLE), article("Oper shr 19 cts vs 24 cts", *TABLE[1:]))
    assert [(n.before, n.after) for n in change.numbers] == [("24 cts", "19 cts"), ("19 cts", "24 cts")]
    assert change.new_development.yes
    assert change.push.yes


def test_a_row_that_is_only_worded_otherwise_is_not():
    assert not compare(article(*TABLE), article("Oper shr 24 cts against 19 cts", *TABLE[1:])).new_development.yes


@given(st.text(max_size=200), st.text(max_size=200))
def test_any_text_may_be_asked(one, other):
    assert rows.losses(one) is None or rows.counts(one)
    assert len(rows.swapped(one, other)) == len(rows.swapped(other, one))
