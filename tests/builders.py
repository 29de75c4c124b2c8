"""Short ways to make articles and run them through the pipeline. The words are invented."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from services.core.article import Article, Command, Paragraph
from services.core.events import Event, event_kind
from services.core.grouping.state import Window
from services.local import Outcome, Pipeline

CLOCK = datetime(2026, 11, 30, 12, tzinfo=UTC)
ROOT = Path(__file__).parent.parent
SHARED = ROOT.parent / "shared"

FERRY = (
    "The ferry Sanna Lind caught fire in the Vesk strait on Monday and 12 people were killed, the coastguard said.",
    "The blaze began in the engine room shortly before dawn, captain Oda Renk told rescuers by radio.",
    "Two lifeboats reached the harbour of Tarmouth by noon with 140 survivors on board.",
    "Fog kept helicopters on the ground for most of the morning.",
)
UPDATED_FERRY = (
    FERRY[0].replace("12 people", "15 people"),
    *FERRY[1:],
    "Divers will search the car deck at first light.",
)
BUDGET = (
    "Parliament in Norrabad passed the spending bill by a single vote late on Monday, ending a month of deadlock.",
    "Finance minister Ilse Kort said the deficit would fall to 3.1 percent of output next year.",
    "The opposition vowed to challenge the fuel levy in court before the summer recess.",
)
HARVEST = (
    "Almond growers in the Ribera valley expect their smallest harvest in a decade after frost in late March.",
    "The growers' union put losses at 46 million crowns and asked the region for emergency credit.",
    "Warehouses in Santolla still hold a third of last season's crop, traders said.",
)


def make(uri: str = "ferry", body: Iterable[str] = FERRY, **fields: Any) -> Article:
    """An article of provider "nordwire" with these paragraphs."""
    fields = {"provider": "nordwire", "language": "en", **fields}
    return Article(uri=uri, body=tuple(Paragraph(text) for text in body), **fields)


def at(clock: str) -> str:
    """A time on the day of the tests: "07:30" → "2026-03-11T07:30:00Z"."""
    return f"2026-03-11T{clock}:00Z"


def run(records: Iterable[Article | Command], *, window: Window | None = None) -> tuple[Pipeline, list[Outcome]]:
    """All records through a fresh pipeline."""
    pipeline = Pipeline(clock=CLOCK, window=window)
    return pipeline, [pipeline.feed(record) for record in records]


def kinds(outcomes: Iterable[Outcome]) -> list[str]:
    """The events' kinds, in order."""
    return [event_kind(event) for outcome in outcomes for event in outcome.events()]


def events(outcomes: Iterable[Outcome]) -> list[Event]:
    return [event for outcome in outcomes for event in outcome.events()]


def shared(*parts: str) -> Path:
    """A file of the measuring data; the test is skipped, loudly, where it is absent."""
    path = SHARED.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"NOT MEASURED: {Path('../shared', *parts)} is not beside this checkout")
    return path
