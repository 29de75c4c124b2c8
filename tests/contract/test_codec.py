from __future__ import annotations

from pathlib import Path

import msgspec
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.contract.codec import PUBLIC, decode, decode_record, decode_row, encode, json_schema
from services.core.article import Article, Command, Paragraph
from services.core.change import Change
from services.core.errors import UndecodableMessage
from services.core.events import Event
from services.core.grouping.row import Row
from services.core.revision import Revision
from tests.builders import FERRY, ROOT, at, make, run

GOLD = Path(__file__).parent.parent / "gold" / "messages"
KINDS = {"article": Article, "command": Command, "row": Row, "revision": Revision, "event": Event}


def messages() -> dict[str, msgspec.Struct]:
    """One message of each kind, of a log that does not change: what `python -m tests.contract.test_codec` freezes."""
    first = make("ferry", FERRY, version="1", version_created=at("07:00"), headline="Ferry burns off Tarmouth",
                 slugline="FERRY-FIRE/", urgency="2", keywords=("ferry", "fire"))  # fmt: skip
    second = make("ferry", (FERRY[0].replace("12 people", "15 people"), *FERRY[1:]), version="2",
                  version_created=at("07:30"), headline="Ferry burns off Tarmouth, 15 dead", update_kind="update")  # fmt: skip
    _, outcomes = run([first, second])
    step = outcomes[1].step
    command = Command(command="merge", id="cmd-1", by="desk", at=at("10:00"), stories=("a", "b"))
    (event,) = outcomes[1].events()
    return {"article": first, "command": command, "row": step.row, "revision": step.revisions[0], "event": event}


@pytest.mark.parametrize("name", KINDS)
def test_frozen_messages_are_read_for_ever(name):
    """Old messages stand in topics: they must decode with every later release, and lose nothing on the way."""
    (frozen, *_) = files = sorted(GOLD.glob(f"{name}.v*.json"))
    assert files
    value = decode(frozen.read_bytes(), KINDS[name])
    written = orjson.loads(encode(value))
    kept = orjson.loads(frozen.read_bytes())
    assert {key: written[key] for key in kept} == kept


@pytest.mark.parametrize("name", KINDS)
def test_what_is_written_today_can_be_read(name):
    value = messages()[name]
    assert decode(encode(value), KINDS[name]) == value


def test_equal_values_are_equal_bytes():
    assert encode(make()) == encode(make())


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "not JSON"), (b"\xff\xfe", "not JSON"), (b"[]", "not an object"), (b"null", "not an object"),
        (b'{"provider": 3, "uri": "u"}', r"provider"), (b'{"provider": "p"}', "uri"),
        (b'{"provider": "p", "uri": "u", "body": [{"text": 1}]}', r"body\[0\]\.text"),
        (b'{"v": 2, "provider": "p", "uri": "u"}', "newer"), (b'{"v": "x", "provider": "p", "uri": "u"}', "no version"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_says_why(data, says):
    with pytest.raises(UndecodableMessage, match=says):
        decode(data, Article)


def test_a_newer_minor_version_only_adds_what_old_readers_ignore():
    assert decode(b'{"v":1,"provider":"p","uri":"u","mood":"grim"}', Article) == Article(provider="p", uri="u")


def test_a_record_is_a_command_or_an_article():
    command = messages()["command"]
    assert decode_record(encode(command)) == command
    assert decode_record(encode(make())) == make()
    with pytest.raises(UndecodableMessage):
        decode_record(b"{")


def test_a_lone_surrogate_is_refused_with_a_typed_error():
    with pytest.raises(UndecodableMessage, match="cannot be written"):
        encode(make(headline="\ud800"))


@given(st.binary(max_size=200))
def test_any_bytes_decode_or_raise_the_one_error(data):
    for kind in KINDS.values():
        try:
            decode(data, kind)
        except UndecodableMessage:
            continue


_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)


@given(st.builds(Article, provider=_text, uri=_text, headline=st.none() | _text, version=st.none() | _text,
                 keywords=st.lists(_text, max_size=3).map(tuple),
                 body=st.lists(st.builds(Paragraph, _text), max_size=4).map(tuple)))  # fmt: skip
def test_any_article_survives(article):
    assert decode(encode(article), Article) == article


@pytest.mark.parametrize("name", PUBLIC)
def test_the_schemas_in_docs_are_those_of_the_types(name):
    written = orjson.loads((ROOT / "docs" / "schemas" / f"{name}.schema.json").read_bytes())
    assert written == orjson.loads(orjson.dumps(json_schema(PUBLIC[name]))), "run `make schemas`"


def test_the_words_that_python_keeps_are_the_contracts_in_json():
    """`is` and `class` cannot be attribute names; readers see them all the same."""
    written = orjson.loads(encode(Change()))
    assert set(written["new_development"]) == {"is", "class", "reasons"}
    assert set(written["push"]) == {"is", "score", "reasons"}


def test_a_row_is_read_the_same_the_fast_way():
    """What a start does a hundred thousand times; what is no row of ours is refused in the same words."""
    row = messages()["row"]
    written = encode(row)
    old = (GOLD / "row.v1.json").read_bytes()
    assert decode_row(written) == row
    assert decode_row(old) == decode(old, Row)
    plain = orjson.loads(written)
    for wrong in (
        written[:-1], b"{}", written.replace(b'{"v":1', b'{"v":2'), orjson.dumps({**plain, "number": "seven"}),
        b'{"v":1,' + written[1:].replace(b'"v":1', b'"v":"x"', 1)[:20],
    ):  # fmt: skip
        with pytest.raises(UndecodableMessage) as slow:
            decode(wrong, Row)
        with pytest.raises(UndecodableMessage) as fast:
            decode_row(wrong)
        assert str(fast.value) == str(slow.value)


if __name__ == "__main__":  # freeze today's messages as a new generation; never overwrite an old one
    for name, value in messages().items():
        target = GOLD / f"{name}.v1.json"
        if not target.exists():
            target.write_bytes(encode(value) + b"\n")
