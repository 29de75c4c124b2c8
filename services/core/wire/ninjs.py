"""IPTC ninjs 1.x, 2.x and 3.x, and the dialects of Superdesk, Newsroom and agencies on top of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from services.core.article import Article, Paragraph
from services.core.wire.article_json import PUB_STATUS
from services.core.wire.charset import without_controls
from services.core.wire.fields import Fields
from services.core.wire.html_body import html_paragraphs, plain_of
from services.core.wire.json_items import read_items
from services.core.wire.parsed import Intake, Parsed, Skipped, finish, is_story
from services.core.wire.text_body import text_paragraphs

# --- wire shape ------------------------------------------------------------------------------------------------------
# 1.x spells keys in lower case and has headline, byline, body_html; 2.x has headlines[], bodies[]; 3.x the same in
# camelCase. The first key that holds something wins. `by` of 2.x says who made the item, often the agency itself: no byline.

KEYS = frozenset({
    "versioncreated", "versionCreated", "pubstatus", "pubStatus", "body_html", "body_xhtml", "body_text", "body_html5",
    "bodies", "headlines", "guid", "copyrightholder", "copyrightHolder", "description_text", "eventDetails",
})  # fmt: skip
"""Any of these tells ninjs from Article JSON."""
WEAK_KEYS = frozenset({"type", "standard", "associations", "representationtype", "representationType"})
"""These do so only where no provider is named, which ninjs has no key for."""

URI = ("uri", "guid", "_id")
VERSION_CREATED = ("versioncreated", "versionCreated")
FIRST_CREATED = ("firstcreated", "firstCreated")
ED_NOTE = ("ednote", "edNote")
BYLINE = ("byline",)
SLUGLINE = ("slugline", "slug")
USAGE_TERMS = ("usageterms", "usageTerms")
EVOLVED_FROM = ("evolvedfrom", "evolvedFrom", "rewrite_of")
STATUS = ("pubstatus", "pubStatus")
PROVIDER = ("source", "provider", "infosource", "infosources", "infoSources", "copyrightholder", "copyrightHolder")
PLANNING = frozenset({"agenda", "event", "planning"})

# --- reading it ------------------------------------------------------------------------------------------------------


def parse(data: bytes, intake: Intake) -> Parsed:
    """One ninjs item, an array, a wrapped list (`item`, `items`, `_items`), or one item a line."""
    return read_items(data, intake, read)


def read(item: dict[str, Any], intake: Intake, position: str) -> Article | Skipped:
    """One ninjs item. What it is associated with (pictures, related items) is not read.

    Raises RejectedInput: missing_uri, wrong_type, no_content, too_large, too_deep.
    """
    fields = Fields(item, intake, position)
    uri = fields.scalar(*URI)
    kind = fields.text("type") or ("event" if "eventDetails" in item else None)
    if uri is None:
        raise intake.reject("missing_uri", "a ninjs item needs a uri or guid", position)
    if kind in PLANNING:
        kind = "planning"
    article = Article(
        provider=_provider(item, intake),
        uri=uri,
        version=fields.scalar("version"),
        item_kind=kind,
        genre=_name(item.get("genre")) or _name(item.get("genres")),
        version_created=fields.date(*VERSION_CREATED),
        first_created=fields.date(*FIRST_CREATED),
        embargoed=fields.date("embargoed", "embargo"),
        language=fields.text("language"),
        headline=_headline(item, fields),
        slugline=fields.text(*SLUGLINE),
        byline=_line(fields.text(*BYLINE)),
        dateline=_dateline(item, fields),
        urgency=fields.scalar("urgency"),
        priority=fields.scalar("priority"),
        pub_status=_pub_status(fields),
        signals=tuple(_names(item.get("signals") or item.get("signal"))),
        update_kind="advisory" if kind == "advisory" else None,
        ed_note=_line(fields.text(*ED_NOTE)),
        supersedes=next(_names(item.get("replacing")), None),
        evolved_from=next((name for key in EVOLVED_FROM for name in _names(item.get(key))), None),
        keywords=tuple(_names(item.get("keywords"))),
        url=fields.text("url"),
        usage_terms=fields.text(*USAGE_TERMS),
    )
    body = _body(item, article.headline, intake, position) if is_story(kind) else ()
    return finish(msgspec.structs.replace(article, body=body, parse_notes=tuple(fields.notes)), intake, position)


# --- adapting it -----------------------------------------------------------------------------------------------------


def _provider(item: dict[str, Any], intake: Intake) -> str:
    """Who sent it: the sidecar, what the item says of its source, `--provider`, else "file"."""
    stated = (_name(item.get(key)) for key in PROVIDER)
    return intake.defaults.get("provider") or next(filter(None, stated), None) or intake.provider or "file"


def _pub_status(fields: Fields) -> Any:
    name = next((name for name in STATUS if fields.values.get(name)), STATUS[0])
    value = fields.text(name)
    if value is not None and value.casefold() == "embargoed":
        return "usable"  # usable for whoever keeps to the embargo, which is its own field
    return fields.choice(name, PUB_STATUS)


def _headline(item: dict[str, Any], fields: Fields) -> str | None:
    """1.x `headline`; else the entry of `headlines` whose role is main, else its first."""
    return _line(fields.text("headline")) or next(
        (line for entry in sorted(_entries(item.get("headlines")), key=_not_main) if (line := _line(_value(entry)))),
        None,
    )


def _not_main(entry: dict[str, Any]) -> bool:
    return entry.get("role") not in ("main", "headline", "hld:main")


def _dateline(item: dict[str, Any], fields: Fields) -> str | None:
    dateline = item.get("dateline")
    if isinstance(dateline, dict):
        return _line(_text(dateline.get("text")) or _text(dateline.get("located")))
    return _line(fields.text("dateline")) or _line(_text(item.get("located")))


def _body(item: dict[str, Any], headline: str | None, intake: Intake, position: str) -> tuple[Paragraph, ...]:
    """The best rendition that holds copy, never two of them; a first paragraph that only repeats the headline is dropped."""
    for _, path, markup, value in sorted(_renditions(item), key=lambda rendition: rendition[0]):
        if markup:
            paragraphs = html_paragraphs(value, intake, f"{position}.{path}")
        else:
            if len(value) > intake.limits.text * intake.limits.slack:
                raise intake.reject("too_large", f"{len(value):,} characters of text", f"{position}.{path}")
            paragraphs = text_paragraphs(value)
        if paragraphs:
            repeats = headline and paragraphs[0].text.casefold() == headline.casefold() and len(paragraphs) > 1
            return paragraphs[1:] if repeats else paragraphs
    return ()


def _renditions(item: dict[str, Any]) -> Iterator[tuple[int, str, bool, str]]:
    """(rank, path, is markup, value): HTML before NITF, both before plain text, which has lost its structure."""
    for name, value in item.items():
        if name.startswith("body_") and (text := _text(value)):
            markup = "text" not in name or _looks_marked_up(text)
            yield (0 if name == "body_html" else 1 if markup else 3), name, markup, text
    for i, entry in enumerate(_entries(item.get("bodies"))):
        value = _value(entry)
        if value is None:
            continue
        label = (
            f"{entry.get('contenttype') or ''} {entry.get('contentType') or ''} {entry.get('role') or ''}".casefold()
        )
        if "html" in label:
            rank = 0
        elif "nitf" in label or "xml" in label:
            rank = 2
        else:
            rank = 1 if _looks_marked_up(value) else 3
        yield rank, f"bodies[{i}]", rank < 3, value


def _looks_marked_up(value: str) -> bool:
    return value.lstrip().startswith("<") and "</" in value


def _entries(value: Any) -> list[dict[str, Any]]:
    entries = value if isinstance(value, list) else [value]
    return [entry for entry in entries if isinstance(entry, dict)]


def _value(entry: dict[str, Any]) -> str | None:
    return _text(entry.get("value"))


def _text(value: Any) -> str | None:
    return without_controls(value)[0].strip() or None if isinstance(value, str) else None


def _line(value: str | None) -> str | None:
    return plain_of(value) or None if value else None


def _names(value: Any) -> Iterator[str]:
    """Texts, or objects that name something by qcode, code, literal, name or uri."""
    for entry in value if isinstance(value, list) else [value]:
        if isinstance(entry, dict):
            keys = ("qcode", "code", "name", "literal", "uri")
            entry = next((entry[key] for key in keys if isinstance(entry.get(key), str)), None)  # noqa: PLW2901
        if text := _text(entry):
            yield text


def _name(value: Any) -> str | None:
    """The printed name of the first entry of a list of terms."""
    return next((_text(entry.get("name")) or _text(entry.get("code")) for entry in _entries(value)), _text(value))
