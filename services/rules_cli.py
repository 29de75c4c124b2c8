"""`writethru rules`, `watch` and `deliveries`: what would ring and why not, what became of a text, what did not arrive."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from services.operate import kafka_errors

if TYPE_CHECKING:
    from services.contract.rules import Rules
    from services.contract.settings import Settings
    from services.core.alerting.alert import Alert
    from services.core.alerting.desk import Alerting
    from services.core.alerting.watch import Version, Watched
    from services.core.article import Article, Command
    from services.local import Pipeline

rules_app = typer.Typer(no_args_is_help=True, help="rules.yaml: which changes ring, where, and how seldom.")

deliveries_app = typer.Typer(no_args_is_help=True, help="Alerts that did not arrive: list them, send them again.")

Archive = Annotated[
    list[Path], typer.Option(help="Files, folders or archives in any wire format; more than once.", show_default=False)
]
Provider = Annotated[
    str | None, typer.Option(help="Provider of plain text that has no sidecar or front matter.", show_default="file")
]


def register(app: typer.Typer) -> None:
    """Add these commands to `writethru`."""
    app.add_typer(rules_app, name="rules")
    app.command()(watch)
    app.add_typer(deliveries_app, name="deliveries")


@rules_app.command("check")
def rules_check(
    file: Annotated[
        Path | None, typer.Argument(help="As `run alerter --rules` takes it.", show_default="the pack that ships")
    ] = None,
    secrets: Annotated[
        bool, typer.Option(help="Also look whether the variables that hold the secrets are set here.")
    ] = True,
) -> None:
    """Name every mistake with its line, exit 1; or a line for each rule, if there is none."""
    rules = _read_rules(file, secrets=secrets)
    for rule in rules.rules:
        where = ", ".join(rule.channels) or "nowhere"
        _line(f"{rule.name}: to {where}".encode())


@rules_app.command("test")
def rules_test(
    archive: Archive,
    rules: Annotated[Path | None, typer.Option(help="rules.yaml.", show_default="the pack that ships")] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="A line per rule and event: {rule, fired, reason, event, story_id, …}.")
    ] = False,
    alerts: Annotated[bool, typer.Option("--alerts", help="The alerts as JSON lines instead.")] = False,
    provider: Provider = None,
) -> None:
    """Replay an archive and say what would have rung and why, at the time of its own log.

    What still waits at the end goes out when its time comes. Exit 1 for mistakes in the rules, 2 when an archive cannot be read.
    """
    from services.contract.codec import encode
    from services.core.alerting.desk import Alerting

    read = _read_rules(rules, secrets=False)
    desk = Alerting(read.rules, everything=True)
    for silence in read.silences:
        desk.silence(silence)
    pipeline = _pipeline()
    now = datetime(1970, 1, 1, tzinfo=UTC)
    silent: Counter[tuple[str, str]] = Counter()
    rung: Counter[str] = Counter()
    for record in _records(archive, provider):
        for event in pipeline.feed(record).events():
            now = max(now, _time_of(event.recordedtime) or now)
            for alert in _due(desk, now):
                _tell(alert, rung, as_json=as_json, alerts=alerts)
            for ruling in desk.feed(event, now):
                if as_json:
                    _line(encode(ruling))
                if not ruling.fired:
                    silent[ruling.rule, ruling.code] += 1
            for alert in desk.tick(now):
                _tell(alert, rung, as_json=as_json, alerts=alerts)
    for alert in _due(desk, None):
        _tell(alert, rung, as_json=as_json, alerts=alerts)
    if not as_json and not alerts:
        _sum_up(read, rung, silent)


def watch(
    file: Annotated[
        Path, typer.Argument(help="The published text, in any wire format or a web page.", show_default=False)
    ],
    archive: Archive,
    as_json: Annotated[bool, typer.Option("--json", help="What was found, as JSON.")] = False,
    provider: Provider = None,
) -> None:
    """Say what a text of your own is built on, what became of that since, and who else still runs an old version.

    Exit 0 if it stands, 1 if it was overtaken, corrected, held or withdrawn, 2 if the archive does not hold its story.
    """
    from services.contract.codec import encode
    from services.core.alerting.watch import watch as look
    from services.core.article import Article

    pipeline = _pipeline()
    rows, events = [], []
    for record in _records(archive, provider):
        outcome = pipeline.feed(record)
        if not outcome.step.redelivered:
            rows.append(outcome.step.row)
            events += list(outcome.events())
    mine = [item for item in _records([file], provider or "mine") if isinstance(item, Article)]
    if not mine:
        _fail(f"{file}: no article in it")
    article = mine[-1]
    found = look(article, pipeline.feed(article).step.row, rows, events)
    if as_json:
        _line(encode(found))
    else:
        for told in _in_words(found):
            _line(told.encode())
    raise typer.Exit(2 if found.built_on is None else 0 if found.standing == "current" else 1)


@rules_app.command("acknowledge")
def rules_acknowledge(
    story: Annotated[str, typer.Argument(help="The story's id.", show_default=False)],
    by: Annotated[str, typer.Option(help="Who is on it.", show_default=False)],
) -> None:
    """Say "on it": copies of the story ring no more, its developments do."""
    from services.alerter.dead import say
    from services.contract.messages import AlertCommand
    from services.core.times import iso

    with kafka_errors():
        say(_settings(), AlertCommand(command="acknowledge", by=by, at=iso(datetime.now(UTC)), story=story))


@deliveries_app.command("list")
def deliveries_list(
    as_json: Annotated[bool, typer.Option("--json", help="JSON lines, with the whole alert.")] = False,
) -> None:
    """Every delivery that was given up and is still kept, with its number and why; and channels that are switched off."""
    from services.alerter.dead import given_up, switched_off
    from services.contract.codec import encode
    from services.runtime.lifecycle import Stop

    settings = _settings()
    with kafka_errors():
        for number, one in given_up(settings, Stop().install()):
            if as_json:
                _line(b'{"number":%d,%s' % (number, encode(one)[1:]))
            else:
                _line(f"{number:>6}  {one.made}  {one.channel}  {one.error}: {one.alert.title}".encode())
        for name, endpoint in switched_off(settings, Stop()).items():
            if not as_json:
                _line(f"switched off since {endpoint.at}: {name}: {endpoint.why}".encode())


@deliveries_app.command("retry")
def deliveries_retry(
    numbers: Annotated[
        list[int] | None, typer.Argument(help="As `deliveries list` gives them.", show_default=False)
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="All of them.")] = False,
) -> None:
    """Send deliveries on their way again, under their old ids; exit 1 if there is no such number."""
    from services.alerter.dead import given_up, send_again
    from services.runtime.lifecycle import Stop

    if bool(numbers) == everything:
        _fail("wants numbers, or --all")
    settings = _settings()
    with kafka_errors():
        found = {
            number: one
            for number, one in given_up(settings, Stop().install())
            if everything or number in (numbers or ())
        }
        send_again(settings, list({one.id: one for one in found.values()}.values()), datetime.now(UTC))
    missing = sorted(set(numbers or ()) - found.keys())
    print(f"writethru: {len(found)} on their way again", file=sys.stderr)  # noqa: T201
    if missing:
        print(f"writethru: no delivery {', '.join(map(str, missing))}", file=sys.stderr)  # noqa: T201
        raise typer.Exit(1)


@deliveries_app.command("enable")
def deliveries_enable(
    channel: Annotated[str, typer.Argument(help="As `deliveries list` names it.", show_default=False)],
    by: Annotated[str, typer.Option(help="Who says so.")] = "operator",
) -> None:
    """Deliver again to a channel that was switched off because it answered 410."""
    from services.alerter.dead import switch_on

    with kafka_errors():
        switch_on(_settings(), channel, by, datetime.now(UTC))


# -- in words ----------------------------------------------------------------------------------------------------------


def _in_words(found: Watched) -> Iterator[str]:
    base = found.built_on
    if base is None:
        yield "the archive holds nothing that this text is built on"
        return
    yield f"yours is built on {_named(base)}"
    if found.standing == "current":
        yield "that version stands"
    for each in found.since:
        verb = {
            "withdrawn": "killed it",
            "held": "put it on hold",
            "corrected": "corrected it",
            "released": "released it",
        }
        what = verb.get(each.type, each.summary)
        note = each.note if each.type in verb else None
        yield f"{'! ' if each.push else '  '}{_named(each.version)}: {what}{f': {note}' if note else ''}"
    for number in found.outdated:
        yield f"yours still says {number.before}, the wire now {number.after} ({number.context})"
    for one in found.still_run:
        yield f"{one.outlet or one.provider} still runs {_named(one.runs)}: {one.url or one.uri}"


def _named(version: Version) -> str:
    take = f"take {version.take}" if version.take else version.ref
    return f"{version.provider} {take}{f' of {version.at}' if version.at else ''}"


def _tell(alert: Alert, rung: Counter[str], *, as_json: bool, alerts: bool) -> None:
    from services.contract.codec import encode

    rung[alert.rule] += 1
    if alerts:
        _line(encode(alert))
    elif not as_json:
        held = f"  (held: {alert.held})" if alert.held else ""
        _line(f"{alert.at}  {alert.rule}: {alert.title}{f' — {alert.summary}' if alert.summary else ''}{held}".encode())
        for why in alert.events[-1].why[:3]:
            _line(f"{'':22}· {why}".encode())


def _sum_up(read: Rules, rung: Counter[str], silent: Counter[tuple[str, str]]) -> None:
    for rule in read.rules:
        why = ", ".join(f"{code} {count}" for (name, code), count in sorted(silent.items()) if name == rule.name)
        _line(f"{rule.name}: {rung[rule.name]} alerts; silent: {why or 'never'}".encode())


# -- shared ------------------------------------------------------------------------------------------------------------


def _due(desk: Alerting, until: datetime | None) -> Iterator[Alert]:
    """The alerts that are due up to a time, each at its own; all that wait where that is None."""
    while (due := desk.memory.next_due()) is not None and (until is None or due < until):
        yield from desk.tick(due)


def _time_of(text: object) -> datetime | None:
    from services.core.times import instant

    return instant(text) if isinstance(text, str) else None


def _read_rules(file: Path | None, *, secrets: bool) -> Rules:
    """The rules of a file, or those that ship; what is wrong is printed, exit 1."""
    from services.contract.rules import BadRules, default_rules, read_rules

    try:
        data, name = (file.read_bytes(), str(file)) if file is not None else default_rules()
        return read_rules(data, name, os.environ if secrets else None)
    except OSError as error:
        _fail(f"{file}: {error.strerror}")
    except BadRules as error:
        print(error, file=sys.stderr)  # noqa: T201
        raise typer.Exit(1) from None


def _settings() -> Settings:
    from services.contract.settings import Settings

    try:
        import kafka  # noqa: F401
        import standardwebhooks  # noqa: F401
    except ModuleNotFoundError as error:
        _fail(f"{error.name} is not installed; pip install 'writethru[kafka,alerts]'")
    return Settings.from_environment(os.environ)


def _pipeline() -> Pipeline:
    from services.contract.settings import Settings
    from services.core.grouping.state import Window
    from services.local import Pipeline

    settings = Settings.from_environment(os.environ)
    return Pipeline(clock=datetime.now(UTC), window=Window(settings.window_articles, settings.window_days))


def _records(paths: list[Path], provider: str | None) -> Iterator[Article | Command]:
    from services.contract.settings import Settings
    from services.runtime.archive import read

    limits = Settings.from_environment(os.environ).limits
    for path in paths:
        for parsed in read(path, provider=provider, limits=limits):
            for rejected in parsed.rejected:
                print(f"writethru: rejected: {rejected}", file=sys.stderr)  # noqa: T201
            yield from parsed.articles


def _line(data: bytes) -> None:
    sys.stdout.buffer.write(data + b"\n")


def _fail(message: str, code: int = 2) -> NoReturn:
    print(f"writethru: {message}", file=sys.stderr)  # noqa: T201
    raise typer.Exit(code)
