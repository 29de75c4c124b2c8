import pytest

from services.core.article import Article, Paragraph
from services.core.change import NumberChange
from services.core.language import labels
from services.core.meaning.compare import compare

TAIL = "The mill has stood on the river since 1951."


def article(*body, headline="Mill news", **fields):
    fields = {"provider": "agency", "uri": "a", "language": "en"} | fields
    return Article(headline=headline, body=tuple(map(Paragraph, body)), **fields)


def summary(before, after, **fields):
    return compare(article(before, TAIL), article(after, TAIL, **fields)).summary


@pytest.mark.parametrize(
    "before, after, line",
    [
        (
            "Lund Paper's net profit was 187 mln crowns.",
            "Lund Paper's net profit was 121 mln crowns.",
            "net profit 187 → 121 mln",
        ),
        (
            "The Lund-20 index stood at 1,842.6 points.",
            "The Lund-20 index stood at 1,848.1 points.",
            "index 1,842.6 → 1,848.1 points",
        ),
        (
            "The mill paid a price of 45 million crowns.",
            "The mill paid a price of 32.5 million crowns.",
            "price 45 → 32.5 million",
        ),
        ("Norse Pulp in Lund has 40 percent.", "Norse Pulp in Lund has 42 percent.", "40 → 42 percent"),
    ],
)
def test_a_number_is_called_as_an_editor_calls_it_or_not_at_all(before, after, line):
    assert summary(before, after) == line


def test_a_leap_is_another_quantity_unless_it_is_a_correction():
    before, after = "The mill's debt is 2 mln crowns.", "The mill's debt is 200 mln crowns."
    assert "→" not in summary(before, after)
    assert summary(before, after, update_kind="correction") == "corrects debt 2 → 200 mln"


def test_a_headline_in_capitals_is_told_quietly():
    change = NumberChange(before="650 MLN DLRS", after="ONE BILLION DLRS", context="order worth", unit="USD")
    assert labels.line(change) == "order 650 mln dlrs → one billion dlrs"


def test_a_notice_says_what_stood_there_before():
    old = article("Divers mapped a reef 240 kilometres long off Lund.", "It lies 180 metres down.", headline="Reef")
    new = article(
        'In the Lund item headlined "Reef", please read in the first paragraph: 24 kilometres instead of 240 kilometres.',
        headline="Correction",
    )
    change = compare(old, new, relation="notice", action="correct")
    assert [(n.before, n.after) for n in change.numbers] == [("240 kilometres", "24 kilometres")]
    assert change.summary == "corrects 240 → 24 kilometres"


def test_a_rival_toll_leads_the_summary():
    old = article("The fire killed 15 people, police said.", headline="Mill fire kills 15")
    rival = article(
        "Seventeen people have died in the mill fire, the hospital said.", headline="Fire", provider="rival"
    )
    assert compare(old, rival, basis="story").summary.startswith("toll seventeen against 15")
