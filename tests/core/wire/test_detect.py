from __future__ import annotations

import orjson
import pytest

from services.core import wire
from tests.core.wire.helpers import SHARED, reasons

READ = {
    "plain": b"LONDON - It burns.",
    "article_json": orjson.dumps({"provider": "p", "uri": "u", "headline": "h"}),
    "ninjs": orjson.dumps({"type": "text", "guid": "u", "headline": "h"}),
    "dpa": b'{"format": "digitalwires@0.9.1", "urn": "u", "headline": "h"}',
    "ap_media": b'{"api_version": "1.1", "data": {"item": {"uri": "u", "headline": "h", "altids": {"itemid": "i"}}}}',
    "anpa": b"\x16\x16\x01V4644\x1fabcd-\r\nr e\x13\x11 BC-Fire 11-13 0010\r\n\x02^BC-Fire,10<\r\n\tIt burns.\r\n\x03",
    "iptc7901": b"\x01eca0001 4 rs 46 xyz 0027\r\n\r\nFire/\r\n\x02It burns =\r\n\r\nIt burns here.\r\n\x03",
    "agency_text": b"\n zczc abc\n:LAKE\nIt rises.\nNNNN",
    "feed": b"<!-- note -->\r\n<rss><channel><item><guid>g</guid><title>h</title></item></channel></rss>",
    "html_page": b"\xef\xbb\xbf<!-- a page --><!DOCTYPE HTML><HTML><H1>h</H1></HTML>",
    "mail": b" \r\nDelivered-To: a@example.org\r\nReceived: by x\r\nSubject: h\r\n\r\nHi",
    "newsml_g2": b"<!-- x --><n:newsItem xmlns:n='u' guid='u'><n:itemMeta/><n:contentMeta><n:headline>h</n:headline>"
    b"</n:contentMeta></n:newsItem>",
    "newsml_12": b"<NewsML><NewsItem><NewsComponent><NewsLines><HeadLine>h</HeadLine></NewsLines></NewsComponent></NewsItem>"
    b"</NewsML>",
    "nitf": b"\xef\xbb\xbf<?xml version='1.0'?>\n<!DOCTYPE nitf SYSTEM 'nitf.dtd' [<!ELEMENT p ANY>]>\n<nitf><body><body.head>"
    b"<hedline><hl1>h</hl1></hedline></body.head></body></nitf>",
}
UNREAD = {
    "xml": [
        b'<?xml version="1.0"?><contentMeta/>',
        b"<!-- <nitf> --><Publish><a/></Publish>",
    ],
    "json": [b'{"api_version": "1.1", "data": {"products": []}}', b'{"foo": 1}'],
}


@pytest.mark.parametrize("name", READ)
def test_what_is_read_is_known_by_its_content(name):
    assert name in wire.FORMATS
    assert wire.detect(READ[name]) == name
    assert len(wire.parse(READ[name], source="misleading.xml").articles) == 1


@pytest.mark.parametrize(
    "item, name",
    [
        ({"provider": "p", "uri": "u", "body": ["x"], "type": "text", "guid": "g"}, "article_json"),
        ({"provider": "p", "guid": "u", "headline": "h", "body_html": "<p>x</p>"}, "ninjs"),
        ({"provider": "p", "uri": "u", "headline": "h", "type": "text"}, "article_json"),
        ({"uri": "u", "headline": "h", "type": "text"}, "ninjs"),
        ({"uri": "u", "headline": "h"}, "article_json"),
        ({"command": "merge"}, "article_json"),
        ({}, "article_json"),
    ],
)
def test_article_json_and_ninjs_are_told_apart_whatever_keys_they_share(item, name):
    assert wire.detect(orjson.dumps(item)) == name


@pytest.mark.parametrize("name, data", [(name, data) for name, many in UNREAD.items() for data in many])
def test_what_is_not_read_yet_is_never_misread_as_plain_text(name, data):
    assert wire.detect(data) == name
    assert [reason for reason, _ in reasons(data)] == ["unknown_format"]


@pytest.mark.parametrize(
    "text",
    [
        b"<MSFT.X> shares fell.\n\nThey rose.",
        b"[Updated] It burns.",
        b"{Embargoed} It burns.",
        b"From: here on it burns.\n\nText",
        b"Subject to change, it burns.",
        b"eca is a word",
        b"a < b and c > d",
    ],
)
def test_text_that_only_begins_like_another_format_is_text(text):
    assert wire.detect(text) == "plain"
    assert len(wire.parse(text, source="x").articles) == 1


@pytest.mark.parametrize(
    "data",
    [
        b"null",
        b"42",
        b"-1.5e3\n",
        b"\xef\xbb\xbftrue",
        b'"x"',
        b' "" ',
        b'"One line.\\nAnother line."',
        b'"{\\"uri\\": \\"u\\"}"',
    ],
)
def test_a_bare_json_value_is_no_article(data):
    assert reasons(data) == [("not_an_object", "$")]
    assert reasons(data, format="json") == [("not_an_object", "$")]


@pytest.mark.parametrize(
    "text",
    ['"It burns," he said.', '"It burns, he said."', '"火事です。"', "42 dead.", "null and void", "true\n\nfalse"],
)
def test_a_quoted_sentence_is_text(text):
    assert len(wire.parse(text.encode(), source="x").articles) == 1


def test_a_number_that_a_sidecar_speaks_for_is_text():
    assert wire.parse(b"42", source="x", sidecar=b"headline: The answer").articles[0].body[0].text == "42"


def test_a_format_that_is_asked_for_is_obeyed():
    assert wire.parse(b'{"a": 1}', source="x", format="plain").articles[0].body[0].text == '{"a": 1}'
    assert reasons(b"Just text.", format="ninjs") == [("broken_json", "line 1 column 1")]
    assert reasons(b"Just text.", format="telex") == [("unknown_format", None)]


def test_a_text_of_50_mb_is_rejected_without_work():
    assert reasons(b"words and words " * 3_200_000) == [("too_large", None)]


def test_every_real_sample_is_read_skipped_or_rejected_with_a_reason():
    folder = SHARED / "data" / "wire"
    if not folder.is_dir():
        pytest.skip(f"the shared wire samples are absent: {folder}")
    for path in sorted(folder.iterdir()):
        if path.suffix in (".md", ".jsonl"):
            continue
        data = path.read_bytes()
        parsed = wire.parse(data, source=path.name)
        assert parsed.articles or parsed.rejected or parsed.skipped, path.name
