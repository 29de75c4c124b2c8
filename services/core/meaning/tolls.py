"""Counts of people: the dead, the hurt, the missing, the arrested, the evacuated, whatever words carry them.

"Killed at least 12" and "the death toll rose to 15" are one quantity. A count that is only part of another ("two of them
children", "three of the wounded died"), one that is told of another year, and the value that a count rose from, are not the
toll. Where the words leave a doubt there is no count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

import msgspec
import regex

from services.core.change import NumberChange
from services.core.language import facts, lexicon
from services.core.language.figures import lower
from services.core.language.numbers import Quantity
from services.core.meaning.reading import Version

Casualties = Literal["dead", "injured", "missing", "arrested", "evacuated", "displaced"]

LABELS: dict[Casualties, str] = {
    "dead": "death toll", "injured": "injured", "missing": "missing", "arrested": "arrested", "evacuated": "evacuated",
    "displaced": "displaced",
}  # fmt: skip
CALLED = frozenset(["toll", *LABELS.values()])
"""What an update line calls a count of people."""
NEAR = 4
"""Words between a count and what became of those counted ("12 harbour workers have been killed")."""
TOLD_AFTER = 20
"""Words between "death toll" and its figure: an explosion at a store in a town stands between them."""


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_PARTICIPLES: dict[Casualties, frozenset[str]] = {
    "dead": _set(
        "killed slain getötet tuées tués tué tuée matados uccisi uccise ucciso mortos mortas gedood dödade dödats omgekomen "
        "omkommit"
    ),
    "injured": _set(
        "injured wounded hurt hospitalised hospitalized verletzt blessés blessées blessé blessée heridos heridas herido feriti "
        "ferite feridos feridas gewond skadats"
    ),
    "missing": _set(
        "missing vermisst disparus disparues desaparecidos desaparecidas dispersi dispersas vermist saknas"
    ),
    "arrested": _set(
        "arrested detained festgenommen verhaftet arrêtés arrêtées interpellés interpellées detenidos detenidas arrestati "
        "arrestate fermati detidos detidas gearresteerd aangehouden gripits gripna anhållits"
    ),
    "evacuated": _set(
        "evacuated evakuiert évacués évacuées evacuados evacuadas evacuati evacuate evacuados geëvacueerd evakuerats evakuerade"
    ),
    "displaced": _set("displaced vertrieben déplacés déplacées desplazados desplazadas sfollati deslocados ontheemd"),
}
"""Behind a count: what was done to those counted. In front of one: who did it to so many."""
_STATES: dict[Casualties, frozenset[str]] = {
    "dead": _set(
        "dead deaths died die dies perished drowned lives bodies fatalities tote toten todesopfer starben gestorben leichen morts mortes "
        "corps muertos muertas fallecidos fallecidas murieron mueren morti morte vittime mortos mortas morreram doden dodelijke stierven döda dödsoffer"
    ),
    "injured": _set("injuries verletzte verletzten verwundete gewonden skadade"),
    "missing": _set("unaccounted vermisste vermissten vermisten saknade"),
    "arrested": _set("arrests detainees festnahmen arrestations detenciones arresti detenções arrestaties"),
    "evacuated": _set("evacuees fled flee flohen"),
    "displaced": _set("homeless obdachlose obdachlos sans-abri"),
}
"""Behind a count only: they cannot be done to anybody."""
_DEEDS: dict[Casualties, frozenset[str]] = {
    "dead": _set(
        "kills kill killing tötet tötete töteten starben sterben tue tuant tuent mata mató mataron matan murieron mueren uccide uccidono "
        "matou mataram morreram doodt doodde dödar dödade claimed claims claiming"
    ),
    "injured": _set(
        "injures injure injuring wounds wound wounding hurts hurting verletzt verletzte verletzten hirió hirieron ferisce blessant"
    ),
    "missing": frozenset(),
    "arrested": _set(
        "arrests arrest arresting detains detain detaining verhaftet arrête detiene detuvo detuvieron arresta"
    ),
    "evacuated": _set("evacuates evacuate evacuating evakuiert évacue evacúa evacuó"),
    "displaced": _set("displaces displace displacing"),
}
"""In front of a count only."""
_BEHIND = {w: k for table in (_PARTICIPLES, _STATES) for k, listed in table.items() for w in listed}
_PASSIVE = {w: k for k, listed in _PARTICIPLES.items() for w in listed}
_BEFORE = {w: k for table in (_PARTICIPLES, _DEEDS) for k, listed in table.items() for w in listed}
_TOLL = _set("toll bilan bilancio balance dodental dödstalet dödstal dödssiffran opferzahl")
_LEDGERS = _set("bilan bilancio balance")
"""Tolls among the dead, balances everywhere else."""
_NUMBER_OF = _set("number zahl nombre número numero cifra aantal antalet")
_TO = _set(
    "to at of is was reached reaches reach hits hit tops topped passes passed exceeds exceeded now stood stands auf bei über "
    "à de en a para em naar op till på es ist è"
)
_ABOUT = _set(
    "at least more than about some around nearly almost over up to as many an estimated a total of mindestens rund etwa "
    "mehr als fast knapp au moins plus de près d environ al menos más unas unos cerca almeno oltre circa pelo menos mais "
    "minst omkring drygt ten minste meer dan ongeveer another the minimum maybe possibly und y"
)
_FROM = _set("from von da van från earlier previous previously initial")
_PART_BEFORE = _set(
    "including among darunter dont parmi incluidos incluidas incluyendo entre tra cui fra incluindo waaronder däribland bland"
)
_PART_BEHIND = _set("of der von des d'entre d’entre de di dos das van av them whom")
_AUXILIARY = _set(
    "were was are is been be being have has had feared presumed reported believed confirmed still remain remained left found wurden worden sind "
    "waren werden ont été sont étaient han sido fueron resultaron son están sono stati state foram estão zijn werden "
    "har blivit är gelten gingen kamen"
)
_PEOPLE = _set(
    "people persons person men women children boys girls adults civilians soldiers troops police policemen officers workers miners "
    "passengers crew sailors fishermen residents villagers students pupils tourists protesters demonstrators migrants refugees "
    "firefighters rescuers pilgrims fans patients prisoners inmates rebels militants gunmen suspects victims others families "
    "staff employees guests drivers hikers climbers skiers dockers islanders "
    "menschen personen männer frauen kinder soldaten polizisten arbeiter passagiere bewohner einwohner anwohner touristen verdächtige "
    "personnes hommes femmes enfants soldats policiers ouvriers passagers habitants touristes élèves "
    "personas hombres mujeres niños soldados policías obreros trabajadores pasajeros vecinos turistas habitantes "
    "persone uomini donne bambini soldati operai passeggeri turisti abitanti "
    "pessoas homens mulheres crianças soldados trabalhadores passageiros moradores "
    "mensen mannen vrouwen kinderen soldaten bewoners passagiers personer människor män kvinnor barn"
)
_HOMES = (
    "leave their homes",
    "flee their homes",
    "leave homes",
    "ihre häuser verlassen",
    "quitter leur domicile",
    "abandonar sus hogares",
)
_ANY = regex.compile(r"\b(?:" + "|".join(sorted({*_BEHIND, *_BEFORE, *_TOLL}, key=len, reverse=True)) + r"|homes)\b")
_HARD = frozenset('.;:!?"“”«»()\n–—。！？')
_MARK = "\ue000"
_TOKEN = regex.compile(
    rf"{_MARK}\d+{_MARK}|\p{{L}}[\p{{L}}\p{{M}}]*(?:[-'’][\p{{L}}\p{{M}}]+)*|[.,;:!?\"“”«»()\n–—。！？]"
)


class Count(msgspec.Struct, frozen=True):
    """So many people, what became of them, and the paragraph that says so (from 0; -1 is the headline)."""

    kind: Casualties
    quantity: Quantity
    place: int


class Revised(msgspec.Struct, frozen=True):
    """A count with another value: the figure that was, the one that is, and the paragraphs that give it."""

    kind: Casualties
    before: Quantity
    after: Quantity
    places: tuple[int, ...]


def revised(old: Version, new: Version, language: str, year: int | None = None) -> tuple[Revised, ...]:
    """The counts of people that have another value in `new`, one for each kind.

    A version's count is the first that it gives, headline and lead before all else; one of the two has to stand there. A
    value that both versions give for this kind is two counts, and none of them has changed.
    """
    after = counts_of(new, language, year)
    before = counts_of(old, language, year) if after else ()
    out = []
    for kind in LABELS:
        was, now = ([c for c in side if c.kind == kind] for side in (before, after))
        if not was or not now or not (_leads(was[0], old) or _leads(now[0], new)):
            continue
        olds, news = ({c.quantity.value for c in side} for side in (was, now))
        if was[0].quantity.value in news or now[0].quantity.value in olds:
            continue
        value = now[0].quantity.value
        places = tuple(dict.fromkeys(c.place for c in now if c.quantity.value == value))
        out.append(Revised(kind, was[0].quantity, now[0].quantity, places))
    return tuple(out)


def _leads(count: Count, version: Version) -> bool:
    return count.place < 0 or count.place == version.lead


def counts_of(version: Version, language: str, year: int | None = None) -> tuple[Count, ...]:
    """The counts of a version in reading order: the headline, the lead, then the paragraphs as they stand."""
    order = sorted(range(len(version.texts)), key=lambda i: (i > 0 and i - 1 != version.lead, i))
    return tuple(
        Count(kind, quantity, i - 1)
        for i in order
        for kind, quantity in counts(version.texts[i], version.quantities[i], language, year)
    )


def counts(
    text: str, figures: Sequence[Quantity], language: str, year: int | None = None
) -> tuple[tuple[Casualties, Quantity], ...]:
    """The counts of people among `figures`, as they were read in `text`."""
    if not any(map(_can_count, figures)):
        return ()
    low = lower(text)
    if _ANY.search(low) is None:
        return ()
    return tuple(
        (kind, figures[n])
        for clause in _clauses(low, figures)
        if not _is_past(clause, figures, language, year)
        for kind, n in _of_clause(clause, figures)
    )


def _can_count(quantity: Quantity) -> bool:
    return quantity.kind == "number" and quantity.unit is None and quantity.value.denominator == 1 and not quantity.more


def _clauses(low: str, figures: Sequence[Quantity]) -> Iterator[list[str]]:
    """The words and commas of each sentence, with a mark and its number for each figure."""
    pieces, at = [], 0
    for n, figure in enumerate(figures):
        if figure.at[0] >= at:
            pieces += [low[at : figure.at[0]].replace(_MARK, " "), f" {_MARK}{n}{_MARK} "]
            at = figure.at[1]
    pieces.append(low[at:].replace(_MARK, " "))
    clause: list[str] = []
    for token in _TOKEN.findall("".join(pieces)):
        if token in _HARD:
            if clause:
                yield clause
            clause = []
        else:
            clause.append(token)
    if clause:
        yield clause


def _figure(token: str) -> int | None:
    return int(token[1:-1]) if token[0] == _MARK else None


def _is_past(clause: Sequence[str], figures: Sequence[Quantity], language: str, year: int | None) -> bool:
    """Whether a sentence tells of another year."""
    numbers = [figures[n] for token in clause if (n := _figure(token)) is not None]
    if any(q.kind == "year" and (year is None or q.value < year) for q in numbers):
        return True
    return bool(facts.phrases_in(" ".join(t for t in clause if t[0] != _MARK), lexicon.of(language).past))


def _of_clause(clause: Sequence[str], figures: Sequence[Quantity]) -> Iterator[tuple[Casualties, int]]:
    spent: set[int] = set()
    for i, token in enumerate(clause):
        n = _figure(token)
        if n is None or not _can_count(figures[n]) or _is_part(clause, i):
            continue
        kind = _kind_behind(clause, i) or _kind_before(clause, i)
        if kind is not None:
            spent.add(n)
            yield kind, n
    for kind, n in _told_as_toll(clause, figures):
        if n not in spent:
            yield kind, n


def _is_part(clause: Sequence[str], i: int) -> bool:
    """Whether the figure at `i` counts some of those counted, or is what the count was before."""
    behind = clause[i + 1 : i + 2]
    if behind and behind[0] in _PART_BEHIND:
        return True
    before = list(_plain_before(clause, i))
    if not before:
        return False
    if before[0] in _PART_BEFORE or before[0] in _FROM or (before[0] == "them" and "among" in before):
        return True
    if list(clause[max(0, i - 2) : i]) == ["of", "the"]:  # 32 of the 543 on board
        return True
    then = clause[i + 1 : i + 3]
    return (
        clause[i - 1] in ("de", "of")
        and len(then) == 2
        and then[0] in ("à", "a", "to")
        and _figure(then[1]) is not None
    )


def _plain_before(clause: Sequence[str], i: int) -> Iterator[str]:
    """The words in front of a figure, nearest first, without "at least" and its kin."""
    for token in reversed(clause[max(0, i - 8) : i]):
        if token in _FROM or token not in _ABOUT:
            yield token


def _kind_behind(clause: Sequence[str], i: int) -> Casualties | None:
    """12 dead; 12 people died; 12 workers were killed; 12 people killed in …; 4,000 people to leave their homes."""
    said = []
    for word in clause[i + 1 : i + 3 + NEAR]:
        if word == "," or _figure(word) is not None:
            break
        said.append(word)
    if not said:
        return None
    if any(phrase in " ".join((*said, *clause[i + 1 + len(said) : i + 9])) for phrase in _HOMES) and said[0] in _PEOPLE:
        return "evacuated"
    at = next((k for k, word in enumerate(said) if word in _BEHIND), None)
    if at is None:
        return None
    between, word = said[:at], said[at]
    if word == "dead" and said[at + 1 : at + 2] == ["weight"]:
        return None
    if word == "lives" and any(w.startswith("sav") for w in clause[max(0, i - 4) : i]):
        return None
    if not all(w in _PEOPLE or w in _AUXILIARY for w in between[-1:]) or (
        between and _PEOPLE.isdisjoint(between[:3]) and between[0] not in _AUXILIARY
    ):
        return None
    bare = not any(w in _AUXILIARY for w in between)
    if word in _PASSIVE and bare and _does(clause, i + 1 + at):
        return None
    return _BEHIND[word]


def _does(clause: Sequence[str], at: int) -> bool:
    """Whether a participle has an object, and so was done by those counted: "two gunmen killed 30", "two men hurt the mayor"."""
    rest = [t for t in clause[at + 1 : at + 5] if t not in _ABOUT or t == "the"][:1]
    return bool(rest) and (_figure(rest[0]) is not None or rest[0] in ("the", "his", "her", "their", "dozens"))


def _kind_before(clause: Sequence[str], i: int) -> Casualties | None:
    """Killed at least 12; injuring 40; murieron 12."""
    word = next(_plain_before(clause, i), "")
    kind = _BEFORE.get(word)
    if kind is None or kind == "missing":
        return None
    if word.startswith("claim") and clause[i + 1 : i + 2] != ["lives"]:
        return None
    behind = clause[i + 1 : i + 2]
    if (
        not behind
        or behind[0] in _PEOPLE
        or behind[0] == "lives"
        or behind[0] in (",", "and", "und", "et", "y", "e", "en", "och")
    ):
        return kind
    if _PEOPLE.isdisjoint(clause[i + 1 : i + 3]) and (kind == "evacuated" or behind[0] not in _AFTER_COUNT):
        return None
    return kind


_AFTER_COUNT = _set(
    "in at on after when as by near off outside during wounded injured dead hurt bei in nach à dans en après tras nel dopo em após bij na i efter"
)


def _told_as_toll(clause: Sequence[str], figures: Sequence[Quantity]) -> Iterator[tuple[Casualties, int]]:
    """The death toll from … rose to 15; the number of injured was put at 41."""
    at = next((k for k, word in enumerate(clause) if word in _TOLL or word in _NUMBER_OF), None)
    if at is None:
        return
    if clause[at] in _LEDGERS and not any(_BEHIND.get(word) == "dead" for word in clause):
        return
    kind: Casualties | None = "dead" if clause[at] in _TOLL else None
    named = [_BEHIND[w] for w in clause[at + 1 : at + 1 + NEAR] if w in _BEHIND]
    kind = named[0] if named and clause[at] in _NUMBER_OF else kind
    if kind is None:
        return
    for i in range(at + 1, min(len(clause), at + TOLD_AFTER)):
        n = _figure(clause[i])
        if n is None or not _can_count(figures[n]) or _is_part(clause, i):
            continue
        before = next((t for t in reversed(clause[at:i]) if t not in _ABOUT or t in _TO), "")
        if before in _TO or i == at + 1:
            yield kind, n
            return


def as_change(count: Revised) -> NumberChange:
    """A count as it is written into a change."""
    return NumberChange(before=count.before.printed, after=count.after.printed, context=LABELS[count.kind])


def unlike(pairs: Iterable[tuple[Quantity, Quantity]], found: Sequence[Revised]) -> list[tuple[Quantity, Quantity]]:
    """The matched figures without those whose figure is, on either side, a count that became another."""
    return [
        (b, a)
        for b, a in pairs
        if not any(
            (b.unit is None and b.value == r.before.value) or (a.unit is None and a.value == r.after.value)
            for r in found
        )
    ]
