"""Hours in a zone: over midnight, through both changes of the clock, and one after another."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.core.alerting.hours import ends, inside
from services.core.alerting.rule import Window

NIGHT = Window(start="23:00", end="06:30", zone="Europe/Oslo")


def utc(text):
    return datetime.fromisoformat(f"{text}:00+00:00")


@pytest.mark.parametrize(
    ("now", "end"),
    [
        ("2026-03-11T22:00", "2026-03-12T05:30"),  # winter
        ("2026-03-28T22:00", "2026-03-29T04:30"),  # the night of 29 March has 23 hours
        ("2026-07-01T21:00", "2026-07-02T04:30"),  # summer
        ("2026-10-24T21:00", "2026-10-25T05:30"),  # the night of 25 October has 25
    ],
)
def test_a_night_ends_by_the_clock_on_the_wall(now, end):
    assert inside(NIGHT, utc(now))
    assert ends([NIGHT], utc(now)) == utc(end)
    assert not inside(NIGHT, utc(end))
    assert not inside(NIGHT, utc(now) - timedelta(minutes=1))


def test_days_are_those_on_which_the_window_begins():
    friday = Window(start="22:00", end="06:00", zone="UTC", days=("fri",))
    assert inside(friday, utc("2026-03-14T05:59"))  # Saturday morning
    assert not inside(friday, utc("2026-03-13T05:59"))
    assert not inside(friday, utc("2026-03-14T22:00"))


def test_an_hour_that_comes_twice_is_quiet_twice_and_ends():
    hour = Window(start="02:15", end="02:45", zone="Europe/Oslo")
    for now in ("2026-10-25T00:30", "2026-10-25T01:30"):
        assert inside(hour, utc(now))
        assert ends([hour], utc(now)) == utc(now) + timedelta(minutes=15)


def test_windows_that_follow_one_another_are_one_and_two_that_never_end_do():
    day = Window(start="06:30", end="08:00", zone="Europe/Oslo")
    assert ends([NIGHT, day], utc("2026-03-11T23:00")) == utc("2026-03-12T07:00")
    always = [Window(start="00:00", end="12:00", zone="UTC"), Window(start="12:00", end="00:00", zone="UTC")]
    assert ends(always, utc("2026-03-11T23:00")) < utc("2026-03-20T00:00")


CLOCKS = st.builds("{:02d}:{:02d}".format, st.integers(0, 23), st.integers(0, 59))


@given(
    CLOCKS,
    CLOCKS,
    st.integers(0, 366 * 24 * 60).map(lambda minutes: utc("2026-01-01T00:00") + timedelta(minutes=minutes)),
    st.sampled_from(["UTC", "Europe/Oslo", "Australia/Lord_Howe", "America/New_York"]),
)
def test_an_end_lies_ahead_and_outside(start, end, now, zone):
    if start == end:
        return
    window = Window(start=start, end=end, zone=zone)
    over = ends([window], now)
    assert (over is not None) == inside(window, now)
    if over is not None:
        assert now < over <= now + timedelta(hours=26)
        assert not inside(window, over)
