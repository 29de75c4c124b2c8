"""RSS 0.9 to 2.0 and Atom: each entry is an article, or as much of one as the feed gives away.

Read with the tolerant tree that all XML here is read with: feedparser needs 14 seconds for 600 KB of nested elements,
and gives times in UTC, where an editor wants the offset that was sent.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from urllib.parse import urljoin, urlsplit

import msgspec

from services.core.article import Article, Paragraph
from services.core.wire.charset import without_controls
from services.core.wire.html_body import plain_of
from services.core.wire.parsed import Intake, Parsed, Skipped, finish
from services.core.wire.teasers import leads_on
from services.core.wire.xml_tree import Node, Reading, local, read_file, root_name, text_of

# --- wire shape ------------------------------------------------------------------------------------------------------
# RSS 2.0 has rss/channel/item, RSS 0.9 and 1.0 rdf:RDF/item beside the channel, Atom feed/entry. The modules that count
# are Dublin Core, content:encoded and, in WordPress exports, wp:post_type.

_MODULES = {
    "http://purl.org/dc/elements/1.1/": "dc:",
    "http://purl.org/dc/terms/": "dcterms:",
    "http://purl.org/rss/1.0/modules/content/": "content:",
    "http://news.yandex.ru": "yandex:",
}
_CORE = re.compile(
    r"|http://www\.w3\.org/2005/Atom|http://purl\.org/(?:rss/1\.0/|atom/ns#)|http://(?:my\.netscape|backend\.userland|channel\.netscape)\S*"
)
_XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_XML_BASE = "{http://www.w3.org/XML/1998/namespace}base"
_DEEPEST_BASE = 8
_ABOUT = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}about"
_POST_TYPE = "{*}post_type"

BODIES = ("content:encoded", "yandex:full-text", "content", "summary", "description", "dc:description")
"""Where the copy may stand, the fullest first; one is taken, never two."""
UPDATED = (
    "updated",
    "modified",
    "dcterms:modified",
    "dc:modified",
    "pubDate",
    "pubdate",
    "dc:date",
    "published",
    "issued",
)
PUBLISHED = ("published", "issued", "dcterms:issued", "dcterms:created")
_AUTHOR = re.compile(
    r"[^\s@<>()]{1,64}@[^\s@<>()]{1,255}\s*\(([^()]{1,200})\)|(.{1,200}?)\s*<[^<>\s]{1,255}@[^<>\s]{1,255}>"
)
_BLOCK = re.compile(r"<(?:p|br|div|ul|ol|table|pre|blockquote)[\s/>]", re.IGNORECASE)
_BLANK_LINE = re.compile(r"\n[ \t\r]*\n")
_ADDRESS = re.compile(r"\S{1,64}@\S{1,255}")

_WEB = ("http://", "https://")
_SHORTCODE = re.compile(r"\[(caption|gallery|embed|audio|video|playlist)\b[^\[\]]{0,400}\](?:[^\[\]]{0,2000}\[/\1\])?")
"""What WordPress makes a picture or player of, as exports have it."""
_MARKED_UP = re.compile(r"<([a-z]{1,6})>[^<>]*</\1>", re.IGNORECASE)

# --- reading it ------------------------------------------------------------------------------------------------------


def parse(data: bytes, intake: Intake) -> Parsed:
    """Each entry of the feed; a feed without entries is named as skipped, since it is no fault."""
    item = "entry" if root_name(data) == "feed" else "item"
    parsed = read_file(data, intake, lambda root: _entries(root, item), item, _Reader().read)
    if [error.reason for error in parsed.rejected] == ["no_items"]:
        return Parsed(skipped=(Skipped(intake.source, "feed without entries"),))
    return parsed


def _entries(root: Node, item: str) -> Iterator[Node]:
    for child in root.iterchildren("{*}*"):
        if local(child) == item:
            yield child
        elif local(child) == "channel":
            yield from child.iterchildren(f"{{*}}{item}")


class _Reader:
    """Reads entries, and what their feed says for all of them once."""

    def __init__(self) -> None:
        self._channel: Node | None = None
        self._said: _Said | None = None

    def read(self, node: Node, intake: Intake, position: str) -> Article | Skipped:
        """One entry. Raises RejectedInput: missing_uri, no_content, too_large, too_deep."""
        channel = _channel_of(node)
        if self._said is None or channel is not self._channel:
            self._channel, self._said = channel, _said(channel, Reading(intake, position))
        return _adapt(node, self._said, intake, position)


# --- adapting it -----------------------------------------------------------------------------------------------------


class _Said(msgspec.Struct, frozen=True):
    """What a feed says for its entries."""

    host: str | None
    base: str | None
    title: str | None
    language: str | None
    rights: str | None


def _said(channel: Node | None, reading: Reading) -> _Said:
    feed = _named(channel)
    base = _base(channel, reading.intake.source)
    home = _link(feed.get("link", ()), base)
    return _Said(
        host=_host(home or base),
        base=(base or home) if channel is not None and local(channel) == "feed" else (home or base),
        title=reading.shown(_one(feed, "title")),
        language=reading.line(_one(feed, "language", "dc:language")),
        rights=reading.shown(_one(feed, "rights", "copyright", "dc:rights")),
    )


def _adapt(node: Node, feed: _Said, intake: Intake, position: str) -> Article | Skipped:
    reading = Reading(intake, position)
    entry = _named(node)
    url = _link(entry.get("link", ()), _base(node, feed.base))
    uri = reading.line(_one(entry, "guid", "id")) or reading.line(node.get(_ABOUT)) or url
    if uri is None:
        raise intake.reject("missing_uri", "an entry needs a guid, an id or a link", position)
    if (kind := reading.line(next(node.iterchildren(_POST_TYPE), None))) and kind not in ("post", "page"):
        return Skipped(intake.source, kind, uri, position)
    guid = _one(entry, "guid")
    permanent = guid is not None and guid.get("isPermaLink") != "false"
    if url is None and permanent and uri.startswith(_WEB):
        url = uri
    article = Article(
        provider=_provider(url, feed, intake),
        uri=uri,
        outlet=_outlet(entry, reading),
        version_created=reading.date(_one(entry, *UPDATED), "the entry's date"),
        first_created=reading.date(_one(entry, *PUBLISHED), "published"),
        language=reading.line(_one(entry, "dc:language")) or _language(node, reading) or feed.language,
        headline=_headline(_one(entry, "title", "dc:title"), reading),
        byline=_byline(entry, reading),
        keywords=tuple(dict.fromkeys(_keywords(entry, reading))),
        url=url,
        usage_terms=reading.shown(_one(entry, "rights", "dc:rights", "copyright")) or feed.rights,
        body=_body(entry, reading),
        parse_notes=tuple(reading.notes),
    )
    return finish(article, intake, position)


_Named = dict[str, list[Node]]


def _named(node: Node | None) -> _Named:
    """The children by name: those of RSS and Atom by their own, those of known modules with a prefix, others left out."""
    named: _Named = {}
    for child in () if node is None else node.iterchildren("{*}*"):
        space = str(child.tag).rpartition("}")[0].lstrip("{")
        prefix = _MODULES.get(space, "" if _CORE.fullmatch(space) else None)
        if prefix is not None:
            named.setdefault(prefix + local(child), []).append(child)
    return named


def _channel_of(node: Node) -> Node | None:
    """The channel that speaks for an entry: around it, or beside it in RSS 1.0."""
    parent = node.getparent()
    if parent is not None and local(parent) == "RDF":
        return next(parent.iterchildren("{*}channel"), None)
    return parent


def _one(named: _Named, *names: str) -> Node | None:
    """The first element of `names` that holds anything."""
    return next((node for name in names for node in named.get(name, ()) if len(node) or text_of(node).strip()), None)


def _link(links: list[Node] | tuple[()], base: str | None) -> str | None:
    """An RSS link's text, or the Atom link to the page itself, where it leads from `base`."""
    for link in links:
        href = (link.get("href") if link.get("rel", "alternate") == "alternate" else None) or text_of(link)
        if (found := "".join(href.split())) and (url := _joined(base, found)):
            return url
    return None


def _base(node: Node | None, given: str | None) -> str | None:
    """Where the relative links of an element start: its xml:base, and those around it, else what is `given`."""
    stated = [base for up in _with_ancestors(node) if (base := up.get(_XML_BASE))]
    found = given if given is not None and given.startswith(_WEB) else None
    for base in reversed(stated[:_DEEPEST_BASE]):
        url = _joined(found, base.strip())
        found = url if _host(url) else found
    return found


def _joined(base: str | None, link: str) -> str | None:
    """The web address that a link leads to, if it is one."""
    if link.startswith(_WEB):
        return link
    try:
        url = urljoin(base, link) if base else ""
    except ValueError:
        return None
    return url if url.startswith(_WEB) else None


def _with_ancestors(node: Node | None) -> Iterator[Node]:
    if node is not None:
        yield node
        yield from node.iterancestors()


def _headline(title: Node | None, reading: Reading) -> str | None:
    """The title as text: markup in it was escaped once, or twice."""
    text = reading.shown(title)
    return plain_of(text) or None if text and _MARKED_UP.search(text) else text


def _provider(url: str | None, feed: _Said, intake: Intake) -> str:
    """Sidecar, `--provider`, else the site: one publisher's feeds carry the same entries under many titles."""
    stated = intake.defaults.get("provider") or intake.provider
    return stated or _host(url) or feed.host or feed.title or "file"


def _host(url: str | None) -> str | None:
    try:
        return (urlsplit(url or "").hostname or "").removeprefix("www.") or None
    except ValueError:
        return None


def _outlet(entry: _Named, reading: Reading) -> str | None:
    """Whose article it was before it came into this feed."""
    source = _one(entry, "source")
    inner = _named(source)
    return reading.shown(_one(inner, "title") if inner else source)


def _language(node: Node, reading: Reading) -> str | None:
    return reading.line(next((lang for up in _with_ancestors(node) if (lang := up.get(_XML_LANG))), None))


def _byline(entry: _Named, reading: Reading) -> str | None:
    """The entry's own authors: the feed's author is its publisher. An address is no name."""
    names = []
    for author in (*entry.get("dc:creator", ()), *entry.get("author", ())):
        text = reading.shown(_one(_named(author), "name") if len(author) else author) or ""
        if (found := _AUTHOR.fullmatch(text)) is not None:
            text = (found[1] or found[2] or "").strip()
        if text and not _ADDRESS.fullmatch(text) and text not in names:
            names.append(text)
    return ", ".join(names) or None


def _keywords(entry: _Named, reading: Reading) -> Iterator[str]:
    for category in (*entry.get("category", ()), *entry.get("dc:subject", ())):
        if text := reading.shown(category.get("label") or category.get("term") or category):
            yield text


def _body(entry: _Named, reading: Reading) -> tuple[Paragraph, ...]:
    """The fullest text that the entry gives, without the links that lead on from it."""
    for name in BODIES:
        for node in entry.get(name, ()):
            copy = tuple(p for p in _copy(node, reading) if not leads_on(p.text))
            if copy:
                return copy
    return ()


def _copy(node: Node, reading: Reading) -> tuple[Paragraph, ...]:
    """The paragraphs of an element; HTML without a block in it was typed, as in WordPress, with blank lines between them."""
    if len(node):
        return reading.copy(node)
    text = _SHORTCODE.sub("\n\n", text_of(node))
    if "</" in text and not _BLOCK.search(text):
        text = _BLANK_LINE.sub("<br/><br/>", text)
    elif "&" in text and "<" not in text:  # HTML of nothing but text: "It&#8217;s raining"
        text = without_controls(html.unescape(text))[0]
    return reading.copy_of_text(text)
