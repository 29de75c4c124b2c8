"""A redline as one HTML page that needs nothing else: no script, no request, no font from elsewhere.

Text of the wire is hostile: Jinja2 escapes every value, no value stands in an attribute but `lang`, `id` and numbers of ours, and
the page's own Content-Security-Policy allows the one style sheet in it, by its hash.
"""

from __future__ import annotations

import base64
import hashlib
import re
from functools import lru_cache
from importlib.resources import files
from typing import Final

import regex
from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from services.core.article import Article
from services.core.change import Change
from services.pages.redline import blocks, folded, marks, noise_told, notes, verdict

_LANGUAGE: Final = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}")
_UNSEEN: Final = regex.compile(r"[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069]+")
"""Out of a window's title: it cannot be isolated, and an override would turn it round."""
CORRECTING: Final = frozenset({"correction", "corrective", "clarification"})


def redline_page(old: Article, new: Article, change: Change, *, everything: bool = False) -> str:
    """The page for two versions and the change between them. `everything` folds no unchanged paragraphs away."""
    shown = blocks(old, new, change) if change.same_story else ()
    headline = change.headline
    style = _part("redline.css")
    return _environment().get_template("redline.html").render(
        old=old,
        new=new,
        change=change,
        verdict=verdict(change),
        rows=folded(shown, everything=everything),
        rings=change.push.reasons if change.push.yes else (),
        news_reasons=change.new_development.reasons,
        places={block.after[0] for block in shown if block.after},
        news=sum(block.is_news for block in shown),
        quiet=sum(block.is_quiet for block in shown),
        headline=marks(headline.before or "", headline.after or "", headline.spans) if headline else (),
        noise=noise_told(change.noise),
        marked_noise=sum(mark.kind == "noise" for block in shown for mark in block.marks),
        notes=notes(new, change),
        note_is="Correction" if new.update_kind in CORRECTING else "Editor’s note",
        language=_language(new),
        title=_UNSEEN.sub(" ", new.headline or old.headline or new.uri),
        style=Markup(style),  # noqa: S704  # ours
        policy=f"default-src 'none'; style-src 'sha256-{_digest(style)}'; base-uri 'none'; form-action 'none'",
    )  # fmt: skip


def _language(article: Article) -> str:
    return article.language if article.language and _LANGUAGE.fullmatch(article.language) else "und"


def _digest(style: str) -> str:
    return base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()


@lru_cache(maxsize=8)
def _part(name: str) -> str:
    return files("services.pages").joinpath("templates", name).read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def _environment() -> Environment:
    from jinja2 import FunctionLoader

    return Environment(
        loader=FunctionLoader(_part), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
