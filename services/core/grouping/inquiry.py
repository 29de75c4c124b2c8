"""One article before the state of its edition: what the questions of `grouping.decide` are asked with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

import msgspec

from services.core.article import Article
from services.core.decision import Candidate
from services.core.grouping.fingerprint import Fingerprint
from services.core.grouping.marks import Marks
from services.core.grouping.matching import Match
from services.core.grouping.state import Item, LiveInput, Rows, State
from services.core.identity import lineage_key
from services.core.language.text import words
from services.core.meaning.said import Said
from services.core.times import instant

CANDIDATES_KEPT: Final = 5
"""Candidates written into a row for `explain`."""
SLUG_REACH: Final = timedelta(hours=48)
"""An update that is linked by its slug alone follows within this time; next week's slug is another day's story."""
SAID_INPUTS: Final = 64
SAID_BYTES: Final = 256 * 1024
"""What the story has said is read from at most this many of its latest inputs, and carried up to this size (DESIGN)."""


@dataclass(frozen=True, slots=True)
class Inquiry:
    """One article before the state: what every question below is asked with."""

    state: State
    rows: Rows
    article: Article
    marks: Marks
    fingerprint: Fingerprint
    matches: Sequence[Match]

    def live(self, match: Match) -> LiveInput:
        return self.state.by_number(match.number)

    def text_of(self, input_id: str | None) -> Article | None:
        row = self.rows(input_id) if input_id else None
        return row.article if row else None

    def within_reach(self, live: LiveInput | None) -> bool:
        """Whether an input is recent enough to be meant by a slug or by "update" alone; without times it is."""
        now = instant(self.state.later_log_time(self.article.received_at))
        at = instant(live.at) if live else None
        return now is None or at is None or now - at <= SLUG_REACH

    def head_of(self, item: Item) -> LiveInput | None:
        return self.state.inputs.get(item.head or "")


def linked_item(q: Inquiry) -> Item | None:
    """The item that the article names as the one it supersedes, replaces or has evolved from."""
    for uri in (q.article.supersedes, q.article.evolved_from):
        if uri:
            item = q.state.items.get(lineage_key(msgspec.structs.replace(q.article, uri=uri)))
            if item is not None and item.key != lineage_key(q.article):
                return item
    return None


def latest_by_slug(q: Inquiry) -> Item | None:
    """The provider's item under the same slug: the one whose text fits best, else the latest within reach."""
    items = {item.key: item for item in q.state.items_by_slug(q.article.provider, q.article.slugline)}
    for match in q.matches:
        live = q.live(match)
        if live.item in items:
            return items[live.item]
    return next((item for item in reversed(items.values()) if q.within_reach(q.head_of(item))), None)


def headlined(q: Inquiry) -> Item | None:
    """The provider's item whose headline the notice quotes."""
    if not q.marks.headlined:
        return None
    wanted = words(q.marks.headlined)
    for match in q.matches:
        live = q.live(match)
        article = q.text_of(live.input_id)
        if article and live.provider == q.article.provider and words(article.headline or "") == wanted:
            return q.state.items.get(live.item or "")
    return None


def own_best_item(q: Inquiry) -> Item | None:
    """The provider's own item whose text is likest."""
    for match in q.matches:
        live = q.live(match)
        if live.provider == q.article.provider:
            return q.state.items.get(live.item or "")
    return None


def said_by(state: State, rows: Rows, story: str) -> tuple[Said, ...]:
    """What the story has said, newest first, from the rows of its latest inputs."""
    found: list[Said] = []
    size = 0
    for input_id in reversed(state.stories[story].inputs[-SAID_INPUTS:]):
        row = rows(input_id)
        if row is None or row.said is None or state.inputs[input_id].killed:
            continue
        size += row.said.size()
        if size > SAID_BYTES:
            break
        found.append(row.said)
    return tuple(found)


def candidates(q: Inquiry) -> tuple[Candidate, ...]:
    return tuple(
        Candidate(
            input=q.live(m).input_id, story=q.live(m).story or "", score=m.story, lineage=m.lineage,
            fields={name: value for name, value in m.fields.items() if value}, vetoes=m.vetoes,
        )
        for m in q.matches[:CANDIDATES_KEPT]
    )  # fmt: skip


def standing(state: State, story: str) -> str | None:
    """The input whose text stands for the story; its latest one where that has left the window."""
    head = state.stories[story].header.head
    if head in state.inputs:
        return head
    return next((i for i in reversed(state.stories[story].inputs) if state.inputs[i].text), None)
