"""Least privilege: what each service may do on the broker, from the topics' own writers and readers.

`writethru topics acls` prints it as commands for Kafka's own tool; a test runs every service with these rights and no others.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

from services.contract.topics import (
    ARTICLES,
    EMITTER,
    EVENTS,
    GROUPER,
    REJECTED,
    REVISIONS,
    ROWS,
    SEQUENCES,
    Topic,
    topic_name,
)

Kind = Literal["topic", "group", "transactional-id"]

READS: Final[dict[str, tuple[Topic, ...]]] = {
    "publisher": (), "grouper": (ARTICLES, ROWS), "emitter": (REVISIONS, SEQUENCES), "reader": (EVENTS,),
}  # fmt: skip
WRITES: Final[dict[str, tuple[Topic, ...]]] = {
    "publisher": (ARTICLES, REJECTED), "grouper": (REJECTED, REVISIONS, ROWS), "emitter": (EVENTS, SEQUENCES), "reader": (),
}  # fmt: skip
"""`reader` is who watches the events: `writethru tail`, and newsrooms."""


class Right(NamedTuple):
    """These operations on one resource; `prefixed`: on all whose name begins so."""

    kind: Kind
    name: str
    operations: tuple[str, ...]
    prefixed: bool = False


def rights(service: str, prefix: str) -> Iterator[Right]:
    """What a service needs, and nothing else."""
    for topic in dict.fromkeys((*READS[service], *WRITES[service])):
        operations = (
            *(["Read"] if topic in READS[service] else []), *(["Write"] if topic in WRITES[service] else []),
            "Describe", "DescribeConfigs",  # each looks at its topics before it begins
        )  # fmt: skip
        yield Right("topic", topic_name(topic, prefix), operations)
    if service == "grouper":
        yield Right("group", f"{prefix}{GROUPER}", ("Read", "Describe"))
    if service == "emitter":
        yield Right("group", f"{prefix}{EMITTER}", ("Read", "Describe"))
        yield Right("transactional-id", f"{prefix}{EMITTER}-", ("Write", "Describe"), prefixed=True)


def commands(service: str, prefix: str, bootstrap: str) -> Iterator[str]:
    """The same as lines for kafka-acls.sh, for a user named like the service."""
    for right in rights(service, prefix):
        operations = " ".join(f"--operation {operation}" for operation in right.operations)
        pattern = " --resource-pattern-type prefixed" if right.prefixed else ""
        yield (
            f"kafka-acls.sh --bootstrap-server {bootstrap} --add --allow-principal User:{service} "
            f"{operations} --{right.kind} {right.name}{pattern}"
        )
