"""What a rule can ask, and how its noise is kept down: the types that rules.yaml is read into.

Lengths of time are strings as desks write them (90s, 20m, 2h, 1d); `seconds` reads them. The words of noise control are
Alertmanager's, with a story as the group.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from services.core.change import Development
from services.core.decision import EventType

_UNITS: Final = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}
SPAN: Final = r"^(?:0|[1-9]\d{0,5})[smhd]$"
CLOCK: Final = r"^(?:[01]\d|2[0-3]):[0-5]\d$"
AMOUNT: Final = r"^[1-9]\d{0,2}(?:\.\d{1,3})?%$"

Span = Annotated[str, Meta(pattern=SPAN, description="A length of time: 0s, 90s, 20m, 2h, 1d.")]
Clock = Annotated[str, Meta(pattern=CLOCK, description="A time of day, 00:00 to 23:59.")]
Percent = Annotated[str, Meta(pattern=AMOUNT, description="Per cent of the earlier value: 10%, 2.5%.")]
Above = Annotated[float, Meta(gt=0, le=1e15)]
Text = Annotated[str, Meta(min_length=1, max_length=200)]
Texts = Annotated[tuple[Text, ...], Meta(min_length=1, max_length=200)]
Day = Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

CHANGING: Final = (
    "development", "new_development", "push", "push_at_least", "numbers", "quoted", "entities", "headline_changed",
    "lead_changed", "retraction", "conflict",
)  # fmt: skip
"""Conditions on what an event changed. A rule with none of them rings for what is new, or when a story reaches a count."""
REACHING: Final = ("outlets_at_least", "velocity")
"""Conditions on how far a story has come: they ring when they come true, once."""


class _Strict(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A misspelt field is a mistake, not a rule that never rings."""


class NumberMoves(_Strict, frozen=True, kw_only=True):
    """A figure that moved, measured from the value of which this rule last told (12 → 13 → 14 rings in the end).

    `context`: one of these words stands with it ("toll" is any count of the dead); `unit` as in the event. `by` is how far
    it must have moved, in its own unit or in per cent; without it any move counts. `to_at_least`: and so far it must be.
    """

    context: Annotated[tuple[Text, ...], Meta(max_length=50)] = ()
    unit: Text | None = None
    by: Above | Percent | None = None
    to_at_least: float | None = None
    direction: Literal["any", "up", "down"] = "any"


class Velocity(_Strict, frozen=True, kw_only=True):
    """So many events of one story `within` a time, copies too."""

    events: Annotated[int, Meta(ge=2, le=50)]
    within: Span


class When(_Strict, frozen=True, kw_only=True):
    """The conditions of a rule; all must hold, within a list one.

    `events` are the types looked at (all but joined, advised, merged and split where it is left out), `query` is in Lucene
    syntax (docs/rules.md), `languages` match en-GB by en, `quoted` names speakers, `entities` names that come in.
    """

    events: Annotated[tuple[EventType, ...], Meta(min_length=1)] | None = None
    query: Annotated[str, Meta(min_length=1, max_length=4_000)] | None = None
    stories: Texts | None = None
    languages: Texts | None = None
    providers: Texts | None = None
    keywords: Texts | None = None
    urgency: Texts | None = None
    development: Annotated[tuple[Development, ...], Meta(min_length=1)] | None = None
    new_development: bool | None = None
    push: bool | None = None
    push_at_least: Annotated[float, Meta(gt=0, le=1)] | None = None
    numbers: NumberMoves | None = None
    quoted: Texts | None = None
    entities: Texts | None = None
    headline_changed: bool | None = None
    lead_changed: bool | None = None
    retraction: bool | None = None
    conflict: bool | None = None
    outlets_at_least: Annotated[int, Meta(ge=1, le=10_000)] | None = None
    velocity: Velocity | None = None

    @property
    def asks_of_the_change(self) -> bool:
        """Whether some condition is on what the event changed."""
        return any(getattr(self, name) is not None for name in CHANGING)

    @property
    def asks_how_far(self) -> bool:
        """Whether some condition is on how far the story has come."""
        return any(getattr(self, name) is not None for name in REACHING)


class Window(_Strict, frozen=True, kw_only=True):
    """A time of day, every day or on some `days` (of its beginning), in a `zone`. It may go past midnight.

    `start` is in it and `end` is not; the two must differ. An hour that a change of the clock leaves out or repeats is
    judged by the clock on the wall.
    """

    start: Clock
    end: Clock
    zone: Text
    days: Annotated[tuple[Day, ...], Meta(min_length=1)] | None = None


class Throttle(_Strict, frozen=True, kw_only=True):
    """How a rule's alerts are kept few. The group is the story.

    `group_wait`: an alert waits so long for more of its story. `group_interval`: after one, what is new in the story waits so
    long and comes together. `cooldown`: after one, the story is silent so long; what comes meanwhile is left out, with the
    reason on record. `repeat_interval`: the same text is not told again before. `digest`: one alert every so often, over all
    stories.
    """

    group_wait: Span = "0s"
    group_interval: Span = "0s"
    cooldown: Span = "0s"
    repeat_interval: Span = "1d"
    digest: Span | None = None


class Rule(msgspec.Struct, frozen=True, kw_only=True):
    """One rule, ready to be asked. `channels` are the ids of where its alerts go, `embargoed` those that may have embargoed copy.

    `quiet` holds alerts back to the window's end, `mute` leaves them out; corrections and kills of what was told pass both.
    Older events than `max_age` never ring: a first run, lost offsets or a rebuild is no news.
    """

    name: str
    when: When
    channels: tuple[str, ...] = ()
    embargoed: frozenset[str] = frozenset()
    throttle: Throttle = Throttle()
    quiet: tuple[Window, ...] = ()
    mute: tuple[Window, ...] = ()
    max_age: Span = "1h"


class Silence(_Strict, frozen=True, kw_only=True):
    """Rules, a story or a query that are silent for a while, by whom and why. Corrections and kills of what was told pass."""

    id: Text
    until: Text
    since: Text | None = None
    rules: Texts | None = None
    story: Text | None = None
    query: Annotated[str, Meta(min_length=1, max_length=4_000)] | None = None
    by: Text
    comment: Text | None = None


@lru_cache(maxsize=1_024)
def seconds(span: str) -> int:
    """A length of time in seconds."""
    return int(span[:-1]) * _UNITS[span[-1]]
