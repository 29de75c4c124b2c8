"""Versioned fingerprint of an article: what the candidate index and the pair scores work on.

A pure function of the article's words. The provider's metadata stays out, but for the slugline, because a copy elsewhere
has other metadata and has to find its original all the same.
"""

from __future__ import annotations

import hashlib
import sys
from array import array
from collections.abc import Iterable
from itertools import pairwise
from typing import Final

import msgspec
import numpy as np
import numpy.typing as npt
import regex

from services.core import terms
from services.core.article import Article
from services.core.slug import slug_family
from services.core.text import canonical

FINGERPRINT_VERSION = 1
"""Raised whenever the same article would get another fingerprint; ones of different versions are never compared."""

TITLE_WORDS: Final = 40
"""Some tables are sent as one long headline; what comes after this is body in all but name."""
HEAD_WORDS: Final = 30
LEAD_WORDS: Final = 70
"""Where a wire story says what happened (GROUPING.md): the first sentence, and the first two or three."""
BODY_CHARACTERS: Final = 7_000
"""Longer texts are background after this; it also bounds the cost of an article."""
MOST_BODY: Final = 240
MOST_NAMES: Final = 48
MOST_NUMBERS: Final = 48
MOST_BIGRAMS: Final = 96
MOST_SHINGLES: Final = 256
"""Caps that keep a fingerprint under 3 KB. Terms are kept in order of appearance, shingles by the lowest hashes."""
MOST_TICKERS: Final = 8

_TICKER: Final = regex.compile(
    r"<([A-Z]{1,6}(?:[.=][A-Z]{1,3})?)>"
    r"|\((?:NYSE|NASDAQ|AMEX|LSE|TSX|ASX|Nasdaq|NSE|BSE)(?: ?[:/-] ?)([A-Z]{1,6}(?:\.[A-Z]{1,2})?)\)"
    r"|[(\[]([A-Z0-9]{1,6}\.[A-Z]{1,2})[)\]]"
)
_TITLE_TICKER: Final = regex.compile(r"\(([A-Z]{1,5})\)")
_DATELINE: Final = regex.compile(
    r"^\p{Lu}[\p{Lu}\p{M} .,'/-]{2,60}(?:, [\p{L}.]{3,10} \d{1,2})?(?: ?\([\p{L} /]{2,24}\))? ?[-–—]+ "
)


class Fingerprint(msgspec.Struct, frozen=True, kw_only=True):
    """Sets of 32-bit hashes, packed as little-endian u32.

    `title`, `body`, `names`, `numbers` and `bigrams` hold distinct terms in order of appearance; the first `head` terms of
    `body` stand in its first 30 words and the first `lead` in its first 70. `counts` has one byte per body term.
    `shingles` are the distinct runs of three words (function words and figures included), ascending; where `reach` is not
    null only those at or below it were kept, a sample that two fingerprints share below the smaller reach.
    `words` and `figures` count the tokens of the body that are words and numbers.
    """

    version: int = FINGERPRINT_VERSION
    body_hash: str
    language: str = "en"
    words: int = 0
    figures: int = 0
    title: bytes = b""
    body: bytes = b""
    counts: bytes = b""
    head: int = 0
    lead: int = 0
    names: bytes = b""
    numbers: bytes = b""
    bigrams: bytes = b""
    shingles: bytes = b""
    reach: int | None = None
    tickers: bytes = b""
    slug: int | None = None


def fingerprint(article: Article) -> Fingerprint:
    """The fingerprint of one article, near-linear in its text. An article without words gets empty sets."""
    headline = article.headline or ""
    copy = [p.text for p in article.body if p.kind not in ("credit", "note")]
    if len(copy) > 1 and canonical(copy[0]) == canonical(headline):
        copy = copy[1:]  # some sites print the headline twice
    if copy:
        copy[0] = _DATELINE.sub("", copy[0], count=1)
    text = "\n".join(copy or ([headline] if headline else []))
    head_tokens, body_tokens = terms.tokens(headline[:1_000]), terms.tokens(text[:BODY_CHARACTERS])
    lang = terms.language(body_tokens + head_tokens)

    title, _, _, _ = _read(head_tokens, lang, names=False)
    body, runs, names, figures = _read(body_tokens, lang, names=True)
    first: dict[int, int] = {}
    lead = head = 0
    for place, (value, _) in enumerate(body):
        if value:
            first[value] = first.get(value, 0) + 1
        if place < LEAD_WORDS:
            lead = len(first)
            head = len(first) if place < HEAD_WORDS else head
    kept = list(first)[:MOST_BODY]
    shingles, reach = _shingles(runs)
    return Fingerprint(
        body_hash=_body_hash(copy or [headline]),
        language=lang,
        words=len(runs),
        figures=len(figures),
        title=_pack([value for value, _ in title if value][:TITLE_WORDS]),
        body=_pack(kept),
        counts=bytes(min(255, first[value]) for value in kept),
        head=min(head, len(kept)),
        lead=min(lead, len(kept)),
        names=_pack(names, MOST_NAMES),
        numbers=_pack(figures, MOST_NUMBERS),
        bigrams=_pack(_bigrams(body), MOST_BIGRAMS),
        shingles=shingles,
        reach=reach,
        tickers=_pack(_tickers(headline, copy), MOST_TICKERS),
        slug=_slug(article.slugline),
    )


def _read(found: list[str], lang: str, *, names: bool) -> tuple[list[tuple[int, int]], list[int], list[int], list[int]]:
    """Per word (stem or 0, exact); then the exact hashes of words and figures in order, the names, and the figures."""
    words: list[tuple[int, int]] = []
    runs: list[int] = []
    named: list[int] = []
    figures: list[int] = []
    starts, previous = True, 0
    for token in found:
        kind, value, exact, common, capital = terms.term(token, lang)
        if kind == terms.BREAK:
            starts, previous = True, 0
            continue
        if kind == terms.UNSPACED:
            pairs = terms.pairs(token)
            words += [(pair, pair) for pair in pairs]
            runs += pairs
        elif kind == terms.NUMBER:
            figures.append(value)
            words.append((0, exact))
            runs.append(exact)
        else:
            words.append((0 if common else value, exact))
            runs.append(exact)
            if names and capital and not common:
                if previous:
                    named.append(_join(previous, value))
                if not starts:
                    named.append(_join(value, 1))
                previous, starts = value, False
                continue
        starts, previous = False, 0
    return words, runs, named, figures


def _join(a: int, b: int) -> int:
    """An order-keeping mix of two 32-bit hashes (Knuth's multiplicative constants)."""
    mixed = (a * 2654435761 + b * 2246822519 + 374761393) & 0xFFFFFFFF
    return mixed ^ (mixed >> 15)


def _bigrams(body: list[tuple[int, int]]) -> list[int]:
    content = [value for value, _ in body if value]
    return [_join(a, b) for a, b in pairwise(content)]


def _shingles(runs: list[int]) -> tuple[bytes, int | None]:
    """Distinct hashes of three words in a row, the lowest MOST_SHINGLES of them (a bottom-k sketch, Broder 1997)."""
    if not runs:
        return b"", None
    a = np.array([*runs, 0, 0] if len(runs) < 3 else runs, dtype=np.uint64)
    mixed = (a[:-2] * np.uint64(0x9E3779B97F4A7C15)) ^ (a[1:-1] * np.uint64(0xC2B2AE3D27D4EB4F))
    mixed = (mixed ^ (mixed >> np.uint64(29))) + a[2:] * np.uint64(0x165667B19E3779F9)
    mixed = (mixed ^ (mixed >> np.uint64(32))) * np.uint64(0xD6E8FEB86659FD93)
    distinct: npt.NDArray[np.uint32] = np.unique((mixed >> np.uint64(32)).astype(np.uint32))
    if len(distinct) <= MOST_SHINGLES:
        return distinct.astype("<u4").tobytes(), None
    kept = distinct[:MOST_SHINGLES]
    return kept.astype("<u4").tobytes(), int(kept[-1])


def _tickers(headline: str, copy: list[str]) -> list[int]:
    """Exchange symbols of headline and first paragraph, as wires print them: <JCP>, (NYSE: JCP), (JCP.N)."""
    symbols = [next(filter(None, groups)) for groups in _TICKER.findall(f"{headline}\n{copy[0][:600] if copy else ''}")]
    symbols += _TITLE_TICKER.findall(headline)
    return [terms.hash32(f"${symbol.split('.')[0]}") for symbol in symbols]


def _slug(slugline: str | None) -> int | None:
    family = slug_family(slugline)
    return terms.hash32(f"/{family}") if family else None


def _body_hash(paragraphs: list[str]) -> str:
    """Equal for copies that differ in typography, credit, dateline or paragraph breaks only; empty where there is no text."""
    body = " ".join(filter(None, (canonical(text) for text in paragraphs)))
    if not body:
        return ""
    return hashlib.blake2b(body.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _pack(values: Iterable[int], most: int | None = None) -> bytes:
    packed = array("I", list(dict.fromkeys(values))[:most])
    if sys.byteorder == "big":
        packed.byteswap()
    return packed.tobytes()
