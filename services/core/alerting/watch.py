"""Watch my copy: what is a published text built on, what has become of that since, and who else still runs it.

The grouper has decided all of it already; here its rows and events are read from the side of one text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

from services.core.article import Article
from services.core.change import Change, NumberChange
from services.core.decision import EventType
from services.core.events import Event, event_kind
from services.core.grouping.row import Row
from services.core.meaning.compare import compare

Standing = Literal["current", "overtaken", "corrected", "withdrawn", "held"]
_WORSE: dict[EventType, Standing] = {
    "updated": "overtaken",
    "corrected": "corrected",
    "withdrawn": "withdrawn",
    "held": "held",
}
_ORDER: tuple[Standing, ...] = ("current", "overtaken", "corrected", "held", "withdrawn")


class Version(msgspec.Struct, frozen=True, kw_only=True):
    """A version of the wire. `take` counts those of its provider in this story, from 1."""

    input: str
    ref: str
    provider: str
    take: int
    at: str | None = None
    headline: str | None = None


class Since(msgspec.Struct, frozen=True, kw_only=True):
    """What happened after the version that the text is built on."""

    version: Version
    type: EventType
    summary: str
    push: bool = False
    numbers: tuple[NumberChange, ...] = ()
    note: str | None = None


class StillRuns(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody whose last text in the story copies a version that stands no more."""

    provider: str
    outlet: str | None
    uri: str
    url: str | None
    runs: Version


class Watched(msgspec.Struct, frozen=True, kw_only=True):
    """A text of one's own: what it is built on (null: nothing in the archive), what came since, and who runs an old version.

    `outdated` is what the text itself still says otherwise than the version that stands.
    """

    uri: str
    story: str | None
    built_on: Version | None = None
    how: str | None = None
    standing: Standing = "current"
    since: tuple[Since, ...] = ()
    outdated: tuple[NumberChange, ...] = ()
    still_run: tuple[StillRuns, ...] = ()


def watch(mine: Article, decided: Row, rows: Iterable[Row], events: Sequence[Event]) -> Watched:
    """What the archive says of one text. `decided` is its own row, `rows` and `events` are the archive's, in order."""
    decision = decided.decision
    told = [row for row in rows if row.article is not None and row.decision.story == decision.story and decision.story]
    told = [row for row in told if row.input_id != decided.input_id]
    takes = _takes(told)
    source = next((row for row in told if row.input_id == _source(decided, takes)), None)
    if source is None or source.article is None:
        return Watched(uri=mine.uri, story=decision.story)
    base = takes[source.input_id]
    later = [row for row in told if row.number > source.number and _speaks_for(row, source)]
    since = tuple(each for row in later for each in _happened(row, takes, events))
    standing: Standing = max(
        (_WORSE[each.type] for each in since if each.type in _WORSE), key=_ORDER.index, default="current"
    )
    last = next(
        (row.article for row in reversed(later) if row.input_id in takes and row.article and row.article.body), None
    )
    outdated = _outdated(mine, last) if last is not None and standing not in ("withdrawn", "held") else ()
    copied = decision.copy_of.kind if decision.copy_of else decision.relation
    return Watched(
        uri=mine.uri, story=decision.story, built_on=base, how=copied, standing=standing, since=since, outdated=outdated,
        still_run=_still_run(told, takes, later),
    )  # fmt: skip


def _takes(told: Sequence[Row]) -> dict[str, Version]:
    """The versions of the story that were reported, not copied, each with its place among its provider's own."""
    counts: dict[str, int] = {}
    found: dict[str, Version] = {}
    for row in told:
        article = row.article
        if article is None or row.decision.copy_of is not None or row.decision.relation in ("advisory", "roundup"):
            continue
        counts[article.provider] = counts.get(article.provider, 0) + 1
        found[row.input_id] = Version(
            input=row.input_id, ref=article.ref, provider=article.provider, take=counts[article.provider],
            at=article.version_created, headline=article.headline,
        )  # fmt: skip
    return found


def _source(decided: Row, takes: dict[str, Version]) -> str | None:
    """What the text is built on: what it copies, is compared with, or is most like."""
    decision = decided.decision
    asked = (decision.copy_of.input if decision.copy_of else None, decision.base, decision.predecessor)
    alike = [each.input for each in decision.candidates if each.story == decision.story]
    return next((each for each in (*asked, *alike) if each in takes), None)


def _speaks_for(row: Row, source: Row) -> bool:
    """Whether a later row is of the same provider's report."""
    return row.article is not None and source.article is not None and row.article.provider == source.article.provider


def _happened(row: Row, takes: dict[str, Version], events: Sequence[Event]) -> Iterable[Since]:
    article = row.article
    assert article is not None
    for event in events:
        if event.data.version is None or event.data.version.input != row.input_id:
            continue
        kind: EventType = event_kind(event)  # type: ignore[assignment]  # our own type's name
        if kind in ("joined", "merged", "split", "advised"):
            continue
        change = event.data.change or Change()
        withdrawal, correction = event.data.withdrawal, event.data.correction
        note = withdrawal.reason if withdrawal else correction.note if correction else article.ed_note
        version = takes.get(row.input_id) or Version(
            input=row.input_id, ref=article.ref, provider=article.provider, take=0, at=article.version_created
        )
        yield Since(
            version=version,
            type=kind,
            summary=change.summary or kind,
            push=change.push.yes,
            numbers=change.numbers,
            note=note,
        )


def _outdated(mine: Article, last: Article) -> tuple[NumberChange, ...]:
    return compare(mine, last, basis="copy").numbers


def _still_run(told: Sequence[Row], takes: dict[str, Version], later: Sequence[Row]) -> tuple[StillRuns, ...]:
    """Each outlet's last text, where that copies a version after which another came."""
    last: dict[tuple[str, str | None], Row] = {}
    for row in told:
        if row.article is not None and row.article.item_kind in (None, "text"):
            last[row.article.provider, row.article.outlet] = row
    newest = later[-1].number if later else -1
    placed = {row.input_id: row.number for row in told}
    found = []
    for (provider, outlet), row in last.items():
        copies = row.decision.copy_of
        if copies is None or row.article is None or copies.input not in takes:
            continue
        source = takes[copies.input]
        if copies.since is None and placed[copies.input] >= newest:
            continue
        found.append(StillRuns(provider=provider, outlet=outlet, uri=row.article.uri, url=row.article.url, runs=source))
    return tuple(found)
