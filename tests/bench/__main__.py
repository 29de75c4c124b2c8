"""`make bench`: speed as ratios against a peer in the same run, on the same texts. Prints the table that docs/benchmarks.md shows.

Never asserted in a test.
"""

from __future__ import annotations

import itertools
import statistics
import sys
import time
from collections.abc import Callable, Sequence

import msgspec
import numpy as np

from services.contract.codec import decode, encode
from services.core.article import Article, Paragraph
from services.core.events import emit
from services.core.grouping.fingerprint import Fingerprint, fingerprint
from services.core.grouping.index import CandidateIndex
from services.core.grouping.row import Row
from services.core.wire.limits import DEFAULT
from services.local import Pipeline, replay_encoded
from services.runtime.archive import read
from tests.bench import alerting, grouping, wire
from tests.bench.redlines import by_place, show_speed
from tests.builders import CLOCK, ROOT

ROUNDS = 5
DAYS = 20
WINDOWS = (10_000, 50_000)


def newsday() -> list[Article]:
    parsed = read(ROOT / "seeds", provider=None, limits=DEFAULT)
    return [item for one in parsed for item in one.articles if isinstance(item, Article)]


def milliseconds(work: Callable[[int], object], each: int) -> float:
    """Per item, the median of ROUNDS. `work` is told the round, to mark its texts with: none meets a warm cache."""
    times = []
    for number in range(ROUNDS):
        start = time.perf_counter()
        work(number)
        times.append((time.perf_counter() - start) * 1000 / each)
    return statistics.median(times)


def marked(article: Article, number: int) -> Article:
    """The article with a word of its round behind every paragraph."""
    body = tuple(Paragraph(f"{p.text} Round{number}.", p.kind) for p in article.body)
    return msgspec.structs.replace(article, body=body)


def stages(day: Sequence[Article]) -> list[tuple[str, float]]:
    pipeline = Pipeline(clock=CLOCK)
    rows = [encode(pipeline.feed(article).step.row) for article in day]
    days = [[marked(article, 100 + n) for article in day] for n in range(3 * ROUNDS)]

    def decided(n: int) -> None:
        fresh = Pipeline(clock=CLOCK)
        for article in days[ROUNDS + n]:
            fresh.feed(article)

    def emitted(n: int) -> None:
        fresh = Pipeline(clock=CLOCK)
        for article in days[2 * ROUNDS + n]:
            list(fresh.feed(article).events())

    made = [revision for article in day for revision in Pipeline(clock=CLOCK).feed(article).step.revisions]
    follows = list(itertools.pairwise(day))
    return [
        ("difflib against the article before", milliseconds(lambda _: [by_place(*p) for p in follows], len(day))),
        ("decode a row", milliseconds(lambda _: [decode(row, Row) for row in rows], len(rows))),
        ("fingerprint", milliseconds(lambda n: [fingerprint(article) for article in days[n]], len(day))),
        ("emit a first report, its text read before", milliseconds(lambda _: [*map(emit, made)], len(made))),
        ("decide and fold (fingerprint included)", milliseconds(decided, len(day))),
        ("whole pipeline, events included", milliseconds(emitted, len(day))),
    ]


def archive(day: Sequence[Article]) -> list[tuple[str, float]]:
    """Many days in a row through `replay`, by one process and by several. Wall clock: the workers' start is in it."""
    days = [marked(article, 200 + n) for n in range(DAYS) for article in day]

    def replayed(workers: int) -> float:
        start = time.perf_counter()
        for _ in replay_encoded(days, Pipeline(clock=CLOCK), workers=workers):
            pass
        return (time.perf_counter() - start) * 1000 / len(days)

    return [("replay, one process", replayed(0)), ("replay, two workers beside it", replayed(2))]


def window(day: Sequence[Article]) -> list[tuple[str, float]]:
    """A search among few articles and among many: texts of the day, in other words every time but for half of them."""
    prints = [fingerprint(article) for article in day]
    index, found = CandidateIndex(), []
    for size in WINDOWS:
        for number in range(len(index), size):
            index.add(number, _reworded(prints[number % len(prints)], number // len(prints)), float(number))
        asked = [_reworded(prints[n % len(prints)], n) for n in range(200)]
        found.append((f"search among {size:,}", milliseconds(lambda _: [index.search(fp, 0.0) for fp in asked], 200)))  # noqa: B023
    return found


def _reworded(fp: Fingerprint, number: int) -> Fingerprint:
    def other(packed: bytes) -> bytes:
        return (np.frombuffer(packed, dtype="<u4") ^ np.uint32(number * 2654435761 & 0xFFFFFFFF)).tobytes()

    return msgspec.structs.replace(
        fp, title=other(fp.title), names=other(fp.names), bigrams=other(fp.bigrams), body_hash=f"{fp.body_hash}{number}"
    )


def show(title: str, measured: Sequence[tuple[str, float]]) -> None:
    first = measured[0][1]
    print(f"\n{title}\n\n| what | ms each | × the first |\n| --- | ---: | ---: |")
    for name, value in measured:
        print(f"| {name} | {value:.2f} | {value / first:.1f} |")


def main() -> int:
    show_speed()
    day = newsday()
    show(f"One article through the pipeline (newsday, {len(day)} articles)", stages(day))
    show(f"An archive of {DAYS} such days", archive(day))
    show("The cost of a search as the window fills", window(day))
    wire.main()
    grouping.main()
    alerting.main()
    return 0


if __name__ == "__main__":
    sys.exit(main())
