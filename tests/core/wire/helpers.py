"""What the wire tests share: reading one article, and where the shared seeds lie."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson

from services.core import wire
from services.core.article import Article

SHARED = Path(__file__).parents[4] / "shared"
SEEDS = SHARED / "seeds"


def one(data: bytes | dict[str, Any], *, source: str = "x.txt", **options: Any) -> Article:
    """The only article in `data`; fails where something was rejected."""
    raw = orjson.dumps(data) if isinstance(data, dict) else data
    parsed = wire.parse(raw, source=source, **options)
    assert not parsed.rejected, [str(error) for error in parsed.rejected]
    (article,) = parsed.articles
    assert isinstance(article, Article)
    return article


def reasons(data: bytes | dict[str, Any] | list[Any], **options: Any) -> list[tuple[str, str | None]]:
    """(reason, position) of everything rejected."""
    raw = data if isinstance(data, bytes) else orjson.dumps(data)
    return [(e.reason, e.position) for e in wire.parse(raw, source="x", **options).rejected]
