"""`make bench-e2e`: from a filled topic to the last event, and the latency of a steady trickle, beside a pass-through peer.

One broker and everything on this machine. Figures are this machine's; the ratio to the peer, run right after on the same
broker, is what carries over.
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import quantiles
from typing import Any

from services.contract.codec import decode, encode
from services.contract.topics import ARTICLES, EVENTS, record_key, topic_name
from services.core.article import Article, Command
from services.core.events import Event
from services.core.wire import parse
from services.publisher.publish import Publisher
from services.runtime.clients import consumer, producer
from tests.builders import CLOCK, ROOT, SHARED
from tests.e2e.kafka import Installation, broker

TICKS = os.sysconf("SC_CLK_TCK")
STREAM = SHARED / "data" / "stream" / "reuters21578.articles.jsonl.gz"


def main() -> None:
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--articles", type=int, default=3_000)
    given.add_argument("--trickle", type=int, default=1_000, help="records of the latency run")
    given.add_argument("--rate", type=float, default=50.0, help="records a second of the latency run")
    asked = given.parse_args()
    records = list(stream(asked.articles + asked.trickle))
    print(
        f"{len(records):,} articles of {STREAM.name}; {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} before the run"
    )
    with broker() as bootstrap, tempfile.TemporaryDirectory() as folder:
        ours = Run(bootstrap, Path(folder) / "ours", peer=False)
        peer = Run(bootstrap, Path(folder) / "peer", peer=True)
        mine, theirs = (run.flood(records[: asked.articles]) for run in (ours, peer))
        print(
            f"\nfilled topic          writethru {mine:>7,.0f} articles/s   pass-through {theirs:>7,.0f}   ratio {mine / theirs:.2f}"
        )
        for run, name in ((ours, "writethru"), (peer, "pass-through")):
            print(f"CPU ms an article     {name:<13} " + "   ".join(f"{k} {v:.2f}" for k, v in run.cpu.items()))
        for run, name in ((ours, "writethru"), (peer, "pass-through")):
            late = run.trickle(records[asked.articles :], asked.rate)
            cuts = quantiles(late, n=100)
            print(
                f"produce → event at {asked.rate:.0f}/s  {name:<13} p50 {cuts[49]:.0f} ms   p99 {cuts[98]:.0f} ms   worst {max(late):.0f} ms"
            )
            run.close()


def stream(count: int) -> Iterator[Article | Command]:
    with gzip.open(STREAM) as lines:
        publisher = Publisher(None, _settings(), clock=lambda: CLOCK)
        for line in itertools.islice(lines, count):
            for item in parse(line, source="stream", format="article_json").articles:
                yield publisher.stamped(item)


def _settings() -> Any:
    from services.contract.settings import Settings

    return Settings()


class Run:
    """One installation, ours or the peer's, with its processes."""

    def __init__(self, bootstrap: str, folder: Path, *, peer: bool) -> None:
        folder.mkdir(parents=True)
        self.installation = Installation(bootstrap, folder)
        self.peer = peer
        self.cpu: dict[str, float] = {}
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self._events = consumer(self.installation.settings, "bench", group_id=None, fetch_max_wait_ms=10)
        self._producer = producer(self.installation.settings, "bench", linger_ms=0)

    def start(self) -> None:
        environment = {**os.environ, **self.installation.environment}
        commands = {
            "grouper": [sys.executable, "-m", "services.cli", "run", "grouper"],
            "emitter": [sys.executable, "-m", "services.cli", "run", "emitter"],
        }
        if self.peer:
            commands = {
                "grouper": [sys.executable, "-m", "tests.bench.passthrough"],
                "emitter": [sys.executable, "-m", "tests.bench.copying"],
            }
        for name, command in commands.items():
            with (self.installation.folder / f"{name}.log").open("wb") as log:
                self._processes[name] = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log)

    def flood(self, records: list[Article | Command]) -> float:
        """Articles a second, from the first event to the last of a topic that was filled beforehand."""
        self._send(records)
        self._producer.flush()
        before = {}
        self.start()
        began = 0.0
        for seen, _ in enumerate(self._watch(len(records))):
            if not seen:
                began, before = time.monotonic(), self._cpu()
        took = time.monotonic() - began
        self.cpu = {name: (now - before[name]) * 1000 / (len(records) - 1) for name, now in self._cpu().items()}
        return (len(records) - 1) / took

    def trickle(self, records: list[Article | Command], rate: float) -> list[float]:
        """Milliseconds from produce to the event in a consumer's hand, per record, at a steady rate."""
        self._events.poll(timeout_ms=500)
        sent, late = {}, []
        due = time.monotonic()
        for record in records:
            due += 1 / rate
            while (left := due - time.monotonic()) > 0:
                self._collect(sent, late, left)
            sent[self._name(record)] = time.monotonic()
            self._send([record])
        end = time.monotonic() + 30
        while len(late) < len(records) and time.monotonic() < end:
            self._collect(sent, late, 0.2)
        assert len(late) >= len(records) * 0.9, f"{len(late)} of {len(records)} events came"
        return late

    def close(self) -> None:
        for process in self._processes.values():
            process.terminate()
        for process in self._processes.values():
            process.wait(timeout=30)
        self._producer.close(timeout=5)
        self._events.close(autocommit=False)

    def _name(self, record: Article | Command) -> str:
        return record_key(record).decode() if self.peer else str(getattr(record, "input_id", None))

    def _collect(self, sent: dict[str, float], late: list[float], wait: float) -> None:
        for records in self._events.poll(timeout_ms=max(1, int(wait * 1000))).values():
            for record in records:
                version = None if self.peer else decode(record.value, Event).data.version
                name = record.key.decode() if self.peer else version.input if version else ""
                if name in sent:
                    late.append((time.monotonic() - sent.pop(name)) * 1000)

    def _send(self, records: list[Article | Command]) -> None:
        topic = topic_name(ARTICLES, self.installation.settings.topic_prefix)
        for record in records:
            self._producer.send(topic, key=record_key(record), value=encode(record), partition=0)

    def _watch(self, count: int) -> Iterator[Any]:
        from kafka import TopicPartition

        name = topic_name(EVENTS, self.installation.settings.topic_prefix)
        self._events.assign([TopicPartition(name, number) for number in range(EVENTS.partitions)])
        self._events.seek_to_beginning()
        seen, patience = 0, time.monotonic() + 600
        while seen < count:
            assert time.monotonic() < patience, f"{seen} of {count} events"
            dead = [name for name, process in self._processes.items() if process.poll() is not None]
            assert not dead, f"{dead} ended; its log is in {self.installation.folder}"
            for records in self._events.poll(timeout_ms=200).values():
                for record in records:
                    seen += 1
                    yield record

    def _cpu(self) -> dict[str, float]:
        """CPU seconds of each process so far."""
        used = {}
        for name, process in self._processes.items():
            fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
            used[name] = (int(fields[11]) + int(fields[12])) / TICKS
        return used


if __name__ == "__main__":
    if not STREAM.is_file():
        sys.exit(f"NOT MEASURED: {STREAM} is not beside this checkout")
    main()
