"""The sets that the join is trained and scored on: every candidate pair measured once, as the pipeline would meet it.

Measuring takes minutes and nothing that `matching` decides changes it, so it is kept in a folder, by name and by the source
of the code that measures.
"""

from __future__ import annotations

import gzip
import hashlib
import pickle
from collections import deque
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec
import numpy as np
import orjson

from services.contract.codec import encode
from services.core.article import Article
from services.core.grouping.fingerprint import fingerprint
from services.core.grouping.index import CandidateIndex
from services.core.grouping.marks import Marks, read_marks
from services.core.grouping.measures import MEASURES
from services.core.grouping.slug import slug_family
from services.core.grouping.state import EXPIRIES_PER_ROW, Window
from services.core.identity import lineage_key, stamp
from services.core.times import instant
from services.core.wire import parse
from services.synthetic.newsday import newsday

LABELLED = ("basil", "ecbplus", "giveme5w1h_news_cluster", "mixed-dev")
DAY_TO_LEARN, DAY_TO_SCORE = 1, 3
DAY_ARTICLES = 3_000
CLOCK = datetime(2027, 1, 1, tzinfo=UTC)
GAP = MEASURES.index("gap")
SERVICES = Path(__file__).parents[1] / "services"


class Known(NamedTuple):
    """What the greedy replay asks of an article. `at`: log time in seconds, None before the first stamp."""

    uri: str
    key: str
    provider: str
    slug: str | None
    marks: Marks
    at: float | None


class MeasuredSet(NamedTuple):
    """A set in its order. `later`, `earlier`, `exact` and `measured` have an entry a candidate pair, by `later`; `labels`
    the story of each article, empty where it is not known.
    """

    name: str
    articles: list[Known]
    labels: np.ndarray
    reports: np.ndarray
    later: np.ndarray
    earlier: np.ndarray
    exact: np.ndarray
    measured: np.ndarray

    def fields(self) -> dict[str, np.ndarray]:
        return dict(zip(MEASURES, np.round(self.measured, 6).T, strict=True))


def labelled(data: Path, name: str, cache: Path | None = None) -> MeasuredSet:
    stem = data / "grouping" / name
    lines = stem.with_suffix(".labels.tsv").read_text(encoding="utf-8").splitlines()
    label = dict(line.split("\t") for line in lines)

    def made() -> MeasuredSet:
        stream = articles(stem.with_suffix(".articles.jsonl.gz"))
        return _measured(name, stream, [label.get(article.uri, "") for article in stream])

    return _kept(name, made, cache)


def stream(data: Path, cache: Path | None = None) -> MeasuredSet:
    """The Reuters stream, without labels: its truth is a file of pairs."""
    path = data / "stream" / "reuters21578.articles.jsonl.gz"
    return _kept("stream", lambda: _measured("stream", read := articles(path), [""] * len(read)), cache)


def day(seed: int, cache: Path | None = None) -> MeasuredSet:
    """An invented newsday. Its `reports` are first reports and coverage: what was not made of an earlier text."""

    def made() -> MeasuredSet:
        items = list(newsday(Random(seed), DAY_ARTICLES))  # noqa: S311  # no secret
        read = [parse(encode(item.article), source="newsday").articles[0] for item in items]
        stories = [item.truth.story for item in items]
        reports = [item.truth.relation in ("new_story", "coverage") for item in items]
        return _measured(f"day{seed}", [a for a in read if isinstance(a, Article)], stories, reports)

    return _kept(f"day{seed}", made, cache)


def articles(path: Path) -> list[Article]:
    with gzip.open(path) as lines:
        return [_article(orjson.loads(line)) for line in lines]


def _article(record: dict[str, Any]) -> Article:
    body = [p if isinstance(p, dict) else {"text": p} for p in record.get("body") or []]
    version = None if record.get("version") is None else str(record["version"])
    known = {k: v for k, v in record.items() if k in Article.__struct_fields__}
    return msgspec.convert(known | {"version": version, "body": body}, Article, strict=False)


def _measured(name: str, read: list[Article], labels: list[str], reports: Iterable[bool] | None = None) -> MeasuredSet:
    index, window = CandidateIndex(), Window().age.total_seconds()
    live: deque[tuple[int, float | None]] = deque()
    known: list[Known] = []
    later, earlier, exact, rows = [], [], [], []
    now: datetime | None = None
    for number, sent in enumerate(read):
        article = stamp(sent, previous=now, clock=CLOCK)
        now = instant(article.received_at) or now
        at = now.timestamp() if now else None
        for _ in range(
            EXPIRIES_PER_ROW
        ):  # as the state does: in order, so that rows from before the first stamp hold all
            if not live or at is None or (oldest := live[0][1]) is None or at - oldest <= window:
                break
            index.remove(live.popleft()[0])
        fp, marks = fingerprint(article), read_marks(article)
        found = index.measured(fp, at, article.provider)
        if found is not None:
            near = ~(found.measures[:, GAP] * 3600 > window)
            rows.append(found.measures[near])
            later += [number] * int(near.sum())
            earlier += np.array(found.numbers)[near].tolist()
            exact += found.exact[near].tolist()
        known.append(
            Known(article.uri, lineage_key(article), article.provider, slug_family(article.slugline), marks, at)
        )
        if marks.ending is None and not marks.is_notice and not marks.is_advisory:
            index.add(number, fp, at, article.provider)
            live.append((number, at))
    told = np.ones(len(read), dtype=np.bool_) if reports is None else np.array(list(reports))
    return MeasuredSet(
        name, known, np.array(labels), told, np.array(later), np.array(earlier), np.array(exact), np.concatenate(rows)
    )


def _kept(name: str, made: Any, cache: Path | None) -> MeasuredSet:
    if cache is None:
        return made()
    path = cache / f"{name}-{_source()}.pickle"
    if path.exists():
        return pickle.loads(path.read_bytes())  # noqa: S301  # written below, by whoever runs this
    result = made()
    cache.mkdir(parents=True, exist_ok=True)
    path.write_bytes(pickle.dumps(result))
    return result


def _source() -> str:
    """Of the code that measures: the language, fingerprint, index and measures; not of what weighs."""
    grouping = [SERVICES / "core" / "grouping" / f"{name}.py" for name in ("fingerprint", "index", "measures", "slug")]
    files = [
        *grouping,
        *sorted((SERVICES / "core" / "language").glob("*.py")),
        *sorted(SERVICES.glob("synthetic/*.py")),
    ]
    return hashlib.blake2b(b"".join(path.read_bytes() for path in files), digest_size=6).hexdigest()
