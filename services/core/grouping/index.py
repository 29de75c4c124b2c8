"""Candidate index: which earlier articles of the window could a new one belong with?

Terms are hashed into fixed tables: how many live articles hold a term (for its weight), and the last few articles that
hold it (for candidates). The cost of a search does not depend on the size of the window.

What is equal: after any adds and removes, counts and weights equal those of an index built from the live entries alone.
Postings do too as long as articles leave oldest first, as the window expires, or no term is shared by more than
RING articles; an article removed out of order may have pushed an older one out of a full ring, which stays out.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from services.core.errors import BrokenLog
from services.core.grouping.fingerprint import Fingerprint
from services.core.grouping.matching import Match, weigh
from services.core.grouping.measures import Counts, Entry, Floats, entry

RING: Final = 32
"""Articles remembered per term: a term of more is too common to point anywhere (GROUPING.md: 32–64 keep the cost flat)."""
RING_SLOTS: Final = 1 << 18
"""Rings, 32 MB in all, touched only as they fill; terms that fall into one slot share its ring."""
ASKED: Final = 40
"""The heaviest terms of an article that are looked up."""
WEIGHED: Final = 24
"""Candidates that are weighed in full; 60 change no score on any set by more than .01."""
EXACT_COPIES: Final = 8
"""Latest articles with the same text that are always weighed."""


class Found(NamedTuple):
    """Candidates: their numbers, a row of `measures.MEASURES` each, and whether each is the same text."""

    numbers: list[int]
    measures: Floats
    exact: npt.NDArray[np.bool_]


class CandidateIndex:
    """The articles of the window by what they say. Numbers are decision numbers, 0 to 2^32 - 2."""

    def __init__(self) -> None:
        """An empty index."""
        self._entries: dict[int, Entry] = {}
        self._copies: dict[str, list[int]] = {}
        self._counts = Counts()
        self._latest: tuple[Fingerprint, Entry] | None = None
        self._rings = np.zeros((RING_SLOTS, RING), dtype=np.uint32)  # number + 1; 0 is empty
        self._ends = np.zeros(RING_SLOTS, dtype=np.uint8)

    def __len__(self) -> int:
        """Live articles."""
        return len(self._entries)

    def add(self, number: int, fp: Fingerprint, at: float | None, provider: str = "") -> None:
        """Enter an article under its decision number; `at` is its time in seconds since the epoch, None if unknown."""
        if number in self._entries:
            raise BrokenLog(f"number {number} was indexed twice")
        article = self._laid_out(fp, at, provider)
        self._entries[number] = article
        if fp.body_hash:
            self._copies.setdefault(fp.body_hash, []).append(number)
        self._counts.change(article, 1)
        rings = article.posted & (RING_SLOTS - 1)
        ends = self._ends[rings]
        self._rings[rings, ends] = number + 1  # a ring named twice is written twice at one place
        self._ends[rings] = (ends + 1) % RING

    def remove(self, number: int) -> None:
        """Forget an article as if it had never come; one that is not there is no error."""
        article = self._entries.pop(number, None)
        if article is None:
            return
        if article.body_hash:
            copies = self._copies[article.body_hash]
            copies.remove(number)
            if not copies:
                del self._copies[article.body_hash]
        self._counts.change(article, -1)
        rings = article.posted & (RING_SLOTS - 1)
        posts = self._rings[rings]
        posts[posts == number + 1] = 0
        self._rings[rings] = posts

    def search(self, fp: Fingerprint, at: float | None, limit: int = 24, provider: str = "") -> tuple[Match, ...]:
        """The earlier articles that belong most with this one, best first, ties by number descending."""
        found = self.measured(fp, at, provider)
        return weigh(found.numbers, found.measures, found.exact, limit) if found else ()

    def measured(self, fp: Fingerprint, at: float | None, provider: str = "") -> Found | None:
        """The candidates with their measures, before any is judged; None where there is no candidate."""
        query = self._laid_out(fp, at, provider)
        numbers = self.candidates(query)
        if not numbers:
            return None
        copies = set(self._copies.get(query.body_hash, ()))
        return Found(numbers, self.measure(query, numbers), np.array([n in copies for n in numbers]))

    def _laid_out(self, fp: Fingerprint, at: float | None, provider: str) -> Entry:
        """The entry of a fingerprint: what was searched for is mostly what is added next."""
        known = self._latest
        if known is None or known[0] is not fp or (known[1].at, known[1].provider) != (at, provider):
            known = self._latest = fp, entry(fp, at, provider)
        return known[1]

    def measure(self, query: Entry, numbers: list[int]) -> Floats:
        """The measures of the articles of these numbers against this one (see `measures.MEASURES`), a row each."""
        return self._counts.measure(query, [self._entries[number] for number in numbers])

    def candidates(self, query: Entry) -> list[int]:
        """Numbers of the articles that share the heaviest terms with this one, and of its latest exact copies."""
        terms = np.unique(query.posted)
        terms = terms[self._counts.terms[terms] > 0]
        weights = self._counts.weights(terms)
        heaviest = np.lexsort((terms, -weights))[:ASKED]
        posts = self._rings[terms[heaviest] & (RING_SLOTS - 1)].ravel()
        held = posts > 0
        found, where = np.unique(posts[held], return_inverse=True)
        score = np.bincount(where, weights=np.repeat(weights[heaviest], RING)[held], minlength=len(found))
        best = np.lexsort((-found.astype(np.int64), -np.round(score, 6)))[:WEIGHED]
        numbers = [number - 1 for number in found[best].tolist()]
        copies = self._copies.get(query.body_hash, ())
        return numbers + [number for number in copies[-EXACT_COPIES:] if number not in numbers]
