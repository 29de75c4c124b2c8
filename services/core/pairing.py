"""Which paragraph is which: links between two texts, before anybody asks what changed in them.

Three passes. Paragraphs that are the same but for typography are joined first; the rest by the assignment of greatest total
likeness; then those left over are looked for inside the joined ones, where a paragraph was split or two were run together.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Final

import msgspec

from services.core.article import Paragraph
from services.core.assignment import best_pairs
from services.core.likeness import Profile, Weights, likeness, profile
from services.core.noise import is_furniture, restated, strip_noise
from services.core.tables import Row, read_rows, row_likeness
from services.core.text import canonical

# Measured on gold-dev (21 pairs) and 40 update pairs read by eye.
ALIKE: Final = 0.34
"""Below this likeness, neighbours counted, two paragraphs are two paragraphs."""
RESTATED: Final = 0.22
"""The same where a notice quotes: it cuts out one phrase, and nothing else competes for it."""
NEIGHBOURS: Final = 0.08
"""What a joined neighbour on either side adds: order speaks where wording is a tie."""
LEADS: Final = 0.06
"""What two leads get for being leads."""
INSIDE: Final = 0.4
"""The share of a left-over paragraph that must be found in the unexplained rest of a joined one."""
PART: Final = 0.15
"""The share of the joined paragraph that this must be."""
EXCHANGED: Final = 0.3
"""Of the smaller of two joined paragraphs, the share that must have gone to another joined one, figures among it."""
EXCHANGED_REST: Final = 0.45
"""The share of what is left unexplained that this must be."""
EXCHANGED_WEIGHT: Final = 4.0
"""And its weight: about four rare words."""
ALL_PAIRS: Final = 10_000
"""Up to so many pairs each is scored; beyond, only those that share rare terms."""
COMMON: Final = 1_000
"""A term in more pairs than this (before times after) proposes none in a long document."""
PROPOSALS: Final = 10
"""Candidates per paragraph in a long document."""


class Matched(msgspec.Struct, frozen=True):
    """Links (before, after), sorted, with their likeness; `same` are those equal but for typography."""

    links: dict[tuple[int, int], float]
    same: frozenset[tuple[int, int]]


class _Side:
    """One text, read for matching."""

    def __init__(self, paragraphs: Sequence[Paragraph], *, notice: bool) -> None:
        texts = [p.text for p in paragraphs]
        self.copies = [strip_noise(text, first=n == 0) or text for n, text in enumerate(texts)]
        if notice:
            self.copies = [restated(copy) for copy in self.copies]
        self.keys = [
            "\0furniture" if is_furniture(text) else canonical(copy) or "\0" + text.strip()
            for text, copy in zip(texts, self.copies, strict=True)
        ]
        self.rows = read_rows(paragraphs)


def match(before: Sequence[Paragraph], after: Sequence[Paragraph], *, notice: bool = False) -> Matched:
    """Links between two texts. `notice`: the later one is a memo that quotes the words it replaces."""
    old, new = _Side(before, notice=False), _Side(after, notice=notice)
    shared_sections = {r.section for r in old.rows if r} & {r.section for r in new.rows if r}
    same = _same([_placed(k, r, shared_sections) for k, r in zip(old.keys, old.rows, strict=True)],
                 [_placed(k, r, shared_sections) for k, r in zip(new.keys, new.rows, strict=True)])  # fmt: skip
    profiles = [profile(copy) for copy in old.copies], [profile(copy) for copy in new.copies]
    weights = Weights([*profiles[0], *profiles[1]])
    totals = [weights.total(p.terms) for p in profiles[0]], [weights.total(p.terms) for p in profiles[1]]
    taken = set(same.values())
    left = [b for b in range(len(before)) if b not in same]
    right = [a for a in range(len(after)) if a not in taken]
    scores: dict[tuple[int, int], float] = {}
    for b, a in _proposals(left, right, profiles, weights):
        score = likeness(profiles[0][b], profiles[1][a], weights, (totals[0][b], totals[1][a]))
        one, other = old.rows[b], new.rows[a]
        if one is not None and other is not None:
            score = row_likeness(one, other, shared_sections)
        if b == 0 and a == 0:
            score += LEADS
        scores[b, a] = score
    anchored = dict.fromkeys(same.items(), 1.0)
    floor = RESTATED if notice else ALIKE
    placed = {pair: _in_place(scores, anchored, *pair) for pair in scores}
    gains = {(b, a): score - floor - 1e-5 * abs(b - a) for (b, a), score in placed.items() if score > floor}
    joined = best_pairs(gains)
    links = anchored | {(b, a): scores[b, a] for b, a in joined.items()}
    links |= _regrouped(links, profiles, weights, totals)
    return Matched(dict(sorted(links.items())), frozenset(same.items()))


def _placed(key: str, row: Row | None, shared_sections: set[str | None]) -> str:
    """A row is the same row only under the same heading, where both texts have that heading."""
    if row is None or row.section is None or row.section not in shared_sections:
        return key
    return f"{key}\0{row.section}"


def _same(before: Sequence[str], after: Sequence[str]) -> dict[int, int]:
    """Paragraphs of equal key. Repeated ones go with their neighbours, then in order."""
    places: tuple[defaultdict[str, list[int]], defaultdict[str, list[int]]] = defaultdict(list), defaultdict(list)
    for side, keys in zip(places, (before, after), strict=True):
        for n, key in enumerate(keys):
            side[key].append(n)
    pairs = {
        found[0]: places[1][key][0]
        for key, found in places[0].items()
        if len(found) == 1 and len(places[1].get(key, ())) == 1
    }
    taken = set(pairs.values())
    queue = list(pairs.items())
    for b, a in queue:
        for step in (1, -1):
            i, j = b + step, a + step
            if (
                0 <= i < len(before)
                and 0 <= j < len(after)
                and i not in pairs
                and j not in taken
                and before[i] == after[j]
            ):
                pairs[i] = j
                taken.add(j)
                queue.append((i, j))
    for key, found in places[0].items():
        free = [b for b in found if b not in pairs]
        pairs.update(zip(free, (a for a in places[1].get(key, ()) if a not in taken), strict=False))
    return pairs


def _proposals(
    left: Sequence[int], right: Sequence[int], profiles: tuple[list[Profile], list[Profile]], weights: Weights
) -> list[tuple[int, int]]:
    """The pairs worth scoring: all in a story, those that share rare terms in a book."""
    if len(left) * len(right) <= ALL_PAIRS:
        return [(b, a) for b in left for a in right]
    holders: defaultdict[str, list[int]] = defaultdict(list)
    for a in right:
        for term in profiles[1][a].terms:
            holders[term].append(a)
    spread = Counter(term for b in left for term in profiles[0][b].terms)
    proposed: list[tuple[int, int]] = []
    of_after: defaultdict[int, list[tuple[float, int]]] = defaultdict(list)
    for b in left:
        votes: dict[int, float] = {}
        for term in profiles[0][b].terms:
            if term in holders and len(holders[term]) * spread[term] <= COMMON:
                for a in holders[term]:
                    votes[a] = votes.get(a, 0.0) + weights.of[term]
        for a, vote in sorted(votes.items(), key=lambda v: (-v[1], abs(v[0] - b), v[0]))[:PROPOSALS]:
            of_after[a].append((-vote, b))
    for a, bidders in of_after.items():
        proposed.extend((b, a) for _, b in sorted(bidders)[:PROPOSALS])
    return sorted(proposed)


def _in_place(scores: dict[tuple[int, int], float], anchored: dict[tuple[int, int], float], b: int, a: int) -> float:
    """The likeness of a pair, and a little of its neighbours'."""
    around = sum(
        max(anchored.get((b + step, a + step), 0.0), scores.get((b + step, a + step), 0.0)) for step in (1, -1)
    )
    return scores[b, a] + NEIGHBOURS * around


def _regrouped(
    links: dict[tuple[int, int], float],
    profiles: tuple[list[Profile], list[Profile]],
    weights: Weights,
    totals: tuple[list[float], list[float]],
) -> dict[tuple[int, int], float]:
    """More links, by where the facts went: from a left-over paragraph to the joined one that swallowed or shed it."""
    partners: tuple[defaultdict[int, list[int]], defaultdict[int, list[int]]] = defaultdict(list), defaultdict(list)
    for b, a in links:
        partners[0][b].append(a)
        partners[1][a].append(b)
    found: list[tuple[float, int, int]] = []
    for side in (0, 1):  # 0: a left-over earlier paragraph in a joined later one (merged); 1: the reverse (split)
        alone = [n for n in range(len(profiles[side])) if n not in partners[side]]
        rests = _rests(partners[1 - side], profiles, side, weights)
        holders: defaultdict[str, list[int]] = defaultdict(list)
        for n, rest in rests.items():
            for term in rest:
                holders[term].append(n)
        for n in alone:
            near: Counter[int] = Counter()
            for term in profiles[side][n].terms:
                if len(holders.get(term, ())) <= 40:
                    near.update(holders.get(term, ()))
            for other, _ in sorted(near.items(), key=lambda v: (-v[1], abs(v[0] - n), v[0]))[:PROPOSALS]:
                shared = weights.shared(profiles[side][n].terms, rests[other])
                if shared >= INSIDE * totals[side][n] and shared >= PART * totals[1 - side][other]:
                    found.append((-round(shared / totals[side][n], 6), *((n, other) if side == 0 else (other, n))))
    more: dict[tuple[int, int], float] = {}
    taken: set[tuple[int, int]] = set()
    for minus_share, b, a in sorted(found):
        lone = (0, b) if b not in partners[0] else (1, a)
        if lone not in taken:
            taken.add(lone)
            more[b, a] = -minus_share
    return more | _exchanged(links | more, profiles, weights, totals)


def _exchanged(
    links: dict[tuple[int, int], float],
    profiles: tuple[list[Profile], list[Profile]],
    weights: Weights,
    totals: tuple[list[float], list[float]],
) -> dict[tuple[int, int], float]:
    """Links between paragraphs that have partners already: a fact with its figures went over from one to another."""
    partners: tuple[defaultdict[int, list[int]], defaultdict[int, list[int]]] = defaultdict(list), defaultdict(list)
    for b, a in links:
        partners[0][b].append(a)
        partners[1][a].append(b)
    shed = _rests(partners[0], profiles, 1, weights)
    gained = _rests(partners[1], profiles, 0, weights)
    holders: defaultdict[str, list[int]] = defaultdict(list)
    for a, rest in gained.items():
        for term in rest:
            if any(map(str.isdigit, term)):
                holders[term].append(a)
    more: dict[tuple[int, int], float] = {}
    for b, rest in shed.items():
        near = {a for term in rest for a in holders.get(term, ()) if len(holders[term]) <= PROPOSALS}
        for a in sorted(near - set(partners[0][b])):
            shared = weights.shared(rest, gained[a])
            smaller = min(totals[0][b], totals[1][a])
            if shared >= max(EXCHANGED_WEIGHT, EXCHANGED * smaller, EXCHANGED_REST * weights.total(rest)):
                more[b, a] = round(shared / smaller, 6)
    return more


def _rests(
    partners: dict[int, list[int]], profiles: tuple[list[Profile], list[Profile]], side: int, weights: Weights
) -> dict[int, Counter[str]]:
    """What the joined paragraphs of the other side say that their partners on `side` do not."""
    rests: dict[int, Counter[str]] = {}
    for n, others in sorted(partners.items()):
        rest = profiles[1 - side][n].terms.copy()
        for other in others:
            rest -= profiles[side][other].terms
        if weights.total(rest) >= PART * weights.total(profiles[1 - side][n].terms):
            rests[n] = rest
    return rests
