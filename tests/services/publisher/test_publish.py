"""Input onto the log: in order, stamped as replay stamps, bad input aside, never without end in flight."""

from __future__ import annotations

from typing import Any

import pytest

from services.contract.codec import decode, decode_record
from services.contract.messages import Rejected
from services.contract.settings import Settings
from services.core.article import Article, Command
from services.core.errors import RejectedInput
from services.core.wire import Parsed, Skipped, parse
from services.local import Pipeline
from services.publisher import publish as publish_module
from services.publisher.publish import Publisher
from services.publisher.rejects import NotKept, read_again
from tests.builders import BUDGET, CLOCK, make


class Future:
    def __init__(self, error: Exception | None) -> None:
        self.is_done = False
        self.error = error

    def get(self) -> None:
        self.is_done = True
        if self.error is not None:
            raise self.error


class Producer:
    """A kafka-python producer whose broker answers only when it is asked."""

    def __init__(self, error: Exception | None = None) -> None:
        self.sent: list[dict[str, Any]] = []
        self.futures: list[Future] = []
        self.error = error

    def send(self, topic: str, **record: Any) -> Future:
        self.sent.append({"topic": topic, **record})
        self.futures.append(Future(self.error))
        return self.futures[-1]

    def flush(self) -> None: ...


def publisher(producer: Producer, **more: Any) -> Publisher:
    return Publisher(producer, Settings(), clock=lambda: CLOCK, **more)


LOG = (
    make("ferry", version_created="2026-03-11T07:00:00Z"),
    make("budget", BUDGET),
    make("late", BUDGET[:1], version_created="2099-01-01T00:00:00Z"),
    Command(command="pin", id="c1", by="desk", at="2026-03-11T09:00:00Z", stories=("s",), inputs=("i",)),
)


def test_records_are_stamped_as_replay_stamps_them():
    producer = Producer()
    publisher(producer, edition=3).take(Parsed(articles=LOG))
    sent = [decode_record(record["value"]) for record in producer.sent]
    pipeline = Pipeline(clock=CLOCK)
    assert sent[:3] == [pipeline.feed(record).record for record in LOG[:3]]
    assert [one.received_at for one in sent if isinstance(one, Article)] == ["2026-03-11T07:00:00Z"] * 3
    assert {record["partition"] for record in producer.sent} == {3}
    assert [record["key"] for record in producer.sent][-1] == b"command:c1"


def test_a_live_feed_takes_the_clock():
    one = publisher(Producer(), live=True).stamped(LOG[0])
    assert one.received_at == "2026-11-30T12:00:00Z"


def test_bad_input_is_kept_with_its_bytes_and_its_neighbours_go_on():
    producer = Producer()
    refused = RejectedInput("broken_json", "no", source="a.json", position="$")
    refused.data, refused.sidecar = b"{", b"embargoed: 2026-12-01"
    one = publisher(producer)
    one.take(Parsed(articles=LOG[:1], rejected=(refused,), skipped=(Skipped("p.jpg", "picture"),)), provider="nordwire")
    one.flush()
    assert (one.counts.published, one.counts.rejected, one.counts.skipped) == (1, 1, 1)
    (kept,) = [decode(record["value"], Rejected) for record in producer.sent if record["topic"] == "wire.rejected"]
    assert (kept.data, kept.defaults, kept.provider, kept.by) == (
        b"{",
        b"embargoed: 2026-12-01",
        "nordwire",
        "publisher",
    )


def test_no_more_is_in_flight_than_fits(monkeypatch):
    monkeypatch.setattr(publish_module, "IN_FLIGHT", 2)
    producer = Producer()
    one = publisher(producer)
    for number in range(5):
        one.publish(make(f"n{number}"))
    assert [future.is_done for future in producer.futures] == [True, True, True, False, False]
    assert one.counts.published == 3


def test_a_record_that_the_broker_does_not_take_is_an_error_and_not_counted():
    one = publisher(Producer(error=TimeoutError("the broker")))
    one.publish(make())
    with pytest.raises(TimeoutError):
        one.flush()
    assert one.counts.published == 0


# -- another try -------------------------------------------------------------------------------------------------------


def kept(data: bytes, sidecar: bytes | None = None, by: str = "publisher") -> Rejected:
    refused = RejectedInput("unknown_format", "not read yet", source="take.txt")
    refused.data, refused.sidecar = data, sidecar
    producer = Producer()
    publisher(producer).reject(refused, provider="nordwire")
    message = decode(producer.sent[0]["value"], Rejected)
    return Rejected(**{**{f: getattr(message, f) for f in message.__struct_fields__}, "by": by})


def test_what_was_rejected_is_read_again_with_what_lay_beside_it():
    (article,) = read_again(
        kept(b"Harbour reopens.\n\nShips may enter.", b"embargoed: 2026-12-01T06:00:00Z"), Settings()
    ).articles
    assert isinstance(article, Article)
    assert (article.uri, article.provider, article.embargoed) == ("take.txt", "nordwire", "2026-12-01T06:00:00Z")


def test_half_an_input_is_not_tried_again():
    message = kept(b"x" * 300_000)
    with pytest.raises(NotKept, match="300,000 bytes came in"):
        read_again(message, Settings())


def test_the_same_rejection_again_is_no_article():
    parsed = read_again(kept(b"{", by="grouper"), Settings())
    assert parsed.articles == ()
    assert parsed.rejected[0].reason == parse(b"{", source="x", format="article_json").rejected[0].reason
