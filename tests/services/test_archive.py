"""Files and folders as inputs: hostile names, links, pipes and bombs end by name, and their neighbours go on."""

from __future__ import annotations

import gzip
import os
import sys
import threading
from pathlib import Path

import orjson
import pytest

from services.contract.codec import encode
from services.core.wire import parse
from services.core.wire.limits import DEFAULT, Limits
from services.runtime.archive import UnreadablePath, read
from tests.builders import FERRY, make

LINE = encode(make("a", FERRY)) + b"\n"
SMALL = Limits(text=1_000, item=10_000)


def everything(path, limits=DEFAULT, **options):
    """(uris, [(reason, detail)], [source of what was skipped]) under a path."""
    found = list(read(path, provider=None, limits=limits, **options))
    return (
        [item.uri for parsed in found for item in parsed.articles],
        [(error.reason, error.detail) for parsed in found for error in parsed.rejected],
        [skipped.source for parsed in found for skipped in parsed.skipped],
    )


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are Unicode here")
@pytest.mark.parametrize("ending", [b".txt", b".json", b".jsonl"])
def test_a_name_that_is_not_utf8_is_read_in_a_folder_and_given_directly(tmp_path, ending):
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/n\xffme" + ending))
    path.write_bytes(b'{"broken' if b"json" in ending else b"It burns.")
    for asked in (path, tmp_path):
        for parsed in read(asked, provider=None, limits=DEFAULT):
            for article in parsed.articles:
                assert b"n\xef\xbf\xbdme.txt" in encode(article)
            for error in parsed.rejected:
                orjson.dumps(error.source)


def test_a_provider_that_is_not_unicode_still_makes_an_article():
    (article,) = parse(b"It burns.", source="x\udcff.txt", provider="p\udcff").articles
    assert encode(article)


def test_a_path_too_long_for_any_file_cannot_be_read():
    with pytest.raises(UnreadablePath):
        list(read(Path("x" * 5_000), provider=None, limits=DEFAULT))


@pytest.mark.timeout(20)
def test_a_small_archive_that_unpacks_to_gigabytes_ends_soon(tmp_path):
    path = tmp_path / "x.jsonl.gz"
    with gzip.open(path, "wb") as file:
        file.write(LINE)
        for _ in range(200):
            file.write(b" " * 1_000_000)
    uris, rejected, _ = everything(path)
    assert uris == ["a"]
    assert rejected[-1] == ("too_large", "it unpacks to more than 100 times its size: the rest is not read")
    assert len(rejected) == 2, "and the line without end that it was in"


@pytest.mark.timeout(20)
def test_blank_lines_without_end_end_an_archive(tmp_path):
    (tmp_path / "x.jsonl.gz").write_bytes(gzip.compress(LINE + b"\n" * 2_000_000))
    uris, rejected, _ = everything(tmp_path / "x.jsonl.gz")
    assert uris == ["a"]
    assert [reason for reason, _ in rejected] == ["unreadable"]
    assert "100,000 blank lines in a row" in rejected[0][1]


@pytest.mark.parametrize("name", ["x.jsonl", "x.json"])
def test_rejects_without_end_end_a_file_with_a_line_that_says_so(tmp_path, name):
    good = orjson.dumps({"provider": "p", "uri": "a", "headline": "It burns"}) + b"\n"
    (tmp_path / name).write_bytes(good + b"{}\n" * 900 + good + b"{}\n" * 5_000)
    uris, rejected, _ = everything(tmp_path / name)
    assert uris == ["a", "a"]
    assert [reason for reason, _ in rejected] == ["missing_uri"] * 1_900 + ["unreadable"]
    assert "1,000 rejected" in rejected[-1][1]


def test_an_archive_that_repeats_itself_is_read_whole(tmp_path):
    (tmp_path / "x.jsonl.gz").write_bytes(gzip.compress(LINE * 3_000))
    uris, rejected, _ = everything(tmp_path / "x.jsonl.gz")
    assert (len(uris), rejected) == (3_000, [])


@pytest.mark.timeout(20)
@pytest.mark.parametrize("name", ["pipe.txt", "pipe.jsonl"])
def test_a_pipe_that_is_named_is_refused_and_never_waited_for(tmp_path, name):
    os.mkfifo(tmp_path / name)
    (reason, detail), = everything(tmp_path / name)[1]  # fmt: skip
    assert reason == "unreadable"
    assert "not a regular file" in detail


@pytest.mark.timeout(20)
@pytest.mark.skipif(not Path("/dev/fd").is_dir(), reason="no /dev/fd")
@pytest.mark.parametrize(
    "data, uris, reasons", [(b"It burns.", True, []), (b"x" * 50_000, False, ["too_large"])], ids=["short", "long"]
)
def test_what_a_shell_pipes_in_is_read_up_to_the_limit(data, uris, reasons):
    reader, writer = os.pipe()

    def feed():
        with os.fdopen(writer, "wb") as file:
            file.write(data)

    feeding = threading.Thread(target=feed)
    feeding.start()
    found, rejected, _ = everything(Path(f"/dev/fd/{reader}"), SMALL)
    os.close(reader)
    feeding.join(10)
    assert (bool(found), [reason for reason, _ in rejected]) == (uris, reasons)


def test_devices_are_no_input():
    assert [reason for reason, _ in everything(Path("/dev/zero"), SMALL)[1]] == ["unreadable"]


def test_links_that_lead_out_of_the_folder_are_named_and_not_followed(tmp_path):
    outside, folder = tmp_path / "outside", tmp_path / "folder"
    for one in (outside, folder):
        one.mkdir()
    (outside / "secret.txt").write_text("Not for print.")
    (folder / "b.txt").write_text("It burns.")
    (folder / "a.txt").symlink_to(outside / "secret.txt")
    (folder / "c.txt").symlink_to("b.txt")
    (folder / "d").symlink_to(outside)
    (folder / "e.txt").symlink_to("e.txt")
    (folder / "f.txt").write_text("The mayor spoke.")
    (folder / "f.meta.yaml").symlink_to(outside / "secret.txt")
    uris, rejected, skipped = everything(folder)
    assert uris == ["b.txt", "c.txt"]
    assert skipped == ["a.txt", "d", "e.txt"]
    assert rejected == [("unreadable", "its sidecar is a link out of the folder")]
    assert everything(folder / "a.txt")[0] == ["a.txt"], "named directly, it is what was asked for"


def test_a_format_that_is_asked_for_is_obeyed_in_archives_too(tmp_path):
    (tmp_path / "x.jsonl").write_bytes(LINE)
    assert everything(tmp_path / "x.jsonl", form="article_json")[0] == ["a"]
    assert everything(tmp_path / "x.jsonl", form="plain")[0] == ["x.jsonl"]


def test_what_is_rejected_takes_its_bytes_and_its_sidecar_along(tmp_path):
    (tmp_path / "a.json").write_bytes(b"{")
    (tmp_path / "a.json.meta.yaml").write_bytes(b"provider: nordwire")
    (tmp_path / "b.jsonl").write_bytes(b'{"provider": "n", "uri": "1", "headline": "h"}\n{"uri": 7}\n')
    refused = [error for parsed in read(tmp_path, provider=None, limits=DEFAULT) for error in parsed.rejected]
    assert [(error.source, error.data, error.sidecar) for error in refused] == [
        ("a.json", b"{", b"provider: nordwire"), ("b.jsonl:2", b'{"uri": 7}\n', None),
    ]  # fmt: skip
