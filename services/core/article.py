"""Article: the one normalised shape that every wire format is turned into.

Null means that the wire does not say; nothing is guessed. Times are ISO 8601 strings with the offset as sent, because an
editor wants to see what the agency wrote; `services.core.times` turns them into instants for comparing.
"""

from __future__ import annotations

from typing import Literal

import msgspec

ParagraphKind = Literal["paragraph", "heading", "table", "note", "credit"]
PubStatus = Literal["usable", "withheld", "canceled"]
UpdateKind = Literal[
    "alert", "urgent", "update", "lead", "writethru", "refile", "correction", "corrective", "clarification", "add",
    "insert", "sub", "pickup", "repeat", "advisory", "wrapup", "hold", "release", "withdrawn", "kill",
]  # fmt: skip

ENDING_KINDS: frozenset[str] = frozenset({"kill", "withdrawn", "hold", "release"})
"""Update kinds that need no copy of their own: they act on an item that was sent before."""


class Paragraph(msgspec.Struct, frozen=True):
    """One paragraph of copy. `text` is never empty and holds no line break that the wire did not mean."""

    text: str
    kind: ParagraphKind = "paragraph"


class Article(msgspec.Struct, frozen=True, kw_only=True):
    """One item as one provider sent it, once.

    `uri` is the identifier as sent; `version` the provider's own, compared numerically where it is a number.
    `received_at` and `input_id` are stamped by `services.core.identity.stamp`, never by a parser.
    `parse_notes` says what the parser had to repair or leave out.
    """

    provider: str
    uri: str
    version: str | None = None
    outlet: str | None = None
    item_kind: str | None = None
    genre: str | None = None
    version_created: str | None = None
    first_created: str | None = None
    received_at: str | None = None
    embargoed: str | None = None
    language: str | None = None
    headline: str | None = None
    byline: str | None = None
    dateline: str | None = None
    slugline: str | None = None
    urgency: str | None = None
    priority: str | None = None
    pub_status: PubStatus | None = None
    signals: tuple[str, ...] = ()
    update_kind: UpdateKind | None = None
    update_number: int | None = None
    take: int | None = None
    ed_note: str | None = None
    supersedes: str | None = None
    evolved_from: str | None = None
    keywords: tuple[str, ...] = ()
    url: str | None = None
    usage_terms: str | None = None
    body: tuple[Paragraph, ...] = ()
    parse_notes: tuple[str, ...] = ()
    input_id: str | None = None

    @property
    def ref(self) -> str:
        """`uri@version`, as people and the assignments file name an article; nothing after @ where there is no version."""
        return f"{self.uri}@{self.version or ''}"

    @property
    def is_ending(self) -> bool:
        """A kill, hold or release: it may come without headline or body."""
        return self.pub_status in ("withheld", "canceled") or (self.update_kind or "") in ENDING_KINDS


def urgency_raised(before: str | None, after: str | None) -> bool:
    """Whether the wire raised the urgency (IPTC: one digit, 1 is the highest)."""
    then, now = (before or "").strip(), (after or "").strip()
    return len(then) == len(now) == 1 and then.isdigit() and now.isdigit() and now < then


CommandName = Literal["merge", "split", "pin"]


class Command(msgspec.Struct, frozen=True, kw_only=True):
    """An editor overrules the machine. A record in the same log as the articles; its `id` serves as input id.

    merge: `stories` become one, the first named survives. split: `inputs` leave their story for a new one.
    pin: `inputs` belong to the one story named, and no automatic merge touches that story again.
    """

    command: CommandName
    id: str
    by: str
    at: str
    stories: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    received_at: str | None = None
