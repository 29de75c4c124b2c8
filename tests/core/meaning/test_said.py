import msgspec
from hypothesis import given
from hypothesis import strategies as st

from services.core.article import Article, Paragraph
from services.core.meaning.said import novelty, what_it_says


def article(*body, headline="Ferry sinks off Lund", uri="a", provider="agency"):
    return Article(provider=provider, uri=uri, headline=headline, body=tuple(Paragraph(t) for t in body), language="en")


FIRST = what_it_says(article("A ferry with 40 passengers sank off Lund, harbour police said."), "one")
SECOND = what_it_says(article("Divers found the wreck at a depth of 60 metres on Friday."), "two")


def test_what_was_said_word_for_word_is_no_news():
    assert novelty("A ferry with 40 passengers sank off Lund, harbour police said.", [FIRST, SECOND]).similarity == 1.0


def test_novelty_names_the_input_that_said_it():
    assert novelty("Divers found the wreck at a depth of 60 metres on Friday.", [FIRST, SECOND]).seen_in == "two"


def test_typography_is_no_novelty():
    assert novelty("“A ferry, with 40 passengers, sank off Lund”, harbour police said", [FIRST]).similarity == 1.0


def test_the_headline_has_said_it_too():
    assert novelty("The ferry sinks off Lund.", [FIRST]).similarity == 1.0


def test_another_figure_makes_an_old_sentence_newer():
    same = novelty("A ferry with 40 passengers then sank off Lund, harbour police said.", [FIRST]).similarity
    other = novelty("A ferry with 55 passengers then sank off Lund, harbour police said.", [FIRST]).similarity
    assert other < same


def test_words_from_ten_articles_do_not_add_up_to_a_report():
    pieces = [
        what_it_says(article(f"Something {word} happened.", headline=None), word)
        for word in ("grain", "strike", "vessel", "tax")
    ]
    assert novelty("The grain tax strike hit one vessel.", pieces).similarity < 0.6


def test_nothing_said_is_all_new():
    assert novelty("Anything at all.", []).similarity == 0.0
    assert novelty("", [FIRST]).similarity == 0.0


def test_an_article_of_twenty_paragraphs_fits_two_kilobytes():
    body = [
        f"Paragraph {n} tells of harbour number {n * 7} where inspector Name{n} and clerk Other{n} counted {n * 13} crates, "
        f"{n * 3} barrels and sundry goods{n} before the warehouse{n} closed."
        for n in range(20)
    ]
    assert len(msgspec.msgpack.encode(what_it_says(article(*body), "x"))) <= 2048


def test_a_huge_document_is_capped():
    body = [f"Word{n} other{n} third{n} at {n}." for n in range(3000)]
    assert len(msgspec.msgpack.encode(what_it_says(article(*body), "x"))) < 16_384


@given(st.lists(st.text(min_size=1, max_size=60), max_size=5), st.text(max_size=60))
def test_similarity_is_a_share_whatever_the_text(body, text):
    said = what_it_says(Article(provider="p", uri="u", body=tuple(Paragraph(t) for t in body)), "x")
    assert 0.0 <= novelty(text, [said]).similarity <= 1.0
