"""An update line in the wire's manner, and where two providers disagree."""

from __future__ import annotations

from collections.abc import Sequence

from services.core.article import Article
from services.core.change import Conflict, HeadlineChange, Level, NumberChange
from services.core.language import labels, numbers
from services.core.meaning import tolls
from services.core.meaning.development import Labelled
from services.core.meaning.reading import Scene, difference, gather
from services.core.redline.alignment import align

MOST_PARTS = 3
"""Parts of an update line: it is read at a glance."""
FAR = 20
"""Times from which two figures are hardly one quantity."""
UNNAMED_FAR = 3
"""The same where nothing says what is counted."""
CONFLICT_LIKE = 0.5
"""Similarity of two paragraphs of different agencies from which they speak of the same thing."""


def summarise(
    level: Level,
    labelled: Sequence[Labelled],
    headline: HeadlineChange | None,
    changed: Sequence[NumberChange],
    scene: Scene,
    disputed: Sequence[Conflict] = (),
) -> str:
    """`toll 12 → 15; adds minister quoted (para 4)`: at most three parts, the weightiest first; "" where nothing changed.

    Paragraphs are counted from 1, as desks do.
    """
    if level == "new":
        return "first report"
    parts: list[str] = [labels.line(c) for c in _worth_saying(changed, correcting=scene.correcting)]
    if scene.correcting:
        parts = [f"corrects {part}" for part in parts]
    parts += [f"{c.what} {c.theirs.lower()} against {c.ours.lower()}" for c in disputed if c.what in tolls.CALLED][:1]
    shown = {c.after for c in changed}
    for each in labelled:
        for reason in each.reasons:
            if each.entry.development in ("none", "stylistic", "attribution") or reason.after in shown:
                continue
            if reason.code in (
                "new_paragraph",
                "new_number",
                "new_name",
                "new_clause",
                "number_changed",
                "new_quote",
                "lead_overtaken",
            ):
                continue
            parts.append(f"{reason.text}{_para(reason.paragraph if each.entry.after else None)}")
            break
    parts.extend(_added(labelled, scene))
    if not parts and headline is not None and headline.op in ("reworded", "modified"):
        parts.append("new headline")
    cut = [each for each in labelled if each.entry.op == "removed" and each.entry.development == "stylistic"]
    if not parts and cut:
        parts.append(f"trimmed by {len(cut)} para{'s' if len(cut) > 1 else ''}")
    if not parts and (mended := [e.entry.after[0].index for e in labelled if _is_mended(e)]):
        parts.append(f"corrects {_places(mended)}")
    if not parts and any(each.entry.op in ("reworded", "split", "merged", "modified") for each in labelled):
        parts.append("copy edit")
    if not parts and any(each.entry.moved for each in labelled):
        parts.append("reorders paragraphs")
    if not parts and level == "metadata":
        parts.append("metadata only")
    return "; ".join(dict.fromkeys(parts[:MOST_PARTS]))


def _is_mended(each: Labelled) -> bool:
    return each.entry.development == "correction" and bool(each.entry.after)


def _worth_saying(changed: Sequence[NumberChange], *, correcting: bool) -> Sequence[NumberChange]:
    """At most two figures that an editor would name: those with a name of their own, else one that has a unit.

    A figure many times the other is another quantity, unless the wire itself says that it was wrong.
    """
    named = [c for c in changed if labels.label(c) and (correcting or _are_within(FAR, c))]
    return named[:2] or [c for c in changed if c.unit and (correcting or _are_within(UNNAMED_FAR, c))][:1]


def _are_within(times: int, change: NumberChange) -> bool:
    values = [q.value for side in (change.before, change.after) for q in numbers.extract(side, "en")[:1]]
    return len(values) == 2 and min(values) * times > max(values)


def _para(index: int | None) -> str:
    return "" if index is None else f" (para {index + 1})"


def _added(labelled: Sequence[Labelled], scene: Scene) -> list[str]:
    """What came in: "new lead", "adds Smith quoted (para 4)", "adds details (paras 3, 5-7)", "adds background (para 9)"."""
    out: list[str] = []
    details: list[int] = []
    background: list[int] = []
    for each in labelled:
        if not each.entry.after:
            continue
        place = each.entry.after[0].index
        if each.entry.development == "new_fact":
            quote = next((r for r in each.reasons if r.code == "new_quote"), None)
            if place == scene.new.lead:
                out.append("new lead")
            elif quote is not None:
                out.append(f"adds {quote.text.split(' quoted:')[0]} quoted{_para(place)}")
            else:
                details.append(place)
        elif each.entry.development == "context_added":
            background.append(place)
    if details:
        out.append(f"adds details ({_places(details)})")
    if background:
        out.append(f"adds background ({_places(background)})")
    return out


def _places(indices: Sequence[int]) -> str:
    """Places from 0 as paragraphs from 1, with runs drawn together: "paras 3, 5-7"."""
    runs: list[list[int]] = []
    for n in sorted({i + 1 for i in indices}):
        if runs and n == runs[-1][1] + 1:
            runs[-1][1] = n
        else:
            runs.append([n, n])
    text = ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)
    return f"para{'' if text.isdigit() else 's'} {text}"


def conflicts(old: Article, new: Article, scene: Scene) -> tuple[Conflict, ...]:
    """Where another provider's report disagrees with the story's head: a figure, a name, a status. `ours` is the head's."""
    providers = (old.outlet or old.provider, new.outlet or new.provider)
    groups = [g for g in align(old.body, new.body).groups if g.links and g.op not in ("unchanged", "typographic")]
    pairs = [(gather(g.before, scene.old).figures, gather(g.after, scene.new).figures) for g in groups]
    counts = tolls.revised(scene.old, scene.new, scene.language, scene.year)
    matched = tolls.unlike(numbers.revalued(pairs, scene.old.figures, scene.new.figures), counts)
    out = [
        Conflict(what=labels.label(c) or "figure", ours=c.before, theirs=c.after, providers=providers)
        for c in (*map(tolls.as_change, counts), *(numbers.as_change(b, a) for b, a in matched))
    ]
    for group in groups:
        if group.similarity < CONFLICT_LIKE:
            continue
        diff = difference(gather(group.before, scene.old), gather(group.after, scene.new), scene, group.similarity)
        if len(diff.lost_names) == 1 and len(diff.new_names) == 1:
            out.append(Conflict(what="name", ours=diff.lost_names[0], theirs=diff.new_names[0], providers=providers))
        out.extend(
            Conflict(what="status", ours=t.before, theirs=t.after, providers=providers)
            for t in diff.turns
            if t.kind == "opposite"
        )
    return tuple(dict.fromkeys(out))
