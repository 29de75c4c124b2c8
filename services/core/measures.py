"""Measures of one new article against many earlier ones at once: how much they share, field by field.

All candidates are measured together on flat arrays; the new article's terms are marked in scratch tables as large as the
hash space, so that looking up a candidate's term is one array access.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from services.core.common_words import COMMON_STEMS
from services.core.errors import BrokenLog
from services.core.fingerprint import FINGERPRINT_VERSION, Fingerprint
from services.core.terms import hash32

TERM_SLOTS: Final = 1 << 21
SHINGLE_SLOTS: Final = 1 << 22
"""Sizes of the hash spaces. Terms that fall into one slot share its count, which makes a rare one look a little commoner."""
PRIOR_ARTICLES: Final = 1_000
"""Articles counted in before the first, with the words that are common in news, so that a day starts with fair weights."""
LEAST_WEIGHT: Final = 0.7
"""A term lighter than this, in half of all articles, counts nothing (GROUPING.md)."""
RARE_SHINGLE: Final = 30
"""A run of three words in more articles than this is a formula (GROUPING.md)."""

MEASURES: Final = (
    "title", "lead", "body", "names", "numbers", "bigrams", "crosswise", "head", "stranger", "strange", "kept", "fresh",
    "contains", "contained", "rare", "figures", "length", "tickers", "slug", "hour", "digest", "gap",
)  # fmt: skip
"""The columns of `measure`, in order.

title, lead, body, names, numbers, bigrams: cosines of the fields, terms weighted by how rare they are; body by count too.
crosswise: share of both titles found in the other article. head: share of the lighter title and first sentence found in the
other's. stranger: the weight (1: never seen before) of the heaviest word of the earlier article's title and first sentence that
the new one lacks; strange: the other way. kept: share of the earlier figures that the new article has; fresh: of its figures, what the earlier
one had. contains, contained: share of the new (earlier) article's word triples found in the earlier (new) one. rare: share
of the rarer triples of the one that has fewer. figures: share of figures among the words, the larger of both. length: words
of the shorter over the longer. tickers, slug, hour (figures that the headlines begin with): 1 same, -1 different, 0 one has
none. digest: 1 where either is one. gap: hours between, NaN if unknown.
"""

_TITLE, _HEAD, _LEAD, _BODY, _NAMES, _NUMBERS, _BIGRAMS = range(7)
_SECTIONS: Final = 7
_IN_TITLE, _IN_HEAD, _IN_LEAD, _IN_BODY, _IN_NAMES, _IN_NUMBERS, _IN_BIGRAMS = (1 << bit for bit in range(7))
_MARKS: Final = np.array(
    [_IN_TITLE, _IN_HEAD | _IN_LEAD | _IN_BODY, _IN_LEAD | _IN_BODY, _IN_BODY, _IN_NAMES, _IN_NUMBERS, _IN_BIGRAMS],
    dtype=np.uint8,
)
"""What a term of the query is marked with, by its section."""
_SAME_FIELD: Final = np.array(
    [_IN_TITLE, _IN_LEAD, _IN_LEAD, _IN_BODY, _IN_NAMES, _IN_NUMBERS, _IN_BIGRAMS], dtype=np.uint8
)
"""Which mark a candidate's term must meet to count for its own section."""
_DAMPED: Final = 1 + np.log(np.maximum(1, np.arange(256)))
"""What a term counts that stands so often in a text."""
_LOGS: Final = np.log(np.arange(1, 1 << 16))
_COMMON: Final = [(stem, percent) for percent, stems in COMMON_STEMS.items() for stem in stems.split()]
_COMMON_SLOTS: Final = np.array([hash32(stem) & (TERM_SLOTS - 1) for stem, _ in _COMMON])
_COMMON_COUNTS: Final = np.array([percent * PRIOR_ARTICLES // 100 for _, percent in _COMMON], dtype=np.int32)
_RARITY: Final = np.append(1.0 / np.log2(np.arange(RARE_SHINGLE + 1) + 2.0), 0.0)
_EVERYTHING: Final = 0xFFFFFFFF

Floats = npt.NDArray[np.float64]
Slots = npt.NDArray[np.intp]
SmallSlots = npt.NDArray[np.int32]


class Entry(NamedTuple):
    """A fingerprint laid out for measuring: term slots section by section, their counts in the text, the section sizes."""

    at: float | None
    body_hash: str
    terms: SmallSlots
    counts: npt.NDArray[np.uint8]
    sizes: tuple[int, ...]
    keys: SmallSlots
    shingles: npt.NDArray[np.uint32]
    reach: int
    words: int
    figures: float
    tickers: bytes
    slug: int | None
    hour: frozenset[int]
    digest: bool

    @property
    def posted(self) -> SmallSlots:
        """The terms by which this article can be found: all but the pairs of words."""
        return np.concatenate((self.terms[: len(self.terms) - self.sizes[_BIGRAMS]], self.keys))


def entry(fp: Fingerprint, at: float | None) -> Entry:
    """Lay out a fingerprint. One of another version cannot be compared, so it is refused."""
    if fp.version != FINGERPRINT_VERSION:
        raise BrokenLog(f"a fingerprint of version {fp.version} in an index of version {FINGERPRINT_VERSION}")
    sizes = (
        len(fp.title) // 4,
        fp.head,
        fp.lead - fp.head,
        len(fp.body) // 4 - fp.lead,
        len(fp.names) // 4,
        len(fp.numbers) // 4,
        len(fp.bigrams) // 4,
    )
    counts = np.ones(sum(sizes), dtype=np.uint8)
    counts[sizes[0] : sizes[0] + len(fp.counts)] = np.frombuffer(fp.counts, dtype=np.uint8)
    keys = b"" if fp.slug is None else fp.slug.to_bytes(4, "little")
    return Entry(
        at=at,
        body_hash=fp.body_hash,
        terms=_slots(b"".join((fp.title, fp.body, fp.names, fp.numbers, fp.bigrams))),
        counts=counts,
        sizes=sizes,
        keys=_slots(fp.tickers + keys),
        shingles=_u32(fp.shingles),
        reach=_EVERYTHING if fp.reach is None else fp.reach,
        words=fp.words,
        figures=fp.figures / max(1, fp.words),
        tickers=fp.tickers,
        slug=fp.slug,
        hour=frozenset(_u32(fp.title_figures).tolist()),
        digest=fp.digest,
    )


class Counts:
    """In how many live articles each term and each run of three words stands, and what it weighs for that."""

    def __init__(self) -> None:
        """Nothing counted yet."""
        self.articles = 0
        self.terms = np.zeros(TERM_SLOTS, dtype=np.int32)
        self.terms[_COMMON_SLOTS] = _COMMON_COUNTS
        self.shingles = np.zeros(SHINGLE_SLOTS, dtype=np.int32)
        self._place = np.zeros(
            TERM_SLOTS, dtype=np.int16
        )  # scratch of one measuring: where the term stands in the query
        self._seen = np.zeros(SHINGLE_SLOTS, dtype=np.bool_)  # scratch: is the run in the query?

    def change(self, article: Entry, by: int) -> None:
        """Count an article in (1) or out (-1)."""
        self.articles += by
        self.terms[np.concatenate((article.terms, article.keys))] += by  # a slot named twice changes once
        self.shingles[shingle_slots(article.shingles)] += by

    def weights(self, slots: Slots | SmallSlots) -> Floats:
        """Inverse document frequency of terms, 0 for those that are in half of all articles."""
        counts = np.minimum(self.terms[slots], len(_LOGS) - 1)
        weights: Floats = np.log(self.articles + PRIOR_ARTICLES) - _LOGS[counts]
        weights[weights < LEAST_WEIGHT] = 0.0
        return weights

    def measure(self, query: Entry, earlier: list[Entry]) -> Floats:
        """One row per earlier article, one column per name in MEASURES."""
        result = np.empty((len(earlier), len(MEASURES)))
        self._terms(query, earlier, result)
        self._runs(query, earlier, result)
        words = np.array([other.words for other in earlier])
        result[:, 15] = np.maximum(query.figures, np.array([other.figures for other in earlier]))
        result[:, 16] = np.minimum(query.words, words) / np.maximum(1, np.maximum(query.words, words))
        result[:, 17] = [_tickers(query.tickers, other.tickers) for other in earlier] if query.tickers else 0.0
        result[:, 18] = [_same(query.slug, other.slug) for other in earlier] if query.slug else 0.0
        result[:, 19] = [_same(query.hour, other.hour or None) for other in earlier] if query.hour else 0.0
        result[:, 20] = [query.digest or other.digest for other in earlier]
        result[:, 21] = [_gap(query.at, other.at) for other in earlier]
        return result

    def _terms(self, query: Entry, earlier: list[Entry], result: Floats) -> None:
        n = len(earlier)
        mine, where = np.unique(query.terms.astype(np.intp), return_inverse=True)
        marks = np.zeros(len(mine) + 1, dtype=np.uint8)
        np.bitwise_or.at(marks, where + 1, np.repeat(_MARKS, query.sizes))
        weights = self.weights(query.terms)
        damped = weights * _DAMPED[query.counts]
        edges = np.cumsum((0, *query.sizes)).tolist()
        body = slice(edges[_HEAD], edges[_NAMES])
        in_body = np.zeros(len(mine) + 1)
        in_body[where[body] + 1] = damped[body]

        sizes = np.array([other.sizes for other in earlier]).ravel()
        cells = np.repeat(np.arange(n * _SECTIONS), sizes)
        theirs = np.concatenate([other.terms for other in earlier]).astype(np.intp)
        w = self.weights(theirs)
        w_damped = w * _DAMPED[np.concatenate([other.counts for other in earlier])]
        self._place[mine] = np.arange(1, len(mine) + 1, dtype=np.int16)
        place = self._place[theirs]
        self._place[mine] = 0

        def table(cells: Slots, values: Floats) -> Floats:
            sums = np.bincount(cells, weights=values, minlength=n * _SECTIONS)
            return np.asarray(sums, dtype=np.float64).reshape(n, _SECTIONS)

        norms, long_norms = table(cells, w * w), table(cells, w_damped * w_damped)
        hit = np.flatnonzero(place)  # few: all that follows is cheap
        at, cells_hit, squares = place[hit], cells[hit], w[hit] ** 2
        marked = marks[at]
        dots = table(cells_hit, squares * ((marked & _SAME_FIELD[cells_hit % _SECTIONS]) != 0))
        long_dots = table(cells_hit, w_damped[hit] * in_body[at])
        in_our_title = table(cells_hit, squares * ((marked & _IN_TITLE) != 0))
        in_our_copy = table(cells_hit, squares * ((marked & (_IN_TITLE | _IN_BODY)) != 0))
        in_our_head = table(cells_hit, squares * ((marked & (_IN_TITLE | _IN_HEAD)) != 0))

        own = np.bincount(np.repeat(np.arange(_SECTIONS), query.sizes), weights=weights**2, minlength=_SECTIONS)
        result[:, 0] = _cosine(dots[:, _TITLE], own[_TITLE], norms[:, _TITLE])
        result[:, 1] = _cosine(
            dots[:, _HEAD] + dots[:, _LEAD], own[_HEAD] + own[_LEAD], norms[:, _HEAD] + norms[:, _LEAD]
        )
        long_own = float(np.sum(damped[body] ** 2))
        result[:, 2] = _cosine(
            long_dots[:, _HEAD:_NAMES].sum(axis=1), long_own, long_norms[:, _HEAD:_NAMES].sum(axis=1)
        )
        for column, section in ((3, _NAMES), (4, _NUMBERS), (5, _BIGRAMS)):
            result[:, column] = _cosine(dots[:, section], own[section], norms[:, section])
        ours_there = np.minimum(own[_TITLE], in_our_title[:, :_NAMES].sum(axis=1))
        result[:, 6] = (in_our_copy[:, _TITLE] + ours_there) / np.maximum(norms[:, _TITLE] + own[_TITLE], 1e-9)
        tops, shared = norms[:, _TITLE] + norms[:, _HEAD], in_our_head[:, _TITLE] + in_our_head[:, _HEAD]
        lighter = np.minimum(tops, own[_TITLE] + own[_HEAD])
        result[:, 7] = np.minimum(1.0, shared / np.maximum(lighter, 1e-9))
        w[hit] = 0.0
        filled = np.flatnonzero(sizes)
        strangers = np.zeros(n * _SECTIONS)
        if len(filled):
            strangers[filled] = np.maximum.reduceat(w, (np.cumsum(sizes) - sizes)[filled])
        unseen = np.log(self.articles + PRIOR_ARTICLES)
        result[:, 8] = strangers.reshape(n, _SECTIONS)[:, : _HEAD + 1].max(axis=1) / unseen
        found = np.zeros((n, len(mine) + 1), dtype=np.bool_)
        found[cells_hit // _SECTIONS, at] = True
        top = where[: edges[_LEAD]]
        result[:, 9] = (~found[:, top + 1] * weights[: edges[_LEAD]]).max(axis=1, initial=0.0) / unseen
        result[:, 10] = np.where(norms[:, _NUMBERS] > 0, dots[:, _NUMBERS] / np.maximum(norms[:, _NUMBERS], 1e-9), 1.0)
        result[:, 11] = dots[:, _NUMBERS] / own[_NUMBERS] if own[_NUMBERS] > 0 else 1.0

    def _runs(self, query: Entry, earlier: list[Entry], result: Floats) -> None:
        n = len(earlier)
        reach = np.minimum(np.array([other.reach for other in earlier], dtype=np.uint32), np.uint32(query.reach))
        slots = shingle_slots(query.shingles)
        sizes = [len(other.shingles) for other in earlier]
        theirs, rows = np.concatenate([other.shingles for other in earlier]), np.repeat(np.arange(n), sizes)
        if reach.min() < _EVERYTHING:
            within = theirs <= reach[rows]
            theirs, rows = theirs[within], rows[within]
        their_slots = shingle_slots(theirs)
        self._seen[slots] = True
        hits = np.flatnonzero(self._seen[their_slots])
        self._seen[slots] = False
        rarity = _RARITY[np.minimum(self.shingles[their_slots], RARE_SHINGLE + 1)]
        shared = np.bincount(rows[hits], minlength=n)
        here = np.searchsorted(query.shingles, reach, side="right")
        result[:, 12] = np.minimum(1.0, shared / np.maximum(here, 1))
        result[:, 13] = np.minimum(1.0, shared / np.maximum(np.bincount(rows, minlength=n), 1))
        rare_shared = np.bincount(rows[hits], weights=rarity[hits], minlength=n)
        rare_there = np.bincount(rows, weights=rarity, minlength=n)
        ours = np.cumsum(_RARITY[np.minimum(self.shingles[slots], RARE_SHINGLE + 1)])
        rare_here = np.concatenate(([0.0], ours))[here]
        result[:, 14] = np.minimum(1.0, rare_shared / np.maximum(np.minimum(rare_there, rare_here), 1.0))


def shingle_slots(shingles: npt.NDArray[np.uint32]) -> Slots:
    """Where runs of three words are counted."""
    return (shingles & np.uint32(SHINGLE_SLOTS - 1)).astype(np.intp)


def _cosine(dots: Floats, ours: float, theirs: Floats) -> Floats:
    return np.asarray(dots / np.sqrt(np.maximum(ours * theirs, 1e-9)), dtype=np.float64)


def _same(ours: object, theirs: object) -> float:
    return 0.0 if theirs is None else 1.0 if ours == theirs else -1.0


def _gap(ours: float | None, theirs: float | None) -> float:
    return float("nan") if ours is None or theirs is None else abs(ours - theirs) / 3600


def _tickers(ours: bytes, theirs: bytes) -> float:
    if not ours or not theirs:
        return 0.0
    return 1.0 if set(_u32(ours).tolist()) & set(_u32(theirs).tolist()) else -1.0


def _u32(packed: bytes) -> npt.NDArray[np.uint32]:
    return np.frombuffer(packed, dtype="<u4")


def _slots(packed: bytes) -> SmallSlots:
    return (_u32(packed) & np.uint32(TERM_SLOTS - 1)).astype(np.int32)
