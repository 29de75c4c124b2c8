"""Every Kafka topic, once: key, value, partitions, retention, writers and readers.

Partitions are fixed for life: the edition is the partition of `wire.articles`, and a story stays on its partition of
`story.revisions`, `story.events` and `story.sequences`. A new number would give old stories new places.
"""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from services.contract.messages import AlertCommand, Delivery, Endpoint, Rejected, Ruled, SequenceMark
from services.core.alerting.alert import Alert
from services.core.alerting.memory import Group, Mark, Memo, Silenced
from services.core.article import Article, Command
from services.core.events import Event
from services.core.grouping.row import Row
from services.core.revision import Revision

EDITIONS: Final = 16
"""Partitions of `wire.articles`: edition n is partition n; unused ones cost nothing."""
STORY_PARTITIONS: Final = 6
"""Partitions of the story topics: how many emitters can share the work."""
MIB: Final = 1 << 20
LARGEST_EVENT: Final = 1 * MIB
"""What a subscriber must be ready to take, and brokers take by default."""
LARGEST_INTERNAL: Final = 2 * MIB
"""Rows and revisions carry the article with its base and what the story has said."""
DAY_MS: Final = 24 * 60 * 60 * 1000

Cleanup = Literal["delete", "compact", "compact,delete"]


class Topic(msgspec.Struct, frozen=True, kw_only=True):
    """One topic. `retention_days` None keeps it for ever; `max_message` is in bytes, `holds` what a message means.

    `stamped_by_broker`: Kafka's timestamp is when the broker took the record, whatever the producer says.
    """

    name: str
    partitions: int
    key: str
    values: tuple[type[msgspec.Struct], ...]
    holds: str
    writers: tuple[str, ...]
    readers: tuple[str, ...]
    cleanup: Cleanup = "delete"
    retention_days: int | None = None
    max_message: int = LARGEST_INTERNAL
    stamped_by_broker: bool = False

    @property
    def config(self) -> dict[str, str]:
        """The topic's own settings on the broker."""
        kept = -1 if self.retention_days is None else self.retention_days * DAY_MS
        return {
            "message.timestamp.type": "LogAppendTime" if self.stamped_by_broker else "CreateTime",
            "cleanup.policy": self.cleanup,
            "retention.ms": str(kept),
            "max.message.bytes": str(self.max_message),
        }


ARTICLES: Final = Topic(
    name="wire.articles", partitions=EDITIONS, key="provider:uri, or command:id", values=(Article, Command),
    holds="every item that came in, and the editors' commands: the log that decides",
    writers=("publisher", "desk", "anyone"), readers=("grouper",),
    retention_days=30,  # at least twice the window, so that a lost table can be made again
    stamped_by_broker=True,  # nobody's clock but the broker's says when an unstamped record came in
)  # fmt: skip
REJECTED: Final = Topic(
    name="wire.rejected", partitions=1, key="source", values=(Rejected,),
    holds="bad input, with the reason and its first 256 KiB",
    writers=("publisher", "grouper"), readers=("rejected",), retention_days=30, max_message=LARGEST_EVENT,
)  # fmt: skip
REVISIONS: Final = Topic(
    name="story.revisions", partitions=STORY_PARTITIONS, key="story id", values=(Revision,),
    holds="what was decided, with all that its event needs", writers=("grouper",), readers=("emitter",),
    retention_days=14,
)  # fmt: skip
EVENTS: Final = Topic(
    name="story.events", partitions=STORY_PARTITIONS, key="story id", values=(Event,),
    holds="story updated events: what changed", writers=("emitter",), readers=("alerter", "desk", "newsrooms"),
    retention_days=90, max_message=LARGEST_EVENT,  # as long as the desk looks back
)  # fmt: skip
SEQUENCES: Final = Topic(
    name="story.sequences", partitions=STORY_PARTITIONS, key="story id", values=(SequenceMark,),
    holds="the last sequence emitted per story", writers=("emitter",), readers=("emitter",),
    cleanup="compact,delete", retention_days=366,  # far past any window; without an end the marks would grow for ever
)  # fmt: skip
ROWS: Final = Topic(
    name="grouper-rows-changelog", partitions=EDITIONS, key="edition:decision number", values=(Row,),
    holds="the grouper's table: one write-once row per input", writers=("grouper",), readers=("grouper",),
    cleanup="compact",
)  # fmt: skip

ALERTS: Final = Topic(
    name="alerts", partitions=STORY_PARTITIONS, key="story id, or rule of a digest", values=(Alert,),
    holds="alerts of the rules that say `topic`", writers=("alerter",), readers=("newsrooms",),
    retention_days=30, max_message=LARGEST_EVENT,
)  # fmt: skip
RULINGS: Final = Topic(
    name="alert.rulings", partitions=STORY_PARTITIONS, key="story id", values=(Ruled,),
    holds="for each event what each rule made of it, and why", writers=("alerter",), readers=("rules",),
    retention_days=14, max_message=LARGEST_EVENT,
)  # fmt: skip
ALERT_STATE: Final = Topic(
    name="alert.state", partitions=1, key="row key", values=(Mark, Memo, Group, Silenced),
    holds="what was told and what is held", writers=("alerter",), readers=("alerter",), cleanup="compact",
)  # fmt: skip
ALERT_COMMANDS: Final = Topic(
    name="alert.commands", partitions=1, key="story id or silence", values=(AlertCommand,),
    holds="acknowledged stories and silences", writers=("desk", "rules"), readers=("alerter",),
    retention_days=30, max_message=LARGEST_EVENT,
)  # fmt: skip
DELIVERIES: Final = Topic(
    name="delivery.queue", partitions=STORY_PARTITIONS, key="channel", values=(Delivery,),
    holds="alerts on their way to a channel", writers=("alerter", "deliveries"), readers=("alerter",),
    retention_days=7, max_message=LARGEST_EVENT,
)  # fmt: skip
TIERS: Final = {"10s": 10, "1m": 60, "10m": 600, "1h": 3_600, "6h": 21_600}
"""The waits between attempts, in seconds: a topic each, so that what waits long is in nobody's way."""
RETRIES: Final = tuple(
    Topic(
        name=f"delivery.retry.{tier}", partitions=STORY_PARTITIONS, key="channel", values=(Delivery,),
        holds=f"deliveries that failed and wait {tier}", writers=("alerter",), readers=("alerter",),
        retention_days=7, max_message=LARGEST_EVENT,
    )
    for tier in TIERS
)  # fmt: skip
DEAD: Final = Topic(
    name="delivery.dead", partitions=1, key="channel", values=(Delivery,),
    holds="deliveries given up, with the reason", writers=("alerter",), readers=("deliveries",),
    retention_days=90, max_message=LARGEST_EVENT,
)  # fmt: skip
ENDPOINTS: Final = Topic(
    name="delivery.endpoints", partitions=1, key="channel", values=(Endpoint,),
    holds="channels that were switched off", writers=("alerter", "deliveries"), readers=("alerter",), cleanup="compact",
)  # fmt: skip

TOPICS: Final = (
    ARTICLES, REJECTED, REVISIONS, EVENTS, SEQUENCES, ROWS, ALERTS, RULINGS, ALERT_STATE, ALERT_COMMANDS, DELIVERIES, *RETRIES,
    DEAD, ENDPOINTS,
)  # fmt: skip
ALERTER: Final = "alerter"
"""The alerter's consumer group and the beginning of its transactional ids: there is one alerter."""
GROUPER: Final = "grouper"
"""The grouper's consumer group and Faust application; Faust derives the changelog's name from it."""
EMITTER: Final = "emitter"
"""The emitters' consumer group."""


def record_key(record: Article | Command) -> bytes:
    """The key of a record on `wire.articles`."""
    name = f"command:{record.id}" if isinstance(record, Command) else f"{record.provider}:{record.uri}"
    return name.encode()


def topic_name(topic: Topic, prefix: str) -> str:
    """The topic's name on the broker: installations that share a cluster set themselves apart by a prefix."""
    return prefix + topic.name


def story_partition(story: str) -> int:
    """The partition of a story on all story topics: by its id, whichever client sends."""
    return int(story[:8], 16) % STORY_PARTITIONS
