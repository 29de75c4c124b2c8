"""The command line as people and programs meet it: what goes to stdout, what to stderr, and with which exit code."""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from services.contract.codec import encode
from services.core.wire import FORMATS
from services.runtime.pace import LONGEST_WAIT, Pace
from tests.builders import BUDGET, FERRY, at, make

OLD = make("a", FERRY, version_created=at("07:00"), headline="Ferry burns off Tarmouth")
NEW = make("b", (FERRY[0].replace("12 people", "15 people"), *FERRY[1:], "Divers will search the car deck at first light."),
           version_created=at("07:30"), headline="Ferry burns off Tarmouth")  # fmt: skip


def writethru(*args, environment=None, stdin=None):
    """The installed command, as a process of its own."""
    command = Path(sys.executable).with_name("writethru")
    return subprocess.run(
        [command, *map(str, args)], capture_output=True, text=True, input=stdin, check=False, timeout=100,
        env={**os.environ, "COLUMNS": "100", **(environment or {})},
    )  # fmt: skip


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


@pytest.fixture
def takes(tmp_path):
    for name, article in (
        ("old.json", OLD),
        ("new.json", NEW),
        ("other.json", make("c", BUDGET, headline="Budget passes")),
    ):
        (tmp_path / name).write_bytes(encode(article))
    return tmp_path


class TestParse:
    def test_an_article_a_line(self, takes):
        done = writethru("parse", takes / "old.json", takes / "new.json")
        assert done.returncode == 0
        assert [a["uri"] for a in lines(done.stdout)] == ["a", "b"]
        assert done.stderr == ""

    def test_rejects_are_named_on_stderr_and_the_neighbours_go_on(self, takes):
        (takes / "bad.json").write_text('{"provider": "p", "uri": ')
        done = writethru("parse", takes / "bad.json", takes / "old.json")
        assert done.returncode == 1
        assert [a["uri"] for a in lines(done.stdout)] == ["a"]
        assert [r["rejected"] for r in lines(done.stderr)] == ["broken_json"]

    def test_an_unknown_format_is_a_usage_error(self, takes):
        done = writethru("parse", "--format", "morse", takes / "old.json")
        assert done.returncode == 2
        assert "morse" in done.stderr

    def test_help_names_every_format_and_each_is_accepted(self, takes):
        shown = writethru("parse", "--help").stdout
        for name in ("auto", "json", *FORMATS):
            assert re.search(rf"\b{name}\b", shown)
        done = writethru("parse", "--format", "json", takes / "old.json")
        assert [a["uri"] for a in lines(done.stdout)] == ["a"]

    def test_a_path_that_is_not_there(self, tmp_path):
        done = writethru("parse", tmp_path / "nowhere")
        assert (done.returncode, done.stdout) == (2, "")
        assert "no such file" in done.stderr


BAD = {
    "empty.txt": (b"", "empty"),
    "blank.txt": (b" \n\t\n", "empty"),
    "binary.bin": (bytes(range(256)) * 20, "binary"),
    "huge.txt": (b"The tide came in. " * 2_900_000, "too_large"),
    "broken.json": (b'{"provider": "p", "uri": "u", "body": ["x"', "broken_json"),
    "no-uri.json": (b'{"provider": "p", "body": ["x"]}', "missing_uri"),
    "no-provider.json": (b'{"uri": "u", "body": ["x"]}', "missing_provider"),
    "no-copy.json": (b'{"provider": "p", "uri": "u"}', "no_content"),
    "deep.json": (b"[" * 100_000, "too_deep"),
    "wrong.json": (b'{"provider": "p", "uri": "u", "body": [3]}', "wrong_type"),
    "news.xml": (b'<?xml version="1.0"?><news guid="x"/>', "unknown_format"),
    "broken.xml": (b'<?xml version="1.0"?><newsItem guid="x"><itemMeta>', "broken_xml"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_rejected_by_name_and_the_neighbours_go_on(tmp_path, name):
    data, reason = BAD[name]
    (tmp_path / name).write_bytes(data)
    (tmp_path / "zz-neighbour.json").write_bytes(encode(OLD))
    done = writethru("replay", tmp_path, "--json")
    assert done.returncode == 0
    (rejected,) = lines(done.stderr)
    assert rejected["rejected"] == reason
    assert rejected["detail"]
    assert [e["data"]["version"]["uri"] for e in lines(done.stdout)] == ["a"]


def test_other_charsets_are_read_with_a_note(tmp_path):
    (tmp_path / "a.txt").write_bytes("Der Bürgermeister sagte „nein“ – und ging.".encode("cp1252"))
    (tmp_path / "b.txt").write_bytes("\ufeffZwölf Boote liefen aus.".encode())
    done = writethru("parse", tmp_path)
    one, two = lines(done.stdout)
    assert one["body"][0]["text"] == "Der Bürgermeister sagte „nein“ – und ging."
    assert "cp1252" in " ".join(one["parse_notes"])
    assert two["body"][0]["text"] == "Zwölf Boote liefen aus."
    assert two["parse_notes"] == []


class TestDiff:
    def test_the_change_as_json(self, takes):
        done = writethru("diff", takes / "old.json", takes / "new.json", "--json")
        (change,) = lines(done.stdout)
        assert [(n["before"], n["after"]) for n in change["numbers"]] == [("12", "15")]
        assert change["new_development"]["is"]
        assert {p["op"] for p in change["paragraphs"]} == {"modified", "added"}

    def test_for_a_person(self, takes):
        done = writethru("diff", takes / "old.json", takes / "new.json")
        assert done.returncode == 0
        assert "12 → 15" in done.stdout
        assert "Divers will search" in done.stdout
        assert "Fog kept" not in done.stdout
        assert "Fog kept" in writethru("diff", takes / "old.json", takes / "new.json", "--all").stdout

    def test_to_look_at_beside_each_other_or_on_a_page(self, takes):
        beside = writethru("diff", takes / "old.json", takes / "new.json", "--side-by-side")
        assert (beside.returncode, "[-12-]" in beside.stdout, "{+15+}" in beside.stdout) == (0, True, True)
        page = writethru("diff", takes / "old.json", takes / "new.json", "--html")
        assert (page.returncode, page.stdout.startswith("<!doctype html>")) == (0, True)
        assert ("<del>12</del><ins>15</ins>" in page.stdout, "Fog kept" in page.stdout) == (True, True)
        both = writethru("diff", takes / "old.json", takes / "new.json", "--html", "--json")
        assert (both.returncode, both.stdout, "one of them" in both.stderr) == (2, "", True)

    def test_two_unrelated_articles_are_different_stories(self, takes):
        done = writethru("diff", takes / "old.json", takes / "other.json")
        assert "different stories" in done.stdout
        (change,) = lines(writethru("diff", takes / "old.json", takes / "other.json", "--json").stdout)
        assert (change["same_story"], change["level"], change["paragraphs"]) == (False, "none", [])
        (forced,) = lines(writethru("diff", takes / "old.json", takes / "other.json", "--json", "--force").stdout)
        assert forced["paragraphs"]

    def test_a_file_without_an_article(self, takes):
        (takes / "empty.txt").write_bytes(b"")
        done = writethru("diff", takes / "old.json", takes / "empty.txt")
        assert done.returncode == 1
        assert "no article" in done.stderr
        assert "Traceback" not in done.stderr


class TestReplay:
    def test_events_and_assignments(self, takes):
        (takes / "a.jsonl.gz").write_bytes(gzip.compress(b"\n".join(map(encode, (OLD, NEW)))))
        done = writethru("replay", takes / "a.jsonl.gz", "--json", "--assignments", takes / "out.jsonl")
        assert [e["type"].split(".")[-2] for e in lines(done.stdout)] == ["created", "updated"]
        first, second = lines((takes / "out.jsonl").read_text())
        assert list(first) == [
            "uri", "version", "story_id", "final_story_id", "relation", "action", "late", "predecessor", "score", "reason",
        ]  # fmt: skip
        assert second["predecessor"] == "a@"
        assert first["story_id"] == second["story_id"] == second["final_story_id"]

    def test_the_same_bytes_every_time_whatever_the_hash_seed(self, takes):
        runs = [
            writethru("replay", takes, "--json", environment={"PYTHONHASHSEED": seed}).stdout for seed in ("1", "2")
        ]
        assert runs[0] == runs[1] != ""

    def test_a_broken_line_of_an_archive_is_named_by_its_number(self, takes):
        (takes / "x.jsonl").write_bytes(b"\n".join((encode(OLD), b"{broken", b"plain words", encode(NEW))))
        done = writethru("replay", takes / "x.jsonl", "--json")
        assert done.returncode == 0
        assert [(r["rejected"], r["source"]) for r in lines(done.stderr)] == [
            ("broken_json", "x.jsonl:2"), ("broken_json", "x.jsonl:3"),
        ]  # fmt: skip
        assert len(lines(done.stdout)) == 2

    def test_a_truncated_archive_gives_what_it_holds_and_says_so(self, takes):
        packed = gzip.compress(b"\n".join([encode(OLD)] * 400))
        (takes / "x.jsonl.gz").write_bytes(packed[: len(packed) // 2])
        done = writethru("replay", takes / "x.jsonl.gz", "--json")
        assert [r["rejected"] for r in lines(done.stderr)] == ["unreadable"]
        assert "Traceback" not in done.stderr

    def test_a_path_that_is_not_there_fails(self, tmp_path):
        assert writethru("replay", tmp_path / "nowhere", "--json").returncode == 2

    def test_a_skip_needs_a_reason(self, takes):
        done = writethru("replay", takes, "--json", "--skip", "0:1")
        assert done.returncode == 2
        assert "--reason" in done.stderr

    def test_a_reason_without_a_skip_is_a_mistake(self, takes):
        done = writethru("replay", takes, "--json", "--reason", "poison")
        assert (done.returncode, done.stdout) == (2, "")
        assert "--skip" in done.stderr

    @pytest.mark.parametrize("offset", ["3", "99999"])
    def test_a_skip_beyond_the_end_of_the_log_is_said(self, takes, offset):
        done = writethru("replay", takes, "--json", "--skip", f"0:{offset}", "--reason", "poison")
        assert done.returncode == 0
        assert len(lines(done.stdout)) == 3
        assert (
            done.stderr
            == f"writethru: --skip 0:{offset}: the log has 3 records, counted from 0; nothing was left out\n"
        )

    @pytest.mark.parametrize("skip", ["0:" + "9" * 5_000, "1:0", "0:-1", "0"])
    def test_a_skip_that_names_no_record(self, takes, skip):
        assert writethru("replay", takes, "--skip", skip, "--reason", "poison").returncode == 2

    def test_a_skipped_record_makes_no_event(self, takes):
        done = writethru("replay", takes, "--json", "--skip", "0:0", "--reason", "poison")
        assert len(lines(done.stdout)) == 2

    @pytest.mark.parametrize("speed", ["0", "-1", "fast", "inf", "nan"])
    def test_a_speed_that_is_none(self, takes, speed):
        assert writethru("replay", takes, "--json", "--speed", speed).returncode == 2

    def test_a_pace_slower_than_the_clock_can_sleep_is_no_error(self, monkeypatch):
        slept = []
        monkeypatch.setattr("time.sleep", slept.append)
        pace = Pace(1e-300)
        for moment in ("1826-01-01T00:00:00Z", "2026-01-01T00:00:00Z"):
            pace.wait(moment)
        assert slept == [0.0, LONGEST_WAIT]

    def test_for_a_person_a_line_per_arrival(self, takes):
        done = writethru("replay", takes / "old.json", takes / "new.json")
        assert "UPDATE 1" in done.stdout
        assert "12 → 15" in done.stdout

    def test_hidden_files_readmes_and_expectations_are_no_input(self, takes):
        for name in (".hidden.json", "README.md", "old.json.expected.json", "old.meta.yaml"):
            (takes / name).write_text("provider: nobody" if name.endswith("yaml") else "not an article")
        (takes / ".git").mkdir()
        (takes / ".git" / "x.txt").write_text("not an article")
        done = writethru("replay", takes, "--json")
        assert [e["data"]["version"]["uri"] for e in lines(done.stdout)] == ["b", "a", "c"]
        assert done.stderr == ""

    def test_a_folder_is_read_in_byte_order_of_path(self, tmp_path):
        for name in ("b/1.txt", "a.txt", "B.txt", "a/2.txt"):
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text(f"The {name} line stands alone here.")
        done = writethru("parse", tmp_path)
        assert [a["uri"] for a in lines(done.stdout)] == ["B.txt", "a.txt", "a/2.txt", "b/1.txt"]


def test_explain_says_why(takes):
    done = writethru("explain", "b", "--archive", takes / "old.json", "--archive", takes / "new.json")
    assert done.returncode == 0
    assert "the same text" in done.stdout
    assert writethru("explain", "nobody", "--archive", takes / "old.json").returncode == 1


def test_a_bad_setting_fails_at_start_with_the_variables_name(takes):
    done = writethru("replay", takes, environment={"WRITETHRU_WINDOW_ARTICLES": "lots"})
    assert done.returncode == 2
    assert "WRITETHRU_WINDOW_ARTICLES" in done.stderr
    assert "Traceback" not in done.stderr


def test_help_teaches_and_every_command_has_one():
    done = writethru("--help")
    for command in ("parse", "diff", "replay", "demo", "explain", "schemas"):
        assert command in done.stdout
        assert writethru(command, "--help").returncode == 0


def test_version():
    assert writethru("--version").stdout.startswith("writethru 0.")


def in_shell(line):
    """A shell line, `writethru` being the installed command."""
    command = Path(sys.executable).with_name("writethru")
    return subprocess.run(
        ["bash", "-c", f'set -o pipefail; writethru() {{ {command} "$@"; }}; {line}'],
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip


@pytest.mark.parametrize("how", ["--json", ""], ids=["events", "film"])
def test_a_closed_pipe_ends_quietly_whether_early_or_at_the_last_flush(takes, how):
    done = in_shell(f"writethru replay {takes} {how} | true")
    assert (done.returncode, done.stderr) == (141, "")


def test_a_closed_pipe_of_help_ends_quietly():
    done = in_shell("writethru --help | true")
    assert (done.returncode in (0, 141), done.stderr) == (True, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
@pytest.mark.parametrize(
    "line",
    [
        "replay {takes} --json >/dev/full",
        "replay {takes} >/dev/full",
        "parse {takes} >/dev/full",
        "diff {takes}/old.json {takes}/new.json >/dev/full",
        "schemas >/dev/full",
        "replay {takes} --json --assignments /dev/full >/dev/null",
        "replay {takes} --json --assignments {takes} >/dev/null",
        "schemas {takes}/old.json/x",
        "schemas /proc/x",
        "parse {takes} >&-",
    ],
)
def test_output_that_cannot_be_written_is_one_line_and_a_usage_error(takes, line):
    done = in_shell(f"writethru {line.format(takes=takes)}")
    assert done.returncode == 2
    assert done.stderr.startswith("writethru: ")
    assert done.stderr.count("\n") == 1


def test_a_closed_stderr_does_not_spill_into_the_results(takes):
    (takes / "bad.json").write_text('{"provider": "p", "uri": ')
    done = in_shell(f"writethru parse {takes} 2>&-")
    assert done.returncode == 1
    assert sorted(a["uri"] for a in lines(done.stdout)) == ["a", "b", "c"]


def test_the_demo_shows_a_film_a_correction_a_kill_and_the_score():
    done = writethru("demo", "--pace", "0")
    assert done.returncode == 0
    for words in (
        "One story, as it arrives",
        "UPDATE 1",
        "0 new",
        "CORRECTED",
        "reverses",
        "still run by",
        "plain diff",
    ):
        assert words in done.stdout
    assert done.stderr == ""


def test_an_item_without_a_word_is_rejected_and_what_it_says_is_shown(tmp_path):
    stub = tmp_path / "stub.json"
    stub.write_text('{"uri": "urn:n:1", "type": "text", "version": "2", "profile": "text"}')
    done = writethru("parse", stub, "--provider", "n")
    assert done.returncode == 1
    assert json.loads(done.stderr)["rejected"] == "no_content"
    assert (json.loads(done.stdout)["uri"], json.loads(done.stdout)["version"]) == ("urn:n:1", "2")
    assert writethru("replay", stub, "--json", "--provider", "n").stdout == ""
