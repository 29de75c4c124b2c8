"""XML that was made to hurt, and XML that was hurt on its way: named, quickly, and never at the cost of its neighbours."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.core import wire
from services.core.wire.limits import Limits
from tests.core.wire.helpers import one, reasons
from tests.core.wire.test_golden_pairs import RAW
from tests.core.wire.test_hostile_bytes import check

XML = [path.read_bytes() for path in RAW if path.suffix == ".xml"]
ITEM = b"<newsItem guid='%s'><itemMeta/><contentMeta><headline>%s</headline></contentMeta></newsItem>"
IN_BODY = (
    b"<nitf><body><body.head><hedline><hl1>h</hl1></hedline></body.head><body.content>%s</body.content></body></nitf>"
)


def message(*items: bytes) -> bytes:
    return b"<newsMessage><itemSet>%s</itemSet></newsMessage>" % b"".join(items)


@pytest.mark.parametrize(
    "subset",
    [
        b'<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">',
        b'<!ENTITY b SYSTEM "file:///etc/passwd">',
        b'<!ENTITY % x SYSTEM "http://127.0.0.1:9/x.dtd"> %x;',
    ],
    ids=["bomb", "file", "network"],
)
def test_entities_are_refused_by_name(subset):
    data = b"<!DOCTYPE nitf [" + subset + b"]>" + IN_BODY % b"<p>&b;</p>"
    assert [reason for reason, _ in reasons(data)] == ["entities"]


def test_a_dtd_is_not_fetched_and_does_no_harm():
    assert one(b'<!DOCTYPE nitf SYSTEM "http://127.0.0.1:9/nitf.dtd">' + IN_BODY % b"<p>x</p>").headline == "h"


def test_characters_that_only_a_dtd_explains_are_read():
    assert one(IN_BODY % b"<p>caf&eacute;&nbsp;R&amp;D &lt;b&gt;</p>").body[0].text == "café\xa0R&D <b>"


@pytest.mark.timeout(30)
@pytest.mark.parametrize(
    "data, reason",
    [
        (IN_BODY % (b"<b>" * 10_000 + b"x" + b"</b>" * 10_000), "too_deep"),
        (b"<nitf>" + b"<b>" * 90_000, "too_deep"),
        (b"<nitf>" + b"<b/>" * 600_000 + b"</nitf>", "too_large"),
        (IN_BODY % (b"<p>" + b"word " * 400_000 + b"</p>"), "too_large"),
        (IN_BODY % (b"<p>w</p>" * 50_000), "too_large"),
        (b"<nitf>" + b" " * 11_000_000 + b"</nitf>", "too_large"),
        (message(b"<newsItem guid='u'/>" * 10_001), "too_large"),
        (b"<NewsML>" + b"<NewsItem/>" * 10_001 + b"</NewsML>", "too_large"),
        (b"<NewsML><NewsItem>" + b"<NewsComponent>" * 200 + b"<ContentItem/>" * 50_000, "broken_xml"),
        (IN_BODY.replace(b"<hl1>h</hl1>", b"") % b"" + b"<!--" * 90_000, "broken_xml"),
        (b"<newsItem guid='u'", "broken_xml"),
        (b"<nitf>\0</nitf>", "binary"),
    ],
    ids=range(12),
)
def test_what_is_too_much_or_broken_ends_by_name_and_in_time(data, reason):
    began = time.process_time()
    assert [found for found, _ in reasons(data)] == [reason]
    assert time.process_time() - began < 10  # 2 s on a machine that does nothing else


@pytest.mark.timeout(30)
@pytest.mark.parametrize(
    "data",
    [
        message(b"<newsItem guid='u' " + b" ".join(b"a%d='1'" % i for i in range(50_000)) + b"><itemMeta/></newsItem>"),
        b"<newsMessage>" + b"<a/>" * 50_000 + message(*[ITEM % (b"u", b"h")] * 2_000)[13:],
        b"<nitf><body><body.head><byline>" + b"<byttl>x</byttl>" * 50_000 + b"</byline></body.head></body></nitf>",
        b"<!---->" * 50_000 + IN_BODY % b"",
        b"<?x?>" * 50_000 + IN_BODY % b"",
        b"<!DOCTYPE x[" * 50_000,
        b"<nitf>" + b"&x" * 500_000 + b"</nitf>",
        b"<nitf>" + b"&nbsp;" * 300_000 + b"</nitf>",
        IN_BODY % (b"<br/><td> </td>" * 50_000),
        b"<NewsML><NewsItem><NewsComponent>"
        + b"<NewsComponent>" * 200
        + b"<ContentItem/>" * 9_000
        + b"</NewsComponent>" * 201
        + b"</NewsItem></NewsML>",
    ],
    ids=range(10),
)
def test_what_could_be_searched_again_and_again_is_not(data):
    began = time.process_time()
    assert wire.parse(data, source="x")
    assert time.process_time() - began < 5


def test_a_file_of_nothing_but_broken_items_is_given_up():
    found = reasons(message(*[ITEM % (b"u", b"</x>")] * 2_000))
    assert len(found) == 1_001
    assert found[-1][0] == "unreadable"


@pytest.mark.parametrize("charset", ["iso-8859-15", "utf-8", "windows-1252"])
def test_the_charset_that_is_declared_is_believed(charset):
    data = f"<?xml version='1.0' encoding='{charset}'?>" + (IN_BODY % b"<p>caf\xc3\xa9</p>").decode()
    assert one(data.encode(charset)).body[0].text == "café"


@pytest.mark.parametrize("declaration", [b"", b"<?xml version='1.0' encoding='UTF-8'?>"])
def test_text_that_is_not_what_it_says_is_read_as_cp1252_with_a_note(declaration):
    article = one(declaration + IN_BODY % b"<p>caf\xe9 \x96 bar</p>")
    assert article.body[0].text == "café – bar"
    assert article.parse_notes[0] == "not UTF-8: read as cp1252"


def test_control_characters_do_not_cost_the_item():
    article = one(IN_BODY % b"<p>It\x0bburns&#x1f;here.</p>")
    assert article.body[0].text == "It burns here."
    assert "control characters dropped" in article.parse_notes


@st.composite
def hurt(draw) -> bytes:
    """An invented file, truncated, with bytes changed, tags swapped, dropped or doubled."""
    data = draw(st.sampled_from(XML))
    tags = [m.span() for m in re.finditer(rb"<[^<>]*>", data)]
    for _ in range(draw(st.integers(1, 3))):
        at, end = draw(st.sampled_from(tags))
        other, stop = draw(st.sampled_from(tags))
        at, end = min(at, len(data)), min(end, len(data))
        what = draw(st.sampled_from(["cut", "swap", "drop", "double", "flip", "text"]))
        if what == "cut":
            data = data[:at]
        elif what == "swap":
            data = data[:at] + data[other:stop] + data[end:]
        elif what == "drop":
            data = data[:at] + data[end:]
        elif what == "double":
            data = data[:end] + data[at:]
        elif what == "flip":
            data = data[:at] + bytes(byte ^ draw(st.integers(0, 255)) for byte in data[at:end][:4]) + data[at + 4 :]
        else:
            data = (
                data[:end]
                + draw(st.sampled_from([b"&", b"\x00", b"\xff", b"]]>", b"<![CDATA[", b"&#8;", b"<!--"]))
                + data[end:]
            )
    return data or b"<nitf/>"


@settings(max_examples=120, deadline=None)
@given(hurt(), st.sampled_from(["auto", "newsml_g2", "newsml_12", "nitf"]))
def test_files_hurt_on_their_way(data, name):
    check(data, format=name)


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=60), st.sampled_from(["newsItem", "itemMeta", "x"]))
def test_neighbours_of_whatever_stands_between_them_are_the_same(rubbish, name):
    between = b"<newsItem guid='r'><%s>%s</newsItem>" % (name.encode(), rubbish.replace(b"newsItem", b""))
    whole = wire.parse(message(ITEM % (b"a", b"one"), ITEM % (b"b", b"two")), source="x")
    parsed = wire.parse(message(ITEM % (b"a", b"one"), between, ITEM % (b"b", b"two")), source="x")
    kept = [(a.uri, a.headline, a.body) for a in parsed.articles if a.uri != "r"]
    if b"<!--" in rubbish or b"<![" in rubbish or b"<?" in rubbish or b"<newsItem" in rubbish:
        return  # what a comment swallows is not there
    assert kept == [(a.uri, a.headline, a.body) for a in whole.articles]


def test_limits_can_be_set():
    assert [e.reason for e in wire.parse(IN_BODY % b"", source="x", limits=Limits(item=50)).rejected] == ["too_large"]
