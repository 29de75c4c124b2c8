import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.core.language.spellings import same_name, spellings
from services.core.language.text import canonical


@pytest.mark.parametrize(
    "one, other", [("Broadview", "Braodview"), ("Neb", "Nebraska"), ("Kristiansund", "Kristianssund")]
)
def test_one_name_in_two_spellings(one, other):
    assert same_name(one, other)
    assert same_name(other, one)


@pytest.mark.parametrize(
    "one, other",
    [("Austria", "Australia"), ("Niger", "Nigeria"), ("Gambia", "Zambia"), ("Iran", "Iraq"), ("Oak", "Banner")],
)
def test_two_names(one, other):
    assert not same_name(one, other)
    assert not same_name(other, one)


def test_in_a_whole_text_a_short_name_stands_for_itself_alone():
    assert not spellings(["Mali", "Ana"]).hold("Malikow")
    assert spellings(["Mali", "Ana"]).hold("Ana")


@given(st.lists(st.text(max_size=12), max_size=5))
def test_a_text_holds_its_own_names(names):
    held = spellings(names)
    assert all(held.hold(name) for name in names if canonical(name))
