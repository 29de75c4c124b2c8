"""How much of anything one input may hold: hostile or broken files end here, cheaply and by name."""

from __future__ import annotations

import msgspec


class Limits(msgspec.Struct, frozen=True):
    """Upper bounds, in bytes of UTF-8 unless said otherwise.

    `text` is DESIGN's 200 KiB per article, so that an event stays under the topic's 1 MiB. A file of plain text may be
    `slack` times as long before it is even split, because wrapping and indents go away. `paragraphs` bounds what each
    costs beside its text: 1,500 of 136 bytes (200 KiB), all replaced, make an event of just under 1 MiB (the seeds have
    31 at most). A file with `rejects` rejected items in a row holds something else than news. The other figures have no
    measurement behind them: the largest real item in the wire samples is 152 KB, ten levels deep.
    """

    text: int = 200 * 1024
    paragraphs: int = 1_500
    slack: int = 4
    item: int = 10 * 1024 * 1024
    markup: int = 2 * 1024 * 1024
    header: int = 64 * 1024
    depth: int = 64
    items: int = 10_000
    rejects: int = 1_000


DEFAULT = Limits()
