"""A transaction is never so long that the group gives our partitions away under it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from kafka import TopicPartition
from kafka.errors import KafkaConnectionError, KafkaTimeoutError

from services.contract.codec import decode, encode
from services.contract.settings import Settings
from services.core.events import Event
from services.core.revision import Revision
from services.emitter import worker as worker_module
from services.emitter.marks import Marks
from services.emitter.worker import WORK_SECONDS, Emitter
from services.runtime.health import Health
from services.runtime.lifecycle import Again, Stop
from tests.builders import BUDGET, FERRY, HARVEST, make, run


class Client:
    """A consumer and a producer of nothing: it remembers what it was told."""

    def __init__(self) -> None:
        self.transactions: list[dict[TopicPartition, int]] = []
        self.sent: list[bytes] = []
        self.sought: list[tuple[TopicPartition, int]] = []

    def begin_transaction(self) -> None: ...

    def commit_transaction(self) -> None: ...

    def close(self, **_: object) -> None: ...

    def send(self, topic: str, *, value: bytes, **_: object) -> None:
        if topic == "story.events":
            self.sent.append(value)

    def send_offsets_to_transaction(self, offsets: dict[TopicPartition, Any], _: object) -> None:
        self.transactions.append({tp: told.offset for tp, told in offsets.items()})

    def seek(self, partition: TopicPartition, offset: int) -> None:
        self.sought.append((partition, offset))


@pytest.fixture
def emitter(monkeypatch: pytest.MonkeyPatch) -> tuple[Emitter, Client]:
    client = Client()
    monkeypatch.setattr(worker_module, "consumer", lambda *_, **__: client)
    monkeypatch.setattr(worker_module, "producer", lambda *_, **__: client)
    return Emitter(Settings(), Health("emitter"), Stop()), client


def records(partition: int, *bodies: tuple[str, ...]) -> list[Any]:
    """Revisions of as many stories, from offset 10 on."""
    log = [make(f"{partition}-{number}", body) for number, body in enumerate(bodies)]
    _, outcomes = run(log)
    made: list[Revision] = [revision for outcome in outcomes for revision in outcome.step.revisions]
    return [SimpleNamespace(offset=10 + number, value=encode(revision)) for number, revision in enumerate(made)]


@pytest.mark.parametrize(
    ("seconds", "done", "left"),
    [
        (0.1, {0: 13, 1: 11}, []),
        (WORK_SECONDS, {0: 12}, [(0, 12), (1, 10)]),
        (100 * WORK_SECONDS, {0: 11}, [(0, 11), (1, 10)]),
    ],
)
def test_58_a_batch_of_huge_articles_is_committed_in_parts(emitter, monkeypatch, seconds, done, left):
    made, client = emitter
    clock = SimpleNamespace(now=0.0)

    def slowly(revision: Revision, emit: Any = worker_module.emit) -> Event:
        clock.now += seconds
        event: Event = emit(revision)
        return event

    monkeypatch.setattr(worker_module, "emit", slowly)
    monkeypatch.setattr(worker_module, "time", SimpleNamespace(monotonic=lambda: clock.now))
    partitions = [TopicPartition("story.revisions", number) for number in (0, 1)]
    made._marks = {tp.partition: Marks(tp) for tp in partitions}
    made._commit({partitions[0]: records(0, FERRY, BUDGET, HARVEST), partitions[1]: records(1, HARVEST)})
    (committed,) = client.transactions
    assert {tp.partition: offset for tp, offset in committed.items()} == done
    assert [(tp.partition, offset) for tp, offset in client.sought] == left
    assert len({decode(value, Event).id for value in client.sent}) == sum(offset - 10 for offset in done.values())


@pytest.mark.parametrize("where", ["start", "close"])
def test_a_broker_that_goes_away_at_the_start_or_the_end_is_no_bug(monkeypatch, where):
    def gone(*_: object, **__: object) -> Any:
        raise KafkaConnectionError("gone")

    class Closing(Client):
        def init_transactions(self) -> None:
            raise KafkaTimeoutError("gone")

        close = gone

    monkeypatch.setattr(worker_module, "wait_for_topics", lambda *_: True)
    monkeypatch.setattr(worker_module, "consumer", gone if where == "start" else lambda *_, **__: Closing())
    monkeypatch.setattr(worker_module, "producer", lambda *_, **__: Closing())
    with pytest.raises(Again):
        worker_module.run(Settings(), Health("emitter"), Stop())
