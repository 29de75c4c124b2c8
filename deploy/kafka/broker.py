"""Apache Kafka without Docker: one to three KRaft nodes on loopback, in a temporary folder, stopped by their pids.

    python deploy/kafka/broker.py [--brokers 3] [--port 9092] [--data FOLDER]

prints the bootstrap address when the cluster answers and runs until it gets SIGTERM or ^C. Tests and benches use `Cluster`.
Apache Kafka's own jars are resolved by Maven from the pom beside this file into `.kafka/` of the checkout, once. Java 17 or
newer and Maven must be on PATH; where they are not, `missing()` says what to install.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from base64 import urlsafe_b64encode
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Self

HERE = Path(__file__).resolve().parent
JARS = HERE.parents[1] / ".kafka" / "jars"
STARTS_WITHIN = 60.0
"""Seconds until a node must take connections: a cold JVM on two busy cores needs about ten."""


class BrokerError(Exception):
    """The broker cannot be had, or did not start; the message says why and where its log lies."""


def missing() -> str | None:
    """What this machine lacks to run a broker, in words for a person; None if nothing."""
    tools = {"java": "openjdk-17-jre-headless", "mvn": "maven"}
    lacking = {tool: package for tool, package in tools.items() if shutil.which(tool) is None}
    if JARS.is_dir():
        lacking.pop("mvn", None)
    if not lacking:
        return None
    return f"{' and '.join(lacking)} not on PATH; on Debian: apt-get install {' '.join(lacking.values())}"


def resolve_jars() -> Path:
    """The folder of Apache Kafka's jars, filled by Maven the first time. Raises BrokerError."""
    stamp = JARS / "pom.xml"
    pom = HERE / "pom.xml"
    if stamp.is_file() and stamp.read_bytes() == pom.read_bytes():
        return JARS
    if shutil.which("mvn") is None:
        raise BrokerError(missing() or "mvn not on PATH")
    JARS.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix="jars-", dir=JARS.parent))  # two runs at once must not see half a folder
    goal = ["dependency:copy-dependencies", "-DincludeScope=runtime", f"-DoutputDirectory={fresh}"]
    done = subprocess.run(["mvn", "-q", "-B", "-f", str(pom), *goal], capture_output=True, text=True, check=False)
    if done.returncode:
        shutil.rmtree(fresh, ignore_errors=True)
        raise BrokerError(f"Maven could not resolve Apache Kafka:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    shutil.copy(pom, fresh)
    shutil.rmtree(JARS, ignore_errors=True)
    fresh.rename(JARS)
    return JARS


def free_ports(count: int) -> list[int]:
    """Ports of 127.0.0.1 that are free now, all different."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]
    finally:
        for one in sockets:
            one.close()


class Cluster:
    """One or three combined controller-and-broker nodes. A context manager; `stop` ends the processes it started.

    `data` is kept if it is given, else a temporary folder is made and removed. `overrides` are lines of
    server.properties that win over ours.
    """

    def __init__(
        self,
        brokers: int = 1,
        *,
        port: int | None = None,
        data: Path | None = None,
        overrides: dict[str, str] | None = None,
        heap: str = "512m",
    ) -> None:
        ports = free_ports(2 * brokers)
        self.ports = dict(enumerate(ports[:brokers], 1))
        if port is not None:
            self.ports = {node: port + node - 1 for node in self.ports}
        self._controllers = dict(enumerate(ports[brokers:], 1))
        self._temporary = data is None
        self.data = data or Path(tempfile.mkdtemp(prefix="writethru-kafka-"))
        self._overrides = overrides or {}
        self._heap = heap
        self._processes: dict[int, subprocess.Popen[bytes]] = {}
        self._id = urlsafe_b64encode(uuid.uuid4().bytes).decode().rstrip("=")

    @property
    def bootstrap(self) -> str:
        """`host:port,…` of every node."""
        return ",".join(f"127.0.0.1:{port}" for port in self.ports.values())

    @property
    def pids(self) -> dict[int, int]:
        """Process ids of the running nodes, by node id."""
        return {node: process.pid for node, process in self._processes.items() if process.poll() is None}

    def start(self) -> Self:
        """Start all nodes and wait until each takes connections. Raises BrokerError."""
        for node in self.ports:
            self._launch(node)
        self._wait(self.ports)
        return self

    def start_node(self, node: int) -> None:
        """Start one node again (after `kill` or `stop_node`), with its data as it was."""
        self._launch(node)
        self._wait((node,))

    def stop_node(self, node: int) -> None:
        """A controlled shutdown of one node."""
        self._end(node, signal.SIGTERM)

    def kill(self, node: int) -> None:
        """End one node with SIGKILL."""
        self._end(node, signal.SIGKILL)

    def stop(self) -> None:
        """End every node that runs, and remove the data if it was temporary."""
        for node in self.pids:  # all at once: a lone node of three waits for its peers
            self._processes[node].send_signal(signal.SIGTERM)
        for node in list(self._processes):
            self._end(node, signal.SIGTERM)
        if self._temporary:
            shutil.rmtree(self.data, ignore_errors=True)

    def __enter__(self) -> Self:
        try:
            return self.start()
        except BaseException:
            self.stop()
            raise

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    # -- one node ------------------------------------------------------------------------------------------------------

    def log(self, node: int) -> Path:
        """Where a node writes what it has to say."""
        return self.data / f"node-{node}.log"

    def _launch(self, node: int) -> None:
        jars = resolve_jars()
        folder = self.data / f"node-{node}"
        properties = self.data / f"node-{node}.properties"
        self.data.mkdir(parents=True, exist_ok=True)
        lines = {**self._properties(node, folder), **self._overrides}
        properties.write_text("".join(f"{key}={value}\n" for key, value in lines.items()))
        java = [
            "java", f"-Xmx{self._heap}", f"-Xms{self._heap}", "-XX:+UseSerialGC", "-Djava.awt.headless=true",
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn", "-Dorg.slf4j.simpleLogger.showDateTime=true",
            "-cp", f"{jars}/*",
        ]  # fmt: skip
        if not (folder / "meta.properties").is_file():
            format_it = ["kafka.tools.StorageTool", "format", "-t", self._id, "-c", str(properties)]
            done = subprocess.run([*java, *format_it], capture_output=True, text=True, check=False)
            if done.returncode:
                raise BrokerError(f"could not format {folder}: {done.stderr or done.stdout}")
        with self.log(node).open("ab") as log:
            self._processes[node] = subprocess.Popen(
                [*java, "kafka.Kafka", str(properties)], stdout=log, stderr=log, stdin=subprocess.DEVNULL,
                preexec_fn=die_with_parent, start_new_session=True,
            )  # fmt: skip

    def _properties(self, node: int, folder: Path) -> dict[str, str]:
        replicas = str(len(self.ports))
        in_sync = str(max(1, len(self.ports) - 1))
        return {
            "process.roles": "broker,controller",
            "node.id": str(node),
            "controller.quorum.voters": ",".join(f"{n}@127.0.0.1:{p}" for n, p in self._controllers.items()),
            "listeners": f"PLAINTEXT://127.0.0.1:{self.ports[node]},CONTROLLER://127.0.0.1:{self._controllers[node]}",
            "controller.listener.names": "CONTROLLER",
            "log.dirs": str(folder),
            "auto.create.topics.enable": "false",
            "default.replication.factor": replicas,
            "min.insync.replicas": in_sync,
            "offsets.topic.replication.factor": replicas,
            "offsets.topic.num.partitions": "4",
            "transaction.state.log.replication.factor": replicas,
            "transaction.state.log.min.isr": in_sync,
            "transaction.state.log.num.partitions": "4",
            "group.initial.rebalance.delay.ms": "0",
            "share.coordinator.state.topic.replication.factor": replicas,
            "share.coordinator.state.topic.min.isr": in_sync,
            "share.coordinator.state.topic.num.partitions": "1",
        }

    def _wait(self, nodes: Iterable[int]) -> None:
        deadline = time.monotonic() + STARTS_WITHIN
        for node in nodes:
            while not _answers(self.ports[node]):
                code = self._processes[node].poll()
                if code is not None:
                    raise BrokerError(f"node {node} ended with {code}:\n{self._tail(node)}")
                if time.monotonic() > deadline:
                    raise BrokerError(f"node {node} took no connection in {STARTS_WITHIN:.0f} s:\n{self._tail(node)}")
                time.sleep(0.1)

    def _tail(self, node: int) -> str:
        return self.log(node).read_text(errors="replace")[-3000:]

    def _end(self, node: int, how: signal.Signals) -> None:
        process = self._processes[node]
        if process.poll() is None:
            process.send_signal(how)
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(timeout=20)


def _answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


_LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None


def die_with_parent(how: signal.Signals = signal.SIGTERM) -> None:
    """A process of a test run must not outlive it when it is killed (Linux; elsewhere it is left to the caller).

    For `preexec_fn`. The parent is the thread that starts the process: start it from one that stays.
    """
    if _LIBC is not None:
        _LIBC.prctl(1, int(how))  # PR_SET_PDEATHSIG


def main() -> None:
    parser = argparse.ArgumentParser(description="Apache Kafka on loopback, without Docker.")
    parser.add_argument("--brokers", type=int, choices=(1, 3), default=1)
    parser.add_argument("--port", type=int, help="of the first broker (default: a free one)")
    parser.add_argument("--data", type=Path, help="kept; default: a temporary folder, removed at the end")
    parser.add_argument("--heap", default="512m", help="per node (default 512m)")
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        with Cluster(given.brokers, port=given.port, data=given.data, heap=given.heap) as cluster:
            print(cluster.bootstrap, flush=True)
            print(f"pid {os.getpid()}, nodes {cluster.pids}, logs in {cluster.data}", file=sys.stderr, flush=True)
            signal.pause()
    except KeyboardInterrupt:
        pass
    except BrokerError as error:
        sys.exit(f"kafka: {error}")


if __name__ == "__main__":
    main()
