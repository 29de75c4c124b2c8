"""The files that are spoilt: the newsday's, the golden pairs', and the real ones beside the checkout where they are."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from pathlib import Path

from services.runtime.archive import sources
from tests.builders import ROOT, SHARED

LARGEST = 200_000
"""Bytes of a sample. Larger ones say nothing more and take their time."""
_NOT_WIRE = (".jsonl", ".jsonl.gz", ".md", ".expected.json")


def samples() -> list[bytes]:
    """Each once, in an order of their own."""
    found = {
        source.path.read_bytes()
        for folder in (ROOT / "seeds", ROOT / "tests" / "gold" / "wire", SHARED / "data" / "wire", SHARED / "seeds")
        if folder.is_dir()
        for source in sources(folder)
        if not source.name.endswith(_NOT_WIRE) and source.path.stat().st_size <= LARGEST
    }
    return sorted(found)


def sidecars() -> list[bytes]:
    return [path.read_bytes() for path in sorted((ROOT / "seeds").glob("*.meta.yaml"))]


def archives(files: list[bytes]) -> list[bytes]:
    """Some of the files, packed in each way that is read."""
    some = files[:: max(1, len(files) // 4)]
    packed = [_zip(some), _tar(some), gzip.compress(_tar(some)), gzip.compress(some[0])]
    lines = b"\n".join(data for data in files if b"\n" not in data.strip())
    return [*packed, gzip.compress(lines or some[0])]


def feeds_files() -> list[bytes]:
    return [Path(ROOT / "deploy" / "feeds.example.yaml").read_bytes()]


def _zip(files: list[bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, data in enumerate(files):
            archive.writestr(f"day/{number}.xml", data)
            archive.writestr(f"day/{number}.meta.yaml", b"provider: nordwire\n")
    return out.getvalue()


def _tar(files: list[bytes]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for number, data in enumerate(files):
            member = tarfile.TarInfo(f"day/{number}.txt")
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return out.getvalue()
