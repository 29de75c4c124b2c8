"""The fingerprint: a pure function of what an article says, in any script."""

import msgspec
import numpy as np
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.core.article import Article, Paragraph
from services.core.grouping.fingerprint import FINGERPRINT_VERSION, Fingerprint, fingerprint
from services.core.language import terms


def article(*paragraphs, headline=None, **more):
    body = tuple(p if isinstance(p, Paragraph) else Paragraph(p) for p in paragraphs)
    return Article(provider="nordwire", uri="n1", headline=headline, body=body, **more)


def values(packed):
    return set(np.frombuffer(packed, dtype="<u4").tolist())


LANGUAGES = {
    "english": (
        "Divers search the harbour for the ferry's black box",
        "The ferry sank in nine minutes off Brannock Head.",
    ),
    "german": (
        "Taucher suchen im Hafen nach der Blackbox",
        "Die Fähre sank vor Brannock in neun Minuten, sagte die Polizei.",
    ),
    "arabic": ("غواصون يبحثون عن الصندوق الأسود للعبارة", "غرقت العبارة خلال تسع دقائق قبالة الساحل الشمالي."),
    "japanese": ("フェリー沈没、ダイバーが捜索", "フェリーは北の岬の沖で九分で沈没した。乗客は救助された。"),
    "thai": ("นักดำน้ำค้นหากล่องดำของเรือเฟอร์รี่", "เรือเฟอร์รี่จมลงในเก้านาทีนอกชายฝั่งทางเหนือ"),
    "russian": ("Водолазы ищут чёрный ящик парома", "Паром затонул за девять минут у северного мыса."),
    "hindi": ("गोताखोर नौका के ब्लैक बॉक्स की तलाश में", "नौका उत्तरी तट के पास नौ मिनट में डूब गई।"),
}


@given(
    st.text(max_size=80),
    st.lists(st.text(min_size=1, max_size=200), max_size=6),
    st.text(max_size=30),
)
def test_any_text_gives_a_fingerprint_that_survives_json(headline, paragraphs, slug):
    made = fingerprint(article(*paragraphs, headline=headline, slugline=slug))
    sent = orjson.dumps(msgspec.to_builtins(made))
    assert msgspec.convert(orjson.loads(sent), Fingerprint) == made
    assert made == fingerprint(article(*paragraphs, headline=headline, slugline=slug))
    assert len(made.counts) * 4 == len(made.body)
    assert made.head <= made.lead <= len(made.counts)
    assert made.version == FINGERPRINT_VERSION


def test_the_same_bytes_on_every_machine_and_run():
    made = fingerprint(
        article("Eleven barges broke loose at Quern lock.", headline="Barges adrift", slugline="Quern-Barges")
    )
    assert made.body_hash == "2a738e531d8df643558c57123660e4f4"
    assert np.frombuffer(made.title, dtype="<u4").tolist() == [817973056, 746655053]
    assert made.slug == 986026132


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_script_has_terms(language):
    headline, text = LANGUAGES[language]
    made = fingerprint(article(text, headline=headline))
    assert len(values(made.title)) >= 4
    assert len(values(made.body)) >= 5
    assert len(values(made.shingles)) >= 4


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_copy_without_a_language_tag_has_the_same_fingerprint(language):
    headline, text = LANGUAGES[language]
    tagged = fingerprint(article(text, headline=headline, language=language[:2]))
    assert tagged == fingerprint(article(text, headline=headline))


def test_typography_dateline_credit_and_breaks_do_not_change_the_body_hash():
    plain = fingerprint(article('The "old" lock -- built in 1911 -- can\'t hold, an engineer said.', "It leaks."))
    other = fingerprint(
        article(
            "QUERN, March 3 (Nordwire) - The “old” lock — built in 1911 — can’t hold, an engineer said. It leaks.",
            Paragraph("Reporting by A. Writer", kind="credit"),
        )
    )
    assert plain.body_hash == other.body_hash


@pytest.mark.parametrize(
    "before, after",
    [
        ("up 1.5 pct", "up 15 pct"),
        ("14 hurt", "1.4 hurt"),
        ("-3 degrees", "3 degrees"),
        ("$40 fee", "€40 fee"),
        ("1/4", "14"),
    ],
)
def test_another_figure_is_another_body(before, after):
    one, two = (fingerprint(article(f"The lock keeper counted {x} on Monday.")) for x in (before, after))
    assert one.body_hash != two.body_hash


def test_an_article_without_words_matches_nothing_by_hash():
    assert fingerprint(article(headline=None)).body_hash == ""
    assert fingerprint(article("…", "***")).body_hash == ""


def test_inflected_words_share_a_term():
    one = fingerprint(article("The minister resigned over leaking locks.", headline="Minister resigns"))
    two = fingerprint(article("A minister resigns over a leaking lock.", headline="Minister resigned"))
    assert values(one.body) == values(two.body)
    assert values(one.title) == values(two.title)


def test_arabic_spellings_share_a_term():
    assert values(fingerprint(article("أعلنت الحكومة")).body) == values(fingerprint(article("اعلنت الحكومه")).body)


def test_names_are_capitalised_words_inside_a_sentence_and_pairs_of_them():
    made = fingerprint(article("Yesterday the lawyer Ida Quist met reporters. Critics of Quist left."))
    again = fingerprint(article("In the end Ida Quist won, friends said."))
    assert len(values(made.names) & values(again.names)) == 3  # Ida, Quist, Ida Quist
    assert not values(fingerprint(article("Critics left. Friends stayed.")).names)


def test_thousands_are_one_figure_and_decimals_another():
    spelled = [fingerprint(article(f"It cost {x} in all.")).numbers for x in ("1,200", "1200", "1.200", "12.00")]
    assert spelled[0] == spelled[1]
    assert len({*spelled}) == 3


def test_tickers_are_read_as_wires_print_them():
    forms = ("QUERN <QRN> PROFIT UP", "Quern (QRN.N) profit up", "Quern (NYSE: QRN) profit up", "QUERN (QRN) PROFIT UP")
    assert len({fingerprint(article("Profit rose.", headline=h)).tickers for h in forms}) == 1


@pytest.mark.parametrize(
    "headline", ["World news digest", "Evening briefs", "Kurznachrichten vom Abend", "Top stories at 1800"]
)
def test_a_digest_is_known_by_its_headline(headline):
    assert fingerprint(article("One thing happened.", headline=headline)).digest
    assert not fingerprint(article("One thing happened.", headline="Minister digests defeat")).digest


def test_a_long_article_stays_small_and_is_read_in_time():
    words = " ".join(f"Word{i % 977} fell{i % 31} by {i}" for i in range(9_000))
    made = fingerprint(article(*[words[i : i + 400] for i in range(0, len(words), 400)], headline="Long read " * 300))
    assert len(orjson.dumps(msgspec.to_builtins(made))) < 4_500
    assert made.reach is not None


def test_a_typical_article_fits_the_row():
    text = [
        f"The council of Quern heard {name} argue for the lock plan on day {i}."
        for i, name in enumerate("ABCDEFGHIJKLMNOP")
    ]
    assert (
        len(orjson.dumps(msgspec.to_builtins(fingerprint(article(*text, headline="Council hears lock plan"))))) < 2_500
    )


@given(st.text(alphabet=st.characters(max_codepoint=127), max_size=300))
def test_the_quick_reading_of_ascii_is_the_full_reading(text):
    assert terms._ASCII_TOKEN.findall(text) == terms._TOKEN.findall(text)
