"""Settings: the environment, read once at start into one frozen object. A bad value fails with the variable's name.

Secrets come from the environment only and are never printed: `repr` of a settings object hides them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import timedelta
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Every setting of the product, with its default. The variable is `WRITETHRU_` and the name in capitals."""

    window_articles: int = field(default=100_000, metadata={"read": _count, "wants": "a whole number above 0"})
    window_days: timedelta = field(default=timedelta(days=14), metadata={"read": _days, "wants": "days, 0 to 3650"})
    max_text_kib: int = field(default=200, metadata={"read": _count, "wants": "KiB of text per article, above 0"})
    max_paragraphs: int = field(default=1500, metadata={"read": _count, "wants": "paragraphs per article, above 0"})
    max_item_mib: int = field(default=10, metadata={"read": _count, "wants": "MiB per file or message, above 0"})

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
                raise BadSetting(f"{name} wants {one.metadata['wants']}, got {text!r}") from None
        return cls(**values)


_OTHERS = frozenset({"WRITETHRU_REQUIRE_KAFKA"})
"""Variables with our prefix that the test suite reads, not the product."""
