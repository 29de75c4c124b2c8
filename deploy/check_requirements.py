"""Every locked requirement that pip installs from is the one in uv.lock: exits 1 with the lines that differ."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent


def main() -> int:
    locked: dict[str, set[str]] = {}
    for package in tomllib.loads((ROOT / "uv.lock").read_text())["package"]:
        locked.setdefault(package["name"], set()).add(package.get("version", ""))
    wrong = []
    for file in sorted((ROOT / "deploy" / "requirements").glob("*.txt")):
        for line in file.read_text().splitlines():
            pin = re.match(r"([A-Za-z0-9._-]+)(?:\[[^\]]*\])?==([^\s;]+)", line)
            if pin is None or pin[2] not in locked.get(pin[1], set()):
                wrong.append(
                    f"{file.relative_to(ROOT)}: {line}: uv.lock has {sorted(locked.get(pin[1] if pin else '', ()))}"
                )
    wrong += [f"pyproject.toml: {name} is not in uv.lock" for name in sorted(_declared() - locked.keys())]
    print("\n".join(wrong) or "requirements follow uv.lock")
    if wrong:
        print("run `make lock`")
    return 1 if wrong else 0


def _declared() -> set[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    lines = [*project["project"]["dependencies"], *project["dependency-groups"]["dev"]]
    lines += [line for extra in project["project"]["optional-dependencies"].values() for line in extra]
    return {re.split(r"[\[<>=~! ]", line, maxsplit=1)[0].lower().replace("_", "-") for line in lines}


if __name__ == "__main__":
    sys.exit(main())
