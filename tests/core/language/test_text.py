"""Typography is not news; a figure is. Words, offsets and sentences in every script."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from services.core.language import text as module
from services.core.language.text import STOP_WORDS, canonical, sentences, spoken, tokens, words

WIRE_TEXT = st.text(alphabet=st.sampled_from("abABzü019 .,-'$%()?/+:;\"&^<>½²–—’…至ไั٣ßİـ\u0301\u200b\n"), max_size=30)
ANY_TEXT = st.text(max_size=30) | WIRE_TEXT


@pytest.mark.parametrize(
    "one, other",
    [
        ('The "port" fire', "The “port” fire"),
        ("'Out,' she said", "‘Out’, she said"),
        ("the ferry -- late again -- left", "the ferry — late again — left"),
        ("the ferry – late – left", "the ferry — late — left"),
        ("Wait... what", "Wait… what"),
        ("Quay\u00a0Street \u200bclosed", "Quay Street closed"),
        ("NORVIK PORT SHUT", "Norvik port shut"),
        ("Halden Shipping Co <HLD.OL> rose", "Halden Shipping Co rose"),
        ("(Halden Shipping) rose", "Halden Shipping rose"),
        ("the well-known quay", "the well known quay"),
        (" the port  ,which is shut", "the port, which is shut"),
        ("Rain &amp; wind&nbsp;hit Norvik", "Rain & wind hit Norvik"),
        ("<p>Rain <b>hit</b> Norvik</p>", "Rain hit Norvik"),
        ("March 11 to 20", "March 11-20"),
        ("March 11 to 20", "March 11–20"),
        ("up 6½ pct", "up 6-1/2 pct"),
        ("up 6 1/2 pct", "up 6-1/2 pct"),
        ("U.S. exports", "US exports"),
        ("the ﬂood", "the flood"),
        ("قُتل ثلاثة", "قتل ثلاثة"),
        ("الـــميناء", "الميناء"),
        ("気象庁は、津波は", "気象庁は津波は"),
        ("１５人", "15人"),
        ("٣٫٥", "3.5"),
    ],
)
def test_quotes_dashes_blanks_and_codes_are_no_change(one, other):
    assert canonical(one) == canonical(other)


@pytest.mark.parametrize(
    "one, other",
    [
        ("rose 1.5 pct", "rose 15 pct"),
        ("a gain of 14 cts", "a gain of 1.4 cts"),
        ("minus: -3 degrees", "minus: 3 degrees"),
        ("at −3 degrees", "at 3 degrees"),
        ("a result of -$3 mln", "a result of $3 mln"),
        ("cost $5", "cost €5"),
        ("up 5%", "up 5"),
        ("at 6-3/16 pct", "at 63/16 pct"),
        ("at 6-3/16 pct", "at 6 to 3/16 pct"),
        ("a charge of .5 pct", "a charge of 5 pct"),
        ("10² units", "102 units"),
        ("6½ pct", "61/2 pct"),
        ("1,550 dead", "1.550 dead"),
        ("Halden to quit?", "Halden to quit."),
        ("12:30 sailing", "12.30 sailing"),
    ],
)
def test_numbers_only_change_is_not_dropped_with_the_punctuation(one, other):
    assert canonical(one) != canonical(other)


@given(ANY_TEXT)
@example("0#¼")
@example("ـ")
def test_canonical_is_idempotent(text):
    assert canonical(canonical(text)) == canonical(text)


@given(ANY_TEXT)
def test_tokens_stand_where_they_say(text):
    end = 0
    for token in tokens(text):
        assert text[token.start : token.end] == token.text
        assert token.start >= end
        assert token.folded
        end = token.end


@given(st.text(alphabet=st.sampled_from("abAB019 .,-'$%()?/+:;\"&^~[]\n"), max_size=30))
def test_the_quick_pattern_for_ascii_reads_as_the_one_for_all_scripts(text):
    assert module._ASCII_TOKEN.findall(text) == module._TOKEN.findall(text)
    assert module._ASCII_PIECE.findall(text) == module._PIECE.findall(text)


LATIN_MARKS = [c for c in map(chr, range(0x80, 0x2300)) if module.is_latin(c)]


@given(st.text(alphabet=st.sampled_from("aZß1 5.,'’-–−—/%$£€é\t`" + "".join(LATIN_MARKS)), max_size=14))
@example("“’90s–1,5‘ £5 -€5 6–3/16 U.S.’s 1\u00a0000 ±.5")
def test_the_quick_way_for_latin_letters_reads_as_the_one_for_all_scripts(text):
    folded = module.fold(f"{text}é")
    assert folded == module._fold(f"{text}é")
    for each in (text, folded):
        assert module.is_latin(each)
        assert module._LATIN_TOKEN.findall(each) == module._TOKEN.findall(each)
        assert module._LATIN_PIECE.findall(each) == module._PIECE.findall(each)


@pytest.mark.parametrize(
    "text, expected",
    [
        ("rose 1,550.5 to -3", ["rose", "1,550.5", "to", "-3"]),
        ("at 10-7/16 and 6¾", ["at", "10-7/16", "and", "6¾"]),
        ("270\u00a0000 Menschen", ["270\u00a0000", "Menschen"]),
        ("the 3rd SU-25", ["the", "3rd", "SU", "25"]),
        ("U.S. says O'Hara’s", ["U.S.", "says", "O'Hara’s"]),
        ("東京で3人", ["東", "京", "で", "3", "人"]),
        ("हिन्दी समाचार", ["हिन्दी", "समाचार"]),
    ],
)
def test_figures_and_words_stay_whole(text, expected):
    assert [token.text for token in tokens(text)] == expected


def test_words_are_folded_for_matching():
    assert words("The U.S. port's “Crane”") == ("the", "us", "port", "crane")


def test_a_figure_is_a_number_and_an_ordinal_is_none():
    assert [token.is_number for token in tokens("-3 1,550 3rd port")] == [True, True, False, False]


def test_us_the_country_and_the_german_war_are_news():
    assert not {"us", "war", "die"} & STOP_WORDS
    assert {"the", "und", "les", "في"} <= STOP_WORDS


@pytest.mark.parametrize(
    "text, expected",
    [
        ("Mr. Berg left. The U.S. Navy came.", ["Mr. Berg left.", "The U.S. Navy came."]),
        ("He sold Halden Inc. The buyer is J. Lund.", ["He sold Halden Inc.", "The buyer is J. Lund."]),
        ("Pier No. 5 burned. No. It did not.", ["Pier No. 5 burned.", "No.", "It did not."]),
        ('"Stop!" he cried. "Now."', ['"Stop!" he cried.', '"Now."']),
        ("It rose 1.5 pct. Trade was thin.", ["It rose 1.5 pct.", "Trade was thin."]),
        ("Er kam am 2. Mai. Dann ging er.", ["Er kam am 2. Mai.", "Dann ging er."]),
        ("港が閉鎖された。けが人はない。", ["港が閉鎖された。", "けが人はない。"]),
        ("هل أغلق الميناء؟ نعم.", ["هل أغلق الميناء؟", "نعم."]),
        ("Line one\nLine two", ["Line one", "Line two"]),
    ],
)
def test_abbreviations_do_not_end_a_sentence(text, expected):
    assert list(sentences(text)) == expected


@given(ANY_TEXT)
def test_sentences_lose_nothing_but_blanks(text):
    assert "".join("".join(sentences(text)).split()) == "".join(text.split())


@pytest.mark.parametrize(
    "short, long",
    [
        ("We won't go", "We will not go"), ("They’re late", "They are late"), ("I can't, they cannot", "I can not, they can not"),
        ("It's late", "It is late"), ("He's gone", "He has gone"), ("I'd wait", "I would wait"), ("We'd better wait", "We had better wait"),
        ("They'd landed", "They had landed"), ("we've seen, we'll see, I'm here", "we have seen, we will see, I am here"),
    ],
)  # fmt: skip
def test_short_forms_and_long_ones_are_the_same_words(short, long):
    assert spoken(short) == spoken(long)


def test_a_short_form_keeps_its_no():
    assert spoken("We won't go") != spoken("We will go")
    assert spoken("l'homme n'est pas d'ici") == words("l'homme n'est pas d'ici")
