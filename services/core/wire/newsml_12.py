"""NewsML 1.0 to 1.2: envelopes of one or more NewsItems, each a tree of components that play a role."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from services.core.article import Article, Paragraph, UpdateKind
from services.core.wire import nitf
from services.core.wire.article_json import PUB_STATUS
from services.core.wire.parsed import Intake, Parsed, Skipped, finish, is_story
from services.core.wire.xml_tree import Node, Reading, byline_in, every, first, local, read_file

# --- wire shape ------------------------------------------------------------------------------------------------------
# NewsML > (NewsEnvelope, NewsItem*). NewsItem > (Identification, NewsManagement, NewsComponent). Components nest: each may
# have a Role, NewsLines, metadata and ContentItems; what a component does not say, the one around it says.

STATUS = {**PUB_STATUS, "embargoed": "usable"}
"""Usable for whoever keeps to the embargo, which is its own field."""
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
_LANG = "{http://www.w3.org/XML/1998/namespace}lang"

# --- reading it ------------------------------------------------------------------------------------------------------


def parse(data: bytes, intake: Intake) -> Parsed:
    """One envelope; a NewsItem in two languages is two articles."""
    return read_file(data, intake, _items, "NewsItem", read)


def read(node: Node, intake: Intake, position: str) -> Article | Skipped:
    """One NewsItem, or the component of it that is its edition in one language.

    Raises RejectedInput: no_content, too_large, too_deep.
    """
    reading = Reading(intake, position)
    item = node if local(node) == "NewsItem" else next(node.iterancestors("{*}NewsItem"))
    scope = first(item, "NewsComponent") if item is node else node
    identifier, management = first(item, "Identification", "NewsIdentifier"), first(item, "NewsManagement")
    uri = _uri(identifier, reading)
    if item is not node:
        uri = f"{uri}#{node.get('Duid') or _language([node], item, reading)}"
    kind = _kind(item, scope)
    texts = _texts(scope) if is_story(kind) else []
    chain = _chain(texts[0][1] if texts else None, scope)
    if item is not node:
        chain += [above for above in node.iterancestors("{*}NewsComponent") if above not in chain]
    body = _body(texts, reading)
    status = reading.line(_name(first(management, "Status")))
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
        headline=_headline(chain, scope, reading),
        slugline=_slugline(item, chain, reading),
        byline=next((text for line in _lines(chain, "ByLine") if (text := reading.byline(line))), None)
        or byline_in(body),
        dateline=next((text for line in _lines(chain, "DateLine") if (text := reading.dateline(line))), None),
        urgency=reading.line(_name(first(management, "Urgency"))),
        priority=reading.line(_name(first(item.getroottree().getroot(), "NewsEnvelope", "Priority"))),
        pub_status=reading.status(status, STATUS),
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
        editions = [c for c in every(first(item, "NewsComponent"), "NewsComponent") if _own_language(c) and _texts(c)]
        yield from editions if len({_own_language(edition) for edition in editions}) > 1 else (item,)


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


def _kind(item: Node, scope: Node | None) -> str:
    if scope is None:
        return "topics" if first(item, "TopicSet") is not None else "package"
    if _texts(scope):
        return "text"
    media = (MEDIA.get(_word(first(content, "MediaType"))) for content in scope.iter("{*}ContentItem"))
    if kind := next(filter(None, media), None):
        return kind
    if next(scope.iter("{*}NewsItemRef", "{*}NewsItem"), None) is not None:
        return "package"
    return "text" if next(scope.iter("{*}NewsLines", "{*}ContentItem"), None) is not None else "index"


def _texts(scope: Node | None) -> list[tuple[int, Node, str]]:
    """(rank, ContentItem, role) of what holds copy, the likeliest first: by role, none, one that is not known."""
    found = []
    for content in () if scope is None else scope.iter("{*}ContentItem"):
        data = first(content, "DataContent")
        media, mime = _word(first(content, "MediaType")), (_name(first(content, "MimeType")) or "").casefold()
        if (
            data is None
            or media in MEDIA
            or mime.startswith("image/")
            or "css" in mime + _word(first(content, "Format"))
        ):
            continue
        role = _role(content, scope)
        if role not in NOT_COPY and (len(data) or (data.text or "").strip()):
            rank = 0 if role in BODY_ROLES else 1 if not role else 2
            found.append((rank, content, role))
    return sorted(found, key=lambda text: text[0])


def _role(content: Node, scope: Node) -> str:
    """The role of the nearest component that has one."""
    for component in content.iterancestors("{*}NewsComponent"):
        if role := _word(first(component, "Role")):
            return role
        if component is scope:
            break
    return ""


def _chain(content: Node | None, scope: Node | None) -> list[Node]:
    """The components around the copy, innermost first."""
    if scope is None:
        return []
    chain = list(content.iterancestors("{*}NewsComponent")) if content is not None else [scope]
    return chain[: chain.index(scope) + 1]


def _body(texts: list[tuple[int, Node, str]], reading: Reading) -> tuple[Paragraph, ...]:
    """The first text that holds paragraphs, below its lead where that is sent apart."""
    read = ((role, _copy(first(content, "DataContent"), reading)) for _, content, role in texts if role not in LEADS)
    body: tuple[Paragraph, ...] = next((paragraphs for _, paragraphs in read if paragraphs), ())
    for _, content, role in texts:
        if role in LEADS:
            lead = _copy(first(content, "DataContent"), reading)
            return body if body[: len(lead)] == lead else lead + body
    return body


def _copy(data: Node, reading: Reading) -> tuple[Paragraph, ...]:
    document = first(data, "nitf")
    return nitf.copy(document, reading) if document is not None else reading.copy(data, nitf.NOT_COPY)


def _lines(chain: list[Node], name: str) -> Iterator[Node]:
    for component in chain:
        for lines in every(component, "NewsLines"):
            yield from every(lines, name)


def _typed_lines(chain: list[Node], types: frozenset[str], reading: Reading) -> Iterator[str]:
    for line in _lines(chain, "NewsLine"):
        if _word(first(line, "NewsLineType")) in types:
            for text in every(line, "NewsLineText"):
                if shown := reading.shown(text):
                    yield shown


def _headline(chain: list[Node], scope: Node | None, reading: Reading) -> str | None:
    """The nearest headline: of the copy's own components, of a component that is one, of one beside that is no picture."""
    for line in _lines(chain, "HeadLine"):
        if text := reading.shown(line):
            return text
    beside = [] if scope is None else list(scope.iter("{*}NewsComponent"))
    for component in beside:
        if _word(first(component, "Role")) in HEADLINES:
            data = next(component.iter("{*}DataContent"), None)
            if text := " ".join(p.text for p in reading.copy(data)) if data is not None else None:
                return text
    for component in beside:
        pictures = any(_word(media) in MEDIA for media in component.iter("{*}MediaType"))
        if not pictures and _word(first(component, "Role")) not in NOT_COPY:
            for line in _lines([component], "HeadLine"):
                if text := reading.shown(line):
                    return text
    return None


def _slugline(item: Node, chain: list[Node], reading: Reading) -> str | None:
    """The item's label; else a catchword or slug line, unless the slug line only repeats who wrote it."""
    if label := reading.line(first(item, "Identification", "NameLabel")):
        return label
    if catchword := next(_typed_lines(chain, CATCHWORDS, reading), None):
        return catchword
    names = {reading.shown(line) for line in _lines(chain, "ByLine")}
    return next(
        (text for line in _lines(chain, "SlugLine") if (text := reading.line(line)) and text not in names), None
    )


def _provider(item: Node, identifier: Node | None, chain: list[Node], reading: Reading) -> str:
    """Who sent it: the sidecar, ProviderId, the party named as provider or as sender, `--provider`, else "file".

    ProviderId comes first because it is the same on all of an agency's services; the parties are in its languages.
    """
    intake = reading.intake
    parties = [first(component, "AdministrativeMetadata", "Provider", "Party") for component in chain]
    parties.append(first(item.getroottree().getroot(), "NewsEnvelope", "SentFrom", "Party"))
    stated = [reading.line(first(identifier, "ProviderId")), *(reading.line(_name(party)) for party in parties)]
    return intake.defaults.get("provider") or next(filter(None, stated), None) or intake.provider or "file"


def _embargo(management: Node | None, reading: Reading) -> str | None:
    """When the status will change to usable."""
    change = first(management, "StatusWillChange")
    if _word(first(change, "FutureStatus")) != "usable":
        return None
    return reading.date(first(change, "DateAndTime"), "StatusWillChange")


def _own_language(component: Node) -> str:
    return _word(first(component, "DescriptiveMetadata", "Language"))


def _language(chain: list[Node], item: Node, reading: Reading) -> str | None:
    stated = [_name(first(component, "DescriptiveMetadata", "Language")) for component in chain]
    stated += [node.get(_LANG) for node in (*chain, item, *_lines(chain, "HeadLine"))]
    return next((text for value in stated if (text := reading.line(value)) and not text.startswith("x-")), None)


def _described(chain: list[Node], name: str, reading: Reading) -> str | None:
    terms = (term for component in chain for term in every(first(component, "DescriptiveMetadata"), name))
    return next((text for term in terms if (text := reading.line(_name(term)))), None)


def _keywords(chain: list[Node], reading: Reading) -> Iterator[str]:
    for component in chain:
        for described in every(first(component, "DescriptiveMetadata"), "Property"):
            if _word(described) == "keyword" and (text := reading.line(described.get("Value"))):
                yield text
    for line in _lines(chain, "KeywordLine"):
        if text := reading.line(line):
            yield text


def _usage_terms(chain: list[Node], reading: Reading) -> str | None:
    for component in chain:
        for rights in every(first(component, "RightsMetadata"), "UsageRights"):
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
