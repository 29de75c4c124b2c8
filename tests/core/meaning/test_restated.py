import pytest

from services.core.article import Article, Paragraph
from services.core.change import NEW_DEVELOPMENTS
from services.core.meaning.compare import compare
from services.core.redline.alignment import apply, revert

LUND = (
    "Lund ordered 4,000 people to leave their homes around the harbour on Monday after a fire at a paper mill killed at least "
    "12 people and choked the town with smoke."
)
OLD = (
    LUND,
    "Six crews fought the flames, fire chief Ana Lind said.",
    "The ferry line has sailed the sound since 1951 with two boats.",
)
LEAD = (
    "The death toll from a fire at a paper mill in Lund rose to 15 on Monday, the county hospital said, after three badly burnt "
    "workers died in intensive care."
)


def article(*body):
    return Article(
        provider="agency", uri="a", headline="Mill fire in Lund", body=tuple(map(Paragraph, body)), language="en"
    )


def labels(*body):
    change = compare(article(*OLD), article(*body))
    assert apply(OLD, change) == list(body)
    assert revert(body, change) == list(OLD)
    places = [p.after[0].index for p in change.paragraphs if p.after]
    assert places == sorted(places)
    return {p.index: entry.development for entry in change.paragraphs for p in entry.after}


def test_a_paragraph_that_restates_the_old_lead_is_no_news():
    found = labels(
        LEAD,
        "Doctors from Malmo were on their way.",
        "Some 4,000 people have had to leave their homes around the harbour.",
        *OLD[1:],
    )
    assert [n for n, label in found.items() if label in NEW_DEVELOPMENTS] == [0, 1]


@pytest.mark.parametrize(
    "told",
    [
        "Some 6,000 people have had to leave their homes around the harbour.",
        "Mayor Ole Brandt had ordered people to leave their homes around the harbour.",
        "Lifting an order, the county let 4,000 people return to cold homes around the harbour.",
    ],
)
def test_a_paragraph_in_old_words_that_says_something_else_is_news(told):
    assert labels(*OLD, told)[3] in NEW_DEVELOPMENTS


def test_a_sentence_cut_in_two_stays_one_split():
    first, second = OLD[0].split(" after ")
    change = compare(article(*OLD), article(f"{first}.", f"{second[:1].upper()}{second[1:]}", *OLD[1:]))
    assert [p.op for p in change.paragraphs] == ["split"]
    assert not change.new_development.yes
