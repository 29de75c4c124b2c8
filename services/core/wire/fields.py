"""Typed reading of JSON and YAML values: the right type, or a rejection that names the path."""

from __future__ import annotations

from typing import Any

from services.core.wire.charset import without_controls
from services.core.wire.dates import read_date
from services.core.wire.parsed import Intake


class Fields:
    """Reads one object's values by name and gathers the notes on what had to be left out.

    Blank strings are null. Every reader raises RejectedInput `wrong_type` with the JSON path of the value.
    """

    def __init__(self, values: dict[str, Any], intake: Intake, position: str) -> None:
        self.values = values
        self.notes: list[str] = []
        self._intake = intake
        self._position = position

    def text(self, *names: str) -> str | None:
        """The first of `names` that holds a text."""
        for name in names:
            value = self.values.get(name)
            if value is None:
                continue
            if not isinstance(value, str):
                raise self.wrong(name, "a text", value)
            if clean := self.clean(value):
                return clean
        return None

    def scalar(self, *names: str) -> str | None:
        """A text, or a number written as text (versions and urgencies come both ways)."""
        for name in names:
            value = self.values.get(name)
            if isinstance(value, int | float) and not isinstance(value, bool):
                return str(int(value)) if value == int(value) else str(value)
            if self.text(name) is not None:
                return self.text(name)
        return None

    def number(self, name: str) -> int | None:
        value = self.values.get(name)
        if isinstance(value, str) and value.strip().isascii() and value.strip().isdigit() and len(value) < 10:
            return int(value)
        if value is None or (isinstance(value, int) and not isinstance(value, bool)):
            return value
        raise self.wrong(name, "a whole number", value)

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of texts; a single text counts as a list of one."""
        value = self.values.get(name)
        if value is None:
            return ()
        if isinstance(value, str):
            value = [value]
        if not isinstance(value, list):
            raise self.wrong(name, "a list of texts", value)
        for i, entry in enumerate(value):
            if not isinstance(entry, str):
                raise self.wrong(f"{name}[{i}]", "a text", entry)
        return tuple(clean for entry in value if (clean := self.clean(entry)))

    def date(self, *names: str) -> str | None:
        """A date as sent; null with a note where it cannot be read."""
        for name in names:
            value = self.values.get(name)
            if value is None or value == "":
                continue
            read = read_date(value)
            if read is None:
                self.notes.append(f"{name} is no readable date: {str(value)[:40]!r}")
            return read
        return None

    def choice(self, name: str, known: dict[str, Any]) -> Any:
        """One of a known vocabulary, any case; null with a note for a word outside it."""
        value = self.text(name)
        if value is None:
            return None
        if value.casefold() not in known:
            self.notes.append(f"{name} is outside the vocabulary: {value[:40]!r}")
        return known.get(value.casefold())

    def clean(self, value: str) -> str:
        text, notes = without_controls(value.strip())
        self.notes.extend(note for note in notes if note not in self.notes)
        return text.strip()

    def wrong(self, path: str, wanted: str, value: Any) -> Exception:
        detail = f"{path} should be {wanted}, it is {_name(value)}"
        return self._intake.reject("wrong_type", detail, f"{self._position}.{path}")


def _name(value: Any) -> str:
    if value is None:
        return "null"
    names = {
        bool: "true or false",
        int: "a number",
        float: "a number",
        str: "a text",
        list: "a list",
        dict: "an object",
    }
    return names.get(type(value), "something else")


def too_deep(value: Any, depth: int) -> bool:
    """Whether lists and objects nest deeper than `depth`. Iterative: the value itself may be the attack."""
    level = [value]
    for _ in range(depth + 1):
        level = [
            child
            for node in level
            for child in (node.values() if isinstance(node, dict) else node if isinstance(node, list) else ())
        ]
        if not level:
            return False
    return True
