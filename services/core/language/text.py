"""The form in which two texts are the same but for typography, and the words, numbers and sentences in them.

Everything works on any script: words by Unicode property, Han, kana and the scripts of South-East Asia by character.
Offsets are code points of the text as given.
"""

from __future__ import annotations

import html
import re
import unicodedata
from functools import lru_cache
from typing import Any

import msgspec
import regex

from services.core.language.stopwords import STOPWORDS

__all__ = ["STOP_WORDS", "Token", "canonical", "fold", "sentences", "spoken", "tokens", "words"]

_NEWS_ELSEWHERE = frozenset(
    ["us", "war", "die", "man", "men", "hat", "sea", "son", "era", "one", "two", "will", "kind"]
)
STOP_WORDS: frozenset[str] = frozenset().union(*STOPWORDS.values()) - _NEWS_ELSEWHERE
"""Grammar in any language of the wire, folded as `words` folds; without what is news or a figure in another of them."""

_SINGLE_QUOTES = "‘’‚‛′‵`´ʹʻʼʽˈ＇‹›"
_DASHES = "‐‑‒–−﹣－"  # short ones: they join, span or negate; the long ones only part clauses
_CHARACTERS = str.maketrans(
    dict.fromkeys(_SINGLE_QUOTES, "'")
    | dict.fromkeys(_DASHES, "-")
    | dict.fromkeys("—―⸺⸻", " -- ")
    | {"…": "...", "⁄": "/", "∕": "/", "٫": ".", "٬": ",", "؟": "?", "⸮": "?", "\t": " ", "ـ": None}
)
_VULGAR_FRACTION = regex.compile(r"(\d?)([¼-¾⅐-⅞↉])")
_RAISED_DIGIT = regex.compile(r"(?<=\d)[⁰¹²³⁴-⁹]")
_UNSEEN = regex.compile(r"[\p{Cf}\p{Variation_Selector}\u064B-\u0652]+")  # zero widths, bidi marks, Arabic vowel points
_FOREIGN_DIGIT = regex.compile(r"(?![0-9])\d")
_WIRE_CODE = regex.compile(
    r"<[a-z0-9]{1,8}(?:[.=/-][a-z0-9]{1,6}){0,3}>|</?(?:p|br|b|i|u|em|strong|a|span|div|font|li|ul|ol|h[1-6]|sup|sub)\b[^<>]{0,200}>",
    regex.IGNORECASE,
)
_RANGE = regex.compile(
    r"(?<=\d)(?:-(?!\d+/\d)|\s+(?:to|through|thru|bis|à|al|tot|till|til)\s+(?=\d))(?=\d)", regex.IGNORECASE
)
_ASCII_RANGE = re.compile(  # of folded text
    r"(?<=[0-9])(?:-(?![0-9]+/[0-9])|[ \t-\r]+(?:to|through|thru|bis|al|tot|till|til)[ \t-\r]+(?=[0-9]))(?=[0-9])"
)
_SPACED_FRACTION = regex.compile(r"(?<![\d/.,])(\d+) (?=\d{1,2}/\d{1,3}(?![\d/]))")

BY_CHARACTER = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
"""Scripts written without spaces, as the inside of a `regex` set: their words are read character by character."""
_LETTER = rf"[\p{{L}}--[{BY_CHARACTER}]]"
_INSIDE = rf"[\p{{L}}\p{{M}}\p{{N}}--[{BY_CHARACTER}]]"
_TOKENS = (
    r"(?:(?<![\p{L}\p{M}\p{N}\)\]%.,−–\-])(?:[\-−–+±]\.?|\.)(?=\d))?"  # a sign, or a point with nothing before it
    r"\d+(?:[.,:/٫٬]\d+|[\u00a0\u202f\u2009'’]\d{3}(?!\d))*"
    r"(?:\-\d+/\d+|[¼-¾⅐-⅞])?"  # 6-3/16, 6¾
    rf"(?:{_LETTER}\p{{M}}*)*"  # 3rd, 1980s, 5m
    rf"|(?:{_LETTER}\p{{M}}*\.){{2,12}}"  # U.S.
    rf"|{_LETTER}{_INSIDE}*(?:['’ʼ]{_LETTER}{_INSIDE}*)*"
    rf"|[{BY_CHARACTER}]\p{{M}}*"
)
_SIGNS = r"|(?<![\p{L}\p{N}\-])\-\p{Sc}(?= ?\d)|[%‰?+=@\&\^°]|\p{Sc}|\p{So}"
_TOKEN = regex.compile(_TOKENS, regex.VERSION1)
_PIECE = regex.compile(_TOKENS + _SIGNS, regex.VERSION1)
# The same for ASCII and for Latin letters among the usual marks, which is most of the wire, with the quicker engine of the
# standard library.
_ASCII_TOKENS = (
    r"(?:(?<![A-Za-z0-9)\]%.,-])(?:[-+]\.?|\.)(?=\d))?\d+(?:[.,:/]\d+|'\d{3}(?!\d))*(?:-\d+/\d+)?[A-Za-z]*"
    r"|(?:[A-Za-z]\.){2,12}|[A-Za-z][A-Za-z0-9]*(?:'[A-Za-z][A-Za-z0-9]*)*"
)
_ASCII_TOKEN = re.compile(_ASCII_TOKENS)
_ASCII_PIECE = re.compile(_ASCII_TOKENS + r"|(?<![A-Za-z0-9-])-\$(?= ?\d)|[%?+=@&^$]")
LATIN = r"A-Za-zÀ-ÖØ-öø-įı\u0134-\u013e\u0141-\u0148\u014a-ž"
_LATIN_MARKS = r"\u00a0¡¢£¥§©«®°±´¶·»¿×÷‐‑‒–—―‘’‚‛“”„‟•…‹›€−"
_LATIN_TEXT = re.compile(rf"[\x00-\x7f{LATIN}{_LATIN_MARKS}]*")
_LATIN_TOKENS = (
    rf"(?:(?<![{LATIN}0-9)\]%.,−–-])(?:[-−–+±]\.?|\.)(?=[0-9]))?[0-9]+(?:[.,:/][0-9]+|[\u00a0'’][0-9]{{3}}(?![0-9]))*"
    rf"(?:-[0-9]+/[0-9]+)?[{LATIN}]*|(?:[{LATIN}]\.){{2,12}}|[{LATIN}][{LATIN}0-9]*(?:['’][{LATIN}][{LATIN}0-9]*)*"
)
_LATIN_TOKEN = re.compile(_LATIN_TOKENS)
_LATIN_PIECE = re.compile(_LATIN_TOKENS + rf"|(?<![{LATIN}0-9-])-[$¢£¥€](?= ?[0-9])|[%?+=@&^$¢£¥€©®°]")
_LATIN_FOLDS = (
    *((quote, "'") for quote in "’‘‚‛‹›´`"), *((dash, "-") for dash in "–‐‑‒−"), ("—", " -- "), ("―", " -- "), ("…", "..."),
    ("\u00a0", " "), ("\t", " "),
)  # fmt: skip
"""What `fold` does to the marks of such a text, before it takes the case away."""


def is_latin(text: str) -> bool:
    """Whether a text is of ASCII, Latin letters and the usual marks of copy alone."""
    return _LATIN_TEXT.fullmatch(text) is not None


class Token(msgspec.Struct, frozen=True):
    """A word or a number. `text` is `source[start:end]`, `folded` the form for matching: see `fold`."""

    text: str
    start: int
    end: int
    folded: str

    @property
    def is_number(self) -> bool:
        """Digits and what stands in a figure, no letters: "-3", "1,550", "6-3/16", not "3rd"."""
        return any(c.isdigit() for c in self.text) and not any(c.isalpha() for c in self.text)


KEPT = 2_000
"""Code points up to which what was read in a text is kept for a while: a paragraph is asked for its words many times."""


def fold(text: str) -> str:
    """Case, width, ligatures, quote and dash styles, digits of other scripts and unseen characters folded away.

    NFKC but for what it would spoil: ½ after 6 becomes 6-1/2 and not 61/2, a raised 2 after 10 becomes 10^2 and not 102.
    """
    if text.isascii():
        return text.lower()
    if is_latin(text):
        for mark, plain in _LATIN_FOLDS:
            text = text.replace(mark, plain)
        return text.casefold()
    return _fold(text)


def _fold(text: str) -> str:
    text = _VULGAR_FRACTION.sub(
        lambda m: f"{m[1]}{'-' if m[1] else ''}{unicodedata.normalize('NFKC', m[2]).replace('⁄', '/')}", text
    )
    text = _RAISED_DIGIT.sub(lambda m: f"^{unicodedata.normalize('NFKC', m[0])}", text)
    text = unicodedata.normalize("NFKC", text.translate(_CHARACTERS)).casefold()
    text = unicodedata.normalize("NFKC", _UNSEEN.sub("", text)).translate(_CHARACTERS)
    return _FOREIGN_DIGIT.sub(lambda m: str(unicodedata.decimal(m[0], 0)), text)


def canonical(text: str) -> str:
    """What is left of `text` when typography is taken away; two paragraphs of equal canonical form say the same.

    Gone: quotes, dashes, commas, brackets, full stops, case, tickers and wire codes, tags, misprinted spaces. Kept: every
    figure with its point, comma, sign and fraction, currency and per cent signs, the question mark. A range is the same
    with a dash or a word (11-20, 11 to 20). Idempotent.
    """
    return _canonical_kept(text) if len(text) <= KEPT else _canonical(text)


def _canonical(text: str) -> str:
    if "&" in text:
        text = html.unescape(text)
    if "<" in text:
        text = _WIRE_CODE.sub(" ", text)
    text = fold(text)
    text = (_ASCII_RANGE if text.isascii() else _RANGE).sub(" to ", text)
    pieces = (_ASCII_PIECE if text.isascii() else _LATIN_PIECE if is_latin(text) else _PIECE).findall(text)
    bare = " ".join([piece.replace(".", "") if "." in piece and piece[0].isalpha() else piece for piece in pieces])
    return _SPACED_FRACTION.sub(r"\1-", bare) if "/" in bare else bare


_canonical_kept = lru_cache(maxsize=1 << 13)(_canonical)


def pattern_of(text: str) -> Any:
    """The quickest pattern that finds the words of `text`."""
    return _ASCII_TOKEN if text.isascii() else _LATIN_TOKEN if is_latin(text) else _TOKEN


def words(text: str) -> tuple[str, ...]:
    """The words and numbers of `text`, folded, without possessive endings and the points of acronyms."""
    return _words_kept(text) if len(text) <= KEPT else _words(text)


def _words(text: str) -> tuple[str, ...]:
    plain = fold(text)
    found = pattern_of(plain).findall(plain)
    return tuple([word if word.isalnum() else _bare(word) for word in found])


_words_kept = lru_cache(maxsize=1 << 12)(_words)


_SHORT_FORMS = {"'ll": "will", "'re": "are", "'ve": "have", "'m": "am"}
_ODD_SHORT_FORMS = {
    "won't": ("will", "not"), "can't": ("can", "not"), "cannot": ("can", "not"), "shan't": ("shall", "not"),
    "let's": ("let", "us"), "ain't": ("is", "not"), "gonna": ("going", "to"), "'tis": ("it",),
}  # fmt: skip
_SUBJECTS = frozenset(
    ["i", "you", "he", "she", "it", "we", "they", "that", "there", "who", "what", "here", "where", "how", "this", "one"]
)
_BE_OR_HAVE = frozenset(["is", "has"])


def spoken(text: str) -> tuple[str, ...]:
    """The words of `text` with English short forms written out: "won't" and "will not" are one statement.

    "It's" may be "it is" or "it has", so behind a pronoun neither is kept; "he'd" is "he had" before a participle.
    """
    return _spoken_kept(text) if len(text) <= KEPT else _spoken(text)


def _spoken(text: str) -> tuple[str, ...]:
    found = words(text)
    if "'" not in text and "’" not in text and _BE_OR_HAVE.isdisjoint(found) and "cannot" not in found:
        return found
    out: list[str] = []
    for n, word in enumerate(found):
        if odd := _ODD_SHORT_FORMS.get(word):
            out.extend(odd)
        elif word.endswith("n't") and len(word) > 4:
            out.extend((word[:-3], "not"))
        elif word[-3:] in _SHORT_FORMS or word[-2:] in _SHORT_FORMS:
            head, mark, tail = word.rpartition("'")
            out.extend((head, _SHORT_FORMS[mark + tail]) if head else (word,))
        elif word.endswith("'d") and word[:-2] in _SUBJECTS:
            following = found[n + 1] if n + 1 < len(found) else ""
            out.extend((word[:-2], "had" if following.endswith(("ed", "en")) or following == "better" else "would"))
        elif not (word in _BE_OR_HAVE and out and out[-1] in _SUBJECTS):
            out.append(word)
    return tuple(out)


_spoken_kept = lru_cache(maxsize=1 << 11)(_spoken)


def tokens(text: str) -> tuple[Token, ...]:
    """The words and numbers of `text` where they stand. Figures stay whole: sign, separators, fraction."""
    known: dict[str, str] = {}
    out: list[Token] = []
    for found in pattern_of(text).finditer(text):
        word = found[0]
        form = known.get(word)
        if form is None:
            form = known[word] = folded(word)
        if form:  # not a lone stretching mark
            out.append(Token(word, found.start(), found.end(), form))
    return tuple(out)


def folded(word: str) -> str:
    """The form of a single word for matching; "" for a lone stretching mark."""
    return _bare(fold(word))


def _bare(word: str) -> str:
    """Acronyms lose their points (U.S. and US are one), figures keep theirs; a possessive ending goes."""
    if word.isalnum():
        return word
    word = word.removesuffix("'s")
    return word.replace(".", "") if word[:1].isalpha() else word


def _set(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


_END = regex.compile(
    r"(?<![.!?…])(?P<stop>[.!?…]++)[\"'”’»)\]]*+\s++|[。！？｡]++[」』”’）]*+\s*+|[؟۔।]++\s*+|\n\s*+", regex.VERSION0
)
_OPENERS = "\"'“”‘’«„‚([-–— "
_LAST_WORD = regex.compile(rf"(?:{_LETTER}\p{{M}}*\.)*[\p{{L}}\p{{M}}\p{{N}}]+$", regex.VERSION1)
_TITLES = _set(
    "mr mrs ms dr prof gen lt col maj capt sgt cpl adm rep sen gov pres rev hon st mt ft messrs mme mlle hr fr frau herr "
    "dott sig sr sra ing dipl vs etc approx ca bzw usw evtl inkl zzgl u.a z.b d.h p.ex e.g i.e cf jan feb mar apr jun jul "
    "aug sep sept oct nov dec mon tue wed thu fri sat sun"
)
_COMPANY_FORMS = _set("inc corp co ltd plc bros cia sa ag nv spa intl dept univ assn dist ave blvd jr")
_COUNTED = _set("no nos nr nº fig art abs vol para paras pp pg sec ch núm")
_ORDINAL_BEFORE = _set("am im der dem den vom zum zur des die das beim bis ab seit")


def sentences(text: str) -> tuple[str, ...]:
    """The sentences of `text`, stripped; abbreviations, initials, acronyms and German ordinals do not end one."""
    return _sentences_kept(text) if len(text) <= KEPT else _sentences(text)


def _sentences(text: str) -> tuple[str, ...]:
    out: list[str] = []
    start = 0
    for end in _END.finditer(text):
        if end["stop"] is not None and not _ends_sentence(text, end.start(), end["stop"], end.end()):
            continue
        if sentence := text[start : end.end()].strip():
            out.append(sentence)
            start = end.end()
    if rest := text[start:].strip():
        out.append(rest)
    return tuple(out)


_sentences_kept = lru_cache(maxsize=1 << 11)(_sentences)


def _opens(following: str) -> bool:
    """Whether a text begins with a word of grammar, as a sentence often does and a name never."""
    first = next(iter(words(following)), "")
    return len(first) > 1 and first in STOP_WORDS


def _ends_sentence(text: str, at: int, stop: str, resume: int) -> bool:
    following = text[resume : resume + 40].lstrip(_OPENERS)
    if not following:
        return True
    if following[0].islower():
        return False
    if stop != ".":
        return True
    found = _LAST_WORD.search(text, max(0, at - 40), at)
    if found is None:
        return True
    word = found[0].lower()
    if word in _TITLES:
        return False
    if word in _COUNTED:
        return not following[0].isdigit()
    if word in _COMPANY_FORMS or "." in word or (len(word) == 1 and word.isalpha()):
        return _opens(following)
    if word.isdigit() and len(word) <= 2 and not _opens(following):
        before = text[max(0, found.start() - 12) : found.start()].split()
        return not (before and before[-1].lower() in _ORDINAL_BEFORE)
    return True
