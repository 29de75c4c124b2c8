"""The hot folder: what is complete, where it goes, and that a crash at any point loses and repeats nothing."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import zipfile
from pathlib import Path

import pytest

from services.contract.feeds import FolderFeed
from services.core.wire.limits import DEFAULT
from services.publisher.folder import HotFolder
from tests.services.publisher.kit import Broker, take, way

SETTLE = 2.0


class Desk:
    """A hot folder with a clock that is set by hand."""

    def __init__(self, root: Path, broker: Broker | None = None, **feed) -> None:
        self.root, self.now = root, 1_000.0
        self.broker = broker or Broker()
        feed = FolderFeed(path=str(root), **feed)
        self.folder = HotFolder(
            root, way(self.broker, feed), settle=SETTLE, limits=DEFAULT, sidecars=feed.sidecar == "required",
            clock=lambda: self.now,
        )  # fmt: skip

    def put(self, name: str, text: str | bytes) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def look(self, after: float = 0.0) -> int:
        self.now += after
        return self.folder.look()

    @property
    def names(self) -> list[str]:
        return sorted(str(path.relative_to(self.root)) for path in self.root.rglob("*") if path.is_file())

    @property
    def uris(self) -> list[str]:
        return [one.uri for one in self.broker.articles]


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_a_file_is_taken_once_it_has_stopped_growing(desk: Desk):
    path = desk.put("a.txt", take(1)[:20])
    assert desk.look() == 0
    path.write_text(take(1))
    assert desk.look(after=1.5) == 0, "it grew since the last look"
    assert desk.look(after=1.0) == 0, "unchanged for one second only"
    assert desk.look(after=1.0) == 1
    assert (desk.uris, desk.names) == (["item-1"], ["done/a.txt"])
    assert desk.look(after=60) == 0


def test_a_file_that_was_renamed_from_its_temporary_name_is_taken_at_once(desk: Desk):
    path = desk.put("a.txt.part", take(1))
    desk.put(".b.txt", take(2))
    desk.put("c.TMP", take(3))
    assert desk.look(after=60) == 0
    path.rename(desk.root / "a.txt")
    assert desk.look() == 1
    assert desk.uris == ["item-1"]
    assert desk.look(after=600) == 0, "unfinished names are never taken"


def test_an_empty_file_may_be_about_to_be_written(desk: Desk):
    path = desk.put("a.txt", "")
    desk.look()
    assert desk.look(after=SETTLE) == 0
    path.write_text(take(1))
    desk.look()
    assert desk.look(after=SETTLE) == 1
    desk.put("b.txt", "")
    desk.look()
    assert desk.look(after=SETTLE * 10) == 1
    assert "rejected/b.txt" in desk.names


def test_files_are_taken_in_the_order_of_their_delivery(desk: Desk):
    for number, name in enumerate(["z.txt", "m.txt", "a.txt"]):
        os.utime(desk.put(name, take(number)), ns=(10**18 + number, 10**18 + number))
    desk.look()
    assert desk.look(after=SETTLE) == 3
    assert desk.uris == ["item-0", "item-1", "item-2"]


def test_bad_input_lies_in_rejected_with_the_reason_beside_it(desk: Desk):
    desk.put("good.txt", take(1))
    desk.put("bad.json", b'{"provider": "nordwire", "uri": ')
    desk.look()
    assert desk.look(after=SETTLE) == 2
    assert desk.names == ["done/good.txt", "rejected/bad.json", "rejected/bad.json.reason.json"]
    told = json.loads((desk.root / "rejected/bad.json.reason.json").read_bytes())
    assert (told["rejected"][0]["reason"], told["rejected_in_all"], told["accepted"]) == ("broken_json", 1, 0)
    assert desk.broker.rejected[0].data == b'{"provider": "nordwire", "uri": '


def test_a_sidecar_goes_with_its_file_and_its_embargo_is_kept(desk: Desk):
    """Case 7: embargo lost on ingest."""
    desk.put("a.txt", "The bridge opens on Friday, the ministry will say.")
    desk.put("a.meta.yaml", "provider: nordwire\nembargoed: 2026-03-13T06:00:00+01:00\n")
    desk.put("lone.meta.yaml", "provider: nordwire\n")
    desk.look()
    assert desk.look(after=SETTLE) == 1
    (article,) = desk.broker.articles
    assert (article.provider, article.embargoed) == ("nordwire", "2026-03-13T06:00:00+01:00")
    assert desk.names == ["done/a.txt", "done/a.txt.meta.yaml", "lone.meta.yaml"]


def test_a_file_waits_for_a_sidecar_that_must_come(tmp_path: Path):
    desk = Desk(tmp_path, sidecar="required")
    desk.put("a.txt", "The bridge opens on Friday, the ministry will say.")
    desk.look()
    assert desk.look(after=3_600) == 0
    desk.put("a.txt.meta.yaml", "embargoed: 2026-03-13T06:00:00+01:00\n")
    desk.look()
    assert desk.look(after=SETTLE) == 1
    assert desk.broker.articles[0].embargoed == "2026-03-13T06:00:00+01:00"


def test_the_same_name_again_does_not_overwrite(desk: Desk):
    for number in (1, 2, 3):
        desk.put("sub/a.txt", take(number))
        desk.look()
        assert desk.look(after=SETTLE) == 1
    assert desk.names == ["done/sub/a.txt", "done/sub/a~2.txt", "done/sub/a~3.txt"]
    assert desk.uris == ["item-1", "item-2", "item-3"]


def test_a_correction_sent_twice_is_not_refused_the_second_time(desk: Desk):
    """Case 6: a correction sent twice is refused the second time."""
    for _ in range(2):
        desk.put("a.txt", take(1, update_kind="correction", ed_note="Corrects the bridge's number"))
        desk.look()
        assert desk.look(after=SETTLE) == 1
    assert desk.names == ["done/a.txt", "done/a~2.txt"]
    assert len({one.input_id for one in desk.broker.articles}) == 1, "the log knows it by its input id"


def test_an_archive_with_one_bad_item_publishes_the_rest(desk: Desk):
    with zipfile.ZipFile(desk.root / "day.zip", "w") as archive:
        archive.writestr("1.txt", take(1))
        archive.writestr("2.json", "{")
        archive.writestr("3.txt", take(3))
    desk.look()
    assert desk.look(after=SETTLE) == 1
    assert desk.uris == ["item-1", "item-3"]
    told = json.loads((desk.root / "rejected/day.zip.reason.json").read_bytes())
    assert (told["accepted"], told["rejected"][0]["source"]) == (2, "day.zip/2.json")


def test_links_and_pipes_are_left_where_they_are(desk: Desk, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside") / "secret.txt"
    outside.write_text(take(9))
    (desk.root / "link.txt").symlink_to(outside)
    (desk.root / "folder").symlink_to(outside.parent)
    os.mkfifo(desk.root / "pipe.txt")
    desk.look()
    assert desk.look(after=600) == 0
    assert desk.uris == []


def test_a_file_name_of_any_bytes_is_no_obstacle(desk: Desk):
    for name in (b"\xff\xfe.txt", "Ü 新.txt".encode(), b"new\nline.txt"):
        Path(os.fsdecode(os.fsencode(desk.root) + b"/" + name)).write_bytes(
            b"{" if name[0] == 0xFF else take(1).encode()
        )
    desk.look()
    assert desk.look(after=SETTLE) == 3
    assert sorted(os.fsencode(path.name) for path in (desk.root / "rejected").iterdir()) == [
        b"\xff\xfe.txt",
        b"\xff\xfe.txt.reason.json",
    ]


def test_the_longest_of_names_is_no_obstacle(desk: Desk):
    name = "n" * 251 + ".txt"
    for content in (b"{", b"[{"):
        desk.put(name, content)
        desk.look()
        assert desk.look(after=SETTLE) == 1
    stem = "rejected/" + "n" * 200
    assert desk.names == sorted(f"{stem}{number}.txt{end}" for number in ("", "~2") for end in ("", ".reason.json"))


def test_no_name_overwrites_anothers_reason(desk: Desk):
    desk.put("a.txt.reason.json", "{")
    desk.look()
    desk.look(after=SETTLE)
    desk.put("a.txt", b"\0")
    desk.look()
    desk.look(after=SETTLE)
    assert (desk.root / "rejected/a.txt.reason.json").read_text() == "{"
    assert (desk.root / "rejected/a~2.txt.reason.json").exists()


def test_an_exception_in_processing_loses_nothing(desk: Desk, monkeypatch):
    """Case 55: an exception in processing loses the event."""
    desk.put("a.txt", take(1))
    desk.look()
    desk.broker.failing = TimeoutError("the broker is away")
    with pytest.raises(TimeoutError):
        desk.look(after=SETTLE)
    assert not (desk.root / "done").exists()
    desk.broker.failing = None
    assert desk.look() == 1
    assert (desk.uris, desk.names) == (["item-1"], ["done/a.txt"])


def test_a_file_that_grows_while_it_is_read_is_taken_again(desk: Desk, monkeypatch):
    desk.put("a.txt", take(1))
    desk.look()
    send = desk.broker.send

    def grow(topic, **record):
        (claimed,) = (desk.root / ".writethru").rglob("a.txt")
        claimed.write_text(take(1) + "\nA second paragraph came with the last packet.\n")
        return send(topic, **record)

    monkeypatch.setattr(desk.broker, "send", grow)
    assert desk.look(after=SETTLE) == 0
    assert desk.names == ["a.txt"]
    monkeypatch.setattr(desk.broker, "send", send)
    desk.look()
    assert desk.look(after=SETTLE) == 1
    assert len(desk.broker.articles[-1].body) == 2


class PulledPlug(BaseException):
    """kill -9, as far as one process can play it."""


def _pull_the_plug_at(step: int, desk: Desk, monkeypatch) -> list[str]:
    """Every change of the disk and every record is a step; the one with this number, and all later ones, do not happen."""
    steps: list[str] = []

    def counted(name, act):
        def acting(*args, **kwargs):
            steps.append(name)
            if len(steps) > step:
                raise PulledPlug
            return act(*args, **kwargs)

        return acting

    monkeypatch.setattr(Path, "rename", counted("rename", Path.rename))
    monkeypatch.setattr(Path, "mkdir", counted("mkdir", Path.mkdir))
    monkeypatch.setattr(Path, "write_bytes", counted("write", Path.write_bytes))
    monkeypatch.setattr(shutil, "rmtree", counted("rmtree", shutil.rmtree))
    monkeypatch.setattr(desk.broker, "send", counted("send", desk.broker.send))
    return steps


FINISHED = [
    "done/b.txt", "done/b.txt.meta.yaml", "done/c.txt", "done/sub/a.txt", "rejected/d.json", "rejected/d.json.meta.yaml",
    "rejected/d.json.reason.json",
]  # fmt: skip


def _deliver(desk: Desk) -> None:
    desk.put("sub/a.txt", take(1))
    desk.put("b.txt", "The bridge opens on Friday, the ministry will say.")
    desk.put("b.txt.meta.yaml", "provider: nordwire\nembargoed: 2026-03-13T06:00:00+01:00\n")
    desk.put("c.txt", take(3))
    desk.put("d.json", b"{")
    desk.put("d.meta.yaml", "provider: nordwire\n")


def test_a_crash_at_any_point_loses_and_repeats_nothing(tmp_path: Path):
    step = 0
    while True:
        root = tmp_path / str(step)
        root.mkdir()
        first = Desk(root)
        _deliver(first)
        first.look()
        with pytest.MonkeyPatch.context() as patched:
            steps = _pull_the_plug_at(step, first, patched)
            try:
                first.look(after=SETTLE)
            except PulledPlug:
                crashed = True
            else:
                crashed = False
        second = Desk(root, first.broker)  # the next life knows only what lies on the disk
        for _ in range(3):
            second.look(after=SETTLE)
        where = f"the plug was pulled after step {step}: {steps}"
        assert second.names == FINISHED, where
        assert {one.uri for one in second.broker.articles} == {"item-1", "item-3", "b.txt"}, where
        ids = {one.input_id for one in second.broker.articles}
        assert len(ids) == 3, f"a repeat must be known by its input id; {where}"
        assert {one.embargoed for one in second.broker.articles if one.uri == "b.txt"} == {
            "2026-03-13T06:00:00+01:00"
        }, where
        if not crashed:
            assert len(second.broker.articles) == 3
            assert step > 25, "nothing was tried"
            return
        step += 1


def test_a_second_crash_while_recovering_loses_nothing_either(tmp_path: Path):
    for step in range(0, 30, 3):
        for again in range(0, 12, 2):
            root = tmp_path / f"{step}-{again}"
            root.mkdir()
            broker = Broker()
            for life_number, number in enumerate((step, again)):
                life = Desk(root, broker)
                if life_number == 0:
                    _deliver(life)
                life.look()
                with pytest.MonkeyPatch.context() as patched:
                    _pull_the_plug_at(number, life, patched)
                    with contextlib.suppress(PulledPlug):
                        life.look(after=SETTLE)
            last = Desk(root, broker)
            for _ in range(3):
                last.look(after=SETTLE)
            assert last.names == FINISHED, (step, again)
            assert len({one.input_id for one in broker.articles}) == 3, (step, again)
