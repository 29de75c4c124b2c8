"""IPTC NewsML-G2: bare items, newsMessage envelopes, copy as XHTML, NITF, another XML or plain text."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from services.core.article import Article, Paragraph
from services.core.wire import nitf
from services.core.wire.article_json import PUB_STATUS
from services.core.wire.parsed import Intake, Parsed, Skipped, finish, is_story
from services.core.wire.xml_tree import Node, Reading, byline_in, early, every, first, local, read_file, text_of

# --- wire shape ------------------------------------------------------------------------------------------------------
# newsMessage > (header, itemSet > item*), or one bare item. An item holds rightsInfo, itemMeta (identity, status, notes,
# links), contentMeta (the lines) and contentSet. Codes are qcodes ("stat:usable"), URIs or literals.

ITEMS = {
    "newsItem": None, "packageItem": "package", "planningItem": "planning", "conceptItem": "concept",
    "knowledgeItem": "knowledge", "catalogItem": "catalog",
}  # fmt: skip
"""Element and, where it decides by itself, the kind: packages are sent with a class of `text` too."""
COMPOSITE = "package"
CLASSES = {"composite": COMPOSITE, "photo": "picture", "photograph": "picture", "event": "planning"}
SUB_HEADLINES = ("sub", "short", "kicker", "teaser", "deck", "alternat", "seo", "social")
"""Parts of the roles of headlines that are not the headline."""
NOT_FOR_EDITORS = ("notepad", "closingline", "contacts", "picture")
"""Ends of the roles of notes that repeat the others, name desks and telephones, or count pictures."""
NOT_COPY = frozenset({
    "teaser", "genre", "byline", "slugline", "notepad", "np-public", "np-nonpublic", "contacts", "dpacontacts", "closingline",
    "publicationDate", "rubrik", "vinjett", "toc", "table-of-contents", "linkbox",
}) | nitf.NOT_COPY  # fmt: skip
"""Classes and elements that stand around the copy: dpa's header and teaser, TT's headline."""
NOT_COPY_RENDITIONS = ("headline", "teaser", "public", "caption", "summary", "abstract", "byline", "note", "dateline")
"""Ends of the renditions that hold something else than the copy."""
TRANSLATED = frozenset({"http://cv.iptc.org/newscodes/signal", "http://cv.iptc.org/newscodes/signals"})
SUPERSEDES = ("prevversion", "previousversion", "replaces", "supersedes")
EVOLVED_FROM = ("evolvedfrom", "derivedfrom")
"""Ends of the relations of links to what came before; those that come first are believed first."""
REMOVED = frozenset({"remove", "kill", "delete"})
_LANG = "{http://www.w3.org/XML/1998/namespace}lang"

# --- reading it ------------------------------------------------------------------------------------------------------


def parse(data: bytes, intake: Intake) -> Parsed:
    """A newsMessage or a bare item."""
    return read_file(data, intake, _items, "|".join(ITEMS), read, header="header")


def read(node: Node, intake: Intake, position: str) -> Article | Skipped:
    """One item of any kind; packages, pictures, planning and stubs without metadata are skipped, unless they are kills.

    Raises RejectedInput: missing_uri, no_content, too_large, too_deep.
    """
    reading = Reading(intake, position)
    meta, content = first(node, "itemMeta"), first(node, "contentMeta")
    uri = reading.line(node.get("guid"))
    kind = _kind(node, meta)
    if meta is None:
        return Skipped(intake.source, "stub" if local(node) == "newsItem" else kind, uri, position)
    if uri is None:
        if not is_story(kind):
            return Skipped(intake.source, kind, None, position)
        raise intake.reject("missing_uri", "a NewsML-G2 item needs a guid", position)
    inline = first(node, "contentSet", "inlineXML", "nitf")
    composite = kind == COMPOSITE and local(node) == "newsItem"
    body = _body(node, reading) if composite or is_story(kind) else ()
    kind = "text" if composite and body else kind
    signals = tuple(text for signal in every(meta, "signal") if (text := _signal(signal, reading)))
    article = Article(
        provider=_provider(node, meta, reading),
        uri=uri,
        version=reading.line(node.get("version")),
        item_kind=kind,
        genre=_genre(content, reading),
        version_created=reading.date(first(meta, "versionCreated"), "versionCreated"),
        first_created=reading.date(first(meta, "firstCreated"), "firstCreated"),
        embargoed=reading.date(first(meta, "embargoed"), "embargoed"),
        language=_language(node, content, reading),
        headline=_headline(content, reading)
        or (None if inline is None else nitf.headline(inline, reading, title=True)),
        slugline=_first_line(content, "slugline", reading),
        byline=_byline(node, content, inline, reading) or byline_in(body),
        dateline=next((text for line in every(content, "dateline") if (text := reading.dateline(line))), None),
        urgency=_first_line(content, "urgency", reading),
        priority=reading.line(first(_header(node), "priority")),
        pub_status=reading.status(_code(first(meta, "pubStatus"), reading), PUB_STATUS),
        signals=signals,
        update_kind="kill" if any(signal.rpartition(":")[2].casefold() in REMOVED for signal in signals) else None,
        ed_note="\n".join(_notes(meta, reading)) or None,
        keywords=tuple(text for keyword in every(content, "keyword") if (text := reading.line(keyword))),
        usage_terms=_usage_terms(node, reading),
        body=body,
        supersedes=_link(meta, SUPERSEDES, uri, reading),
        evolved_from=_link(meta, EVOLVED_FROM, uri, reading),
    )
    return finish(msgspec.structs.replace(article, parse_notes=tuple(reading.notes)), intake, position)


def _items(root: Node) -> Iterator[Node]:
    if local(root) in ITEMS:
        yield root
        return
    for item_set in every(root, "itemSet"):
        for node in item_set:
            if local(node) in ITEMS:
                yield node


# --- adapting it -----------------------------------------------------------------------------------------------------


def _kind(node: Node, meta: Node | None) -> str:
    """What the element is called decides, then its class; an item without a class is text."""
    item_class = first(meta, "itemClass")
    stated = (item_class.get("qcode") or item_class.get("uri") or "") if item_class is not None else ""
    stated = stated.replace("/", ":").rpartition(":")[2].casefold()
    kind = ITEMS.get(local(node))
    if kind is None:
        kind = stated or "text"
    elif kind == "concept" and stated == "event":
        kind = "planning"
    return CLASSES.get(kind, kind)


def _header(node: Node) -> Node | None:
    return early(node.getroottree().getroot(), "header")


def _code(node: Node | None, reading: Reading) -> str | None:
    """The last part of a qcode or URI, or the literal: "usable" of "stat:usable"."""
    if node is None:
        return None
    value = reading.line(node.get("qcode")) or reading.line(node.get("uri")) or reading.line(node.get("literal"))
    return value.replace("/", ":").rstrip(":").rpartition(":")[2] if value else None


def _signal(node: Node, reading: Reading) -> str | None:
    """The qcode as sent; a URI of the IPTC's own list as the qcode that stands for it."""
    value = next((text for name in ("qcode", "uri", "literal") if (text := reading.line(node.get(name)))), None)
    scheme, _, code = (value or "").rpartition("/")
    return f"sig:{code}" if scheme in TRANSLATED else value


def _provider(node: Node, meta: Node, reading: Reading) -> str:
    """Who sent it: the sidecar, the item's provider (literal, code, name), the envelope's sender, `--provider`, else "file"."""
    intake = reading.intake
    if "provider" in intake.defaults:
        return str(intake.defaults["provider"])
    provider = first(meta, "provider")
    named = None
    if provider is not None:
        code = _code(provider, reading)
        named = reading.line(provider.get("literal")) or (code if code and any(map(str.isalpha, code)) else None)
        named = named or reading.line(first(provider, "name")) or reading.line(provider.text)
    return named or reading.line(first(_header(node), "sender")) or intake.provider or "file"


def _first_line(parent: Node | None, name: str, reading: Reading) -> str | None:
    return next((text for element in every(parent, name) if (text := reading.shown(element))), None)


def _headline(content: Node | None, reading: Reading) -> str | None:
    """The first headline whose role does not make it a smaller one."""
    for element in every(content, "headline"):
        role = (element.get("role") or "").rpartition(":")[2].casefold()
        if not any(part in role for part in SUB_HEADLINES) and (text := reading.shown(element)):
            return text
    return None


def _genre(content: Node | None, reading: Reading) -> str | None:
    for genre in every(content, "genre"):
        if text := reading.line(first(genre, "name")) or _code(genre, reading):
            return text
    return None


def _language(node: Node, content: Node | None, reading: Reading) -> str | None:
    tags = (language.get("tag") for language in every(content, "language"))
    return next((text for tag in (*tags, node.get(_LANG)) if (text := reading.line(tag))), None)


def _byline(node: Node, content: Node | None, inline: Node | None, reading: Reading) -> str | None:
    """`by`, else the byline that stands above the copy in the rendition itself."""
    for by in every(content, "by"):
        if text := reading.byline(by):
            return text
    if inline is not None:
        return nitf.byline(inline, reading)
    for xml in every(first(node, "contentSet"), "inlineXML"):
        for element in xml.iter("{*}p", "{*}span", "{*}div"):
            if (element.get("class") or "") == "byline":
                return reading.byline(element)
    return None


def _notes(meta: Node, reading: Reading) -> Iterator[str]:
    """Notes to editors, each once; none that repeats the others or is about people rather than the copy."""
    seen = set()
    for note in every(meta, "edNote"):
        role = (note.get("role") or "").casefold()
        hidden = (note.get("pubconstraint") or "").casefold().endswith("nonpublic")
        text = None if hidden or role.endswith(NOT_FOR_EDITORS) else reading.shown(note)
        if text and text not in seen:
            seen.add(text)
            yield text


def _usage_terms(node: Node, reading: Reading) -> str | None:
    """The first that is said; in the item's own language where there are several."""
    terms = [term for rights in every(node, "rightsInfo") for term in every(rights, "usageTerms")]
    own = (node.get(_LANG) or "")[:2]
    terms.sort(key=lambda term: (term.get(_LANG) or own)[:2] != own)
    return next((text for term in terms if (text := reading.shown(term))), None)


def _link(meta: Node, relations: tuple[str, ...], uri: str, reading: Reading) -> str | None:
    """What the item follows: another item than itself, and one of news where the link says what it leads to."""
    for relation in relations:
        for link in every(meta, "link"):
            if (link.get("rel") or "").replace("/", ":").rpartition(":")[2].casefold() == relation:
                target = reading.line(link.get("residref"))
                if target and target != uri and "newsitem" in (link.get("contenttype") or "newsitem").casefold():
                    return target
    return None


def _body(node: Node, reading: Reading) -> tuple[Paragraph, ...]:
    """The first rendition that holds copy, XML before plain text, never two of them."""
    content_set = first(node, "contentSet")
    for xml in every(content_set, "inlineXML"):
        if paragraphs := _copy(xml, reading):
            return paragraphs
    for data in every(content_set, "inlineData"):
        rendition = (data.get("rendition") or "").casefold()
        if rendition.endswith(NOT_COPY_RENDITIONS) or data.get("encoding"):
            continue
        if paragraphs := reading.copy_of_text(text_of(data)):
            return paragraphs
    return ()


def _copy(xml: Node, reading: Reading) -> tuple[Paragraph, ...]:
    content = first(xml, "nitf")
    if content is not None:
        return nitf.copy(content, reading)
    main = next((s for s in xml.iter("{*}section") if "main" in (s.get("class") or "").split()), None)
    return reading.copy(xml if main is None else main, NOT_COPY)
