"""Paragraphs that only say again what one paragraph of the earlier version said."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import msgspec

from services.core.change import IndexedText, ParagraphChange
from services.core.language import facts, lexicon
from services.core.language.text import words
from services.core.meaning.reading import Passage, Scene, is_fresh, new_names, passage, telling
from services.core.redline.spans import spans

RESTATED = 0.8
"""Share of a passage's content words, by stem, that one earlier paragraph must hold for the passage to restate it."""
LEAST_WORDS = 4
"""Content words and figures that a passage must have: of fewer, any paragraph holds some by chance."""
RECAST = 0.35
"""Share of fresh content words from which a paragraph is another statement and not the earlier one, cut in two (measured
on the splits of 2,000 articles of the Reuters stream: at most 0.3 where a sentence was cut in two)."""


def parted(entries: Sequence[ParagraphChange], scene: Scene) -> list[ParagraphChange]:
    """The entries, with a recast lead and the paragraph that restates the old one as two entries instead of one split.

    One label would call both news, or neither.
    """
    out: list[ParagraphChange] = []
    told: list[ParagraphChange] = []
    for entry in entries:
        kept, parts = _part(entry, scene)
        out.append(kept)
        told.extend(parts)
    for part in told:
        place = part.after[0].index
        out.insert(next((i for i, e in enumerate(out) if e.after and e.after[0].index > place), len(out)), part)
    return out


def _part(entry: ParagraphChange, scene: Scene) -> tuple[ParagraphChange, list[ParagraphChange]]:
    if entry.op != "split" or len(entry.before) != 1 or scene.correcting or scene.partial:
        return entry, []
    kept: list[IndexedText] = []
    told: list[IndexedText] = []
    for paragraph in entry.after:
        (told if restates(passage((paragraph,), scene.new), scene) else kept).append(paragraph)
    if len(kept) != 1 or not told or _fresh_share(passage(kept, scene.new), scene) < RECAST:
        return entry, []
    marks = spans(entry.before[0].text, kept[0].text)
    recast = msgspec.structs.replace(entry, op="reworded", after=(kept[0],), spans=marks)
    return recast, [ParagraphChange(op="added", after=(paragraph,)) for paragraph in told]


def restates(of: Passage, scene: Scene) -> bool:
    """Whether one paragraph of the earlier version had said all this, figures and names included, in about these words."""
    content = {w for w in words(of.text) if telling(w)}
    stems = {lexicon.stem(w, scene.language) for w in content}
    values = {q.value for q in of.figures}
    if len(stems) + len(values) < LEAST_WORDS or not values <= scene.old.values or new_names(of.names, scene):
        return False
    fresh = {w for w in content if is_fresh(w, scene)}
    lex = scene.lexicon
    turning = (lex.negation, lex.hedges, lex.firm, lex.plans, lex.status, lex.opposites)
    if len(fresh) > (1 - RESTATED) * len(content) or any(w in table for w in fresh for table in turning):
        return False
    if facts.missing_quotes(facts.quotes([of.text], scene.language), scene.old.word_pairs):
        return False
    held, holders = _stems(scene.old.body, scene.language)
    rarest = sorted(stems, key=lambda stem: (len(holders.get(stem, ())), stem))[: int((1 - RESTATED) * len(stems)) + 1]
    places = {n for stem in rarest for n in holders.get(stem, ())}  # one of these must be in it
    for value in values:
        places &= scene.old.holders.get(value, frozenset())
    return any(
        sum(stem in held[n] for stem in stems) >= RESTATED * len(stems)
        and not _turned(content, scene.old.body[n], scene)
        for n in sorted(places)
    )


@lru_cache(maxsize=8)
def _stems(body: tuple[str, ...], language: str) -> tuple[tuple[frozenset[str], ...], dict[str, list[int]]]:
    """The stems of each paragraph, and the paragraphs that hold each stem."""
    held = tuple(frozenset(lexicon.stem(w, language) for w in words(text)) for text in body)
    holders: dict[str, list[int]] = {}
    for n, stems in enumerate(held):
        for stem in stems:
            holders.setdefault(stem, []).append(n)
    return held, holders


def _turned(content: set[str], told: str, scene: Scene) -> bool:
    """Whether a passage denies, or asserts, what the earlier paragraph did not."""
    said, lex = set(words(told)), scene.lexicon
    return any(bool(content & table) != bool(said & table) for table in (lex.negation, lex.hedges))


def _fresh_share(of: Passage, scene: Scene) -> float:
    content = {w for w in words(of.text) if telling(w)}
    return round(sum(is_fresh(w, scene) for w in content) / max(len(content), 1), 6)
