import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.core.language import facts, lexicon
from services.core.language.text import words


@pytest.mark.parametrize(
    "text, speaker",
    [
        ("“We will rebuild the bridge,” said Mayor Ana Lind.", "Mayor Ana Lind"),
        ('Mayor Ana Lind said: "We will rebuild the bridge by May."', "Mayor Ana Lind"),
        ("„Wir bauen die Brücke wieder auf“, sagte Bürgermeister Karl Moser.", "Bürgermeister Karl Moser"),
        ("« Nous allons reconstruire le pont », a déclaré Luc Morel.", "Luc Morel"),
        ('"We will rebuild the bridge," the mayor said.', "the mayor"),
        ('"We will rebuild the bridge," she said.', None),
        ("In Berlin sagte er: „Wir bauen die Brücke wieder auf.“", None),
    ],
)
def test_a_quotation_has_the_speaker_that_the_copy_names(text, speaker):
    (quote,) = facts.quotes([text])
    assert quote.speaker == speaker


def test_a_quotation_is_not_put_into_the_next_mouth():
    text = 'The minister said the pullout "changes the whole picture" for talks, while Norway added that it would wait.'
    assert [q.speaker for q in facts.quotes([text])] == ["The minister"]


def test_an_unclosed_quotation_runs_to_the_end_and_an_apostrophe_opens_none():
    assert [q.text for q in facts.quotes(['Lind said: "We go on tomorrow'])] == ["We go on tomorrow"]
    assert facts.quotes(["The miners' union and the owners' club don't agree on the terms"]) == ()


def test_a_scare_quote_is_no_quotation():
    assert facts.quotes(['They called it a "special zone" for years.']) == ()


def test_names_are_runs_of_capitals_inside_sentences():
    found = facts.names("Pilots flew from Lake Nord. The engineer Ole Brandt of NASU met Kari.", "en")
    assert found == ("Lake Nord", "Ole Brandt of NASU", "Kari")


def test_german_nouns_are_no_names():
    assert facts.names("Der Sprecher nannte die Lage im Hafen ernst.", "de") == ()
    assert facts.names("Der Sprecher Jan Petersen nannte die Lage ernst.", "de") == ("Sprecher Jan Petersen",)


def test_a_headline_in_capitals_names_nobody():
    assert facts.names("FERRY SINKS OFF COAST, TWELVE SAVED") == ()


def test_a_name_is_known_by_its_last_word_but_not_by_a_word_that_hundreds_share():
    known = frozenset(words("Banner Industries met minister Lind"))
    assert facts.is_known("Ana Lind", known)
    assert not facts.is_known("Oak Industries", known)


def test_an_acronym_is_known_where_its_long_form_stands():
    assert facts.initials("World Ferry Council") == "wfc"
    assert facts.is_known("WFC", frozenset(), frozenset(["wfc"]))
    assert facts.is_known("World Ferry Council", frozenset(["wfc"]))


def turned(gone, come):
    return [(t.kind, t.before, t.after) for t in facts.turns([(gone.split(), come.split())], lexicon.EN)]


@pytest.mark.parametrize(
    "gone, come, turn",
    [
        ("proposed", "imposed", ("opposite", "proposed", "imposed")),
        ("imminent", "", ("certainty", "imminent", "")),
        ("alleged", "confirmed", ("certainty", "alleged", "confirmed")),
        ("", "not", ("negation", "", "not")),
        ("rose", "fell", ("opposite", "rose", "fell")),
        ("", "arrested", ("status", "", "arrested")),
    ],
)
def test_one_word_turns_a_statement(gone, come, turn):
    assert turn in turned(gone, come)


def test_a_word_inside_a_long_cut_turns_nothing():
    assert turned("who might not have seen the lorry at all", "") == []


def test_a_word_that_only_moved_turns_nothing():
    edits = [(["not"], []), ([], ["not"])]
    assert facts.turns(edits, lexicon.EN) == ()


def test_vouchers_are_the_words_before_the_verb_of_saying():
    assert facts.vouchers("Two men drowned, harbour police said.", lexicon.EN) == ("harbour police",)
    assert facts.vouchers("He said it was cold.", lexicon.EN) == ()


@given(st.text(max_size=200))
def test_any_text_can_be_read(text):
    facts.quotes([text])
    facts.names(text)
    facts.vouchers(text, lexicon.EN)
    facts.missing_quotes(facts.quotes([text]), facts.word_pairs([text]))


@given(st.text(max_size=100))
def test_a_quotation_is_never_missing_from_its_own_text(text):
    assert facts.missing_quotes(facts.quotes([text]), facts.word_pairs([text])) == ()
