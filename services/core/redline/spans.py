"""What changed inside a paragraph, word by word, as a person would mark it."""

from __future__ import annotations

import re
from itertools import accumulate
from typing import Any, Final

import regex
from rapidfuzz.distance import Levenshtein

from services.core.change import Span, SpanSide
from services.core.language.text import BY_CHARACTER, LATIN, is_latin

REWRITTEN: Final = 0.35
"""Below this share of kept letters a paragraph was written anew: one replacement reads better than scraps."""
SCRAP: Final = 2
"""Equal words fewer than this between two edits are read as part of them, if they are short as well."""
SCRAP_LETTERS: Final = 8
LARGEST: Final = 40_000_000
"""Words before times words after up to which words are compared (about 20 MB); beyond, one replacement."""

_LETTER = rf"[\p{{L}}\p{{N}}--[{BY_CHARACTER}]]"
_PIECE = regex.compile(  # a word or a figure with all that hangs on it, a run of blanks, or one grapheme cluster
    rf"(?:(?<![\p{{L}}\p{{N}}\-])[\-−+](?=\p{{N}}))?{_LETTER}(?:[\p{{L}}\p{{N}}\p{{M}}\p{{Cf}}--[{BY_CHARACTER}]]|[.,:/'’\-](?=\p{{N}})|['’](?=\p{{L}})|(?<=(?<!{_LETTER})\p{{L}})\.(?=\p{{L}}(?!{_LETTER})))*+|(?:\s(?!\p{{M}}))++|\X",
    regex.VERSION1,
)
# The same for ASCII and for Latin letters, which is most of the wire, with the quicker engine of the standard library.
_ASCII_PIECE = re.compile(
    r"(?:(?<![A-Za-z0-9\-])[\-+](?=[0-9]))?[A-Za-z0-9](?:[A-Za-z0-9]|[.,:/'\-](?=[0-9])|'(?=[A-Za-z])|(?<=(?<![A-Za-z0-9])[A-Za-z])\.(?=[A-Za-z](?![A-Za-z0-9])))*+|[ \t-\r]++|[^ \t-\r]"
)
_LATIN_PIECE = re.compile(
    rf"(?:(?<![{LATIN}0-9\-])[\-−+](?=[0-9]))?[{LATIN}0-9](?:[{LATIN}0-9]|[.,:/'’\-](?=[0-9])|['’](?=[{LATIN}])|(?<=(?<![{LATIN}0-9])[{LATIN}])\.(?=[{LATIN}](?![{LATIN}0-9])))*+"
    r"|[ \t-\r\u00a0]++|[^ \t-\r\u00a0]"
)


def spans(before: str, after: str) -> tuple[Span, ...]:
    """The edits that turn `before` into `after`, in order, in whole words and whole grapheme clusters.

    Offsets are code points. Replacing every span's `before` by its `after` gives `after`; equal texts have none.
    """
    if before == after:
        return ()
    old, new = _pieces(before), _pieces(after)
    shorter = min(len(old), len(new))
    start = next((n for n, (one, other) in enumerate(zip(old, new, strict=False)) if one != other), shorter)
    end = 0
    while end < shorter - start and old[-1 - end] == new[-1 - end]:
        end += 1
    edits = _edits(old[start : len(old) - end], new[start : len(new) - end], start)
    kept = len(before) - sum(len("".join(old[i:j])) for i, j, _, _ in edits)
    if len(edits) > 1 and kept < REWRITTEN * max(len(before), len(after)):
        edits = [(edits[0][0], edits[-1][1], edits[0][2], edits[-1][3])]
    edits = [_trimmed(edit, old, new) for edit in edits]
    at_old, at_new = _offsets(old), _offsets(new)
    return tuple(_span(before, after, (at_old[i], at_old[j]), (at_new[k], at_new[m])) for i, j, k, m in edits)


def _pieces(text: str) -> list[str]:
    found: Any = _ASCII_PIECE if text.isascii() else _LATIN_PIECE if is_latin(text) else _PIECE
    pieces: list[str] = found.findall(text)
    return pieces


def _edits(old: list[str], new: list[str], shift: int) -> list[tuple[int, int, int, int]]:
    """Ranges of pieces (before from, to, after from, to), scraps between them swallowed."""
    if len(old) * len(new) > LARGEST:
        return [(shift, shift + len(old), shift, shift + len(new))]
    numbers: dict[str, int] = {}
    codes = [[numbers.setdefault(piece, len(numbers)) for piece in side] for side in (old, new)]
    edits: list[tuple[int, int, int, int]] = []
    for code in Levenshtein.opcodes(*codes):
        if code.tag == "equal":
            continue
        edit = (code.src_start, code.src_end, code.dest_start, code.dest_end)
        if edits and _is_scrap(old[edits[-1][1] : edit[0]]):
            edit = (edits[-1][0], edit[1], edits[-1][2], edit[3])
            edits[-1] = edit
        else:
            edits.append(edit)
    return [(i + shift, j + shift, k + shift, m + shift) for i, j, k, m in edits]


def _trimmed(edit: tuple[int, int, int, int], old: list[str], new: list[str]) -> tuple[int, int, int, int]:
    """An edit without the pieces that its two sides have in common at either end (blanks, after scraps were swallowed)."""
    i, j, k, m = edit
    while i < j and k < m and old[i] == new[k]:
        i, k = i + 1, k + 1
    while i < j and k < m and old[j - 1] == new[m - 1]:
        j, m = j - 1, m - 1
    return i, j, k, m


def _is_scrap(between: list[str]) -> bool:
    said = [piece for piece in between if not piece.isspace() and any(map(str.isalnum, piece))]
    return len(said) < SCRAP and sum(map(len, said)) < SCRAP_LETTERS


def _offsets(pieces: list[str]) -> list[int]:
    return list(accumulate(map(len, pieces), initial=0))


def _span(before: str, after: str, old: tuple[int, int], new: tuple[int, int]) -> Span:
    gone, come = before[slice(*old)], after[slice(*new)]
    return Span(
        op="replace" if gone and come else "delete" if gone else "insert",
        before=SpanSide(at=old, text=gone),
        after=SpanSide(at=new, text=come),
    )
