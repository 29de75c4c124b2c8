"""HTML (and NITF, which reads like it) to paragraphs: the copy stays, the page around it goes."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

from lxml import etree

from services.core.article import Paragraph, ParagraphKind
from services.core.wire.charset import without_controls
from services.core.wire.parsed import Intake
from services.core.wire.text_body import text_paragraphs

# --- the shape -------------------------------------------------------------------------------------------------------

_DROPPED = frozenset({
    "script", "style", "noscript", "template", "head", "title", "figure", "figcaption", "caption", "img", "picture",
    "iframe", "object", "embed", "video", "audio", "svg", "math", "canvas", "form", "button", "select", "nav",
    "header", "media", "bild", "bildtext",
})  # fmt: skip
_PAGE_CLASSES = frozenset({
    "twitter-tweet", "instagram-media", "tiktok-embed", "fb-post", "embed-block", "media-caption", "dat", "wp-caption-text",
    "wp-caption", "gallery-caption", "caption-text", "sharedaddy", "jp-relatedposts", "addtoany_content", "share-buttons",
    "social-share", "screen-reader-text", "visually-hidden", "sr-only",
})  # fmt: skip
"""Embeds, captions, what site software adds for sharing and screen readers, and TT's line of vignette and source above the copy."""
_HEADINGS = frozenset({
    "h1", "h2", "h3", "h4", "h5", "h6", "hl1", "hl2",
})  # fmt: skip
_BLOCKS = frozenset({
    "p", "div", "section", "article", "main", "body", "html", "blockquote", "ul", "ol", "li", "dl", "dt", "dd",
    "table", "tr", "thead", "tbody", "tfoot", "aside", "footer", "address", "details", "summary", "hr", "pre",
    "center", "block", "body.content", "fieldset", "ingress", "brodtext",
})  # fmt: skip
_CELLS = frozenset({"td", "th"})
_BLANKS = re.compile(r"[ \t\r\n\f\v]+")
_LAID_OUT = re.compile(r"\n[^\s].*\n {4,8}\S|\n {4,8}\S.*\n[^\s]")
"""Lines at the margin beside indented ones: paragraphs set by hand in one <p>. In indented markup no line is at the margin."""
_BREAK = "\v"  # <br>, until it is known whether one stands alone or two part paragraphs
_TWO_BREAKS = re.compile(rf"{_BREAK}[ \t\r\n\f]*{_BREAK}[ \t\r\n\f{_BREAK}]*")
_PROLOG = re.compile(r"^\s*<\?xml[^>]{0,200}\?>")
_INLINE_TAG = re.compile(
    r"</?(?:(br|p|div|h[1-6])|b|i|em|strong|span|a|sup|sub|u)(?:\s[^<>]{0,300})?/?>", re.IGNORECASE
)
_ENTITY = re.compile(r"&#?\w{1,31};")

# --- reading it ------------------------------------------------------------------------------------------------------


def html_paragraphs(markup: str, intake: Intake, position: str) -> tuple[Paragraph, ...]:
    """The paragraphs of a piece of HTML, XHTML or NITF, in reading order.

    Headings and table rows keep their kind (cells are parted by " | "); scripts, captions, embeds and page furniture are
    dropped; two line breaks part paragraphs, one is a blank. Nothing is fetched and no entity is declared. Raises
    RejectedInput `too_large` or `too_deep`.
    """
    limits = intake.limits
    if len(markup) > limits.markup:
        raise intake.reject("too_large", f"a body of {len(markup):,} characters of markup", position)
    root = _tree(markup)
    if root is None:
        return ()
    return tree_paragraphs(next(root.iter("body.content"), root), intake, position)


def tree_paragraphs(
    root: Any, intake: Intake, position: str, *, without: frozenset[str] = frozenset()
) -> tuple[Paragraph, ...]:
    """`html_paragraphs` for a tree that is parsed already, in whatever namespace and case its names are written.

    `without` names elements and classes that this format does not count as copy. Raises RejectedInput `too_deep`, and
    `too_large` as soon as there are more paragraphs than an article may hold.
    """
    limit = intake.limits.paragraphs
    paragraphs = tuple(islice(_paragraphs(root, intake, position, without), limit + 1))
    if len(paragraphs) > limit:
        raise intake.reject("too_large", f"more than {limit:,} paragraphs, an article may hold no more", position)
    return paragraphs


def plain_of(line: str) -> str:
    """A headline or byline that may hold inline markup, as text; "<MSFT.O>" and "R&D" are none."""
    text = _ENTITY.sub(lambda m: html.unescape(m[0]), _INLINE_TAG.sub(lambda m: " " if m[1] else "", line))
    return _BLANKS.sub(" ", text).strip()


def _tree(markup: str) -> Any:
    text, _ = without_controls(_PROLOG.sub("", markup))
    if not text.strip():
        return None
    parser = etree.HTMLParser(encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True, huge_tree=True)
    try:
        return etree.fromstring(text.encode(), parser)
    except etree.XMLSyntaxError:  # nothing in it that is an element or a text
        return None


# --- adapting it -----------------------------------------------------------------------------------------------------


def _paragraphs(root: Any, intake: Intake, position: str, without: frozenset[str] = frozenset()) -> Iterator[Paragraph]:
    """One walk, no recursion: blocks flush what has gathered, dropped elements are stepped over."""
    gathered: list[str] = []
    kinds: list[ParagraphKind] = ["paragraph"]
    depth = dropped = pre = 0
    for event, node in etree.iterwalk(root, events=("start", "end")):
        tag = node.tag.rpartition("}")[2].lower() if isinstance(node.tag, str) else ""
        if event == "start":
            depth += 1
            if depth > intake.limits.depth * 4:  # markup nests deeper than data: the deepest real body has 11 levels
                raise intake.reject("too_deep", "markup nests too deep", position)
            if dropped or _is_dropped(node, tag, without):
                dropped += 1
                continue
            if gathered and (tag in _BLOCKS or tag in _HEADINGS):
                yield from _flush(gathered, kinds[-1], preformatted=bool(pre))
            if tag in _HEADINGS:
                kinds.append("heading")
            elif tag == "tr":
                kinds.append("table")
            pre += tag == "pre"
            if tag == "br" and (gathered or pre):
                gathered.append("\n" if pre else _BREAK)
            elif tag in _CELLS and gathered:
                gathered.append(" | ")
            text = node.text
        else:
            depth -= 1
            if dropped:
                dropped -= 1
            elif tag in _BLOCKS or tag in _HEADINGS:
                if gathered:
                    yield from _flush(gathered, kinds[-1], preformatted=bool(pre))
                if (tag in _HEADINGS or tag == "tr") and len(kinds) > 1:
                    kinds.pop()
                pre -= tag == "pre"
            text = None if dropped or node is root else node.tail
        if text and (gathered or pre or not text.isspace()):  # what is gathered never begins with a blank part
            gathered.append(text)
    yield from _flush(gathered, "paragraph", preformatted=False)


def _is_dropped(node: Any, tag: str, without: frozenset[str]) -> bool:
    if tag in _DROPPED or tag in without:
        return True
    names = (node.get("class") or "").split()
    style = node.get("style") or ""
    hidden = "display:none" in style.replace(" ", "")
    return hidden or not (_PAGE_CLASSES.isdisjoint(names) and without.isdisjoint(names))


def _flush(gathered: list[str], kind: ParagraphKind, *, preformatted: bool) -> Iterator[Paragraph]:
    text = "".join(gathered)
    gathered.clear()
    if not text.strip():
        return
    if preformatted or (kind == "paragraph" and "\n    " in text and _LAID_OUT.search(text)):
        yield from text_paragraphs(text.replace(_BREAK, "\n"))
        return
    for part in _TWO_BREAKS.split(text) if kind == "paragraph" and _BREAK in text else (text,):
        line = (part if part.isprintable() and "  " not in part else _BLANKS.sub(" ", part)).strip()
        if line.strip("| "):
            yield Paragraph(line, kind)
