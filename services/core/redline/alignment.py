"""Which paragraph became which, and the change that follows from it, with its inverse.

An alignment is a partition: every paragraph of either text stands in exactly one group. What a group means to a newsroom is
said in `services.core.meaning.development`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, Literal

import msgspec
import regex
from rapidfuzz.distance import Indel

from services.core.article import Article, Paragraph
from services.core.change import Change, IndexedText, Op, ParagraphChange
from services.core.errors import WritethruError
from services.core.identity import lineage_key
from services.core.language.spelling import is_misprint
from services.core.language.text import STOP_WORDS, tokens, words
from services.core.redline.assignment import movers
from services.core.redline.likeness import STOP_WEIGHT, Weights, profile
from services.core.redline.noise import asks_to_read, canonical_headline
from services.core.redline.pairing import Matched, match
from services.core.redline.spans import spans

GroupOp = Literal["unchanged", "typographic", "changed", "added", "removed", "split", "merged", "stands"]


class Group(msgspec.Struct, frozen=True, kw_only=True):
    """Paragraphs that belong together, by index. `links` are the true pairs inside; `similarity` is 0 to 1, by letters."""

    before: tuple[int, ...] = ()
    after: tuple[int, ...] = ()
    links: tuple[tuple[int, int], ...] = ()
    op: GroupOp
    moved: bool = False
    similarity: float = 0.0


class Alignment(msgspec.Struct, frozen=True):
    """All groups in the order of the later text; what was removed stands behind its old neighbour."""

    groups: tuple[Group, ...]


def align(before: Sequence[Paragraph], after: Sequence[Paragraph], *, notice: bool = False) -> Alignment:
    """Which paragraph became which. In a `notice` what the later text does not restate stands, and is not removed."""
    matched = match(before, after, notice=notice)
    joined = [_group(bs, as_, links, before, after, matched) for bs, as_, links in _components(matched.links)]
    joined.sort(key=lambda group: group.after)
    mains = [max(group.links, key=lambda link: (matched.links[link], -link[0], -link[1])) for group in joined]
    order = sorted(range(len(joined)), key=lambda n: mains[n][1])
    moved = {order[position] for position in movers([mains[n] for n in order])}
    joined = [msgspec.structs.replace(g, moved=True) if n in moved else g for n, g in enumerate(joined)]

    placed: list[tuple[tuple[float, int], Group]] = [((float(group.after[0]), -1), group) for group in joined]
    met = {a for group in joined for a in group.after}
    placed += [((float(a), -1), Group(after=(a,), op="added")) for a in range(len(after)) if a not in met]
    behind = {b: max(group.after) for group in joined if not group.moved for b in group.before}
    kept = {b for group in joined for b in group.before}
    neighbour = -1.0
    for b in range(len(before)):
        neighbour = behind.get(b, neighbour)
        if b not in kept:
            placed.append(((neighbour + 0.5, b), Group(before=(b,), op="stands" if notice else "removed")))
    return Alignment(tuple(group for _, group in sorted(placed, key=lambda each: each[0])))


def _components(
    links: Iterable[tuple[int, int]],
) -> list[tuple[tuple[int, ...], tuple[int, ...], tuple[tuple[int, int], ...]]]:
    """Links that share a paragraph, joined: (before, after, links) of each.

    Sets are joined at their roots, halving paths (Tarjan and van Leeuwen 1984): a chain of a thousand links costs no more
    than a thousand links.
    """
    parent: dict[tuple[int, int], tuple[int, int]] = {}

    def root(node: tuple[int, int]) -> tuple[int, int]:
        while (above := parent.setdefault(node, node)) != node:
            parent[node] = parent[above]
            node = parent[node]
        return node

    ordered = sorted(links)
    for b, a in ordered:
        parent[root((1, a))] = root((0, b))
    groups: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for b, a in ordered:
        groups.setdefault(root((0, b)), []).append((b, a))
    return [
        (tuple(sorted({b for b, _ in group})), tuple(sorted({a for _, a in group})), tuple(group))
        for group in groups.values()
    ]


def _group(
    bs: tuple[int, ...],
    as_: tuple[int, ...],
    links: tuple[tuple[int, int], ...],
    before: Sequence[Paragraph],
    after: Sequence[Paragraph],
    matched: Matched,
) -> Group:
    old, new = _joined(before, bs), _joined(after, as_)
    op: GroupOp
    if len(links) > 1:
        op = "split" if len(as_) > len(bs) else "merged"
    elif old == new:
        op = "unchanged"
    elif _is_typographic(old, new, matched.keys[0][bs[0]], matched.keys[1][as_[0]]):
        op = "typographic"
    else:
        op = "changed"
    return Group(
        before=bs,
        after=as_,
        links=links,
        op=op,
        similarity=_similarity([matched.keys[0][n] for n in bs], [matched.keys[1][n] for n in as_]),
    )


def _is_typographic(old: str, new: str, old_key: str, new_key: str) -> bool:
    """The same copy but for typography, or for misprints none of which is in a name."""
    return old_key == new_key or (is_misprint(old_key.split(), new_key.split()) and _names(old) == _names(new))


def _names(text: str) -> list[str]:
    """Words with a capital inside a sentence, folded; a first word with one is nobody's name for sure."""
    return [t.folded for t in tokens(text)[1:] if t.text[:1].isupper()]


LONGEST: Final = 20_000
"""Letters up to which order is compared; longer texts by their words alone (letter by letter they take seconds)."""


def _similarity(old: Sequence[str], new: Sequence[str]) -> float:
    """By letters of the canonical forms (insertions and deletions, normalised), 4 places."""
    before, after = " ".join(old), " ".join(new)
    if before == after:
        return 1.0
    if max(len(before), len(after)) <= LONGEST:
        return round(Indel.normalized_similarity(before, after), 4)
    bags = Counter(before.split()), Counter(after.split())
    return round(2 * (bags[0] & bags[1]).total() / max(bags[0].total() + bags[1].total(), 1), 4)


def _joined(paragraphs: Sequence[Paragraph], indices: Iterable[int]) -> str:
    return "\n".join(paragraphs[n].text for n in indices)


_OPS: dict[str, Op] = {
    "typographic": "typographic", "changed": "reworded", "added": "added", "removed": "removed",
    "split": "split", "merged": "merged", "stands": "stands",
}  # fmt: skip


def paragraph_changes(
    alignment: Alignment, before: Sequence[Paragraph], after: Sequence[Paragraph]
) -> tuple[ParagraphChange, ...]:
    """The groups as entries of a change, in order, without those that are unchanged in place.

    A changed pair is called `reworded`; whether it is `modified`, and what the entry means, is for `development` to say.
    """
    return tuple(
        ParagraphChange(
            op="moved" if group.moved and group.op in ("unchanged", "typographic") else _OPS[group.op],
            before=tuple(IndexedText(n, before[n].text) for n in group.before),
            after=tuple(IndexedText(n, after[n].text) for n in group.after),
            links=group.links if len(group.before) > 1 and len(group.after) > 1 else None,
            moved=group.moved,
            similarity=group.similarity if group.links else None,
            spans=spans(_joined(before, group.before), _joined(after, group.after)) if group.links else (),
        )
        for group in alignment.groups
        if group.op != "unchanged" or group.moved
    )


def unchanged_pairs(alignment: Alignment) -> tuple[tuple[int, int], ...]:
    """(before, after) of the paragraphs that are equal and in place."""
    return tuple(group.links[0] for group in alignment.groups if group.op == "unchanged" and not group.moved)


# Measured on the Reuters stream: of 688 update pairs one is refused (two companies, mislabelled), of 1,500 random pairs 20 pass.
LITTLE_JOINED: Final = 0.12
"""Share of the smaller text in joined paragraphs below which the texts have no paragraph of weight in common."""
HEADLINES_ALIKE: Final = 0.34
"""Share of the shorter headline's words that speaks for one story by itself."""
NAMES_ALIKE: Final = 0.34
"""Share of the names in the text that has fewer, two at least, that does so too."""
SUBJECT_NAMES: Final = 0.5
"""Share of common names that outweighs different companies in the headlines."""


def same_story(old: Article, new: Article) -> bool:
    """Whether two articles can be versions of one story. False only where they clearly are not.

    Explicit links of the wire decide first; a notice belongs to what it corrects. Otherwise two texts are strangers when no
    paragraph of weight is joined and names and headlines are unlike; or when their headlines are about different companies
    and the texts share few names: one template, filled in twice.
    """
    if _linked(old, new) or any(asks_to_read(p.text) for p in new.body) or not (old.body and new.body):
        return True
    subjects, names, heads = [[of(each) for each in (old, new)] for of in (_subject, _names_in, _head_words)]
    common = len(names[0] & names[1])
    named = round(common / min(map(len, names)), 4) if common > 1 else 0.0
    if all(subjects) and not subjects[0] & subjects[1] and named < SUBJECT_NAMES:
        return False
    if round(len(heads[0] & heads[1]) / max(min(map(len, heads)), 1), 4) >= HEADLINES_ALIKE:
        return True
    return named >= NAMES_ALIKE or _joined_share(old, new) >= LITTLE_JOINED


def _linked(old: Article, new: Article) -> bool:
    if old.provider == new.provider and lineage_key(old) == lineage_key(new):
        return True
    return old.uri in (new.supersedes, new.evolved_from) or new.uri in (old.supersedes, old.evolved_from)


def _joined_share(old: Article, new: Article) -> float:
    """The share of the smaller text's weight that stands in joined paragraphs, 4 places."""
    sides = [[profile(p.text) for p in each.body] for each in (old, new)]
    weights = Weights([*sides[0], *sides[1]])
    smaller = min(sum(weights.total(p.terms) for p in side) for side in sides)
    joined = sum(
        likeness * min(weights.total(sides[0][b].terms), weights.total(sides[1][a].terms))
        for (b, a), likeness in match(old.body, new.body).links.items()
    )
    return round(joined / max(smaller, 1e-9), 4)


_CODED = regex.compile(r"([^<>]{0,80})<([^<>]{1,60})>")
_NO_SUBJECT = STOP_WORDS | frozenset(
    ["inc", "corp", "co", "ltd", "plc", "group", "company", "unit", "stores", "bank", "ag", "sa", "nv", "january", "february",
     "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"]
)  # fmt: skip


def _subject(article: Article) -> set[str]:
    """The company that a headline names by its code: "ACME CORP <ACM> …" or "<ACME LTD> …"; empty without a code."""
    found = _CODED.search(article.headline or "")
    return set(words(f"{found[1]} {found[2]}")) - _NO_SUBJECT if found else set()


def _names_in(article: Article) -> set[str]:
    return {name for p in article.body for name in _names(p.text) if not any(map(str.isdigit, name))} - _NO_SUBJECT


def _head_words(article: Article) -> set[str]:
    """The headline's terms without grammar; Han and kana count in pairs."""
    return {term for term, kind in profile(canonical_headline(article.headline)).kinds.items() if kind > STOP_WEIGHT}


class NotThisText(WritethruError):
    """A change was applied to a text that it was not made from."""


def apply(old: Sequence[str], change: Change) -> list[str]:
    """The later text's paragraphs, from the earlier ones and the change. Raises NotThisText."""
    return _carried(
        old,
        [(e.before, e.after) for e in change.paragraphs],
        change.unchanged,
    )


def revert(new: Sequence[str], change: Change) -> list[str]:
    """The earlier text's paragraphs, from the later ones and the change. Raises NotThisText."""
    return _carried(
        new,
        [(e.after, e.before) for e in change.paragraphs],
        [(a, b) for b, a in change.unchanged],
    )


def _carried(
    have: Sequence[str],
    entries: Iterable[tuple[Sequence[IndexedText], Sequence[IndexedText]]],
    unchanged: Iterable[tuple[int, int]],
) -> list[str]:
    out: dict[int, str] = {}
    used: set[int] = set()
    for source, target in entries:
        for paragraph in source:
            if not 0 <= paragraph.index < len(have) or have[paragraph.index] != paragraph.text:
                raise NotThisText(f"paragraph {paragraph.index} is not the one that the change was made from")
            used.add(paragraph.index)
        out.update((paragraph.index, paragraph.text) for paragraph in target)
    for here, there in unchanged:
        if not 0 <= here < len(have):
            raise NotThisText(f"there is no paragraph {here}")
        used.add(here)
        out[there] = have[here]
    if len(used) != len(have) or sorted(out) != list(range(len(out))):
        raise NotThisText("the change does not name every paragraph once")
    return [out[n] for n in range(len(out))]
