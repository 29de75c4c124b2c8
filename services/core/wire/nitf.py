"""NITF 3.x, alone or inside NewsML: the document's own data, the lines above the copy, the copy."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from services.core.article import Article, Paragraph
from services.core.times import instant
from services.core.wire.article_json import PUB_STATUS
from services.core.wire.markers import note_line, read_marks
from services.core.wire.parsed import Intake, Parsed, Skipped, finish
from services.core.wire.xml_tree import Node, Reading, byline_in, every, first, local, read_file

# --- wire shape ------------------------------------------------------------------------------------------------------
# nitf > head > (title, meta*, tobject, docdata, pubdata, revision-history*); nitf > body > (body.head, body.content, body.end).
# docdata holds the identifiers, status, times and notes; body.head the lines.

STATUS = {**PUB_STATUS, "embargoed": "usable"}
"""Usable for whoever keeps to the embargo, which is its own field."""
SLUG_META = "anpa-keyword"
TAKE_KEY_META = "anpa-takekey"
PRIORITY_META = ("aap-priority", "anpa-priority")
NOT_COPY = frozenset({
    "note", "body.head", "body.end", "abstract", "hedline", "datasource", "virtloc", "media-caption", "media-producer",
    "nitf-table-metadata", "teaser", "summary-box",
})  # fmt: skip
"""Elements and classes that stand between the paragraphs and are none."""

# --- reading it ------------------------------------------------------------------------------------------------------


def parse(data: bytes, intake: Intake) -> Parsed:
    """One document."""
    return read_file(data, intake, _documents, "nitf", read)


def read(node: Node, intake: Intake, position: str) -> Article | Skipped:
    """One document. One without an identifier is named by its file, as plain text is.

    Raises RejectedInput: no_content, too_large, too_deep.
    """
    reading = Reading(intake, position)
    head = first(node, "head")
    docdata = first(head, "docdata")
    lines = first(node, "body", "body.head")
    uri = reading.line(_attribute(docdata, "doc-id", "id-string")) or reading.line(node.get("uno"))
    if uri is None:
        uri = intake.source
        reading.notes.append("no doc-id: named by its file")
    meta = {m.get("name"): m.get("content") for m in every(head, "meta")}
    status = reading.line(docdata.get("management-status")) if docdata is not None else None
    issued = reading.date(_attribute(docdata, "date.issue", "norm"), "date.issue")
    body = copy(node, reading)
    article = Article(
        provider=_provider(docdata, lines, meta, reading),
        uri=uri,
        version=reading.line(_attribute(docdata, "du-key", "version")),
        item_kind="text",
        genre=reading.line(_attribute(first(head, "tobject"), "tobject.property", "tobject.property.type")),
        version_created=issued,
        embargoed=_embargo(docdata, status, issued, reading),
        language=_language(node, reading),
        headline=headline(node, reading),
        slugline=_slugline(docdata, meta, reading),
        byline=byline(node, reading) or byline_in(body),
        dateline=_dateline(lines, reading),
        urgency=reading.line(_attribute(docdata, "urgency", "ed-urg")),
        priority=next((text for name in PRIORITY_META if (text := reading.line(meta.get(name)))), None),
        pub_status=reading.status(status, STATUS),
        ed_note="\n".join(_notes(head, docdata, lines, reading)) or None,
        supersedes=reading.line(docdata.get("management-doc-idref")) if docdata is not None else None,
        keywords=tuple(_keywords(docdata, reading)),
        usage_terms=_usage_terms(docdata, reading),
        body=body,
    )
    done = finish(msgspec.structs.replace(article, parse_notes=tuple(reading.notes)), intake, position)
    take_key = reading.line(meta.get(TAKE_KEY_META))
    if isinstance(done, Skipped) or done.update_kind or not take_key:
        return done
    marks = read_marks(
        Article(provider="", uri="", slugline=take_key)
    )  # "1st Ld-Writethru" stands in a field of its own
    return msgspec.structs.replace(
        done, update_kind=marks.kind, update_number=marks.number, take=done.take or marks.take
    )


def _documents(root: Node) -> Iterator[Node]:
    return iter((root,)) if local(root) == "nitf" else root.iterdescendants("{*}nitf")


# --- adapting it -----------------------------------------------------------------------------------------------------


def copy(node: Node, reading: Reading) -> tuple[Paragraph, ...]:
    """The paragraphs of `body.content`; notes, media and captions inside it are none."""
    body = first(node, "body")
    content = first(body, "body.content")
    whole = body if content is None else content
    return () if whole is None else reading.copy(whole, NOT_COPY)


def headline(node: Node, reading: Reading, *, title: bool = False) -> str | None:
    """`hl1`. The title in `head` is a label for machines and stays one, but for a document inside another (`title`)."""
    hedline = first(node, "body", "body.head", "hedline")
    line = first(hedline, "hl1") if hedline is not None and len(hedline) else hedline
    return reading.shown(line) or (reading.shown(first(node, "head", "title")) if title else None)


def byline(node: Node, reading: Reading) -> str | None:
    """The name, with the title (`byttl`) where the line runs on to it; glued to the name it stands on a line of its own."""
    element = first(node, "body", "body.head", "byline")
    if element is None:
        return None
    parts = [element.text or ""]
    for child in element:
        title = local(child) == "byttl"
        if not title or parts[-1][-1:].isspace():
            parts.append("".join(child.itertext()))
        parts.append((" " if title else "") + (child.tail or ""))
    return reading.byline("".join(parts)) if any(part.strip() for part in _names(element)) else None


def _names(element: Node) -> Iterator[str]:
    """What a byline holds beside titles."""
    yield element.text or ""
    for child in element:
        yield child.tail or ""
        if local(child) != "byttl":
            yield "".join(child.itertext())


def _dateline(lines: Node | None, reading: Reading) -> str | None:
    element = first(lines, "dateline")
    if element is None:
        return None
    parts = [element.text or ""]
    for child in element:
        parts += ["" if local(child) == "story.date" else "".join(child.itertext()), child.tail or ""]
    return reading.dateline("".join(parts).strip(" ,\n\t"))


def _attribute(parent: Node | None, name: str, attribute: str) -> str | None:
    return next((value for element in every(parent, name) if (value := element.get(attribute))), None)


def _provider(docdata: Node | None, lines: Node | None, meta: dict[str, str], reading: Reading) -> str:
    """Who sent it: the sidecar, else whoever the document names as its source, `--provider`, else "file"."""
    stated = (
        _attribute(first(docdata, "del-list"), "from-src", "src-name"),
        meta.get("aap-source"),
        _attribute(docdata, "doc-id", "regsrc"),
        first(lines, "distributor"),
        first(lines, "rights", "rights.owner"),
        _attribute(docdata, "doc.rights", "owner"),
        _attribute(docdata, "doc.copyright", "holder"),
    )
    intake = reading.intake
    named = next((text for value in stated if value is not None and (text := reading.line(value))), None)
    return intake.defaults.get("provider") or named or intake.provider or "file"


def _embargo(docdata: Node | None, status: str | None, issued: str | None, reading: Reading) -> str | None:
    """`date.release` where the status says embargoed, or where it lies after `date.issue`."""
    release = reading.date(_attribute(docdata, "date.release", "norm"), "date.release")
    later, sent = instant(release), instant(issued)
    if (status or "").casefold() == "embargoed" or (later is not None and sent is not None and later > sent):
        return release
    return None


def _language(node: Node, reading: Reading) -> str | None:
    spaced = "{http://www.w3.org/XML/1998/namespace}lang"
    body = first(node, "body")
    stated = [node.get(spaced), node.get("baselang")]
    stated += [part.get(spaced) for part in (body, first(body, "body.content")) if part is not None]
    return next((text for value in stated if (text := reading.line(value))), None)


def _keywords(docdata: Node | None, reading: Reading) -> Iterator[str]:
    for keyword in every(first(docdata, "key-list"), "keyword"):
        if text := reading.line(keyword.get("key")):
            yield text


def _slugline(docdata: Node | None, meta: dict[str, str], reading: Reading) -> str | None:
    """AAP's keyword, the only entry of the key list, or the key that is the same over all versions (`du-key`)."""
    keywords = list(_keywords(docdata, reading))
    return (
        reading.line(meta.get(SLUG_META))
        or (keywords[0] if len(keywords) == 1 else None)
        or reading.line(_attribute(docdata, "du-key", "key"))
    )


def _notes(head: Node | None, docdata: Node | None, lines: Node | None, reading: Reading) -> Iterator[str]:
    """Messages to editors, notes above the copy, and of the history only what announces a change to the copy."""
    for message in every(docdata, "ed-msg"):
        if text := reading.shown(message.get("info")):
            yield text
    for note in every(lines, "note"):
        if text := reading.shown(note):
            yield text
    for entry in every(head, "revision-history"):
        text = reading.shown(entry.get("comment"))
        said = note_line(f"({text})") if text else None
        if text and said and said[1]:
            yield text


def _usage_terms(docdata: Node | None, reading: Reading) -> str | None:
    for rights in every(docdata, "doc.rights"):
        if text := reading.shown(rights.get("limitations") or rights.get("type")):
            return text
    return None
