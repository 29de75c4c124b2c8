from __future__ import annotations

import pytest

from services.core import wire
from tests.core.wire.helpers import one, reasons


def item(
    meta: str = "", content: str = "<headline>Ferry burns</headline>", body: str = "", attributes: str = ""
) -> str:
    return (
        f'<newsItem xmlns="http://iptc.org/std/nar/2006-10-01/" guid="urn:ferry" {attributes}>'
        f'<itemMeta><itemClass qcode="ninat:text"/>{meta}</itemMeta><contentMeta>{content}</contentMeta>'
        f"<contentSet>{body}</contentSet></newsItem>"
    )


def message(*items: str) -> bytes:
    return (
        '<?xml version="1.0"?><newsMessage xmlns="http://iptc.org/std/nar/2006-10-01/"><header><sender>pier.example</sender>'
        f"<priority>2</priority></header><itemSet>{''.join(items)}</itemSet></newsMessage>"
    ).encode()


def xhtml(body: str) -> str:
    return f'<inlineXML><html xmlns="http://www.w3.org/1999/xhtml"><body>{body}</body></html></inlineXML>'


def texts(data: str) -> list[str]:
    return [p.text for p in one(data.encode()).body]


def test_what_the_wire_does_not_say_is_null():
    article = one(item().encode())
    said = {"provider", "uri", "item_kind", "headline"}
    empty = {name for name in article.__struct_fields__ if getattr(article, name) in (None, ())}
    assert set(article.__struct_fields__) - empty == said


def test_the_default_of_the_standard_is_no_word_of_the_sender():
    assert one(item().encode()).pub_status is None


def test_guid_and_version_are_two_things():
    article = one(item(attributes='version="1542761538"').encode())
    assert (article.uri, article.version) == ("urn:ferry", "1542761538")


@pytest.mark.parametrize(
    "sent, read",
    [
        ("2026-03-11T08:00:00+01:00", "2026-03-11T08:00:00+01:00"),
        ("2026-03-11T08:00:00.000Z", "2026-03-11T08:00:00.000Z"),
        ("\n 2026-03-11T08:00:00+0100 \n", "2026-03-11T08:00:00+01:00"),
        ("2026-03-11 08:00:00", "2026-03-11T08:00:00"),
        ("", None),
        ("soon", None),
    ],
)
def test_times_keep_the_offset_they_were_sent_with_and_get_none_they_lack(sent, read):
    article = one(item(f"<versionCreated>{sent}</versionCreated><embargoed>{sent}</embargoed>").encode())
    assert (article.version_created, article.embargoed) == (read, read)
    assert bool(article.parse_notes) == (sent == "soon")


def test_an_envelope_gives_its_priority_and_sender_to_each_item():
    parsed = wire.parse(message(item(), item('<provider qcode="nprov:gull"/>')), source="x")
    assert [(a.provider, a.priority) for a in parsed.articles] == [("pier.example", "2"), ("gull", "2")]


def test_one_malformed_item_in_an_envelope_is_rejected_alone():
    bad = item().replace(' guid="urn:ferry"', "")
    data = message(item("<edNote>First</edNote>"), bad, item(content="<headline>Third</headline>"))
    parsed = wire.parse(data, source="x")
    assert [(a.headline, a.ed_note) for a in parsed.articles] == [("Ferry burns", "First"), ("Third", None)]
    assert [error.reason for error in parsed.rejected] == ["missing_uri"]


@pytest.mark.parametrize(
    "break_it", [lambda s: s.replace("</headline>", ""), lambda s: s.replace("burns", "burns & <")]
)
def test_items_around_one_that_is_no_xml_are_read(break_it):
    broken = break_it(item().replace("urn:ferry", "urn:broken"))
    data = message(item(), "\n" + broken, item(content="<headline>Third</headline>"))
    parsed = wire.parse(data, source="x")
    assert [a.headline for a in parsed.articles] == ["Ferry burns", "Third"]
    assert [(error.reason, error.position) for error in parsed.rejected] == [("broken_xml", "line 2")]


def test_a_message_that_breaks_off_gives_the_items_that_arrived():
    data = message(item(), item(content="<headline>Cut off</headline>"))
    parsed = wire.parse(data[: data.index(b"Cut off")], source="x")
    assert [a.headline for a in parsed.articles] == ["Ferry burns"]
    assert [error.reason for error in parsed.rejected] == ["broken_xml"]


def test_teaser_slug_list_contacts_and_links_are_no_copy():
    body = xhtml(
        '<header><ul><li>Slug</li></ul><h1>Ferry</h1><p class="byline">By Tom Reed</p></header>'
        '<section class="main x"><p class="teaser">All about it</p><p>It burns.</p>'
        '<ul class="toc"><li>Contents</li></ul><div class="contacts">Call us</div></section>'
        '<section class="notepad"><p>Call the desk</p></section>'
    )
    assert texts(item(body=body)) == ["It burns."]


def test_notes_that_are_not_for_publication_go_nowhere():
    meta = (
        '<edNote role="x:notepad"><p xmlns="h">Phone 1</p></edNote><edNote role="x:contacts">Phone 2</edNote>'
        '<edNote pubconstraint="x:nonpublic">Phone 3</edNote><edNote>Corrects name</edNote><edNote/><edNote>Corrects name</edNote>'
    )
    article = one(item(meta).encode())
    assert article.ed_note == "Corrects name"
    assert "Phone" not in repr(article)


def test_a_smaller_headline_is_not_the_headline():
    lines = '<headline role="hld:subHeadline">Small</headline><headline/><headline>Big</headline>'
    assert one(item(content=lines).encode()).headline == "Big"


def test_a_timestamp_in_the_dateline_is_none():
    lines = (
        "<headline>h</headline><dateline>2026-03-11 08:00:00 GMT+00:00</dateline><dateline>Tarmouth (px) -</dateline>"
    )
    assert one(item(content=lines).encode()).dateline == "Tarmouth (px) -"


@pytest.mark.parametrize(
    "rendition, copied",
    [
        ("x:text", True),
        ("", True),
        ("x:headline", False),
        ("x:nonpublic", False),
        ("x:teaser", False),
        ("x:caption", False),
    ],
)
def test_of_several_renditions_only_the_copy_is_copied(rendition, copied):
    body = f'<inlineXML><html/></inlineXML><inlineData rendition="{rendition}">It burns here.</inlineData>'
    assert texts(item(body=body)) == (["It burns here."] if copied else [])


def test_html_hidden_in_plain_text_is_read_as_html():
    body = "<inlineData contenttype='text/plain'><![CDATA[<p>It&nbsp;burns.</p><p>R&amp;D too.</p>]]></inlineData>"
    assert texts(item(body=body)) == ["It\xa0burns.", "R&D too."]


def test_copy_in_an_xml_of_the_agencys_own():
    body = "<inlineXML><TTNITF><BODY><RUBRIK>Ferry</RUBRIK><INGRESS><P>It burns.</P></INGRESS><BRODTEXT><P>Still.</P></BRODTEXT></BODY></TTNITF></inlineXML>"
    assert texts(item(body=body)) == ["It burns.", "Still."]


def test_a_byline_that_stands_only_in_the_copy_is_found_and_stays():
    article = one(item(body=xhtml("<p>By Tom Reed and Ava Holm</p><p>By Monday it had burned out.</p>")).encode())
    assert article.byline == "By Tom Reed and Ava Holm"
    assert len(article.body) == 2
    assert one(item(body=xhtml("<p>By Monday it had burned out</p>")).encode()).byline is None


def test_links_to_itself_to_packages_and_to_more_reading_are_no_predecessors():
    meta = (
        '<link rel="irel:seeAlso" residref="a"/><link rel="irel:prevVersion" residref="urn:ferry"/><link residref="b"/>'
        '<link rel="irel:evolvedFrom" residref="c" contenttype="application/vnd.iptc.g2.packageitem+xml"/>'
    )
    article = one(item(meta).encode())
    assert (article.supersedes, article.evolved_from) == (None, None)
    article = one(
        item(meta + '<link rel="irel:derivedFrom" residref="d"/><link rel="irel:evolvedFrom" residref="e"/>').encode()
    )
    assert article.evolved_from == "e"


def test_a_kill_whose_headline_still_says_corrected_is_a_kill():
    meta = '<pubStatus qcode="stat:canceled"/><signal qcode="edStat:D"/>'
    article = one(item(meta, "<headline>CORRECTED-Ferry burns</headline>").encode())
    assert (article.update_kind, article.pub_status, article.body) == ("kill", "canceled", ())


def test_a_kill_of_a_picture_is_told_and_a_picture_is_not():
    picture = item('<pubStatus qcode="stat:{}"/>', body=xhtml("<p>Caption</p>")).replace("ninat:text", "ninat:picture")
    killed = one(picture.format("canceled").encode())
    assert (killed.item_kind, killed.update_kind, killed.body) == ("picture", "kill", ())
    (skipped,) = wire.parse(picture.format("usable").encode(), source="x").skipped
    assert (skipped.kind, skipped.uri) == ("picture", "urn:ferry")


def test_the_element_decides_before_the_class():
    package = item().replace("newsItem", "packageItem").encode()
    assert [s.kind for s in wire.parse(package, source="x").skipped] == ["package"]


def test_an_item_without_headline_and_copy_is_named_as_empty():
    assert reasons(item(content="").encode()) == [("no_content", "line 1")]


def test_an_envelope_without_items_says_so():
    assert reasons(message()) == [("no_items", "line 1")]


def test_the_title_of_a_document_inside_is_its_headline_where_no_other_is_sent():
    inside = "<inlineXML><nitf><head><title>Ferry burns</title></head><body><body.content><p>x</p></body.content></body></nitf></inlineXML>"
    assert one(item(content="", body=inside).encode()).headline == "Ferry burns"
    assert (
        one(
            item(content="", body=xhtml("<p>x</p>").replace("<body>", "<head><title>t</title></head><body>")).encode()
        ).headline
        is None
    )


def test_a_news_item_of_text_and_pictures_is_the_text():
    composite = item(body=xhtml("<p>It burns.</p>")).replace("ninat:text", "ninat:composite").encode()
    assert one(composite).item_kind == "text"
    empty = item().replace("ninat:text", "ninat:composite").encode()
    assert [s.kind for s in wire.parse(empty, source="x").skipped] == ["package"]
