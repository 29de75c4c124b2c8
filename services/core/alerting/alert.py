"""What comes out: alerts, and a ruling for every rule that was asked. Both cross Kafka and the command line.

An `Alert` is what one rule tells about one story at one moment; its id is the hash of rule, story and the event that rang,
so a replay makes the same. A channel that is down gets it later, under the same id.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from services.core.change import Conflict, NumberChange, ParagraphChange, Quote
from services.core.decision import EventType
from services.core.identity import digest

Kind = Literal["alert", "correction", "withdrawal", "hold", "release", "digest"]
State = Literal["sent", "held", "suppressed", "no_match"]


class Recalled(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody who still runs a text that was killed."""

    provider: str
    outlet: str | None = None
    url: str | None = None


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """One event in an alert, cut to what a person reads: at most a few changed paragraphs, with their redline.

    `summary` is the event's own update line, `why` the reasons that made the rule ring, `embargoed_until` as sent.
    """

    event: str
    story: str
    sequence: int
    type: EventType
    at: str | None = None
    headline: str | None = None
    summary: str = ""
    why: tuple[str, ...] = ()
    provider: str | None = None
    uri: str | None = None
    input: str | None = None
    url: str | None = None
    language: str | None = None
    urgency: str | None = None
    outlets: int = 0
    push: float = 0.0
    note: str | None = None
    embargoed_until: str | None = None
    usage_terms: str | None = None
    numbers: tuple[NumberChange, ...] = ()
    quotes: tuple[Quote, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    recalls: tuple[Recalled, ...] = ()
    paragraphs: tuple[ParagraphChange, ...] = ()


class Alert(msgspec.Struct, frozen=True, kw_only=True):
    """What one rule tells.

    `event` is the one that rang first; `events`, oldest first, hold it and what came while it waited. A digest has several
    stories, and `story` is then empty.
    `kind` correction, withdrawal, hold and release go to everybody who got what they reverse: `reverses` are the ids of
    those alerts, newest first. `thread` is the id of the first alert of this rule on this story: mail and chat hang on it.
    `channels` are the ids of where this goes now (embargoed copy waits for the others). `at` is when it was made, `held` why it
    did not come at once, `left_out` how many more events a full group could not keep.
    """

    id: str
    rule: str
    story: str
    event: str
    kind: Kind = "alert"
    at: str
    title: str
    summary: str = ""
    events: tuple[Told, ...]
    reverses: tuple[str, ...] = ()
    thread: str
    channels: tuple[str, ...] = ()
    held: str | None = None
    left_out: int = 0


class Ruling(msgspec.Struct, frozen=True, kw_only=True):
    """What one rule made of one event. `fired`: it rings, now (`sent`) or later (`held`, until `until` where that is known).

    `reason` is a sentence for an editor, `code` the same for a program; `alert` is the id that the alert has or will have.
    """

    rule: str
    fired: bool
    reason: str
    event: str
    story_id: str
    code: str
    state: State
    alert: str | None = None
    until: str | None = None


def alert_id(rule: str, story: str, event: str) -> str:
    """The same on retry and replay: hash of rule, story and the event that rang."""
    return digest("alert", rule, story, event)
