"""`writethru state rebuild`: the marks of story.sequences made again from story.events, which tell the same.

Marks outlive events by far, so what they know of a story without an event any more is left as it is.
"""

from __future__ import annotations

from contextlib import closing

from services.contract.codec import decode, encode
from services.contract.messages import SequenceMark
from services.contract.settings import Settings
from services.contract.topics import EMITTER, EVENTS, SEQUENCES, story_partition, topic_name
from services.core.errors import WritethruError
from services.core.events import Event
from services.runtime.clients import admin, producer
from services.runtime.lifecycle import Stop
from services.runtime.reading import read_topic


class StillRunning(WritethruError):
    """A service works on what is to be changed."""


def last_emitted(settings: Settings, stop: Stop) -> dict[str, int]:
    """By story, the sequence of its last event."""
    last: dict[str, int] = {}
    for record in read_topic(EVENTS, settings, stop):
        event = decode(record.value, Event)
        last[event.subject] = max(last.get(event.subject, 0), event.data.story.sequence)
    return last


def marked(settings: Settings, stop: Stop) -> dict[str, int]:
    """By story, what its mark says."""
    marks: dict[str, int] = {}
    for record in read_topic(SEQUENCES, settings, stop):
        if record.value is None:
            marks.pop(record.key.decode(), None)
        else:
            mark = decode(record.value, SequenceMark)
            marks[mark.story] = mark.sequence
    return marks


def behind(settings: Settings, stop: Stop) -> dict[str, int]:
    """The marks that are missing, or lie below an event that was emitted."""
    marks = marked(settings, stop)
    return {
        story: sequence for story, sequence in last_emitted(settings, stop).items() if marks.get(story, 0) < sequence
    }


def rebuild_marks(settings: Settings, stop: Stop) -> int:
    """Write them; returns how many. Raises StillRunning, KafkaError."""
    require_none(settings, EMITTER)
    missing = behind(settings, stop)
    with closing(producer(settings, f"{settings.topic_prefix}state")) as sender:
        name = topic_name(SEQUENCES, settings.topic_prefix)
        sent = [
            sender.send(name, key=story.encode(), value=encode(SequenceMark(story=story, sequence=sequence)),
                        partition=story_partition(story))
            for story, sequence in missing.items()
        ]  # fmt: skip
        for one in sent:
            one.get()
    return len(missing)


def require_none(settings: Settings, service: str) -> None:
    """Raises StillRunning where the group has members."""
    group = f"{settings.topic_prefix}{service}"
    with closing(admin(settings)) as client:
        members = client.describe_groups([group]).get(group, {}).get("members") or []
    if members:
        raise StillRunning(
            f"{len(members)} {service}(s) run: stop them first (a stopped one is missed after ten seconds)"
        )
