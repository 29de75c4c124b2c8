"""From text to terms: words, stems, names and numbers of any script, each as a 32-bit hash that is the same everywhere.

Words are stemmed by Snowball in the language the text itself shows (the wire's tag may be missing or wrong); scripts that
write without spaces give overlapping pairs of characters (the usual choice for CJK retrieval); other alphabets are cut to
their first letters, which is as good as a stemmer for most inflected languages (McNamee & Mayfield 2004).
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from functools import lru_cache
from typing import Final

import regex
import Stemmer  # type: ignore[import-not-found]  # a C module without stubs

from services.core.language.stopwords import STOPWORDS, guess_language
from services.core.language.text import LATIN, is_latin

_UNSPACED: Final = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\u30fc"
_TOKEN: Final = regex.compile(
    rf"(?V1)[{_UNSPACED}]+"
    rf"|[\p{{L}}--[{_UNSPACED}]][[\p{{L}}\p{{M}}]--[{_UNSPACED}]]*(?:'[\p{{L}}\p{{M}}]+)*"
    r"|\d+(?:[.,/:]\d+)*"
    r"|[.!?:;\n\u2022\u3002\u061f\u0964]|[%\p{Sc}]|(?<![\p{L}\p{N}]) ?-(?=[\d.])"
)
_ASCII_TOKEN: Final = re.compile(
    r"[A-Za-z]+(?:'[A-Za-z]+)*|[0-9]+(?:[.,/:][0-9]+)*|[.!?:;\n]|[%$]|(?<![A-Za-z0-9]) ?-(?=[0-9.])"
)
"""The same for text without accents or other scripts, four times as fast."""
_LATIN_TOKEN: Final = re.compile(
    rf"[{LATIN}]+(?:'[{LATIN}]+)*|[0-9]+(?:[.,/:][0-9]+)*|[.!?:;\n•]|[%$¢£¥€]|(?<![{LATIN}0-9]) ?-(?=[0-9.])"
)
"""And for text in Latin letters among curly quotes and dashes, once these are put one way."""
_LATIN_WAY: Final = (("\u00a0", " "), ("…", "..."), ("’", "'"), ("‘", "'"), ("−", "-"), ("‐", "-"), ("‑", "-"))
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
_ONE_WAY: Final = str.maketrans(dict.fromkeys("’‘ʼ＇", "'") | dict.fromkeys("−‐‑", "-"))
_PAUSES: Final = frozenset(".!?:;\n•。؟।")
_CUT: Final = 6
"""Letters that stand for a word of an alphabet without a stemmer here."""
_LANGUAGE_SAMPLE: Final = 120
"""Words that are asked for the language; function words are every third word, so this many decide it safely."""

BREAK, WORD, NUMBER, UNSPACED, COMMON, CAPITAL = 0, 1, 2, 3, 4, 8
"""The low bits of a packed token: its kind (two bits), whether it is a function word, whether it begins with a capital."""
_REMEMBERED: Final = 1 << 17
"""Tokens whose packed form is kept at hand, some 20 MB; a newsroom's vocabulary of a day fits."""


def hash32(text: str) -> int:
    """A stable 32-bit hash (BLAKE2b), never 0."""
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=4).digest(), "little") or 1


def tokens(text: str) -> list[str]:
    """Words, numbers, signs and sentence breaks of NFKC text, in order, with the case they were written in."""
    if text.isascii():
        return _ASCII_TOKEN.findall(text)
    if is_latin(text) and "´" not in text:  # which would come apart
        for mark, plain in _LATIN_WAY:
            text = text.replace(mark, plain)
        return _LATIN_TOKEN.findall(text)
    found: list[str] = _TOKEN.findall(unicodedata.normalize("NFKC", text).translate(_ONE_WAY))
    return found


def bare(found: list[str]) -> str:
    """What `tokens` says when typography is gone: words in one case, figures, signs of money, per cent and minus."""
    return " ".join([token for token in found if token not in _PAUSES]).casefold()


def language(words: list[str]) -> str:
    """The language of a token list by its function words, "en" where nothing shows."""
    return guess_language([word.lower() for word in words[:_LANGUAGE_SAMPLE]]) or "en"


class _Memory(dict[str, int]):
    """Token -> packed form, for one language; forgets all when full, which costs time only."""

    def __init__(self, lang: str) -> None:
        super().__init__()
        self._lang = lang

    def __missing__(self, token: str) -> int:
        if len(self) >= _REMEMBERED:
            self.clear()
        packed = self[token] = _pack(token, self._lang)
        return packed


_MEMORIES: Final = {lang: _Memory(lang) for lang in STOPWORDS}


def read(found: list[str], lang: str) -> list[int]:
    """Each token as one number of 64 bits: hash of its stem (32), hash of its letters (28), and the bits of its kind.

    A figure's stem is the figure; a run without spaces becomes its overlapping pairs of characters.
    """
    memory = _MEMORIES[lang]
    packed = [memory[token] for token in found]
    if not any(p & 3 == UNSPACED for p in packed):
        return packed
    spelled: list[int] = []
    for token, p in zip(found, packed, strict=True):
        if p & 3 == UNSPACED:
            spelled += _pairs(token)
        else:
            spelled.append(p)
    return spelled


def _pack(token: str, lang: str) -> int:
    first = token[0]
    if first.isdigit():
        value = hash32(f"#{_digits(token)}")
        return value << 32 | (value >> 4) << 4 | NUMBER
    if not first.isalpha():
        return BREAK
    if _UNSPACED_START.match(token):
        return UNSPACED
    folded = token.lower()
    bits = WORD | (COMMON if folded in STOPWORDS[lang] or len(folded) < 2 else 0) | (CAPITAL if first.isupper() else 0)
    return hash32(stem(folded, lang)) << 32 | (hash32(folded) >> 4) << 4 | bits


@lru_cache(maxsize=1 << 14)
def _pairs(run: str) -> tuple[int, ...]:
    hashes = [hash32(run[i : i + 2]) for i in range(max(1, len(run) - 1))]
    return tuple(value << 32 | (value >> 4) << 4 | WORD for value in hashes)


def _digits(token: str) -> str:
    plain = "".join(str(unicodedata.digit(c, 0)) if c.isdigit() else c for c in token)
    head, comma, tail = plain.rpartition(",")
    thousands = comma and len(tail) == 3 and "." not in tail and "/" not in plain
    return head.replace(",", "") + tail if thousands else plain


def stem(folded: str, lang: str) -> str:
    """The stem of a lower-case word, without accents; its first letters where the alphabet has no stemmer here."""
    if "a" <= folded[0] <= "\u024f":  # Latin
        base = folded.rsplit("'", maxsplit=1)[-1] if lang in ("fr", "it") else folded.removesuffix("'s")
        root: str = _STEMMERS[lang if lang != "ar" else "en"].stemWord(base)
        return _MARKS.sub("", unicodedata.normalize("NFD", root))  # wires of 7 bits drop the accents
    plain = _MARKS.sub("", folded)
    if "\u0600" <= folded[0] <= "\u06ff":
        root = _STEMMERS["ar"].stemWord(plain.translate(_ARABIC))
        return root or plain
    return plain[:_CUT]
