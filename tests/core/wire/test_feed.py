"""RSS and Atom in their dialects: where the copy stands, where links lead, and what was escaped how often."""

from __future__ import annotations

import time

import pytest

from services.core import wire

RSS = """<?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"
 xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:media="http://search.yahoo.com/mrss/" xmlns:yandex="http://news.yandex.ru">
<channel><title>Gazette</title><link>https://gazette.example/</link><language>en</language>{}</channel></rss>"""
ATOM = """<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom" xml:lang="nb" {}><title>Avisen</title>
<id>tag:avis.example,2026:feed</id><link rel="self" href="https://avis.example/atom"/><link href="/"/>
<updated>2026-03-11T09:00:00Z</updated>{}</feed>"""


def entries(text: str, source: str = "feed.xml"):
    parsed = wire.parse(text.encode(), source=source)
    assert not parsed.rejected
    return parsed.articles


def entry(text: str, source: str = "feed.xml"):
    (article,) = entries(text, source)
    return article


def copy(article) -> list[str]:
    return [p.text for p in article.body]


def test_the_fullest_text_is_taken_and_captions_credits_and_sharing_are_none():
    article = entry(
        RSS.format("""<item><title>Ferry burns</title><guid>g1</guid><link>https://gazette.example/1</link>
<media:content url="a.jpg"><media:credit>A. Foto</media:credit><media:description>A ferry</media:description></media:content>
<description>It burns.</description><content:encoded><![CDATA[<figure><img src="a.jpg"><figcaption>A ferry</figcaption></figure>
<p>A ferry is burning.</p><p class="wp-caption-text">The ferry on Monday</p><p>Twelve were hurt.</p>
<div class="sharedaddy"><h3>Share this:</h3><ul><li>Print</li></ul></div>]]></content:encoded></item>""")
    )
    assert copy(article) == ["A ferry is burning.", "Twelve were hurt."]


def test_the_whole_text_stands_in_another_module_of_some_agencies():
    article = entry(
        RSS.format("""<item><title>Паром горит</title><guid>g1</guid><description>Горит.</description>
<yandex:full-text>Паром горит у Тармута.</yandex:full-text></item>""")
    )
    assert copy(article) == ["Паром горит у Тармута."]


@pytest.mark.parametrize(
    ("base", "href", "url"),
    [
        ("", "https://avis.example/1", "https://avis.example/1"),
        ('xml:base="https://avis.example/news/"', "ferge", "https://avis.example/news/ferge"),
        ('xml:base="https://avis.example/news/"', "/ferge?a=1", "https://avis.example/ferge?a=1"),
        ('xml:base="https://avis.example/news/"', "//cdn.example/ferge", "https://cdn.example/ferge"),
        ("", "ferge", "https://wires.example/feeds/ferge"),
        ('xml:base="http://[bad"', "ferge", "https://wires.example/feeds/ferge"),
        ("", "javascript:alert(1)", None),
        ("", "http://[", "http://["),
    ],
)
def test_a_link_leads_from_where_the_feed_says_or_from_where_it_came(base, href, url):
    text = ATOM.format(
        base,
        f'<entry><id>1</id><title>Ferge</title><link href="{href}"/><updated>2026-03-11T09:00:00Z</updated></entry>',
    )
    assert entry(text, source="https://wires.example/feeds/atom.xml").url == url


def test_a_relative_link_of_a_file_leads_nowhere():
    text = ATOM.format("", '<entry><id>1</id><title>Ferge</title><link href="ferge"/></entry>')
    assert entry(text).url is None


def test_the_base_of_an_entry_starts_at_that_of_its_feed():
    text = ATOM.format(
        'xml:base="https://avis.example/a/"', '<entry xml:base="b/"><id>1</id><title>F</title><link href="c"/></entry>'
    )
    assert entry(text).url == "https://avis.example/a/b/c"


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("<title>Ferry &amp;#8216;burns&amp;#8217;</title>", "Ferry ‘burns’"),
        ('<title type="html">A &lt;b&gt;ferry&lt;/b&gt; burns</title>', "A ferry burns"),
        ('<title type="html">A &amp;lt;b&amp;gt;ferry&amp;lt;/b&amp;gt; burns</title>', "A ferry burns"),
        ('<title type="text">1 &lt; 2, says AT&amp;T</title>', "1 < 2, says AT&T"),
        ('<title type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">A <i>ferry</i> burns</div></title>', "A ferry burns"),
        ("<title><![CDATA[A <em>ferry</em> burns]]></title>", "A ferry burns"),
    ],
)  # fmt: skip
def test_a_title_is_text_however_often_it_was_escaped(title, shown):
    assert entry(ATOM.format("", f"<entry><id>1</id>{title}</entry>")).headline == shown


def test_copy_in_xhtml_and_escaped_and_typed():
    bodies = (
        '<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>One <b>burns</b>.</p><p>Two.</p></div></content>',
        '<content type="html">&lt;p&gt;One burns.&lt;/p&gt;&lt;p&gt;Two.&lt;/p&gt;</content>',
        "<content>One burns.\n\nTwo.</content>",
        "<summary><![CDATA[One burns.<br><br>Two.]]></summary>",
    )
    for body in bodies:
        assert copy(entry(ATOM.format("", f"<entry><id>1</id><title>x</title>{body}</entry>"))) == [
            "One burns.",
            "Two.",
        ]


def test_rss_1_0_in_latin_1_with_the_channel_beside_its_items():
    text = """<?xml version="1.0" encoding="iso-8859-1"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
 xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="https://blatt.example/rss"><title>Blatt</title>
<link>https://blatt.example/</link><dc:language>de</dc:language></channel><item rdf:about="https://blatt.example/1"><title>Fähre brennt</title>
<link>https://blatt.example/1</link><description>Eine Fähre brennt.</description><dc:date>2026-03-11T07:02:00+01:00</dc:date>
<dc:language>de-AT</dc:language></item></rdf:RDF>"""
    (article,) = wire.parse(text.encode("latin-1"), source="x").articles
    assert (article.uri, article.headline, article.provider) == (
        "https://blatt.example/1",
        "Fähre brennt",
        "blatt.example",
    )
    assert (article.language, article.version_created) == ("de-AT", "2026-03-11T07:02:00+01:00")


def test_an_entry_without_a_link_is_of_the_site_that_its_feed_comes_from():
    text = ATOM.format('xml:base="https://www.avis.example/n/"', "<entry><id>1</id><title>Ferge</title></entry>")
    assert entry(text).provider == "avis.example"


def test_no_line_of_an_article_has_blanks_around_it_not_even_of_other_kinds():
    """The provider of a page was its host with a line separator behind it, and read otherwise from its own JSON."""
    page = '<html><head><link rel="canonical" href="https://avis.example\u2028/1"></head><body><p>It burns.</p></body></html>'
    (article,) = wire.parse(page.encode(), source="x").articles
    assert article.provider == "avis.example"


def test_a_prefix_that_nobody_declared_costs_no_entry():
    text = (
        "<rss><channel><item><title>Ferry</title><guid>1</guid><dc:creator>Oda Renk</dc:creator>"
        "<content:encoded><![CDATA[<p>It burns.</p>]]></content:encoded><x:y z:a='1'/></item></channel></rss>"
    )
    (article,) = entries(text)
    assert (article.byline, copy(article)) == ("Oda Renk", ["It burns."])
    assert any("declaration" in note for note in article.parse_notes)


def test_bare_ampersands_are_themselves_in_text_in_links_and_in_cdata():
    text = (
        "<rss><channel><item><title>Renk & Kort &bogus; burn &amp; sink</title><link>https://x.example/?a=1&b=2</link>"
        "<description><![CDATA[A & B &amp; C: it&#8217;s 1 &lt; 2]]></description></item><item><title>Rain</title><guid>2</guid></item></channel></rss>"
    )
    first, second = entries(text)
    assert first.headline == "Renk & Kort &bogus; burn & sink"
    assert first.url == "https://x.example/?a=1&b=2"
    assert copy(first) == ["A & B & C: it’s 1 < 2"]
    assert second.headline == "Rain"


def test_hostile_prefixes_and_ampersands_end_in_time():
    began = time.process_time()
    for text in (
        "<rss>" + "".join(f"<p{n}:a>" for n in range(90_000)),
        "<rss>" + "&" * 900_000,
        "<rss>" + "<![CDATA[" * 90_000,
        ("<" + "a" * 80 + "b" * 9_999) * 90,
        "<rss>" + " a:b" * 200_000,
    ):
        assert wire.parse(text.encode(), source="x", format="feed").rejected
    assert time.process_time() - began < 6


def test_pictures_of_a_wordpress_export_are_no_copy():
    text = RSS.format("""<item><title>Ferry</title><guid>1</guid><content:encoded><![CDATA[It burns.

[caption id="a_1" width="300"]<a href="x"><img src="a.jpg"></a> The ferry on Monday[/caption]

Twelve were <b>hurt</b>.[gallery ids="1,2"]]]></content:encoded></item>""")
    assert copy(entry(text)) == ["It burns.", "Twelve were hurt."]


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        ("Wed, 11 Mar 2026 07:02:00 +0100", "2026-03-11T07:02:00+01:00"),
        ("Donnerstag, 11 Juni 2026 07:02:00 +0200", "2026-06-11T07:02:00+02:00"),
        ("sam., 11 juil. 2026 07:02:00 +0200", "2026-07-11T07:02:00+02:00"),
        ("11 juillet 2026 07:02:00 +0200", "2026-07-11T07:02:00+02:00"),
        ("jeu, 11 juin 2026 07:02:00 +0200", "2026-06-11T07:02:00+02:00"),
        ("viernes, 11 septiembre 2026 07:02:00 +0200", "2026-09-11T07:02:00+02:00"),
        ("Ср, 11 мар 2026 07:02:00 +0300", "2026-03-11T07:02:00+03:00"),
        ("11 desember 2026 07:02:00 +0100", "2026-12-11T07:02:00+01:00"),
        ("11 Foo 2026 07:02:00 +0100", None),
    ],
)
def test_months_in_the_languages_of_the_wires(sent, read):
    assert (
        entry(RSS.format(f"<item><title>x</title><guid>1</guid><pubDate>{sent}</pubDate></item>")).version_created
        == read
    )
