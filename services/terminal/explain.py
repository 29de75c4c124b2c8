"""Why an article is where it is, from its stored decision."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.text import Text

from services.core.grouping.matching import LINEAGE_THRESHOLD, STORY_THRESHOLD
from services.core.grouping.row import Row
from services.core.grouping.state import Rows


def show_row(row: Row, rows: Rows, console: Console | None = None) -> None:
    """Print one decision: what was decided, why, and what else was weighed."""
    out = console or Console(highlight=False)
    article, decision = row.article, row.decision
    assert article is not None
    out.print(f"[bold]{escape(article.headline or article.ref)}[/]")
    out.print(
        f"[dim]{escape(article.provider)} · {escape(article.ref)} · input {row.input_id} · decision {row.number}[/]"
    )
    late = ", late" if decision.late else ""
    out.print(
        f"{decision.relation}, action {decision.action}{late}: [bold]{escape(decision.reason)}[/] (score {decision.score:.3f})"
    )
    out.print(f"story {decision.story or '— (waits for its target)'}")
    if decision.predecessor and (previous := rows(decision.predecessor)) and previous.article:
        out.print(f"hangs on {escape(previous.article.ref)}  {escape(previous.article.headline or '')}")
    if decision.copy_of:
        out.print(f"copies {decision.copy_of.input} ({decision.copy_of.kind})")
    if not decision.candidates:
        out.print("[dim]nothing in the window was like it[/]")
        return
    out.print("[dim] text  event[/]")
    for candidate in decision.candidates:
        weighed = rows(candidate.input)
        name = weighed.article.headline or weighed.article.ref if weighed and weighed.article else candidate.input
        held = f"  [red]held back: {', '.join(candidate.vetoes)}[/]" if candidate.vetoes else ""
        out.print(f"{candidate.lineage:5.3f}  {candidate.score:5.3f}  {escape(name)}{held}")
        fields = "  ".join(f"{name} {value:.2f}" for name, value in candidate.fields.items())
        out.print(Padding(Text(fields, style="dim"), (0, 0, 0, 14)))
    out.print(f"[dim]the same text from {LINEAGE_THRESHOLD} up; the same event from {STORY_THRESHOLD} up[/]")
