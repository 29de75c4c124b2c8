"""How strongly a new article belongs with an earlier one: as the same text, as the same event, or only as a look-alike.

`weigh` turns the features that the index measured into Matches; `join_story` asks whether a whole story fits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec
import numpy as np
import numpy.typing as npt

from services.core.measures import MEASURES, Floats

LINEAGE_THRESHOLD: Final = 0.5
STORY_THRESHOLD: Final = 0.5
JOIN_THRESHOLD: Final = 0.5
BEST_SHARE: Final = 0.3
CALM_DAYS: Final = 1.5
"""Reports of one event come within a day and a half of one another; what comes later has to be more alike."""

_CONTAINS: Final = MEASURES.index("contains")
_CONTAINED: Final = MEASURES.index("contained")


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


def weigh(numbers: Sequence[int], measured: Floats, exact: npt.NDArray[np.bool_], limit: int) -> tuple[Match, ...]:
    """Matches from measures, one row per earlier article; best first, later numbers first where equal."""
    rounded = np.round(measured, 6)
    f = dict(zip(MEASURES, rounded.T, strict=True))
    most = np.maximum(f["contains"], f["contained"])
    rare = f["rare"]
    days = np.nan_to_num(f["gap"], nan=0.0) / 24
    lineage = 0.55 * most + 0.9 * rare * f["head"] + 0.15 * f["title"] + 0.1 * f["kept"] - 0.05 * days
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
    differ = (f["tickers"] < 0) & (most < 0.8)
    lineage = np.round(np.where(differ, np.minimum(lineage, 0.3), lineage), 6)
    story = np.round(np.maximum(np.where(differ, story * 0.5, story), lineage), 6)
    best = np.lexsort((-np.asarray(numbers), -np.maximum(lineage, story)))[:limit].tolist()
    rows = rounded[best].tolist()
    return tuple(
        Match(
            number=numbers[i],
            lineage=float(lineage[i]),
            story=float(story[i]),
            contains=row[_CONTAINS],
            contained=row[_CONTAINED],
            exact=bool(exact[i]),
            fields=_fields(row),
            vetoes=("tickers_differ",) if differ[i] else (),
        )
        for i, row in zip(best, rows, strict=True)
    )


def _fields(row: list[float]) -> dict[str, float]:
    fields = dict(zip(MEASURES, row, strict=True))
    if fields["gap"] != fields["gap"]:  # NaN has no JSON
        del fields["gap"]
    return fields


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
