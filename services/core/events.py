"""From a revision to its event: CloudEvents 1.0, structured JSON. `emit` is pure and needs nothing but the revision.

The types here are the public contract of `story.events` (docs/events.md; the JSON Schema is generated from them). Within a
major version only optional fields are added; readers ignore what they do not know.
"""

from __future__ import annotations

from typing import Final, Literal

import msgspec
from msgspec import UNSET, UnsetType

from services.core.article import Article, Paragraph
from services.core.change import Basis, Change, Push, Reason, Stated
from services.core.decision import Action, CopyOf, EventType, Relation, Series, Status, Target
from services.core.identity import event_id
from services.core.meaning.compare import compare
from services.core.revision import Recall, Revision
from services.core.times import has_zone

TYPE_PREFIX: Final = "org.writethru.story."
DATA_SCHEMA: Final = "urn:org.writethru:schema:story-event:v1"
_WHOLE_STORY: Final[frozenset[EventType]] = frozenset({"merged", "split"})
"""Events about a story as a whole: nothing in its text changed."""
_ENDINGS: Final[frozenset[EventType]] = frozenset({"withdrawn", "held"})
"""Events that every desk must see at once; they carry a verdict and never the text."""


class EventStory(msgspec.Struct, frozen=True, kw_only=True):
    """The story as it stands after this event."""

    id: str
    sequence: int
    headline: str | None
    slugline: str | None
    status: Status
    urgency: str | None
    language: str | None
    keywords: tuple[str, ...]
    embargoed_until: str | None
    first_seen: str | None
    last_updated: str | None
    outlets: int
    articles: int
    providers: tuple[str, ...]


class EventVersion(msgspec.Struct, frozen=True, kw_only=True):
    """The article that caused the event, with its whole text (none for a kill)."""

    input: str
    previous: str | None
    provider: str
    outlet: str | None
    uri: str
    provider_version: str | None
    version_created: str | None
    received_at: str | None
    language: str | None
    headline: str | None
    byline: str | None
    dateline: str | None
    ed_note: str | None
    urgency: str | None
    slugline: str | None
    genre: str | None
    signals: tuple[str, ...]
    url: str | None
    usage_terms: str | None
    body_hash: str | None
    previous_body_hash: str | None
    paragraphs: tuple[Paragraph, ...]


class EventDecision(msgspec.Struct, frozen=True, kw_only=True):
    """Why the article is part of this story."""

    relation: Relation
    action: Action
    late: bool
    copy_of: CopyOf | None
    covers: tuple[str, ...]
    series: Series | None
    reason: str
    score: float
    engine: int


class Correction(msgspec.Struct, frozen=True, kw_only=True):
    """What the agency says that it corrects. `corrects` is the input id of the version that was wrong."""

    note: str | None
    stated: tuple[Stated, ...]
    corrects: str | None
    target: Literal["seen", "unseen"]
    by: Literal["agency", "source"] = "agency"


class Withdrawal(msgspec.Struct, frozen=True, kw_only=True):
    """A kill: why, of what, and who still runs the text."""

    reason: str | None
    scope: Literal["item", "story"]
    target: Target
    recalls: tuple[Recall, ...]


class Members(msgspec.Struct, frozen=True):
    """The stories of a merge, or the inputs of a split, and the editor who asked for it (null: the grouper)."""

    members: tuple[str, ...]
    by: str | None = None


class EventData(msgspec.Struct, frozen=True, kw_only=True):
    story: EventStory
    version: EventVersion | None
    decision: EventDecision
    change: Change | None
    correction: Correction | None = None
    withdrawal: Withdrawal | None = None
    merged: Members | None = None
    split: Members | None = None


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """One CloudEvent. `sequence` orders the events of a `subject`; remember one number per subject to see each once."""

    specversion: Literal["1.0"] = "1.0"
    id: str
    source: str
    type: str
    subject: str
    time: str | UnsetType = UNSET
    recordedtime: str | UnsetType = UNSET
    datacontenttype: Literal["application/json"] = "application/json"
    dataschema: str = DATA_SCHEMA
    sequence: str
    data: EventData


SPANS_UP_TO: Final = 192 * 1024
"""Bytes of changed text up to which its spans are told. A long document rewritten from end to end would pass the topic's
1 MiB with them. The texts before and after stay."""


def emit(revision: Revision) -> Event:
    """The event of one revision. `time` is the version's own time, left out when its zone is unknown."""
    stamp, article = revision.stamp, revision.article
    created = article.version_created if article else revision.command.at if revision.command else None
    return Event(
        id=event_id(stamp.story, stamp.type, stamp.cause),
        source=f"/editions/{revision.edition}/stories/{stamp.story}",
        type=f"{TYPE_PREFIX}{stamp.type}.v1",
        subject=stamp.story,
        time=created if created and has_zone(created) else UNSET,
        recordedtime=revision.recorded_at or UNSET,
        sequence=f"{stamp.sequence:010d}",
        data=_data(revision),
    )


def event_kind(event: Event) -> str:
    """`created`, `updated`, … from the event's full type."""
    return event.type.removeprefix(TYPE_PREFIX).rsplit(".", 1)[0]


def _data(revision: Revision) -> EventData:
    stamp, decision, article = revision.stamp, revision.decision, revision.article
    change = _change(revision)
    by = revision.command.by if revision.command else None
    members = Members(revision.members, by)
    return EventData(
        story=_story(revision),
        version=_version(revision, article) if article else None,
        decision=EventDecision(
            relation=decision.relation, action=decision.action, late=decision.late, copy_of=decision.copy_of,
            covers=decision.covers, series=decision.series, reason=decision.reason, score=decision.score,
            engine=decision.engine,
        ),
        change=change,
        correction=_correction(revision, article, change) if decision.action == "correct" and article else None,
        withdrawal=_withdrawal(revision, article) if stamp.type == "withdrawn" else None,
        merged=members if stamp.type == "merged" else None,
        split=members if stamp.type == "split" else None,
    )  # fmt: skip


def _story(revision: Revision) -> EventStory:
    header = msgspec.structs.asdict(revision.story)
    return EventStory(**{name: header[name] for name in EventStory.__struct_fields__})


def _version(revision: Revision, article: Article) -> EventVersion:
    silent = _is_silent(revision)
    shared = {
        name: getattr(article, name)
        for name in EventVersion.__struct_fields__
        if name in Article.__struct_fields__ and name != "received_at"
    }
    if silent and revision.stamp.type != "withdrawn":
        shared["headline"] = None
    return EventVersion(
        input=revision.input_id, previous=revision.previous, provider_version=article.version,
        received_at=revision.recorded_at, body_hash=revision.body_hash,
        previous_body_hash=revision.previous_body_hash, paragraphs=() if silent else article.body, **shared,
    )  # fmt: skip


def _is_silent(revision: Revision) -> bool:
    """Whether no word of the article's text may go out: killed, on hold, or a copy of what was killed."""
    decision = revision.decision
    killed_copy = decision.copy_of is not None and decision.copy_of.since == "withdrawn"
    return revision.stamp.type in _ENDINGS or decision.recalled or decision.item_status == "withdrawn" or killed_copy


def _change(revision: Revision) -> Change | None:
    """What changed, against the base that the grouper chose; coverage against what the story has said."""
    decision, article = revision.decision, revision.article
    if revision.stamp.type in _ENDINGS and article is not None:
        return Change(push=Push(yes=True, score=1.0, reasons=(_ending_reason(revision, article),)))
    if (
        article is None
        or revision.stamp.type in _WHOLE_STORY
        or decision.relation == "advisory"
        or _is_silent(revision)
    ):
        return None
    if decision.relation == "coverage" or (decision.late and decision.predecessor is None):
        basis: Basis = "story"
    elif decision.copy_of is not None or (revision.base is not None and revision.base.provider != article.provider):
        basis = "copy"
    else:
        basis = "version"
    change = compare(
        revision.base, article, said=revision.said[::-1], basis=basis, relation=decision.relation, action=decision.action,
        late=decision.late,
    )  # fmt: skip
    change = _within_size(change)
    if decision.relation != "roundup":
        return change
    return msgspec.structs.replace(
        change, push=Push(reasons=(Reason(code="roundup", text="a round-up tells what is out"),))
    )


def _within_size(change: Change) -> Change:
    told = sum(len(side.text.encode()) for entry in change.paragraphs for side in (*entry.before, *entry.after))
    if told <= SPANS_UP_TO:
        return change
    bare = tuple(msgspec.structs.replace(entry, spans=()) for entry in change.paragraphs)
    return msgspec.structs.replace(change, paragraphs=bare)


def _ending_reason(revision: Revision, article: Article) -> Reason:
    said = article.ed_note or article.headline or ""
    return Reason(code=revision.stamp.type, text=f"{revision.stamp.type}: {said}" if said else revision.stamp.type)


def _correction(revision: Revision, article: Article, change: Change | None) -> Correction:
    own = revision.base is None or revision.base.provider == article.provider  # an agency corrects nobody but itself
    return Correction(
        note=article.ed_note,
        stated=change.stated if change else (),
        corrects=revision.previous_input if own else None,
        target="seen" if revision.previous_input and own else "unseen",
    )


def _withdrawal(revision: Revision, article: Article | None) -> Withdrawal:
    return Withdrawal(
        reason=(article.ed_note or article.headline) if article else None,
        scope="story" if revision.scope == "story" else "item",
        target=revision.decision.target or "seen",
        recalls=revision.recalls,
    )
