"""Does a rule want this event? Every condition answers with a sentence, so that silence has a reason.

Conditions that an event answers by itself come first, those that need what was remembered last; the first that fails speaks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Final

import msgspec

from services.core.alerting.memory import Mark, Memo
from services.core.alerting.query import Need, best, read_query, tokens
from services.core.alerting.rule import NumberMoves, Rule, Velocity, When, seconds
from services.core.alerting.seen import Seen
from services.core.change import NumberChange
from services.core.language import labels, numbers
from services.core.language.text import words
from services.core.times import instant

LOOKED_AT: Final = frozenset({"created", "updated", "corrected", "withdrawn", "held", "released"})
"""Event types that a rule looks at if it names none: copies and advisories tell nothing new."""
COUNTED: Final = LOOKED_AT | {"joined", "merged"}
"""The same for a rule that asks how far a story has come or who disagrees."""
ENDINGS: Final = frozenset({"withdrawn", "held", "released"})
_TELLING: Final = frozenset({"new", "substantive"})


class Answer(msgspec.Struct, frozen=True):
    """Whether the rule wants the event; `code` and `reason` say why not, `why` the reasons that made it ring.

    `values` are the story's figures as the rule should remember them if it tells the event, `starts` if it does not: those
    that it told last, or met first.
    """

    wants: bool
    code: str
    reason: str
    why: tuple[str, ...] = ()
    values: dict[str, str] = {}
    starts: dict[str, str] = {}


class _No(Exception):
    def __init__(self, code: str, reason: str) -> None:
        super().__init__(code, reason)
        self.answer = Answer(wants=False, code=code, reason=reason)


def answer(rule: Rule, seen: Seen, *, mark: Mark | None, memo: Memo | None, now: datetime) -> Answer:
    """What the rule says to the event. `mark` and `memo` are as they were before it."""
    when, why = rule.when, list[str]()
    values, starts = dict[str, str](), dict[str, str]()
    try:
        for check in _CHECKS:
            why += check(when, seen)
        if when.numbers is not None:
            values, starts, moved = _figures(when.numbers, seen, memo)
            why += _wanted(moved, "numbers", _too_small(when.numbers, starts, seen))
        why += _far_enough(when, seen, mark, now)
    except _No as no:
        return msgspec.structs.replace(no.answer, starts=starts)
    reasons = [each.text for each in seen.change.push.reasons] if seen.change.push.yes else []
    why += reasons or [each.text for each in seen.change.new_development.reasons]
    return Answer(
        wants=True, code="matched", reason="; ".join(why[:3]) or seen.kind, why=tuple(why), values=values, starts=starts
    )


def needs(when: When) -> frozenset[Need] | None:
    """What must be in an event that this rule may want, one of these; None where nobody can say."""
    asked: list[frozenset[Need] | None] = [frozenset(("type=", kind) for kind in _types(when))]
    listed = {
        "story=": when.stories, "language=": when.languages, "provider=": when.providers, "keyword=": when.keywords,
        "urgency=": when.urgency,
    }  # fmt: skip
    asked += [
        frozenset((field, each.casefold() if field != "story=" else each) for each in values)
        for field, values in listed.items()
        if values
    ]
    has = {
        "push": when.push, "new": when.new_development, "numbers": when.numbers and True, "conflict": when.conflict,
        "retraction": when.retraction, "headline": when.headline_changed, "lead": when.lead_changed,
    }  # fmt: skip
    asked += [frozenset([("has=", name)]) for name, wanted in has.items() if wanted]
    if when.query:
        asked.append(read_query(when.query).needs())
    return best(asked)


# -- what the event answers by itself ----------------------------------------------------------------------------------


def _types(when: When) -> Iterable[str]:
    if when.events is not None:
        return when.events
    return COUNTED if when.asks_how_far or when.conflict else LOOKED_AT


def _wanted(found: Iterable[str], code: str, otherwise: str) -> list[str]:
    """What was found, or no with the sentence for that."""
    told = list(found)
    if not told:
        raise _No(code, otherwise)
    return told


def _kind(when: When, seen: Seen) -> Iterator[str]:
    if seen.kind not in _types(when):
        raise _No("type", f"an event of type {seen.kind}, which this rule does not look at")
    yield from ()


def _listed(name: str, asked: tuple[str, ...] | None, has: Iterable[str]) -> None:
    if asked is None:
        return
    has = sorted(has)
    if not {each.casefold() for each in asked}.intersection(has):
        raise _No(name, f"{name} is {', '.join(has) or 'not told'}, wanted is {', '.join(asked[:5])}")


def _is_from(when: When, seen: Seen) -> Iterator[str]:
    if when.stories is not None and seen.story.id not in when.stories:
        raise _No("story", "another story")
    _listed("provider", when.providers, seen.providers)
    _listed("language", when.languages, seen.languages)
    _listed("keyword", when.keywords, seen.keywords)
    _listed("urgency", when.urgency, (seen.urgency.casefold(),) if seen.urgency else ())
    yield from ()


def _query(when: When, seen: Seen) -> Iterator[str]:
    if when.query is not None and not read_query(when.query).holds(seen):
        raise _No("query", f"the query does not hold: {when.query:.80}")
    yield from ()


def _tells_something(when: When, seen: Seen) -> Iterator[str]:
    """No alert with nothing in it: a rule that names no kind of change wants news, or that a count is reached."""
    if seen.kind in ENDINGS or when.asks_of_the_change or when.asks_how_far or when.events is not None:
        carried = seen.event.data.decision.relation in (
            "copy",
            "coverage",
        )  # that somebody runs it is what joined tells
        told = seen.kind in ("updated", "corrected") or (seen.kind == "joined" and not carried)
        if told and not when.asks_how_far and seen.change.level in ("none", "typographic"):
            raise _No("empty", "nothing changed but typography")
        return
    if seen.change.level not in _TELLING or not (seen.change.new_development.yes or seen.kind == "created"):
        raise _No("nothing_new", f"nothing new: {seen.change.summary or seen.change.level}")
    yield from ()


def _verdicts(when: When, seen: Seen) -> Iterator[str]:
    change = seen.change
    news = seen.kind == "created" or change.new_development.yes or seen.kind in ENDINGS
    said = change.summary or change.level
    if when.new_development is not None and news != when.new_development:
        raise _No("new_development", f"{'nothing' if when.new_development else 'something'} new: {said}")
    if when.push is not None and change.push.yes != when.push:
        raise _No("push", _why_no_push(seen) if when.push else "worth an interruption, and this rule wants the rest")
    if when.push_at_least is not None and change.push.score < when.push_at_least:
        raise _No("push", f"push {change.push.score:g} is below {when.push_at_least:g}")
    if when.development is not None:
        found = sorted(seen.developments.intersection(when.development))
        yield from _wanted(
            (each.replace("_", " ") for each in found), "development", f"no {' or '.join(when.development)}: {said}"
        )
    for name, wanted, true, text in (
        ("headline", when.headline_changed, change.headline_changed, "new headline"),
        ("lead", when.lead_changed, change.lead_changed, "new lead"),
        ("retraction", when.retraction, seen.retracts, "something is gone that was said"),
        ("conflict", when.conflict, bool(change.conflicts), "agencies disagree"),
    ):
        if wanted is not None and wanted != true:
            raise _No(name, f"not so: {text}" if wanted else text)
        if wanted:
            yield text
    if when.conflict:
        yield from (f"{c.what}: {c.theirs} against {c.ours}" for c in change.conflicts)


def _why_no_push(seen: Seen) -> str:
    push = seen.change.push
    said = "; ".join(reason.text for reason in push.reasons[:3]) or seen.change.summary or seen.change.level
    return f"not worth an interruption ({push.score:g}): {said}"


def _names(when: When, seen: Seen) -> Iterator[str]:
    if when.quoted is not None:
        speakers = [quote.speaker for quote in seen.change.quotes_added if quote.speaker]
        found = [f"{name} quoted" for name in when.quoted if any(_is_named(name, speaker) for speaker in speakers)]
        told = ", ".join(dict.fromkeys(speakers)) or "nobody by name"
        yield from _wanted(found, "quoted", f"quoted anew is {told}")
    if when.entities is not None:
        come = [*seen.change.entities_added, *([" ".join(seen.words("text"))] if seen.kind == "created" else [])]
        found = [f"names {name}" for name in when.entities if any(_is_named(name, each) for each in come)]
        yield from _wanted(found, "entities", f"none of {', '.join(when.entities[:5])} comes in")


def _is_named(name: str, text: str) -> bool:
    """Whether all words of a name stand in a text, one after another."""
    wanted, said = tokens(name), tokens(text)
    return bool(wanted) and any(said[n : n + len(wanted)] == wanted for n in range(len(said) - len(wanted) + 1))


_CHECKS: Final[tuple[Callable[[When, Seen], Iterator[str]], ...]] = (
    _kind, _is_from, _query, _tells_something, _verdicts, _names,
)  # fmt: skip


# -- what needs to be remembered ---------------------------------------------------------------------------------------


def _figures(asked: NumberMoves, seen: Seen, memo: Memo | None) -> tuple[dict[str, str], dict[str, str], list[str]]:
    """The figures of the story if this rule tells them and if not, and those that moved far enough, in words."""
    known = memo.values if memo else {}
    values, starts, moved = dict[str, str](), dict[str, str](), list[str]()
    language = next(iter(sorted(seen.languages, key=len)), None)
    for change in seen.change.numbers:
        if not _is_about(asked, change):
            continue
        before, after = _value(change.before, language), _value(change.after, language)
        if before is None or after is None:
            continue
        key = _quantity(change)
        start = Fraction(known[key]) if key in known else before
        far = _moved(asked, start, after)
        values[key], starts[key] = str(after if far else start), str(start)
        if far:
            since = "" if start == before else f" (told last: {_printed(start)})"
            moved.append(f"{labels.line(change)}{since}")
    return values, starts, moved


def _is_about(asked: NumberMoves, change: NumberChange) -> bool:
    if asked.unit is not None and (change.unit or "").casefold() != asked.unit.casefold():
        return False
    if not asked.context:
        return True
    near = {*words(change.context), *words(labels.label(change)), *words(change.after)}
    return any(near.issuperset(words(each)) for each in asked.context)


def _quantity(change: NumberChange) -> str:
    """What is counted, so that the next value of the same is known again."""
    return labels.label(change) or f"{' '.join(sorted(words(change.context))[:3])}/{change.unit or ''}"


def _value(printed: str, language: str | None) -> Fraction | None:
    found = numbers.extract(printed, language)
    return found[0].value if found else None


def _moved(asked: NumberMoves, start: Fraction, after: Fraction) -> bool:
    if after == start or (asked.direction == "up" and after < start) or (asked.direction == "down" and after > start):
        return False
    if asked.to_at_least is not None and after < Fraction(asked.to_at_least):
        return False
    if isinstance(asked.by, str):
        return abs(after - start) * 100 >= abs(start) * Fraction(asked.by.rstrip("%"))
    return asked.by is None or abs(after - start) >= Fraction(asked.by)


def _too_small(asked: NumberMoves, values: dict[str, str], seen: Seen) -> str:
    if not values:
        return "no such figure changed" if seen.change.numbers else "no figure changed"
    since = ", ".join(f"{key} {_printed(Fraction(value))}" for key, value in values.items())
    return f"no figure has moved by {asked.by or 'any'} from what was told last: {since}"


def _printed(value: Fraction) -> str:
    return str(value) if value.denominator == 1 else f"{float(value):g}"


def _far_enough(when: When, seen: Seen, mark: Mark | None, now: datetime) -> Iterator[str]:
    """How far the story has come. Alone, it rings when the count is reached; with a condition on the change, whenever it holds."""
    reached = list[bool]()
    if when.outlets_at_least is not None:
        has, had = seen.story.outlets, _outlets_before(seen, mark)
        if has < when.outlets_at_least:
            raise _No("outlets", f"{has} of {when.outlets_at_least} outlets report it themselves")
        reached.append(had < when.outlets_at_least)
        yield f"{has} outlets report it"
    if when.velocity is not None:
        count, before = _pace(when.velocity, mark, now)
        if count < when.velocity.events:
            raise _No("velocity", f"{count} of {when.velocity.events} events within {when.velocity.within}")
        reached.append(before < when.velocity.events)
        yield f"{count} events within {when.velocity.within}"
    if reached and not any(reached) and not when.asks_of_the_change:
        raise _No("reached", "the count was reached before")


def _outlets_before(seen: Seen, mark: Mark | None) -> int:
    """How many outlets the story had; one that is met in its middle (a cold start) reaches nothing."""
    if mark is not None:
        return mark.outlets
    return 0 if seen.story.sequence == 1 else seen.story.outlets


def _pace(asked: Velocity, mark: Mark | None, now: datetime) -> tuple[int, int]:
    """Events within the time, with this one and without."""
    since = now - timedelta(seconds=seconds(asked.within))
    times = [instant(each) for each in mark.times] if mark else []
    before = sum(each is not None and each > since for each in times)
    return before + 1, before
