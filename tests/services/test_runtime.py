"""What the services share: probes, signals, logs, topics declared once, the AsyncAPI document."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
import urllib.error
import urllib.request

import jsonschema
import orjson
import pytest

from deploy.kafka.broker import free_ports
from services import __version__
from services.contract.asyncapi import document
from services.contract.codec import encode
from services.contract.messages import KEPT_BYTES, rejected
from services.contract.settings import BadSetting, Settings
from services.contract.topics import ARTICLES, EVENTS, STORY_PARTITIONS, TOPICS, record_key, story_partition
from services.core.article import Command
from services.core.errors import RejectedInput
from services.core.identity import digest
from services.runtime import health as health_module
from services.runtime.health import Health
from services.runtime.lifecycle import Stop
from services.runtime.pace import Pace
from services.runtime.topic_admin import check_topics, wanted_config
from tests.builders import ROOT, make


def ask(port: int, path: str) -> tuple[int, bytes]:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=5) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read()


@pytest.fixture
def probed():
    health = Health("grouper")
    yield health, health.serve(("127.0.0.1", free_ports(1)[0]))
    health.close()


def test_a_service_is_alive_before_it_is_ready(probed):
    health, port = probed
    health.waits("the broker")
    assert (ask(port, "/healthz")[0], ask(port, "/readyz")[0]) == (200, 503)
    assert orjson.loads(ask(port, "/readyz")[1])["waits_for"] == "the broker"
    health.ready()
    assert ask(port, "/readyz")[0] == 200


def test_a_worker_that_silently_stops_turns_its_probe_red(probed, monkeypatch):
    health, port = probed
    health.ready()
    monkeypatch.setattr(health_module, "SILENT_AFTER", 0.0)
    assert (ask(port, "/healthz")[0], ask(port, "/readyz")[0]) == (503, 503)


@pytest.mark.parametrize("asked", [False, True])
def test_a_client_that_waits_without_end_ends_the_service(monkeypatch, asked):
    monkeypatch.setattr(health_module, "GUARD_EVERY", 0.01)
    monkeypatch.setattr(health_module, "STOPS_WITHIN" if asked else "DEAD_AFTER", 1.0)
    health, stop, ended = Health("emitter"), Stop(), threading.Event()
    if asked:
        stop.ask()
    with health.guard(stop, lambda _: ended.set()):
        for _ in range(3):
            health.beat()
            assert not ended.wait(0.1)
        assert ended.wait(30)


def test_a_life_that_is_over_is_guarded_no_longer(monkeypatch):
    monkeypatch.setattr(health_module, "GUARD_EVERY", 0.01)
    monkeypatch.setattr(health_module, "DEAD_AFTER", 0.05)
    ended = threading.Event()
    with Health("emitter").guard(Stop(), lambda _: ended.set()):
        pass
    assert not ended.wait(0.5)


def test_metrics_are_served_and_other_paths_are_not(probed):
    _, port = probed
    status, body = ask(port, "/metrics")
    assert status == 200
    assert b"writethru_ready" in body
    assert ask(port, "/etc/passwd")[0] == 404


def test_port_0_asks_for_no_probes():
    assert Health("emitter").serve(("127.0.0.1", 0)) is None


LOGGING = """
import logging
from services.runtime import logs
logs.configure("grouper", "INFO")
logs.logger("ours").warning("rejected", reason="empty", source="ファイル.txt")
logging.getLogger("faust").error("theirs")
logging.getLogger("faust").info("chatter")
try:
    raise ValueError("why")
except ValueError:
    logs.logger("ours").exception("a bug")
"""


def test_every_log_record_is_one_json_line_that_names_the_service():
    done = subprocess.run([sys.executable, "-c", LOGGING], cwd=ROOT, capture_output=True, text=True, check=True)
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    assert [(line["event"], line["level"]) for line in lines] == [
        ("rejected", "warning"), ("theirs", "error"), ("a bug", "error"),
    ]  # fmt: skip
    assert {line["service"] for line in lines} == {"grouper"}
    assert lines[0]["source"] == "ファイル.txt"
    assert "ValueError: why" in lines[2]["exception"]


def test_the_first_signal_asks_and_the_second_ends():
    script = (
        "import os, signal, time\nfrom services.runtime.lifecycle import Stop\nstop = Stop().install()\n"
        "os.kill(os.getpid(), signal.SIGTERM)\nassert stop.wait(5)\nos.kill(os.getpid(), signal.SIGTERM)\ntime.sleep(5)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=False)
    assert done.returncode == -signal.SIGTERM


def test_a_wait_ends_when_it_is_asked_to():
    stop = Stop()
    stop.ask()
    assert stop.wait(60)


def test_pace_keeps_the_archives_own_distances():
    slept: list[float] = []
    pace = Pace(60, slept.append)
    for at in ("2026-03-11T07:00:00Z", None, "2026-03-11T08:00:00Z"):
        pace.wait(at)
    assert len(slept) == 2
    assert slept[1] == pytest.approx(60, abs=1)


# -- topics ------------------------------------------------------------------------------------------------------------


class Broker:
    """What `check_topics` asks of an admin client."""

    def __init__(self, settings: Settings) -> None:
        self.partitions = {topic.name: topic.partitions for topic in TOPICS}
        self.config = {topic.name: wanted_config(topic, settings) for topic in TOPICS}

    def list_topics(self):
        return list(self.partitions)

    def describe_topics(self, names):
        return [{"name": name, "partitions": [{}] * self.partitions[name]} for name in names]

    def describe_configs(self, resources, **_):
        return {"topic": {r.name: {k: {"value": v} for k, v in self.config[r.name].items()} for r in resources}}


def test_topics_as_declared_are_no_problem():
    assert check_topics(Broker(Settings()), Settings()) == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda b: b.partitions.pop("story.events"), "story.events: missing"),
        (lambda b: b.partitions.update({"story.revisions": 12}), "12 partitions, declared are 6"),
        (lambda b: b.config["wire.articles"].update({"retention.ms": "3600000"}), "retention.ms is 3600000"),
        (lambda b: b.config["grouper-rows-changelog"].update({"cleanup.policy": "delete"}), "cleanup.policy is delete"),
        (lambda b: b.config["story.events"].pop("max.message.bytes"), "max.message.bytes is None"),
        (
            lambda b: b.config["wire.articles"].update({"message.timestamp.type": "CreateTime"}),
            "message.timestamp.type",
        ),
    ],
)
def test_topics_other_than_declared_are_named(change, said):
    broker = Broker(Settings())
    change(broker)
    (problem,) = check_topics(broker, Settings())
    assert said in problem


def test_an_operator_may_keep_more_than_declared():
    broker = Broker(Settings())
    broker.config["story.events"].update({"retention.ms": "-1", "max.message.bytes": "10485760"})
    assert check_topics(broker, Settings()) == []


def test_retention_of_articles_is_at_least_twice_the_window():
    assert ARTICLES.retention_days is not None
    assert ARTICLES.retention_days >= 2 * Settings().window_days.days


def test_a_story_keeps_its_partition_and_all_are_used():
    assert {story_partition(digest("story", n)) for n in range(200)} == set(range(STORY_PARTITIONS))
    assert story_partition("3a95530c41aaf42e570fdf798d8d317c") == int("3a95530c", 16) % 6


def test_records_are_keyed_by_item_or_command():
    assert record_key(make("ferry", provider="nordwire")) == b"nordwire:ferry"
    assert record_key(Command(command="pin", id="c1", by="desk", at="2026-03-11T07:00:00Z")) == b"command:c1"


# -- settings for Kafka ------------------------------------------------------------------------------------------------


def test_a_password_is_never_shown():
    settings = Settings.from_environment(
        {
            "WRITETHRU_KAFKA_SECURITY": "sasl_ssl",
            "WRITETHRU_KAFKA_USERNAME": "desk",
            "WRITETHRU_KAFKA_PASSWORD": "hunter2",
        }
    )
    assert settings.kafka_password == "hunter2"
    assert "hunter2" not in repr(settings)


@pytest.mark.parametrize(
    ("environment", "named"),
    [
        ({"WRITETHRU_KAFKA_BOOTSTRAP": "broker"}, "WRITETHRU_KAFKA_BOOTSTRAP wants host:port"),
        ({"WRITETHRU_KAFKA_SECURITY": "SASL_SSL"}, "KAFKA_USERNAME"),
        ({"WRITETHRU_KAFKA_CERT_FILE": str(ROOT / "LICENSE")}, "WRITETHRU_KAFKA_KEY_FILE"),
        ({"WRITETHRU_KAFKA_CA_FILE": "/nowhere.pem"}, "WRITETHRU_KAFKA_CA_FILE"),
        ({"WRITETHRU_TOPIC_PREFIX": "a b"}, "WRITETHRU_TOPIC_PREFIX"),
        ({"WRITETHRU_HEALTH": "8080x"}, "WRITETHRU_HEALTH wants host:port"),
    ],
)
def test_a_wrong_kafka_setting_is_named(environment, named):
    with pytest.raises(BadSetting, match=named):
        Settings.from_environment(environment)


# -- what is kept of bad input -----------------------------------------------------------------------------------------


def test_rejected_input_carries_its_first_256_kib_and_the_hash_of_all():
    data = b"x" * (KEPT_BYTES + 5)
    kept = rejected(
        RejectedInput("too_large", "too much", source="a.txt"), data, by="publisher", at="2026-03-11T07:00:00Z"
    )
    assert (len(kept.data), kept.size, kept.whole) == (KEPT_BYTES, KEPT_BYTES + 5, False)
    assert len(encode(kept)) < 1 << 20


# -- AsyncAPI ----------------------------------------------------------------------------------------------------------


def test_the_asyncapi_document_in_docs_is_what_the_code_says():
    written = (ROOT / "docs" / "schemas" / "asyncapi.json").read_bytes()
    assert orjson.loads(written) == orjson.loads(orjson.dumps(document(__version__)))


def test_the_asyncapi_document_describes_real_messages():
    made = document(__version__)
    for channel in made["channels"].values():
        for message in channel["messages"].values():
            assert message["$ref"].rpartition("/")[2] in made["components"]["messages"]
    schema = {"$ref": "#/components/schemas/Article", "components": made["components"]}
    jsonschema.validate(orjson.loads(encode(make("ferry"))), schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"provider": "nordwire"}, schema)
    assert made["channels"]["story-events"]["bindings"]["kafka"]["partitions"] == EVENTS.partitions


def test_every_topic_has_its_writers_and_readers():
    ours = {"publisher", "grouper", "emitter", "alerter", "rules"}
    for topic in TOPICS:
        assert ours & set(topic.writers), topic.name
        assert topic.readers, topic.name
