"""AP Media API: the JSON of `/content` and `/content/feed`, metadata of an item with the copy elsewhere or inlined."""

from __future__ import annotations

from typing import Any

import msgspec

from services.core.article import Article, Paragraph
from services.core.wire.article_json import PUB_STATUS
from services.core.wire.fields import Fields
from services.core.wire.html_body import html_paragraphs, plain_of
from services.core.wire.json_items import read_items
from services.core.wire.parsed import Intake, Parsed, Skipped, finish

# --- wire shape ------------------------------------------------------------------------------------------------------
# An answer of the API holds one item (`data.item`) or a page of them (`data.items[].item`). `uri` is the address of this
# version behind the caller's key: what stays is `altids.itemid`. The copy is a link (`renditions.nitf`) unless whoever
# fetched it has put it in.

BODIES = ("nitf", "body_nitf", "body_html", "body_xhtml", "body")

# --- reading it ------------------------------------------------------------------------------------------------------


def parse(data: bytes, intake: Intake) -> Parsed:
    """One answer of the API, its items unwrapped, or one item a line."""
    return read_items(data, intake, read)


def is_item(value: dict[str, Any]) -> bool:
    """Whether an object is an item of the API: `altids` holds an itemid."""
    return isinstance(value.get("altids"), dict) and "itemid" in value["altids"]


def read(item: dict[str, Any], intake: Intake, position: str) -> Article | Skipped:
    """One item. Raises RejectedInput: missing_uri, wrong_type, no_content, too_large, too_deep."""
    fields = Fields(item, intake, position)
    altids = item.get("altids")
    uri = Fields(altids, intake, f"{position}.altids").text("itemid") if isinstance(altids, dict) else None
    if uri is None:
        raise intake.reject("missing_uri", "an AP item needs an altids.itemid", position)
    kind = fields.text("type")
    article = Article(
        provider=intake.defaults.get("provider") or fields.text("provider") or intake.provider or "AP",
        uri=uri,
        version=fields.scalar("version"),
        item_kind=kind,
        version_created=fields.date("versioncreated"),
        first_created=fields.date("firstcreated"),
        embargoed=fields.date("embargoed"),
        language=fields.text("language"),
        headline=_line(fields.text("headline")),
        slugline=fields.text("slugline"),
        byline=_byline(item, fields),
        dateline=fields.text("dateline") or _city(item, fields),
        urgency=fields.scalar("urgency"),
        priority=fields.text("editorialpriority"),
        pub_status="usable" if fields.text("pubstatus") == "embargoed" else fields.choice("pubstatus", PUB_STATUS),
        signals=fields.texts("signals"),
        ed_note=_line(fields.text("ednote")),
        keywords=fields.texts("keywords"),
        usage_terms="\n".join(fields.texts("usageterms")) or None,
    )
    body = _body(fields, intake, position)
    return finish(msgspec.structs.replace(article, body=body, parse_notes=tuple(fields.notes)), intake, position)


# --- adapting it -----------------------------------------------------------------------------------------------------


def _byline(item: dict[str, Any], fields: Fields) -> str | None:
    bylines = item.get("bylines")
    first = next((entry for entry in bylines if isinstance(entry, dict)), {}) if isinstance(bylines, list) else {}
    stated = first.get("by")
    return _line(fields.clean(stated)) if isinstance(stated, str) else _line(fields.text("byline"))


def _city(item: dict[str, Any], fields: Fields) -> str | None:
    """The city of `datelinelocation`: where the story is datelined, by AP's own words."""
    place = item.get("datelinelocation")
    city = place.get("city") if isinstance(place, dict) else None
    return fields.clean(city) or None if isinstance(city, str) else None


def _body(fields: Fields, intake: Intake, position: str) -> tuple[Paragraph, ...]:
    for name in BODIES:
        if isinstance(fields.values.get(name), str) and (copy := fields.text(name)):
            return html_paragraphs(copy, intake, f"{position}.{name}")
    return ()


def _line(value: str | None) -> str | None:
    return plain_of(value) or None if value else None
