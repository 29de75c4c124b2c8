from __future__ import annotations

import orjson
import pytest

from services.core import wire
from tests.core.wire.helpers import one, reasons

V1 = {
    "type": "text",
    "uri": "u1",
    "headline": "Port fire spreads",
    "body_html": "<p>It burns.</p>",
    "source": "Nordwire",
}
V3 = {
    "type": "text",
    "uri": "u3",
    "headlines": [{"role": "main", "value": "Port fire spreads"}],
    "bodies": [{"contentType": "text/html", "value": "<p>It burns.</p>"}],
    "infoSources": [{"name": "Nordwire"}],
}


@pytest.mark.parametrize("item", [V1, V3, {k: v for k, v in V3.items() if k != "type"}])
def test_every_generation_of_ninjs_gives_the_same_article(item):
    article = one(item)
    assert (article.provider, article.headline) == ("Nordwire", "Port fire spreads")
    assert [p.text for p in article.body] == ["It burns."]


@pytest.mark.parametrize("key", ["versioncreated", "versionCreated"])
def test_a_plus_0200_date_keeps_its_offset(key):
    assert one(V1 | {key: "2026-03-11T07:00:00+02:00"}).version_created == "2026-03-11T07:00:00+02:00"


@pytest.mark.parametrize("version, text", [("9", "9"), (10, "10"), (0, "0"), ("0", "0"), (None, None)])
def test_versions_come_as_text_or_number_and_version_0_is_one(version, text):
    assert one(V1 | {"version": version}).version == text


def test_embargo_is_not_lost_on_ingest():
    article = one(V1 | {"pubstatus": "embargoed", "embargoed": "2026-03-11T12:00:00+01:00"})
    assert (article.pub_status, article.embargoed) == ("usable", "2026-03-11T12:00:00+01:00")


def test_a_media_only_change_leaves_the_copy_alone():
    with_picture = V1 | {"associations": {"main": {"type": "picture", "uri": "p", "body_text": "a caption"}}}
    assert one(with_picture).body == one(V1).body


def test_a_new_guid_for_each_version_names_what_it_replaces():
    assert one(V1 | {"uri": "u2", "replacing": ["u1"]}).supersedes == "u1"
    assert one(V1 | {"uri": "u2", "evolvedfrom": "u1"}).evolved_from == "u1"


def test_nothing_is_invented():
    article = one({"type": "text", "uri": "u", "headline": "Port fire spreads"})
    empty = (
        "version",
        "byline",
        "urgency",
        "pub_status",
        "embargoed",
        "update_kind",
        "slugline",
        "language",
        "ed_note",
    )
    assert [getattr(article, name) for name in empty] == [None] * len(empty)


@pytest.mark.parametrize("kind", ["picture", "video", "audio", "graphic", "composite", "event", "planning", "package"])
def test_other_kinds_are_named_as_skipped(kind):
    parsed = wire.parse(orjson.dumps(V1 | {"type": kind}), source="x")
    assert not parsed.articles
    assert not parsed.rejected
    assert parsed.skipped[0].uri == "u1"


def test_a_planning_item_without_a_type_is_no_story():
    parsed = wire.parse(orjson.dumps({"uri": "e", "standard": {"name": "ninjs"}, "eventDetails": {}}), source="x")
    assert [s.kind for s in parsed.skipped] == ["planning"]


def test_the_kill_of_a_picture_is_an_article_without_body():
    article = one(V1 | {"type": "picture", "pubstatus": "canceled"})
    assert (article.item_kind, article.pub_status, article.update_kind, article.body) == (
        "picture",
        "canceled",
        "kill",
        (),
    )


def test_html_is_chosen_before_plain_text_and_never_joined_to_it():
    bodies = [
        {"role": "text", "contenttype": "text/plain", "value": "It burns."},
        {"role": "html", "contenttype": "text/html", "value": "<p>It burns.</p><p>It spreads.</p>"},
    ]
    assert [p.text for p in one(V3 | {"bodies": bodies}).body] == ["It burns.", "It spreads."]
    nitf = "<nitf><head><title>t</title></head><body><body.head><hedline><hl1>Port</hl1></hedline></body.head><body.content><p>It burns.</p></body.content></body></nitf>"
    bodies[1] = {
        "role": "nitf",
        "contenttype": "text/vnd.IPTC.NITF",
        "value": '<?xml version="1.0" encoding="UTF-8"?>' + nitf,
    }
    assert [p.text for p in one(V3 | {"bodies": bodies}).body] == ["It burns."]


def test_an_empty_rendition_gives_way_to_the_next():
    assert one(V1 | {"body_html": "<p> </p>", "body_text": "It burns.\n\nIt spreads."}).body[1].text == "It spreads."


def test_a_headline_repeated_as_first_line_is_not_copy():
    assert [p.text for p in one(V1 | {"body_html": "<h1>Port fire spreads</h1><p>It burns.</p>"}).body] == ["It burns."]


def test_markup_in_a_headline_is_read_as_text():
    assert one(V1 | {"headline": "<p>Smith &amp; Rusk <b>merge</b></p>"}).headline == "Smith & Rusk merge"
    assert one(V1 | {"headline": "Profit <up 5% & rising"}).headline == "Profit <up 5% & rising"


@pytest.mark.parametrize(
    "change, reason, position",
    [
        ({"uri": None}, "missing_uri", "$"),
        ({"headline": ["x"]}, "wrong_type", "$.headline"),
        ({"headline": None, "body_html": ""}, "no_content", "$"),
        ({"body_html": "<p>" + "word " * 60_000}, "too_large", "$"),
        ({"body_html": "<i>" * 3000 + "deep"}, "too_deep", "$.body_html"),
    ],
)
def test_what_cannot_become_an_article_is_rejected(change, reason, position):
    assert reasons(V1 | change) == [(reason, position)]


def test_a_wrapped_list_is_read_item_by_item():
    for wrapped in ({"total": 2, "item": [V1, V3]}, {"_items": [V1, V3]}, [V1, V3]):
        assert len(wire.parse(orjson.dumps(wrapped), source="x").articles) == 2


def test_odd_shapes_where_lists_are_expected_do_no_harm():
    article = one(
        V1
        | {
            "genre": [None, 3],
            "keywords": {"name": "port"},
            "signals": [[1]],
            "bodies": "x",
            "headlines": 4,
            "located": [],
        }
    )
    assert (article.genre, article.keywords, article.signals, article.dateline) == (None, ("port",), (), None)
