"""Figures in copy: where they stand, their exact value and unit, in any notation.

Values are exact fractions, never floats. Notations: 1,234.5 · 1.234,5 · 1 234,5 · 12,34,567 · ١٢٣ · twelve · 52.4 mln ·
3 Mrd. · 2億 · 6-3/16 · ½ · 14:30 · $5m · 5 pct. What is glued to letters in front (SU-25, G7) is a name, not a figure.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Literal

import msgspec
import regex

from services.core.language import numerals
from services.core.language.text import LATIN, is_latin

Kind = Literal["number", "year", "date", "time", "ordinal"]

LONGEST_FIGURE = 40
"""Characters: longer runs of digits are codes, and turning them into integers costs more than it tells."""
LONGEST_CODE = 12
"""Letters looked at in front of a hyphen to tell a name (SU-25) from a word (mid-1980)."""
YEARS = range(1500, 2101)
_COMMA_LANGUAGES = frozenset(
    ["de", "fr", "es", "it", "pt", "nl", "sv", "da", "nb", "no", "fi", "pl", "cs", "ru", "uk", "tr", "el", "hu", "ro"]
)
_GROUP_SPACES = "\u00a0\u202f\u2009'’"
_FIGURE = regex.compile(rf"\d+(?:[.,{_GROUP_SPACES}]\d+)*|[½¼¾⅓⅔⅛⅜⅝⅞]")
_SPACED_GROUPS = regex.compile(r"(?: \d{3})+(?!\d)(?:,\d+)?")
_FRACTION = regex.compile(r"[- ](\d{1,2})/(\d{1,2})(?!\d)|/(\d{1,2})(?![\d/])")
_CLOCK = regex.compile(r"[:h](\d{2})(?![\d:])")
_WORD = regex.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")
_ANY_DIGIT = re.compile(r"\d")
_LATIN_WORD = re.compile(rf"[{LATIN}]+(?:[-'’][{LATIN}]+)*")
_ASCII_WORD = re.compile(r"[a-z]+(?:[-'][a-z]+)*")
_AFTER = regex.compile(r"[ \u00a0\u202f-]?(%|‰|°[cf]?|[$£€¥₹]|[万萬億亿兆만억조円元]|[^\W\d_]+\.?)")
_SECOND = regex.compile(r"[ \u00a0\u202f-]?([^\W\d_]+)")
_BEFORE = regex.compile(r"((?:US|A|C|HK|NZ|S|R)?[$£€¥₹]|\b(?:USD|EUR|GBP|JPY|CHF|DM|Rs|RMB|CNY))[. ]?$")
_DENOMINATORS = frozenset([2, 3, 4, 5, 6, 8, 10, 16, 32, 64])
_ORDINALS = frozenset(["st", "nd", "rd", "th"])
_DATE = regex.compile(r"\b\d{1,2}\.\d{1,2}\.(?:\d{4}|\d{2})?(?!\d)|\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}/\d{1,2}/\d{2,4}\b")
_VULGAR = {c: Fraction(unicodedata.numeric(c)).limit_denominator(8) for c in "½¼¾⅓⅔⅛⅜⅝⅞"}
_DOTTED_DAYS = frozenset(["de", "da", "nb", "no", "fi", "cs", "pl", "hu"])
_PARTED = re.compile(r"\d[.,]\d")
_DIGITS = regex.compile(r"\d+")
_LIST = regex.compile(r"\d{1,2}(?:,\d{1,2}){2,30}")
_FOREIGN_DIGIT = regex.compile(r"(?![0-9])\d")


def _units(table: str) -> dict[str, str]:
    return {word: line.split()[0] for line in table.strip().splitlines() for word in line.split()[1:]}


UNITS = _units(
    """
    pct % ٪ pct percent percents prozent procent procents por-ciento pour-cent per-cent per-cento
    permille ‰
    point point points pts prozentpunkte prozentpunkt punkte punkten puntos puntos-porcentuales procentpunten percentage-points percentage-point
    basis-point bp bps basis-points basis-point basispunkte
    USD $ us$ usd dlr dlrs dls dollar dollars
    GBP £ gbp stg sterling pound pounds
    EUR € eur euro euros
    JPY ¥ jpy yen 円
    CHF chf sfr
    DEM dm mark marks
    FRF franc francs ffr
    INR ₹ rs rupee rupees
    CNY cny rmb yuan 元
    cent ct cts cent cents
    pence pence p
    tonne tonne tonnes ton tons tonnen tonnes toneladas
    kg kg kilo kilos kilogram kilograms
    km km kilometre kilometres kilometer kilometers kilómetros
    mile mile miles
    metre metre metres meter meters
    bpd bpd
    barrel barrel barrels bbl
    degree °c °f ° degrees degree grad
    hour hour hours hrs stunden heures horas uur
    minute minute minutes mins minuten
    day day days tage tagen jours días dagen
    week week weeks wochen semaines semanas weken
    month month months mths monate monaten mois meses maanden
    year year years yrs jahre jahren ans años jaar
    share shrs
    """
)
_TWO_WORDS = frozenset(["per", "pour", "por", "percentage", "basis", "puntos"])
_GLUEDUNITS = frozenset(["p"])
LINKS = frozenset(["to", "and", "or", "-", "–", "bis", "und", "à", "et", "a", "y", "e", "tot", "en", "och", "till"])


class Figure(msgspec.Struct):
    """One figure as it is read: `power` is its scale as a power of ten, `bare` says that neither scale nor unit stands by it."""

    start: int
    end: int
    value: Fraction
    kind: Kind = "number"
    unit: str | None = None
    power: int = 0
    decimals: int = 0
    bare: bool = True

    @property
    def quantum(self) -> Fraction:
        """What the last printed digit is worth: 100,000 in "3.1 mln"."""
        return Fraction(10**self.power, 10**self.decimals)


def plain_digits(text: str) -> str:
    """Digits and separators of other scripts as ASCII ones, code point by code point (the length stays)."""
    if text.isascii():
        return text
    text = _FOREIGN_DIGIT.sub(lambda m: str(unicodedata.decimal(m[0], 0)), text)
    return text.translate({0x066B: ".", 0x066C: ",", 0xFF0E: ".", 0xFF0C: ",", 0xFF05: "%", 0x066A: "%"})


def uses_decimal_comma(text: str, language: str | None) -> bool:
    """Whether a comma parts the decimals here: by the language, unless the figures of the text show the other habit."""
    votes = 4 if language in _COMMA_LANGUAGES else -4
    if _PARTED.search(text) is None:
        return votes > 0
    for match in _FIGURE.finditer(_DATE.sub(" ", text)):
        figure = match[0]
        commas, dots = figure.count(","), figure.count(".")
        if commas and dots:
            votes += 8 if figure.rfind(",") > figure.rfind(".") else -8
        elif commas + dots == 1:
            tail = figure.replace(",", ".").rpartition(".")[2]
            if len(tail) != 3:
                votes += 1 if commas else -1
    return votes > 0


def parse_figure(figure: str, *, decimal_comma: bool, scaled: bool = False) -> tuple[Fraction, int] | None:
    """The exact value of digits with separators, and how many of them are decimals; None where they are no figure (a version, a date, a code).

    `scaled`: a word such as "billion" follows, and nobody writes a grouped figure before one.
    """
    if len(figure) > LONGEST_FIGURE:
        return None
    if figure.isdigit():
        return Fraction(int(figure)), 0
    for space in _GROUP_SPACES + " ":
        figure = figure.replace(space, "")
    commas, dots = figure.count(","), figure.count(".")
    if commas and dots:
        point = max(figure.rfind(","), figure.rfind("."))
        if figure.count(figure[point]) > 1:
            return None
        whole, decimals = figure[:point], figure[point + 1 :]
    elif commas + dots > 1:
        pieces = regex.split("[.,]", figure)
        if len(pieces[-1]) != 3 or not all(len(p) in (2, 3) for p in pieces[1:-1]) or len(pieces[0]) > 3:
            return None
        whole, decimals = figure, ""
    elif commas + dots == 1:
        mark = "," if commas else "."
        whole, _, decimals = figure.partition(mark)
        grouped = len(decimals) == 3 and 1 <= len(whole) <= 3 and whole != "0"
        if grouped and (mark == ",") != decimal_comma and not (scaled and mark == "."):
            whole, decimals = figure, ""
    else:
        whole, decimals = figure, ""
    digits = whole.replace(",", "").replace(".", "")
    return Fraction(int((digits or "0") + decimals), 10 ** len(decimals)), len(decimals)


def _unit_at(low: str, at: int) -> tuple[str | None, int]:
    """The unit word that begins at or after a joining blank at `at`, and where it ends."""
    match = _AFTER.match(low, at)
    if match is None:
        return None, at
    word = match[1].rstrip(".")
    if word in _TWO_WORDS and (second := _SECOND.match(low, match.end())):
        unit = UNITS.get(f"{word}-{second[1]}")
        if unit:
            return unit, second.end()
    unit = UNITS.get(word)
    if unit is None or (word in _GLUEDUNITS and match.start(1) != at):
        return None, at
    return unit, match.start(1) + len(word)


def _finish(found: Figure, text: str, low: str, language: str | None) -> None:
    """Read the scale and unit after a figure, and the currency before it."""
    while match := _AFTER.match(low, found.end):
        word = match[1].rstrip(".")
        power = numerals.scale(word, language)
        if (
            power is None
            and word in ("m", "k", "b", "tn")
            and match.start(1) == found.end
            and _BEFORE.search(text, max(0, found.start - 5), found.start)
        ):
            power = {"k": 3, "m": 6, "b": 9, "tn": 12}[word]
        if power is None:
            break
        found.value *= 10**power
        found.power += power
        found.end = match.start(1) + len(word)
    point = found.power > 0 and low[found.end : found.end + 1] == "."  # 3 Mio. Euro
    unit, end = _unit_at(low, found.end + point)
    found.unit, found.end = unit, end if unit else found.end
    if before := _BEFORE.search(text, max(0, found.start - 5), found.start):
        symbol = before[1].lower()
        found.unit = found.unit or UNITS.get(symbol) or UNITS.get(symbol[-1:])
        found.start = before.start(1)
    found.bare = found.unit is None and not found.power


def lower(text: str) -> str:
    """Lower case that keeps every code point in its place."""
    low = text.lower()
    return low if len(low) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def _is_name(text: str, start: int) -> bool:
    """Whether the digits at `start` hang on letters: G7, SU-25, IL-76; not US$5 or mid-1980."""
    if start == 0 or _BEFORE.search(text, max(0, start - 5), start):
        return False
    if text[start - 1].isalpha():
        return text[start - 1] < "\u2e80"  # scripts without blanks glue everything
    at = start - 1
    if text[at] != "-":
        return False
    while at > 0 and text[at - 1].isalpha() and start - at <= LONGEST_CODE:
        at -= 1
    return text[at].isupper()


def _figures(text: str, low: str, language: str | None) -> list[Figure]:
    """Figures in digits."""
    out: list[Figure] = []
    if _FIGURE.search(text) is None:
        return out
    comma = uses_decimal_comma(text, language)
    at = 0
    while match := _FIGURE.search(text, at):
        start, at = match.span()
        if _is_name(text, start):
            continue
        figure = match[0]
        if comma and len(figure) <= 3 and (groups := _SPACED_GROUPS.match(text, at)):
            figure, at = figure + groups[0], groups.end()
        found = _read(text, low, start, at, figure, comma=comma, language=language)
        if found is not None:
            _finish(found, text, low, language) if found.kind == "number" else None
            out.append(found)
            at = max(at, found.end)
        elif _LIST.fullmatch(figure):  # 1,2,3
            out.extend(
                Figure(start + n.start(), start + n.end(), Fraction(int(n[0]))) for n in _DIGITS.finditer(figure)
            )
    return out


def _is_date(printed: str, language: str | None) -> bool:
    """Whether "12.3." is a day and a month, and not the end of a sentence: where days are written so, or a year follows."""
    parts = [int(n) for n in _DIGITS.findall(printed)]
    if len(parts) == 2 and language not in _DOTTED_DAYS:
        return False
    day, month = sorted(parts[1:] if len(parts) > 2 and parts[0] > 31 else parts[:2], reverse=True)
    return 1 <= month <= 12 and day <= 31


def _read(text: str, low: str, start: int, at: int, figure: str, *, comma: bool, language: str | None) -> Figure | None:
    """One figure and what is glued behind it: a fraction, minutes, an ordinal's ending."""
    if figure in _VULGAR:
        return Figure(start, at, _VULGAR[figure])
    if (date := _DATE.match(text, start)) and _is_date(date[0], language):
        return Figure(start, date.end(), Fraction(int(regex.sub(r"\D", "", date[0]))), kind="date")
    after = _AFTER.match(low, at)
    scaled = after is not None and numerals.scale(after[1].rstrip("."), language) is not None
    parsed = parse_figure(figure, decimal_comma=comma, scaled=scaled)
    if parsed is None:
        return None
    value, decimals = parsed
    plain = figure.isdigit()
    if at < len(text) and text[at] in _VULGAR:
        return Figure(start, at + 1, value + _VULGAR[text[at]])
    if plain and (match := _FRACTION.match(text, at)):
        over, under = (match[1], match[2]) if match[2] else (figure, match[3])
        if int(under) in _DENOMINATORS and int(over) < int(under):
            part = Fraction(int(over), int(under))
            return Figure(start, match.end(), value + part if match[2] else part)
    if plain and len(figure) <= 2 and (match := _CLOCK.match(text, at)) and int(figure) < 25 and int(match[1]) < 60:
        return Figure(start, match.end(), value * 60 + int(match[1]), kind="time")
    if plain and after is not None and after.start(1) == at and after[1] in _ORDINALS:
        return Figure(start, after.end(1), value, kind="ordinal")
    if plain and len(figure) == 4 and int(figure) in YEARS and not scaled:
        found = Figure(start, at, value)
        _finish(found, text, low, language)
        found.kind = "year" if found.bare else "number"
        return found
    return Figure(start, at, value, decimals=decimals)


_HAN_COUNTED = (
    "[人名件歳岁隻艘個个個棟栋軒頭匹位年月日時时分間间回度票点點枚本台機架億亿万萬兆円元%％倍割階阶級级週周隊队校店座輛辆艇場场吨噸米]"
    "|キロ|メートル|センチ|ミリ|トン|リットル|ヘクタール|ドル|ユーロ|ポンド|パーセント|ポイント|[カか箇ヵヶ](?:国|所|月|年)|公里|公斤|公顷|公頃|平方|立方"
)
_HAN_SPAN = "から|至|到|～"
"""Between two figures: "from two to three"."""
_HAN_FIGURE = regex.compile(  # only before what is counted, in a span or long enough: 一部 and 三菱 are no figures
    rf"(?<![{numerals.HAN_NUMERALS}第])(?:[{numerals.HAN_NUMERALS}]+(?:(?={_HAN_COUNTED})(?!人[々])"
    rf"|(?=(?:{_HAN_SPAN})[{numerals.HAN_NUMERALS}]))|(?<=[{numerals.HAN_NUMERALS}](?:{_HAN_SPAN}))[{numerals.HAN_NUMERALS}]+"
    rf"|[{numerals.HAN_NUMERALS}]{{3,}})"
)


def _han_figures(text: str, low: str, language: str | None) -> list[Figure]:
    """Figures in Han characters: 十四人, 三百万円."""
    out: list[Figure] = []
    for match in _HAN_FIGURE.finditer(text):
        value = numerals.han(match[0])
        if value is None or text[match.end() : match.end() + 1] == "部":
            continue
        found = Figure(*match.span(), Fraction(value))
        _finish(found, text, low, language)
        out.append(found)
    return out


Spot = tuple[int, int, str]
"""A word where it stands: [start, end) and its letters."""


def holds_none(plain: str, low: str, language: str | None) -> bool:
    """Whether a text surely holds no figure, in digits or in words: the cheap question, for texts in Latin letters."""
    if not is_latin(plain) or _ANY_DIGIT.search(plain):
        return False
    found = _words_of(low).findall(low)
    begins = numerals.beginnings(language)
    return not any(
        begins[word] and not numerals.is_article(word, following, language)
        for word, following in itertools.pairwise((*found, ""))
    )


def words_at(low: str) -> list[Spot]:
    """The words of a text in lower case, hyphened ones whole."""
    return [(*m.span(), m[0]) for m in _words_of(low).finditer(low)]


def _words_of(low: str) -> Any:
    """The quickest pattern that finds the words of a text in lower case."""
    return _ASCII_WORD if low.isascii() else _LATIN_WORD if is_latin(low) else _WORD


def _spelled(low: str, language: str | None, words: Sequence[Spot]) -> list[Figure]:
    """Figures in words; `low` is the text in lower case."""
    out: list[Figure] = []
    begins = numerals.beginnings(language)
    for at in [i for i, spot in enumerate(words) if begins[spot[2]]]:
        spot = words[at]
        following = words[at + 1][2] if at + 1 < len(words) else ""
        if numerals.is_article(spot[2], following, language) or (out and spot[0] < out[-1].end):
            continue
        run = words[at : at + 8]
        heads = [run[0]]
        for before, word in itertools.pairwise(run):
            if low[before[1] : word[0]].strip(" \u00a0"):
                break
            heads.append(word)
        number = numerals.spelled([w[2] for w in heads], language)
        hyphened = spot[2].split("-")
        if number is None and len(hyphened) > 1:  # eight-year-old, eight-billion-dlr
            compound = numerals.spelled(hyphened, language)
            if compound is not None:
                value, parts = compound
                end = spot[0] + len("-".join(hyphened[:parts]))
                unit, end = _unit_at(low, end) if UNITS.get("".join(hyphened[parts : parts + 1])) else (None, end)
                out.append(Figure(spot[0], end, value, unit=unit, bare=unit is None))
            continue
        if number is None:
            continue
        value, taken = number
        found = Figure(spot[0], heads[taken - 1][1], value)
        found.unit, found.end = _unit_at(low, found.end)
        found.bare = found.unit is None
        out.append(found)
    return out


def find(plain: str, low: str, language: str | None, words: Sequence[Spot]) -> list[Figure]:
    """Every figure of `plain` (digits already plain, `low` its lower case, `words` the words of that) in reading order.

    "between 30 and 35 billion" gives both ends the scale and the unit.
    """
    digits = _figures(plain, low, language)
    if not plain.isascii():
        digits += _han_figures(plain, low, language)
    found = sorted(digits + _spelled(low, language, words), key=lambda f: f.start)
    for earlier, later in itertools.pairwise(found):
        if (
            earlier.bare
            and not later.bare
            and earlier.kind == "number"
            and low[earlier.end : later.start].strip(" \u00a0") in LINKS
        ):
            earlier.unit = later.unit
            if later.value >= 10**later.power > earlier.value:
                earlier.value *= 10**later.power
    return _joined(found)


def _joined(found: list[Figure]) -> list[Figure]:
    """2億3000万 is one figure: a myriad goes on right after a greater one."""
    out: list[Figure] = []
    for figure in found:
        if out and out[-1].power in (8, 12) and figure.power in (4, 8) and out[-1].end == figure.start:
            out[-1] = Figure(
                out[-1].start, figure.end, out[-1].value + figure.value, unit=figure.unit, power=4, bare=False
            )
        else:
            out.append(figure)
    return out
