"""IPTC 7901: the European wire of before XML, with its control characters or stripped of them.

SOH service+serial priority category words [routing] agency daily-number CR LF
keyword/ CR LF
STX [mark] headline [byline] =  copy  # Notebook  notes  sign-off
ETX DDHHMM [zone] month year EOT
"""

from __future__ import annotations

import re
from functools import partial

import msgspec

from services.core.article import Article, UpdateKind
from services.core.errors import RejectedInput
from services.core.wire.charset import decode, without_controls
from services.core.wire.framed import clock, respelled, transmissions
from services.core.wire.markers import line_mark
from services.core.wire.parsed import Intake, Parsed, Skipped, finish, gather
from services.core.wire.text_body import text_paragraphs

# --- wire shape ------------------------------------------------------------------------------------------------------

_START = re.compile(r"\x01")
_HEADER = re.compile(
    r"\s*(?P<id>[A-Za-z]{2,4}\d{3,4})[ ]{1,3}(?P<priority>\d)[ ]{1,3}(?P<category>[A-Za-z]{1,4})[ ]{1,4}(?:\d{1,5}\b)?(?P<rest>[^\n]{0,80})\n?"
)
_AGENCY = re.compile(r"(?P<name>[A-Za-z]{2,8})(?:[-/][\w-]{1,12})?[ ]{1,4}\d{1,5}\s*$")
_STAMP = re.compile(
    r"(?P<day>\d\d)(?P<hour>\d\d)(?P<minute>\d\d)[ ]{0,3}(?:(?P<zone>[A-Z]{3,4})[ ]{1,3})?(?P<month>[^\W\d_]{3,9})\.?[ ]{1,3}(?P<year>\d{4}|\d\d)(?!\d)"
)
_BLOCK_END = re.compile(r"=[ \t]*(?:\n|$)|\n[ \t]*\n")
_BYLINE = re.compile(r"(?:By|Von|Par|Por|Di|Door|Av|From)\s+\S")
_ATTENTION = re.compile(r"\(?(?:achtung|attention|hinweis|advisory)\)?[.:!]?", re.IGNORECASE)
_EXTRA = re.compile(r"(?:EXTRA|SITUATION|\(?(?:Situation|Zwischenstand|Überblick|Stichwort|Hintergrund)\)?)")
_NUMBER = r"(?P<n>\d{1,2})(?:\.|st|nd|rd|th|er|ère|ème|e)?[ ]"
_WORDS: tuple[tuple[UpdateKind, str], ...] = (
    ("lead", rf"{_NUMBER}(?:Net|Lead|Ld|Zusammenfassung|Fassung|Synthèse|Résumé|Papier)"),
    ("lead", r"(?:Zusammenfassung|Synthèse|Lead)(?:[ ](?P<n>\d{1,2}))?"),
    ("update", rf"{_NUMBER}(?:Update|Aktualisierung|Actualisation|Neufassung)|Neufassung|Aktualisierung|Actualisé"),
    ("correction", r"Korrektur|Berichtigung|Correction|Rectificatif|Correzione|Correctie|Corrección"),
    ("repeat", r"Wiederholung|R[eé]p[eé]tition|Repetition|Herhaling"),
    ("alert", r"Eil|Eilmeldung|Blitz|Blitzmeldung|Flash|Alerte"),
)
_MARKS = tuple(
    (kind, re.compile(rf"\(?(?:{words})\)?[.:!]?(?:[ ]\d{{4}})?[ –-]{{0,4}}", re.IGNORECASE)) for kind, words in _WORDS
)
"""Lines of nothing but a mark, in the languages of the wires, with the hour of the summary where there is one."""
_NOTEBOOK = re.compile(
    r"^#[ ]{0,2}(?:dpa[ -]?)?(?:notebook|notizblock|bloc-notes)\b[^\n]*$", re.IGNORECASE | re.MULTILINE
)
_NOT_FOR_PRINT = re.compile(
    r"^(?:[* ]{4,20}|.{0,60}\bnot (?:intended )?for publication\b.{0,40}|.{0,60}\bnicht zur Veröffentlichung\b.{0,40})$",
    re.IGNORECASE | re.MULTILINE,
)
_SECTION = re.compile(r"^##[ ]{0,2}(?P<title>[^\n]{1,80})$", re.MULTILINE)
_TO_EDITORS = re.compile(
    r"notes? to editors|redaktion\w*\s+hinweise?|hinweis|correction|korrektur|berichtigung|refile", re.IGNORECASE
)
_WHO = re.compile(r"(?:- )?(?:reporting|writing|editing|autor(?:/?in)?|redaktion) ?(?:by)?:\s", re.IGNORECASE)
_REACHED_AT = re.compile(r"\d{4}|@")
WRAPPED = 45
"""Characters. A line of a headline that is longer runs on in the next; a section's name is shorter (lines end at 69)."""
LONGEST_BLOCK = 400
"""Characters. Above it a block without an end is copy: five full lines have 350."""

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
    header = _HEADER.match(text)
    start = header.end() if header else 0
    text, stamp = _without_stamp(text, start)
    created = clock(stamp.groupdict()) if stamp else None
    keyword, block, copy = _parts(text[start:])
    headline, byline, kind, number = _headline_block(block)
    body, ed_note = _body_and_note(copy)
    agency = _AGENCY.search(header["rest"]) if header else None
    article = Article(
        provider=intake.defaults.get("provider") or (agency and agency["name"]) or intake.provider or "file",
        uri=_uri(header and header["id"], created, intake, position),
        version_created=created,
        headline=headline,
        slugline=keyword,
        byline=byline,
        priority=header and header["priority"],
        update_kind=kind,
        update_number=number,
        ed_note=ed_note,
        parse_notes=notes,
    )
    return finish(msgspec.structs.replace(article, body=text_paragraphs(respelled(body))), intake, position)


# --- adapting it -----------------------------------------------------------------------------------------------------


def _uri(transmission: str | None, created: str | None, intake: Intake, position: str | None) -> str:
    """Service and serial with the day, since serials begin anew each day; else the path, as for plain text."""
    if transmission and created:
        return f"{transmission}/{created[:10]}"
    return f"{intake.source}#{position}" if position else intake.source


def _without_stamp(text: str, start: int) -> tuple[str, re.Match[str] | None]:
    """The text up to ETX, or to the stamp in its last lines where ETX was stripped; and the stamp."""
    end = text.find("\x03", start)
    if end >= 0:
        return text[:end], _STAMP.search(text[end : end + 80])
    tail = max(start, len(text) - 80)
    stamp = next(iter(list(_STAMP.finditer(text[tail:]))[-1:]), None)
    return (text[: tail + stamp.start()], stamp) if stamp else (text, None)


def _parts(text: str) -> tuple[str | None, str, str]:
    """Keyword line, headline block, copy. The block opens at STX, or below the line that ends in a slash; it ends at "=" or
    a blank line.
    """
    keyword, mark, rest = text.partition("\x02")
    if not mark:
        lines = text.lstrip("\n").split("\n", 1)
        ends = lines[0].rstrip().endswith("/") and len(lines) > 1
        keyword, rest = (lines[0], lines[1]) if ends else ("", text)
    slug = " ".join(without_controls(keyword)[0].split()).strip("/ ") or None
    rest = without_controls(rest)[0].lstrip("\n")
    end = _BLOCK_END.search(rest, 0, LONGEST_BLOCK)
    if end is None or not (mark or "=" in end[0]):
        return slug, "", rest
    return slug, rest[: end.start()], rest[end.end() :]


def _headline_block(block: str) -> tuple[str | None, str | None, UpdateKind | None, int | None]:
    """(headline, byline, kind, number): marks stand above the headline, the byline below, a section's name between."""
    kind: UpdateKind | None = None
    number = byline = None
    attention = False
    lines: list[str] = []
    for line in (line.strip() for line in block.split("\n") if line.strip()):
        if not lines and (mark := line_mark(line)):
            kind, number = kind or mark[0], number if number is not None else mark[1]
        elif not lines and (hit := _mark(line)):
            kind, number = kind or hit[0], number if number is not None else hit[1]
        elif not lines and _ATTENTION.fullmatch(line):
            attention = True
        elif not lines and _EXTRA.fullmatch(line):
            continue
        elif lines and byline is None and _BYLINE.match(line):
            byline = line
        elif byline is not None:
            byline = f"{byline} {line}"
        elif lines and len(lines[-1]) < WRAPPED:
            lines = [line]
        else:
            lines.append(line)
    return respelled(" ".join(lines)) or None, byline, kind or ("advisory" if attention else None), number


def _mark(line: str) -> tuple[UpdateKind, int | None] | None:
    """(kind, number) of a line that is nothing but a mark."""
    for kind, pattern in _MARKS:
        if found := pattern.fullmatch(line):
            number = found.groupdict().get("n")
            return kind, int(number) if number else None
    return None


def _body_and_note(copy: str) -> tuple[str, str | None]:
    """The copy above the notebook, and of the notebook what is addressed to editors and may be known."""
    notebook = _NOTEBOOK.search(copy)
    if notebook is None:
        return copy, None
    below = copy[notebook.end() :]
    private = _NOT_FOR_PRINT.search(below)
    public = below[: private.start()] if private else below
    sections = _SECTION.split(public)
    notes = [
        line.strip().removeprefix("- ")
        for title, section in zip(sections[1::2], sections[2::2], strict=True)
        if _TO_EDITORS.search(title)
        for line in section.split("\n")
        if line.strip().startswith("- ")
    ]
    return copy[: notebook.start()], "\n".join(notes or _who(below)) or None


def _who(notebook: str) -> list[str]:
    """Who reported and edited, for a desk that asks back; their numbers and addresses are nobody's else."""
    return [
        line.strip().removeprefix("- ")
        for line in notebook.split("\n")
        if _WHO.match(line.strip()) and not _REACHED_AT.search(line)
    ]
