"""What a passage asserts beside its figures: quotations and who said them, names, and the words that turn a statement.

Reading is shallow on purpose: capitals, quotation marks and word lists, so that the same text gives the same facts in a
microsecond and an editor can be told which word made the difference.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Literal

import msgspec
import regex

from services.core.change import Quote
from services.core.language import lexicon
from services.core.language.lexicon import Lexicon
from services.core.language.stopwords import STOPWORDS
from services.core.language.text import KEPT, LATIN, STOP_WORDS, is_latin, sentences, spoken, words

SHORTEST_QUOTE = 3
"""Words: shorter ones are scare quotes and titles."""
SPEAKER_WITHIN = 140
"""Code points on either side of a quotation in which its speaker is looked for."""
SAYING_WITHIN = 7
"""Words between a quotation and the verb of saying."""
MOSTLY_CAPITALS = 0.6
"""Share of capitals above which case tells nothing (headlines of old wires)."""
VOUCHER_WORDS = 6
"""Words in front of a verb of saying that can name who says it."""
TURN_WORDS = 4
"""Words on either side of an edit that can still be one word set against another (gold: one to three)."""
LONE_WORDS = 2
"""Words in an insertion or deletion that can still be one word that turns the rest ("imminent", "not yet")."""
EARLIEST_YEAR = 1800
SAME_QUOTE = 0.8
"""Share of a quotation's words that must stand, in order of a window, in the other version for it to be still there."""

_OPENER = regex.compile(r"''|``|[“\"«„「『]|(?<![\p{L}\p{N}])[‘‚'](?=[\p{L}\p{N}(])")
_CLOSERS = {
    "“": regex.compile('[”“"]'),
    '"': regex.compile('["”]'),
    "«": regex.compile("»"),
    "„": regex.compile('[“”"]'),
    "「": regex.compile("」"),
    "『": regex.compile("』"),
    "''": regex.compile("''"),
    "``": regex.compile("''|\""),
}
_SINGLE_CLOSER = regex.compile(r"(?<=[\p{L}\p{N}.,!?…)])[’'‘](?![\p{L}\p{N}])")
_NAME = r"\p{Lu}[\p{L}\p{M}.'’-]{0,30}(?: (?:(?:de|da|di|du|van|von|der|den|bin|al|la|el|of|the|y|e) ){0,2}\p{Lu}[\p{L}\p{M}.'’-]{0,30}){0,6}"
_RUN = regex.compile(_NAME)
_LATIN_CAPITALS = "".join(c for c in map(chr, range(0x180)) if c.isupper() and is_latin(c))
_LATIN_RUN = re.compile(_NAME.replace(r"\p{Lu}", f"[{_LATIN_CAPITALS}]").replace(r"\p{L}\p{M}", LATIN))
"""The same for text in Latin letters, by the quicker engine."""
_NOUN_PHRASE = regex.compile(
    r"\b(?:the|a|an|der|die|das|le|la|el|il|o|de|en) [\p{L}-]{3,30}(?: [\p{L}-]{3,30}){0,2}$", regex.IGNORECASE
)
_WORD = regex.compile(r"\p{L}[\p{L}\p{M}]*(?:[-'’]\p{L}[\p{L}\p{M}]*)*")
_CLAUSE = regex.compile(r"[,;:(){}\[\]\"“”„«»–—]|--")
_BRACKETED = regex.compile(r"\([^()]{0,60}\)")
_PAUSES = frozenset(",.?!;–—-，。！？")
_CAPITALS = bytes(range(ord("A"), ord("Z") + 1))
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")
_NO_LETTERS = bytes(n for n in range(128) if not chr(n).isalpha())
_MARKS = "\"'“”‘’«»„"
Turn = Literal["negation", "certainty", "opposite", "status", "value", "who", "name", "day"]


class Turned(msgspec.Struct, frozen=True):
    """A word that turned what a passage says: which way, and the word on either side ("" where it came or went)."""

    kind: Turn
    before: str
    after: str


def quotes(paragraphs: Iterable[str], language: str | None = None) -> tuple[Quote, ...]:
    """Direct quotations of at least three words, with the speaker where the copy names one beside them.

    An unclosed mark runs to the end of its paragraph, as wires do when the next one goes on. A pronoun names nobody: a
    quotation in the wrong mouth is worse than one without a speaker.
    """
    return tuple(quote for text in paragraphs for quote in _quotes_kept(text, language))


@lru_cache(maxsize=1 << 10)
def _quotes_kept(text: str, language: str | None) -> tuple[Quote, ...]:
    out: list[Quote] = []
    found = _quoted(text)
    lex = lexicon.of(language or lexicon.language_of(text) or "en") if found else lexicon.NEUTRAL
    for start, end, resume in found:
        said = text[start:end].strip(" ,.;")
        if len(words(said)) >= SHORTEST_QUOTE:
            out.append(Quote(text=said, speaker=_speaker(text, start, resume, lex)))
    return tuple(out)


def _quoted(text: str) -> list[tuple[int, int, int]]:
    """[start, end) of what stands in quotation marks, and where the copy goes on."""
    out = []
    at = 0
    while opener := _OPENER.search(text, at):
        closer = _CLOSERS.get(opener[0], _SINGLE_CLOSER).search(text, opener.end())
        if closer is None:
            if opener[0] in "‘‚'":  # an apostrophe after all
                at = opener.end()
                continue
            out.append((opener.end(), len(text), len(text)))
            break
        out.append((opener.end(), closer.start(), closer.end()))
        at = closer.end()
    return out


def _speaker(text: str, start: int, end: int, lex: Lexicon) -> str | None:
    """Who says it, by the name or noun beside the verb of saying."""
    after = next(iter(sentences(text[end : end + SPEAKER_WITHIN])), "").lstrip(" ,.;–—-")
    before = text[max(0, start - SPEAKER_WITHIN) : max(0, start - 1)]
    before = next(iter(sentences(before)[-1:]), "")
    found_after, found_before = _WORD.findall(after), _WORD.findall(before)
    pauses = text[end - 2 : end - 1] in _PAUSES or text[end : end + 1] in _PAUSES  # else the sentence just goes on
    for piece, near, behind in (
        (after, found_after[:SAYING_WITHIN], True),
        (before, found_before[-SAYING_WITHIN:], False),
    ):
        verb = next((w for w in (near if behind else reversed(near)) if w.lower() in lex.saying), None)
        if verb is None or (behind and not pauses):
            continue
        position = piece.find(verb) if behind else piece.rfind(verb)
        subject, rest = piece[:position].strip(" ,"), piece[position + len(verb) :].strip(" ,")
        runs = list(_RUN.finditer(subject)) or ([m] if behind and (m := _RUN.match(rest)) else [])
        named = [str(run[0]) for run in runs if not _is_place(run) and _can_speak(run[0].lower(), lex)]
        if named:
            return named[-1].rstrip(".,'’")
        if phrase := _NOUN_PHRASE.search(subject):
            return str(phrase[0])
    return None


def _is_place(run: regex.Match[str]) -> bool:
    """Whether a name only says where it was said: "in Berlin"."""
    before = (run.string[: run.start()].split() or [""])[-1]
    return not {before.lower(), run[0].split()[0].lower()}.isdisjoint(lexicon.PLACE_WORDS)


def _can_speak(run: str, lex: Lexicon) -> bool:
    return not (run in lex.pronouns or run in lex.weekdays or run in lex.months or run in STOP_WORDS)


def word_pairs(texts: Iterable[str]) -> frozenset[tuple[str, str]]:
    """Every two neighbouring words of `texts`, folded, short forms written out: what quotations are looked up in."""
    return frozenset(pair for text in texts for pair in itertools.pairwise(spoken(text)))


def missing_quotes(quoted: Iterable[Quote], elsewhere: frozenset[tuple[str, str]]) -> tuple[Quote, ...]:
    """The quotations that the other version, as `word_pairs`, does not hold: paraphrase counts as gone, trimming not."""
    out = []
    for quote in quoted:
        own = list(itertools.pairwise(spoken(quote.text)))
        if sum(pair in elsewhere for pair in own) < SAME_QUOTE * len(own):
            out.append(quote)
    return tuple(out)


def names(text: str, language: str | None = None) -> tuple[str, ...]:
    """Names of people, places and bodies by their capitals, in reading order, each once.

    A single capital at the start of a sentence is believed only as an acronym, a possessor or a speaker. German writes
    all nouns with capitals, so there only runs and acronyms count. Text in capitals, and scripts without them, give none.
    """
    return _names_kept(text, language) if len(text) <= KEPT else _names(text, language)


def _names(text: str, language: str | None) -> tuple[str, ...]:
    capitals, letters = _cases(text)
    if not capitals or capitals > MOSTLY_CAPITALS * letters:
        return ()
    language = language or lexicon.language_of(text) or "en"
    lex, common, german = lexicon.of(language), STOPWORDS.get(language, STOP_WORDS), language == "de"
    out: dict[str, None] = {}
    runs = _LATIN_RUN if is_latin(text) else _RUN
    for sentence in sentences(text):
        opening = len(sentence) - len(sentence.lstrip(" \"'“‘«„([-–—"))
        for run in runs.finditer(sentence):
            parts = _one_name(run[0].split())
            while parts and _no_name(parts[0], lex, common):
                parts = parts[1:]
            while parts and _no_name(parts[-1], lex, common):
                parts = parts[:-1]
            if not parts:
                continue
            single = len(parts) == 1
            acronym = single and len(parts[0]) > 1 and parts[0].isupper()
            if german and single and not acronym:
                continue
            if (
                acronym
                and sentence[run.start() - 1 : run.start()] == "("
                and sentence[run.end() : run.end() + 1] == ")"
            ):
                continue  # only how the name before it will be shortened
            if (
                single
                and not acronym
                and (run.start() <= opening or sentence[run.start() - 1] in _MARKS)
                and len(run[0].split()) == 1
            ):
                rest = _WORD.match(sentence, run.end() + 1)
                if not (parts[0].endswith(("'s", "’s")) or (rest and rest[0].lower() in lex.saying)):
                    continue
            name = " ".join(parts)
            out[name.removesuffix("'s").removesuffix("’s")] = None
    return tuple(out)


def _cases(text: str) -> tuple[int, int]:
    """How many letters of a text are capitals, and how many there are."""
    letters = text.encode("ascii", "ignore").translate(None, _NO_LETTERS)
    beyond = [] if text.isascii() else [c for c in _BEYOND_ASCII.findall(text) if c.isalpha()]
    capitals = len(letters) - len(letters.translate(None, _CAPITALS)) + sum(map(str.isupper, beyond))
    return capitals, len(letters) + len(beyond)


_names_kept = lru_cache(maxsize=1 << 12)(_names)


def _one_name(parts: list[str]) -> list[str]:
    """The words of a run of capitals up to a full stop; acronyms, initials and titles keep theirs."""
    for i, part in enumerate(parts):
        bare = part.rstrip(".'’-")
        if part.endswith(".") and len(bare) > 1 and "." not in bare and bare.lower() not in lexicon.ABBREVIATED:
            return [*parts[:i], bare]
        if "." not in bare:
            parts = [*parts[:i], bare if len(bare) > 1 else part, *parts[i + 1 :]]
    return parts


def _no_name(word: str, lex: Lexicon, common: frozenset[str]) -> bool:
    low = word.rstrip(".,").lower()
    return (
        len(low) < 2
        or (low in common and not word.isupper())
        or low in lex.weekdays
        or low in lex.months
        or low in lex.pronouns
    )


def initials(name: str) -> str | None:
    """The acronym of a name of several words ("oecd" for its eight-word form), folded; None for a single word."""
    parts = [w for w in _WORD.findall(name) if w[0].isupper()]
    return "".join(p[0] for p in parts).lower() if len(parts) > 1 else None


def _telling(name: str) -> list[str]:
    parts = [
        w for w in words(name) if w not in lexicon.TITLES and w not in lexicon.AGENCIES and w not in lexicon.EVERYWHERE
    ]
    return [w for w in parts if w not in lexicon.GENERIC] or parts


def is_known(name: str, known: frozenset[str], acronyms: frozenset[str] = frozenset()) -> bool:
    """Whether a name stands among `known` words (folded): its last telling word is enough, a first name may be new.

    An acronym is known where its long form stands (`acronyms`, see `initials`), and the other way round.
    """
    telling = _telling(name)
    return (
        not telling or telling[-1] in known or (len(telling) == 1 and telling[0] in acronyms) or initials(name) in known
    )


def is_lost(name: str, known: frozenset[str], acronyms: frozenset[str] = frozenset()) -> bool:
    """Whether no telling word of a name stands among `known` words any more, nor its long or short form."""
    telling = _telling(name)
    if not telling or any(w in known or w in acronyms for w in telling):
        return False
    return initials(name) not in known


def turns(edits: Iterable[tuple[Sequence[str], Sequence[str]]], lex: Lexicon) -> tuple[Turned, ...]:
    """What the single edits of a passage, as folded words (gone, come), turn in what it says.

    Only edits of a few words count: a "not" inside a clause that is new or cut belongs to that clause. A word that left
    here and came back there turned nothing.
    """
    edits = list(edits)
    lost, won = Counter(w for gone, _ in edits for w in gone), Counter(w for _, come in edits for w in come)
    lost, won = lost - won, won - lost
    out: list[Turned] = []
    for gone, come in edits:
        most = TURN_WORDS if gone and come else LONE_WORDS
        if max(len(gone), len(come)) > most + 1 or max(map(_weight, (gone, come))) > most:
            continue
        found = _turned([w for w in gone if lost[w]], [w for w in come if won[w]], lex)
        out.extend(found if max(len(gone), len(come)) <= most else [t for t in found if t.kind == "status"])
    return tuple(dict.fromkeys(out))


def _weight(edited: Sequence[str]) -> int:
    """Words of an edit, an article or preposition among others not counted."""
    return len([w for w in edited if w not in STOP_WORDS]) or len(edited)


def _turned(gone: Sequence[str], come: Sequence[str], lex: Lexicon) -> list[Turned]:
    def first(of: Sequence[str], kind: frozenset[str]) -> str:
        return next((w for w in of if w in kind), "")

    out: list[Turned] = []
    if bool(first(gone, lex.negation)) != bool(first(come, lex.negation)):
        out.append(Turned("negation", first(gone, lex.negation), first(come, lex.negation)))
    pair = next(((g, c) for c in come for g in gone if g in lex.opposites.get(c, frozenset())), None)
    if pair is not None:
        out.append(Turned("opposite", *pair))
    if bool(first(gone, lex.hedges)) != bool(first(come, lex.hedges)):
        out.append(
            Turned(
                "certainty",
                first(gone, lex.hedges) or first(gone, lex.firm),
                first(come, lex.hedges) or first(come, lex.firm),
            )
        )
    elif not gone and first(come, lex.firm):
        out.append(Turned("certainty", "", first(come, lex.firm)))
    elif gone and come and bool(first(gone, lex.plans)) != bool(first(come, lex.plans)):
        out.append(Turned("certainty", first(gone, lex.plans), first(come, lex.plans)))
    was, now = first(gone, lex.status), first(come, lex.status)
    if now and was not in lex.alike.get(now, (now,)):  # agreed for signed is another word, not another state
        out.append(Turned("status", was, now))
    return out


def phrases_in(text: str, phrases: tuple[str, ...]) -> tuple[str, ...]:
    """The phrases that stand in `text` as whole words, in the order of the table."""
    low = _spaced(text)
    return tuple(phrase for phrase, spaced in _table(phrases) if spaced in low)


def _spaced(text: str) -> str:
    return f" {' '.join(words(text))} "


@lru_cache(maxsize=64)
def _table(phrases: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    return tuple((phrase, _spaced(phrase)) for phrase in phrases)


def years_before(text: str, year: int | None) -> tuple[int, ...]:
    """Years before `year` that the text names, each once; none where the version's own year is not known."""
    if year is None:
        return ()
    named = (int(w) for w in words(text) if len(w) == 4 and w.isascii() and w.isdigit())
    return tuple(dict.fromkeys(n for n in named if EARLIEST_YEAR <= n < year))


def vouchers(text: str, lex: Lexicon) -> tuple[str, ...]:
    """Who stands by what this passage says: the words in front of each verb of saying, back to a comma or its start.

    "…, police said" gives "police". After a comma the subject may follow its verb ("said a spokesman"); pronouns are left
    out, since they repeat one named before.
    """
    out = []
    for sentence in sentences(text):
        low = sentence.lower()
        said = [verb for verb in lex.saying if verb in low]
        for clause in _CLAUSE.split(_BRACKETED.sub(" ", sentence)) if said else ():
            low = clause.lower()
            found = _WORD.findall(clause) if any(verb in low for verb in said) else ()
            at = next((i for i, w in enumerate(found) if w.lower() in lex.saying), None)
            if at is None:
                continue
            subject = found[max(0, at - VOUCHER_WORDS) : at]
            if found[at].lower() in lexicon.BEFORE_SOURCE:
                subject = found[at + 1 : at + 2 + VOUCHER_WORDS]
            if not subject and len(found) <= at + 1 + VOUCHER_WORDS and any(w[0].isupper() for w in found[at + 1 :]):
                subject = found[at + 1 :]
            while subject and subject[-1].lower() in STOP_WORDS:
                subject = subject[:-1]
            while subject and subject[0].lower() in ("to", "de", "a"):
                subject = subject[1:]
            subject = [w for w in subject if w.lower() not in lex.pronouns]
            if subject and any(w.lower() not in STOP_WORDS for w in subject):
                out.append(" ".join(subject))
    return tuple(out)


def who_says(text: str, lex: Lexicon) -> frozenset[str]:
    """The words (folded) of each clause up to its last verb or noun of saying, and behind one that opens it: who and by what office."""
    out: set[str] = set()
    for sentence in sentences(text):
        for clause in _CLAUSE.split(sentence):
            found = words(clause)
            at = [i for i, w in enumerate(found) if w in lex.saying]
            if at:
                out.update(found[: at[-1] + 1] if at[-1] else found)
    return frozenset(out)
