import pytest

from services.core.article import Article, Paragraph
from services.core.language import numbers
from services.core.meaning import tolls
from services.core.meaning.compare import compare
from services.core.meaning.reading import read

TAIL = "The ferry line has sailed the sound since 1951 with two boats."


def article(headline, *body, language="en"):
    paragraphs = tuple(Paragraph(text) for text in body)
    return Article(provider="agency", uri="a", headline=headline, body=paragraphs, language=language)


def found(text, language="en"):
    return [(kind, int(q.value)) for kind, q in tolls.counts(text, numbers.extract(text, language), language, 2026)]


@pytest.mark.parametrize(
    "text, kind, value",
    [
        ("A fire at a mill killed at least 12 people", "dead", 12),
        ("The death toll from a fire at a mill near Lund rose to 15 on Monday", "dead", 15),
        ("Fifteen dead in mill fire", "dead", 15),
        ("The mill fire has claimed 15 lives", "dead", 15),
        ("Divers brought up 15 bodies from the wreck", "dead", 15),
        ("15 harbour workers have been killed", "dead", 15),
        ("More than 300 people were injured", "injured", 300),
        ("The gas hurt 44 people", "injured", 44),
        ("The number of injured was put at 41", "injured", 41),
        ("About 20 sailors were still missing", "missing", 20),
        ("Police arrested 31 fans", "arrested", 31),
        ("31 fans were arrested", "arrested", 31),
        ("Some 4,000 people were told to leave their homes", "evacuated", 4000),
        ("4,000 residents were evacuated", "evacuated", 4000),
        ("The flood left 900 people homeless", "displaced", 900),
    ],
)
def test_one_count_in_any_words(text, kind, value):
    assert found(text) == [(kind, value)]


@pytest.mark.parametrize(
    "language, text, kind, value",
    [
        ("de", "Die Zahl der Toten ist auf 15 gestiegen", "dead", 15),
        ("de", "Mindestens 12 Menschen sind getötet worden", "dead", 12),
        ("de", "Dabei wurden 40 Anwohner verletzt", "injured", 40),
        ("fr", "Le bilan de l'incendie est passé à 15 morts", "dead", 15),
        ("fr", "Au moins 12 personnes ont été tuées", "dead", 12),
        ("es", "El número de muertos subió a 15", "dead", 15),
        ("es", "Al menos 12 personas murieron", "dead", 12),
        ("es", "La policía dejó 31 detenidos", "arrested", 31),
        ("it", "Sono almeno 12 i morti", None, None),
        ("it", "L'incendio ha fatto 12 morti", "dead", 12),
        ("pt", "O número de mortos subiu para 15", "dead", 15),
        ("nl", "Het dodental is gestegen naar 15", "dead", 15),
        ("sv", "Minst 12 människor har dödats", "dead", 12),
    ],
)
def test_counts_in_other_languages(language, text, kind, value):
    assert found(text, language) == ([(kind, value)] if kind else [])


@pytest.mark.parametrize(
    "text",
    [
        "Three of the wounded died overnight",
        "Among the dead were two of them children killed at play",
        "The toll rose by 3 after a quake killed 80 people in 2019",
        "Two bombs killed the mayor",
        "Two gunmen killed the mayor of Lund",
        "Crews saved 12 lives",
        "He was killed 12 kilometres from home",
        "12 flights were cancelled",
        "A blaze last year killed 80 people",
        "Another 41 people were injured",
        "The balance sheet total of the bank fell to 218",
        "The yard builds two ships of 46,000 dead weight tons",
        "Most of the 543 passengers were confirmed dead",
    ],
)
def test_a_part_a_past_or_another_thing_is_no_toll(text):
    assert found(text) == []


def test_what_a_toll_rose_from_is_not_the_toll():
    assert found("The death toll rose from 12 to 15") == [("dead", 15)]


def test_two_counts_in_one_sentence():
    assert found("The blast killed 12 people and injured 40") == [("dead", 12), ("injured", 40)]
    assert found("12 killed, 40 wounded in blast") == [("dead", 12), ("injured", 40)]


OLD = article(
    "Mill fire kills 12",
    "A fire at a paper mill in Lund killed at least 12 people on Monday and drove hundreds out of town.",
    "Six crews fought the flames, fire chief Ana Lind said.",
    TAIL,
)
NEW = article(
    "Death toll in mill fire rises to 15",
    "The death toll from a fire at a paper mill in Lund rose to 15 on Monday, after three of the wounded died.",
    "Two of them were children, doctors said.",
    TAIL,
)


def test_a_toll_that_rose_under_other_words_is_the_headline_of_the_change():
    change = compare(OLD, NEW)
    assert [(n.before, n.after, n.context) for n in change.numbers] == [("12", "15", "death toll")]
    assert change.summary.startswith("toll 12 → 15")
    assert "toll 12 → 15" in [r.text for r in change.new_development.reasons]
    assert "toll 12 → 15" in [r.text for r in change.push.reasons]


def test_a_toll_in_the_headline_alone_counts():
    old, new = article("Mill fire kills 12", TAIL), article("Mill fire: 15 dead", TAIL)
    assert [(n.before, n.after) for n in compare(old, new).numbers] == [("12", "15")]


def test_another_count_beside_the_toll_changes_nothing():
    told = article("Mill fire kills 12", f"{OLD.body[0].text}", "Doctors said 12 people died and 9 were injured.", TAIL)
    assert compare(OLD, told).numbers == ()


def test_counts_told_further_down_are_left_to_the_words_around_them():
    old, new = (article("Budget passed", "The budget passed.", f"A crash killed {n} people.", TAIL) for n in (3, 4))
    assert tolls.revised(read(old), read(new), "en") == ()


def test_a_rival_toll_is_a_conflict():
    rival = article("Fire in Lund", "Seventeen people have died in the mill fire at Lund, the town's hospital said.")
    change = compare(NEW, rival, basis="story")
    assert [(c.what, c.ours, c.theirs) for c in change.conflicts] == [("toll", "15", "Seventeen")]
