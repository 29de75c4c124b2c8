"""`writethru feeds check`, `run publisher --feeds` before it begins, and `export`, as people and programs meet them."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest
from typer.testing import CliRunner

from services.cli import app
from services.contract.codec import encode
from tests.builders import FERRY, ROOT, UPDATED_FERRY, at, events, make, run

GOOD = "feeds:\n  nordwire: {kind: folder, path: in}\n  tarmouth: {kind: push, key: KEY_TARMOUTH}\n"


def writethru(*args: str, stdin: bytes = b"", environment: dict[str, str] | None = None):
    return CliRunner().invoke(app, list(args), input=stdin, env=environment)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "feeds.yaml"
    path.write_text(GOOD)
    return path


def test_a_good_file_is_told_a_line_a_feed(file: Path):
    done = writethru("feeds", "check", str(file), environment={"KEY_TARMOUTH": "k" * 20})
    assert done.exit_code == 0
    assert done.stdout.splitlines() == [
        f"nordwire: folder, edition 0, live: {file.parent}/in  (not there yet)",
        "tarmouth: push, edition 0, live: POST http://127.0.0.1:8081/v1/articles",
    ]


def test_mistakes_are_named_with_file_and_line_and_secrets_are_never_shown(file: Path):
    file.write_text(GOOD + "  gulf: {kind: rss, url: here}\n")
    done = writethru("feeds", "check", str(file), environment={"KEY_TARMOUTH": "hunter2"})
    assert (done.exit_code, done.stdout) == (1, "")
    assert [line.split(": ")[0] for line in done.stderr.splitlines()] == [f"{file}:3", f"{file}:4"]
    assert "hunter2" not in done.output
    assert writethru("feeds", "check", "--no-secrets", str(file)).stderr.count("\n") == 1


def test_the_example_is_good():
    assert writethru("feeds", "check", "--no-secrets", str(ROOT / "deploy/feeds.example.yaml")).exit_code == 0


def test_a_file_that_cannot_be_read_is_2(tmp_path: Path):
    assert writethru("feeds", "check", str(tmp_path / "none.yaml")).exit_code == 2


def test_a_service_does_not_begin_with_a_wrong_file_or_without_any(file: Path):
    file.write_text("feeds: {a: {kind: folder}}")
    done = writethru("run", "publisher", "--feeds", str(file))
    assert "missing required field `path`" in str(done.exception)
    for args in ([], ["--feeds", str(file), "seeds"]):
        done = writethru("run", "publisher", *args)
        assert (done.exit_code, "one of the two" in done.stderr) == (2, True)


# -- export ------------------------------------------------------------------------------------------------------------


def happened() -> bytes:
    articles = (
        make("ferry", version="1", version_created=at("07:00")),
        make("ferry", UPDATED_FERRY, version="2", version_created=at("08:00")),
    )
    return b"".join(encode(event) + b"\n" for event in events(run(articles)[1]))


def test_events_in_ninjs_out_an_item_a_line(tmp_path: Path):
    (tmp_path / "events.jsonl").write_bytes(happened())
    piped = writethru("export", stdin=happened())
    assert piped.exit_code == 0
    assert writethru("export", str(tmp_path / "events.jsonl")).stdout == piped.stdout
    items = [orjson.loads(line) for line in piped.stdout.splitlines()]
    assert [item["version"] for item in items] == ["1", "2"]
    assert FERRY[0] in items[0]["bodies"][0]["value"]


def test_stories_as_they_stand():
    done = writethru("export", "--stories", stdin=happened())
    (item,) = [orjson.loads(line) for line in done.stdout.splitlines()]
    assert UPDATED_FERRY[0] in item["bodies"][0]["value"]


def test_a_line_that_is_no_event_is_named_and_stops_no_other():
    done = writethru("export", stdin=b"\n{broken\n[]\n" + happened())
    assert done.exit_code == 1
    assert [line.split(":")[1] for line in done.stderr.splitlines()] == [" line 2", " line 3"]
    assert len(done.stdout.splitlines()) == 2


def test_what_is_exported_can_be_parsed_again(tmp_path: Path):
    (tmp_path / "out.json").write_bytes(writethru("export", stdin=happened()).stdout.encode())
    done = writethru("parse", str(tmp_path / "out.json"))
    assert done.exit_code == 0, done.stderr
    assert [orjson.loads(line)["provider"] for line in done.stdout.splitlines()] == ["nordwire"] * 2
