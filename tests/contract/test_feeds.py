"""feeds.yaml: each mistake by its line, in words that help."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from pathlib import Path

import jsonschema
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from services.contract.codec import json_schema
from services.contract.feeds import ArchiveFeed, BadFeeds, Feeds, FolderFeed, PolledFeed, PushFeed, read_feeds, seconds
from tests.builders import ROOT

HEAD = "feeds:\n"


def mistakes(text: str, environment=None) -> list[str]:
    with pytest.raises(BadFeeds) as raised:
        read_feeds(text.encode(), "feeds.yaml", Path("/srv"), environment)
    return str(raised.value).splitlines()


def test_the_example_is_good_and_shows_every_kind():
    example = ROOT / "deploy" / "feeds.example.yaml"
    keys = {"FEED_KEY_TARMOUTH": "k" * 24, "FEED_AUTHORIZATION_GULF": "Bearer x"}
    feeds = read_feeds(example.read_bytes(), example.name, example.parent, keys)
    assert {type(feed) for feed in feeds.feeds.values()} == {FolderFeed, PolledFeed, PushFeed, ArchiveFeed}
    fields = {name for kind in (FolderFeed, PolledFeed, PushFeed, ArchiveFeed) for name in kind.__struct_fields__}
    text = example.read_text()
    assert [name for name in sorted(fields) if f"{name}:" not in text] == []


@pytest.mark.parametrize(
    ("lines", "line", "says"),
    [
        ("a: {kind: folder, path: in}\n  b:\n    kind: rss\n    url: https://x.example/f\n    every: often", 6, "every: wants a length of time"),
        ("a: {kind: folder}", 2, "missing required field `path`"),
        ("a:\n    kind: folder\n    path: in\n    pth: in", 5, "unknown field `pth`"),
        ("a: {kind: carrier-pigeon}", 2, "Invalid value 'carrier-pigeon'"),
        ("a: {kind: folder, path: in, zone: Europe/Atlantis}", 2, "no time zone"),
        ("a: {kind: folder, path: in, zone: ../../etc/passwd}", 2, "no time zone"),
        ("a: {kind: folder, path: in, edition: 16}", 2, "edition"),
        ("a: {kind: folder, path: in, rate: fast}", 2, "items in a time"),
        ("a: {kind: folder, path: in}\n  a: {kind: folder, path: out}", 3, "stands twice"),
        ("a: {kind: folder, path: in}\n  b: {kind: folder, path: in/sub}", 3, "take each other's files"),
        ("a: {kind: rss, url: 'file:///etc/passwd'}", 2, "http:// or https://"),
        ("a: {kind: rss, url: 'https://me:secret@x.example/'}", 2, "holds a password"),
        ("a: {kind: rss, url: 'http://127.0.0.1/feed'}", 2, "allow_private"),
        ("a: {kind: push, key: WRITETHRU_KEY}", 2, "are settings"),
        ("a: {kind: push, key: K}\n  b: {kind: push, key: K}", 3, "the key of a too"),
        ("a: {kind: folder, path: in}\n  b: {kind: archive, path: old, speed: max}", 3, "delay the live feed a"),
        ("a: {kind: folder, path: in, provider: x, only: [y]}", 2, "own provider"),
        ("A B: {kind: folder, path: in}", 2, "small letters"),
        ("a: [1, 2]", 2, "Expected `object`"),
        ("a: {kind: folder, path: [in", 3, ""),
    ],
)  # fmt: skip
def test_a_mistake_is_named_with_its_line(lines, line, says):
    (told,) = mistakes(f"{HEAD}  {lines}\n")
    assert told.startswith(f"feeds.yaml:{line}: ")
    assert says in told


def test_all_mistakes_are_told_at_once_in_the_order_of_the_file():
    told = mistakes("listen: nowhere\nfeeds:\n  a: {kind: folder}\n  b: {kind: rss, url: x}\n  c: 3\nstray: 1\n")
    assert [one.split(":")[1] for one in told] == ["1", "3", "4", "5"]


@pytest.mark.parametrize(
    "text", ["", "[]", "feeds:", "feeds: {}", "just words", "feeds: &a [*a]", "a: " + "[" * 3_000, "\0"]
)
def test_what_is_no_list_of_feeds_is_said_in_one_line(text):
    assert mistakes(text)[0].startswith("feeds.yaml:1: ")


def test_a_secret_that_is_missing_or_short_is_named_and_never_shown():
    text = "feeds:\n  a: {kind: push, key: KEY_A}\n  b: {kind: push, key: KEY_B}\n"
    told = mistakes(text, {"KEY_B": "hunter2"})
    assert told[0] == "feeds.yaml:2: feeds.a.key: the variable KEY_A is not set"
    assert "too short" in told[1]
    assert "hunter2" not in "".join(told)
    assert "same key" in mistakes(text, {"KEY_A": "k" * 20, "KEY_B": "k" * 20})[0]


def test_norwegian_is_a_language():
    feeds = read_feeds(b"feeds:\n  a: {kind: folder, path: in, language: no}\n", "f", Path("/srv"))
    assert feeds.feeds["a"].language == "no"


def test_paths_start_beside_the_file():
    feeds = read_feeds(
        b"feeds:\n  a: {kind: folder, path: ../in}\n  b: {kind: folder, path: /abs}\n", "f", Path("/srv/x")
    )
    assert [feed.path for feed in feeds.feeds.values()] == ["/srv/in", "/abs"]  # type: ignore[union-attr]


def test_lengths_of_time():
    assert [seconds(one) for one in ("90s", "20m", "2h", "1d")] == [90, 1_200, 7_200, 86_400]


def test_a_file_that_multiplies_itself_ends_at_once():
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 8)]
    assert "values" in mistakes("\n".join(lines))[0]


WORDS = st.sampled_from(["feeds:", "  a:", "    kind: folder", "    path: in", " kind: rss", "{", "}", "[", "&a", "*a", "- ", "!!int x",
                         "!!python/object:os.system", "? ", "|", "\t", "<<: *a", "2026-01-01", "~", "'", '"', "\x85", "\ud7ff"])  # fmt: skip


@given(st.lists(WORDS, max_size=12).map("\n".join).map(str.encode) | st.binary(max_size=80))
def test_any_bytes_are_feeds_or_mistakes(data):
    with suppress(BadFeeds):
        read_feeds(data, "feeds.yaml", Path("/srv"), {})


def test_a_file_as_large_as_an_archive_is_refused_before_it_is_read():
    assert "256 KiB" in mistakes("feeds:\n" + "  a: {kind: folder, path: in}\n" * 10_000)[0]


def test_the_schema_in_docs_is_that_of_the_types_and_takes_the_samples():
    schema = json.loads((ROOT / "docs" / "schemas" / "feeds.schema.json").read_bytes())
    assert schema == json.loads(json.dumps(json_schema(Feeds))), "run `make schemas`"
    valid = jsonschema.Draft202012Validator(schema)
    for name in ("feeds.example.yaml", "feeds.compose.yaml"):
        sample = yaml.load((ROOT / "deploy" / name).read_bytes(), yaml.SafeLoader)
        for feed in sample["feeds"].values():
            if feed.get("language") is False:
                feed["language"] = "no"  # as read_feeds reads it
        valid.validate(sample)
    assert not valid.is_valid({"feeds": {"a": {"kind": "folder"}}})
    assert not valid.is_valid({"feeds": {"a": {"kind": "push", "key": "a b"}}})
    assert not valid.is_valid({"feeds": {}})


def test_a_file_of_nothing_but_brackets_ends_at_once():
    began = time.process_time()
    assert "nests deeper" in mistakes("feeds: " + "[" * 100_000)[0]
    assert "nests deeper" in mistakes("feeds: " + "{a: " * 3_000)[0]
    assert time.process_time() - began < 1
