"""Fuzzing that follows the branches taken, by atheris (libFuzzer): `python -m tests.fuzz.guided FOLDER SECONDS SEED`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from random import Random

import atheris

with atheris.instrument_imports(include=["services.core.wire", "services.core.language"], enable_loader_override=False):
    from services.core import wire  # noqa: F401  # before anybody else imports it

from tests.fuzz import corpus, holds
from tests.fuzz.mutate import spoilt

LONGEST = 100_000
SECONDS_EACH = 20
"""By the clock, on a machine that others use too."""
MEMORY_MB = 900


def main() -> None:
    """Ends the process: with 0, or libFuzzer's code and the input in FOLDER."""
    folder, seconds, seed = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    files = [data for data in corpus.samples() if len(data) <= LONGEST]

    def mutate(data: bytes, most: int, seed: int) -> bytes:
        chance = Random(seed)
        data = atheris.Mutate(data, most) if chance.random() < 0.3 else spoilt(data, files, chance)
        return data[:most]

    with tempfile.TemporaryDirectory() as grown:
        for number, data in enumerate(files):
            (Path(grown) / f"{number:04}").write_bytes(data)
        options = [
            f"-max_total_time={seconds}", f"-seed={seed}", f"-max_len={LONGEST}", f"-timeout={SECONDS_EACH}",
            f"-rss_limit_mb={MEMORY_MB}", f"-artifact_prefix={folder}/", "-print_final_stats=1", "-verbosity=0",
        ]  # fmt: skip
        atheris.Setup([sys.argv[0], *options, grown], holds.of_a_file, custom_mutator=mutate)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
