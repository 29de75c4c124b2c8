"""The change between two texts of a story: the heart of an event, and what `writethru diff --json` prints.

Only types live here. `alignment` says which paragraph became which, `development` what that means to a newsroom.
Offsets are Unicode code points; where an entry has several paragraphs on one side they are joined by one newline, and the
offsets count in the joined text.
"""

from __future__ import annotations

from typing import Literal

import msgspec

Op = Literal["typographic", "reworded", "modified", "added", "removed", "moved", "split", "merged", "stands"]
Development = Literal[
    "none", "stylistic", "attribution", "context_added", "new_fact", "fact_changed", "correction", "retracted"
]
Level = Literal["new", "substantive", "stylistic", "metadata", "typographic", "none"]
Basis = Literal["version", "copy", "story"]
NEW_DEVELOPMENTS: frozenset[str] = frozenset({"new_fact", "fact_changed", "correction", "retracted"})
"""The labels that make a paragraph a new development (GUIDE: what a desk has not been told yet)."""


class IndexedText(msgspec.Struct, frozen=True):
    """A paragraph by its place (from 0) in its version."""

    index: int
    text: str


class SpanSide(msgspec.Struct, frozen=True):
    """A stretch of text: `at` is [start, end) in code points."""

    at: tuple[int, int]
    text: str


class Span(msgspec.Struct, frozen=True):
    """One edit inside an entry, in whole words. An insertion has an empty `before`, a deletion an empty `after`."""

    op: Literal["replace", "insert", "delete"]
    before: SpanSide
    after: SpanSide


class Novelty(msgspec.Struct, frozen=True):
    """How much of an entry the story had said before: 0 nothing, 1 all of it; `seen_in` is the input id that said it."""

    similarity: float
    seen_in: str | None = None


class ParagraphChange(msgspec.Struct, frozen=True, kw_only=True):
    """One entry of the change: n paragraphs of the earlier text became m of the later one."""

    op: Op
    before: tuple[IndexedText, ...] = ()
    after: tuple[IndexedText, ...] = ()
    links: tuple[tuple[int, int], ...] | None = None
    moved: bool = False
    similarity: float | None = None
    spans: tuple[Span, ...] = ()
    development: Development = "none"
    novelty: Novelty | None = None


class HeadlineChange(msgspec.Struct, frozen=True, kw_only=True):
    """The two headlines. `op` is unchanged, typographic, reworded, modified, added or removed."""

    before: str | None
    after: str | None
    op: Literal["unchanged", "typographic", "reworded", "modified", "added", "removed"]
    development: Development = "none"
    spans: tuple[Span, ...] = ()


class NumberChange(msgspec.Struct, frozen=True, kw_only=True):
    """The same quantity with another value. Values are strings as printed; `context` are the words around them."""

    before: str
    after: str
    context: str
    unit: str | None = None


class Quote(msgspec.Struct, frozen=True):
    """A direct quotation and, where the copy says, its speaker."""

    text: str
    speaker: str | None = None


class Stated(msgspec.Struct, frozen=True):
    """The agency's own line on what it changed ("Adds minister in para 4"), with the paragraphs it names (from 1)."""

    text: str
    verb: str | None = None
    paragraphs: tuple[int, ...] = ()


class Conflict(msgspec.Struct, frozen=True):
    """Two providers disagree: what on, what the story had, what this report says, and who said which."""

    what: str
    ours: str
    theirs: str
    providers: tuple[str, ...] = ()


class MetadataChange(msgspec.Struct, frozen=True):
    """A field that changed beside the copy (an urgency raise is news to a desk)."""

    field: str
    before: str | None
    after: str | None


class Noise(msgspec.Struct, frozen=True):
    """What was seen, ignored and counted: occurrences per kind over the matched paragraphs."""

    quotes: int = 0
    dashes: int = 0
    whitespace: int = 0
    dateline: int = 0
    credit: int = 0
    wire_codes: int = 0


class Reason(msgspec.Struct, frozen=True, kw_only=True):
    """Why a verdict was reached, for a program (`code`) and a person (`text`)."""

    code: str
    text: str
    paragraph: int | None = None
    before: str | None = None
    after: str | None = None


class NewDevelopment(msgspec.Struct, frozen=True, rename={"yes": "is", "kind": "class"}):
    """Does some paragraph or the headline say something new? (JSON: `is`, `class`, `reasons`.)"""

    yes: bool = False
    kind: Literal["new", "background", "none"] = "none"
    reasons: tuple[Reason, ...] = ()


class Push(msgspec.Struct, frozen=True, rename={"yes": "is"}):
    """Would a desk want to be interrupted, given what is already out? (JSON: `is`, `score` 0–1, `reasons`.)"""

    yes: bool = False
    score: float = 0.0
    reasons: tuple[Reason, ...] = ()


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """What changed. `paragraphs` holds only what changed, `unchanged` the pairs of equal paragraphs.

    Every paragraph index of either text stands in exactly one entry or pair, so the old text and the change give the new
    text, and the new text and the change give the old one (`services.core.alignment.apply` and `revert`). Two exceptions:
    basis `story` lists only what the story has not said, and two different stories (`same_story` false) have no entries.
    """

    basis: Basis = "version"
    same_story: bool = True
    level: Level = "none"
    metadata: tuple[MetadataChange, ...] = ()
    paragraphs: tuple[ParagraphChange, ...] = ()
    unchanged: tuple[tuple[int, int], ...] = ()
    headline: HeadlineChange | None = None
    lead_changed: bool = False
    headline_changed: bool = False
    numbers: tuple[NumberChange, ...] = ()
    quotes_added: tuple[Quote, ...] = ()
    quotes_removed: tuple[Quote, ...] = ()
    entities_added: tuple[str, ...] = ()
    entities_removed: tuple[str, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    stated: tuple[Stated, ...] = ()
    summary: str = ""
    noise: Noise = Noise()
    new_development: NewDevelopment = NewDevelopment()
    push: Push = Push()
