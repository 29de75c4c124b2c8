"""What others do with a story: sites run an agency's text, whole or cut, and another agency reports the same event."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from services.core.article import Article, Paragraph
from services.core.decision import Since
from services.synthetic.report import Report, dressed, places
from services.synthetic.truth import Edit, Item, Label, Truth
from services.synthetic.wire import AGENCIES, Wire

OUTLETS: Final = {
    "en": ("The Lantern", "Harrow Bay Courier", "The North Post", "Skerry Gazette"),
    "de": ("Watt-Bote", "Neue Deichzeitung"), "fr": ("Le Phare", "Le Courrier du Quai"), "es": ("El Farol", "La Marea"),
}  # fmt: skip
OLD: Final = 0.25
"""Chance that a site runs a version that is not the newest."""


def copied(wire: Wire, edit: Edit, at: datetime, seen: list[Article]) -> Item | None:
    """A site's copy of one of the agency's versions: its typography, no dateline, the credit at the end, perhaps cut."""
    rng, report = wire.rng, wire.report
    outlet = rng.choice(OUTLETS[wire.language])
    provider = outlet.lower().replace(" ", "").replace("-", "")
    if any(one.provider == provider for one in seen):
        return None  # each site once: a second copy of its own would be a version of the first
    place = rng.randrange(len(wire.sent)) if rng.random() < OLD else len(wire.sent) - 1
    source = wire.sent[place]
    texts = [dressed(p.text.removeprefix(wire.dateline), wire.language) for p in source.body]
    if edit == "copied_trimmed":
        if len(texts) < 4:
            return None
        texts = texts[: rng.randint(2, len(texts) - 1)]
    credit = rng.choice((f" ({wire.agency.initials})", f" — {wire.agency.name}", ""))
    texts[-1] += credit
    article = Article(
        provider=provider, outlet=outlet, uri=f"https://{provider}.example/{wire.number}-{rng.getrandbits(24):06x}",
        language=wire.language, version_created=at.isoformat(), headline=dressed(wire.titles[place], wire.language),
        body=tuple(map(Paragraph, texts)),
    )  # fmt: skip
    later = wire.sent[place + 1 :]
    since: Since | None = ("corrected" if any(one.ed_note for one in later) else "overtaken") if later else None
    truth = Truth(
        ref=article.ref, provider=provider, story=str(wire.number), kind=report.kind.name, edit=edit, relation="copy",
        copy_of=source.ref, since=since, news=False, push=False, paragraphs=tuple("old" for _ in texts),
    )  # fmt: skip
    return Item(article, truth)


def covered(wire: Wire, at: datetime, seen: list[Article]) -> Item | None:
    """Another agency's first report of the event: the same facts in other words, and often one development more."""
    others = [
        a for a in AGENCIES[wire.language] if a is not wire.agency and all(a.name != one.provider for one in seen)
    ]
    if not others or not wire.sent[-1].body:
        return None
    rng, kind = wire.rng, wire.report.kind
    agency = rng.choice(others)
    report = Report(rng, kind, wire.report.facts, unlike=frozenset(wire.report.used))
    for _ in range(rng.randint(1, len(kind.lines))):
        report.tell("lines")
    if rng.random() < 0.6:
        report.tell("later", at=1)
    labels: list[Label | None] = []
    for (key, pattern), text in zip(report.parts, report.texts(), strict=True):
        if key not in wire.said:
            labels.append("new")
        elif text in wire.said[key] or (key == "lead" and places(pattern) <= wire.said["lead facts"]):
            labels.append("old")
        else:
            labels.append(None)  # other words for what was said may hold a fact more
        wire.said.setdefault(key, set()).add(text)
        wire.said.setdefault(f"{key} facts", set()).update(places(pattern))
    lead, *rest = report.texts()
    article = Article(
        provider=agency.name, uri=f"urn:{agency.initials.lower().replace(' ', '')}.example:{wire.number}-{rng.getrandbits(32):08x}",
        version="1", language=wire.language, version_created=at.isoformat(), headline=report.title(), urgency="4",
        slugline=f"{wire.report.facts['place2']}-{kind.name}".upper(),
        body=tuple(map(Paragraph, (wire.dateline.replace(wire.agency.initials, agency.initials) + lead, *rest))),
    )  # fmt: skip
    truth = Truth(
        ref=article.ref, provider=agency.name, story=str(wire.number), kind=kind.name, edit="covered", relation="coverage",
        news=True if "new" in labels else None, paragraphs=tuple(labels),
    )  # fmt: skip
    return Item(article, truth)
