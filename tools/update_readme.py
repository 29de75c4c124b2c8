"""Write into README.md what the program really prints: `make readme`. With --check, exit 1 where README is stale.

Blocks stand between `<!-- name -->` and `<!-- /name -->`.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
SHOWN = ("index", "text")


def writethru(*args: str) -> str:
    command = Path(sys.executable).with_name("writethru")
    environment = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1"}
    done = subprocess.run([command, *args], capture_output=True, text=True, check=True, env=environment, cwd=ROOT)  # noqa: S603
    return "\n".join(line.rstrip() for line in done.stdout.rstrip().splitlines())


def event() -> str:
    """The first update of the newsday that rings, with long lists and texts cut."""
    told = (json.loads(line) for line in writethru("replay", "seeds", "--json").splitlines())
    chosen = next(e for e in told if e["type"].endswith("updated.v1") and e["data"]["change"]["numbers"])
    return json.dumps(_shortened(chosen), indent=1, ensure_ascii=False)


def _shortened(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _shortened(v) for k, v in value.items() if v not in (None, [], {}, False, 0, 0.0, "")}
    if isinstance(value, list):
        return [*map(_shortened, value[:2]), *(["…"] if len(value) > 2 else [])]
    return value[:75] + "…" if isinstance(value, str) and len(value) > 76 else value


def main() -> int:
    blocks = {"demo": f"```\n{writethru('demo', '--pace', '0')}\n```", "event": f"```json\n{event()}\n```"}
    text = README.read_text(encoding="utf-8")
    fresh = text
    for name, block in blocks.items():
        marks = re.compile(rf"(<!-- {name} -->\n).*?(\n<!-- /{name} -->)", re.DOTALL)
        fresh = marks.sub(lambda m, b=block: m[1] + b + m[2], fresh)
    if "--check" in sys.argv:
        print(
            "README.md is true" if fresh == text else "README.md shows what the program no longer prints: `make readme`"
        )
        return int(fresh != text)
    README.write_text(fresh, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
