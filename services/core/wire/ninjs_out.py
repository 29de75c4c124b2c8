"""Events as IPTC ninjs 3.0, so that a CMS can take them: the item of one event, or each story as it stands.

Killed, held and embargoed text: a kill or hold is `canceled` or `withheld` and carries none; an embargo is its own field.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any, Final
from urllib.parse import quote

from services.core.article import Paragraph
from services.core.events import Event, EventVersion, event_kind
from services.core.times import has_zone

STANDARD: Final = {"name": "ninjs", "version": "3.0"}
STORY: Final = "urn:org.writethru:story:"
ITEM: Final = "urn:org.writethru:item:"
_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\s<>\"{}|\\^`]+")
_STATUS: Final = {"live": "usable", "held": "withheld", "withdrawn": "canceled"}
_ENDINGS: Final = {"withdrawn": "canceled", "held": "withheld"}
_WHOLE: Final = frozenset({"new_story", "new_version"})
"""Relations whose article is the text, not a part of it, a note on it, or somebody else's."""

Ninjs = dict[str, Any]


def ninjs(event: Event) -> Ninjs | None:
    """The article of an event as a ninjs item; None for an event that has none (merged, split)."""
    version = event.data.version
    if version is None:
        return None
    status = _ENDINGS.get(event_kind(event), "usable")
    item: Ninjs = {
        "uri": item_uri(version), "standard": STANDARD, "type": "text",
        "representationType": "full", "version": version.provider_version, "versionCreated": _moment(version.version_created),
        "embargoed": _moment(event.data.story.embargoed_until), "pubStatus": status,
        "urgency": _urgency(version.urgency), "language": version.language, "slugline": version.slugline,
        "headlines": [{"role": "main", "contentType": "text/plain", "value": version.headline}] if version.headline else None,
        "by": version.byline, "located": version.dateline, "edNote": version.ed_note, "usageTerms": version.usage_terms,
        "genres": [{"name": version.genre}] if version.genre else None,
        "infoSources": [{"name": name} for name in dict.fromkeys((version.provider, version.outlet)) if name],
        "altIds": [
            {"role": "provider", "value": version.uri}, {"role": "story", "value": STORY + event.data.story.id},
            {"role": "input", "value": version.input},
        ],
    }  # fmt: skip
    embargo = event.data.story.embargoed_until
    if status == "usable" and embargo is not None and item["embargoed"] is None:
        status = item["pubStatus"] = "withheld"  # ninjs cannot carry an embargo without a zone, and nobody may lose one
        item["edNote"] = "\n".join(filter(None, (f"Embargoed until {embargo}, zone unknown", version.ed_note)))
    if status == "usable" and version.paragraphs:
        value = body_html(version.paragraphs)
        words = sum(len(paragraph.text.split()) for paragraph in version.paragraphs)
        characters = sum(len(paragraph.text) for paragraph in version.paragraphs)
        item["bodies"] = [
            {"role": "main", "contentType": "text/html", "charCount": characters, "wordCount": words, "value": value}
        ]
    return {name: value for name, value in item.items() if value is not None}


def stories(events: Iterable[Event]) -> Iterator[Ninjs]:
    """Each story of the events as it stands after the last of them, in the order in which the stories began.

    Its `uri` is the story's, its `version` the sequence. Late versions, copies, takes and notices change nothing here. Where
    the text that stood was killed, that of the item before it stands, else none.
    """
    standing: dict[str, _Standing] = {}
    for event in events:
        standing.setdefault(event.subject, _Standing(event.subject)).see(event)
        if event.data.merged is not None:
            for story in event.data.merged.members:
                if story != event.subject:
                    standing.setdefault(story, _Standing(story)).gone(event)
    return (item for story in standing.values() if (item := story.item()) is not None)


class _Standing:
    """The texts of one story, by item, the one that stands last."""

    def __init__(self, story: str) -> None:
        self._story = story
        self._texts: dict[str, Ninjs] = {}
        self._last: Ninjs | None = None
        self._sequence = 0
        self._status = "usable"

    def see(self, event: Event) -> None:
        self._sequence = event.data.story.sequence
        self._status = _STATUS[event.data.story.status]
        item = ninjs(event)
        if item is None:
            return
        decision = event.data.decision
        withdrawal = event.data.withdrawal
        if withdrawal is not None and withdrawal.target == "unresolved":
            return  # it fits several items and ends none
        if event_kind(event) in _ENDINGS:
            if self._texts.pop(item["uri"], None) is None:
                self._texts.clear()  # whose text it ends is not told: none may stand
            self._last = item
        elif decision.relation in _WHOLE and not decision.late:
            self._texts.pop(item["uri"], None)
            self._texts[item["uri"]] = self._last = item

    def gone(self, event: Event) -> None:
        """It is part of another story now."""
        self._texts.clear()
        self._status = "canceled"
        self._last = self._last or {"standard": STANDARD, "type": "text"}
        self._last = {**self._last, "edNote": f"merged into {STORY}{event.subject}"}

    def item(self) -> Ninjs | None:
        if self._last is None:
            return None
        text = next(reversed(self._texts.values()), None) if self._status == "usable" else None
        item = {**(text or self._last), "uri": STORY + self._story, "version": str(self._sequence)}
        if text is None:
            item.pop("bodies", None)
            item["pubStatus"] = self._status if self._status != "usable" else "withheld"
        return item


def item_uri(version: EventVersion) -> str:
    """The identifier as sent where it is a URI, else one made of it: ninjs wants no other."""
    if _URI.fullmatch(version.uri):
        return version.uri
    return f"{ITEM}{quote(version.provider, safe='')}:{quote(version.uri, safe='')}"


def body_html(paragraphs: Iterable[Paragraph]) -> str:
    """Paragraphs as HTML that reads back as the same paragraphs."""
    parts: list[str] = []
    for is_table, group in groupby(paragraphs, key=lambda paragraph: paragraph.kind == "table"):
        if is_table:
            rows = ("".join(f"<td>{_text(cell)}</td>" for cell in row.text.split(" | ")) for row in group)
            parts.append(f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>")
        else:
            parts += (_block(paragraph) for paragraph in group)
    return "\n".join(parts)


def _block(paragraph: Paragraph) -> str:
    if paragraph.kind == "heading":
        return f"<h2>{_text(paragraph.text)}</h2>"
    marked = f' class="{paragraph.kind}"' if paragraph.kind != "paragraph" else ""
    return f"<p{marked}>{_text(paragraph.text)}</p>"


def _text(text: str) -> str:
    return html.escape(text, quote=False)


def _moment(text: str | None) -> str | None:
    """A date-time as JSON Schema has it: one without a zone is none."""
    return text if has_zone(text) and text is not None and "T" in text else None


def _urgency(text: str | None) -> int | None:
    """IPTC's one digit; other scales are the agency's own."""
    digit = (text or "").strip()
    return int(digit) if digit in ("1", "2", "3", "4", "5", "6", "7", "8", "9") else None
