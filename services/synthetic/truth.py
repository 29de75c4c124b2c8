"""What is true of an invented item, because it was made so."""

from __future__ import annotations

from typing import Literal

import msgspec

from services.core.article import Article
from services.core.decision import Action, Relation, Since

Edit = Literal[
    "first", "flash", "moved_on", "added", "quoted", "background", "trimmed", "reordered", "quote_dropped", "typography",
    "corrected", "killed", "resent", "copied", "copied_trimmed", "covered",
]  # fmt: skip
"""What was done to the text before it to make an item."""
NEVER_RINGS: frozenset[Edit] = frozenset(
    {"background", "trimmed", "reordered", "typography", "resent", "copied", "copied_trimmed"}
)
"""Edits after which nobody wants to be interrupted."""
Label = Literal["new", "background", "old"]


class Truth(msgspec.Struct, frozen=True, kw_only=True):
    """One item's truth. `paragraphs` has a label for each, None where two fair editors may differ; `push` likewise.

    `predecessor` and `copy_of` are `uri@version` as `Article.ref` gives it; `before` and `after` are the figure that an
    edit changed, as printed.
    """

    ref: str
    provider: str
    story: str
    kind: str
    edit: Edit
    relation: Relation
    action: Action = "none"
    predecessor: str | None = None
    copy_of: str | None = None
    since: Since | None = None
    news: bool | None = None
    push: bool | None = None
    before: str | None = None
    after: str | None = None
    paragraphs: tuple[Label | None, ...] = ()


class Item(msgspec.Struct, frozen=True):
    """An invented article and its truth."""

    article: Article
    truth: Truth
