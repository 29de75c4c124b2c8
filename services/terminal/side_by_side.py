"""Two versions beside each other, paragraph against paragraph: the earlier one left, the later one right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.console import Console
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from services.core.article import Article
from services.core.change import Change
from services.pages.redline import Block, Fold, Mark, blocks, folded, marks
from services.terminal.redline import COME, GONE, QUIET, heading, nothing_to_tell, pen, plain, show_rest, show_verdict

WIDEST: Final = 164
"""Cells of both columns together: a line of more than eighty is hard to follow."""


def show_side_by_side(
    old: Article, new: Article, change: Change, *, everything: bool, console: Console | None = None
) -> None:
    """Print both texts; paragraphs with nothing to tell are folded unless `everything` is asked for."""
    out = console or Console(highlight=False)
    if not change.same_story:
        out.print("[bold]different stories[/]  (--force aligns them anyway)")
        return
    show_verdict(out, new, change)
    grid = Table(
        box=None, show_header=True, show_edge=False, padding=(0, 1), pad_edge=False,
        width=min(out.width, WIDEST), header_style=QUIET,
    )  # fmt: skip
    for title in (old, new):
        when = title.version_created or ""
        grid.add_column(Text(plain(f"{title.outlet or title.provider} {when}".strip())), ratio=1, overflow="fold")
    headline = change.headline
    if headline is not None:
        left, right = _sides(marks(headline.before or "", headline.after or "", headline.spans), out)
        left.stylize("bold")
        right.stylize("bold")
        grid.add_row(left, right)
    for row in folded(blocks(old, new, change), everything=everything, fewest=1):
        if isinstance(row, Fold):
            told = Text(f"… {row.where}: {nothing_to_tell(row)}", style=QUIET)
            grid.add_row(told, "")
        else:
            _entry(grid, row, out)
    out.print(grid)
    out.print(Rule(style=QUIET), width=min(out.width, WIDEST))
    show_rest(out, old, new, change)


def _entry(grid: Table, block: Block, out: Console) -> None:
    left, right = _sides(block.marks, out)
    if block.is_quiet or block.op == "moved":
        left, right = Text(left.plain, style=QUIET), Text(right.plain, style=QUIET)
    was = Text(", ".join(f"¶{n}" for n in block.before), style=QUIET)
    if block.op == "stands":
        right = Text()
    grid.add_row()
    if block.after:
        grid.add_row(was, heading(block))
    else:
        grid.add_row(heading(block), "")
    grid.add_row(left, right)


def _sides(found: Sequence[Mark], out: Console) -> tuple[Text, Text]:
    left, right = Text(), Text()
    went, gone_end, came, come_end = pen(out)
    for mark in found:
        gone, come = plain(mark.before), plain(mark.after)
        if mark.kind != "edit":
            left.append(gone)
            right.append(come)
            continue
        if gone:
            left.append(f"{went}{gone}{gone_end}", style=GONE)
        if come:
            right.append(f"{came}{come}{come_end}", style=COME)
    return left, right
