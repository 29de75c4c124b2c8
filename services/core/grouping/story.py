"""From a decision to its row, and from a row to the revisions that the emitter turns into events.

One step of the grouper is `step(state, record, …)`: let old rows go, decide, write the row, make the revisions, fold.
The shell only stores and sends what comes back. `step_again` does the same for a row that exists already, after a crash:
the same bytes.
"""

from __future__ import annotations

from typing import Final

import msgspec

from services.core.article import Article, Command
from services.core.decision import (
    ENGINE_VERSION,
    STATUS_AFTER,
    Action,
    Decision,
    EventType,
    RevisionStamp,
    Status,
    StoryHeader,
    Target,
)
from services.core.grouping.commands import decide_command
from services.core.grouping.decide import decide, says_something_new
from services.core.grouping.fingerprint import Fingerprint, fingerprint
from services.core.grouping.inquiry import said_by
from services.core.grouping.row import Row
from services.core.grouping.state import KILL_WAIT, LiveInput, Rows, State
from services.core.identity import input_id, story_id
from services.core.meaning.said import Said, what_it_says
from services.core.redline.noise import canonical_headline
from services.core.revision import Recall, Revision
from services.core.times import instant

_ENDINGS: Final[dict[Action, EventType]] = {"withdraw": "withdrawn", "hold": "held", "release": "released"}
REPORTER_RELATIONS: Final = frozenset({"new_story", "new_version", "coverage", "take"})


class Step(msgspec.Struct, frozen=True):
    """What one record did: its row, the revisions to send, the rows to tombstone. `redelivered`: nothing to send."""

    row: Row
    revisions: tuple[Revision, ...] = ()
    expired: tuple[str, ...] = ()
    redelivered: bool = False


def step(
    state: State,
    record: Article | Command,
    *,
    offset: int,
    rows: Rows,
    ready: Fingerprint | None = None,
    said: Said | None = None,
) -> Step:
    """Decide one record of the log and fold its row. The same input id at another offset is a redelivery.

    `record` is stamped; `ready` is its fingerprint and `said` what it says, if the shell has computed them already (pure
    functions of the article).
    """
    this = record.id if isinstance(record, Command) else record.input_id or input_id(record)
    known = rows(this)
    if known is not None and this in state.inputs:
        return Step(known, redelivered=True)
    log_time = state.later_log_time(record.received_at)
    expired = state.expire(log_time)
    if isinstance(record, Command):
        row = _command_row(state, record, offset, log_time, rows)
    else:
        row = _article_row(state, record, this, offset, log_time, rows, ready or fingerprint(record), said)
    return _finish(state, row, rows, expired)


def skip(state: State, *, input_id: str, offset: int, reason: str) -> Step:
    """An operator's skip of one offset is a row too (DESIGN, rule 11)."""
    expired = state.expire(state.log_time)
    decision = Decision(relation="skipped", reason=reason)
    return _finish(state, _row(state, input_id, offset, state.log_time, decision), lambda _: None, expired)


def step_again(state: State, row: Row, rows: Rows) -> Step:
    """Send a row and its revisions again from the state as it was: the same bytes (DESIGN, rule 8)."""
    return _finish(state, row, rows, state.expire_to(row.window_start))


def _finish(state: State, row: Row, rows: Rows, expired: tuple[str, ...]) -> Step:
    made = revisions(state, row, rows)
    state.fold(row)
    return Step(row, made, expired)


# -- rows --------------------------------------------------------------------------------------------------------------


def _row(state: State, this: str, offset: int, log_time: str | None, decision: Decision) -> Row:
    return Row(
        edition=state.edition, offset=offset, number=state.next_number, window_start=state.window_start,
        input_id=this, engine=ENGINE_VERSION, log_time=log_time, decision=decision,
    )  # fmt: skip


def _command_row(state: State, command: Command, offset: int, log_time: str | None, rows: Rows) -> Row:
    effect = decide_command(state, command, rows)
    return msgspec.structs.replace(
        _row(state, command.id, offset, log_time, effect.decision), command=command, revisions=effect.revisions,
        stories=effect.stories, aliases=effect.aliases, moved_inputs=effect.moved_inputs,
    )  # fmt: skip


def _article_row(
    state: State,
    article: Article,
    this: str,
    offset: int,
    log_time: str | None,
    rows: Rows,
    prints: Fingerprint,
    said: Said | None,
) -> Row:
    decision = decide(state, article, prints, rows)
    waits = decision.target == "unseen" and decision.relation == "notice"
    if decision.story is None and not waits:
        decision = msgspec.structs.replace(decision, story=story_id(state.edition, this, state.next_number))
    row = _row(state, this, offset, log_time, decision)
    stamps: list[RevisionStamp] = []
    headers: list[StoryHeader] = []
    settles: list[str] = []
    if decision.story is not None:
        before = None
        kill = state.waiting_for(decision.item) if decision.relation == "new_story" else None
        if kill is not None:  # the kill opens the story; the text follows only if it is newer than the kill
            before = _ended_before(kill, decision.story)
            stamps.append(RevisionStamp(before.id, before.sequence, _ENDINGS[kill.ends], kill.input_id))
            headers.append(before)
            settles.append(kill.input_id)
        if kill is None or not decision.recalled:
            header = _header_after(state, row, article, rows, before)
            stamps.append(RevisionStamp(header.id, header.sequence, _event_type(state, row, article, rows), this))
            headers.append(header)
    for kill in _run_out(state, log_time):
        if kill.input_id not in settles:
            own = _ended_before(kill, story_id(state.edition, kill.input_id, kill.number))
            stamps.append(RevisionStamp(own.id, own.sequence, _ENDINGS[kill.ends], kill.input_id))
            headers.append(own)
            settles.append(kill.input_id)
    return msgspec.structs.replace(
        row, article=article, fingerprint=prints, said=(said or what_it_says(article, this)) if _told(decision) else None, revisions=tuple(stamps),
        stories=tuple(headers), settles=tuple(settles), rank=state.rank_of(decision),
    )  # fmt: skip


def _told(decision: Decision) -> bool:
    """Whether anybody was told this text: not that of a kill or hold, nor one that was withdrawn before it came."""
    return decision.action not in ("withdraw", "hold") and not decision.recalled


def _event_type(state: State, row: Row, article: Article, rows: Rows) -> EventType:
    """The first line of DESIGN's table that fits."""
    decision = row.decision
    if decision.action in _ENDINGS:
        return _ENDINGS[decision.action]
    if decision.action == "correct":
        return "corrected"
    if decision.relation in ("advisory", "notice"):
        return "advised"
    if decision.late or decision.action == "resend":
        return "joined"
    if decision.relation == "new_story" or (decision.relation == "roundup" and decision.story not in state.stories):
        return "created"
    if decision.relation in ("new_version", "take", "roundup"):
        return "updated"
    if decision.relation == "coverage" and says_something_new(state, rows, article, decision):
        return "updated"
    return "joined"


def _ended_before(kill: LiveInput, story: str) -> StoryHeader:
    """The header of a story that begins with its kill or hold."""
    return StoryHeader(
        id=story, sequence=1, status=STATUS_AFTER[kill.ends], first_seen=kill.at, last_updated=kill.at, articles=1,
        providers=(kill.provider,),
    )  # fmt: skip


def _run_out(state: State, log_time: str | None) -> tuple[LiveInput, ...]:
    """Kills whose wait ends with this row, oldest first."""
    now = instant(log_time)
    ended = []
    for kill in state.waiting.values():
        since = instant(kill.at)
        if now is not None and since is not None and now - since >= KILL_WAIT:
            ended.append(kill)
    return tuple(ended)


def _header_after(
    state: State, row: Row, article: Article, rows: Rows, begun: StoryHeader | None = None
) -> StoryHeader:
    """The story's header after this row. A late item, a copy or a notice never changes what the story says."""
    decision = row.decision
    story = decision.story or ""
    known = state.stories.get(story)
    before = begun or (known.header if known else StoryHeader(id=story, sequence=0))
    providers = tuple(dict.fromkeys((*before.providers, article.provider)))
    reporters = before.reporters
    if decision.relation in REPORTER_RELATIONS and decision.action not in STATUS_AFTER:
        reporters = tuple(dict.fromkeys((*reporters, article.outlet or article.provider)))
    header = msgspec.structs.replace(
        before, sequence=before.sequence + 1, articles=before.articles + 1, providers=providers, reporters=reporters,
        outlets=len(reporters), first_seen=before.first_seen or row.log_time, last_updated=row.log_time,
        status=_story_status(state, row, before),
    )  # fmt: skip
    if decision.action == "withdraw" and decision.target == "seen":
        return _without_killed(state, header, decision, rows)
    if decision.action == "release":
        header = msgspec.structs.replace(header, embargoed_until=article.embargoed)
    if not _carries_the_story(decision, article, before):
        return header
    return msgspec.structs.replace(
        header, head=row.input_id, headline=article.headline or header.headline,
        slugline=article.slugline or header.slugline, urgency=article.urgency or header.urgency,
        language=article.language or header.language, keywords=article.keywords or header.keywords,
        embargoed_until=article.embargoed or header.embargoed_until,
    )  # fmt: skip


def _carries_the_story(decision: Decision, article: Article, before: StoryHeader) -> bool:
    """Whether this article's text is now the story's. Coverage by others does not replace it."""
    if decision.action in ("withdraw", "hold") or decision.recalled:
        return False
    if before.head is None:
        return bool(article.headline or article.body)
    if decision.action == "resend" or decision.late or (decision.action == "release" and not article.body):
        return False
    if decision.action == "correct" and article.provider not in before.providers[:1]:
        return False  # another agency corrects itself
    return decision.relation in ("new_version", "roundup")


def _without_killed(state: State, header: StoryHeader, decision: Decision, rows: Rows) -> StoryHeader:
    """The header once an item is killed: no word of it stays, the newest text that still stands speaks for the story."""
    head = next((i for i in reversed(state.stories[header.id].inputs) if _stands(state, i, decision)), None)
    row = rows(head) if head else None
    text = row.article if row else None
    return msgspec.structs.replace(
        header, head=head, headline=text.headline if text else None, urgency=text.urgency if text else None,
        keywords=text.keywords if text else (),
    )  # fmt: skip


def _stands(state: State, input_id: str, killed: Decision) -> bool:
    live = state.inputs[input_id]
    item = state.items.get(live.item or "")
    if item is None or not live.text or live.killed or live.copy_of is not None:
        return False
    return item.key != killed.item and item.status == "live"


def _story_status(state: State, row: Row, before: StoryHeader) -> Status:
    """A story is withdrawn (or held) only when no live item of its own remains; copies fall with what they copy."""
    decision = row.decision
    if decision.action not in STATUS_AFTER:
        revives = not decision.late and decision.relation in ("new_story", "new_version", "coverage", "take", "roundup")
        return "live" if before.sequence == 0 or revives else before.status
    if decision.target == "unresolved":
        return before.status
    if before.id not in state.stories:
        return STATUS_AFTER[decision.action]
    others = [
        item for item in state.items_of(before.id)
        if item.key != decision.item and item.status == "live" and not _copies(state, item.key, decision.lineage)
    ]  # fmt: skip
    if others:
        return "live"
    return decision.item_status


def _copies(state: State, key: str, lineage: str | None) -> bool:
    """Whether the item's standing version is a copy of the lineage that this row ends."""
    item = state.items[key]
    head = state.inputs.get(item.head or "")
    return item.lineage == lineage and head is not None and head.copy_of is not None


# -- revisions ---------------------------------------------------------------------------------------------------------


def revisions(state: State, row: Row, rows: Rows) -> tuple[Revision, ...]:
    """What the emitter needs for each event of the row, from the state as it stood before the row."""
    headers = {(header.id, header.sequence): header for header in row.stories}
    made = []
    for stamp in row.revisions:
        cause = row if stamp.cause == row.input_id else rows(stamp.cause)
        if cause is None:  # its row left the window with this very step
            continue
        made.append(_revision(state, row, stamp, headers[stamp.story, stamp.sequence], cause, rows))
    return tuple(made)


def _revision(state: State, row: Row, stamp: RevisionStamp, header: StoryHeader, cause: Row, rows: Rows) -> Revision:
    decision = cause.decision
    if cause is not row:  # a kill that waited: settled by its target, or unseen to the end
        seen: Target = "seen" if row.decision.story == stamp.story else "unseen"
        decision = msgspec.structs.replace(decision, story=stamp.story, target=seen)
    base = rows(decision.base) if decision.base else None
    previous = rows(decision.predecessor) if decision.predecessor else None
    article = _released(state, cause, rows)
    if article is not None and stamp.type == "withdrawn" and previous and previous.article:
        article = _without_killed_headline(article, previous.article)
    compares = base is not None and stamp.type not in ("withdrawn", "held", "merged", "split")
    return Revision(
        edition=row.edition, number=row.number, stamp=stamp, story=header, decision=decision, article=article,
        recorded_at=article.received_at if article else row.log_time, input_id=cause.input_id,
        base=base.article if base and compares else None, base_input=base.input_id if base and compares else None,
        previous=previous.article.ref if previous and previous.article else None,
        previous_input=previous.input_id if previous else None,
        previous_body_hash=previous.fingerprint.body_hash if previous and previous.fingerprint else None,
        body_hash=cause.fingerprint.body_hash if cause.fingerprint else None,
        said=said_by(state, rows, stamp.story) if stamp.story in state.stories and stamp.type != "withdrawn" else (),
        recalls=_recalls(state, decision, rows) if stamp.type == "withdrawn" else (),
        scope=_scope(decision, header), members=_members(row, stamp), command=cause.command,
    )  # fmt: skip


def _released(state: State, cause: Row, rows: Rows) -> Article | None:
    """The article of a row; a release that carries no copy lets out the text that was held."""
    article = cause.article
    if article is None or cause.decision.action != "release" or article.body:
        return article
    item = state.items.get(cause.decision.item or "")
    held = rows(item.head) if item and item.head else None
    if held is None or held.article is None:
        return article
    return msgspec.structs.replace(article, headline=held.article.headline, body=held.article.body)


def _without_killed_headline(article: Article, killed: Article) -> Article:
    """A kill often repeats the headline of what it kills."""
    if canonical_headline(article.headline) != canonical_headline(killed.headline):
        return article
    return msgspec.structs.replace(article, headline=None)


def _scope(decision: Decision, header: StoryHeader) -> str | None:
    if decision.action != "withdraw":
        return None
    return "story" if header.status == "withdrawn" else "item"


def _members(row: Row, stamp: RevisionStamp) -> tuple[str, ...]:
    """The stories merged into this one (or that it went into), or the inputs that a split took."""
    if stamp.type == "merged":
        into = tuple(absorbed for absorbed, survivor in row.aliases if survivor == stamp.story)
        return into or tuple(survivor for absorbed, survivor in row.aliases if absorbed == stamp.story)
    return tuple(moved for moved, _ in row.moved_inputs) if stamp.type == "split" else ()


def _recalls(state: State, decision: Decision, rows: Rows) -> tuple[Recall, ...]:
    """Who still runs the killed text: live items of its lineage, copies and copies of copies, at other providers."""
    item = state.items.get(decision.item or "")
    if item is None or item.story not in state.stories:
        return ()
    found = []
    for other in state.items_of(item.story):
        head = state.inputs.get(other.head or "")
        if (
            head is None
            or other.provider == item.provider
            or other.lineage != item.lineage
            or other.status == "withdrawn"
        ):
            continue
        row = rows(head.input_id)
        if row is not None and row.article is not None:
            a = row.article
            found.append(Recall(provider=a.provider, outlet=a.outlet, uri=a.uri, url=a.url, input=head.input_id))
    return tuple(found)
