"""What the grouper decides about one input.

Only types live here; `grouping.decide` makes decisions, `grouping.row` is where they are written down.
"""

from __future__ import annotations

from typing import Final, Literal

import msgspec

ENGINE_VERSION = 2
"""Raised whenever the same log could be decided differently. A worker that meets rows of a newer engine ends."""

Relation = Literal[
    "new_story", "new_version", "copy", "coverage", "take", "notice", "advisory", "roundup", "command", "skipped"
]
Action = Literal["none", "correct", "withdraw", "hold", "release", "resend"]
CopyKind = Literal["exact", "trimmed", "edited"]
Since = Literal["corrected", "withdrawn", "overtaken"]
Target = Literal["seen", "unseen", "unresolved"]
EventType = Literal[
    "created", "updated", "corrected", "withdrawn", "held", "released", "advised", "joined", "merged", "split"
]


Status = Literal["live", "held", "withdrawn"]


STATUS_AFTER: Final[dict[Action, Status]] = {"withdraw": "withdrawn", "hold": "held", "release": "live"}
"""What an ending makes of the item that it names."""


class CopyOf(msgspec.Struct, frozen=True):
    """What a copy copies: the input id, and how (exact, trimmed: a part of it, edited).

    `since` says what had become of that version by the time the copy arrived: who still runs the old toll is a question
    that the product answers.
    """

    input: str
    kind: CopyKind
    since: Since | None = None


class Series(msgspec.Struct, frozen=True):
    """A run of templated look-alikes (daily prices, results): different stories, linked."""

    id: str
    previous_instance: str | None = None


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """An earlier input that was weighed, with the scores that `writethru explain` prints."""

    input: str
    story: str
    score: float
    lineage: float
    fields: dict[str, float] = {}
    vetoes: tuple[str, ...] = ()


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """Which story, hanging on which predecessor, and why.

    `predecessor` is the input id that the article hangs on in its lineage, `base` the one whose text it is compared with
    (another provider's for a copy). `story` is null while a kill, hold or release waits for its target.
    `item` is the key of the provider's item that it is a version of (a kill: the item that it ends),
    `item_status` what that item is after this row. `recalled`: its text was withdrawn or held before it came, and no event
    carries it.
    `reason` is a sentence for an editor; `scores` were rounded before they met a threshold.
    """

    relation: Relation
    action: Action = "none"
    late: bool = False
    story: str | None = None
    lineage: str | None = None
    predecessor: str | None = None
    base: str | None = None
    copy_of: CopyOf | None = None
    covers: tuple[str, ...] = ()
    series: Series | None = None
    target: Target | None = None
    item: str | None = None
    item_status: Status = "live"
    recalled: bool = False
    score: float = 0.0
    reason: str = ""
    candidates: tuple[Candidate, ...] = ()
    engine: int = ENGINE_VERSION


class RevisionStamp(msgspec.Struct, frozen=True):
    """One revision that an input makes: which story, its contiguous sequence there, the event's type, and the cause."""

    story: str
    sequence: int
    type: EventType
    cause: str


class StoryHeader(msgspec.Struct, frozen=True, kw_only=True):
    """A story as a whole, as it stands after a row: cumulative, so that its last row says all. Times are ISO 8601.

    `providers` is everybody who carried it, `reporters` those who reported it themselves (copies of a wire do not count),
    `head` the input id of the text that stands now, `outlets` the number of reporters.
    """

    id: str
    sequence: int
    headline: str | None = None
    slugline: str | None = None
    status: Status = "live"
    urgency: str | None = None
    language: str | None = None
    keywords: tuple[str, ...] = ()
    embargoed_until: str | None = None
    first_seen: str | None = None
    last_updated: str | None = None
    outlets: int = 0
    articles: int = 0
    providers: tuple[str, ...] = ()
    reporters: tuple[str, ...] = ()
    head: str | None = None
    pinned: bool = False
