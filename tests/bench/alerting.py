"""Ten thousand rules against the newsday's events: found by what they need, beside asking each rule about each event.

Rules are made of words that the newsday says and of words that it does not, so that some ring: `python -m tests.bench.alerting`.
"""

from __future__ import annotations

import random
import time
from datetime import timedelta

import msgspec

from services.core.alerting.desk import Alerting
from services.core.alerting.rule import NumberMoves, Rule, When
from services.core.alerting.seen import Seen
from services.core.events import Event
from services.core.times import instant
from services.core.wire.limits import DEFAULT
from services.local import Pipeline
from services.runtime.archive import read
from tests.builders import CLOCK, ROOT

RULES = 10_000
KNOWN = 0.03
"""Share of the words in rules that the newsday says somewhere: some rules ring with each event."""
DAYS = 12
ONE_BY_ONE = 20
"""Events for which each rule is asked: all of them would take minutes."""


def rules(count: int, words: list[str], seed: int = 7) -> list[Rule]:
    """Rules as desks write them: most name something, some follow a provider or figures, all want a change."""
    draw = random.Random(seed)

    def one(number: int) -> When:
        some = [draw.choice(words) if draw.random() < KNOWN else f"name{draw.randrange(50_000)}" for _ in range(3)]
        return [
            When(query=f"{some[0]} AND {some[1]}", push=True), When(query=f'"{some[0]} {some[1]}" OR {some[2]}'),
            When(query=f"{some[0]} -{some[1]}", new_development=True), When(quoted=(some[0],), query=some[1]),
            When(query=f"headline:{some[0]}", numbers=NumberMoves(by="10%")),
        ][number % 5]  # fmt: skip

    return [Rule(name=f"rule-{number}", when=one(number), channels=("a",)) for number in range(count)]


def day() -> list[Event]:
    """The newsday's events."""
    pipeline = Pipeline(clock=CLOCK)
    records = [item for one in read(ROOT / "seeds", provider=None, limits=DEFAULT) for item in one.articles]
    return [event for record in records for event in pipeline.feed(record).events()]


def days(count: int) -> list[Event]:
    """So many newsdays, each with stories of its own."""
    return [_on_day(event, number) for number in range(count) for event in day()]


def _on_day(event: Event, number: int) -> Event:
    story = msgspec.structs.replace(event.data.story, id=f"{number:04x}{event.data.story.id[4:]}")
    data = msgspec.structs.replace(event.data, story=story)
    return msgspec.structs.replace(event, id=f"{number:04x}{event.id[4:]}", subject=story.id, data=data)


def per_second(asked: list[Rule], events: list[Event], *, everything: bool) -> tuple[float, int]:
    """Events per second of one core's time, their reading and the alerts included, and how many rulings rang."""
    desk, rang = Alerting(asked, everything=everything), 0
    now = instant("2026-03-11T05:00:00Z")
    assert now is not None
    start = time.process_time()
    for event in events:
        now += timedelta(milliseconds=1)
        rang += sum(ruling.fired for ruling in desk.feed(event, now))
        desk.tick(now)
        desk.memory.changed()
    return len(events) / (time.process_time() - start), rang


def lines() -> list[str]:
    """The table's lines."""
    events = days(DAYS)
    words = sorted({w for e in events[:100] for w in Seen(e).vocabulary("text") if w.isalpha() and len(w) > 5})
    asked = rules(RULES, words)
    fast, rang = per_second(asked, events, everything=False)
    slow, some = per_second(asked, events[:ONE_BY_ONE], everything=True)
    _, check = per_second(asked, events[:ONE_BY_ONE], everything=False)
    assert some == check, "the index and asking each rule disagree"
    return [
        f"| {RULES:,} rules, indexed | {fast:,.0f} events/s | {rang / len(events):.1f} ring per event |",
        f"| {RULES:,} rules, one by one | {slow:,.1f} events/s | × {fast / slow:,.0f} |",
    ]


def main() -> None:
    """Print the table."""
    print(
        "\nRules on the newsday's events, per second of one core\n\n| rules | speed | |\n| --- | --- | --- |",
        *lines(),
        sep="\n",
    )


if __name__ == "__main__":
    main()
