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
from services.core.language.text import canonical
from services.core.redline.assignment import best_pairs
from services.core.redline.likeness import Texts, profile
from services.core.redline.noise import is_furniture, restated, strip_noise
from services.core.redline.regrouping import regrouped
from services.core.redline.tables import Row, read_rows, row_likeness

ALIKE: Final = 0.33
"""Below this likeness, neighbours counted, two paragraphs are two paragraphs. On gold-dev the weakest true pair has 0.36, the
strongest false one that no better pair displaces 0.324. Of the borderline pairs (0.26 to 0.46) in 160 Reuters updates, 15 of
16 above were right and one of 5 below."""
RESTATED: Final = 0.22
"""The same where a notice quotes: it cuts out one phrase, and nothing else competes for it (gold-dev: 0.35 in one notice, no
false pair above 0.2 that a true one does not displace)."""
NEIGHBOURS: Final = 0.08
"""What a joined neighbour on either side adds: order speaks where wording is a tie. Without it the shortage line of a money
market update (0.33 by words) is lost on gold-dev."""
MOST_AROUND: Final = 0.2
"""More than two neighbours can add: what is further below `ALIKE` need not be asked for them."""
LEADS: Final = 0.06
"""What two leads get for being leads; decides no pair on gold-dev, and keeps a rewritten lead (0.4) off its neighbours."""
WHOLE_ROW: Final = 0.8
"""Rows of a table run together only where one stands in the other nearly whole."""
ALL_PAIRS: Final = 10_000
"""Up to so many pairs each is scored; beyond, only those that share rare terms."""
COMMON: Final = 200
"""A term in more pairs than this (before times after) proposes none in a long document."""
PROPOSALS: Final = 10
"""Candidates per paragraph in a long document."""


class Matched(msgspec.Struct, frozen=True):
    """Links (before, after), sorted, with their likeness. `keys` are the canonical forms of the copy of either side."""

    links: dict[tuple[int, int], float]
    keys: tuple[tuple[str, ...], tuple[str, ...]]


class _Side:
    """One text, read for matching."""

    def __init__(self, paragraphs: Sequence[Paragraph], *, notice: bool) -> None:
        texts = [p.text for p in paragraphs]
        opening = next((n for n, p in enumerate(paragraphs) if p.kind == "paragraph"), 0)
        copies = [strip_noise(text, first=n == opening) for n, text in enumerate(texts)]
        copies = ["" if p.kind == "note" else copy for p, copy in zip(paragraphs, copies, strict=True)]
        self.no_copy = [not canonical(copy) for copy in copies]  # notes, credits and furniture go with their like only
        self.copies = [copy or text for copy, text in zip(copies, texts, strict=True)]
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
    sections = {r.section for r in old.rows if r} & {r.section for r in new.rows if r}
    same = _same([_placed(k, r, sections) for k, r in zip(old.keys, old.rows, strict=True)],
                 [_placed(k, r, sections) for k, r in zip(new.keys, new.rows, strict=True)])  # fmt: skip
    taken = set(same.values())
    left = [b for b in range(len(before)) if b not in same]
    right = [a for a in range(len(after)) if a not in taken]
    links = dict.fromkeys(same.items(), 1.0)
    if left and right:
        texts = Texts([profile(copy) for copy in old.copies], [profile(copy) for copy in new.copies])
        scores = {
            (b, a): LEADS * (b == a == 0) + _likeness(b, a, shared, old, new, texts, sections)
            for (b, a), shared in _proposals(left, right, texts).items()
        }
        floor = RESTATED if notice else ALIKE
        hopeful = [pair for pair, score in scores.items() if score > floor - MOST_AROUND]
        placed = {pair: _in_place(scores, links, *pair) for pair in hopeful}
        gains = {(b, a): score - floor - 1e-5 * abs(b - a) for (b, a), score in placed.items() if score > floor}
        links |= {(b, a): scores[b, a] for b, a in best_pairs(gains).items()}
        links |= {
            (b, a): share
            for (b, a), share in regrouped(links, texts).items()
            if share >= WHOLE_ROW or old.rows[b] is None or new.rows[a] is None
        }
    return Matched(links=dict(sorted(links.items())), keys=(tuple(old.keys), tuple(new.keys)))


def _likeness(b: int, a: int, shared: float, old: _Side, new: _Side, texts: Texts, sections: set[str | None]) -> float:
    """Rows are compared as rows, headings and notes with their like only, all else as prose."""
    row, other = old.rows[b], new.rows[a]
    if row is not None and other is not None:
        return row_likeness(row, other, sections)
    heading = (row is not None and row.is_heading) or (other is not None and other.is_heading)
    if heading or old.no_copy[b] != new.no_copy[a]:
        return 0.0
    return texts.likeness(b, a, shared)


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


def _proposals(left: Sequence[int], right: Sequence[int], texts: Texts) -> dict[tuple[int, int], float]:
    """The pairs worth scoring and the weight they share: all in a story, those with rare terms in common in a book."""
    holders: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for a in right:
        for term, n in texts.after[a].terms.items():
            holders[term].append((a, n))
    proposed: dict[tuple[int, int], float] = {}
    if len(left) * len(right) <= ALL_PAIRS:
        for b in left:
            votes = dict.fromkeys(right, 0.0)
            for term, n in texts.before[b].terms.items():
                weight = texts.weights.of[term]
                for a, m in holders.get(term, ()):
                    votes[a] += weight * min(n, m)
            proposed.update(((b, a), vote) for a, vote in votes.items())
        return proposed
    spread = Counter(term for b in left for term in texts.before[b].terms)
    bids: defaultdict[int, list[tuple[float, int]]] = defaultdict(list)
    for b in left:
        votes = {}
        for term in texts.before[b].terms:
            found = holders.get(term)
            if found is not None and len(found) * spread[term] <= COMMON:
                weight = texts.weights.of[term]
                for a, _ in found:
                    votes[a] = votes.get(a, 0.0) + weight
        for a, vote in sorted(votes.items(), key=lambda v: (-v[1], v[0]))[:PROPOSALS]:
            bids[a].append((-vote, b))
    for rank, b in enumerate(left):  # a line of a long table may share nothing rare with itself but its place
        opposite = rank * len(right) // len(left)
        for a in right[max(0, opposite - 1) : opposite + 2]:
            bids[a].append((0.0, b))
    for a in right:
        for _, b in sorted(bids[a])[: PROPOSALS + 3]:
            proposed[b, a] = texts.weights.shared(texts.before[b].terms, texts.after[a].terms)
    return proposed


def _in_place(scores: dict[tuple[int, int], float], anchored: dict[tuple[int, int], float], b: int, a: int) -> float:
    """The likeness of a pair, and a little of its neighbours'."""
    around = sum(
        max(anchored.get((b + step, a + step), 0.0), scores.get((b + step, a + step), 0.0)) for step in (1, -1)
    )
    return round(scores[b, a] + NEIGHBOURS * around, 6)
