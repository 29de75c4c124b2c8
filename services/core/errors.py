"""The one tree of errors that the core raises; `str()` carries what happened, where, and the cause."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from services.core.article import Article


class WritethruError(Exception):
    """Root of every error that this product raises on purpose."""


class RejectedInput(WritethruError):
    """Bad input: this item cannot become an Article. Its neighbours go on.

    `reason` is a stable code for machines ("empty", "broken_json", "missing_uri", …), `detail` a sentence for a person,
    `source` where the bytes came from, `position` where in them (byte offset, JSON path or line, as the format has it).
    """

    def __init__(self, reason: str, detail: str, *, source: str | None = None, position: str | None = None) -> None:
        super().__init__(reason, detail)
        self.reason = reason
        self.detail = detail
        self.source = source
        self.position = position
        self.data: bytes | None = None
        self.sidecar: bytes | None = None
        """The input and what lay beside it, as they came, where the shell that read them has them still."""
        self.bare: Article | None = None
        """All that an item says that has neither headline nor copy: nothing for the log, but `parse` shows it."""

    def __str__(self) -> str:
        where = " ".join(part for part in (self.source, self.position and f"at {self.position}") if part)
        return f"{where + ': ' if where else ''}{self.reason}: {self.detail}"


class UndecodableMessage(WritethruError):
    """A message that the codec cannot read: not ours, of a newer major version, or broken."""


class BrokenLog(WritethruError):
    """Rows or revisions contradict the rules of order: a gap, a number decided twice, a row of a newer engine.

    This is a bug or a damaged store, never bad input: the process stops.
    """
