"""What an article says, in a form small enough to keep for every article of a story; and what a text adds to that.

Hashes are CRC-32 of folded text, packed as little-endian u32: two kilobytes hold an article of twenty paragraphs. A
collision of one word in four billion only makes a paragraph look a shade less new.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from typing import Final

import msgspec

from services.core.article import Article
from services.core.change import Novelty
from services.core.language import facts, lexicon, numbers
from services.core.language.text import STOP_WORDS, canonical, sentences, words
from services.core.redline.noise import strip_noise

MOST_SENTENCES = 400
MOST_NUMBERS = 400
MOST_NAMES = 200
MOST_WORDS = 1_200
"""Caps per article: a document of 2,000 paragraphs still fits the topic beside others. Its beginning is what is kept."""
SMALL_NUMBERS = 100
"""Whole values below this recur in a story for different things."""
FIGURE_WEIGHT = 3
NAME_WEIGHT = 2
"""A figure counts as three words and a name as two: a paragraph that is old but for its toll is not old."""
_REMEMBERED = 1 << 17
"""Words whose hashes are kept at hand."""


class Said(msgspec.Struct, frozen=True, kw_only=True):
    """One article's sentences, numbers, names and content words as packed hashes."""

    input_id: str | None = None
    provider: str = ""
    sentences: bytes = b""
    numbers: bytes = b""
    names: bytes = b""
    words: bytes = b""

    def size(self) -> int:
        """Bytes that it takes in a message, where hashes are written in base64."""
        return sum(len(part) for part in (self.sentences, self.numbers, self.names, self.words)) * 4 // 3


def what_it_says(article: Article, input_id: str | None = None) -> Said:
    """The features of headline and body. `input_id` defaults to the article's own stamp."""
    said = _features(article)
    return said if input_id in (None, said.input_id) else msgspec.structs.replace(said, input_id=input_id)


@lru_cache(maxsize=256)
def _features(article: Article) -> Said:
    texts = [t for t in (article.headline, *(p.text for p in article.body if p.kind != "note")) if t]
    language = lexicon.language_of_copy(texts, article.language)
    copy = [strip_noise(t, first=i < 2) for i, t in enumerate(texts)]
    return Said(
        input_id=article.input_id,
        provider=article.provider,
        sentences=_pack((h for t in copy for h in _sentence_hashes(t)), MOST_SENTENCES),
        numbers=_pack((_number_hash(q) for t in copy for q in numbers.extract(t, language)), MOST_NUMBERS),
        names=_pack((_HASHES[w] for t in copy for n in facts.names(t, language) for w in words(n)), MOST_NAMES),
        words=_pack((_HASHES[w] for t in copy for w in _content(t)), MOST_WORDS),
    )


class Memory(tuple[Said, ...]):  # noqa: SLOT001  (what is found once is kept in its __dict__)
    """What a story has said, article by article, with all of it together for a first look: most is found nowhere."""

    @cached_property
    def but_last(self) -> Memory:
        """The memory without its last article, which is the earlier version itself."""
        return Memory(self[:-1])

    @cached_property
    def sentences(self) -> frozenset[int]:
        return frozenset().union(*(_unpack(article.sentences) for article in self))

    @cached_property
    def numbers(self) -> frozenset[int]:
        return frozenset().union(*(_unpack(article.numbers) for article in self))

    @cached_property
    def words(self) -> frozenset[int]:
        return frozenset().union(*(_unpack(article.words) for article in self))


def novelty(text: str, said: Sequence[Said], language: str | None = None) -> Novelty:
    """How much of `text` the story had said before: 0 nothing, 1 all of it; and the input id that had said most of it.

    Sentence by sentence against the one article that holds most of it, so that words picked from ten articles do not add
    up to a report; figures weigh three times a word, names twice. Earlier inputs win ties.
    """
    if not said:
        return Novelty(similarity=0.0)
    memory = said if isinstance(said, Memory) else Memory(said)
    whole = known = 0.0
    credit: dict[int, float] = {}
    for sentence in sentences(strip_noise(text)) or (text,):
        best, weight, by = _best(sentence, memory, language)
        whole += weight
        known += best * weight
        if by is not None:
            credit[by] = credit.get(by, 0.0) + best * weight
    if not whole or not credit:
        return Novelty(similarity=0.0)
    seen = max(credit, key=lambda i: (round(credit[i], 6), -i))
    return Novelty(similarity=round(known / whole, 3), seen_in=said[seen].input_id)


def _best(sentence: str, said: Memory, language: str | None) -> tuple[float, float, int | None]:
    """The share of one sentence that the best article holds, the sentence's weight, and that article's place."""
    content = [_HASHES[w] for w in _content(sentence)]
    figures = [_number_hash(q) for q in numbers.extract(sentence, language)]
    names = [_HASHES[w] for n in facts.names(sentence, language) for w in words(n)]
    weight = float(len(content) + FIGURE_WEIGHT * len(figures) + (NAME_WEIGHT - 1) * len(names))
    best, by = 0.0, None
    if not weight:
        return 0.0, 0.0, None
    whole = _sentence_hashes(sentence)
    content, names = ([h for h in found if h in said.words] for found in (content, names))
    figures = [h for h in figures if h in said.numbers]
    if not all(h in said.sentences for h in whole):
        whole = []
    for i, article in enumerate(said):
        if whole and all(h in _unpack(article.sentences) for h in whole):
            share = 1.0
        else:
            known_words, known_numbers = _unpack(article.words), _unpack(article.numbers)
            held = sum(h in known_words for h in content) + FIGURE_WEIGHT * sum(h in known_numbers for h in figures)
            held += (NAME_WEIGHT - 1) * sum(h in known_words for h in names)
            share = round(held / weight, 6)
        if share > best:
            best, by = share, i
        if best == 1.0:
            break
    return best, weight, by


def holds_number(quantity: numbers.Quantity, said: Sequence[Said]) -> bool:
    """Whether some article of the story has printed this value."""
    wanted = _number_hash(quantity)
    if isinstance(said, Memory):
        return wanted in said.numbers
    return any(wanted in _unpack(article.numbers) for article in said)


def is_distinctive(quantity: numbers.Quantity) -> bool:
    """Whether a value alone tells what was counted: any story says 2 and 15 of something, hardly one 1,459 twice."""
    return quantity.value.denominator != 1 or quantity.value >= SMALL_NUMBERS


def holds_words(found: Iterable[str], said: Sequence[Said]) -> bool:
    """Whether one article of the story holds every one of these words."""
    hashes = [_HASHES[w] for text in found for w in words(text)]
    if isinstance(said, Memory) and (len(hashes) == 1 or not said.words.issuperset(hashes)):
        return said.words.issuperset(hashes)
    return any(all(h in _unpack(article.words) for h in hashes) for article in said)


def _content(text: str) -> list[str]:
    return [w for w in words(text) if w not in STOP_WORDS and not w[0].isdigit()]


def _sentence_hashes(text: str) -> list[int]:
    return [_hash(c) for s in sentences(text) if (c := canonical(s))]


def _number_hash(quantity: numbers.Quantity) -> int:
    return _hash(f"#{quantity.value}")


def _hash(text: str) -> int:
    return zlib.crc32(text.encode("utf-8", "surrogatepass"))


class _Hashes(dict[str, int]):
    """Word -> its hash, for the words of the day; forgets all when full, which costs time only."""

    def __missing__(self, word: str) -> int:
        if len(self) >= _REMEMBERED:
            self.clear()
        found = self[word] = _hash(word)
        return found


_HASHES: Final = _Hashes()


def _pack(hashes: Iterable[int], most: int) -> bytes:
    kept = list(dict.fromkeys(hashes))[:most]
    return struct.pack(f"<{len(kept)}I", *kept)


@lru_cache(maxsize=4096)
def _unpack(packed: bytes) -> frozenset[int]:
    return frozenset(struct.unpack(f"<{len(packed) // 4}I", packed[: len(packed) // 4 * 4]))
