"""Editors' commands: an editor overrules the machine, and the log remembers it.

A command that names what is not in the window has no effect, but it still gets its row and its number: it is part of the log.
"""

from __future__ import annotations

import msgspec

from services.core.article import Command
from services.core.decision import Decision, EventType, RevisionStamp, StoryHeader
from services.core.grouping.state import State
from services.core.identity import story_id


class Effect(msgspec.Struct, frozen=True, kw_only=True):
    """What a command does, in the terms of a row."""

    decision: Decision
    revisions: tuple[RevisionStamp, ...] = ()
    stories: tuple[StoryHeader, ...] = ()
    aliases: tuple[tuple[str, str], ...] = ()
    moved_inputs: tuple[tuple[str, str], ...] = ()


def decide_command(state: State, command: Command) -> Effect:
    """merge: into the first story named. split: the inputs, with their items, into a story of their own. pin: into the
    one story named, which no automatic merge touches again.
    """
    return {"merge": _merge, "split": _split, "pin": _pin}[command.command](state, command)


def _no_effect(reason: str) -> Effect:
    return Effect(decision=Decision(relation="command", reason=f"no effect: {reason}"))


def _merge(state: State, command: Command) -> Effect:
    stories = list(dict.fromkeys(state.final(story) for story in command.stories))
    unknown = [story for story in stories if story not in state.stories]
    if unknown:
        return _no_effect(f"no such story in the window: {', '.join(unknown)}")
    if len(stories) < 2:
        return _no_effect("a merge names two stories or more")
    survivor, *absorbed = stories
    headers = [_next(state, story) for story in stories]
    gone = headers[1:]
    headers[0] = msgspec.structs.replace(
        headers[0], articles=sum(h.articles for h in headers),
        providers=tuple(dict.fromkeys(p for h in headers for p in h.providers)),
        reporters=tuple(dict.fromkeys(r for h in headers for r in h.reporters)),
        outlets=len({r for h in headers for r in h.reporters}),
    )  # fmt: skip
    return Effect(
        decision=Decision(relation="command", story=survivor, score=1.0, reason=f"merged by {command.by}"),
        revisions=tuple(_stamp(h, "merged", command) for h in (headers[0], *gone)),
        stories=tuple(headers), aliases=tuple((story, survivor) for story in absorbed),
    )  # fmt: skip


def _split(state: State, command: Command) -> Effect:
    moving = _with_their_items(state, command.inputs)
    sources = list(dict.fromkeys(state.inputs[i].story for i in moving))
    if not moving or len(sources) != 1 or sources[0] is None:
        return _no_effect("a split names inputs of one story in the window")
    if len(moving) == len(state.stories[sources[0]].inputs):
        return _no_effect("a split leaves something behind")
    new = story_id(state.edition, command.id, state.next_number)
    old = _next(state, sources[0])
    live = [state.inputs[i] for i in moving]
    providers = tuple(dict.fromkeys(one.provider for one in live))
    header = StoryHeader(
        id=new, sequence=1, headline=old.headline, slugline=old.slugline, language=old.language,
        first_seen=live[0].at, last_updated=state.log_time, articles=len(moving), providers=providers,
        reporters=providers, outlets=len(providers), head=moving[-1],
    )  # fmt: skip
    left = [i for i in state.stories[sources[0]].inputs if i not in set(moving) and state.inputs[i].text]
    old = msgspec.structs.replace(
        old, articles=old.articles - len(moving), head=old.head if old.head in left else (left[-1] if left else None)
    )
    return Effect(
        decision=Decision(relation="command", story=sources[0], score=1.0, reason=f"split by {command.by}"),
        revisions=(_stamp(old, "split", command), _stamp(header, "split", command)),
        stories=(old, header), moved_inputs=tuple((i, new) for i in moving),
    )  # fmt: skip


def _pin(state: State, command: Command) -> Effect:
    target = state.final(command.stories[0]) if len(command.stories) == 1 else ""
    if target not in state.stories:
        return _no_effect("a pin names one story in the window")
    moving = [i for i in _with_their_items(state, command.inputs) if state.inputs[i].story != target]
    sources = list(dict.fromkeys(story for i in moving if (story := state.inputs[i].story)))
    whole = [s for s in sources if set(state.stories[s].inputs) <= set(moving)]
    header = msgspec.structs.replace(_next(state, target) if sources else state.stories[target].header, pinned=True)
    left = [_next(state, story) for story in sources]
    decision = Decision(relation="command", story=target, score=1.0, reason=f"pinned by {command.by}")
    if not sources:
        return Effect(decision=decision, stories=(header,))
    return Effect(
        decision=decision, stories=(header, *left), aliases=tuple((story, target) for story in whole),
        revisions=(_stamp(header, "merged", command),
                   *(_stamp(h, "merged" if h.id in whole else "split", command) for h in left)),
        moved_inputs=tuple((i, target) for i in moving if state.inputs[i].story not in whole),
    )  # fmt: skip


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
