"""A minute of what `make long` does for half an hour, and that it can find anything at all."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from random import Random

import pytest

from services.core import wire
from services.core.errors import RejectedInput
from tests.builders import ROOT
from tests.fuzz import __main__ as fuzzing
from tests.fuzz import corpus
from tests.fuzz.mutate import MOST, WAYS, spoilt

SECONDS = os.environ.get("FUZZ_SECONDS", "60")


@pytest.fixture
def own_signal() -> Iterator[None]:
    """A run takes SIGPROF for itself."""
    before = signal.getsignal(signal.SIGPROF)
    yield
    signal.signal(signal.SIGPROF, before)


@pytest.mark.timeout(float(SECONDS) + 240)
def test_spoilt_files_are_read_or_rejected_in_time_and_leave_nothing_behind(tmp_path):
    command = [
        sys.executable,
        "-m",
        "tests.fuzz",
        "--seconds",
        SECONDS,
        "--seed",
        "7",
        "--guided",
        "no",
        "--folder",
        str(tmp_path),
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr[-6_000:]
    assert " 0 findings" in done.stdout


def test_the_same_seed_spoils_in_the_same_way():
    files = corpus.samples()
    spoil = [[spoilt(files[n], files, Random(n)) for n in range(20)] for _ in range(2)]
    assert spoil[0] == spoil[1]
    assert spoil[0] != files[:20]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_every_way_to_spoil_takes_any_bytes(way):
    for seed in range(30):
        for data in (b"", b"a", b"\n", b'{"a": 1}', b"<p>\xff</p>"):
            assert len(way(data, [b"<i>9</i>", b""], Random(seed))) <= 4 * MOST


@pytest.mark.parametrize(
    ("fault", "found"),
    [
        (lambda data: 1 / (len(data) % 2), "ZeroDivisionError"),
        (lambda _: [None for _ in iter(int, 1)], "Hang"),
        (lambda _: wire.Parsed(), "AssertionError"),
        (lambda data: wire.Parsed(rejected=(RejectedInput("two words", "a sentence of some length", source="x"),) * len(data)), "AssertionError"),
    ],
    ids=["crash", "hang", "silence", "no reason"],
)  # fmt: skip
def test_faults_are_found(fault, found, tmp_path, monkeypatch, own_signal):
    monkeypatch.setattr(fuzzing, "SECONDS_EACH", 0.2)
    monkeypatch.setattr(fuzzing.wire, "parse", lambda data, **_: fault(data))
    run = fuzzing.Run(tmp_path)
    run.attempt(b"ab", lambda: fuzzing.holds.of_a_file(b"ab"))
    ((name, path),) = run.findings.items()
    assert name.startswith(found)
    assert path.read_bytes() == b"ab"


def test_what_is_remembered_between_files_is_found(tmp_path, monkeypatch, own_signal):
    real, seen, files = wire.parse, [], [b"It burns in Tarmouth.", b"It rains in Vesk."]

    def forgetful(data, **options):
        seen.append(data)
        return real(data + b" More." if len(seen) > 60 and data in files else data, **options)

    monkeypatch.setattr(fuzzing.corpus, "samples", lambda: files)
    monkeypatch.setattr(fuzzing.wire, "parse", forgetful)
    monkeypatch.setattr(fuzzing.resource, "setrlimit", lambda *_: None)
    monkeypatch.setattr(fuzzing, "PROBE_EVERY", 5)
    monkeypatch.setattr(fuzzing, "KINDS_OF_FINDINGS", 1)  # and so it ends there
    run = fuzzing.Run(tmp_path)
    fuzzing.fuzz(run, Random(3), 8)
    assert "state" in run.findings
