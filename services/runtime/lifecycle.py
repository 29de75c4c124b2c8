"""How a service lives and ends: asked to stop by a signal, and the code with which its process ends."""

from __future__ import annotations

import enum
import signal
import sys
import threading
from os import _exit
from typing import NoReturn

from services.core.errors import WritethruError
from services.runtime.logs import logger

log = logger(__name__)


class Exit(enum.IntEnum):
    """Exit codes of `writethru run` (beside 0 and 2 of every command). A supervisor restarts on 70 and 75."""

    BUG = 70
    """A bug or a damaged log: nothing was skipped; see the last line of the log."""
    AGAIN = 75
    """Another instance took over, or the broker was away too long: start again."""
    REFUSED = 78
    """Topics are missing or other than declared, the broker refuses us, or rows are of a newer engine: a person's job."""


class Again(WritethruError):
    """One life of the process is over, and the next one can go on: `Exit.AGAIN`."""


def end(code: Exit, why: str) -> NoReturn:
    """End the process now, with the reason as its last line, from wherever this is called: nothing else is waited for."""
    log.critical("ended", code=int(code), why=why)
    if sys.__stderr__ is not None:
        sys.__stderr__.flush()
    _exit(code)


class Stop:
    """SIGTERM or ^C was received. A second one ends the process at once."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def install(self) -> Stop:
        """Take the signals of this process from now on."""
        signal.signal(signal.SIGTERM, self._ask)
        signal.signal(signal.SIGINT, self._ask)
        return self

    @property
    def asked(self) -> bool:
        return self._event.is_set()

    def ask(self) -> None:
        self._event.set()

    def wait(self, seconds: float) -> bool:
        """Sleep, but not past the wish to stop; whether it was wished."""
        return self._event.wait(seconds)

    def _ask(self, signum: int, _frame: object) -> None:
        if self.asked:
            signal.signal(signum, signal.SIG_DFL)
            signal.raise_signal(signum)
        self.ask()
