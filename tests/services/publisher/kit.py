"""A broker that acknowledges, and a feed's way to it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from services.contract.codec import decode, decode_record
from services.contract.feeds import AnyFeed
from services.contract.messages import Rejected
from services.contract.settings import Settings
from services.core.article import Article
from services.publisher.inlet import Inlet, inlet

CLOCK = datetime(2026, 3, 11, 12, tzinfo=UTC)


class Acknowledged:
    is_done = True

    def get(self, timeout: float | None = None) -> None: ...

    def add_callback(self, call: Callable[[Any], object]) -> None:
        call(None)

    def add_errback(self, call: Callable[[BaseException], object]) -> None: ...


class Broker:
    """A kafka-python producer. Acknowledges at once, unless `failing` is an error."""

    def __init__(self) -> None:
        self.records: list[dict[str, Any]] = []
        self.failing: Exception | None = None

    def send(self, topic: str, **record: Any) -> Any:
        if self.failing is not None:
            raise self.failing
        self.records.append({"topic": topic, **record})
        return Acknowledged()

    def close(self, timeout: float | None = None) -> None: ...

    @property
    def articles(self) -> list[Article]:
        found = [decode_record(one["value"]) for one in self.records if one["topic"] == "wire.articles"]
        return [one for one in found if isinstance(one, Article)]

    @property
    def rejected(self) -> list[Rejected]:
        return [decode(one["value"], Rejected) for one in self.records if one["topic"] == "wire.rejected"]


def way(broker: Broker, feed: AnyFeed, name: str = "nordwire", clock: datetime = CLOCK) -> Inlet:
    return inlet(name, feed, broker, Settings(), clock=lambda: clock, wait=lambda _: None)


def take(number: int, **fields: Any) -> str:
    """A plain text with front matter."""
    known = {"provider": "nordwire", "uri": f"item-{number}", "headline": f"Bridge {number} opens", **fields}
    lines = "\n".join(f"{name}: {value}" for name, value in known.items())
    return f"---\n{lines}\n---\nThe bridge number {number} over the Vesk opened to traffic on Monday.\n"
