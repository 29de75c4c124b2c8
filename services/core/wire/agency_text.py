"""Agencies' own text frames: ZCZC … NNNN in its dialects, and press releases as distributors number them.

The letters at the head of a field line have no standard: what they mean is told by which of them stand together.
"""

from __future__ import annotations

import re
from functools import partial

from services.core.article import Article
from services.core.errors import RejectedInput
from services.core.wire.charset import decode, without_controls
from services.core.wire.dates import read_date
from services.core.wire.framed import respelled, transmissions
from services.core.wire.parsed import Intake, Parsed, Skipped, finish, gather
from services.core.wire.text_body import text_paragraphs

# --- wire shape ------------------------------------------------------------------------------------------------------

_START = re.compile(r"^[\x00-\x09\x0b-\x20]{0,20}zczc\b", re.IGNORECASE | re.MULTILINE)
_END = re.compile(r"^[ \t]{0,20}N{4}[ \t]{0,20}$", re.IGNORECASE | re.MULTILINE)
MARKS = "%#$:&*@~=^+"
"""Characters that open a field line."""
DIALECTS: tuple[tuple[str, dict[str, str]], ...] = (
    ("^", {"^": "headline", ":": "slugline", "=": "take"}),
    ("#", {":": "headline", "#": "slugline", "@": "take"}),
    (":", {":": "slugline", "@": "take", "=": "take"}),
)
"""The first whose letter stands in the head says what the others mean; letters outside it route and classify."""
TAGS = {
    "AN": "uri", "PD": "date", "TI": "headline", "HD": "headline", "HL": "headline", "BY": "byline", "SL": "slugline",
    "KW": "slugline", "ED": "ed_note", "LA": "language", "TX": "body",
}  # fmt: skip
_TAG = re.compile(r"^[ \t]*([A-Z]{2})#[ \t]?", re.MULTILINE)
_SLUG = re.compile(r"(?:BC|AM|PM)-\S.{0,80}")
_RELEASE = re.compile(r"^.{0,40}\bMEDIA RELEASE[ \t]+(PR\d{4,8})\b.{0,40}$", re.MULTILINE)
_RELEASE_SOURCE = re.compile(r"^\s*SOURCE:?\s.{0,200}$", re.MULTILINE)
_DAY_FIRST = re.compile(r"(\d{4})(\d\d)(\d\d)")
_TRUNCATED = str.maketrans({0x13: "–", 0x14: "—", 0x18: "‘", 0x19: "’", 0x1C: "“", 0x1D: "”"})
"""Typographic marks that lost the upper byte of their code on the way."""
TRUNCATED_NOTE = "quotation marks cut to their lower byte: restored"

# --- reading it ------------------------------------------------------------------------------------------------------


def is_release(head: bytes) -> bool:
    """Whether a text is a numbered press release: its number stands in the first lines."""
    return _RELEASE.search(head[:600].decode("latin-1")) is not None


def parse(data: bytes, intake: Intake) -> Parsed:
    """Each framed message of the file, on its own."""
    try:
        text, notes = decode(data, intake, framed=True)
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        pieces = transmissions(text, _START, intake)
    except RejectedInput as error:
        return Parsed(rejected=(error.with_traceback(None),))
    return gather(partial(_read, piece, notes, intake, where) for where, piece in pieces)


def _read(text: str, notes: tuple[str, ...], intake: Intake, position: str | None) -> Article | Skipped:
    """One message, from behind its ZCZC. Raises RejectedInput: no_content, too_large."""
    restored = text.translate(_TRUNCATED)
    if restored != text:
        notes = (*notes, TRUNCATED_NOTE)
    text, dropped = without_controls(restored)
    if end := _END.search(text):
        text = text[: end.start()]
    if _TAG.search(text[:400]):
        found, copy = _tagged(text)
    elif release := _RELEASE.search(text[:600]):
        found, copy = _release(release[1], text[release.end() :])
    else:
        found, copy = _field_lines(text)
    take = found.get("take")
    slug = found.get("slugline")
    if slug and take:
        slug = f"{slug}, {take}"
    created = read_date(found.get("date"))
    if "date" in found and created is None:
        notes = (*notes, f"the date cannot be read: {found['date'][:40]!r}")
    article = Article(
        provider=intake.defaults.get("provider") or intake.provider or "file",
        uri=found.get("uri") or (f"{intake.source}#{position}" if position else intake.source),
        version_created=created,
        language=found.get("language"),
        headline=found.get("headline"),
        slugline=slug,
        byline=found.get("byline"),
        ed_note=found.get("ed_note"),
        body=text_paragraphs(respelled(copy)),
        parse_notes=(*notes, *dropped),
    )
    return finish(article, intake, position)


# --- adapting it -----------------------------------------------------------------------------------------------------


def _field_lines(text: str) -> tuple[dict[str, str], str]:
    """The fields of the lines that open with a mark, and the copy below them; what follows ZCZC on its line is routing."""
    lines = text.split("\n")[1:]
    head: list[tuple[str, str]] = []
    at = 0
    while at < len(lines) and (not lines[at].strip() or lines[at].lstrip()[0] in MARKS):
        line = lines[at].strip()
        if line:
            head.append((line[0], line[1:].strip()))
        elif head:
            break
        at += 1
    marks = {mark for mark, _ in head}
    names = next((fields for mark, fields in DIALECTS if mark in marks), {})
    found: dict[str, str] = {}
    for mark, value in head:
        if mark in names and value:
            found.setdefault(names[mark], respelled(value))
    if not head and at < len(lines) and _SLUG.fullmatch(lines[at].strip()):
        found["slugline"] = lines[at].strip()
        at += 1
    return found, "\n".join(lines[at:])


def _tagged(text: str) -> tuple[dict[str, str], str]:
    """AN#, PD#, TI#, TX#: a field runs to the next tag."""
    parts = _TAG.split(text)
    found: dict[str, str] = {}
    for tag, value in zip(parts[1::2], parts[2::2], strict=True):
        if (name := TAGS.get(tag)) and value.strip():
            found.setdefault(name, value.strip() if name == "body" else " ".join(value.split()))
    if day := _DAY_FIRST.fullmatch(found.get("date", "")):
        found["date"] = "-".join(day.groups())
    return found, found.pop("body", "")


def _release(number: str, text: str) -> tuple[dict[str, str], str]:
    """A distributor's release: its headline is the first block, which may run over lines; its source line closes the copy."""
    headline, _, copy = text.strip("\n").partition("\n\n")
    found = {"uri": number}
    if headline.strip() and len(headline) < 400:
        found["headline"] = " ".join(headline.split())
    else:
        copy = text
    closing = _RELEASE_SOURCE.search(copy)
    return found, copy[: closing.start()] if closing else copy
