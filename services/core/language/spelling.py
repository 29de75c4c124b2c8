"""Is the difference between two wordings a plain misprint? Only where it surely is: a fact must never hide behind it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import regex

LONGEST_RUN: Final = 3
"""More differing words than this are an edit, not misprints."""

_SPELLINGS = (
    (regex.compile(r"([iy])s(e[sdr]?|ing|ations?|ers?)$"), r"\1z\2"),  # emphasise, emphasize
    (regex.compile(r"our(s|ed|ing|ites?|able|ably)?$"), r"or\1"),  # labour, labor
    (regex.compile(r"(?<=[bt])re(s)?$"), r"er\1"),  # centre, center
    (regex.compile(r"ence(s)?$"), r"ense\1"),  # defence, defense
    (regex.compile(r"ogue(s)?$"), r"og\1"),
    (regex.compile(r"amme(s)?$"), r"am\1"),
    (regex.compile(r"ll(ed|ing|ers?)$"), r"l\1"),  # travelled, traveled
    (regex.compile(r"ae|oe"), "e"),
    (regex.compile(r"ß"), "ss"),
)


def is_misprint(before: Sequence[str], after: Sequence[str]) -> bool:
    """Whether two paragraphs, as canonical words, differ by misspellings, spelling customs or misprinted spaces alone.

    Figures and names are never misprints here: a letter of a town is a correction. `before` and `after` are folded, so
    the caller passes names separately (see `alignment`).
    """
    if "".join(before) == "".join(after) and not _figures_touch(before, after):
        return True
    if len(before) != len(after):
        return False
    pairs = [(b, a) for b, a in zip(before, after, strict=True) if b != a]
    return len(pairs) <= LONGEST_RUN and all(_same_word(b, a) for b, a in pairs)


def _figures_touch(before: Sequence[str], after: Sequence[str]) -> bool:
    """Run together, "1 5" and "15" are the same letters, and not the same."""
    return [w for w in before if any(map(str.isdigit, w))] != [w for w in after if any(map(str.isdigit, w))]


def _same_word(before: str, after: str) -> bool:
    if not (before.isalpha() and after.isalpha()):
        return False
    if _american(before) == _american(after):
        return True
    if len(before) < 5 or len(after) < 5 or before[0] != after[0]:
        return False
    short, long = sorted((before, after), key=len)
    at = next((n for n, (x, y) in enumerate(zip(short, long, strict=False)) if x != y), len(short))
    if len(short) == len(long):  # two neighbours swapped, inside the word
        return (
            at + 1 < len(long) - 1
            and (short[at], short[at + 1]) == (long[at + 1], long[at])
            and short[at + 2 :] == long[at + 2 :]
        )
    if len(short) + 1 != len(long) or short[at:] != long[at + 1 :] or short[-2:] != long[-2:]:
        return False
    doubled = long[at] in (long[at - 1 : at], long[at + 1 : at + 2])
    return (
        doubled or len(long) >= 9
    )  # a letter too many or too few in a long word; "brought" and "bought" are two words


def _american(word: str) -> str:
    for pattern, other in _SPELLINGS:
        word = pattern.sub(other, word)
    return word
