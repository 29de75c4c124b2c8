"""ANPA 1312: AP's and its neighbours' high-speed wire, with its control characters or stripped of them.

SYN SYN SOH transmission US selector CR LF
priority category DC3 DC1 keyword [take] MM-DD words CR LF
STX ^slug,length<  ^headline<  ^Eds: …<  ^By …=  copy
ETX AP-WF-MM-DD-YY HHMMGMT FF EOT
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

import msgspec

from services.core.article import Article, Paragraph
from services.core.errors import RejectedInput
from services.core.wire.charset import decode, without_controls
from services.core.wire.framed import clock, respelled, transmissions
from services.core.wire.parsed import Intake, Parsed, Skipped, finish, gather
from services.core.wire.text_body import text_paragraphs

# --- wire shape ------------------------------------------------------------------------------------------------------

_START = re.compile(r"\x16{1,8}\x01")
_SERVICE = re.compile(r"\s*(?P<id>[A-Za-z]{1,3}\d{3,4})(?:[\x1f\t ]|(?=[a-z\r\n-]))[^\r\n]{0,40}[\r\n]+")
_HEADER = re.compile(
    r"[\x11-\x14 ]{0,4}(?P<priority>[a-z]) (?P<category>[a-z])[\x11-\x14 ]{1,6}(?P<keyword>\S{1,30})"
    r"(?:[ ]{1,20}(?P<take>[^\s\d]\S{0,20}|\d\S{0,20}[A-Za-z]\S{0,20}))?[ ]{1,20}\d\d-\d\d(?:[ ]{1,8}\d{1,5})?[ \t]*[\r\n]+"
)
_TRAILER = re.compile(
    r"(?P<agency>[A-Z]{2,5})-(?:(?P<wire>[A-Z]{1,4})-)?(?P<month>\d\d)-(?P<day>\d\d)-(?P<year>\d\d)[ ]{1,3}"
    r"(?P<hour>\d\d)(?P<minute>\d\d)(?P<zone>[A-Z]{3,4})?"
)
_KYODO = re.compile(
    r"(?P<agency>[A-Z]{2,5})-(?P<hour>\d\d):(?P<minute>\d\d)-(?P<day>\d\d)-(?P<month>\d\d)-(?P<year>\d\d)"
)
_FIELD = re.compile(r"(?:^|(?<=<)[ ]{0,4})\^", re.MULTILINE)
_LENGTH = re.compile(r",\s*[\d-]*$")
_TRASH = re.compile(r"\*\d{1,6}|END|MORE|-?30-?|\W*", re.IGNORECASE)
_NOTE = re.compile(
    r"\(?(?:eds?\b[.:]|editors?'?s?\b[:']|editor's note\b|advisory\b|attention\b|hold for\b|embargo|for release\b)",
    re.IGNORECASE,
)
_PICTURES = re.compile(
    r"(?:AP|CP|KYODO|Kyodo)\s(?:Photo|Graphic|Video|Audio|Interactive)s?\b|(?:Photo|Graphic|Video)s?:?\s(?=[A-Z]{2,5}\d)"
)
_BYLINE = re.compile(r"(?:By|Por|Par|Von)\s\S")
_ROW = re.compile(r"[^;\n]*(?:;[^;\n]*){2,}")
LONGEST_HEAD = 200
"""Characters before STX."""
MOST_FIELDS = 200
"""Fields at the head of a transmission; a list of headlines has some tens."""

# --- reading it ------------------------------------------------------------------------------------------------------


def parse(data: bytes, intake: Intake) -> Parsed:
    """Each transmission of the file, on its own."""
    try:
        text, notes = decode(data, intake, framed=True)
        pieces = transmissions(text, _START, intake)
    except RejectedInput as error:
        return Parsed(rejected=(error.with_traceback(None),))
    return gather(partial(_read, piece, notes, intake, where) for where, piece in pieces)


def _read(text: str, notes: tuple[str, ...], intake: Intake, position: str | None) -> Article | Skipped:
    """One transmission, from behind its SOH. Raises RejectedInput: no_content, too_large."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    service = _SERVICE.match(text)
    header = _HEADER.match(text, service.end() if service else 0)
    start = header.end() if header else service.end() if service else 0
    if (mark := text.find("\x02", start, start + LONGEST_HEAD)) >= 0:
        start = mark + 1  # whatever the head looks like
    end = text.find("\x03", start)
    trailer = _stamp(text[end:]) if end >= 0 else None
    whole = text if end < 0 else text[:end]
    if trailer is None:  # ETX was stripped, or stands behind the stamp
        trailer = _stamp(whole[max(start, len(whole) - 200) :])
        whole = whole[: trailer_start(whole, start)]
    content = whole[start:].replace("\x02", "")
    fields, copy = _split(content)
    created = trailer and clock(trailer.groupdict())
    article = Article(
        provider=intake.defaults.get("provider") or (trailer and trailer["agency"]) or intake.provider or "file",
        uri=_uri(service and service["id"], created, intake, position),
        version_created=created,
        priority=header and header["priority"],
        parse_notes=notes,
    )
    article = _with_fields(article, fields, header and header["take"])
    return finish(msgspec.structs.replace(article, body=_body(copy)), intake, position)


# --- adapting it -----------------------------------------------------------------------------------------------------


def _uri(transmission: str | None, created: str | None, intake: Intake, position: str | None) -> str:
    """Service letter and serial with the day, since serials begin anew each cycle; else the path, as for plain text."""
    if transmission and created:
        return f"{transmission}/{created[:10]}"
    return f"{intake.source}#{position}" if position else intake.source


def _stamp(text: str) -> re.Match[str] | None:
    return _TRAILER.search(text[:400]) or _KYODO.search(text[:400])


def trailer_start(text: str, start: int) -> int:
    """Where the copy ends when ETX was stripped: at the stamp in the last lines, if there is one."""
    tail = max(start, len(text) - 200)
    found = _stamp(text[tail:])
    return tail + found.start() if found else len(text)


def _split(content: str) -> tuple[list[str], str]:
    """The fields that stand in "^" lines at the top, and the copy; where every line has one, those after two are copy."""
    lines = content.split("\n")
    first = next((i for i, line in enumerate(lines) if line.strip() and not line.lstrip(" \x02").startswith("^")), None)
    head = "\n".join(lines[:first])
    fields = [
        clean for field in _FIELD.split(head, MOST_FIELDS) if (clean := _field(field)) and not _TRASH.fullmatch(clean)
    ]
    if first is None and len(fields) > 2:
        return fields[:2], "\n\n".join(field.rstrip("=").strip() for field in fields[2:])
    return fields, "\n".join(lines[first:]) if first is not None else ""


def _field(field: str) -> str:
    return respelled(without_controls(field)[0].strip().rstrip("<").strip())


def _with_fields(article: Article, fields: list[str], take: str | None) -> Article:
    """Slug, headline, notes and byline in the order in which AP sends them; picture numbers and credits are neither."""
    slug = _LENGTH.sub("", fields[0]).rstrip(", ") if fields else None
    headline = byline = None
    notes = []
    for field in fields[1:]:
        if _NOTE.match(field):
            notes.append(field.strip("()"))
        elif field.endswith("="):
            byline = byline or (field.rstrip("= ") if _BYLINE.match(field) else None)
        elif _BYLINE.match(field) and headline:
            byline = byline or field
        elif not _PICTURES.match(field):
            headline = headline or field
    if slug and take and take.casefold().replace(" ", "") not in slug.casefold().replace(" ", ""):
        slug = f"{slug}, {_spaced(take)}"
    return msgspec.structs.replace(
        article, slugline=slug or None, headline=headline, byline=byline, ed_note="\n".join(notes) or None
    )


def _spaced(take: str) -> str:
    """The take key as the slug line spells it: "1stLd-Writethru" is "1st Ld-Writethru"."""
    return re.sub(r"(?<=\d(?:st|nd|rd|th))(?=\w)", " ", take)


def _body(copy: str) -> tuple[Paragraph, ...]:
    """Paragraphs are indented or parted by blank lines; lines of ";" cells are rows of a table."""
    return tuple(p for is_table, block in _blocks(copy) for p in (_rows(block) if is_table else _paragraphs(block)))


def _blocks(copy: str) -> Iterator[tuple[bool, list[str]]]:
    block: list[str] = []
    table = False
    for raw in copy.split("\n"):
        line = raw.replace("\x1f", ";").replace("\x1e", ";").rstrip().rstrip("<^")
        line = "" if _TRASH.fullmatch(line.strip(" \t^")) and line.strip(" _") else line
        is_row = _ROW.fullmatch(line) is not None and line.count(";") * 12 > len(line.split()) and ". " not in line
        if is_row != table and block:
            yield table, block
            block = []
        table = is_row
        block.append(line)
    yield table, block


def _rows(lines: list[str]) -> Iterator[Paragraph]:
    for line in lines:
        cells = [respelled(cell.strip()) for cell in without_controls(line)[0].split(";")]
        if any(cells):
            yield Paragraph(" | ".join(cells).strip(), "table")


def _paragraphs(lines: list[str]) -> tuple[Paragraph, ...]:
    """A tab at the head of a line opens a paragraph, whether or not a blank line stands before it."""
    text, _ = without_controls("\n".join(f"\n{line}" if line.startswith("\t") else line for line in lines))
    return text_paragraphs(respelled(text))
