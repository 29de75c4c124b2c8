"""Why a paragraph got its label, for a program and for a person."""

from __future__ import annotations

from collections.abc import Sequence

from services.core.change import NumberChange, Reason
from services.core.language import facts, labels
from services.core.meaning.reading import Difference, Scene

NAMES_SHOWN = 3
WORDS_SHOWN = 6
TEXT_SHOWN = 80
"""Code points of copy in a reason: enough to recognise the paragraph."""


def why_changed(diff: Difference, changes: Sequence[NumberChange], place: int) -> tuple[Reason, ...]:
    """The reasons of a pair that stands at `place` in the later version, the weightiest first."""
    out: list[Reason] = []

    def say(code: str, text: str, before: str | None = None, after: str | None = None) -> None:
        out.append(Reason(code=code, paragraph=place, before=before, after=after, text=text))

    out.extend(why_counted(changes, place))
    for turn in diff.turns:
        if not turn.after:
            text = f"no longer says {turn.before}"
        else:
            text = f"says {turn.after}, said {turn.before}" if turn.before else f"says {turn.after}"
        say(f"{turn.kind}_changed", text, turn.before or None, turn.after or None)
    if diff.vouchers is not None:
        was, now = diff.vouchers
        say("source_changed", f"source: {was} → {now}", was, now)
    shown = {c.after for c in changes}
    for quantity in diff.new_figures:
        if quantity.printed not in shown:
            say("new_number", f"new figure {quantity.printed}", after=quantity.printed)
    if diff.lost_names and diff.new_names:
        lost, new = diff.lost_names[0], diff.new_names[0]
        say("name_changed", f"{lost} → {new}", lost, new)
    else:
        for name in diff.new_names[:NAMES_SHOWN]:
            say("new_name", f"names {name}", after=name)
    if not out and diff.fresh:
        added = " ".join(diff.fresh[:WORDS_SHOWN])
        say("new_clause", f"adds: {added}", after=added)
    return tuple(out)


def why_counted(changes: Sequence[NumberChange], place: int) -> tuple[Reason, ...]:
    """The quantities with another value that the paragraph at `place` gives."""
    return tuple(
        Reason(
            code="number_changed", paragraph=place, before=c.before, after=c.after,
            text=labels.line(c),
        )
        for c in changes
    )  # fmt: skip


def why_added(text: str, place: int, scene: Scene) -> tuple[Reason, ...]:
    """The reasons of a paragraph that is new: whom it quotes first, then what it says."""
    quoted = facts.missing_quotes(facts.quotes([text], scene.language), scene.old.word_pairs)
    quotes = [
        Reason(
            code="new_quote", paragraph=place, after=q.text, text=f"{q.speaker or 'a source'} quoted: {short(q.text)}"
        )
        for q in quoted[:1]
    ]
    return (*quotes, Reason(code="new_paragraph", paragraph=place, after=short(text), text=f"adds: {short(text)}"))


def short(text: str, most: int = TEXT_SHOWN) -> str:
    """The beginning of `text`, cut at a word."""
    return text if len(text) <= most else text[: most - 1].rsplit(" ", 1)[0] + "…"
