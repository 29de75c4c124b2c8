"""An alert as each channel wants it: the webhook's JSON, Slack's blocks with the redline, a mail of two parts."""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from typing import Any, Final

import msgspec
import orjson

from services.contract.messages import delivery_id
from services.core.alerting.alert import Alert, Told
from services.core.change import ParagraphChange
from services.core.language.text import canonical

MOST_BLOCKS: Final = 45
"""Slack takes 50."""
LONGEST_SECTION: Final = 2_900
"""Characters of one of Slack's sections; it takes 3,000."""
LONGEST_SUBJECT: Final = 200

Piece = tuple[str, str]
"""A stretch of a redline: same, gone or come, and the text."""


def webhook_body(alert: Alert) -> bytes:
    """Standard Webhooks' payload: type, timestamp, data."""
    return orjson.dumps(
        {"type": f"org.writethru.alert.{alert.kind}", "timestamp": alert.at, "data": msgspec.to_builtins(alert)}
    )


def redline(entry: ParagraphChange) -> list[Piece]:
    """The later text with what went and what came, in place."""
    before, after = ("\n".join(one.text for one in side) for side in (entry.before, entry.after))
    if not entry.before or not entry.after:
        return [("come", after)] if after else [("gone", before)]
    if not entry.spans and entry.op in ("modified", "reworded", "split", "merged"):
        return [("gone", before), ("come", after)]
    pieces: list[Piece] = []
    at = 0
    for span in entry.spans:
        start, end = span.after.at
        if start < at or end > len(after) or canonical(span.before.text) == canonical(span.after.text):
            continue
        pieces += [("same", after[at:start]), ("gone", span.before.text), ("come", after[start:end])]
        at = end
    return [piece for piece in (*pieces, ("same", after[at:])) if piece[1]]


# -- Slack -------------------------------------------------------------------------------------------------------------


def slack_body(alert: Alert) -> bytes:
    """Blocks, and a text for notifications."""
    blocks: list[dict[str, Any]] = [
        {"type": "header", "text": {"type": "plain_text", "text": alert.title[:150] or alert.rule}},
        _section(f"*{_escaped(alert.summary)}*" if alert.summary else f"_{_escaped(alert.rule)}_"),
    ]
    for told in alert.events:
        blocks += map(_section, _event_lines(told))
    if alert.left_out:
        blocks.append(_section(f"and {alert.left_out} more"))
    foot = " · ".join(part for part in (alert.rule, alert.at, alert.held and f"held: {alert.held}") if part)
    blocks = [
        *blocks[:MOST_BLOCKS],
        {"type": "context", "elements": [{"type": "mrkdwn", "text": _escaped(foot)[:2_000]}]},
    ]
    return orjson.dumps({"text": f"{alert.title} — {alert.summary}"[:LONGEST_SECTION], "blocks": blocks})


def _event_lines(told: Told) -> Iterator[str]:
    who = " · ".join(part for part in (told.provider, told.at, told.note) if part)
    link = _link(told.url)
    head = f"<{link}|{_escaped(told.headline or link)}>" if link else _escaped(told.headline or "")
    yield "\n".join(part for part in (head, _escaped(who), *(f"• {_escaped(why)}" for why in told.why)) if part)
    for entry in told.paragraphs:
        yield "".join(_marked(kind, text) for kind, text in redline(entry))
    for recall in told.recalls:
        yield f"still run by {_escaped(recall.outlet or recall.provider)} {_escaped(recall.url or '')}"


def _marked(kind: str, text: str) -> str:
    told, edge = _escaped(text), text.strip()
    mark = {"gone": "~", "come": "*"}.get(kind)
    if mark is None or not edge:
        return told
    inner = "\n".join(f"{mark}{line}{mark}" if line.strip() else line for line in _escaped(edge).split("\n"))
    return f" {inner} "


def _section(text: str) -> dict[str, Any]:
    return {"type": "section", "text": {"type": "mrkdwn", "text": text[:LONGEST_SECTION] or "–"}}


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _link(url: str | None) -> str:
    """A web address that can stand in a link; nothing else does."""
    return url if url and url.startswith(("https://", "http://")) and not set(url) & set("<>|\"' \n\r\t") else ""


# -- mail --------------------------------------------------------------------------------------------------------------


def mail(alert: Alert, channel: str, sender: str, to: Iterable[str]) -> EmailMessage:
    """A message with a plain and an HTML part. All of a rule on one story hang on the first one's id."""
    domain = sender.rpartition("@")[2]
    message = EmailMessage(policy=SMTP)
    message["From"] = Address(display_name="Writethru", addr_spec=sender)
    message["To"] = tuple(Address(addr_spec=one) for one in to)
    message["Subject"] = _one_line(f"{alert.title} ({alert.summary})" if alert.summary else alert.title) or alert.rule
    message["Message-ID"] = _message_id(alert.id, channel, domain)
    if alert.thread != alert.id:
        reversed_ = [_message_id(each, channel, domain) for each in alert.reverses if each != alert.thread]
        message["References"] = " ".join((_message_id(alert.thread, channel, domain), *reversed_[:5]))
        message["In-Reply-To"] = reversed_[0] if reversed_ else _message_id(alert.thread, channel, domain)
    message["Auto-Submitted"] = "auto-generated"
    message["X-Writethru-Alert"] = alert.id
    message.set_content("\n".join(_plain(alert)))
    message.add_alternative("\n".join(_html(alert)), subtype="html")
    return message


def _message_id(alert: str, channel: str, domain: str) -> str:
    return f"<{delivery_id(alert, channel)}@{domain}>"


def _one_line(text: str) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())[:LONGEST_SUBJECT]


def _plain(alert: Alert) -> Iterator[str]:
    yield alert.title
    if alert.summary:
        yield alert.summary
    for told in alert.events:
        yield ""
        yield " · ".join(part for part in (told.headline, told.provider, told.at) if part)
        if told.note:
            yield told.note
        yield from (f"- {why}" for why in told.why)
        for entry in told.paragraphs:
            yield ""
            yield "".join(
                {"gone": f"[-{text}-]", "come": f"{{+{text}+}}"}.get(kind, text) for kind, text in redline(entry)
            )
        yield from (f"still run by {one.outlet or one.provider} {one.url or ''}" for one in told.recalls)
        if told.url:
            yield told.url
    yield ""
    yield f"rule {alert.rule}, {alert.at}{f', held: {alert.held}' if alert.held else ''}"


def _html(alert: Alert) -> Iterator[str]:
    style = {"gone": "color:#a00;text-decoration:line-through", "come": "color:#060;font-weight:bold"}
    yield f"<h2>{html.escape(alert.title)}</h2><p><b>{html.escape(alert.summary)}</b></p>"
    for told in alert.events:
        head = html.escape(told.headline or "")
        link = html.escape(_link(told.url))
        yield f"<h3>{f'<a href={chr(34)}{link}{chr(34)}>{head or link}</a>' if link else head}</h3>"
        yield f"<p>{html.escape(' · '.join(part for part in (told.provider, told.at, told.note) if part))}</p>"
        yield f"<ul>{''.join(f'<li>{html.escape(why)}</li>' for why in told.why)}</ul>"
        for entry in told.paragraphs:
            words = (
                f'<span style="{style[kind]}">{html.escape(text)}</span> ' if kind in style else html.escape(text)
                for kind, text in redline(entry)
            )  # fmt: skip
            yield f"<p>{''.join(words)}</p>"
        for one in told.recalls:
            yield f"<p>still run by {html.escape(one.outlet or one.provider)} {html.escape(one.url or '')}</p>"
    held = f", held: {alert.held}" if alert.held else ""
    yield f"<p><small>{html.escape(f'rule {alert.rule}, {alert.at}{held}')}</small></p>"
