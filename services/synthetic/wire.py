"""The agency that has a story first: how it sends versions, and what it does to the text from one to the next."""

from __future__ import annotations

from datetime import datetime
from random import Random
from typing import Final, Literal, NamedTuple

import msgspec

from services.core.article import Article, Paragraph
from services.core.decision import Action, Relation
from services.synthetic.report import Report, dressed, places
from services.synthetic.truth import NEVER_RINGS, Edit, Item, Label, Truth

Chain = Literal["version", "update", "lead", "silent"]
"""How later versions name the earlier: the same id counted up; a new id that names it; a slug with a lead; not at all."""


class Agency(NamedTuple):
    """An invented agency: its name, its initials in datelines, and how it sends versions."""

    name: str
    initials: str
    chain: Chain


AGENCIES: Final[dict[str, tuple[Agency, ...]]] = {
    "en": (Agency("Nordwire", "Nordwire", "update"), Agency("Meridian Press", "Meridian Press", "version"),
           Agency("Coast News Service", "CNS", "lead"), Agency("Atlas Bureau", "Atlas Bureau", "silent")),
    "de": (Agency("Küstendienst", "kd", "version"), Agency("Binnenpost", "bip", "update")),
    "fr": (Agency("Agence Rivage", "AR", "version"), Agency("Dépêches du Nord", "DDN", "update")),
    "es": (Agency("Prensa Austral", "PA", "version"), Agency("Agencia Ribera", "AgR", "lead")),
}  # fmt: skip
NOTES: Final = {
    "en": "Corrects figure in paragraph {n} to {after} from {before}",
    "de": "Im {n}. Absatz wurde die Zahl berichtigt: {after} statt {before}",
    "fr": "Corrige le chiffre au paragraphe {n}: {after} au lieu de {before}",
    "es": "Corrige la cifra en el párrafo {n}: {after} en lugar de {before}",
}
MARKS: Final = {"en": "CORRECTED-", "de": "KORREKTUR: ", "fr": "CORRIGÉ: ", "es": "CORRECCIÓN: "}
KILLS: Final = {
    "en": "KILL: The item rests on a call that was a hoax. Do not use it in any form.",
    "de": "Bitte verwenden Sie die Meldung nicht: Der Anruf, auf dem sie beruht, war gefälscht.",
    "fr": "Veuillez ne pas utiliser cette dépêche: l'appel dont elle est tirée était un canular.",
    "es": "No utilicen esta noticia: la llamada en la que se basa era falsa.",
}
KILL_MARKS: Final = {"en": "KILL: ", "de": "ZURÜCKGEZOGEN: ", "fr": "ANNULATION: ", "es": "ANULADA: "}
OLD: Final[Label] = "old"
ORDINALS: Final = ("1st", "2nd", "3rd", *(f"{n}th" for n in range(4, 30)))


class Wire:
    """One agency's chain of versions of its report, and what the story has said so far."""

    def __init__(self, rng: Random, agency: Agency, report: Report, number: int) -> None:
        self.rng, self.agency, self.report, self.number = rng, agency, report, number
        self.language = report.kind.language
        self.sent: list[Article] = []
        self.titles: list[str] = []
        self.said: dict[str, set[str]] = {}
        self.updates = 0
        kind, place = report.kind, report.facts["place"]
        self.slug = f"{place}-{kind.name}".upper()
        self.dateline = f"{place.upper() if self.language == 'en' else place} ({agency.initials}) - "

    def first(self, edit: Edit, at: datetime) -> Item:
        """The first report, or a flash of one sentence."""
        labels = self.labels()
        return self._send(edit, at, labels, news=True, urgency="1" if edit == "flash" else "4")

    def step(self, edit: Edit, at: datetime) -> Item | None:
        """The next version; None where the story has nothing that this edit could work on."""
        return {
            "moved_on": self._moved_on, "added": self._told, "quoted": self._told, "background": self._told,
            "trimmed": self._trimmed, "reordered": self._reordered, "quote_dropped": self._quote_dropped,
            "typography": self._typography, "corrected": self._corrected, "resent": self._resent, "killed": self._killed,
        }[edit](edit, at)  # fmt: skip

    def labels(self) -> tuple[Label | None, ...]:
        """What each paragraph of the report is to a reader of all that the story has said; it is said from now on."""
        found: list[Label | None] = []
        for (key, pattern), text in zip(self.report.parts, self.report.texts(), strict=True):
            known = self.said.setdefault(key, set())
            if text in known:
                found.append("old")
            elif key.startswith("background"):
                found.append("background")
            else:
                found.append("new")
            known.add(text)
            self.said.setdefault(f"{key} facts", set()).update(places(pattern))
        return tuple(found)

    # -- what may happen to a text -------------------------------------------------------------------------------------

    def _moved_on(self, edit: Edit, at: datetime) -> Item | None:
        kind, facts = self.report.kind, self.report.facts
        if not kind.moving or facts.get(kind.moving[0], "") in ("98", "99"):
            return None
        before = facts[kind.moving[0]]
        for name in kind.moving:
            facts[name] = facts.go_on(name)
        labels = self.labels()
        if "new" not in labels:
            return None
        return self._send(edit, at, labels, news=True, push=kind.rings or (False if kind.name == "market" else None),
                          before=before, after=facts[kind.moving[0]])  # fmt: skip

    def _told(self, edit: Edit, at: datetime) -> Item | None:
        name = {"added": "later", "quoted": "quotes", "background": "background"}[edit]
        if edit == "added" and len(self.report.parts) == 1:  # a flash grows
            for _ in range(self.rng.randint(1, len(self.report.kind.lines))):
                self.report.tell("lines")
        else:
            place = None if edit == "background" else self.rng.randint(1, len(self.report.parts))
            if self.report.tell(name, at=place) is None:
                return None
        labels = self.labels()
        return self._send(edit, at, labels, news="new" in labels, push=False if edit in NEVER_RINGS else None)

    def _trimmed(self, edit: Edit, at: datetime) -> Item | None:
        if len(self.report.parts) < 4 or self.report.parts[-1][0].startswith("quotes"):
            return None
        self.report.parts.pop()
        return self._send(edit, at, self.labels(), news=False, push=False)

    def _reordered(self, edit: Edit, at: datetime) -> Item | None:
        if len(self.report.parts) < 4:
            return None
        self.report.parts.insert(1, self.report.parts.pop())
        return self._send(edit, at, self.labels(), news=False, push=False)

    def _quote_dropped(self, edit: Edit, at: datetime) -> Item | None:
        quoted = next((part for part in self.report.parts if part[0].startswith("quotes")), None)
        if quoted is None or len(self.report.parts) < 3:
            return None
        last = quoted is self.report.parts[-1]  # what stood at the end may have been cut for length
        self.report.parts.remove(quoted)
        return self._send(edit, at, self.labels(), news=None if last else True)

    def _typography(self, edit: Edit, at: datetime) -> Item | None:
        last = self.sent[-1]
        body = tuple(Paragraph(dressed(p.text, self.language)) for p in last.body)
        if body == last.body:
            return None
        return self._send(edit, at, self.labels(), news=False, push=False, body=body)

    def _corrected(self, edit: Edit, at: datetime) -> Item | None:
        name, facts = self.report.kind.mendable, self.report.facts
        place = next((i for i, (_, pattern) in enumerate(self.report.parts) if name in places(pattern)), None)
        if place is None:
            return None
        before, facts[name] = facts[name], facts.go_on(name)
        note = NOTES[self.language].format(n=place + 1, after=facts[name], before=before)
        return self._send(edit, at, self.labels(), news=True, mark=MARKS[self.language], ed_note=note,
                          before=before, after=facts[name])  # fmt: skip

    def _resent(self, edit: Edit, at: datetime) -> Item:
        last = self.sent[-1]
        again = msgspec.structs.replace(last, uri=self._uri(fresh=True), version="1", version_created=at.isoformat())
        truth = Truth(
            ref=again.ref, provider=self.agency.name, story=str(self.number), kind=self.report.kind.name, edit=edit,
            relation="copy", action="resend", predecessor=last.ref, news=False, push=False,
            paragraphs=(OLD,) * len(last.body),
        )  # fmt: skip
        return Item(again, truth)

    def _killed(self, edit: Edit, at: datetime) -> Item:
        last = self.sent[-1]
        headline = f"{KILL_MARKS[self.language]}{self.report.title()}"
        killed = msgspec.structs.replace(
            last, version=str(int(last.version or "1") + 1), version_created=at.isoformat(), pub_status="canceled", body=(),
            headline=headline, ed_note=KILLS[self.language],
        )  # fmt: skip
        truth = Truth(
            ref=killed.ref, provider=self.agency.name, story=str(self.number), kind=self.report.kind.name, edit=edit,
            relation="new_version", action="withdraw", predecessor=last.ref, push=True,
        )  # fmt: skip
        return Item(killed, truth)

    # -- sending ---------------------------------------------------------------------------------------------------------

    def _uri(self, *, fresh: bool) -> str:
        if self.sent and not fresh:
            return self.sent[-1].uri
        host = self.agency.initials.lower().replace(" ", "")
        return f"urn:{host}.example:{self.number}-{self.rng.getrandbits(32):08x}"

    def _send(
        self, edit: Edit, at: datetime, labels: tuple[Label | None, ...], *, news: bool | None, push: bool | None = None,
        urgency: str = "4", mark: str = "", ed_note: str | None = None, body: tuple[Paragraph, ...] | None = None,
        before: str | None = None, after: str | None = None,
    ) -> Item:  # fmt: skip
        last = self.sent[-1] if self.sent else None
        chain = self.agency.chain
        headline, slug = mark + self.report.title(), self.slug
        if last is not None:
            self.updates += 1
            if chain == "update" and not mark:
                headline = f"UPDATE {self.updates}-{headline}"
            if chain == "lead":
                slug = f"{slug}, {ORDINALS[self.updates - 1]} Ld-Writethru"
        if body is None:
            lead, *rest = self.report.texts()
            body = tuple(map(Paragraph, (self.dateline + lead, *rest)))
        article = Article(
            provider=self.agency.name, uri=self._uri(fresh=chain != "version"), language=self.language,
            version=str(self.updates + 1) if chain == "version" else "1", version_created=at.isoformat(),
            headline=headline, slugline=slug, urgency=urgency, ed_note=ed_note, body=body,
            evolved_from=last.uri if last and chain == "update" else None,
        )  # fmt: skip
        self.sent.append(article)
        self.titles.append(self.report.title())
        relation, action = self._relation(edit)
        truth = Truth(
            ref=article.ref, provider=self.agency.name, story=str(self.number), kind=self.report.kind.name, edit=edit,
            relation=relation, action=action,
            predecessor=last.ref if last else None, news=news, push=push, before=before, after=after, paragraphs=labels,
        )  # fmt: skip
        return Item(article, truth)

    def _relation(self, edit: Edit) -> tuple[Relation, Action]:
        """What a desk calls what was just sent: the same words again are a resend, a cut or turned re-run under a new id
        and without a word is a copy.
        """
        if len(self.sent) == 1:
            return "new_story", "none"
        if edit == "typography":
            return "new_version" if self.agency.chain == "version" else "copy", "resend"
        if edit in ("trimmed", "reordered") and self.agency.chain == "silent":
            return "copy", "none"
        return "new_version", "correct" if edit == "corrected" else "none"
