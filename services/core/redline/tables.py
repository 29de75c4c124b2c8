"""Results tables, one line per paragraph: which line is which row ("Shr 31 cts vs 36 cts" under "Nine mths")."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import msgspec
import regex

from services.core.article import Paragraph
from services.core.language.text import words

LONGEST_ROW: Final = 140
MOST_WORDS: Final = 22
"""A row is short, in letters and in words; a longer line is prose and ends the table."""
LONGEST_HEADING: Final = 60
"""Letters of the heading of a table."""
SAME_PERIOD: Final = 0.9
""""Year" and "12 mths" head the same figures."""
OTHER_PERIOD: Final = 0.25
"""A heading put right ("Nine mths", then "Year") is found only between rows that stayed."""

_FIGURE = re.compile(r"\d|^(?:nil|n\.?a|one|two|three|four|five|six|seven|eight|nine|ten|loss|profit|breakeven)$")
_NUMBER_WORDS: Final = {
    w: str(n)
    for n, w in enumerate(
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"], 1
    )
}
_THOUSANDS = regex.compile(r"[+-]?\d{1,3}(?:,\d{3})+|[+-]?\d{1,3}(?:\.\d{3})+")
_SCALES: Final = {
    name: scale
    for scale, names in (
        (1e3, ["thousand", "thsd", "tsd", "000"]),
        (
            1e6,
            ["mln", "million", "millions", "mio", "mn", "m", "millionen", "millones", "milioni", "milhões", "miljoen"],
        ),
        (1e9, ["billion", "bln", "bn", "mrd", "milliarden", "milliards", "miliardi", "miljard", "miljarder"]),
    )
    for name in names
}
_PERIOD = regex.compile(
    r"^\W*(?:(?:first|second|third|fourth|1st|2nd|3rd|4th)? ?(?:half|qtr|quarter|q[1-4])"
    r"|(?:\w+|\d+) ?(?:mths?|months?|wks?|weeks?|qtrs?|quarters?|halves)|(?:full |fiscal )?year(?: to date)?"
    r"|\d{1,2}\. quartal|(?:erstes|zweites|drittes|viertes) quartal|(?:halb|gesamt)?jahr|neun monate|exercice|semestre|trimestre)"
    r"(?: ended [\w. ]{2,20})?\W*$",
    regex.IGNORECASE,
)
_PERIOD_WORDS: Final = {
    "mth": "month", "qtr": "quarter", "wk": "week", "1st": "first", "2nd": "second", "3rd": "third", "4th": "fourth",
    "full": "", "fiscal": "",
}  # fmt: skip


class Row(msgspec.Struct, frozen=True):
    """A line of a table: its label (folded words before the first figure), its figures as (value, half of the last
    digit's unit), the heading it stands under.

    A heading ("Nine mths") is a row of its own kind: no label, no figures, itself the section.
    """

    label: frozenset[str]
    figures: tuple[tuple[float, float], ...]
    section: str | None

    @property
    def is_heading(self) -> bool:
        """Whether this line names the period of those below it."""
        return not self.label


def read_rows(paragraphs: Sequence[Paragraph]) -> list[Row | None]:
    """A row for every paragraph that is one; prose gives None. A lone row in prose is prose."""
    rows: list[Row | None] = []
    section: str | None = None
    for paragraph in paragraphs:
        if len(paragraph.text) <= LONGEST_HEADING and _PERIOD.match(paragraph.text):
            section = _section(paragraph.text)
            rows.append(Row(frozenset(), (), section))
            continue
        if len(paragraph.text) > LONGEST_ROW:
            section = None
            rows.append(None)
            continue
        rows.append(_row(paragraph, section))
    return rows if sum(row is not None and not row.is_heading for row in rows) > 1 else [None] * len(rows)


def row_likeness(before: Row, after: Row, shared_sections: set[str | None]) -> float:
    """0 to 1 by label, heading and figures: equal figures under another heading are another row."""
    if before.is_heading != after.is_heading:
        return 0.0
    if before.is_heading:
        return SAME_PERIOD if before.section == after.section else OTHER_PERIOD
    label = 2 * len(before.label & after.label) / max(len(before.label) + len(after.label), 1)
    kept = sum(any(_same_amount(one, other) for other in after.figures) for one in before.figures)
    figures = 2 * kept / max(len(before.figures) + len(after.figures), 1)
    if before.section == after.section:
        section = 0.8 if before.section is None else 1.0
    else:
        section = 0.0 if {before.section, after.section} <= shared_sections else 0.5
    if not label and kept < len(before.figures):
        return 0.0
    score = 0.35 * label + 0.3 * section + 0.35 * min(figures, 1.0)
    return round(score * (0.5 if section == 0.0 else 1.0), 6)


def _row(paragraph: Paragraph, section: str | None) -> Row | None:
    said = words(paragraph.text)
    if not 2 <= len(said) <= MOST_WORDS or paragraph.kind not in ("table", "paragraph"):
        return None
    first = next((n for n, word in enumerate(said) if _FIGURE.search(word)), None)
    if first is None or not 1 <= first <= 5:
        return None
    figures = _amounts(said[first:])
    if paragraph.kind != "table" and not (
        "vs" in said or (paragraph.text.rstrip()[-1] not in ".!?\"'”’" and len(said) <= 10)
    ):
        return None
    return Row(frozenset(said[:first]), figures, section)


def _amounts(said: Sequence[str]) -> tuple[tuple[float, float], ...]:
    """The amounts in a row: "2.3 mln" is 2,300,000 give or take 50,000, so that 2,303,000 is the same."""
    out: list[tuple[float, float]] = []
    for n, word in enumerate(said):
        number = _NUMBER_WORDS.get(word, word)
        if not number[:1].isdigit() and number[:1] not in "-+.":
            continue
        if _THOUSANDS.fullmatch(number):
            number = number.replace(",", "").replace(".", "") if number.count(".") != 1 else number
        number = number.replace(",", ".")
        try:
            value = float(number)
        except ValueError:
            continue
        scale = _SCALES.get(said[n + 1], 1.0) if n + 1 < len(said) else 1.0
        unit = 10.0 ** -len(number.partition(".")[2])
        out.append((value * scale, unit * scale / 2))
    return tuple(out)


def _same_amount(one: tuple[float, float], other: tuple[float, float]) -> bool:
    """Equal within the rounding of the coarser; a whole number without scale was not rounded."""
    return abs(one[0] - other[0]) <= (max(one[1], other[1]) if one[1] != other[1] else 0.0)


def _section(text: str) -> str:
    """A period in one spelling: "Nine mths" is "9 month", "12 mths" and "Full year" are "year"."""
    said = [_NUMBER_WORDS.get(word, word).removesuffix("s") for word in words(text)]
    period = " ".join(filter(None, (_PERIOD_WORDS.get(word, word) for word in said)))
    return "year" if period == "12 month" else period
