"""Redlines beside their peers on the same pairs: difflib in three manners, diff-match-patch, rapidfuzz. And how cost grows.

Peers that only mark edits are faster and answer less. What does the same as `align` with its spans is difflib told to find each
paragraph's likest and then its words: it knows no other way to say which paragraph became which.
"""

from __future__ import annotations

import difflib
import gzip
import itertools
import json
import math
import random
import time
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from diff_match_patch import diff_match_patch
from rapidfuzz.distance import Levenshtein

from services.core.article import Article, Paragraph
from services.core.meaning.compare import compare
from services.core.redline.alignment import align, paragraph_changes
from tests.builders import SHARED

ROUNDS = 3
EVERY = 4
"""Of the stream's pairs every fourth: two of the peers take tenths of a second for one."""
SIZES = (125, 250, 500, 1000, 2000)
SLOW = 250
"""Paragraphs up to which difflib is asked too."""
Pair = tuple[Article, Article]


def real_pairs() -> tuple[str, list[Pair]]:
    """The annotated pairs and the update pairs of the stream beside the checkout; none where it is absent."""
    gold = SHARED / "data" / "changes" / "gold-dev.jsonl"
    stream = SHARED / "data" / "stream"
    if not gold.exists():
        return "", []
    sides = [json.loads(line) for line in gold.read_text(encoding="utf-8").splitlines()]
    found = [(_article(g["before"]["paragraphs"]), _article(g["after"]["paragraphs"])) for g in sides]
    with gzip.open(stream / "reuters21578.articles.jsonl.gz", "rt", encoding="utf-8") as lines:
        bodies = {each["uri"]: each["body"] for each in map(json.loads, lines)}
    updates = (stream / "update-pairs-dev.tsv").read_text(encoding="utf-8").splitlines()[1:]
    named = [line.split("\t")[:2] for line in updates[::EVERY]]
    found += [(_article(bodies[old]), _article(bodies[new])) for old, new in named]
    return f"{len(sides)} annotated, {len(named)} of a stream", found


def _article(paragraphs: Sequence[str]) -> Article:
    return Article(provider="gold", uri="a", language="en", body=tuple(Paragraph(text) for text in paragraphs))


def by_place(old: Article, new: Article) -> None:
    """difflib over paragraphs, then over the words of those that differ, first with first: it marks, and aligns nothing."""
    before, after = [p.text for p in old.body], [p.text for p in new.body]
    for op, i, j, k, m in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if op == "replace":
            for one, other in zip(before[i:j], after[k:m], strict=False):
                difflib.SequenceMatcher(None, one.split(), other.split(), autojunk=False).get_opcodes()


def by_likeness(old: Article, new: Article) -> None:
    """difflib: equal paragraphs first; each other one with its likest by words; then the words of the two."""
    before, after = [p.text.split() for p in old.body], [p.text.split() for p in new.body]
    equal = {" ".join(words) for words in before} & {" ".join(words) for words in after}
    left = [words for words in before if " ".join(words) not in equal]
    matcher: difflib.SequenceMatcher[str] = difflib.SequenceMatcher(None, autojunk=False)
    for words in after:
        if " ".join(words) in equal:
            continue
        matcher.set_seq2(words)
        best: tuple[float, list[str]] = (0.0, [])
        for other in left:
            matcher.set_seq1(other)
            if matcher.real_quick_ratio() > best[0] and matcher.quick_ratio() > best[0]:
                best = max(best, (matcher.ratio(), other), key=lambda found: found[0])
        matcher.set_seq1(best[1])
        matcher.get_opcodes()


def by_ndiff(old: Article, new: Article) -> None:
    """difflib's own two levels: `ndiff` pairs lines by likeness and marks their letters, as `HtmlDiff` shows them."""
    list(difflib.ndiff([p.text for p in old.body], [p.text for p in new.body]))


def by_diff_match_patch(old: Article, new: Article) -> None:
    """Words of the whole text, each as one letter, as its authors advise; letter by letter a rewritten text takes seconds."""
    letters: dict[str, str] = {}
    before, after = (
        "".join(letters.setdefault(w, chr(0x100 + len(letters))) for p in each.body for w in p.text.split())
        for each in (old, new)
    )
    differ: Any = diff_match_patch()
    differ.Diff_Timeout = 0
    differ.diff_cleanupSemantic(differ.diff_main(before, after, checklines=False))


def by_rapidfuzz(old: Article, new: Article) -> None:
    """Words of the whole text, in C++: the least that any redline costs."""
    Levenshtein.opcodes([w for p in old.body for w in p.text.split()], [w for p in new.body for w in p.text.split()])


def redlined(old: Article, new: Article) -> None:
    """Ours: which paragraph became which, with splits, merges and moves, and the words that changed in it."""
    paragraph_changes(align(old.body, new.body), old.body, new.body)


def marked(article: Article, name: str) -> Article:
    """The article with a word of its round behind every paragraph: none meets a warm cache."""
    return msgspec.structs.replace(article, body=tuple(Paragraph(f"{p.text} {name}.", p.kind) for p in article.body))


def timed(work: Callable[[Article, Article], object], pairs: Sequence[Pair], name: str) -> float:
    """CPU milliseconds a pair, the least of the rounds: what else the machine does is no part of it."""
    times = []
    for number in range(ROUNDS):
        texts = [(marked(old, f"{name}{number}"), marked(new, f"{name}{number}")) for old, new in pairs]
        start = time.process_time()
        for old, new in texts:
            work(old, new)
        times.append((time.process_time() - start) * 1000 / len(pairs))
    return min(times)


PEERS: tuple[tuple[str, Callable[[Article, Article], object]], ...] = (
    ("difflib, each paragraph with its likest, then words", by_likeness),
    ("difflib.ndiff (paragraphs, then letters)", by_ndiff),
    ("difflib, paragraphs, then words, first with first", by_place),
    ("diff-match-patch, words of the whole text", by_diff_match_patch),
    ("rapidfuzz opcodes, words of the whole text", by_rapidfuzz),
    ("**align**: which paragraph became which", lambda old, new: align(old.body, new.body)),
    ("**align and spans**: and which words", redlined),
    ("**compare**: and numbers, quotes, names, labels, push", compare),
)


def speed(pairs: Sequence[Pair]) -> list[tuple[str, float]]:
    """Each way of comparing, CPU ms a pair."""
    return [(name, timed(work, pairs, f"Round{n}x")) for n, (name, work) in enumerate(PEERS)]


def grown() -> list[tuple[int, float, float | None]]:
    """Documents of so many paragraphs, one in three edited and some moved: CPU ms of ours and of difflib by likeness."""
    rows = []
    for size in SIZES:
        pair = [_document(size)]
        rows.append((size, timed(redlined, pair, "Long"), _once(by_likeness, pair[0]) if size <= SLOW else None))
    return rows


def _once(work: Callable[[Article, Article], object], pair: Pair) -> float:
    start = time.process_time()
    work(*pair)
    return (time.process_time() - start) * 1000


def _document(size: int) -> Pair:
    dice = random.Random(size)  # a text, no secret
    words = [
        f"{a}{b}{c}"
        for a, b, c in itertools.product(
            ["bor", "kel", "tan", "mir"], ["a", "e", "o"], ["sk", "lin", "dorf", "mer", "ten"]
        )
    ]
    words += [f"{word}{n}" for n, word in enumerate(words)] + ["the", "of", "and", "said", "on", "in"] * 20
    before = [" ".join(dice.choices(words, k=dice.randint(15, 45))) + "." for _ in range(size)]
    after = list(before)
    for n in range(0, size, 3):
        text = after[n].split()
        text[dice.randrange(len(text))] = dice.choice(words)
        after[n] = " ".join(text)
    for _ in range(size // 50):
        after.insert(dice.randrange(len(after)), after.pop(dice.randrange(len(after))))
    return _article(before), _article(after)


def show_speed() -> None:
    """Print both tables."""
    where, pairs = real_pairs()
    if not pairs:
        print("\nRedlines beside their peers: left out, the real pairs are not beside this checkout")
    else:
        rows = speed(pairs)
        ours = dict(rows)["**align and spans**: and which words"]
        print(f"\nTwo versions compared ({len(pairs)} real pairs: {where})\n")
        print("| what | CPU ms a pair | beside align and spans |\n| --- | ---: | ---: |")
        for name, value in rows:
            print(f"| {name} | {value:.2f} | {value / ours:.2f} |")
    print("\nA long document, one paragraph in three edited, some moved\n")
    print(
        "| paragraphs | align and spans, ms | per n log n, beside the first | difflib by likeness, ms |\n| ---: | ---: | ---: | ---: |"
    )
    first = 0.0
    for size, value, peer in grown():
        cost = value / (size * math.log2(size))
        first = first or cost
        print(f"| {size:,} | {value:.0f} | {cost / first:.2f} | {'' if peer is None else f'{peer:.0f}'} |")
