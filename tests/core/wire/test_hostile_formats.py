"""Frames, feeds, pages and mail built to cost time, memory or a crash: each ends by name, soon, and alone."""

from __future__ import annotations

import time

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.core import wire
from services.core.wire.limits import Limits
from tests.core.wire.helpers import one, reasons

ANPA = b"\x16\x16\x01W0412\x1fexamp\r\nr i\x13\x11 BC-Fire   03-11 0311\r\n\x02"
IPTC = b"\x01eca101 3 i 120 abc   dpa 077\r\n\r\nNorland/\r\n\x02"
MAIL = b"From: a@example.org\nSubject: x\n"
PAGE = b"<!DOCTYPE html><html><body>"
FEED = b"<rss><channel>"
LD = b'<script type="application/ld+json">'
NESTED = b"".join(b'Content-Type: multipart/mixed; boundary="b%d"\n\n--b%d\n' % (i, i) for i in range(300))

COSTLY = {
    "anpa fields": ANPA + b"^a<" * 200_000,
    "anpa rows": ANPA + b"a;b;c\n" * 100_000,
    "anpa starts": b"\x16\x01" * 500_000,
    "anpa blanks": ANPA + b" " * 600_000 + b"x",
    "7901 blanks": IPTC + b" " * 600_000 + b"x",
    "7901 marks": IPTC + b"2ND LEAD\n" * 10_000,
    "7901 starts": b"\x01" * 9_000_000,
    "7901 notebooks": IPTC + b"a =\n" + b"# Notebook\n## Note to editors\n- a\n" * 4_000,
    "zczc starts": b"ZCZC\n" * 300_000,
    "zczc ends": b"ZCZC\n" + b" \n" * 7_000 + b"NNNN" * 20_000,
    "mail headers": b"From: a\nSubject: b\n" + b"A: b\n" * 1_000_000,
    "mail lines": MAIL + b"\n" * 5_000_000,
    "mail levels": MAIL + NESTED + b"x\n" * 100_000,
    "mail parts": MAIL + b'Content-Type: multipart/mixed; boundary="b"\n\n' + b"--b\n\na\n" * 70_000,
    "mail parameters": MAIL + b"Content-Type: text/plain; " + b"a=b; " * 500_000 + b"\n\nhi",
    "mail parameters, folded": MAIL + b"Content-Type: text/plain;" + b"\n a*0*=b';" * 100_000 + b"\n\nhi",
    "mail subject": b"From: a\nSubject: " + b"=?utf-8?q?a?=" * 200_000 + b"\n\nhi",
    "mail html": MAIL + b"Content-Type: text/html\n\n" + b"<div>" * 400_000,
    "page depth": PAGE + b"<div>" * 20_000,
    "page nests": PAGE + (b"<div>" * 95 + b"a" + b"</div>" * 95) * 80,
    "page paragraphs": PAGE + b"<p>a" * 90_000,
    "page rows": PAGE + b"<table>" + b"<tr><td>a<td>b" * 2_600,
    "page text": PAGE + b"<p>" + b"word " * 380_000,
    "page attributes": PAGE + b"<p " + b"a=b " * 400_000 + b">x",
    "page json": PAGE + LD + b"[" * 1_000_000 + b"</script>",
    "page objects": PAGE + LD + b"[" + b"{}," * 600_000 + b"{}]</script>",
    "page comments": PAGE + b"<!--" * 100_000,
    "feed depth": FEED + b"<item>" * 100_000,
    "feed items": FEED + b"<item><guid>a</guid><title>b</title></item>" * 3_000 + b"</channel></rss>",
    "feed escaped": FEED + b"<item><guid>a</guid><description>" + b"&lt;p&gt;a" * 190_000 + b"</description></item></channel></rss>",
    "feed author": FEED + b"<item><guid>a</guid><title>h</title><author>" + b"a@a (" * 20_000 + b"</author></item></channel></rss>",
    "dpa notes": orjson.dumps({"format": "digitalwires", "urn": "u", "headline": "h", "ednotes": [{"ednote": "a"}] * 200_000}),
    "ap items": orjson.dumps({"api_version": 1, "data": {"items": [{"item": {}}] * 200_000}}),
    "twice": ("Ã¼" * 90_000 + "é").encode(),
}  # fmt: skip


@pytest.mark.timeout(30)
@pytest.mark.parametrize("data", COSTLY.values(), ids=COSTLY)
def test_what_is_built_to_cost_time_ends_in_time(data):
    begun = time.process_time()
    parsed = wire.parse(data, source="x")
    assert time.process_time() - begun < 4, "two seconds on a machine that does nothing else, and it has neighbours"
    assert parsed.articles or parsed.rejected


@pytest.mark.parametrize("line", [b"a", b" ", b"\n", b"<", b"\xff"])
@pytest.mark.parametrize("name", ["anpa", "iptc7901", "agency_text", "mail", "html_page", "feed", "dpa", "ap_media"])
def test_a_line_of_megabytes_is_rejected_in_every_format(name, line):
    parsed = wire.parse(line * 3_000_000 + b"x", source="x", format=name)
    assert parsed.rejected or (name == "mail" and parsed.articles)


def test_entities_in_a_feed_are_refused():
    bomb = b"<!DOCTYPE r [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;'>]><rss><channel><item><title>&b;</title></item></channel></rss>"
    assert [reason for reason, _ in reasons(bomb)] == ["entities"]


def test_a_mail_in_a_charset_that_is_a_codec_for_something_else_is_text():
    for charset in (b"unicode_escape", b"zlib", b"idna", b"rot13", b"undefined", b"\xff"):
        assert one(MAIL + b"Content-Type: text/plain; charset=" + charset + b"\n\nIt burns \\U00110000.").body


# --- broken copies ---------------------------------------------------------------------------------------------------

WORDS = {
    "anpa": [ANPA, b"^", b"<", b"=\n", b"^Eds: Adds.<", b"^By A=", b"\t", b"\x03", b"AP-WF-03-11-26 0912GMT", b"``", b"''", b";", b"\x1f", b"\x16\x16\x01", b"W1\n"],
    "iptc7901": [IPTC, b"\x02", b"=\n", b"2ND LEAD\n", b"3RD NET\n", b"(Achtung)\n", b"By A\n", b"# Notebook\n", b"## Note to editors\n", b"- a\n", b"\x03", b"110912 GMT Mar 26", b"319999 GMT Mar 26", b"\x01", b"/\n"],
    "agency_text": [b"ZCZC\n", b"zczc 1\n", b"NNNN\n", b"#a\n", b":b\n", b"^c\n", b"=d\n", b"*X\n", b"AN# 1\n", b"PD# 20261399\n", b"TX# t\n", b"\x19", b"MEDIA RELEASE PR12345\n", b"SOURCE: x\n"],
    "mail": [MAIL, b"Date: Wed, 99 Mar 2026 07:59:30 +9999\n", b"Subject: =?utf-8?b?w?= =?x?q?=\n", b"Subject: =?iso-2022-jp?b?////?=\n", b"\n", b"Content-Type: multipart/mixed; boundary=b\n", b"--b\n", b"--b--\n", b"Content-Type: text/html; charset=utf-16\n", b"Content-Transfer-Encoding: base64\n", b"Content-Disposition: attachment; filename*=x''%ff\n", b"Headline: h\n", b"By A\n", b"-- \n", b"{", b'"Headline": ["x"]', b"}", b"Message-ID: <>\n", b"From: =?\n"],
    "html_page": [PAGE, LD, b'{"@type": "NewsArticle", "headline": ["h"]}', b'{"@type": ["LiveBlogPosting"], "liveBlogUpdate": {"articleBody": 1}}', b"</script>", b"<p>", b"</p>", b"<article>", b"</article>", b"<table>", b"<tr>", b"<td>", b'<link rel=canonical href="http://[">', b'<meta property="og:url" content="https://x">', b"<meta charset=utf-7>", b"<meta charset=\xff>", b"<h1>h</h1>", b"<!--", b"-->", b"A sentence that is long enough to be kept as copy, with a stop. "],
    "feed": [FEED, b"<item>", b"</item>", b"<guid>a</guid>", b"<title>", b"</title>", b"<link>http://[</link>", b"<link href='http://x' rel='alternate'/>", b"<pubDate>Qua, 11 Mar 2026 09:00:00 -0300</pubDate>", b"<description>", b"&lt;p&gt;", b"</description>", b"<author>", b"</author>", b"<name>n</name>", b"<category/>", b"<![CDATA[", b"]]>", b"</channel>", b"</rss>", b"&nbsp;", b"<feed xmlns='http://www.w3.org/2005/Atom'>", b"<entry>", b"</entry>"],
}  # fmt: skip
SMALL = Limits(text=2_000, item=50_000, markup=20_000, items=50)


@settings(max_examples=250, deadline=None)
@given(st.sampled_from(sorted(WORDS)).flatmap(
    lambda name: st.tuples(st.just(name), st.lists(st.sampled_from(WORDS[name]) | st.binary(max_size=4), max_size=25))
))  # fmt: skip
def test_words_of_a_format_in_any_order(case):
    name, parts = case
    data = b"".join(parts)
    for form in (name, "auto"):
        parsed = wire.parse(data, source="x", format=form, limits=SMALL)
        assert parsed.articles or parsed.rejected or parsed.skipped
        for article in parsed.articles:
            assert article.uri  # type: ignore[union-attr]
            assert orjson.dumps([p.text for p in article.body])  # type: ignore[union-attr]  # no lone surrogate


@settings(max_examples=60, deadline=None)
@given(st.recursive(
    st.none() | st.booleans() | st.integers(-9, 99) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.sampled_from(["@type", "@graph", "headline", "author", "name", "articleBody", "keywords", "datePublished", "liveBlogUpdate", "publisher", "correction", "mainEntityOfPage", "url", "@id", "inLanguage", "license"]), inner, max_size=5),
    max_leaves=12,
), st.sampled_from(["NewsArticle", "LiveBlogPosting"]))  # fmt: skip
def test_json_ld_of_any_shape_is_read_or_left(value, kind):
    news = {"headline": "h", **(value if isinstance(value, dict) else {}), "@type": kind}
    page = PAGE + LD + orjson.dumps(news).replace(b"</", b"<\\/") + b"</script><h1>It burns</h1>"
    assert wire.parse(page, source="x", limits=SMALL).articles


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(
    st.sampled_from(["urn", "version", "headline", "byline", "article_html", "associations", "ednotes", "categories", "signal", "urgency", "embargoed", "pubstatus", "altids", "type", "bylines", "datelinelocation", "usageterms", "nitf", "ednote"]),
    st.recursive(st.none() | st.integers(-9, 99) | st.text(max_size=9), lambda v: st.lists(v, max_size=3) | st.dictionaries(st.sampled_from(["role", "ednote", "type", "name", "itemid", "by", "city"]), v, max_size=3), max_leaves=6),
), st.booleans())  # fmt: skip
def test_json_of_agencies_with_the_right_names_and_the_wrong_values(item, ours):
    shaped = (
        {"format": "digitalwires@1", **item}
        if ours
        else {"api_version": "1", "data": {"item": {"altids": {"itemid": "i"}, **item}}}
    )
    parsed = wire.parse(orjson.dumps(shaped), source="x", limits=SMALL)
    assert parsed.articles or parsed.rejected or parsed.skipped
