"""Raw files and, beside each, what must come out of them. `WRITETHRU_BLESS=1` writes the expectation anew."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
import orjson
import pytest

from services.core import wire

GOLD = Path(__file__).parents[2] / "gold" / "wire"
RAW = sorted(p for p in GOLD.rglob("*") if p.is_file() and not p.name.endswith(".expected.json"))


def seen(path: Path) -> dict[str, object]:
    parsed = wire.parse(path.read_bytes(), source=path.name)
    return {
        "articles": [
            {k: v for k, v in msgspec.to_builtins(article).items() if v not in (None, [], ())}
            for article in parsed.articles
        ],
        "rejected": [[error.reason, error.position] for error in parsed.rejected],
        "skipped": [[item.kind, item.uri] for item in parsed.skipped],
    }


@pytest.mark.parametrize("path", RAW, ids=lambda p: f"{p.parent.name}/{p.name}")
def test_a_real_looking_file_gives_exactly_what_stands_beside_it(path):
    expected = path.with_name(path.name + ".expected.json")
    found = orjson.dumps(seen(path), option=orjson.OPT_INDENT_2)
    if os.environ.get("WRITETHRU_BLESS"):
        expected.write_bytes(found + b"\n")
    assert orjson.loads(found) == orjson.loads(expected.read_bytes())


def test_every_format_has_a_pair():
    assert {path.parent.name for path in RAW} == set(wire.FORMATS)
