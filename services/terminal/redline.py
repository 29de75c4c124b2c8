"""The change between two versions, for a person: what is new first to the eye, noise counted in one line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import regex
from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.text import Text

from services.core.article import Article
from services.core.change import Change, HeadlineChange
from services.pages.redline import Block, Fold, Mark, blocks, folded, marks, noise_told, notes, verdict

GONE, COME, QUIET = "red strike", "bold green", "dim"
NEWS = "bold yellow"
_STEERING: Final = regex.compile(r"[[\p{Cc}--[\n\t]]\u202a-\u202e\u2066-\u2069]", regex.VERSION1)
"""Characters that steer a terminal or turn a line round, and have no place in what it shows."""


def show_change(
    old: Article, new: Article, change: Change, *, everything: bool, console: Console | None = None
) -> None:
    """Print the redline of `new` against `old`; `everything` shows the unchanged paragraphs too."""
    out = console or Console(highlight=False)
    if not change.same_story:
        out.print("[bold]different stories[/]  (--force aligns them anyway)")
        return
    show_verdict(out, new, change)
    if change.headline is not None:
        _headline(out, change.headline)
    for row in folded(blocks(old, new, change), everything=everything, fewest=1):
        if isinstance(row, Fold):
            out.print(f"[dim]     … {nothing_to_tell(row)}[/]")
        else:
            _entry(out, row)
    show_rest(out, old, new, change)


def show_verdict(out: Console, new: Article, change: Change) -> None:
    """Two or three words on the whole, then why; the correction's or editor's note as the agency wrote it."""
    said, word = Text(), verdict(change)
    if word == "alert":
        said.append(" ALERT ", style="bold white on red")
        said.append("  ")
    elif word == "new":
        said.append(" NEW ", style="bold black on yellow")
        said.append("  ")
    told = change.summary or {"none": "nothing changed", "typographic": "typography only"}.get(
        change.level, change.level
    )
    said.append(plain(told))
    for reason in (change.push.reasons if change.push.yes else change.new_development.reasons)[:4]:
        said.append(f"\n  · {plain(reason.text)}")
    out.print(said)
    for note in notes(new, change):
        out.print(Text.assemble(("note ", QUIET), plain(note)))


def show_rest(out: Console, old: Article, new: Article, change: Change) -> None:
    """What stands under a redline: what it was held against, and what was ignored."""
    if old.provider != new.provider and change.basis == "story":
        out.print(f"[dim]compared with what the story had said, not with {escape(plain(old.provider))}'s text[/]")
    if counted := noise_told(change.noise):
        out.print(f"[dim]ignored as noise: {counted}[/]")


def nothing_to_tell(fold: Fold) -> str:
    """Of quiet paragraphs: "4 paragraphs with nothing to tell", "3 paragraphs stand"."""
    count = len(fold.blocks)
    paragraphs = f"{count} paragraph{'s' if count > 1 else ''}"
    if all(block.op == "stands" for block in fold.blocks):
        return f"{paragraphs} stand{'s' if count == 1 else ''}"
    return f"{paragraphs} with nothing to tell"


def heading(block: Block) -> Text:
    """Where a paragraph stands and what happened to it."""
    head = Text(f"{block.where} ", style="bold" if block.is_news else QUIET)
    head.append(block.said, style=NEWS if block.is_news else QUIET)
    return head


def plain(text: str) -> str:
    """Text of the wire as a terminal may be given it."""
    return _STEERING.sub("", text)


def _headline(out: Console, headline: HeadlineChange) -> None:
    if headline.op == "unchanged" or headline.before == headline.after:
        out.print(Text(plain(headline.after or ""), style="bold"))
        return
    line = Text("headline ", style=QUIET)
    line.append_text(spelled(marks(headline.before or "", headline.after or "", headline.spans), out))
    out.print(line)


def _entry(out: Console, block: Block) -> None:
    if block.op != "unchanged":
        out.print(heading(block))
    text = spelled(block.marks, out)
    if block.op == "moved" or block.is_quiet:
        text = Text(text.plain, style=QUIET)
    out.print(Padding(text, (0, 0, 0, 5)))


def pen(out: Console) -> tuple[str, str, str, str]:
    """What stands round words that went and that came, where colour and strokes are seen and where they are not (as in wdiff)."""
    return ("", "", "", "") if out.is_terminal else ("[-", "-]", "{+", "+}")


def spelled(found: Sequence[Mark], out: Console) -> Text:
    """The later text with what went and what came, in place; typography is nothing for the eye."""
    text = Text()
    went, gone_end, came, come_end = pen(out)
    for n, mark in enumerate(found):
        gone, come = plain(mark.before), plain(mark.after)
        if mark.kind != "edit":
            text.append(come)
            continue
        if gone:
            text.append(f"{went}{gone}{gone_end}", style=GONE)
        following = come or (plain(found[n + 1].after) if n + 1 < len(found) else "")
        if gone and not gone.endswith((" ", "\n")) and following[:1].strip():
            text.append(" ")
        if come:
            text.append(f"{came}{come}{come_end}", style=COME)
    return text
