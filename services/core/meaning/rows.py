"""Rows of a results table: what a row counts, and which of its figures are losses."""

from __future__ import annotations

import re
from typing import Final

import regex

from services.core.language.numbers import Quantity, extract

_ROW: Final = regex.compile(
    r"^\s*((?:oper(?:ating)? |adjusted |total )?(?:net(?: (?:income|profit|loss|sales))?|shr|profit|loss|income|earnings|sales|revs?|revenues?|turnover|ebitda?))\b(?! assets)[^.]{0,80}\d",
    regex.IGNORECASE,
)
_FIGURE: Final = re.compile(r"\d+(?:[.,/ -]\d+)*")
_LOSS: Final = re.compile(r"\b(?:loss(?:es)?|deficit|verlust|perte|pérdida|perdita|prejuízo|verlies|förlust)\b", re.IGNORECASE)  # fmt: skip
_AGAINST: Final = re.compile(r"\b(?:vs|versus|against|gegen|contre|contra)\b", re.IGNORECASE)
LONGEST: Final = 160
"""Code points of the longest row."""


def counts(text: str) -> str | None:
    """What a row of a results table counts ("oper net"), in lower case; None for what is no such row."""
    found = _ROW.match(text)
    return found[1].lower() if found else None


def losses(text: str) -> tuple[bool, ...] | None:
    """Per period of a row ("loss 24 cts vs profit 19 cts"), whether its figure is a loss; None for what is no such row."""
    if len(text) > LONGEST or counts(text) is None:
        return None
    sides = _AGAINST.split(text)
    return tuple(_LOSS.search(side) is not None for side in sides) if all(map(_FIGURE.search, sides)) else None


def swapped(before: str, after: str) -> tuple[tuple[Quantity, Quantity], ...]:
    """The figures of a row that changed places ("five cts vs one ct" sent as "one ct vs five cts"), (before, after) each."""
    if max(len(before), len(after)) > LONGEST or counts(before) is None or counts(after) is None:
        return ()
    old, new = (tuple(extract(side, "en")[:1] for side in _AGAINST.split(text)) for text in (before, after))
    if len(old) != len(new) or not all(old) or not all(new):
        return ()
    pairs = tuple((one[0], other[0]) for one, other in zip(old, new, strict=True))
    was, now = ([q.value for q in side] for side in zip(*pairs, strict=True))
    return tuple(pair for pair in pairs if pair[0].value != pair[1].value) if sorted(was) == sorted(now) else ()
