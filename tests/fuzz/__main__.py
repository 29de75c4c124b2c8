"""`make long`: spoilt files through the parsers, for FUZZ_SECONDS. Findings are kept with their input, one of a kind.

A finding: whatever is raised but the declared reject, an input that takes more than 2 s of processor time or 500 MB, one whose
result depends on what was read before it. `python -m tests.fuzz FILE` tries a finding again.
"""

from __future__ import annotations

import argparse
import faulthandler
import gc
import hashlib
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from random import Random
from types import FrameType

from services.core import wire
from tests.fuzz import corpus, holds
from tests.fuzz.mutate import spoilt

SECONDS_EACH = 2.0
MEMORY = 500 * 1024 * 1024
PROBE_EVERY = 40
"""Inputs between two looks at whether an unspoilt file still reads as it did at first."""
STUCK = 120
"""Seconds after which a call into C that does not come back ends the run; the input lies in the folder."""
KINDS_OF_FINDINGS = 20
MOST_OBJECTS_KEPT = 50_000
"""Python objects that a run may leave behind: caches of the libraries, bounded each."""


class Hang(BaseException):
    """Too long for one input; no `except Exception` on the way catches it."""


class Run:
    """One process's fuzzing: its folder of findings, and what was found."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.findings: dict[str, Path] = {}
        self.inputs = 0
        signal.signal(signal.SIGPROF, self._too_long)

    def attempt(self, data: bytes, work: Callable[[], object], suffix: str = "bin") -> None:
        """One input. Nothing is raised: what is found is kept."""
        self.inputs += 1
        now = self.folder / "now"
        now.write_bytes(data)
        faulthandler.dump_traceback_later(STUCK, exit=True)
        before = time.process_time()
        signal.setitimer(signal.ITIMER_PROF, SECONDS_EACH)
        try:
            work()
        except (Hang, Exception) as error:  # noqa: BLE001  # whatever it is: that is what is looked for
            signal.setitimer(signal.ITIMER_PROF, 0)
            self.keep(data, _name(error), "".join(traceback.format_exception(error)), suffix)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            faulthandler.cancel_dump_traceback_later()
        if (took := time.process_time() - before) > SECONDS_EACH + 0.5:
            self.keep(data, "slow", f"{took:.1f} s of processor time", suffix)

    def keep(self, data: bytes, name: str, what: str, suffix: str = "bin") -> None:
        """A finding, unless one of its kind is known."""
        if name in self.findings:
            return
        path = self.folder / f"{name}-{hashlib.sha256(data).hexdigest()[:8]}.{suffix}"
        path.write_bytes(data)
        self.findings[name] = path
        print(f"finding: {path}\n{what[-3_000:]}", file=sys.stderr, flush=True)

    def _too_long(self, _signal: int, frame: FrameType | None) -> None:
        raise Hang("".join(traceback.format_stack(frame)[-6:]))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, help="findings to try again")
    parser.add_argument("--seconds", type=float, default=float(os.environ.get("FUZZ_SECONDS", "1800")))
    parser.add_argument("--seed", type=int, default=int(os.environ.get("FUZZ_SEED", "0")) or time.time_ns() % 1_000_000)
    parser.add_argument("--folder", type=Path, default=None, help="where findings are kept")
    parser.add_argument(
        "--guided", choices=("half", "no"), default="half", help="half of the time with atheris, where it is"
    )
    chosen = parser.parse_args()
    folder = chosen.folder or Path(tempfile.mkdtemp(prefix="writethru-fuzz-"))
    folder.mkdir(parents=True, exist_ok=True)
    run = Run(folder)
    if chosen.files:
        for path in chosen.files:
            run.attempt(path.read_bytes(), _trial(path, run), path.suffix[1:])
        return bool(run.findings)
    guided = chosen.guided == "half" and _has_atheris()
    fuzz(run, Random(chosen.seed), chosen.seconds / (2 if guided else 1))
    print(
        f"fuzz: seed {chosen.seed}, {run.inputs:,} spoilt inputs, {len(run.findings)} findings in {folder}", flush=True
    )
    failed = bool(run.findings)
    if guided:
        command = [
            sys.executable,
            "-m",
            "tests.fuzz.guided",
            str(folder),
            str(round(chosen.seconds / 2)),
            str(chosen.seed),
        ]
        failed |= subprocess.run(command, check=False).returncode != 0
    return failed


def fuzz(run: Run, chance: Random, seconds: float) -> None:
    """Spoilt files until the time is over or too much was found."""
    files, sidecars, feeds = corpus.samples(), corpus.sidecars(), corpus.feeds_files()
    packed = corpus.archives(files)
    prints = [holds.print_of(wire.parse(data, source="x.txt")) for data in files]
    objects = _objects()
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    held = Path("/proc/self/statm")
    if held.exists():
        room = int(held.read_text().split()[0]) * resource.getpagesize() + MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (room, resource.getrlimit(resource.RLIMIT_AS)[1]))
    forms = ("auto", *wire.FORMATS, "json")
    end = time.monotonic() + seconds
    while time.monotonic() < end and len(run.findings) < KINDS_OF_FINDINGS:
        what = chance.random()
        if what < 0.05:
            data = spoilt(chance.choice(feeds), feeds, chance)
            run.attempt(data, lambda data=data: holds.of_a_feeds_file(data), "feeds")
        elif what < 0.12:
            data = spoilt(chance.choice(packed), packed, chance)
            path = run.folder / "now"
            run.attempt(data, lambda path=path: holds.of_an_archive(path), "archive")
        else:
            data = spoilt(chance.choice(files), files, chance)
            form = chance.choice(forms) if chance.random() < 0.15 else "auto"
            beside = spoilt(chance.choice(sidecars), files, chance) if sidecars and chance.random() < 0.05 else None
            limits = holds.SMALL if chance.random() < 0.2 else holds.DEFAULT
            run.attempt(
                data,
                lambda data=data, form=form, beside=beside, limits=limits: holds.of_a_file(
                    data, form=form, sidecar=beside, limits=limits
                ),
                form,
            )
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        if (most - used) * 1024 > MEMORY:
            run.keep(data, "memory", f"{(most - used) // 1024} MB more than before")
        if run.inputs % PROBE_EVERY == 0:
            at = chance.randrange(len(files))
            if holds.print_of(wire.parse(files[at], source="x.txt")) != prints[at]:
                run.keep(files[at], "state", "it reads otherwise than before the others were read")
    if (more := _objects() - objects) > MOST_OBJECTS_KEPT:
        run.keep(b"", "leak", f"{more:,} Python objects more than before")


def _trial(path: Path, run: Run) -> Callable[[], object]:
    kind = path.suffix[1:]
    if kind == "feeds":
        return lambda: holds.of_a_feeds_file(path.read_bytes())
    if kind == "archive":
        return lambda: holds.of_an_archive(run.folder / "now")
    form = kind if kind in wire.FORMATS or kind == "json" else "auto"
    return lambda: [holds.of_a_file(path.read_bytes(), form=form, limits=some) for some in (holds.DEFAULT, holds.SMALL)]


def _objects() -> int:
    gc.collect()
    return len(gc.get_objects())


def _name(error: BaseException) -> str:
    """What went wrong where: the last line of our own that it passed."""
    ours = [f for f in traceback.extract_tb(error.__traceback__) if "/services/" in f.filename or "holds" in f.filename]
    where = f"{Path(ours[-1].filename).stem}-{ours[-1].lineno}" if ours else "outside"
    return f"{type(error).__name__}-{where}"


def _has_atheris() -> bool:
    import importlib.util

    return importlib.util.find_spec("atheris") is not None


if __name__ == "__main__":
    sys.exit(main())
