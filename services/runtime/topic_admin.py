"""`writethru topics create|check`: the topics of contract/topics.py on the broker."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from typing import Any, Final

from kafka import KafkaAdminClient
from kafka.admin import ConfigResource, ConfigResourceType, NewTopic
from kafka.errors import AuthorizationError, RetriableError, TopicAlreadyExistsError

from services.contract.settings import Settings
from services.contract.topics import TOPICS, Topic, topic_name
from services.core.errors import WritethruError
from services.runtime.clients import FIRST_PAUSE, NotAllowed, admin, wait_for_broker
from services.runtime.health import Health
from services.runtime.lifecycle import Stop
from services.runtime.logs import logger

log = logger(__name__)

_AT_LEAST: Final = frozenset({"retention.ms", "max.message.bytes", "min.insync.replicas"})
"""Settings that an operator may raise; less than declared is a problem."""


class WrongTopics(WritethruError):
    """Topics are missing or other than declared; the message has a line for each."""


def wanted_config(topic: Topic, settings: Settings) -> dict[str, str]:
    """The topic's configuration in this installation."""
    return {**topic.config, "min.insync.replicas": str(max(1, settings.kafka_replicas - 1))}


def create_topics(client: KafkaAdminClient, settings: Settings) -> list[str]:
    """Create what is missing; returns the names that were created. Existing topics are left as they are."""
    have = set(client.list_topics())
    created = []
    for topic in TOPICS:
        name = topic_name(topic, settings.topic_prefix)
        if name in have:
            continue
        new = NewTopic(
            name, num_partitions=topic.partitions, replication_factor=settings.kafka_replicas,
            topic_configs=wanted_config(topic, settings),
        )  # fmt: skip
        try:
            client.create_topics([new])
        except TopicAlreadyExistsError:  # somebody else was faster
            continue
        created.append(name)
    if created:
        client.wait_for_topics(created)
    return created


def check_topics(client: KafkaAdminClient, settings: Settings, topics: Sequence[Topic] = TOPICS) -> list[str]:
    """What is wrong with the topics, a line each; empty when all is well."""
    named = {topic_name(topic, settings.topic_prefix): topic for topic in topics}
    have = set(client.list_topics())
    problems = [f"{name}: missing; `writethru topics create` makes it" for name in named if name not in have]
    here = [name for name in named if name in have]
    if not here:
        return problems
    for described in client.describe_topics(here):
        name, count = described["name"], len(described["partitions"])
        if count != named[name].partitions:
            problems.append(
                f"{name}: {count} partitions, declared are {named[name].partitions}, fixed for life: "
                "stories would lose their place"
            )
    configs = _configs(client, here)
    for name in here:
        for key, value in wanted_config(named[name], settings).items():
            found = configs[name].get(key)
            if not _good(key, value, found):
                problems.append(f"{name}: {key} is {found}, declared is {value}")
    return problems


def require_topics(client: KafkaAdminClient, settings: Settings, topics: Sequence[Topic] = TOPICS) -> None:
    """Raises WrongTopics where a service could not trust the topics."""
    problems = check_topics(client, settings, topics)
    if problems:
        raise WrongTopics("\n".join(problems))


def wait_for_topics(
    settings: Settings, stop: Stop, health: Health | None = None, topics: Sequence[Topic] = TOPICS
) -> bool:
    """Come back when a broker answers and has the topics as declared: True; False if told to stop first.

    A node of the cluster that dies between the two questions, or is dead and was the one to be asked, is no error: they
    are asked again. Raises WrongTopics, NotAllowed.
    """
    while wait_for_broker(settings, stop, health):
        try:
            with closing(admin(settings)) as client:
                require_topics(client, settings, topics)
        except AuthorizationError as error:
            raise NotAllowed(f"kafka at {settings.kafka_bootstrap} does not let us see its topics: {error}") from error
        except (RetriableError, OSError) as error:
            log.warning("the broker did not tell its topics: asking again", error=str(error) or repr(error))
            stop.wait(FIRST_PAUSE)
        else:
            return True
    return False


def _configs(client: KafkaAdminClient, names: list[str]) -> dict[str, dict[str, str | None]]:
    resources = [ConfigResource(ConfigResourceType.TOPIC, name) for name in names]
    answered: dict[str, dict[str, Any]] = client.describe_configs(resources, config_filter="all")["topic"]
    return {name: {key: entry["value"] for key, entry in entries.items()} for name, entries in answered.items()}


def _good(key: str, wanted: str, found: str | None) -> bool:
    if found is None:
        return False
    if key == "cleanup.policy":
        return set(found.split(",")) == set(wanted.split(","))
    if key in _AT_LEAST:
        mine, theirs = int(wanted), int(found)
        return theirs == -1 or (mine != -1 and theirs >= mine)
    return found == wanted
