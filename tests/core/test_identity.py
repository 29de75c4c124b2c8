from __future__ import annotations

from datetime import UTC, datetime, timedelta

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.core.identity import (
    canonical_url,
    event_id,
    input_id,
    is_older,
    lineage_key,
    stamp,
    story_id,
    version_number,
)
from services.core.times import has_zone, instant
from tests.builders import CLOCK, at, make


def changed(article, **fields):
    return msgspec.structs.replace(article, **fields)


def test_input_id_is_frozen():
    """Ids stand in topics and in other people's databases: a change of this value is a breaking change."""
    assert input_id(make("ferry", ["One paragraph."], version="1")) == "4c272e76fa4027ffeadbffd8ce59f9ee"


def test_input_id_ignores_when_it_was_received_and_what_the_parser_noted():
    article = make()
    assert input_id(article) == input_id(changed(article, received_at=at("07:00"), parse_notes=("read as cp1252",)))


@pytest.mark.parametrize(
    "fields", [{"provider": "b"}, {"uri": "x"}, {"version": "2"}, {"version_created": at("08:00")}, {"headline": "h"}]
)
def test_input_id_tells_versions_and_content_apart(fields):
    assert input_id(make()) != input_id(changed(make(), **fields))


def test_story_and_event_ids_depend_on_every_part():
    assert len({story_id(0, "a", 1), story_id(1, "a", 1), story_id(0, "b", 1), story_id(0, "a", 2)}) == 4
    assert len({event_id("s", "created", "a"), event_id("s", "updated", "a"), event_id("s", "created", "b")}) == 3


@pytest.mark.parametrize(
    ("link", "canonical"),
    [
        ("http://www.Example.org/News/fire/?utm_source=x&id=7#top", "https://example.org/News/fire?id=7"),
        ("https://example.org/news/fire", "https://example.org/news/fire"),
        ("https://example.org/a?b=2&a=1&fbclid=zz", "https://example.org/a?a=1&b=2"),
    ],
)
def test_24_tracking_parameters_do_not_make_a_new_link(link, canonical):
    assert canonical_url(link) == canonical


def test_lineage_key_strips_the_revision_that_a_newsml_identifier_ends_in():
    first = make("urn:newsml:nordwire:20260311:ferry-04:1N", version="1N")
    second = make("urn:newsml:nordwire:20260311:ferry-04:2U", version="2U")
    assert lineage_key(first) == lineage_key(second) == "nordwire:urn:newsml:nordwire:20260311:ferry-04"


def test_lineage_key_keeps_an_identifier_that_only_looks_like_one_with_a_revision():
    assert lineage_key(make("urn:newsml:nordwire:2026:41", version="3")).endswith(":41")


def test_15_version_9_comes_before_10():
    assert is_older(make(version="9"), make(version="10"), same_item=True)
    assert not is_older(make(version="10"), make(version="9"), same_item=True)
    assert version_number("04") == 4
    assert version_number("2U") is None


def test_9_an_offset_or_dst_does_not_make_an_update_look_old():
    earlier = make(version_created="2026-03-11T09:00:00+02:00")
    later = make(version_created="2026-03-11T08:30:00+01:00")
    assert is_older(earlier, later, same_item=True)
    assert not is_older(later, earlier, same_item=True)


def test_versions_of_different_items_are_not_compared():
    assert not is_older(make("a", version="1"), make("b", version="7"), same_item=False)


class TestStamp:
    def test_a_record_that_has_one_keeps_it(self):
        assert stamp(make(received_at=at("07:00")), previous=CLOCK, clock=CLOCK).received_at == at("07:00")

    def test_an_archive_takes_version_created(self):
        assert stamp(make(version_created=at("07:00")), previous=None, clock=CLOCK).received_at == at("07:00")

    @pytest.mark.parametrize("created", [None, at("06:00"), "2099-01-01T00:00:00Z", "yesterday"])
    def test_73_a_null_an_earlier_a_future_or_an_unreadable_date_takes_the_previous_stamp(self, created):
        previous = datetime(2026, 3, 11, 7, tzinfo=UTC)
        assert stamp(make(version_created=created), previous=previous, clock=CLOCK).received_at == at("07:00")

    def test_73_a_stamp_after_the_clock_is_not_believed(self):
        stamped = stamp(
            make(received_at="2099-01-01T00:00:00Z", version_created=at("07:00")), previous=None, clock=CLOCK
        )
        assert stamped.received_at == at("07:00")

    def test_before_the_first_stamp_there_is_none(self):
        assert stamp(make(), previous=None, clock=CLOCK).received_at is None

    def test_a_live_feed_takes_the_clock(self):
        assert (
            stamp(make(version_created=at("07:00")), previous=None, clock=CLOCK, live=True).received_at
            == "2026-11-30T12:00:00Z"
        )


@given(st.text(max_size=40))
def test_any_text_is_an_instant_or_none(text):
    moment = instant(text)
    assert moment is None or moment.utcoffset() == timedelta(0)
    has_zone(text)


@given(st.text(max_size=60))
def test_any_uri_has_a_lineage_key_and_it_is_stable(uri):
    key = lineage_key(make(f"http://{uri}"))
    assert key == lineage_key(make(f"http://{uri}"))
    assert key.startswith("nordwire:")
