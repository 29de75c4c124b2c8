"""A revision: all that the emitter needs to make one event, on its own, without asking anybody."""

from __future__ import annotations

import msgspec

from services.core.article import Article, Command
from services.core.decision import Decision, RevisionStamp, StoryHeader
from services.core.meaning.said import Said


class Recall(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody who still runs a text that was killed."""

    provider: str
    outlet: str | None
    uri: str
    url: str | None
    input: str


class Revision(msgspec.Struct, frozen=True, kw_only=True):
    """One revision of one story, in the story's order.

    `article` is the input that caused it, `base` the text that it is compared with (none: everything is new, or nothing is
    compared), `said` what the story had said before, newest first. `recorded_at` is the cause's `received_at`.
    """

    edition: int
    number: int
    stamp: RevisionStamp
    story: StoryHeader
    decision: Decision
    input_id: str
    article: Article | None = None
    command: Command | None = None
    recorded_at: str | None = None
    base: Article | None = None
    base_input: str | None = None
    previous: str | None = None
    previous_input: str | None = None
    body_hash: str | None = None
    previous_body_hash: str | None = None
    said: tuple[Said, ...] = ()
    recalls: tuple[Recall, ...] = ()
    scope: str | None = None
    members: tuple[str, ...] = ()
