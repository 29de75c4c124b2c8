import pytest

from services.core.article import Article, Paragraph
from services.core.meaning.compare import compare

MARKET = (
    "The Lund-20 index opened 0.3 percent higher at 1,204.5 points on Monday, helped by mills.",
    "Norse Paper gained 1.1 percent.",
    "The crown was steady at 9.31 to the dollar.",
)


def article(headline, *body, language="en", **fields):
    return Article(
        provider="agency", uri="a", headline=headline, body=tuple(map(Paragraph, body)), language=language, **fields
    )


OPEN = article("Lund shares open higher", *MARKET, urgency="5")


def later(headline, lead, **fields):
    return compare(
        OPEN, article(headline, lead, "Norse Paper lost 0.4 percent.", MARKET[2], **{"urgency": "5"} | fields)
    )


def test_a_market_through_its_day_is_news_that_does_not_ring():
    change = later(
        "Lund shares slip by midday", "The Lund-20 index was 0.2 percent lower at 1,198.7 points by midday on Monday."
    )
    assert change.new_development.yes
    assert not change.push.yes
    assert "market_routine" in [r.code for r in change.push.reasons]


@pytest.mark.parametrize(
    "headline, lead",
    [
        ("Lund shares crash", "The Lund-20 index crashed to 1,198.7 points by midday on Monday."),
        ("Lund shares at record", "The Lund-20 index closed at a record 1,298.7 points on Monday."),
        ("Trading halted in Lund", "Trading in Lund shares was halted at 1,198.7 points on Monday."),
        ("Lund shares lose 6 percent", "The Lund-20 index was 6.1 percent lower at 1,131.0 points on Monday."),
    ],
)
def test_what_is_beyond_the_routine_of_a_market_rings(headline, lead):
    assert later(headline, lead).push.yes


def test_a_market_that_the_wire_flags_rings():
    lead = "The Lund-20 index was 0.2 percent lower at 1,198.7 points by midday on Monday."
    assert later("Lund shares slip by midday", lead, urgency="2").push.yes
    assert later("Lund shares slip by midday", lead, update_kind="alert").push.yes


@pytest.mark.parametrize(
    "language, before, after",
    [
        ("de", "Der Index eröffnete am Montag 0,3 Prozent höher bei 1.204,5 Punkten.",
         "Der Index notierte am Mittag 0,2 Prozent niedriger bei 1.198,7 Punkten."),
        ("fr", "L'indice a ouvert en hausse de 0,3 pour cent à 1.204,5 points lundi.",
         "L'indice a terminé la séance en baisse de 0,2 pour cent à 1.198,7 points lundi."),
        ("es", "El índice abrió el lunes con un alza de 0,3 por ciento en 1.204,5 puntos.",
         "El índice cerró la sesión con una baja de 0,2 por ciento en 1.198,7 puntos."),
    ],
)  # fmt: skip
def test_a_market_in_other_languages(language, before, after):
    change = compare(article("Lund", before, language=language), article("Lund", after, language=language))
    assert change.new_development.yes
    assert not change.push.yes


YARD = (
    "Lindholm Yard will lay off 340 welders in June, chief executive Ada Brandt said on Monday.",
    "The yard has built ferries in Norvik since 1922 and employs 1,900 people.",
    "A night crew of 60 looks after the dock.",
)


def corrected(*body, headline="Lindholm Yard to lay off welders"):
    old = article("Lindholm Yard to lay off welders", *YARD)
    return compare(old, article(f"CORRECTED - {headline}", *body, signals=("correction",)), action="correct")


@pytest.mark.parametrize(
    "body",
    [
        (YARD[0].replace("340", "430"), *YARD[1:]),  # the lead
        (YARD[0], YARD[1].replace("1,900", "19,000"), YARD[2]),  # out by a factor
    ],
)
def test_a_correction_rings_for_the_lead_and_for_a_figure_that_was_far_off(body):
    assert corrected(*body).push.yes


@pytest.mark.parametrize(
    "body",
    [
        (*YARD[:2], YARD[2].replace("60", "65")),
        (YARD[0], YARD[1].replace("1922", "1923"), YARD[2]),
    ],
)
def test_a_correction_of_a_detail_further_down_is_news_that_does_not_ring(body):
    change = corrected(*body)
    assert "correction" in {p.development for p in change.paragraphs}
    assert not change.push.yes


RESULTS = (
    "Shr 41 cts vs 30 cts",
    "Net 634,000 vs 470,000",
    "Avg shrs 1,546,000 vs 1,566,000",
)


@pytest.mark.parametrize("row, rings", [(1, True), (2, False)])
def test_a_results_row_that_is_sent_again_with_another_value_rings_the_share_count_does_not(row, rings):
    old = article("NORVIK FERRIES 4TH QTR NET", *RESULTS)
    body = [line.replace("634,000", "734,000").replace("1,546,000", "1,846,000") if i == row else line for i, line in enumerate(RESULTS)]  # fmt: skip
    change = compare(old, article("NORVIK FERRIES 4TH QTR NET", *body))
    assert change.new_development.yes
    assert change.push.yes is rings


def test_a_last_paragraph_that_says_suspended_rings_under_an_unchanged_headline():
    old = article("Lindholm Yard to lay off welders", *YARD)
    new = article("Lindholm Yard to lay off welders", *YARD, "Trading in the yard's shares was suspended at noon.")
    assert compare(old, new).push.yes
    again = article("Lindholm Yard to lay off welders", *YARD, "The plan came under fire from the welders' union.")
    assert not compare(old, again).push.yes


@pytest.mark.parametrize(
    "lead, rings",
    [
        ("Lindholm Yard will lay off 340 welders in June, its chief executive Ada Brandt told staff in Norvik on Monday.", False),
        ("Lindholm Yard withdrew a plan to lay off 340 welders in June, chief executive Ada Brandt said on Monday.", True),
    ],
)  # fmt: skip
def test_a_lead_told_more_fully_under_another_headline_does_not_ring(lead, rings):
    old = article("Lindholm Yard to lay off welders", *YARD)
    assert compare(old, article("Norvik yard's welders and their jobs", lead, *YARD[1:])).push.yes is rings


def test_another_word_for_the_same_state_is_no_news():
    old = article(
        "Plan off at yard", "Lindholm Yard dropped its plan to lay off welders in June, Ada Brandt said.", *YARD[1:]
    )
    new = article("Plan off at the yard", "Lindholm Yard has scrapped its plan to lay off welders in June, Ada Brandt said.", *YARD[1:])  # fmt: skip
    assert not compare(old, new).new_development.yes
    lifted = article(
        "Plan off", "Lindholm Yard's plan to lay off welders in June was rejected, Ada Brandt said.", *YARD[1:]
    )
    assert compare(old, lifted).new_development.yes


def test_a_silently_dropped_accusation_rings():
    claim = "“Somebody opened that valve on purpose,” foreman Nils Oster said of the flooded dock."
    old = article("Dock floods in Norvik", YARD[2], claim, YARD[1])
    change = compare(old, article("Dock floods in Norvik", YARD[2], YARD[1]))
    assert [p.development for p in change.paragraphs] == ["retracted"]
    assert change.push.yes


def test_a_figure_set_against_the_one_before_is_no_instalment_of_a_routine():
    old = article("Norvik issues bond", "The city of Norvik is issuing a 100 mln crown bond at 101 pct, it said.")
    new = article("Norvik bond raised to 125 mln", "The city of Norvik's bond has been raised to a total of 125 mln crowns from 100 mln, it said.")  # fmt: skip
    assert compare(old, new).push.yes
