"""Plain text: a file is an article; what the text cannot say stands in YAML front matter or in a sidecar beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import yaml

from services.core.article import Article
from services.core.errors import RejectedInput
from services.core.wire.article_json import DATES, LISTS, NUMBERS, SCALARS, TEXTS, metadata
from services.core.wire.charset import decode, without_controls
from services.core.wire.fields import Fields
from services.core.wire.parsed import Intake, Parsed, Skipped, finish
from services.core.wire.text_body import text_paragraphs

# --- wire shape: optional front matter between two lines of "---", then the copy ----------------------------------------

_RULE = re.compile(r"\s*---[ \t]*\n")
_KEY = re.compile(r"[ \t]*[\"']?([A-Za-z_]{2,30})[\"']?[ \t]*:(?=\s|$)", re.ASCII)
_BESIDE_KEYS = re.compile(r"[ \t]*(?:#.*|-[ \t].*)?|[ \t]+.*")
"""Lines that may stand between keys: blank, a comment, an entry of a list, the rest of a value."""
_END = re.compile(r"^(?:---|\.\.\.)[ \t]*$", re.MULTILINE)
_HEAD = 4096  # characters in which the first keys stand
_KNOWN = frozenset({"provider", "uri", "pub_status", "update_kind", *TEXTS, *SCALARS, *DATES, *NUMBERS, *LISTS})

# --- reading it ------------------------------------------------------------------------------------------------------


def parse(data: bytes, intake: Intake) -> Parsed:
    """One text file: one article or one rejection. Keys of front matter and sidecar are those of Article JSON."""
    try:
        article = _read(data, intake)
    except RejectedInput as error:
        return Parsed(rejected=(error.with_traceback(None),))
    if isinstance(article, Skipped):
        return Parsed(skipped=(article,))
    return Parsed((article,))


def _read(data: bytes, intake: Intake) -> Article | Skipped:
    limits = intake.limits
    if len(data) > limits.text * limits.slack + limits.header:
        raise intake.reject("too_large", f"{len(data):,} bytes of plain text, an article may hold {limits.text:,}")
    decoded, repaired = decode(data, intake)
    text, dropped = without_controls(decoded)
    values, copy = _front_matter(text, intake)
    values = {**intake.defaults, **{name: value for name, value in values.items() if value is not None}}
    return _adapt(values, copy, (*repaired, *dropped), intake)


def _front_matter(text: str, intake: Intake) -> tuple[dict[str, Any], str]:
    """What stands between two rules at the top, if it is keys, and the copy. A known key without an end is rejected: the
    embargo that it may hold would be lost, and printed as copy.
    """
    text = re.sub(r"\r\n?", "\n", text)
    start = _RULE.match(text)
    keys = list(_keys(text, start.end())) if start else []
    if start is None or not keys:
        return {}, text
    end = _END.search(text, start.end(), start.end() + intake.limits.header)
    if _KNOWN.isdisjoint(map(str.lower, keys)) and (end is None or not keys[0].islower()):
        return {}, text
    if end is None:
        raise intake.reject("broken_yaml", "the front matter is not closed: a line of --- is missing", "front matter")
    return read_yaml(text[start.end() : end.start()], intake, "front matter"), text[end.end() :]


def _keys(text: str, start: int) -> Iterator[str]:
    """The names at the head of a text as long as its lines could be YAML of an article."""
    for line in text[start : start + _HEAD].split("\n"):
        if key := _KEY.match(line):
            yield key[1]
        elif not _BESIDE_KEYS.fullmatch(line):
            return


def read_yaml(text: str, intake: Intake, where: str) -> dict[str, Any]:
    """A flat YAML mapping, names in lower case, with every scalar as the text that was written: `no` is Norwegian, a date keeps its offset.

    Raises RejectedInput: broken_yaml (no mapping, aliases, broken), too_deep, too_large.
    """
    if len(text) > intake.limits.header:
        raise intake.reject(
            "too_large", f"{len(text):,} characters of YAML, {intake.limits.header:,} are allowed", where
        )
    try:
        loaded = yaml.load(text, Loader=_Texts)  # noqa: S506  # BaseLoader builds texts, lists and dicts, nothing else
    except _TooDeepError:
        raise intake.reject("too_deep", f"YAML nested deeper than {_Texts.deepest} levels", where) from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f" line {mark.line + 1}" if mark else ""
        problem = getattr(error, "problem", None) or getattr(error, "reason", None) or "broken"
        hint = "; a value that holds ': ' wants quotes" if "mapping values" in problem else ""
        raise intake.reject("broken_yaml", f"this is no YAML: {problem}{hint}", f"{where}{line}") from None
    except (ValueError, OverflowError):  # pyyaml hands "\UFFFFFFFF" to chr() and a long %YAML version to int()
        raise intake.reject("broken_yaml", "this is no YAML: a number in it is too large", where) from None
    if loaded is None or loaded == "":
        return {}
    if not isinstance(loaded, dict):
        raise intake.reject("broken_yaml", "YAML of an article is a mapping of names to values", where)
    return {str(name).lower(): None if value in ("", "null", "~") else value for name, value in loaded.items()}


class _TooDeepError(Exception):
    pass


class _Texts(yaml.BaseLoader):
    """BaseLoader without aliases (a few lines of them can grow to gigabytes) and without deep nesting."""

    deepest = 16
    _depth = 0

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            mark = self.peek_event().start_mark  # type: ignore[no-untyped-call]
            raise yaml.composer.ComposerError(None, None, "aliases are not read here", mark)
        self._depth += 1
        if self._depth > self.deepest:
            raise _TooDeepError
        node = super().compose_node(parent, index)
        self._depth -= 1
        return node


# --- adapting it -----------------------------------------------------------------------------------------------------


def _adapt(values: dict[str, Any], copy: str, notes: tuple[str, ...], intake: Intake) -> Article | Skipped:
    """`uri` is the path unless the metadata names one; the headline is null where none is marked."""
    fields = Fields(values, intake, "$")
    provider = fields.text("provider") or intake.provider or "file"
    uri = fields.text("uri") or intake.source
    body = text_paragraphs(copy)
    read = metadata(fields)
    if not body and not values:
        raise intake.reject("empty", "the file holds no text")
    read["parse_notes"] = (*notes, *read["parse_notes"])
    return finish(Article(provider=provider, uri=uri, body=body, **read), intake, None)
