"""Alerts over a real Kafka: the alerter as a process, webhooks to a real receiver, and kill -9 in between."""

from __future__ import annotations

import json
import time

import pytest
from kafka import KafkaProducer
from standardwebhooks.webhooks import Webhook

from services.contract.codec import decode, encode
from services.contract.messages import Ruled
from services.contract.topics import ALERTS, DEAD, EVENTS, RULINGS, story_partition, topic_name
from services.core.alerting.alert import Alert
from tests.builders import at, events, make, run
from tests.services.alerter.receiver import Receiver, receiver

pytestmark = [pytest.mark.kafka, pytest.mark.xdist_group("kafka"), pytest.mark.timeout(240)]
KEY = "whsec_" + "QUFB" * 8
RULES = """rules:
  - name: news
    when: {{new_development: true}}
    max_age: 99999d
    deliver:
{deliver}
"""


def stories(count, start=0):
    """So many stories of two takes each: their events, each one news."""
    log = []
    for n in range(start, start + count):
        head = {"headline": f"Mill {n} burns in Harbour {n * 7}", "language": "en"}
        body = (
            f"A mill on Quay {n} in Port Alm {n * 13} burned on Monday and {n + 3} people were hurt, firemen said.",
        )
        log.append(make(f"s{n}", body, version="1", version_created=at("08:00"), **head))
    return events(run(log)[1])


def send(installation, told):
    producer = KafkaProducer(bootstrap_servers=installation.settings.kafka_bootstrap, acks="all")
    name = topic_name(EVENTS, installation.settings.topic_prefix)
    for event in told:
        producer.send(name, key=event.subject.encode(), value=encode(event), partition=story_partition(event.subject))
    producer.flush()
    producer.close()


def until(true, what, seconds=60):
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, what() if callable(what) else what
        time.sleep(0.1)


def rules_file(tmp_path, *channels):
    file = tmp_path / "rules.yaml"
    file.write_text(RULES.format(deliver="\n".join(f"      - {one}" for one in channels)))
    return str(file)


def hook(url):
    return f'webhook: {{url: "{url}", secret_env: HOOK_KEY, allow_private: true}}'


def start(installation, rules):
    return installation.start("alerter", "--rules", rules, HOOK_KEY=KEY).ready()


def test_kill_9_loses_nothing_and_repeats_only_the_same_id(installation, tmp_path):
    told = stories(30)
    with receiver(Receiver(delay=lambda _: 0.02)) as web:
        rules = rules_file(tmp_path, hook(f"{web.url}/a"), hook(f"{web.url}/b"), "topic: {}")
        alerter = start(installation, rules)
        for n in range(3):
            send(installation, told[n * 10 : n * 10 + 10])
            until(lambda n=n: len(web.posts) > n * 20 + 4, alerter.told)
            alerter.kill()
            alerter = start(installation, rules)
        until(lambda: all(len(set(web.ids(path))) >= 30 for path in ("/a", "/b")), alerter.told)
        assert alerter.stop() == 0
    alerts = {one.id: one for one in (decode(record.value, Alert) for record in installation.read(ALERTS))}
    assert len(alerts) == 30 == len(installation.read(ALERTS)), "a transaction was lost or seen twice"
    assert sorted(one.event for one in alerts.values()) == sorted(event.id for event in told)
    for path in ("/a", "/b"):
        bodies = {}
        for post in web.posts:
            if post.path == path:
                Webhook(KEY).verify(post.body, post.headers)
                bodies.setdefault(post.headers["webhook-id"], set()).add(post.body)
        assert len(bodies) == 30
        assert all(len(same) == 1 for same in bodies.values()), "the same id with another body"
    ruled = [decode(record.value, Ruled) for record in installation.read(RULINGS)]
    assert {one.event for one in ruled} == {event.id for event in told}
    assert all(ruling.reason for one in ruled for ruling in one.rulings)


def test_a_first_run_pages_for_no_history_and_a_restart_goes_on_where_it_was(installation, tmp_path):
    old, new, later = stories(5), stories(3, start=10), stories(3, start=20)
    send(installation, old)
    with receiver() as web:
        rules = rules_file(tmp_path, hook(f"{web.url}/a"))
        alerter = start(installation, rules)
        assert alerter.stop() == 0
        send(installation, new)  # while nobody listens
        alerter = start(installation, rules)
        send(installation, later)
        until(lambda: len(web.posts) >= 6, alerter.told)
        alerter.stop()
        told = {json.loads(post.body)["data"]["event"] for post in web.posts}
    assert told == {event.id for event in (*new, *later)}


def test_one_dead_endpoint_slows_nobody_410_switches_off_and_the_dead_can_be_retried(installation, tmp_path):
    gone = [True]

    def answers(path, _nth):
        if path == "/gone":
            return (410, {}) if gone[0] else (200, {})
        return (500, {}) if path == "/broken" else (200, {})

    with receiver(Receiver(answers=answers, delay=lambda path: 20.0 if path == "/dead" else 0.0)) as web:
        every = [hook(f"{web.url}/{name}") for name in ("good", "dead", "gone", "broken", "other")]
        alerter = start(installation, rules_file(tmp_path, *every))
        begun = time.time()
        send(installation, stories(40))
        until(lambda: len(web.ids("/good")) == len(web.ids("/other")) == 40, alerter.told, 30)
        last = max(post.at for post in web.posts if post.path in ("/good", "/other"))
        assert last - begun < 8, "the good ones waited for the dead one"
        assert len(web.ids("/gone")) == 1
        assert len(web.ids("/dead")) == 1
        assert len(web.ids("/broken")) <= 3, "it is left alone between attempts"
        until(lambda: len(installation.read(DEAD)) == 40, alerter.told)
        listed = installation.run("deliveries", "list")
        assert listed.stdout.count("410") >= 40
        assert "switched off since" in listed.stdout
        gone[0] = False
        channel = listed.stdout.split("switched off since")[1].split(": ")[1]
        assert installation.run("deliveries", "enable", channel).returncode == 0
        time.sleep(1)
        assert installation.run("deliveries", "retry", "--all").returncode == 0
        until(lambda: len(set(web.ids("/gone"))) == 40, alerter.told)
        until(lambda: len(set(web.ids("/broken"))) >= 1 and len(web.ids("/broken")) >= 2, alerter.told, 30)
        alerter.kill()
