"""Editors' commands: an editor overrules the machine, and the log remembers it.

A command that names what is not in the window has no effect, but it still gets its row and its number: it is part of the log.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from services.core.article import Command
from services.core.decision import Decision, EventType, RevisionStamp, Status, StoryHeader
from services.core.grouping.state import LiveInput, Rows, State
from services.core.identity import story_id


class Effect(msgspec.Struct, frozen=True, kw_only=True):
    """What a command does, in the terms of a row."""

    decision: Decision
    revisions: tuple[RevisionStamp, ...] = ()
    stories: tuple[StoryHeader, ...] = ()
    aliases: tuple[tuple[str, str], ...] = ()
    moved_inputs: tuple[tuple[str, str], ...] = ()


def decide_command(state: State, command: Command, rows: Rows) -> Effect:
    """merge: into the first story named. split: the inputs, with their items, into a story of their own. pin: into the
    one story named, which no automatic merge touches again.
    """
    return {"merge": _merge, "split": _split, "pin": _pin}[command.command](state, command, rows)


def _no_effect(reason: str) -> Effect:
    return Effect(decision=Decision(relation="command", reason=f"no effect: {reason}"))


def _merge(state: State, command: Command, rows: Rows) -> Effect:
    stories = list(dict.fromkeys(state.final(story) for story in command.stories))
    unknown = [story for story in stories if story not in state.stories]
    if unknown:
        return _no_effect(f"no such story in the window: {', '.join(unknown)}")
    if len(stories) < 2:
        return _no_effect("a merge names two stories or more")
    survivor, *absorbed = stories
    headers = [_next(state, story) for story in stories]
    headers[0] = _told(state, headers[0], _articles(state, *stories), rows)
    return Effect(
        decision=Decision(relation="command", story=survivor, score=1.0, reason=f"merged by {command.by}"),
        revisions=tuple(_stamp(h, "merged", command) for h in headers),
        stories=tuple(headers), aliases=tuple((story, survivor) for story in absorbed),
    )  # fmt: skip


def _split(state: State, command: Command, rows: Rows) -> Effect:
    moving = _with_their_items(state, command.inputs)
    sources = list(dict.fromkeys(state.inputs[i].story for i in moving))
    if not moving or len(sources) != 1 or sources[0] is None:
        return _no_effect("a split names inputs of one story in the window")
    left = [i for i in _articles(state, sources[0]) if i not in set(moving)]
    if not left:
        return _no_effect("a split leaves something behind")
    new = story_id(state.edition, command.id, state.next_number)
    begun = StoryHeader(id=new, sequence=1, first_seen=state.inputs[moving[0]].at, last_updated=state.log_time)
    header = _told(state, begun, moving, rows)
    old = _told(state, _next(state, sources[0]), left, rows)
    return Effect(
        decision=Decision(relation="command", story=sources[0], score=1.0, reason=f"split by {command.by}"),
        revisions=(_stamp(old, "split", command), _stamp(header, "split", command)),
        stories=(old, header), moved_inputs=tuple((i, new) for i in moving),
    )  # fmt: skip


def _pin(state: State, command: Command, rows: Rows) -> Effect:
    target = state.final(command.stories[0]) if len(command.stories) == 1 else ""
    if target not in state.stories:
        return _no_effect("a pin names one story in the window")
    moving = [i for i in _with_their_items(state, command.inputs) if state.inputs[i].story != target]
    sources = list(dict.fromkeys(story for i in moving if (story := state.inputs[i].story)))
    decision = Decision(relation="command", story=target, score=1.0, reason=f"pinned by {command.by}")
    if not sources:
        return Effect(decision=decision, stories=(msgspec.structs.replace(state.stories[target].header, pinned=True),))
    whole = [s for s in sources if set(_articles(state, s)) <= set(moving)]
    gathered = _told(state, _next(state, target), sorted((*_articles(state, target), *moving), key=_place(state)), rows)
    header = msgspec.structs.replace(gathered, pinned=True)
    left = [
        _told(state, _next(state, s), [i for i in _articles(state, s) if s in whole or i not in set(moving)], rows)
        for s in sources
    ]
    return Effect(
        decision=decision, stories=(header, *left), aliases=tuple((story, target) for story in whole),
        revisions=(_stamp(header, "merged", command),
                   *(_stamp(h, "merged" if h.id in whole else "split", command) for h in left)),
        moved_inputs=tuple((i, target) for i in moving if state.inputs[i].story not in whole),
    )  # fmt: skip


def _articles(state: State, *stories: str) -> list[str]:
    """The stories' inputs that are articles and not commands, in decision order."""
    found = [i for story in stories for i in state.stories[story].inputs if state.inputs[i].provider]
    return sorted(found, key=_place(state))


def _place(state: State) -> Callable[[str], int]:
    return lambda i: state.inputs[i].number


def _told(state: State, header: StoryHeader, inputs: Sequence[str], rows: Rows) -> StoryHeader:
    """The header of a story that has these inputs, counted afresh: who tells it, which text stands, and its status."""
    live = [state.inputs[i] for i in inputs]
    standing = [
        one for one in live if one.text and not one.killed and one.copy_of is None and _status(state, one) == "live"
    ]
    row = rows(standing[-1].input_id) if standing else None
    text = row.article if row else None
    reporters = tuple(dict.fromkeys(one.provider for one in live if one.text and one.copy_of is None))
    statuses = {_status(state, one) for one in live if one.item in state.items}
    return msgspec.structs.replace(
        header, articles=len(live), providers=tuple(dict.fromkeys(one.provider for one in live)), reporters=reporters,
        outlets=len(reporters), head=standing[-1].input_id if standing else None,
        headline=text.headline if text else None, slugline=text.slugline if text else header.slugline,
        urgency=text.urgency if text else None, language=text.language if text else header.language,
        keywords=text.keywords if text else (), embargoed_until=text.embargoed if text else None,
        status="live" if "live" in statuses or not statuses else "held" if "held" in statuses else "withdrawn",
    )  # fmt: skip


def _status(state: State, live: LiveInput) -> Status:
    return state.items[live.item].status if live.item in state.items else "live"


def _with_their_items(state: State, inputs: tuple[str, ...]) -> list[str]:
    """The inputs in the window with all versions of their items, in decision order: an item is never torn apart."""
    named = [state.inputs[i] for i in inputs if i in state.inputs]
    items = {one.item for one in named if one.item}
    stories = {one.story for one in named}
    found = {one.input_id: one.number for one in named if one.story}
    for story in sorted(s for s in stories if s):
        for i in state.stories[story].inputs:
            if state.inputs[i].item in items:
                found[i] = state.inputs[i].number
    return sorted(found, key=lambda i: found[i])


def _next(state: State, story: str) -> StoryHeader:
    header = state.stories[story].header
    return msgspec.structs.replace(header, sequence=header.sequence + 1, last_updated=state.log_time)


def _stamp(header: StoryHeader, kind: EventType, command: Command) -> RevisionStamp:
    return RevisionStamp(header.id, header.sequence, kind, command.id)
