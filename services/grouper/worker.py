"""`writethru run grouper`: waits for the broker, checks its topics, and runs the Faust application until it is told to stop."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import faust
from aiokafka.errors import KafkaError

from services.contract.settings import Settings
from services.contract.topics import ARTICLES, REJECTED, REVISIONS, ROWS
from services.core.errors import WritethruError
from services.grouper.app import Grouper, Skips, table_folder
from services.grouper.endings import clear_damage, is_damage, is_full, verdict, wait_for_room
from services.runtime.health import Health
from services.runtime.lifecycle import Again, Stop
from services.runtime.logs import logger
from services.runtime.topic_admin import wait_for_topics

log = logger(__name__)

TOPICS: Final = (ARTICLES, REJECTED, REVISIONS, ROWS)
"""What it reads and writes: others may be missing while an installation is upgraded."""


def run(settings: Settings, health: Health, stop: Stop, skips: Skips | None = None) -> None:
    """Group until told to stop. Ends the process with a code of `Exit` where it cannot go on.

    Raises Again, WrongTopics, NotAllowed, and WritethruError where Faust itself has crashed.
    """
    folder = table_folder(settings)
    clear_damage(folder)
    if not (wait_for_room(folder, stop, health) and wait_for_topics(settings, stop, health, TOPICS)):
        return
    health.waits("recovery of the table")
    grouper = Grouper(settings, health, skips)
    worker = faust.Worker(
        grouper.app, loglevel="WARNING", redirect_stdouts=False, override_logging=False, quiet=True,
        workdir=None, console_port=0,
    )  # fmt: skip
    worker.spinner = None  # stdout is not ours to draw on
    try:
        worker.execute_from_commandline()  # takes SIGTERM from here on; raises SystemExit
    except SystemExit as ended:
        if ended.code:
            raise what_crashed(worker.crash_reason or ended.__context__, folder) from ended


def what_crashed(error: BaseException | None, folder: Path) -> WritethruError:
    """What ends the process when Faust itself has crashed: Faust says 1, and no supervisor knows what that means."""
    if error is not None and (is_full(error) or is_damage(error)):
        return Again(verdict(error, folder)[1])
    if isinstance(error, (KafkaError, ConnectionError)):
        return Again(f"faust: {error!r}")
    return WritethruError(f"faust crashed: {error!r}")
