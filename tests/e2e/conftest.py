from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy.kafka.broker import BrokerError
from tests.e2e.kafka import Installation, broker

collect_ignore = [] if os.environ.get("CHAOS_KILLS") else ["chaos"]
"""`make chaos` and `make long` ask for it, in a process of its own: clients of killed brokers leave sockets behind."""


@pytest.fixture(scope="session")
def kafka() -> Iterator[str]:
    """The address of a real Apache Kafka; the tests that want it are skipped, loudly, where none can be had."""
    try:
        with broker() as bootstrap:
            yield bootstrap
    except BrokerError as error:
        if os.environ.get("WRITETHRU_REQUIRE_KAFKA"):
            pytest.fail(f"WRITETHRU_REQUIRE_KAFKA is set and there is no Kafka: {error}")
        pytest.skip(f"NOT TESTED OVER KAFKA: {error}")


@pytest.fixture
def installation(kafka: str, tmp_path: Path) -> Iterator[Installation]:
    """Topics of its own on the broker, and nothing running yet."""
    made = Installation(kafka, tmp_path)
    yield made
    made.close()
