"""Dates as wires spell them: kept as sent where they already are ISO 8601, else respelled, else null with a note."""

from __future__ import annotations

import re
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Any

_ISO = re.compile(r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:\d\d)?)?", re.ASCII)
_LOOKS_RFC = re.compile(r"(?:[^\W\d_]{2,13}\.?,?\s+)?(\d{1,2}\s+)([^\W\d_]{3,12})(\.?\s+\d{4}\s+\d)")
_LONGEST = 64
MONTHS = {
    name: number
    for number, names in enumerate(
        ("jan jän ene gen янв", "feb fev fév фев", "mar mär mrz maa mrt мар", "apr abr avr апр", "may mai mag maj mei мая май",
         "jun jui giu июн", "jul lug июл", "aug ago aoû авг", "sep set сен", "oct okt ott out окт", "nov ноя",
         "dec dez dic déc des дек"), 1
    )
    for name in names.split()
}  # fmt: skip
"""Months by their first three letters, in the languages of the wires: German ones stand in English services."""
_ENGLISH = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def month_of(name: str) -> int | None:
    """The number of a month by its name, of which three letters tell it: but for "juillet" and "juin"."""
    name = name.casefold()
    return 7 if name.startswith("juil") else MONTHS.get(name[:3])


def read_date(value: Any) -> str | None:
    """ISO 8601 with the offset as sent; a time without a zone stays naive. None where it cannot be read.

    `2026-03-11T07:15:00+0100`, a blank for the T, the compact `20260311T071500Z` and mail dates are respelled; a zone is
    never added.
    """
    if not isinstance(value, str):
        return None
    text = value.strip()
    if not text or len(text) > _LONGEST:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return _mail_date(text)
    return text if _ISO.fullmatch(text) else moment.isoformat()


def _mail_date(text: str) -> str | None:
    """RFC 2822, with the names of days and months in whatever language the sender thinks in."""
    stamp = _LOOKS_RFC.match(text)
    month = month_of(stamp[2]) if stamp else None
    if stamp is None or month is None:
        return None
    text = f"{stamp[1]}{_ENGLISH[month - 1]}{stamp[3].lstrip('.')}{text[stamp.end() :]}"
    try:
        return parsedate_to_datetime(text).isoformat()
    except (ValueError, OverflowError, TypeError):
        return None
