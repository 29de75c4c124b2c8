"""Train the two regressions of services/core/grouping/matching.py and write services/core/grouping/weights.py.

usage: uv run --with scikit-learn python tools/train_join.py ../shared/data     (five minutes on one core)

Lineage learns from the judged pairs of the Reuters stream: updates against series and different stories, with pairs that
share next to nothing as easy negatives. Story learns from the labelled sets: candidates with the same label against
candidates with another one, or with none. Every set counts the same on both sides, whatever its size.
"""

from __future__ import annotations

import csv
import gzip
import sys
from collections import deque
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import orjson
from sklearn.linear_model import LogisticRegression

from services.core.article import Article
from services.core.grouping import matching
from services.core.grouping.fingerprint import fingerprint
from services.core.grouping.index import CandidateIndex
from services.core.grouping.measures import MEASURES, entry
from services.core.times import instant

SETS = {"basil": 0.3, "ecbplus": 1.0, "giveme5w1h_news_cluster": 1.0, "mixed-dev": 1.0}
EASY = 3_000
FOUND_AT = 0.7
"""Probability of the regression that becomes .5: where recall of judged updates meets 98 in 100."""
LINEAGE_C, STORY_C = 3.0, 1.0
"""How freely the regressions fit. Lineage at .3 joined 13 in 100 judged series where it found 98 in 100 updates, in
five-fold cross-validation; at 3 and at 10 it is 6; story does not care."""
WINDOW = 14 * 86_400.0
"""Seconds after which the pipeline lets an article go."""


def articles(path: Path) -> list[Article]:
    with gzip.open(path) as lines:
        return [_article(orjson.loads(line)) for line in lines]


def _article(record: dict[str, Any]) -> Article:
    body = [p if isinstance(p, dict) else {"text": p} for p in record.get("body") or []]
    version = None if record.get("version") is None else str(record["version"])
    known = {k: v for k, v in record.items() if k in Article.__struct_fields__}
    return msgspec.convert(known | {"version": version, "body": body}, Article, strict=False)


def pairs(stream: list[Article], window: float = float("inf")) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(later, earlier, measures) of every candidate pair within `window` seconds, in the order of the stream."""
    index = CandidateIndex()
    live: deque[tuple[int, float]] = deque()
    later, earlier, measured = [], [], []
    for number, article in enumerate(stream):
        moment = instant(article.version_created)
        fp = fingerprint(article)
        query = entry(fp, moment.timestamp() if moment else None, article.provider)
        while live and query.at is not None and query.at - live[0][1] > window:
            index.remove(live.popleft()[0])
        found = index.candidates(query)
        if found:
            measured.append(index.measure(query, found))
            later += [number] * len(found)
            earlier += found
        index.add(number, fp, query.at, article.provider)
        if query.at is not None:
            live.append((number, query.at))
    return np.array(later), np.array(earlier), np.concatenate(measured)


def columns(evidence: matching.Fields) -> np.ndarray:
    return np.stack([values for name, values in evidence.items() if name != "late"], axis=1)


def learn(
    x: np.ndarray, y: np.ndarray, weight: np.ndarray, names: list[str], c: float
) -> tuple[dict[str, float], float]:
    model = LogisticRegression(C=c, max_iter=5_000).fit(x, y, sample_weight=weight)
    return {n: round(float(v), 2) for n, v in zip(names, model.coef_[0], strict=True)}, round(
        float(model.intercept_[0]), 2
    )


def lineage(data: Path) -> tuple[dict[str, float], float]:
    stream = articles(data / "stream" / "reuters21578.articles.jsonl.gz")
    later, earlier, measured = pairs(stream, WINDOW)
    row = {pair: i for i, pair in enumerate(zip(later.tolist(), earlier.tolist(), strict=True))}
    place = {article.uri: i for i, article in enumerate(stream)}
    chosen, truth, weight = [], [], []
    with (data / "stream" / "update-pairs-dev.tsv").open(encoding="utf-8") as lines:
        for pair in csv.DictReader(lines, delimiter="\t"):
            i = row.get((place[pair["later"]], place[pair["earlier"]]))
            if i is None or pair["confidence"] == "low" or pair["verdict"] == "same_event":
                continue
            chosen.append(i)
            truth.append(pair["verdict"] == "update")
            weight.append(3.0 if not truth[-1] else 1.5 if pair["confidence"] == "high" else 1.0)
    f = dict(zip(MEASURES, measured.T, strict=True))
    strange = np.flatnonzero((np.maximum(f["contains"], f["contained"]) < 0.12) & (f["rare"] < 0.1))
    easy = np.random.default_rng(0).choice(strange, EASY, replace=False)
    picked = np.concatenate((chosen, easy))
    evidence = matching.lineage_evidence({name: values[picked] for name, values in f.items()})
    y = np.array(truth + [False] * EASY)
    weights, bias = learn(columns(evidence), y, np.array(weight + [0.1] * EASY), list(evidence), LINEAGE_C)
    return weights, round(bias - float(np.log(FOUND_AT / (1 - FOUND_AT))), 2)


def story(data: Path) -> tuple[dict[str, float], float]:
    xs, ys, ws, names = [], [], [], []
    for name, share in SETS.items():
        stem = data / "grouping" / name
        stream = articles(stem.with_suffix(".articles.jsonl.gz"))
        lines = stem.with_suffix(".labels.tsv").read_text(encoding="utf-8").splitlines()
        label = dict(line.split("\t") for line in lines)
        labels = np.array([label.get(article.uri, "") for article in stream])
        later, earlier, measured = pairs(stream)
        ours, theirs = labels[later], labels[earlier]
        use = (ours != "") | (theirs != "")
        same = (ours == theirs)[use]
        evidence = matching.story_evidence(dict(zip(MEASURES, measured[use].T, strict=True)))
        names = [n for n in evidence if n != "late"]
        xs.append(columns(evidence))
        ys.append(same)
        ws.append(np.where(same, share / same.sum(), share / (~same).sum()) * 5_000)
    return learn(np.concatenate(xs), np.concatenate(ys), np.concatenate(ws), names, STORY_C)


def main(data: Path) -> None:
    out = ['"""Weights of the pair scores. Made by tools/train_join.py from the development sets; do not edit."""', ""]
    out += ["from __future__ import annotations", "", "from typing import Final", ""]
    for name, (weights, bias) in (("LINEAGE", lineage(data)), ("STORY", story(data))):
        out += [f"{name}_WEIGHTS: Final[dict[str, float]] = {{"]
        out += [f'    "{key}": {value},' for key, value in weights.items()]
        out += ["}", f"{name}_BIAS: Final = {bias}", ""]
    Path("services/core/grouping/weights.py").write_text("\n".join(out), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
