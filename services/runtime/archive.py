"""Files and folders as inputs: what `parse`, `diff`, `replay` and the publisher read.

The only place that knows which files of a folder are input, in which order, and which sidecar belongs to which.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from services.core.errors import RejectedInput, WritethruError
from services.core.wire import Parsed, parse
from services.core.wire.limits import Limits

SIDECAR = ".meta.yaml"


class UnreadablePath(WritethruError):
    """PATH cannot be read at all: it does not exist, or may not be opened."""


@dataclass(frozen=True, slots=True)
class Source:
    """One input file: `name` is what plain text takes its uri from, the path relative to what was asked for."""

    path: Path
    name: str


def sources(path: Path) -> Iterator[Source]:
    """The input files of PATH: itself, or a folder's files, recursively, in byte order of their path.

    Hidden files, README*, sidecars and `*.expected.json` are never input. Raises UnreadablePath.
    """
    if path.is_dir():
        try:
            found = [p for p in path.rglob("*") if p.is_file() and _is_input(p.relative_to(path))]
        except OSError as error:
            raise UnreadablePath(f"{path}: {error.strerror}") from error
        for file in sorted(found, key=lambda p: str(p.relative_to(path)).encode("utf-8", "surrogateescape")):
            yield Source(
                file, str(file.relative_to(path)).encode("utf-8", "surrogateescape").decode("utf-8", "replace")
            )
    elif path.exists():
        yield Source(path, path.name)
    else:
        raise UnreadablePath(f"{path}: no such file or folder")


def read(path: Path, *, provider: str | None, limits: Limits, form: str = "auto") -> Iterator[Parsed]:
    """Every input under PATH, parsed, in order; an archive of JSON lines comes line by line.

    Bad input is in what is yielded; only PATH itself raises (UnreadablePath).
    """
    for source in sources(path):
        if source.path.name.endswith((".jsonl", ".jsonl.gz")):
            yield from _read_lines(source, provider, limits)
        else:
            yield read_file(source, provider=provider, limits=limits, form=form)


def read_file(source: Source, *, provider: str | None, limits: Limits, form: str = "auto") -> Parsed:
    """One file, whole, with its sidecar. A file above `limits.item` is rejected without being read."""
    try:
        size = source.path.stat().st_size
        if size > limits.item:
            return _rejected("too_large", f"{size:,} bytes, an input may hold {limits.item:,}", source.name)
        data = source.path.read_bytes()
        beside = source.path.with_name(source.path.name + SIDECAR)
        if not beside.is_file():
            beside = source.path.with_name(source.path.stem + SIDECAR)
        sidecar = beside.read_bytes()[: limits.header + 1] if beside.is_file() else None
    except OSError as error:
        return _rejected("unreadable", error.strerror or str(error), source.name)
    return parse(data, source=source.name, format=form, provider=provider, sidecar=sidecar, limits=limits)


def _read_lines(source: Source, provider: str | None, limits: Limits) -> Iterator[Parsed]:
    try:
        with source.path.open("rb") as raw:
            lines: IO[bytes] = gzip.GzipFile(fileobj=raw) if source.path.suffix == ".gz" else raw  # type: ignore[assignment]
            number = 0
            while line := lines.readline(limits.item + 1):
                number += 1
                where = f"{source.name}:{number}"
                if len(line) > limits.item and not line.endswith(b"\n"):
                    yield _rejected("too_large", f"a line above {limits.item:,} bytes", where)
                    while (rest := lines.readline(limits.item)) and not rest.endswith(b"\n"):
                        pass
                elif line.strip():
                    # "json", not "auto": a broken line is broken JSON, never plain text
                    yield parse(line, source=where, format="json", provider=provider, limits=limits)
    except (OSError, EOFError, zlib.error) as error:
        yield _rejected("unreadable", str(error), source.name)


def _rejected(reason: str, detail: str, source: str) -> Parsed:
    return Parsed(rejected=(RejectedInput(reason, detail, source=source),))


def _is_input(path: Path) -> bool:
    if any(part.startswith(".") for part in path.parts):
        return False
    return not (path.name.startswith("README") or path.name.endswith((SIDECAR, ".expected.json")))
