from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.core.grouping.slug import slug_family


@pytest.mark.parametrize(
    "slug",
    [
        "BC-Port-Fire", "BC-Port Fire, 1st Ld-Writethru", "Port-Fire, 2nd Add", "PORT-FIRE/ (UPDATE 2, PIX)", "port fire",
        "AM-Port-Fire,URGENT", "PORT-FIRE/ (WRAPUP 1, CORRECTED)", "Port Fire, 3rd Ld", "BC-Port-Fire, 1st Insert",
    ],
)  # fmt: skip
def test_what_a_take_adds_to_a_slug_goes(slug):
    assert slug_family(slug) == "port fire"


@pytest.mark.parametrize(
    ("one", "other"), [("BC-Port-Fire", "BC-Port-Strike"), ("Cup-Final 1", "Cup-Final 2"), ("Leadership-Vote", "Vote")]
)
def test_other_stories_keep_their_own(one, other):
    assert slug_family(one) != slug_family(other)


@pytest.mark.parametrize("slug", [None, "", "BC-", "(UPDATE 1)", "--"])
def test_a_slug_without_a_word_is_none(slug):
    assert slug_family(slug) is None


@given(st.text(max_size=200))
def test_a_family_is_its_own_family_or_nothing(slug):
    family = slug_family(slug)
    assert family is None or family == family.casefold()
