"""Rules on the change: what rings, what does not and why, and what is taken back. Named after symptoms where they fit."""

from __future__ import annotations

from datetime import datetime, timedelta

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from services.core.alerting.desk import Alerting
from services.core.alerting.memory import Memory, Row
from services.core.alerting.query import BadQuery, read_query
from services.core.alerting.rule import NumberMoves, Rule, Silence, Throttle, Velocity, When, Window
from services.core.times import instant
from tests.builders import BUDGET, FERRY, UPDATED_FERRY, at, events, make, run

RING = Rule(name="ring", when=When(push=True), channels=("desk",))


def replayed(desk, log, *, late=timedelta()):
    """Each event at the time that it was received: rulings by (rule, event number), and the alerts with their time."""
    _, outcomes = run(log)
    told = events(outcomes)
    rulings, alerts = [], []
    for event in told:
        now = instant(event.recordedtime) + late
        rulings.append({each.rule: each for each in desk.feed(event, now)})
        alerts += desk.tick(now)
    return told, rulings, alerts


def toll(number, version, clock, **more):
    body = (FERRY[0].replace("12 people", f"{number} people"), *FERRY[1:])
    return make(
        body=body, version=str(version), version_created=at(clock), headline=f"Ferry fire kills {number}", **more
    )


def growing(*numbers):
    return [toll(number, n + 1, f"{8 + n:02d}:00") for n, number in enumerate(numbers)]


def rules(**when):
    return [Rule(name="r", when=When(**when), channels=("desk",))]


# -- conditions --------------------------------------------------------------------------------------------------------


def test_each_rule_has_a_reason_for_each_event():
    desk = Alerting([RING, *rules(query="volcano")], everything=True)
    _, rulings, _ = replayed(desk, growing(12, 15))
    assert [set(each) for each in rulings] == [{"ring", "r"}] * 2
    assert all(ruling.reason for each in rulings for ruling in each.values())
    assert rulings[1]["ring"].fired
    assert "volcano" in rulings[1]["r"].reason


def test_twelve_thirteen_fourteen_rings_in_the_end():
    desk = Alerting(rules(numbers=NumberMoves(context=("toll",), by=3.0)), everything=True)
    _, rulings, alerts = replayed(desk, growing(12, 13, 14, 15, 16))
    assert [each["r"].fired for each in rulings] == [False, False, False, True, False]
    assert "told last" in alerts[0].events[0].why[0]


def test_a_move_that_was_muted_still_counts_from_what_was_told():
    mute = Window(start="09:30", end="10:30", zone="UTC")
    rule = Rule(name="r", when=When(numbers=NumberMoves(context=("toll",), by="20%")), channels=("desk",), mute=(mute,))
    _, rulings, _ = replayed(Alerting([rule], everything=True), growing(10, 11, 13, 14))
    assert [each["r"].code for each in rulings] == ["numbers", "numbers", "muted", "alert"]


def test_an_alert_with_an_empty_diff_does_not_exist():
    quoted = [p.replace("Monday", "Monday ") for p in FERRY]
    log = [make(version="1", version_created=at("08:00")), make(version="2", body=quoted, version_created=at("09:00"))]
    desk = Alerting(rules(events=("updated", "joined", "created")), everything=True)
    told, rulings, _ = replayed(desk, log)
    assert told[1].data.change.level == "typographic"
    assert rulings[1]["r"].code == "empty"


def test_a_rule_without_conditions_on_the_change_rings_for_news_only():
    desk = Alerting(rules(query="ferry"), everything=True)
    styled = (FERRY[0], FERRY[1].replace("shortly before dawn", "just before dawn"), *FERRY[2:])
    log = [make(version="1", version_created=at("08:00")), make(version="2", body=styled, version_created=at("09:00"))]
    _, rulings, _ = replayed(desk, log)
    assert [each["r"].fired for each in rulings] == [True, False]
    assert rulings[1]["r"].code == "nothing_new"


def test_a_count_of_outlets_rings_when_it_is_reached_and_copies_are_no_outlets():
    log = [
        make(version_created=at("08:00"), headline="Ferry burns"),
        make("copy", provider="gazette", version_created=at("08:05"), headline="Ferry burns"),
        make("own", [*FERRY[:1], "Mayor Arne Dahl of Tarmouth asked for a public inquiry into the safety drills."],
             provider="tidende", version_created=at("08:10"), headline="Ferry burns off Tarmouth"),
    ]  # fmt: skip
    told, rulings, _ = replayed(Alerting(rules(outlets_at_least=2), everything=True), log)
    assert [event.data.story.outlets for event in told] == [1, 1, 2]
    assert [each["r"].fired for each in rulings] == [False, False, True]


def test_velocity_rings_when_the_pace_is_reached_and_not_with_every_event_after():
    log = [toll(12 + n, n + 1, f"08:{10 + n}") for n in range(5)]
    desk = Alerting(rules(velocity=Velocity(events=3, within="10m")), everything=True)
    _, rulings, _ = replayed(desk, log)
    assert [each["r"].fired for each in rulings] == [False, False, True, False, False]


def test_a_quote_by_a_named_person_and_nobody_else():
    said = (*FERRY, '"We had four minutes," captain Oda Renk told the inquiry on Tuesday.')
    log = [make(version="1", version_created=at("08:00")), make(version="2", body=said, version_created=at("09:00"))]
    desk = Alerting(
        [*rules(quoted=("Oda Renk",)), Rule(name="kort", when=When(quoted=("Ilse Kort",)))], everything=True
    )
    _, rulings, _ = replayed(desk, log)
    assert rulings[1]["r"].fired
    assert "Renk" in rulings[1]["kort"].reason


def test_a_story_is_followed_by_its_id():
    told, _, _ = replayed(Alerting([]), growing(12, 15))
    story = told[0].subject
    desk = Alerting([*rules(stories=(story,)), Rule(name="other", when=When(stories=("0" * 32,)))], everything=True)
    _, rulings, _ = replayed(desk, growing(12, 15))
    assert rulings[1]["r"].fired
    assert rulings[1]["other"].code == "story"


# -- noise -------------------------------------------------------------------------------------------------------------


def test_replayed_twice_rings_once():
    desk = Alerting([RING])
    told, _, first = replayed(desk, growing(12, 15))
    again = [desk.feed(event, instant(event.recordedtime)) for event in told]
    assert first
    assert [each.code for rulings in again for each in rulings] == ["repeat", "repeat"]
    assert desk.tick(instant(at("23:00"))) == []


def test_the_next_identical_check_does_not_fire_again():
    copies = [
        make(name, provider=name, version_created=at(f"08:{n}"), headline="Ferry fire kills 12")
        for n, name in ((10, "gazette"), (20, "courier"))
    ]
    _, rulings, _ = replayed(Alerting(rules(events=("joined",)), everything=True), [*growing(12), *copies])
    assert [each["r"].code for each in rulings] == ["type", "alert", "repeat"]


def test_there_and_back_again_is_news():
    log = [*growing(12, 15), toll(12, 3, "10:00")]
    _, rulings, _ = replayed(Alerting(rules(query="ferry"), everything=True), log)
    assert [each["r"].fired for each in rulings] == [True, True, True]


def test_no_alert_for_history_after_a_cold_start():
    _, rulings, alerts = replayed(Alerting([RING], everything=True), growing(12, 15), late=timedelta(hours=2))
    assert alerts == []
    assert {each["ring"].code for each in rulings} == {"old"}


def test_quiet_hours_evaluate_and_hold():
    quiet = Window(start="22:00", end="10:30", zone="Europe/Oslo")
    rule = msgspec.structs.replace(RING, quiet=(quiet,))
    desk = Alerting([rule])
    _, rulings, alerts = replayed(desk, growing(12, 15))
    assert [each["ring"].state for each in rulings if "ring" in each][-1] == "held"
    assert alerts == []
    assert desk.tick(instant(at("09:29"))) == []
    (alert,) = desk.tick(instant(at("09:30")))
    assert "quiet hours" in alert.held
    assert alert.id == rulings[1]["ring"].alert


def test_a_burst_comes_together_and_the_first_alert_is_not_delayed():
    rule = msgspec.structs.replace(RING, throttle=Throttle(group_interval="30m"))
    desk = Alerting([rule])
    _, _, alerts = replayed(desk, [toll(12 + 3 * n, n + 1, f"08:{10 + 5 * n}") for n in range(4)])
    assert len(alerts) == 1
    (later,) = desk.tick(instant(at("09:00")))
    assert len(later.events) >= 2
    assert later.thread == alerts[0].id


def test_a_digest_is_one_alert_over_all_stories():
    rule = Rule(name="r", when=When(new_development=True), channels=("mail",), throttle=Throttle(digest="2h"))
    desk = Alerting([rule])
    _, _, alerts = replayed(
        desk, [*growing(12, 15), make("budget", BUDGET, headline="Budget passes", version_created=at("09:30"))]
    )
    assert alerts == []
    (digest,) = desk.tick(instant(at("10:00")))
    assert digest.kind == "digest"
    assert len({told.story for told in digest.events}) == 2


def test_a_silence_is_silent_until_it_ends_and_says_by_whom():
    desk = Alerting([RING], everything=True)
    desk.silence(Silence(id="s", until=at("09:30"), rules=("ring",), by="night editor", comment="moving house"))
    _, rulings, _ = replayed(desk, growing(12, 15, 19))
    assert rulings[1]["ring"].code == "silenced"
    assert "night editor" in rulings[1]["ring"].reason
    assert rulings[2]["ring"].fired


def test_acknowledged_silences_copies_and_not_developments():
    log = [
        *growing(12),
        make("copy", provider="gazette", version_created=at("08:30"), headline="Ferry fire kills 12"),
        *growing(12, 15)[1:],
    ]
    rule = Rule(name="r", when=When(events=("created", "updated", "joined")), channels=("desk",))
    _, outcomes = run(log)
    desk = Alerting([rule], everything=True)
    first, *rest = events(outcomes)
    desk.feed(first, instant(first.recordedtime))
    desk.acknowledge(first.subject, "Kari", instant(first.recordedtime))
    codes = {event.type.split(".")[3]: desk.feed(event, instant(event.recordedtime))[0] for event in rest}
    assert codes["joined"].code == "acknowledged"
    assert codes["updated"].fired


def test_embargoed_copy_reaches_only_the_channel_that_says_so():
    rule = Rule(name="r", when=When(new_development=True), channels=("desk", "web"), embargoed=frozenset({"desk"}))
    desk = Alerting([rule])
    log = [make(version_created=at("08:00"), embargoed=at("10:00"), headline="Ferry fire kills 12")]
    _, rulings, alerts = replayed(desk, log)
    assert [each.channels for each in alerts] == [("desk",)]
    assert desk.tick(instant(at("09:59"))) == []
    (later,) = desk.tick(instant(at("10:00")))
    assert later.channels == ("web",)
    assert later.id == alerts[0].id == rulings[0]["r"].alert


# -- taken back --------------------------------------------------------------------------------------------------------


def test_a_correction_alert_names_the_alert_that_it_reverses_rule_or_not():
    only_tolls = Rule(name="r", when=When(events=("updated",), push=True), channels=("desk",))
    desk = Alerting([only_tolls])
    wrong = toll(15, 2, "09:00")
    right = toll(14, 3, "10:00", update_kind="correction", ed_note="Corrects toll to 14")
    _, rulings, alerts = replayed(desk, [*growing(12), wrong, right])
    first, correction = alerts
    assert correction.kind == "correction"
    assert correction.reverses == (first.id,)
    assert correction.thread == first.id
    assert correction.channels == ("desk",)
    assert first.title in rulings[2]["r"].reason


def test_a_kill_passes_quiet_hours_silences_and_age_and_reaches_those_who_got_the_original():
    quiet = Window(start="08:30", end="23:00", zone="UTC")
    desk = Alerting([Rule(name="r", when=When(query="ferry"), channels=("desk",), quiet=(quiet,))])
    _, _, (first,) = replayed(desk, growing(12))
    desk.silence(Silence(id="s", until=at("23:00"), rules=("r",), by="x"))
    _, outcomes = run(
        [*growing(12), make(body=(), version="2", update_kind="kill", version_created=at("09:00"), ed_note="Hoax")]
    )
    kill = events(outcomes)[-1]
    (ruling,) = desk.feed(kill, instant(at("20:00")))
    (alert,) = desk.tick(instant(at("20:00")))
    assert (ruling.code, alert.kind, alert.reverses) == ("reversal", "withdrawal", (first.id,))
    assert "Hoax" in (alert.events[0].note or "")


def test_what_is_killed_while_it_waits_is_never_told():
    quiet = Window(start="07:00", end="12:00", zone="UTC")
    desk = Alerting([msgspec.structs.replace(RING, when=When(query="ferry"), quiet=(quiet,))])
    kill = make(body=(), version="2", update_kind="kill", version_created=at("09:00"), ed_note="Hoax")
    _, rulings, alerts = replayed(desk, [*growing(12), kill])
    assert alerts == []
    assert rulings[1]["ring"].code == "taken_back"
    assert desk.tick(instant(at("23:00"))) == []


# -- state -------------------------------------------------------------------------------------------------------------


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 6), st.sampled_from(["0s", "30m", "2h"]))
def test_a_desk_that_begins_again_from_its_rows_goes_on_the_same(cut, interval):
    every = [
        msgspec.structs.replace(RING, throttle=Throttle(group_interval=interval)),
        Rule(name="toll", when=When(numbers=NumberMoves(by=2.0)), channels=("a",)),
        Rule(name="dig", when=When(new_development=True), channels=("b",), throttle=Throttle(digest="1h")),
    ]
    _, outcomes = run(
        [*growing(12, 13, 15, 16), make(body=(), version="9", update_kind="kill", version_created=at("13:00"))]
    )
    told = events(outcomes)

    def play(restart):
        desk, out = Alerting(every), []
        kept: dict[str, bytes] = {}
        for number, event in enumerate(told):
            if restart and number == cut:
                desk = Alerting(every, Memory(msgspec.json.decode(row, type=Row) for row in kept.values()))
            now = instant(event.recordedtime)
            out += [*desk.tick(now), *desk.feed(event, now), *desk.tick(now)]
            for key, row in desk.memory.changed():
                kept.pop(key, None)
                if row is not None:
                    kept[key] = msgspec.json.encode(row)
        return [*out, *desk.tick(datetime.fromisoformat("2026-03-13T00:00:00+00:00"))]

    assert play(restart=True) == play(restart=False)


@settings(deadline=None, max_examples=20)
@given(st.permutations(range(6)))
def test_the_index_finds_what_asking_every_rule_finds(order):
    asked = [
        When(query="ferry AND captain"), When(query="volcano OR lifeboats"), When(query='"car deck" -fog'), When(push=True),
        When(providers=("Nordwire",), languages=("EN",)), When(numbers=NumberMoves()),
    ]  # fmt: skip
    every = [Rule(name=f"r{n}", when=asked[n]) for n in order]
    log = [*growing(12, 15), make(body=UPDATED_FERRY, version="3", version_created=at("11:00"))]
    found = []
    for everything in (True, False):
        _, rulings, _ = replayed(Alerting(every, everything=everything), log)
        found.append([{name for name, each in one.items() if each.fired} for one in rulings])
    assert found[0] == found[1]


@settings(deadline=None, max_examples=50)
@given(st.text(max_size=80), st.text(max_size=40))
def test_any_text_can_be_asked_about(text, asked):
    try:
        query = When(query=asked or None)
        read_query(asked)
    except BadQuery:
        query = When()
    desk = Alerting(
        [Rule(name="r", when=query), *rules(quoted=(text or "x",), entities=(asked or "x",))], everything=True
    )
    _, rulings, _ = replayed(desk, [make(body=[text, FERRY[0]], headline=text, version_created=at("08:00"))])
    assert set(rulings[0]) == {"r"}
