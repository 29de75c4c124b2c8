"""What must hold whatever comes in. Everything else that is raised, and every broken assertion, is a finding."""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec
import orjson

from services.contract.feeds import BadFeeds, read_feeds
from services.core import wire
from services.core.article import Article
from services.core.wire.limits import DEFAULT, Limits
from services.runtime.archive import read

READ_AGAIN = 200
"""Articles of one file that are written out and read again: a file of ten thousand costs enough to read once."""
SMALL = Limits(text=2_000, paragraphs=40, item=50_000, markup=20_000, header=1_000, depth=8, items=50, rejects=5)


def of_a_file(
    data: bytes, *, form: str = "auto", sidecar: bytes | None = None, limits: Limits = DEFAULT
) -> wire.Parsed:
    """Articles that can be read again, and reasons that a person can."""
    parsed = wire.parse(data, source="x.txt", format=form, sidecar=sidecar, limits=limits)
    _holds(parsed)
    assert parsed.articles or parsed.rejected or parsed.skipped or b"[" in data, "said nothing"
    for article in parsed.articles:
        if isinstance(article, Article):
            text = sum(len(paragraph.text.encode()) for paragraph in article.body)
            assert text <= limits.text, "above the limit"
            assert len(article.body) <= limits.paragraphs, "above the limit"
    return parsed


def of_an_archive(path: Path) -> None:
    """Members on their own, and an end."""
    for count, parsed in enumerate(read(path, provider=None, limits=DEFAULT)):
        _holds(parsed)
        assert count < 100_000, "an archive without end"


def of_a_feeds_file(data: bytes) -> None:
    """Feeds, or mistakes with their lines."""
    mistakes = ""
    try:
        read_feeds(data, "feeds.yaml", Path("/srv"))
    except BadFeeds as error:
        mistakes = str(error)
    unplaced = [line for line in mistakes.split("\n") if line and not line.startswith("feeds.yaml:")]
    assert not unplaced, "a mistake without its line"


def print_of(parsed: wire.Parsed) -> str:
    """The same for the same result."""
    items = [msgspec.to_builtins(item) for item in parsed.articles]
    refused = [(error.reason, error.detail, error.position) for error in parsed.rejected]
    return hashlib.sha256(orjson.dumps([items, refused, msgspec.to_builtins(parsed.skipped)])).hexdigest()


def _holds(parsed: wire.Parsed) -> None:
    for error in parsed.rejected:
        assert error.reason.isidentifier(), "a reason that is no word"
        assert len(error.detail) > 10, "a reason without a sentence"
        assert len(error.detail) < 2_000, "a reason that is a book"
        assert "Traceback" not in str(error), "a traceback for a reason"
        str(error).encode()
    for article in parsed.articles[:READ_AGAIN]:
        line = orjson.dumps(msgspec.to_builtins(article))
        if not isinstance(article, Article):
            continue
        assert article.uri, "no uri"
        assert article.provider, "no provider"
        assert all(p.text.strip() for p in article.body), "an empty paragraph"
        assert article.headline or article.body or article.is_ending, "says nothing"
        (again,) = wire.parse(line, source="again").articles
        same = msgspec.structs.replace(article, parse_notes=())
        assert msgspec.structs.replace(again, parse_notes=()) == same, "reads otherwise as Article JSON"
