"""RSS, Atom and lists of items by HTTP: asked politely, each version published once, the full text fetched where the feed says so.

What was seen is written down after the broker has acknowledged it: a crash repeats inputs, which have the same ids, and loses none.
"""

from __future__ import annotations

import codecs
import random
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Final

import msgspec

from services.contract.feeds import PolledFeed, seconds
from services.core.article import Article, Command
from services.core.identity import digest, lineage_key
from services.core.times import instant
from services.core.wire import Parsed, detect, parse
from services.core.wire.limits import Limits
from services.publisher.fetch import Answer, Fetcher, Unavailable
from services.publisher.inlet import Inlet
from services.runtime.logs import logger
from services.runtime.open_net import Refused

log = logger(__name__)

LONGEST_BACKOFF: Final = 3_600.0
"""Seconds between looks at a feed that keeps failing; the pause doubles with each failure up to this."""
JITTER: Final = 0.1
"""Share of a pause by which it may be longer, so that many feeds do not ask at once for ever."""
MOST_SEEN: Final = 5_000
"""Entries that are remembered beyond those that the feed shows now."""
PAGE_TRIES: Final = 3
"""Looks at a page that cannot be had for now, before its entry is published as the feed gives it."""
NO_LIST: Final = frozenset({"html_page", "plain", "mail"})
"""What a server sends in place of a feed: its front page, or words of regret."""
_UNVERSIONED: Final = frozenset({
    "uri", "url", "version_created", "first_created", "received_at", "input_id", "parse_notes",
})  # fmt: skip
"""What may differ between two looks at the same copy: an address that tracks us, a date that is the time of the request."""


class PollState(msgspec.Struct):
    """What is remembered of a feed between two looks: the caches' marks, and which copy of each entry was published."""

    url: str = ""
    etag: str | None = None
    modified: str | None = None
    seen: dict[str, str] = {}
    tries: dict[str, int] = {}


class Poller:
    """One polled feed. `state` is the file of what was seen, `pick` gives a random number below 1."""

    def __init__(
        self, feed: PolledFeed, inlet: Inlet, fetcher: Fetcher, state: Path, limits: Limits, *, clock: Callable[[], datetime],
        stopping: Callable[[], bool] = lambda: False, pick: Callable[[], float] = random.random,
    ) -> None:  # fmt: skip
        self._feed = feed
        self._inlet = inlet
        self._fetcher = fetcher
        self._file = state
        self._limits = limits
        self._clock = clock
        self._stopping = stopping
        self._pick = pick
        self._failures = 0
        self.state = _load(state, feed.url)

    def look(self) -> float:
        """One look at the feed: what is new goes onto the log. Seconds until the next look.

        Raises KafkaError where the broker does not take what is sent, OSError where the state cannot be written.
        """
        after = 0.0
        try:
            answer = self._fetcher.get(self._feed.url, most=self._limits.item, headers=self._conditions())
            if answer.status != 304:
                self._read(answer)
        except (Unavailable, Refused) as error:
            self._failures += 1
            after = error.after if isinstance(error, Unavailable) else LONGEST_BACKOFF
            self._inlet.watch.fails(str(error))
        else:
            self._failures = 0
            self._inlet.watch.well()
        every = seconds(self._feed.every)
        pause = min(every * 2.0 ** min(self._failures, 16), max(every, LONGEST_BACKOFF)) if self._failures else every
        return max(pause, after) * (1 + JITTER * self._pick())

    # -- what is new ---------------------------------------------------------------------------------------------------

    def _conditions(self) -> dict[str, str]:
        known = {"If-None-Match": self.state.etag, "If-Modified-Since": self.state.modified}
        return {name: value for name, value in known.items() if value}

    def _read(self, answer: Answer) -> None:
        data = _in_utf8(answer)
        if answer.status != 200:
            raise Unavailable(f"{answer.url} answers {answer.status}")
        if (form := detect(data)) in NO_LIST:
            raise Unavailable(f"{answer.url} gives no feed but {form.replace('_', ' ')}")
        parsed = parse(data, source=self._feed.url, provider=self._feed.provider, limits=self._limits)
        for error in parsed.rejected:
            error.data = data
        try:
            complete = self._publish(parsed)
            self._inlet.flush()
        except BaseException:
            self.state = _load(self._file, self._feed.url)  # what was not acknowledged was not seen
            raise
        if complete:  # else the next look must see it all again
            self.state.etag, self.state.modified = answer.headers.get("etag"), answer.headers.get("last-modified")
        _save(self._file, self.state)

    def _publish(self, parsed: Parsed) -> bool:
        """Entries that are new or have changed, the oldest first; whether that was all."""
        complete = True
        shown = set()
        refused = []
        for error in parsed.rejected:
            mark = "rejected:" + digest(error.reason, error.detail, error.position)
            shown.add(mark)
            if mark not in self.state.seen:
                refused.append(error)
                self.state.seen[mark] = ""
        self._inlet.take(Parsed(rejected=tuple(refused)), near=self._clock())
        for command in (one for one in parsed.articles if isinstance(one, Command)):
            mark = f"command:{command.id}"
            shown.add(mark)
            if mark not in self.state.seen:
                self._inlet.take(Parsed(articles=(command,)), near=self._clock())
                self.state.seen[mark] = ""
        for item in _oldest_first(parsed):
            key, copy = lineage_key(item), _copy(item)
            shown.add(key)
            if self.state.seen.get(key) == copy:
                continue
            if self._stopping():
                return False
            try:
                full = self._full(item) if self._feed.follow else item
            except Unavailable as error:
                self.state.tries[key] = self.state.tries.get(key, 0) + 1
                if self.state.tries[key] < PAGE_TRIES:
                    log.info("a page cannot be had yet", feed=self._inlet.name, uri=item.uri, why=str(error))
                    complete = False
                    continue
                full = item
            self._inlet.take(Parsed(articles=(full,)), near=self._clock())
            self.state.tries.pop(key, None)
            self.state.seen.pop(key, None)
            self.state.seen[key] = copy  # the youngest last
        self._forget(shown)
        return complete

    def _forget(self, shown: set[str]) -> None:
        old = [key for key in self.state.seen if key not in shown]
        for key in old[: max(0, len(old) - MOST_SEEN)]:
            del self.state.seen[key]
        self.state.tries = {key: count for key, count in self.state.tries.items() if key in shown}

    def _full(self, entry: Article) -> Article:
        """The entry with its page's copy, where that says more. Raises Unavailable where the page may come later."""
        if entry.url is None or entry.is_ending:
            return entry
        try:
            answer = self._fetcher.get(entry.url, most=self._limits.markup)
        except Refused as error:
            log.info("the entry as the feed gives it", feed=self._inlet.name, uri=entry.uri, why=str(error))
            return entry
        page = parse(
            _in_utf8(answer), source=answer.url, format="html_page", provider=entry.provider, limits=self._limits
        )
        found = next((one for one in page.articles if isinstance(one, Article)), None)
        if found is None or _words(found) <= _words(entry):  # a wall, a notice, or no more than we have
            return entry
        known = {
            name: getattr(entry, name) or getattr(found, name)
            for name in ("language", "headline", "byline", "dateline", "ed_note", "outlet", "genre", "usage_terms")
        }
        return msgspec.structs.replace(entry, body=found.body, **known)


def _oldest_first(parsed: Parsed) -> Iterator[Article]:
    """Feeds show the newest first; by time where every entry has one, else from their end."""
    articles = [one for one in reversed(parsed.articles) if isinstance(one, Article)]
    times = [instant(one.version_created) for one in articles]
    known = [time for time in times if time is not None]
    if len(known) < len(times):
        return iter(articles)
    order = sorted(range(len(articles)), key=lambda index: known[index])
    return (articles[index] for index in order)


def _copy(article: Article) -> str:
    """What makes a copy of an entry another: all but its address and its dates."""
    plain = msgspec.to_builtins(article)
    return digest(
        {name: value for name, value in plain.items() if name not in _UNVERSIONED and value not in (None, [])}
    )


def _words(article: Article) -> int:
    return sum(len(paragraph.text.split()) for paragraph in article.body)


def _in_utf8(answer: Answer) -> bytes:
    """The body; in UTF-8 where only the server's header, not the document, says in which charset it is."""
    data = answer.body
    parts = (part.strip() for part in answer.headers.get("content-type", "").split(";"))
    name = next((part[8:].strip("\"' ") for part in parts if part.casefold().startswith("charset=")), "")
    head = data[:1_024].lower()
    if not name or b"charset" in head or b"encoding=" in head:
        return data
    try:
        if codecs.lookup(name).name == "utf-8":
            return data
        return data.decode(name).encode()
    except (LookupError, UnicodeError, ValueError):
        return data


def _load(file: Path, url: str) -> PollState:
    """What was written down; for another address only what was seen counts on."""
    try:
        state = msgspec.json.decode(file.read_bytes(), type=PollState)
    except FileNotFoundError:
        return PollState(url=url)
    except (OSError, msgspec.DecodeError) as error:  # entries come twice, with the same ids
        log.warning("what was seen of a feed is lost", file=str(file), error=str(error))
        return PollState(url=url)
    return state if state.url == url else PollState(url=url, seen=state.seen)


def _save(file: Path, state: PollState) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    beside = file.with_name(file.name + ".new")
    beside.write_bytes(msgspec.json.encode(state))
    beside.replace(file)
