"""Dates as wires spell them: kept as sent where they already are ISO 8601, else respelled, else null with a note."""

from __future__ import annotations

import re
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Any

_ISO = re.compile(r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:\d\d)?)?", re.ASCII)
_LOOKS_RFC = re.compile(r"(?:[A-Za-z]{3},?\s+)?\d{1,2}\s+[A-Za-z]{3}\s+\d{4}\s+\d", re.ASCII)
_LONGEST = 64


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
    if not _LOOKS_RFC.match(text):
        return None
    try:
        return parsedate_to_datetime(text).isoformat()
    except (ValueError, OverflowError, TypeError):
        return None
