"""Web pages: what the page says of itself in JSON-LD and meta elements; the copy from there, else by trafilatura."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache, partial
from types import ModuleType
from typing import Any
from urllib.parse import urlsplit

import msgspec
import orjson
from lxml import etree

from services.core.article import Article, Paragraph
from services.core.redline.noise import is_furniture
from services.core.wire.charset import decode, without_controls
from services.core.wire.dates import read_date
from services.core.wire.fields import too_deep
from services.core.wire.html_body import html_paragraphs, plain_of
from services.core.wire.parsed import Intake, Parsed, Skipped, finish, gather
from services.core.wire.teasers import leads_on
from services.core.wire.text_body import text_paragraphs

# --- wire shape ------------------------------------------------------------------------------------------------------
# schema.org's NewsArticle and its kin, LiveBlogPosting with its updates; else Open Graph and the article: properties.

ARTICLES = frozenset({
    "NewsArticle", "ReportageNewsArticle", "AnalysisNewsArticle", "BackgroundNewsArticle", "OpinionNewsArticle",
    "ReviewNewsArticle", "AskPublicNewsArticle", "Article", "BlogPosting", "LiveBlogPosting", "Report",
})  # fmt: skip
LIVE = "LiveBlogPosting"
MOST_ELEMENTS = 8_000
"""trafilatura takes 0.1 ms for an element; a news page has some thousands. Of a larger page its article alone is looked at."""
MOST_LEVELS = 400_000
"""Levels of all elements together, at their start and their end: 8,000 elements stand 25 deep."""
MOST_TAGS = 100_000
"""`<` characters in a page: as many elements are parsed and walked in half a second."""
DEEPEST = 100
"""Levels of elements: trafilatura's time grows with them. Pages have some forty."""
MOST_OBJECTS = 2_000
"""Objects of JSON-LD that are looked through for an article."""
FLATTENED = 1_200
"""Characters. A longer `articleBody` without a line break has lost its paragraphs: the page's own are better."""
AS_FULL = 0.8
"""The page's copy stands for a flattened `articleBody` when it has at least this share of its words."""

_META_CHARSET = re.compile(rb"<meta[^>]{1,200}charset\s*=\s*[\"']?\s*([\w.:-]{2,40})", re.IGNORECASE)
_WRAPPING = re.compile(
    r"^\s*(?:<!--|/\*\s*<!\[CDATA\[\s*\*/|//\s*<!\[CDATA\[|<!\[CDATA\[)|(?:-->|/\*\s*\]\]>\s*\*/|//\s*\]\]>|\]\]>)\s*;?\s*$"
)
_MARKED_UP = re.compile(r"</?(?:p|br|div|h[1-6]|ul|li)\b[^<>]{0,200}>", re.IGNORECASE)

_Object = dict[str, Any]

# --- reading it ------------------------------------------------------------------------------------------------------


def parse(data: bytes, intake: Intake) -> Parsed:
    """One page, one article."""
    return gather([partial(_read, data, intake)])


def _read(data: bytes, intake: Intake) -> Article | Skipped:
    """Raises RejectedInput: too_large, too_deep, undecodable, binary, no_content."""
    if len(data) > intake.limits.markup:
        raise intake.reject("too_large", f"{len(data):,} bytes of page, {intake.limits.markup:,} are read")
    if (tags := data.count(b"<")) > MOST_TAGS:
        raise intake.reject("too_large", f"{tags:,} tags in a page, {MOST_TAGS:,} are read")
    text, notes = _text(data, intake)
    root = etree.fromstring(
        text.encode(), etree.HTMLParser(encoding="utf-8", no_network=True, remove_comments=True, huge_tree=True)
    )
    if root is None:
        raise intake.reject("no_content", "a page without an element")
    _measure(root, intake)
    meta = _meta(root)
    news = next(_articles(root, intake), {})
    url = _first(
        _link(root, "canonical"), meta.get("og:url"), _url(news.get("url")), _url(news.get("mainEntityOfPage"))
    )
    article = Article(
        provider=intake.defaults.get("provider") or intake.provider or _host(url) or "file",
        uri=url or intake.source,
        outlet=_first(_name(news.get("publisher")), meta.get("og:site_name")),
        genre="live blog"
        if _is(news, LIVE)
        else _first(_plain(news.get("articleSection")), meta.get("article:section")),
        version_created=_date(
            news.get("dateModified"),
            meta.get("article:modified_time"),
            meta.get("og:updated_time"),
            news.get("datePublished"),
            meta.get("article:published_time"),
        ),
        first_created=_date(news.get("datePublished"), meta.get("article:published_time")),
        language=_first(_plain(news.get("inLanguage")), root.get("lang"), meta.get("og:locale")),
        headline=_first(_plain(news.get("headline")), meta.get("og:title"), _heading(root)),
        byline=_first(_names(news.get("author")), meta.get("author")),
        ed_note=_corrections(news),
        keywords=_keywords(news.get("keywords")) or _keywords(meta.get("news_keywords")),
        url=url,
        usage_terms=_first(_plain(news.get("copyrightNotice")), _url(news.get("license")), meta.get("copyright")),
        parse_notes=notes,
    )
    body = _live(news, intake) if _is(news, LIVE) else ()
    body = body or _body(news, root, text, intake)
    return finish(_with(article, body), intake, None)


# --- adapting it -----------------------------------------------------------------------------------------------------


def _text(data: bytes, intake: Intake) -> tuple[str, tuple[str, ...]]:
    """The page by the charset that it declares, if it fits, else by the rule for all text."""
    declared = _META_CHARSET.search(data[:4096])
    name = declared[1].decode("ascii", "ignore").casefold() if declared else ""
    if (
        name
        and name not in ("utf-8", "utf8", "iso-8859-1", "latin1", "windows-1252", "us-ascii", "ascii")
        and b"\0" not in data
    ):
        try:
            return without_controls(data.decode(name))[0], ()
        except (LookupError, ValueError):
            pass
    text, notes = decode(data, intake)
    return without_controls(text)[0], notes if name in ("", "utf-8", "utf8") else ()


def _measure(root: Any, intake: Intake) -> None:
    """Raises too_deep, and too_large for more text than an article may have beside its page."""
    depth = letters = 0
    for event, node in etree.iterwalk(root, events=("start", "end")):
        depth += 1 if event == "start" else -1
        if depth > DEEPEST:
            raise intake.reject("too_deep", f"the page nests deeper than {DEEPEST} levels")
        if event == "start" and node.tag not in ("script", "style"):
            letters += len(node.text or "") + len(node.tail or "")
    if letters > 2 * intake.limits.text:
        raise intake.reject("too_large", f"{letters:,} characters of text in a page")


def _articles(root: Any, intake: Intake) -> Iterator[_Object]:
    """The page's own article in JSON-LD: a live blog before an article, in the order of the page."""
    found = [item for item in _objects(root, intake) if any(_is(item, kind) for kind in ARTICLES)]
    return iter(sorted(found, key=lambda item: not _is(item, LIVE)))


def _objects(root: Any, intake: Intake) -> Iterator[_Object]:
    waiting: list[Any] = []
    for script in root.iter("script"):
        if (script.get("type") or "").strip().casefold() == "application/ld+json":
            if len(script.text or "") > intake.limits.text * intake.limits.slack:
                continue  # more than an article may hold: it lists something else
            try:
                value = orjson.loads(_WRAPPING.sub("", script.text or ""))
            except orjson.JSONDecodeError:
                continue
            if not too_deep(value, intake.limits.depth):
                waiting.append(value)
    for _ in range(MOST_OBJECTS):
        if not waiting:
            return
        value = waiting.pop(0)
        if isinstance(value, list):
            waiting[:0] = value[:MOST_OBJECTS]
        elif isinstance(value, dict):
            yield value
            waiting[:0] = [value[key] for key in ("@graph", "mainEntity") if key in value]


def _is(item: _Object, kind: str) -> bool:
    types = item.get("@type")
    return kind == types or (isinstance(types, list) and kind in types)


def _body(news: _Object, root: Any, page: str, intake: Intake) -> tuple[Paragraph, ...]:
    """`articleBody` where it has its paragraphs, else the page's copy; whichever is there."""
    stated = _copy(news.get("articleBody"), intake)
    if stated and (len(stated) > 1 or len(stated[0].text) <= FLATTENED):
        return stated
    if _is_large(root):
        inner = next((node for name in ("article", "main") for node in root.iter(name) if not _is_large(node)), None)
        if inner is None and not stated:
            raise intake.reject("too_large", f"a page of more than {MOST_ELEMENTS:,} elements, and no article in it")
        page = "" if inner is None else etree.tostring(inner, encoding="unicode", method="html")
    shown = _extracted(page, intake) if page else ()
    return shown if _words(shown) >= AS_FULL * _words(stated) else stated


def _is_large(node: Any) -> bool:
    """Whether trafilatura would take too long: too many elements, or each of them too deep."""
    depth = elements = levels = 0
    for event, _ in etree.iterwalk(node, events=("start", "end")):
        depth += 1 if event == "start" else -1
        elements += event == "start"
        levels += depth
        if elements > MOST_ELEMENTS or levels > MOST_LEVELS:
            return True
    return False


def _copy(value: Any, intake: Intake) -> tuple[Paragraph, ...]:
    """A text of JSON-LD, which may hold markup."""
    if not isinstance(value, str):
        return ()
    if _MARKED_UP.search(value):
        return _kept(html_paragraphs(value, intake, "articleBody"))
    if len(value) > intake.limits.text * intake.limits.slack:
        raise intake.reject("too_large", f"{len(value):,} characters of text", "articleBody")
    return _kept(text_paragraphs(without_controls(_plain_lines(value))[0]))


def _plain_lines(text: str) -> str:
    """Lines whose entities were escaped once too often, as text."""
    return "\n".join(plain_of(line) for line in text.splitlines())


def _extracted(page: str, intake: Intake) -> tuple[Paragraph, ...]:
    markup = _trafilatura().extract(
        page, output_format="html", include_comments=False, include_tables=True, favor_precision=True,
        with_metadata=False, deduplicate=False,
    )  # fmt: skip
    return _kept(html_paragraphs(markup, intake, "page")) if markup else ()


@cache
def _trafilatura() -> ModuleType:
    """Imported for pages alone, since it takes a second; and told to be quiet, since the core speaks by what it returns."""
    import trafilatura
    from trafilatura.core import LOGGER

    for name, logger in LOGGER.manager.loggerDict.items():
        if name.partition(".")[0] in ("trafilatura", "htmldate", "justext", "courlan"):
            logger.disabled = True  # type: ignore[union-attr]  # of a placeholder it means nothing
    return trafilatura


def _kept(paragraphs: Iterable[Paragraph]) -> tuple[Paragraph, ...]:
    return tuple(p for p in paragraphs if not is_furniture(p.text) and not leads_on(p.text))


def _live(news: _Object, intake: Intake) -> tuple[Paragraph, ...]:
    """The updates of a live blog in the page's order, each under its headline."""
    updates = news.get("liveBlogUpdate")
    body: list[Paragraph] = []
    for update in updates if isinstance(updates, list) else [updates]:
        if isinstance(update, dict):
            copy = _copy(update.get("articleBody"), intake)
            headline = _plain(update.get("headline"))
            if headline and (not copy or copy[0].text != headline):
                body.append(Paragraph(headline, "heading" if copy else "paragraph"))
            body.extend(copy)
    return tuple(body)


def _with(article: Article, body: tuple[Paragraph, ...]) -> Article:
    repeats = len(body) > 1 and article.headline and body[0].text.casefold() == article.headline.casefold()
    return msgspec.structs.replace(article, body=body[1:] if repeats else body)


def _words(body: tuple[Paragraph, ...]) -> int:
    return sum(len(p.text.split()) for p in body)


def _meta(root: Any) -> dict[str, str]:
    """What meta elements say, by name or property; the first of each."""
    found: dict[str, str] = {}
    for node in root.iter("meta"):
        name = (node.get("property") or node.get("name") or "").strip().casefold()
        if name and (text := _plain(node.get("content"))):
            found.setdefault(name, text)
    return found


def _link(root: Any, rel: str) -> str | None:
    return next(
        (
            url
            for node in root.iter("link")
            if (node.get("rel") or "").casefold() == rel and (url := _url(node.get("href")))
        ),
        None,
    )


def _heading(root: Any) -> str | None:
    """The page's only first-rank heading; of several none is known to be the headline."""
    headings = [text for node in root.iter("h1") if (text := _plain("".join(node.itertext())))]
    return headings[0] if len(headings) == 1 else None


def _url(value: Any) -> str | None:
    """A web address: a text, or the @id of an object."""
    if isinstance(value, dict):
        value = value.get("@id") or value.get("url")
    text = value.strip() if isinstance(value, str) else ""
    return text if text.startswith(("http://", "https://")) and len(text) < 2_000 and " " not in text else None


def _host(url: str | None) -> str | None:
    try:
        return (urlsplit(url or "").hostname or "").removeprefix("www.") or None
    except ValueError:
        return None


def _plain(value: Any) -> str | None:
    if isinstance(value, list):
        value = next((entry for entry in value if isinstance(entry, str)), None)
    elif isinstance(value, dict):
        value = value.get("name")
    return plain_of(without_controls(value)[0]) or None if isinstance(value, str) else None


def _first(*values: str | None) -> str | None:
    return next((value for value in values if value), None)


def _name(value: Any) -> str | None:
    return _plain(value if isinstance(value, str) else next(iter(_dicts(value)), {}).get("name"))


def _names(value: Any) -> str | None:
    """The authors, as a byline would list them; an address of a profile is no name."""
    names = [_plain(entry if isinstance(entry, str) else entry.get("name")) for entry in _entries(value)]
    return ", ".join(dict.fromkeys(name for name in names if name and "://" not in name)) or None


def _entries(value: Any) -> list[Any]:
    return [entry for entry in (value if isinstance(value, list) else [value]) if isinstance(entry, str | dict)]


def _dicts(value: Any) -> list[_Object]:
    return [entry for entry in _entries(value) if isinstance(entry, dict)]


def _date(*values: Any) -> str | None:
    return next((read for value in values if isinstance(value, str) and (read := read_date(value))), None)


def _corrections(news: _Object) -> str | None:
    """schema.org's `correction`: a text, or comments of type CorrectionComment."""
    texts = (
        _plain(entry if isinstance(entry, str) else entry.get("text")) for entry in _entries(news.get("correction"))
    )
    return "\n".join(f"Correction: {text}" for text in texts if text) or None


def _keywords(value: Any) -> tuple[str, ...]:
    words = value.split(",") if isinstance(value, str) else _entries(value)
    return tuple(dict.fromkeys(text for word in words if (text := _plain(word))))
