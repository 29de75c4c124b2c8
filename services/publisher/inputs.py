"""What a request holds: its inputs by name, and those of the archives among them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from services.core.errors import RejectedInput
from services.core.wire import Parsed, Skipped
from services.core.wire.limits import Limits
from services.publisher.answers import Problem, too_large
from services.runtime.archive import unpacked
from services.runtime.containers import is_packed


@dataclass(frozen=True, slots=True)
class Input:
    """One input of a request: its name, its bytes and what lay beside it; or what is known of it without reading it."""

    name: str
    data: bytes
    sidecar: bytes | None = None
    format: str = "auto"
    known: Parsed | None = None


def opened(inputs: Iterable[Input], limits: Limits, most: int) -> Iterator[Input]:
    """The inputs, archives member by member, as a hot folder reads them.

    Raises Problem 413 where all of them together unpack to more than `most` bytes or hold more than `limits.items` inputs.
    """
    size = count = 0
    for one in inputs:
        if not is_packed(one.data[:512]):
            yield one
            continue
        if one.sidecar is not None:
            raise Problem(422, "sidecar_of_an_archive", f"{one.name}: sidecars lie in the archive, beside their files")
        for member in unpacked(one.data, one.name, limits):
            count += 1
            if count > limits.items:
                raise Problem(413, "too_large", f"a batch may hold {limits.items:,} items")
            if isinstance(member, Skipped):
                yield Input(member.source, b"", known=Parsed(skipped=(member,)))
            elif isinstance(member, RejectedInput):
                yield Input(member.source or one.name, b"", known=Parsed(rejected=(member,)))
            else:
                size += len(member.data)
                if size > most:
                    raise too_large(most)
                yield Input(member.name, member.data, member.sidecar)
