from __future__ import annotations

import pytest

from services.core.article import Article, Paragraph
from services.core.wire.markers import read_marks
from tests.core.wire.helpers import one


def marks(headline=None, *body, **fields):
    return read_marks(Article(provider="p", uri="u", headline=headline, body=tuple(map(Paragraph, body)), **fields))


@pytest.mark.parametrize(
    "headline, kind, number",
    [
        ("UPDATE 2-Port fire spreads", "update", 2),
        ("UPDATE 10 - Port fire spreads", "update", 10),
        ("Update 3: Port fire spreads", "update", 3),
        ("WRAPUP 1-Port fire, ferry strike", "wrapup", 1),
        ("CORRECTED-Port fire spreads", "correction", None),
        ("CORRECTED - PORT FIRE SPREADS", "correction", None),
        ("(CORRECTION) - PORT FIRE", "correction", None),
        ("CORRECTION ET MISE À JOUR : un port brûle", "correction", None),
        ("Correction: Port fire story", "correction", None),
        ("UPDATE 1-CORRECTED-Port fire", "correction", 1),
        ("REFILE-UPDATE 4-Port fire", "refile", 4),
        ("RPT-UPDATE 3-Port fire", "repeat", 3),
        ("RPT-Port fire spreads", "repeat", None),
        ("CLARIFICATION-Port fire", "clarification", None),
        ("URGENT: Port fire", "urgent", None),
        ("FLASH - Port fire", "alert", None),
        ("KILL: Port fire", "kill", None),
        ("ADVISORY KILL - Port fire", "kill", None),
        ("HOLD: Port fire", "hold", None),
        ("ADVISORY: Port fire coverage", "advisory", None),
        ("1st Ld-Writethru: Port fire", "writethru", 1),
        ("2ND LEAD Port fire spreads", "lead", 2),
        ("KORREKTUR: Hafenbrand weitet sich aus", "correction", None),
        ("Berichtigung: Hafenbrand", "correction", None),
        ("EILMELDUNG: Hafenbrand", "alert", None),
        ("RECTIFICATIF - Incendie au port", "correction", None),
        ("AMP.- Arde el puerto", "update", None),
        ("CORRECCIÓN: Arde el puerto", "correction", None),
        ("عاجل: حريق في الميناء", "urgent", None),
        ("【訂正】港で火災", "correction", None),
        ("速報：港で火災", "alert", None),
    ],
)
def test_a_headline_says_what_the_item_is(headline, kind, number):
    found = marks(headline)
    assert (found.kind, found.number) == (kind, number)


@pytest.mark.parametrize(
    "headline",
    [
        "Kill switch plan for ports divides ministers",
        "KILL-SWITCH PLAN DIVIDES MINISTERS",
        "Update on port fire expected at noon",
        "Correction in tech shares deepens",
        "CORRECTIONS OFFICERS STRIKE",
        "ALERT-LEVEL RAISED AT VOLCANO",
        "Flash floods kill nine",
        "Hold the line: a profile",
        "RELEASE OF HOSTAGES NEAR",
        "1st leader debate ends in a draw",
        "Repeat offenders face ban",
        "Advisory council meets",
        "Urgent talks on ferry strike",
        "Leads in the case dry up",
        "ROUNDUP OF WILD HORSES BEGINS",
        "",
    ],
)
def test_a_story_about_a_kill_or_an_update_is_none(headline):
    assert marks(headline).kind is None


@pytest.mark.parametrize(
    "slug, kind, number, take",
    [
        ("PORT-FIRE/ (UPDATE 2)", "update", 2, None),
        ("PORT-FIRE/ (UPDATE 1, PIX, CORRECTED)", "correction", 1, None),
        ("BC-Port-Fire, 3rd Ld-Writethru", "writethru", 3, None),
        ("BC-Port-Fire, 1st Ld", "lead", 1, None),
        ("Port-Fire 1stLd-Writethru", "writethru", 1, None),
        ("BC-Port-Fire, 2nd Add", "add", None, 2),
        ("PORT-FIRE =2", "add", None, 2),
        ("Port-Fire, take 3", "add", None, 3),
        ("PORT-FIRE/ (URGENT)", "urgent", None, None),
        ("PORT-FIRE/ (KILL)", "kill", None, None),
        ("BC-Port-Fire, Advisory", "advisory", None, None),
        ("PORT-FIRE", None, None, None),
        ("USA-KILL/TRIAL", None, None, None),
        ("UPDATE-SYSTEMS/RESULTS", None, None, None),
        ("HOLD-HANDS/CHARITY", None, None, None),
        ("COAST-STORM/ALERT", None, None, None),
    ],
)
def test_a_slugline_says_what_the_item_is(slug, kind, number, take):
    found = marks(None, slugline=slug)
    assert (found.kind, found.number, found.take) == (kind, number, take)


@pytest.mark.parametrize(
    "line, kind",
    [
        ("(Adds minister's comment, background)", "update"),
        ("(Corrects date of fire in paragraph 3)", "correction"),
        ("(In March 10 story, corrects spelling of Rusk in second paragraph)", "correction"),
        ("(Refiles to fix dateline)", "refile"),
        ("-- corrects toll in second paragraph", "correction"),
        ("Eds: Updates with quotes from mayor, adds background.", "update"),
        ("Eds: Pictures to follow.", None),
        ("(Ergänzt: Aussage der Bürgermeisterin im 2. Absatz)", "update"),
        ("(Berichtigt Namen im 3. Absatz)", "correction"),
        ("(Actualise avec déclaration du maire)", "update"),
        ("(Añade declaraciones de la alcaldesa)", "update"),
        ("(تصحيح اسم الميناء في الفقرة الثانية)", "correction"),
        ("EMBARGOED UNTIL 1200 GMT", None),
        ("Sperrfrist: Mittwoch, 12.00 Uhr", None),
        ("ADVISORY KILL: Editors, please kill the item on the port fire.", "kill"),
        ("The story headlined Port fire spreads has been withdrawn.", "withdrawn"),
    ],
)
def test_a_trash_line_is_an_ed_note_and_no_copy(line, kind):
    found = marks("Port fire", line, "It burns on.", "More burns.", "Still more.")
    assert (found.kind, found.note, found.notes) == (kind, line, frozenset({0}))


@pytest.mark.parametrize(
    "line",
    [
        "(It was the third fire in a year.)",
        "Adds up: the bill for the fire keeps growing.",
        "He corrects pupils' essays by night and fights fires by day.",
        "The embargoed goods were seized on Wednesday.",
        "Kill or be killed, he said.",
        "“Please,” she said, “read the report.”",
    ],
)
def test_copy_that_only_sounds_like_a_note_stays_copy(line):
    found = marks("Port fire", line, "It burns on.")
    assert (found.kind, found.note, found.notes) == (None, None, frozenset())


def test_a_note_in_the_middle_of_a_story_is_copy():
    assert marks(None, *["It burns."] * 5, "(Adds nothing to the bill)", *["It burns."] * 5).note is None


def test_a_note_that_opens_the_first_paragraph_is_kept_there_and_in_the_ed_note():
    text = "(Adds comments, detail) HARROW BAY, March 11 - The port burns."
    found = marks(None, text)
    assert (found.kind, found.note, found.notes) == ("update", "(Adds comments, detail)", frozenset())


def test_please_read_is_a_correction_and_what_it_restates_stays_copy():
    text = "In the item headlined Port fire spreads please read in second paragraph 12 sheds instead of 21 sheds."
    found = marks("CORRECTION - PORT FIRE", text)
    assert (found.kind, found.note, found.notes) == ("correction", text, frozenset())


@pytest.mark.parametrize(
    "fields, kind",
    [
        ({"pub_status": "canceled"}, "kill"),
        ({"pub_status": "withheld"}, None),
        ({"signals": ("sig:correction",)}, "correction"),
        ({"signals": ("sig:update", "house:desk")}, "update"),
        ({"signals": ("edStat:N",), "slugline": "X/ (UPDATE 3)"}, "update"),
        ({"ed_note": "Noe utvidet."}, "update"),
        ({"ed_note": "Usage restrictions apply; will be updated"}, None),
        ({"ed_note": "Updates to follow"}, None),
        ({"ed_note": "Neu: Deichbruch"}, "update"),
        ({"ed_note": "Photos avec archives; prices may change"}, None),
    ],
)
def test_explicit_metadata_comes_before_the_text(fields, kind):
    assert marks("Port fire", **fields).kind == kind


def test_an_explicit_kind_and_note_are_never_overruled():
    article = one(
        {
            "provider": "p",
            "uri": "u",
            "headline": "CORRECTED-Port fire",
            "update_kind": "repeat",
            "ed_note": "as sent",
            "body": ["(Adds mayor)", "It burns."],
        }
    )
    assert (article.update_kind, article.ed_note, article.headline) == ("repeat", "as sent", "CORRECTED-Port fire")
    assert [p.kind for p in article.body] == ["note", "paragraph"]
