"""What the image, docker-compose.yml and the broker of the tests promise each other."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import PurePosixPath
from xml.etree import ElementTree as ET

import pytest
import typer
import yaml

from deploy.kafka.broker import free_ports
from services.cli import app
from services.contract.feeds import FolderFeed, read_feeds
from services.contract.settings import PREFIX, Settings
from services.runtime.health import SILENT_AFTER, Health
from tests.builders import ROOT

COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))["services"]
OURS = sorted(name for name, service in COMPOSE.items() if service["image"] == "writethru:local")


def stages():
    """The Dockerfile's stages, each a list of (instruction, rest)."""
    text = (ROOT / "deploy" / "Dockerfile").read_text(encoding="utf-8")
    text = re.sub(r"\\\n\s*", "", re.sub(r"^#.*\n", "", text, flags=re.MULTILINE))
    found: list[list[tuple[str, str]]] = []
    for line in filter(None, text.splitlines()):
        word, _, rest = line.partition(" ")
        if word == "FROM":
            found.append([])
        found[-1].append((word, rest.strip()))
    return found


def last(instruction):
    return [rest for word, rest in stages()[-1] if word == instruction][-1]


def image_environment():
    given = [rest for word, rest in stages()[-1] if word == "ENV"]
    return dict(pair.split("=", 1) for rest in given for pair in shlex.split(rest))


def environment(service):
    """What `writethru` finds in a service's container."""
    given = {**image_environment(), **COMPOSE[service].get("environment", {})}
    return {name: value for name, value in given.items() if name.startswith(PREFIX)}


# -- the broker --------------------------------------------------------------------------------------------------------


def test_the_broker_of_the_tests_is_the_image_of_compose():
    pom = ET.parse(ROOT / "deploy" / "kafka" / "pom.xml")
    release = pom.findtext(".//{*}properties/{*}kafka.version")
    assert COMPOSE["kafka"]["image"] == f"apache/kafka:{release}"


def test_every_address_that_kafka_gives_out_is_one_where_it_listens():
    kafka = COMPOSE["kafka"]["environment"]
    named = {
        key: dict(one.split("://") for one in kafka[key].split(","))
        for key in ("KAFKA_LISTENERS", "KAFKA_ADVERTISED_LISTENERS")
    }
    ports = {name: address.rpartition(":")[2] for name, address in named["KAFKA_LISTENERS"].items()}
    assert {
        name: a.rpartition(":")[2] for name, a in named["KAFKA_ADVERTISED_LISTENERS"].items()
    }.items() <= ports.items()
    assert {environment(name)["WRITETHRU_KAFKA_BOOTSTRAP"] for name in OURS} == {
        named["KAFKA_ADVERTISED_LISTENERS"]["INSIDE"]
    }
    assert named["KAFKA_ADVERTISED_LISTENERS"]["HOST"] == Settings().kafka_bootstrap
    assert COMPOSE["kafka"]["ports"] == [f"127.0.0.1:{ports['HOST']}:{ports['HOST']}"]


# -- the services ------------------------------------------------------------------------------------------------------


def test_one_service_builds_the_image_and_the_others_wait_for_it():
    """Several builds of one name at once get in each other's way, and nobody may pull a name that is only ours."""
    assert set(OURS) == set(COMPOSE) - {"kafka"}
    builds = [name for name in OURS if "build" in COMPOSE[name]]
    assert builds == ["topics"]
    assert (ROOT / COMPOSE["topics"]["build"]["dockerfile"]).is_file()
    for name in set(OURS) - set(builds):
        assert "topics" in COMPOSE[name]["depends_on"], name
        assert COMPOSE[name]["pull_policy"] == "never", name


@pytest.mark.parametrize("service", OURS)
def test_a_services_settings_are_settings(service):
    settings = Settings.from_environment(environment(service))
    assert settings.kafka_bootstrap.split(":")[0] in COMPOSE


@pytest.mark.parametrize("service", OURS)
def test_a_services_command_is_one(service):
    command, arguments = typer.main.get_command(app), list(COMPOSE[service]["command"])
    with command.make_context("writethru", list(arguments)) as context:
        while hasattr(command, "resolve_command"):
            name, command, arguments = command.resolve_command(context, arguments)
        with command.make_context(name, list(arguments), parent=context) as parsed:  # raises for what does not parse
            assert parsed.command is command


@pytest.mark.parametrize("service", OURS)
def test_what_a_service_waits_for_is_a_service_that_can_come_to_it(service):
    for name, wanted in COMPOSE[service]["depends_on"].items():
        other = COMPOSE[name]
        if wanted["condition"] == "service_healthy":
            assert "test" in other["healthcheck"], name
        else:
            assert wanted["condition"] == "service_completed_successfully"
            assert other["restart"] == "no", f"{name} would be started again when it is done"


def test_each_emitter_is_an_instance_of_its_own(tmp_path):
    """Two of one name would fence each other without end."""
    stub = tmp_path / "writethru"
    stub.write_text('#!/bin/sh\necho "$WRITETHRU_INSTANCE $*"\n')
    stub.chmod(0o755)
    line = [part.replace("$$", "$") for part in COMPOSE["emitter"]["entrypoint"]] + COMPOSE["emitter"]["command"]
    for container in ("3f1c09aa12be", "77de0b6c51f0"):
        done = subprocess.run(
            line, env={"PATH": f"{tmp_path}:{os.environ['PATH']}", "HOSTNAME": container}, capture_output=True,
            text=True, check=True,
        )  # fmt: skip
        assert done.stdout == f"{container} run emitter\n"
        assert Settings.from_environment({"WRITETHRU_INSTANCE": container}).instance == container


def test_the_feeds_of_compose_can_be_read_reached_and_written_to():
    service = COMPOSE["feeds"]
    mounts = {target: source for source, target in (re.split(r":(?=/)", mount)[:2] for mount in service["volumes"])}
    sample = re.fullmatch(r"\$\{FEEDS:-(.*)\}", mounts[service["command"][-1] + ":ro"])
    assert sample is not None
    path = ROOT / sample[1]
    named = {name: "k" * 16 for name in service["environment"] if not name.startswith(PREFIX)}
    feeds = read_feeds(path.read_bytes(), path.name, path.parent, named)
    assert {feed.path for feed in feeds.feeds.values() if isinstance(feed, FolderFeed)} <= {
        target.removesuffix(":ro") for target in mounts if not target.endswith(":ro")
    }
    host, port = feeds.address
    assert host == "0.0.0.0"
    assert service["ports"] == [f"127.0.0.1:{port}:{port}"]
    assert image_environment()["WRITETHRU_STATE_FOLDER"] in mounts, "a poller would fetch everything again"
    assert service["profiles"] == ["feeds"]
    assert [name for name in OURS if "profiles" in COMPOSE[name]] == ["feeds"]
    assert service["environment"].items() >= COMPOSE["grouper"]["environment"].items()


def test_the_groupers_state_lies_in_a_volume():
    folder = image_environment()["WRITETHRU_STATE_FOLDER"]
    assert [mount.split(":")[1] for mount in COMPOSE["grouper"]["volumes"]] == [folder]
    assert json.loads(last("VOLUME")) == [folder]


# -- the image ---------------------------------------------------------------------------------------------------------


def test_the_image_runs_as_a_fixed_user_who_is_not_root():
    user, _, group = last("USER").partition(":")
    assert int(user) > 999
    assert int(group) > 999
    made = " ".join(rest for word, rest in stages()[-1] if word == "RUN")
    assert f"--uid {user} " in made
    assert not [name for name in OURS if "user" in COMPOSE[name]]


def test_the_stages_have_one_python_and_the_product_supports_it():
    bases = {stage[0][1].split()[0] for stage in stages()}
    assert len(bases) == 1, "the virtual environment points at the interpreter of its own stage"
    release = re.fullmatch(r"python:(\d+)\.(\d+)-slim-\w+", bases.pop())
    assert release is not None
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert f"Programming Language :: Python :: {release[1]}.{release[2]}" in project["classifiers"]


def test_what_the_image_copies_is_there_and_let_through():
    let_in = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    copied = [
        source
        for stage in stages()
        for word, rest in stage
        if word == "COPY" and not rest.startswith("--from")
        for source in rest.split()[:-1]
    ]
    assert "services" in copied
    for source in copied:
        assert (ROOT / source).exists(), source
        assert source in let_in, f".dockerignore keeps {source} out"


def test_the_image_holds_what_the_services_need_and_nothing_of_the_tests():
    def pins(name):
        lines = (ROOT / "deploy" / "requirements" / name).read_text().splitlines()
        return {re.split(r"[\[=]", line)[0] for line in lines}

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras = project["project"]["optional-dependencies"]
    wanted = [*project["project"]["dependencies"], *extras["kafka"], *extras["desk"]]
    assert {re.split(r"[\[<>=]", line)[0] for line in wanted} <= pins("services.txt")
    assert pins("services.txt") <= pins("dev.txt"), "the tests do not run on what is shipped"
    assert not pins("services.txt") & {"pytest", "mypy", "ruff", "hypothesis", "testcontainers"}
    assert "deploy/requirements/services.txt" in (ROOT / "Makefile").read_text()


def test_the_port_of_the_probes_is_one():
    port = str(Settings.from_environment({"WRITETHRU_HEALTH": image_environment()["WRITETHRU_HEALTH"]}).health[1])
    assert last("EXPOSE") == port
    assert {environment(name)["WRITETHRU_HEALTH"].rpartition(":")[2] for name in OURS} == {port}


def test_the_images_probe_sees_a_loop_that_hangs_and_a_port_where_nobody_answers(monkeypatch):
    _, _, line = last("HEALTHCHECK").partition("CMD ")
    port = free_ports(1)[0]
    program, *arguments = json.loads(line)
    assert program == "python3"

    def probe():
        return subprocess.run(
            [sys.executable, *arguments], env={"WRITETHRU_HEALTH": f"0.0.0.0:{port}"}, capture_output=True, check=False
        ).returncode

    assert probe() == 1
    health = Health("grouper")
    health.serve(("127.0.0.1", port))
    try:
        assert probe() == 0
        monkeypatch.setattr(health, "_beat", health._beat - SILENT_AFTER - 1)
        assert probe() == 1
    finally:
        health.close()


def test_the_image_keeps_its_paths_apart():
    """The state's volume must not hide the program."""
    program = PurePosixPath(image_environment()["PATH"].split(":")[0])
    assert not program.is_relative_to(image_environment()["WRITETHRU_STATE_FOLDER"])
    assert json.loads(last("ENTRYPOINT")) == ["writethru"]
