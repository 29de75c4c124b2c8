"""From event to webhook over a real Kafka: 50 events a second, 1,000 rules, 100 endpoints of which 10 are dead.

`python -m tests.bench.alerts_e2e` prints p50 and p99 of the time from the event's record on story.events to its request at a good
endpoint. A dead endpoint takes the connection and never answers.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import time
from pathlib import Path

import msgspec
from kafka import KafkaProducer

from services.contract.codec import encode
from services.contract.topics import EVENTS, story_partition, topic_name
from tests.bench.alerting import days
from tests.e2e.kafka import Installation, broker
from tests.services.alerter.receiver import Receiver, receiver

RULES, ENDPOINTS, DEAD, PER_SECOND, SECONDS = 1_000, 100, 10, 50, 20
KEY = "whsec_" + "QUFB" * 8


def rules(url: str) -> str:
    """A rule for each hundredth of the events' ids: one rings for an event, at one endpoint; the others want what nobody says."""
    lines = ["rules:"]
    for number in range(RULES):
        query = f"uri:{number:03d}" if number < ENDPOINTS else f"word{number} AND other{number}"
        lines += [
            f"  - name: rule-{number}", f"    when: {{query: '{query}', events: [created, updated, joined]}}", "    max_age: 99999d",
            "    deliver:", f'      - webhook: {{url: "{url}/{number % ENDPOINTS}", secret_env: HOOK_KEY, allow_private: true}}',
        ]  # fmt: skip
    return "\n".join(lines)


def main() -> int:
    """Measure and print."""
    count = PER_SECOND * SECONDS
    told = []
    for number, event in enumerate(e for e in days(20) if e.data.version is not None and e.data.change is not None):
        kind = "org.writethru.story.created.v1"
        version = msgspec.structs.replace(event.data.version, uri=f"bench:{number % ENDPOINTS:03d}")
        story = msgspec.structs.replace(event.data.story, id=f"{number:08x}{event.subject[8:]}", sequence=1)
        data = msgspec.structs.replace(event.data, version=version, story=story)
        told.append(
            msgspec.structs.replace(event, id=f"{number:08x}{event.id[8:]}", type=kind, subject=story.id, data=data)
        )
    told = told[:count]
    web = Receiver(delay=lambda path: 60.0 if int(path[1:]) < DEAD else 0.0)
    with tempfile.TemporaryDirectory() as scratch, broker() as bootstrap, receiver(web):
        installation = Installation(bootstrap, Path(scratch))
        try:
            file = Path(scratch) / "rules.yaml"
            file.write_text(rules(web.url), encoding="utf-8")
            installation.start("alerter", "--rules", str(file), HOOK_KEY=KEY).ready()
            sender = KafkaProducer(bootstrap_servers=bootstrap, acks="all", linger_ms=0)
            name, sent = topic_name(EVENTS, installation.settings.topic_prefix), {}
            begun = time.time()
            for number, event in enumerate(told):
                time.sleep(max(0.0, begun + number / PER_SECOND - time.time()))
                sent[event.id] = time.time()
                sender.send(
                    name, key=event.subject.encode(), value=encode(event), partition=story_partition(event.subject)
                )
            sender.close()
            good = sum(n % ENDPOINTS >= DEAD for n in range(len(told)))
            deadline = time.time() + 60
            while len(waits := _waits(web, sent)) < good and time.time() < deadline:
                time.sleep(0.5)
        finally:
            installation.close()
    cuts = statistics.quantiles(waits, n=100)
    print(
        f"{len(waits)} of {good} webhooks at good endpoints; {RULES:,} rules, {ENDPOINTS} endpoints, {DEAD} dead, {PER_SECOND} events/s"
    )
    print(
        f"event to webhook: p50 {cuts[49] * 1000:.0f} ms, p99 {cuts[98] * 1000:.0f} ms, most {max(waits) * 1000:.0f} ms"
    )
    return 0 if len(waits) == good else 1


def _waits(web: Receiver, sent: dict[str, float]) -> list[float]:
    found: dict[str, float] = {}
    for post in list(web.posts):
        if int(post.path[1:]) >= DEAD:
            found.setdefault(json.loads(post.body)["data"]["event"], post.at)
    return [at - sent[event] for event, at in found.items()]


if __name__ == "__main__":
    sys.exit(main())
