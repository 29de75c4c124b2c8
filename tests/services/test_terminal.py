"""What a person sees. Held by the words an editor needs, not by layout."""

from __future__ import annotations

import io
import re

import msgspec
import pytest
from rich.cells import cell_len
from rich.console import Console

from services.core.article import Command
from services.core.meaning.compare import compare
from services.local import Pipeline
from services.terminal.demo import show_demo
from services.terminal.film import Film, Tally
from services.terminal.redline import show_change
from services.terminal.side_by_side import WIDEST, show_side_by_side
from tests.builders import BUDGET, CLOCK, FERRY, UPDATED_FERRY, at, events, make, run

DRESSED = (*(text.replace("'", "’").replace(",", ", ") for text in FERRY[:-1]), f"{FERRY[-1]} — AFP")


def paper(width=180):
    return Console(file=io.StringIO(), width=width, highlight=False)


def shown(console):
    return console.file.getvalue()


def redline(old, new, **options):
    console = paper()
    show_change(old, new, compare(old, new), everything=options.get("everything", False), console=console)
    return shown(console)


def test_new_paragraphs_and_changed_figures_come_first_to_the_eye():
    text = redline(make("a"), make("b", UPDATED_FERRY))
    assert "12 → 15" in text
    assert "¶5 added · new fact" in text
    assert "nothing to tell" in text
    assert FERRY[3] not in text


def test_35_ignored_text_does_not_show_in_the_redline():
    text = redline(make("a", ['He said "no deal" - and left.']), make("b", ["He said “no deal” – and left."]))
    assert "added" not in text
    assert "removed" not in text
    assert "ignored as noise" in text


def test_a_removed_paragraph_says_where_it_was():
    assert "was ¶2 removed" in redline(make("a"), make("b", (FERRY[0], *FERRY[2:])))


def test_nothing_changed_says_so():
    assert "nothing changed" in redline(make("a"), make("b"))


def test_a_hostile_headline_is_text_and_no_markup():
    old = make("a", headline="[bold red]Ferry[/] [link=x]burns[/link]")
    assert "[bold red]Ferry[/]" in redline(old, make("b", UPDATED_FERRY, headline=old.headline), everything=True)


def film(records):
    console = paper()
    running = Film(console)
    _, outcomes = run(records)
    for event in events(outcomes):
        running.show(event)
    running.close()
    return shown(console)


def test_the_film_contrasts_an_update_with_a_copy():
    text = film([
        make(version="1", version_created=at("07:00"), headline="Ferry burns off Tarmouth"),
        make(version="2", version_created=at("07:30"), headline="Ferry burns off Tarmouth", body=UPDATED_FERRY),
        make("x", UPDATED_FERRY[:4], provider="tidende", version_created=at("07:45")),
    ])  # fmt: skip
    first, second, third = [line for line in text.splitlines() if line[:2] == "07"]
    assert "NEW STORY" in first
    assert "UPDATE 1" in second
    assert "NEW ¶1 toll 12 → 15 · more in ¶5" in second
    assert "copy" in third
    assert "0 new" in third
    assert "no alert" in text


def test_the_film_keeps_the_clock_of_its_first_item():
    text = film([
        make("a", version_created="2026-03-11T09:15:00+05:00"), make("b", BUDGET, version_created="2026-03-11T04:30:00Z"),
    ])  # fmt: skip
    assert [line[:5] for line in text.splitlines() if line[2:3] == ":"] == ["09:15", "09:30"]


def test_a_kill_names_who_still_runs_the_text():
    text = film(
        [make("a"), make("x", provider="tidende"), make("a", (), version="2", update_kind="kill", ed_note="Hoax.")]
    )
    assert "Hoax." in text
    assert "still run by tidende" in text


def test_the_score_counts_what_a_plain_diff_would_ring_for():
    _, outcomes = run([make(version="1"), make(version="2", body=DRESSED), make(version="3", body=UPDATED_FERRY)])
    tally = Tally()
    for event in events(outcomes):
        tally.add(event)
    assert (tally.articles, len(tally.stories), tally.plain) == (3, 1, 3)
    assert tally.kinds["joined"] == 1


def test_the_demo_says_so_when_there_is_nothing_to_show(capsys):
    show_demo([], Pipeline(clock=CLOCK), pace=0)
    assert "nothing in seeds" in capsys.readouterr().out


def test_the_film_says_what_is_new_where_and_whose_text_a_site_runs():
    text = film([
        make(version="1", version_created=at("07:00"), headline="Ferry burns off Tarmouth"),
        make(version="2", version_created=at("07:30"), headline="UPDATE 1-Ferry burns off Tarmouth", body=UPDATED_FERRY),
        make("x", DRESSED[:3], provider="tidende", version_created=at("07:45")),
        make("y", UPDATED_FERRY, provider="bladet", version_created=at("07:50")),
    ])  # fmt: skip
    _, second, third, fourth = [line for line in text.splitlines() if line[:2] == "07"]
    assert "NEW ¶1 toll 12 → 15 · more in ¶5" in second
    assert "copy of the first item, cut; overtaken since; ignored whitespace" in third
    assert "0 paragraphs differ, 0 new (copy of UPDATE 1)" in fourth


def test_what_an_editor_merges_rings_nothing_and_a_copy_is_counted():
    merge = Command(command="merge", id="m1", by="desk", at=at("08:00"), stories=())
    _, outcomes = run([make("a"), make("b", BUDGET)])
    first, second = (o.step.row.decision.story for o in outcomes)
    _, outcomes = run([
        make("a"), make("b", BUDGET), msgspec.structs.replace(merge, stories=(first, second)), make("x", provider="tidende"),
    ])  # fmt: skip
    tally = Tally()
    for event in events(outcomes):
        tally.add(event)
    assert tally.kinds["merged"] == 2
    assert (tally.plain, tally.joined, tally.rung_for_nothing) == (2, 1, 0)


def test_63_the_demo_names_what_a_correction_reverses_and_who_still_runs_it(capsys):
    records = [
        make(version="1", version_created=at("07:00"), headline="Ferry fire kills 12"),
        make("x", provider="tidende", outlet="Tidende", version_created=at("07:10")),
        make(
            version="2", version_created=at("07:30"), headline="CORRECTED-Ferry fire kills 15", body=UPDATED_FERRY[:4],
            ed_note="Corrects toll in paragraph 1 to 15 from 12", update_kind="correction",
        ),
    ]  # fmt: skip
    show_demo(records, Pipeline(clock=CLOCK), pace=0)
    text = capsys.readouterr().out
    assert "reverses “Ferry fire kills 12”" in text
    assert "still run by Tidende" in text
    assert "of these for the 1 copies" in text


def beside(old, new, width):
    console = paper(width)
    show_side_by_side(old, new, compare(old, new), everything=False, console=console)
    return shown(console)


@pytest.mark.parametrize("width", [80, 120, 200])
def test_side_by_side_each_text_keeps_to_its_column(width):
    text = beside(make("a"), make("b", UPDATED_FERRY), width)
    assert all(cell_len(line) <= width for line in text.splitlines())
    half = min(width, WIDEST) // 2
    left, right = (
        "\n".join(column) for column in zip(*((line[:half], line[half:]) for line in text.splitlines()), strict=True)
    )
    assert ("[-12-]" in left, "{+15+}" in right) == (True, True)
    assert ("{+15+}" in left, "[-12-]" in right) == (False, False)
    assert "¶5 added · new fact" in right
    assert "nothing to tell" in " ".join(left.split())


def test_side_by_side_wide_characters_do_not_push_the_other_column():
    text = beside(make("a", ["港口已关闭。造成3人死亡。" * 4]), make("b", ["港口已关闭。造成5人死亡。" * 4]), 80)
    assert all(cell_len(line) <= 80 for line in text.splitlines())


def test_side_by_side_what_was_removed_is_named_on_its_side_and_what_stands_is_folded():
    text = beside(make("a"), make("b", (FERRY[0], *FERRY[2:])), 120)
    assert any(line.startswith("was ¶2 removed") for line in text.splitlines())
    notice = f'In the item headlined "Ferry burns" please read in first paragraph: {UPDATED_FERRY[0]}'
    assert "¶2–¶4: 3 paragraphs stand" in beside(make("a"), make("b", [notice]), 120)


def test_where_colour_is_not_seen_edits_stand_in_brackets_and_where_it_is_they_do_not():
    old, new = make("a", ["The port of Norvik is shut today."]), make("b", ["The port of Norvik is open today."])
    assert "[-shut-] {+open+}" in redline(old, new)
    console = Console(file=io.StringIO(), width=100, force_terminal=True, highlight=False)
    show_change(old, new, compare(old, new), everything=False, console=console)
    assert "[-" not in re.sub(r"\x1b\[[0-9;]*m", "", shown(console))
    assert "\x1b[" in shown(console)


def test_text_of_the_wire_cannot_steer_the_terminal():
    evil = "The port\x1b]52;c;aGk=\x07 is \u202eshut\x1b[2J today."
    for text in (
        redline(make("a"), make("b", [evil, *FERRY], headline=evil)),
        beside(make("a"), make("b", [evil]), 80),
    ):
        assert not set("\x1b\x07\u202e") & set(text)
