"""Two versions read as wholes, and what one passage gained and lost against the other.

A figure that only moved to another paragraph is no news, and a name is lost only when it stands nowhere any more: so each
version is read once, and a pair of passages is judged against both readings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache

import msgspec
import regex
from rapidfuzz.distance import Levenshtein

from services.core.article import Article, Paragraph
from services.core.change import IndexedText, NumberChange
from services.core.language import facts, lexicon, numbers
from services.core.language.lexicon import Lexicon
from services.core.language.spellings import Spellings, spellings
from services.core.language.text import STOP_WORDS, spoken, words
from services.core.meaning import said as saying
from services.core.meaning.notices import is_note
from services.core.meaning.overturned import overturned
from services.core.meaning.said import Memory, Said
from services.core.redline.noise import bare_headline, is_furniture, strip_noise

MOST_WORDS = 4_000_000
"""Words before times words after up to which single edits are looked at; beyond, a passage was replaced whole."""
SAME_SPEAKER_TEXT = 0.5
"""Similarity from which a pair is close enough that another voucher is a change and not another statement."""
_CODES = regex.compile(r"<[A-Z0-9][A-Z0-9./ -]{0,11}>|\[[A-Z0-9]{1,8}\.[A-Z]{1,4}\]")
_MAY = regex.compile(r"(?<=\p{Ll},? )May\b")


@dataclass(frozen=True)
class Version:
    """One version read once: its copy without noise, and the words, figures and names in it (headline included: it
    is paragraph -1, the first of `texts`, `names` and `quantities`).

    What takes time is read when it is first asked for: nobody asks what a first report has in common with another.
    """

    language: str | None
    texts: tuple[str, ...]
    lead: int | None

    @property
    def headline(self) -> str:
        return self.texts[0] if self.texts else ""

    @property
    def body(self) -> tuple[str, ...]:
        return self.texts[1:]

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(w for text in self.texts for w in (*words(text), *spoken(text)))

    @cached_property
    def stems(self) -> frozenset[str]:
        return frozenset(lexicon.stem(w, self.language) for w in self.words)

    @cached_property
    def word_pairs(self) -> frozenset[tuple[str, str]]:
        return facts.word_pairs(self.texts)

    @cached_property
    def names(self) -> tuple[tuple[str, ...], ...]:
        return tuple(facts.names(text, self.language) for text in self.texts)

    @cached_property
    def spellings(self) -> Spellings:
        return spellings(n for ns in self.names for n in ns)

    @cached_property
    def initials(self) -> frozenset[str]:
        return frozenset(i for ns in self.names for n in ns if (i := facts.initials(n)))

    @cached_property
    def quantities(self) -> tuple[tuple[numbers.Quantity, ...], ...]:
        return tuple(numbers.extract(text, self.language) for text in self.texts)

    @cached_property
    def figures(self) -> tuple[numbers.Quantity, ...]:
        return tuple(q for qs in self.quantities for q in qs)

    @cached_property
    def values(self) -> frozenset[Fraction]:
        return frozenset(q.value for q in self.figures)

    @cached_property
    def holders(self) -> dict[Fraction, frozenset[int]]:
        """Where in the body each value stands."""
        out: dict[Fraction, set[int]] = {}
        for n, found in enumerate(self.quantities[1:]):
            for quantity in found:
                out.setdefault(quantity.value, set()).add(n)
        return {value: frozenset(places) for value, places in out.items()}


class Passage(msgspec.Struct, frozen=True):
    """One or more paragraphs of a version, joined by line breaks, with the figures and names read in them."""

    text: str
    figures: tuple[numbers.Quantity, ...]
    names: tuple[str, ...]


class Scene(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a label depends on beside the paragraph itself.

    `partial`: a notice or a take, which says nothing about the paragraphs that it does not repeat. The last of `said` is the earlier version itself,
    `revalued` the later values of quantities that had another one anywhere in it, `tolls` the counts of people among them:
    what they are called, from what figure to what, and the paragraphs that give it. `walled`: the later version is a paywall's
    stub that shares nothing with the earlier one, and says nothing of the story. `since`: what the same provider has told after
    the earlier version, in a notice for one; the next version that carries it brings no news. `later`: the input ids of all that
    the story has told after the earlier version, by whomever: a passage taken from there word for word brings none either. `year` and `day` (month, day) are the later version's own.
    """

    old: Version
    new: Version
    said: Memory
    language: str
    lexicon: Lexicon
    correcting: bool
    partial: bool
    walled: bool = False
    since: tuple[Said, ...] = ()
    later: frozenset[str] = frozenset()
    year: int | None
    day: tuple[int, int] | None = None
    revalued: frozenset[Fraction] = frozenset()
    tolls: tuple[tuple[NumberChange, tuple[int, ...]], ...] = ()


@lru_cache(maxsize=128)
def read(article: Article | None) -> Version:
    """The version as a whole. An article that is not there has said nothing."""
    if article is None:
        return Version(None, (), None)
    lead = first_copy(article.body)
    body = tuple(_plain(p.text, first=i == lead) for i, p in enumerate(article.body))
    headline = _CODES.sub(" ", bare_headline(article.headline))
    return Version(lexicon.language_of_copy(body, article.language), (headline, *body), lead)


def first_copy(body: Sequence[Paragraph]) -> int | None:
    """The place of the lead: the first paragraph that is copy."""
    return next(
        (
            i
            for i, p in enumerate(body)
            if p.kind in ("paragraph", "table") and not is_note(p.text) and not is_furniture(p.text)
        ),
        None,
    )


def _plain(text: str, *, first: bool = False) -> str:
    return _CODES.sub(" ", strip_noise(text, first=first))


def passage(side: Sequence[IndexedText], version: Version) -> Passage:
    """One side of an entry as it was read in its version."""
    return gather([p.index for p in side], version)


def gather(indices: Sequence[int], version: Version) -> Passage:
    """The paragraphs at `indices`, from 0; -1 is the headline."""
    return Passage(
        "\n".join(version.texts[n + 1] for n in indices),
        tuple(q for n in indices for q in version.quantities[n + 1]),
        tuple(dict.fromkeys(name for n in indices for name in version.names[n + 1])),
    )


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


def difference(old: Passage, new: Passage, scene: Scene, similarity: float) -> Difference:
    """What the passage `old` lost and `new` gained; `similarity` is theirs by letters."""
    before, after = (spoken(_MAY.sub("5", side.text)) for side in (old, new))  # the month is no "perhaps"
    gone, come = word_edits(before, after)
    segments, exact = (_segments(before, after, language) for language in (scene.language, None))
    fresh_names = new_names(new.names, scene)
    lost_names = [n for n in old.names if facts.is_lost(n, scene.new.words, scene.new.initials)]
    if not scene.correcting:  # a name mended in passing is neither lost nor new
        was, now = spellings(old.names), spellings(new.names)
        lost_names = [n for n in lost_names if not now.hold(n, cut=True)]
        fresh_names = tuple(n for n in fresh_names if not was.hold(n, cut=True))
    return Difference(
        gone=gone,
        come=come,
        fresh=tuple(w for w in dict.fromkeys(come) if is_fresh(w, scene)),
        shed=tuple(
            w for w in dict.fromkeys(gone) if telling(w) and lexicon.stem(w, scene.language) not in scene.new.stems
        ),
        new_figures=_found_only_in(new.figures, old.figures, scene.old, scene.said),
        lost_figures=_found_only_in(old.figures, new.figures, scene.new, ()),
        new_names=fresh_names,
        lost_names=tuple(lost_names),
        turns=(
            *facts.turns(segments, scene.lexicon),
            *overturned(
                (old.text, old.figures),
                (new.text, new.figures),
                exact,
                scene.lexicon,
                (scene.old.words, scene.new.words),
            ),
        ),
        vouchers=_other_voucher(old.text, new.text, scene.lexicon) if similarity >= SAME_SPEAKER_TEXT else None,
        changes=tuple(numbers.changed_in(old.figures, new.figures, scene.old.values, scene.new.values)),
    )


def _found_only_in(
    figures: Sequence[numbers.Quantity], others: Sequence[numbers.Quantity], version: Version, said: Sequence[Said]
) -> tuple[numbers.Quantity, ...]:
    """The figures that neither the paired passage nor the other version nor the story has, rounded or exact."""
    values = {q.value for q in others}
    unrounded, _ = numbers.without_roundings(figures, others)
    return tuple(
        q
        for q in unrounded
        if q.kind != "ordinal"
        and q.value not in values
        and q.value not in version.values
        and not (saying.is_distinctive(q) and saying.holds_number(q, said))
    )


def is_fresh(word: str, scene: Scene) -> bool:
    """Whether a content word stands, in any form, nowhere in the earlier version or the story."""
    if word in scene.lexicon.weekdays:  # another day is news, though it is no content word
        return word not in scene.old.words
    return (
        telling(word)
        and word not in scene.old.initials
        and lexicon.stem(word, scene.language) not in scene.old.stems
        and not saying.holds_words((word,), scene.said)
    )


def is_fresh_state(word: str, scene: Scene) -> bool:
    """Whether a word of status stands nowhere in the earlier version, nor another that says the same."""
    return scene.old.words.isdisjoint(scene.lexicon.alike.get(word, (word,)))


def told_since(diff: Difference, scene: Scene) -> bool:
    """Whether all that a passage brings, words and figures, stands in one thing told after the earlier version."""
    content = [w for w in diff.come if telling(w)]
    figures = [*diff.new_figures, *(after for _, after in diff.changes)]
    return bool(content or figures) and any(
        saying.holds_words(content, (each,)) and all(saying.holds_number(q, (each,)) for q in figures)
        for each in scene.since
    )


def new_names(names: Sequence[str], scene: Scene) -> tuple[str, ...]:
    """The names among `names` that the earlier version and the story do not know, misspellings and expansions apart."""
    known, initials = scene.old.words, scene.old.initials
    fresh = [n for n in names if not facts.is_known(n, known, initials) and not saying.holds_words((n,), scene.said)]
    if scene.correcting:
        return tuple(fresh)
    return tuple(n for n in fresh if not scene.old.spellings.hold(n))


def _segments(
    before: Sequence[str], after: Sequence[str], language: str | None
) -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    """The edits between two word lists, (gone, come) each; words of one stem are the same word where a language is given."""
    if len(before) * len(after) > MOST_WORDS:
        return ()
    codes = [[lexicon.stem(w, language) for w in side] for side in (before, after)]
    return tuple(
        (tuple(before[c.src_start : c.src_end]), tuple(after[c.dest_start : c.dest_end]))
        for c in Levenshtein.opcodes(*codes)
        if c.tag != "equal"
    )


def telling(word: str) -> bool:
    return word not in STOP_WORDS and len(word) > 1 and not word[0].isdigit()


def word_edits(old: Sequence[str], new: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Words that left and words that came, each in order, as multisets: a word that only moved did neither."""
    out = []
    for mine, theirs in ((old, new), (new, old)):
        left = Counter(theirs)
        kept = []
        for word in mine:
            if left[word]:
                left[word] -= 1
            else:
                kept.append(word)
        out.append(tuple(kept))
    return out[0], out[1]


def _other_voucher(old: str, new: str, lex: Lexicon) -> tuple[str, str] | None:
    """Who said it before and who says it now, where these are different people or bodies."""
    before, after = facts.vouchers(old, lex), facts.vouchers(new, lex)
    if not before or not after or len(before) != len(after):
        return None
    for was, now in zip(before, after, strict=True):
        one, two = set(words(was)) - STOP_WORDS, set(words(now)) - STOP_WORDS
        alias = {facts.initials(was), facts.initials(now)} & (one | two)
        if one and two and not alias and not {w[:4] for w in one} & {w[:4] for w in two}:
            return was, now
    return None
