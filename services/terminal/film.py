"""A replay as an editor would watch it: a line per arrival, what is new in it, and whether it would have rung."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, tzinfo

import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from services.core.change import NEW_DEVELOPMENTS, Change, Noise
from services.core.events import Event, event_kind
from services.core.redline.noise import bare_headline
from services.core.times import as_sent

STYLES = {
    "created": "cyan",
    "updated": "yellow",
    "corrected": "bold magenta",
    "withdrawn": "bold white on red",
    "held": "bold red",
    "released": "green",
    "advised": "blue",
    "joined": "dim",
    "merged": "blue",
    "split": "blue",
}


BY_HAND = frozenset({"merged", "split"})
"""Events that an editor caused: no text came in."""
STRONG = ("number_changed", "name_changed", "new_quote")
"""Reasons that are said in their own words, the most telling first; a source that changed says little by itself."""
MOST_SAID = 3
"""Places whose news is put into words: a line is read at a glance."""


class Tally:
    """What a day came to: counted over events, for the score board."""

    def __init__(self) -> None:
        self.articles = 0
        self.stories: set[str] = set()
        self.kinds: Counter[str] = Counter()
        self.pushes = 0
        self.developments = 0
        self.plain = 0
        self.joined = 0
        self.rung_for_nothing = 0

    def add(self, event: Event) -> None:
        kind, change = event_kind(event), event.data.change
        self.articles += 1
        self.stories.add(event.subject)
        self.kinds[kind] += 1
        self.pushes += bool(change and change.push.yes)
        self.developments += bool(change and change.new_development.yes)
        if kind == "joined":
            self.joined += 1
            self.rung_for_nothing += bool(change and change.push.yes)
        self.plain += differs(change) > 0 if kind == "joined" else kind not in BY_HAND


def differs(change: Change | None) -> int:
    """Later paragraphs that a plain diff would flag: every one whose string is not the same."""
    return sum(len(entry.after) for entry in change.paragraphs if entry.op not in ("moved", "stands")) if change else 0


def fresh(change: Change | None) -> list[int]:
    """The later paragraphs (from 1) that carry a new development."""
    if change is None:
        return []
    return sorted(one.index + 1 for e in change.paragraphs if e.development in NEW_DEVELOPMENTS for one in e.after)


def news(change: Change, headline: str | None) -> list[str]:
    """What is new and where, as a desk says it: "¶1 toll 12 → 15", "¶4 Teck quoted", "more in ¶2, ¶8".

    A lead whose news is no figure is told by the headline that was written for it.
    """
    new = fresh(change)
    told: list[str] = []
    rest: list[int] = []
    said: set[str] = set()
    for place in new:
        reasons = [r for r in change.new_development.reasons if r.paragraph is not None and r.paragraph + 1 == place]
        strong = sorted(
            (r for r in reasons if r.code in STRONG and r.text not in said), key=lambda r: STRONG.index(r.code)
        )
        if strong and len(told) < MOST_SAID:
            text = strong[0].text.split(" quoted:")[0] + " quoted" if strong[0].code == "new_quote" else strong[0].text
            said.add(strong[0].text)
            told.append(f"¶{place} {text}")
        elif place == 1:
            told.append(f"¶1 “{bare_headline(headline)}”" if headline else "¶1 new lead")
        else:
            rest.append(place)
    disputed = [f"{c.what} {c.theirs} against {c.ours}" for c in change.conflicts[:1]]
    more = [f"{'more in' if told else 'in'} {', '.join(f'¶{n}' for n in rest[:6])}{' …' if len(rest) > 6 else ''}"]
    return [*disputed, *told, *(more if rest else [])]


def ignored(noise: Noise) -> str:
    """What was seen and ignored: "quotes, dateline"."""
    return ", ".join(name.replace("_", " ") for name, count in msgspec.structs.asdict(noise).items() if count)


class Film:
    """Prints a line per event. `show` may be called with every event of the log, or with those of one story."""

    def __init__(self, console: Console | None = None) -> None:
        self.out = console or Console(highlight=False)
        self.tally = Tally()
        self._updates: Counter[str] = Counter()
        self._names: dict[str, str] = {}
        self._zone: tzinfo | None = None

    def show(self, event: Event) -> None:
        self.tally.add(event)
        kind = event_kind(event)
        if kind in ("updated", "corrected"):
            self._updates[event.subject] += 1
        version = event.data.version
        label = self._label(event, kind)
        if version:
            own = {"created": "the first item", "joined": f"{version.outlet or version.provider}’s"}
            self._names[version.input] = own.get(kind, label)
        at = self._clock(version.version_created or version.received_at) if version else None
        grid = Table.grid(padding=(0, 1))
        grid.add_column(width=5)
        grid.add_column(width=18, no_wrap=True)
        grid.add_column(width=11, no_wrap=True)
        grid.add_column(overflow="fold")
        grid.add_row(
            Text(at.strftime("%H:%M") if at else "", style="dim"),
            Text(version.outlet or version.provider if version else "editor", style="bold"),
            Text(label, style=STYLES[kind]),
            self._said(event, kind),
        )
        self.out.print(grid)

    def close(self) -> None:
        """The last line: what the day came to."""
        t = self.tally
        self.out.print(
            f"[dim]{t.articles} events in {len(t.stories)} stories: {t.developments} with a new development, "
            f"{t.pushes} a desk would be rung for[/]"
        )

    def _clock(self, text: str | None) -> datetime | None:
        """A time on one clock for the whole film: that of the first item that has one."""
        at = as_sent(text)
        if at is None or at.tzinfo is None:
            return at
        self._zone = self._zone or at.tzinfo
        try:
            return at.astimezone(self._zone)
        except OverflowError:  # a date at the end of time
            return at

    def _label(self, event: Event, kind: str) -> str:
        if kind == "updated":
            return f"UPDATE {self._updates[event.subject]}"
        if kind == "joined":
            decision = event.data.decision
            return "late" if decision.late else decision.action if decision.action == "resend" else decision.relation
        return {"created": "new story", "advised": "advisory"}.get(kind, kind).upper()

    def _said(self, event: Event, kind: str) -> Text:
        """What the event says, in a line or two."""
        data, change = event.data, event.data.change
        text = Text()
        if kind == "withdrawn" and data.withdrawal:
            text.append(data.withdrawal.reason or "withdrawn")
            runs = ", ".join(recall.outlet or recall.provider for recall in data.withdrawal.recalls)
            text.append(f"  still run by {runs}" if runs else "", style="bold red")
        elif kind == "joined":
            text.append(self._copied(event), style="dim")
        elif kind in ("created", "held", "released", "advised"):
            headline = data.version.headline if data.version else None
            text.append((headline if kind == "created" else bare_headline(headline)) or _opening(event))
        elif kind in ("merged", "split"):
            text.append(data.decision.reason)
        else:
            parts = (
                [change.summary]
                if change and kind == "corrected"
                else news(change, data.version.headline if data.version else None)
                if change
                else []
            )
            text.append("NEW " if parts and kind != "corrected" else "", style="bold")
            text.append(" · ".join(parts) or (change.summary if change else "") or data.decision.reason)
        if change is not None and change.push.yes:
            text.append("  ALERT", style="bold red")
        elif kind == "joined":
            text.append("  no alert", style="dim")
        return text

    def _copied(self, event: Event) -> str:
        """How a joined item is shown: "5 paragraphs differ, 0 new (copy of UPDATE 1, cut; ignored quotes, dateline)"."""
        decision, change = event.data.decision, event.data.change
        why = [decision.reason]
        if (copy := decision.copy_of) is not None:
            why = [
                f"copy of {self._names.get(copy.input, 'an earlier item')}{', cut' if copy.kind == 'trimmed' else ''}"
            ]
            why += [f"{copy.since} since"] if copy.since else []
        if change and (noise := ignored(change.noise)):
            why.append(f"ignored {noise}")
        unlike = differs(change)
        told = "1 paragraph differs" if unlike == 1 else f"{unlike} paragraphs differ"
        return f"{told}, {len(fresh(change))} new ({'; '.join(why)})"


def _opening(event: Event) -> str:
    version = event.data.version
    first = version.paragraphs[0].text if version and version.paragraphs else ""
    return first if len(first) <= 100 else first[:97].rsplit(" ", 1)[0] + " …"
