"""The demo: a day's news in under a minute. The replay is done before the film begins; the pauses are for reading."""

from __future__ import annotations

import sys
import time
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from rich.console import Console
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from services.core.article import Article, Command
from services.core.events import Event, event_kind
from services.local import Outcome, Pipeline, replay
from services.terminal.film import Film, Tally, differs, fresh

MOST_LINES = 10
"""Arrivals of the one story that is shown as a film."""


def show_demo(records: Iterable[Article | Command], pipeline: Pipeline, *, pace: float) -> None:
    """Replay the records, then show: one story, a correction, a kill, the day's score, and how to try one's own."""
    out = Console(highlight=False)
    outcomes = list(replay(records, pipeline))
    events = [event for outcome in outcomes for event in outcome.events()]
    if not events:
        out.print("There is nothing in seeds/ to show.")
        return

    out.print(
        "[bold]Writethru[/] reads every wire, knows which articles are one story, and tells a newsroom what changed.\n"
    )
    star = _star(events)
    out.print(Rule(f"One story, as it arrives: {_title(star)}", align="left", style="dim"))
    film = Film(out)
    for event in star[:MOST_LINES]:
        film.show(event)
        time.sleep(pace)

    turns = [_first(events, "corrected"), _first(events, "withdrawn")]
    if any(turns):
        out.print()
        out.print(Rule("What reverses earlier copy", align="left", style="dim"))
        for event in filter(None, turns):
            _reversal(out, event, outcomes)
            time.sleep(pace)

    out.print()
    out.print(Rule("The day", align="left", style="dim"))
    out.print(_board(outcomes, events))
    command = _command()
    out.print(f"\nTry yours: [bold]{command} diff a.txt b.txt[/] on two versions of a story,")
    out.print(f"           [bold]{command} replay FOLDER[/] on a day of your own wire.")


def _command() -> str:
    """How to call the program from here: `make demo` leaves it in the checkout's .venv, which is not on PATH."""
    installed, here = Path(sys.prefix), Path.cwd()
    return f"{installed.relative_to(here)}/bin/writethru" if installed.is_relative_to(here) else "writethru"


def _star(events: list[Event]) -> list[Event]:
    """The story that shows most: developments on one side, copies with nothing new on the other."""
    stories: dict[str, list[Event]] = defaultdict(list)
    for event in events:
        stories[event.subject].append(event)

    def worth(told: list[Event]) -> tuple[int, int]:
        updates = sum(1 for e in told if event_kind(e) == "updated" and fresh(e.data.change))
        copies = sum(
            1 for e in told if event_kind(e) == "joined" and differs(e.data.change) and not fresh(e.data.change)
        )
        return min(updates, 4) * min(copies, 2), len(told)

    return max(stories.values(), key=worth)


def _title(events: list[Event]) -> str:
    return next((e.data.story.headline for e in reversed(events) if e.data.story.headline), "untitled")


def _first(events: list[Event], kind: str) -> Event | None:
    """The first event of a kind, rather one that names what it reverses or who still runs it."""
    found = [event for event in events if event_kind(event) == kind]
    named = (
        e
        for e in found
        if (e.data.withdrawal and e.data.withdrawal.recalls) or (e.data.correction and e.data.correction.corrects)
    )
    return next(named, found[0] if found else None)


def _reversal(out: Console, event: Event, outcomes: list[Outcome]) -> None:
    Film(out).show(event)
    correction = event.data.correction
    if correction is None or correction.corrects is None:
        return
    wrong = next((o.step.row.article for o in outcomes if o.step.row.input_id == correction.corrects), None)
    if wrong is not None:
        name = wrong.headline or wrong.ref
        text = Text(f"{'':6}reverses “{name}” ({wrong.provider})", style="magenta")
        rows = (o.step.row for o in outcomes)
        copies = (r for r in rows if (copy := r.decision.copy_of) and copy.input == correction.corrects)
        runs = dict.fromkeys(r.article.outlet or r.article.provider for r in copies if r.article)
        text.append(f"\n{'':6}still run by {', '.join(runs)}" if runs else "", style="bold red")
        out.print(text)


def _board(outcomes: list[Outcome], events: list[Event]) -> Table:
    """Counted in this very run: what came in, what a plain diff would have rung for, and what was worth ringing for."""
    tally = Tally()
    for event in events:
        tally.add(event)
    board = Table(box=None, show_header=False, padding=(0, 1))
    board.add_column(justify="right", style="bold")
    board.add_column()
    board.add_row(str(sum(isinstance(o.record, Article) for o in outcomes)), "articles in")
    board.add_row(str(len(tally.stories)), "stories")
    board.add_row(str(tally.plain), "alarms that a plain diff would have rung")
    board.add_row(str(tally.pushes), "alerts that a desk gets, kills and corrections included")
    board.add_row(str(tally.rung_for_nothing), f"of these for the {tally.joined} copies, resends and late items")
    return board
