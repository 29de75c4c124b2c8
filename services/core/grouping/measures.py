"""Measures of one new article against many earlier ones at once: how much they share, field by field.

All candidates are measured together on flat arrays; the new article's terms are marked in scratch tables as large as the
hash space, so that looking up a candidate's term is one array access.
"""

from __future__ import annotations

import math
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from services.core.errors import BrokenLog
from services.core.grouping.fingerprint import FINGERPRINT_VERSION, Fingerprint
from services.core.language.common_words import COMMON_STEMS
from services.core.language.terms import hash32

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
    "contains", "contained", "rare", "figures", "length", "tickers", "slug", "hour", "digest", "shorter", "gap",
    "own",
)  # fmt: skip
"""The columns of `measure`, in order.

title, lead, body, names, numbers, bigrams: cosines of the fields, terms weighted by how rare they are; body by count too.
crosswise: share of both titles found in the other article; where one has no title, lead and head stand for title and
crosswise. head: share of the lighter title and first sentence found in the
other's. stranger: the weight (1: never seen before) of the heaviest word of the earlier article's title and first sentence that
the new one lacks; strange: the other way. kept: share of the earlier figures that the new article has; fresh: of its figures, what the earlier
one had. contains, contained: share of the new (earlier) article's word triples found in the earlier (new) one. rare: share
of the rarer triples of the one that has fewer. figures: share of figures among the words, the larger of both. length: words
of the shorter over the longer. tickers, slug, hour (figures that the headlines begin with): 1 same, -1 different, 0 one has
none. digest: 1 where one of them is one, -1 where both are. shorter: words of the shorter, title included where there is no body. gap: hours between, NaN if unknown.
own: 1 where both come from one provider.
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
_DAMPED: Final = (1 + np.log(np.maximum(1, np.arange(256)))).astype(np.float32)
"""What a term counts that stands so often in a text."""
_COMMON: Final = [(stem, percent) for percent, stems in COMMON_STEMS.items() for stem in stems.split()]
_COMMON_SLOTS: Final = np.array([hash32(stem) & (TERM_SLOTS - 1) for stem, _ in _COMMON])
_COMMON_COUNTS: Final = np.array([percent * PRIOR_ARTICLES // 100 for _, percent in _COMMON], dtype=np.int32)
_RARITY: Final = np.append(1.0 / np.log2(np.arange(RARE_SHINGLE + 1) + 2.0), 0.0)
_EVERYTHING: Final = 0xFFFFFFFF

Floats = npt.NDArray[np.float64]
D = TypeVar("D", bound=np.generic)
Slots = npt.NDArray[np.intp]
SmallSlots = npt.NDArray[np.int32]


_NO_SLOTS: Final[SmallSlots] = np.zeros(0, dtype=np.int32)


class Entry(NamedTuple):
    """A fingerprint laid out for measuring: term slots section by section, how often each stands there, the section sizes.

    It is kept for every article of the window, so it is small: 2 KB for a long one.
    """

    at: float | None
    body_hash: str
    terms: SmallSlots
    often: npt.NDArray[np.uint8]
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
    provider: str = ""

    @property
    def posted(self) -> SmallSlots:
        """The terms by which this article can be found: all but the pairs of words."""
        return np.concatenate((self.terms[: len(self.terms) - self.sizes[_BIGRAMS]], self.keys))


def entry(fp: Fingerprint, at: float | None, provider: str = "") -> Entry:
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
    often = np.ones(sum(sizes), dtype=np.uint8)
    often[sizes[0] : sizes[0] + len(fp.counts)] = np.frombuffer(fp.counts, dtype=np.uint8)
    keys = b"" if fp.slug is None else fp.slug.to_bytes(4, "little")
    return Entry(
        at=at,
        body_hash=fp.body_hash,
        terms=_slots(b"".join((fp.title, fp.body, fp.names, fp.numbers, fp.bigrams))),
        often=often,
        sizes=sizes,
        keys=_slots(fp.tickers + keys) if fp.tickers or keys else _NO_SLOTS,
        shingles=_u32(fp.shingles),
        reach=_EVERYTHING if fp.reach is None else fp.reach,
        words=fp.words,
        figures=fp.figures / max(1, fp.words),
        tickers=fp.tickers,
        slug=fp.slug,
        hour=frozenset(_u32(fp.title_figures).tolist()),
        digest=fp.digest,
        provider=provider,
    )


class Scratch:
    """Arrays that are used again and again: at these sizes, finding fresh memory costs more than the arithmetic in it."""

    def __init__(self) -> None:
        """No array yet; they grow with use."""
        self._arrays: dict[str, npt.NDArray[Any]] = {}

    def take(self, name: str, size: int, dtype: type[D]) -> npt.NDArray[D]:
        """The array of this name, `size` long, with whatever it held."""
        array = self._arrays.get(name)
        if array is None or len(array) < size:
            array = self._arrays[name] = np.empty(max(size * 2, 1 << 13), dtype=dtype)
        return array[:size]


class Counts:
    """In how many live articles each term and each run of three words stands, and what it weighs for that."""

    def __init__(self) -> None:
        """Nothing counted yet but the words that are common in news."""
        self.articles = 0
        self.terms = np.zeros(TERM_SLOTS, dtype=np.int32)
        self.terms[_COMMON_SLOTS] = _COMMON_COUNTS
        self.shingles = np.zeros(SHINGLE_SLOTS, dtype=np.int32)
        self._logs = np.zeros(TERM_SLOTS, dtype=np.float32)  # of 1 + the term's count
        self._logs[_COMMON_SLOTS] = np.log1p(_COMMON_COUNTS)
        self._place = np.zeros(TERM_SLOTS, dtype=np.int16)  # of one measuring: where the term stands in the query
        self._seen = np.zeros(SHINGLE_SLOTS, dtype=np.bool_)  # of one measuring: is the run in the query?
        self._scratch = Scratch()

    def change(self, article: Entry, by: int) -> None:
        """Count an article in (1) or out (-1)."""
        self.articles += by
        slots = np.concatenate((article.terms, article.keys))
        self.terms[slots] += by  # a slot named twice changes once
        self._logs[slots] = np.log1p(self.terms[slots])
        self.shingles[shingle_slots(article.shingles)] += by

    def weights(self, slots: Slots | SmallSlots) -> Floats:
        """Inverse document frequency of terms, 0 for those that are in half of all articles."""
        weights: Floats = self._most() - self._logs[slots].astype(np.float64)
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
        result[:, 20] = [_digests(query.digest, other.digest) for other in earlier]
        result[:, 21] = np.minimum(query.words, words)
        result[:, 22] = [_gap(query.at, other.at) for other in earlier]
        result[:, 23] = [query.provider == other.provider for other in earlier]
        return result

    def _most(self) -> float:
        """The weight of a term never seen before."""
        return math.log(self.articles + PRIOR_ARTICLES)

    def _terms(self, query: Entry, earlier: list[Entry], result: Floats) -> None:
        n, take = len(earlier), self._scratch.take
        mine, where = np.unique(query.terms.astype(np.intp), return_inverse=True)
        marks = np.zeros(len(mine) + 1, dtype=np.uint8)
        np.bitwise_or.at(marks, where + 1, np.repeat(_MARKS, query.sizes))
        weights = self.weights(query.terms)
        damped = weights * _DAMPED[query.often]
        edges = np.cumsum((0, *query.sizes)).tolist()
        body = slice(edges[_HEAD], edges[_NAMES])
        in_body = np.zeros(len(mine) + 1)
        in_body[where[body] + 1] = damped[body]

        sizes = np.array([other.sizes for other in earlier]).ravel()
        ends = np.cumsum(sizes)
        filled = np.flatnonzero(sizes)
        starts, total = (ends - sizes)[filled], int(ends[-1])

        def gathered(reduce: np.ufunc, values: Floats) -> Floats:
            cells = np.zeros(n * _SECTIONS)
            if len(filled):
                cells[filled] = reduce.reduceat(values, starts)
            return cells.reshape(n, _SECTIONS)

        theirs = take("theirs", total, np.intp)
        np.concatenate([other.terms for other in earlier], out=theirs)
        logs = np.take(self._logs, theirs, out=take("logs", total, np.float32), mode="clip")
        w = np.subtract(self._most(), logs, out=take("w", total, np.float64), dtype=np.float64)
        np.copyto(w, 0.0, where=np.less(w, LEAST_WEIGHT, out=take("light", total, np.bool_)))
        self._place[mine] = np.arange(1, len(mine) + 1, dtype=np.int16)
        place = np.take(self._place, theirs, out=take("place", total, np.int16), mode="clip")
        self._place[mine] = 0
        often = np.concatenate([other.often for other in earlier], out=take("often", total, np.uint8))
        np.take(_DAMPED, often, out=logs, mode="clip")
        w_damped = np.multiply(w, logs, out=take("damped", total, np.float64))
        squares = take("squares", total, np.float64)
        norms = gathered(np.add, np.multiply(w, w, out=squares))
        long_norms = gathered(np.add, np.multiply(w_damped, w_damped, out=squares))
        hit = np.flatnonzero(place)  # few: all that follows is cheap
        cells = np.searchsorted(ends, hit, side="right")
        at, shared = place[hit], w[hit] ** 2
        marked = marks[at]
        w[hit] = 0.0
        strangers = gathered(np.maximum, w)

        def table(values: Floats) -> Floats:
            sums = np.bincount(cells, weights=values, minlength=n * _SECTIONS)
            return np.asarray(sums, dtype=np.float64).reshape(n, _SECTIONS)

        dots = table(shared * ((marked & _SAME_FIELD[cells % _SECTIONS]) != 0))
        long_dots = table(w_damped[hit] * in_body[at])
        in_our_title = table(shared * ((marked & _IN_TITLE) != 0))
        in_our_copy = table(shared * ((marked & (_IN_TITLE | _IN_BODY)) != 0))
        in_our_head = table(shared * ((marked & (_IN_TITLE | _IN_HEAD)) != 0))

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
        tops, common = norms[:, _TITLE] + norms[:, _HEAD], in_our_head[:, _TITLE] + in_our_head[:, _HEAD]
        lighter = np.minimum(tops, own[_TITLE] + own[_HEAD])
        result[:, 7] = np.minimum(1.0, common / np.maximum(lighter, 1e-9))
        untitled = (norms[:, _TITLE] == 0) | (own[_TITLE] == 0)  # judged by the lead instead
        result[untitled, 0] = result[untitled, 1]
        result[untitled, 6] = result[untitled, 7]
        result[:, 8] = strangers[:, : _HEAD + 1].max(axis=1) / self._most()
        found = np.zeros((n, len(mine) + 1), dtype=np.bool_)
        found[cells // _SECTIONS, at] = True
        top = where[: edges[_LEAD]]
        result[:, 9] = (~found[:, top + 1] * weights[: edges[_LEAD]]).max(axis=1, initial=0.0) / self._most()
        result[:, 10] = np.where(norms[:, _NUMBERS] > 0, dots[:, _NUMBERS] / np.maximum(norms[:, _NUMBERS], 1e-9), 1.0)
        result[:, 11] = dots[:, _NUMBERS] / own[_NUMBERS] if own[_NUMBERS] > 0 else 1.0

    def _runs(self, query: Entry, earlier: list[Entry], result: Floats) -> None:
        n, take = len(earlier), self._scratch.take
        slots = shingle_slots(query.shingles)
        reach = np.array([min(query.reach, other.reach) for other in earlier], dtype=np.uint32)
        runs = [
            other.shingles if other.reach <= query.reach else other.shingles[: _up_to(other.shingles, query.reach)]
            for other in earlier
        ]
        sizes = np.array([len(r) for r in runs])
        ends = np.cumsum(sizes)
        total = int(ends[-1])
        theirs = take("theirs", total, np.intp)
        np.concatenate(runs, out=theirs, casting="unsafe")
        np.bitwise_and(theirs, SHINGLE_SLOTS - 1, out=theirs)
        self._seen[slots] = True
        hits = np.flatnonzero(np.take(self._seen, theirs, out=take("light", total, np.bool_), mode="clip"))
        self._seen[slots] = False
        counts = np.take(self.shingles, theirs, out=take("counts", total, np.int32), mode="clip")
        np.copyto(theirs, np.minimum(counts, RARE_SHINGLE + 1, out=counts))
        rarity = np.take(_RARITY, theirs, out=take("w", total, np.float64), mode="clip")
        rows = np.searchsorted(ends, hits, side="right")
        shared = np.bincount(rows, minlength=n)
        here = np.searchsorted(query.shingles, reach, side="right")
        result[:, 12] = np.minimum(1.0, shared / np.maximum(here, 1))
        result[:, 13] = np.minimum(1.0, shared / np.maximum(sizes, 1))
        rare_shared = np.bincount(rows, weights=rarity[hits], minlength=n)
        rare_there = np.zeros(n)
        filled = np.flatnonzero(sizes)
        if len(filled):
            rare_there[filled] = np.add.reduceat(rarity, (ends - sizes)[filled])
        ours = np.cumsum(_RARITY[np.minimum(self.shingles[slots], RARE_SHINGLE + 1)])
        rare_here = np.concatenate(([0.0], ours))[here]
        result[:, 14] = np.minimum(1.0, rare_shared / np.maximum(np.minimum(rare_there, rare_here), 1.0))


def shingle_slots(shingles: npt.NDArray[np.uint32]) -> Slots:
    """Where runs of three words are counted."""
    return (shingles & np.uint32(SHINGLE_SLOTS - 1)).astype(np.intp)


def _cosine(dots: Floats, ours: float, theirs: Floats) -> Floats:
    return np.asarray(dots / np.sqrt(np.maximum(ours * theirs, 1e-9)), dtype=np.float64)


def _up_to(shingles: npt.NDArray[np.uint32], reach: int) -> int:
    return int(np.searchsorted(shingles, np.uint32(reach), side="right"))


def _same(ours: object, theirs: object) -> float:
    return 0.0 if theirs is None else 1.0 if ours == theirs else -1.0


def _digests(ours: bool, theirs: bool) -> float:  # noqa: FBT001
    return 0.0 if not (ours or theirs) else -1.0 if ours and theirs else 1.0


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
