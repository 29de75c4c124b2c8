"""Messages that only the shell knows: the core neither reads nor writes them."""

from __future__ import annotations

import hashlib
from base64 import b64decode, b64encode
from typing import Final, Literal

import msgspec

from services.core.alerting.alert import Alert, Ruling
from services.core.alerting.rule import Silence
from services.core.errors import RejectedInput
from services.core.identity import digest

KEPT_BYTES: Final = 256 * 1024
"""How much of a rejected input `wire.rejected` carries."""


class Rejected(msgspec.Struct, frozen=True, kw_only=True):
    """Bad input, kept: why, where it came from, and its first 256 KiB.

    `kept` is base64, `size` and `sha256` are of the whole input, `at` is when it was rejected (UTC, ISO 8601). `edition` is
    where it was bound for, `offset` its place on `wire.articles` if it came that far. `sidecar` is what lay beside the input.
    """

    reason: str
    detail: str
    source: str | None = None
    position: str | None = None
    by: str
    at: str
    edition: int = 0
    offset: int | None = None
    provider: str | None = None
    size: int
    sha256: str
    kept: str
    sidecar: str | None = None

    @property
    def data(self) -> bytes:
        """What was kept of the input."""
        return b64decode(self.kept)

    @property
    def defaults(self) -> bytes | None:
        """The sidecar's bytes."""
        return b64decode(self.sidecar) if self.sidecar is not None else None

    @property
    def whole(self) -> bool:
        """Whether all of the input was kept, so that it can be tried again."""
        return len(self.data) == self.size


class SequenceMark(msgspec.Struct, frozen=True, kw_only=True):
    """The last sequence of a story for which an event was emitted."""

    story: str
    sequence: int


class Ruled(msgspec.Struct, frozen=True, kw_only=True):
    """What the rules made of one event: a ruling for each rule that it could concern, so that silence has a reason too.

    Rules that are not named lack in the event what they cannot do without. `left_out` counts rulings past the first 500.
    """

    event: str
    story: str
    at: str
    rulings: tuple[Ruling, ...]
    left_out: int = 0


class Delivery(msgspec.Struct, frozen=True, kw_only=True):
    """One alert on its way to one channel. `id` stays the same over all attempts: a receiver that knows it has it already.

    `attempt` counts those that were made, `made` is when the alert was, `due` the earliest moment of the next attempt,
    `error` what the last one came to. On `delivery.dead` it is why there will be no more.
    """

    id: str
    channel: str
    alert: Alert
    made: str
    attempt: int = 0
    due: str | None = None
    error: str | None = None


class Endpoint(msgspec.Struct, frozen=True, kw_only=True):
    """A channel that was switched off, because it answered 410 (gone), or on again, by a person."""

    channel: str
    disabled: bool
    why: str
    at: str


class AlertCommand(msgspec.Struct, frozen=True, kw_only=True):
    """What a person says to the alerts: "on it" of a story, or a silence that begins or ends."""

    command: Literal["acknowledge", "silence", "unsilence"]
    by: str
    at: str
    story: str | None = None
    silence: Silence | None = None
    name: str | None = None


def delivery_id(alert: str, channel: str) -> str:
    """Hash of alert and channel: the same on retry and replay."""
    return digest("delivery", alert, channel)


def rejected(
    error: RejectedInput, data: bytes, *, by: str, at: str, edition: int = 0, offset: int | None = None,
    provider: str | None = None,
) -> Rejected:  # fmt: skip
    """The message for one rejected input."""
    return Rejected(
        reason=error.reason, detail=error.detail, source=error.source, position=error.position, by=by, at=at,
        edition=edition, offset=offset, provider=provider, size=len(data), sha256=hashlib.sha256(data).hexdigest(),
        kept=b64encode(data[:KEPT_BYTES]).decode(),
        sidecar=b64encode(error.sidecar).decode() if error.sidecar is not None else None,
    )  # fmt: skip
