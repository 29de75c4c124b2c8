"""A hot folder: files are taken when they are complete, and lie in done/ or rejected/ when the broker has them.

A file goes this way, by renames within the folder, so that a crash at any point loses nothing:

    NAME  →  .writethru/N/files/NAME  →  .writethru/N.over/  →  done/NAME  or  rejected/NAME and NAME.reason.json
          claimed, read, sent,         verdict written,
          acknowledged                 renamed at once

What is claimed when the process ends is sent again by the next one: an input that comes twice has the same id. What is over is
only put away.
"""

from __future__ import annotations

import itertools
import os
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Final

import msgspec

from services.contract.codec import encode
from services.core.errors import RejectedInput
from services.core.wire.limits import Limits
from services.publisher.inlet import Inlet
from services.runtime.archive import SIDECAR, read
from services.runtime.containers import printable
from services.runtime.logs import logger

log = logger(__name__)

WORK: Final = ".writethru"
DONE: Final = "done"
REJECTED: Final = "rejected"
REASON: Final = ".reason.json"
UNFINISHED: Final = (".tmp", ".part", ".partial", ".filepart", ".crdownload", ".inprogress", ".uploading", ".swp", "~")
"""What senders call a file while they write it."""
AT_ONCE: Final = 200
"""Files that are claimed together and acknowledged together; a broker's answer takes some milliseconds."""
EMPTY_FOR: Final = 10
"""Times `settle` that an empty file may stay empty: some senders make it first and write it later."""
DEEPEST: Final = 8
"""Folders within folders."""
LONGEST_STEM: Final = 200
LONGEST_SUFFIX: Final = 16
"""Bytes of a name in done/ or rejected/: a disk takes 255, and a number and `.reason.json` come behind it."""
MOST_REASONS: Final = 100
"""Rejected items that a reason file names."""


class Reason(msgspec.Struct, frozen=True):
    """One rejected item."""

    reason: str
    detail: str
    source: str | None
    position: str | None


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """What a file came to: where it goes (relative to the folder), and what its reason file says."""

    to: str
    accepted: int = 0
    skipped: int = 0
    rejected: tuple[Reason, ...] = ()
    rejected_in_all: int = 0
    at: str


@dataclass(frozen=True, slots=True)
class _Seen:
    size: int
    changed: int
    inode: int
    since: float


@dataclass(slots=True)
class _Claim:
    """A file in work: `home` holds it under files/, `name` is its path from the folder."""

    home: Path
    name: str
    accepted: int = 0
    skipped: int = 0
    rejected: int = 0
    reasons: list[Reason] | None = None
    as_read: tuple[int, int] | None = None

    @property
    def file(self) -> Path:
        return self.home / "files" / self.name


class HotFolder:
    """One hot folder. Only one process may take from it. `stopping` is asked between the inputs of an archive.

    `settle` in seconds: a file that has not changed for so long is complete; one that was renamed from an unfinished name
    is complete at once. `sidecars`: a file waits for its NAME.meta.yaml.
    """

    def __init__(
        self, root: Path, inlet: Inlet, *, settle: float, limits: Limits, sidecars: bool = False,
        stopping: Callable[[], bool] = lambda: False, clock: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        self._root = root
        self._inlet = inlet
        self._settle = settle
        self._limits = limits
        self._sidecars = sidecars
        self._stopping = stopping
        self._clock = clock
        self._seen: dict[str, _Seen] = {}
        self._unfinished: set[int] = set()
        self._last = 0
        self._recovered = False

    def look(self) -> int:
        """One round: what is complete goes onto the log and out of the way. How many files that were.

        Raises OSError where the folder cannot be used, KafkaError where the broker does not take what is sent; in both
        cases the next round goes on where this one ended.
        """
        known, self._recovered = self._recovered, False  # whatever ends this round, what is claimed is found again
        claims = [] if known else list(self._recover())
        taken_back = 0
        for name in self._complete():
            claim = self._claim(name)
            if claim is None:
                taken_back += 1
            else:
                claims.append(claim)
        sent = list(itertools.takewhile(self._send, claims))
        self._inlet.flush()
        finished = sum(self._settle_up(claim) for claim in sent)
        self._recovered = len(sent) == len(claims) and not taken_back
        return finished

    # -- what is there -------------------------------------------------------------------------------------------------

    def _complete(self) -> list[str]:
        """Files that are complete, the oldest first."""
        now = self._clock()
        found: dict[str, _Seen] = {}
        unfinished: set[int] = set()
        for entry, name in self._entries(self._root, "", 0):
            try:
                state = entry.stat(follow_symlinks=False)
            except FileNotFoundError:
                continue
            if _is_unfinished(entry.name):
                unfinished.add(state.st_ino)
                continue
            before = self._seen.get(name)
            same = before is not None and (before.size, before.changed, before.inode) == (
                state.st_size, state.st_mtime_ns, state.st_ino,
            )  # fmt: skip
            since = before.since if same and before is not None else now
            if state.st_ino in self._unfinished and before is None:
                since = now - self._settle * EMPTY_FOR - 1  # renamed: whoever wrote it has said that it is whole
            found[name] = _Seen(state.st_size, state.st_mtime_ns, state.st_ino, since)
        self._seen, self._unfinished = found, unfinished
        ready = [name for name, seen in found.items() if not name.endswith(SIDECAR) and self._is_ready(name, seen, now)]
        ready.sort(key=lambda name: (found[name].changed, os.fsencode(name)))
        return ready[:AT_ONCE]

    def _entries(self, folder: Path, prefix: str, depth: int) -> Iterator[tuple[os.DirEntry[str], str]]:
        """Regular files below the folder, with their path from it. Links are not followed."""
        try:
            with os.scandir(folder) as entries:
                listed = list(entries)
        except FileNotFoundError:
            if depth == 0:
                raise
            return
        for entry in listed:
            name = prefix + entry.name
            if entry.is_dir(follow_symlinks=False):
                ours = depth == 0 and entry.name in (DONE, REJECTED)
                if depth < DEEPEST and not ours and not entry.name.startswith("."):
                    yield from self._entries(folder / entry.name, name + "/", depth + 1)
            elif entry.is_file(follow_symlinks=False):
                yield entry, name

    def _is_ready(self, name: str, seen: _Seen, now: float) -> bool:
        patience = self._settle * (1 if seen.size else EMPTY_FOR)
        if now - seen.since < patience:
            return False
        sidecar = self._sidecar(name)
        if sidecar is None:
            return not self._sidecars
        return now - self._seen[sidecar].since >= self._settle

    def _sidecar(self, name: str) -> str | None:
        """The sidecar beside a file, for its name with the suffix or without, unless that is another file's."""
        if name + SIDECAR in self._seen:
            return name + SIDECAR
        path = PurePosixPath(name)
        stem = str(path.with_suffix("")) if path.suffix else name
        return stem + SIDECAR if stem != name and stem not in self._seen and stem + SIDECAR in self._seen else None

    # -- its way -------------------------------------------------------------------------------------------------------

    def _claim(self, name: str) -> _Claim | None:
        self._last = max(self._last + 1, time.time_ns())
        claim = _Claim(self._root / WORK / f"{self._last:020d}", name)
        claim.file.parent.mkdir(parents=True)
        sidecar = self._sidecar(name)
        if sidecar is not None:  # first: a file without its sidecar may be without its embargo
            (self._root / sidecar).rename(claim.home / "files" / sidecar)
        try:
            (self._root / name).rename(claim.file)
        except FileNotFoundError:  # its sender took it back
            return None
        self._seen.pop(name, None)
        return claim

    def _recover(self) -> Iterator[_Claim]:
        """Put away what is over, put back what was only begun, and find what was claimed."""
        work = self._root / WORK
        if not work.is_dir():
            return
        for home in sorted(work.iterdir()):
            if home.name.endswith(".over"):
                self._put_away(home)
                continue
            inside = [path for path in (home / "files").rglob("*") if path.is_file()]
            main = [path for path in inside if not path.name.endswith(SIDECAR)]
            if main:
                yield _Claim(home, str(main[0].relative_to(home / "files")))
                continue
            for sidecar in inside:  # claimed before its file, which still lies where it lay
                back = self._root / sidecar.relative_to(home / "files")
                if not back.exists():
                    sidecar.rename(back)
            shutil.rmtree(home)

    def _send(self, claim: _Claim) -> bool:
        """All of a file onto its way; False if told to stop before its end."""
        state = claim.file.stat()
        claim.as_read = (state.st_size, state.st_mtime_ns)
        near = datetime.fromtimestamp(state.st_mtime, UTC)
        claim.reasons, empty = [], True
        for parsed in read(claim.home / "files", provider=self._inlet.feed.provider, limits=self._limits):
            if self._stopping():
                return False
            ready = self._inlet.take(parsed, near=near)
            empty = False
            claim.accepted += len(ready.articles)
            claim.skipped += len(ready.skipped)
            for error in ready.rejected:
                claim.rejected += 1
                if len(claim.reasons) < MOST_REASONS:
                    claim.reasons.append(_reason(error))
        if empty:
            claim.rejected = 1
            claim.reasons.append(_reason(RejectedInput("no_input", "README* and *.expected.json are never input")))
        return True

    def _settle_up(self, claim: _Claim) -> int:
        """Out of the way with a file that the broker has; back with one that was still being written."""
        state = claim.file.stat()
        if (state.st_size, state.st_mtime_ns) != claim.as_read and self._put_back(claim):
            log.info(
                "a file grew while it was read; it is taken again", feed=self._inlet.name, file=printable(claim.name)
            )
            return 0
        where = REJECTED if claim.rejected else DONE
        verdict = Verdict(
            to=self._free(where, claim.name), accepted=claim.accepted, skipped=claim.skipped,
            rejected=tuple(claim.reasons or ()), rejected_in_all=claim.rejected, at=datetime.now(UTC).isoformat(),
        )  # fmt: skip
        (claim.home / "verdict.json").write_bytes(msgspec.json.encode(_spelt(verdict)))
        over = claim.home.with_name(claim.home.name + ".over")
        claim.home.rename(over)
        self._put_away(over)
        return 1

    def _put_back(self, claim: _Claim) -> bool:
        """To where it came from, unless something else lies there by now. The file first: see `_recover`."""
        files = claim.home / "files"
        if (self._root / claim.name).exists():
            return False
        claim.file.rename(self._root / claim.name)
        for sidecar in [path for path in files.rglob("*") if path.is_file()]:
            sidecar.rename(self._root / sidecar.relative_to(files))
        shutil.rmtree(claim.home)
        return True

    def _put_away(self, over: Path) -> None:
        """Move what a verdict is out on, as often as it takes: each step may have been done before."""
        if not (over / "verdict.json").exists():  # a crash while the empty folders were removed
            shutil.rmtree(over)
            return
        verdict = msgspec.json.decode((over / "verdict.json").read_bytes(), type=Verdict)
        to = self._root / os.fsdecode(verdict.to.encode("latin-1"))
        to.parent.mkdir(parents=True, exist_ok=True)
        if verdict.rejected:
            shown = msgspec.structs.replace(verdict, to=printable(os.fsdecode(verdict.to.encode("latin-1"))))
            to.with_name(to.name + REASON).write_bytes(msgspec.json.format(encode(shown), indent=2) + b"\n")
        for path in [path for path in (over / "files").rglob("*") if path.is_file()]:
            path.rename(to.with_name(to.name + SIDECAR) if path.name.endswith(SIDECAR) else to)
        shutil.rmtree(over)

    def _free(self, where: str, name: str) -> str:
        """A path below done/ or rejected/ that no earlier file has, nor its reason or sidecar."""
        path = PurePosixPath(name)
        suffix = path.suffix if len(os.fsencode(path.suffix)) <= LONGEST_SUFFIX else ""
        stem = os.fsdecode(os.fsencode(path.name.removesuffix(suffix))[:LONGEST_STEM])
        for number in itertools.count(1):
            free = f"{where}/{path.with_name(stem + (f'~{number}' if number > 1 else '') + suffix)}"
            if not any((self._root / (free + end)).exists() for end in ("", REASON, SIDECAR)):
                return free
        raise AssertionError


def _is_unfinished(name: str) -> bool:
    return name.startswith(".") or name.casefold().endswith(UNFINISHED)


def _reason(error: RejectedInput) -> Reason:
    return Reason(error.reason, error.detail, error.source, error.position)


def _spelt(verdict: Verdict) -> Verdict:
    """With a path that JSON can carry: names of files are bytes, of any kind."""
    return msgspec.structs.replace(verdict, to=os.fsencode(verdict.to).decode("latin-1"))
