"""The program against an invented newsday whose truth is known: `python tools/score_newsday.py --articles 3000 --seed 1`.

Stories are scored by BCubed over the stories as they are at the end; links by whether a version hangs on the one before it
and a copy on what it copies; labels by paragraph, against all that the story has said. Texts are far more alike than a real
wire's (a few dozen sentences with other names), so look-alikes are what this gold is hardest on.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from random import Random
from typing import NamedTuple

from services.contract.codec import encode
from services.core.article import Article
from services.core.change import NEW_DEVELOPMENTS, Change
from services.core.events import event_kind
from services.core.wire import parse
from services.local import Outcome, Pipeline
from services.synthetic.newsday import STORIES_A_DAY, newsday
from services.synthetic.truth import NEVER_RINGS, Item, Truth

CLOCK = datetime(2027, 1, 1, tzinfo=UTC)


class Told(NamedTuple):
    """An item's truth and what the program made of it. `story` is the one it belongs to at the end."""

    truth: Truth
    outcome: Outcome
    kind: str
    change: Change | None
    story: str | None


def play(items: Iterable[Item]) -> list[Told]:
    """All items through a fresh pipeline, as Article JSON that came in from outside."""
    pipeline, told = Pipeline(clock=CLOCK), list[tuple[Truth, Outcome, str, Change | None]]()
    for item in items:
        (article,) = parse(encode(item.article), source="newsday").articles
        assert isinstance(article, Article)
        outcome = pipeline.feed(article)
        (event,) = outcome.events()
        told.append((item.truth, outcome, event_kind(event), event.data.change))
    return [Told(*some, story=_final(pipeline, some[1])) for some in told]


def _final(pipeline: Pipeline, outcome: Outcome) -> str | None:
    story = outcome.step.row.decision.story
    return pipeline.state.final(story) if story else None


def bcubed(told: list[Told]) -> tuple[float, float]:
    """Precision and recall of the stories, each article counting once (Bagga and Baldwin 1998)."""
    cells = Counter((t.truth.story, t.story) for t in told)
    true, found = Counter(t.truth.story for t in told), Counter(t.story for t in told)
    precision = sum(n * n / found[story] for (_, story), n in cells.items()) / len(told)
    recall = sum(n * n / true[story] for (story, _), n in cells.items()) / len(told)
    return precision, recall


def labels(told: Told) -> Iterator[tuple[str, str]]:
    """(true, found) of each paragraph that has a truth, in versions, copies and coverage."""
    entries = told.change.paragraphs if told.change else ()
    at = {one.index: entry.development for entry in entries for one in entry.after}
    for place, label in enumerate(told.truth.paragraphs):
        development = at.get(place, "none")
        found = "new" if development in NEW_DEVELOPMENTS else "background" if development == "context_added" else "old"
        if label is not None:
            yield label, found


def rates(pairs: Counter[tuple[str, str]], label: str) -> str:
    hit = pairs[label, label]
    found = sum(n for (_, f), n in pairs.items() if f == label)
    true = sum(n for (t, _), n in pairs.items() if t == label)
    return f"precision {_share(hit, found)}  recall {_share(hit, true)}  of {true}"


def report(told: list[Told]) -> Iterator[str]:
    precision, recall = bcubed(told)
    f1 = 2 * precision * recall / (precision + recall)
    yield f"stories   BCubed precision {precision:.3f}  recall {recall:.3f}  F1 {f1:.3f}"
    yield f"          {len({t.truth.story for t in told})} true, {len({t.story for t in told})} found, {len(told)} articles"
    versions = [t for t in told if t.truth.predecessor]
    right = sum(t.outcome.predecessor == t.truth.predecessor for t in versions)
    firsts = [t for t in told if t.truth.relation == "new_story"]
    linked = sum(t.outcome.predecessor is not None for t in told)
    yield f"links     precision {_share(right, linked - _copies(told))}  recall {_share(right, len(versions))}  of {len(versions)}"
    yield f"          {sum(t.kind != 'created' for t in firsts)} of {len(firsts)} first reports put into another story"
    copies = [t for t in told if t.truth.relation == "copy" and t.truth.copy_of]
    inputs = {t.truth.ref: t.outcome.step.row.input_id for t in told}
    of = [t for t in copies if (c := t.outcome.step.row.decision.copy_of) and c.input == inputs[t.truth.copy_of or ""]]
    since = [t for t in of if (c := t.outcome.step.row.decision.copy_of) and c.since == t.truth.since]
    yield f"copies    {_share(len(of), len(copies))} name what they copy, {_share(len(since), len(of))} of those what became of it"
    pairs: Counter[tuple[str, str]] = Counter()
    for t in told:
        if t.truth.relation != "new_story":
            pairs.update(labels(t))
    yield f"new       {rates(pairs, 'new')}"
    background = {found: n for (true, found), n in pairs.items() if true == "background"}
    yield f"backgr.   {_share(background.get('background', 0), sum(background.values()))} of {sum(background.values())} are read as such"
    never = [t for t in told if t.truth.edit in NEVER_RINGS]
    moved = [t for t in told if t.truth.edit == "moved_on" and t.truth.push]
    yield f"push      {_pushes(never)} of {len(never)} that nobody wants; {_share(_pushes(moved), len(moved))} of {len(moved)} tolls"
    yield ""
    yield f"{'edit':15}{'items':>6}  {'story':>6}{'relation':>10}{'verdict':>9}  what it is taken for otherwise"
    by_edit: dict[str, list[Told]] = defaultdict(list)
    for t in told:
        by_edit[t.truth.edit].append(t)
    founded = {t.truth.story: t.story for t in reversed(told)}
    for edit, some in sorted(by_edit.items(), key=lambda pair: -len(pair[1])):
        home = sum(t.story == founded[t.truth.story] for t in some)
        relation = sum(_decided(t) == (t.truth.relation, t.truth.action) for t in some)
        judged = [t for t in some if t.truth.news is not None]
        verdict = sum(bool(t.change and t.change.new_development.yes) == t.truth.news for t in judged)
        wrong = Counter("/".join(_decided(t)) for t in some if _decided(t) != (t.truth.relation, t.truth.action))
        others = ", ".join(f"{name} {n}" for name, n in wrong.most_common(3))
        yield (
            f"{edit:15}{len(some):>6}  {_share(home, len(some)):>6}{_share(relation, len(some)):>10}"
            f"{_share(verdict, len(judged)):>9}  {others}"
        )


def _decided(told: Told) -> tuple[str, str]:
    decision = told.outcome.step.row.decision
    return decision.relation, decision.action


def _copies(told: list[Told]) -> int:
    return sum(t.outcome.predecessor is not None and t.truth.predecessor is None for t in told if t.truth.copy_of)


def _pushes(told: list[Told]) -> int:
    return sum(bool(t.change and t.change.push.yes) for t in told)


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.3f}" if whole else "-"


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--articles", type=int, default=3_000)
    ask.add_argument("--seed", type=int, default=1)
    ask.add_argument("--stories-a-day", type=int, default=STORIES_A_DAY, help="how close look-alikes stand in time")
    asked = ask.parse_args()
    for line in report(play(newsday(Random(asked.seed), asked.articles, stories_a_day=asked.stories_a_day))):  # noqa: S311  # no secret
        print(line)


if __name__ == "__main__":
    main()
