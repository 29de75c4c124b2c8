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
from services.core.fingerprint import FINGERPRINT_VERSION, Fingerprint
from services.core.matching import Floats, Match, weigh

RING: Final = 32
"""Articles remembered per term: a term of more is too common to point anywhere (GROUPING.md: 32–64 keep the cost flat)."""
TERM_SLOTS: Final = 1 << 21
RING_SLOTS: Final = 1 << 18
SHINGLE_SLOTS: Final = 1 << 22
"""Sizes of the tables (8, 32 and 16 MB, touched only as they fill); terms that fall into one slot share its count."""
ASKED: Final = 40
"""The heaviest terms of an article that are looked up."""
WEIGHED: Final = 60
"""Candidates that are weighed in full."""
EXACT_COPIES: Final = 8
"""Latest articles with the same text that are always weighed."""
PRIOR_ARTICLES: Final = 500
"""Articles assumed before the first, so that early words are not all equally common."""
LEAST_WEIGHT: Final = 0.7
"""A term lighter than this, in half of all articles, counts nothing (GROUPING.md)."""
RARE_SHINGLE: Final = 30
"""A run of three words in more articles than this is a formula (GROUPING.md)."""

Slots = npt.NDArray[np.intp]
SmallSlots = npt.NDArray[np.int32]


class _Entry(NamedTuple):
    fp: Fingerprint
    at: float | None
    title: SmallSlots
    body: SmallSlots
    names: SmallSlots
    numbers: SmallSlots
    bigrams: SmallSlots
    keys: SmallSlots
    shingles: npt.NDArray[np.uint32]


def _u32(packed: bytes) -> npt.NDArray[np.uint32]:
    return np.frombuffer(packed, dtype="<u4")


def _slots(packed: bytes) -> SmallSlots:
    return (_u32(packed) & np.uint32(TERM_SLOTS - 1)).astype(np.int32)


def _entry(fp: Fingerprint, at: float | None) -> _Entry:
    if fp.version != FINGERPRINT_VERSION:
        raise BrokenLog(f"a fingerprint of version {fp.version} in an index of version {FINGERPRINT_VERSION}")
    keys = [value & (TERM_SLOTS - 1) for value in (fp.slug,) if value is not None]
    return _Entry(
        fp,
        at,
        _slots(fp.title),
        _slots(fp.body),
        _slots(fp.names),
        _slots(fp.numbers),
        _slots(fp.bigrams),
        np.concatenate((_slots(fp.tickers), np.array(keys, dtype=np.int32))),
        _u32(fp.shingles),
    )


class CandidateIndex:
    """The articles of the window by what they say. Numbers are decision numbers, 0 to 2^32 - 2."""

    def __init__(self) -> None:
        """An empty index."""
        self._entries: dict[int, _Entry] = {}
        self._copies: dict[str, list[int]] = {}
        self._counts = np.zeros(TERM_SLOTS, dtype=np.int32)
        self._rings = np.zeros((RING_SLOTS, RING), dtype=np.uint32)  # number + 1; 0 is empty
        self._ends = np.zeros(RING_SLOTS, dtype=np.uint8)
        self._shingles = np.zeros(SHINGLE_SLOTS, dtype=np.int32)
        self._place = np.zeros(TERM_SLOTS, dtype=np.uint8)  # scratch of one search: bits of the fields a term is in
        self._seen = np.zeros(SHINGLE_SLOTS, dtype=np.bool_)  # scratch of one search

    def __len__(self) -> int:
        """Live articles."""
        return len(self._entries)

    def add(self, number: int, fp: Fingerprint, at: float | None) -> None:
        """Enter an article under its decision number; `at` is its time in seconds since the epoch, None if unknown."""
        if number in self._entries:
            raise BrokenLog(f"number {number} was indexed twice")
        entry = _entry(fp, at)
        self._entries[number] = entry
        if fp.body_hash:
            self._copies.setdefault(fp.body_hash, []).append(number)
        terms = _all_terms(entry)
        self._counts[terms] += 1
        self._shingles[_shingle_slots(entry)] += 1
        rings = np.unique(_posted(entry) & (RING_SLOTS - 1))
        ends = self._ends[rings]
        self._rings[rings, ends] = number + 1
        self._ends[rings] = (ends + 1) % RING

    def remove(self, number: int) -> None:
        """Forget an article as if it had never come; one that is not there is no error."""
        entry = self._entries.pop(number, None)
        if entry is None:
            return
        if entry.fp.body_hash:
            copies = self._copies[entry.fp.body_hash]
            copies.remove(number)
            if not copies:
                del self._copies[entry.fp.body_hash]
        self._counts[_all_terms(entry)] -= 1
        self._shingles[_shingle_slots(entry)] -= 1
        rings = np.unique(_posted(entry) & (RING_SLOTS - 1))
        posts = self._rings[rings]
        posts[posts == number + 1] = 0
        self._rings[rings] = posts

    def search(self, fp: Fingerprint, at: float | None, limit: int = 24) -> tuple[Match, ...]:
        """The earlier articles that belong most with this one, best first, ties by number descending."""
        query = _entry(fp, at)
        numbers = self._candidates(query)
        if not numbers:
            return ()
        entries = [self._entries[number] for number in numbers]
        features = self._features(query, entries)
        exact = np.array([bool(fp.body_hash) and fp.body_hash == e.fp.body_hash for e in entries])
        return weigh(numbers, features, exact, limit)

    def _weights(self, counts: npt.NDArray[np.int32]) -> Floats:
        weights: Floats = np.log((len(self._entries) + PRIOR_ARTICLES) / (counts + 1.0))
        weights[weights < LEAST_WEIGHT] = 0.0
        return weights

    def _candidates(self, query: _Entry) -> list[int]:
        terms = np.unique(_posted(query))
        counts = self._counts[terms]
        known = counts > 0
        terms, counts = terms[known], counts[known]
        weights = self._weights(counts)
        heaviest = np.lexsort((terms, -weights))[:ASKED]
        posts = self._rings[terms[heaviest] & (RING_SLOTS - 1)]
        flat = posts.ravel()
        held = flat > 0
        found, where = np.unique(flat[held], return_inverse=True)
        score = np.bincount(where, weights=np.repeat(weights[heaviest], RING)[held], minlength=len(found))
        best = np.lexsort((-found.astype(np.int64), -np.round(score, 6)))[:WEIGHED]
        numbers = [int(n) - 1 for n in found[best].tolist()]
        copies = self._copies.get(query.fp.body_hash, ()) if query.fp.body_hash else ()
        return numbers + [n for n in copies[-EXACT_COPIES:] if n not in set(numbers)]

    def _features(self, query: _Entry, entries: list[_Entry]) -> dict[str, Floats]:
        n = len(entries)
        place = self._place
        features: dict[str, Floats] = {}

        def gathered(arrays: list[SmallSlots]) -> tuple[Slots, Slots]:
            sizes = [len(a) for a in arrays]
            return np.concatenate(arrays).astype(np.intp), np.repeat(np.arange(n), sizes)

        def total(rows: Slots, values: Floats) -> Floats:
            return np.asarray(np.bincount(rows, weights=values, minlength=n), dtype=np.float64)

        def cosine(dots: Floats, mine: float, theirs: Floats) -> Floats:
            return np.asarray(dots / np.sqrt(np.maximum(mine * theirs, 1e-12)))

        # bits: 1 title, 2 lead, 4 body, 8 head
        title, body = query.title.astype(np.intp), query.body.astype(np.intp)
        head, lead = query.fp.head, query.fp.lead
        tf = 1 + np.log(np.frombuffer(query.fp.counts, dtype=np.uint8))
        w_title, w_body = self._weights(self._counts[title]), self._weights(self._counts[body])
        place[title] |= 1
        place[body] |= 4
        place[body[:lead]] |= 2
        place[body[:head]] |= 8

        slots, rows = gathered([e.title for e in entries])
        w2, bits = self._weights(self._counts[slots]) ** 2, place[slots]
        c_title = total(rows, w2)
        q_title = float(np.sum(w_title**2))
        features["title"] = cosine(total(rows, w2 * (bits & 1 > 0)), q_title, c_title)
        title_there = total(rows, w2 * (bits & 5 > 0))  # their title in our title or body
        head_there = total(rows, w2 * (bits & 9 > 0))
        stranger = np.zeros(n)
        np.maximum.at(stranger, rows, np.where(bits == 0, np.sqrt(w2), 0.0))
        in_title = total(rows, w2 * (bits & 1 > 0))

        slots, rows = gathered([e.body for e in entries])
        weights, bits = self._weights(self._counts[slots]), place[slots]
        counts = np.frombuffer(b"".join(e.fp.counts for e in entries), dtype=np.uint8)
        w_tf = weights * (1 + np.log(counts))
        ours = np.zeros(len(slots))
        order = np.argsort(body, kind="stable")
        hit = bits & 4 > 0
        if len(body):
            ours[hit] = (w_body * tf)[order][np.searchsorted(body[order], slots[hit])]
        q_body = float(np.sum((w_body * tf) ** 2))
        features["body"] = cosine(total(rows, w_tf * ours), q_body, total(rows, w_tf**2))
        sizes = np.array([len(e.body) for e in entries])
        offset = np.arange(len(slots)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        in_lead = offset < np.repeat(np.array([e.fp.lead for e in entries]), sizes)
        in_head = offset < np.repeat(np.array([e.fp.head for e in entries]), sizes)
        w2 = weights**2
        q_lead = float(np.sum(w_body[:lead] ** 2))
        features["lead"] = cosine(total(rows, w2 * (in_lead & (bits & 2 > 0))), q_lead, total(rows, w2 * in_lead))
        ours_there = np.minimum(q_title, total(rows, w2 * (bits & 1 > 0)) + in_title)
        features["crosswise"] = (title_there + ours_there) / np.maximum(c_title + q_title, 1e-12)
        q_head = q_title + float(np.sum(w_body[:head] ** 2))
        c_head = c_title + total(rows, w2 * in_head)
        shared = head_there + total(rows, w2 * (in_head & (bits & 9 > 0)))
        features["head"] = np.minimum(1.0, shared / np.maximum(np.minimum(q_head, c_head), 1e-12))
        np.maximum.at(stranger, rows, np.where(in_head & (bits == 0), weights, 0.0))
        features["stranger"] = stranger
        place[title] = 0
        place[body] = 0

        for field in ("names", "numbers", "bigrams"):
            ours_f = getattr(query, field).astype(np.intp)
            q2 = float(np.sum(self._weights(self._counts[ours_f]) ** 2))
            place[ours_f] = 1
            slots, rows = gathered([getattr(e, field) for e in entries])
            w2 = self._weights(self._counts[slots]) ** 2
            dots, norms = total(rows, w2 * (place[slots] > 0)), total(rows, w2)
            features[field] = cosine(dots, q2, norms)
            if field == "numbers":
                features["numbers_kept"] = np.where(norms > 0, dots / np.maximum(norms, 1e-12), 1.0)
                features["numbers_old"] = np.where(q2 > 0, dots / max(q2, 1e-12), 1.0)
            place[ours_f] = 0

        self._containment(query, entries, features)
        features["figures"] = np.array([e.fp.figures / max(1, e.fp.words) for e in entries])
        features["tickers"] = np.array([_compare(query.fp.tickers, e.fp.tickers) for e in entries])
        features["slug"] = np.array(
            [
                0.0 if None in (query.fp.slug, e.fp.slug) else 1.0 if query.fp.slug == e.fp.slug else -1.0
                for e in entries
            ]
        )
        features["gap"] = np.array(
            [np.nan if query.at is None or e.at is None else abs(query.at - e.at) / 3600 for e in entries]
        )
        return features

    def _containment(self, query: _Entry, entries: list[_Entry], features: dict[str, Floats]) -> None:
        n = len(entries)
        ours = query.shingles
        everything = np.uint32(0xFFFFFFFF)
        reach = np.array([everything if e.fp.reach is None else e.fp.reach for e in entries], dtype=np.uint32)
        reach = np.minimum(reach, everything if query.fp.reach is None else np.uint32(query.fp.reach))
        slots = (ours & np.uint32(SHINGLE_SLOTS - 1)).astype(np.intp)
        rare_ours = self._rarity(slots)
        self._seen[slots] = True
        sizes = [len(e.shingles) for e in entries]
        theirs, rows = np.concatenate([e.shingles for e in entries]), np.repeat(np.arange(n), sizes)
        within = theirs <= np.repeat(reach, sizes)
        slots_there = (theirs & np.uint32(SHINGLE_SLOTS - 1)).astype(np.intp)
        hits = within & self._seen[slots_there]
        self._seen[slots] = False
        rare_there = self._rarity(slots_there)
        shared = np.bincount(rows, weights=hits, minlength=n)
        there = np.bincount(rows, weights=within, minlength=n)
        here = np.searchsorted(ours, reach, side="right")
        features["contains"] = np.minimum(1.0, shared / np.maximum(here, 1))
        features["contained"] = np.minimum(1.0, shared / np.maximum(there, 1))
        rare_shared = np.bincount(rows, weights=rare_there * hits, minlength=n)
        rare_all = np.bincount(rows, weights=rare_there * within, minlength=n)
        rare_here = np.concatenate(([0.0], np.cumsum(rare_ours)))[here]
        features["rare"] = np.minimum(1.0, rare_shared / np.maximum(np.minimum(rare_all, rare_here), 1.0))

    def _rarity(self, slots: Slots) -> Floats:
        counts = self._shingles[slots]
        return np.where(counts <= RARE_SHINGLE, 1.0 / np.log2(counts + 2.0), 0.0)


def _all_terms(entry: _Entry) -> SmallSlots:
    return np.unique(np.concatenate((_posted(entry), entry.bigrams)))


def _posted(entry: _Entry) -> SmallSlots:
    return np.concatenate((entry.title, entry.body, entry.names, entry.numbers, entry.keys))


def _shingle_slots(entry: _Entry) -> Slots:
    return np.unique(entry.shingles & np.uint32(SHINGLE_SLOTS - 1)).astype(np.intp)


def _compare(ours: bytes, theirs: bytes) -> float:
    """1: an exchange symbol in common; -1: both have some, none in common; 0: one has none."""
    if not ours or not theirs:
        return 0.0
    return 1.0 if set(_u32(ours).tolist()) & set(_u32(theirs).tolist()) else -1.0
