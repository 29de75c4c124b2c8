"""One reporter's account of a story: which sentences, in which wordings, over facts that all reporters share."""

from __future__ import annotations

import re
from random import Random

from services.synthetic.facts import Facts
from services.synthetic.kinds import Kind, Wordings

_CHOICE = re.compile(r"\[([^\[\]|]*(?:\|[^\[\]|]*)+)\]")
_PLACE = re.compile(r"\{(\w+)\}")
_OWN = re.compile(r"\{(n20|year|staff)\}")
_QUOTES = re.compile(r'"([^"]*)"')
CURLY = {"en": ("“", "”"), "fr": ("«", "»"), "de": ("„", "“"), "es": ("“", "”")}
"""Quotation marks that a site puts in place of the wire's."""


def wording(rng: Random, wordings: Wordings, key: str, unlike: frozenset[str]) -> tuple[str, str]:
    """One wording, and the same with its choices made: one that is not in `unlike`, if there is another.

    Figures that many sentences ask for get the sentence's own name.
    """
    chosen = rng.choice([one for one in wordings if one not in unlike] or wordings)
    text = _CHOICE.sub(lambda m: rng.choice(m[1].split("|")), chosen)
    return chosen, _OWN.sub(rf"{{\1_{key}}}", text)


def places(pattern: str) -> set[str]:
    """The facts that a wording names."""
    return set(_PLACE.findall(pattern))


class Report:
    """The sentences that one reporter has out: `parts` are (key, wording) in their order; the first is the lead.

    `unlike` are the wordings of another reporter, which this one avoids; `used` are its own.
    """

    def __init__(self, rng: Random, kind: Kind, facts: Facts, *, unlike: frozenset[str] = frozenset()) -> None:
        self.rng, self.kind, self.facts, self.unlike = rng, kind, facts, unlike
        self.used: set[str] = set()
        self.headline = self._word(kind.headline, "headline")
        self.parts: list[tuple[str, str]] = [("lead", self._word(kind.lead, "lead"))]
        self._unused = {
            name: [(f"{name}{i}", variants) for i, variants in enumerate(getattr(kind, name))]
            for name in ("lines", "later", "quotes", "background")
        }
        for unused in self._unused.values():
            rng.shuffle(unused)

    def tell(self, name: str, *, at: int | None = None) -> str | None:
        """Put the next unused sentence of `name` (lines, later, quotes, background) in; its key, None if all are out."""
        if not self._unused[name]:
            return None
        key, variants = self._unused[name].pop()
        self.parts.insert(len(self.parts) if at is None else at, (key, self._word(variants, key)))
        return key

    def _word(self, wordings: Wordings, key: str) -> str:
        chosen, text = wording(self.rng, wordings, key, self.unlike)
        self.used.add(chosen)
        return text

    def texts(self) -> list[str]:
        """The paragraphs as they read now."""
        return [capitalised(pattern.format_map(self.facts)) for _, pattern in self.parts]

    def title(self) -> str:
        return capitalised(self.headline.format_map(self.facts))


def capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]


def dressed(text: str, language: str) -> str:
    """The same text in a site's typography: its own quotation marks, apostrophes and dashes."""
    opening, closing = CURLY[language]
    text = _QUOTES.sub(rf"{opening}\1{closing}", text).replace("«", opening).replace("»", closing)
    return text.replace("'", "’").replace(" - ", " – ")
