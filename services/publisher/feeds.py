"""`writethru run publisher --feeds FILE`: every feed of the file in one process, each in a thread of its own.

A feed that waits (for its broker's partition, its site, its rate) holds no other. What ends a feed ends the process, cleanly for
the others: nothing is skipped, and the next life goes on where this one ended.
"""

from __future__ import annotations

import os
import queue
import socket
import threading
import time
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import uvicorn
from kafka.errors import KafkaError

from services.contract.feeds import (
    AnyFeed,
    ArchiveFeed,
    BadFeeds,
    Feeds,
    FolderFeed,
    PolledFeed,
    PushFeed,
    read_feeds,
    seconds,
)
from services.contract.settings import Settings
from services.contract.topics import ARTICLES, REJECTED, topic_name
from services.publisher.fetch import Courtesy, Fetcher, origin_of
from services.publisher.folder import HotFolder
from services.publisher.inlet import Inlet, inlet
from services.publisher.poller import Poller
from services.publisher.publish import shut
from services.publisher.push import Reception, sender
from services.runtime.archive import read
from services.runtime.clients import producer
from services.runtime.health import Health
from services.runtime.lifecycle import Again, Stop
from services.runtime.logs import logger
from services.runtime.pace import Pace
from services.runtime.topic_admin import wait_for_topics

log = logger(__name__)

LOOK_EVERY: Final = 1.0
"""Seconds between two looks into a hot folder, and at the feeds' silence."""
LONGEST_PAUSE: Final = 60.0
"""Seconds between two looks at a folder that cannot be used; the pause doubles up to this."""
LAST_WORDS: Final = 15.0
"""Seconds that feeds have to finish what they hold when told to stop."""


def load(path: Path, *, secrets: bool = True) -> Feeds:
    """The feeds in a file; with `secrets`, the variables that it names must be set. Raises BadFeeds."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BadFeeds(f"{path}: {error.strerror}") from error
    return read_feeds(data, str(path), path.resolve().parent, os.environ if secrets else None)


@dataclass(slots=True)
class _Desk:
    """What all feeds share."""

    settings: Settings
    stop: Stop
    courtesy: Courtesy
    contact: str | None

    def clock(self) -> datetime:
        return datetime.now(UTC)

    def stopping(self) -> bool:
        return self.stop.asked


def run(settings: Settings, health: Health, stop: Stop, path: Path) -> None:
    """All feeds of the file, until told to stop. Raises BadFeeds, Again, WrongTopics, NotAllowed, and what a bug raises."""
    feeds = load(path)
    if not wait_for_topics(settings, stop, health, (ARTICLES, REJECTED)):
        return
    try:
        sending = producer(settings, f"{settings.topic_prefix}feeds-{settings.instance}")
        try:
            for topic in (ARTICLES, REJECTED):  # from now on no send waits for the topic to be known
                sending.partitions_for(topic_name(topic, settings.topic_prefix))
            tell(feeds, settings, health, stop, sending)
        finally:
            shut(sending, 5)
    except KafkaError as error:
        raise Again(f"kafka: {error!r}; what was not acknowledged comes again") from error


def tell(feeds: Feeds, settings: Settings, health: Health, stop: Stop, sending: Any) -> None:
    """The feeds over this producer. Raises whatever ended a feed: KafkaError, or a bug."""
    desk = _Desk(settings, stop, Courtesy(stop.wait), feeds.contact)
    inlets = {
        key: inlet(key, feed, sending, settings, clock=desk.clock, wait=stop.wait) for key, feed in feeds.feeds.items()
    }
    lives: dict[str, Callable[[], None]] = {
        key: _life(one.feed, one, desk) for key, one in inlets.items() if not isinstance(one.feed, PushFeed)
    }
    ends: queue.SimpleQueue[BaseException] = queue.SimpleQueue()
    pushed = [one for one in inlets.values() if isinstance(one.feed, PushFeed)]
    if pushed:
        lives["POST /v1/articles"] = _served(feeds, pushed, desk, ends.put)  # for all of them; no feed has such a name
    threads = [
        threading.Thread(target=_guarded, args=(key, life, ends), name=key, daemon=True) for key, life in lives.items()
    ]
    for thread in threads:
        thread.start()
    log.info("feeds", feeds=sorted(inlets), push=":".join(map(str, feeds.address)) if pushed else None)
    health.ready()
    while ends.empty() and not stop.wait(LOOK_EVERY) and any(thread.is_alive() for thread in threads):
        health.beat()
        for one in inlets.values():
            one.watch.look()
    stop.ask()
    until = time.monotonic() + LAST_WORDS
    for thread in threads:
        thread.join(max(0.0, until - time.monotonic()))
        health.beat()
    late = [thread.name for thread in threads if thread.is_alive()]
    if late:
        log.warning("feeds did not finish in time; what they hold comes again", feeds=late)
    if not ends.empty():
        raise ends.get()


def _guarded(name: str, life: Callable[[], None], ends: queue.SimpleQueue[BaseException]) -> None:
    try:
        life()
    except BaseException as error:  # the main thread raises it
        log.exception("a feed ends the process", feed=name)
        ends.put(error)


def _life(feed: AnyFeed, way: Inlet, desk: _Desk) -> Callable[[], None]:
    """What a feed's thread does."""
    if isinstance(feed, FolderFeed):
        return lambda: _watch_folder(feed, way, desk)
    if isinstance(feed, PolledFeed):
        return lambda: _poll(feed, way, desk)
    assert isinstance(feed, ArchiveFeed)
    return lambda: _play(feed, way, desk)


def _watch_folder(feed: FolderFeed, way: Inlet, desk: _Desk) -> None:
    folder = HotFolder(
        Path(feed.path), way, settle=seconds(feed.settle), limits=desk.settings.limits, sidecars=feed.sidecar == "required",
        stopping=desk.stopping,
    )  # fmt: skip
    failures = 0
    while not desk.stopping():
        try:
            taken = folder.look()
        except OSError as error:
            failures += 1
            way.watch.fails(f"{feed.path}: {error}")
            desk.stop.wait(min(LOOK_EVERY * 2.0 ** min(failures, 16), LONGEST_PAUSE))
            continue
        failures = 0
        way.watch.well()
        if not taken:
            desk.stop.wait(LOOK_EVERY)


def _poll(feed: PolledFeed, way: Inlet, desk: _Desk) -> None:
    fetcher = Fetcher(
        desk.courtesy, allow_private=feed.allow_private, robots=feed.robots, contact=desk.contact,
        authorization=os.environ[feed.authorization] if feed.authorization else None, origin=origin_of(feed.url),
    )  # fmt: skip
    state = desk.settings.state_folder / "feeds" / f"{way.name}.json"
    poller = Poller(feed, way, fetcher, state, desk.settings.limits, clock=desk.clock, stopping=desk.stopping)
    with closing(fetcher):
        while not desk.stopping():
            try:
                pause = poller.look()
            except OSError as error:  # the state cannot be written
                way.watch.fails(str(error))
                pause = LONGEST_PAUSE
            desk.stop.wait(pause)


def _play(feed: ArchiveFeed, way: Inlet, desk: _Desk) -> None:
    pace = Pace(feed.speed, desk.stop.wait) if feed.speed != "max" else None
    for parsed in read(Path(feed.path), provider=feed.provider, limits=desk.settings.limits):
        if desk.stopping():
            break
        way.take(parsed, near=desk.clock(), pace=pace.wait if pace else None)
    way.flush()
    log.info("an archive has been played", feed=way.name, published=way.publisher.counts.published)


def _served(
    feeds: Feeds, pushed: list[Inlet], desk: _Desk, lost: Callable[[BaseException], None]
) -> Callable[[], None]:
    """The HTTP server of all push feeds. Raises BadFeeds where its address cannot be had."""
    senders = [sender(os.environ[one.feed.key], one) for one in pushed if isinstance(one.feed, PushFeed)]
    reception = Reception(senders, desk.settings.limits, clock=desk.clock, stopping=desk.stopping, lost=lost)
    host, port = feeds.address
    try:
        listening = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        raise BadFeeds(f"listen: {feeds.listen}: {error.strerror or error}") from error
    config = uvicorn.Config(
        reception.app, log_config=None, access_log=False, lifespan="off", server_header=False, limit_concurrency=256,
        timeout_keep_alive=30, timeout_graceful_shutdown=10,
    )  # fmt: skip
    server = uvicorn.Server(config)

    def end_with_the_rest() -> None:
        desk.stop.wait(threading.TIMEOUT_MAX)
        server.should_exit = True

    def live() -> None:
        threading.Thread(target=end_with_the_rest, name="push-end", daemon=True).start()
        with listening, suppress(KeyboardInterrupt):
            server.run(sockets=[listening])

    return live
