"""What crosses Kafka, the table and a file: one value as one JSON object, by orjson, with its format's version in front.

`encode` is deterministic: fields in the order of their type, so that equal values are equal bytes. `decode` checks types and
raises `UndecodableMessage` with the message's kind and the path that is wrong. Old messages are read for ever: a field that
is added later is optional, and a message without a version is of version 1. A message of a newer major version is refused.
"""

from __future__ import annotations

from typing import Any, Final, TypeVar

import msgspec
import orjson

from services.core.article import Article, Command
from services.core.change import Change
from services.core.errors import UndecodableMessage
from services.core.events import Event
from services.core.grouping.row import Row
from services.core.revision import Revision

T = TypeVar("T", bound=msgspec.Struct)

VERSION_KEY: Final = "v"
VERSIONS: Final[dict[type[msgspec.Struct], int]] = {Article: 1, Command: 1, Row: 1, Revision: 1}
"""Formats of our own that carry a version. Events carry theirs in `type`; a change is part of an event."""
_OUR_ROW: Final = orjson.dumps({VERSION_KEY: VERSIONS[Row]})[:-1] + b","
_ROWS: Final = msgspec.json.Decoder(Row)
PUBLIC: Final[dict[str, type[msgspec.Struct]]] = {
    "article": Article,
    "command": Command,
    "change": Change,
    "event": Event,
}
"""The types that others write or read, each with a JSON Schema in docs/schemas."""


def encode(value: msgspec.Struct) -> bytes:
    """One value as JSON bytes.

    Raises UndecodableMessage for text that is not Unicode (a lone surrogate): such text must not come this far.
    """
    plain = msgspec.to_builtins(value)
    version = VERSIONS.get(type(value))
    try:
        return orjson.dumps({VERSION_KEY: version, **plain} if version else plain)
    except orjson.JSONEncodeError as error:
        raise UndecodableMessage(f"{type(value).__name__.lower()} cannot be written as JSON: {error}") from error


def decode(data: bytes, kind: type[T]) -> T:
    """The value of type `kind` in `data`. Raises UndecodableMessage: not JSON, a wrong type, or a newer version."""
    name = kind.__name__.lower()
    try:
        plain = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise UndecodableMessage(f"{name}: not JSON: {error.msg} at byte {error.pos}") from error
    _check_version(plain, kind, name)
    try:
        return msgspec.convert(plain, kind)
    except msgspec.ValidationError as error:
        raise UndecodableMessage(f"{name}: {error}") from error


def decode_row(data: bytes) -> Row:
    """The same as `decode(data, Row)` for a row of ours, in a fifth of the time: a start decodes every row of the window.

    Not for what others write: msgspec's reader of JSON is not as strict as orjson's.
    """
    if data.startswith(_OUR_ROW):
        try:
            return _ROWS.decode(data)
        except msgspec.DecodeError:
            pass  # the other way says better what is wrong
    return decode(data, Row)


def decode_record(data: bytes) -> Article | Command:
    """A record of `wire.articles`: a command if it has a `command` key, else an article."""
    try:
        plain = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise UndecodableMessage(f"record: not JSON: {error.msg} at byte {error.pos}") from error
    return decode(data, Command) if isinstance(plain, dict) and "command" in plain else decode(data, Article)


def _check_version(plain: Any, kind: type[msgspec.Struct], name: str) -> None:
    known = VERSIONS.get(kind)
    if known is None:
        return
    if not isinstance(plain, dict):
        raise UndecodableMessage(f"{name}: not an object")
    version = plain.get(VERSION_KEY, 1)
    if not isinstance(version, int) or version < 1:
        raise UndecodableMessage(f"{name}: version {version!r} is no version")
    if version > known:
        raise UndecodableMessage(
            f"{name}: version {version} is newer than {known}, which this release reads: upgrade first"
        )


def json_schema(kind: type[msgspec.Struct]) -> dict[str, Any]:
    """JSON Schema (2020-12) of one public type, from the type itself."""
    (reference,), components = msgspec.json.schema_components([kind], ref_template="#/$defs/{name}")
    own = components.pop(kind.__name__)
    assert reference == {"$ref": f"#/$defs/{kind.__name__}"}
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:org.writethru:schema:{kind.__name__.lower()}:v1",
    }
    return {**schema, **own, "$defs": dict(sorted(components.items()))}
