"""Statements that turn by a sign, an order, a letter, a day or a bound, and wordings that only look as if they did."""

import pytest

from services.core.article import Article, Paragraph
from services.core.meaning.compare import compare

LEAD = "A storm closed the harbour of Lund for the night, the port said."
BACK = "The harbour has two piers and was built in the years before the war."


def development(before, after, language="en"):
    """What the changed paragraph's change is called."""
    around = (LEAD, BACK) if language == "en" else ()
    old, new = (
        Article(
            provider="agency", uri="a", language=language, headline="12", body=tuple(map(Paragraph, (*around, text)))
        )
        for text in (before, after)
    )
    (entry,) = compare(old, new).paragraphs
    return entry.op, entry.development


@pytest.mark.parametrize(
    "before, after",
    [
        ("It was -13 degrees on the pier.", "It was 13 degrees on the pier."),
        ("Lund beat Malden 3-1 on the ice.", "Lund beat Malden 1-3 on the ice."),
        ("The board voted 7-3 for the new pier.", "The board voted 3-7 for the new pier."),
        ("Nordhavn will buy the smaller Brago.", "Brago will buy the smaller Nordhavn."),
        ("Nordhavn Line will buy the smaller Brago.", "Brago will buy the smaller Nordhavn Line."),
        ("Police say Smith shot Jones on the pier.", "Police say Jones shot Smith on the pier."),
        ("John Miller led the search all night.", "Jon Miller led the search all night."),
        ("The search was led by Mr Meier all night.", "The search was led by Mr Meyer all night."),
        ("The court upheld the ban on nets.", "The court overturned the ban on nets."),
        ("The ship left on Monday night.", "The ship left on Sunday night."),
        ("The pier opens again in March, he said.", "The pier opens again in April, he said."),
        ("At least 12 boats were adrift.", "Exactly 12 boats were adrift."),
        ("At least 12 boats were adrift.", "12 boats were adrift."),
        ("Up to 12 boats were adrift.", "More than 12 boats were adrift."),
    ],
)
def test_a_turned_statement_is_a_changed_fact(before, after):
    for pair in ((before, after), (after, before)):
        assert development(*pair) == ("modified", "fact_changed")


@pytest.mark.parametrize(
    "before, after",
    [
        ("The ban was lifted, the mayor said on Monday.", "The mayor said on Monday the ban was lifted."),
        ("Ann Holm and Bo Ray led the search.", "Bo Ray and Ann Holm led the search."),
        ("Smith shot Jones on the pier.", "Jones was shot by Smith on the pier."),
        ("About 12 boats were adrift.", "12 boats were adrift."),
        ("More than 12 boats were adrift.", "Over 12 boats were adrift."),
        ("The search was led by Mr Brandt of Oslo, where Brandt lives.", "The search was led by Mr Brand of Oslo, where Brandt lives."),
    ],
)  # fmt: skip
def test_another_order_of_the_same_statement_is_style(before, after):
    assert development(before, after)[1] == "stylistic"


def test_a_name_mended_to_how_it_is_spelt_elsewhere_is_no_other_name():
    before = "Mr Meier led the search. Divers who know Mr Meyer went down."
    assert development(before, before.replace("Meier", "Meyer"))[1] == "stylistic"


@pytest.mark.parametrize(
    "before, after, language",
    [
        ("首相は月曜日に辞任すると述べた。", "首相は月曜日に辞任しないと述べた。", "ja"),
        ("安倍首相は月曜日に会見した。", "麻生首相は月曜日に会見した。", "ja"),
        ("市长表示同意该计划。", "市长表示不同意该计划。", "zh"),
        ("قال الوزير إنه سيوقع الاتفاق غدا.", "قال الوزير إنه لن يوقع الاتفاق غدا.", "ar"),
    ],
)
def test_a_denial_or_another_name_in_scripts_without_capitals(before, after, language):
    for pair in ((before, after), (after, before)):
        assert development(*pair, language) == ("modified", "fact_changed")


def test_a_politer_ending_is_style():
    assert development("首相は月曜日に会見しました。", "首相は月曜日に会見した。", "ja")[1] == "stylistic"
