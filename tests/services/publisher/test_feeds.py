"""All feeds of a file in one process: none waits for another, and what ends one ends the process without a loss."""

from __future__ import annotations

import contextlib
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import orjson
import pytest
from kafka.errors import KafkaTimeoutError

from deploy.kafka.broker import free_ports
from services.contract.codec import encode
from services.contract.feeds import BadFeeds, read_feeds
from services.contract.settings import Settings
from services.publisher import feeds as feeds_module
from services.publisher.feeds import load, tell
from services.runtime.health import Health
from services.runtime.lifecycle import Stop
from tests.builders import make
from tests.services.publisher.kit import Broker, take
from tests.services.publisher.site import Page, site

KEY = "k" * 24


class Office:
    """The feeds of a text, running in a thread; the broker acknowledges at once."""

    def __init__(self, folder: Path, text: str) -> None:
        self.feeds = read_feeds(text.encode(), "feeds.yaml", folder, {"KEY": KEY})
        self.broker = Broker()
        self.health, self.stop = Health("publisher"), Stop()
        self.ended: BaseException | None = None
        settings = Settings(state_folder=folder / "state")

        def live() -> None:
            try:
                tell(self.feeds, settings, self.health, self.stop, self.broker)
            except BaseException as error:  # noqa: BLE001
                self.ended = error

        self.thread = threading.Thread(target=live)

    def until(self, true: Callable[[], bool], what: str) -> None:
        deadline = time.monotonic() + 30
        while not true():
            assert self.thread.is_alive(), self.ended
            assert time.monotonic() < deadline, f"not {what}"
            time.sleep(0.02)

    @property
    def uris(self) -> set[str]:
        return {one.uri for one in self.broker.articles}


@contextlib.contextmanager
def running(folder: Path, text: str) -> Iterator[Office]:
    office = Office(folder, text)
    office.thread.start()
    try:
        yield office
    finally:
        office.stop.ask()
        office.thread.join(30)
    assert not office.thread.is_alive()


@pytest.fixture(autouse=True)
def key(monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setenv("KEY", KEY)
    monkeypatch.setattr(feeds_module, "LOOK_EVERY", 0.05)
    (tmp_path / "in").mkdir()


def push(port: int, uri: str) -> int:
    data = encode(make(uri, provider="tarmouth"))
    headers = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"}
    request = urllib.request.Request(f"http://127.0.0.1:{port}/v1/articles", data, headers)
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        with error:
            return error.code
    except OSError:
        return 0


FOLDER = "  push: {kind: folder, path: in, settle: 1s}\n"


def test_every_kind_of_feed_in_one_process(tmp_path: Path):
    port = free_ports(1)[0]
    (tmp_path / "old.jsonl").write_bytes(encode(make("archived")) + b"\n")
    (tmp_path / "in" / "a.txt").write_text(take(1))
    entry = b"<rss version='2.0'><channel><item><guid>polled</guid><title>Lock closes</title></item></channel></rss>"
    with site() as gazette:
        gazette.pages["/feed"] = Page(entry)
        text = (
            f"listen: 127.0.0.1:{port}\nfeeds:\n{FOLDER}"
            f"  b: {{kind: rss, url: '{gazette.url}/feed', allow_private: true, provider: gazette}}\n"
            "  c: {kind: push, key: KEY}\n  d: {kind: archive, path: old.jsonl, edition: 2}\n"
        )
        with running(tmp_path, text) as office:
            office.until(lambda: push(port, "pushed") == 202, "pushed")
            office.until(lambda: office.uris == {"item-1", "polled", "pushed", "archived"}, "all there")
            assert office.health.state["ready"]
            assert {one["partition"] for one in office.broker.records if b"archived" in one["key"]} == {2}
    assert office.ended is None
    assert (tmp_path / "in/done/a.txt").exists()
    assert orjson.loads((tmp_path / "state/feeds/b.json").read_bytes())["seen"]
    assert push(port, "late") == 0, "nobody listens after the end"


def test_a_feed_that_waits_for_its_broker_holds_no_other(tmp_path: Path):
    (tmp_path / "slow").mkdir()
    (tmp_path / "slow" / "s.txt").write_text(take(9))
    stuck = threading.Event()
    with running(tmp_path, f"feeds:\n{FOLDER}  b: {{kind: folder, path: slow, settle: 1s, edition: 1}}\n") as office:
        send = office.broker.send

        def blocking(topic, **record):
            if record.get("partition") == 1:
                stuck.wait(60)
            return send(topic, **record)

        office.broker.send = blocking  # type: ignore[method-assign]
        for number in range(3):
            (tmp_path / "in" / f"{number}.txt").write_text(take(number))
        office.until(lambda: len(office.uris) == 3, "the other feed's items")
        assert "item-9" not in office.uris
        stuck.set()
        office.until(lambda: "item-9" in office.uris, "the slow one's")


def test_a_site_that_is_down_and_a_folder_that_is_missing_hold_no_other(tmp_path: Path):
    port = free_ports(1)[0]
    (tmp_path / "in" / "a.txt").write_text(take(1))
    text = (
        f"feeds:\n{FOLDER}  b: {{kind: rss, url: 'http://127.0.0.1:{port}/', allow_private: true, robots: false}}\n"
        "  c: {kind: folder, path: nowhere}\n"
    )
    with running(tmp_path, text) as office:
        office.until(lambda: office.uris == {"item-1"}, "read")
        (tmp_path / "nowhere").mkdir()
    assert office.ended is None


def test_a_broker_that_gives_up_ends_this_life_and_the_next_goes_on(tmp_path: Path):
    """Case 55: an exception in processing loses the event."""
    (tmp_path / "in" / "a.txt").write_text(take(1))
    office = Office(tmp_path, f"feeds:\n{FOLDER}")
    office.broker.failing = KafkaTimeoutError("away too long")
    office.thread.start()
    office.thread.join(30)
    assert isinstance(office.ended, KafkaTimeoutError)
    with running(tmp_path, f"feeds:\n{FOLDER}") as office:
        office.until(lambda: office.uris == {"item-1"}, "sent again")
    assert (tmp_path / "in/done/a.txt").exists()


def test_a_bug_in_one_feed_ends_the_process_with_its_error(tmp_path: Path, monkeypatch):
    (tmp_path / "in" / "a.txt").write_text(take(1))
    monkeypatch.setattr("services.publisher.folder.read", lambda *a, **k: 1 / 0)
    office = Office(tmp_path, f"feeds:\n{FOLDER}")
    office.thread.start()
    office.thread.join(30)
    assert isinstance(office.ended, ZeroDivisionError)
    assert not (tmp_path / "in/done").exists(), "its file is kept for a better release"


def test_a_stop_in_the_middle_of_an_archive_loses_nothing(tmp_path: Path):
    lines = b"".join(encode(make(f"n{number}")) + b"\n" for number in range(40))
    (tmp_path / "in" / "day.jsonl").write_bytes(lines)
    text = "feeds:\n  a: {kind: folder, path: in, settle: 1s, rate: 10/s}\n"
    with running(tmp_path, text) as office:
        office.until(lambda: len(office.uris) > 3, "begun")
    first = office.uris
    assert len(first) < 40
    assert not (tmp_path / "in/done").exists()
    with running(tmp_path, text.replace("10/s", "1000/s")) as office:
        office.until(lambda: len(office.uris) == 40, "from the beginning")
        office.until((tmp_path / "in/done/day.jsonl").exists, "put away")


def test_an_address_that_is_taken_is_named(tmp_path: Path):
    with site() as other:
        port = other.url.rpartition(":")[2]
        office = Office(tmp_path, f"listen: 127.0.0.1:{port}\nfeeds:\n  c: {{kind: push, key: KEY}}\n")
        office.thread.start()
        office.thread.join(30)
    assert isinstance(office.ended, BadFeeds)
    assert port in str(office.ended)


def test_a_file_that_is_not_there_is_named(tmp_path: Path):
    with pytest.raises(BadFeeds, match=r"none\.yaml: No such file"):
        load(tmp_path / "none.yaml")
