"""What the framed wires share (ANPA 1312, IPTC 7901, agencies' text): transmissions, clocks, seven-bit spellings."""

from __future__ import annotations

import re
from datetime import datetime
from itertools import islice

from services.core.wire.dates import month_of
from services.core.wire.parsed import Intake

ZONES = {
    "GMT": "+00:00", "UTC": "+00:00", "Z": "+00:00", "EST": "-05:00", "EDT": "-04:00", "CST": "-06:00", "CDT": "-05:00",
    "MST": "-07:00", "MDT": "-06:00", "PST": "-08:00", "PDT": "-07:00", "BST": "+01:00", "CET": "+01:00",
    "CEST": "+02:00", "MEZ": "+01:00", "MESZ": "+02:00", "AEST": "+10:00", "AEDT": "+11:00", "JST": "+09:00",
}  # fmt: skip
"""Zones by their letters. EST is New York's, as on American wires; a zone that is not here stays unknown."""
LINES = 10
"""Lines, for each paragraph that an article may have, that a transmission may have: wires wrap at 64 to 80 characters."""
_FILLING = "\x00\x04\x0c\x16\x7f\r\n\t "
_OPENING = re.compile(r"``|(?<=\s)`(?=\w)|^`(?=\w)", re.MULTILINE)
_DASH = re.compile(r"(?<=[ \t])(?:_|--)(?=[ \t\n])|(?<=[ \t\n])(?:_|--)(?=[ \t])")
_HALF = re.compile(r"(?<=\d)\{")


def transmissions(text: str, start: re.Pattern[str], intake: Intake) -> list[tuple[str | None, str]]:
    """(position, text) of each transmission in a file; the position is null where there is one. Raises empty, too_large."""
    limits = intake.limits
    if len(text) > limits.item:
        raise intake.reject("too_large", f"{len(text):,} characters, a file may have {limits.item:,}")
    marks = [(0, 0), *(found.span() for found in islice(start.finditer(text), limits.items + 1))]
    if len(marks) > limits.items + 1:
        raise intake.reject("too_large", f"more than {limits.items:,} transmissions in one file")
    ends = (*(at for at, _ in marks[1:]), len(text))
    pieces = [
        (at, piece) for (at, begin), end in zip(marks, ends, strict=True) if (piece := text[begin:end]).strip(_FILLING)
    ]
    if not pieces:
        raise intake.reject("empty", "the file holds nothing but filling")
    longest, lines = limits.text * limits.slack + limits.header, limits.paragraphs * LINES
    for at, piece in pieces:
        if len(piece) > longest or piece.count("\n") + piece.count("\r") > 2 * lines:
            detail = f"a transmission of more than {longest:,} characters or {lines:,} lines"
            raise intake.reject("too_large", detail, f"character {at}")
    return [(f"character {at}" if len(pieces) > 1 else None, piece) for at, piece in pieces]


def clock(stamp: dict[str, str | None]) -> str | None:
    """ISO 8601 of day, month, year, hour, minute and zone as a trailer has them; naive without a zone, None if impossible."""
    month = stamp.get("month") or ""
    year = int(stamp.get("year") or 0)
    try:
        moment = datetime(  # noqa: DTZ001  # the zone is appended as sent, or there is none
            year if year > 99 else year + (2000 if year < 70 else 1900),
            int(month) if month.isdigit() else month_of(month) or 0,
            int(stamp.get("day") or 0),
            int(stamp.get("hour") or 0),
            int(stamp.get("minute") or 0),
        )
    except ValueError:
        return None
    return moment.isoformat() + ZONES.get((stamp.get("zone") or "").upper(), "")


def respelled(text: str) -> str:
    """Seven-bit copy in print: ``quotes'' become quotation marks, a lone _ or -- is a dash, 3{ is 3½."""
    if "`" in text:
        text = _OPENING.sub(lambda m: "“" if m[0] == "``" else "‘", text).replace("''", "”")
    return _HALF.sub("½", _DASH.sub("—", text))
