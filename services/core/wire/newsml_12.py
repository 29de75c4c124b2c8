"""NewsML 1.0 to 1.2: envelopes of one or more NewsItems, each a tree of components that play a role."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import msgspec

from services.core.article import Article, Paragraph, UpdateKind
from services.core.wire import nitf
from services.core.wire.parsed import Intake, Parsed, Skipped, finish
from services.core.wire.xml_tree import Node, Reading, byline_in, early, every, first, local, read_file

# --- wire shape ------------------------------------------------------------------------------------------------------
# NewsML > (NewsEnvelope, NewsItem*). NewsItem > (Identification, NewsManagement, NewsComponent). Components nest: each may
# have a Role, NewsLines, metadata and ContentItems; what a component does not say, the one around it says.

BODY_ROLES = frozenset({"main", "body", "bodytext", "maintext", "text", "story", "article", "content"})
LEADS = frozenset({"lead", "intro", "introduction"})
"""A lead sent beside the body is its first paragraph."""
HEADLINES = frozenset({"headline", "title"})
NOT_COPY = frozenset({
    "caption", "headline", "title", "subtitle", "subheadline", "summary", "abstract", "teaser", "tweettext", "stylesheet",
    "contact", "contacts", "logo", "thumbnail", "quicklook", "preview", "supporting", "supplementary", "sidebar", "byline",
    "copyright", "credit", "keywords", "slug", "note", "advisory", "tableofcontents", "toc", "bio", "metadata",
})  # fmt: skip
"""Roles whose text is about the copy or stands beside it."""
MEDIA = {"photo": "picture", "image": "picture", "picture": "picture", "graphic": "graphic", "animation": "graphic",
         "video": "video", "audio": "audio", "complexdata": "data"}  # fmt: skip
TYPES: dict[str, UpdateKind] = {"alert": "alert", "flash": "alert", "urgent": "urgent", "advisory": "advisory"}
"""Item types and, where the slug line holds nothing else, slug lines that say how an item is to be taken."""
GENRES: dict[str, UpdateKind] = {
    "update": "update",
    "correction": "correction",
    "alert": "alert",
    "advisory": "advisory",
}
MEMOS = frozenset({"مذكرة", "توقعات", "تنويه"})
"""AFP's Arabic desk heads its memos to editors with one of these words and nothing else."""
ADVISORIES = frozenset({"advisoryline", "advisory", "editorsnote", "editorialnote", "ednote", "notetoeditors"})
CATCHWORDS = frozenset({"catchword", "catchline", "keyword"})
DELETIONS = frozenset({"delete", "kill", "cancel", "canceled"})
PARTS = 2_000
"""Components and contents in one NewsItem. The largest in the wire samples has 12."""
EDITIONS = 20
"""Languages in one NewsItem. Belgium's agencies send two."""
_LANG = "{http://www.w3.org/XML/1998/namespace}lang"

# --- reading it ------------------------------------------------------------------------------------------------------


def parse(data: bytes, intake: Intake) -> Parsed:
    """One envelope; a NewsItem in two languages is two articles."""
    return read_file(data, intake, _items, "NewsItem", read, header="NewsEnvelope")


def read(node: Node, intake: Intake, position: str) -> Article | Skipped:
    """One NewsItem, or the component of it that is its edition in one language.

    Raises RejectedInput: no_content, too_large, too_deep.
    """
    reading = Reading(intake, position)
    item = node if local(node) == "NewsItem" else next(node.iterancestors("{*}NewsItem"))
    components = _edition(node) if item is not node else _components(first(item, "NewsComponent"))
    if _weight(components) > PARTS:
        raise intake.reject("too_large", f"more than {PARTS:,} components and contents in one item", position)
    texts = _texts(components)
    chain = _chain(texts[0].component if texts else components[0] if components else None)
    identifier, management = first(item, "Identification", "NewsIdentifier"), first(item, "NewsManagement")
    uri = _uri(identifier, reading)
    if item is not node:
        uri = f"{uri}#{reading.line(node.get('Duid')) or components[0].language}"
    kind = "text" if texts else _kind_without_text(item, components)
    document = first(texts[0].data, "nitf") if texts else None
    body = _body(texts, reading)
    article = Article(
        provider=_provider(item, identifier, chain, reading),
        uri=uri,
        version=reading.line(first(identifier, "RevisionId")),
        item_kind=kind,
        genre=_described(chain, "Genre", reading),
        version_created=reading.date(first(management, "ThisRevisionCreated"), "ThisRevisionCreated"),
        first_created=reading.date(first(management, "FirstCreated"), "FirstCreated"),
        embargoed=_embargo(management, reading),
        language=_language(chain, item, reading),
        headline=_headline(chain, components, reading)
        or (nitf.headline(document, reading) if document is not None else None),
        slugline=_slugline(item, chain, reading),
        byline=_byline(chain, document, reading) or byline_in(body),
        dateline=next((text for line in _lines(chain, "DateLine") if (text := reading.dateline(line))), None),
        urgency=reading.line(_name(first(management, "Urgency"))),
        priority=reading.line(_name(first(early(item.getroottree().getroot(), "NewsEnvelope"), "Priority"))),
        pub_status=reading.status(reading.line(_name(first(management, "Status"))), nitf.STATUS),
        update_kind="kill" if _is_deletion(management) else None,
        ed_note="\n".join(_typed_lines(chain, ADVISORIES, reading)) or None,
        evolved_from=next(
            (text for d in every(management, "DerivedFrom") if (text := reading.line(d.get("NewsItem")))), None
        ),
        keywords=tuple(_keywords(chain, reading)),
        usage_terms=_usage_terms(chain, reading),
        body=body,
    )
    done = finish(msgspec.structs.replace(article, parse_notes=tuple(reading.notes)), intake, position)
    if isinstance(done, Skipped) or done.update_kind:
        return done
    return msgspec.structs.replace(done, update_kind=_update_kind(done, identifier, management))


def _items(root: Node) -> Iterator[Node]:
    """Each NewsItem; where one holds the copy in several languages, each of the components that do."""
    for item in (root,) if local(root) == "NewsItem" else every(root, "NewsItem"):
        components = _components(first(item, "NewsComponent"))
        texts = _texts(components) if _weight(components) <= PARTS else []
        holding = _around(text.component for text in texts)
        editions = {c.language: c.node for c in components[1:] if c.above is components[0] and c in holding}
        editions.pop("", None)
        yield from editions.values() if 1 < len(editions) <= EDITIONS else (item,)


def _edition(node: Node) -> list[Component]:
    """The components of one edition, below the one that says what holds for all of them."""
    return _components(node, Component(next(node.iterancestors("{*}NewsComponent"))))


# --- the components, each looked at once: a scope of thousands must not be searched for each of its texts -------------


class Component:
    """A NewsComponent with what stands directly in it, and the role that it has or is inside of."""

    def __init__(self, node: Node, above: Component | None = None) -> None:
        self.node, self.above = node, above
        parts: dict[str, list[Node]] = {}
        for child in node:
            parts.setdefault(local(child), []).append(child)
        self.inside = parts.get("NewsComponent", [])
        self.contents = parts.get("ContentItem", [])
        self.lines = parts.get("NewsLines", [])
        self.described = next(iter(parts.get("DescriptiveMetadata", ())), None)
        self.own_role = _word(next(iter(parts.get("Role", ())), None))
        self.role: str = self.own_role or (above.role if above is not None else "")
        self.language = _word(first(self.described, "Language"))
        self.media = [
            kind for content in self.contents[:PARTS] if (kind := MEDIA.get(_word(first(content, "MediaType"))))
        ]
        self.refers = "NewsItemRef" in parts or "NewsItem" in parts


def _weight(components: list[Component]) -> int:
    return sum(1 + len(component.contents) for component in components)


class Text(NamedTuple):
    rank: int
    component: Component
    data: Node


def _components(node: Node | None, above: Component | None = None) -> list[Component]:
    """A component and all inside it, in the order of the file."""
    found: list[Component] = []
    waiting = [] if node is None else [(node, above)]
    while waiting and len(found) <= PARTS:
        node, above = waiting.pop()
        component = Component(node, above)
        found.append(component)
        waiting += [(inside, component) for inside in reversed(component.inside)]
    return found


def _texts(components: list[Component]) -> list[Text]:
    """What holds copy, the likeliest first: by role, then what has none, then roles that are not known."""
    found = []
    for component in components:
        if component.role in NOT_COPY:
            continue
        rank = 0 if component.role in BODY_ROLES else 1 if not component.role else 2
        for content in component.contents:
            data = first(content, "DataContent")
            mime = (_name(first(content, "MimeType")) or "").casefold()
            style = mime.startswith("image/") or "css" in mime + _word(first(content, "Format"))
            holds = data is not None and (len(data) or (data.text or "").strip())
            if holds and not style and _word(first(content, "MediaType")) not in MEDIA:
                found.append(Text(rank, component, data))
    return sorted(found, key=lambda text: text.rank)


def _chain(component: Component | None) -> list[Component]:
    """The components around the copy, innermost first."""
    chain = []
    while component is not None:
        chain.append(component)
        component = component.above
    return chain


def _around(components: Iterable[Component]) -> set[Component]:
    """The components and all that they stand in."""
    found: set[Component] = set()
    for component in components:
        around: Component | None = component
        while around is not None and around not in found:
            found.add(around)
            around = around.above
    return found


# --- adapting it -----------------------------------------------------------------------------------------------------


def _name(node: Node | None) -> str | None:
    """A vocabulary's term: the attribute, or what some senders write as text."""
    return None if node is None else (node.get("FormalName") or node.text)


def _word(node: Node | None) -> str:
    """A term in its simplest form, for looking up: "Main Text" is "maintext"."""
    return "".join(filter(str.isalnum, _name(node) or "")).casefold()


def _uri(identifier: Node | None, reading: Reading) -> str:
    """PublicIdentifier as sent; NewsItemId where there is none or it does not name the item; else the file."""
    public, own = (reading.line(first(identifier, name)) for name in ("PublicIdentifier", "NewsItemId"))
    if public and (own is None or own in public):
        return public
    if own is None:
        reading.notes.append("no identifier: named by its file")
    return own or reading.intake.source


def _kind_without_text(item: Node, components: list[Component]) -> str:
    if not components:
        return "topics" if first(item, "TopicSet") is not None else "package"
    if media := next((kind for component in components for kind in component.media), None):
        return media
    if any(component.refers for component in components):
        return "package"
    return "text" if any(component.lines or component.contents for component in components) else "index"


def _body(texts: list[Text], reading: Reading) -> tuple[Paragraph, ...]:
    """The first text that holds paragraphs, below its lead where that is sent apart."""
    read = (_copy(text.data, reading) for text in texts if text.component.role not in LEADS)
    body: tuple[Paragraph, ...] = next(filter(None, read), ())
    for text in texts:
        if text.component.role in LEADS:
            lead = _copy(text.data, reading)
            return body if body[: len(lead)] == lead else lead + body
    return body


def _copy(data: Node, reading: Reading) -> tuple[Paragraph, ...]:
    document = first(data, "nitf")
    return nitf.copy(document, reading) if document is not None else reading.copy(data, nitf.NOT_COPY)


def _lines(chain: list[Component], name: str) -> Iterator[Node]:
    for component in chain:
        for lines in component.lines:
            yield from every(lines, name)


def _typed_lines(chain: list[Component], types: frozenset[str], reading: Reading) -> Iterator[str]:
    for line in _lines(chain, "NewsLine"):
        if _word(first(line, "NewsLineType")) in types:
            for text in every(line, "NewsLineText"):
                if shown := reading.shown(text):
                    yield shown


def _headline(chain: list[Component], components: list[Component], reading: Reading) -> str | None:
    """The nearest headline: of the copy's own components, of a component that is one, of one beside that is no picture."""
    for line in _lines(chain, "HeadLine"):
        if text := reading.shown(line):
            return text
    for component in components:
        data = first(component.contents[0], "DataContent") if component.contents else None
        if component.own_role not in HEADLINES or data is None:
            continue
        if text := " ".join(p.text for p in reading.copy(data)):
            return text
    pictures = _around(component for component in components if component.media)
    beside = [c for c in components if c not in pictures and c.role not in NOT_COPY]
    return next((text for line in _lines(beside, "HeadLine") if (text := reading.shown(line))), None)


def _byline(chain: list[Component], document: Node | None, reading: Reading) -> str | None:
    stated = next((text for line in _lines(chain, "ByLine") if (text := reading.byline(line))), None)
    return stated or (nitf.byline(document, reading) if document is not None else None)


def _slugline(item: Node, chain: list[Component], reading: Reading) -> str | None:
    """The item's label; else a catchword or slug line, unless the slug line only repeats who wrote it."""
    if label := reading.line(first(item, "Identification", "NameLabel")):
        return label
    if catchword := next(_typed_lines(chain, CATCHWORDS, reading), None):
        return catchword
    names = {reading.shown(line) for line in _lines(chain, "ByLine")}
    return next(
        (text for line in _lines(chain, "SlugLine") if (text := reading.line(line)) and text not in names), None
    )


def _provider(item: Node, identifier: Node | None, chain: list[Component], reading: Reading) -> str:
    """Who sent it: the sidecar, ProviderId, the party named as provider or as sender, `--provider`, else "file".

    ProviderId comes first because it is the same on all of an agency's services; the parties are in its languages.
    """
    intake = reading.intake
    parties = [first(component.node, "AdministrativeMetadata", "Provider", "Party") for component in chain]
    parties.append(first(early(item.getroottree().getroot(), "NewsEnvelope"), "SentFrom", "Party"))
    stated = [reading.line(first(identifier, "ProviderId")), *(reading.line(_name(party)) for party in parties)]
    return intake.defaults.get("provider") or next(filter(None, stated), None) or intake.provider or "file"


def _embargo(management: Node | None, reading: Reading) -> str | None:
    """When the status will change to usable."""
    change = first(management, "StatusWillChange")
    if _word(first(change, "FutureStatus")) != "usable":
        return None
    return reading.date(first(change, "DateAndTime"), "StatusWillChange")


def _language(chain: list[Component], item: Node, reading: Reading) -> str | None:
    stated = [_name(first(component.described, "Language")) for component in chain]
    stated += [node.get(_LANG) for node in (*(c.node for c in chain), item, *_lines(chain, "HeadLine"))]
    return next((text for value in stated if (text := reading.line(value)) and not text.startswith("x-")), None)


def _described(chain: list[Component], name: str, reading: Reading) -> str | None:
    terms = (term for component in chain for term in every(component.described, name))
    return next((text for term in terms if (text := reading.line(_name(term)))), None)


def _keywords(chain: list[Component], reading: Reading) -> Iterator[str]:
    for component in chain:
        for described in every(component.described, "Property"):
            if _word(described) == "keyword" and (text := reading.line(described.get("Value"))):
                yield text
    for line in _lines(chain, "KeywordLine"):
        if text := reading.line(line):
            yield text


def _usage_terms(chain: list[Component], reading: Reading) -> str | None:
    for component in chain:
        for rights in every(first(component.node, "RightsMetadata"), "UsageRights"):
            if text := reading.shown(first(rights, "UsageType")):
                return text
    return None


def _is_deletion(management: Node | None) -> bool:
    return any(_word(instruction) in DELETIONS for instruction in every(management, "Instruction"))


def _update_kind(article: Article, identifier: Node | None, management: Node | None) -> UpdateKind | None:
    """What only the format says, where neither status nor text does: type, genre, memo, a revision before this one."""
    kind = TYPES.get(_word(first(management, "NewsItemType"))) or GENRES.get((article.genre or "").casefold())
    kind = kind or TYPES.get((article.slugline or "").casefold())
    if kind is None and article.headline in MEMOS:
        kind = "advisory"
    revision = first(identifier, "RevisionId")
    before = (revision.get("PreviousRevision") or "") if revision is not None else ""
    return kind or ("update" if before.isascii() and before.isdigit() and int(before[:9]) > 0 else None)
