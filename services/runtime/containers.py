"""Zip and tar files as inputs: members by name, bounded in number and bytes, and nothing of them written under a name.

An archive that asks for more than it may have ends with a reject that says so; what was read before it stays read.
"""

from __future__ import annotations

import contextlib
import gzip
import struct
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePath, PurePosixPath
from typing import IO, Literal

from services.core.errors import RejectedInput
from services.core.wire import Skipped
from services.core.wire.limits import Limits

MOST_UNPACKED = 100
"""Times its packed size that an archive may unpack to, beyond `FREE_UNPACKED`. JSON of news packs 3 to 10 times; gzip's most,
for blanks, is 1,032."""
FREE_UNPACKED = 16 * 1024 * 1024
"""Bytes that any archive may unpack to: room for one item of the largest size."""
MOST_MEMBERS = 50_000
"""A day of a large agency has some thousands; a member costs about a kilobyte before it is read."""
LONGEST_NAME = 64 * 1024
"""Bytes of a tar's header for a long name: tarfile reads all of it, and searches it."""

Kind = Literal["zip", "tar", "tar.gz", "gz"]
_ZIP, _GZIP, _TAR = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08"), b"\x1f\x8b", b"ustar"
_BROKEN = (
    OSError, EOFError, zlib.error, struct.error, ValueError, RuntimeError, NotImplementedError, zipfile.BadZipFile,
    tarfile.TarError, KeyError, IndexError, UnicodeError, MemoryError,
)  # fmt: skip
"""What the standard library raises on archives that are cut, encrypted, or lie about themselves."""


@dataclass(frozen=True, slots=True)
class Member:
    """A file in an archive, read whole, with the sidecar that stands beside it."""

    name: str
    data: bytes
    sidecar: bytes | None = None


@dataclass(frozen=True, slots=True)
class _Entry:
    name: str
    is_file: bool
    read: Callable[[int], bytes]


class _Overgrown(Exception):
    """The archive holds more than it may; the message says what."""


class Budget:
    """How many bytes an archive of a packed size may still unpack to. Raises _Overgrown."""

    def __init__(self, packed: int) -> None:
        self._left = FREE_UNPACKED + MOST_UNPACKED * packed

    def take(self, size: int) -> None:
        self._left -= size
        if self._left < 0:
            raise _Overgrown(f"it unpacks to more than {MOST_UNPACKED} times its size: the rest is not read")


def is_packed(head: bytes) -> bool:
    """Whether the first 512 bytes of a file are an archive's."""
    return head.startswith((*_ZIP, _GZIP)) or head[257:262] == _TAR


def kind_of(path: Path) -> Kind | None:
    """What an archive is, by its first bytes; None for any other file, and for one that cannot be opened."""
    try:
        with path.open("rb") as file:
            head = file.read(512)
            if head.startswith(_ZIP):
                return "zip"
            if head[257:262] == _TAR:
                return "tar"
            if not head.startswith(_GZIP):
                return None
            file.seek(0)
            with contextlib.suppress(*_BROKEN):
                return "tar.gz" if gzip.GzipFile(fileobj=file).read(512)[257:262] == _TAR else "gz"
            return "gz"
    except OSError:
        return None


def members(
    path: Path, kind: Kind, name: str, limits: Limits, is_input: Callable[[PurePath], bool], sidecar: str
) -> Iterator[Member | Skipped | RejectedInput]:
    """The files in an archive called `name`, in byte order of their path, as a folder's would be.

    Links and paths that lead out are skipped by name; archives in archives, members above `limits.item` and archives that
    grow too large are rejected.
    """
    try:
        with path.open("rb") as file, tempfile.TemporaryFile() as spool:
            budget = Budget(path.stat().st_size)
            entries = sorted(
                _entries(file, kind, budget, spool), key=lambda entry: entry.name.encode("utf-8", "surrogateescape")
            )
            by_name = {entry.name: entry for entry in entries if entry.is_file}
            for entry in entries:
                shown = f"{name}/{printable(entry.name)}" if kind != "gz" else name
                inside = PurePosixPath(entry.name)
                if inside.is_absolute() or ".." in inside.parts:
                    yield Skipped(shown, "path out of the archive")
                elif not is_input(inside):
                    continue
                elif not entry.is_file:
                    yield Skipped(shown, "link in an archive")
                else:
                    yield _member(entry, shown, by_name, budget, limits, sidecar)
    except _Overgrown as error:
        yield RejectedInput("too_large", str(error), source=name)
    except _BROKEN as error:
        yield RejectedInput("unreadable", f"a broken archive: {error}"[:200], source=name)


def _member(
    entry: _Entry, shown: str, by_name: dict[str, _Entry], budget: Budget, limits: Limits, sidecar: str
) -> Member | RejectedInput:
    try:
        data = entry.read(limits.item + 1)
        budget.take(len(data))
        if len(data) > limits.item:
            return RejectedInput("too_large", f"more than {limits.item:,} bytes, an input may hold that", source=shown)
        if is_packed(data[:512]):
            return RejectedInput("nested_archive", "an archive in an archive is not opened", source=shown)
        inside = PurePosixPath(entry.name)
        beside = next(
            (
                by_name[at]
                for stem in (inside.name, inside.stem)
                if (at := str(inside.with_name(stem + sidecar))) in by_name
            ),
            None,
        )
        said = beside.read(limits.header + 1) if beside else None
    except _BROKEN as error:
        return RejectedInput("unreadable", f"a broken member: {error}"[:200], source=shown)
    return Member(shown, data, said)


def _entries(file: IO[bytes], kind: Kind, budget: Budget, spool: IO[bytes]) -> Iterator[_Entry]:
    if kind == "zip":
        return _in_zip(file)
    if kind == "gz":
        return iter((_Entry("gz", is_file=True, read=gzip.GzipFile(fileobj=file).read),))
    return _in_tar(file if kind == "tar" else _unpacked(file, budget, spool))


# --- zip -------------------------------------------------------------------------------------------------------------

_END = struct.Struct("<4s4H2LH")
_RECORD = 46  # bytes of an entry in the directory, without its name


def _in_zip(file: IO[bytes]) -> Iterator[_Entry]:
    """Raises _Overgrown before the directory is read, if that alone is too large: zipfile reads it whole."""
    size = file.seek(0, 2)
    file.seek(max(0, size - 65_600))
    tail = file.read()
    end = tail.rfind(b"PK\x05\x06")
    if end < 0 or len(tail) - end < _END.size:
        raise zipfile.BadZipFile("its directory is missing")
    directory = _END.unpack_from(tail, end)[5]
    if directory > MOST_MEMBERS * _RECORD * 4:  # names of three times the record's length
        raise _Overgrown(f"a directory of {directory:,} bytes: the archive is not read")
    archive = zipfile.ZipFile(file)
    if len(archive.infolist()) > MOST_MEMBERS:
        raise _Overgrown(f"more than {MOST_MEMBERS:,} members: the archive is not read")
    for info in archive.infolist():
        if not info.is_dir():
            is_link = (info.external_attr >> 28) == 0o12
            yield _Entry(info.filename.replace("\\", "/"), not is_link, _reading(archive, info))


def _reading(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Callable[[int], bytes]:
    def read(size: int) -> bytes:
        with archive.open(info) as member:
            return member.read(size)

    return read


# --- tar -------------------------------------------------------------------------------------------------------------

_BLOCK = 512


def _unpacked(file: IO[bytes], budget: Budget, spool: IO[bytes]) -> IO[bytes]:
    """A gzip's content in a temporary file without a name, so that members can be read in any order."""
    packed = gzip.GzipFile(fileobj=file)
    while block := packed.read(1 << 20):
        budget.take(len(block))
        spool.write(block)
    spool.seek(0)
    return spool


def _in_tar(file: IO[bytes]) -> Iterator[_Entry]:
    _measure(file)
    archive = tarfile.open(fileobj=file, mode="r:")  # noqa: SIM115  # members are read after the last is listed
    for info in archive:
        if not info.isdir():
            yield _Entry(info.name.removeprefix("./"), info.isreg(), _reading_tar(archive, info))


def _reading_tar(archive: tarfile.TarFile, info: tarfile.TarInfo) -> Callable[[int], bytes]:
    def read(size: int) -> bytes:
        member = archive.extractfile(info)
        return member.read(size) if member else b""

    return read


def _measure(file: IO[bytes]) -> None:
    """Raises _Overgrown where a tar has too many members or a header that is a bomb; leaves the file at its beginning."""
    count = 0
    while len(header := file.read(_BLOCK)) == _BLOCK and header.strip(b"\0"):
        count += 1
        size = tarfile.nti(header[124:136])  # type: ignore[attr-defined]  # the reader of numbers that tarfile itself uses
        if count > MOST_MEMBERS:
            raise _Overgrown(f"more than {MOST_MEMBERS:,} members: the archive is not read")
        if header[156:157] in b"xgLKX" and size > LONGEST_NAME:
            raise _Overgrown(f"a name of {size:,} bytes: the archive is not read")
        if size < 0:
            raise tarfile.ReadError("a member of negative size")
        file.seek(-(-size // _BLOCK) * _BLOCK, 1)
    file.seek(0)


def printable(name: str) -> str:
    """A file's name as Unicode, whatever bytes it has on disk."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
