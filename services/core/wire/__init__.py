"""Wire formats: bytes in, Articles out. The format is told by content, never by a file's name."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import msgspec
import orjson

from services.core.errors import RejectedInput
from services.core.wire import (
    agency_text,
    anpa,
    ap_media,
    article_json,
    dpa,
    feed,
    html_page,
    iptc7901,
    mail,
    newsml_12,
    newsml_g2,
    ninjs,
    nitf,
    plain,
)
from services.core.wire.charset import decode, without_controls
from services.core.wire.fields import Fields
from services.core.wire.json_items import objects, read_items
from services.core.wire.limits import DEFAULT, Limits
from services.core.wire.parsed import Intake, Item, Parsed, ReadItem, Skipped
from services.core.wire.xml_tree import root_name

__all__ = ["FORMATS", "Limits", "Parsed", "Skipped", "detect", "parse"]

FORMATS: dict[str, Callable[[bytes, Intake], Parsed]] = {
    "article_json": article_json.parse,
    "ninjs": ninjs.parse,
    "dpa": dpa.parse,
    "ap_media": ap_media.parse,
    "anpa": anpa.parse,
    "iptc7901": iptc7901.parse,
    "agency_text": agency_text.parse,
    "feed": feed.parse,
    "html_page": html_page.parse,
    "mail": mail.parse,
    "newsml_g2": newsml_g2.parse,
    "newsml_12": newsml_12.parse,
    "nitf": nitf.parse,
    "plain": plain.parse,
}
"""Every format that is read, by the name that `--format` takes."""

_KNOWN_BUT_UNREAD = {
    "xml": "XML that is neither NewsML, NITF, a feed nor a page",
    "json": "JSON of a shape that is none of Article JSON, ninjs, dpa digitalwires and AP Media API",
}
_JSON_ITEMS: dict[str, ReadItem] = {
    "article_json": article_json.read,
    "ninjs": ninjs.read,
    "dpa": dpa.read,
    "ap_media": ap_media.read,
}
"""One item of a JSON file, by its own shape."""
_XML_ROOTS = {
    "newsMessage": "newsml_g2", **dict.fromkeys(newsml_g2.ITEMS, "newsml_g2"),
    "NewsML": "newsml_12", "NewsItem": "newsml_12",
    "nitf": "nitf",
    "rss": "feed", "RDF": "feed", "feed": "feed",
    "html": "html_page", "HTML": "html_page", "head": "html_page", "body": "html_page",
}  # fmt: skip
"""The format of an XML file, by the name of its root element."""
_STAMPED = ("input_id", "received_at")
"""What no sidecar says of an article that a wire made."""
_HEAD = 4096  # bytes that detection looks at
_PADDING = b" \t\r\n\x7f\xef\xbb\xbf"
_MARKUP = re.compile(rb"<(?:\?xml|!DOCTYPE|!--)|<[A-Za-z][\w:.-]*(?:\s[^>]*)?/?>", re.IGNORECASE)
_HTML = re.compile(rb"<!doctype\s+html\b", re.IGNORECASE)
_JSON = re.compile(rb"\{\s*(?:[\"'}]|$)|\[\s*(?:[\[{\]\"]|$)")
_ANPA = re.compile(rb"[\x00-\x20]*(?:\x16\x16|(?-i:[A-Z]\d{4}[^\r\n]{0,40}[\r\n]{1,2}[a-z] [a-z] \S))")
_ZCZC = re.compile(rb"[\x00-\x20]*zczc\b", re.IGNORECASE)
_7901 = re.compile(rb"\s*[a-z]{3}\d{3,4} \d [a-z]{1,3} \d{1,5}\b")
_MAIL = re.compile(
    rb"^(?:Received|Delivered-To|Return-Path|Message-ID|MIME-Version|Content-Type|DKIM-Signature|X-[\w-]+|From|To"
    rb"|Subject|Date|Reply-To|Cc):\s",
    re.IGNORECASE | re.MULTILINE,
)


def parse(
    data: bytes,
    *,
    source: str,
    format: str = "auto",  # noqa: A002  # the word that --format uses
    provider: str | None = None,
    sidecar: bytes | None = None,
    limits: Limits = DEFAULT,
) -> Parsed:
    """`data` as the articles, commands, rejections and skipped items that it holds; never an exception for bad bytes.

    `source` names the input (for plain text, which carries no identifier, it is the path that becomes the `uri`).
    `provider` is used where the item, its front matter or `sidecar` (NAME.meta.yaml) names none. `format` is `auto` or a
    name from FORMATS, or `json` for JSON of any shape that is read; items of a JSON file are told apart one by one.
    """
    source = without_controls(source)[0]  # names of files, and what a shell passes, may hold anything
    provider = without_controls(provider)[0].strip() or None if provider else None
    intake = Intake(source=source, provider=provider, limits=limits)
    try:
        if sidecar is not None:
            text, _ = decode(sidecar, intake)
            defaults = plain.read_yaml(text, intake, "sidecar")
            intake = msgspec.structs.replace(
                intake, defaults=defaults, beside=_beside(Fields(defaults, intake, "sidecar"))
            )
        if not data[:_HEAD].strip(_PADDING) and not data.strip(_PADDING) and not intake.defaults:
            raise intake.reject("empty", "the file is empty")
        name = _family(data) if format == "auto" else format
        if name == "plain" and format == "auto" and not intake.defaults and _is_bare_scalar(data):
            raise intake.reject("not_an_object", "all the file holds is one JSON value, and no object", "$")
        if name not in FORMATS and name != "json":
            raise intake.reject("unknown_format", _unknown(name, format))
    except RejectedInput as error:
        return Parsed(rejected=(error.with_traceback(None),))
    if name == "json":
        return read_items(data, intake, _read_by_content)
    return FORMATS[name](data, intake)


def _beside(fields: Fields) -> dict[str, Any]:
    """What a sidecar says of an article, by field. Raises RejectedInput `wrong_type`."""
    said = {"provider": fields.text("provider"), "uri": fields.text("uri"), **article_json.metadata(fields)}
    return {name: value for name, value in said.items() if value and name not in _STAMPED}


def detect(data: bytes) -> str:
    """The name of the format: one of FORMATS, or what it is that is not read (xml, anpa, iptc7901, mail, json)."""
    family = _family(data)
    return _json_format(data) if family == "json" else family


def _family(data: bytes) -> str:
    head = data[:_HEAD].lstrip(_PADDING)
    if _JSON.match(head):
        return "json"
    root = root_name(data) or "" if head.startswith(b"<") else ""
    if _HTML.match(head) or root.casefold() == "html":
        return "html_page"
    if name := _XML_ROOTS.get(root):
        return name
    if _MARKUP.match(head) and (head[:2] in (b"<?", b"<!") or b"</" in data[:_HEAD] or b"/>" in data[:_HEAD]):
        return "xml"
    if _ZCZC.match(head) or agency_text.is_release(head):
        return "agency_text"
    if _ANPA.match(head):
        return "anpa"
    if head.startswith(b"\x01") or _7901.match(head):
        return "iptc7901"
    first_block = re.split(rb"\r?\n\r?\n", head, maxsplit=1)[0]
    if _MAIL.match(head) and len(_MAIL.findall(first_block)) >= 2:
        return "mail"
    return "plain"


def _is_bare_scalar(data: bytes) -> bool:
    """Whether the whole file is null, true, false, a number, or a JSON text that no person typed: a quoted sentence is copy.

    A text of no blank, or with an escape in it, was written by a program.
    """
    text = data.strip(_PADDING)
    if not text.startswith((b'"', b"n", b"t", b"f", b"-", *(b"%d" % digit for digit in range(10)))):
        return False
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        return False
    if not isinstance(value, str):
        return not isinstance(value, list | dict)
    return b"\\" in text or (value.isascii() and len(value.split()) < 2)


def _json_format(data: bytes) -> str:
    """By the first item that can be read; broken JSON counts as Article JSON and is rejected there."""
    for _, value, _ in objects(data[: DEFAULT.item], Intake(source="")):
        if isinstance(value, dict):
            return _shape(value)
    return "article_json"


def _shape(item: dict[str, Any]) -> str:
    if "command" in item:
        return "article_json"
    if str(item.get("format", "")).startswith("digitalwires"):
        return "dpa"
    if ap_media.is_item(item):
        return "ap_media"
    if "api_version" in item:
        return "json"  # an answer of AP's that holds no item
    ours = "provider" in item and isinstance(item.get("body"), list)  # unknown keys are ignored, guid or type too
    if not ours and not (ninjs.KEYS if "provider" in item else ninjs.KEYS | ninjs.WEAK_KEYS).isdisjoint(item):
        return "ninjs"
    if not {"provider", "uri", "headline", "body"}.isdisjoint(item) or not item:
        return "article_json"
    return "json"


def _read_by_content(item: dict[str, Any], intake: Intake, position: str) -> Item | Skipped:
    shape = _shape(item)
    if shape in _JSON_ITEMS:
        return _JSON_ITEMS[shape](item, intake, position)
    raise intake.reject("unknown_format", _unknown(shape, "auto"), position)


def _unknown(name: str, asked: str) -> str:
    if asked != "auto":
        return f"no format is called {asked!r}; there are {', '.join(sorted(FORMATS))}"
    return f"this looks like {_KNOWN_BUT_UNREAD[name]}, which is not read yet"
