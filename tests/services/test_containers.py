"""Zip and tar files: read like a folder, and what they hold on purpose ends by name."""

from __future__ import annotations

import gzip
import io
import random
import struct
import tarfile
import zipfile

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from services.core.wire.limits import DEFAULT, Limits
from services.runtime import containers
from services.runtime.archive import read

SMALL = Limits(text=1_000, item=10_000)
DAY = {
    "day/b.txt": b"---\nheadline: Second\n---\nIt burns.",
    "day/a.txt": b"The lake rises.",
    "day/a.meta.yaml": b"provider: lakepost\nembargoed: 2026-03-11T09:00:00+01:00",
    "day/log.jsonl": b'{"provider": "p", "uri": "one", "headline": "h"}\n{"provider": "p"}\n',
    "day/.hidden.txt": b"no input",
    "day/README.txt": b"no input",
    "__MACOSX/day/._a.txt": b"no input",
}


def zipped(files, **options):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data, **options)
    return out.getvalue()


def tarred(files, *, packed=True):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return gzip.compress(out.getvalue()) if packed else out.getvalue()


def everything(path, limits=DEFAULT):
    found = list(read(path, provider=None, limits=limits))
    return (
        [(item.uri, item.provider) for parsed in found for item in parsed.articles],
        [(error.reason, error.source) for parsed in found for error in parsed.rejected],
        [(skipped.kind, skipped.source) for parsed in found for skipped in parsed.skipped],
    )


@pytest.mark.parametrize(
    "name, data",
    [("d.zip", zipped(DAY)), ("d.tar.gz", tarred(DAY)), ("d.tar", tarred(DAY, packed=False)), ("d", zipped(DAY))],
    ids=["zip", "tar.gz", "tar", "zip without a suffix"],
)
def test_an_archive_is_read_like_the_folder_that_it_was(tmp_path, name, data):
    (tmp_path / name).write_bytes(data)
    expected = (
        [(f"{name}/day/a.txt", "lakepost"), (f"{name}/day/b.txt", "file"), ("one", "p")],
        [("missing_uri", f"{name}/day/log.jsonl")],
        [],
    )
    assert everything(tmp_path / name) == expected
    assert everything(tmp_path) == expected


def test_a_single_file_that_is_packed_is_that_file(tmp_path):
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress(b"The lake rises."))
    assert everything(tmp_path) == ([("a.txt.gz", "file")], [], [])


@pytest.mark.parametrize("pack", [zipped, tarred])
@pytest.mark.parametrize("name", ["../../etc/evil.txt", "/etc/evil.txt", "a/../../b.txt"])
def test_a_path_out_of_the_archive_is_named_and_its_neighbours_go_on(tmp_path, pack, name):
    (tmp_path / "d").write_bytes(pack({name: b"Evil.", "good.txt": b"The lake rises."}))
    articles, rejected, skipped = everything(tmp_path / "d")
    assert (articles, rejected) == ([("d/good.txt", "file")], [])
    assert [kind for kind, _ in skipped] == ["path out of the archive"]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["d"]


def test_a_path_out_of_the_archive_as_windows_writes_it(tmp_path):
    (tmp_path / "d.zip").write_bytes(zipped({"..\\..\\evil.txt": b"Evil."}))
    assert [kind for kind, _ in everything(tmp_path / "d.zip")[2]] == ["path out of the archive"]


def test_links_in_a_tar_are_not_followed(tmp_path):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for kind, name in ((tarfile.SYMTYPE, "sym.txt"), (tarfile.LNKTYPE, "hard.txt"), (tarfile.FIFOTYPE, "pipe.txt")):
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, "/etc/passwd"
            archive.addfile(info)
    (tmp_path / "d.tar.gz").write_bytes(out.getvalue())
    articles, rejected, skipped = everything(tmp_path / "d.tar.gz")
    assert (articles, rejected, len(skipped)) == ([], [], 3)


@pytest.mark.parametrize(
    "inner",
    [zipped(DAY), tarred(DAY), tarred(DAY, packed=False), gzip.compress(b"x")],
    ids=["zip", "tar.gz", "tar", "gz"],  # the bytes hold the time of day, and workers must name tests alike
)
@pytest.mark.parametrize("pack", [zipped, tarred])
def test_an_archive_in_an_archive_is_not_opened(tmp_path, pack, inner):
    (tmp_path / "d").write_bytes(pack({"in": inner, "a.txt": b"It burns."}))
    assert everything(tmp_path / "d")[:2] == ([("d/a.txt", "file")], [("nested_archive", "d/in")])


@pytest.mark.timeout(30)
@pytest.mark.parametrize("pack", [zipped, tarred])
def test_a_small_archive_that_unpacks_to_gigabytes_ends_soon(tmp_path, monkeypatch, pack):
    monkeypatch.setattr(containers, "FREE_UNPACKED", 100_000)
    blanks = b" " * 2_000_000
    (tmp_path / "d").write_bytes(pack({"a.txt": b"It burns.", **{f"b{i}.txt": blanks for i in range(9)}}))
    _, rejected, _ = everything(tmp_path / "d")
    assert rejected[-1] == ("too_large", "d")


def test_members_that_overlap_count_each_time(tmp_path, monkeypatch):
    """The directory of the archive names one compressed member a thousand times."""
    monkeypatch.setattr(containers, "FREE_UNPACKED", 100_000)
    data = zipped({"a.txt": b"a" * 9_000})
    end = data.rindex(b"PK\x05\x06")
    size, start = struct.unpack_from("<LL", data, end + 12)
    record = data[start : start + size]
    footer = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 1_000, 1_000, size * 1_000, start, 0)
    (tmp_path / "d.zip").write_bytes(data[:start] + record * 1_000 + footer)
    articles, rejected, _ = everything(tmp_path / "d.zip", Limits(item=10_000))
    assert len(articles) < 1_000
    assert rejected


def test_a_member_above_the_limit_is_rejected_alone(tmp_path):
    (tmp_path / "d.zip").write_bytes(zipped({"a.txt": b"x" * 20_000, "b.txt": b"It burns."}))
    assert everything(tmp_path / "d.zip", SMALL)[:2] == ([("d.zip/b.txt", "file")], [("too_large", "d.zip/a.txt")])


@pytest.mark.parametrize("pack", [zipped, tarred])
def test_members_without_end_end_the_archive(tmp_path, monkeypatch, pack):
    monkeypatch.setattr(containers, "MOST_MEMBERS", 20)
    (tmp_path / "d").write_bytes(pack({f"{i}.txt": b"It burns." for i in range(30)}))
    assert everything(tmp_path / "d") == ([], [("too_large", "d")], [])


def test_a_tar_whose_name_is_a_bomb_ends_by_name(tmp_path):
    info = tarfile.TarInfo("a.txt")
    info.size = 5
    header = tarfile.TarInfo("././@LongLink")
    header.type, header.size = tarfile.GNUTYPE_LONGNAME, 1_000_000
    data = (
        header.tobuf(tarfile.GNU_FORMAT) + b"a" * 1_000_448 + info.tobuf() + b"Fire.".ljust(512, b"\0") + b"\0" * 1024
    )
    (tmp_path / "d.tar").write_bytes(data)
    assert everything(tmp_path / "d.tar")[1] == [("too_large", "d.tar")]


def test_an_encrypted_member_is_unreadable_and_its_neighbour_is_read(tmp_path):
    data = bytearray(zipped({"a.txt": b"secret", "b.txt": b"It burns."}))
    for mark, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + flags] |= 1
    (tmp_path / "d.zip").write_bytes(data)
    assert everything(tmp_path / "d.zip")[:2] == ([("d.zip/b.txt", "file")], [("unreadable", "d.zip/a.txt")])


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from([zipped(DAY), tarred(DAY), tarred(DAY, packed=False)]), st.randoms(use_true_random=False))
def test_a_broken_archive_never_crashes(tmp_path, data, chance: random.Random):
    broken = bytearray(data)
    for _ in range(chance.randint(1, 12)):
        broken[chance.randrange(len(broken))] = chance.randrange(256)
    (tmp_path / "d").write_bytes(broken[: chance.randint(300, len(broken))])
    everything(tmp_path / "d", SMALL)
