"""A real Apache Kafka for tests and benches, and the services as real processes against it.

The broker: KAFKA_BOOTSTRAP if set, else the image of docker-compose.yml by testcontainers where a Docker engine answers, else
Apache Kafka's own jars (deploy/kafka).
"""

from __future__ import annotations

import contextlib
import functools
import gc
import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
import uuid
import warnings
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from deploy.kafka.broker import BrokerError, Cluster, die_with_parent, free_ports, missing
from services.contract.codec import decode, encode
from services.contract.settings import Settings
from services.contract.topics import EVENTS, Topic
from services.core.article import Article, Command
from services.core.events import Event
from services.local import Pipeline
from services.runtime.clients import admin
from services.runtime.lifecycle import Stop
from services.runtime.reading import read_topic
from services.runtime.topic_admin import create_topics
from tests.builders import CLOCK, ROOT

PATIENCE = 90.0
"""Seconds that a service may take for what is asked of it; two busy cores are slow, and nothing here is a measurement."""


@contextlib.contextmanager
def broker() -> Iterator[str]:
    """The bootstrap address of a broker that answers. Raises BrokerError where none can be had."""
    if given := os.environ.get("KAFKA_BOOTSTRAP"):
        yield given
    elif docker_answers():
        with container() as bootstrap:
            yield bootstrap
    else:
        if lacks := missing():
            raise BrokerError(lacks)
        with Cluster() as cluster:
            yield cluster.bootstrap


def docker_answers() -> bool:
    """Whether a Docker engine can be asked, and has the image or can fetch it."""
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore", ResourceWarning
        )  # where nothing answers, docker's client leaves its socket open
        answers = _ask_docker()
        gc.collect()  # finds that socket here, not in a test that has nothing to do with it
    return answers


def _ask_docker() -> bool:
    import docker

    try:
        with contextlib.closing(docker.from_env(timeout=5)) as client:
            client.ping()
            try:
                client.images.get(image())
            except docker.errors.ImageNotFound:
                client.images.pull(image())
    except (docker.errors.DockerException, OSError):
        return False
    return True


def image() -> str:
    """The Kafka image that docker-compose.yml names."""
    found = re.search(r"image:\s*(apache/kafka:\S+)", (ROOT / "docker-compose.yml").read_text())
    assert found is not None
    return found[1]


@contextlib.contextmanager
def container() -> Iterator[str]:
    """The image as a container on the host's network, by testcontainers."""
    from testcontainers.core.container import DockerContainer
    from testcontainers.core.wait_strategies import LogMessageWaitStrategy

    port, controller = free_ports(2)
    environment = {
        "KAFKA_NODE_ID": "1",
        "KAFKA_PROCESS_ROLES": "broker,controller",
        "KAFKA_LISTENERS": f"PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller}",
        "KAFKA_ADVERTISED_LISTENERS": f"PLAINTEXT://127.0.0.1:{port}",
        "KAFKA_CONTROLLER_LISTENER_NAMES": "CONTROLLER",
        "KAFKA_LISTENER_SECURITY_PROTOCOL_MAP": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
        "KAFKA_CONTROLLER_QUORUM_VOTERS": f"1@127.0.0.1:{controller}",
        "KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR": "1",
        "KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR": "1",
        "KAFKA_TRANSACTION_STATE_LOG_MIN_ISR": "1",
        "KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS": "0",
    }
    made = DockerContainer(image()).with_kwargs(network_mode="host")
    for name, value in environment.items():
        made = made.with_env(name, value)
    started = LogMessageWaitStrategy(re.compile(r"Kafka Server started")).with_startup_timeout(120)
    with made.waiting_for(started):
        yield f"127.0.0.1:{port}"


class Installation:
    """One installation on the broker: topics of its own prefix, its services as processes, all ended with it."""

    def __init__(self, bootstrap: str, folder: Path, **more: str) -> None:
        self.folder = folder
        self.environment = {
            "WRITETHRU_KAFKA_BOOTSTRAP": bootstrap,
            "WRITETHRU_TOPIC_PREFIX": f"t{uuid.uuid4().hex[:8]}.",
            "WRITETHRU_STATE_FOLDER": str(folder / "state"),
            **more,
        }
        self.settings = Settings.from_environment(self.environment)
        self._services: list[Service] = []
        with contextlib.closing(admin(self.settings)) as client:
            create_topics(client, self.settings)

    def start(self, service: str, *arguments: str, instance: str = "0", **more: str) -> Service:
        """A service as its own process; it is not ready yet."""
        environment = {**self.environment, "WRITETHRU_INSTANCE": instance, **more}
        started = Service(service, arguments, environment, self.folder / f"{service}-{len(self._services)}.log")
        self._services.append(started)
        return started

    def run(self, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
        """`writethru …`, to its end."""
        return subprocess.run(
            [sys.executable, "-m", "services.cli", *arguments], cwd=ROOT, env={**os.environ, **self.environment, **more},
            capture_output=True, text=True, timeout=PATIENCE, check=False,
        )  # fmt: skip

    def read(self, topic: Topic) -> list[Any]:
        """All committed records of a topic."""
        return list(read_topic(topic, self.settings, Stop()))

    def events(self, count: int, *, alive: Iterable[Service] = ()) -> list[bytes]:
        """The events, once there are `count` of them; fails with the services' logs if they do not come."""
        deadline = time.monotonic() + PATIENCE * 3
        while len(found := self.read(EVENTS)) < count:
            for service in alive:
                assert service.process.poll() is None, service.told()
            assert time.monotonic() < deadline, f"{len(found)} of {count} events\n" + "\n".join(
                service.told() for service in self._services
            )
            time.sleep(0.3)
        return [record.value for record in found]

    def close(self) -> None:
        for service in self._services:
            service.kill()


class Service:
    """A running `writethru run …`."""

    def __init__(self, name: str, arguments: tuple[str, ...], environment: dict[str, str], log: Path) -> None:
        self.name = name
        self.log = log
        self.port = free_ports(1)[0]
        with log.open("ab") as file:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "services.cli", "run", name, *arguments], cwd=ROOT, stdout=file, stderr=file,
                env={**os.environ, **environment, "WRITETHRU_HEALTH": f"127.0.0.1:{self.port}"},
                preexec_fn=functools.partial(die_with_parent, signal.SIGKILL),  # noqa: PLW1509  # a call of the C library alone
            )  # fmt: skip

    def get(self, path: str) -> tuple[int, str]:
        """Status and body of one of its endpoints; 0 where nothing answers."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=5) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()
        except OSError:
            return 0, ""

    def ready(self) -> Service:
        """Wait until it does its work."""
        self.until(lambda: self.get("/readyz")[0] == 200, "ready")
        return self

    def until(self, true: Callable[[], bool], what: str) -> None:
        deadline = time.monotonic() + PATIENCE
        while not true():
            assert self.process.poll() is None, self.told()
            assert time.monotonic() < deadline, f"not {what}: {self.told()}"
            time.sleep(0.1)

    def ended(self, within: float = PATIENCE) -> int:
        """Its exit code, once it has ended by itself."""
        return self.process.wait(timeout=within)

    def stop(self) -> int:
        """SIGTERM, and the exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=PATIENCE)

    def kill(self) -> None:
        """SIGKILL."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(timeout=PATIENCE)

    def lines(self) -> list[dict[str, Any]]:
        """What it logged."""
        return [json.loads(line) for line in self.log.read_text().splitlines() if line.startswith("{")]

    def told(self) -> str:
        return f"{self.name} ({self.process.poll()}):\n{self.log.read_text()[-4000:]}"


def reference(records: Iterable[Article | Command], edition: int = 0) -> dict[str, bytes]:
    """What `replay` makes of the same records: events by id."""
    pipeline = Pipeline(clock=CLOCK, edition=edition)
    return {event.id: encode(event) for record in records for event in pipeline.feed(record).events()}


def by_id(events: Iterable[bytes]) -> dict[str, bytes]:
    """Events by id; the same one twice fails."""
    found: dict[str, bytes] = {}
    for value in events:
        event = decode(value, Event)
        assert event.id not in found, f"event {event.id} was emitted twice"
        found[event.id] = value
    return found
