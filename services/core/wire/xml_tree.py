"""XML files to items: parsed without entities, network or DTD, item by item; one broken item stops no other."""

from __future__ import annotations

import html
import html.entities
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any

import msgspec
from lxml import etree

from services.core.article import Article, Paragraph
from services.core.errors import RejectedInput
from services.core.wire.charset import decode, without_controls
from services.core.wire.dates import read_date
from services.core.wire.html_body import html_paragraphs, plain_of, tree_paragraphs
from services.core.wire.parsed import Intake, Item, Parsed, Skipped, gather
from services.core.wire.text_body import text_paragraphs
from services.core.wire.xml_repair import repaired_text

Node = Any
"""An lxml element: the stubs know less of it than we use."""
ReadNode = Callable[[Node, Intake, str], Item | Skipped]

# --- limits ----------------------------------------------------------------------------------------------------------

TAGS = 500_000
"""`<` characters in one file. The densest of the wire samples has one in 23 bytes, which makes 460,000 in the 10 MiB that a
file may have."""
PROLOG = 1_000
"""Comments and instructions before the root element. Real files have up to three."""
BROKEN = "the file breaks off or is no well-formed XML here"

_PADDING = b" \t\r\n\xef\xbb\xbf\x00\x7f"
_DOCTYPE = re.compile(rb"<!DOCTYPE[^\[>]*(\[)?", re.IGNORECASE)
_START_TAG = re.compile(rb"<(?:[\w.-]{1,80}:)?([A-Za-z_][\w.-]{0,80})[\s/>]")
_ENTITY = re.compile(rb"&(?!(?:amp|lt|gt|quot|apos);)([A-Za-z][A-Za-z0-9]{1,31};)")
_DECLARATION = re.compile(r"^\s*<\?xml\s[^>]{0,200}\?>")
_DECLARED_CHARSET = re.compile(rb"^\s*<\?xml\s[^>]{0,150}encoding")
_CHARACTER_REFERENCE = re.compile(r"&#(?:x[0-9a-fA-F]{1,8}|[0-9]{1,8});")
_NAMESPACE = re.compile(rb"\sxmlns(?::[\w.-]{1,80})?\s*=\s*(?:\"[^\"<]{0,500}\"|'[^'<]{0,500}')")
_DECLARATION_BYTES = re.compile(rb"^[\s\xef\xbb\xbf]*<\?xml\s[^>]{0,200}\?>")
_BLANKS = re.compile(r"[ \t\r\n\f\v]+")
_NO_PARAGRAPH = re.compile(
    r"[\s_=*~\-–—]{3,}$|\s*<(?:script|iframe|blockquote|embed|object|video|audio|img)\b", re.IGNORECASE
)
"""A rule, or the markup of an embed that was sent as text."""
_TIMESTAMP = re.compile(r"[\d\s/.:,+TZ-]+(?:\(?(?:GMT|UTC|CET|CEST|MEZ|MESZ)[\d:+ -]*\)?)?")
_LONGEST_BYLINE = 120  # characters
_BY = frozenset({"By", "Von", "Par", "Por", "Door", "Av"})
_IN_NAMES = frozenset({
    "and", "und", "et", "y", "e", "en", "og", "och", "i", "in", "de", "di", "da", "do", "du", "van", "von", "der", "den", "la",
    "le", "del", "dpa", "&", "/",
})  # fmt: skip

_NUMBERS = {
    name.encode(): "".join(f"&#{ord(char)};" for char in chars).encode() for name, chars in html.entities.html5.items()
}

_PARSER = etree.XMLParser(
    resolve_entities=False, load_dtd=False, no_network=True, dtd_validation=False, remove_comments=True, remove_pis=True,
    strip_cdata=True, huge_tree=False,
)  # fmt: skip

# --- reading it ------------------------------------------------------------------------------------------------------


def root_name(data: bytes) -> str | None:
    """The name of the root element without its prefix; None where prolog or comments hide none."""
    at = 0
    for _ in range(PROLOG):
        while data[at : at + 1] and data[at] in _PADDING:
            at += 1
        if data.startswith(b"<!--", at):
            end = data.find(b"-->", at + 4) + 3
        elif data.startswith(b"<?", at):
            end = data.find(b"?>", at + 2) + 2
        elif m := _DOCTYPE.match(data, at):
            end = data.find(b"]", m.end()) + 1 if m[1] else m.end()
            end = data.find(b">", end) + 1 if end else 0
        else:
            tag = _START_TAG.match(data, at)
            return tag[1].decode() if tag else None
        if end < at + 2:
            break
        at = end
    return None


def read_file(
    data: bytes, intake: Intake, find: Callable[[Node], Iterator[Node]], items: str, read: ReadNode, header: str = ""
) -> Parsed:
    """Every item that `find` sees under the root, each read on its own.

    A file that is not well-formed is cut at the elements called one of `items` ("a|b"); those that are whole are read, with
    the `header` of their envelope, and only the others are repaired or rejected. Where an envelope has no header that can go
    with each of them, it is repaired as a whole if it can be. Positions are lines.
    Reasons: too_large, too_deep, entities, undecodable, binary, broken_xml, no_items, and what `read` raises.
    """
    try:
        clean, root = _strict(data, intake)
        notes: tuple[str, ...] = ()
        if root is None:
            pieces = list(_pieces(clean, items.encode(), header.encode(), intake))
            if pieces and (header or not _can_be_repaired(clean, intake)):
                return gather((_piece(piece, line, intake, read) for line, piece in pieces), intake)
            root, notes = _repaired(clean, intake)
        nodes = list(find(root))
        if not nodes:
            raise intake.reject("no_items", f"<{local(root)}> holds no {items}", f"line {root.sourceline}")
        if len(nodes) > intake.limits.items:
            detail = f"{len(nodes):,} items in one envelope, {intake.limits.items:,} are allowed"
            raise intake.reject("too_large", detail)
    except RejectedInput as error:
        return Parsed(rejected=(error.with_traceback(None),))
    return gather((_reading(node, notes, intake, read) for node in nodes), intake)


def _reading(
    node: Node, notes: tuple[str, ...], intake: Intake, read: ReadNode, line: int = 0
) -> Callable[[], Item | Skipped]:
    def reading() -> Item | Skipped:
        item = read(node, intake, f"line {line + node.sourceline}")
        if isinstance(item, Article) and notes:
            return msgspec.structs.replace(item, parse_notes=(*notes, *item.parse_notes))
        return item

    return reading


def _piece(piece: bytes, line: int, intake: Intake, read: ReadNode) -> Callable[[], Item | Skipped]:
    def reading() -> Item | Skipped:
        try:
            clean, wrapper = _strict(piece, intake)
            wrapper, notes = (wrapper, ()) if wrapper is not None else _repaired(clean, intake)
        except RejectedInput as error:
            raise intake.reject(error.reason, error.detail, f"line {line}") from None
        return _reading(wrapper[-1], notes, intake, read, line - 1)()

    return reading


def _strict(data: bytes, intake: Intake) -> tuple[bytes, Node | None]:
    """The bytes as they are parsed, and the root if they are well-formed. Raises RejectedInput."""
    limits = intake.limits
    if len(data) > limits.item:
        raise intake.reject("too_large", f"{len(data):,} bytes, a file may have {limits.item:,}")
    if (tags := data.count(b"<")) > TAGS:
        raise intake.reject("too_large", f"{tags:,} tags, a file may have {TAGS:,}")
    if 0 <= data.find(b"<!DOCTYPE") < (at := data.find(b"<!ENTITY")):
        raise intake.reject("entities", "it declares entities, which no wire needs", f"byte {at}")
    data = _ENTITY.sub(_by_number, data.strip(_PADDING))  # &nbsp; without the DTD that would explain it
    if _DECLARED_CHARSET.match(data) or _is_utf8(data):
        try:
            return data, _root(data, intake)
        except etree.XMLSyntaxError as error:
            if "depth" in error.msg:
                raise intake.reject("too_deep", "elements nest too deep", _place(error)) from None
    return data, None


def _repaired(data: bytes, intake: Intake) -> tuple[Node, tuple[str, ...]]:
    """The root of what is read as UTF-8 or cp1252 and without control characters, and notes. Raises RejectedInput."""
    text, notes = decode(data, intake)
    text, dropped = without_controls(_CHARACTER_REFERENCE.sub(_without_control, _DECLARATION.sub("", text, count=1)))
    try:
        return _root(text.encode(), intake), (*notes, *dropped)
    except etree.XMLSyntaxError as error:
        mended, done = repaired_text(text)
        if done:
            with suppress(etree.XMLSyntaxError):
                return _root(mended.encode(), intake), (*notes, *dropped, *done)
        reason = "too_deep" if "depth" in error.msg else "broken_xml"
        raise intake.reject(reason, f"{BROKEN}: {error.msg[:200]}", _place(error)) from None


def _can_be_repaired(data: bytes, intake: Intake) -> bool:
    try:
        _repaired(data, intake)
    except RejectedInput:
        return False
    return True


def _place(error: etree.XMLSyntaxError) -> str:
    line, column = error.position
    return f"line {line} column {column}"


def _root(data: bytes, intake: Intake) -> Node:
    root: Node = etree.fromstring(data, _PARSER)
    dtd: Any = root.getroottree().docinfo.internalDTD
    if dtd is not None and next(dtd.iterentities(), None) is not None:
        raise intake.reject("entities", "it declares entities, which no wire needs")
    return root


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return data.startswith((b"\xff\xfe", b"\xfe\xff"))
    return True


def _by_number(entity: re.Match[bytes]) -> bytes:
    return _NUMBERS.get(entity[1], entity[0])


def _without_control(reference: re.Match[str]) -> str:
    digits = reference[0][2:-1]
    number = int(digits[1:], 16) if digits[0] == "x" else int(digits)
    return " " if number < 32 and number not in (9, 10, 13) else reference[0]


def _pieces(data: bytes, items: bytes, header: bytes, intake: Intake) -> Iterator[tuple[int, bytes]]:
    """(line, text) of each item, cut by its tags alone and wrapped in what the envelope declares and says."""
    opening = re.compile(rb"<((?:[\w.-]{1,80}:)?(?:" + items + rb"))(?=[\s/>])")
    starts = [m for _, m in zip(range(intake.limits.items), opening.finditer(data), strict=False)]
    if len(starts) < 2:
        return
    head = data[: starts[0].start()]
    declared = _DECLARATION_BYTES.match(head)
    spaces = b"".join({m[0].split(b"=")[0].strip(): m[0] for m in _NAMESPACE.finditer(head)}.values())
    before = (declared[0] if declared else b"") + b"<envelope" + spaces + b">"
    if header and (found := re.search(rb"<((?:[\w.-]{1,80}:)?" + header + rb")[\s>]", head)):
        end = head.find(b"</" + found[1], found.end())
        before += head[found.start() : head.find(b">", end) + 1].replace(b"\n", b" ") if end >= 0 else b""
    line, at = 1, 0
    for start, following in zip(starts, [*starts[1:], None], strict=True):
        line += data.count(b"\n", at, start.start())
        at = start.start()
        bound = following.start() if following else len(data)
        end = data.find(b"</" + start[1], at, bound)
        piece = data[at : data.find(b">", end) + 1] if end >= 0 else data[at:bound]
        yield line, before + piece + b"</envelope>"


# --- adapting it -----------------------------------------------------------------------------------------------------


def local(node: Node) -> str:
    """The element's name without its namespace: prefixes and even namespaces are written wrong on real wires."""
    return str(node.tag).rpartition("}")[2]


def first(node: Node | None, *path: str) -> Node | None:
    """The first element down `path`, by local names, or None."""
    for name in path:
        if node is None:
            return None
        node = next(node.iterchildren(f"{{*}}{name}"), None)
    return node


def every(node: Node | None, name: str) -> Iterator[Node]:
    return iter(()) if node is None else node.iterchildren(f"{{*}}{name}")


def early(root: Node, name: str) -> Node | None:
    """A child of an envelope's root that stands before its items; not looked for among thousands of others."""
    children = (child for _, child in zip(range(8), root, strict=False))
    return next((child for child in children if local(child).casefold() == name.casefold()), None)


def text_of(node: Node | None) -> str:
    """All text inside, as sent; empty where there is no element."""
    return "" if node is None else "".join(node.itertext())


class Reading:
    """Reads one item's values and gathers the notes on what had to be left out. Blank texts are null."""

    def __init__(self, intake: Intake, position: str) -> None:
        self.notes: list[str] = []
        self.intake = intake
        self.position = position

    def line(self, value: str | Node | None) -> str | None:
        """An element's or attribute's text as one line."""
        text = value if isinstance(value, str) or value is None else "".join(value.itertext())
        if not text:
            return None
        if text.isprintable() and "  " not in text:  # nearly all are: nothing to repair
            return text.strip(" ") or None
        text, notes = without_controls(_BLANKS.sub(" ", text))
        self.notes.extend(note for note in notes if note not in self.notes)
        return text.strip() or None

    def shown(self, value: str | Node | None) -> str | None:
        """A line that people read, which may hold escaped markup."""
        text = self.line(value)
        return (plain_of(text) or None) if text and ("<" in text or "&" in text) else text

    def date(self, value: str | Node | None, name: str) -> str | None:
        """A date as sent; null with a note where it cannot be read."""
        text = self.line(value)
        if text is None:
            return None
        read = read_date(text)
        if read is None:
            self.notes.append(f"{name} is no readable date: {text[:40]!r}")
        return read

    def status(self, value: str | None, known: dict[str, Any]) -> Any:
        """One of a vocabulary, any case; null with a note for a word outside it."""
        if value is None:
            return None
        found = known.get(value.casefold())
        if found is None:
            self.notes.append(f"the status is outside the vocabulary: {value[:40]!r}")
        return found

    def dateline(self, value: str | Node | None) -> str | None:
        """The dateline, unless what stands there is only a time."""
        text = self.shown(value)
        return None if text is None or _TIMESTAMP.fullmatch(text) else text

    def byline(self, value: str | Node | None) -> str | None:
        """The byline, unless what stands there are a desk's initials ("gr/bp")."""
        text = self.shown(value)
        return None if text is None or is_initials(text) else text

    def copy(self, node: Node, without: frozenset[str] = frozenset()) -> tuple[Paragraph, ...]:
        """The paragraphs of an element; a rule line is none. Escaped markup inside is read as what it is."""
        if not len(node):
            return self.copy_of_text(text_of(node))
        return _clean(tree_paragraphs(node, self.intake, self.position, without=without), self)

    def copy_of_text(self, text: str) -> tuple[Paragraph, ...]:
        """The paragraphs of a text, which may turn out to be HTML, or HTML that was escaped twice."""
        if "&lt;/" in text and "</" not in text:
            text = html.unescape(text)
        if "</" in text or "<br" in text.casefold() or text.lstrip().startswith("<"):
            return _clean(html_paragraphs(text, self.intake, self.position), self)
        limits = self.intake.limits
        if len(text) > limits.text * limits.slack:
            raise self.intake.reject("too_large", f"{len(text):,} characters of text", self.position)
        return _clean(text_paragraphs(without_controls(text)[0]), self)


def is_initials(text: str) -> bool:
    return len(text) <= 20 and all(part.isalpha() and part.islower() and len(part) <= 4 for part in text.split("/"))


def byline_in(body: Iterable[Paragraph]) -> str | None:
    """The byline where it stands only in the copy: one of the first paragraphs is "By Name" and nothing else."""
    for _, paragraph in zip(range(6), body, strict=False):
        by, *name = paragraph.text[: _LONGEST_BYLINE + 1].split(" ")
        words = [word.rstrip(",;") for word in name]
        named = by in _BY and words and words[0][:1].isupper() and not words[-1].endswith((".", ":", "?"))
        whole = len(paragraph.text) <= _LONGEST_BYLINE
        if named and whole and all(word[:1].isupper() or word in _IN_NAMES for word in words):
            return paragraph.text
    return None


def _clean(paragraphs: Iterable[Paragraph], reading: Reading) -> tuple[Paragraph, ...]:
    return tuple(
        Paragraph(text, p.kind)
        for p in paragraphs
        if not _NO_PARAGRAPH.match(p.text) and (text := reading.line(p.text))
    )
