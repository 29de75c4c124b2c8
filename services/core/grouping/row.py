"""The row: what was decided about one input, written down once."""

from __future__ import annotations

import msgspec

from services.core.article import Article, Command
from services.core.decision import Decision, RevisionStamp, StoryHeader
from services.core.grouping.fingerprint import Fingerprint
from services.core.meaning.said import Said


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One write-once record per input. Everything the grouper knows is folded from these, in order of `number`.

    `number` is contiguous per edition, `window_start` the lowest number still live after this row, `log_time` the running
    maximum of `received_at` over rows (UTC, ISO 8601). `stories` are the headers of the stories that this row touched;
    `aliases` (from, into) what it merged, `moved_inputs` (input id, story) what it took out of a story;
    `settles` the waiting kills that ended with it, `rank` its place among the versions of its item.
    """

    edition: int
    offset: int
    number: int
    window_start: int
    input_id: str
    engine: int
    log_time: str | None = None
    article: Article | None = None
    command: Command | None = None
    decision: Decision
    fingerprint: Fingerprint | None = None
    said: Said | None = None
    revisions: tuple[RevisionStamp, ...] = ()
    stories: tuple[StoryHeader, ...] = ()
    aliases: tuple[tuple[str, str], ...] = ()
    moved_inputs: tuple[tuple[str, str], ...] = ()
    settles: tuple[str, ...] = ()
    rank: float = 0.0
