"""How alike two paragraphs are in what they say: rare words, names and figures weigh, grammar hardly does.

Weights are a word's class times how rare it is among the paragraphs of the two texts, after Spärck Jones (1972). The
likeness of two paragraphs looks from both sides: a short paragraph that was extended is found in its descendant.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import msgspec
import regex

from services.core.text import STOP_WORDS, tokens

# Measured on gold-dev (21 pairs), see tests/core/test_alignment.py.
STOP_WEIGHT: Final = 0.12
"""A word of grammar. At 0.3 quotes that share nothing but "he said it was" were joined."""
NAME_WEIGHT: Final = 1.3
"""A word in capitals inside a sentence."""
FIGURE_WEIGHTS: Final = (0.0, 0.8, 1.1, 1.5, 1.9, 2.4)
"""A number by its digits, up to five: two paragraphs that share 6,028,755 speak of the same thing in other words."""
YEAR_WEIGHT: Final = 1.0
"""Years stand everywhere."""
CONTAINED: Final = 0.85
"""What full containment of the smaller in the larger is worth beside full likeness."""
FIRM: Final = 1.0
"""Shared weight at which containment is believed by half: one shared name is none."""
PHRASES: Final = 0.25
"""The share of the score that the order of words decides, by pairs of neighbours."""

_STEM = 6
_YEAR = regex.compile(r"(?:1[5-9]|20)\d\d")
_BY_CHARACTER = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")


class Profile(msgspec.Struct, frozen=True):
    """What a paragraph is compared by: `terms` with how often each stands in it, `kinds` their class weights."""

    terms: Counter[str]
    kinds: dict[str, float]
    phrases: Counter[tuple[str, str]]
    size: int


def profile(text: str) -> Profile:
    """Words cut to their stem (six letters serve every language well enough), Han and kana in pairs, figures whole."""
    terms: Counter[str] = Counter()
    kinds: dict[str, float] = {}
    line: list[str] = []
    previous = ""
    for token in tokens(text):
        word = token.folded
        if _BY_CHARACTER.match(word):
            term, previous = previous + word, word
        else:
            term, previous = _stem(word), ""
        line.append(term)
        terms[term] += 1
        inside = (
            token.start > 0 and text[token.start - 1] == " " and text[token.start - 2 : token.start - 1] not in ".!?:"
        )
        if word in STOP_WORDS:
            kind = STOP_WEIGHT
        elif any(c.isdigit() for c in word):
            kind = YEAR_WEIGHT if _YEAR.fullmatch(word) else FIGURE_WEIGHTS[min(sum(map(str.isdigit, word)), 5)]
        elif inside and token.text[:1].isupper():
            kind = NAME_WEIGHT
        else:
            kind = 1.0
        kinds[term] = max(kinds.get(term, 0.0), kind)
    return Profile(terms, kinds, Counter(pairwise(line)), len(line))


def _stem(word: str) -> str:
    if any(c.isdigit() for c in word):
        return word
    return word[:_STEM] if len(word) > _STEM else word.removesuffix("s") if len(word) > 3 else word


class Weights:
    """The weight of every term over the paragraphs of both texts."""

    def __init__(self, profiles: Sequence[Profile]) -> None:
        self.seen: Counter[str] = Counter()
        kinds: dict[str, float] = {}
        for each in profiles:
            self.seen.update(each.terms.keys())
            for term, kind in each.kinds.items():
                kinds[term] = max(kinds.get(term, 0.0), kind)
        rarest = math.log1p(len(profiles) / 2)
        self.of: dict[str, float] = {
            term: round(kinds[term] * min(1.0, math.log1p(len(profiles) / n) / rarest), 6)
            for term, n in self.seen.items()
        }

    def total(self, terms: Counter[str]) -> float:
        """The weight of all that a paragraph says."""
        return sum(self.of[term] * n for term, n in terms.items())

    def shared(self, one: Counter[str], other: Counter[str]) -> float:
        """The weight of what two paragraphs have in common."""
        if len(one) > len(other):
            one, other = other, one
        return sum(self.of[term] * min(n, other[term]) for term, n in one.items() if term in other)


def likeness(before: Profile, after: Profile, weights: Weights, totals: tuple[float, float]) -> float:
    """0 to 1. `totals` are the two paragraphs' weights."""
    mine, theirs = totals
    if mine <= 0 or theirs <= 0:
        return 0.0
    shared = weights.shared(before.terms, after.terms)
    both = shared / math.sqrt(mine * theirs)
    contained = CONTAINED * shared / min(mine, theirs) * shared / (shared + FIRM)
    score = max(both, contained)
    fewest = min(before.phrases.total(), after.phrases.total())
    if fewest:
        small, large = sorted((before.phrases, after.phrases), key=len)
        in_order = sum(min(n, large[pair]) for pair, n in small.items() if pair in large) / fewest
        score = (1 - PHRASES) * score + PHRASES * score**0.5 * in_order
    return round(min(score, 1.0), 6)
