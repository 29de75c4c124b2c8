"""One event as rules look at it: fields as words, what it changed, and the marks by which rules are found.

Made once per event and asked by many rules, so each field is read when the first rule asks for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from functools import cached_property
from typing import Final

from msgspec.structs import replace

from services.core.alerting.alert import Recalled, Told
from services.core.alerting.query import EVERYWHERE, Need, tokens
from services.core.change import NEW_DEVELOPMENTS, Change, ParagraphChange, Quote
from services.core.decision import EventType
from services.core.events import Event, EventVersion, event_kind
from services.core.identity import digest
from services.core.redline.noise import bare_headline
from services.core.times import has_zone, instant, iso

MOST_PARAGRAPHS: Final = 4
MOST_SIDES: Final = 2
"""Paragraphs of an entry on either side: where many became one, the first tell enough."""
LONGEST_TEXT: Final = 600
"""Code points of any text that an alert carries: it is read on a telephone, and must fit a Kafka message ten times over."""
LONGEST_URL: Final = 2_000
MOST_SPANS: Final = 40
"""Edits in a paragraph; with more, the two texts are shown whole."""
MOST_WHY: Final = 6
MOST_LISTED: Final = 20
"""Figures, quotations and outlets that an alert names at most."""
BREAK: Final = "\n"
"""Stands between two texts of a field, so that no phrase goes from one into the next."""
ANY_ZONE: Final = timedelta(hours=12)
"""An embargo without a zone is over when its hour has come everywhere."""


class Seen:
    """An event, read once."""

    def __init__(self, event: Event) -> None:
        self.event = event
        self.kind: EventType = event_kind(event)  # type: ignore[assignment]  # our own type's name
        self.story = event.data.story
        self.version = event.data.version
        self.change = event.data.change or Change()
        self._words: dict[str, tuple[str, ...]] = {}
        self._vocabularies: dict[str, frozenset[str]] = {}

    # -- for queries ---------------------------------------------------------------------------------------------------

    def words(self, field: str) -> tuple[str, ...]:
        """The words of a field."""
        found = self._words.get(field)
        if found is None:
            texts = [tokens(text) for text in _FIELDS[field](self) if text]
            found = self._words[field] = tuple(word for said in texts for word in (*said, BREAK))[:-1]
        return found

    def vocabulary(self, field: str) -> frozenset[str]:
        """The words of a field, each once."""
        found = self._vocabularies.get(field)
        if found is None:
            found = self._vocabularies[field] = frozenset(self.words(field))
        return found

    def number(self, field: str) -> float | None:
        """A field as a number: urgency, outlets, articles, sequence, push, version."""
        text = {
            "urgency": self.urgency, "outlets": self.story.outlets, "articles": self.story.articles,
            "sequence": self.story.sequence, "push": self.change.push.score,
            "version": self.version.provider_version if self.version else None,
        }[field]  # fmt: skip
        try:
            return float(text) if text is not None else None
        except ValueError:
            return None

    @cached_property
    def marks(self) -> frozenset[Need]:
        """What the event is, for the index of rules, beside its words."""
        sets: dict[str, Iterable[str]] = {
            "type=": (self.kind,), "story=": (self.story.id,), "provider=": self.providers, "language=": self.languages,
            "keyword=": self.keywords, "urgency=": (self.urgency,) if self.urgency else (),
            "has=": (name for name, true in self._has().items() if true),
        }  # fmt: skip
        return frozenset((field, each) for field, values in sets.items() for each in values)

    def _has(self) -> dict[str, bool]:
        change = self.change
        return {
            "push": change.push.yes, "new": change.new_development.yes, "numbers": bool(change.numbers),
            "conflict": bool(change.conflicts), "retraction": self.retracts, "headline": change.headline_changed,
            "lead": change.lead_changed,
        }  # fmt: skip

    # -- what rules ask ------------------------------------------------------------------------------------------------

    @property
    def urgency(self) -> str | None:
        return (self.version.urgency if self.version else None) or self.story.urgency

    @cached_property
    def providers(self) -> frozenset[str]:
        """Who sent it, folded: the provider and the outlet."""
        sent = (self.version.provider, self.version.outlet) if self.version else ()
        return frozenset(name.casefold() for name in sent if name)

    @cached_property
    def languages(self) -> frozenset[str]:
        """The language as sent and without its country, folded."""
        told = ((self.version.language if self.version else None) or self.story.language or "").casefold()
        return frozenset(each for each in (told, told.replace("_", "-").partition("-")[0]) if each)

    @cached_property
    def keywords(self) -> frozenset[str]:
        return frozenset(word.casefold() for word in self.story.keywords)

    @cached_property
    def entries(self) -> tuple[ParagraphChange, ...]:
        """The changed paragraphs that carry a new development."""
        return tuple(each for each in self.change.paragraphs if each.development in NEW_DEVELOPMENTS)

    @cached_property
    def developments(self) -> frozenset[str]:
        """The labels of paragraphs and headline."""
        headline = self.change.headline
        return frozenset(
            (*(p.development for p in self.change.paragraphs), *([headline.development] if headline else ()))
        )

    @property
    def retracts(self) -> bool:
        """Whether something that was said is gone: a kill, a hold, or a claim without a word."""
        return self.kind in ("withdrawn", "held") or "retracted" in self.developments

    @cached_property
    def received_at(self) -> datetime | None:
        """When the copy came in, where that is known."""
        told = self.event.recordedtime
        return instant(told) if isinstance(told, str) else None

    @cached_property
    def embargo_ends(self) -> str | None:
        """When the copy may be shown (ISO 8601, UTC), if there is an embargo."""
        until = instant(self.story.embargoed_until)
        if until is None:
            return None
        return iso(until if has_zone(self.story.embargoed_until) else until + ANY_ZONE)

    @cached_property
    def fingerprint(self) -> str:
        """The same for what tells a desk the same: the headline's words and the new text."""
        head = tokens(bare_headline(self.version.headline if self.version else None) or "")
        new = [tokens(side.text) for each in self.entries for side in (each.after or each.before)]
        return digest("said", self.kind == "withdrawn", self.kind == "held", head, new, size=8)

    def told(self, why: Iterable[str]) -> Told:
        """The event as an alert carries it, with the reasons of one rule."""
        return replace(self._told, why=tuple(dict.fromkeys(map(_short, why)))[:MOST_WHY])

    @cached_property
    def _told(self) -> Told:
        version, data, change = self.version, self.event.data, self.change
        withdrawal, correction = data.withdrawal, data.correction
        note = (
            withdrawal.reason if withdrawal else correction.note if correction else version.ed_note if version else None
        )
        recalls = withdrawal.recalls if withdrawal else ()
        return Told(
            event=self.event.id, story=self.story.id, sequence=self.story.sequence, type=self.kind,
            at=self.event.recordedtime or (version.version_created if version else None),
            headline=_short_or_none((version.headline if version else None) or self.story.headline),
            summary=_short(change.summary),
            provider=version.provider if version else None, uri=_short(version.uri) if version else None,
            input=version.input if version else None, url=_fitting(version.url if version else None),
            language=version.language if version else self.story.language, urgency=self.urgency,
            outlets=self.story.outlets, push=change.push.score, note=note, embargoed_until=self.story.embargoed_until,
            usage_terms=_short_or_none(version.usage_terms if version else None), numbers=tuple(
                replace(n, before=_short(n.before), after=_short(n.after), context=_short(n.context)) for n in change.numbers[:MOST_LISTED]
            ),
            quotes=tuple(
                Quote(_short(q.text), _short_or_none(q.speaker)) for q in change.quotes_added[:MOST_LISTED]
            ), conflicts=tuple(
                replace(c, ours=_short(c.ours), theirs=_short(c.theirs)) for c in change.conflicts[:MOST_LISTED]
            ),
            recalls=tuple(Recalled(provider=_short(r.provider), outlet=_short_or_none(r.outlet), url=_fitting(r.url)) for r in recalls[:MOST_LISTED]),
            paragraphs=tuple(_cut(each) for each in (self.entries or change.paragraphs)[:MOST_PARAGRAPHS]),
        )  # fmt: skip


def _cut(entry: ParagraphChange) -> ParagraphChange:
    """The entry with texts that fit an alert; edits past the cut are left out."""
    sides = {
        name: tuple(replace(one, text=_short(one.text)) for one in getattr(entry, name)[:MOST_SIDES])
        for name in ("before", "after")
    }
    if sides["before"] == entry.before and sides["after"] == entry.after:
        return entry if len(entry.spans) <= MOST_SPANS else replace(entry, spans=())
    several = len(entry.before) > 1 or len(entry.after) > 1
    spans = (
        ()
        if several
        else tuple(s for s in entry.spans if max(s.before.at[1], s.after.at[1]) < LONGEST_TEXT)[:MOST_SPANS]
    )
    return replace(entry, spans=spans, **sides)


def _fitting(url: str | None) -> str | None:
    """An address as it is, or none: half of one leads nowhere."""
    return url if url is not None and len(url) <= LONGEST_URL else None


def _short_or_none(text: str | None) -> str | None:
    return None if text is None else _short(text)


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_TEXT else f"{text[: LONGEST_TEXT - 1]}…"


def _of_version(name: str) -> Callable[[Seen], Iterable[str | None]]:
    return lambda seen: (getattr(seen.version, name),) if seen.version else ()


def _body(seen: Seen) -> Iterable[str]:
    return (p.text for p in seen.version.paragraphs) if seen.version else ()


def _lead(seen: Seen) -> Iterable[str]:
    version: EventVersion | None = seen.version
    return [p.text for p in version.paragraphs if p.kind == "paragraph"][:1] if version else ()


_FIELDS: Final[dict[str, Callable[[Seen], Iterable[str | None]]]] = {
    EVERYWHERE: lambda s: (_headline(s), s.story.slugline, *s.story.keywords, _note(s), *_body(s)),
    "headline": lambda s: (_headline(s),),
    "lead": _lead,
    "body": _body,
    "changed": lambda s: (side.text for each in s.change.paragraphs for side in each.after),
    "removed": lambda s: (side.text for each in s.change.paragraphs if not each.after for side in each.before),
    "slugline": lambda s: (s.story.slugline, s.version.slugline if s.version else None),
    "keywords": lambda s: s.story.keywords,
    "byline": _of_version("byline"),
    "dateline": _of_version("dateline"),
    "note": lambda s: (_note(s),),
    "summary": lambda s: (s.change.summary,),
    "quotes": lambda s: (quote.text for quote in s.change.quotes_added),
    "speakers": lambda s: (quote.speaker for quote in s.change.quotes_added),
    "entities": lambda s: s.change.entities_added,
    "provider": _of_version("provider"),
    "outlet": _of_version("outlet"),
    "language": lambda s: ((s.version.language if s.version else None) or s.story.language,),
    "type": lambda s: (s.kind,),
    "status": lambda s: (s.story.status,),
    "story": lambda s: (s.story.id,),
    "uri": _of_version("uri"),
    "url": _of_version("url"),
    "genre": _of_version("genre"),
    "signals": lambda s: s.version.signals if s.version else (),
    "relation": lambda s: (s.event.data.decision.relation,),
    "action": lambda s: (s.event.data.decision.action,),
    "level": lambda s: (s.change.level,),
    "development": lambda s: s.developments,
    "usage": _of_version("usage_terms"),
    "urgency": lambda s: (s.urgency,),
}


def _headline(seen: Seen) -> str | None:
    return (seen.version.headline if seen.version else None) or seen.story.headline


def _note(seen: Seen) -> str | None:
    return seen.version.ed_note if seen.version else None
