"""Fetching what strangers publish: bounded in time and bytes, polite, and never into our own network.

`runtime/open_net.py` keeps each connection out of our own network, for redirects and robots.txt too.
"""

from __future__ import annotations

import threading
import time
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urljoin, urlsplit

import httpx2
from protego import Protego

from services import __version__
from services.core.errors import WritethruError
from services.runtime.logs import logger
from services.runtime.open_net import Refused, retry_after, transport

log = logger(__name__)

AGENT: Final = "Writethru"
CONNECT_SECONDS: Final = 10.0
READ_SECONDS: Final = 15.0
WHOLE_SECONDS: Final = 60.0
"""For one answer, however slowly it drips."""
MOST_REDIRECTS: Final = 5
MOST_ROBOTS: Final = 512 * 1024
"""Bytes of robots.txt that are read: RFC 9309 asks for 500 KiB at least."""
ROBOTS_FOR: Final = 86_400.0
"""Seconds that a robots.txt is believed; one that could not be fetched is asked for again after `ROBOTS_AGAIN`."""
ROBOTS_AGAIN: Final = 600.0
BETWEEN: Final = 1.0
"""Seconds between two requests to one host, over all feeds; robots.txt may ask for more, up to `MOST_BETWEEN`."""
MOST_BETWEEN: Final = 60.0


class Unavailable(WritethruError):
    """It could not be fetched this time. `after` is how many seconds the other side asks us to stay away."""

    def __init__(self, why: str, after: float = 0.0) -> None:
        super().__init__(why)
        self.after = after


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back, after redirects; `url` is where it was in the end. `body` is decoded of gzip and deflate."""

    status: int
    url: str
    headers: httpx2.Headers
    body: bytes = b""


class Courtesy:
    """When each host may be asked again; shared by all feeds, thread-safe. `wait` sleeps, but not past the wish to stop."""

    def __init__(self, wait: Callable[[float], object], clock: Callable[[], float] = time.monotonic) -> None:
        self._wait = wait
        self._clock = clock
        self._due: dict[str, float] = {}
        self._lock = threading.Lock()

    def turn(self, host: str, between: float = BETWEEN) -> None:
        """Come back when it is our turn at this host."""
        with self._lock:
            now = self._clock()
            start = max(now, self._due.get(host, 0.0))
            self._due[host] = start + between
        if start > now:
            self._wait(start - now)

    def away(self, host: str) -> float:
        """Seconds for which the host has asked us to stay away."""
        return max(0.0, self._due.get(host, 0.0) - self._clock())

    def stay_away(self, host: str, seconds: float) -> None:
        with self._lock:
            self._due[host] = max(self._due.get(host, 0.0), self._clock() + seconds)


@dataclass(slots=True)
class Fetcher:
    """One feed's way to fetch. `authorization` goes to `origin` (scheme, host and port of the feed) only."""

    courtesy: Courtesy
    allow_private: bool = False
    robots: bool = True
    contact: str | None = None
    authorization: str | None = field(default=None, repr=False)
    origin: str | None = None
    _client: httpx2.Client = field(init=False, repr=False)
    _rules: dict[str, tuple[Protego | None, float]] = field(init=False, default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        agent = f"{AGENT}/{__version__}" + (f" ({self.contact})" if self.contact else "")
        self._client = httpx2.Client(
            transport=transport(allow_private=self.allow_private), trust_env=False, follow_redirects=False,
            headers={"User-Agent": agent, "Accept-Encoding": "gzip"},
            timeout=httpx2.Timeout(READ_SECONDS, connect=CONNECT_SECONDS),
        )  # fmt: skip

    def close(self) -> None:
        self._client.close()

    def get(self, url: str, *, most: int, headers: Mapping[str, str] | None = None) -> Answer:
        """GET `url`, at most `most` bytes of it, and whatever status it has below 400. Raises Refused, Unavailable."""
        answer = self._follow(url, most, dict(headers or {}), ask_robots=self.robots)
        if answer.status in (408, 425, 429) or answer.status >= 500:
            after = retry_after(answer.headers.get("retry-after"))
            if after:
                self.courtesy.stay_away(_host(url), after)
            raise Unavailable(f"{url} answers {answer.status}", after)
        if answer.status >= 400:
            raise Refused(f"{url} answers {answer.status}")
        return answer

    def _follow(self, url: str, most: int, headers: dict[str, str], *, ask_robots: bool) -> Answer:
        for _ in range(MOST_REDIRECTS + 1):
            if not _is_web(url):
                raise Refused(f"{url[:200]!r} is no http or https address")
            between = self._allowed(url) if ask_robots else BETWEEN
            self.courtesy.turn(_host(url), between)
            answer = self._once(url, most, headers)
            location = answer.headers.get("location")
            if answer.status not in (301, 302, 303, 307, 308) or not location:
                return answer
            if answer.status == 301:
                log.info("moved for good", url=url, to=location[:500])
            try:
                url = urljoin(url, location)
            except ValueError:
                raise Refused(f"{url} leads on to {location[:200]!r}, which is no address") from None
        raise Refused(f"{url} is the end of more than {MOST_REDIRECTS} redirects")

    def _once(self, url: str, most: int, headers: dict[str, str]) -> Answer:
        if self.authorization and origin_of(url) == self.origin:
            headers = {**headers, "Authorization": self.authorization}
        until = time.monotonic() + WHOLE_SECONDS
        try:
            with self._client.stream("GET", url, headers=headers) as response:
                body = _body(response, most, until)
                return Answer(response.status_code, url, response.headers, body)
        except (httpx2.InvalidURL, UnicodeError) as error:  # a host's name that IDNA cannot read is a UnicodeError
            raise Refused(f"{url[:200]!r} is no address: {error}") from error
        except (httpx2.HTTPError, OSError) as error:
            raise Unavailable(f"{url}: {str(error) or type(error).__name__}") from error

    def _allowed(self, url: str) -> float:
        """Seconds to keep between requests, if robots.txt lets us in. Raises Refused, Unavailable."""
        origin = origin_of(url)
        rules, until = self._rules.get(origin, (None, 0.0))
        if time.monotonic() >= until:
            rules, until = self._ask_robots(origin)
            self._rules[origin] = rules, until
        if rules is None:
            raise Unavailable(f"{origin}/robots.txt cannot be had: nothing is fetched until it can")
        if not rules.can_fetch(url, AGENT):
            raise Refused(f"robots.txt keeps {url} from us; `robots: false` is for publishers who allow it by contract")
        return min(max(BETWEEN, rules.crawl_delay(AGENT) or 0.0), MOST_BETWEEN)

    def _ask_robots(self, origin: str) -> tuple[Protego | None, float]:
        """The rules, and until when they hold; None where the host has trouble, which RFC 9309 counts as a no."""
        now = time.monotonic()
        try:
            answer = self._follow(f"{origin}/robots.txt", MOST_ROBOTS, {}, ask_robots=False)
        except (Unavailable, Refused) as error:
            if isinstance(error, Refused) and "not public" in str(error):
                raise
            return None, now + ROBOTS_AGAIN
        if answer.status >= 500 or answer.status == 429:
            return None, now + ROBOTS_AGAIN
        text = answer.body.decode("utf-8", "replace") if answer.status < 400 else ""
        return Protego.parse(text), now + ROBOTS_FOR


def _body(response: httpx2.Response, most: int, until: float) -> bytes:
    """The body, decoded as it comes, so that a bomb goes off in our hand and not in memory. Raises Refused, Unavailable."""
    coding = response.headers.get("content-encoding", "identity").strip().casefold()
    if coding not in ("identity", "", "gzip", "x-gzip", "deflate"):
        raise Refused(f"{response.url} comes as {coding[:40]!r}, which nobody asked for")
    inflate = zlib.decompressobj(wbits=47) if coding not in ("identity", "") else None  # 47: gzip or zlib, by its head
    parts: list[bytes] = []
    size = 0
    for chunk in response.iter_raw():
        try:
            plain = inflate.decompress(chunk, most + 1 - size) if inflate is not None else chunk
        except zlib.error as error:
            raise Unavailable(f"{response.url}: broken {coding}: {error}") from error
        size += len(plain)
        if size > most:
            raise Refused(f"{response.url} holds more than {most:,} bytes")
        if time.monotonic() > until:
            raise Unavailable(f"{response.url} takes longer than {WHOLE_SECONDS:.0f} s")
        parts.append(plain)
    return b"".join(parts)


def _is_web(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return (
            parts.scheme in ("http", "https") and bool(parts.hostname) and "@" not in parts.netloc and parts.port != 0
        )
    except ValueError:
        return False


def _host(url: str) -> str:
    return (urlsplit(url).hostname or "").casefold()


def origin_of(url: str) -> str:
    """Scheme, host and port: whom a password is for."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2].casefold()}"
