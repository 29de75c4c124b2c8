import pytest

from services.core.article import Article, Paragraph
from services.core.meaning.compare import compare

LEAD = "A ferry with 40 passengers sank off Lund on Monday, harbour police said."
TAIL = "The ferry line has sailed the sound since 1951 with two boats."
MIDDLE = "Mayor Ana Lind opened a hall for the families near the quay."


def article(*body, **fields):
    fields = {"headline": "Ferry sinks off Lund", "version_created": "2026-03-02T10:00:00Z", "language": "en"} | fields
    paragraphs = tuple(p if isinstance(p, Paragraph) else Paragraph(p) for p in body)
    return Article(provider="agency", uri="a", body=paragraphs, **fields)


def entries(old, new, **fields):
    return {(p.after or p.before)[0].text: (p.op, p.development) for p in compare(old, new, **fields).paragraphs}


def pair(before, after, **fields):
    """Operation and label of one paragraph that stands between two that stay."""
    old, new = article(LEAD, before, TAIL), article(LEAD, after, TAIL, **fields)
    return entries(old, new).get(after)


@pytest.mark.parametrize(
    "before, after, op, development",
    [
        ("Rescuers counted 12 dead by noon.", "Rescuers counted 15 dead by noon.", "modified", "fact_changed"),
        (
            "The council has imposed a sailing ban.",
            "The council has proposed a sailing ban.",
            "modified",
            "fact_changed",
        ),
        ("Experts see an imminent danger of fire.", "Experts see a danger of fire.", "modified", "fact_changed"),
        ("The crew was alleged to be drunk.", "The crew was confirmed to be drunk.", "modified", "fact_changed"),
        (
            "The captain had a licence for the sound.",
            "The captain had no licence for the sound.",
            "modified",
            "fact_changed",
        ),
        ("Divers said the hull was torn.", "Divers told AFP the hull was torn.", "reworded", "attribution"),
        ("The hull was torn on a reef.", "The hull was ripped on a reef.", "reworded", "stylistic"),
        (
            "A big crowd stood at the quay in the rain.",
            "A crowd stood at the quay in the rain.",
            "reworded",
            "stylistic",
        ),
        (
            "Divers went down to the wreck.",
            "Divers went down to the wreck with engineer Ole Brandt of Malmo Salvage.",
            "modified",
            "new_fact",
        ),
    ],
)
def test_a_pair_of_paragraphs_means(before, after, op, development):
    assert pair(before, after) == (op, development)


def test_37_told_afp_removed_is_attribution_not_a_fact():
    assert pair("Divers told AFP that the hull was torn.", "Divers said the hull was torn.") == (
        "reworded",
        "attribution",
    )


def test_30_an_extended_paragraph_is_the_old_one_with_a_new_fact():
    before = "The boat was built in Gdansk."
    after = (
        "The boat was built in Gdansk, and inspectors had warned the owner twice about leaking cargo doors this winter."
    )
    assert pair(before, after) == ("modified", "new_fact")


def test_a_name_in_two_spellings_is_no_news_but_another_country_is():
    assert pair("The tug came from Kristiansund port.", "The tug came from Kristianssund port.")[1] in (
        "none",
        "stylistic",
    )
    assert pair("The tug came from Austria that night.", "The tug came from Australia that night.")[1] == "fact_changed"


@pytest.mark.parametrize("one, other", [("Niger", "Nigeria"), ("Gambia", "Zambia"), ("Iran", "Iraq")])
def test_two_countries_are_never_one_misspelling(one, other):
    assert pair(f"The tug came from {one} that night.", f"The tug came from {other} that night.")[1] == "fact_changed"


def test_a_period_under_another_name_is_only_another_label():
    assert pair("Nine mths", "9 months")[1] in ("none", "stylistic")


def test_a_new_paragraph_is_a_new_fact_and_an_old_story_is_background():
    new = article(
        LEAD,
        MIDDLE,
        "Inspector Nils Berg arrested the captain at 14:30.",
        "Last year the line was fined for the same doors.",
        TAIL,
    )
    found = entries(article(LEAD, MIDDLE, TAIL), new)
    assert found["Inspector Nils Berg arrested the captain at 14:30."] == ("added", "new_fact")
    assert found["Last year the line was fined for the same doors."] == ("added", "context_added")


def test_a_subhead_a_note_and_a_column_label_say_nothing():
    new = article(LEAD, "- Cold water -", MIDDLE, "Nine mths", TAIL, "-- adds mayor in para 3")
    found = entries(article(LEAD, MIDDLE, TAIL), new)
    assert found["- Cold water -"] == ("added", "stylistic")
    assert found["Nine mths"] == ("added", "none")
    assert found["-- adds mayor in para 3"] == ("added", "none")


def test_40_a_later_version_that_is_shorter_was_cut_and_retracts_nothing():
    quote = '"I heard the doors bang before we left," passenger Eva Holm said.'
    old = article(LEAD, quote, MIDDLE, "The water was four degrees cold.", TAIL)
    change = compare(old, article(LEAD, MIDDLE))
    assert {p.development for p in change.paragraphs} == {"stylistic"}
    assert not change.new_development.yes
    assert change.summary == "trimmed by 3 paras"


@pytest.mark.parametrize(
    "gone, reason",
    [
        ('"The doors stood open when we left," passenger Eva Holm said.', "quote dropped without a word"),
        ("The owner, Karl Moser, was on the bridge.", "Karl Moser no longer named"),
        ("The mate was allegedly drunk, harbour police said.", "claim dropped without a word"),
    ],
)
def test_67_a_silent_retraction_is_seen(gone, reason):
    change = compare(article(LEAD, gone, MIDDLE, TAIL), article(LEAD, MIDDLE, TAIL))
    (entry,) = change.paragraphs
    assert (entry.op, entry.development) == ("removed", "retracted")
    assert [r.text for r in change.new_development.reasons] == [reason]


def test_67_a_quotation_cut_out_of_its_paragraph_is_seen_too():
    old = article(LEAD, 'The mayor opened a hall, saying "the owner lied to this town" at the quay.', TAIL)
    new = article(LEAD, "The mayor opened a hall at the quay.", TAIL)
    (entry,) = compare(old, new).paragraphs
    assert (entry.op, entry.development) == ("modified", "retracted")


def test_an_overtaken_lead_is_a_changed_fact():
    old = article("There was no word on the missing ferry Sund on Monday.", MIDDLE, TAIL)
    new = article(
        "Divers found wreckage and 12 bodies at Ven island, the navy announced.", MIDDLE, TAIL, headline="Wreck found"
    )
    found = entries(old, new)
    assert found["Divers found wreckage and 12 bodies at Ven island, the navy announced."][1] == "new_fact"
    assert found["There was no word on the missing ferry Sund on Monday."] == ("removed", "fact_changed")


@pytest.mark.parametrize(
    "language, before, after",
    [
        ("de", "Die Polizei zählte zwölf Tote in der Stadt.", "Die Polizei zählte fünfzehn Tote in der Stadt."),
        ("fr", "Le bilan est de douze morts dans la ville.", "Le bilan est de quinze morts dans la ville."),
        ("es", "La policía contó doce muertos en la ciudad.", "La policía contó quince muertos en la ciudad."),
        ("de", "Der Rat hat die Regel nicht beschlossen.", "Der Rat hat die Regel beschlossen."),
        ("ar", "ارتفع عدد القتلى في المدينة إلى 12 شخصا", "ارتفع عدد القتلى في المدينة إلى 15 شخصا"),
        ("ja", "市内の死者は12人になったと警察が発表した。", "市内の死者は15人になったと警察が発表した。"),
    ],
)
def test_a_changed_fact_is_seen_in_other_languages(language, before, after):
    old = article(before, headline=None, language=language)
    (entry,) = compare(old, article(after, headline=None, language=language)).paragraphs
    assert (entry.op, entry.development) == ("modified", "fact_changed")


@pytest.mark.parametrize(
    "language, text",
    [
        ("en", "Last October the ministry promised to pay for a new dock."),
        ("en", "The yard had already asked the bank for a delay."),
        ("en", "The yard and the union met on February 3 and again on February 11."),
        ("en", "The strike began in January and cost the yard its best customers."),
        ("de", "Die Werft hatte im Herbst schon einmal Personal abgebaut."),
        ("fr", "La direction avait déjà demandé un délai à la banque."),
        ("es", "La empresa había pedido un aplazamiento al banco."),
    ],
)
def test_an_added_paragraph_that_tells_of_the_time_before_the_story_is_background(language, text):
    assert added(language, text) == "context_added"


@pytest.mark.parametrize(
    "language, text",
    [
        ("en", "The union said the yard had broken its word."),
        ("en", "Talks resume on March 20 in the town hall."),
        ("en", "Police sealed off the dock."),
        ("de", "Die Gewerkschaft kündigte Streiks an."),
    ],
)
def test_an_added_paragraph_that_tells_what_happens_now_is_news(language, text):
    assert added(language, text) == "new_fact"


def added(language, text):
    """The label of `text` as a paragraph that a version of 16 March brings."""
    leads = {
        "en": "Lindholm Yard will lay off welders in June, the company said.",
        "de": "Die Lindholm-Werft entlässt im Juni Schweißer, teilte das Unternehmen mit.",
        "fr": "Le chantier Lindholm licencie des soudeurs en juin, a annoncé la société.",
        "es": "El astillero Lindholm despide a soldadores en junio, dijo la empresa.",
    }
    made = [
        Article(provider="a", uri="y", language=language, headline="Lindholm", version_created="2026-03-16T10:00:00Z", body=tuple(map(Paragraph, body)))
        for body in ((leads[language],), (leads[language], text))
    ]  # fmt: skip
    return compare(*made).paragraphs[-1].development


def test_a_departments_spokeswoman_for_the_department_is_attribution():
    before = "The visit is set for May 6 to 8, the transport department said."
    after = "Deputy transport department spokeswoman Ida Holm said the visit is set for May 6 to 8."
    assert pair(before, after)[1] == "attribution"
    assert pair(before, after.replace("visit", "visit of Premier Olav Strand"))[1] == "new_fact"


@pytest.mark.parametrize("after, label", [("Year", "fact_changed"), ("9 mths", "stylistic")])
def test_a_column_that_is_of_another_period_is_another_fact(after, label):
    rows = ("Shr 41 cts vs 30 cts", "Net 634,000 vs 470,000")
    assert entries(article("Nine mths", *rows), article(after, *rows))[after][1] == label
