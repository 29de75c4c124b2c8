"""POST /v1/articles: who may, what may come, what is promised, and what is answered when it cannot be."""

from __future__ import annotations

import gzip
import io
import tarfile
import threading
import zipfile

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from kafka.errors import KafkaTimeoutError
from starlette.testclient import TestClient

from services.contract.codec import encode
from services.contract.feeds import PushFeed
from services.core.wire.limits import Limits
from services.publisher import answers as answers_module
from services.publisher import push
from services.publisher.answers import Answers, Problem, Waiting
from services.publisher.inlet import Rate
from services.publisher.push import Reception, sender
from tests.builders import make
from tests.services.publisher.kit import CLOCK, Broker, take, way

KEY = "k" * 24
OTHER = "o" * 24


class Office:
    """A reception with two senders, and a client of the first."""

    def __init__(self, limits: Limits = Limits(), **feed) -> None:  # noqa: B008
        self.broker, self.elsewhere = Broker(), Broker()
        self.inlet = way(self.broker, PushFeed(**{"key": "A", "provider": "tarmouth", **feed}), "tarmouth")
        other = way(self.elsewhere, PushFeed(key="B", provider="gulf", edition=3), "gulf")
        self.stopped = False
        self.reception = Reception(
            [sender(KEY, self.inlet), sender(OTHER, other)], limits, clock=lambda: CLOCK, stopping=lambda: self.stopped
        )
        self.client = TestClient(self.reception.app, raise_server_exceptions=False)

    def post(
        self,
        content: bytes | str = b"",
        kind: str = "application/json",
        *,
        key: str = KEY,
        path="/v1/articles",
        **headers,
    ):
        known = {
            "Authorization": f"Bearer {key}",
            "Content-Type": kind,
            **{k.replace("_", "-"): v for k, v in headers.items()},
        }
        return self.client.post(path, content=content, headers=known)


@pytest.fixture
def office() -> Office:
    return Office()


def problem(answer) -> dict:
    assert answer.headers["content-type"] == "application/problem+json"
    told = answer.json()
    assert told["status"] == answer.status_code
    assert told["type"].startswith("urn:writethru:problem:")
    return told


ITEM = encode(make("ferry", provider="tarmouth"))


def test_an_article_is_accepted_once_the_broker_has_it(office: Office):
    answer = office.post(ITEM)
    assert answer.status_code == 202
    (result,) = answer.json()["results"]
    (article,) = office.broker.articles
    assert (result["status"], result["uri"], result["input"]) == ("accepted", "ferry", article.input_id)
    assert article.received_at == "2026-03-11T12:00:00Z"


@pytest.mark.parametrize(
    ("content", "kind", "uris"),
    [
        (b"[" + ITEM + b"," + encode(make("budget", provider="tarmouth")) + b"]", "application/json", ["ferry", "budget"]),
        (ITEM + b"\n\n" + encode(make("budget", provider="tarmouth")), "application/x-ndjson", ["ferry", "budget"]),
        (take(7).encode(), "text/plain; charset=utf-8", ["item-7"]),
        (b"<rss version='2.0'><channel><item><title>Lock closes</title><link>https://g.example/1</link></item></channel></rss>",
         "application/rss+xml", ["https://g.example/1"]),
        (b"From: Desk <desk@x.example>\r\nSubject: Lock closes\r\nMessage-ID: <1@x.example>\r\n\r\nThe lock closes on Monday.\r\n",
         "message/rfc822", ["1@x.example"]),
        (ITEM, "", ["ferry"]),
        (ITEM, "application/octet-stream", ["ferry"]),
    ],
)  # fmt: skip
def test_any_format_single_or_in_a_batch(office: Office, content, kind, uris):
    answer = office.post(content, kind)
    assert answer.status_code == 202, answer.text
    assert [one.uri.strip("<>") for one in office.broker.articles] == uris
    assert answer.json()["accepted"] == len(uris)


def test_a_form_of_files_with_a_sidecar(office: Office):
    """Case 7: embargo lost on ingest."""
    files = [
        ("file", ("a.txt", b"The bridge opens on Friday, the ministry will say.", "text/plain")),
        ("file", ("a.meta.yaml", b"embargoed: 2026-03-13T06:00:00+01:00\n", "text/yaml")),
        ("file", ("b.json", b"{", "application/json")),
    ]
    answer = office.client.post("/v1/articles", files=files, headers={"X-API-Key": KEY})
    assert answer.status_code == 202, answer.text
    told = answer.json()
    assert (told["accepted"], told["rejected"]) == (1, 1)
    assert [(one["source"], one["status"]) for one in told["results"]] == [
        ("a.txt", "accepted"),
        ("b.json", "rejected"),
    ]
    (article,) = office.broker.articles
    assert (article.uri, article.provider, article.embargoed) == ("a.txt", "tarmouth", "2026-03-13T06:00:00+01:00")


def test_one_bad_item_stops_no_other_and_is_kept(office: Office):
    answer = office.post(ITEM + b"\n{broken\n" + encode(make("budget", provider="tarmouth")), "application/x-ndjson")
    assert answer.status_code == 202
    told = answer.json()
    assert [one["status"] for one in told["results"]] == ["accepted", "rejected", "accepted"]
    assert (told["results"][1]["source"], told["results"][1]["reason"]) == ("line 2", "broken_json")
    assert [one.data for one in office.broker.rejected] == [b"{broken"]


def test_what_holds_no_article_is_422_with_the_reason(office: Office):
    told = problem(office.post(b'{"headline": "No uri"}'))
    assert (told["status"], told["type"]) == (422, "urn:writethru:problem:missing_uri")
    assert told["results"][0]["status"] == "rejected"
    assert problem(office.post(b""))["type"] == "urn:writethru:problem:empty"
    assert problem(office.post(b"\n \n", "application/x-ndjson"))["status"] == 422


@pytest.mark.parametrize(
    "headers", [{}, {"Authorization": "Bearer wrong"}, {"Authorization": f"Basic {KEY}"}, {"Authorization": "Bearer"},
                {"X-API-Key": ""}, {"X-API-Key": KEY[:-1]}, {"X-API-Key": KEY + "k"}, {"X-API-Key": "ü"}],
)  # fmt: skip
def test_without_a_known_key_nothing_is_read(office: Office, headers):
    headers = {name: value.encode() for name, value in headers.items()}
    answer = office.client.post("/v1/articles", content=ITEM, headers=headers)
    assert problem(answer)["status"] == 401
    assert answer.headers["www-authenticate"] == "Bearer"
    assert office.broker.records == []


def test_each_key_is_its_own_feed(office: Office):
    assert office.post(take(1, provider="").encode(), "text/plain", key=OTHER).status_code == 202
    assert office.broker.records == []
    assert (office.elsewhere.records[0]["partition"], office.elsewhere.articles[0].provider) == (3, "gulf")


def test_a_sender_cannot_speak_for_another_agency():
    office = Office(only=("tarmouth",))
    told = problem(office.post(encode(make("ferry", (), provider="nordwire", pub_status="canceled"))))
    assert told["type"] == "urn:writethru:problem:wrong_provider"
    command = b'{"command": "merge", "id": "c1", "by": "me", "at": "2026-03-11T09:00:00Z", "stories": ["a", "b"]}'
    assert problem(office.post(command))["type"] == "urn:writethru:problem:not_allowed"
    assert office.broker.articles == []


def test_too_much_is_413_before_it_is_read():
    office = Office(Limits(item=1_000))
    assert problem(office.post(b"x" * 4_001))["status"] == 413
    assert problem(office.post(b"x" * 1_001))["status"] == 413
    chunks = (b"x" * 500 for _ in range(100))
    answer = office.client.post("/v1/articles", content=chunks, headers={"X-API-Key": KEY})  # no Content-Length
    assert problem(answer)["status"] == 413
    bomb = gzip.compress(b"\0" * 10_000_000)
    assert problem(office.post(bomb, Content_Encoding="gzip"))["status"] == 413


def test_a_batch_of_nothing_but_lines_is_not_read():
    office = Office(Limits(items=10))
    assert problem(office.post(b"\n" * 1_000, "application/x-ndjson"))["status"] == 413


def test_a_packed_body_is_unpacked_and_a_broken_one_is_400(office: Office):
    assert office.post(gzip.compress(ITEM), Content_Encoding="gzip").status_code == 202
    assert problem(office.post(b"no gzip", Content_Encoding="gzip"))["status"] == 400


@pytest.mark.parametrize(
    "kind",
    ["image/jpeg", "video/mp4", "application/x-7z-compressed", "application/pdf", "application/x-www-form-urlencoded"],
)
def test_what_is_no_text_is_415_and_says_what_is_read(office: Office, kind):
    told = problem(office.post(ITEM, kind))
    assert told["status"] == 415
    assert ".tar.gz" in told["detail"]
    assert problem(office.post(ITEM, Content_Encoding="br"))["status"] == 415


def zipped(**files: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def tarred(**files: bytes) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return out.getvalue()


DAY = {
    "b.txt": b"It burns off Tarmouth.", "a.json": ITEM, "b.meta.yaml": b"uri: tol:1\nheadline: Fire\nembargoed: 2026-03-11T18:00:00Z\n",
    "README": b"No input.", "c.json": b'{"uri": 7}', "../d.txt": b"It leads out.", "e.zip": zipped(x=b"It is deep."),
}  # fmt: skip


@pytest.mark.parametrize("packed", [zipped, tarred])
@pytest.mark.parametrize("kind", ["application/zip", "application/gzip", "application/octet-stream", ""])
def test_an_archive_is_taken_as_a_hot_folder_takes_it(office: Office, packed, kind):
    answer = office.post(packed(**DAY), kind, path="/v1/articles?name=day")
    assert answer.status_code == 202
    told = answer.json()
    assert (told["accepted"], told["rejected"], told["skipped"]) == (2, 2, 1)
    assert [article.uri for article in office.broker.articles] == ["ferry", "tol:1"]
    assert office.broker.articles[1].embargoed == "2026-03-11T18:00:00Z"
    assert {one["source"]: one.get("reason") for one in told["results"] if one["status"] == "rejected"} == {
        "day/c.json": "wrong_type", "day/e.zip": "nested_archive",
    }  # fmt: skip


def test_archives_in_a_form_are_opened_too(office: Office):
    files = {"day.zip": zipped(**{"a.json": ITEM}), "rain.txt": b"It rains in Vesk."}
    answer = office.client.post(
        "/v1/articles", files=[("f", (name, data)) for name, data in files.items()], headers={"X-API-Key": KEY}
    )
    assert answer.json()["accepted"] == 2
    files |= {"day.zip.meta.yaml": b"headline: Whose?"}
    answer = office.client.post(
        "/v1/articles", files=[("f", (name, data)) for name, data in files.items()], headers={"X-API-Key": KEY}
    )
    assert problem(answer)["status"] == 422


def test_an_archive_that_unpacks_to_too_much_or_is_broken_holds_nothing():
    office = Office(Limits(item=1_000, items=20))
    many = {f"{n}.txt": b"It rains in Vesk." for n in range(21)}
    assert problem(office.post(zipped(**many)))["status"] == 413
    long = {f"{n}.txt": b"It rains in Vesk. " * 50 for n in range(5)}
    assert problem(office.post(zipped(**long)))["status"] == 413
    assert problem(office.post(zipped(**DAY)[:300], "application/zip"))["status"] == 422
    assert problem(office.post(zipped()))["status"] == 422
    assert office.broker.articles == []


@pytest.mark.parametrize(
    "kind", ["multipart/form-data", "multipart/form-data; boundary=x", "multipart/form-data; boundary=" + "x" * 200]
)
def test_a_form_that_is_none_is_400_or_422(office: Office, kind):
    assert problem(office.post(b"--y\r\nnothing", kind))["status"] in (400, 422)


def test_other_paths_and_methods_are_named(office: Office):
    assert problem(office.client.get("/v1/articles"))["status"] == 405
    assert problem(office.client.post("/v1/stories"))["status"] == 404


# -- the broker --------------------------------------------------------------------------------------------------------


def test_503_while_the_broker_cannot_take_it_and_nothing_is_lost(office: Office):
    """Case 55: an exception in processing loses the event."""
    office.broker.failing = KafkaTimeoutError("no broker")
    answer = office.post(ITEM, Idempotency_Key="1")
    assert problem(answer)["status"] == 503
    assert int(answer.headers["retry-after"]) > 0
    office.broker.failing = None
    assert office.post(ITEM, Idempotency_Key="1").status_code == 202
    assert len(office.broker.articles) == 1


class Never:
    """A record that the broker does not acknowledge."""

    is_done = False

    def __init__(self) -> None:
        self.waited: list[float] = []
        self.acknowledge: list = []
        self.give_up: list = []
        self.add_callback, self.add_errback = self.acknowledge.append, self.give_up.append

    def get(self, timeout: float) -> None:
        self.waited.append(timeout)
        raise KafkaTimeoutError("not acknowledged")


def test_a_broker_that_never_answers_is_503_in_time(office: Office, monkeypatch):
    never = Never()
    monkeypatch.setattr(office.broker, "send", lambda *a, **k: never)
    assert problem(office.post(ITEM))["status"] == 503
    assert 0 < never.waited[0] <= push.BROKER_SECONDS


def test_what_waits_for_the_broker_is_bounded_and_gives_its_place_back(office: Office, monkeypatch):
    never = Never()
    office.reception._waiting = Waiting(2 * len(ITEM))
    send = office.broker.send
    monkeypatch.setattr(office.broker, "send", lambda *a, **k: never)
    assert [problem(office.post(ITEM))["status"] for _ in range(3)] == [503, 503, 503]
    assert len(never.waited) == 2, "the third was not even sent"
    monkeypatch.setattr(office.broker, "send", send)
    assert problem(office.post(ITEM))["status"] == 503
    for call in never.acknowledge:
        call(None)
    assert office.post(ITEM).status_code == 202


def test_a_record_that_the_producer_gives_up_ends_this_life(office: Office, monkeypatch):
    never, lost = Never(), []
    office.reception._lost = lost.append
    monkeypatch.setattr(office.broker, "send", lambda *a, **k: never)
    office.post(ITEM)
    error = KafkaTimeoutError("ten minutes")
    never.give_up[0](error)
    assert lost == [error]


def test_a_service_that_stops_takes_nothing_more(office: Office):
    office.stopped = True
    assert problem(office.post(ITEM))["status"] == 503
    assert office.broker.records == []


def test_no_more_requests_at_once_than_fit(office: Office, monkeypatch):
    monkeypatch.setattr(office.reception, "_free", threading.BoundedSemaphore(1))
    office.reception._free.acquire()
    assert problem(office.post(ITEM))["type"] == "urn:writethru:problem:busy"
    office.reception._free.release()
    for content in (ITEM, b"", b"{"):  # each gives its place back
        office.post(content)
    assert office.post(ITEM).status_code == 202


def test_a_sender_faster_than_its_rate_is_429():
    office = Office()
    office.inlet.rate = Rate(60.0)
    assert office.post(ITEM).status_code == 202
    answer = office.post(ITEM)
    assert problem(answer)["status"] == 429
    assert 1 <= int(answer.headers["retry-after"]) <= 60


def test_a_bug_is_500_and_says_nothing_of_its_inside(office: Office, monkeypatch):
    monkeypatch.setattr(push, "parse", lambda *a, **k: 1 / 0)
    answer = office.post(ITEM, Idempotency_Key="1")
    assert problem(answer)["status"] == 500
    assert "division" not in answer.text
    monkeypatch.undo()
    assert office.post(ITEM, Idempotency_Key="1").status_code == 202, "the key is free again"


# -- twice -------------------------------------------------------------------------------------------------------------


def test_an_idempotency_key_gives_the_first_answer_again(office: Office):
    first, second = (office.post(ITEM, Idempotency_Key="a") for _ in range(2))
    assert (first.status_code, first.content) == (second.status_code, second.content)
    assert len(office.broker.articles) == 1
    other = encode(make("budget", provider="tarmouth"))
    assert problem(office.post(other, Idempotency_Key="a"))["type"] == "urn:writethru:problem:idempotency_key_reused"
    assert office.post(other, Idempotency_Key="a", key=OTHER).status_code == 202, "keys are each sender's own"
    assert problem(office.post(other, Idempotency_Key="x" * 300))["status"] == 400


def test_a_form_sent_again_is_the_same_request_in_spite_of_its_boundary(office: Office):
    headers = {"X-API-Key": KEY, "Idempotency-Key": "a"}
    first, second = (
        office.client.post(
            "/v1/articles", files=[("file", ("a.txt", b"The lock closes.", "text/plain"))], headers=headers
        )
        for _ in range(2)
    )
    assert (first.request.headers["content-type"] != second.request.headers["content-type"], second.status_code) == (
        True,
        202,
    )
    assert len(office.broker.articles) == 1


def test_the_same_item_without_a_key_has_the_same_input_id(office: Office):
    office.post(ITEM)
    office.post(ITEM)
    office.post(b"The lock closes on Monday.", "text/plain")
    office.post(b"The lock closes on Monday.", "text/plain")
    assert len({one.input_id for one in office.broker.articles}) == 2


def test_a_request_that_is_being_worked_on_is_409():
    now = [0.0]
    answers = Answers(clock=lambda: now[0])
    name = (b"key", "a")
    assert answers.begin(name, b"body") is None
    with pytest.raises(Problem) as raised:
        answers.begin(name, b"body")
    assert raised.value.status == 409
    answers.end(name, (202, b"{}"))
    assert answers.begin(name, b"body") == (202, b"{}")
    now[0] = answers_module.REMEMBERED_FOR + 1
    assert answers.begin((b"key", "b"), b"body") is None
    assert answers.begin(name, b"other") is None, "a day later the key is new"


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.binary(max_size=400),
    st.sampled_from(
        [
            "",
            "application/json",
            "application/x-ndjson",
            "text/xml",
            "multipart/form-data; boundary=b",
            "text/html",
            ";;",
            "a/b",
        ]
    ),
)
def test_no_body_is_a_bug(data, kind):
    office = Office()
    answer = office.post(data, kind)
    assert answer.status_code in (202, 400, 422)
    assert orjson.loads(answer.content)
