"""Queries in the Lucene syntax over an event: read once by luqum, then asked of each event as our own small nodes.

Words side by side must all be there, as in most newsroom systems. Case does not matter; a word of several parts is a phrase.
`needs` gives what the index of rules looks rules up by.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, Final, Protocol
from unicodedata import normalize

import luqum.tree as lucene
import msgspec
from luqum.exceptions import ParseError
from luqum.parser import parser
from rapidfuzz.distance import OSA

from services.core.errors import WritethruError

_CJK: Final = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_TOKEN: Final = re.compile(rf"[{_CJK}]|[^\W{_CJK}]+")
DEEPEST: Final = 40
FARTHEST: Final = 50
"""Words that a phrase may lie apart."""
TEXT_FIELDS: Final = (
    "headline", "lead", "body", "changed", "removed", "slugline", "keywords", "byline", "dateline", "note", "summary", "quotes",
    "speakers", "entities", "provider", "outlet", "language", "type", "status", "story", "uri", "url", "genre", "signals",
    "relation", "action", "level", "development", "usage",
)  # fmt: skip
NUMBER_FIELDS: Final = ("urgency", "outlets", "articles", "sequence", "push", "version")
EVERYWHERE: Final = "text"
"""Where a word without a field is looked for: headline, slugline, keywords, note and body."""
FIELDS: Final = (EVERYWHERE, *TEXT_FIELDS, *NUMBER_FIELDS)
COMMON: Final = {
    "keywords": 1, "keyword=": 1, "entities": 1, "provider": 2, "provider=": 2, "outlet": 2, "has=": 3, "urgency": 4,
    "urgency=": 4, "language": 5, "language=": 5, "type": 6, "type=": 6, "status": 7, "level": 7, "relation": 7, "action": 7,
}  # fmt: skip
"""How many events a field's word finds, from few (0: words of a text) to many; it only chooses which need is looked up."""
_OTHER_NAMES: Final = {
    "title": "headline",
    "lang": "language",
    "keyword": "keywords",
    "slug": "slugline",
    "ed_note": "note",
}


class BadQuery(WritethruError):
    """The query cannot be used; the message says what is wrong with it."""


class Searchable(Protocol):
    """An event as a query asks of it."""

    def words(self, field: str) -> tuple[str, ...]:
        """The words of a field, in their order."""

    def vocabulary(self, field: str) -> frozenset[str]:
        """The same, each once."""

    def number(self, field: str) -> float | None:
        """A field as a number, where it is one."""


Need = tuple[str, str]
"""A field and a word in it."""


class Query(Protocol):
    """One node: whether it holds of an event, and the needs of which one is met if it does (None: nobody knows)."""

    def holds(self, of: Searchable) -> bool: ...

    def needs(self) -> frozenset[Need] | None: ...


def tokens(text: str) -> list[str]:
    """The words of a text as queries see them: folded, letters and digits, scripts without spaces by character."""
    return _TOKEN.findall((text if text.isascii() else normalize("NFKC", text)).casefold())


@lru_cache(maxsize=20_000)
def read_query(text: str) -> Query:
    """The query in `text`. Raises BadQuery."""
    try:
        tree = parser.parse(text)
        return _node(tree, EVERYWHERE, 0)
    except ParseError as error:
        raise BadQuery(str(error)) from None
    except (RecursionError, ValueError, ArithmeticError) as error:
        raise BadQuery("cannot be read: nested too deep, or a number in it is none") from error


class Phrase(msgspec.Struct, frozen=True):
    """Words one after another in a field, at most `apart` words between them. One word is a phrase of one."""

    field: str
    said: tuple[str, ...]
    apart: int = 0

    def holds(self, of: Searchable) -> bool:
        known = of.vocabulary(self.field)
        if not known.issuperset(self.said):
            return False
        if len(self.said) == 1:
            return True
        return _stand_together(of.words(self.field), self.said, self.apart)

    def needs(self) -> frozenset[Need] | None:
        return frozenset([(self.field, max(self.said, key=lambda word: (len(word), word)))])


class Pattern(msgspec.Struct, frozen=True):
    """A word with * and ?: what stands before them is compared first."""

    field: str
    start: str
    form: str

    def holds(self, of: Searchable) -> bool:
        return any(w.startswith(self.start) and _fits(w, self.form) for w in of.vocabulary(self.field))

    def needs(self) -> frozenset[Need] | None:
        return None


class Near(msgspec.Struct, frozen=True):
    """A word that may be misspelt: so many letters changed, left out, added or swapped, the first one right."""

    field: str
    word: str
    edits: int

    def holds(self, of: Searchable) -> bool:
        return any(
            w[:1] == self.word[:1] and OSA.distance(w, self.word, score_cutoff=self.edits) <= self.edits
            for w in of.vocabulary(self.field)
        )

    def needs(self) -> frozenset[Need] | None:
        return None


class Between(msgspec.Struct, frozen=True):
    """A number in a range; None is open."""

    field: str
    low: float | None
    high: float | None
    with_low: bool = True
    with_high: bool = True

    def holds(self, of: Searchable) -> bool:
        value = of.number(self.field)
        if value is None:
            return False
        above = self.low is None or value > self.low or (self.with_low and value == self.low)
        return above and (self.high is None or value < self.high or (self.with_high and value == self.high))

    def needs(self) -> frozenset[Need] | None:
        return None


class Exists(msgspec.Struct, frozen=True):
    """The field says something."""

    field: str

    def holds(self, of: Searchable) -> bool:
        return bool(of.words(self.field)) if self.field not in NUMBER_FIELDS else of.number(self.field) is not None

    def needs(self) -> frozenset[Need] | None:
        return None


class Every(msgspec.Struct, frozen=True):
    """AND."""

    parts: tuple[Query, ...]

    def holds(self, of: Searchable) -> bool:
        return all(part.holds(of) for part in self.parts)

    def needs(self) -> frozenset[Need] | None:
        return best(part.needs() for part in self.parts)


class Some(msgspec.Struct, frozen=True):
    """OR."""

    parts: tuple[Query, ...]

    def holds(self, of: Searchable) -> bool:
        return any(part.holds(of) for part in self.parts)

    def needs(self) -> frozenset[Need] | None:
        asked = [part.needs() for part in self.parts]
        return None if None in asked else frozenset().union(*(a for a in asked if a is not None))


class Without(msgspec.Struct, frozen=True):
    """NOT."""

    part: Query

    def holds(self, of: Searchable) -> bool:
        return not self.part.holds(of)

    def needs(self) -> frozenset[Need] | None:
        return None


def best(asked: Iterable[frozenset[Need] | None]) -> frozenset[Need] | None:
    """Of several needs that all must be met the one to look up by: the rarer kind, few alternatives, long words."""
    known = [one for one in asked if one]
    return min(known, key=_cost) if known else None


def _cost(asked: frozenset[Need]) -> tuple[int, int, int, list[Need]]:
    common = max(COMMON.get(field, 0) for field, _ in asked)
    return common, len(asked), -min(len(word) for _, word in asked), sorted(asked)


# -- from luqum's tree -------------------------------------------------------------------------------------------------


def _node(tree: Any, field: str, depth: int) -> Query:
    if depth > DEEPEST:
        raise BadQuery(f"nests deeper than {DEEPEST} levels")
    below = depth + 1
    match tree:
        case lucene.SearchField():
            return _in_field(tree, depth)
        case lucene.Group() | lucene.FieldGroup() | lucene.Boost() | lucene.Plus():
            return _node(tree.children[0], field, below)
        case lucene.AndOperation() | lucene.UnknownOperation() | lucene.BoolOperation():
            return Every(tuple(_node(child, field, below) for child in tree.children))
        case lucene.OrOperation():
            return Some(tuple(_node(child, field, below) for child in tree.children))
        case lucene.Not() | lucene.Prohibit():
            return Without(_node(tree.children[0], field, below))
        case lucene.Phrase():
            return _phrase(tree.value[1:-1], field)
        case lucene.Proximity():
            return _phrase(tree.children[0].value[1:-1], field, min(int(tree.degree), FARTHEST))
        case lucene.Fuzzy():
            return _fuzzy(tree, field)
        case lucene.Range() | lucene.From() | lucene.To():
            return _range(tree, field)
        case lucene.Word():
            return _word(tree.value, field)
    raise BadQuery(f"{tree!s:.60}: regular expressions and the like are not taken")


def _in_field(tree: Any, depth: int) -> Query:
    name = _OTHER_NAMES.get(tree.name.casefold(), tree.name.casefold())
    if name == "_exists_":
        return Exists(_known(str(tree.children[0])))
    if name == "*":
        return Every(())
    if isinstance(tree.children[0], lucene.SearchField):
        raise BadQuery(f"{tree!s:.60}: a field in a field")
    return _node(tree.children[0], _known(name), depth + 1)


def _known(name: str) -> str:
    name = _OTHER_NAMES.get(name.strip().casefold(), name.strip().casefold())
    if name not in FIELDS:
        raise BadQuery(f"{name!r} is no field; there are {', '.join(FIELDS)}")
    return name


def _phrase(text: str, field: str, apart: int = 0) -> Query:
    said = tuple(tokens(_plain(text)))
    if not said:
        raise BadQuery(f"{text!r} holds no word to look for")
    return Phrase(field, said, apart)


def _word(text: str, field: str) -> Query:
    if text == "*":
        return Exists(field) if field != EVERYWHERE else Every(())
    if text in ("&&", "||") or text.startswith("!"):
        raise BadQuery(f"{text}: write AND, OR, NOT")
    if re.search(r"(?<!\\)[*?]", text):
        form = _plain(text).casefold()
        start = re.split(r"[*?]", form, maxsplit=1)[0]
        if not start or len(form) > 60:
            raise BadQuery(f"{text}: a pattern begins with a letter or digit")
        return Pattern(field, start, form)
    if field in NUMBER_FIELDS and field != "urgency":
        value = _number(text)
        return Between(field, value, value)
    return _phrase(text, field)


def _fuzzy(tree: Any, field: str) -> Query:
    said = tokens(_plain(tree.children[0].value))
    degree = 2 if tree.degree is None else float(tree.degree)
    if len(said) != 1 or degree not in (0, 1, 2):
        raise BadQuery(f"{tree!s:.60}: ~ wants one word and 1 or 2")
    return Near(field, said[0], int(degree))


def _range(tree: Any, field: str) -> Query:
    if field not in NUMBER_FIELDS:
        raise BadQuery(f"{field} is no number: ranges are for {', '.join(NUMBER_FIELDS)}")
    if isinstance(tree, lucene.Range):
        low, high = (None if str(side).strip() == "*" else _number(str(side)) for side in tree.children)
        return Between(field, low, high, tree.include_low, tree.include_high)
    value = _number(str(tree.children[0]))
    if isinstance(tree, lucene.From):
        return Between(field, value, None, with_low=tree.include)
    return Between(field, None, value, with_high=tree.include)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise BadQuery(f"{text.strip()[:60]!r} is no number") from None


def _plain(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)


# -- words in a text ---------------------------------------------------------------------------------------------------


def _stand_together(words: tuple[str, ...], said: tuple[str, ...], apart: int) -> bool:
    """Whether the phrase stands somewhere; with `apart`, so many words may lie between its first and its last one."""
    first = said[0]
    return any(_goes_on(words, at, said, apart) for at, word in enumerate(words) if word == first)


def _goes_on(words: tuple[str, ...], at: int, said: tuple[str, ...], apart: int) -> bool:
    left = apart
    for word in said[1:]:
        reach = words[at + 1 : at + 2 + left]
        if word not in reach:
            return False
        step = reach.index(word)
        left -= step
        at += 1 + step
    return True


def _fits(word: str, form: str) -> bool:
    """Whether a word fits a form of * and ?, in time linear in their product: no regular expression is made of it."""
    reached = {0}
    for letter in word:
        reached = set(_step(letter, form, reached))
        if not reached:
            return False
    return any(set(form[place:]) <= {"*"} for place in reached)


def _step(letter: str, form: str, reached: set[int]) -> Iterator[int]:
    for start in reached:
        place = start
        while place < len(form):
            if form[place] == "*":
                yield place
                place += 1
                continue
            if form[place] in ("?", letter):
                yield place + 1
            break
