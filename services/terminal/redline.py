"""The change between two versions, for a person: what is new first to the eye, noise counted in one line."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.text import Text

from services.core.article import Article
from services.core.change import NEW_DEVELOPMENTS, Change, HeadlineChange, Noise, ParagraphChange, Span
from services.core.language.text import canonical

GONE, COME, QUIET = "red strike", "bold green", "dim"
LABELS = {
    "new_fact": "new fact",
    "fact_changed": "fact changed",
    "correction": "correction",
    "retracted": "retracted",
    "context_added": "background",
    "attribution": "attribution",
    "stylistic": "wording",
    "none": "",
}


def show_change(
    old: Article, new: Article, change: Change, *, everything: bool, console: Console | None = None
) -> None:
    """Print the redline of `new` against `old`; `everything` shows the unchanged paragraphs too."""
    out = console or Console(highlight=False)
    if not change.same_story:
        out.print("[bold]different stories[/]  (--force aligns them anyway)")
        return
    out.print(_verdict(change))
    if change.headline is not None:
        _headline(out, change.headline)
    entries = {entry.after[0].index if entry.after else -1: entry for entry in change.paragraphs if entry.after}
    equal = {after: before for before, after in change.unchanged}
    count = max((*equal, *(i.index for e in change.paragraphs for i in e.after), -1)) + 1
    quiet = 0
    for index in range(count):
        entry = entries.get(index)
        if entry is not None and (everything or entry.op != "typographic"):
            quiet = _skipped(out, quiet)
            _entry(out, entry)
        elif entry is not None or index in equal:
            if everything and index in equal:
                text = new.body[index].text if index < len(new.body) else ""
                out.print(Padding(Text(text, style=QUIET), (0, 0, 0, 5)))
            else:
                quiet += 1
    _skipped(out, quiet)
    for entry in change.paragraphs:
        if not entry.after:
            _entry(out, entry)
    if old.provider != new.provider and change.basis == "story":
        out.print(f"[dim]compared with what the story had said, not with {escape(old.provider)}'s text[/]")
    if counted := _noise(change.noise):
        out.print(f"[dim]ignored as noise: {counted}[/]")


def _verdict(change: Change) -> Text:
    """Two or three words on the whole, then why."""
    said = Text()
    if change.push.yes:
        said.append(" ALERT ", style="bold white on red")
        said.append("  ")
    elif change.new_development.yes:
        said.append(" NEW ", style="bold black on yellow")
        said.append("  ")
    said.append(
        change.summary or {"none": "nothing changed", "typographic": "typography only"}.get(change.level, change.level)
    )
    for reason in (change.push.reasons if change.push.yes else change.new_development.reasons)[:4]:
        said.append(f"\n  · {reason.text}", style="default")
    return said


def _headline(out: Console, headline: HeadlineChange) -> None:
    if headline.op == "unchanged" or headline.before == headline.after:
        out.print(Text(headline.after or "", style="bold"))
        return
    line = Text("headline ", style=QUIET)
    line.append_text(_spelled(headline.before or "", headline.after or "", headline.spans))
    out.print(line)


def _entry(out: Console, entry: ParagraphChange) -> None:
    before = "\n".join(one.text for one in entry.before)
    after = "\n".join(one.text for one in entry.after)
    where = ", ".join(f"¶{one.index + 1}" for one in (entry.after or entry.before))
    if not entry.after:
        where = f"was {where}"
    head = Text(f"{where} ", style="bold" if entry.development in NEW_DEVELOPMENTS else QUIET)
    words = [entry.op + (" and moved" if entry.moved and entry.op != "moved" else "")]
    if entry.moved and entry.before and entry.after:
        words.append(f"was ¶{entry.before[0].index + 1}")
    if LABELS[entry.development]:
        words.append(LABELS[entry.development])
    head.append(" · ".join(words), style="bold yellow" if entry.development in NEW_DEVELOPMENTS else QUIET)
    out.print(head)
    if entry.op == "added":
        text = Text(after, style=COME)
    elif entry.op == "removed":
        text = Text(before, style=GONE)
    elif entry.op in ("moved", "stands"):
        text = Text(after or before, style=QUIET)
    else:
        text = _spelled(before, after, entry.spans)
    out.print(Padding(text, (0, 0, 0, 5)))


def _spelled(before: str, after: str, spans: tuple[Span, ...]) -> Text:
    """The later text with what went and what came, in place."""
    if not spans:
        return Text(after)
    text, at = Text(), 0
    for span in spans:
        start, end = span.after.at
        text.append(after[at:start])
        at = end
        if canonical(span.before.text) == canonical(span.after.text):  # typography only: nothing for the eye
            text.append(after[start:end])
            continue
        gone = before[slice(*span.before.at)]
        text.append(gone, style=GONE)
        if gone and end > start and not gone.endswith((" ", "\n")):
            text.append(" ")
        text.append(after[start:end], style=COME)
        if gone and end == start and not gone.endswith((" ", "\n")) and after[end : end + 1].strip():
            text.append(" ")
    text.append(after[at:])
    return text


def _skipped(out: Console, quiet: int) -> int:
    if quiet:
        out.print(f"[dim]     … {quiet} paragraph{'s' if quiet > 1 else ''} with nothing to tell[/]")
    return 0


def _noise(noise: Noise) -> str:
    kinds = ((name.replace("_", " "), getattr(noise, name)) for name in Noise.__struct_fields__)
    return ", ".join(f"{count} {name}" for name, count in kinds if count)
