"""One attempt to deliver, over the real wire: what came of it is a value, never an exception.

Certificates are verified, answers are read to 64 KiB at most, everything has a time limit, and nothing of a secret is told.
"""

from __future__ import annotations

import logging
import smtplib
import ssl
import sys
import threading
import time
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple

import httpx2
from standardwebhooks.webhooks import Webhook as Signer

from services import __version__
from services.alerter.shapes import mail, slack_body, webhook_body
from services.contract.codec import encode
from services.contract.messages import Delivery
from services.contract.rules import Channel, Email, Slack, Smtp, Stdout, Webhook
from services.runtime.open_net import Refused, retry_after, transport

CONNECT_SECONDS: Final = 5.0
READ_SECONDS: Final = 10.0
WHOLE_SECONDS: Final = 15.0
"""For one answer, however slowly it drips."""
LONGEST_ANSWER: Final = 64 * 1024
SMTP_SECONDS: Final = 15.0


class Outcome(NamedTuple):
    """What an attempt came to. `gone`: never again (410); `refused`: this one never; else `after` seconds at the earliest."""

    done: bool
    why: str
    gone: bool = False
    refused: bool = False
    after: float = 0.0


class Channels:
    """The channels of the rules, ready to be used from several threads. Secrets come from `environment` with each attempt."""

    def __init__(self, channels: Mapping[str, Channel], smtp: Smtp | None, environment: Mapping[str, str]) -> None:
        self._channels = dict(channels)
        self._smtp = smtp
        self._environment = environment
        self._stdout = threading.Lock()
        for name in ("httpx2", "httpcore2"):  # they log whole addresses, and a chat's is its secret: at no level
            logging.getLogger(name).setLevel(logging.WARNING)
        agent = {"User-Agent": f"Writethru/{__version__}", "Accept-Encoding": "identity"}
        limits = httpx2.Timeout(READ_SECONDS, connect=CONNECT_SECONDS)
        self._clients = {
            private: httpx2.Client(
                transport=transport(allow_private=private),
                trust_env=False,
                follow_redirects=False,
                headers=agent,
                timeout=limits,
            )
            for private in (False, True)
        }

    def kind(self, channel: str) -> str:
        """webhook, slack, email or stdout, for metrics."""
        return channel.partition("-")[0]

    def close(self) -> None:
        for client in self._clients.values():
            client.close()

    def attempt(self, delivery: Delivery, now: datetime) -> Outcome:
        """Try once. What this cannot foresee is a failed attempt too: one bad alert must not end the others' deliveries."""
        channel = self._channels.get(delivery.channel)
        try:
            match channel:
                case Webhook():
                    return self._webhook(channel, delivery, now)
                case Slack():
                    return self._slack(channel, delivery)
                case Email():
                    return self._mail(channel, delivery)
                case Stdout():
                    return self._print(delivery)
                case _:
                    return Outcome(done=False, why="no rule delivers there any more", refused=True)
        except Exception as error:  # noqa: BLE001  # its text may hold an address that is a secret: only its name is told
            return Outcome(done=False, why=f"failed: {type(error).__name__}")

    # -- by HTTP -------------------------------------------------------------------------------------------------------

    def _webhook(self, channel: Webhook, delivery: Delivery, now: datetime) -> Outcome:
        body = webhook_body(delivery.alert)
        keys = [self._environment.get(name, "") for name in (channel.secret_env, channel.old_secret_env) if name]
        signed = [Signer(key).sign(delivery.id, now, body.decode()) for key in keys if key]
        if not signed:
            return Outcome(done=False, why=f"the variable {channel.secret_env} is not set")
        headers = {
            "Content-Type": "application/json", "webhook-id": delivery.id, "webhook-timestamp": str(int(now.timestamp())),
            "webhook-signature": " ".join(signed),
        }  # fmt: skip
        return self._post(channel.url, body, headers, private=channel.allow_private)

    def _slack(self, channel: Slack, delivery: Delivery) -> Outcome:
        url = self._environment.get(channel.url_env, "")
        if not url:
            return Outcome(done=False, why=f"the variable {channel.url_env} is not set")
        return self._post(
            url, slack_body(delivery.alert), {"Content-Type": "application/json"}, private=channel.allow_private
        )

    def _post(self, url: str, body: bytes, headers: dict[str, str], *, private: bool) -> Outcome:
        try:
            try:
                status, wait = self._once(url, body, headers, private=private)
            except (httpx2.RemoteProtocolError, httpx2.ReadError, httpx2.WriteError):
                # most likely a kept connection that the other side had just closed: a new one, under the same id
                status, wait = self._once(url, body, headers, private=private)
        except Refused:
            return Outcome(done=False, why="the address is not public", refused=True)
        except httpx2.TimeoutException:
            return Outcome(done=False, why="timed out")
        except (httpx2.HTTPError, OSError) as error:
            return Outcome(done=False, why=f"no connection: {type(error).__name__}")
        return _by_status(status, wait)

    def _once(self, url: str, body: bytes, headers: dict[str, str], *, private: bool) -> tuple[int, str | None]:
        """Status and Retry-After; of the answer's body no more is read than its limits allow."""
        until = time.monotonic() + WHOLE_SECONDS
        with self._clients[private].stream("POST", url, content=body, headers=headers) as answer:
            size = 0
            for chunk in answer.iter_raw():
                size += len(chunk)
                if size > LONGEST_ANSWER or time.monotonic() > until:
                    break  # the status is what counts
        return answer.status_code, answer.headers.get("retry-after")

    # -- other ways ----------------------------------------------------------------------------------------------------

    def _mail(self, channel: Email, delivery: Delivery) -> Outcome:
        server = self._smtp
        if server is None:
            return Outcome(done=False, why="no smtp: in rules.yaml", refused=True)
        message = mail(delivery.alert, delivery.channel, server.sender, channel.to)
        try:
            with _connected(server) as smtp:
                if server.username_env and server.password_env:
                    smtp.login(
                        self._environment.get(server.username_env, ""), self._environment.get(server.password_env, "")
                    )
                smtp.send_message(message, server.sender, list(channel.to))
        except smtplib.SMTPRecipientsRefused as error:
            codes = [code for code, _ in error.recipients.values()]
            return Outcome(done=False, why=f"recipients refused: {codes}", refused=all(code >= 500 for code in codes))
        except smtplib.SMTPResponseException as error:
            return Outcome(done=False, why=f"the mail server answers {error.smtp_code}")
        except (smtplib.SMTPException, OSError) as error:
            return Outcome(done=False, why=f"no mail server: {type(error).__name__}")
        return Outcome(done=True, why="sent")

    def _print(self, delivery: Delivery) -> Outcome:
        with self._stdout:
            sys.stdout.buffer.write(encode(delivery.alert) + b"\n")
            sys.stdout.buffer.flush()
        return Outcome(done=True, why="printed")


def _connected(server: Smtp) -> Any:
    context = ssl.create_default_context()
    if server.security == "tls":
        return smtplib.SMTP_SSL(server.host, server.port, timeout=SMTP_SECONDS, context=context)
    smtp = smtplib.SMTP(server.host, server.port, timeout=SMTP_SECONDS)
    if server.security == "starttls":
        try:
            smtp.starttls(context=context)
        except BaseException:
            smtp.close()
            raise
    return smtp


def _by_status(status: int, wait: str | None) -> Outcome:
    if 200 <= status < 300:
        return Outcome(done=True, why=f"answered {status}")
    if status == 410:
        return Outcome(done=False, why="answered 410: gone", gone=True)
    after = retry_after(wait) if status in (429, 503) else 0.0
    return Outcome(done=False, why=f"answered {status}", after=after)
