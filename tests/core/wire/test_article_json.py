from __future__ import annotations

import msgspec
import orjson
import pytest

from services.core import wire
from services.core.article import Command
from tests.core.wire.helpers import one, reasons

FIRE = {"provider": "Nordwire", "uri": "nw:1", "headline": "Port fire spreads", "body": ["It burns."]}


@pytest.mark.parametrize(
    "change, reason, position",
    [
        ({"uri": None}, "missing_uri", "$"),
        ({"uri": "  "}, "missing_uri", "$"),
        ({"provider": None}, "missing_provider", "$"),
        ({"headline": 5}, "wrong_type", "$.headline"),
        ({"body": "It burns."}, "wrong_type", "$.body"),
        ({"body": ["a", 2]}, "wrong_type", "$.body[1]"),
        ({"body": [{"kind": "heading"}]}, "wrong_type", "$.body[0]"),
        ({"keywords": ["a", None]}, "wrong_type", "$.keywords[1]"),
        ({"signals": {"a": 1}}, "wrong_type", "$.signals"),
        ({"update_number": "second"}, "wrong_type", "$.update_number"),
        ({"version": [1]}, "wrong_type", "$.version"),
        ({"version": True}, "wrong_type", "$.version"),
        ({"headline": None, "body": []}, "no_content", "$"),
        ({"headline": "x" * 210_000}, "too_large", "$"),
        ({"byline": "x" * 210_000}, "too_large", "$"),
        ({"body": [["It burns."]]}, "wrong_type", "$.body[0]"),
    ],
)
def test_wrong_values_are_rejected_with_their_path(change, reason, position):
    assert reasons(FIRE | change) == [(reason, position)]


def test_numbers_come_as_text_or_as_numbers():
    article = one(FIRE | {"version": 10, "urgency": 3, "priority": "4", "update_number": "2", "take": 0})
    assert (article.version, article.urgency, article.priority) == ("10", "3", "4")
    assert (article.update_number, article.take) == (2, 0)


def test_version_0_is_a_version():
    assert one(FIRE | {"version": 0}).version == "0"
    assert one(FIRE | {"version": "0"}).version == "0"


def test_nulls_and_unknown_keys_and_blank_texts_are_silent():
    article = one(FIRE | {"first_created": None, "slugline": "", "a_later_field": {"deep": [1]}})
    assert (article.first_created, article.slugline, article.parse_notes) == (None, None, ())


def test_words_outside_a_vocabulary_become_null_with_a_note():
    article = one(FIRE | {"pub_status": "brewing", "update_kind": "sparkle", "body": [{"text": "x", "kind": "song"}]})
    assert (article.pub_status, article.update_kind, article.body[0].kind) == (None, None, "paragraph")
    assert len(article.parse_notes) == 2


@pytest.mark.parametrize(
    "sent, kept",
    [
        ("2026-03-11T07:00:00+02:00", "2026-03-11T07:00:00+02:00"),
        ("2026-03-11T07:00:00Z", "2026-03-11T07:00:00Z"),
        ("2026-03-11T07:00:00", "2026-03-11T07:00:00"),
        ("2026-03-11T07:00:00.250Z", "2026-03-11T07:00:00.250Z"),
        ("2026-03-11", "2026-03-11"),
        ("2026-03-11 07:00", "2026-03-11T07:00:00"),
        ("2026-03-11T07:00:00+0200", "2026-03-11T07:00:00+02:00"),
        ("20260311T070000Z", "2026-03-11T07:00:00+00:00"),
        ("Wed, 11 Mar 2026 07:00:00 +0200", "2026-03-11T07:00:00+02:00"),
    ],
)
def test_a_date_with_its_offset_stays_as_sent(sent, kept):
    assert one(FIRE | {"version_created": sent}).version_created == kept


@pytest.mark.parametrize(
    "sent", ["soon", "YYYYMMDD000000-HHMM", "2026-13-40", 1773212400, "11/03/2026", {"at": 1}, "9" * 500]
)
def test_an_unreadable_date_is_null_with_a_note_and_the_article_lives(sent):
    article = one(FIRE | {"version_created": sent})
    assert article.version_created is None
    assert "version_created" in article.parse_notes[0]


def test_an_embargo_survives_ingest():
    assert one(FIRE | {"embargoed": "2026-03-11T12:00:00+01:00"}).embargoed == "2026-03-11T12:00:00+01:00"


def test_what_is_read_can_be_read_again():
    first = one(
        FIRE
        | {
            "headline": "UPDATE 2-CORRECTED-Port fire",
            "body": [" Eds: Adds mayor ", "It\x00burns.", {"text": "S", "kind": "heading"}],
        }
    )
    assert one(orjson.dumps(msgspec.to_builtins(first))) == first


def test_provider_may_come_from_the_command_line_or_a_sidecar():
    bare = {k: v for k, v in FIRE.items() if k != "provider"}
    assert one(bare, provider="Cli").provider == "Cli"
    assert one(bare, provider="Cli", sidecar=b"provider: Side").provider == "Side"
    assert one(FIRE, provider="Cli").provider == "Nordwire"
    assert reasons(bare, sidecar=b"provider: [a]") == [("wrong_type", "sidecar.provider")]


@pytest.mark.parametrize("status", [{"pub_status": "canceled"}, {"pub_status": "withheld"}, {"update_kind": "release"}])
def test_a_kill_hold_or_release_needs_no_copy(status):
    assert one({"provider": "Nordwire", "uri": "nw:1"} | status).is_ending


def test_pictures_are_named_as_skipped_and_a_kill_of_one_is_an_article():
    parsed = wire.parse(orjson.dumps(FIRE | {"item_kind": "picture"}), source="x")
    assert [(s.kind, s.uri) for s in parsed.skipped] == [("picture", "nw:1")]
    assert not parsed.articles
    killed = one(FIRE | {"item_kind": "picture", "pub_status": "canceled"})
    assert (killed.item_kind, killed.update_kind, killed.body) == ("picture", "kill", ())


def test_an_editors_command_is_read_from_the_log():
    line = {
        "command": "pin",
        "id": "c1",
        "stories": ["s"],
        "inputs": ["a", "b"],
        "by": "desk",
        "at": "2026-03-11T07:00:00Z",
    }
    parsed = wire.parse(orjson.dumps(FIRE) + b"\n" + orjson.dumps(line), source="x")
    assert parsed.articles[1] == Command(
        command="pin", id="c1", by="desk", at="2026-03-11T07:00:00Z", stories=("s",), inputs=("a", "b")
    )


@pytest.mark.parametrize(
    "change, reason",
    [
        ({"command": "delete"}, "wrong_type"),
        ({"stories": ["only one"]}, "incomplete_command"),
        ({"by": None}, "incomplete_command"),
        ({"at": "notadate"}, "wrong_type"),
        ({"at": "2026-13-11T07:00:00Z"}, "wrong_type"),
        ({"inputs": "x", "stories": 4}, "wrong_type"),
    ],
)
def test_a_command_that_cannot_be_obeyed_is_rejected(change, reason):
    merge = {"command": "merge", "id": "c1", "stories": ["a", "b"], "by": "desk", "at": "2026-03-11T07:00:00Z"}
    assert [r for r, _ in reasons(merge | change)] == [reason]


def test_one_malformed_line_leaks_nothing_into_the_next():
    lines = [
        orjson.dumps(FIRE | {"slugline": "ONE", "urgency": 1, "embargoed": "never"}),
        b'{"provider": "Nordwire", "uri": "nw:2", "slugline": "BROKEN", "urgency": ',
        b"[]",
        orjson.dumps({"provider": "Nordwire", "uri": "nw:3", "headline": "Three"}),
    ]
    parsed = wire.parse(b"\n".join(lines), source="day.jsonl")
    assert [a.uri for a in parsed.articles] == ["nw:1", "nw:3"]
    assert parsed.articles[1] == one({"provider": "Nordwire", "uri": "nw:3", "headline": "Three"})
    assert [(e.reason, e.position) for e in parsed.rejected] == [
        ("broken_json", "line 2 column 73"),
        ("not_an_object", "line 3"),
    ]


def test_a_broken_first_line_does_not_stop_the_file():
    parsed = wire.parse(b'{"provider": \n' + (orjson.dumps(FIRE) + b"\n") * 2, source="day.jsonl")
    assert (len(parsed.articles), [e.position for e in parsed.rejected]) == (2, ["line 1 column 13"])


def test_an_envelope_has_a_limit_and_deep_nesting_too():
    small = wire.Limits(items=2, depth=5)
    assert reasons([FIRE] * 3, limits=small) == [("too_large", "$")]
    assert reasons(FIRE | {"x": [[[[[[]]]]]]}, limits=small) == [("too_deep", "$")]
    assert reasons(b'{"uri": ' + b"[" * 5000) == [("too_deep", "$")]


def test_an_oversized_line_is_rejected_and_its_neighbours_go_on():
    parsed = wire.parse(
        b"\n".join([orjson.dumps(FIRE), orjson.dumps(FIRE | {"x": "y" * 3000}), orjson.dumps(FIRE)]),
        source="x",
        limits=wire.Limits(item=2000),
    )
    assert (len(parsed.articles), [(e.reason, e.position) for e in parsed.rejected]) == (2, [("too_large", "line 2")])


def test_json_in_cp1252_is_read_with_a_note():
    parsed = wire.parse(
        b'{"provider": "p", "uri": "1", "headline": "Caf\xe9"}\n{"provider": "p", "uri": "2", "headline": "Caf\xc3\xa9"}',
        source="x",
    )
    assert [a.headline for a in parsed.articles] == ["Café", "Café"], (
        "line by line: one charset does not spoil the other"
    )
    assert [a.parse_notes for a in parsed.articles] == [("not UTF-8: read as cp1252",), ()]
