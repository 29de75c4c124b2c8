"""One name in two spellings: a letter apart, or cut short. Two letters apart are two names.

A wire writes Neb. for Nebraska and mends Braodview to Broadview without telling anybody anything; but Austria is not
Australia, Niger not Nigeria, and Gambia not Zambia.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from rapidfuzz.distance import OSA

from services.core.language.text import canonical

SHORTEST = 6
"""Letters from which a name that differs in one, not the first, is the same name."""
CUT = (3, 4)
"""Letters of a name cut short; with five, Niger would pass for Nigeria."""


class Spellings(msgspec.Struct, frozen=True):
    """The names of a text, laid out so that another spelling of one is found without asking them all."""

    by_start: dict[tuple[str, int], tuple[str, ...]] = {}
    short: frozenset[str] = frozenset()
    beginnings: frozenset[str] = frozenset()

    def hold(self, name: str, *, cut: bool = False) -> bool:
        """Whether one of the names is `name`, perhaps spelt another way; `cut`: perhaps cut short, on either side.

        Cuts are for two wordings of one passage: in a whole text, Mali would stand for Malikow.
        """
        wanted = canonical(name)
        if not wanted:
            return False
        if cut and (wanted in self.beginnings or (wanted.isalpha() and any(wanted[:n] in self.short for n in CUT))):
            return True
        near = (
            other
            for length in (len(wanted), len(wanted) - 1, len(wanted) + 1)
            for other in self.by_start.get((wanted[0], length), ())
        )
        return any(wanted == other or (len(wanted) >= SHORTEST and OSA.distance(wanted, other) <= 1) for other in near)


def spellings(names: Iterable[str]) -> Spellings:
    """The names of a text as they are looked up."""
    found = list(dict.fromkeys(canonical(name) for name in names))
    by_start: dict[tuple[str, int], list[str]] = {}
    for name in found:
        by_start.setdefault((name[:1], len(name)), []).append(name)
    return Spellings(
        {start: tuple(group) for start, group in by_start.items()},
        frozenset(name for name in found if len(name) in CUT and name.isalpha()),
        frozenset(name[:n] for name in found if len(name) > CUT[-1] and name.isalpha() for n in CUT),
    )


def same_name(one: str, other: str) -> bool:
    """Whether two names of one passage are one name in two spellings."""
    return spellings([one]).hold(other, cut=True)
