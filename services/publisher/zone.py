"""A feed's zone for times that the wire gives without one, also in the hour that clocks show twice."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from services.core.times import has_zone

AHEAD = timedelta(minutes=5)
"""How far an agency's clock may be ahead of ours."""


def with_zone(text: str | None, zone: ZoneInfo, *, near: datetime) -> str | None:
    """A time without a zone as one of `zone`; what has a zone, is only a day or cannot be read stays as it is.

    Of an hour that comes twice, the later reading that is not after `near` (when the item came), else the first: an update
    of the second 02:10 is not older than one of the first 02:50. A time that the clock skips counts from before the leap.
    """
    moment = _naive(text)
    if moment is None or (text is not None and len(text) <= len("2026-03-11")):
        return text
    early, late = (moment.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    doubled = early.utcoffset() != late.utcoffset() and early.timestamp() < late.timestamp()
    return (late if doubled and late.timestamp() <= (near + AHEAD).timestamp() else early).isoformat()


def embargo_with_zone(text: str | None, zone: ZoneInfo) -> str | None:
    """The same for an embargo, which must not end too early: the later reading always, and a day ends nothing before it begins."""
    moment = _naive(text)
    if moment is None:
        return text
    return max((moment.replace(tzinfo=zone, fold=fold) for fold in (0, 1)), key=datetime.timestamp).isoformat()


def _naive(text: str | None) -> datetime | None:
    if not text or has_zone(text):
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if 1 < moment.year < 9999 else None  # no zone reaches past the calendar's ends
