"""One attempt by each channel against real parts: an HTTP receiver, an SMTP server, and what each is sent."""

from __future__ import annotations

import email
import email.policy
import json
import logging
import socket
import threading
from datetime import UTC, datetime
from functools import cache

import msgspec
import pytest
from aiosmtpd.controller import Controller
from hypothesis import given, settings
from hypothesis import strategies as st
from standardwebhooks.webhooks import Webhook as Verifier
from standardwebhooks.webhooks import WebhookVerificationError

from deploy.kafka.broker import free_ports
from services.alerter.channels import Channels
from services.alerter.schedule import GIVEN_UP_AFTER, SCHEDULE, next_attempt, tier_of
from services.alerter.shapes import mail, redline, slack_body, webhook_body
from services.contract.codec import encode
from services.contract.messages import Delivery, delivery_id
from services.contract.rules import Email, Slack, Smtp, Webhook
from services.contract.topics import LARGEST_EVENT, TIERS
from services.core.alerting.alert import Alert
from services.core.alerting.desk import Alerting
from services.core.alerting.rule import Rule, Throttle, When
from services.core.change import IndexedText, ParagraphChange, Span, SpanSide
from services.core.times import instant
from tests.builders import FERRY, at, events, make, run
from tests.services.alerter.receiver import Receiver, receiver

NEW, OLD = ("whsec_" + letter * 32 for letter in "AB")
SECRETS = {"NEW": NEW, "OLD": OLD}


@cache
def alerts(*, kill=False, headline="Ferry fire kills 12"):
    """What a rule told of a ferry: a first report, an update, and a kill if asked for."""
    log = [
        make(version="1", version_created=at("08:00"), headline=headline, url="https://wire.example/ferry"),
        make(body=(FERRY[0].replace("12", "15"), *FERRY[1:]), version="2", version_created=at("09:00"), headline="Ferry fire kills 15"),
        *([make(body=(), version="3", update_kind="kill", version_created=at("10:00"), ed_note="Hoax")] if kill else []),
    ]  # fmt: skip
    desk, told = Alerting([Rule(name="r", when=When(new_development=True), channels=("c",))]), []
    for event in events(run(log)[1]):
        now = instant(event.recordedtime)
        desk.feed(event, now)
        told += desk.tick(now)
    return told


def delivery(alert, channel="c"):
    return Delivery(id=delivery_id(alert.id, channel), channel=channel, alert=alert, made=alert.at)


def tried(channel, alert=None, smtp=None, environment=None):
    channels = Channels({"c": channel}, smtp, {**SECRETS, **(environment or {})})
    try:
        return channels.attempt(delivery(alert or alerts()[0]), datetime.now(UTC))
    finally:
        channels.close()


# -- webhooks ----------------------------------------------------------------------------------------------------------


def test_a_webhook_is_signed_with_the_new_key_and_the_old_one():
    with receiver() as web:
        assert tried(Webhook(url=f"{web.url}/x", secret_env="NEW", old_secret_env="OLD", allow_private=True)).done
        (post,) = web.posts
    for key in (NEW, OLD):
        assert Verifier(key).verify(post.body, post.headers)["type"] == "org.writethru.alert.alert"
    with pytest.raises(WebhookVerificationError):
        Verifier("whsec_" + "C" * 32).verify(post.body, post.headers)
    assert post.headers["webhook-id"] == delivery_id(alerts()[0].id, "c")


@pytest.mark.parametrize(
    ("status", "headers", "done", "gone", "after"),
    [
        (204, {}, True, False, 0.0), (410, {}, False, True, 0.0), (429, {"Retry-After": "120"}, False, False, 120.0),
        (503, {"Retry-After": "7"}, False, False, 7.0), (500, {"Retry-After": "7"}, False, False, 0.0), (404, {}, False, False, 0.0),
        (302, {"Location": "http://169.254.169.254/"}, False, False, 0.0),
    ],
)  # fmt: skip
def test_what_an_answer_means(status, headers, done, gone, after):
    with receiver(Receiver(answers=lambda *_: (status, headers))) as web:
        outcome = tried(Webhook(url=web.url, secret_env="NEW", allow_private=True))
        assert (outcome.done, outcome.gone, outcome.after) == (done, gone, after)
        assert len(web.posts) == 1, "a redirect is not followed"


def test_a_webhook_never_goes_into_our_own_network():
    with receiver() as web:
        port = web.url.rpartition(":")[2]
        for host in ("127.0.0.1", "localhost", "[::1]", "0x7f000001", "127.1"):
            assert tried(Webhook(url=f"http://{host}:{port}/", secret_env="NEW")).refused, host
        assert web.posts == []


def test_an_answer_without_an_end_and_one_that_is_none_are_failures_only():
    def serve(listening, answer):
        with listening.accept()[0] as peer:
            peer.recv(65536)
            try:
                while True:
                    peer.sendall(answer)
                    if not answer.endswith(b"x"):
                        return
            except OSError:
                return

    for answer, done in (
        (b"HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n" + b"x" * 4096, True),
        (b"SMTP?\r\n", False),
    ):
        with socket.create_server(("127.0.0.1", 0)) as listening:
            thread = threading.Thread(target=serve, args=(listening, answer))
            thread.start()
            url = f"http://127.0.0.1:{listening.getsockname()[1]}/"
            outcome = tried(Webhook(url=url, secret_env="NEW", allow_private=True))
            assert outcome.done is done
            thread.join(5)


def test_no_secret_is_told_of_a_failure(caplog):
    caplog.set_level(logging.DEBUG)
    with receiver() as web:
        assert tried(Slack(url_env="CHAT", allow_private=True), environment={"CHAT": f"{web.url}/T0/hunter2"}).done
    assert "hunter2" not in caplog.text
    outcome = tried(Slack(url_env="CHAT", allow_private=True), environment={"CHAT": "http://127.0.0.1:9/T0/hunter2"})
    assert not outcome.done
    assert "hunter2" not in outcome.why
    broken = tried(
        Webhook(url="http://127.0.0.1:9/", secret_env="BAD", allow_private=True), environment={"BAD": "hunter2!"}
    )
    assert "hunter2" not in broken.why


# -- Slack -------------------------------------------------------------------------------------------------------------


def test_slack_gets_the_redline_and_nobody_can_write_its_markup():
    told = alerts(headline="<!channel> & <https://evil.example|Ferry>")
    body = json.loads(slack_body(told[0]))
    assert "<!channel>" not in json.dumps(body["blocks"][1:])
    update = json.loads(slack_body(told[1]))
    text = "\n".join(block["text"]["text"] for block in update["blocks"] if block["type"] == "section")
    assert "~12~" in text
    assert "*15*" in text
    assert len(update["blocks"]) <= 50
    with receiver() as web:
        assert tried(Slack(url_env="CHAT", allow_private=True), told[1], environment={"CHAT": f"{web.url}/T1"}).done
        assert json.loads(web.posts[0].body)["blocks"]


def test_a_redline_keeps_all_of_the_later_text():
    entry = ParagraphChange(
        op="modified", before=(IndexedText(0, "12 dead in fire"),), after=(IndexedText(0, "15 dead in a fire"),),
        spans=(
            Span("replace", SpanSide((0, 2), "12"), SpanSide((0, 2), "15")), Span("insert", SpanSide((11, 11), ""), SpanSide((11, 13), "a ")),
        ),
    )  # fmt: skip
    assert "".join(text for kind, text in redline(entry) if kind != "gone") == "15 dead in a fire"
    assert [text for kind, text in redline(entry) if kind == "gone"] == ["12"]


# -- mail --------------------------------------------------------------------------------------------------------------


class Inbox:
    def __init__(self, answer="250 OK"):
        self.messages, self.answer = [], answer

    async def handle_DATA(self, _server, _session, envelope):  # noqa: N802  # aiosmtpd's name
        self.messages.append(email.message_from_bytes(envelope.content, policy=email.policy.default))
        return self.answer

    async def handle_RCPT(self, _server, _session, envelope, address, _options):  # noqa: N802
        if address.startswith("nobody@"):
            return "550 no such user"
        envelope.rcpt_tos.append(address)
        return "250 OK"


@pytest.fixture
def inbox():
    box = Inbox()
    controller = Controller(box, hostname="127.0.0.1", port=free_ports(1)[0])
    controller.start()
    box.smtp = Smtp(
        host="127.0.0.1",
        port=controller.port,
        security="none",
        sender="wire@paper.example",
    )
    yield box
    controller.stop()


def test_mails_of_a_story_are_one_thread_and_have_two_parts(inbox):
    first, update, kill = alerts(kill=True)
    for alert in (first, update, kill):
        assert tried(Email(to=("desk@paper.example",)), alert, inbox.smtp).done
    one, two, three = inbox.messages
    assert one["In-Reply-To"] is None
    assert two["In-Reply-To"] == one["Message-ID"]
    assert one["Message-ID"] in three["References"]
    assert three["Subject"].startswith("KILL: ")
    assert [part.get_content_type() for part in two.walk()] == ["multipart/alternative", "text/plain", "text/html"]
    assert "[-12-]" in two.get_body(("plain",)).get_content()
    assert "Hoax" in three.get_body(("html",)).get_content()


def test_a_refused_address_is_given_up_and_a_busy_server_is_not(inbox):
    assert tried(Email(to=("nobody@paper.example",)), smtp=inbox.smtp).refused
    inbox.answer = "451 later"
    outcome = tried(Email(to=("desk@paper.example",)), smtp=inbox.smtp)
    assert not outcome.done
    assert not outcome.refused, "it is tried again"
    assert "451" in outcome.why


@settings(deadline=None)
@given(st.text(max_size=60), st.text(max_size=60))
def test_no_text_of_the_wire_makes_a_header_or_breaks_a_shape(title, summary):
    alert = msgspec.structs.replace(alerts()[0], title=title, summary=summary)
    try:
        title.encode()
        summary.encode()
    except UnicodeEncodeError:
        return
    message = email.message_from_bytes(
        mail(alert, "c", "w@p.example", ["d@p.example"]).as_bytes(), policy=email.policy.default
    )
    assert message["To"] == "d@p.example"
    assert {name.lower() for name in message} >= {"message-id", "subject"}
    assert "bcc" not in {name.lower() for name in message}
    assert json.loads(slack_body(alert))["blocks"]
    assert json.loads(webhook_body(alert))["data"]["id"] == alert.id


# -- size and schedule -------------------------------------------------------------------------------------------------


def test_the_largest_alert_fits_its_topic():
    long = "界" * 90
    log = [
        make(version=str(n), body=[f"{n} {long * 8} {n + p}" for p in range(8)], version_created=at(f"08:{n:02d}"), headline=f"{n} {long * 20}",
             ed_note=long * 20, usage_terms=long * 90, url="https://x.example/" + "y" * 9000)
        for n in range(1, 13)
    ]  # fmt: skip
    rule = Rule(name="r", when=When(events=("created", "updated")), channels=("c",), throttle=Throttle(group_wait="2h"))
    desk, alert = Alerting([rule]), None
    for event in events(run(log)[1]):
        desk.feed(event, instant(event.recordedtime))
    (alert,) = desk.tick(instant(at("23:00")))
    assert isinstance(alert, Alert)
    assert len(encode(delivery(alert))) < LARGEST_EVENT // 2


def test_the_schedule_ends_and_obeys_a_longer_wish():
    now = instant(at("08:00"))
    waits = [next_attempt(n, now, now) for n in range(1, len(SCHEDULE) + 2)]
    assert [each and each.tier for each in waits] == [*SCHEDULE, None]
    assert next_attempt(1, now, now + GIVEN_UP_AFTER * 2) is None
    asked = next_attempt(1, now, now, after=700.0)
    assert (asked.tier, (asked.due - now).total_seconds()) == ("10m", 700)


@given(st.floats(0, 1e6))
def test_a_tier_is_never_longer_than_the_wait_unless_it_is_the_shortest(wait):
    assert TIERS[tier_of(wait)] <= max(wait, 10)
