"""Score the rule `breaking` of the pack that ships against an editor's push: `python tools/score_rules.py`.

On the dev pairs (beside the checkout) the earlier text is replayed first, then the later one as its next version, and what is
counted is whether the rule rings for the second. On the newsday of seeds/ the whole day is replayed, and each item is
counted against `push` of the expected event beside its file. `--rules FILE` and `--rule NAME` score another rule, `--show`
names what differs and why.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from services.contract.rules import default_rules, read_rules
from services.core.alerting.alert import Ruling
from services.core.alerting.desk import Alerting
from services.core.alerting.rule import Rule
from services.core.article import Article, Command, Paragraph
from services.core.times import instant
from services.core.wire.limits import DEFAULT
from services.local import Pipeline
from services.runtime.archive import read_file, sources

ROOT = Path(__file__).resolve().parent.parent
DEV = ROOT.parent / "shared/data/changes/gold-dev.jsonl"
CLOCK = datetime(2026, 11, 30, 12, tzinfo=UTC)
NOW = datetime(2026, 3, 11, tzinfo=UTC)
CORRECTIONS = {"correction": "correction"}

Scored = tuple[str, bool, bool, str]
"""What it is, whether an editor would have rung, whether the rule did, and its reason."""


def rulings(rule: Rule, records: list[Article | Command]) -> list[list[Ruling]]:
    """What the rule made of each record's events, at the log's own time."""
    desk, pipeline, now = Alerting([rule], everything=True), Pipeline(clock=CLOCK), NOW
    found = []
    for record in records:
        made = []
        for event in pipeline.feed(record).events():
            at = instant(event.recordedtime) if isinstance(event.recordedtime, str) else None
            now = max(now, at) if at and now != NOW else at or now
            made += desk.feed(event, now)
            desk.tick(now)
        found.append(made)
    return found


def dev_pairs(rule: Rule) -> Iterator[Scored]:
    """Each annotated pair as two versions of one item."""
    for pair in map(json.loads, DEV.read_text(encoding="utf-8").splitlines()):
        notes = pair["annotation"]
        records: list[Article | Command] = [
            Article(
                provider="gold", uri=pair["id"], version=str(number), headline=side.get("title"), slugline=side.get("slug"),
                priority=side.get("priority"), body=tuple(Paragraph(text) for text in side["paragraphs"]),
                update_kind=CORRECTIONS.get(notes["relation"]) if number == 2 else None,
            )
            for number, side in ((1, pair["before"]), (2, pair["after"]))
        ]  # fmt: skip
        last = rulings(rule, records)[1]
        yield pair["id"], notes["push"], any(each.fired for each in last), last[0].reason if last else "no event"


def newsday(rule: Rule) -> Iterator[Scored]:
    """Each item of the newsday against the editor's line beside its file; where that says nothing of a push, none is wanted."""
    records: list[Article | Command] = []
    expected: list[tuple[str, bool]] = []
    for source in sources(ROOT / "seeds"):
        articles = read_file(source, provider=None, limits=DEFAULT).articles
        told = json.loads(Path(ROOT / "seeds" / f"{source.name.split('.')[0]}.expected.json").read_bytes())
        records += articles
        expected += [(source.name, each.get("push", False)) for each in (told if isinstance(told, list) else [told])]
    for (name, push), made in zip(expected, rulings(rule, records), strict=True):
        rang = next((each for each in made if each.fired), None)
        yield name, push, rang is not None, (rang or made[0]).reason if made else "no event"


def report(name: str, scored: list[Scored], *, show: bool) -> None:
    """One line of figures, and what differs."""
    right = sum(push and rang for _, push, rang, _ in scored)
    asked, rang = sum(push for _, push, _, _ in scored), sum(rang for _, _, rang, _ in scored)
    p, r = right / (rang or 1), right / (asked or 1)
    f1 = 2 * p * r / (p + r) if p + r else 0.0
    print(f"{name:<10} {len(scored):>3} items, {asked} pushes: P {p:.3f}  R {r:.3f}  F1 {f1:.3f}")
    for what, push, did, why in scored if show else ():
        if push != did:
            print(f"  {'missed' if push else 'rang'}: {what}: {why}")


def main() -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rules", type=Path)
    parser.add_argument("--rule", default="breaking")
    parser.add_argument("--show", action="store_true", help="name what differs, and why")
    asked = parser.parse_args()
    data, name = (asked.rules.read_bytes(), str(asked.rules)) if asked.rules else default_rules()
    rule = next((one for one in read_rules(data, name).rules if one.name == asked.rule), None)
    if rule is None:
        raise SystemExit(f"{name}: no rule {asked.rule}")
    if DEV.is_file():
        report("dev pairs", list(dev_pairs(rule)), show=asked.show)
    else:
        print(f"SKIPPED, not scored: {DEV} is not there", file=sys.stderr)
    report("newsday", list(newsday(rule)), show=asked.show)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
