"""What the documents promise exists."""

from __future__ import annotations

import json
import re
from dataclasses import fields

import jsonschema
import orjson
import pytest

from services.cli import app
from services.contract.codec import encode
from services.contract.settings import PREFIX, Settings
from tests.builders import ROOT, UPDATED_FERRY, at, events, make, run

PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), ROOT / "seeds" / "README.md"])


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_local_links_lead_somewhere(page):
    links = re.findall(r"\]\(([^)#\s]+)\)", page.read_text(encoding="utf-8"))
    broken = [link for link in links if not link.startswith("http") and not (page.parent / link).exists()]
    assert broken == []


def test_commands_in_the_readme_are_commands():
    named = set(re.findall(r"writethru (\w+)", (ROOT / "README.md").read_text(encoding="utf-8")))
    known = {command.name or command.callback.__name__ for command in app.registered_commands}
    known |= {group.name for group in app.registered_groups}
    assert named <= known
    assert named


def test_make_targets_in_the_documents_are_targets():
    targets = set(re.findall(r"^([a-z0-9-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for page in PAGES:
        assert (
            set(re.findall(r"(?:`|^)make ([a-z0-9-]+)\b", page.read_text(encoding="utf-8"), re.MULTILINE)) <= targets
        ), page


def test_modules_in_the_documents_are_modules():
    for page in (ROOT / "CONTRIBUTING.md", ROOT / "docs" / "architecture.md"):
        for path in re.findall(
            r"`((?:core|contract|runtime|terminal|services)/[\w/]+\.py)", page.read_text(encoding="utf-8")
        ):
            assert any((ROOT / root / path).is_file() for root in ("", "services")), f"{page.name}: {path}"


def schema(name):
    return json.loads((ROOT / "docs" / "schemas" / f"{name}.schema.json").read_bytes())


@pytest.mark.parametrize("kind", ["event", "change", "article"])
def test_what_is_written_keeps_to_the_schemas(kind):
    log = [
        make(version="1", version_created=at("07:00"), headline="Ferry burns"),
        make(version="2", body=UPDATED_FERRY, headline="Ferry burns"), make("x", UPDATED_FERRY[:3], provider="tidende"),
        make(version="3", body=UPDATED_FERRY, update_kind="correction"), make(body=(), version="4", update_kind="kill"),
    ]  # fmt: skip
    _, outcomes = run(log)
    told = events(outcomes)
    written = {
        "event": told, "change": [e.data.change for e in told], "article": [o.step.row.article for o in outcomes],
    }[kind]  # fmt: skip
    validator = jsonschema.Draft202012Validator(schema(kind))
    for value in written:
        validator.validate(orjson.loads(encode(value)))


def test_every_setting_is_documented_with_its_default():
    page = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    documented = dict(re.findall(r"^\| `(WRITETHRU_\w+)` \| (\S+) \|", page, re.MULTILINE))
    assert set(documented) == {PREFIX + field.name.upper() for field in fields(Settings)}
    set_ones = {name: value for name, value in documented.items() if value != "–"}
    assert Settings.from_environment(set_ones) == Settings()
