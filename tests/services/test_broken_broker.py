"""A cluster of which one node is dead is a cluster that works."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

import pytest
from kafka.errors import (
    KafkaConnectionError,
    KafkaError,
    KafkaTimeoutError,
    SaslAuthenticationFailedError,
    TopicAuthorizationFailedError,
)

from services.contract.settings import Settings
from services.publisher import worker as publisher
from services.runtime import clients, topic_admin
from services.runtime.clients import NotAllowed
from services.runtime.health import Health
from services.runtime.lifecycle import Again, Stop
from services.runtime.topic_admin import WrongTopics, wait_for_topics


class Cluster:
    """Answers the question about topics with one error after the other, then well."""

    def __init__(self, *errors: Exception) -> None:
        self.errors: Iterator[Exception] = iter(errors)
        self.asked = self.closed = 0

    def __call__(self, _: Settings) -> Cluster:
        return self

    def list_topics(self) -> list[str]:
        self.asked += 1
        for error in self.errors:
            raise error
        return []

    def close(self) -> None:
        self.closed += 1


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> Any:
    def wait(cluster: Cluster, stop: Stop) -> bool:
        monkeypatch.setattr(topic_admin, "admin", cluster)
        monkeypatch.setattr(topic_admin, "wait_for_broker", lambda *_: not stop.asked)
        monkeypatch.setattr(topic_admin, "FIRST_PAUSE", 0.0)
        return wait_for_topics(Settings(), stop, None, ())

    return wait


def test_a_dead_node_that_was_asked_for_the_topics_is_no_bug(waits):
    cluster = Cluster(KafkaConnectionError("111 ECONNREFUSED"), ConnectionResetError())
    assert waits(cluster, Stop())
    assert cluster.asked == cluster.closed == 3


def test_a_wish_to_stop_ends_the_wait_for_topics(waits):
    stop = Stop()
    cluster = Cluster(KafkaConnectionError("gone"))
    stop.ask()
    assert not waits(cluster, stop)
    assert cluster.asked == 0


@pytest.mark.parametrize(
    ("error", "raised"),
    [
        (TopicAuthorizationFailedError("no"), NotAllowed),
        (WrongTopics("no"), WrongTopics),
        (KafkaError("no"), KafkaError),
    ],
)
def test_what_waiting_does_not_mend_is_raised(waits, error, raised):
    with pytest.raises(raised):
        waits(Cluster(error), Stop())


def test_a_broker_that_goes_away_before_the_publisher_has_its_client_is_no_bug(monkeypatch, tmp_path):
    def gone(*_: object) -> Any:
        raise KafkaConnectionError("gone")

    monkeypatch.setattr(publisher, "wait_for_topics", lambda *_: True)
    monkeypatch.setattr(publisher, "producer", gone)
    with pytest.raises(Again):
        publisher.run(Settings(), Health("publisher"), Stop(), paths=[tmp_path])


@pytest.mark.parametrize(
    ("met", "raised"),
    [(SaslAuthenticationFailedError("wrong password"), NotAllowed), (KafkaConnectionError("gone"), None)],
)
def test_a_refusal_that_the_client_only_logs_is_not_waited_out(monkeypatch, caplog, met, raised):
    """kafka-python's search for a broker goes on after a wrong password until its time is over."""
    stop = Stop()

    def look(*_: object, **__: object) -> Any:
        logging.getLogger("kafka.net.manager").warning("Bootstrap connection to %s failed: %s", "b0", met)
        stop.ask()
        raise KafkaTimeoutError("Unable to bootstrap")

    monkeypatch.setattr(clients, "admin", look)
    caplog.set_level(logging.CRITICAL, logger="kafka.net")  # as the services set it
    if raised is None:
        assert not clients.wait_for_broker(Settings(), stop)
    else:
        with pytest.raises(raised, match="wrong password"):
            clients.wait_for_broker(Settings(), stop)
