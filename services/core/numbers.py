"""The quantities of a text, and the same quantity with another value.

`services.core.figures` reads the figures; here they get what they count, from the words around them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from fractions import Fraction

import msgspec
import regex

from services.core import lexicon
from services.core.change import NumberChange
from services.core.figures import LINKS, UNITS, Figure, Kind, find, lower, plain_digits
from services.core.text import STOP_WORDS

CONTEXT_WORDS = 7
"""Words on either side that say what a figure counts; the gold's farthest telling word stands six away."""
STEM = 5
"""Letters kept of a context word, so that estimate and estimated, share and shares meet."""
BASIS_WORDS = 4
"""Words before a figure among which its basis stands (operating net of …)."""
SAME_QUANTITY = 0.34
"""Likeness at which two figures of one passage, gone here and new there, are the same quantity."""
SAME_SLOT = 0.7
"""The same where a value also stands elsewhere in the other version, so that it may only have moved."""
ELSEWHERE = 0.5
"""The same for figures of passages that did not become one another."""
MOST_PAIRS = 40_000
"""Comparisons beyond which a table was replaced whole, and no figure can be told from another."""

_UNSURE_MONTHS = frozenset(["may", "mar", "mars", "marzo", "jan", "sept", "nov", "mai", "mei"])
_WORD = regex.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")


class Quantity(msgspec.Struct, frozen=True, kw_only=True):
    """One figure: exact `value` with its scale multiplied in, `unit` in one spelling (pct, USD, cent, tonne, …) or None.

    `printed` is the text at `at` (code points, [start, end)), scale and unit word included. `context` holds the stems of
    the content words around it in reading order; `more` says that it is an increment (a further 30); `basis` holds the
    words that say how it is counted (net, operating).
    """

    value: Fraction
    unit: str | None
    kind: Kind
    printed: str
    at: tuple[int, int]
    context: tuple[str, ...]
    more: bool = False
    basis: frozenset[str] = frozenset()


def extract(text: str, language: str | None = None) -> tuple[Quantity, ...]:
    """Every figure of `text` in reading order; `language` (primary subtag) is guessed from the text where not given.

    "between 30 and 35 billion" gives both ends the scale and unit; a figure beside a month is a date.
    """
    plain = plain_digits(text)
    low = lower(plain)
    language = language or lexicon.language_of(text) or "en"
    found = find(plain, low, language)
    spots = [(m.start(), m.end(), m[0]) for m in _WORD.finditer(low)]
    starts = [spot[0] for spot in spots]
    out: list[Quantity] = []
    for figure in found:
        quantity = _quantity(figure, text, spots, starts, lexicon.of(language))
        if out and out[-1].kind == "date" and quantity.kind == "number" and figure.bare and quantity.value <= 31:
            link = low[out[-1].at[1] : figure.start].strip(" \u00a0,")
            if link in LINKS or not link:  # April 1, 2 and 3; March 11-20
                quantity = msgspec.structs.replace(quantity, kind="date", unit=out[-1].unit)
        out.append(quantity)
    return tuple(out)


def _quantity(
    found: Figure, text: str, spots: list[tuple[int, int, str]], starts: list[int], words: lexicon.Lexicon
) -> Quantity:
    before = spots[max(0, (here := bisect_left(starts, found.start)) - CONTEXT_WORDS) : here]
    after = spots[(there := bisect_left(starts, found.end)) : there + CONTEXT_WORDS]
    unit, kind = found.unit, found.kind
    if found.bare and kind in ("number", "ordinal") and found.value.denominator == 1 and 1 <= found.value <= 31:
        near = [w for w in (*before[-1:], *after[:1]) if text[w[0]].isupper() or w[2] not in _UNSURE_MONTHS]
        if month := next((words.months[w[2]] for w in near if w[2] in words.months), None):
            unit, kind = f"month-{month}", "date"
    around = [w[2] for w in (*before, *after)]
    return Quantity(
        value=found.value,
        unit=unit,
        kind=kind,
        printed=text[found.start : found.end],
        at=(found.start, found.end),
        context=tuple(w[:STEM] for w in around if w not in STOP_WORDS and w not in UNITS and w not in words.months),
        more=any(w[2] in words.more for w in (*before[-2:], *after[:2])),
        basis=frozenset(w[2] for w in (*before[-BASIS_WORDS:], *after[:2]) if w[2] in words.bases),
    )


def changed(
    pairs: Sequence[tuple[str, str]], before: Sequence[str], after: Sequence[str], language: str | None = None
) -> tuple[NumberChange, ...]:
    """The same quantity with another value, between two versions of a text.

    `pairs` are the passages that became one another, `before` and `after` the whole texts (headline first). Within a pair
    equal figures are taken out first, the rest are matched by the words around them; then figures that are gone from the
    whole text are matched with figures new to it. A basis that changed (operating to net), an increment beside a total, a
    figure that only moved: none. A changed unit counts.
    """
    old = [extract(t, language) for t in before]
    new = [extract(t, language) for t in after]
    olds = {q.value for qs in old for q in qs}
    news = {q.value for qs in new for q in qs}
    out: list[NumberChange] = []
    spent_old: set[Fraction] = set()
    spent_new: set[Fraction] = set()

    def accept(b: Quantity, a: Quantity) -> None:
        spent_old.add(b.value)
        spent_new.add(a.value)
        shared = [w for w in b.context if w in a.context]
        change = NumberChange(
            before=b.printed, after=a.printed, context=_words_around(b, shared), unit=a.unit or b.unit
        )
        if change not in out:
            out.append(change)

    for first, second in pairs:
        bs, as_ = _unpaired(extract(first, language), extract(second, language))
        for score, b, a in _best_matches(bs, as_):
            moved = b.value in news or a.value in olds
            if score >= (SAME_SLOT if moved else SAME_QUANTITY):
                accept(b, a)
    gone = [q for qs in old for q in qs if q.value not in news and q.value not in spent_old]
    fresh = [q for qs in new for q in qs if q.value not in olds and q.value not in spent_new]
    for score, b, a in _best_matches(gone, fresh):
        if score >= ELSEWHERE and b.unit == a.unit and b.value not in spent_old and a.value not in spent_new:
            accept(b, a)
    return tuple(out)


def _words_around(quantity: Quantity, shared: Sequence[str]) -> str:
    return " ".join(dict.fromkeys(shared)) or " ".join(quantity.context[:4])


def _unpaired(before: tuple[Quantity, ...], after: tuple[Quantity, ...]) -> tuple[list[Quantity], list[Quantity]]:
    """What is left when equal figures (value and unit, a missing unit fits any) have been taken out one for one."""
    left = list(after)
    rest: list[Quantity] = []
    for quantity in before:
        same = [
            a
            for a in left
            if a.value == quantity.value and (None in (a.unit, quantity.unit) or a.unit == quantity.unit)
        ]
        if same:
            left.remove(max(same, key=lambda a: _likeness(quantity, a)))
        else:
            rest.append(quantity)
    return rest, left


def _likeness(before: Quantity, after: Quantity) -> float:
    """0 to 1: how surely two figures count the same thing, by the words around them."""
    one, two = set(before.context), set(after.context)
    if not one and not two:
        return 0.5
    return round(len(one & two) / max(1, min(len(one), len(two))), 6)


def _comparable(before: Quantity, after: Quantity) -> bool:
    if before.kind != after.kind or before.more != after.more or before.basis != after.basis:
        return False
    if before.kind in ("year", "ordinal"):
        return False
    return None in (before.unit, after.unit) or before.unit == after.unit or before.value == after.value


def _best_matches(before: Sequence[Quantity], after: Sequence[Quantity]) -> list[tuple[float, Quantity, Quantity]]:
    """One partner each, the likeliest first; ties in reading order."""
    if len(before) * len(after) > MOST_PAIRS:
        return []
    scored = sorted(
        ((-_likeness(b, a), i, j) for i, b in enumerate(before) for j, a in enumerate(after) if _comparable(b, a))
    )
    used_before: set[int] = set()
    used_after: set[int] = set()
    out = []
    for score, i, j in scored:
        if i not in used_before and j not in used_after:
            used_before.add(i)
            used_after.add(j)
            out.append((-score, before[i], after[j]))
    return out
