"""The AsyncAPI 3.0 document of the topics, from `topics.py` and the types: what to produce, what to consume, in which shape."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from services.contract.topics import ALERTS, ARTICLES, EVENTS, REJECTED, TOPICS, Topic

PUBLIC: Final = (ARTICLES, EVENTS, REJECTED, ALERTS)
"""Topics that others may use; the rest is ours and is named so that an operator finds it."""


def document(version: str) -> dict[str, Any]:
    """The document as plain JSON. `version` is the product's."""
    kinds = {kind.__name__: kind for topic in TOPICS for kind in topic.values}
    _, schemas = msgspec.json.schema_components(kinds.values(), ref_template="#/components/schemas/{name}")
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Writethru",
            "version": version,
            "description": (
                "Wire articles in, story updated events out. Read with isolation.level=read_committed. The key orders: "
                "events of one story are in one partition, and data.story.sequence counts them without a gap."
            ),
            "license": {"name": "Apache-2.0"},
        },
        "defaultContentType": "application/json",
        "channels": {_id(topic): _channel(topic) for topic in TOPICS},
        "operations": dict(operation for topic in TOPICS for operation in _operations(topic)),
        "components": {
            "messages": {name: _message(name) for name in sorted(kinds)},
            "schemas": dict(sorted(schemas.items())),
        },
    }


def _id(topic: Topic) -> str:
    return topic.name.replace(".", "-")


def _channel(topic: Topic) -> dict[str, Any]:
    public = "" if topic in PUBLIC else " Internal: its shape may change with any release."
    return {
        "address": topic.name,
        "description": f"{topic.holds[0].upper()}{topic.holds[1:]}. Key: {topic.key}.{public}",
        "messages": {kind.__name__: {"$ref": f"#/components/messages/{kind.__name__}"} for kind in topic.values},
        "bindings": {
            "kafka": {
                "partitions": topic.partitions,
                "topicConfiguration": {
                    "cleanup.policy": topic.cleanup.split(","),
                    "retention.ms": int(topic.config["retention.ms"]),
                    "max.message.bytes": topic.max_message,
                },
                "bindingVersion": "0.5.0",
            }
        },
    }


def _operations(topic: Topic) -> list[tuple[str, dict[str, Any]]]:
    """From the side of the product's services, as AsyncAPI 3 means it."""
    channel = {"$ref": f"#/channels/{_id(topic)}"}
    sends = [(f"{writer}-sends-{_id(topic)}", {"action": "send", "channel": channel}) for writer in topic.writers]
    receives = [
        (f"{reader}-receives-{_id(topic)}", {"action": "receive", "channel": channel}) for reader in topic.readers
    ]
    return sends + receives


def _message(name: str) -> dict[str, Any]:
    message: dict[str, Any] = {"name": name, "payload": {"$ref": f"#/components/schemas/{name}"}}
    if name == "Event":
        message["contentType"] = "application/cloudevents+json"
    return message
