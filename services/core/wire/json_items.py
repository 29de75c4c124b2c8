"""JSON files to items: one object, an array, a wrapped list, or one object a line. One bad item stops no other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

import msgspec
import orjson

from services.core.article import Article
from services.core.errors import RejectedInput
from services.core.wire.charset import decode
from services.core.wire.fields import too_deep
from services.core.wire.parsed import Intake, Item, Parsed, ReadItem, Skipped

WRAPPERS = ("item", "items", "_items")
"""Keys under which services wrap a list of items ({"total": 2, "item": [...]})."""


_OBJECT_LINE = re.compile(rb"^[ \t]{0,100}\{.*\}[ \t\r]{0,100}$", re.MULTILINE)
_HEAD = 4096
_PADDING = b" \t\r\n\xef\xbb\xbf"


def read_items(data: bytes, intake: Intake, read: ReadItem) -> Parsed:
    """Every item of a JSON file through `read`, each on its own, until `limits.rejects` in a row were rejected."""
    items: list[Item] = []
    rejected: list[RejectedInput] = []
    skipped: list[Skipped] = []
    in_a_row = 0
    for position, value, notes in objects(data, intake):
        try:
            if isinstance(value, RejectedInput):
                raise value
            if not isinstance(value, dict):
                raise intake.reject("not_an_object", "an item is a JSON object", position)
            if too_deep(value, intake.limits.depth):
                detail = f"nested deeper than {intake.limits.depth} levels"
                raise intake.reject("too_deep", detail, position)
            item = read(value, intake, position)
        except RejectedInput as error:
            rejected.append(error.with_traceback(None))
            in_a_row += 1
            if in_a_row < intake.limits.rejects:
                continue
            detail = f"{in_a_row:,} rejected items in a row: the rest is not read"
            rejected.append(intake.reject("unreadable", detail, position))
            break
        in_a_row = 0
        if isinstance(item, Skipped):
            skipped.append(item)
        elif isinstance(item, Article) and notes:
            items.append(msgspec.structs.replace(item, parse_notes=(*notes, *item.parse_notes)))
        else:
            items.append(item)
    return Parsed(tuple(items), tuple(rejected), tuple(skipped))


def objects(data: bytes, intake: Intake) -> Iterator[tuple[str, Any, tuple[str, ...]]]:
    """(position, value, notes) of each item; a RejectedInput as value where one cannot be read."""
    by_line = _is_lines(data)
    whole, notes = (None, ()) if by_line else _load(data, intake, "$")
    broken = isinstance(whole, RejectedInput) and whole.reason in ("broken_json", "too_large")
    if by_line or (broken and _looks_like_lines(data)):
        for number, line in enumerate(data.split(b"\n"), 1):
            if line.strip(_PADDING):
                value, notes = _load(line, intake, f"line {number}")
                if isinstance(value, dict) and "api_version" in value:
                    yield from _unwrapped(value, f"line {number}", notes, intake)
                else:
                    yield f"line {number}", value, notes
        return
    yield from _unwrapped(whole, "$", notes, intake)


def _unwrapped(
    value: Any, path: str, notes: tuple[str, ...], intake: Intake
) -> Iterator[tuple[str, Any, tuple[str, ...]]]:
    """The items of a list, of a wrapped list, or of an answer of AP's API (`data.item`, `data.items[].item`)."""
    inner = None
    if isinstance(value, dict):
        data = value.get("data") if "api_version" in value else None
        if isinstance(data, dict) and ("item" in data or "items" in data):
            value, path = data, f"{path}.data"
            inner = "item"
        wrapper = next((key for key in WRAPPERS if isinstance(value.get(key), list)), None)
        if wrapper is not None and "uri" not in value and "guid" not in value:
            value, path = value[wrapper], f"{path}.{wrapper}"
        elif inner is not None and isinstance(value.get(inner), dict):
            value, path = value[inner], f"{path}.{inner}"
    if not isinstance(value, list):
        yield path, value, notes
        return
    if len(value) > intake.limits.items:
        detail = f"{len(value):,} items in one envelope, {intake.limits.items:,} are allowed"
        yield path, intake.reject("too_large", detail, path), ()
        return
    for i, entry in enumerate(value):
        if inner is not None and isinstance(entry, dict) and isinstance(entry.get(inner), dict):
            yield f"{path}[{i}].{inner}", entry[inner], notes
        else:
            yield f"{path}[{i}]", entry, notes


def _load(data: bytes, intake: Intake, position: str) -> tuple[Any, tuple[str, ...]]:
    """The value and the notes on its charset; a RejectedInput as value where it cannot be read."""
    if len(data) > intake.limits.item:
        detail = f"{len(data):,} bytes, an item may have {intake.limits.item:,}"
        return intake.reject("too_large", detail, position), ()
    notes: tuple[str, ...] = ()
    try:
        try:
            return orjson.loads(data.strip(_PADDING)), notes
        except orjson.JSONDecodeError:
            text, notes = decode(data, intake)  # it may be cp1252
            return orjson.loads(text.strip()), notes
    except RejectedInput as error:
        return error, notes
    except orjson.JSONDecodeError as error:
        if "depth" in error.msg or "recursion" in error.msg.lower():
            return intake.reject("too_deep", "nested too deep to be read", position), notes
        where = f"line {error.lineno} column {error.colno}" if position == "$" else f"{position} column {error.colno}"
        return intake.reject("broken_json", f"this is no JSON: {error.msg}", where), notes


def _is_lines(data: bytes) -> bool:
    """Whether the first line is a JSON object by itself and something follows it."""
    start = next((i for i, byte in enumerate(data[:_HEAD]) if byte not in _PADDING), len(data))
    end = data.find(b"\n", start)
    if end < 0 or not data[end : end + _HEAD].strip():
        return False
    head = data[start:end].strip()
    if not (head.startswith(b"{") and head.endswith(b"}")):
        return False
    try:
        orjson.loads(head)
    except orjson.JSONDecodeError:
        return _looks_like_lines(data)
    return True


def _looks_like_lines(data: bytes) -> bool:
    return len(list(islice(_OBJECT_LINE.finditer(data), 2))) == 2
