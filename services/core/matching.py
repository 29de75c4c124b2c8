"""How strongly a new article belongs with an earlier one: as the same text, as the same event, or only as a look-alike.

`weigh` turns the features that the index measured into Matches; `join_story` asks whether a whole story fits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec
import numpy as np
import numpy.typing as npt

LINEAGE_THRESHOLD: Final = 0.5
STORY_THRESHOLD: Final = 0.5
JOIN_THRESHOLD: Final = 0.5
BEST_SHARE: Final = 0.3
CALM_DAYS: Final = 1.5
"""Reports of one event come within a day and a half of one another; what comes later has to be more alike."""

Floats = npt.NDArray[np.float64]


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """An earlier article that was weighed against the new one. All scores are 0–1, rounded to 6 places.

    `lineage` at LINEAGE_THRESHOLD or above: a version or copy of the same text. `story` at STORY_THRESHOLD or above: the
    same event. `contains` is the share of the new article's word triples that stand in the old one (1: the new text is
    wholly in the old), `contained` the reverse. `exact`: the same text but for typography, credit and dateline.
    `fields` are the measures that led there, `vetoes` say why a look-alike was held back.
    """

    number: int
    lineage: float
    story: float
    contains: float
    contained: float
    exact: bool
    fields: dict[str, float] = {}
    vetoes: tuple[str, ...] = ()


def weigh(numbers: Sequence[int], f: dict[str, Floats], exact: npt.NDArray[np.bool_], limit: int) -> tuple[Match, ...]:
    """Matches from features, one array entry per earlier article; best first, later numbers first where equal."""
    most = np.maximum(f["contains"], f["contained"])
    rare = f["rare"]
    days = np.nan_to_num(f["gap"], nan=0.0) / 24
    lineage = 0.55 * most + 0.9 * rare * f["head"] + 0.15 * f["title"] + 0.1 * f["numbers_kept"] - 0.05 * days
    lineage = np.where(exact, 1.0, np.clip(lineage, 0, 1))
    story = (
        0.6 * f["body"]
        + 0.5 * f["lead"]
        + 0.4 * f["title"]
        + 0.5 * f["names"]
        + 0.3 * f["bigrams"]
        + 0.2 * f["crosswise"]
    )
    late = np.log2(np.maximum(1.0, days / CALM_DAYS))
    story = np.clip(story - 0.08 * late, 0, 1)
    differ = f["tickers"] < 0
    lineage = np.where(differ & (most < 0.8), np.minimum(lineage, 0.3), lineage)
    story = np.where(differ & (most < 0.8), story * 0.5, story)
    story = np.maximum(story, lineage)
    best = np.lexsort((-np.asarray(numbers), -np.round(np.maximum(lineage, story), 6)))[:limit]
    return tuple(
        Match(
            number=numbers[i],
            lineage=round(float(lineage[i]), 6),
            story=round(float(story[i]), 6),
            contains=round(float(f["contains"][i]), 6),
            contained=round(float(f["contained"][i]), 6),
            exact=bool(exact[i]),
            fields={name: round(float(values[i]), 6) for name, values in f.items() if not np.isnan(values[i])},
            vetoes=("tickers_differ",) if differ[i] and most[i] < 0.8 else (),
        )
        for i in best.tolist()
    )


def join_story(matches: Sequence[tuple[Match, str]]) -> tuple[str, float] | None:
    """The story that fits best, and how well (0–1); None where none fits. Each match comes with the story it is in.

    A story's score is .3 of its best member and .7 of the mean of the members that were weighed, so that one article that
    resembles two events cannot chain them together.
    """
    members: dict[str, list[float]] = {}
    for match, story in matches:
        members.setdefault(story, []).append(match.story)
    best: tuple[str, float] | None = None
    for story, scores in members.items():
        score = round(BEST_SHARE * max(scores) + (1 - BEST_SHARE) * sum(scores) / len(scores), 6)
        if score >= JOIN_THRESHOLD and (best is None or (score, story) > (best[1], best[0])):
            best = (story, score)
    return best
