"""From text to terms: words, stems, names and numbers of any script, each as a 32-bit hash that is the same everywhere.

Words are stemmed by Snowball in the language the text itself shows (the wire's tag may be missing or wrong); scripts that
write without spaces give overlapping pairs of characters (the usual choice for CJK retrieval); other alphabets are cut to
their first letters, which is as good as a stemmer for most inflected languages (McNamee & Mayfield 2004).
"""

from __future__ import annotations

import hashlib
import unicodedata
from functools import lru_cache
from typing import Final, NamedTuple

import regex
import Stemmer  # type: ignore[import-not-found]  # a C module without stubs

from services.core.stopwords import STOPWORDS, guess_language

_UNSPACED: Final = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\u30fc"
_TOKEN: Final = regex.compile(
    rf"(?V1)[{_UNSPACED}]+"
    rf"|[\p{{L}}--[{_UNSPACED}]][[\p{{L}}\p{{M}}]--[{_UNSPACED}]]*(?:['’][\p{{L}}\p{{M}}]+)*"
    r"|\d+(?:[.,/:]\d+)*"
    r"|[.!?:;\n\u2022\u3002\uff01\uff1f\u061f\u0964]"
)
_UNSPACED_START: Final = regex.compile(rf"[{_UNSPACED}]")
_MARKS: Final = regex.compile(r"\p{Mn}+")
_STEMMERS: Final = {
    code: Stemmer.Stemmer(name, 0)
    for code, name in (
        ("en", "english"),
        ("de", "german"),
        ("fr", "french"),
        ("es", "spanish"),
        ("it", "italian"),
        ("pt", "portuguese"),
        ("nl", "dutch"),
        ("sv", "swedish"),
        ("ar", "arabic"),
    )
}
_ARABIC: Final = str.maketrans({"أ": "ا", "إ": "ا", "آ": "ا", "ى": "ي", "ة": "ه", "ـ": None})
_CUT: Final = 6
"""Letters that stand for a word of an alphabet without a stemmer here."""
_LANGUAGE_SAMPLE: Final = 200
"""Words that are asked for the language; function words are every third word, so this many decide it safely."""

WORD, NUMBER, BREAK, UNSPACED = "word", "number", "break", "unspaced"


class Term(NamedTuple):
    """One token. `hash` stands for its stem, `exact` for its letters; `common` is a function word of the language."""

    kind: str
    hash: int
    exact: int
    common: bool
    capital: bool


def hash32(text: str) -> int:
    """A stable 32-bit hash (BLAKE2b), never 0."""
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=4).digest(), "little") or 1


def tokens(text: str) -> list[str]:
    """Words, numbers and sentence breaks of NFKC text, in order, with the case they were written in."""
    found: list[str] = _TOKEN.findall(unicodedata.normalize("NFKC", text))
    return found


def language(words: list[str]) -> str:
    """The language of a token list by its function words, "en" where nothing shows."""
    return guess_language([word.lower() for word in words[:_LANGUAGE_SAMPLE]]) or "en"


@lru_cache(maxsize=1 << 16)
def term(token: str, lang: str) -> Term:
    """What a token of `tokens` stands for in a text of this language. Unspaced runs are for `pairs`."""
    first = token[0]
    if first.isdigit():
        return Term(NUMBER, number(token), hash32(f"={_digits(token)}"), common=False, capital=False)
    if not first.isalpha():
        return Term(BREAK, 0, 0, common=False, capital=False)
    if _UNSPACED_START.match(token):
        return Term(UNSPACED, 0, 0, common=False, capital=False)
    folded = token.lower().replace("’", "'")
    exact = hash32(folded)
    common = folded in STOPWORDS[lang] or len(folded) < 2
    return Term(WORD, hash32(_stem(folded, lang)), exact, common, first.isupper())


@lru_cache(maxsize=1 << 14)
def pairs(run: str) -> tuple[int, ...]:
    """Overlapping character pairs of a run written without spaces; a single character stands alone."""
    return tuple(hash32(run[i : i + 2]) for i in range(max(1, len(run) - 1)))


def number(token: str) -> int:
    """The hash of a figure: 1,200 and 1200 are the same one, 1.5 and 15 are not."""
    return hash32(f"#{_digits(token)}")


def _digits(token: str) -> str:
    plain = "".join(str(unicodedata.digit(c, 0)) if c.isdigit() else c for c in token)
    head, comma, tail = plain.rpartition(",")
    thousands = comma and len(tail) == 3 and "." not in tail and "/" not in plain
    return head.replace(",", "") + tail if thousands else plain


def _stem(folded: str, lang: str) -> str:
    if "a" <= folded[0] <= "\u024f":  # Latin
        base = folded.rsplit("'", maxsplit=1)[-1] if lang in ("fr", "it") else folded.removesuffix("'s")
        stem: str = _STEMMERS[lang if lang != "ar" else "en"].stemWord(base)
        return _MARKS.sub("", unicodedata.normalize("NFD", stem))  # wires of 7 bits drop the accents
    plain = _MARKS.sub("", folded)
    if "\u0600" <= folded[0] <= "\u06ff":
        root: str = _STEMMERS["ar"].stemWord(plain.translate(_ARABIC))
        return root or plain
    return plain[:_CUT]
