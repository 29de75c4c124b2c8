"""Events out as ninjs 3: what the standard allows, the text as it was, and nothing that was killed, held or embargoed."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.core.article import Article, Paragraph
from services.core.events import Event, event_kind
from services.core.wire import detect, parse
from services.core.wire.limits import DEFAULT
from services.core.wire.ninjs_out import body_html, ninjs, stories
from services.runtime.archive import read
from tests.builders import BUDGET, FERRY, ROOT, UPDATED_FERRY, at, events, make, run

TEXTS = ("uri", "type", "representationType", "version", "versionCreated", "embargoed", "pubStatus", "language", "slugline", "by",
         "located", "edNote", "usageTerms")  # fmt: skip
LISTS = {
    "headlines": {"role", "contentType", "value"}, "bodies": {"role", "contentType", "charCount", "wordCount", "value"},
    "genres": {"name"}, "infoSources": {"name"}, "altIds": {"role", "value"},
}  # fmt: skip
"""Of the properties of ninjs 3.0 those that are written here, with the keys of their entries. IPTC publishes the schema on its
site and in no package; this is its shape."""


def hold_the_standard(item: dict[str, Any]) -> None:
    """What ninjs-schema_3.0.json says of these properties; it allows no others."""
    assert set(item) <= {*TEXTS, *LISTS, "standard", "urgency"}, item
    assert all(isinstance(item[name], str) and item[name] for name in TEXTS if name in item)
    assert ":" in item["uri"]
    assert item["type"] == "text"
    assert item["representationType"] in ("full", "partial")
    assert item["pubStatus"] in ("usable", "withheld", "canceled")
    assert item["standard"] == {"name": "ninjs", "version": "3.0"}
    assert isinstance(item.get("urgency", 1), int)
    assert 1 <= item.get("urgency", 1) <= 9
    for name in ("versionCreated", "embargoed"):
        if name in item:
            assert datetime.fromisoformat(item[name]).tzinfo is not None, "JSON Schema's date-time has a zone"
    for name, keys in LISTS.items():
        for entry in item.get(name, []):
            assert set(entry) <= keys
            assert name not in ("headlines", "bodies") or isinstance(entry["value"], str)
    for body in item.get("bodies", []):
        assert isinstance(body["charCount"], int)
        assert isinstance(body["wordCount"], int)


def back(item: dict[str, Any]) -> Article:
    """The item as our own parser reads it."""
    data = orjson.dumps(item)
    assert detect(data) == "ninjs"
    (article,) = parse(data, source="export").articles
    assert isinstance(article, Article)
    return article


def of(*articles: Article) -> list[Event]:
    return events(run(articles)[1])


def newsday() -> list[Event]:
    parsed = read(ROOT / "seeds", provider=None, limits=DEFAULT)
    return events(run([item for one in parsed for item in one.articles])[1])


def test_the_newsdays_events_keep_to_the_standard_and_read_back_as_their_text():
    read_back = 0
    for event in newsday():
        item = ninjs(event)
        if item is None:
            continue
        hold_the_standard(item)
        version = event.data.version
        assert version is not None
        if "bodies" in item:
            article = back(item)
            assert [p.text for p in article.body] == [" ".join(p.text.split()) for p in version.paragraphs]
            assert (article.headline, article.provider, article.byline is None) == (
                version.headline,
                version.provider,
                True,
            )
            read_back += 1
    assert read_back > 40


def test_stories_of_the_newsday_stand_as_their_last_events_left_them():
    happened = newsday()
    exported = list(stories(happened))
    assert len({item["uri"] for item in exported}) == len(exported)
    last = {event.subject: event for event in happened}
    for item in exported:
        hold_the_standard(item)
        event = last[item["uri"].rpartition(":")[2]]
        if event.data.story.status == "live" and "bodies" in item and event.data.decision.relation == "new_version":
            assert item["headlines"][0]["value"] == event.data.story.headline
        if event.data.story.status != "live":
            assert "bodies" not in item
            assert item["pubStatus"] != "usable"


def test_the_story_moves_on_with_its_versions_and_not_with_copies_of_it():
    happened = of(
        make("ferry", version="1", version_created=at("07:00")),
        make("ferry", UPDATED_FERRY, version="2", version_created=at("08:00")),
        make("theirs", FERRY, provider="tarmouth", version_created=at("08:30")),
        make("budget", BUDGET, version_created=at("09:00")),
    )  # fmt: skip
    ferry, budget = stories(happened)
    assert [p.text for p in back(ferry).body] == list(UPDATED_FERRY)
    assert [p.text for p in back(budget).body] == list(BUDGET)
    assert ferry["version"] == "3"


def test_killed_text_is_in_no_export():
    happened = of(
        make("ferry", version="1", version_created=at("07:00"), headline="Ferry burns"),
        make("ferry", (), version="2", version_created=at("08:00"), pub_status="canceled", headline="Ferry burns"),
    )  # fmt: skip
    kill = happened[-1]
    assert event_kind(kill) == "withdrawn"
    (story,) = stories(happened)
    for item in (ninjs(kill), story):
        assert item is not None
        hold_the_standard(item)
        assert item["pubStatus"] == "canceled"
        assert FERRY[0][:40] not in str(item)
        assert back(item).is_ending


def test_a_held_story_is_withheld_and_a_released_one_stands_again():
    first = make("ferry", version="1", version_created=at("07:00"))
    hold = make("ferry", (), version="2", version_created=at("08:00"), pub_status="withheld", headline="Hold")
    release = make("ferry", UPDATED_FERRY, version="3", version_created=at("09:00"), update_kind="release")
    (held,) = stories(of(first, hold))
    assert (held["pubStatus"], "bodies" in held) == ("withheld", False)
    (free,) = stories(of(first, hold, release))
    assert free["pubStatus"] == "usable"


def test_an_embargo_goes_along_and_one_without_a_zone_keeps_the_text_in():
    """Case 7: embargo lost on ingest, or an update after the embargo leaks."""
    (event,) = of(make("ferry", embargoed="2026-03-13T06:00:00+01:00"))
    item = ninjs(event)
    assert item is not None
    assert back(item).embargoed == "2026-03-13T06:00:00+01:00"
    (event,) = of(make("ferry", embargoed="2026-03-13T06:00:00", ed_note="Mind the embargo"))
    item = ninjs(event)
    assert item is not None
    hold_the_standard(item)
    assert (item["pubStatus"], "bodies" in item) == ("withheld", False)
    assert item["edNote"] == "Embargoed until 2026-03-13T06:00:00, zone unknown\nMind the embargo"


def test_an_identifier_that_is_no_uri_becomes_one_and_is_told_as_sent():
    (event,) = of(make("W0412/2026-03-11 é"))
    item = ninjs(event)
    assert item is not None
    assert item["uri"] == "urn:org.writethru:item:nordwire:W0412%2F2026-03-11%20%C3%A9"
    assert {"role": "provider", "value": "W0412/2026-03-11 é"} in item["altIds"]


LINES = st.text(st.characters(categories=("L", "N", "P", "S", "Zs")), min_size=1, max_size=60).map(
    lambda text: " ".join(text.split())
)
KINDS = st.sampled_from(["paragraph", "heading", "note", "credit"])


@given(
    st.lists(
        st.builds(Paragraph, LINES.filter(lambda text: any(c.isalpha() for c in text)), KINDS), min_size=1, max_size=6
    )
)
def test_any_text_survives_its_markup(paragraphs):
    item = {"uri": "urn:x:1", "standard": {}, "bodies": [{"contentType": "text/html", "value": body_html(paragraphs)}]}
    parsed = parse(orjson.dumps(item), source="export").articles
    texts = [p.text for one in parsed if isinstance(one, Article) for p in one.body]
    assert texts == [p.text for p in paragraphs]


def test_tables_and_headings_keep_their_kind():
    body = (
        Paragraph("How they voted", "heading"), Paragraph("For | 61", "table"), Paragraph("Against | 60 & one <absent>", "table"),
        Paragraph('The speaker did not vote, "as is the custom".'),
    )  # fmt: skip
    (event,) = of(msgspec.structs.replace(make("vote"), body=body))
    item = ninjs(event)
    assert item is not None
    assert back(item).body == body


@pytest.mark.parametrize(
    ("sent", "digit"), [("1", 1), (" 9 ", 9), ("0", None), ("12", None), ("B", None), (None, None)]
)
def test_urgency_is_iptcs_digit_or_none(sent, digit):
    (event,) = of(make("ferry", urgency=sent))
    item = ninjs(event)
    assert item is not None
    assert item.get("urgency") == digit
