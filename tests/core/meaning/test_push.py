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
