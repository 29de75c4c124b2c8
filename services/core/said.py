"""What an article says, in a form small enough to keep for every article of a story."""

from __future__ import annotations

import msgspec


class Said(msgspec.Struct, frozen=True, kw_only=True):
    input_id: str | None = None
    provider: str = ""
