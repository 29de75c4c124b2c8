"""How alike two paragraphs are in what they say: rare words, names and figures weigh, grammar hardly does.

Weights are a word's class times how rare it is among the paragraphs of the two texts, after Spärck Jones (1972). The
likeness of two paragraphs looks from both sides: a short paragraph that was extended is found in its descendant.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain, pairwise
from typing import Final

import msgspec
import regex

from services.core.language.text import BY_CHARACTER, KEPT, STOP_WORDS, folded, pattern_of

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
SENTENCE: Final = 5
"""Words that make a sentence; a subhead of two is not the ancestor of the paragraph that repeats them."""
PHRASES: Final = 0.25
"""The share of the score that the order of words decides, by pairs of neighbours."""

UNLIKE: Final = 0.15
"""Below this, nothing that is added can make two paragraphs one."""

_STEM = 6
_REMEMBERED: Final = 1 << 16
"""Words whose terms are kept at hand."""
_YEAR = regex.compile(r"(?:1[5-9]|20)\d\d")
_BY_CHARACTER = regex.compile(rf"[{BY_CHARACTER}]")


class Profile(msgspec.Struct, frozen=True):
    """What a paragraph is compared by: `terms` with how often each stands in it, `kinds` their class weights."""

    terms: dict[str, int]
    kinds: dict[str, float]
    phrases: dict[tuple[str, str], int]
    size: int


def profile(text: str) -> Profile:
    """Words cut to their stem (six letters serve every language well enough), Han and kana in pairs, figures whole."""
    return _profile_kept(text) if len(text) <= KEPT else _profile(text)


def _profile(text: str) -> Profile:
    kinds: dict[str, float] = {}
    terms: dict[str, int] = {}
    line: list[str] = []
    previous = ""
    for found in pattern_of(text).finditer(text):
        spelled = found[0]
        term, kind, word = _TERMS[spelled]
        if word is not None:  # read by character
            if not word:
                continue  # a lone stretching mark
            term, previous = previous + word, word
        else:
            previous = ""
            if kind == 1.0 and spelled[0].isupper() and term[0].isalpha() and _is_inside(text, found.start()):
                kind = NAME_WEIGHT
        line.append(term)
        if term not in terms:
            terms[term] = 1
            kinds[term] = kind
        else:
            terms[term] += 1
            kinds[term] = max(kinds[term], kind)
    phrases: dict[tuple[str, str], int] = {}
    for pair in pairwise(line):
        phrases[pair] = phrases.get(pair, 0) + 1
    return Profile(terms, kinds, phrases, len(line))


class _Terms(dict[str, tuple[str, float, str | None]]):
    """A word as it stands -> its term, class weight and, where the script is read by character, its folded form.

    Forgets all when full, which costs time only.
    """

    def __missing__(self, spelled: str) -> tuple[str, float, str | None]:
        if len(self) >= _REMEMBERED:
            self.clear()
        word = folded(spelled)
        by_character = not word or (word[0] > "\u0e00" and _BY_CHARACTER.match(word) is not None)
        found = (word, STOP_WEIGHT if word in STOP_WORDS else 1.0, word) if by_character else (*_term(word), None)
        self[spelled] = found
        return found


_TERMS: Final = _Terms()


def _term(word: str) -> tuple[str, float]:
    if word in STOP_WORDS:
        return word, STOP_WEIGHT
    if not word.isalpha() and (digits := sum(map(str.isdigit, word))):
        return word, YEAR_WEIGHT if _YEAR.fullmatch(word) else FIGURE_WEIGHTS[min(digits, 5)]
    return word[:_STEM] if len(word) > _STEM else word.removesuffix("s") if len(word) > 3 else word, 1.0


_profile_kept = lru_cache(maxsize=1 << 10)(_profile)


def _is_inside(text: str, start: int) -> bool:
    """Whether a word stands inside its sentence, where a capital means a name."""
    return start > 1 and text[start - 1] == " " and text[start - 2] not in ".!?:"


class Weights:
    """The weight of every term over the paragraphs of both texts."""

    def __init__(self, profiles: Sequence[Profile]) -> None:
        seen = Counter(chain.from_iterable(each.terms for each in profiles))
        kinds: dict[str, float] = {}
        for each in profiles:
            more = {term: held for term, kind in each.kinds.items() if (held := kinds.get(term, 0.0)) > kind}
            kinds |= each.kinds
            kinds |= more
        rarest = math.log1p(len(profiles) / 2)
        rarity = {n: min(1.0, math.log1p(len(profiles) / n) / rarest) for n in set(seen.values())}
        of_kind = {kind: {n: round(kind * rare, 6) for n, rare in rarity.items()} for kind in set(kinds.values())}
        self.of: dict[str, float] = {term: of_kind[kinds[term]][n] for term, n in seen.items()}

    def total(self, terms: dict[str, int]) -> float:
        """The weight of all that a paragraph says."""
        of = self.of
        return round(sum([of[term] * n for term, n in terms.items()]), 6)

    def shared(self, one: dict[str, int], other: dict[str, int]) -> float:
        """The weight of what two paragraphs have in common."""
        if len(one) > len(other):
            one, other = other, one
        of = self.of
        return round(sum([of[term] * min(n, other[term]) for term, n in one.items() if term in other]), 6)


def likeness(shared: float, before: Profile, after: Profile, totals: tuple[float, float]) -> float:
    """0 to 1. `shared` is the weight of what the two have in common, `totals` are their own weights."""
    mine, theirs = totals
    if mine <= 0 or theirs <= 0:
        return 0.0
    if min(before.size, after.size) < SENTENCE:  # Dice: a scrap is alike to scraps only
        score = 2 * shared / (mine + theirs)
    else:  # Ochiai, or how much of the smaller is contained in the larger
        contained = CONTAINED * shared / min(mine, theirs) * shared / (shared + FIRM)
        score = max(shared / math.sqrt(mine * theirs), contained)
    if score < UNLIKE:
        return 0.0
    small, large = before.phrases, after.phrases
    if len(small) > len(large):
        small, large = large, small
    fewest = min(before.size, after.size) - 1
    if fewest > 0:
        in_order = sum([min(n, large[pair]) for pair, n in small.items() if pair in large]) / max(fewest, SENTENCE - 1)
        score = (1 - PHRASES) * score + PHRASES * math.sqrt(score) * in_order
    return round(min(score, 1.0), 6)


class Texts:
    """Two texts as profiles, with the weights that hold between them."""

    def __init__(self, before: list[Profile], after: list[Profile]) -> None:
        self.before, self.after = before, after
        self.weights = Weights([*before, *after])
        self.totals = [self.weights.total(p.terms) for p in before], [self.weights.total(p.terms) for p in after]

    def likeness(self, b: int, a: int, shared: float) -> float:
        """Of an earlier and a later paragraph that share so much weight."""
        return likeness(shared, self.before[b], self.after[a], (self.totals[0][b], self.totals[1][a]))
