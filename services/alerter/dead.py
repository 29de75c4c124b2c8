"""What was given up: list it, send it on its way again; and channels that were switched off, on again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import datetime

import msgspec

from services.alerter.rules_loop import channel_partition
from services.contract.codec import decode, encode
from services.contract.messages import AlertCommand, Delivery, Endpoint
from services.contract.settings import Settings
from services.contract.topics import ALERT_COMMANDS, DEAD, DELIVERIES, ENDPOINTS, Topic, topic_name
from services.core.times import iso
from services.runtime.clients import producer
from services.runtime.lifecycle import Stop
from services.runtime.reading import read_topic


def given_up(settings: Settings, stop: Stop) -> Iterator[tuple[int, Delivery]]:
    """Every delivery that was given up and is still kept, with its number."""
    for record in read_topic(DEAD, settings, stop):
        if record.value is not None:
            yield record.offset, decode(record.value, Delivery)


def switched_off(settings: Settings, stop: Stop) -> dict[str, Endpoint]:
    """The channels that get nothing."""
    found: dict[str, Endpoint] = {}
    for record in read_topic(ENDPOINTS, settings, stop):
        if record.value is not None:
            endpoint = decode(record.value, Endpoint)
            found[endpoint.channel] = endpoint
    return {name: endpoint for name, endpoint in found.items() if endpoint.disabled}


def send_again(settings: Settings, deliveries: list[Delivery], now: datetime) -> None:
    """On their way again, from the first attempt, under the same ids: a receiver that has one knows it."""
    fresh = [msgspec.structs.replace(one, attempt=0, due=None, error=None, made=iso(now)) for one in deliveries]
    _send(settings, DELIVERIES, [(one.channel, encode(one), channel_partition(one.channel)) for one in fresh])


def switch_on(settings: Settings, channel: str, by: str, now: datetime) -> None:
    """Deliver there again."""
    endpoint = Endpoint(channel=channel, disabled=False, why=f"switched on by {by}", at=iso(now))
    _send(settings, ENDPOINTS, [(channel, encode(endpoint), 0)])


def say(settings: Settings, command: AlertCommand) -> None:
    """Tell the alerter: on it, or a silence."""
    key = command.story or (command.silence.id if command.silence else command.name) or ""
    _send(settings, ALERT_COMMANDS, [(key, encode(command), 0)])


def _send(settings: Settings, topic: Topic, messages: list[tuple[str, bytes, int]]) -> None:
    name = topic_name(topic, settings.topic_prefix)
    with closing(
        producer(settings, "writethru-deliveries", linger_ms=0, delivery_timeout_ms=30_000, max_block_ms=30_000)
    ) as sender:
        futures = [sender.send(name, key=key.encode(), value=value, partition=place) for key, value, place in messages]
        sender.flush(timeout=30)
        for future in futures:
            future.get(timeout=30)
