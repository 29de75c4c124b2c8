"""What an article says about itself, in the terms that the grouper asks for.

The parsers have read the wire's words into `update_kind`, `signals` and `ed_note` (`services.core.wire.markers`); here they
become answers: is it an ending, a notice, an update that follows something, a correction?
"""

from __future__ import annotations

import re
from typing import Final

import msgspec

from services.core.article import Article
from services.core.decision import Action
from services.core.meaning.notices import is_correction, is_please_read

_CORRECTS: Final = frozenset({"correction", "corrective", "clarification"})
_FOLLOWS: Final = frozenset({
    "update", "lead", "writethru", "refile", "correction", "corrective", "clarification", "add", "insert", "sub", "pickup",
    "repeat",
})  # fmt: skip
_TAKES: Final = frozenset({"add", "insert", "sub", "pickup"})
_HEADLINED: Final = re.compile(r"\bheadlined,?\s{1,3}[\"“„«‘']([^\"”“»\n]{6,200})[\"”“»’']", re.IGNORECASE)


class Marks(msgspec.Struct, frozen=True, kw_only=True):
    """`ending` is the action of a kill, hold or release; `chains`: it says that it follows an item already sent;
    `headlined` the headline that a notice or kill quotes.
    """

    ending: Action | None = None
    is_notice: bool = False
    is_advisory: bool = False
    is_roundup: bool = False
    is_take: bool = False
    chains: bool = False
    corrects: bool = False
    headlined: str | None = None


def read_marks(article: Article) -> Marks:
    """Read them off the article's fields. Status beats update kind, and update kind beats what the text looks like."""
    kind = article.update_kind or ""
    ending: Action | None = None
    if article.pub_status == "canceled" or kind in ("kill", "withdrawn"):
        ending = "withdraw"
    elif article.pub_status == "withheld" or kind == "hold":
        ending = "hold"
    elif kind == "release":
        ending = "release"
    notice = ending is None and is_please_read(article)
    says = [*(p.text for p in article.body[:3]), article.ed_note or ""] if notice or ending else []
    quoted = next((m[1] for text in says if (m := _HEADLINED.search(text[:2_000]))), None)
    return Marks(
        ending=ending,
        is_notice=notice,
        is_advisory=kind == "advisory",
        is_roundup=kind == "wrapup",
        is_take=kind in _TAKES or (article.take or 0) > 1,
        chains=kind in _FOLLOWS or article.update_number is not None or (article.take or 0) > 1,
        corrects=kind in _CORRECTS or (ending is None and is_correction(article)),
        headlined=quoted,
    )
