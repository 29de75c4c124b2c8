"""A day of invented news, or many: stories begin, go on, are copied, covered, corrected and killed, all in order of time.

The same random numbers give the same items. Nothing here is taken from any agency.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from random import Random
from typing import Final, NamedTuple

from services.core.article import Article
from services.synthetic import english, more_english, other_languages
from services.synthetic.coverage import copied, covered
from services.synthetic.facts import Facts
from services.synthetic.report import Report
from services.synthetic.truth import Edit, Item
from services.synthetic.wire import AGENCIES, Wire

START: Final = datetime(2026, 3, 9, 5, tzinfo=timezone(timedelta(hours=1)))
STORIES_A_DAY: Final = 500
"""As at a desk with a dozen wires."""
BETWEEN_STEPS: Final = timedelta(minutes=25)
"""Mean time between two items of a story."""
GOES_ON: Final = 0.75
"""Chance that a story has one more item; four in the mean."""
KINDS: Final = (*english.KINDS, *more_english.KINDS, *other_languages.KINDS)
STEPS: Final[dict[Edit, int]] = {
    "copied": 20, "copied_trimmed": 12, "covered": 10, "moved_on": 16, "added": 14, "quoted": 6, "background": 5,
    "trimmed": 4, "reordered": 3, "quote_dropped": 3, "typography": 4, "corrected": 5, "resent": 4, "killed": 2,
}  # fmt: skip
"""How often each comes, in parts."""


class _Coming(NamedTuple):
    """The next item of a story, by its time; `number` decides between two of the same second."""

    at: datetime
    number: int
    item: Item
    rest: Iterator[tuple[datetime, Item]]


def newsday(rng: Random, articles: int, *, stories_a_day: int = STORIES_A_DAY) -> Iterator[Item]:
    """So many items, in the order in which they come in; at a thousand articles or so the day is not yet over."""
    coming: list[_Coming] = []
    next_story, number = START, 0
    for _ in range(articles):
        while not coming or next_story <= coming[0].at:
            told = _story(Random(rng.getrandbits(64)), number, next_story.replace(microsecond=0))  # noqa: S311  # no secret
            _await(coming, number, told)
            number += 1
            next_story += timedelta(days=1) / stories_a_day * rng.expovariate(1)
        first = heapq.heappop(coming)
        yield first.item
        _await(coming, first.number, first.rest)


def _await(coming: list[_Coming], number: int, told: Iterator[tuple[datetime, Item]]) -> None:
    if (following := next(told, None)) is not None:
        heapq.heappush(coming, _Coming(*following[:1], number, following[1], told))


def _story(rng: Random, number: int, at: datetime) -> Iterator[tuple[datetime, Item]]:
    """One story's items with their times: a first report, then steps until nobody sends any more, or a kill."""
    kind = rng.choice(KINDS)
    facts = Facts(rng, kind.language, at.weekday())
    report = Report(rng, kind, facts)
    wire = Wire(rng, rng.choice(AGENCIES[kind.language]), report, number)
    if kind.rings and rng.random() < 0.3:
        yield at, wire.first("flash", at)
    else:
        for _ in kind.lines:
            report.tell("lines")
        for name in ("quotes", "background"):
            if rng.random() < 0.6:
                report.tell(name)
        yield at, wire.first("first", at)
    seen: list[Article] = []
    while rng.random() < GOES_ON:
        at = (at + timedelta(seconds=60) + BETWEEN_STEPS * rng.expovariate(1)).replace(microsecond=0)
        edit = rng.choices(tuple(STEPS), tuple(STEPS.values()))[0]
        if edit in ("copied", "copied_trimmed"):
            item = copied(wire, edit, at, seen)
        elif edit == "covered":
            item = covered(wire, at, seen)
        else:
            item = wire.step(edit, at)
        if item is None:
            continue
        yield at, item
        seen.append(item.article)
        if edit == "killed":
            return
