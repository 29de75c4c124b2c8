"""The image that docker-compose.yml names, started by testcontainers: our topics on it, an article in, its event out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from services.contract.codec import encode
from services.contract.topics import TOPICS
from services.runtime.archive import read
from tests.builders import make
from tests.e2e.kafka import Installation, by_id, container, docker_answers, image, reference

pytestmark = [pytest.mark.kafka, pytest.mark.xdist_group("kafka"), pytest.mark.timeout(600)]


@pytest.fixture
def installation(tmp_path: Path) -> Iterator[Installation]:
    """As in test_kafka.py, on the image and on nothing else."""
    if not docker_answers():
        pytest.skip(f"NOT TESTED IN A CONTAINER: no Docker engine answers, or it neither has nor gets {image()}")
    with container() as bootstrap:
        made = Installation(bootstrap, tmp_path)
        yield made
        made.close()


def test_an_article_comes_out_of_the_image_of_compose_as_its_event(installation: Installation, tmp_path: Path):
    archive = tmp_path / "ferry.jsonl"
    archive.write_bytes(
        encode(make("ferry", headline="Ferry burns off Tarmouth", version_created="2026-11-29T10:00:00Z"))
    )
    records = [
        item for one in read(archive, provider=None, limits=installation.settings.limits) for item in one.articles
    ]
    checked = installation.run("topics", "check")
    assert (checked.returncode, checked.stdout) == (0, ""), f"the image would not have {len(TOPICS)} topics as declared"
    services = [installation.start("grouper"), installation.start("emitter")]
    done = installation.run("publish", str(archive))
    assert done.returncode == 0, done.stderr
    assert by_id(installation.events(1, alive=services)) == reference(records)
    assert [service.stop() for service in services] == [0, 0]
