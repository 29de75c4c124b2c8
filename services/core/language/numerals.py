"""Numbers in words: "twenty-one", "dreihundertvier", "quatre-vingt-dix", "doscientos mil".

English, German, French, Spanish, Italian, Portuguese, Dutch and Swedish, up to billions. Words that are first of all
articles or other words (one, ein, un, uno) never count alone; the caller passes words of one language.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

_ONES = {
    "en": "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen",
    "de": "null ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn "
    "siebzehn achtzehn neunzehn",
    "fr": "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept "
    "dix-huit dix-neuf",
    "es": "cero un dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis "
    "diecisiete dieciocho diecinueve",
    "it": "zero un due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici "
    "diciassette diciotto diciannove",
    "pt": "zero um dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezesseis dezessete "
    "dezoito dezenove",
    "nl": "nul een twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien "
    "zeventien achttien negentien",
    "sv": "noll ett två tre fyra fem sex sju åtta nio tio elva tolv tretton fjorton femton sexton sjutton arton nitton",
}
_TENS = {
    "en": "twenty thirty forty fifty sixty seventy eighty ninety",
    "de": "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig",
    "fr": "vingt trente quarante cinquante soixante soixante-dix quatre-vingt quatre-vingt-dix",
    "es": "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
    "it": "venti trenta quaranta cinquanta sessanta settanta ottanta novanta",
    "pt": "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa",
    "nl": "twintig dertig veertig vijftig zestig zeventig tachtig negentig",
    "sv": "tjugo trettio fyrtio femtio sextio sjuttio åttio nittio",
}
_MORE = {
    "en": {},
    "de": {"dreissig": 30, "zwo": 2},
    "fr": {"quatre-vingts": 80, "septante": 70, "huitante": 80, "nonante": 90, "deux-cents": 200},
    "es": {"veintiún": 21, "veintiuno": 21, "veintidós": 22, "veintitrés": 23, "veinticuatro": 24, "veinticinco": 25,
           "veintiséis": 26, "veintisiete": 27, "veintiocho": 28, "veintinueve": 29, "doscientos": 200,
           "doscientas": 200, "trescientos": 300, "trescientas": 300, "cuatrocientos": 400, "quinientos": 500,
           "quinientas": 500, "seiscientos": 600, "setecientos": 700, "ochocientos": 800, "novecientos": 900,
           "ciento": 100, "cien": 100},
    "it": {},
    "pt": {"duas": 2, "quatorze": 14, "dezasseis": 16, "dezassete": 17, "dezanove": 19, "duzentos": 200,
           "duzentas": 200, "trezentos": 300, "quatrocentos": 400, "quinhentos": 500, "seiscentos": 600,
           "setecentos": 700, "oitocentos": 800, "novecentos": 900, "cem": 100, "cento": 100},
    "nl": {"één": 1},
    "sv": {"aderton": 18},
}  # fmt: skip
_HUNDRED = {
    "en": "hundred", "de": "hundert", "fr": "cent cents", "es": "", "it": "cento", "pt": "", "nl": "honderd",
    "sv": "hundra",
}  # fmt: skip
_THOUSAND = {
    "en": "thousand", "de": "tausend", "fr": "mille", "es": "mil", "it": "mille mila", "pt": "mil", "nl": "duizend",
    "sv": "tusen",
}  # fmt: skip
_JOINERS = {"en": "and", "de": "und", "fr": "et", "es": "y", "it": "e", "pt": "e", "nl": "en", "sv": "och"}
_WORD_FOR_A = frozenset(
    ["one", "ein", "eine", "einen", "un", "une", "una", "uno", "um", "uma", "een", "ett", "en", "a", "einem", "einer"]
)
"""Articles before all else: a number only in front of a greater one ("one million", "eine Million")."""
_LONGEST = 60
"""Letters in the longest number word that is taken apart."""

_SCALES: dict[str, dict[str, int]] = {
    "": {"mln": 6, "mn": 6, "mio": 6, "mill": 6, "bln": 9, "bn": 9, "mrd": 9, "mld": 9, "trn": 12, "tln": 12, "lakh": 5,
         "lakhs": 5, "crore": 7, "crores": 7, "万": 4, "萬": 4, "億": 8, "亿": 8, "兆": 12, "만": 4, "억": 8, "조": 12},
    "en": {"hundred": 2, "thousand": 3, "million": 6, "millions": 6, "billion": 9, "billions": 9, "trillion": 12,
           "trillions": 12, "billon": 9},
    "de": {"tausend": 3, "million": 6, "millionen": 6, "milliarde": 9, "milliarden": 9, "billion": 12, "billionen": 12},
    "fr": {"mille": 3, "million": 6, "millions": 6, "milliard": 9, "milliards": 9, "billion": 12, "billions": 12, "md": 9, "mds": 9},
    "es": {"mil": 3, "millón": 6, "millones": 6, "billón": 12, "billones": 12},
    "it": {"mila": 3, "milione": 6, "milioni": 6, "miliardo": 9, "miliardi": 9},
    "pt": {"mil": 3, "milhão": 6, "milhões": 6, "bilhão": 9, "bilhões": 9, "bilião": 12, "biliões": 12, "mi": 6, "bi": 9},
    "nl": {"duizend": 3, "miljoen": 6, "miljard": 9, "biljoen": 12},
    "sv": {"tusen": 3, "miljon": 6, "miljoner": 6, "miljard": 9, "miljarder": 9, "biljon": 12},
    "ar": {"ألف": 3, "آلاف": 3, "مليون": 6, "ملايين": 6, "مليار": 9, "مليارات": 9},
    "ru": {"тысяч": 3, "тысячи": 3, "млн": 6, "миллион": 6, "миллионов": 6, "млрд": 9, "миллиард": 9, "миллиардов": 9},
}  # fmt: skip
"""Words that multiply the figure before them, as powers of ten; "" holds for every language.

"Billion" is the long scale in German, French, Spanish and Dutch. "billon" is the wire's most frequent misprint.
"""


def _atoms(language: str) -> dict[str, int]:
    atoms = {word: n for n, word in enumerate(_ONES[language].split())}
    tens = {word: n * 10 for n, word in enumerate(_TENS[language].split(), 2)}
    ones = {word: n for word, n in atoms.items() if 1 <= n <= 9}
    for ten, value in tens.items():
        for one, n in ones.items():
            if language in ("de", "nl"):
                joined = f"{one}{'und' if language == 'de' else 'ën' if one.endswith('e') else 'en'}{ten}"
            elif language == "it":
                joined = (ten[:-1] if one in ("un", "otto") else ten) + ("uno" if one == "un" else one)
            else:
                joined = ten + one if language == "sv" else f"{ten}-{one}"
            atoms[joined] = value + n
    if language == "fr":  # soixante-quinze, quatre-vingt-seize
        teens = {word: n for word, n in atoms.items() if 11 <= n <= 19}
        atoms |= {
            f"{ten}-{word}": base + n
            for ten, base in (("soixante", 60), ("quatre-vingt", 80))
            for word, n in teens.items()
        }
        atoms |= {f"{ten}-et-un": tens[ten] + 1 for ten in ("vingt", "trente", "quarante", "cinquante", "soixante")}
    return atoms | tens | _MORE[language]


_ATOMS = {language: _atoms(language) for language in _ONES}
_MULTIPLIERS = {language: frozenset(f"{_HUNDRED[language]} {_THOUSAND[language]}".split()) for language in _ONES}
_REMEMBERED = 1 << 15
"""Words of a language that are remembered."""


def scale(word: str, language: str | None) -> int | None:
    """The power of ten that a word stands for after a figure ("mln" -> 6), by language; None if it is no such word."""
    power = _SCALES[""].get(word)
    return power if power is not None else _SCALES.get(language or "en", _SCALES["en"]).get(word)


def _compound(word: str, language: str) -> int | None:
    """A number written as one word: "dreihundertvierundzwanzig", "ventimila", "tvåhundra"."""
    atoms = _ATOMS[language]
    if word in atoms:
        return atoms[word]
    if language not in ("de", "nl", "it", "sv") or not word.isalpha() or len(word) > _LONGEST:
        return None
    for names, factor in ((_THOUSAND[language], 1000), (_HUNDRED[language], 100)):
        for name in names.split():
            head, found, tail = word.partition(name)
            if found:
                left = _compound(head, language) if head else 1
                right = _compound(tail.removeprefix("und") if language == "de" else tail, language) if tail else 0
                if left is None or right is None or left >= 1000 or right >= factor:
                    return None
                return left * factor + right
    return None


def _goes_on(current: int, value: int, smallest: int) -> bool:
    """Whether `value` can follow the part built so far: hundreds take anything below, tens take ones."""
    if current == 0:
        return value < smallest
    return (current % 100 == 0 and value < 100) or (current % 100 >= 20 and current % 10 == 0 and value < 10)


class _Beginnings(dict[str, bool]):
    """Word -> whether a number can begin with it, for one language; forgets all when full, which costs time only."""

    def __init__(self, language: str | None) -> None:
        super().__init__()
        self._language = language

    def __missing__(self, word: str) -> bool:
        if len(self) >= _REMEMBERED:
            self.clear()
        found = self[word] = _begins(word, self._language)
        return found


@lru_cache(maxsize=64)
def beginnings(language: str | None) -> Mapping[str, bool]:
    """For any word (lower case), whether a number can begin with it: the cheap question that most answer with no."""
    return _Beginnings(language)


def is_article(word: str, following: str, language: str | None) -> bool:
    """Whether a word for "a" is only that, because no hundred, thousand or greater scale follows it."""
    if word not in _WORD_FOR_A or language not in _ATOMS:
        return False
    return following not in _MULTIPLIERS[language] and not scale(following, language)


def _begins(word: str, language: str | None) -> bool:
    if language == "ar":
        return word in _ARABIC_ONES or word in _ARABIC_TENS
    if language not in _ATOMS:
        return False
    first = word.split("-", 1)[0]
    return (
        first in _WORD_FOR_A
        or any(_compound(part, language) is not None for part in (word, first))
        or word in _THOUSAND[language].split()
    )


def spelled(words: Sequence[str], language: str | None) -> tuple[Fraction, int] | None:
    """The number that `words` (lower case) begin with, and how many of them it takes; None where they begin with none.

    Words of articles count only before a greater number. Hyphenated words are one word here.
    """
    if language == "ar" and words:
        return _arabic(words)
    if language not in _ATOMS or not words:
        return None
    atoms, joiner = _ATOMS[language], _JOINERS[language]
    hundreds = frozenset(_HUNDRED[language].split())
    thousands = frozenset(_THOUSAND[language].split())
    total = current = taken = 0
    smallest = 10**18  # scales come in falling order: two hundred thousand and four
    for i, word in enumerate(words):
        value = atoms.get(word)
        if value is None:
            value = _compound(word, language)
        if value is not None and (not taken or _goes_on(current, value, smallest)):
            current += value
        elif i == 0 and language in ("fr", "es", "pt") and word in thousands:
            total, smallest = 1000, 1000
        elif word in hundreds and 0 < current < 100:
            current *= 100
        elif (
            taken
            and word != "mill"  # after a figure in digits it is a million, after a word it grinds
            and (power := 3 if word in thousands else scale(word, language))
            and 10**power < smallest
            and power >= 3
        ):
            smallest = 10**power
            total += max(current, 1) * smallest
            current = 0
        elif word in _WORD_FOR_A and i == 0:
            current = 1
        elif word == joiner and taken and i + 1 < len(words) and current % 10 == 0 and words[i + 1] in atoms:
            continue
        else:
            break
        taken = i + 1
    if not taken or (taken == 1 and words[0] in _WORD_FOR_A):
        return None
    return Fraction(total + current), taken


_HAN_DIGITS = {c: n for n, c in enumerate("〇一二三四五六七八九")} | {"零": 0, "两": 2, "兩": 2}
_HAN_UNITS = {"十": 10, "百": 100, "千": 1000}
HAN_NUMERALS = "".join((*_HAN_DIGITS, *_HAN_UNITS))


def han(numeral: str) -> int | None:
    """The value of a numeral in Han characters: by place (十四 is 14) or digit by digit (二〇二六); None where it is neither."""
    if len(numeral) > _LONGEST // 4:
        return None
    if not any(c in _HAN_UNITS for c in numeral):
        return int("".join(str(_HAN_DIGITS[c]) for c in numeral))
    total, digit, smallest = 0, None, 10**4
    for c in numeral:
        if (unit := _HAN_UNITS.get(c)) is not None:
            if unit >= smallest or digit == 0:
                return None
            total, digit, smallest = total + (1 if digit is None else digit) * unit, None, unit
        elif digit:
            return None
        else:
            digit = _HAN_DIGITS[c]
    return total + (digit or 0)


_ARABIC_ONES = {
    word: n
    for n, forms in enumerate(
        ["واحد واحدة", "اثنان اثنين اثنا اثنى اثنتا اثنتان", "ثلاث ثلاثة", "أربع أربعة اربعة", "خمس خمسة", "ست ستة", "سبع سبعة", "ثمان ثمانية ثماني",
         "تسع تسعة", "عشر عشرة", "أحد إحدى احد"], 1
    )
    for word in forms.split()
}  # fmt: skip
_ARABIC_TENS = {
    word: n * 10
    for n, forms in enumerate(
        ["عشرون عشرين", "ثلاثون ثلاثين", "أربعون أربعين", "خمسون خمسين", "ستون ستين", "سبعون سبعين", "ثمانون ثمانين", "تسعون تسعين", "مئة مائة"], 2
    )
    for word in forms.split()
}  # fmt: skip


def _arabic(words: Sequence[str]) -> tuple[Fraction, int] | None:
    """اثنا عشر is 12, خمسة وعشرون is 25; a lone "one" or "two" is mostly a pronoun."""
    first = words[0]
    if first in _ARABIC_TENS:
        return Fraction(_ARABIC_TENS[first]), 1
    one = _ARABIC_ONES.get(first)
    if one is None:
        return None
    following = words[1] if len(words) > 1 else ""
    if following in ("عشر", "عشرة") and one != 10:
        return Fraction((1 if one == 11 else one) + 10), 2
    ten = _ARABIC_TENS.get(following.removeprefix("و")) if following.startswith("و") else None
    if ten is not None and ten < 100 and one < 10:
        return Fraction(ten + one), 2
    return (Fraction(one), 1) if 3 <= one <= 10 else None
