"""dpa digitalwires: one JSON object per story, copy as HTML, notes to editors by role."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from services.core.article import Article, Paragraph, UpdateKind
from services.core.wire.article_json import PUB_STATUS
from services.core.wire.fields import Fields
from services.core.wire.html_body import html_paragraphs, plain_of
from services.core.wire.json_items import read_items
from services.core.wire.parsed import Intake, Parsed, Skipped, finish

# --- wire shape ------------------------------------------------------------------------------------------------------
# `type` is always "composite": what an item is shows in what it carries. Infobox, link box, teaser, kicker and notepad
# stand beside `article_html` and are not copy. `updated` is the time of delivery, never the version's.

KINDS = {"image": "picture", "audio": "audio", "video": "video", "graphic": "graphic"}
CORRECTIONS = ("correctionshort", "correction")
"""Roles of a note that says what was wrong; the short one is written for print and comes first."""
EDITORS_NOTES = frozenset({*CORRECTIONS, "embargo", "editorialnote", "genrenote", "edservice", "ednote", ""})
"""Roles (behind the last dot) that speak to editors. The others are contacts, sign-offs and lists of pictures."""
MOST_NOTES = 500
"""Notes of one item that are looked at; the samples have sixteen at most."""
FLASH_NOTES: dict[str, UpdateKind] = {"dpa-eilmeldung": "alert", "dpa-blitzmeldung": "alert", "eilmeldung": "alert"}
"""Notes that say by themselves what the item is: dpa has no signal for a flash."""

# --- reading it ------------------------------------------------------------------------------------------------------


def parse(data: bytes, intake: Intake) -> Parsed:
    """One item, an array, a wrapped list, or one item a line."""
    return read_items(data, intake, read)


def read(item: dict[str, Any], intake: Intake, position: str) -> Article | Skipped:
    """One digitalwires object. Raises RejectedInput: missing_uri, wrong_type, no_content, too_large, too_deep."""
    fields = Fields(item, intake, position)
    uri = fields.text("urn")
    if uri is None:
        raise intake.reject("missing_uri", "a digitalwires item needs a urn", position)
    kind = _kind(item, fields)
    notes = list(_notes(item, fields))
    article = Article(
        provider=intake.defaults.get("provider") or _named(item, "dnltype:provider") or intake.provider or "dpa",
        uri=uri,
        version=fields.scalar("version"),
        item_kind=kind,
        genre=_named(item, "dnltype:genre"),
        version_created=fields.date("version_created"),
        first_created=fields.date("content_created"),
        embargoed=fields.date("embargoed"),
        language=fields.text("language"),
        headline=_line(fields.text("headline")),
        byline=_line(fields.text("byline")),
        dateline=_line(fields.text("dateline")),
        urgency=fields.scalar("urgency"),
        pub_status=fields.choice("pubstatus", PUB_STATUS),
        signals=fields.texts("signal"),
        update_kind=next((FLASH_NOTES[text.casefold()] for _, text in notes if text.casefold() in FLASH_NOTES), None),
        ed_note="\n".join(dict.fromkeys(text for _, text in sorted(notes, key=_corrections_first))) or None,
        keywords=fields.texts("keyword_names"),
        usage_terms=fields.text("usageterms", "copyrightnotice"),
    )
    body = _body(fields, article, intake, position) if kind == "text" else ()
    return finish(msgspec.structs.replace(article, body=body, parse_notes=tuple(fields.notes)), intake, position)


# --- adapting it -----------------------------------------------------------------------------------------------------


def _kind(item: dict[str, Any], fields: Fields) -> str:
    """`text` where there is copy; else what the first association is; a headline alone is a text too."""
    if fields.text("article_html") is None:
        for entry in _objects(item.get("associations")):
            if kind := KINDS.get(str(entry.get("type"))):
                return kind
    return "text"


def _body(fields: Fields, article: Article, intake: Intake, position: str) -> tuple[Paragraph, ...]:
    body = html_paragraphs(fields.text("article_html") or "", intake, f"{position}.article_html")
    repeats = len(body) > 1 and article.headline and body[0].text.casefold() == article.headline.casefold()
    return body[1:] if repeats else body


def _notes(item: dict[str, Any], fields: Fields) -> Iterator[tuple[str, str]]:
    """(role, text) of each note that speaks to editors; roles come as "dpaednoterole:correction" or "dnlrole:ap.ednote"."""
    for entry in _objects(item.get("ednotes"))[:MOST_NOTES]:
        role = str(entry.get("role") or "").rpartition(":")[2].rpartition(".")[2]
        text = entry.get("ednote")
        if role in EDITORS_NOTES and isinstance(text, str) and (line := plain_of(fields.clean(text))):
            yield role, line


def _corrections_first(note: tuple[str, str]) -> int:
    return CORRECTIONS.index(note[0]) if note[0] in CORRECTIONS else len(CORRECTIONS)


def _named(item: dict[str, Any], category: str) -> str | None:
    """The name of the first entry of a kind in `categories`."""
    for entry in _objects(item.get("categories")):
        if entry.get("type") == category and isinstance(entry.get("name"), str) and entry["name"].strip():
            return str(entry["name"].strip())
    return None


def _objects(value: Any) -> list[dict[str, Any]]:
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


def _line(value: str | None) -> str | None:
    return plain_of(value) or None if value else None
