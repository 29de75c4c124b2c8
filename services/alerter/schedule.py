"""When a delivery is tried again, and when no more. Pure: numbers and times in, a tier out."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final, NamedTuple

from services.contract.topics import TIERS

SCHEDULE: Final = ("10s", "1m", "10m", "1h", "6h", "6h", "6h", "6h")
"""The wait after the first, second, … failure: a receiver may be away for a day."""
GIVEN_UP_AFTER: Final = timedelta(hours=30)
"""However few attempts were made: news is stale by then."""
_WAITS: Final = sorted(TIERS.items(), key=lambda tier: tier[1])


class Again(NamedTuple):
    """The next attempt: in which tier it waits, and when it is due."""

    tier: str
    due: datetime


def next_attempt(failures: int, made: datetime, now: datetime, after: float = 0.0) -> Again | None:
    """What follows a failure; None where the schedule has ended. `after` are seconds that the receiver asks for."""
    if failures > len(SCHEDULE) or now - made > GIVEN_UP_AFTER:
        return None
    wait = max(float(TIERS[SCHEDULE[max(failures, 1) - 1]]), after)
    return Again(tier_of(wait), now + timedelta(seconds=wait))


def tier_of(wait: float) -> str:
    """The longest tier that is over by then; what is left is waited for in the next one down. The shortest for less."""
    return next((name for name, seconds in reversed(_WAITS) if seconds <= wait), _WAITS[0][0])


def backoff(failures: int) -> timedelta:
    """How long a channel that has failed so often in a row is left alone."""
    return timedelta(seconds=TIERS[SCHEDULE[min(failures, 3) - 1]])
