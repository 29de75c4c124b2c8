"""Versioned fingerprint of an article: what the candidate index and the pair scores work on.

A pure function of the article's words. The provider's metadata stays out, but for the slugline, because a copy elsewhere
has other metadata and has to find its original all the same.
"""

from __future__ import annotations

import hashlib
import struct
from typing import Any, Final

import msgspec
import numpy as np
import numpy.typing as npt
import regex

from services.core.article import Article
from services.core.grouping.slug import slug_family
from services.core.language import terms
from services.core.redline.noise import strip_noise

FINGERPRINT_VERSION = 1
"""Raised whenever the same article would get another fingerprint; ones of different versions are never compared."""

TITLE_WORDS: Final = 40
"""Some tables are sent as one long headline; what comes after this is body in all but name."""
TITLE_START: Final = 10
HEAD_WORDS: Final = 30
LEAD_WORDS: Final = 70
"""Where a wire story says what happened (GROUPING.md): the first sentence, and the first two or three."""
BODY_CHARACTERS: Final = 7_000
BODY_TOKENS: Final = 1_400
"""Longer texts are background after this, some 7,000 characters (GROUPING.md); it also bounds the cost of an article."""
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
_DIGEST: Final = regex.compile(
    r"\b(?:news ?(?:digest|summary|in brief|roundup|briefs)|(?:world|business|sports?|evening|morning|daily|weekly) "
    r"(?:digest|briefs?|roundup|summary|headlines)|(?:top|main) (?:stories|headlines)|at a glance|in brief"
    r"|week ahead|day ahead|highlights at \d|press digest|nachrichtenüberblick|kurz(?:nachrichten|meldungen)|kurz notiert"
    r"|tagesvorschau|l'essentiel de l'actualité|en bref|resumen de (?:noticias|prensa)|notizie in breve|em resumo"
    r"|kort nieuws|nyheter i korthet)\b",
    regex.IGNORECASE,
)
MANY_HEADINGS: Final = 6
"""Headings in one item that make it a digest; long features have four or five."""
_TITLE_TICKER: Final = regex.compile(r"\(([A-Z]{1,5})\)")
_DATELINE: Final = regex.compile(
    r"^\p{Lu}[\p{Lu}\p{M} .,'/-]{2,60}(?:, [\p{L}.]{3,10} \d{1,2})?(?: ?\([\p{L} /]{2,24}\))? ?[-–—]+ "
)


U64 = npt.NDArray[np.uint64]
_ALONE: Final = np.array(1, dtype=np.uint64)


class Fingerprint(msgspec.Struct, frozen=True, kw_only=True):
    """Sets of 32-bit hashes, packed as little-endian u32.

    `title`, `body`, `names`, `numbers` and `bigrams` hold distinct terms in order of appearance; the first `head` terms of
    `body` stand in its first 30 words and the first `lead` in its first 70. `counts` has one byte per body term.
    `shingles` are the distinct runs of three words (function words and figures included), ascending; where `reach` is not
    null only those at or below it were kept, a sample that two fingerprints share below the smaller reach.
    `words` and `figures` count the tokens of the body that are words and numbers. `title_figures` are the figures at the
    start of the headline (the hour of a price table, the year, the toll). `digest`: it tells many stories, not one.
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
    title_figures: bytes = b""
    tickers: bytes = b""
    slug: int | None = None
    digest: bool = False


def fingerprint(article: Article) -> Fingerprint:
    """The fingerprint of one article, near-linear in its text. An article without words gets empty sets."""
    headline = article.headline or ""
    copy = [p.text for p in article.body if p.kind not in ("credit", "note")]
    if (
        len(copy) > 1
        and len(copy[0]) < 2 * len(headline)
        and terms.bare(terms.tokens(copy[0])) == terms.bare(terms.tokens(headline))
    ):
        copy = copy[1:]  # some sites print the headline twice
    if copy:
        copy[0] = _DATELINE.sub("", copy[0], count=1)
        copy[-1] = strip_noise(copy[-1]) or copy[-1]  # a credit glued to the last sentence makes no other text
    title_tokens = terms.tokens(headline[:BODY_CHARACTERS])
    all_tokens = terms.tokens("\n".join(copy)) if copy else title_tokens
    body_tokens = all_tokens[:BODY_TOKENS]
    lang = terms.language(body_tokens + title_tokens)

    title = _Words(terms.read(title_tokens[:TITLE_WORDS], lang))
    body = _Words(terms.read(body_tokens, lang))
    stems, firsts, counts = _distinct(body.stems[body.heavy])
    firsts = np.flatnonzero(body.heavy)[firsts]
    shingles, reach = _shingles(body.letters)
    return Fingerprint(
        body_hash=_body_hash(all_tokens),
        language=lang,
        words=len(body.stems),
        figures=int(body.figures.sum()),
        title=_pack(title.stems[title.heavy]),
        body=_packed(stems[:MOST_BODY]),
        counts=np.minimum(counts[:MOST_BODY], 255).astype(np.uint8).tobytes(),
        head=int((firsts[:MOST_BODY] < HEAD_WORDS).sum()),
        lead=int((firsts[:MOST_BODY] < LEAD_WORDS).sum()),
        names=_pack(body.names(), MOST_NAMES),
        numbers=_pack(body.stems[body.figures], MOST_NUMBERS),
        bigrams=_pack(_mix(body.stems[body.heavy][:-1], body.stems[body.heavy][1:]), MOST_BIGRAMS),
        shingles=shingles,
        reach=reach,
        title_figures=_pack(title.stems[:TITLE_START][title.figures[:TITLE_START]]),
        tickers=_pack(np.array(_tickers(headline, copy), dtype=np.uint64), MOST_TICKERS),
        slug=_slug(article.slugline),
        digest=_is_digest(article, headline),
    )


class _Words:
    """The words and figures of a text as parallel arrays, without the breaks between its sentences."""

    def __init__(self, packed: list[int]) -> None:
        everything = np.array(packed, dtype=np.uint64)
        spoken = (everything & np.uint64(3)) != terms.BREAK
        after_break = np.ones(len(everything), dtype=np.bool_)
        after_break[1:] = ~spoken[:-1]
        words = everything[spoken]
        self.opens = after_break[spoken]
        self.stems = words >> np.uint64(32)
        self.letters = (words >> np.uint64(4)) & np.uint64(0xFFFFFFF)
        self.figures = (words & np.uint64(3)) == terms.NUMBER
        common = (words & np.uint64(terms.COMMON)) != 0
        self.heavy = ~(common | self.figures)
        self.capital = ((words & np.uint64(terms.CAPITAL)) != 0) & ~common

    def names(self) -> U64:
        """Capitalised words inside a sentence, and pairs of capitalised words in a row, in order of appearance."""
        single = np.flatnonzero(self.capital & ~self.opens)
        second = np.flatnonzero(self.capital[1:] & self.capital[:-1] & ~self.opens[1:]) + 1
        values = np.concatenate((_mix(self.stems[second - 1], self.stems[second]), _mix(self.stems[single], _ALONE)))
        return np.asarray(values[np.argsort(np.concatenate((second * 2, single * 2 + 1)), kind="stable")])


def _mix(a: U64, b: U64) -> U64:
    """An order-keeping mix of two 32-bit hashes into one (Knuth's multiplicative constants)."""
    mixed = (a * np.uint64(2654435761) + b * np.uint64(2246822519) + np.uint64(374761393)) & np.uint64(0xFFFFFFFF)
    return np.asarray(mixed ^ (mixed >> np.uint64(15)))


def _distinct(values: U64) -> tuple[U64, npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Distinct values in order of appearance, where each stands first, and how often it stands."""
    found, firsts, counts = np.unique(values, return_index=True, return_counts=True)
    order = np.argsort(firsts)
    return found[order], firsts[order], counts[order]


def _shingles(letters: U64) -> tuple[bytes, int | None]:
    """Distinct hashes of three words in a row, the lowest MOST_SHINGLES of them (a bottom-k sketch, Broder 1997)."""
    if not len(letters):
        return b"", None
    a = np.concatenate((letters, np.zeros(max(0, 3 - len(letters)), dtype=np.uint64)))
    mixed = (a[:-2] * np.uint64(0x9E3779B97F4A7C15)) ^ (a[1:-1] * np.uint64(0xC2B2AE3D27D4EB4F))
    mixed = (mixed ^ (mixed >> np.uint64(29))) + a[2:] * np.uint64(0x165667B19E3779F9)
    mixed = (mixed ^ (mixed >> np.uint64(32))) * np.uint64(0xD6E8FEB86659FD93)
    distinct = np.unique((mixed >> np.uint64(32)).astype(np.uint32))
    kept = distinct[:MOST_SHINGLES]
    return _packed(kept), None if len(distinct) <= MOST_SHINGLES else int(kept[-1])


def _tickers(headline: str, copy: list[str]) -> list[int]:
    """Exchange symbols of headline and first paragraph, as wires print them: <JCP>, (NYSE: JCP), (JCP.N)."""
    symbols = [next(filter(None, groups)) for groups in _TICKER.findall(f"{headline}\n{copy[0][:600] if copy else ''}")]
    symbols += _TITLE_TICKER.findall(headline)
    return [terms.hash32(f"${symbol.split('.')[0]}") for symbol in symbols]


def _is_digest(article: Article, headline: str) -> bool:
    if article.update_kind == "wrapup" and sum(p.kind == "heading" for p in article.body) < MANY_HEADINGS:
        return False  # a wrap of one story
    return bool(_DIGEST.search(headline)) or sum(p.kind == "heading" for p in article.body) >= MANY_HEADINGS


def _slug(slugline: str | None) -> int | None:
    family = slug_family(slugline)
    return terms.hash32(f"/{family}") if family else None


def _body_hash(found: list[str]) -> str:
    """Equal for texts that differ in typography, dateline, credit or paragraph breaks only; empty where there is no text."""
    text = terms.bare(found)
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest() if text else ""


def _pack(values: U64, most: int | None = None) -> bytes:
    distinct = list(dict.fromkeys(values.tolist()))[:most]  # faster than sorting for lists this short
    return struct.pack(f"<{len(distinct)}I", *distinct)


def _packed(values: npt.NDArray[np.unsignedinteger[Any]]) -> bytes:
    return values.astype("<u4").tobytes()
