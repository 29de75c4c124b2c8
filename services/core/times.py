"""Times as the wire writes them, compared as instants."""

from __future__ import annotations

from datetime import UTC, datetime


def instant(text: str | None) -> datetime | None:
    """ISO 8601 with whatever offset was sent, as an aware UTC datetime; None where there is none or it cannot be read.

    A time without a zone counts as UTC: for ordering alone, as DESIGN says; it is never written back.
    """
    if not text:
        return None
    try:
        parsed = datetime.fromisoformat(text)
    except ValueError:
        return None
    if parsed.tzinfo is None:
        return parsed.replace(tzinfo=UTC)
    try:
        return parsed.astimezone(UTC)
    except OverflowError:  # year 1 or 9999 at an offset
        return parsed.replace(tzinfo=UTC)


def iso(moment: datetime) -> str:
    """UTC in the one spelling that the product writes: `2026-03-01T07:15:00Z`, with microseconds only where they are."""
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def has_zone(text: str | None) -> bool:
    """Whether a time says which zone it means; without one it never becomes the `time` of an event."""
    if not text:
        return False
    try:
        return datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        return False


def as_sent(text: str | None) -> datetime | None:
    """The same moment on the sender's own clock, for showing; None where it cannot be read."""
    try:
        return datetime.fromisoformat(text) if text else None
    except ValueError:
        return None
