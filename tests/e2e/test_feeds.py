"""Feeds over a real Kafka: what lies in a hot folder and what is pushed become events; plugs are pulled."""

from __future__ import annotations

import urllib.error
import urllib.request
from pathlib import Path

import pytest

from deploy.kafka.broker import free_ports
from services.contract.codec import decode, encode
from services.contract.topics import ARTICLES, REJECTED
from services.core.events import Event
from tests.builders import BUDGET, FERRY, UPDATED_FERRY, at, make
from tests.e2e.kafka import Installation, Service

pytestmark = [pytest.mark.kafka, pytest.mark.xdist_group("kafka"), pytest.mark.timeout(600)]

KEY = "a-key-of-some-length"


def post(port: int, data: bytes) -> int:
    headers = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/x-ndjson"}
    request = urllib.request.Request(f"http://127.0.0.1:{port}/v1/articles", data, headers)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        with error:
            return error.code
    except OSError:
        return 0


def deliver(folder: Path, name: str, data: bytes) -> None:
    """As a careful sender does: written under another name, then renamed."""
    (folder / f"{name}.tmp").write_bytes(data)
    (folder / f"{name}.tmp").rename(folder / name)


def test_a_hot_folder_and_a_push_become_events_and_a_pulled_plug_loses_nothing(
    installation: Installation, tmp_path: Path
):
    port = free_ports(1)[0]
    inbox = tmp_path / "in"
    inbox.mkdir()
    file = tmp_path / "feeds.yaml"
    file.write_text(
        f"listen: 127.0.0.1:{port}\nfeeds:\n  nordwire: {{kind: folder, path: in, provider: nordwire, settle: 1s}}\n"
        "  tarmouth: {kind: push, key: KEY_TARMOUTH, provider: tarmouth, only: [tarmouth]}\n"
    )

    def feeds() -> Service:
        return installation.start("publisher", "--feeds", str(file), KEY_TARMOUTH=KEY)

    grouper, emitter, publisher = installation.start("grouper").ready(), installation.start("emitter"), feeds().ready()
    deliver(inbox, "1.json", encode(make("ferry", FERRY, version="1", version_created=at("07:00"))))
    deliver(inbox, "broken.json", b'{"provider": ')
    publisher.until(lambda: post(port, encode(make("budget", BUDGET, provider="tarmouth"))) == 202, "pushed to")
    installation.events(2, alive=[grouper, emitter, publisher])
    assert (inbox / "done" / "1.json").exists()
    publisher.until((inbox / "rejected" / "broken.json.reason.json").exists, "done with bad input")
    assert len(installation.read(REJECTED)) == 1

    for number in range(40):
        deliver(
            inbox, f"n{number:02}.json", encode(make(f"n{number}", (f"Lock {number} of the canal closes on Monday.",)))
        )
    publisher.until(lambda: len(installation.read(ARTICLES)) > 5, "in the middle")
    publisher.kill()
    publisher = feeds().ready()
    deliver(inbox, "2.json", encode(make("ferry", UPDATED_FERRY, version="2", version_created=at("08:00"))))
    publisher.until(lambda: not list(inbox.glob("*.json")) and not list((inbox / ".writethru").iterdir()), "empty")
    found = [decode(value, Event) for value in installation.events(43, alive=[grouper, emitter, publisher])]
    assert len({event.id for event in found}) == len(found) == 43
    ferry = [event for event in found if event.data.version is not None and event.data.version.uri == "ferry"]
    assert [event.sequence[-1] for event in ferry] == ["1", "2"]
    assert len(list((inbox / "done").iterdir())) == 42
    assert 'writethru_feed_healthy{feed="nordwire"} 1.0' in publisher.get("/metrics")[1]
    assert publisher.stop() == 0
    assert publisher.lines()[-1]["why"] == "asked to stop"
    assert post(port, b"{}") == 0
