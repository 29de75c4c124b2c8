from __future__ import annotations

import pytest

from tests.core.wire.helpers import one


def nitf(
    docdata: str = "", head: str = "", lines: str = "<hedline><hl1>Ferry burns</hl1></hedline>", body: str = ""
) -> bytes:
    return (
        f"<nitf><head>{head}<docdata {docdata}</docdata></head><body><body.head>{lines}</body.head>"
        f"<body.content>{body}</body.content><body.end><tagline>Ava Holm contributed.</tagline></body.end></body></nitf>"
    ).encode()


def test_a_document_without_identifier_is_named_by_its_file():
    article = one(nitf(">"), source="a/b.xml")
    assert (article.uri, article.parse_notes) == ("a/b.xml", ("no doc-id: named by its file",))


@pytest.mark.parametrize(
    "status, release, embargoed",
    [
        ("usable", "20260311T080000+0100", None),
        ("usable", "20260311T120000+0100", "2026-03-11T12:00:00+01:00"),
        ("usable", "20260311T070000+0000", None),
        ("embargoed", "20260311T080000+0100", "2026-03-11T08:00:00+01:00"),
        ("usable", "YYYYMMDD000000-HHMM", None),
    ],
)
def test_an_embargo_is_a_release_after_the_issue(status, release, embargoed):
    docdata = f"management-status='{status}'><date.issue norm='20260311T080000+0100'/><date.release norm='{release}'/>"
    article = one(nitf(docdata))
    assert (article.pub_status, article.embargoed) == ("usable", embargoed)


def test_a_status_that_is_not_said_is_null():
    assert one(nitf(">")).pub_status is None


def test_a_cancelled_document_names_the_one_it_replaces():
    docdata = "management-status='canceled' management-doc-idref='ferry.a'><doc-id id-string='ferry.b'/>"
    article = one(nitf(docdata))
    assert (article.uri, article.supersedes, article.update_kind) == ("ferry.b", "ferry.a", "kill")


@pytest.mark.parametrize(
    "byline, read",
    [
        ("By TOM REED<byttl>Harbour Writer</byttl>", "By TOM REED"),
        ("By <person>Tom Reed</person>, <byttl>Gullwire</byttl>", "By Tom Reed, Gullwire"),
        ("<byttl>Gullwire</byttl>", None),
        ("\n <byttl>Gullwire</byttl>\n", None),
        ("gr/bp", None),
        ("Tom", "Tom"),
    ],
)
def test_a_title_glued_to_the_name_is_another_line(byline, read):
    assert one(nitf(">", lines=f"<hedline><hl1>h</hl1></hedline><byline>{byline}</byline>")).byline == read


def test_a_story_date_is_no_dateline():
    lines = "<hedline><hl1>h</hl1></hedline><dateline>{}<story.date norm='x'>20260311T080000</story.date></dateline>"
    assert one(nitf(">", lines=lines.format(""))).dateline is None
    assert one(nitf(">", lines=lines.format("<location>TARMOUTH</location>, "))).dateline == "TARMOUTH"


def test_notes_inside_the_copy_captions_and_rules_are_no_copy():
    body = (
        "<p>It burns.</p><note><body.content><p>Do not print.</p></body.content></note>"
        "<media><media-caption>Smoke.</media-caption></media><p>___</p><p>* * *</p><block><p>Still.</p></block>"
    )
    assert [p.text for p in one(nitf(">", body=body)).body] == ["It burns.", "Still."]


@pytest.mark.parametrize(
    "docdata, meta, slugline",
    [
        ("><key-list><keyword key='FERRY'/></key-list><du-key key='pier-ferry'/>", "", "FERRY"),
        ("><key-list><keyword key='a'/><keyword key='b'/></key-list><du-key key='pier-ferry'/>", "", "pier-ferry"),
        ("><du-key key='pier-ferry'/>", "<meta name='anpa-keyword' content='Ferry'/>", "Ferry"),
        ("><key-list><keyword key='a'/><keyword key='b'/></key-list>", "<title>Ferry</title>", None),
    ],
)
def test_sluglines(docdata, meta, slugline):
    assert one(nitf(docdata, meta)).slugline == slugline


def test_the_title_for_machines_is_no_headline():
    assert one(nitf(">", "<title>1 NEWS Ferry</title>", lines="", body="<p>It burns.</p>")).headline is None


@pytest.mark.parametrize(
    "comment, kind",
    [("ADDS military statement", "update"), ("Punched up the copy.", None), ("CORRECTS name", "correction")],
)
def test_of_the_history_only_what_announces_a_change_is_a_note(comment, kind):
    article = one(
        nitf("/><docdata>", "", body="<p>It burns.</p>").replace(
            b"</head>", f"<revision-history comment='{comment}'/></head>".encode()
        )
    )
    assert article.update_kind == kind
    assert article.ed_note == (comment if kind else None)


def test_the_take_key_says_what_the_slug_does_not():
    meta = "<meta name='anpa-keyword' content='Ferry'/><meta name='anpa-takekey' content='{}'/>"
    article = one(nitf(">", meta.format("2nd Ld-Writethru")))
    assert (article.slugline, article.update_kind, article.update_number) == ("Ferry", "writethru", 2)
    assert one(nitf(">", meta.format("Harbour"))).update_kind is None


def test_an_embed_that_was_sent_as_text_is_no_copy():
    body = "<p>It burns.</p><p>&lt;script src='x'&gt;&lt;/script&gt;</p><p>&lt;5 m of water</p>"
    assert [p.text for p in one(nitf(">", body=body)).body] == ["It burns.", "<5 m of water"]
