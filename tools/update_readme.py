"""Write into README.md and docs/events.md what the program really makes: `make readme`. With --check, exit 1 where they are stale.

Blocks stand between `<!-- name -->` and `<!-- /name -->`.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from services.contract.codec import encode
from services.core.article import Article, Command
from services.core.decision import Decision
from services.core.events import emit
from services.core.wire.limits import DEFAULT
from services.local import Pipeline
from services.runtime.archive import read_file, sources

ROOT = Path(__file__).parent.parent
HOPS = "0714_nordwire_blast_update1.json"
"""The seed whose path docs/events.md shows: a second take, so that there is something before it."""
SHOWN = "urn:nordwire.example:20260311:pcb3"
"""The seed whose event README.md shows: an update with a toll that rose."""
ELSEWHERE = frozenset({"article", "base", "fingerprint", "said"})


def writethru(*args: str) -> str:
    command = Path(sys.executable).with_name("writethru")
    environment = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1"}
    done = subprocess.run([command, *args], capture_output=True, text=True, check=True, env=environment, cwd=ROOT)  # noqa: S603
    return "\n".join(line.rstrip() for line in done.stdout.rstrip().splitlines())


def event() -> str:
    """The event of one update of the newsday, with long lists and texts cut."""
    told = (json.loads(line) for line in writethru("replay", "seeds", "--json").splitlines())
    chosen = next(e for e in told if (e["data"]["version"] or {}).get("uri") == SHOWN)
    return json.dumps(_shortened(chosen), indent=1, ensure_ascii=False)


def hops() -> dict[str, str]:
    """One seed's record on each topic that it passes, with long lists and texts cut."""
    log: list[Article | Command] = []
    for source in sources(ROOT / "seeds"):
        log += read_file(source, provider=None, limits=DEFAULT).articles
        if source.name == HOPS:
            break
    pipeline = Pipeline(clock=datetime.now(UTC))
    outcome = [pipeline.feed(record) for record in log][-1]
    row = msgspec.structs.replace(outcome.step.row, decision=_without_fields(outcome.step.row.decision))
    revision = msgspec.structs.replace(outcome.step.revisions[0], decision=_without_fields(outcome.step.row.decision))
    made = {
        "article": outcome.record, "row": row, "revision": revision,
        "story-event": emit(outcome.step.revisions[0]),
    }  # fmt: skip
    return {
        name: f"```json\n{json.dumps(_told_elsewhere(_shortened(json.loads(encode(value)))), indent=1, ensure_ascii=False)}\n```"
        for name, value in made.items()
    }


def _without_fields(decision: Decision) -> Decision:
    return msgspec.structs.replace(decision, candidates=())


def _told_elsewhere(value: Any) -> Any:
    """Rows and revisions carry whole articles and fingerprints; the page shows an article once."""
    return (
        {key: "…" if key in ELSEWHERE else inner for key, inner in value.items()} if isinstance(value, dict) else value
    )


def _shortened(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _shortened(v) for k, v in value.items() if v not in (None, [], {}, False, 0, 0.0, "")}
    if isinstance(value, list):
        return [*map(_shortened, value[:2]), *(["…"] if len(value) > 2 else [])]
    return value[:75] + "…" if isinstance(value, str) and len(value) > 76 else value


def main() -> int:
    pages = {
        "README.md": {"demo": f"```\n{writethru('demo', '--pace', '0')}\n```", "event": f"```json\n{event()}\n```"},
        "docs/events.md": hops(),
    }
    stale = []
    for page, blocks in pages.items():
        text = (ROOT / page).read_text(encoding="utf-8")
        fresh = text
        for name, block in blocks.items():
            marks = re.compile(rf"(<!-- {name} -->\n).*?(\n<!-- /{name} -->)", re.DOTALL)
            assert marks.search(fresh), f"{page} has no block {name}"
            fresh = marks.sub(lambda m, b=block: m[1] + b + m[2], fresh)
        if fresh != text:
            stale.append(page)
        if "--check" not in sys.argv:
            (ROOT / page).write_text(fresh, encoding="utf-8")
    if "--check" not in sys.argv:
        return 0
    print("pages are true" if not stale else f"{', '.join(stale)}: what the program no longer makes; `make readme`")
    return int(bool(stale))


if __name__ == "__main__":
    sys.exit(main())
