"""Whatever the bytes: a Parsed comes out, quickly, and every rejection is a sentence with a reason."""

from __future__ import annotations

import time

import msgspec
import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.core import wire
from services.core.article import Article
from services.core.wire.limits import Limits
from tests.core.wire.test_golden_pairs import RAW

SAMPLES = [path.read_bytes() for path in RAW]
SMALL = Limits(text=2000, item=50_000, markup=20_000, items=50)

scalars = st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.floats(allow_nan=False) | st.text(max_size=30)
values = st.recursive(scalars, lambda v: st.lists(v, max_size=4) | st.dictionaries(st.text(max_size=8), v, max_size=4))
names = st.sampled_from([
    "provider", "uri", "guid", "version", "headline", "headlines", "bodies", "body", "body_html", "body_text", "type",
    "pubstatus", "pubStatus", "pub_status", "embargoed", "version_created", "versioncreated", "signals", "keywords",
    "ednote", "ed_note", "slugline", "dateline", "genre", "source", "command", "id", "stories", "inputs", "by", "at",
    "update_number", "take", "item", "items", "standard", "role", "value", "contentType",
])  # fmt: skip
objects = st.dictionaries(names, values, max_size=12)


@st.composite
def mutated(draw):
    """A sample with a few bytes replaced, dropped or doubled."""
    data = bytearray(draw(st.sampled_from(SAMPLES)))
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, max(0, len(data) - 1)))
        end = min(len(data), at + draw(st.integers(0, 12)))
        data[at:end] = draw(
            st.binary(max_size=6) | st.sampled_from([b'"', b"<", b"\n---\n", b"{", b"[", b"&", b"\\u0000"])
        )
    return bytes(data)


def check(data: bytes, **options) -> None:
    parsed = wire.parse(data, source="x", limits=SMALL, **options)
    assert parsed.articles or parsed.rejected or parsed.skipped or b"[]" in data, "only an empty list may say nothing"
    for error in parsed.rejected:
        assert error.reason.isidentifier()
        assert len(error.detail) > 10
        assert "Traceback" not in str(error)
    for article in parsed.articles:
        orjson.dumps(msgspec.to_builtins(article))
        if isinstance(article, Article):
            assert article.uri
            assert article.provider
            assert all(p.text.strip() for p in article.body)
            assert article.headline or article.body or article.is_ending
            again = wire.parse(orjson.dumps(msgspec.to_builtins(article)), source="y", limits=Limits())
            assert [msgspec.structs.replace(a, parse_notes=()) for a in again.articles] == [
                msgspec.structs.replace(article, parse_notes=())
            ]


@settings(deadline=None)
@given(st.binary(max_size=400), st.sampled_from(["auto", *wire.FORMATS]))
def test_arbitrary_bytes(data, name):
    if data.strip(b" \t\r\n\x7f\xef\xbb\xbf"):
        check(data, format=name)


@settings(deadline=None)
@given(st.text(max_size=400), st.none() | st.binary(max_size=60))
def test_arbitrary_text_and_sidecars(text, sidecar):
    if text.strip():
        check(text.encode(errors="ignore") + b".", sidecar=sidecar)


yaml_parts = st.sampled_from([
    "headline", "embargoed", "keywords", "take", "x", ": ", ":", "? ", "- ", "\n", "\n  ", '"', "'", "[", "]", "{", "}", ", ",
    "|", ">", "9", "+", "&a ", "*a", "<<", "!", "!!int ", "!<%ff> ", "!!python/name:os.system ", "%YAML 1." + "9" * 5000,
    "%TAG ! %C3 ", "...", "---", "#", "@", "`", "~", "\\", "\\U7fffffff", "\\UFFFFFFFF", "\\U00110000", "\\uD800", "\\x00",
    "\\0", "\\N", "\u2028", "\x85", "\ufeff", "\t", "\r", "\x07", "é",
])  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.lists(yaml_parts | st.text(max_size=3), max_size=25).map("".join))
def test_yaml_soup_in_front_matter_and_sidecar(soup):
    text = soup.encode(errors="ignore")
    check(b"---\nheadline: " + text + b"\n---\nIt burns.")
    check(b'---\nheadline: "' + text + b'"\n---\nIt burns.')
    check(b"It burns.", sidecar=text)


@settings(max_examples=100, deadline=None)
@given(mutated(), st.sampled_from(["auto", *wire.FORMATS]))
def test_broken_copies_of_real_looking_files(data, name):
    check(data, format=name)


@settings(max_examples=100, deadline=None)
@given(st.lists(objects, min_size=1, max_size=3), st.sampled_from(["auto", "ninjs", "article_json"]))
def test_objects_with_the_right_names_and_the_wrong_values(items, name):
    check(b"\n".join(map(orjson.dumps, items)), format=name)


@settings(deadline=None)
@given(st.lists(st.sampled_from(
    ["<p>", "</p>", "<br>", "<h2>", "</h2>", "<table>", "<tr>", "<td>", "</tr>", "<pre>", "</pre>", "<figure>", "</figure>",
     "<script>", "</script>", "<![CDATA[", "]]>", "<!--", "-->", "&amp;", "&#0;", "&bogus;", "<?xml?>", "<body.content>",
     "text ", "\x00", "\x0b", "\ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16")]
), max_size=40))  # fmt: skip
def test_tag_soup(parts):
    check(orjson.dumps({"type": "text", "uri": "u", "headline": "h", "body_html": "".join(parts)}))


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "data",
    [
        b"(" * 190_000,
        b"a\n" * 90_000,
        b"- " * 90_000 + b"x",
        b"  a   b\n" * 20_000,
        b"[" * 500 + b"x" * 190_000,
        orjson.dumps({"type": "text", "uri": "u", "headline": "h", "body_html": "<b>" * 1_000_000}),
        orjson.dumps({"type": "text", "uri": "u", "headline": "h", "body_html": "<br>" * 500_000}),
        orjson.dumps({"uri": "u", "provider": "p", "headline": "<" * 90_000, "slugline": ", " * 40_000}),
        b"---\nkeywords: " + b"[" * 30_000 + b"\n---\nText.",
        b"---\nkeywords: &a [x, x]\n" + b"".join(b"k%d: &b%d [*a, *a]\n" % (i, i) for i in range(500)) + b"---\nText.",
        b"{" * 1_000_000,
        b'{"a":' * 300_000,
    ],
    ids=range(12),
)
def test_hostile_sizes_end_in_time(data):
    assert wire.parse(data, source="x")


def test_a_paragraph_of_a_hundred_thousand_lines_takes_a_moment():
    data = b"nnnnn\ns." * 95_000 + b"\n"
    began = time.process_time()
    assert wire.parse(data, source="x").rejected
    assert time.process_time() - began < 2


@pytest.mark.parametrize(
    "data",
    [
        b"word\n\n" * 2_501,
        orjson.dumps({"uri": "u", "provider": "p", "body": ["a"] * 2_501}),
        orjson.dumps({"type": "text", "uri": "u", "headline": "h", "body_html": "<p>a" * 200_000}),
        orjson.dumps({"uri": "u", "provider": "p", "headline": "h", "keywords": ["a"] * 2_501}),
        orjson.dumps({"uri": "u", "provider": "p", "headline": "h", "parse_notes": ["a"] * 2_501}),
    ],
    ids=["plain", "article_json", "ninjs", "keywords", "notes"],
)
def test_thousands_of_one_word_paragraphs_are_too_large_for_an_event(data):
    assert [error.reason for error in wire.parse(data, source="x").rejected] == ["too_large"]


def test_a_document_of_1500_paragraphs_is_read_and_the_limit_can_be_set():
    data = b"word\n\n" * 1_500
    assert len(wire.parse(data, source="x").articles[0].body) == 1_500
    assert wire.parse(data, source="x", limits=Limits(paragraphs=1_499)).rejected
