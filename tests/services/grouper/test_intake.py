"""What anybody may put on the topic: nothing is believed that can be worked out."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec
import orjson
import pytest

from services.contract.codec import encode
from services.core.article import Article, Command
from services.core.errors import RejectedInput
from services.core.identity import input_id, stamp
from services.core.wire.limits import DEFAULT
from services.grouper.intake import read_record
from tests.builders import CLOCK, make

AT = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


def read(value: bytes | None) -> Article | Command | None:
    return read_record(value, at=AT, source="wire.articles:0:7", limits=DEFAULT)


def test_a_publishers_record_is_taken_as_it_is():
    article = stamp(make(version_created="2026-03-11T07:00:00Z", headline="1st Ld-Ferry"), previous=None, clock=CLOCK)
    assert read(encode(article)) == article


def test_a_publishers_record_before_the_first_known_time_has_no_stamp_and_gets_none():
    article = stamp(make(), previous=None, clock=CLOCK)
    assert article.received_at is None
    assert read(encode(article)) == article


def test_a_record_without_stamps_gets_its_input_id_and_kafkas_time():
    article = read(
        b'{"provider": "nordwire", "uri": "n1", "headline": "UPDATE 1-Ferry burns", "body": ["Twelve died."]}'
    )
    assert isinstance(article, Article)
    assert article.received_at == "2026-11-30T12:00:00Z"
    assert article.input_id == input_id(article)
    assert article.update_number == 1  # what only the text says is read, as from a file


def test_a_forged_input_id_is_worked_out_anew():
    article = stamp(make(), previous=None, clock=CLOCK)
    forged = read(encode(msgspec.structs.replace(article, input_id="0" * 32)))
    assert isinstance(forged, Article)
    assert forged.input_id == article.input_id


@pytest.mark.parametrize("stamped", [True, False])
def test_an_item_dated_2099_does_not_empty_the_window(stamped):
    article = make(received_at="2099-01-01T00:00:00Z")
    if stamped:
        article = msgspec.structs.replace(article, input_id=input_id(article))
    read_back = read(encode(article))
    assert isinstance(read_back, Article)
    assert read_back.received_at == "2026-11-30T12:00:00Z"


def test_a_command_is_read_as_one():
    command = Command(command="pin", id="c1", by="desk", at="2026-03-11T09:00:00Z", stories=("s",), inputs=("i",))
    assert read(encode(command)) == command


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (None, "empty"), (b"", "empty"), (b"{", "broken_json"), (b'{"uri": "n1"}', "missing_provider"),
        (b'{"command": "merge", "id": "c"}', "incomplete_command"), (b"\xff\xfe\x00", "binary"), (b"[]", "empty"),
    ],
)  # fmt: skip
def test_bad_records_are_rejected_with_their_reason(value, reason):
    with pytest.raises(RejectedInput) as error:
        read(value)
    assert error.value.reason == reason
    assert error.value.source == "wire.articles:0:7"


def test_two_items_in_one_record_are_no_record():
    two = orjson.dumps([{"provider": "n", "uri": str(n), "headline": "h"} for n in range(2)])
    with pytest.raises(RejectedInput, match="one record holds one item"):
        read(two)


def test_limits_hold_for_a_record_with_a_right_input_id_too():
    article = stamp(make(body=["x" * 150_000, "y" * 150_000]), previous=None, clock=CLOCK)
    with pytest.raises(RejectedInput, match="too_large"):
        read(encode(article))


def test_a_picture_is_no_story_and_no_reject():
    assert read(b'{"provider": "nordwire", "uri": "p1", "item_kind": "picture", "headline": "Ferry"}') is None
