"""`writethru doctor`: what is wrong with an installation, and what to do about it."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any, Final, NamedTuple

from kafka import KafkaAdminClient, TopicPartition
from kafka.errors import KafkaError

from services import __version__
from services.contract.settings import Settings
from services.contract.topics import ARTICLES, EMITTER, GROUPER, REVISIONS, Topic, topic_name
from services.core.decision import ENGINE_VERSION
from services.runtime.clients import consumer, options
from services.runtime.topic_admin import check_topics

LIBRARIES: Final = ("faust-streaming", "aiokafka", "kafka-python", "orjson", "msgspec")
LITTLE_DISK: Final = 2 << 30
CLOCKS_APART: Final = 60
"""Seconds that the broker's clock may be ahead of ours."""
MUCH_LAG: Final = 10_000
"""Records. At the world's news rate this is more than an hour."""


class Finding(NamedTuple):
    """One line: whether it is good, what was found, and what to do if it is not."""

    good: bool
    what: str
    remedy: str = ""


def examine(settings: Settings) -> Iterator[Finding]:
    """Look at versions, brokers, topics, groups, lag and disk; never raises for what it finds."""
    libraries = ", ".join(f"{name} {version(name)}" for name in LIBRARIES)
    yield Finding(good=True, what=f"writethru {__version__}, engine {ENGINE_VERSION}; {libraries}")
    yield from _disk(settings)
    try:
        client = KafkaAdminClient(**options(settings), client_id="writethru-doctor", bootstrap_timeout_ms=5_000)
    except (KafkaError, OSError) as error:
        remedy = "is it started, is WRITETHRU_KAFKA_BOOTSTRAP right, do WRITETHRU_KAFKA_SECURITY and the rest fit?"
        yield Finding(good=False, what=f"kafka at {settings.kafka_bootstrap} does not answer: {error!r}", remedy=remedy)
        return
    with closing(client):
        yield from _brokers(client, settings)
        yield from _clock(settings)
        yield from _topics(client, settings)
        yield from _groups(client, settings)


def _disk(settings: Settings) -> Iterator[Finding]:
    folder = settings.state_folder
    while not folder.exists():
        folder = folder.absolute().parent
    free = shutil.disk_usage(folder).free
    yield Finding(
        good=free >= LITTLE_DISK,
        what=f"{free / (1 << 30):.1f} GiB free for the grouper's table at {settings.state_folder}",
        remedy="make room: the grouper ends when it cannot write",
    )


def _brokers(client: KafkaAdminClient, settings: Settings) -> Iterator[Finding]:
    brokers = client.describe_cluster()["brokers"]
    yield Finding(
        good=len(brokers) >= settings.kafka_replicas,
        what=f"{len(brokers)} broker(s) at {settings.kafka_bootstrap}",
        remedy=f"WRITETHRU_KAFKA_REPLICAS={settings.kafka_replicas} wants as many brokers: start them",
    )


def _clock(settings: Settings) -> Iterator[Finding]:
    """The newest record that the broker has stamped cannot be from the future: then one of the two clocks is wrong."""
    name = topic_name(ARTICLES, settings.topic_prefix)
    partitions = [TopicPartition(name, number) for number in range(ARTICLES.partitions)]
    with closing(consumer(settings, "writethru-doctor", group_id=None)) as reader:
        if name not in reader.topics():
            return
        after = (time.time() + CLOCKS_APART) * 1000
        ahead = [
            tp.partition
            for tp, found in reader.offsets_for_times(dict.fromkeys(partitions, int(after))).items()
            if found
        ]
    yield Finding(
        good=not ahead,
        what=f"this clock says {datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC"
        + (
            f"; editions {ahead} hold records that the broker stamped more than {CLOCKS_APART} s later" if ahead else ""
        ),
        remedy="set the clocks of this machine and of the brokers: run an NTP client on each",
    )


def _topics(client: KafkaAdminClient, settings: Settings) -> Iterator[Finding]:
    problems = check_topics(client, settings)
    for problem in problems:
        yield Finding(
            good=False,
            what=problem,
            remedy="writethru topics create makes what is missing; the rest is a person's decision",
        )
    if problems:
        return
    yield Finding(good=True, what="all topics are as declared")
    short = [
        f"{topic['name']}-{partition['partition_index']}"
        for topic in client.describe_topics([topic_name(ARTICLES, settings.topic_prefix)])
        for partition in topic["partitions"]
        if len(partition["isr_nodes"]) < len(partition["replica_nodes"])
    ]
    if short:
        yield Finding(
            good=False, what=f"{len(short)} partitions lack replicas in sync", remedy="a broker is down or slow"
        )


def _groups(client: KafkaAdminClient, settings: Settings) -> Iterator[Finding]:
    for service, topic in ((GROUPER, ARTICLES), (EMITTER, REVISIONS)):
        group = f"{settings.topic_prefix}{service}"
        described: dict[str, Any] = client.describe_groups([group]).get(group, {})
        members, state = len(described.get("members") or []), described.get("group_state")
        yield Finding(
            good=members > 0,
            what=f"{service}: {members} running, group {str(state).lower()}",
            remedy=f"start it: writethru run {service}",
        )
        lag = _lag(client, settings, group, topic)
        yield Finding(
            good=lag <= MUCH_LAG,
            what=f"{service}: {lag:,} records behind the end of {topic.name}",
            remedy="is it working? look at its /healthz and its last log line; more emitters share the work",
        )


def _lag(client: KafkaAdminClient, settings: Settings, group: str, topic: Topic) -> int:
    name = topic_name(topic, settings.topic_prefix)
    try:
        offsets = {tp: found.offset for tp, found in client.list_group_offsets([group]).get(group, {}).items()}
    except KafkaError:
        offsets = {}
    with closing(consumer(settings, "writethru-doctor", group_id=None)) as reader:
        if name not in reader.topics():  # named already; the client would look for it for 30 s
            return 0
        partitions = [TopicPartition(name, number) for number in range(topic.partitions)]
        begins, ends = reader.beginning_offsets(partitions), reader.end_offsets(partitions)
    return sum(max(0, ends[tp] - max(offsets.get(tp, 0), begins[tp])) for tp in partitions)
