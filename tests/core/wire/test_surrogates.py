"""A lone surrogate is no text: it can be smuggled in by an escape, and must not come as far as the codec."""

from __future__ import annotations

import pytest

from services.contract.codec import encode
from services.core.wire import parse

ESCAPED = {
    "front matter": b'---\nprovider: "n\\ud800"\nheadline: "x \\udc00 y"\n---\nThe tide came in at noon.\n',
    "json": b'{"provider": "p", "uri": "u", "headline": "\\ud800 tide"}',
    "html": b'{"uri": "u", "type": "text", "headline": "tide", "body_html": "<p>The &#xd800; tide &#55357; came.</p>"}',
}


@pytest.mark.parametrize("name", ESCAPED)
def test_a_lone_surrogate_is_repaired_or_rejected(name):
    parsed = parse(ESCAPED[name], source="a.txt", provider="p")
    for item in parsed.articles:
        encode(item).decode()
    assert bool(parsed.articles) != bool(parsed.rejected)
