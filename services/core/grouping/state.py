"""State of one edition: everything the grouper knows, folded from rows in decision order.

State is a function of the live rows alone: folding the rows of the window again, in order, gives the same state and so the
same decisions, in life as after a restart. It holds ids and short marks only; texts stay in the rows, which the shell looks
up through `Rows`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

from services.core.article import Article
from services.core.decision import ENGINE_VERSION, STATUS_AFTER, Action, Decision, Status, StoryHeader
from services.core.errors import BrokenLog
from services.core.grouping.index import CandidateIndex
from services.core.grouping.row import Row
from services.core.grouping.slug import slug_family
from services.core.identity import lineage_key
from services.core.times import instant, iso

Rows = Callable[[str], Row | None]
"""Looks up a live row by input id. The shell owns the store."""

EXPIRIES_PER_ROW: Final = 4
"""At most this many rows leave with one that comes, so that a jump in log time costs no pause (twice would catch up)."""
KILL_WAIT: Final = timedelta(hours=48)
"""How long a kill, hold or release waits for a target that has not arrived (DESIGN, rule 6)."""


@dataclass(frozen=True, slots=True)
class Window:
    """How far back the grouper looks: by count or by log time, whichever ends first (DESIGN, rule 6)."""

    articles: int = 100_000
    age: timedelta = timedelta(days=14)


@dataclass(slots=True)
class LiveInput:
    """One input in the window. `text` is false for notices, advisories, kills and commands: they are nobody's predecessor."""

    number: int
    input_id: str
    at: str | None
    story: str | None
    item: str | None = None
    provider: str = ""
    slug: str | None = None
    copy_of: str | None = None
    corrects: bool = False
    roundup: bool = False
    series: str | None = None
    ends: Action = "none"
    killed: bool = False
    text: bool = False
    indexed: bool = False
    rank: float = 0.0


@dataclass(slots=True)
class Item:
    """One provider's item. `versions` are input ids in the order of the versions, the last one stands; `ended_by` is the
    kill, hold or release that last changed its status and `withdrawn_by` its last kill, while their rows are in the window;
    `holders` are the rows that keep it in mind: its versions and its endings.
    """

    key: str
    provider: str
    story: str
    lineage: str
    status: Status = "live"
    ended_by: str | None = None
    withdrawn_by: str | None = None
    holders: list[str] = field(default_factory=list)
    versions: list[str] = field(default_factory=list)

    @property
    def head(self) -> str | None:
        return self.versions[-1] if self.versions else None


@dataclass(slots=True)
class Story:
    """A story in the window: its header, and its live inputs in decision order."""

    header: StoryHeader
    inputs: list[str] = field(default_factory=list)


class State:
    """The folded state of one edition. `fold` and `expire` are its only writers."""

    def __init__(self, edition: int = 0, window: Window | None = None) -> None:
        self.edition = edition
        self.window = window or Window()
        self.next_number = 0
        self.log_time: str | None = None
        self.index = CandidateIndex()
        self.inputs: dict[str, LiveInput] = {}
        self.order: deque[LiveInput] = deque()
        self.items: dict[str, Item] = {}
        self.stories: dict[str, Story] = {}
        self.slugs: dict[tuple[str, str], list[str]] = {}
        self.waiting: dict[str, LiveInput] = {}
        self._aliases: dict[str, str] = {}
        self._aliases_by_row: dict[str, list[str]] = {}
        self._fresh = True

    # -- reading -------------------------------------------------------------------------------------------------------

    def final(self, story: str) -> str:
        """The story that `story` has become after merges."""
        while story in self._aliases:
            story = self._aliases[story]
        return story

    @property
    def window_start(self) -> int:
        """The lowest decision number still live."""
        return self.order[0].number if self.order else self.next_number

    def by_number(self, number: int) -> LiveInput:
        """The live input with this decision number."""
        return self.order[number - self.order[0].number]

    def item_for(self, article: Article) -> Item | None:
        """The provider's item that `article` names by its own identifier, if it is in the window."""
        return self.items.get(lineage_key(article))

    def items_of(self, story: str) -> list[Item]:
        """The story's items in the window, in the order in which they first appear."""
        keys = dict.fromkeys(self.inputs[i].item for i in self.stories[story].inputs)
        return [self.items[key] for key in keys if key in self.items]

    def waiting_for(self, key: str | None) -> LiveInput | None:
        """The kill or hold that waits for the item with this key; a release has nothing to end."""
        return next((w for w in self.waiting.values() if w.item == key and w.ends != "release"), None)

    def items_by_slug(self, provider: str, slugline: str | None) -> list[Item]:
        """The provider's items in the window under this slug family, oldest first."""
        family = slug_family(slugline)
        keys = self.slugs.get((provider, family), []) if family else []
        return [self.items[key] for key in dict.fromkeys(keys) if key in self.items]

    def later_log_time(self, received_at: str | None) -> str | None:
        """Log time once a row with this `received_at` stands: the running maximum."""
        mine, theirs = instant(self.log_time), instant(received_at)
        if theirs is None or (mine is not None and mine >= theirs):
            return self.log_time
        return iso(theirs)

    def rank_of(self, decision: Decision) -> float:
        """Where a version comes among those of its item: after all of them, or, if it is late, after its predecessor.

        Written into the row, so that the order is the same when older rows have left the window and the rest is folded again.
        """
        item = self.items.get(decision.item or "")
        versions = item.versions if item else []
        place = len(versions)
        if decision.late:
            place = versions.index(decision.predecessor) + 1 if decision.predecessor in versions else 0
        before = self.inputs[versions[place - 1]].rank if place else None
        after = self.inputs[versions[place]].rank if place < len(versions) else None
        if after is None:
            return before + 1 if before is not None else 0.0
        return (before + after) / 2 if before is not None else after - 1

    # -- writing -------------------------------------------------------------------------------------------------------

    def expire(self, log_time: str | None) -> tuple[str, ...]:
        """Let the oldest rows go before the next one is decided; returns their input ids (their tombstones).

        In decision order only, a few at a time. An expiring row takes its share of everything with it.
        """
        now = instant(log_time)
        gone: list[str] = []
        while self.order and len(gone) < EXPIRIES_PER_ROW:
            oldest = self.order[0]
            at = instant(oldest.at)
            too_old = now is not None and at is not None and now - at > self.window.age
            if not too_old and self.next_number - oldest.number < self.window.articles:
                break
            gone.append(self._drop_oldest())
        return tuple(gone)

    def expire_to(self, window_start: int) -> tuple[str, ...]:
        """The same for a row that is folded again: exactly what it let go."""
        gone: list[str] = []
        while self.order and self.order[0].number < window_start:
            gone.append(self._drop_oldest())
        return tuple(gone)

    def fold(self, row: Row) -> None:
        """Take one row in. Raises BrokenLog on a gap, a repeat, another edition, or a row of a newer engine."""
        if row.engine > ENGINE_VERSION:
            raise BrokenLog(
                f"row {row.number} was written by engine {row.engine}, this is {ENGINE_VERSION}: upgrade first"
            )
        if row.edition != self.edition or (not self._fresh and row.number != self.next_number):
            raise BrokenLog(f"row {row.edition}:{row.number} does not follow {self.edition}:{self.next_number - 1}")
        if row.input_id in self.inputs:
            raise BrokenLog(f"row {row.number} decides input {row.input_id} a second time")
        self._fresh = False
        self.expire_to(row.window_start)
        self.next_number = row.number + 1
        self.log_time = row.log_time

        live = self._live(row)
        self.order.append(live)
        self.inputs[row.input_id] = live
        for header in row.stories:
            known = self.stories.setdefault(header.id, Story(header))
            known.header = header
        if live.story is not None:  # first of all: a story that its other inputs leave still has this one
            self.stories[live.story].inputs.append(live.input_id)
        for absorbed, survivor in row.aliases:
            self._absorb(absorbed, survivor, row.input_id)
        for moved, story in row.moved_inputs:
            self._move(moved, story)
        for kill in row.settles:
            self._settle(kill, row)
        if live.story is not None:
            self._attach(row, live)
        self._forget_empty(header.id for header in row.stories)
        if live.story is None and row.decision.relation == "notice" and row.article is not None:
            self.waiting[row.input_id] = live

    # -- parts of fold -------------------------------------------------------------------------------------------------

    def _live(self, row: Row) -> LiveInput:
        article, decision = row.article, row.decision
        text = (
            article is not None
            and decision.story is not None
            and bool(article.body or (article.headline and decision.action not in STATUS_AFTER))
            and decision.relation in ("new_story", "new_version", "copy", "coverage", "take", "roundup")
            and decision.action != "withdraw"
            and not (decision.recalled and decision.item_status == "withdrawn")
        )
        live = LiveInput(
            number=row.number, input_id=row.input_id, at=row.log_time, story=decision.story, item=decision.item,
            provider=article.provider if article else "", slug=slug_family(article.slugline) if article else None,
            copy_of=decision.copy_of.input if decision.copy_of else None, corrects=decision.action == "correct", roundup=decision.relation == "roundup", ends=decision.action if decision.action in STATUS_AFTER else "none",
            killed=decision.recalled and decision.item_status == "withdrawn", text=text, rank=row.rank, series=decision.series.id if decision.series else None,
        )  # fmt: skip
        if text and row.fingerprint is not None:
            at = instant(row.log_time)
            self.index.add(row.number, row.fingerprint, at.timestamp() if at else None, live.provider)
            live.indexed = True
        return live

    def _attach(self, row: Row, live: LiveInput) -> None:
        """Put an article's version into its item, and give the item the status that this row leaves it in."""
        decision = row.decision
        assert live.story is not None
        holds = live.text or decision.recalled or live.ends != "none"
        if live.item is None or (live.item not in self.items and not holds):
            return
        item = self._item(live.item, live.provider, live.story, decision.lineage)
        item.status = decision.item_status
        if holds:
            item.holders.append(live.input_id)
        if not decision.late:
            self._end(item, live)
        if live.text:
            place = bisect_right(item.versions, live.rank, key=lambda version: self.inputs[version].rank)
            item.versions.insert(place, live.input_id)
            if live.slug:
                self.slugs.setdefault((live.provider, live.slug), []).append(item.key)

    def _item(self, key: str, provider: str, story: str, lineage: str | None) -> Item:
        if key not in self.items:
            self.items[key] = Item(key, provider, story, lineage or key)
        return self.items[key]

    def _end(self, item: Item, live: LiveInput) -> None:
        """An ending leaves its mark on the item; a kill on all its versions: their text is nobody's base any more."""
        if live.ends != "none":
            item.ended_by = live.input_id
        if live.ends == "withdraw":
            item.withdrawn_by = live.input_id
            for version in item.versions:
                self.inputs[version].killed = True

    def _settle(self, kill: str, row: Row) -> None:
        """A kill that waited has met its target (this row's item) or run out of time (its own story, in this row)."""
        waiting = self.waiting.pop(kill, None)
        if waiting is None:  # it has left the window since; only a row that is folded again gets here
            return
        stamp = next(stamp for stamp in row.revisions if stamp.cause == kill)
        waiting.story = stamp.story
        self.stories[stamp.story].inputs.append(kill)
        assert waiting.item is not None
        lineage = row.decision.lineage if row.decision.item == waiting.item else None
        item = self._item(waiting.item, waiting.provider, stamp.story, lineage)
        item.status = STATUS_AFTER.get(waiting.ends, "live")
        item.holders.append(kill)
        self._end(item, waiting)

    def _absorb(self, absorbed: str, survivor: str, cause: str) -> None:
        self._aliases[absorbed] = survivor
        self._aliases_by_row.setdefault(cause, []).append(absorbed)
        gone, into = self.stories.pop(absorbed), self.stories[survivor]
        into.inputs = self._in_order(into.inputs + gone.inputs)
        for input_id in gone.inputs:
            self._place(input_id, survivor)

    def _move(self, input_id: str, story: str) -> None:
        """An editor's split or pin takes an input into another story."""
        live = self.inputs.get(input_id)
        if live is None or live.story is None or live.story == story:
            return
        self.stories[live.story].inputs.remove(input_id)
        self._forget_empty((live.story,))
        target = self.stories[story]
        target.inputs = self._in_order([*target.inputs, input_id])
        self._place(input_id, story)

    def _place(self, input_id: str, story: str) -> None:
        live = self.inputs[input_id]
        live.story = story
        if live.item in self.items:
            self.items[live.item].story = story

    def _in_order(self, inputs: list[str]) -> list[str]:
        return sorted(inputs, key=lambda i: self.inputs[i].number)

    def _forget_empty(self, stories: Iterable[str]) -> None:
        for story in stories:
            if story in self.stories and not self.stories[story].inputs:
                del self.stories[story]

    def _drop_oldest(self) -> str:
        live = self.order.popleft()
        del self.inputs[live.input_id]
        self.waiting.pop(live.input_id, None)
        if live.indexed:
            self.index.remove(live.number)
        for absorbed in self._aliases_by_row.pop(live.input_id, []):
            del self._aliases[absorbed]
        item = self.items.get(live.item or "")
        if item is not None and live.input_id in item.holders:
            self._let_go(item, live)
        if live.story is not None:
            self.stories[live.story].inputs.remove(live.input_id)
            self._forget_empty((live.story,))
        return live.input_id

    def _let_go(self, item: Item, live: LiveInput) -> None:
        item.holders.remove(live.input_id)
        if item.ended_by == live.input_id:
            item.ended_by = None
        if item.withdrawn_by == live.input_id:
            item.withdrawn_by = None
        if live.text:
            item.versions.remove(live.input_id)
            if live.slug:
                keys = self.slugs[live.provider, live.slug]
                keys.remove(item.key)
                if not keys:
                    del self.slugs[live.provider, live.slug]
        if not item.holders:
            del self.items[item.key]
