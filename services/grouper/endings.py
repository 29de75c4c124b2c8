"""What ends a grouper's life before its time: with which code, and what the last line tells a person to do.

A record that cannot be decided may be skipped. A full disk and damaged files are nobody's record, and to skip one for them
would lose it: the first wants room, the second are thrown away by the next life and made again from the changelog.
"""

from __future__ import annotations

import errno
import shutil
from pathlib import Path
from typing import Final

from services.core.errors import BrokenLog
from services.runtime.health import Health
from services.runtime.lifecycle import Exit, Stop
from services.runtime.logs import logger

log = logger(__name__)

LEAST_ROOM: Final = 64 << 20
"""Bytes that must be free for the table: below it the grouper ends, while RocksDB can still close its files."""
LOOKS_EVERY: Final = 5.0
DAMAGE: Final = ("Corruption", "No such file", "checksum mismatch")
"""How RocksDB names a store with damaged or missing files; a full disk or a store that is in use are other words."""
_MARK: Final = "damaged"


class Contradiction(BrokenLog):
    """A number would get a second row: the state is not what it was when the first was written."""


class OversizedRow(BrokenLog):
    """A row above the topic's limit."""


def is_damage(error: BaseException) -> bool:
    """Whether RocksDB speaks of damaged or missing files."""
    return any(word in str(error) for word in DAMAGE)


def is_full(error: BaseException) -> bool:
    """Whether it is the disk that is full."""
    return getattr(error, "errno", None) == errno.ENOSPC or "No space left on device" in str(error)


def verdict(error: BaseException, folder: Path, record: str | None = None) -> tuple[Exit, str]:
    """The code and the last line for what was raised; `record` is EDITION:OFFSET of the one at hand, if one was.

    Marks a damaged store, so that the next life makes it again.
    """
    if is_full(error):
        return Exit.AGAIN, no_room(folder)
    if isinstance(error, Contradiction):  # the state, not the record: without that record it would be as wrong
        return Exit.BUG, (
            f"{error}. Nothing was skipped. Delete {folder} and start again: the table is made again from the changelog"
        )
    if isinstance(error, BrokenLog) and not isinstance(error, OversizedRow):
        return Exit.BUG, f"{error}. Nothing was skipped; writethru state check says more"
    if is_damage(error):
        if folder.is_dir():
            (folder / _MARK).touch()
        return (
            Exit.AGAIN,
            f"the table in {folder} is damaged ({error}): the next life makes it again from the changelog",
        )
    if record is None:
        return Exit.BUG, f"{error!r}: report it with the log's traceback; nothing was skipped"
    return Exit.BUG, (
        f"record {record} cannot be decided ({error!r}); nothing was skipped and its offset is not committed. "
        f"To go past it: writethru run grouper --skip {record} --reason TEXT"
    )


def clear_damage(folder: Path) -> None:
    """Throw away a table that an earlier life found damaged."""
    if (folder / _MARK).exists():
        log.warning("a damaged table is made again from the changelog", folder=str(folder))
        shutil.rmtree(folder)


def has_room(folder: Path) -> bool:
    """Whether the table can grow."""
    while not folder.exists():
        folder = folder.absolute().parent
    return shutil.disk_usage(folder).free >= LEAST_ROOM


def no_room(folder: Path) -> str:
    return f"the disk of {folder} is full: make room there (at least {LEAST_ROOM >> 20} MiB), the next life goes on by itself"


def wait_for_room(folder: Path, stop: Stop, health: Health) -> bool:
    """Come back when there is room for the table: True; False if told to stop first."""
    while not stop.asked and not has_room(folder):
        log.warning(no_room(folder))
        health.waits("room on the disk of its table")
        stop.wait(LOOKS_EVERY)
    return not stop.asked
