"""The alert desk: events in, rulings out; alerts when their time has come. State is `memory`, time an argument.

`feed` says for each rule that it asked what became of the event, `tick` gives the alerts that are due. The same events at the
same times make the same alerts with the same ids, in one process as over Kafka.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Final, NamedTuple

from msgspec.structs import replace

from services.core import times
from services.core.alerting import hours
from services.core.alerting.alert import Alert, Kind, Ruling, State, Told, alert_id
from services.core.alerting.conditions import Answer, answer
from services.core.alerting.index import RuleIndex
from services.core.alerting.memory import MOST_ALERTS, Group, Mark, Memo, Memory, Remembered, Silenced
from services.core.alerting.query import read_query
from services.core.alerting.reversal import KINDS, NAMES, is_reversed, kind_of, reversed_by
from services.core.alerting.rule import Rule, Silence, seconds
from services.core.alerting.seen import Seen
from services.core.events import Event
from services.core.redline import noise
from services.core.times import instant

MOST_EVENTS: Final = 10
"""Events that one alert carries; of more it says how many."""
MOST_TIMES: Final = 50
LONGEST_TITLE: Final = 300
LONGEST_REASON: Final = 500
EVERY_RULE: Final = "*"
"""In a ruling: it holds for all rules."""
_DEVELOPMENTS: Final = frozenset({"corrected", "withdrawn", "held", "released"})


iso = lru_cache(maxsize=256)(times.iso)  # the same moment is written once for each rule that rings
_bare = lru_cache(maxsize=4_096)(noise.bare_headline)  # a headline comes once for each rule that rings


class _Wait(NamedTuple):
    """When an alert goes out, and what it waits for (None: nothing)."""

    due: datetime
    why: str | None


class Alerting:
    """The rules and what is remembered. With `everything`, each rule is asked about each event, also those the index rules out."""

    def __init__(self, rules: Sequence[Rule], memory: Memory | None = None, *, everything: bool = False) -> None:
        self.memory = memory if memory is not None else Memory()
        self.rules = tuple(rules)
        self._everything = everything
        self._index = RuleIndex(self.rules)
        spans = [seconds(rule.when.velocity.within) for rule in self.rules if rule.when.velocity]
        self._pace_within = max(spans, default=0)

    def feed(self, event: Event, now: datetime) -> list[Ruling]:
        """What each rule makes of the next event of its story. An event that came before changes nothing."""
        seen = Seen(event)
        mark = self.memory.mark(seen.story.id)
        if mark is not None and seen.story.sequence <= mark.sequence:
            return self._all(seen, "repeat", "this event came before")
        if seen.kind in ("merged", "split") and event.data.merged is not None:
            self._take_over(seen, event.data.merged.members, now)
        self._move_embargo(seen, now)
        rulings = self._reverse(seen, now)
        done = {ruling.rule for ruling in rulings}
        for rule in self.rules if self._everything else self._index.find(seen):
            if rule.name not in done:
                rulings.append(self._ask(rule, seen, mark, now))
        self._remember(seen, mark, now)
        self.memory.let_go(now)
        return rulings

    def tick(self, now: datetime) -> list[Alert]:
        """The alerts whose time has come."""
        alerts = []
        for group in self.memory.due(now):
            self.memory.drop(group.key)
            alerts.append(self._send(group, now))
        return alerts

    # -- what people say -----------------------------------------------------------------------------------------------

    def acknowledge(self, story: str, by: str, now: datetime) -> None:
        """Somebody is on it: copies of the story ring no more; its developments, corrections and kills do."""
        mark = self.memory.mark(story) or Mark(story=story, at=iso(now))
        self.memory.put(replace(mark, on_it=by, at=iso(now)))

    def silence(self, silence: Silence) -> None:
        """Add a silence, or put another in the place of the one with its id."""
        self.memory.put(Silenced(silence=silence))

    def unsilence(self, name: str) -> None:
        """End a silence."""
        self.memory.drop(f"silence:{name}")

    # -- one event -----------------------------------------------------------------------------------------------------

    def _ask(self, rule: Rule, seen: Seen, mark: Mark | None, now: datetime) -> Ruling:
        if late := _too_old(rule, seen, now):
            return _ruling(rule.name, seen, "old", late)
        memo = self.memory.memo(rule.name, seen.story.id)
        said = answer(rule, seen, mark=mark, memo=memo, now=now)
        if not said.wants:
            self._note_figures(rule, seen, memo, said.starts, now)
            return _ruling(rule.name, seen, said.code, said.reason)
        if held_back := self._held_back(rule, seen, mark, memo, now):
            self._note_figures(rule, seen, memo, said.starts, now)
            return _ruling(rule.name, seen, *held_back, state="suppressed")
        return self._fire(rule, seen, said, memo, now)

    def _held_back(
        self, rule: Rule, seen: Seen, mark: Mark | None, memo: Memo | None, now: datetime
    ) -> tuple[str, str] | None:
        """Why a rule that wants the event stays silent all the same: code and sentence."""
        for silence in self.memory.silences():
            if _silences(silence, rule, seen, now):
                return "silenced", f"silenced by {silence.by} until {silence.until}" + (
                    f": {silence.comment}" if silence.comment else ""
                )
        if any(hours.inside(window, now) for window in rule.mute):
            return "muted", "within the rule's mute window"
        news = seen.change.new_development.yes or seen.kind == "created" or seen.kind in _DEVELOPMENTS
        if mark is not None and mark.on_it is not None and not news:
            return "acknowledged", f"{mark.on_it} is on it, and this tells nothing new"
        if memo is None:
            return None
        last = instant(memo.last)
        if rule.when.asks_of_the_change or not rule.when.asks_how_far:
            recent = last is None or now - last < timedelta(seconds=seconds(rule.throttle.repeat_interval))
            if memo.said == seen.fingerprint and recent:
                return "repeat", "says what this rule told last"
        cooldown = timedelta(seconds=seconds(rule.throttle.cooldown))
        if last is not None and now - last < cooldown and not self.memory.group(_key(rule, seen)):
            return "cooldown", f"told of this story at {memo.last}, and then silent for {rule.throttle.cooldown}"
        return None

    def _fire(self, rule: Rule, seen: Seen, said: Answer, memo: Memo | None, now: datetime) -> Ruling:
        ends = instant(seen.embargo_ends)
        embargoed = ends is not None and ends > now
        free = tuple(each for each in rule.channels if each in rule.embargoed) if embargoed else rule.channels
        told = seen.told(said.why)
        memo = memo or Memo(rule=rule.name, story=seen.story.id, at=iso(now))
        self.memory.put(replace(memo, at=iso(now), said=seen.fingerprint, values={**memo.values, **said.values}))
        groups: list[Group] = []
        if not embargoed or free:
            groups.append(self._collect(rule, seen, told, free, _wait(rule, memo, now), _key(rule, seen)))
        if embargoed and ends is not None and len(free) < max(1, len(rule.channels)):
            closed = tuple(each for each in rule.channels if each not in free)
            wait = _quiet(rule, _Wait(ends, f"embargoed until {seen.embargo_ends}"))
            groups.append(self._collect(rule, seen, told, closed, wait, f"{_story_key(rule, seen)}:embargo"))
        first = groups[0]
        held = instant(first.due) != now
        return _ruling(
            rule.name, seen, "held" if held else "alert", f"{said.reason}; held: {first.why}" if held else said.reason,
            state="held" if held else "sent", alert=first.id, until=first.due if held else None,
        )  # fmt: skip

    def _collect(
        self, rule: Rule, seen: Seen, told: Told, channels: tuple[str, ...], wait: _Wait, key: str
    ) -> Group:  # fmt: skip
        """The group with this event in it. One that waits already keeps its time and its id."""
        group = self.memory.group(key)
        if group is None:
            story = "" if key.endswith(":*") else seen.story.id
            group = Group(
                key=key, id=alert_id(rule.name, story or "digest", seen.event.id), rule=rule.name, story=story, event=seen.event.id,
                kind=kind_of(seen) if story else "digest", due=iso(wait.due), why=wait.why, channels=channels, events=(told,),
            )  # fmt: skip
        elif len(group.events) < MOST_EVENTS:
            group = replace(group, events=(*group.events, told))
        else:  # the newest is worth most: the last place is its own
            group = replace(group, events=(*group.events[:-1], told), left_out=group.left_out + 1)
        self.memory.put(group)
        return group

    def _note_figures(self, rule: Rule, seen: Seen, memo: Memo | None, starts: dict[str, str], now: datetime) -> None:
        """Where a figure stood when this rule first met it: what moves in small steps is measured from there."""
        known = memo.values if memo else {}
        if starts.keys() <= known.keys():
            return
        memo = memo or Memo(rule=rule.name, story=seen.story.id, at=iso(now))
        self.memory.put(replace(memo, at=iso(now), values={**starts, **known}))

    def _all(self, seen: Seen, code: str, reason: str) -> list[Ruling]:
        names = [rule.name for rule in self.rules] if self._everything else [EVERY_RULE]
        return [_ruling(name, seen, code, reason) for name in names]

    def _remember(self, seen: Seen, mark: Mark | None, now: datetime) -> None:
        times: tuple[str, ...] = ()
        if self._pace_within:
            since = now - timedelta(seconds=self._pace_within)
            known = [each for each in (mark.times if mark else ()) if (at := instant(each)) is not None and at > since]
            times = (*known, iso(now))[-MOST_TIMES:]
        mark = mark or Mark(story=seen.story.id, at=iso(now))
        self.memory.put(
            replace(
                mark,
                at=iso(now),
                sequence=seen.story.sequence,
                outlets=max(mark.outlets, seen.story.outlets),
                times=times,
            )
        )

    def _take_over(self, seen: Seen, members: Iterable[str], now: datetime) -> None:
        """Stories that became one: whoever was told of a member is told of the whole when it is corrected."""
        for member in members:
            if member == seen.story.id:
                continue
            for theirs in self.memory.told_of(member):
                mine = self.memory.memo(theirs.rule, seen.story.id) or Memo(
                    rule=theirs.rule, story=seen.story.id, at=iso(now)
                )
                have = {each.id for each in mine.alerts}
                alerts = (*mine.alerts, *(each for each in theirs.alerts if each.id not in have))
                newest = sorted(alerts, key=lambda each: (each.at, each.id), reverse=True)[:MOST_ALERTS]
                self.memory.put(
                    replace(
                        mine,
                        at=iso(now),
                        alerts=tuple(newest),
                        thread=mine.thread or theirs.thread,
                        last=mine.last or theirs.last,
                    )
                )

    # -- what is taken back --------------------------------------------------------------------------------------------

    def _move_embargo(self, seen: Seen, now: datetime) -> None:
        """What waits for an embargo goes by what the wire says of it now."""
        if seen.kind in ("withdrawn", "held"):
            return
        ends = instant(seen.embargo_ends)
        for group in self.memory.groups_of(seen.story.id):
            if not group.key.endswith(":embargo"):
                continue
            due = iso(max(ends or now, now))
            if due != group.due:
                why = (
                    f"embargoed until {seen.embargo_ends}"
                    if ends is not None and ends > now
                    else "the embargo was lifted"
                )
                self.memory.put(replace(group, due=due, why=why))

    def _reverse(self, seen: Seen, now: datetime) -> list[Ruling]:
        """What the event takes back: alerts that went out are reversed, those that wait are mended or dropped."""
        if seen.kind not in KINDS:
            return []
        rulings: dict[str, Ruling] = {}
        for memo in self.memory.told_of(seen.story.id):
            gone = reversed_by(seen, memo)
            if gone:
                rulings[memo.rule] = self._take_back(seen, memo, gone, now)
        for group in (*self.memory.groups_of(seen.story.id), *self.memory.groups_of("")):
            if not group.reverses and seen.kind != "released" and (ruling := self._mend(group, seen)):
                rulings.setdefault(group.rule, ruling)
        return list(rulings.values())

    def _mend(self, group: Group, seen: Seen) -> Ruling | None:
        """Take out of an alert that waits what the event takes back; None where that is nothing."""
        left = tuple(told for told in group.events if told.story != seen.story.id or not is_reversed(seen, told))
        if len(left) == len(group.events):
            return None
        if seen.kind == "corrected":
            right = seen.told([f"corrects what was held: {seen.change.summary}"])
            self.memory.put(replace(group, events=(*left, right)))
            reason = "corrected before it was told; the alert that waits says it right"
            return _ruling(group.rule, seen, "taken_back", reason, state="held", alert=group.id, until=group.due)
        if left:
            self.memory.put(replace(group, events=left))
        else:
            self.memory.drop(group.key)
        return _ruling(group.rule, seen, "taken_back", f"{seen.kind} before it was told", state="suppressed")

    def _take_back(self, seen: Seen, memo: Memo, gone: tuple[Remembered, ...], now: datetime) -> Ruling:
        kind = KINDS[seen.kind]
        ending = kind in ("withdrawal", "hold")
        name = alert_id(memo.rule, seen.story.id, seen.event.id)
        channels = tuple(dict.fromkeys(channel for each in gone for channel in each.channels))
        first = gone[0]
        why = f"reverses “{first.title}” of {first.at}" if kind != "release" else f"released after “{first.title}”"
        told = seen.told([why, *(reason.text for reason in seen.change.push.reasons)])
        if ending:  # a kill may name a slug, and a story goes on under another headline
            told = replace(told, headline=first.title)
        ids = {each.id for each in gone}
        self.memory.put(
            Group(
                key=f"group:{memo.rule}:{seen.story.id}:{seen.event.id}", id=name, rule=memo.rule, story=seen.story.id,
                event=seen.event.id, kind=kind, due=iso(now), why=None, channels=channels,
                events=(told,),
                reverses=tuple(each.id for each in gone),
            )
        )  # fmt: skip
        alerts = tuple(replace(a, reversed_by=name if ending else None) if a.id in ids else a for a in memo.alerts)
        self.memory.put(replace(memo, at=iso(now), alerts=alerts, said=seen.fingerprint))
        return _ruling(memo.rule, seen, "reversal", why, state="sent", alert=name)

    # -- out -----------------------------------------------------------------------------------------------------------

    def _send(self, group: Group, now: datetime) -> Alert:
        thread = group.id
        for story in dict.fromkeys(told.story for told in group.events):
            memo = self.memory.memo(group.rule, story) or Memo(rule=group.rule, story=story, at=iso(now))
            mine = [told for told in group.events if told.story == story]
            remembered = Remembered(
                id=group.id, kind=group.kind, title=_title("alert", mine), at=iso(now), channels=group.channels,
                inputs=tuple(told.input for told in mine if told.input),
                providers=tuple(dict.fromkeys(told.provider for told in mine if told.provider)),
            )  # fmt: skip
            before = next((each for each in memo.alerts if each.id == group.id), None)
            if before is not None:  # the same to other channels, after the embargo
                remembered = replace(remembered, channels=tuple(dict.fromkeys((*before.channels, *group.channels))))
            rest = tuple(each for each in memo.alerts if each.id != group.id)
            memo = replace(
                memo,
                at=iso(now),
                last=iso(now),
                thread=memo.thread or group.id,
                alerts=(remembered, *rest)[:MOST_ALERTS],
            )
            self.memory.put(memo)
            if group.story:
                thread = memo.thread or group.id
        return Alert(
            id=group.id, rule=group.rule, story=group.story, event=group.event, kind=group.kind, at=iso(now),
            title=_title(group.kind, group.events), summary=_summary(group.events), events=group.events,
            reverses=group.reverses, thread=thread, channels=group.channels, held=group.why, left_out=group.left_out,
        )  # fmt: skip


def _wait(rule: Rule, memo: Memo, now: datetime) -> _Wait:
    """How long an alert waits: for a digest, its group, and the end of quiet hours."""
    throttle = rule.throttle
    last = instant(memo.last)
    wait = _Wait(now, None)
    if throttle.digest is not None:
        return _quiet(
            rule, _Wait(now + timedelta(seconds=seconds(throttle.digest)), f"a digest every {throttle.digest}")
        )
    if last is None and (pause := seconds(throttle.group_wait)):
        wait = _Wait(now + timedelta(seconds=pause), f"more of its story, {throttle.group_wait}")
    elif last is not None:
        due = last + timedelta(seconds=seconds(throttle.group_interval))
        if due > now:
            wait = _Wait(due, f"{throttle.group_interval} since the story's last alert")
    return _quiet(rule, wait)


def _quiet(rule: Rule, wait: _Wait) -> _Wait:
    ends = hours.ends(rule.quiet, wait.due) if rule.quiet else None
    return wait if ends is None else _Wait(ends, f"quiet hours until {iso(ends)}")


def _too_old(rule: Rule, seen: Seen, now: datetime) -> str | None:
    at = seen.received_at
    if at is None or (now - at).total_seconds() <= seconds(rule.max_age):
        return None
    return f"received at {iso(at)}, older than {rule.max_age}: history does not ring"


def _silences(silence: Silence, rule: Rule, seen: Seen, now: datetime) -> bool:
    since, until = instant(silence.since), instant(silence.until)
    if until is None or now >= until or (since is not None and now < since):
        return False
    return (
        (silence.rules is None or rule.name in silence.rules)
        and (silence.story is None or silence.story == seen.story.id)
        and (silence.query is None or read_query(silence.query).holds(seen))
    )


def _story_key(rule: Rule, seen: Seen) -> str:
    return f"group:{rule.name}:{seen.story.id}"


def _key(rule: Rule, seen: Seen) -> str:
    return f"group:{rule.name}:*" if rule.throttle.digest is not None else _story_key(rule, seen)


def _title(kind: Kind, events: Sequence[Told]) -> str:
    heads = dict.fromkeys(_bare(told.headline) for told in events)
    if kind == "digest":
        count = len({told.story for told in events})
        return f"{count} {'story' if count == 1 else 'stories'}: {'; '.join(h for h in list(heads)[-3:] if h)}"[
            :LONGEST_TITLE
        ]
    head = next((_bare(told.headline) for told in reversed(events) if told.headline), "")
    return (f"{NAMES[kind]}: {head}" if NAMES[kind] else head)[:LONGEST_TITLE]


def _summary(events: Sequence[Told]) -> str:
    return "; ".join(dict.fromkeys(told.summary for told in events if told.summary))


def _ruling(
    rule: str, seen: Seen, code: str, reason: str, *, state: State = "no_match", alert: str | None = None, until: str | None = None
) -> Ruling:  # fmt: skip
    fired = state in ("sent", "held")
    return Ruling(
        rule=rule, fired=fired, reason=reason[:LONGEST_REASON], event=seen.event.id, story_id=seen.story.id, code=code,
        state=state, alert=alert, until=until,
    )  # fmt: skip
