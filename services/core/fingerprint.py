"""Versioned fingerprint of an article: what the candidate index and the pair scores work on."""

from __future__ import annotations

import msgspec

FINGERPRINT_VERSION = 1


class Fingerprint(msgspec.Struct, frozen=True, kw_only=True):
    version: int = FINGERPRINT_VERSION
    body_hash: str
