"""Score `writethru diff` and `replay` on our own annotated pairs, beside the dev pairs: `python tools/score_gold.py`.

The labels in tests/gold/changes hold no text (tests/gold/changes/README.md says what they hold). This joins them with the
articles, those of the newsday from seeds/ and those of the Reuters stream from beside the checkout, and calls the score
tool that lies there too. Parts are named by their file: `python tools/score_gold.py reuters-a --show r1-2`. Where the data
or the tool is absent, nothing is scored: that is said, and the exit code is 0.
"""

from __future__ import annotations

import argparse
import gzip
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from services.core.article import Article
from services.core.wire.limits import DEFAULT
from services.runtime.archive import read_file, sources

ROOT = Path(__file__).resolve().parent.parent
LABELS = ROOT / "tests/gold/changes"
SHARED = ROOT.parent / "shared"
SCORER = SHARED / "tools/score_changes.py"
DEV = SHARED / "data/changes/gold-dev.jsonl"
STREAM = SHARED / "data/stream/reuters21578.articles.jsonl.gz"
LABEL_FIELDS = (
    "same_story", "relation", "later_form", "lead_changed", "headline_changed", "push", "push_reason", "new_development",
    "numbers_changed", "alignment",
)  # fmt: skip

Json = dict[str, Any]


def pairs(part: Path) -> list[Json]:
    """The pairs of one file of labels, as they stand there."""
    return [json.loads(line) for line in part.read_text(encoding="utf-8").splitlines() if line.strip()]


def stream_sides(wanted: set[str]) -> dict[str, Json]:
    """Id → what the score tool reads of an article of the Reuters stream."""
    found = {}
    with gzip.open(STREAM, "rt", encoding="utf-8") as lines:
        for article in map(json.loads, lines):
            if article["uri"] in wanted:
                found[article["uri"]] = _side(
                    article["headline"], article["body"], article["version_created"],
                    slug=article.get("slugline"), dateline=article.get("dateline"), priority=article.get("priority"),
                )  # fmt: skip
    return found


def newsday_sides(wanted: set[str]) -> dict[str, Json]:
    """Id → the same, of the newsday in seeds/: `NAME`, or `NAME#N` for the N-th item (from 0) of a file of several."""
    files, found = {source.name.split(".")[0]: source for source in sources(ROOT / "seeds")}, {}
    for name in wanted:
        stem, _, place = name.partition("#")
        if stem not in files:
            continue
        items = read_file(files[stem], provider=None, limits=DEFAULT).articles
        article = items[int(place or 0)]
        if isinstance(article, Article):
            found[name] = _side(
                article.headline, [paragraph.text for paragraph in article.body], article.version_created,
                slug=article.slugline, dateline=article.dateline, priority=article.priority,
            )  # fmt: skip
    return found


def _side(headline: str | None, body: list[str], created: str | None, **rest: str | None) -> Json:
    return {"title": headline, "paragraphs": body, "date": created, **rest}


def faults(pair: Json, before: Json, after: Json) -> list[str]:
    """What cannot be right in a pair's labels, whatever one thinks of the texts."""
    wrong = [f"no {name}" for name in LABEL_FIELDS if name not in pair]
    for name, side in (("before", before), ("after", after)):
        named = sorted(i for entry in pair.get("alignment", ()) for i in entry[name])
        if named != list(range(len(side["paragraphs"]))):
            wrong.append(f"{name}: labels of {named} for {len(side['paragraphs'])} paragraphs")
    for entry in pair.get("alignment", ()) if not wrong else ():
        old, new = ([side["paragraphs"][i] for i in entry[n]] for n, side in (("before", before), ("after", after)))
        if (entry["op"] == "unchanged") != (old == new) and not (entry["op"] == "moved" and old == new):
            wrong.append(f"{entry['before']}>{entry['after']}: {entry['op']}, yet the texts say otherwise")
        if entry["op"] in ("added", "removed", "stands") and old and new:
            wrong.append(f"{entry['before']}>{entry['after']}: {entry['op']} on both sides")
    return wrong


def joined(labelled: Iterable[Json]) -> list[Json]:
    """Pairs with their texts, as gold-dev.jsonl has them. Raises SystemExit naming every pair that does not fit its texts."""
    labelled = list(labelled)
    wanted = {pair[side]["id"] for pair in labelled for side in ("before", "after")}
    sides = newsday_sides(wanted)
    sides |= stream_sides(wanted - sides.keys())
    if lost := sorted(wanted - sides.keys()):
        raise SystemExit(f"no such articles: {', '.join(lost)}")
    gold, wrong = [], []
    for pair in labelled:
        before, after = ({**pair[side], **sides[pair[side]["id"]]} for side in ("before", "after"))
        wrong += [f"{pair['id']}: {fault}" for fault in faults(pair, before, after)]
        notes = {name: pair[name] for name in pair.keys() - {"id", "before", "after"}}
        gold.append({"id": pair["id"], "before": before, "after": after, "annotation": notes})
    if wrong:
        raise SystemExit("\n".join(wrong))
    return gold


def score(name: str, gold: Path, rest: list[str]) -> int:
    """Print one line of figures for a gold file; the score tool's exit code."""
    print(f"{name} ({len(gold.read_text(encoding='utf-8').splitlines())} pairs)", flush=True)
    return subprocess.run([sys.executable, SCORER, gold, *rest], check=False).returncode  # noqa: S603  # our own files


def main() -> int:
    """Score the parts asked for, all of ours together, and the dev pairs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "parts", nargs="*", help="files of tests/gold/changes, without .jsonl (default: all, and gold-dev)"
    )
    parser.add_argument("--writethru", default=".venv/bin/writethru")
    parser.add_argument("--show", help="print what was said of one pair, and where the labels differ")
    parser.add_argument(
        "--check", action="store_true", help="only see that the labels fit the texts; nothing is scored"
    )
    asked = parser.parse_args()
    if absent := [path for path in (SCORER, DEV, STREAM) if not path.is_file()]:
        print(f"SKIPPED, nothing was scored: {', '.join(map(str, absent))} not there", file=sys.stderr)
        return 0
    parts = [LABELS / f"{name}.jsonl" for name in asked.parts] or sorted(LABELS.glob("*.jsonl"))
    gold = {part.stem: joined(pairs(part)) for part in parts}
    if asked.check:
        print("\n".join(f"{name}: {len(some)} pairs fit their texts" for name, some in gold.items()))
        return 0
    if len(gold) > 1:
        gold["all ours"] = [pair for some in list(gold.values()) for pair in some]
    rest = ["--writethru", asked.writethru, *(["--show", asked.show] if asked.show else [])]
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        for name, some in gold.items():
            file = Path(scratch) / f"{name}.jsonl"
            file.write_text("".join(json.dumps(pair) + "\n" for pair in some), encoding="utf-8")
            failed |= score(name, file, rest)
    return failed if asked.parts else failed | score("gold-dev", DEV, rest)


if __name__ == "__main__":
    raise SystemExit(main())
