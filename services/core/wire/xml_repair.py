"""What people do to XML by hand, undone: ampersands that open no entity, prefixes that nobody declared."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

AMPERSAND_NOTE = "not well-formed: bare ampersands kept as they are"
PREFIX_NOTE = "not well-formed: prefixes without a declaration"
MOST_PREFIXES = 50
MOST_USES = 100_000
PREFIXES = {
    "dc": "http://purl.org/dc/elements/1.1/", "dcterms": "http://purl.org/dc/terms/",
    "content": "http://purl.org/rss/1.0/modules/content/", "atom": "http://www.w3.org/2005/Atom",
    "yandex": "http://news.yandex.ru", "xhtml": "http://www.w3.org/1999/xhtml",
}  # fmt: skip
"""What a prefix means everywhere; what another one means is of no matter here."""
_BARE = re.compile(r"&(?!(?:#\d{1,8}|#x[0-9a-fA-F]{1,8}|amp|lt|gt|quot|apos);)")
_USED = re.compile(r"</?([A-Za-z_][\w.-]{0,39}):[A-Za-z_]|[\s]([A-Za-z_][\w.-]{0,39}):[A-Za-z_][\w.-]{0,59}\s?=")
_ROOT = re.compile(r"<([A-Za-z_][\w:.-]{0,80}+)([^<>]{0,10000}+)>")
_DECLARED = re.compile(r"\sxmlns:([\w.-]{1,40})\s?=")
_OPEN, _CLOSE = "<![CDATA[", "]]>"


def repaired_text(text: str) -> tuple[str, tuple[str, ...]]:
    """XML that may be well-formed now, and notes on what was done; the text itself where there was nothing to do."""
    whole = "".join(_with_ampersands(text)) if "&" in text else text
    notes = (AMPERSAND_NOTE,) if whole != text else ()
    root = _ROOT.search(whole)
    if root is None:
        return whole, notes
    declared = {"xml", "xmlns", *_DECLARED.findall(root[2])}
    used = (found[1] or found[2] for found in islice(_USED.finditer(whole), MOST_USES))
    missing = list(islice(dict.fromkeys(prefix for prefix in used if prefix not in declared), MOST_PREFIXES))
    if not missing:
        return whole, notes
    said = "".join(f' xmlns:{prefix}="{PREFIXES.get(prefix, f"urn:undeclared:{prefix}")}"' for prefix in missing)
    at = root.end(1)
    return whole[:at] + said + whole[at:], (*notes, PREFIX_NOTE)


def _with_ampersands(text: str) -> Iterator[str]:
    """The text with bare ampersands written out, but in CDATA, where they are right."""
    for number, part in enumerate(text.split(_OPEN)):
        inside, mark, outside = part.partition(_CLOSE) if number else ("", "", part)
        yield from ((_OPEN, inside, mark) if number else ())
        yield _BARE.sub("&amp;", outside)
