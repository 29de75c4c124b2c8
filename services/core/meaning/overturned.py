"""What turns a statement without a word of the tables: a sign, a score, who did it to whom, a letter of a name, a day, a bound.

Every rule asks for two wordings that are otherwise the same, or for two readings of one figure: a passage written anew is
for the figures, names and words to judge.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

import regex
from rapidfuzz.distance import Levenshtein

from services.core.language.facts import Turned
from services.core.language.lexicon import Lexicon
from services.core.language.numbers import Quantity
from services.core.language.spelling import is_misprint
from services.core.language.text import STOP_WORDS, fold, tokens

Segments = Sequence[tuple[tuple[str, ...], tuple[str, ...]]]

SWAPPED_DAY: Final = 2
"""Words of an edit in which one day replaces another."""
SHORTEST_NAME: Final = 3
"""Letters of a name of which one can differ: "Al" and "El" are particles."""
FEW_EDITS: Final = 2
"""Edits in which a passage in a script without blanks is still the same sentence."""
LONGEST_EDIT: Final = 6
"""Characters of such an edit: a name, a figure, an ending."""
WIDEST_BOUND: Final = 30
"""Code points before a figure in which its bound stands."""

_SCORE = regex.compile(r"(?<![\d.,/-])(\d{1,3}) ?[-:] ?(\d{1,3})(?![\d/-]|[.,]\d)")
_TOGETHER = frozenset(["and", "or", "und", "oder", "et", "ou", "y", "o", "e", "en", "of", "och", "eller", "with", "mit", "avec", "con", "com",
                       "met", "med"])  # fmt: skip
_BOUNDS: Final = {
    kind: regex.compile(rf"(?:{phrases})\s*[$£€¥]?$", regex.IGNORECASE)
    for kind, phrases in {
        "low": r"\b(?:at least|no (?:fewer|less) than|more than|over|above|upwards of|mindestens|wenigstens|mehr als|über|au moins|plus de|"
        r"al menos|por lo menos|más de|almeno|più di|oltre|pelo menos|mais de|minstens|meer dan|minst|mer än|fler än)|لا يقل عن|أكثر من",
        "high": r"\b(?:up to|at most|no more than|not more than|less than|fewer than|under|below|bis zu|höchstens|weniger als|jusqu'à|au plus|"
        r"moins de|hasta|como máximo|menos de|fino a|al massimo|meno di|até|no máximo|tot|hoogstens|minder dan|upp till|högst|färre än)",
        "about": r"\b(?:about|around|some|roughly|approximately|nearly|almost|an estimated|close to|etwa|rund|fast|knapp|environ|près de|"
        r"unos|unas|cerca de|casi|circa|quasi|ongeveer|bijna|omkring|nästan|ungefär)",
    }.items()
}
_BY_CHARACTER = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}]")
_HAN = regex.compile(r"\p{Han}")
_DENIALS = regex.compile(r"なかった|ない|ません|ずに|なく|[不没沒未無无非]")


def overturned(
    old: tuple[str, Sequence[Quantity]],
    new: tuple[str, Sequence[Quantity]],
    segments: Segments,
    lex: Lexicon,
    known: tuple[frozenset[str], frozenset[str]],
) -> tuple[Turned, ...]:
    """The turns between two passages, each as its text and figures; `known` are the words of the two whole versions."""
    before, after = old[0], new[0]
    return (
        *_signs(segments),
        *_scores(before, after),
        *_who(before, after),
        *_letters(before, after, segments, known),
        *_days(segments, lex),
        *_bounds(old, new),
        *_characters(segments),
    )


def _signs(segments: Segments) -> list[Turned]:
    """A minus that came or went: -13 and 13."""
    gone = Counter(w for one, _ in segments for w in one)
    come = Counter(w for _, other in segments for w in other)
    pairs = [(w, w[1:]) for w in gone if w[0] == "-" and come[w[1:]]]
    pairs += [(w[1:], w) for w in come if w[0] == "-" and gone[w[1:]]]
    return [Turned("value", was, now) for was, now in pairs]


def _scores(before: str, after: str) -> list[Turned]:
    """A result the other way round: 3-1 and 1-3."""
    olds, news = (dict.fromkeys(_SCORE.findall(fold(text))) for text in (before, after))
    return [
        Turned("value", f"{a}-{b}", f"{b}-{a}")
        for a, b in olds
        if a != b and (b, a) in news and (a, b) not in news and (b, a) not in olds
    ]


def _who(before: str, after: str) -> list[Turned]:
    """Two names, or two words, that changed places in a sentence that stayed: who did it to whom."""
    old, new = _pieces(before), _pieces(after)
    if len(old) != len(new) or old == new or Counter(old) != Counter(new):
        return []
    at = [n for n, (b, a) in enumerate(zip(old, new, strict=True)) if b != a]
    if len(at) != 2:
        return []
    one, other = at
    if old[one][0] in STOP_WORDS or old[other][0] in STOP_WORDS:
        return []
    between = {w for piece in old[one + 1 : other] for w in piece}
    if not between - STOP_WORDS or between & _TOGETHER:
        return []
    return [Turned("who", " ".join(old[one]), " ".join(new[one]))]


def _pieces(text: str) -> list[tuple[str, ...]]:
    """The words of a passage in order, the capitals of a name together."""
    out: list[tuple[str, ...]] = []
    ended = -2
    for token in tokens(text):
        named = token.text[:1].isupper() and token.folded not in STOP_WORDS
        if named and token.start == ended + 1 and text[ended] == " ":
            out[-1] = (*out[-1], token.folded)
        else:
            out.append((token.folded,))
        ended = token.end if named else -2
    return out


def _letters(before: str, after: str, segments: Segments, known: tuple[frozenset[str], frozenset[str]]) -> list[Turned]:
    """A letter of a name. Mended to how the name is spelt elsewhere, or two letters swapped, it is a misprint and no turn."""
    single = [(one[0], other[0]) for one, other in segments if len(one) == len(other) == 1]
    if not single:
        return []
    olds, news = _named(before), _named(after)
    return [
        Turned("name", was, now)
        for was, now in single
        if was in olds
        and now in news
        and was not in known[1]
        and now not in known[0]
        and min(len(was), len(now)) >= SHORTEST_NAME
        and was.isalpha()
        and now.isalpha()
        and Levenshtein.distance(was, now) == 1
        and was[:-1] != now
        and now[:-1] != was
        and not is_misprint([was], [now])
    ]


def _named(text: str) -> set[str]:
    """Words with a capital inside a sentence, or before another one."""
    found = tokens(text)
    capital = [t.text[:1].isupper() for t in found]
    return {
        t.folded
        for n, t in enumerate(found)
        if capital[n]
        and ((n and text[: t.start].rstrip()[-1:] not in ".!?:\n") or (n + 1 < len(found) and capital[n + 1]))
    }


def _days(segments: Segments, lex: Lexicon) -> list[Turned]:
    """Another day of the week or another month in the same place."""
    out = []
    for gone, come in segments:
        if max(len(gone), len(come)) > SWAPPED_DAY:
            continue
        for table in (lex.weekdays, frozenset(lex.months)):
            was, now = (next((w for w in side if w in table), None) for side in (gone, come))
            if was and now and lex.months.get(was, was) != lex.months.get(now, now):
                out.append(Turned("day", was, now))
    return out


def _bounds(old: tuple[str, Sequence[Quantity]], new: tuple[str, Sequence[Quantity]]) -> list[Turned]:
    """At least 12, up to 12, exactly 12: the same figure said with another certainty. "About" only roughens it."""
    readings = []
    for text, figures in (old, new):
        if any(
            text[slice(*q.at)] != q.printed for q in figures
        ):  # of several paragraphs, each counts from its own start
            return []
        counted = Counter(q.value for q in figures)
        readings.append({q.value: _bound(text, q) for q in figures if counted[q.value] == 1 and q.kind == "number"})
    out = []
    for value, (was, said) in readings[0].items():
        now, says = readings[1].get(value, (was, said))
        if was != now and {was, now} != {"about", ""}:
            out.append(Turned("certainty", said, says))
    return out


def _bound(text: str, figure: Quantity) -> tuple[str, str]:
    """The kind of bound, and the figure with it as printed."""
    start = max(0, figure.at[0] - WIDEST_BOUND)
    for kind, pattern in _BOUNDS.items():
        if found := pattern.search(text[start : figure.at[0]]):
            return kind, text[start + found.start() : figure.at[1]].lower()
    return "", figure.printed


def _characters(segments: Segments) -> list[Turned]:
    """In Han and kana: another name or word in a sentence that stayed, or a denial that came or went."""
    edits = [("".join(gone), "".join(come)) for gone, come in segments]
    if not 0 < len(edits) <= FEW_EDITS or not all(_BY_CHARACTER.search(b + a) for b, a in edits):
        return []
    if any(max(len(b), len(a)) > LONGEST_EDIT for b, a in edits):
        return []
    gone, come = ("".join(side) for side in zip(*edits, strict=True))
    if bool(_DENIALS.search(gone)) != bool(_DENIALS.search(come)):
        return [Turned("negation", gone, come)]
    b, a = edits[0]
    whole = len(edits) == 1 or all(_HAN.fullmatch(c) for pair in edits for side in pair for c in side)
    return [Turned("name", gone, come)] if whole and _HAN.search(b) and _HAN.search(a) else []
