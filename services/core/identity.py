"""Who is who: stamps, input ids, lineage keys, the order of versions, story and event ids.

All ids are BLAKE2b over canonical JSON, as lower-case hex: the same on every machine, in life as on replay.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
from datetime import datetime
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

import msgspec
import orjson

from services.core.article import Article
from services.core.times import instant, iso

_UNHASHED = frozenset({"received_at", "input_id", "parse_notes"})
_TRACKING = re.compile(
    r"^(utm_.+|fbclid|gclid|mc_[ce]id|igshid|ref|ref_src|cmpid|ns_[a-z]+|smid|ocid|xtor)$", re.IGNORECASE
)
_REVISION_TAIL = re.compile(r":\d+[NUA]?$")


def digest(*parts: Any, size: int = 16) -> str:
    """Hex of BLAKE2b-`size` over the parts as canonical JSON (keys sorted, no blanks)."""
    return hashlib.blake2b(orjson.dumps(parts, option=orjson.OPT_SORT_KEYS), digest_size=size).hexdigest()


def input_id(article: Article) -> str:
    """Hash of provider, uri, version, version_created and content, without `received_at`.

    Only fields that are set are hashed, so that a field added to Article later leaves old ids as they are.
    """
    content = {
        name: value
        for name, value in msgspec.to_builtins(article).items()
        if name not in _UNHASHED and value not in (None, [])
    }
    return digest("input", content)


def stamp(article: Article, *, previous: datetime | None, clock: datetime, live: bool = False) -> Article:
    """`article` with `received_at` and `input_id`, by the one rule that publisher and replay share.

    A record that has a readable `received_at` keeps it, unless it lies after the clock. A live feed takes the clock. A folder or archive takes
    `version_created`, or the previous stamp if that is null, earlier than it, or later than the clock. Before the first
    stamp there is none: `received_at` stays null.
    """
    received = instant(article.received_at)
    if received is None or received > clock:
        created = instant(article.version_created)
        if live:
            received = clock
        elif created is None or created > clock or (previous is not None and created < previous):
            received = previous
        else:
            received = created
    return msgspec.structs.replace(article, received_at=iso(received) if received else None, input_id=input_id(article))


def canonical_url(url: str) -> str:
    """A link without what only tracks the reader: scheme and host folded, tracking parameters and fragment dropped."""
    parts = urlsplit(url)
    query = urlencode(
        sorted((k, v) for k, v in parse_qsl(parts.query, keep_blank_values=True) if not _TRACKING.match(k))
    )
    host = parts.netloc.lower().removeprefix("www.")
    return urlunsplit(
        ("https" if parts.scheme in ("http", "https") else parts.scheme, host, parts.path.rstrip("/"), query, "")
    )


def lineage_key(article: Article) -> str:
    """What stays the same over the versions of one item at one provider, derived from the `uri` as sent.

    NewsML 1.2 public identifiers end in their revision; web links carry tracking parameters; other ids are stable.
    """
    uri = article.uri.strip()
    if uri.startswith(("http://", "https://")):
        with contextlib.suppress(ValueError):  # not a link after all
            uri = canonical_url(uri)
    elif uri.startswith("urn:newsml:") and article.version is not None and uri.endswith(f":{article.version}"):
        uri = _REVISION_TAIL.sub("", uri)
    return f"{article.provider}:{uri}"


def version_number(version: str | None) -> int | None:
    """A version as a number where it is one ("9" comes before "10", "04" is 4)."""
    text = (version or "").strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 18 else None


def is_older(article: Article, than: Article, *, same_item: bool) -> bool:
    """Whether `article` comes before `than` in their lineage: by version, else version_created, then received_at.

    Versions count within one item only; items with ids of their own are ordered by time. Equal on every count is not
    older: that is a resend.
    """
    mine, theirs = version_number(article.version), version_number(than.version)
    if same_item and mine is not None and theirs is not None and mine != theirs:
        return mine < theirs
    for field in ("version_created", "received_at"):
        a, b = instant(getattr(article, field)), instant(getattr(than, field))
        if a is not None and b is not None and a != b:
            return a < b
    return False


def story_id(edition: int, founding_input: str, number: int) -> str:
    """Hash of edition, founding input id and its decision number."""
    return digest("story", edition, founding_input, number)


def event_id(story: str, event_type: str, cause: str) -> str:
    """Hash of story id, type and the cause's input id: the same on retry and on replay."""
    return digest("event", story, event_type, cause)
