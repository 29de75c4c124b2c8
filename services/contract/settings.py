"""Settings: the environment, read once at start into one frozen object. A bad value fails with the variable's name.

Secrets come from the environment only and are never printed: `repr` of a settings object hides them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from datetime import timedelta
from pathlib import Path
from typing import Any

from services.core.errors import WritethruError
from services.core.wire.limits import Limits

PREFIX = "WRITETHRU_"


class BadSetting(WritethruError):
    """A variable holds what cannot be used; the message names the variable, what it wants, and (unless secret) what it got."""


def _count(text: str) -> int:
    value = int(text)
    if value <= 0:
        raise ValueError
    return value


def _days(text: str) -> timedelta:
    value = float(text)
    if not 0 < value <= 3650:
        raise ValueError
    return timedelta(days=value)


def _bootstrap(text: str) -> str:
    """host:port, …; IPv6 in brackets."""
    if not all(re.fullmatch(r"(?:[\w.-]+|\[[0-9a-fA-F:]+\]):\d{1,5}", one.strip()) for one in text.split(",")):
        raise ValueError
    return ",".join(one.strip() for one in text.split(","))


def _one_of(*words: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text.upper() not in words:
            raise ValueError
        return text.upper()

    return read


def _name(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9._-]{1,64}", text):
        raise ValueError
    return text


def _address(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not port.isdigit() or int(port) > 65535:
        raise ValueError
    return host.strip("[]"), int(port)


def _file(text: str) -> Path:
    path = Path(text)
    if not path.is_file():
        raise ValueError
    return path


_SECURITY = ("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL")
_MECHANISMS = ("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Every setting of the product, with its default. The variable is `WRITETHRU_` and the name in capitals."""

    window_articles: int = field(default=100_000, metadata={"read": _count, "wants": "a whole number above 0"})
    window_days: timedelta = field(default=timedelta(days=14), metadata={"read": _days, "wants": "days, 0 to 3650"})
    max_text_kib: int = field(default=200, metadata={"read": _count, "wants": "KiB of text per article, above 0"})
    max_paragraphs: int = field(default=1500, metadata={"read": _count, "wants": "paragraphs per article, above 0"})
    max_item_mib: int = field(default=10, metadata={"read": _count, "wants": "MiB per file or message, above 0"})

    kafka_bootstrap: str = field(
        default="localhost:9092", metadata={"read": _bootstrap, "wants": "host:port, with commas between several"}
    )
    kafka_security: str = field(
        default="PLAINTEXT", metadata={"read": _one_of(*_SECURITY), "wants": " or ".join(_SECURITY)}
    )
    kafka_mechanism: str = field(
        default="SCRAM-SHA-512", metadata={"read": _one_of(*_MECHANISMS), "wants": " or ".join(_MECHANISMS)}
    )
    kafka_username: str | None = field(default=None, metadata={"read": str, "wants": "a user's name"})
    kafka_password: str | None = field(default=None, repr=False, metadata={"read": str, "wants": "a password"})
    kafka_ca_file: Path | None = field(default=None, metadata={"read": _file, "wants": "a file of PEM certificates"})
    kafka_cert_file: Path | None = field(default=None, metadata={"read": _file, "wants": "a PEM file"})
    kafka_key_file: Path | None = field(default=None, metadata={"read": _file, "wants": "a PEM file"})
    kafka_replicas: int = field(default=1, metadata={"read": _count, "wants": "replicas per topic, above 0"})
    topic_prefix: str = field(default="", metadata={"read": _name, "wants": "letters, digits, dots, dashes, up to 64"})
    instance: str = field(default="0", metadata={"read": _name, "wants": "letters, digits, dots, dashes, up to 64"})
    state_folder: Path = field(default=Path(".writethru"), metadata={"read": Path, "wants": "a folder"})
    health: tuple[str, int] = field(
        default=("127.0.0.1", 0), metadata={"read": _address, "wants": "host:port, port 0 for none"}
    )
    log_level: str = field(
        default="INFO",
        metadata={"read": _one_of("DEBUG", "INFO", "WARNING", "ERROR"), "wants": "DEBUG, INFO, WARNING or ERROR"},
    )

    def __post_init__(self) -> None:
        """What hangs together is checked together. Raises BadSetting."""
        sasl = self.kafka_security.startswith("SASL")
        if sasl and not (self.kafka_username and self.kafka_password):
            raise BadSetting(
                f"WRITETHRU_KAFKA_SECURITY={self.kafka_security} wants WRITETHRU_KAFKA_USERNAME and …_PASSWORD"
            )
        if (self.kafka_cert_file is None) != (self.kafka_key_file is None):
            raise BadSetting("WRITETHRU_KAFKA_CERT_FILE and WRITETHRU_KAFKA_KEY_FILE go together")

    @property
    def limits(self) -> Limits:
        """The parsers' limits."""
        return Limits(
            text=self.max_text_kib * 1024, paragraphs=self.max_paragraphs, item=self.max_item_mib * 1024 * 1024
        )

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Settings:
        """Read what is set, leave the rest at its default. Raises BadSetting; an unknown WRITETHRU_ variable is one too."""
        known = {PREFIX + f.name.upper(): f for f in fields(cls)}
        strange = sorted(
            name for name in environment if name.startswith(PREFIX) and name not in known and name not in _OTHERS
        )
        if strange:
            raise BadSetting(f"{strange[0]} is no setting; there are {', '.join(sorted(known))}")
        values: dict[str, Any] = {}
        for name, one in known.items():
            text = environment.get(name, "").strip()
            if not text:
                continue
            try:
                values[one.name] = one.metadata["read"](text)
            except ValueError:
                got = f", got {text!r}" if one.repr else ""  # a secret is never printed
                raise BadSetting(f"{name} wants {one.metadata['wants']}{got}") from None
        return cls(**values)


_OTHERS = frozenset({"WRITETHRU_REQUIRE_KAFKA"})
"""Variables with our prefix that the test suite reads, not the product."""
