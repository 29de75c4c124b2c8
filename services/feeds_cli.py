"""`writethru feeds check` and `writethru export`: what comes in, and what goes out to a CMS."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated

import orjson
import typer

if TYPE_CHECKING:
    from services.core.events import Event

feeds_app = typer.Typer(
    no_args_is_help=True, help="feeds.yaml: which wires come in. `run publisher --feeds` runs them."
)


def register(app: typer.Typer) -> None:
    """Add these commands to `writethru`."""
    app.add_typer(feeds_app, name="feeds")
    app.command()(export)


@feeds_app.command("check")
def feeds_check(
    file: Annotated[Path, typer.Argument(help="As `run publisher --feeds` takes it.", show_default=False)],
    secrets: Annotated[
        bool, typer.Option(help="Also look whether the variables that hold the secrets are set here.")
    ] = True,
) -> None:
    """Name every mistake with its line, exit 1; or a line for each feed, if there is none."""
    import os

    from services.contract.feeds import ArchiveFeed, BadFeeds, FolderFeed, PolledFeed, read_feeds

    try:
        feeds = read_feeds(file.read_bytes(), str(file), file.resolve().parent, os.environ if secrets else None)
    except OSError as error:
        print(f"writethru: {file}: {error.strerror}", file=sys.stderr)  # noqa: T201
        raise typer.Exit(2) from None
    except BadFeeds as error:
        print(error, file=sys.stderr)  # noqa: T201
        raise typer.Exit(1) from None
    for name, feed in feeds.feeds.items():
        if isinstance(feed, FolderFeed | ArchiveFeed):
            where = feed.path + ("" if Path(feed.path).exists() else "  (not there yet)")
        else:
            where = (
                f"{feed.url} every {feed.every}"
                if isinstance(feed, PolledFeed)
                else f"POST http://{feeds.listen}/v1/articles"
            )
        print(f"{name}: {type(feed).__struct_config__.tag}, edition {feed.edition}, {feed.stamp}: {where}")  # noqa: T201


def export(
    file: Annotated[
        Path | None, typer.Argument(help="Events as JSON lines, as replay and tail print them.", show_default="stdin")
    ] = None,
    whole: Annotated[
        bool, typer.Option("--stories", help="One item per story, as it stands after the last event.")
    ] = False,
) -> None:
    """Print events as IPTC ninjs 3.0, an item a line, so that a CMS can take them.

    Without --stories, each event's article is an item. Lines that are no event are named on stderr; exit 1 if there were any.
    """
    from services.core.wire.ninjs_out import ninjs, stories

    bad: list[int] = []
    with file.open("rb") if file is not None else sys.stdin.buffer as lines:
        events = _events(lines, bad)
        for item in stories(events) if whole else (ninjs(event) for event in events):
            if item is not None:
                sys.stdout.buffer.write(orjson.dumps(item) + b"\n")
                if not whole:
                    sys.stdout.buffer.flush()  # `tail --json | export` is a feed
    raise typer.Exit(1 if bad else 0)


def _events(lines: IO[bytes], bad: list[int]) -> Iterator[Event]:
    from services.contract.codec import decode
    from services.core.errors import UndecodableMessage
    from services.core.events import Event

    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            event = decode(line, Event)
        except UndecodableMessage as error:
            bad.append(number)
            print(f"writethru: line {number}: {error}", file=sys.stderr)  # noqa: T201
            continue
        yield event
