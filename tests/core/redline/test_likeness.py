"""How alike two paragraphs are, by what they say."""

import pytest

from services.core.language.text import STOP_WORDS, words
from services.core.redline.likeness import NAME_WEIGHT, STOP_WEIGHT, Texts, Weights, profile

PORT = "The port of Norvik was shut on Monday after two ferries collided in the fog."


def alike(before, after):
    texts = Texts([profile(before)], [profile(after)])
    return texts.likeness(0, 0, texts.weights.shared(texts.before[0].terms, texts.after[0].terms))


def test_a_name_stays_a_name_where_it_also_begins_a_sentence():
    first, second = profile("Police searched the office of Kestrel on Monday."), profile("Kestrel denied it.")
    for order in ([first, second], [second, first]):
        assert Weights(order).of["kestre"] == NAME_WEIGHT


def test_a_word_of_grammar_hardly_weighs_and_a_long_figure_weighs_most():
    weights = Weights([profile("the 6,028,755 ballots"), profile("a 7 b")]).of
    assert weights["the"] == STOP_WEIGHT < weights["7"] < weights["ballot"] < weights["6,028,755"]


def test_30_an_extended_paragraph_is_as_good_as_whole_in_its_descendant():
    longer = (
        f"{PORT} Nobody was hurt, the harbour master said, but both hulls were torn and divers will look at them today."
    )
    assert alike(PORT, longer) > 0.75
    assert alike(PORT, PORT) == 1.0


def test_the_same_words_in_another_order_are_less_alike():
    shuffled = "Fog: in the port of Monday two collided ferries; Norvik after was shut on the."
    assert 0.5 < alike(PORT, shuffled) < 0.9


def test_two_paragraphs_of_grammar_alone_share_nothing():
    grammar = [w for w in words("he said it was not what they had been and would be there") if w in STOP_WORDS]
    assert alike(" ".join(grammar), "Ferries burn off Norvik while divers search the hull.") == 0.0


@pytest.mark.parametrize(
    ("before", "after"),
    [("المرفأ مغلق منذ صباح الاثنين", "المرفأ مغلق منذ صباح الثلاثاء"), ("港は月曜から閉鎖", "港は火曜から閉鎖")],
)
def test_other_scripts_are_read_too(before, after):
    assert alike(before, after) > 0.5
