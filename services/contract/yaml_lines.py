"""YAML as plain values with the line of each, so that a mistake in a file is named with its line.

Read event by event, without recursion and without repeating what an alias names: neither a deep file nor a clever one takes
more than its own size. `language: no` stays Norwegian, and times and dates stay text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec
import yaml

Path = tuple[str, ...]
DEEPEST: Final = 12
_PLAIN_TAGS: Final = frozenset({"tag:yaml.org,2002:null", "tag:yaml.org,2002:int", "tag:yaml.org,2002:float"})
_AT: Final = re.compile(r"^(.*?)(?: - at `(?:key in )?\$(.*)`)?$", re.DOTALL)
_FIELD: Final = re.compile(r"(?:unknown|required) field `([^`]*)`")
_STEP: Final = re.compile(r"\.([A-Za-z_]\w*)|\[(\d+|\.\.\.)\]")


class _Broken(Exception):
    def __init__(self, line: int, what: str) -> None:
        super().__init__(line, what)
        self.line = line
        self.what = what


class Lines:
    """The file's values, the line of each path, and the mistakes found so far, each `FILE:LINE: what`."""

    def __init__(self, name: str, patterns: Mapping[str, str] | None = None) -> None:
        """`name` is the file's, `patterns` say in words what a regular expression of a type wants."""
        self.name = name
        self.value: Any = None
        self._lines: dict[Path, int] = {}
        self._mistakes: list[tuple[int, str]] = []
        self._patterns = patterns or {}

    def load(self, data: bytes) -> None:
        """Read the file. What is no YAML is a mistake."""
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        try:
            self.value = self._compose(yaml.parse(data, Loader=loader))
        except _Broken as error:
            self._add(error.line, error.what)
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            self._add(mark.line + 1 if mark else 1, str(error.problem or error.context))
        except (yaml.YAMLError, UnicodeError, ValueError, RecursionError) as error:
            self._add(1, " ".join(str(error).split()))

    def mistake(self, path: Path, what: str) -> None:
        """One more mistake, at the line of a path or of what it would stand in."""
        self._add(self._line(path), f"{'.'.join(path) or 'file'}: {what}")

    def read(self, value: Any, kind: Any, path: Path) -> Any:
        """The value as `kind`, or None and one more mistake."""
        try:
            return msgspec.convert(value, kind)
        except msgspec.ValidationError as error:
            match = _AT.match(str(error))
            assert match is not None
            what = match[1]
            for pattern, wanted in self._patterns.items():
                what = what.replace(f"Expected `str` matching regex {pattern!r}", f"wants {wanted}")
            where = [name or place for name, place in _STEP.findall(match[2] or "")]
            field = _FIELD.search(what)
            self.mistake((*path, *where, *([field[1]] if field else ())), what)
            return None

    @property
    def mistakes(self) -> str:
        """All mistakes, a line each, in the order of the file; "" where there is none."""
        return "\n".join(f"{self.name}:{line}: {what}" for line, what in sorted(self._mistakes, key=lambda one: one[0]))

    def _add(self, line: int, what: str) -> None:
        self._mistakes.append((line, what))

    def _line(self, path: Path) -> int:
        while path and path not in self._lines:
            path = path[:-1]
        return self._lines.get(path, 1)

    def _compose(self, events: Iterable[Any]) -> Any:
        """The first document. Each open collection is (value, path, anchor, key), its key None in a list."""
        open_: list[list[Any]] = []
        anchors: dict[str, Any] = {}
        root: Any = None
        scalars = yaml.SafeLoader("")
        documents = 0
        for event in events:
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    raise _Broken(_line_of(event), "a second document")
                continue
            if isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
                open_.pop()
                continue
            if not isinstance(event, yaml.NodeEvent):
                continue
            line = _line_of(event)
            if open_ and isinstance(open_[-1][0], dict) and open_[-1][2] is None:
                self._key(open_[-1], event, line)
                continue
            path = self._place(open_)
            self._lines.setdefault(path, line)
            value, opens = self._value(event, anchors, scalars)
            if event.anchor is not None and not isinstance(event, yaml.AliasEvent):
                anchors[event.anchor] = value
            if open_:
                self._put(open_[-1], value)
            else:
                root = value
            if opens:
                if len(path) >= DEEPEST:
                    raise _Broken(_line_of(event), f"nests deeper than {DEEPEST} levels")
                open_.append([value, path, None])
        return root

    def _key(self, above: list[Any], event: Any, line: int) -> None:
        if not isinstance(event, yaml.ScalarEvent):
            raise _Broken(_line_of(event), "a key that is no word")
        above[2] = event.value
        path = (*above[1], event.value)
        if event.value in above[0]:
            self._add(line, f"{'.'.join(path)}: stands twice")
        self._lines[path] = line

    def _place(self, open_: list[list[Any]]) -> Path:
        if not open_:
            return ()
        value, path, key = open_[-1]
        return (*path, str(len(value)) if isinstance(value, list) else key)

    def _put(self, above: list[Any], value: Any) -> None:
        if isinstance(above[0], list):
            above[0].append(value)
        else:
            above[0].setdefault(above[2], value)
            above[2] = None

    def _value(self, event: Any, anchors: Mapping[str, Any], scalars: Any) -> tuple[Any, bool]:
        """A node's value, and whether it is a collection that is open now."""
        if isinstance(event, yaml.AliasEvent):
            if event.anchor is None or event.anchor not in anchors:
                raise _Broken(_line_of(event), f"no &{event.anchor} before it")
            return anchors[event.anchor], False
        if isinstance(event, yaml.MappingStartEvent):
            return {}, True
        if isinstance(event, yaml.SequenceStartEvent):
            return [], True
        tag = event.tag or scalars.resolve(yaml.ScalarNode, event.value, event.implicit)
        if tag in _PLAIN_TAGS:
            return scalars.construct_object(yaml.ScalarNode(tag, event.value, event.start_mark)), False
        if tag == "tag:yaml.org,2002:bool" and event.value.casefold() in ("true", "false"):
            return event.value.casefold() == "true", False
        return event.value, False


def _line_of(event: Any) -> int:
    return event.start_mark.line + 1 if event.start_mark is not None else 1
