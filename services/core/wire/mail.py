"""E-mail: the text of a message and what its head says; attachments, signatures and disclaimers stay out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email import message_from_bytes
from email.errors import MessageError
from email.header import decode_header
from email.message import Message
from email.utils import parseaddr
from itertools import islice
from typing import Any

import orjson

from services.core.article import Article
from services.core.wire.charset import without_controls
from services.core.wire.dates import read_date
from services.core.wire.html_body import html_paragraphs, plain_of
from services.core.wire.parsed import Intake, Parsed, Skipped, finish, gather
from services.core.wire.text_body import text_paragraphs

# --- wire shape ------------------------------------------------------------------------------------------------------
# RFC 5322 and MIME. Stringers and forms put the real head into the text: "Headline: …", or a JSON object of lists.

MOST_LINES = 400_000
"""Lines of a message times its levels: the standard library looks for every level's boundary at every line, in 2 µs."""
MOST_HEADERS = 10_000
"""Lines that may be headers, in the head or in the text: reading one takes 10 µs."""
MOST_PARTS = 1_000
"""Lines that may be boundaries. A mailing of many pictures has some tens."""
LONGEST_TYPE = 1_000
"""Bytes of a Content-Type or Content-Disposition: 2.5 MB of parameters take the standard library 98 seconds."""
LONGEST_HEADER = 4_000
"""Characters of a header that are read."""
_HEADER_LINE = re.compile(rb"(?:^|[\r\n])[!-9;-~]{1,80}:")
_TYPES = re.compile(rb"(?:^|[\r\n])content-(?:type|disposition|transfer-encoding)[ \t]{0,20}:")
_FOLDED = re.compile(rb"(?:[^\r\n]|(?:\r\n|\r|\n)[ \t])*")
TEXT_CHARSETS = re.compile(
    r"utf-?8|utf-?16(?:le|be)?|(?:us-)?ascii|iso-?8859-\d{1,2}|(?:windows|cp)-?\d{3,5}|koi8-[ru]|gb2312|gbk|gb18030|big5"
    r"|euc-(?:jp|kr)|shift[-_]jis|iso-2022-(?:jp|kr)|mac-?roman|macintosh"
)
LABELS = {
    "headline": "headline", "title": "headline", "titre": "headline", "titel": "headline", "überschrift": "headline",
    "slug": "slugline", "slugline": "slugline", "keyword": "slugline", "byline": "byline", "author": "byline",
    "dateline": "dateline", "embargo": "embargoed", "embargoed": "embargoed", "ed note": "ed_note", "ednote": "ed_note",
    "editor's note": "ed_note", "editors note": "ed_note", "note to editors": "ed_note", "abstract": "", "summary": "",
    "teaser": "", "category": "", "categories": "", "priority": "", "word count": "", "language": "language",
    "body": "body", "story": "body", "text": "body", "article": "body", "content": "body", "story text": "body",
}  # fmt: skip
"""Words before a colon, or keys of a form's JSON, by the field they fill; an empty one is read and left out."""
_LABEL = re.compile(r"([^\W\d_][\w' ]{2,19}):[ \t]*(.*)")
_BYLINE = re.compile(r"(?:By|Von|Par|Por|Di|Door)[ ][^\W\d_].{1,80}")
_SIGNATURE = re.compile(r"^(?:-- ?|__ ?|—)[ \t]*\r?$", re.MULTILINE)
_DISCLAIMER = re.compile(
    r"[\W_]*(?:disclaimer|confidentiality notice|important notice)\b.{0,40}$"
    r"|.{0,60}\bthis (?:e-?mail|message|communication|transmission)\b.{0,200}\b(?:confidential|intended (?:only|solely)|privileged)\b"
    r"|.{0,60}\b(?:diese (?:e-?mail|nachricht)\b.{0,200}\bvertraulich|ce (?:courriel|message)\b.{0,200}\bconfidentiel)",
    re.IGNORECASE | re.DOTALL,
)
_SENT_FROM = re.compile(r"(?:Sent from my|Gesendet von meinem|Envoyé de mon|Enviado desde mi|Inviato da)\s.{1,40}")

# --- reading it ------------------------------------------------------------------------------------------------------


def parse(data: bytes, intake: Intake) -> Parsed:
    """One message, one article."""
    return gather([lambda: _read(data, intake)])


def _read(data: bytes, intake: Intake) -> Article | Skipped:
    """Raises RejectedInput: too_large, too_deep, unreadable, no_content."""
    data = data.lstrip(b" \t\r\n\x00\xef\xbb\xbf")
    if len(data) > intake.limits.item:
        raise intake.reject("too_large", f"{len(data):,} bytes, a message may have {intake.limits.item:,}")
    lowered = data.lower()
    levels = 1 + lowered.count(b"multipart/") + lowered.count(b"message/")
    lines = data.count(b"\n") + data.count(b"\r")
    if lines * levels > MOST_LINES:
        raise intake.reject("too_large", f"{lines:,} lines in {levels:,} levels of parts")
    if data.count(b"\n--") + data.count(b"\r--") > MOST_PARTS:
        raise intake.reject("too_large", f"more than {MOST_PARTS:,} parts")
    if sum(1 for _ in islice(_HEADER_LINE.finditer(data), MOST_HEADERS + 1)) > MOST_HEADERS:
        raise intake.reject("too_large", f"more than {MOST_HEADERS:,} headers")
    for name in _TYPES.finditer(lowered):
        if _FOLDED.match(data, name.end(), name.end() + 2 * LONGEST_TYPE).end() - name.end() > LONGEST_TYPE:  # type: ignore[union-attr]  # it may be empty
            raise intake.reject("too_large", f"a header of more than {LONGEST_TYPE:,} bytes", f"byte {name.start()}")
    try:
        message = message_from_bytes(data)
        return _adapt(message, intake)
    except (RecursionError, LookupError, ValueError, TypeError, AttributeError, MessageError) as error:
        # the standard library raises all of these on broken heads: https://github.com/python/cpython/issues/?q=email
        raise intake.reject("unreadable", f"this is no message: {error}"[:200]) from None


# --- adapting it -----------------------------------------------------------------------------------------------------


def _adapt(message: Message, intake: Intake) -> Article | Skipped:
    notes: list[str] = []
    text, markup = _copy(message, intake, notes)
    labelled: dict[str, str] = {}
    if text.strip():
        labelled, text = _labels(_without_signature(text))
        body = text_paragraphs(text)
    else:
        body = html_paragraphs(markup, intake, "text/html")
    sent = _header(message, "Date")
    created = read_date(sent)
    if sent and created is None:
        notes.append(f"Date is no readable date: {sent[:40]!r}")
    article = Article(
        provider=intake.defaults.get("provider") or intake.provider or _domain(message) or "file",
        uri=_header(message, "Message-ID") or intake.source,
        version_created=created,
        embargoed=read_date(labelled.get("embargoed")),
        language=labelled.get("language") or _header(message, "Content-Language"),
        headline=labelled.get("headline") or plain_of(_header(message, "Subject") or "") or None,
        slugline=labelled.get("slugline"),
        byline=labelled.get("byline"),
        dateline=labelled.get("dateline"),
        ed_note=labelled.get("ed_note"),
        supersedes=_header(message, "Supersedes"),
        keywords=tuple(word.strip() for word in (_header(message, "Keywords") or "").split(",") if word.strip()),
        body=tuple(p for p in body if not _DISCLAIMER.match(p.text) and not _SENT_FROM.fullmatch(p.text)),
        parse_notes=tuple(dict.fromkeys(notes)),
    )
    return finish(article, intake, None)


def _header(message: Message, name: str) -> str | None:
    """A header as text, its encoded words decoded; bytes that no charset explains are read as UTF-8, else cp1252."""
    raw = next((str(value) for key, value in message.raw_items() if key.lower() == name.lower()), None)
    if raw is None:
        return None
    text = raw[:LONGEST_HEADER].encode("utf-8", "surrogateescape")
    shown = "".join(text.decode("utf-8") if _is_utf8(text) else text.decode("cp1252", "replace"))
    try:
        parts = decode_header(shown.replace("\r", "").replace("\n", ""))
    except (ValueError, LookupError, MessageError):
        parts = [(shown, None)]
    words = (part if isinstance(part, str) else _decoded(part, charset) for part, charset in parts)
    return " ".join(without_controls("".join(words))[0].split()) or None


def _domain(message: Message) -> str | None:
    return parseaddr(_header(message, "From") or "")[1].rpartition("@")[2].lower() or None


def _copy(message: Message, intake: Intake, notes: list[str]) -> tuple[str, str]:
    """The plain text and the HTML of a message, each joined in order; what is attached is no copy."""
    texts: dict[str, list[str]] = {"text/plain": [], "text/html": []}
    for part in _parts(message):
        kind = part.get_content_type()
        if kind not in texts:
            continue
        payload = part.get_payload(decode=True)
        if not isinstance(payload, bytes):
            continue
        if len(payload) > intake.limits.markup:
            raise intake.reject("too_large", f"a text of {len(payload):,} bytes", kind)
        declared = part.get_content_charset()
        texts[kind].append(without_controls(_decoded(payload, declared, notes))[0])
    return "\n\n".join(texts["text/plain"]), "\n".join(texts["text/html"])


def _parts(message: Message) -> Iterator[Message]:
    """What is shown of a message: not its attachments, and not the messages that are attached to it."""
    waiting = [message]
    while waiting:
        part = waiting.pop(0)
        if part.get_content_disposition() == "attachment" or part.get_filename():
            continue
        payload: Any = part.get_payload()
        if part.get_content_maintype() == "multipart" and isinstance(payload, list):
            waiting[:0] = [inner for inner in payload if isinstance(inner, Message)]
        elif part.get_content_maintype() != "message":
            yield part


def _decoded(data: bytes, charset: str | None, notes: list[str] | None = None) -> str:
    """By the declared charset; Latin-1 is read as cp1252, which mailers mean by it; else UTF-8, else cp1252."""
    name = (charset or "").casefold().removeprefix("x-")
    name = "cp1252" if name in ("iso-8859-1", "latin-1", "iso8859-1") else name
    for attempt in (name if TEXT_CHARSETS.fullmatch(name) else "utf-8", "utf-8"):
        try:
            return data.decode(attempt)
        except (UnicodeDecodeError, LookupError):
            continue
    if notes is not None:
        notes.append(f"not {name or 'UTF-8'}: read as cp1252")
    return data.decode("cp1252", "replace")


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _without_signature(text: str) -> str:
    signature = _SIGNATURE.search(text)
    return text[: signature.start()] if signature and text[: signature.start()].strip() else text


def _labels(text: str) -> tuple[dict[str, str], str]:
    """The fields that stand in the text itself, and the copy below them.

    Only a head with a headline counts: "Note to editors: …" above a story without one is part of what was sent. What
    stands above the labels routes the message; a short line and a byline below them are slug and byline.
    """
    if text.lstrip().startswith("{") and (form := _form(text)):
        return form, form.pop("body", "")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    found: dict[str, str] = {}
    last = -1
    for i, line in enumerate(lines[:30]):
        label = _LABEL.fullmatch(line.strip()[:600])
        field = LABELS.get(label[1].strip().casefold()) if label else None
        if label and field is not None:
            last = i
            if field and label[2].strip():
                found.setdefault(field, label[2].strip())
        elif line.strip() and "headline" in found and i > last + 1:
            break
    if "headline" not in found:
        return {}, text
    first = found.pop("body", None)
    rest = list(([first] if first else []) + lines[last + 1 :])
    block, below = _first_block(rest)
    if 1 <= len(block) <= 2 and _BYLINE.fullmatch(block[-1].strip()):
        found.setdefault("byline", block[-1].strip())
        if len(block) == 2:
            found.setdefault("slugline", block[0].strip())
        rest = below
    return found, "\n".join(rest)


def _first_block(lines: list[str]) -> tuple[list[str], list[str]]:
    start = next((i for i, line in enumerate(lines) if line.strip()), len(lines))
    end = next((i for i in range(start, len(lines)) if not lines[i].strip()), len(lines))
    return lines[start:end], lines[end:]


def _form(text: str) -> dict[str, str]:
    """A form's answers: a JSON object of texts or of lists of them."""
    try:
        answers = orjson.loads(text)
    except orjson.JSONDecodeError:
        return {}
    found: dict[str, str] = {}
    for name, value in answers.items() if isinstance(answers, dict) else ():
        field = LABELS.get(str(name).strip().casefold())
        texts = [entry for entry in (value if isinstance(value, list) else [value]) if isinstance(entry, str)]
        if field and (joined := "\n\n".join(entry.strip() for entry in texts if entry.strip())):
            found.setdefault(field, joined)
    return found if "headline" in found or "body" in found else {}
