"""How strongly a new article belongs with an earlier one: as the same text, as the same event, or only as a look-alike.

`weigh` turns measures into Matches: two logistic regressions (weights in `weights`, made by tools/train_join.py), then the
vetoes that hold look-alikes back. `join_story` asks whether a whole story fits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from services.core.grouping.measures import MEASURES, Floats
from services.core.grouping.weights import LINEAGE_BIAS, LINEAGE_WEIGHTS, STORY_BIAS, STORY_WEIGHTS

# Measured on the development sets by tools/train_join.py --score, one setting for all: BCubed F1 basil .97, ECB+ .88,
# Giveme5W1H .89, mixed .94; precision of an invented newsday .82; Reuters updates found .98, series joined .03.
LINEAGE_THRESHOLD: Final = 0.5
"""A version or copy of the same text. The bias is set so that this is where 98 in 100 judged updates are found."""
STORY_THRESHOLD: Final = 0.545
"""The same event. Of 829 settings of the five constants that make a story's score, one that loses on no labelled set, and
keeps the same person's other event and one strong link to a crowd apart."""
BEST_SHARE: Final = 0.45
"""Of a story's score, what its best member says; the rest is the mean of its members. At .6 and above two events of one kind
chain (ECB+ -.009)."""
FLATTENED: Final = 2.1
"""Divides the log odds of a pair before they are averaged, so that two sure members do not drown ten doubtful ones."""
CALM_DAYS: Final = 1.5
LATE: Final = 0.7
"""Log odds lost with every doubling of the gap beyond CALM_DAYS. Soft: real stories have gaps of a week (.5: basil -.03)."""
UNSEEN_MEMBER: Final = 0.3
UNSEEN_MOST: Final = 20
"""Members of a story that were not among the candidates count as so alike, up to so many members. Without this, takeover
and money-market items chain into Reuters stories of 210 instead of 44."""
HELD_BACK: Final = 0.2
"""The most that a look-alike scores, as lineage and as story."""
ALIKE: Final = 0.2
DOUBTFUL: Final = 0.39
"""Texts that share a fifth of their word triples and still score below this as a lineage are one template filled twice."""
TEMPLATE_WORDS: Final = 130
"""What is filled again and again is short: the judged series run to 125 words. A longer text that shares so much goes on."""
FRAME: Final = 0.3
FRAME_PAIRS: Final = 0.25
FRAME_LENGTH: Final = 0.45
FRAME_FIGURES: Final = 0.04
"""What a template keeps whatever is filled in: word triples, pairs of words, length; and one word in 25 of it is a figure.
Of 135 judged series 117 do; of 127 pairs of the mixed set that are one event and otherwise look alike, 16."""
OVERNIGHT: Final = 16.0
FIGURES_KEPT: Final = 0.9
"""A template that comes again after so many hours, with more than a tenth of the weight of its figures changed, is the next
day's: so are 74 of the judged series and 2 of 672 updates, one of which calls itself a correction."""
NAME_REPLACED: Final = 0.7
"""Weight of the heaviest word on top of either text that the other lacks altogether, from which somebody else is meant."""
OF_ANOTHER: Final = 0.5
REFILLED_FIGURES: Final = 0.6
REFILLED_NAMES: Final = 0.7
"""Then the template is another company's, country's or bond's if titles and names agree by less than half, or most figures
and names have changed: 103 of the judged series and 3 of 672 updates, two of which call themselves corrections."""
ONE_MORE: Final = 0.3
"""The most that one more of a series scores as a lineage: what says itself that it follows an item follows it (CHAINED)."""
AT_ONCE: Final = 0.5
"""Hours. New figures take their time; the same sentences with other ones minutes later are about something else."""
TABLE: Final = 0.36
"""Share of figures among the words from which an item is a table: it joins as the same text or not at all."""
COPIED: Final = 0.8
COPIED_WORDS: Final = 20
"""A text of some length copied so far is the same one, whatever symbols it carries (GROUPING.md; of the judged series only
tables share so much)."""
THIN: Final = 5
"""Words that an item needs to be told from another as a text; a flash of fewer joins a story, but is no version of one."""
NAMES_BACKED: Final = 1.5
TITLES_BACKED: Final = 2.0
"""Shared names and title words count up to so many times what the texts share (ECB+ as before, series joined .13 -> .10)."""
LONGEST_GAP: Final = 2.0
"""Days after which a longer gap says nothing more about whether a text is a version of another."""

INSTANCES: Final = frozenset({"next_instance", "other_instance"})
"""Vetoes that tell one filling of a template from another."""

_CONTAINS: Final = MEASURES.index("contains")
_CONTAINED: Final = MEASURES.index("contained")
Fields = dict[str, Floats]


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """An earlier article that was weighed against the new one. All scores are 0–1, rounded to 6 places.

    `lineage` at LINEAGE_THRESHOLD or above: a version or copy of the same text. `story` at STORY_THRESHOLD or above: the
    same event. `contains` is the share of the new article's word triples that stand in the old one (1: the new text is
    wholly in the old), `contained` the reverse. `exact`: the same text but for typography, credit and dateline.
    `fields` are the measures that led there (`measures.MEASURES` says what each is). `vetoes` say why a look-alike was held
    back: tickers_differ, hour_differs (the next instance of a table), table_figures, next_instance (the template of another
    day), other_instance (the template about somebody else), series_template, digest, thin (too few words to be a version).
    """

    number: int
    lineage: float
    story: float
    contains: float
    contained: float
    exact: bool
    fields: dict[str, float] = {}
    vetoes: tuple[str, ...] = ()


class Scores(NamedTuple):
    """`score`'s answer, an array over the pairs each; `most` is the larger of contains and contained."""

    lineage: Floats
    story: Floats
    most: Floats
    vetoes: dict[str, npt.NDArray[np.bool_]]


def score(f: Fields, exact: npt.NDArray[np.bool_]) -> Scores:
    """Score pairs of articles by their measures, each pair by itself: any number of new articles at once."""
    lineage = _odds(lineage_evidence(f), LINEAGE_WEIGHTS, LINEAGE_BIAS, 1.0)
    most = np.maximum(f["contains"], f["contained"])
    table = f["figures"] >= TABLE
    copied = (most >= COPIED) & (f["shorter"] >= COPIED_WORDS) & ~table
    lineage[copied] = np.maximum(lineage[copied], most[copied])
    vetoes = {
        "tickers_differ": (f["tickers"] < 0) & (most < COPIED),
        "hour_differs": table & (f["hour"] < 0),
        "digest": f["digest"] > 0,
        "thin": f["shorter"] < THIN,
    }
    for held in vetoes.values():
        lineage[held] = np.minimum(lineage[held], HELD_BACK)
    template = _template(f)
    for name, one_more in _one_more(f, template).items():
        vetoes[name] = one_more
        lineage[one_more] = np.minimum(lineage[one_more], ONE_MORE)
    lineage[exact & ~vetoes["hour_differs"]] = 1.0
    same_text = lineage >= LINEAGE_THRESHOLD
    vetoes["series_template"] = template & (most >= ALIKE) & (lineage < DOUBTFUL)
    vetoes["table_figures"] = table & ~same_text
    vetoes["digest"] = (f["digest"] != 0) & ~same_text
    story = _odds(story_evidence(f), STORY_WEIGHTS, STORY_BIAS, FLATTENED)
    for name, held in vetoes.items():
        if name != "thin":
            story[held] = np.minimum(story[held], HELD_BACK)
    return Scores(lineage, np.where(same_text, np.maximum(story, lineage), story), most, vetoes)


def weigh(numbers: Sequence[int], measured: Floats, exact: npt.NDArray[np.bool_], limit: int) -> tuple[Match, ...]:
    """The `limit` best of the articles measured, one row of `measured` each; later numbers first where equal.

    The same text comes before the same event, the one that has most of the new one before others, an exact copy before all.
    """
    rounded = np.round(measured, 6)
    f: Fields = dict(zip(MEASURES, rounded.T, strict=True))
    lineage, story, _, vetoes = score(f, exact)
    # which of the texts that are surely its own it hangs on: the one that accounts for most of it, not its flash
    rank = np.where(lineage >= LINEAGE_THRESHOLD, 1.0 + f["contains"] + exact, story)
    best = np.lexsort((-np.asarray(numbers), -lineage, -rank))[:limit].tolist()
    return tuple(
        Match(
            number=numbers[i],
            lineage=float(lineage[i]),
            story=float(story[i]),
            contains=row[_CONTAINS],
            contained=row[_CONTAINED],
            exact=bool(exact[i]),
            fields=_fields(row),
            vetoes=tuple(name for name, held in vetoes.items() if held[i]),
        )
        for i, row in zip(best, rounded[best].tolist(), strict=True)
    )


def _template(f: Fields) -> npt.NDArray[np.bool_]:
    """Whether the two could be one template of one agency, at two times: other agencies share the words of an event."""
    return (f["own"] > 0) & ~np.isnan(f["gap"]) & (f["shorter"] < TEMPLATE_WORDS)


def _one_more(f: Fields, template: npt.NDArray[np.bool_]) -> dict[str, npt.NDArray[np.bool_]]:
    """Which templates are filled once more: for the next day, or about somebody else."""
    most = np.maximum(f["contains"], f["contained"])
    frame = (most >= FRAME) & (f["bigrams"] >= FRAME_PAIRS) & (f["length"] >= FRAME_LENGTH)
    template = template & frame & (f["figures"] >= FRAME_FIGURES)
    kept = np.maximum(f["kept"], f["fresh"])
    replaced = np.minimum(f["stranger"], f["strange"]) > NAME_REPLACED
    strangers = (f["crosswise"] < OF_ANOTHER) & (f["names"] < OF_ANOTHER)
    refilled = (kept < REFILLED_FIGURES) & (f["names"] < REFILLED_NAMES)
    return {
        "next_instance": template & (24 * _days(f) > OVERNIGHT) & (kept < FIGURES_KEPT),
        "other_instance": template & replaced & (most < COPIED) & (strangers | refilled),
    }


def lineage_evidence(f: Fields) -> Fields:
    """What speaks for and against "the same text, later": the columns that LINEAGE_WEIGHTS weighs."""
    kept = np.maximum(f["kept"], f["fresh"])
    days = np.minimum(_days(f), LONGEST_GAP)
    hours = np.where(np.isnan(f["gap"]), 24.0, f["gap"])
    hour_differs = (f["hour"] < 0).astype(np.float64)
    return {
        "most": np.maximum(f["contains"], f["contained"]),
        "rare": f["rare"],
        "head": f["head"],
        "title": f["title"],
        "names": f["names"],
        "crosswise": f["crosswise"],
        "figures_kept": kept,
        "figures": f["figures"],
        "figures_changed": f["figures"] * (1 - kept),
        "tickers_differ": (f["tickers"] < 0).astype(np.float64),
        "tickers_same": (f["tickers"] > 0).astype(np.float64),
        "slug_same": (f["slug"] > 0).astype(np.float64),
        "hour_differs": hour_differs,
        "hour_differs_in_figures": hour_differs * f["figures"],
        "days": days,
        "days_with_figures_changed": days * (1 - kept),
        "figures_changed_at_once": (1 - kept) * np.exp(-hours / AT_ONCE),
    }


def story_evidence(f: Fields) -> Fields:
    """What speaks for "the same event": the columns that STORY_WEIGHTS weighs, and the time that has passed.

    `names_and_body` and `titles_and_body` are geometric means: reports of one event share who and what, two events of one
    kind only what. With them, and an invented newsday to learn from, the newsdays' precision goes from .36 to .82.
    """
    said = np.maximum(f["body"], f["lead"])  # the same person in another event shares names, and little of what is said
    return {
        "title": f["title"],
        "lead": f["lead"],
        "body": f["body"],
        "names": np.minimum(f["names"], NAMES_BACKED * said),
        "numbers": f["numbers"],
        "bigrams": f["bigrams"],
        "crosswise": np.minimum(f["crosswise"], TITLES_BACKED * said),
        "head": f["head"],
        "rare": f["rare"],
        "names_and_body": np.sqrt(f["names"] * f["body"]),
        "titles_and_body": np.sqrt(f["crosswise"] * f["body"]),
        "late": np.log2(np.maximum(1.0, _days(f) / CALM_DAYS)),
    }


def join_story(
    matches: Sequence[tuple[Match, str]], sizes: Mapping[str, int] | None = None
) -> tuple[str, float] | None:
    """The story that fits best, and how well (0–1); None where none fits. Each match comes with the story it is in.

    A story's score is BEST_SHARE of its best member and the rest of the mean of its members, so that an article that resembles one member
    only cannot chain two events together. `sizes` says how many articles each story has: those that did not even become
    candidates count as UNSEEN_MEMBER. Equal stories: the one with the later best match. A story whose likest text is
    only another filling of the article's template is none of its own, whoever else it resembles.
    """
    members: dict[str, list[Match]] = {}
    for match, story in matches:
        members.setdefault(story, []).append(match)
    best: tuple[float, int, str] | None = None
    for story, found in members.items():
        likest = max(found, key=lambda match: (max(match.contains, match.contained), match.number))
        if INSTANCES.intersection(likest.vetoes):
            continue
        scores = [match.story for match in found]
        unseen = max(0, min((sizes or {}).get(story, 0), UNSEEN_MOST) - len(scores))
        mean = (sum(scores) + unseen * UNSEEN_MEMBER) / (len(scores) + unseen)
        score = round(BEST_SHARE * max(scores) + (1 - BEST_SHARE) * mean, 6)
        if score >= STORY_THRESHOLD:
            best = max(best or (0.0, -1, ""), (score, max(match.number for match in found), story))
    return (best[2], best[0]) if best else None


def _odds(evidence: Fields, weights: Mapping[str, float], bias: float, flattened: float) -> Floats:
    """Logistic regression, rounded to 6 places."""
    total = sum((weights[name] * values for name, values in evidence.items() if name in weights), np.float64(bias))
    if "late" in evidence:
        total = total - LATE * evidence["late"]
    return np.asarray(np.round(1.0 / (1.0 + np.exp(-total / flattened)), 6), dtype=np.float64)


def _days(f: Fields) -> Floats:
    """Days between the two articles, 0 where a date is missing: no date, no penalty."""
    return np.asarray(np.where(np.isnan(f["gap"]), 0.0, f["gap"]) / 24, dtype=np.float64)


def _fields(row: list[float]) -> dict[str, float]:
    fields = dict(zip(MEASURES, row, strict=True))
    if fields["gap"] != fields["gap"]:  # NaN has no JSON
        del fields["gap"]
    return fields
