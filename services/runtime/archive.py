"""Files and folders as inputs: what `parse`, `diff`, `replay` and the publisher read.

The only place that knows which files of a folder are input, in which order, and which sidecar belongs to which.
"""

from __future__ import annotations

import gzip
import io
import stat
import tempfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import IO, cast

from services.core.errors import RejectedInput, WritethruError
from services.core.wire import Parsed, Skipped, parse
from services.core.wire.limits import Limits
from services.runtime.containers import (
    FREE_UNPACKED,
    MOST_UNPACKED,
    Kind,
    Member,
    is_packed,
    kind_of,
    members,
    printable,
)

SIDECAR = ".meta.yaml"
MOST_BLANK = 100_000
"""Blank lines in a row. No archive has them on purpose."""
_STREAMS = ("/dev/stdin", "/dev/fd/", "/proc/self/fd/")
"""What a shell hands over on purpose: `parse /dev/stdin`, `parse <(curl …)`. Other pipes and devices may never end."""


class UnreadablePath(WritethruError):
    """PATH cannot be read at all: it does not exist, or may not be opened."""


@dataclass(frozen=True, slots=True)
class Source:
    """One input file: `name` is what plain text takes its uri from, the path relative to what was asked for.

    `folder` is what was asked for, resolved, where it was a folder: no link is followed out of it.
    """

    path: Path
    name: str
    folder: Path | None = None


def sources(path: Path) -> Iterator[Source]:
    """The input files of PATH: itself, or a folder's files, recursively, in byte order of their path.

    Hidden files, README*, sidecars and `*.expected.json` are never input. Links that lead out of the folder are among
    them, so that they can be named; `read_file` does not follow them. Raises UnreadablePath.
    """
    try:
        if path.is_dir():
            folder = path.resolve()
            found = [
                p for p in path.rglob("*") if (p.is_file() or _leads_out(p, folder)) and _is_input(p.relative_to(path))
            ]
        elif path.exists():
            yield Source(path, printable(path.name))
            return
        else:
            raise UnreadablePath(f"{path}: no such file or folder")
    except OSError as error:
        raise UnreadablePath(f"{path}: {error.strerror}") from error
    for file in sorted(found, key=lambda p: _bytes(str(p.relative_to(path)))):
        yield Source(file, printable(str(file.relative_to(path))), folder)


def read(path: Path, *, provider: str | None, limits: Limits, form: str = "auto") -> Iterator[Parsed]:
    """Every input under PATH, parsed, in order; an archive comes member by member, one of JSON lines line by line.

    Bad input is in what is yielded; only PATH itself raises (UnreadablePath).
    """
    for source in sources(path):
        refused = _refused(source)
        if refused is not None:
            yield refused
        elif source.path.name.endswith((".jsonl", ".jsonl.gz")) and form != "plain":
            yield from _read_lines(source, provider, limits, "json" if form == "auto" else form)
        elif (kind := _container(source)) is not None:
            yield from _read_members(source, kind, provider, limits, form)
        else:
            yield read_file(source, provider=provider, limits=limits, form=form)


def read_file(source: Source, *, provider: str | None, limits: Limits, form: str = "auto") -> Parsed:
    """One file, whole, with its sidecar. A file above `limits.item` is rejected without being read to its end."""
    refused = _refused(source)
    if refused is not None:
        return refused
    try:
        with source.path.open("rb") as file:
            data = file.read(limits.item + 1)
            if len(data) > limits.item:
                size = source.path.stat().st_size
                found = f"{size:,} bytes" if size else "more bytes than that"
                return _rejected("too_large", f"{found}, an input may hold {limits.item:,}", source.name)
        sidecar = _sidecar(source, limits)
    except RejectedInput as error:
        return Parsed(rejected=(error.with_traceback(None),))
    except OSError as error:
        return _rejected("unreadable", error.strerror or str(error), source.name)
    parsed = parse(data, source=source.name, format=form, provider=provider, sidecar=sidecar, limits=limits)
    return _with_bytes(parsed, data, sidecar)


def _with_bytes(parsed: Parsed, data: bytes, sidecar: bytes | None = None) -> Parsed:
    """What was rejected takes the input along, so that it can be kept and tried again."""
    for error in parsed.rejected:
        error.data, error.sidecar = data, sidecar
    return parsed


def _container(source: Source) -> Kind | None:
    """What archive a file is; a stream is none, since it can be looked at only once."""
    return None if str(source.path).startswith(_STREAMS) else kind_of(source.path)


def _read_members(source: Source, kind: Kind, provider: str | None, limits: Limits, form: str) -> Iterator[Parsed]:
    for member in members(source.path, kind, source.name, limits, _is_input, SIDECAR):
        if isinstance(member, Member):
            parsed = parse(
                member.data, source=member.name, format=form, provider=provider, sidecar=member.sidecar, limits=limits
            )
            yield _with_bytes(parsed, member.data, member.sidecar)
        elif isinstance(member, Skipped):
            yield Parsed(skipped=(member,))
        else:
            yield Parsed(rejected=(member,))


def unpacked(data: bytes, name: str, limits: Limits) -> Iterator[Member | Skipped | RejectedInput]:
    """The members of an archive that did not come as a file, or nothing if it is none."""
    if not is_packed(data[:512]):
        return
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        path = Path(file.name)
        if (kind := kind_of(path)) is not None:
            yield from members(path, kind, name, limits, _is_input, SIDECAR)


def _sidecar(source: Source, limits: Limits) -> bytes | None:
    """The bytes of `NAME.meta.yaml`, for NAME with its suffix or without. Raises RejectedInput for one that leads out."""
    for name in (source.path.name, source.path.stem):
        beside = source.path.with_name(name + SIDECAR)
        if source.folder and _leads_out(beside, source.folder):  # not read without it: it may hold an embargo
            raise RejectedInput("unreadable", "its sidecar is a link out of the folder", source=source.name)
        if beside.is_file():
            with beside.open("rb") as file:
                return file.read(limits.header + 1)
    return None


def _refused(source: Source) -> Parsed | None:
    """Why a path is not opened, if so: it leads out of its folder, or opening it may never end."""
    if source.folder and _leads_out(source.path, source.folder):
        return Parsed(skipped=(Skipped(source.name, "link out of the folder"),))
    try:
        mode = source.path.stat().st_mode
    except OSError as error:
        return _rejected("unreadable", error.strerror or str(error), source.name)
    if stat.S_ISREG(mode) or str(source.path).startswith(_STREAMS):
        return None
    return _rejected("unreadable", "a pipe, device or socket, not a regular file", source.name)


def _leads_out(path: Path, folder: Path) -> bool:
    if not path.is_symlink():
        return False
    try:
        return not path.resolve().is_relative_to(folder)
    except (OSError, RuntimeError):  # a link to itself
        return True


class _Overgrown(Exception):
    """The archive unpacks to more than it may."""


def _read_lines(source: Source, provider: str | None, limits: Limits, form: str) -> Iterator[Parsed]:
    refused = blank = number = 0
    try:
        with source.path.open("rb") as raw:
            for number, line in enumerate(_lines(raw, limits, packed=source.path.suffix == ".gz"), 1):
                where = f"{source.name}:{number}"
                blank = 0 if line is None or line.strip() else blank + 1
                if blank > MOST_BLANK:
                    yield _given_up(f"{blank - 1:,} blank lines in a row", where)
                    return
                if blank:
                    continue
                if line is None:
                    parsed = _long_line(limits, where)
                else:
                    parsed = parse(line, source=where, format=form, provider=provider, limits=limits)
                yield _with_bytes(parsed, line or b"")
                refused = 0 if parsed.articles or parsed.skipped else refused + 1
                if refused >= limits.rejects:
                    yield _given_up(f"{refused:,} rejected lines in a row", where)
                    return
    except _Overgrown:
        detail = f"it unpacks to more than {MOST_UNPACKED} times its size: the rest is not read"
        yield _rejected("too_large", detail, f"{source.name}:{number + 1}")
    except (OSError, EOFError, zlib.error) as error:
        yield _rejected("unreadable", str(error), source.name)


def _lines(raw: IO[bytes], limits: Limits, *, packed: bool) -> Iterator[bytes | None]:
    """The lines of an archive; None for one above `limits.item`. Raises _Overgrown."""
    file = io.BufferedReader(gzip.GzipFile(fileobj=raw), 1 << 16) if packed else cast("io.BufferedReader", raw)
    unpacked = 0

    def readline() -> bytes:
        nonlocal unpacked
        line = file.readline(limits.item + 1)
        unpacked += len(line)
        if packed and unpacked > FREE_UNPACKED and unpacked > FREE_UNPACKED + MOST_UNPACKED * raw.tell():
            raise _Overgrown
        return line

    while line := readline():
        if len(line) <= limits.item or line.endswith(b"\n"):
            yield line
            continue
        yield None
        while (rest := readline()) and not rest.endswith(b"\n"):
            pass


def _long_line(limits: Limits, where: str) -> Parsed:
    return _rejected("too_large", f"a line above {limits.item:,} bytes", where)


def _given_up(what: str, where: str) -> Parsed:
    return _rejected("unreadable", f"{what}: this is no archive of articles, the rest is not read", where)


def _bytes(name: str) -> bytes:
    return name.encode("utf-8", "surrogateescape")


def _rejected(reason: str, detail: str, source: str) -> Parsed:
    return Parsed(rejected=(RejectedInput(reason, detail, source=source),))


def _is_input(path: PurePath) -> bool:
    if any(part.startswith(".") for part in path.parts):
        return False
    return not (path.name.startswith("README") or path.name.endswith((SIDECAR, ".expected.json")))
