"""What a feed knows of its items: zone, language, who may come by it; its pace and its silence."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.contract.feeds import FolderFeed
from services.core.article import Article, Command
from services.core.identity import is_older
from services.core.times import instant
from services.core.wire import Parsed, parse
from services.publisher.inlet import Rate, Watch, prepare
from services.publisher.zone import embargo_with_zone, with_zone
from services.runtime import metrics
from tests.builders import make
from tests.services.publisher.kit import CLOCK, Broker, way

OSLO = ZoneInfo("Europe/Oslo")
AUTUMN = datetime(2026, 10, 25, 1, 12, tzinfo=UTC)  # 02:12 in Oslo for the second time


def prepared(article, near=CLOCK, **feed):
    return prepare(Parsed(articles=(article,)), FolderFeed(path="in", **feed), near=near)


def test_an_embargo_without_a_zone_holds_until_the_feeds_own_clock_says_so():
    """Case 7: embargo lost on ingest."""
    (one,) = prepared(make(embargoed="2026-07-01T06:00:00"), zone="Europe/Oslo").articles
    assert one.embargoed == "2026-07-01T06:00:00+02:00"
    (one,) = prepared(make(embargoed="2026-07-01T06:00:00-04:00"), zone="Europe/Oslo").articles
    assert one.embargoed == "2026-07-01T06:00:00-04:00"
    (one,) = prepared(make(embargoed="2026-07-01"), zone="America/New_York").articles
    assert one.embargoed == "2026-07-01T00:00:00-04:00", "a day begins at the sender's midnight, not at Greenwich's"


def test_an_embargo_in_the_hour_that_comes_twice_ends_with_the_second():
    assert embargo_with_zone("2026-10-25T02:30:00", OSLO) == "2026-10-25T02:30:00+01:00"


def test_a_dst_change_does_not_make_an_update_look_old():
    """Case 9: a "+02:00" date or a DST change makes an update look old."""
    first = with_zone("2026-10-25T02:50:00", OSLO, near=datetime(2026, 10, 25, 0, 51, tzinfo=UTC))
    second = with_zone("2026-10-25T02:10:00", OSLO, near=AUTUMN)
    assert (first, second) == ("2026-10-25T02:50:00+02:00", "2026-10-25T02:10:00+01:00")
    assert not is_older(make(version_created=second), make(version_created=first), same_item=True)


def test_a_time_that_the_clock_skips_counts_from_before_the_leap():
    assert instant(with_zone("2026-03-29T02:30:00", OSLO, near=CLOCK)) == datetime(2026, 3, 29, 1, 30, tzinfo=UTC)


@given(
    st.datetimes(), st.sampled_from(["Europe/Oslo", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe", "UTC"])
)
def test_any_time_gets_an_offset_and_keeps_its_clock(moment, zone):
    for read in (
        with_zone(moment.isoformat(), ZoneInfo(zone), near=CLOCK),
        embargo_with_zone(moment.isoformat(), ZoneInfo(zone)),
    ):
        assert read is not None
        assert datetime.fromisoformat(read).replace(tzinfo=None) == moment
        if 1 < moment.year < 9999:
            assert datetime.fromisoformat(read).tzinfo is not None


@pytest.mark.parametrize("text", ["", "soon", "2026-13-45T99:00:00", None])
def test_what_is_no_time_stays_as_it_is(text):
    assert with_zone(text, OSLO, near=CLOCK) == text
    assert embargo_with_zone(text, OSLO) == text


def test_an_items_own_language_wins():
    (one,) = prepared(make(language=None), language="nb").articles
    (two,) = prepared(make(language="se"), language="nb").articles
    assert (one.language, two.language) == ("nb", "se")


def test_nobody_kills_another_agencys_story_through_this_feed():
    kill = make("ferry", (), provider="nordwire", pub_status="canceled")
    ready = prepared(kill, only=("tarmouth",))
    assert ready.articles == ()
    assert ready.rejected[0].reason == "wrong_provider"
    (again,) = parse(ready.rejected[0].data or b"", source="x").articles
    assert isinstance(again, Article)
    assert (again.provider, again.uri, again.pub_status) == ("nordwire", "ferry", "canceled"), "it is kept whole"


def test_a_feed_carries_no_editors_commands_unless_it_may():
    command = Command(command="merge", id="c1", by="x", at="2026-03-11T09:00:00Z", stories=("a", "b"))
    assert [one.reason for one in prepared(command).rejected] == ["not_allowed"]
    assert prepared(command, commands=True).articles == (command,)


def test_an_archive_is_stamped_with_its_own_times_and_a_live_feed_with_the_clock():
    for stamping, received in (("live", "2026-03-11T12:00:00Z"), ("archive", "2026-03-01T08:00:00Z")):
        broker = Broker()
        inlet = way(broker, FolderFeed(path="in", stamp=stamping))
        inlet.take(Parsed(articles=(make(version_created="2026-03-01T08:00:00Z"),)), near=CLOCK)
        assert broker.articles[0].received_at == received


def test_quiet_for_twenty_minutes_is_said_once_and_taken_back():
    now = [0.0]
    watch = Watch("quiet-wire", "20m", clock=lambda: now[0])
    gauge = metrics.FEED_QUIET.labels("quiet-wire")
    seen = []
    for now[0] in (0.0, 1_199.0, 1_200.0, 1_300.0):
        watch.look()
        seen.append(gauge._value.get())
    watch.heard(0)
    assert watch.look(), "a look that brought nothing is no sound"
    watch.heard(1)
    assert seen == [0, 0, 1, 1]
    assert (gauge._value.get(), watch.look()) == (0, False)


def test_a_rate_spaces_items_and_lets_a_pause_be_a_pause():
    now = [100.0]
    rate = Rate(0.5, clock=lambda: now[0])
    assert [rate.delay() for _ in range(3)] == [0.0, 0.5, 1.0]
    now[0] = 200.0
    assert [rate.delay(), rate.delay()] == [0.0, 0.5], "what was not used is not saved up"
