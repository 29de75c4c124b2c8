"""Corrections, kills, holds and releases: whose alerts do they reverse? They go to all who got those, rule or not."""

from __future__ import annotations

from typing import Final

from services.core.alerting.alert import Kind, Told
from services.core.alerting.memory import Memo, Remembered
from services.core.alerting.seen import Seen
from services.core.decision import EventType

KINDS: Final[dict[EventType, Kind]] = {
    "corrected": "correction", "withdrawn": "withdrawal", "held": "hold", "released": "release",
}  # fmt: skip
NAMES: Final[dict[Kind, str]] = {
    "alert": "", "digest": "", "correction": "CORRECTION", "withdrawal": "KILL", "hold": "HOLD", "release": "RELEASED",
}  # fmt: skip


def kind_of(seen: Seen) -> Kind:
    """What an alert on this event is called."""
    return KINDS.get(seen.kind, "alert")


def reversed_by(seen: Seen, memo: Memo) -> tuple[Remembered, ...]:
    """The alerts of one rule that the event reverses, newest first.

    A kill of the whole story reverses all that stand, one of an item those that were built on its provider or on a copy of
    it. A correction reverses the alerts built on the version that was wrong, else the provider's newest; a release those
    that a hold had reversed.
    """
    match seen.kind:
        case "withdrawn":
            standing = [each for each in memo.alerts if each.reversed_by is None and each.kind != "withdrawal"]
            return tuple(each for each in standing if _is_killed(seen, each.inputs, each.providers))
        case "held":
            standing = [
                each for each in memo.alerts if each.reversed_by is None and each.kind not in ("withdrawal", "hold")
            ]
            return tuple(each for each in standing if _sent_by(seen, each.providers))
        case "released":
            return tuple(each for each in memo.alerts if each.kind == "hold" and _sent_by(seen, each.providers))[:1]
        case "corrected":
            return _corrected(seen, [each for each in memo.alerts if each.reversed_by is None])
        case _:
            return ()


def is_reversed(seen: Seen, told: Told) -> bool:
    """Whether an event that is still held says what this one takes back."""
    inputs, providers = ((told.input,) if told.input else ()), ((told.provider,) if told.provider else ())
    if seen.kind == "withdrawn":
        return _is_killed(seen, inputs, providers)
    if seen.kind == "held":
        return _sent_by(seen, providers)
    correction = seen.event.data.correction
    return correction is not None and correction.corrects is not None and correction.corrects in inputs


def _corrected(seen: Seen, standing: list[Remembered]) -> tuple[Remembered, ...]:
    correction = seen.event.data.correction
    wrong = correction.corrects if correction else None
    built = tuple(each for each in standing if wrong in each.inputs)
    return built or tuple(each for each in standing if _sent_by(seen, each.providers))[:1]


def _is_killed(seen: Seen, inputs: tuple[str, ...], providers: tuple[str, ...]) -> bool:
    withdrawal = seen.event.data.withdrawal
    if withdrawal is None or withdrawal.scope == "story" or withdrawal.target == "unresolved":
        return True
    return _sent_by(seen, providers) or any(recall.input in inputs for recall in withdrawal.recalls)


def _sent_by(seen: Seen, providers: tuple[str, ...]) -> bool:
    return seen.version is None or seen.version.provider in providers
