"""`writethru state check|export|rebuild` and `writethru purge`: what an operator does with what Kafka keeps."""

from __future__ import annotations

import gzip
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from services.operate import _fail as fail
from services.operate import _settings as settings_here
from services.operate import kafka_errors

state_app = typer.Typer(no_args_is_help=True, help="What the services remember: check it, export it, make it again.")


def register(app: typer.Typer) -> None:
    """Add these commands to `writethru`."""
    app.add_typer(state_app, name="state")
    app.command()(purge)


@state_app.command("check")
def state_check() -> None:
    """Read the grouper's rows and the emitters' marks and say what a start would find; exit 1 if anything is wrong."""
    from services.emitter.rebuild import behind
    from services.grouper.checkup import check_rows
    from services.runtime.lifecycle import Stop

    settings, stop = settings_here(), Stop().install()
    wrong = 0
    with kafka_errors():
        for found in check_rows(settings, stop):
            wrong += not found.good
            _line(f"{'ok' if found.good else '!!'}  {found.what}")
        missing = behind(settings, stop)
    wrong += bool(missing)
    _line(
        f"!!  {len(missing):,} stories have events above their mark: writethru state rebuild"
        if missing
        else "ok  every story's mark is at its last event"
    )
    raise typer.Exit(1 if wrong else 0)


@state_app.command("export")
def state_export(
    out: Annotated[Path, typer.Argument(help="NAME.jsonl or NAME.jsonl.gz, a row a line.", show_default=False)],
) -> None:
    """Write every live row to a file, for a look from outside: rows hold the articles' text."""
    from services.grouper.checkup import live_rows
    from services.runtime.lifecycle import Stop

    settings, count = settings_here(), 0
    try:
        with kafka_errors(), gzip.open(out, "wb") if out.suffix == ".gz" else out.open("wb") as file:
            for row in live_rows(settings, Stop().install()):
                file.write(row + b"\n")
                count += 1
    except OSError as error:
        fail(f"{out}: {error.strerror}")
    _say(f"{count} rows")


@state_app.command("rebuild")
def state_rebuild() -> None:
    """Make lost marks again from story.events. The emitters must be stopped.

    The grouper's table needs no command: delete its folder, and the next start makes it again from the changelog.
    """
    from services.emitter.rebuild import rebuild_marks
    from services.runtime.lifecycle import Stop

    settings = settings_here()
    with kafka_errors():
        count = rebuild_marks(settings, Stop().install())
    _say(f"{count} marks written")


def purge(
    uri: Annotated[str, typer.Argument(help="The item's identifier, as sent.", show_default=False)],
    cut: Annotated[bool, typer.Option("--cut", help="Take the text out: see docs/operations.md first.")] = False,
) -> None:
    """Say where an item's text stands in Kafka and until when; with --cut take it out as far as Kafka allows.

    --cut deletes everything in a partition that is as old as the text or older. Stop the grouper and the emitters first.
    """
    from services.contract.topics import EMITTER, GROUPER
    from services.emitter.rebuild import require_none
    from services.runtime.lifecycle import Stop
    from services.runtime.purge import cut as cut_logs
    from services.runtime.purge import empty_rows, places, summary

    settings, stop = settings_here(), Stop().install()
    with kafka_errors():
        if cut:
            for service in (GROUPER, EMITTER):
                require_none(settings, service)
        found = places(uri, settings, stop)
        if not found:
            fail(f"no record holds the text of {uri}", code=1)
        for topic, count, until in summary(found):
            when = "until its row leaves the window" if until is None else f"until {_day(until)} by retention"
            _line(f"{topic.name}: {count} record(s), {when}")
        if not cut:
            return
        for tp, begins in cut_logs(found, settings).items():
            _line(f"{tp.topic} {tp.partition}: begins at offset {begins} now")
        rows = empty_rows(uri, settings, stop)
    _line(
        f"{rows} row(s) written again without their text; the old ones leave the changelog's files within some hours. "
        f"Delete {settings.state_folder} before the grouper starts again. What subscribers have stored is theirs to delete."
    )


def _day(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1000, UTC).date().isoformat()


def _line(text: str) -> None:
    print(text)  # noqa: T201


def _say(message: str) -> None:
    print(f"writethru: {message}", file=sys.stderr)  # noqa: T201
