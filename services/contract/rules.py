"""rules.yaml: which changes ring, where, and how seldom. Every mistake is named with its line; docs/rules.md explains the fields.

Secrets stand in the environment; the file only names their variables. Where an alert goes has an id made of its kind and
address, so that a new secret or another order of the file changes none.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Annotated, Any, Final, Literal
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta

from services.contract.settings import PREFIX
from services.contract.yaml_lines import Lines, Path
from services.core.alerting import rule as core
from services.core.alerting.hours import zone
from services.core.alerting.query import BadQuery, read_query
from services.core.errors import WritethruError
from services.core.identity import digest
from services.core.times import has_zone, instant

_NAME: Final = r"^[a-z0-9][a-z0-9._-]{0,63}$"
_VARIABLE: Final = r"^[A-Za-z_][A-Za-z0-9_]*$"
_MAIL: Final = r"^[^\s@<>,;:\"]{1,64}@[A-Za-z0-9.-]{1,255}$"
EnvironmentName = Annotated[str, Meta(pattern=_VARIABLE, description="A variable that holds the secret.")]
Address = Annotated[str, Meta(pattern=_MAIL)]
Url = Annotated[str, Meta(min_length=1, max_length=2_000)]
_PATTERNS: Final = {
    _NAME: "a name of small letters, digits, dots and dashes, up to 64",
    _VARIABLE: "the name of an environment variable",
    _MAIL: "a mail address",
    core.SPAN: "a length of time like 90s, 20m, 2h",
    core.CLOCK: "a time of day like 06:30",
    core.AMOUNT: "a number, or per cent like 10%",
}
MOST_RULES: Final = 50_000


class BadRules(WritethruError):
    """rules.yaml cannot be used; a line for each mistake, `FILE:LINE: what`."""


class _Strict(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A misspelt field is a mistake."""


class _Channel(_Strict, frozen=True, kw_only=True):
    """`embargoed`: copy under embargo may go here at once; elsewhere it waits."""

    embargoed: bool = False


class Webhook(_Channel, frozen=True, kw_only=True):
    """Standard Webhooks: `secret_env` holds the key (whsec_…), `old_secret_env` the one before it while receivers change over.

    `allow_private` lets the address lie inside our own network; without it only https to the open Internet is taken.
    """

    url: Url
    secret_env: EnvironmentName
    old_secret_env: EnvironmentName | None = None
    allow_private: bool = False


class Slack(_Channel, frozen=True, kw_only=True):
    """An incoming webhook of Slack or of a chat that takes its blocks; the address is a secret, so a variable holds it."""

    url_env: EnvironmentName
    allow_private: bool = False


class Email(_Channel, frozen=True, kw_only=True):
    """A mail to these, a thread per story, through `smtp`."""

    to: Annotated[tuple[Address, ...], Meta(min_length=1, max_length=50)]


class Topic(_Channel, frozen=True, kw_only=True):
    """The Kafka topic `alerts`."""


class Stdout(_Channel, frozen=True, kw_only=True):
    """A JSON line on the alerter's stdout."""


Channel = Webhook | Slack | Email | Topic | Stdout


class Deliver(_Strict, frozen=True, kw_only=True):
    """One place to deliver to: exactly one of these."""

    webhook: Webhook | None = None
    slack: Slack | None = None
    email: Email | None = None
    topic: Topic | None = None
    stdout: Stdout | None = None

    @property
    def channel(self) -> Channel | None:
        """The one that is set; None where that is none or several."""
        found = [getattr(self, name) for name in self.__struct_fields__ if getattr(self, name) is not None]
        return found[0] if len(found) == 1 else None


class Smtp(_Strict, frozen=True, kw_only=True):
    """The mail server. `security` none is for one on this machine."""

    host: core.Text
    port: Annotated[int, Meta(ge=1, le=65535)] = 587
    security: Literal["starttls", "tls", "none"] = "starttls"
    sender: Address
    username_env: EnvironmentName | None = None
    password_env: EnvironmentName | None = None


class FileRule(_Strict, frozen=True, kw_only=True):
    """A rule as it stands in the file. `quiet` and `mute` are one window or several."""

    name: Annotated[str, Meta(pattern=_NAME)]
    when: core.When
    deliver: Annotated[tuple[Deliver, ...], Meta(max_length=50)] = ()
    throttle: core.Throttle = core.Throttle()
    quiet: core.Window | tuple[core.Window, ...] = ()
    mute: core.Window | tuple[core.Window, ...] = ()
    max_age: core.Span = "1h"


class RulesFile(_Strict, frozen=True, kw_only=True):
    """The whole file."""

    rules: Annotated[tuple[FileRule, ...], Meta(min_length=1, max_length=MOST_RULES)]
    smtp: Smtp | None = None
    silences: tuple[core.Silence, ...] = ()


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """The file, read: rules for the desk, and the channels by the ids that the rules name."""

    rules: tuple[core.Rule, ...]
    channels: dict[str, Channel]
    smtp: Smtp | None = None
    silences: tuple[core.Silence, ...] = ()


def default_rules() -> tuple[bytes, str]:
    """The pack that ships, and its name."""
    file = files("services.alerting_defaults").joinpath("rules.yaml")
    return file.read_bytes(), "rules.yaml (default)"


def read_rules(data: bytes, name: str, environment: Mapping[str, str] | None = None) -> Rules:
    """The rules in a file called `name`. With `environment`, the variables that it names must be set.

    Raises BadRules with every mistake that was found.
    """
    lines = Lines(name, _PATTERNS)
    lines.load(data)
    plain, broken = lines.value, lines.mistakes
    if broken or not isinstance(plain, dict) or not isinstance(plain.get("rules"), list) or not plain["rules"]:
        raise BadRules(broken or f"{name}:1: wants `rules:`, and under it a list of rules, each with a name")
    found: list[FileRule] = []
    for place, value in enumerate(plain["rules"]):
        rule = _one_rule(lines, value, ("rules", str(place)))
        if rule is not None:
            found.append(rule)
            for path, what in _wrong_rule(rule, environment):
                lines.mistake(("rules", str(place), *path), f"{rule.name}: {what}")
    frame = lines.read({**plain, "rules": [{"name": "one-by-one", "when": {}}]}, RulesFile, ())
    for path, what in _wrong_together(found, plain["rules"], frame, environment):
        lines.mistake(path, what)
    if lines.mistakes or frame is None:
        raise BadRules(lines.mistakes)
    channels = {channel_id(one): one for rule in found for one in _channels(rule)}
    return Rules(
        rules=tuple(_ready(rule) for rule in found), channels=channels, smtp=frame.smtp, silences=frame.silences
    )


def _one_rule(lines: Lines, value: Any, path: Path) -> FileRule | None:
    """A rule, or None and its mistakes: each field is read by itself, so that one does not hide the others."""
    try:
        return msgspec.convert(value, FileRule)
    except msgspec.ValidationError:
        fields = value if isinstance(value, dict) and "name" in value and "when" in value else None
        for key in fields or ():
            lines.read({"name": "one-by-one", "when": {}, key: value[key]}, FileRule, path)
        if fields is None:
            lines.read(value, FileRule, path)
        return None


def channel_id(channel: Channel) -> str:
    """The id of where an alert goes: its kind, and a hash of its address."""
    kind = type(channel).__name__.lower()
    match channel:
        case Webhook():
            return f"{kind}-{digest('channel', channel.url, size=6)}"
        case Slack():
            return f"{kind}-{digest('channel', channel.url_env, size=6)}"
        case Email():
            return f"{kind}-{digest('channel', sorted(channel.to), size=6)}"
        case _:
            return kind


def _ready(rule: FileRule) -> core.Rule:
    channels = _channels(rule)
    return core.Rule(
        name=rule.name, when=rule.when, channels=tuple(dict.fromkeys(map(channel_id, channels))),
        embargoed=frozenset(channel_id(one) for one in channels if one.embargoed), throttle=rule.throttle,
        quiet=_windows(rule.quiet), mute=_windows(rule.mute), max_age=rule.max_age,
    )  # fmt: skip


def _channels(rule: FileRule) -> list[Channel]:
    return [one.channel for one in rule.deliver if one.channel is not None]


def _windows(one_or_more: core.Window | tuple[core.Window, ...]) -> tuple[core.Window, ...]:
    return (one_or_more,) if isinstance(one_or_more, core.Window) else one_or_more


# -- what a schema cannot say ------------------------------------------------------------------------------------------


def _wrong_rule(rule: FileRule, environment: Mapping[str, str] | None) -> Iterator[tuple[Path, str]]:
    if rule.when.query is not None:
        try:
            read_query(rule.when.query)
        except BadQuery as error:
            yield ("when", "query"), str(error)
    for name in ("quiet", "mute"):
        for place, window in enumerate(_windows(getattr(rule, name))):
            at = (name,) if isinstance(getattr(rule, name), core.Window) else (name, str(place))
            if zone(window.zone) is None:
                yield (*at, "zone"), f"{window.zone!r} is no time zone; it should be like Europe/Oslo"
            if window.start == window.end:
                yield (*at, "end"), f"start and end are both {window.start}: that would be never, or for ever"
    for place, one in enumerate(rule.deliver):
        at = ("deliver", str(place))
        channel = one.channel
        if channel is None:
            yield at, "wants exactly one of webhook, slack, email, topic, stdout"
        else:
            kind = type(channel).__name__.lower()
            yield from (((*at, kind, *path), what) for path, what in _wrong_channel(channel, environment))


def _wrong_channel(channel: Channel, environment: Mapping[str, str] | None) -> Iterator[tuple[Path, str]]:
    if isinstance(channel, Webhook):
        if what := wrong_url(channel.url, private=channel.allow_private):
            yield ("url",), what
        yield from _secret(("secret_env",), channel.secret_env, environment, key=True)
        yield from _secret(("old_secret_env",), channel.old_secret_env, environment, key=True)
    elif isinstance(channel, Slack):
        yield from _secret(("url_env",), channel.url_env, environment)
        url = (environment or {}).get(channel.url_env)
        if url and wrong_url(url, private=channel.allow_private):
            yield ("url_env",), f"what {channel.url_env} holds is no https address"


def _wrong_together(
    rules: list[FileRule], plain: list[Any], frame: RulesFile | None, environment: Mapping[str, str] | None
) -> Iterator[tuple[Path, str]]:
    names: set[str] = set()
    for place, value in enumerate(plain):
        name = value.get("name") if isinstance(value, dict) else None
        if isinstance(name, str):
            if name in names:
                yield ("rules", str(place), "name"), f"{name!r} stands twice: what it told could not be kept apart"
            names.add(name)
    if frame is None:
        return
    mails = any(isinstance(one, Email) for rule in rules for one in _channels(rule))
    if mails and frame.smtp is None:
        yield (), "a rule sends mail, and `smtp:` does not say through which server"
    if frame.smtp is not None:
        if (frame.smtp.username_env is None) != (frame.smtp.password_env is None):
            yield ("smtp",), "username_env and password_env go together"
        if frame.smtp.password_env and frame.smtp.security == "none":
            yield ("smtp", "security"), "a password is not sent in the open"
        for field in ("username_env", "password_env"):
            yield from _secret(("smtp", field), getattr(frame.smtp, field), environment)
    for place, silence in enumerate(frame.silences):
        at = ("silences", str(place))
        for field in ("since", "until"):
            text = getattr(silence, field)
            if text is not None and (instant(text) is None or not has_zone(text)):
                yield (*at, field), f"{text!r} is no time with its zone, like 2026-03-11T18:00:00+01:00"
        if silence.rules is None and silence.story is None and silence.query is None:
            yield at, "silences everything; name rules, a story or a query"
        for rule in silence.rules or ():
            if rule not in names:
                yield (*at, "rules"), f"there is no rule {rule!r}"
        if silence.query is not None:
            try:
                read_query(silence.query)
            except BadQuery as error:
                yield (*at, "query"), str(error)


def _secret(
    path: Path, name: str | None, environment: Mapping[str, str] | None, *, key: bool = False
) -> Iterator[tuple[Path, str]]:
    if name is None:
        return
    if name.startswith(PREFIX):
        yield path, f"{name}: variables that begin with {PREFIX} are settings; call it otherwise"
    elif environment is not None and not environment.get(name):
        yield path, f"the variable {name} is not set"
    elif environment is not None and key and not is_key(environment[name]):
        yield path, f"what {name} holds is no key of 24 to 64 bytes in base64, with or without whsec_ before it"


def is_key(text: str) -> bool:
    """Whether a text is a key as Standard Webhooks has them."""
    import base64
    import binascii

    try:
        return 24 <= len(base64.b64decode(text.removeprefix("whsec_") + "==", validate=False)) <= 64
    except (binascii.Error, ValueError):
        return False


def wrong_url(url: str, *, private: bool) -> str | None:
    """Why a webhook may not go there, as far as the address itself says; `private` allows http and our own network."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return "is no web address"
    if parts.scheme not in ("https", "http") or not host:
        return "wants an address that begins with https://"
    if parts.scheme == "http" and not private:
        return "wants https: http is for our own network, with `allow_private: true`"
    if parts.username or parts.password:
        return "holds a password: the signature is what proves us"
    try:
        literal = ipaddress.ip_address(host)
    except ValueError:
        return None
    return None if private or literal.is_global else f"{host} is not public; `allow_private: true` allows it"
