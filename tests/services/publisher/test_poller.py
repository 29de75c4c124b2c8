"""Polling a real site on the loopback: politely, each version once, bounded, and never into our own network."""

from __future__ import annotations

import gzip
import socket
import time
from collections.abc import Iterator
from email.utils import formatdate
from pathlib import Path

import httpcore2
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from services.contract.codec import encode
from services.contract.feeds import PolledFeed
from services.core.wire.limits import DEFAULT, Limits
from services.publisher import fetch
from services.publisher.fetch import Courtesy, Fetcher, Unavailable, origin_of
from services.publisher.poller import Poller
from services.runtime.open_net import Refused, is_public, retry_after
from tests.builders import make
from tests.services.publisher.kit import CLOCK, Broker, way
from tests.services.publisher.site import Page, Site, site


@pytest.fixture
def gazette() -> Iterator[Site]:
    with site() as made:
        yield made


def rss(*entries: str) -> Page:
    return Page(
        f'<?xml version="1.0"?><rss version="2.0"><channel><title>Gazette</title>{"".join(entries)}</channel></rss>'.encode(),
        headers={"ETag": f'"{hash(entries)}"', "Content-Type": "application/rss+xml"},
    )


def entry(number: int, text: str = "", *, link: str = "", date: str = "Wed, 11 Mar 2026 08:00:00 +0100") -> str:
    text = text or f"<p>Lock number {number} of the Vesk canal closes for repairs.</p>"
    link = link or f"https://gazette.example/{number}"
    return (
        f"<item><title>Lock {number} closes</title><link>{link}</link><pubDate>{date}</pubDate>"
        f"<description><![CDATA[{text}]]></description></item>"
    )


def page(*paragraphs: str) -> Page:
    copy = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    html = f"<!doctype html><html><head><title>Gazette</title></head><body><article><h1>Lock</h1>{copy}</article></body></html>"
    return Page(html.encode(), headers={"Content-Type": "text/html; charset=utf-8"})


LONG = tuple(
    f"Sentence {n} of the report says that the lock stays closed until the {n}th of the month, the board told us."
    for n in range(9)
)


class Reader:
    """A poller of the gazette, with its state in `folder`."""

    def __init__(
        self, gazette: Site, folder: Path, broker: Broker | None = None, *, limits: Limits = DEFAULT, **feed
    ) -> None:
        self.broker = broker or Broker()
        self.waits: list[float] = []
        feed = PolledFeed(
            **{"url": f"{gazette.url}/feed", "allow_private": True, "robots": False, "every": "5m", **feed}
        )
        self.fetcher = Fetcher(
            Courtesy(self.waits.append), allow_private=feed.allow_private, robots=feed.robots, contact="desk@x.example",
            authorization="Bearer s3cret", origin=origin_of(feed.url),
        )  # fmt: skip
        self.inlet = way(self.broker, feed)
        self.poller = Poller(
            feed, self.inlet, self.fetcher, folder / "state.json", limits, clock=lambda: CLOCK, pick=lambda: 0.0
        )

    def look(self) -> float:
        return self.poller.look()

    @property
    def uris(self) -> list[str]:
        return [one.uri.rpartition("/")[2] for one in self.broker.articles]


@pytest.fixture
def reader(gazette: Site, tmp_path: Path) -> Iterator[Reader]:
    made = Reader(gazette, tmp_path)
    yield made
    made.fetcher.close()


def test_entries_are_published_once_the_oldest_first(gazette: Site, reader: Reader):
    gazette.pages["/feed"] = rss(entry(3), entry(2), entry(1))
    assert reader.look() == 300
    assert reader.uris == ["1", "2", "3"]
    gazette.pages["/feed"] = rss(entry(4), entry(3), entry(2))
    reader.look()
    assert reader.uris == ["1", "2", "3", "4"]
    assert reader.broker.articles[0].received_at == "2026-03-11T12:00:00Z"
    assert reader.broker.articles[0].version_created == "2026-03-11T08:00:00+01:00"


def test_the_same_version_with_a_newer_date_is_not_routed_again_at_every_poll(gazette: Site, reader: Reader):
    """Case 3: same version with a newer `versioncreated` is routed again at every poll."""
    for minute in range(3):
        gazette.pages["/feed"] = rss(entry(1, date=f"Wed, 11 Mar 2026 08:0{minute}:00 +0100"))
        reader.look()
    assert reader.uris == ["1"]


def test_tracking_parameters_make_no_new_url(gazette: Site, reader: Reader):
    """Case 24: tracking parameters or a proxy host make a "new" URL."""
    for campaign in ("a", "b"):
        gazette.pages["/feed"] = rss(entry(1, link=f"https://gazette.example/1?utm_source={campaign}"))
        reader.look()
    assert len(reader.broker.articles) == 1


def test_there_and_back_again_are_two_more_versions(gazette: Site, reader: Reader):
    for text in (
        "<p>12 locks close.</p>",
        "<p>13 locks close.</p>",
        "<p>12 locks close.</p>",
        "<p>12 locks close.</p>",
    ):
        gazette.pages["/feed"] = rss(entry(1, text))
        reader.look()
    assert [one.body[0].text[:2] for one in reader.broker.articles] == ["12", "13", "12"]


def test_a_list_in_json_may_be_polled_and_its_commands_come_once_if_they_may(gazette: Site, tmp_path: Path):
    command = (
        b'{"command": "pin", "id": "c1", "by": "desk", "at": "2026-03-11T09:00:00Z", "stories": ["s"], "inputs": ["i"]}'
    )
    listed = b"[" + encode(make("ferry")) + b"," + command + b"]"
    reader = Reader(gazette, tmp_path, commands=True)
    for mark in ("1", "2"):
        gazette.pages["/feed"] = Page(listed, headers={"ETag": mark, "Content-Type": "application/json"})
        reader.look()
    assert [one["key"] for one in reader.broker.records] == [b"command:c1", b"nordwire:ferry"]


def test_what_has_not_changed_is_not_sent_twice(gazette: Site, reader: Reader):
    changed = "Wed, 11 Mar 2026 08:00:00 GMT"

    def feed(headers: dict[str, str]) -> Page:
        if headers.get("if-none-match") == '"v1"' and headers.get("if-modified-since") == changed:
            return Page(status=304)
        return Page(rss(entry(1)).body, headers={"ETag": '"v1"', "Last-Modified": changed})

    gazette.pages["/feed"] = feed
    reader.look()
    reader.look()
    assert "if-none-match" in gazette.asked[1][1]
    assert reader.inlet.watch.ill is None
    assert reader.uris == ["1"]


def test_a_restart_asks_for_no_page_twice(gazette: Site, tmp_path: Path):
    gazette.pages = {"/feed": rss(entry(1, link=f"{gazette.url}/1")), "/1": page(*LONG)}
    Reader(gazette, tmp_path, follow=True).look()
    again = Reader(gazette, tmp_path, follow=True)
    again.poller.state.etag = None  # the site knows no caches
    again.look()
    assert gazette.paths == ["/feed", "/1", "/feed"]
    assert again.uris == []


def test_an_exception_in_processing_loses_no_entry(gazette: Site, reader: Reader):
    """Case 55: an exception in processing loses the event."""
    gazette.pages["/feed"] = rss(entry(1), entry(2))
    reader.broker.failing = TimeoutError("the broker is away")
    with pytest.raises(TimeoutError):
        reader.look()
    reader.broker.failing = None
    reader.look()
    assert sorted(reader.uris) == ["1", "2"]


def test_the_full_text_comes_from_the_page_where_that_says_more(gazette: Site, tmp_path: Path):
    teaser = "<p>The lock closes …</p>"
    gazette.pages = {
        "/feed": rss(*(entry(n, teaser, link=f"{gazette.url}/{n}") for n in (3, 2, 1))),
        "/1": page(*LONG), "/2": page("Subscribe to read."), "/3": Page(status=404),
    }  # fmt: skip
    reader = Reader(gazette, tmp_path, follow=True)
    reader.look()
    assert [len(one.body) for one in reader.broker.articles] == [len(LONG), 1, 1]
    assert reader.broker.articles[0].headline == "Lock 1 closes"
    assert reader.broker.articles[1].body[0].text.startswith("The lock closes"), "a wall is no copy"


def test_a_page_that_cannot_be_had_yet_is_waited_for_and_not_for_ever(gazette: Site, tmp_path: Path):
    gazette.pages = {"/feed": rss(entry(1, link=f"{gazette.url}/1")), "/1": Page(status=503)}
    reader = Reader(gazette, tmp_path, follow=True)
    reader.look()
    reader.look()
    assert reader.uris == []
    reader.look()
    assert reader.uris == ["1"]


@pytest.mark.parametrize("status", [500, 503, 429])
def test_a_site_in_trouble_is_asked_less_and_less(gazette: Site, reader: Reader, status):
    gazette.pages["/feed"] = Page(status=status)
    assert [reader.look() for _ in range(6)] == [600, 1_200, 2_400, 3_600, 3_600, 3_600]
    assert str(status) in (reader.inlet.watch.ill or "")
    gazette.pages["/feed"] = rss(entry(1))
    assert (reader.look(), reader.inlet.watch.ill) == (300, None)


def test_retry_after_is_obeyed_for_the_whole_host(gazette: Site, reader: Reader):
    gazette.pages["/feed"] = Page(status=429, headers={"Retry-After": "7200"})
    assert reader.look() == 7_200
    assert reader.fetcher.courtesy.away("127.0.0.1") > 7_000


def test_retry_after_may_be_a_date_or_nonsense():
    assert 3_500 < retry_after(formatdate(time.time() + 3_600, usegmt=True)) <= 3_600
    assert [retry_after(one) for one in (None, "", "soon", "-3", "9" * 40, "Wed, 99 Foo")] == [0, 0, 0, 0, 86_400, 0]


def test_hosts_are_not_hurried():
    now, waits = [0.0], []
    courtesy = Courtesy(waits.append, clock=lambda: now[0])
    for host in ("a", "b", "a", "a"):
        courtesy.turn(host, 1.0)
    assert waits == [1.0, 2.0]


def test_robots_are_respected_and_asked_once(gazette: Site, tmp_path: Path):
    gazette.pages = {
        "/robots.txt": Page(b"User-agent: *\nDisallow: /private/*.html\nCrawl-delay: 7\n"),
        "/feed": rss(entry(2, link=f"{gazette.url}/private/2.html"), entry(1, link=f"{gazette.url}/1")),
        "/1": page(*LONG), "/private/2.html": page(*LONG),
    }  # fmt: skip
    reader = Reader(gazette, tmp_path, follow=True, robots=True)
    reader.look()
    assert gazette.paths == ["/robots.txt", "/feed", "/1"]
    assert sorted(len(one.body) for one in reader.broker.articles) == [1, len(LONG)]
    assert max(reader.waits) > 6, "the crawl delay"


def test_where_robots_txt_is_in_trouble_nothing_is_fetched(gazette: Site, tmp_path: Path):
    gazette.pages = {"/robots.txt": Page(status=503), "/feed": rss(entry(1))}
    reader = Reader(gazette, tmp_path, robots=True)
    reader.look()
    assert gazette.paths == ["/robots.txt"]
    del gazette.pages["/robots.txt"]  # a site without one hides nothing
    reader.fetcher._rules.clear()
    reader.look()
    assert reader.uris == ["1"]


# -- hostile -----------------------------------------------------------------------------------------------------------


def test_a_front_page_in_place_of_the_feed_is_no_story(gazette: Site, reader: Reader):
    gazette.pages["/feed"] = page(*LONG)
    reader.look()
    assert reader.broker.records == []
    assert "html page" in (reader.inlet.watch.ill or "")


def test_a_broken_entry_is_kept_once_and_its_neighbours_go_on(gazette: Site, reader: Reader):
    gazette.pages["/feed"] = rss(entry(1), "<item><description>no name, no address</description></item>", entry(2))
    reader.look()
    gazette.pages["/feed"].headers["ETag"] = '"other"'  # type: ignore[union-attr]
    reader.look()
    assert sorted(reader.uris) == ["1", "2"]
    assert [one.reason for one in reader.broker.rejected] == ["missing_uri"]
    assert b"no name, no address" in reader.broker.rejected[0].data


def test_too_much_is_not_read_to_its_end(gazette: Site, tmp_path: Path):
    reader = Reader(gazette, tmp_path, limits=Limits(item=100_000))
    gazette.pages["/feed"] = Page(b"x" * 10_000_000)
    reader.look()
    assert "holds more than 100,000 bytes" in (reader.inlet.watch.ill or "")
    gazette.pages["/feed"] = Page(gzip.compress(b"\0" * 50_000_000), headers={"Content-Encoding": "gzip"})
    reader.look()
    assert "holds more than 100,000 bytes" in (reader.inlet.watch.ill or "")


def test_packed_feeds_are_unpacked(gazette: Site, reader: Reader):
    gazette.pages["/feed"] = Page(gzip.compress(rss(entry(1)).body), headers={"Content-Encoding": "gzip"})
    reader.look()
    assert reader.uris == ["1"]


@pytest.mark.parametrize("coding", ["gzip", "br", "zstd"])
def test_what_cannot_be_unpacked_is_a_feed_that_cannot_be_read(gazette: Site, reader: Reader, coding):
    gazette.pages["/feed"] = Page(b"not packed at all", headers={"Content-Encoding": coding})
    reader.look()
    assert reader.inlet.watch.ill is not None


def test_a_charset_that_only_the_server_knows(gazette: Site, reader: Reader):
    body = "<rss version='2.0'><channel><item><title>Łódź</title><link>https://g.example/1</link><description>Śluza zamknięta.</description></item></channel></rss>"
    gazette.pages["/feed"] = Page(body.encode("iso-8859-2"), headers={"Content-Type": "text/xml; charset=ISO-8859-2"})
    reader.look()
    assert reader.broker.articles[0].headline == "Łódź"


def test_redirects_end_and_lead_only_to_the_web(gazette: Site, reader: Reader):
    gazette.pages["/feed"] = Page(status=302, headers={"Location": "/feed"})
    reader.look()
    assert "redirects" in (reader.inlet.watch.ill or "")
    assert len(gazette.asked) == fetch.MOST_REDIRECTS + 1
    for target in ("file:///etc/passwd", "gopher://x.example/", "http://user:pw@x.example/", "//[::1", "http://"):
        gazette.pages["/feed"] = Page(status=301, headers={"Location": target})
        with pytest.raises((Refused, Unavailable)):
            reader.fetcher.get(f"{gazette.url}/feed", most=10)


def test_a_password_goes_to_the_feeds_own_origin_only(gazette: Site, reader: Reader):
    with site() as other:
        other.pages["/feed"] = rss(entry(1))
        gazette.pages["/feed"] = Page(status=302, headers={"Location": f"{other.url}/feed"})
        reader.look()
        assert reader.uris == ["1"]
        assert gazette.asked[0][1]["authorization"] == "Bearer s3cret"
        assert "authorization" not in other.asked[0][1]
    assert "s3cret" not in repr(reader.fetcher)
    assert "desk@x.example" in gazette.asked[0][1]["user-agent"]


def test_no_answer_leads_into_our_own_network(gazette: Site):
    """The guard sits at the socket: whatever name or spelling leads there."""
    port = gazette.url.rpartition(":")[2]
    fetcher = Fetcher(Courtesy(lambda _: None), robots=False)
    for host in (
        "127.0.0.1",
        "localhost",
        "2130706433",
        "127.1",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "0.0.0.0",
        "169.254.169.254",
    ):
        with pytest.raises(Refused, match="not public"):
            fetcher.get(f"http://{host}:{port}/feed", most=10)
    with pytest.raises(Refused, match="not public"):  # robots.txt is an answer too
        Fetcher(Courtesy(lambda _: None)).get(f"http://127.0.0.1:{port}/feed", most=10)
    assert gazette.asked == []


def test_a_name_that_changes_its_address_between_look_and_use_changes_nothing(monkeypatch):
    answers = iter(["93.184.216.34", "127.0.0.1"])
    connected = []
    monkeypatch.setattr(
        socket, "getaddrinfo", lambda *a, **k: [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (next(answers), 80))]
    )

    def connect(self, host, port, *rest):
        connected.append(host)
        raise httpcore2.ConnectError("far away")

    monkeypatch.setattr(httpcore2.SyncBackend, "connect_tcp", connect)
    with pytest.raises(Unavailable):
        Fetcher(Courtesy(lambda _: None), robots=False).get("http://rebind.example/feed", most=10)
    assert connected == ["93.184.216.34"]


@pytest.mark.parametrize(
    ("address", "public"),
    [("8.8.8.8", True), ("2001:4860:4860::8888", True), ("10.1.2.3", False), ("100.64.0.1", False), ("172.16.0.1", False),
     ("192.168.0.1", False), ("169.254.1.1", False), ("224.0.0.1", False), ("0.0.0.0", False), ("255.255.255.255", False),
     ("fe80::1%eth0", False), ("fc00::1", False), ("::", False), ("ff02::1", False), ("::ffff:10.0.0.1", False),
     ("64:ff9b::a00:1", False), ("2002:7f00:1::", False), ("64:ff9b::808:808", True)],
)  # fmt: skip
def test_which_addresses_are_public(address, public):
    assert is_public(address) is public


def test_a_host_without_an_address_is_tried_again_later():
    fetcher = Fetcher(Courtesy(lambda _: None), robots=False)
    with pytest.raises(Unavailable):
        fetcher.get("http://no-such-host.invalid/feed", most=10)


def test_an_answer_that_drips_is_given_up(gazette: Site, reader: Reader, monkeypatch):
    monkeypatch.setattr(fetch, "WHOLE_SECONDS", -1.0)
    gazette.pages["/feed"] = rss(entry(1))
    reader.look()
    assert "takes longer" in (reader.inlet.watch.ill or "")


def test_a_state_file_that_is_broken_costs_repeats_and_no_entry(gazette: Site, tmp_path: Path):
    gazette.pages["/feed"] = rss(entry(1))
    first = Reader(gazette, tmp_path)
    first.look()
    (tmp_path / "state.json").write_bytes(b'{"seen": ')
    second = Reader(gazette, tmp_path)
    second.look()
    assert first.broker.articles[0].input_id == second.broker.articles[0].input_id


ADDRESSES = st.sampled_from(["http://", "https://", "HTTP:/", "//", "x.example", "[::1", "]", ":", "@", "%", "%zz", "\\", " ", "\n", "\0", "é", "xn--",
                             "/", "?", "#", "..", "0", ":99999", "\ud800", "１", "\u2025", "."])  # fmt: skip


@example("http://xn--..")
@given(st.lists(ADDRESSES, max_size=8).map("".join) | st.text(max_size=20).map("http://{}".format))
def test_any_text_as_an_address_is_refused_or_cannot_be_had(url):
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(socket, "getaddrinfo", lambda *a, **k: [(0, 0, 0, "", ("127.0.0.1", 80))])
        with pytest.raises((Refused, Unavailable)):
            NOBODY.get(url, most=10)
        with pytest.raises((Refused, Unavailable)):
            ROBOTS.get(url, most=10)


NOBODY, ROBOTS = (Fetcher(Courtesy(lambda _: None), robots=robots) for robots in (False, True))
