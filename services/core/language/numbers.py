"""The quantities of a text, and the same quantity with another value.

`services.core.language.figures` reads the figures; here they get what they count, from the words around them.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

import msgspec
import regex

from services.core.change import NumberChange
from services.core.language import labels, lexicon
from services.core.language.figures import LINKS, UNITS, Figure, Kind, find, holds_none, lower, plain_digits, words_at
from services.core.language.numerals import scale
from services.core.language.text import KEPT, STOP_WORDS

CONTEXT_WORDS = 7
"""Words on either side that say what a figure counts; the gold's farthest telling word stands six away."""
STEM = 4
"""Letters kept of a context word, so that idle and idled, estimate and estimated, share and shares meet."""
BASIS_WORDS = 4
"""Words before a figure among which its basis stands (operating net of …)."""
SAME_QUANTITY = 0.34
"""Likeness at which two figures of one passage, gone here and new there, are the same quantity."""
SAME_SLOT = 0.7
"""The same where a value also stands elsewhere in the other version, so that it may only have moved."""
ELSEWHERE = 0.45
"""The same for figures of passages that did not become one another."""
ONLY_ONE = 0.08
"""The same where one figure of a unit is gone and one is new: a single shared word will do (a day's running total)."""
MOST_FIGURES = 1_000
"""Figures of one passage that are read: what has more is no sentence and no row."""
MOST_PAIRS = 40_000
"""Comparisons beyond which a table was replaced whole, and no figure can be told from another."""

_UNSURE_MONTHS = frozenset(["may", "mar", "mars", "marzo", "jan", "sept", "nov", "mai", "mei"])


class Quantity(msgspec.Struct, frozen=True, kw_only=True):
    """One figure: exact `value` with its scale multiplied in, `unit` in one spelling (pct, USD, cent, tonne, …) or None.

    `printed` is the text at `at` (code points, [start, end)), scale and unit word included. `context` holds the content
    words around it in reading order, the first `split` of them in front of it; `quantum` is the worth of the
    last digit printed; `more` says that it is an increment (a further 30); `basis` holds the
    words that say how it is counted (net, operating).
    """

    value: Fraction
    unit: str | None
    kind: Kind
    printed: str
    at: tuple[int, int]
    context: tuple[str, ...]
    split: int = 0
    quantum: Fraction = Fraction(1)
    more: bool = False
    basis: frozenset[str] = frozenset()


def extract(text: str, language: str | None = None) -> tuple[Quantity, ...]:
    """Every figure of `text` in reading order; `language` (primary subtag) is guessed from the text where not given.

    "between 30 and 35 billion" gives both ends the scale and unit; a figure beside a month is a date.
    """
    language = language or lexicon.language_of(text) or "en"
    return _extract_kept(text, language) if len(text) <= KEPT else _extract(text, language)


def _extract(text: str, language: str) -> tuple[Quantity, ...]:
    plain = plain_digits(text)
    low = lower(plain)
    if holds_none(plain, low, language):
        return ()
    spots = words_at(low)
    found = find(plain, low, language, spots)[:MOST_FIGURES]
    if not found:
        return ()
    starts = [spot[0] for spot in spots]
    out: list[Quantity] = []
    for figure in found:
        quantity = _quantity(figure, text, spots, starts, language)
        if out and out[-1].kind == "date" and quantity.kind == "number" and figure.bare and quantity.value <= 31:
            link = low[out[-1].at[1] : figure.start].strip(" \u00a0,")
            if link in LINKS or not link:  # April 1, 2 and 3; March 11-20
                quantity = msgspec.structs.replace(quantity, kind="date", unit=out[-1].unit)
        out.append(quantity)
    return tuple(out)


_extract_kept = lru_cache(maxsize=1 << 12)(_extract)


def _quantity(
    found: Figure, text: str, spots: list[tuple[int, int, str]], starts: list[int], language: str
) -> Quantity:
    words = lexicon.of(language)
    before = spots[max(0, (here := bisect_left(starts, found.start)) - CONTEXT_WORDS) : here]
    after = spots[(there := bisect_left(starts, found.end)) : there + CONTEXT_WORDS]
    unit, kind = found.unit, found.kind
    if found.bare and kind in ("number", "ordinal") and found.value.denominator == 1 and 1 <= found.value <= 31:
        near = [w for w in (*before[-1:], *after[:1]) if text[w[0]].isupper() or w[2] not in _UNSURE_MONTHS]
        if month := next((words.months[w[2]] for w in near if w[2] in words.months), None):
            unit, kind = f"month-{month}", "date"
    front, behind = ([w[2] for w in side if _counts(w[2], language)] for side in (before, after))
    return Quantity(
        value=found.value,
        unit=unit,
        kind=kind,
        printed=text[found.start : found.end],
        at=(found.start, found.end),
        context=(*front, *behind),
        split=len(front),
        quantum=found.quantum,
        more=_adds([w[2] for w in before[-2:]], [w[2] for w in after[:2]], words),
        basis=frozenset(w[2] for w in (*before[-BASIS_WORDS:], *after[:2]) if w[2] in words.bases),
    )


_THAN = frozenset(["than", "als", "de", "que", "di", "dan", "än"])


def _adds(before: list[str], after: list[str], words: lexicon.Lexicon) -> bool:
    """Whether a figure is an increment: "30 more", "another 30"; not "more than 30"."""
    if any(w in words.more for w in after):
        return True
    return any(
        w in words.more and following not in _THAN for w, following in zip(before, (*before[1:], ""), strict=False)
    )


@lru_cache(maxsize=1 << 13)
def _counts(word: str, language: str) -> bool:
    """Whether a word can say what a figure counts: no grammar, no unit, no scale, no month."""
    return len(word) > 1 and not (
        word in STOP_WORDS
        or word in UNITS
        or word in lexicon.of(language).months
        or word in _VERSUS
        or scale(word, None)
    )


def changed_in(
    before: Sequence[Quantity], after: Sequence[Quantity], olds: frozenset[Fraction], news: frozenset[Fraction]
) -> list[tuple[Quantity, Quantity]]:
    """The same quantity with another value inside two passages that became one another.

    Equal figures are taken out first, the rest are matched by the words around them. `olds` and `news` are the values of
    the whole versions: a value that stands in both may only have moved, and then the slot has to be the same for sure. A
    changed basis (operating to net) and an increment beside a total are other quantities; a changed unit counts.
    """
    matches = _best_matches(*_unpaired(before, after))
    return [
        (b, a)
        for score, b, a in matches
        if b.printed != a.printed and score >= (SAME_SLOT if b.value in news or a.value in olds else SAME_QUANTITY)
    ]


def revalued(
    pairs: Sequence[tuple[Sequence[Quantity], Sequence[Quantity]]],
    before: Sequence[Quantity],
    after: Sequence[Quantity],
) -> tuple[tuple[Quantity, Quantity], ...]:
    """The same quantity with another value, between two versions of a text: (earlier, later), each change of value once.

    `pairs` are the figures of passages that became one another, `before` and `after` those of the whole versions. What no
    pair explains is matched across the text, if it is gone from the one side and new on the other.
    """
    olds, news = frozenset(q.value for q in before), frozenset(q.value for q in after)
    found = [match for bs, as_ in pairs for match in changed_in(bs, as_, olds, news)]
    spent_old, spent_new = {b.value for b, _ in found}, {a.value for _, a in found}
    gone = [q for q in before if q.value not in news and q.value not in spent_old]
    fresh = [q for q in after if q.value not in olds and q.value not in spent_new]
    gone, fresh = without_roundings(gone, fresh)
    for score, b, a in _best_matches(gone, fresh):
        alone = b.unit is not None and _alone(b, gone) and _alone(a, fresh)
        if (
            score >= (ONLY_ONE if alone else ELSEWHERE)
            and b.unit == a.unit
            and b.printed != a.printed
            and b.value not in spent_old
            and a.value not in spent_new
        ):
            spent_old.add(b.value)
            spent_new.add(a.value)
            found.append((b, a))
    first: dict[tuple[Fraction, Fraction, str | None], tuple[Quantity, Quantity]] = {}
    for b, a in found:
        first.setdefault((b.value, a.value, a.unit or b.unit), (b, a))
    return tuple(first.values())


_INSTEAD = regex.compile(
    r"^(?:\W{0,3}[\p{L}-]{1,20}){0,4}?\W{0,6}(?:instead of|in place of|rather than|and not|not|statt|anstatt|au lieu de|en lugar de|en vez de|invece di|em vez de|"
    r"in plaats van|i stället för|correct(?:s|ed|ing) from)(?:\W{1,3}(?:the|an?|about|some|earlier))?\W{0,3}$",
    regex.IGNORECASE,
)


def put_right(texts: Sequence[str], quantities: Sequence[Sequence[Quantity]]) -> tuple[tuple[Quantity, Quantity], ...]:
    """What a notice says in so many words: "24 kilometres instead of 240 kilometres" is (240 kilometres, 24 kilometres)."""
    return tuple(
        (wrong, right)
        for text, found in zip(texts, quantities, strict=True)
        for right, wrong in pairwise(found)
        if right.value != wrong.value and _INSTEAD.match(text[right.at[1] : wrong.at[0]])
    )


def changed(
    pairs: Sequence[tuple[Sequence[Quantity], Sequence[Quantity]]],
    before: Sequence[Quantity],
    after: Sequence[Quantity],
) -> tuple[NumberChange, ...]:
    """`revalued`, as it is written into a change."""
    return tuple(as_change(b, a) for b, a in revalued(pairs, before, after))


def _alone(quantity: Quantity, among: Sequence[Quantity]) -> bool:
    """Whether no other value of this unit is among them, increments apart."""
    return all(q.value == quantity.value for q in among if q.unit == quantity.unit and q.more == quantity.more)


def as_change(before: Quantity, after: Quantity) -> NumberChange:
    """A matched pair as it is written into a change."""
    stems = {w[:STEM] for w in before.context}
    shared = [w for w in after.context if w[:STEM] in stems] or after.context[:4]
    front, behind = after.context[: after.split], after.context[after.split :]
    measured = labels.first_in(front, behind)
    if all(w[:STEM] in stems for w in measured):
        shared = [*measured, *shared]
    return NumberChange(
        before=before.printed,
        after=after.printed,
        context=" ".join(dict.fromkeys(shared)),
        unit=after.unit or before.unit,
    )


_VERSUS = frozenset(["vs", "versus", "gegen"])


def _unpaired(before: Sequence[Quantity], after: Sequence[Quantity]) -> tuple[list[Quantity], list[Quantity]]:
    """What is left when equal figures (value and unit; a missing unit fits any) have been taken out one for one."""
    by_value: dict[Fraction, list[Quantity]] = {}
    for quantity in after:
        by_value.setdefault(quantity.value, []).append(quantity)
    rest: list[Quantity] = []
    for quantity in before:
        here = by_value.get(quantity.value, [])
        same = next((a for a in here if None in (a.unit, quantity.unit) or a.unit == quantity.unit), None)
        if same is None:
            rest.append(quantity)
        else:
            here.remove(same)
    spare = {id(a) for here in by_value.values() for a in here}
    left = [quantity for quantity in after if id(quantity) in spare]
    return without_roundings(rest, left)


def without_roundings(before: Sequence[Quantity], after: Sequence[Quantity]) -> tuple[list[Quantity], list[Quantity]]:
    """Both sides without the figures that are the other side's, rounded."""
    if len(before) * len(after) > MOST_PAIRS:
        return list(before), list(after)
    rough = [[(_rough(q.value), _rough(q.quantum)) for q in side] for side in (before, after)]
    near = [
        (b, a)
        for b, (value, quantum) in enumerate(rough[0])
        for a, (other, unit) in enumerate(rough[1])
        if quantum != unit and not abs(value - other) > max(quantum, unit) and is_rounding(before[b], after[a])
    ]
    olds, news = {b for b, _ in near}, {a for _, a in near}
    return (
        [q for b, q in enumerate(before) if b not in olds],
        [q for a, q in enumerate(after) if a not in news],
    )


def _rough(value: Fraction) -> float:
    """A value as far as it is needed to see that two are not near; exact arithmetic is for those that are."""
    try:
        return float(value)
    except OverflowError:
        return math.inf


def is_rounding(one: Quantity, other: Quantity) -> bool:
    """Whether one figure is the other, rounded (3,086,386 and 3.1 mln; 9.93 and 9.9): the same, said more shortly.

    The shorter one needs two digits that count: 2 pct is not 1.6 pct rounded, it is another forecast.
    """
    if one.kind != "number" or other.kind != "number" or one.quantum == other.quantum:
        return False
    fine, coarse = (one, other) if one.quantum < other.quantum else (other, one)
    return coarse.value / coarse.quantum >= 10 and abs(fine.value - coarse.value) * 2 <= coarse.quantum


def _likeness(one: dict[str, float], two: dict[str, float]) -> float:
    """0 to 1: how surely two figures count the same thing, by the words around them, the nearest weighing most.

    A word n places away weighs 1/n; shared weight is divided by the weight of the side that has less of it.
    """
    if not one and not two:
        return 0.5
    shared = sum(min(weight, two[word]) for word, weight in one.items() if word in two)
    return round(shared / max(min(sum(one.values()), sum(two.values())), 1e-9), 6)


def _weights(quantity: Quantity) -> dict[str, float]:
    out: dict[str, float] = {}
    for side in (tuple(reversed(quantity.context[: quantity.split])), quantity.context[quantity.split :]):
        for distance, word in enumerate(side, 1):
            out[word[:STEM]] = max(out.get(word[:STEM], 0.0), 1 / distance)
    return out


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
    olds, news = ([_weights(q) for q in side] for side in (before, after))
    scored = sorted(
        (
            (-_likeness(olds[i], news[j]), i, j)
            for i, b in enumerate(before)
            for j, a in enumerate(after)
            if _comparable(b, a)
        )
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
