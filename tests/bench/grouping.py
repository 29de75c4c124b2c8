"""Which story is it: quality beside speed, for this program and for what else is at hand, on the same articles in one run.

The peers get the threshold that suits each set best, of those that they are tried with; the program has one configuration.
Prints the tables of docs/benchmarks.md and draws docs/grouping.svg: `python -m tests.bench.grouping`. `--window 1000000` also
fills the window so far (three minutes and 4 GB for a million).
"""

from __future__ import annotations

import argparse
import math
import resource
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

import msgspec
import numpy as np
from datasketch import MinHash, MinHashLSH
from rensa import RMinHash, RMinHashLSH

from services.core.article import Article
from services.core.decision import Decision, StoryHeader
from services.core.grouping.fingerprint import Fingerprint, fingerprint
from services.core.grouping.row import Row
from services.core.grouping.state import State, Window
from services.core.language.stopwords import STOPWORDS
from services.core.language.text import words
from services.core.wire.limits import DEFAULT
from services.local import Pipeline
from services.runtime.archive import read
from services.synthetic.newsday import newsday
from tests.builders import CLOCK, ROOT, SHARED

SETS: Final = ("ecbplus", "giveme5w1h_news_cluster", "basil")
DAY: Final = 1_000
PERMUTATIONS: Final = 128
BANDS: Final = 32
NEAR: Final = (0.1, 0.2, 0.3, 0.5)
COSINES: Final = (0.15, 0.2, 0.25, 0.3, 0.35)
WINDOWS: Final = (10_000, 100_000, 1_000_000)
ASKED: Final = 300
CHART: Final = ROOT / "docs" / "grouping.svg"
Stories = list[int | str]


class Labelled(NamedTuple):
    name: str
    articles: list[Article]
    labels: list[str]


class Measured(NamedTuple):
    """BCubed F1 by set, and articles a second over all of them."""

    name: str
    f1: list[float]
    speed: float


def sets() -> Iterator[Labelled]:
    for name in SETS:
        stem = SHARED / "data" / "grouping" / name
        if not stem.with_suffix(".labels.tsv").exists():
            print(f"no {name}: it lies beside the checkout or not at all", file=sys.stderr)
            continue
        lines = stem.with_suffix(".labels.tsv").read_text(encoding="utf-8").splitlines()
        label = dict(line.split("\t") for line in lines)
        parsed = read(stem.with_suffix(".articles.jsonl.gz"), provider=None, limits=DEFAULT)
        found = [item for each in parsed for item in each.articles if isinstance(item, Article)]
        yield Labelled(name, found, [label[article.uri] for article in found])
    items = list(newsday(Random(3), DAY))  # no secret
    yield Labelled("newsday", [i.article for i in items], [i.truth.story for i in items])


def bcubed(found: Sequence[int | str], labels: Sequence[str]) -> float:
    """F1 of Bagga and Baldwin's precision and recall (1998), each article counting once."""
    cells, by_story, by_label = Counter(zip(found, labels, strict=True)), Counter(found), Counter(labels)
    precision = sum(n * n / by_story[story] for (story, _), n in cells.items()) / len(labels)
    recall = sum(n * n / by_label[label] for (_, label), n in cells.items()) / len(labels)
    return 2 * precision * recall / (precision + recall)


# -- who is asked ------------------------------------------------------------------------------------------------------


def writethru(articles: Sequence[Article], _: float) -> Stories:
    """The whole pipeline, events with their changed paragraphs included."""
    pipeline, found = Pipeline(clock=CLOCK), Stories()
    for article in articles:
        outcome = pipeline.feed(article)
        list(outcome.events())
        found.append(outcome.step.row.decision.story or article.uri)
    return found


def minhash(articles: Sequence[Article], near: float) -> Stories:
    """datasketch: runs of three words, the story of the nearest article above the threshold."""
    index, known, found = MinHashLSH(threshold=near, num_perm=PERMUTATIONS), list[MinHash](), Stories()
    for number, article in enumerate(articles):
        sketch = MinHash(num_perm=PERMUTATIONS)
        sketch.update_batch([run.encode("utf-8", "surrogatepass") for run in _runs(article)])
        alike = [(sketch.jaccard(known[n]), n) for n in index.query(sketch)]
        best = max(((j, n) for j, n in alike if j >= near), default=None)
        found.append(found[best[1]] if best else number)
        index.insert(number, sketch)
        known.append(sketch)
    return found


def rensa(articles: Sequence[Article], near: float) -> Stories:
    """rensa: the same in Rust."""
    index, known = RMinHashLSH(threshold=near, num_perm=PERMUTATIONS, num_bands=BANDS), list[RMinHash]()
    found = Stories()
    for number, article in enumerate(articles):
        sketch = RMinHash(num_perm=PERMUTATIONS, seed=42)
        sketch.update(_runs(article))
        alike = [(sketch.jaccard(known[n]), n) for n in index.query(sketch)]
        best = max(((j, n) for j, n in alike if j >= near), default=None)
        found.append(found[best[1]] if best else number)
        index.insert(number, sketch)
        known.append(sketch)
    return found


def centroids(articles: Sequence[Article], near: float) -> Stories:
    """TF-IDF with counts as they are on arrival, and the story with the nearest mean, found by its words."""
    counts: Counter[str] = Counter()
    holds: dict[str, dict[int, float]] = defaultdict(dict)
    squares: list[float] = []
    found = Stories()
    for number, article in enumerate(articles):
        text = [w for w in _words(article) if w not in STOPWORDS["en"]]
        counts.update(set(text))
        vector = {w: (1 + math.log(n)) * math.log((number + 2) / counts[w]) for w, n in Counter(text).items()}
        length = math.sqrt(sum(v * v for v in vector.values())) or 1.0
        dots: dict[int, float] = defaultdict(float)
        for word, weight in vector.items():
            for story, held in holds[word].items():
                dots[story] += weight / length * held
        best = max(((dot / math.sqrt(squares[s]), -s) for s, dot in dots.items() if squares[s]), default=(0.0, 0))
        story = -best[1] if best[0] >= near else len(squares)
        if story == len(squares):
            squares.append(0.0)
        for word, weight in vector.items():
            before = holds[word].get(story, 0.0)
            holds[word][story] = before + weight / length
            squares[story] += holds[word][story] ** 2 - before**2
        found.append(story)
    return found


def _words(article: Article) -> list[str]:
    return words("\n".join((article.headline or "", *(p.text for p in article.body))))


def _runs(article: Article) -> list[str]:
    found = _words(article)
    return sorted({" ".join(found[i : i + 3]) for i in range(max(1, len(found) - 2))})


WHO: Final[tuple[tuple[str, Callable[[Sequence[Article], float], Stories], tuple[float, ...]], ...]] = (
    ("writethru, whole replay", writethru, (0.0,)),
    ("TF-IDF, nearest centroid", centroids, COSINES),
    ("datasketch MinHashLSH", minhash, NEAR),
    ("rensa MinHash LSH", rensa, NEAR),
)


def compared(asked: Sequence[Labelled]) -> Iterator[Measured]:
    for name, group, thresholds in WHO:
        f1, seconds = [], 0.0
        for one in asked:
            start = time.process_time()
            found = [bcubed(group(one.articles, near), one.labels) for near in thresholds]
            seconds += (time.process_time() - start) / len(thresholds)
            f1.append(max(found))
        yield Measured(name, f1, sum(len(one.articles) for one in asked) / seconds)


# -- the window --------------------------------------------------------------------------------------------------------


class Filled(NamedTuple):
    size: int
    milliseconds: float
    bytes_each: float


def filled(prints: Sequence[Fingerprint], sizes: Sequence[int]) -> Iterator[Filled]:
    """A search, and the memory of an article, as the window fills: each a text with other words, names and an item of its own."""
    state = State(0, Window(articles=max(sizes) + 1))
    before, template = (
        _resident(),
        Row(edition=0, offset=0, number=0, window_start=0, input_id="", engine=1, decision=_own(0)),
    )
    asked = [_reworded(prints[n % len(prints)], 10**9 + n) for n in range(ASKED)]
    for size in sizes:
        for number in range(state.next_number, size):
            fp = _reworded(prints[number % len(prints)], number)
            article = Article(provider="bench", uri=f"urn:bench:{number}", headline="-", body=())
            decision = _own(number)
            state.fold(
                msgspec.structs.replace(
                    template,
                    offset=number,
                    number=number,
                    input_id=f"{number:032x}",
                    decision=decision,
                    article=article,
                    fingerprint=fp,
                    stories=(StoryHeader(id=decision.story or "", sequence=1),),
                )
            )
        start = time.process_time()
        for fp in asked:
            state.index.search(fp, None)
        yield Filled(size, (time.process_time() - start) * 1000 / ASKED, (_resident() - before) / size)


def _own(number: int) -> Decision:
    return Decision(
        relation="new_story", story=f"{number:032x}", lineage=f"{number:016x}", item=f"bench:urn:bench:{number}"
    )


def _reworded(fp: Fingerprint, number: int) -> Fingerprint:
    """The same text in two words of three that no other has, as in news: the rest is shared by all."""

    def other(packed: bytes) -> bytes:
        found = np.frombuffer(packed, dtype="<u4").copy()
        found[np.arange(len(found)) % 3 != 0] ^= np.uint32(number * 2654435761 & 0xFFFFFFFF)
        return found.tobytes()

    runs = np.sort(np.frombuffer(other(fp.shingles), dtype="<u4")).tobytes()
    return msgspec.structs.replace(
        fp, title=other(fp.title), body=other(fp.body), names=other(fp.names), bigrams=other(fp.bigrams), shingles=runs,
        reach=None if fp.reach is None else int(np.frombuffer(runs, dtype="<u4")[-1]), body_hash=f"{number:032x}",
    )  # fmt: skip


def _resident() -> int:
    statm = Path("/proc/self/statm")
    if statm.exists():
        return int(statm.read_text(encoding="ascii").split()[1]) * resource.getpagesize()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


# -- showing -----------------------------------------------------------------------------------------------------------


def chart(measured: Sequence[Measured]) -> str:
    """Mean F1 over articles a second (logarithmic), as SVG."""
    left, top, wide, high, lowest, highest = 60, 24, 520, 260, 10.0, 10_000.0

    def place(one: Measured) -> tuple[float, float]:
        x = left + wide * math.log(one.speed / lowest) / math.log(highest / lowest)
        return x, top + high * (1 - sum(one.f1) / len(one.f1))

    ink = 'font-family="sans-serif" font-size="12" fill="#222"'
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left + wide + 30} {top + high + 52}" role="img">',
        "<title>Quality of grouping over speed</title>",
        f'<rect width="{left + wide + 30}" height="{top + high + 52}" fill="#fff"/>',
    ]
    for tenth in range(0, 11, 2):
        y = top + high * (1 - tenth / 10)
        out.append(f'<line x1="{left}" x2="{left + wide}" y1="{y:.0f}" y2="{y:.0f}" stroke="#ddd"/>')
        out.append(f'<text x="{left - 8}" y="{y + 4:.0f}" text-anchor="end" {ink}>{tenth / 10:.1f}</text>')
    for power in range(1, 5):
        x = left + wide * (power - 1) / 3
        out.append(f'<line x1="{x:.0f}" x2="{x:.0f}" y1="{top}" y2="{top + high}" stroke="#eee"/>')
        out.append(f'<text x="{x:.0f}" y="{top + high + 18}" text-anchor="middle" {ink}>{10**power:,}</text>')
    out.append(
        f'<text x="{left + wide / 2:.0f}" y="{top + high + 40}" text-anchor="middle" {ink}>articles a second, one core</text>'
    )
    out.append(f'<text x="8" y="14" {ink}>BCubed F1, mean of the sets</text>')
    for one in measured:
        x, y = place(one)
        right = x > left + wide * 0.7
        colour = "#c0392b" if one.name.startswith("writethru") else "#34658f"
        out.append(f'<circle cx="{x:.0f}" cy="{y:.0f}" r="5" fill="{colour}"/>')
        anchor, at = ("end", x - 9) if right else ("start", x + 9)
        out.append(f'<text x="{at:.0f}" y="{y + 4:.0f}" text-anchor="{anchor}" {ink}>{one.name}</text>')
    return "\n".join([*out, "</svg>", ""])


def main(window: int = WINDOWS[0]) -> None:
    asked = list(sets())
    measured = list(compared(asked))
    total = sum(len(one.articles) for one in asked)
    print(f"\nStories found ({total:,} articles; BCubed F1 on arrival; processor time of one core)\n")
    print(f"| method | {' | '.join(one.name for one in asked)} | articles/s |")
    print(f"| --- |{' ---: |' * (len(asked) + 1)}")
    for one in measured:
        print(f"| {one.name} | {' | '.join(f'{f:.3f}' for f in one.f1)} | {one.speed:,.0f} |")
    CHART.write_text(chart(measured), encoding="utf-8")
    prints = [fingerprint(article) for one in asked for article in one.articles]
    print(
        "\nOne article as the window fills\n\n| articles in the window | ms a search | KB each |\n| ---: | ---: | ---: |"
    )
    for size, milliseconds, each in filled(prints, [size for size in WINDOWS if size <= window]):
        print(f"| {size:,} | {milliseconds:.2f} | {each / 1024:.2f} |", flush=True)


if __name__ == "__main__":
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--window", type=int, default=WINDOWS[1])
    main(ask.parse_args().window)
