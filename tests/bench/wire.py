"""Parsing beside the libraries that read the same files: newsmlg2 (G2), feedparser (feeds). Real files where they lie beside the checkout.

pynewsml reads NewsML 1.2, but wants lxml below 6, and a DateLabel that none of these files has: there is nothing to compare.
"""

from __future__ import annotations

import contextlib
import io
import statistics
import time
from collections.abc import Callable, Sequence

import feedparser
import msgspec
import NewsMLG2

from services.core import wire
from services.runtime.archive import sources
from tests.builders import ROOT, SHARED

ROUNDS = 7
SECONDS = 0.15
"""For one round of one format, at least."""


class Measured(msgspec.Struct, frozen=True):
    """One format: how much of it there was, what a file takes us, and what the ones that a peer reads take us and it."""

    name: str
    files: int
    items: int
    each: float
    kilobytes: float
    peer: str = ""
    read: int = 0
    ours: float = 0.0
    theirs: float = 0.0


def _feedparser(data: bytes) -> object:
    return feedparser.parse(data).entries


PEERS: dict[str, tuple[str, Callable[[bytes], object]]] = {
    "newsml_g2": ("newsmlg2", lambda data: NewsMLG2.NewsMLG2Document(data).get_item()),
    "feed": ("feedparser", _feedparser),
}


def files() -> dict[str, list[bytes]]:
    """What is parsed, by format."""
    found: dict[str, set[bytes]] = {}
    for folder in (SHARED / "data" / "wire", ROOT / "seeds", ROOT / "tests" / "gold" / "wire"):
        for source in sources(folder) if folder.is_dir() else ():
            data = source.path.read_bytes()
            if (name := wire.detect(data)) in wire.FORMATS and not source.name.endswith((".md", ".jsonl")):
                found.setdefault(name, set()).add(data)
    return {name: sorted(found[name]) for name in wire.FORMATS if name in found}


def measure(name: str, some: Sequence[bytes]) -> Measured:
    """The median of ROUNDS, ours and the peer's in turn: both meet the same neighbours on the machine."""
    with contextlib.redirect_stdout(io.StringIO()):  # newsmlg2 prints what it lacks
        return _measure(name, some)


def _measure(name: str, some: Sequence[bytes]) -> Measured:
    parsed = [wire.parse(data, source=f"{number}.txt") for number, data in enumerate(some)]
    items = sum(len(one.articles) + len(one.skipped) for one in parsed)
    size = sum(map(len, some)) / 1024 / len(some)
    peer, read = PEERS.get(name, ("", None))
    shared = [data for data in some if read is not None and _reads(read, data)]
    times: tuple[list[float], ...] = ([], [], [])
    for _ in range(ROUNDS):
        times[0].append(_each(_parse, some))
        if shared and read is not None:
            times[1].append(_each(_parse, shared))
            times[2].append(_each(read, shared))
    each, ours, theirs = (statistics.median(found) if found else 0.0 for found in times)
    return Measured(name, len(some), items, each, size, peer, len(shared), ours, theirs)


def _parse(data: bytes) -> object:
    return wire.parse(data, source="x.txt")


def _reads(read: Callable[[bytes], object], data: bytes) -> bool:
    """Whether a peer gets through a file at all."""
    try:
        return bool(read(data))
    except Exception:  # noqa: BLE001  # peers raise what they like
        return False


def _each(work: Callable[[bytes], object], some: Sequence[bytes]) -> float:
    """Milliseconds of processor time a file."""
    count, start = 0, time.process_time()
    while (took := time.process_time() - start) < SECONDS:
        for data in some:
            work(data)
        count += len(some)
    return took * 1000 / count


def main() -> None:
    by_format = files()
    where = "real files and the newsday" if (SHARED / "data" / "wire").is_dir() else "the newsday and golden pairs"
    print(f"\nParsing, one core ({where}; a peer reads fewer files: the same ones are compared)\n")
    print(
        "| format | files | KiB each | items | ms a file | items/s | peer | of the files | ms ours | ms peer | × ours |"
    )
    print("| --- | ---: | ---: | ---: | ---: | ---: | --- | ---: | ---: | ---: | ---: |")
    for name, some in by_format.items():
        m = measure(name, some)
        rate = m.items / m.files / m.each * 1000
        peer = f"{m.peer} | {m.read} | {m.ours:.2f} | {m.theirs:.2f} | {m.theirs / m.ours:.1f}" if m.read else "| | | |"
        print(f"| {m.name} | {m.files} | {m.kilobytes:.1f} | {m.items} | {m.each:.2f} | {rate:,.0f} | {peer} |")


if __name__ == "__main__":
    main()
