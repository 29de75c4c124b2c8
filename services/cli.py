"""`writethru`: the command line. For programs JSON lines on stdout and honest exit codes, for people colour and tables.

Everything that is not a result goes to stderr. Exit codes: 0 done, 1 something was rejected or differs from what was asked,
2 the call or PATH cannot be used.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Generator, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any, NoReturn

import msgspec
import orjson
import typer

from services import __version__, operate, rules_cli, state_cli

if TYPE_CHECKING:
    from services.contract.settings import Settings
    from services.core.article import Article, Command
    from services.core.wire import Parsed
    from services.local import Pipeline

app = typer.Typer(
    name="writethru",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    help="""Tell a newsroom what changed.

Writethru reads newswires, knows which articles are one story, and says which paragraphs changed, what kind of change each
is, and whether a desk should be interrupted.

Try: `writethru demo`, then `writethru diff OLD NEW` on two takes of a story of yours.""",
)

Paths = Annotated[
    list[Path],
    typer.Argument(help="Files or folders in any wire format, or .jsonl[.gz] of Article JSON.", show_default=False),
]
Provider = Annotated[
    str | None, typer.Option(help="Provider of plain text that has no sidecar or front matter.", show_default="file")
]


def main() -> None:
    """The entry point. A closed pipe ends quietly, a known error or output that cannot be written is one line on stderr."""
    from services.core.errors import WritethruError

    if sys.stderr is None:  # closed by the caller: print would turn to stdout
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115  # as long as the process lives
    if sys.stdout is None:
        _fail("stdout is closed: there is nowhere to write to")
    try:
        try:
            app()
        finally:
            sys.stdout.flush()  # what does not fit shows here, not in a traceback at exit
    except WritethruError as error:
        _fail(str(error))
    except BrokenPipeError:
        _end_unread()
    except OSError as error:
        _write_no_more()
        _fail(f"{error.filename or 'output cannot be written'}: {error.strerror or error}")
    except SystemExit as error:
        if isinstance(error.__context__, BrokenPipeError):  # typer and rich make a 1 of it
            _end_unread()
        raise


def _end_unread() -> NoReturn:
    _write_no_more()
    raise SystemExit(141)


def _write_no_more() -> None:
    """No second error at exit, when what is left in the buffer is flushed."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


WIRE_FORMATS = (
    "auto, json, article_json, ninjs, dpa, ap_media, anpa, iptc7901, agency_text, feed, html_page, mail, newsml_g2, newsml_12, "
    "nitf or plain."
)


@app.command()
def parse(
    files: Paths,
    form: Annotated[str, typer.Option("--format", help=WIRE_FORMATS)] = "auto",
    provider: Provider = None,
) -> None:
    """Turn wire files into Article JSON, one per line.

    Rejected and skipped items are named on stderr as JSON lines; exit 1 if any was rejected. An item with neither headline nor
    copy is rejected and shown all the same: what it says may be wanted, though it is nothing for the log.
    """
    from services.contract.codec import encode
    from services.core.wire import FORMATS

    if form not in ("auto", "json", *FORMATS):
        _fail(f"--format {form}: there are auto, json, {', '.join(sorted(FORMATS))}")
    rejected = 0
    for parsed in _read(files, _settings(), provider, form):
        rejected += len(parsed.rejected)
        for item in (*parsed.articles, *(error.bare for error in parsed.rejected if error.bare)):
            _line(encode(item))
    raise typer.Exit(1 if rejected else 0)


@app.command()
def diff(
    old: Annotated[Path, typer.Argument(help="The earlier version, in any wire format.", show_default=False)],
    new: Annotated[Path, typer.Argument(help="The later version.", show_default=False)],
    as_json: Annotated[bool, typer.Option("--json", help="The change object as JSON.")] = False,
    side_by_side: Annotated[bool, typer.Option("--side-by-side", help="The two texts beside each other.")] = False,
    as_html: Annotated[bool, typer.Option("--html", help="One self-contained HTML page, to look at or print.")] = False,
    everything: Annotated[bool, typer.Option("--all", help="Show unchanged paragraphs too.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Align even two different stories.")] = False,
    provider: Provider = None,
) -> None:
    """Show what changed between two versions of a story: what is new, and what is only noise."""
    from services.contract.codec import encode
    from services.core.meaning.compare import compare

    if as_json + side_by_side + as_html > 1:
        _fail("--json, --side-by-side and --html: one of them")
    settings = _settings()
    earlier, later = _one_article(old, settings, provider), _one_article(new, settings, provider)
    change = compare(earlier, later, check_same_story=not force)
    if as_json:
        _line(encode(change))
    elif as_html:
        from services.pages.html import redline_page

        _line(redline_page(earlier, later, change, everything=everything).encode(errors="replace"))
    elif side_by_side:
        from services.terminal.side_by_side import show_side_by_side

        show_side_by_side(earlier, later, change, everything=everything)
    else:
        from services.terminal.redline import show_change

        show_change(earlier, later, change, everything=everything)


@app.command()
def replay(
    paths: Paths,
    as_json: Annotated[bool, typer.Option("--json", help="Events as JSON lines on stdout.")] = False,
    assignments: Annotated[
        Path | None,
        typer.Option(help="Write here, per input article, which story it was given and why.", show_default=False),
    ] = None,
    speed: Annotated[
        str, typer.Option(help="max, or how many times faster than the archive's own pace (1, 60).")
    ] = "max",
    skip: Annotated[
        list[str] | None,
        typer.Option(help="EDITION:OFFSET of a record to leave out; needs --reason.", show_default=False),
    ] = None,
    reason: Annotated[
        str | None, typer.Option(help="Why the records of --skip are left out.", show_default=False)
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=64,
            help="Processes that read the articles and make the events, beside the one that decides; 0: none.",
            show_default="as many as pay, in a long archive with --json",
        ),
    ] = None,
    provider: Provider = None,
) -> None:
    """Run the whole pipeline over an archive on this machine and print the story events.

    Rejected items are named on stderr as JSON lines and the rest goes on; exit 2 when PATH cannot be read.
    """
    from services.contract.codec import encode
    from services.local import Assignments, enough_workers, replay_encoded
    from services.local import replay as run
    from services.runtime.memory import collect_seldom
    from services.terminal.film import Film
    from services.terminal.progress import counting

    collect_seldom()
    pace = _pace(speed)
    skips = _skips(skip or [], reason)
    settings = _settings()
    pipeline = _pipeline(settings, skips)
    kept = Assignments() if assignments else None
    film = None if as_json else Film()
    with contextlib.ExitStack() as stack:
        out = stack.enter_context(_written(assignments)) if assignments else None
        parts = _read(paths, settings, provider)
        records = counting((item for parsed in parts for item in parsed.articles), show=as_json)
        told: Generator[Any, None, None]
        if film is None:
            hands, records = enough_workers(records) if workers is None else (workers, records)
            hands = 0 if pace else hands  # at an archive's own pace each event comes with its article
            told = replay_encoded(records, pipeline, workers=hands)
        else:
            told = ((outcome, outcome.events()) for outcome in run(records, pipeline))
        count = 0
        for count, (outcome, events) in enumerate(stack.enter_context(contextlib.closing(told)), 1):  # noqa: B007
            if pace:
                pace.wait(outcome.step.row.log_time)
            if kept is not None:
                kept.add(outcome)
            for event in events:
                if film is not None:
                    film.show(event)
                else:
                    _line(event)
        if kept is not None and out is not None:
            for line in kept.final(pipeline.state):
                out.write(encode(line) + b"\n")
    if film is not None:
        film.close()
    for offset in sorted(offset for offset in skips if offset >= count):
        _say(f"--skip 0:{offset}: the log has {count} records, counted from 0; nothing was left out")


@app.command()
def explain(
    uri: Annotated[str, typer.Argument(help="The article's identifier, or its input id.", show_default=False)],
    archive: Annotated[
        list[Path] | None, typer.Option(help="Archive to replay.", show_default="the newsday in seeds/")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The decision rows as JSON lines.")] = False,
    provider: Provider = None,
) -> None:
    """Say why an article was put where it is: candidates, scores, vetoes, threshold, from the stored decision."""
    from services.contract.codec import encode
    from services.local import replay as run
    from services.terminal.explain import show_row

    settings = _settings()
    pipeline = _pipeline(settings, {})
    records = (item for parsed in _read(archive or [seeds()], settings, provider) for item in parsed.articles)
    found = 0
    for outcome in run(records, pipeline):
        row = outcome.step.row
        if (
            outcome.step.redelivered
            or row.article is None
            or uri not in (row.article.uri, row.input_id, row.article.ref)
        ):
            continue
        found += 1
        if as_json:
            _line(encode(row))
        else:
            show_row(row, pipeline.rows)
    if not found:
        _fail(f"no article {uri} in the archive", code=1)


@app.command()
def demo(
    pace: Annotated[float, typer.Option(help="Seconds between the lines of the film.", min=0.0, max=10.0)] = 0.6,
    port: Annotated[int, typer.Option(help="For the desk's page, once the desk exists.", hidden=True)] = 8000,  # noqa: ARG001
    no_browser: Annotated[bool, typer.Option("--no-browser", hidden=True)] = False,  # noqa: ARG001
) -> None:
    """Watch a day's news arrive: what is new, what is noise, and what a plain diff would have rung for."""
    from services.terminal.demo import show_demo

    settings = _settings()
    pipeline = _pipeline(settings, {})
    records = [item for parsed in _read([seeds()], settings, None) for item in parsed.articles]
    show_demo(records, pipeline, pace=pace)


@app.command()
def schemas(
    folder: Annotated[
        Path | None,
        typer.Argument(help="Write the files here instead of printing them.", show_default=False),
    ] = None,
) -> None:
    """The JSON Schemas of what crosses the product's edges, and the AsyncAPI document of its topics."""
    from services.contract.asyncapi import document
    from services.contract.codec import PUBLIC, json_schema
    from services.contract.feeds import Feeds
    from services.contract.rules import RulesFile
    from services.core.alerting.alert import Alert, Ruling

    kinds: dict[str, type[msgspec.Struct]] = {
        **PUBLIC,
        "alert": Alert,
        "ruling": Ruling,
        "rules": RulesFile,
        "feeds": Feeds,
    }
    written = {f"{name}.schema.json": json_schema(kind) for name, kind in kinds.items()}
    written["asyncapi.json"] = document(__version__)
    for name, plain in written.items():
        text = orjson.dumps(plain, option=orjson.OPT_INDENT_2)
        if folder is None:
            _line(text)
        else:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(text + b"\n")


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"writethru {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None: ...


# -- what the commands share -------------------------------------------------------------------------------------------


def seeds() -> Path:
    """The newsday that comes with the product: in the wheel, or in the checkout."""
    here = Path(__file__).parent
    packed = here / "seeds"
    return packed if packed.is_dir() else here.parent / "seeds"


def _settings() -> Settings:
    from services.contract.settings import Settings

    return Settings.from_environment(os.environ)


def _pipeline(settings: Settings, skips: dict[int, str]) -> Pipeline:
    from services.core.grouping.state import Window
    from services.local import Pipeline

    window = Window(settings.window_articles, settings.window_days)
    return Pipeline(clock=datetime.now(UTC), window=window, skips=skips)


def _read(paths: list[Path], settings: Settings, provider: str | None, form: str = "auto") -> Iterator[Parsed]:
    """Parse every input under the paths; name what is rejected or skipped on stderr, and go on."""
    from services.runtime.archive import read

    for path in paths:
        for parsed in read(path, provider=provider, limits=settings.limits, form=form):
            for rejected in parsed.rejected:
                _complain(
                    rejected=rejected.reason, detail=rejected.detail, source=rejected.source, position=rejected.position
                )
            for skipped in parsed.skipped:
                _complain(skipped=skipped.kind, source=skipped.source, uri=skipped.uri, position=skipped.position)
            yield parsed


def _one_article(path: Path, settings: Settings, provider: str | None) -> Article:
    """The article in a file; with several, the last one says how the story stands."""
    from services.core.article import Article

    articles: list[Article | Command] = []
    for parsed in _read([path], settings, provider):
        articles += [item for item in parsed.articles if isinstance(item, Article)]
    if not articles:
        _fail(f"{path}: no article in it", code=1)
    last = articles[-1]
    assert isinstance(last, Article)
    return last


def _skips(skips: list[str], reason: str | None) -> dict[int, str]:
    if skips and not (reason and reason.strip()):
        _fail("--skip needs --reason: it is written into the log")
    if reason is not None and not skips:
        _fail("--reason without --skip: there is no record to leave out")
    found = {}
    for text in skips:
        edition, _, offset = text.partition(":")
        if edition != "0" or not offset.isascii() or not offset.isdigit() or len(offset) > 18:
            _fail(f"--skip {text}: wants EDITION:OFFSET; a replay is edition 0")
        found[int(offset)] = str(reason)
    return found


def _pace(speed: str) -> Any:
    from services.runtime.pace import Pace

    times = operate.times_faster(speed)
    return Pace(times) if times else None


@contextlib.contextmanager
def _written(path: Path) -> Iterator[IO[bytes]]:
    """The file, open for writing; what its disk or its folder does not take ends the process with its name."""
    try:
        file = path.open("wb")
    except OSError as error:
        _fail(f"{path}: {error.strerror}")
    try:
        yield file
    finally:
        try:
            file.close()
        except OSError as error:
            _fail(f"{path}: {error.strerror}")


def _line(data: bytes) -> None:
    sys.stdout.buffer.write(data + b"\n")


def _complain(**what: str | None) -> None:
    print(orjson.dumps({k: v for k, v in what.items() if v is not None}).decode(), file=sys.stderr)  # noqa: T201


def _say(message: str) -> None:
    with contextlib.suppress(OSError):  # stderr may be full or closed too; the exit code still says it
        print(f"writethru: {message}", file=sys.stderr)  # noqa: T201


def _fail(message: str, code: int = 2) -> NoReturn:
    _say(message)
    raise SystemExit(code)


operate.register(app)
rules_cli.register(app)
state_cli.register(app)

if __name__ == "__main__":
    main()
