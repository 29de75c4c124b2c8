"""`writethru` over Kafka: publish, run, topics, tail, rejected, doctor. Thin: each command names its service and its exit."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import orjson
import typer

from services import feeds_cli

if TYPE_CHECKING:
    from services.contract.settings import Settings
    from services.runtime.health import Health
    from services.runtime.lifecycle import Stop

topics_app = typer.Typer(
    no_args_is_help=True, help="The Kafka topics: create them, or check them against what is declared."
)
run_app = typer.Typer(
    no_args_is_help=True,
    help="Run one service until SIGTERM: JSON lines on stderr, /healthz, /readyz and /metrics where WRITETHRU_HEALTH says.",
)
rejected_app = typer.Typer(no_args_is_help=True, help="Bad input that was kept: list it, show it, try it again.")

Paths = Annotated[list[Path], typer.Argument(help="Files, folders or archives in any wire format.", show_default=False)]
Provider = Annotated[
    str | None, typer.Option(help="Provider of plain text that has no sidecar or front matter.", show_default="file")
]
Edition = Annotated[int, typer.Option(help="Partition of wire.articles to send to.", min=0, max=15)]
Speed = Annotated[str, typer.Option(help="max, or how many times faster than the archive's own pace (1, 60).")]


def register(app: typer.Typer) -> None:
    """Add these commands to `writethru`."""
    app.command()(publish)
    app.add_typer(run_app, name="run")
    app.command()(tail)
    app.add_typer(rejected_app, name="rejected")
    app.add_typer(topics_app, name="topics")
    app.command()(doctor)
    feeds_cli.register(app)


# -- topics ------------------------------------------------------------------------------------------------------------


@topics_app.command("create")
def topics_create() -> None:
    """Create the topics that are missing, then check them all."""
    settings = _settings()
    from services.runtime.clients import admin, wait_for_broker
    from services.runtime.lifecycle import Stop
    from services.runtime.topic_admin import create_topics, require_topics

    with kafka_errors():
        if not wait_for_broker(settings, Stop().install()):
            raise typer.Exit(1)
        with closing(admin(settings)) as client:
            for name in create_topics(client, settings):
                _line(name)
            require_topics(client, settings)


@topics_app.command("check")
def topics_check() -> None:
    """Name what is missing or other than declared; exit 1 if anything is."""
    settings = _settings()
    from services.runtime.clients import admin
    from services.runtime.topic_admin import check_topics

    with kafka_errors(), closing(admin(settings, bootstrap_timeout_ms=10_000)) as client:
        problems = check_topics(client, settings)
    for problem in problems:
        _line(problem)
    raise typer.Exit(1 if problems else 0)


@topics_app.command("acls")
def topics_acls(
    service: Annotated[str, typer.Argument(help="publisher, grouper, emitter, or reader.", show_default=False)],
) -> None:
    """Print kafka-acls.sh commands that let a user of this name do what the service does, and nothing else."""
    settings = _settings()
    from services.contract.access import READS, commands

    if service not in READS:
        _fail(f"{service}: wants {', '.join(READS)}")
    for line in commands(service, settings.topic_prefix, settings.kafka_bootstrap):
        _line(line)


# -- services ----------------------------------------------------------------------------------------------------------


def publish(
    paths: Paths, provider: Provider = None, edition: Edition = 0, speed: Speed = "max",
) -> None:  # fmt: skip
    """Publish files, folders or archives to wire.articles, once; bad input goes to wire.rejected.

    Safe to run again: the same input is known by its id. Exit 1 if anything was rejected.
    """
    settings = _settings()
    from services.publisher.worker import run
    from services.runtime import logs
    from services.runtime.health import Health
    from services.runtime.lifecycle import Stop
    from services.terminal.progress import counting

    logs.configure("publisher", "WARNING")
    times = times_faster(speed)
    with kafka_errors():
        counts = run(
            settings, Health("publisher"), Stop().install(), paths=paths, provider=provider, edition=edition, speed=times,
            counting=lambda inputs: counting(inputs, show=True, what="publish"),
        )  # fmt: skip
    if counts is None:
        _fail("stopped before the end; run it again, what was sent is known", code=1)
    _say(f"{counts.published} published, {counts.rejected} rejected, {counts.skipped} skipped")
    raise typer.Exit(1 if counts.rejected else 0)


@run_app.command("publisher")
def run_publisher(
    paths: Annotated[
        list[Path] | None, typer.Argument(help="Files, folders or archives in any wire format.", show_default=False)
    ] = None,
    feeds: Annotated[
        Path | None, typer.Option(help="feeds.yaml: all its feeds, until told to stop.", show_default=False)
    ] = None,
    provider: Provider = None, edition: Edition = 0, speed: Speed = "max",
) -> None:  # fmt: skip
    """Run the feeds of --feeds, or publish what lies under PATHS and end; rejected input is no failure."""
    times = times_faster(speed)
    if bool(paths) == bool(feeds):
        _fail("wants PATHS or --feeds FILE, one of the two")
    if feeds is not None:
        _settings()
        try:
            from services.publisher.feeds import load
        except ModuleNotFoundError as error:
            _fail(f"{error.name} is not installed; pip install 'writethru[kafka,feeds]'")
        load(feeds)  # what is wrong with it ends the call before a service begins

    def work(settings: Settings, health: Health, stop: Stop) -> None:
        if feeds is not None:
            from services.publisher.feeds import run as run_feeds

            run_feeds(settings, health, stop, feeds)
        else:
            from services.publisher.worker import run

            run(settings, health, stop, paths=paths or [], provider=provider, edition=edition, speed=times)

    _serve("publisher", work)


@run_app.command("grouper")
def run_grouper(
    skip: Annotated[
        list[str] | None, typer.Option(help="EDITION:OFFSET of a record to skip; needs --reason.", show_default=False)
    ] = None,
    reason: Annotated[
        str | None, typer.Option(help="Why the records of --skip are skipped.", show_default=False)
    ] = None,
) -> None:
    """Decide which story each article belongs to."""
    skips: dict[int, dict[int, str]] = {}
    if bool(skip) != bool(reason):
        _fail("--skip and --reason go together")
    for one in skip or []:
        edition, _, offset = one.partition(":")
        if not (edition.isdigit() and offset.isdigit()):
            _fail(f"--skip {one}: it should be EDITION:OFFSET, like 0:1234")
        skips.setdefault(int(edition), {})[int(offset)] = reason or ""

    def work(settings: Settings, health: Health, stop: Stop) -> None:
        from services.grouper.worker import run

        run(settings, health, stop, skips)

    _serve("grouper", work)


@run_app.command("emitter")
def run_emitter() -> None:
    """Turn revisions into story updated events."""

    def work(settings: Settings, health: Health, stop: Stop) -> None:
        from services.emitter.worker import run

        run(settings, health, stop)

    _serve("emitter", work)


@run_app.command("alerter")
def run_alerter(
    rules: Annotated[Path | None, typer.Option(help="rules.yaml.", show_default="the pack that ships")] = None,
) -> None:
    """Ask the rules about each event, and deliver what rings. One of them: a second takes over from the first."""
    _settings()
    try:
        from services.alerter.worker import load
    except ModuleNotFoundError as error:
        _fail(f"{error.name} is not installed; pip install 'writethru[kafka,alerts]'")
    try:
        read = load(rules)  # what is wrong with it ends the call before a service begins
    except OSError as error:
        _fail(f"{rules}: {error.strerror}")

    def work(settings: Settings, health: Health, stop: Stop) -> None:
        from services.alerter.worker import run

        run(settings, health, stop, read)

    _serve("alerter", work)


# -- looking -----------------------------------------------------------------------------------------------------------


def tail(
    story: Annotated[str | None, typer.Option(help="Only this story's events.", show_default=False)] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Events as JSON lines on stdout.")] = False,
    from_beginning: Annotated[bool, typer.Option("--from-beginning", help="Start with the oldest event.")] = False,
    follow: Annotated[bool, typer.Option("--follow/--no-follow", help="Wait for more, until ^C.")] = True,
) -> None:
    """Watch story.events as they come, a line per event."""
    settings = _settings()
    from services.contract.codec import decode
    from services.contract.topics import EVENTS
    from services.core.events import Event
    from services.runtime.lifecycle import Stop
    from services.runtime.reading import read_topic
    from services.terminal.film import Film

    film = None if as_json else Film()
    with kafka_errors():
        for record in read_topic(EVENTS, settings, Stop().install(), follow=follow, from_beginning=from_beginning):
            if story is not None and record.key != story.encode():
                continue
            if film is None:
                sys.stdout.buffer.write(record.value + b"\n")
                sys.stdout.buffer.flush()
            else:
                film.show(decode(record.value, Event))


@rejected_app.command("list")
def rejected_list(
    as_json: Annotated[bool, typer.Option("--json", help="JSON lines, without the bytes.")] = False,
) -> None:
    """Every rejected input that is still kept, with its number."""
    settings = _settings()
    from services.contract.codec import encode
    from services.publisher.rejects import kept
    from services.runtime.lifecycle import Stop

    with kafka_errors():
        for number, message in kept(settings, Stop().install()):
            if as_json:
                plain = orjson.loads(encode(message))
                _line(
                    orjson.dumps(
                        {"number": number, **{k: v for k, v in plain.items() if k not in ("kept", "sidecar")}}
                    ).decode()
                )
            else:
                where = f"{message.source or '-'}{' at ' + message.position if message.position else ''}"
                _line(f"{number:>6}  {message.at}  {message.reason:<16} {where}: {message.detail}")


@rejected_app.command("show")
def rejected_show(
    number: Annotated[int, typer.Argument(help="As `rejected list` gives it.", show_default=False)],
) -> None:
    """The bytes that were kept of one, on stdout."""
    settings = _settings()
    from services.publisher.rejects import one
    from services.runtime.lifecycle import Stop

    with kafka_errors():
        message = one(settings, Stop().install(), number)
    sys.stdout.buffer.write(message.data)
    if not message.whole:
        _say(f"the first {len(message.data):,} of {message.size:,} bytes; sha256 of all {message.sha256}")


@rejected_app.command("retry")
def rejected_retry(
    number: Annotated[int, typer.Argument(help="As `rejected list` gives it.", show_default=False)],
) -> None:
    """Read one again with this release's parsers and publish what is good; exit 1 if something is still rejected."""
    settings = _settings()
    from services.publisher.rejects import one, read_again, retry
    from services.runtime.lifecycle import Stop

    with kafka_errors():
        message = one(settings, Stop().install(), number)
        parsed = read_again(message, settings)
        counts = retry(message, parsed, settings)
    for error in parsed.rejected:
        _say(f"still rejected: {error}")
    _say(f"{counts.published} published")
    raise typer.Exit(1 if parsed.rejected else 0)


def doctor() -> None:
    """Say what is wrong with this installation and what to do; exit 1 if anything is."""
    settings = _settings()
    from rich.console import Console

    from services.runtime import logs
    from services.runtime.doctor import examine

    logs.configure("doctor", "ERROR")
    out, wrong = Console(highlight=False, soft_wrap=True), 0
    for finding in examine(settings):
        out.print("[green]ok[/]  " if finding.good else "[bold red]!![/]  ", end="")
        out.print(finding.what, markup=False)
        if not finding.good:
            wrong += 1
            out.print(f"      {finding.remedy}", markup=False, style="yellow")
    raise typer.Exit(1 if wrong else 0)


# -- shared ------------------------------------------------------------------------------------------------------------


def _serve(service: str, work: Callable[[Settings, Health, Stop], None]) -> None:
    """Logging, probes and signals around one service, and the exit code for what ends it."""
    settings = _settings()
    from services.contract.feeds import BadFeeds
    from services.core.errors import WritethruError
    from services.runtime import logs
    from services.runtime.clients import NotAllowed
    from services.runtime.health import Health
    from services.runtime.lifecycle import Again, Exit, Stop
    from services.runtime.topic_admin import WrongTopics

    logs.configure(service, settings.log_level)
    log = logs.logger("services.operate")
    health, stop = Health(service), Stop().install()
    try:
        port = health.serve(settings.health)
    except OSError as error:
        _fail(f"WRITETHRU_HEALTH: {error}")
    log.info("starting", instance=settings.instance, bootstrap=settings.kafka_bootstrap, health_port=port)
    code, why = 0, ""
    try:
        work(settings, health, stop)
    except (NotAllowed, WrongTopics, BadFeeds) as error:
        code, why = Exit.REFUSED, str(error)
    except Again as error:
        code, why = Exit.AGAIN, str(error)
    except WritethruError as error:
        code, why = Exit.BUG, str(error)
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) else Exit.BUG if error.code else 0
        code = code if code in (0, *Exit) else Exit.BUG  # Faust's own 1: an application that crashed
    except Exception as error:
        log.exception("a bug")
        code, why = Exit.BUG, repr(error)
    why = why or ("asked to stop" if stop.asked or service == "grouper" else "done")  # Faust takes the signal by itself
    (log.critical if code else log.info)("ended", code=int(code), why=why)
    sys.stderr.flush()
    raise typer.Exit(int(code))


def _settings() -> Settings:
    """The settings, once it is sure that the Kafka packages are here: the demo runs without them."""
    from services.contract.settings import Settings

    try:
        import kafka  # noqa: F401
    except ModuleNotFoundError as error:
        _fail(f"{error.name} is not installed; pip install 'writethru[kafka]'")
    return Settings.from_environment(os.environ)


@contextmanager
def kafka_errors() -> Iterator[None]:
    """What Kafka has to say against a command, in one line."""
    from kafka.errors import KafkaError

    try:
        yield
    except KafkaError as error:
        _fail(f"kafka: {error}", code=1)


def times_faster(speed: str) -> float | None:
    """What --speed says: how many times the archive's own pace, None for as fast as it goes."""
    if speed == "max":
        return None
    try:
        times = float(speed)
    except ValueError:
        times = 0.0
    if not 0 < times < float("inf"):
        _fail(f"--speed {speed}: wants max, or a number above 0")
    return times


def _line(text: str) -> None:
    print(text)  # noqa: T201


def _say(message: str) -> None:
    print(f"writethru: {message}", file=sys.stderr)  # noqa: T201


def _fail(message: str, code: int = 2) -> NoReturn:
    _say(message)
    raise typer.Exit(code)
