"""What a kind of story consists of: sentences with places for facts, each in several wordings.

In a wording `[a|b]` is one of both, chosen once for a report and kept in all its versions, and `{place}` is a fact of the
story, the same in every report of it. A second agency takes other wordings for the same facts.
"""

from __future__ import annotations

import msgspec

Wordings = tuple[str, ...]
"""One sentence or paragraph, in several wordings."""


class Kind(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of story in one language.

    `lines` follow the lead in the first report, `later` are developments, `quotes` come with their speaker, `background`
    was known before the story. `moving` are the facts that go on (a toll, a count, a price), `mendable` the one that a
    correction corrects. `rings` says whether a desk wants to hear of it when they move.
    """

    name: str
    language: str
    headline: Wordings
    lead: Wordings
    lines: tuple[Wordings, ...]
    later: tuple[Wordings, ...]
    quotes: tuple[Wordings, ...]
    background: tuple[Wordings, ...]
    mendable: str
    moving: tuple[str, ...] = ()
    rings: bool = False
