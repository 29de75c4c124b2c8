"""A greedy replay on stored measures: which story each article of a set would join, without texts, rows or events.

It asks `grouping.decide`'s questions in their order, of what `join_sets` keeps; late items, kills that wait and editors'
commands are left out. So it takes seconds, and differs from `writethru replay` by a few thousandths.
"""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import numpy as np
from join_sets import Known, MeasuredSet

from services.core.grouping.decide import AS_LIKE, CHAINED, FLASH_ALIKE, FLASH_LENGTH
from services.core.grouping.inquiry import SLUG_REACH
from services.core.grouping.matching import INSTANCES, LINEAGE_THRESHOLD, Match, join_story, score

REACH = SLUG_REACH.total_seconds()


def stories(known: MeasuredSet) -> list[str]:
    """The story that each article joins on arrival."""
    f = known.fields()
    s = score(f, known.exact)
    rank = np.where(s.lineage >= LINEAGE_THRESHOLD, 1.0 + f["contains"] + known.exact, s.story)
    flash = (s.vetoes["thin"] & (f["length"] >= FLASH_LENGTH) & (f["title"] < FLASH_ALIKE)).tolist()
    chained = ((s.lineage >= CHAINED) & ~s.vetoes["tickers_differ"] & ~(f["gap"] * 3600 > REACH)).tolist()
    held = np.logical_or.reduce([s.vetoes[name] for name in sorted(INSTANCES)])
    matches = [
        Match(
            number=number, lineage=lineage, story=story, contains=contains, contained=contained, exact=exact,
            vetoes=tuple(INSTANCES) if one_more else (),
        )
        for number, lineage, story, contains, contained, exact, one_more in zip(
            known.earlier.tolist(), s.lineage.tolist(), s.story.tolist(), f["contains"].tolist(),
            f["contained"].tolist(), known.exact.tolist(), held.tolist(), strict=True,
        )
    ]  # fmt: skip
    edges = np.searchsorted(known.later, np.arange(len(known.articles) + 1)).tolist()
    found: list[str] = []
    sizes: Counter[str] = Counter()
    items: dict[str, str] = {}
    slugs: dict[tuple[str, str], Known] = {}
    for number, article in enumerate(known.articles):
        story = items.get(article.key) or _by_slug(article, items, slugs)
        if story is None and not article.marks.is_roundup:
            here = range(edges[number], edges[number + 1])
            close = [i for i in here if s.lineage[i] >= LINEAGE_THRESHOLD]
            if not close and (article.marks.chains or article.marks.corrects):
                close = [i for i in here if chained[i] and _provider(known, matches[i]) == article.provider]
            if close:
                story = found[_hangs_on([matches[i] for i in sorted(close, key=lambda i: -rank[i])]).number]
            else:
                fitting = [(matches[i], found[matches[i].number]) for i in here if not flash[i]]
                joined = join_story([pair for pair in fitting if not _roundup(known, pair[0])], sizes)
                story = joined[0] if joined else None
        story = story or f"story {number}"
        found.append(story)
        sizes[story] += 1
        items[article.key] = story
        if article.slug:
            slugs[article.provider, article.slug] = article
    return found


def _by_slug(article: Known, items: dict[str, str], slugs: dict[tuple[str, str], Known]) -> str | None:
    follows = article.marks.chains or article.marks.is_notice or article.marks.ending is not None
    last = slugs.get((article.provider, article.slug)) if follows and article.slug else None
    if last is None or (last.at is not None and article.at is not None and article.at - last.at > REACH):
        return None
    return items[last.key]


def _hangs_on(close: list[Match]) -> Match:
    return next((m for m in close if m.exact), next(m for m in close if m.contains >= close[0].contains - AS_LIKE))


def _provider(known: MeasuredSet, match: Match) -> str:
    return known.articles[match.number].provider


def _roundup(known: MeasuredSet, match: Match) -> bool:
    return known.articles[match.number].marks.is_roundup


def bcubed(known: MeasuredSet, found: list[str]) -> str:
    """Precision, recall and F1 of the labelled articles (Bagga and Baldwin 1998), and the strangers among them."""
    pairs = [(story, label) for story, label in zip(found, known.labels.tolist(), strict=True) if label]
    cells, by_story, by_label = Counter(pairs), Counter(s for s, _ in pairs), Counter(label for _, label in pairs)
    precision = sum(n * n / by_story[story] for (story, _), n in cells.items()) / len(pairs)
    recall = sum(n * n / by_label[label] for (_, label), n in cells.items()) / len(pairs)
    strangers = sum(story in by_story for story, label in zip(found, known.labels.tolist(), strict=True) if not label)
    f1 = 2 * precision * recall / (precision + recall)
    return f"P {precision:.3f}  R {recall:.3f}  F1 {f1:.4f}  strangers {strangers}"


def judged(known: MeasuredSet, found: list[str], pairs: Path) -> str:
    """Of the judged pairs of the stream, the updates and the series that are in one story; and the largest story."""
    story = {article.uri: one for article, one in zip(known.articles, found, strict=True)}
    asked, together = Counter[str](), Counter[str]()
    with pairs.open(encoding="utf-8") as lines:
        for pair in csv.DictReader(lines, delimiter="\t"):
            if pair["confidence"] != "low":
                asked[pair["verdict"]] += 1
                together[pair["verdict"]] += story[pair["earlier"]] == story[pair["later"]]
    share = {verdict: together[verdict] / asked[verdict] for verdict in asked}
    return f"updates {share['update']:.3f}  series {share['series']:.3f}  largest {max(Counter(found).values())}"
