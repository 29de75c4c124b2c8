"""Two versions read as wholes, and what one passage gained and lost against the other.

A figure that only moved to another paragraph is no news, and a name is lost only when it stands nowhere any more: so each
version is read once, and a pair of passages is judged against both readings.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import msgspec
import regex

from services.core import facts, lexicon, numbers
from services.core import said as saying
from services.core.article import Article, Paragraph
from services.core.change import IndexedText
from services.core.lexicon import Lexicon
from services.core.noise import is_furniture, is_only_note, strip_noise
from services.core.said import Said
from services.core.text import STOP_WORDS, words

SAME_SPEAKER_TEXT = 0.5
"""Similarity from which a pair is close enough that another voucher is a change and not another statement."""
_CODES = regex.compile(r"<[^<>\s]{1,16}>")
_SAME_HOUSE = (
    frozenset(["white", "house", "washington", "us", "american", "pentagon", "administration"]),
    frozenset(["kremlin", "moscow", "russian", "russia"]),
    frozenset(["downing", "street", "london", "british"]),
    frozenset(["elysee", "élysée", "paris", "french", "france"]),
    frozenset(["berlin", "bonn", "german", "germany", "kanzleramt"]),
    frozenset(["beijing", "chinese", "china", "peking"]),
    frozenset(["tokyo", "japanese", "japan"]),
)
"""Words that newspapers use for the same government: swapping one for another is the same voucher."""


class Version(msgspec.Struct, frozen=True):
    """One version read once: its copy without noise, and the words, figures and names in it (headline included: it
    is paragraph -1, the first of `texts` and `quantities`).
    """

    headline: str
    body: tuple[str, ...]
    lead: int | None
    words: frozenset[str]
    stems: frozenset[str]
    word_pairs: frozenset[tuple[str, str]]
    quantities: tuple[tuple[numbers.Quantity, ...], ...]
    values: frozenset[Fraction]

    @property
    def texts(self) -> tuple[str, ...]:
        return (self.headline, *self.body)

    @property
    def figures(self) -> tuple[numbers.Quantity, ...]:
        return tuple(q for qs in self.quantities for q in qs)


class Scene(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a label depends on beside the paragraph itself."""

    old: Version
    new: Version
    said: tuple[Said, ...]
    language: str
    lexicon: Lexicon
    correcting: bool
    notice: bool
    year: int | None


def read(article: Article | None) -> Version:
    """The version as a whole. An article that is not there has said nothing."""
    if article is None:
        return Version("", (), None, frozenset(), frozenset(), frozenset(), (), frozenset())
    lead = first_copy(article.body)
    body = tuple(_plain(p.text, first=i == lead) for i, p in enumerate(article.body))
    headline = _CODES.sub(" ", article.headline or "")
    every = frozenset(w for text in (headline, *body) for w in words(text))
    language = lexicon.language_of("\n".join(body), article.language)
    quantities = tuple(numbers.extract(text, language) for text in (headline, *body))
    return Version(
        headline=headline,
        body=body,
        lead=lead,
        words=every,
        stems=frozenset(lexicon.stem(w, language) for w in every),
        word_pairs=facts.word_pairs((headline, *body)),
        quantities=quantities,
        values=frozenset(q.value for qs in quantities for q in qs),
    )


def first_copy(body: Sequence[Paragraph]) -> int | None:
    """The place of the lead: the first paragraph that is copy."""
    return next(
        (
            i
            for i, p in enumerate(body)
            if p.kind in ("paragraph", "table") and not is_only_note(p.text) and not is_furniture(p.text)
        ),
        None,
    )


def _plain(text: str, *, first: bool = False) -> str:
    return _CODES.sub(" ", strip_noise(text, first=first))


def joined(side: Sequence[IndexedText], version: Version) -> str:
    return "\n".join(version.body[p.index] for p in side)


def text_of(side: Sequence[IndexedText]) -> str:
    return "\n".join(p.text for p in side)


class Difference(msgspec.Struct, frozen=True):
    """What a pair gained and lost, of what stands nowhere else in the other version.

    `gone` and `come` are all words that left and came; `fresh` and `shed` those of content that the other version and
    the story do not have. `changes` are quantities with another value, `vouchers` who said it and who says it now.
    """

    gone: tuple[str, ...]
    come: tuple[str, ...]
    fresh: tuple[str, ...]
    shed: tuple[str, ...]
    new_figures: tuple[numbers.Quantity, ...]
    lost_figures: tuple[numbers.Quantity, ...]
    new_names: tuple[str, ...]
    lost_names: tuple[str, ...]
    turns: tuple[facts.Turned, ...]
    vouchers: tuple[str, str] | None
    changes: tuple[tuple[numbers.Quantity, numbers.Quantity], ...]


def difference(old: str, new: str, scene: Scene, similarity: float) -> Difference:
    gone, come, kept = word_edits(words(old), words(new))
    figures_old, figures_new = numbers.extract(old, scene.language), numbers.extract(new, scene.language)
    values_old, values_new = {q.value for q in figures_old}, {q.value for q in figures_new}
    lex = scene.lexicon
    return Difference(
        gone=gone,
        come=come,
        fresh=tuple(w for w in dict.fromkeys(come) if telling(w) and lexicon.stem(w, scene.language) not in scene.old.stems and not saying.holds_words((w,), scene.said)),
        shed=tuple(w for w in dict.fromkeys(gone) if telling(w) and lexicon.stem(w, scene.language) not in scene.new.stems),
        new_figures=tuple(
            q for q in figures_new
            if q.value not in values_old and q.value not in scene.old.values and not saying.holds_number(q, scene.said)
        ),
        lost_figures=tuple(q for q in figures_old if q.value not in values_new and q.value not in scene.new.values),
        new_names=new_names(new, scene),
        lost_names=tuple(n for n in facts.names(old, scene.language) if facts.is_lost(n, scene.new.words)),
        turns=facts.turns(gone, come, kept, lex),
        vouchers=_other_voucher(old, new, lex) if similarity >= SAME_SPEAKER_TEXT else None,
        changes=tuple(numbers.changed_in(figures_old, figures_new, scene.old.values, scene.new.values)),
    )  # fmt: skip


def new_names(text: str, scene: Scene) -> tuple[str, ...]:
    return tuple(
        n for n in facts.names(text, scene.language)
        if not facts.is_known(n, scene.old.words) and not saying.holds_words((n,), scene.said)
    )  # fmt: skip


def telling(word: str) -> bool:
    return word not in STOP_WORDS and len(word) > 1 and not word[0].isdigit()


def word_edits(old: Sequence[str], new: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Words that left, that came, and that stayed, each in order, as multisets: order alone changes nothing here."""
    left: dict[str, int] = {}
    for w in new:
        left[w] = left.get(w, 0) + 1
    gone, kept = [], []
    for w in old:
        if left.get(w, 0):
            left[w] -= 1
            kept.append(w)
        else:
            gone.append(w)
    have: dict[str, int] = {}
    for w in old:
        have[w] = have.get(w, 0) + 1
    come = []
    for w in new:
        if have.get(w, 0):
            have[w] -= 1
        else:
            come.append(w)
    return tuple(gone), tuple(come), tuple(kept)


def _other_voucher(old: str, new: str, lex: Lexicon) -> tuple[str, str] | None:
    """Who said it before and who says it now, where these are different people or bodies."""
    before, after = facts.vouchers(old, lex), facts.vouchers(new, lex)
    if not before or not after or len(before) != len(after):
        return None
    for was, now in zip(before, after, strict=True):
        one, two = set(words(was)) - STOP_WORDS, set(words(now)) - STOP_WORDS
        if not one or not two or {w[:4] for w in one} & {w[:4] for w in two}:
            continue
        return was, now
    return None


def is_same_house(vouchers: tuple[str, str]) -> bool:
    one, two = (set(words(v)) for v in vouchers)
    return any(one & house and two & house for house in _SAME_HOUSE)
