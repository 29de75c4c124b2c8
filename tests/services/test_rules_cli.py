"""`rules check|test` and `watch`, as a person or a program calls them."""

from __future__ import annotations

import json
import re

import pytest
from typer.testing import CliRunner

from services.cli import app
from services.core.errors import WritethruError
from tests.builders import ROOT

SEEDS = ROOT / "seeds"


def writethru(*arguments, code=0):
    done = CliRunner().invoke(app, list(map(str, arguments)))
    assert done.exit_code == code, done.output
    return done


def test_rules_test_prints_a_line_per_rule_and_event():
    lines = [json.loads(line) for line in writethru("rules", "test", "--archive", SEEDS, "--json").stdout.splitlines()]
    assert all({"rule", "fired", "reason", "event", "story_id"} <= set(line) for line in lines)
    told = writethru("replay", SEEDS, "--json").stdout.splitlines()
    assert len(lines) == 2 * len(told)
    assert {json.loads(event)["id"] for event in told} == {line["event"] for line in lines}
    assert all(line["reason"] for line in lines)


def test_the_same_archive_makes_the_same_alerts_with_the_same_ids():
    first, second = (writethru("rules", "test", "--archive", SEEDS, "--alerts").stdout for _ in range(2))
    assert first == second
    ids = [json.loads(line)["id"] for line in first.splitlines()]
    assert len(set(ids)) == len(ids) > 20


def test_a_bad_file_ends_with_1_and_a_missing_archive_with_2(tmp_path):
    bad = tmp_path / "rules.yaml"
    bad.write_text("rules:\n  - name: a\n    when: {pusch: true}\n")
    assert f"{bad}:3: " in writethru("rules", "check", bad, code=1).stderr
    assert f"{bad}:3: " in writethru("rules", "test", "--rules", bad, "--archive", SEEDS, code=1).stderr
    with pytest.raises(WritethruError, match="no such file"):  # which ends the process with 2, as everywhere
        app(["rules", "test", "--archive", str(tmp_path / "none")])


@pytest.mark.parametrize(
    ("seed", "standing", "said"),
    [("0822_lantern_mayor.txt", "withdrawn", "hoax"), ("1006_lantern_results_tessel.txt", "current", ""), ("0741_courier_blast.txt", "overtaken", "toll")],
)  # fmt: skip
def test_ones_own_copy_is_told_what_became_of_its_source(seed, standing, said):
    found = json.loads(
        writethru("watch", SEEDS / seed, "--archive", SEEDS, "--json", code=int(standing != "current")).stdout
    )
    assert found["standing"] == standing
    assert found["built_on"]["provider"] in ("Nordwire", "Meridian Press")
    assert said in json.dumps(found["since"])


def test_who_still_runs_the_old_toll_is_named():
    found = writethru("watch", SEEDS / "0741_courier_blast.txt", "--archive", SEEDS, code=1).stdout
    assert "yours is built on Nordwire take 2" in found
    assert "yours still says 12, the wire now 15" in found
    assert re.search(r"^The Lantern still runs Nordwire take 3 .*: https://lantern.example/", found, re.MULTILINE)
    assert "Harrow Bay Courier" not in found, "that is oneself"


def test_a_text_that_nobody_sent_is_built_on_nothing():
    writethru("watch", ROOT / "LICENSE", "--archive", SEEDS, code=2)
