"""What goes wrong in a chaos run. Each fault hits a field at work, does its harm, and leaves it to supervisors to mend."""

from __future__ import annotations

import os
import shutil
import signal
import time
from collections.abc import Callable
from pathlib import Path

from services.grouper.app import SESSION
from tests.e2e.chaos.field import Field, Kept, say
from tests.e2e.kafka import PATIENCE

Fault = Callable[[Field], None]


def kill_the_grouper(field: Field) -> None:
    field.grouper.kill()


def kill_an_emitter(field: Field) -> None:
    field.rng.choice(field.emitters).kill()


def kill_the_publisher(field: Field) -> None:
    if field.publisher is not None:
        field.publisher.kill()


def kill_a_broker(field: Field) -> None:
    _down(field, field.rng.choice([node for node in field.cluster.pids if node != field.controller()]))


def kill_the_controller(field: Field) -> None:
    _down(field, field.controller())


def stop_the_grouper_past_its_session(field: Field) -> None:
    _sleep(field, field.grouper, SESSION + field.rng.uniform(1, 5))


def stop_an_emitter_past_its_session(field: Field) -> None:
    _sleep(field, field.rng.choice(field.emitters), SESSION + field.rng.uniform(1, 5))


def lose_the_state_folder(field: Field) -> None:
    field.grouper.kill()
    shutil.rmtree(field.state)


def damage_the_state_folder(field: Field) -> None:
    """A file of RocksDB is cut, overwritten in its middle, or gone."""
    field.grouper.kill()
    files = sorted(path for path in field.state.rglob("*") if path.is_file() and path.stat().st_size)
    victim = field.rng.choice(files)
    how = field.rng.choice(["cut", "overwritten", "gone"])
    if how == "gone":
        victim.unlink()
    elif how == "cut":
        os.truncate(victim, field.rng.randrange(victim.stat().st_size))
    else:
        with victim.open("r+b") as file:
            file.seek(field.rng.randrange(victim.stat().st_size))
            file.write(field.rng.randbytes(64))
    say(f"    {victim.name} {how}")


def two_groupers_fight(field: Field) -> None:
    """A second one under the same name takes over; the first must give way by itself."""
    first = field.grouper.service
    field.grouper = field.new_grouper()
    deadline = time.monotonic() + PATIENCE
    while first.process.poll() is None:
        field.tend()
        assert time.monotonic() < deadline, f"the first has not given way\n{first.told()}"
    assert first.process.returncode == 75, first.told()


def emitters_come_and_go(field: Field) -> None:
    """One, three, one: one of those that leave is asked to, the other is killed."""
    more = [field.new_emitter(name) for name in ("b", "c")]
    field.emitters += more
    field.until(lambda: all(kept.service.get("/readyz")[0] == 200 for kept in field.emitters), "three emitters")
    field.pause(field.rng.uniform(0, 1))
    field.emitters = field.emitters[:1]
    more[0].service.process.send_signal(signal.SIGTERM)
    more[1].kill()
    assert more[0].service.ended() in (0, 75), more[0].service.told()


def restart_all_in_turn(field: Field) -> None:
    """A rolling restart under load."""
    for kept in (field.grouper, *field.emitters):
        field.until(lambda kept=kept: kept.service.get("/readyz")[0] == 200, "ready before its restart")
        kept.restart()


def lose_all_brokers(field: Field) -> None:
    """A power cut for Kafka: everybody waits, nothing is dropped."""
    for node in sorted(field.cluster.pids):
        field.cluster.kill(node)
    until = time.monotonic() + field.rng.uniform(5, 60)
    while time.monotonic() < until:
        field.tend()
    field.cluster.start()


# -- the long run only -------------------------------------------------------------------------------------------------


def fill_the_disk(field: Field) -> None:
    """The grouper's folder is on a disk that another program fills; room is made a while later."""
    field.grouper.kill()
    disk = field.folder / "disk"
    disk.mkdir(exist_ok=True)
    if not os.path.ismount(disk):
        assert os.system(f"mount -t tmpfs -o size=512m tmpfs {disk}") == 0  # root's, on a machine of tests
    field.grouper = field.new_grouper(disk / "state")
    field.until(lambda: field.grouper.service.get("/readyz")[0] == 200, "ready on its small disk")
    filler = disk / "filler"
    try:
        _fill(filler)
        victim = field.grouper.service
        field.until(lambda: victim.process.poll() is not None, "ended on its full disk")
        assert "make room" in victim.lines()[-1]["why"], victim.told()
    finally:
        filler.unlink(missing_ok=True)


def step_the_clocks(field: Field) -> None:
    """The services' clocks jump forth an hour, or back: no decision may depend on them."""
    library = next(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"), None)
    if library is None:
        say("    NOT DONE: no libfaketime on this machine")
        return
    environment = {"LD_PRELOAD": str(library), "FAKETIME_DONT_FAKE_MONOTONIC": "1", "FAKETIME_CACHE_DURATION": "1",
                   "FAKETIME_TIMESTAMP_FILE": str(field.folder / "clock")}  # fmt: skip
    (field.folder / "clock").write_text("+0")
    field.grouper.kill()
    field.grouper = field.new_grouper(field.state, **environment)
    field.until(lambda: field.grouper.service.get("/readyz")[0] == 200, "ready under another clock")
    (field.folder / "clock").write_text(field.rng.choice(["+1h", "-1h", "+30d", "-30d"]))
    field.pause(3)
    field.grouper.kill()
    field.grouper = field.new_grouper(field.state)


def slow_a_broker(field: Field) -> None:
    """A broker that stands still for a while, again and again, and never long enough to be given up."""
    pid = field.cluster.pids[field.rng.choice(sorted(field.cluster.pids))]
    for _ in range(6):
        os.kill(pid, signal.SIGSTOP)
        field.pause(field.rng.uniform(0.5, 3.0))
        os.kill(pid, signal.SIGCONT)
        field.pause(0.5)
        field.tend()


def _down(field: Field, node: int) -> None:
    field.cluster.kill(node)
    until = time.monotonic() + field.rng.uniform(2, 8)
    while time.monotonic() < until:
        field.tend()
    field.cluster.start_node(node)


def _sleep(field: Field, kept: Kept, seconds: float) -> None:
    process = kept.service.process
    process.send_signal(signal.SIGSTOP)
    field.pause(seconds)
    process.send_signal(signal.SIGCONT)


def _fill(path: Path) -> None:
    with path.open("wb") as file:
        try:
            while True:
                file.write(b"\0" * (1 << 20))
        except OSError:
            return


FAULTS: tuple[Fault, ...] = (
    kill_the_grouper, kill_an_emitter, kill_the_publisher, kill_a_broker, kill_the_controller,
    stop_the_grouper_past_its_session, stop_an_emitter_past_its_session, lose_the_state_folder, damage_the_state_folder,
    two_groupers_fight, emitters_come_and_go, restart_all_in_turn, lose_all_brokers,
)  # fmt: skip
LONG_FAULTS: tuple[Fault, ...] = (fill_the_disk, step_the_clocks, slow_a_broker)
