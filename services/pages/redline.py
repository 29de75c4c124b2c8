"""The redline of two versions as blocks in reading order: what a page or a terminal shows, before either chooses colours."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final, Literal

import msgspec

from services.core.article import Article, ParagraphKind
from services.core.change import NEW_DEVELOPMENTS, Change, Development, Noise, Op, ParagraphChange, Span
from services.core.language.text import canonical

LABELS: Final[dict[Development, str]] = {
    "new_fact": "new fact",
    "fact_changed": "fact changed",
    "correction": "correction",
    "retracted": "retracted",
    "context_added": "background",
    "attribution": "attribution",
    "stylistic": "wording",
    "none": "",
}
QUIET: Final = 3
"""So many paragraphs in a row with nothing to tell are folded into one line; fewer are shown as the context they are."""

BlockOp = Literal[Op, "unchanged", "said"]


class Mark(msgspec.Struct, frozen=True):
    """A stretch of a paragraph. `same` and `noise` are for no eye: of noise the sides differ, in typography alone."""

    kind: Literal["same", "edit", "noise"]
    before: str
    after: str


class Block(msgspec.Struct, frozen=True, kw_only=True):
    """One entry of the redline. Places count from 1; `marks` in order give either text."""

    op: BlockOp
    development: Development = "none"
    before: tuple[int, ...] = ()
    after: tuple[int, ...] = ()
    links: tuple[tuple[int, int], ...] = ()
    moved: bool = False
    kind: ParagraphKind = "paragraph"
    marks: tuple[Mark, ...] = ()

    @property
    def is_news(self) -> bool:
        """Whether it carries a new development."""
        return self.development in NEW_DEVELOPMENTS

    @property
    def is_quiet(self) -> bool:
        """Whether an editor may skip it: unchanged, standing, said before, or other in typography alone."""
        return self.op in ("unchanged", "typographic", "stands", "said")

    @property
    def where(self) -> str:
        """Its place in the later text, or where it was: "¶4", "¶4, ¶5", "was ¶7"."""
        places = ", ".join(f"¶{n}" for n in self.after or self.before)
        return places if self.after else f"was {places}"

    @property
    def came_from(self) -> str:
        """Where it stood before, if that says something: for what moved, was split or run together."""
        if self.links:
            return ", ".join(f"¶{b} → ¶{a}" for b, a in self.links)
        told = self.before and self.after and (self.moved or self.op in ("split", "merged"))
        return f"was {', '.join(f'¶{n}' for n in self.before)}" if told else ""

    @property
    def said(self) -> str:
        """What happened to it, in a few words: "modified · fact changed", "reworded and moved · wording"."""
        return " · ".join(filter(None, (self.op + self._and_moved, self.came_from, LABELS[self.development])))

    @property
    def _and_moved(self) -> str:
        return " and moved" if self.moved and self.op != "moved" else ""


class Fold(msgspec.Struct, frozen=True):
    """Quiet blocks in a row, shown as one line: "¶3–¶9: 6 unchanged, 1 other in typography alone"."""

    blocks: tuple[Block, ...]

    @property
    def where(self) -> str:
        """From which paragraph to which."""
        first, last = self.blocks[0], self.blocks[-1]
        one, other = (first.after or first.before)[0], (last.after or last.before)[-1]
        return f"¶{one}" if one == other else f"¶{one}–¶{other}"

    @property
    def said(self) -> str:
        """How many of which kind."""
        words = {"typographic": "typography only", "stands": "standing", "said": "said before"}
        counts: dict[str, int] = {}
        for block in self.blocks:
            counts[block.op] = counts.get(block.op, 0) + 1
        return ", ".join(f"{n} {words.get(op, op)}" for op, n in counts.items())


def blocks(old: Article, new: Article, change: Change) -> tuple[Block, ...]:
    """All paragraphs of both texts in the order of the later one; what was removed stands behind its old neighbour."""
    placed = [((float(e.after[0].index), -1), _block(e, new)) for e in change.paragraphs if e.after]
    placed += [
        ((float(a), -1), _plain("unchanged", new.body[a].text, new.body[a].kind, before=(b + 1,), after=(a + 1,)))
        for b, a in change.unchanged
        if a < len(new.body)
    ]
    met = {a for _, block in placed for a in block.after}
    if change.basis == "story":
        rest = [(a, p) for a, p in enumerate(new.body) if a + 1 not in met]
        placed += [((float(a), -1), _plain("said", p.text, p.kind, after=(a + 1,))) for a, p in rest]
    behind = {b - 1: block.after[-1] - 1 for _, block in placed if not block.moved for b in block.before}
    gone = {e.before[0].index: e for e in change.paragraphs if not e.after}
    neighbour = -1.0
    for b in range(len(old.body)):
        neighbour = behind.get(b, neighbour)
        if b in gone:
            placed.append(((neighbour + 0.5, b), _block(gone[b], old)))
    return tuple(block for _, block in sorted(placed, key=lambda each: each[0]))


def folded(found: Iterable[Block], *, everything: bool = False, fewest: int = QUIET) -> tuple[Block | Fold, ...]:
    """The blocks, quiet ones folded where `fewest` or more stand in a row; `everything` folds none."""
    out: list[Block | Fold] = []
    for quiet, run in groupby(found, key=lambda block: block.is_quiet):
        row = tuple(run)
        out += [Fold(row)] if quiet and len(row) >= fewest and not everything else row
    return tuple(out)


def marks(before: str, after: str, spans: Sequence[Span]) -> tuple[Mark, ...]:
    """A paragraph cut at its edits. Without spans: one text whole, or two that share nothing."""
    if not spans:
        if before == after or not before or not after:
            return (Mark("same" if before == after else "edit", before, after),)
        return (Mark("noise" if canonical(before) == canonical(after) else "edit", before, after),)
    out: list[Mark] = []
    at = 0
    for span in spans:
        start, end = span.after.at
        if start > at:
            out.append(Mark("same", after[at:start], after[at:start]))
        alike = canonical(span.before.text) == canonical(span.after.text)
        out.append(Mark("noise" if alike else "edit", span.before.text, span.after.text))
        at = end
    if at < len(after):
        out.append(Mark("same", after[at:], after[at:]))
    return tuple(out)


def noise_told(noise: Noise) -> str:
    """What was seen and ignored: "4 quotes, 1 dateline"; "" for nothing."""
    kinds = ((name.replace("_", " "), getattr(noise, name)) for name in Noise.__struct_fields__)
    return ", ".join(f"{count} {name}" for name, count in kinds if count)


def notes(new: Article, change: Change) -> tuple[str, ...]:
    """The agency's own words on what it changed: the editor's note and what stands in the copy, each once."""
    said = [new.ed_note or "", *(line.text for line in change.stated)]
    return tuple({canonical(text): text for text in reversed(said) if canonical(text)}.values())[::-1]


def verdict(change: Change) -> Literal["different stories", "alert", "new", "background", "nothing new"]:
    """The word that a desk wants first."""
    if not change.same_story:
        return "different stories"
    if change.push.yes:
        return "alert"
    if change.new_development.yes:
        return "new"
    return "background" if change.new_development.kind == "background" else "nothing new"


def _block(entry: ParagraphChange, of: Article) -> Block:
    before = "\n".join(one.text for one in entry.before)
    after = "\n".join(one.text for one in entry.after)
    place = (entry.after or entry.before)[0].index
    if entry.op == "stands":
        after = before
    return Block(
        op=entry.op,
        development=entry.development,
        before=tuple(one.index + 1 for one in entry.before),
        after=tuple(one.index + 1 for one in entry.after),
        links=tuple((b + 1, a + 1) for b, a in entry.links or ()),
        moved=entry.moved,
        kind=of.body[place].kind if place < len(of.body) else "paragraph",
        marks=marks(before, after, entry.spans),
    )


def _plain(
    op: BlockOp, text: str, kind: ParagraphKind, *, before: tuple[int, ...] = (), after: tuple[int, ...] = ()
) -> Block:
    return Block(op=op, before=before, after=after, kind=kind, marks=(Mark("same", text, text),))
