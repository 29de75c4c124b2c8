"""Splits and merges: where the facts went, when paragraphs of two texts have been joined one to one.

A left-over paragraph is looked for in what its neighbours' partners leave unexplained; and a fact with its figures may have
gone over from one joined paragraph to another.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import chain
from typing import Final

from services.core.redline.likeness import Profile, Texts, Weights

# Measured on gold-dev and on 160 update pairs of the Reuters stream, all candidates from 0.28 up read by eye.
INSIDE: Final = 0.4
"""The share of a left-over paragraph that must be found in the unexplained rest of a joined one."""
PART: Final = 0.15
"""The share of the joined paragraph that this must be."""
EXCHANGED: Final = (0.45, 0.3)
"""Of the smaller of two joined paragraphs, the share that must have gone to another joined one; the second where figures
are among it."""
EXCHANGED_REST: Final = (0.6, 0.45)
"""The share of what is left unexplained that this must be, likewise."""
EXCHANGED_WEIGHT: Final = 4.0
"""And its weight: about four rare words."""
NEAREST: Final = 10
"""Candidates looked at per paragraph."""
COMMON: Final = 40
"""A term in more unexplained rests than this proposes none."""

Links = dict[tuple[int, int], float]


class _Rests:
    """What the joined paragraphs of one side say that their partners do not."""

    def __init__(
        self,
        mine: list[Profile],
        theirs: list[Profile],
        partners: dict[int, list[int]],
        weights: Weights,
        totals: list[float],
    ) -> None:
        self.of: dict[int, dict[str, int]] = {}
        self.holders: defaultdict[str, list[int]] = defaultdict(list)
        for n, others in sorted(partners.items()):
            if mine[n].terms == theirs[others[0]].terms:
                continue
            rest = mine[n].terms
            for other in others:
                told = theirs[other].terms
                rest = {term: left for term, count in rest.items() if (left := count - told.get(term, 0)) > 0}
            if weights.total(rest) >= PART * totals[n]:
                self.of[n] = rest
                for term in rest:
                    self.holders[term].append(n)

    def near(self, terms: Iterable[str], place: int) -> list[int]:
        """The paragraphs whose rests have most of `terms`."""
        found = (self.holders.get(term, ()) for term in terms)
        votes = Counter(chain.from_iterable(held for held in found if len(held) <= COMMON))
        return sorted(votes, key=lambda n: (-votes[n], abs(n - place), n))[:NEAREST]


def regrouped(links: Links, texts: Texts) -> Links:
    """The links to add, with the share of the smaller paragraph that each carries over."""
    more = _left_over(links, texts)
    return more | _exchanged(links | more, texts)


def _left_over(links: Links, texts: Texts) -> Links:
    """From a paragraph without partner to the joined one that swallowed it (merged) or shed it (split)."""
    partners = _partners(links)
    weights = texts.weights
    found: list[tuple[float, tuple[int, int], tuple[int, int]]] = []
    for side, (lone, joined) in enumerate(((texts.before, texts.after), (texts.after, texts.before))):
        alone = [n for n in range(len(lone)) if n not in partners[side]]
        if not alone:
            continue
        totals = texts.totals[1 - side]
        rests = _Rests(joined, lone, partners[1 - side], weights, totals)
        for n in alone:
            whole = texts.totals[side][n]
            for other in rests.near(lone[n].terms, n):
                shared = weights.shared(lone[n].terms, rests.of[other])
                if whole > 0 and shared >= max(INSIDE * whole, PART * totals[other]):
                    found.append((-round(shared / whole, 6), (n, other) if side == 0 else (other, n), (side, n)))
    more: Links = {}
    placed: set[tuple[int, int]] = set()
    for minus_share, link, paragraph in sorted(found):
        if paragraph not in placed:
            placed.add(paragraph)
            more[link] = -minus_share
    return more


def _exchanged(links: Links, texts: Texts) -> Links:
    """Between paragraphs that have partners already: facts, best with their figures, went from one to the other."""
    partners = _partners(links)
    weights = texts.weights
    shed = _Rests(texts.before, texts.after, partners[0], weights, texts.totals[0])
    gained = _Rests(texts.after, texts.before, partners[1], weights, texts.totals[1])
    more: Links = {}
    for b, rest in shed.of.items():
        for a in gained.near(rest, b):
            shared = weights.shared(rest, gained.of[a])
            smaller = min(texts.totals[0][b], texts.totals[1][a])
            figures = any(term in gained.of[a] and any(map(str.isdigit, term)) for term in rest)
            enough = max(EXCHANGED_WEIGHT, EXCHANGED[figures] * smaller, EXCHANGED_REST[figures] * weights.total(rest))
            if a not in partners[0][b] and shared >= enough:
                more[b, a] = round(shared / smaller, 6)
    return more


def _partners(links: Iterable[tuple[int, int]]) -> tuple[dict[int, list[int]], dict[int, list[int]]]:
    of_before: defaultdict[int, list[int]] = defaultdict(list)
    of_after: defaultdict[int, list[int]] = defaultdict(list)
    for b, a in links:
        of_before[b].append(a)
        of_after[a].append(b)
    return of_before, of_after
