"""The two real articles it all began with: two sites' copies of two takes of one agency story. Read, never copied."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.builders import shared


def replay(*paths):
    command = Path(sys.executable).with_name("writethru")
    done = subprocess.run(
        [command, "replay", *map(str, paths), "--json"], capture_output=True, text=True, check=True, timeout=100
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture(scope="module")
def takes():
    return sorted(shared("seeds").glob("*.txt"))


@pytest.fixture(scope="module")
def told(takes):
    return replay(takes[0].parent)


def by_after(event):
    return {side["index"]: entry for entry in event["data"]["change"]["paragraphs"] for side in entry["after"]}


def test_created_then_updated(told):
    assert [event["type"] for event in told] == ["org.writethru.story.created.v1", "org.writethru.story.updated.v1"]
    assert len({event["subject"] for event in told}) == 1


def test_the_re_angled_lead_and_the_aircraft_are_new(told):
    after = by_after(told[1])
    assert after[0]["development"] == "new_fact"
    assert after[1]["op"] == "added"
    assert "SU-25" in after[1]["after"][0]["text"]
    assert after[1]["development"] == "new_fact"
    assert told[1]["data"]["change"]["new_development"]["is"]
    assert told[1]["data"]["change"]["push"]["is"]


def test_the_departure_of_the_first_group_is_background(told):
    entry = by_after(told[1])[2]
    assert (entry["op"], entry["development"]) == ("added", "context_added")


def test_64_quotes_and_dashes_are_noise(told):
    change = told[1]["data"]["change"]
    assert change["noise"]["quotes"] > 10
    assert change["noise"]["dashes"] > 0
    typographic = [e for e in change["paragraphs"] if e["op"] == "typographic"]
    assert len(typographic) >= 10
    assert {e["development"] for e in typographic} == {"none"}


def test_the_moved_ones_moved(told):
    moved = {entry["after"][0]["index"] for entry in told[1]["data"]["change"]["paragraphs"] if entry["moved"]}
    assert {3, 7, 11, 12} == moved


def test_66_replayed_again_the_same_bytes(told, takes):
    assert replay(takes[0].parent) == told


def test_the_same_input_twice_in_one_log_yields_no_second_update(told, takes):
    assert replay(takes[0], takes[1], takes[0], takes[1]) == told


@pytest.mark.parametrize("providers", [("site-a", "site-a"), ("site-a", "site-b")])
def test_65_in_reverse_order_the_late_item_joins_and_is_marked(takes, tmp_path, providers):
    for take, name, provider, hour in zip(takes, ("b.txt", "a.txt"), providers, ("17", "19"), strict=True):
        shutil.copy(take, tmp_path / name)
        (tmp_path / f"{name}.meta.yaml").write_text(
            f"provider: {provider}\nversion_created: 2016-03-1{5 if hour == '17' else 6}T{hour}:00:00+00:00\n"
        )
    first, second = replay(tmp_path)
    assert first["subject"] == second["subject"]
    assert [first["type"].split(".")[-2], second["type"].split(".")[-2]] == ["created", "joined"]
    assert [first["data"]["decision"]["late"], second["data"]["decision"]["late"]] == [False, True]
    assert second["data"]["version"]["provider"] == providers[0]
