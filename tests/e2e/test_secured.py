"""A broker with TLS, SCRAM and no right that is not given: every service does its work with its own rights alone."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from kafka.admin import (
    ACL,
    ACLOperation,
    ACLPermissionType,
    ACLResourcePatternType,
    ResourcePattern,
    ResourceType,
    ScramMechanism,
    UserScramCredentialUpsertion,
)

from deploy.kafka.broker import Cluster, free_ports, missing
from services.contract.access import READS, Right, rights
from services.contract.codec import encode
from services.runtime.clients import admin
from tests.builders import BUDGET, FERRY, UPDATED_FERRY, at, make
from tests.e2e.kafka import Installation, by_id, reference

pytestmark = [pytest.mark.kafka, pytest.mark.xdist_group("kafka"), pytest.mark.timeout(600)]

KINDS = {"topic": ResourceType.TOPIC, "group": ResourceType.GROUP, "transactional-id": ResourceType.TRANSACTIONAL_ID}
OPERATIONS = {"Read": ACLOperation.READ, "Write": ACLOperation.WRITE, "Describe": ACLOperation.DESCRIBE,
              "DescribeConfigs": ACLOperation.DESCRIBE_CONFIGS}  # fmt: skip


@pytest.fixture(scope="module")
def secured(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Cluster, str, Path]]:
    """A broker, the address of its secured listener, and the certificate to believe."""
    if lacks := missing():
        if os.environ.get("WRITETHRU_REQUIRE_KAFKA"):
            pytest.fail(f"WRITETHRU_REQUIRE_KAFKA is set and there is no Kafka: {lacks}")
        pytest.skip(f"NOT TESTED OVER KAFKA: {lacks}")
    folder = tmp_path_factory.mktemp("secured")
    key, certificate, store = folder / "key.pem", folder / "certificate.pem", folder / "store.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1",
         "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(key), "-out", str(certificate)],
        check=True, capture_output=True,
    )  # fmt: skip
    store.write_bytes(key.read_bytes() + certificate.read_bytes())
    cluster = Cluster(1, heap="256m")
    (port,) = free_ports(1)
    cluster._overrides |= {
        "listeners": f"PLAINTEXT://127.0.0.1:{cluster.ports[1]},SASL_SSL://127.0.0.1:{port},"
        f"CONTROLLER://127.0.0.1:{cluster._controllers[1]}",
        "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,SASL_SSL:SASL_SSL,CONTROLLER:PLAINTEXT",
        "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
        "super.users": "User:ANONYMOUS",  # whoever comes by the listener without a password: this test
        "sasl.enabled.mechanisms": "SCRAM-SHA-512",
        "listener.name.sasl_ssl.scram-sha-512.sasl.jaas.config": (
            "org.apache.kafka.common.security.scram.ScramLoginModule required;"
        ),
        "ssl.keystore.type": "PEM",
        "ssl.keystore.location": str(store),
    }
    with cluster:
        yield cluster, f"127.0.0.1:{port}", certificate


def acl(user: str, right: Right, operation: str) -> ACL:
    pattern = ACLResourcePatternType.PREFIXED if right.prefixed else ACLResourcePatternType.LITERAL
    return ACL(f"User:{user}", "*", OPERATIONS[operation], ACLPermissionType.ALLOW,
               ResourcePattern(KINDS[right.kind], right.name, pattern))  # fmt: skip


@pytest.fixture
def installation(secured: tuple[Cluster, str, Path], tmp_path: Path) -> Iterator[Installation]:
    """Topics, and a user with its rights for each service."""
    made = Installation(secured[0].bootstrap, tmp_path)
    with contextlib.closing(admin(made.settings)) as client:
        client.alter_user_scram_credentials(
            [UserScramCredentialUpsertion(user, ScramMechanism.SCRAM_SHA_512, f"{user}'s own") for user in READS]
        )
        client.create_acls(
            [acl(user, right, operation) for user in READS for right in rights(user, made.settings.topic_prefix)
             for operation in right.operations]
        )  # fmt: skip
    yield made
    made.close()


def as_user(secured: tuple[Cluster, str, Path], user: str, password: str | None = None) -> dict[str, str]:
    return {
        "WRITETHRU_KAFKA_BOOTSTRAP": secured[1],
        "WRITETHRU_KAFKA_SECURITY": "SASL_SSL",
        "WRITETHRU_KAFKA_USERNAME": user,
        "WRITETHRU_KAFKA_PASSWORD": password or f"{user}'s own",
        "WRITETHRU_KAFKA_CA_FILE": str(secured[2]),
    }


def test_each_service_works_with_its_own_rights_alone(secured, installation: Installation, tmp_path: Path):
    day = [
        make("ferry", FERRY, version="1", version_created=at("07:00")),
        make("budget", BUDGET, version_created=at("07:10")),
        make("ferry", UPDATED_FERRY, version="2", version_created=at("08:00")),
    ]
    (tmp_path / "day.jsonl").write_bytes(b"".join(encode(article) + b"\n" for article in day))
    want = reference(day)
    services = [installation.start(name, **as_user(secured, name)).ready() for name in ("grouper", "emitter")]
    sent = installation.run("publish", str(tmp_path / "day.jsonl"), **as_user(secured, "publisher"))
    assert sent.returncode == 0, sent.stderr
    assert by_id(installation.events(len(want), alive=services)) == want
    told = installation.run("tail", "--json", "--from-beginning", "--no-follow", **as_user(secured, "reader"))
    assert len(told.stdout.splitlines()) == len(want), told.stderr

    refused = installation.run("tail", "--from-beginning", "--no-follow", **as_user(secured, "publisher"))
    assert refused.returncode == 1, "a publisher may read the events"
    refused = installation.run("publish", str(tmp_path / "day.jsonl"), **as_user(secured, "reader"))
    assert refused.returncode != 0, "a reader may publish"
    impostor = installation.start("grouper", **as_user(secured, "grouper", "a guess"))
    assert impostor.ended() == 78
    assert "refuses us" in impostor.lines()[-1]["why"]
    assert "a guess" not in impostor.log.read_text()
    assert [service.stop() for service in services] == [0, 0]
