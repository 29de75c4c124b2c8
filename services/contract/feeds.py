"""feeds.yaml: which wires come in, from where, and what is known of each. Every mistake is named with its line.

Secrets stand in the environment; the file only names their variables.
"""

from __future__ import annotations

import ipaddress
import os.path
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

import msgspec
import yaml
from msgspec import Meta

from services.contract.settings import PREFIX
from services.contract.topics import EDITIONS
from services.core.errors import WritethruError

SHORTEST_KEY: Final = 16
"""Characters of an API key: 16 of letters and digits are 80 bits or more."""
_UNITS: Final = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}
_LARGEST: Final = 256 * 1024
"""Bytes of the file: a feed takes some 300, and YAML is read in Python, at 300 KB a second."""
_DEEPEST: Final = 8
_MOST: Final = 20_000
"""Values in the file, with those that aliases repeat: a few of these in a row could ask for millions."""

_SPAN: Final = r"^[1-9]\d{0,5}[smhd]$"
_PER_TIME: Final = r"^[1-9]\d{0,5}/[smhd]$"
_VARIABLE: Final = r"^[A-Za-z_][A-Za-z0-9_]*$"
_FEED_NAME: Final = r"^[a-z0-9][a-z0-9._-]{0,63}$"
Span = Annotated[str, Meta(pattern=_SPAN, description="A length of time: 90s, 20m, 2h, 1d.")]
PerTime = Annotated[str, Meta(pattern=_PER_TIME, description="Items in a time: 10/s, 120/m.")]
EnvironmentName = Annotated[str, Meta(pattern=_VARIABLE, description="A variable that holds the secret.")]
Name = Annotated[str, Meta(pattern=_FEED_NAME)]
Text = Annotated[str, Meta(min_length=1, max_length=200)]


class BadFeeds(WritethruError):
    """feeds.yaml cannot be used; a line for each mistake, `FILE:LINE: what`."""


class Feed(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind"):
    """What is known of any feed.

    `provider` and `language` are used where an item names none, `zone` (an IANA name) for its times without one. `only`
    names the providers that may come in by it. `stamp` live: received now; archive: received when it was made.
    `rate` bounds its items, `quiet_after` is when its silence is an alarm, `commands` lets editors' commands in.
    """

    provider: Text | None = None
    only: tuple[Text, ...] = ()
    edition: Annotated[int, Meta(ge=0, lt=EDITIONS)] = 0
    zone: Text | None = None
    language: Text | None = None
    stamp: Literal["live", "archive"] = "live"
    rate: PerTime | None = None
    quiet_after: Span | None = None
    commands: bool = False

    @property
    def seconds_per_item(self) -> float:
        """What `rate` leaves between two items; 0 where there is none."""
        if self.rate is None:
            return 0.0
        count, _, unit = self.rate.partition("/")
        return _UNITS[unit] / int(count)


class FolderFeed(Feed, frozen=True, kw_only=True, tag="folder"):
    """A hot folder, also the one that an FTP server writes to. `settle`: unchanged for so long, a file is complete.

    `sidecar` required: a file waits for its NAME.meta.yaml.
    """

    path: Text
    settle: Span = "2s"
    sidecar: Literal["optional", "required"] = "optional"


class PolledFeed(Feed, frozen=True, kw_only=True, tag="rss"):
    """RSS, Atom, or an agency's list of items in JSON or XML, fetched `every` so often.

    `follow` fetches each entry's page for its full text. `robots` false is for publishers who allow it by contract.
    `allow_private` lets the address, and what it leads to, lie inside our own network. `authorization` names the variable
    with the whole value of that header; it is sent to the feed's own origin only.
    """

    url: Annotated[str, Meta(max_length=2_000)]
    every: Span = "5m"
    follow: bool = False
    robots: bool = True
    allow_private: bool = False
    authorization: EnvironmentName | None = None


class PushFeed(Feed, frozen=True, kw_only=True, tag="push"):
    """A sender who calls `POST /v1/articles` with the key that this variable holds."""

    key: EnvironmentName


class ArchiveFeed(Feed, frozen=True, kw_only=True, tag="archive"):
    """An archive that is played once: at its own pace, or `speed` times faster, or as fast as it goes ("max")."""

    path: Text
    speed: Annotated[float, Meta(gt=0, le=1_000_000)] | Literal["max"] = 1
    stamp: Literal["live", "archive"] = "archive"


AnyFeed = FolderFeed | PolledFeed | PushFeed | ArchiveFeed


class Feeds(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole file. `listen` is where senders push to, `contact` what pollers leave in the logs of those they visit."""

    feeds: Annotated[dict[Name, AnyFeed], Meta(min_length=1)]
    listen: Annotated[str, Meta(pattern=r"^(?:[\w.-]+|\[[0-9a-fA-F:]+\]):\d{1,5}$")] = "127.0.0.1:8081"
    contact: Text | None = None

    @property
    def address(self) -> tuple[str, int]:
        """`listen` as host and port."""
        host, _, port = self.listen.rpartition(":")
        return host.strip("[]"), int(port)


def seconds(span: str) -> int:
    """A length of time of feeds.yaml."""
    return int(span[:-1]) * _UNITS[span[-1]]


def read_feeds(data: bytes, name: str, folder: Path, environment: Mapping[str, str] | None = None) -> Feeds:
    """The feeds in a file called `name`; relative paths in it start in `folder`.

    With `environment`, the variables that it names must be set. Raises BadFeeds with every mistake that was found.
    """
    plain, lines, mistakes = _compose(data, name)
    if not isinstance(plain, dict) or not isinstance(plain.get("feeds"), dict) or not plain["feeds"]:
        raise BadFeeds(
            "\n".join(mistakes) or f"{name}:1: wants `feeds:`, and under it a name and what is known for each feed"
        )
    found: dict[str, AnyFeed] = {}
    whole = {**plain, "feeds": {"checked": {"kind": "push", "key": "ONE_BY_ONE"}}}
    frame: Feeds | None = _read(whole, Feeds, (), lines, name, mistakes)
    for key, value in plain["feeds"].items():
        _read(key, Name, ("feeds", key), lines, name, mistakes)
        feed = _read(value, AnyFeed, ("feeds", key), lines, name, mistakes)
        if feed is not None:
            found[key] = _placed(feed, folder)
    for path, what in _contradictions(found, environment):
        mistakes.append(f"{name}:{_line(lines, path)}: {'.'.join(path)}: {what}")
    if mistakes or frame is None:
        raise BadFeeds("\n".join(sorted(mistakes, key=_number)))
    return msgspec.structs.replace(frame, feeds=found)


# -- one by one --------------------------------------------------------------------------------------------------------

_Path = tuple[str, ...]
_AT = re.compile(r"^(.*?)(?: - at `(?:key in )?\$(.*)`)?$", re.DOTALL)
_FIELD = re.compile(r"(?:unknown|required) field `([^`]*)`|\.([A-Za-z_]\w*)")
_PATTERNS: Final = {
    _SPAN: "a length of time like 90s, 20m, 2h",
    _PER_TIME: "items in a time, like 10/s or 120/m",
    _VARIABLE: "the name of an environment variable",
    _FEED_NAME: "a feed's name of small letters, digits, dots and dashes, up to 64",
}


def _read(value: Any, kind: Any, path: _Path, lines: dict[_Path, int], name: str, mistakes: list[str]) -> Any:
    """The value as `kind`, or None and one more mistake."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        match = _AT.match(str(error))
        assert match is not None
        what, where = match[1], match[2] or ""
        for pattern, wanted in _PATTERNS.items():
            what = what.replace(f"Expected `str` matching regex {pattern!r}", f"wants {wanted}")
        inner = _FIELD.search(where) or _FIELD.search(what)
        field = (inner[1] or inner[2],) if inner else ()
        shown = ".".join((*path, *field)) or "file"
        mistakes.append(f"{name}:{_line(lines, (*path, *field))}: {shown}: {what}")
        return None


def _placed(feed: AnyFeed, folder: Path) -> AnyFeed:
    if isinstance(feed, FolderFeed | ArchiveFeed):
        return msgspec.structs.replace(feed, path=os.path.normpath(folder / Path(feed.path).expanduser()))
    return feed


def _contradictions(feeds: dict[str, AnyFeed], environment: Mapping[str, str] | None) -> Iterator[tuple[_Path, str]]:
    """What a schema cannot say."""
    live = {feed.edition: name for name, feed in feeds.items() if feed.stamp == "live"}
    folders: dict[str, str] = {}
    keys: dict[str, str] = {}
    for name, feed in feeds.items():
        at = ("feeds", name)
        if feed.zone is not None and not _is_zone(feed.zone):
            yield (*at, "zone"), f"{feed.zone!r} is no time zone; it should be like Europe/Oslo"
        if feed.only and feed.provider is not None and feed.provider not in feed.only:
            yield (*at, "only"), f"leaves out the feed's own provider {feed.provider!r}"
        if isinstance(feed, FolderFeed):
            for path, other in folders.items():
                if os.path.commonpath((path, feed.path)) in (path, feed.path):
                    yield (
                        (*at, "path"),
                        f"lies in the folder of {other}, or that in it: they would take each other's files",
                    )
            folders[feed.path] = name
        elif isinstance(feed, PolledFeed):
            if what := _wrong_url(feed):
                yield (*at, "url"), what
            yield from _secret((*at, "authorization"), feed.authorization, environment, shortest=1)
        elif isinstance(feed, PushFeed):
            if feed.key in keys:
                yield (*at, "key"), f"is the key of {keys[feed.key]} too: nobody could tell the two apart"
            keys[feed.key] = name
            yield from _secret((*at, "key"), feed.key, environment, shortest=SHORTEST_KEY)
        elif feed.speed == "max" and feed.rate is None and (other := live.get(feed.edition, name)) != name:
            yield (
                (*at, "speed"),
                (
                    f"an archive at full speed would delay the live feed {other}: give it a pace, a rate, or an edition of its own"
                ),
            )
    if environment is not None:
        values = [environment[key] for key in keys if key in environment]
        if len(set(values)) < len(values):
            yield ("feeds",), "two push feeds have the same key: nobody could tell their senders apart"


def _secret(
    path: _Path, name: str | None, environment: Mapping[str, str] | None, shortest: int
) -> Iterator[tuple[_Path, str]]:
    if name is None:
        return
    if name.startswith(PREFIX):
        yield path, f"{name}: variables that begin with {PREFIX} are settings; call it otherwise"
    elif environment is not None and not environment.get(name):
        yield path, f"the variable {name} is not set"
    elif environment is not None and len(environment[name]) < shortest:
        yield path, f"what {name} holds is too short for a key: {shortest} characters at least"


def _wrong_url(feed: PolledFeed) -> str | None:
    try:
        parts = urlsplit(feed.url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return f"{feed.url!r} is no web address"
    if parts.scheme not in ("http", "https") or not host:
        return "wants an address that begins with http:// or https://"
    if parts.username or parts.password:
        return "holds a password: name a variable under `authorization` instead"
    try:
        literal = ipaddress.ip_address(host)
    except ValueError:
        return None
    return None if feed.allow_private or literal.is_global else f"{host} is not public; `allow_private: true` allows it"


def _is_zone(name: str) -> bool:
    try:
        ZoneInfo(name)
    except (ValueError, OSError):  # ZoneInfoNotFoundError is a KeyError
        return False
    except KeyError:
        return False
    return True


# -- YAML with its lines -----------------------------------------------------------------------------------------------


class _Shallow(yaml.SafeLoader):
    """Ends at the first value that nests too deep: pyyaml's time grows with the square of the levels that are open."""

    _level = 0

    def compose_node(self, parent: Any, index: Any) -> Any:
        self._level += 1
        if self._level > _DEEPEST:
            mark = self.peek_event().start_mark  # type: ignore[no-untyped-call]
            raise yaml.MarkedYAMLError(problem=f"nests deeper than {_DEEPEST} levels", problem_mark=mark)
        node = super().compose_node(parent, index)
        self._level -= 1
        return node


def _compose(data: bytes, name: str) -> tuple[Any, dict[_Path, int], list[str]]:
    """The file as plain values, the line of each path, and keys that stand twice."""
    lines: dict[_Path, int] = {}
    mistakes: list[str] = []
    if len(data) > _LARGEST:
        raise BadFeeds(f"{name}:1: {len(data):,} bytes, a file of feeds may hold {_LARGEST // 1024} KiB")
    try:
        loader = _Shallow(data)
        try:
            node = loader.get_single_node()
            plain = _plain(node, (), lines, mistakes, name, loader) if node is not None else None
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise BadFeeds(f"{name}:{mark.line + 1 if mark else 1}: {error.problem or error.context}") from None
    except (yaml.YAMLError, UnicodeError, ValueError, RecursionError) as error:
        raise BadFeeds(f"{name}:1: {' '.join(str(error).split())}") from None
    return plain, lines, mistakes


def _plain(
    node: yaml.Node, path: _Path, lines: dict[_Path, int], mistakes: list[str], name: str, loader: yaml.SafeLoader
) -> Any:
    line = node.start_mark.line + 1
    lines.setdefault(path, line)
    if len(lines) > _MOST:
        raise yaml.MarkedYAMLError(problem=f"more than {_MOST:,} values", problem_mark=node.start_mark)
    if len(path) > _DEEPEST:
        raise yaml.MarkedYAMLError(problem=f"nests deeper than {_DEEPEST} levels", problem_mark=node.start_mark)
    if isinstance(node, yaml.MappingNode):
        found: dict[str, Any] = {}
        for key_node, value_node in node.value:
            key = str(key_node.value) if isinstance(key_node, yaml.ScalarNode) else "?"
            if key in found:
                mistakes.append(f"{name}:{key_node.start_mark.line + 1}: {'.'.join((*path, key))}: stands twice")
                continue
            lines[(*path, key)] = key_node.start_mark.line + 1
            found[key] = _plain(value_node, (*path, key), lines, mistakes, name, loader)
        return found
    if isinstance(node, yaml.SequenceNode):
        return [_plain(one, (*path, str(i)), lines, mistakes, name, loader) for i, one in enumerate(node.value)]
    if node.tag == "tag:yaml.org,2002:bool" and node.value.casefold() not in ("true", "false"):
        return node.value  # `language: no` is Norwegian
    if node.tag in ("tag:yaml.org,2002:timestamp", "tag:yaml.org,2002:binary"):
        return node.value
    return loader.construct_object(node)


def _line(lines: dict[_Path, int], path: _Path) -> int:
    """The line of a path, or of what it would stand in."""
    while path and path not in lines:
        path = path[:-1]
    return lines.get(path, 1)


def _number(mistake: str) -> int:
    return int(found[1]) if (found := re.search(r":(\d+): ", mistake)) else 0
