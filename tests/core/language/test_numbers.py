from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.core.language import figures, labels, numbers, numerals


def values(text, language=None):
    return [q.value for q in numbers.extract(text, language)]


def only(text, language=None):
    (quantity,) = numbers.extract(text, language)
    return quantity


@pytest.mark.parametrize(
    "text, language, value, unit",
    [
        ("sales of 1,234.5 tonnes", "en", "1234.5", "tonne"),
        ("ein Absatz von 1.234,5 Tonnen", "de", "1234.5", "tonne"),
        ("une vente de 1 234,5 tonnes", "fr", "1234.5", "tonne"),
        ("une vente de 1\u202f234,5 tonnes", "fr", "1234.5", "tonne"),
        ("Umsatz von 1’234.5 Franken", "en", "1234.5", None),
        ("a loan of 12,34,567 rupees", "en", "1234567", "INR"),
        ("about 52.4 mln barrels", "en", "52400000", "barrel"),
        ("rund 3,5 Mrd. Euro", "de", "3500000000", "EUR"),
        ("une dette de 2 milliards d'euros", "fr", "2000000000", None),
        ("a quota of 3 lakh bags", "en", "300000", None),
        ("a rate of 6-3/16 pct", "en", "6.1875", "pct"),
        ("a rate of 6 3/16 percent", "en", "6.1875", "pct"),
        ("a cut of half, or 2½ per cent", "en", "2.5", "pct"),
        ("fined $5m yesterday", "en", "5000000", "USD"),
        ("paid EUR 7.5 bn for it", "en", "7500000000", "EUR"),
        ("twenty-one sailors", "en", "21", None),
        ("a mill for two bags", "en", "2", None),
        ("two hundred and four sailors", "en", "204", None),
        ("dreihundertvierundzwanzig Gäste", "de", "324", None),
        ("quatre-vingt-dix-sept passagers", "fr", "97", None),
        ("treinta y dos mil vecinos", "es", "32000", None),
        ("duecentotrentuno passeggeri", "it", "231", None),
        ("被害額は2億3000万円", None, "230000000", "JPY"),
        ("بلغ العدد ١٬٢٣٤٫٥", None, "1234.5", None),
        ("3.054 billion dlrs over four-", "en", "3054000000", "USD"),
    ],
)
def test_one_figure_in_many_notations(text, language, value, unit):
    quantity = numbers.extract(text, language)[0]
    assert quantity.value == Fraction(value)
    assert quantity.unit == unit


NOTATIONS = {"en": (",", "."), "de": (".", ","), "es": (".", ","), "fr": ("\u202f", ","), "sv": ("\u00a0", ",")}


@given(
    whole=st.integers(0, 10**12),
    cents=st.integers(0, 99),
    language=st.sampled_from(sorted(NOTATIONS)),
    script=st.sampled_from("0٠०"),
)
def test_a_value_written_in_any_notation_reads_as_the_same_value(whole, cents, language, script):
    group, point = NOTATIONS[language]
    written = f"{whole:,}".replace(",", group) + f"{point}{cents:02d}"
    written = "".join(chr(ord(script) + int(c)) if c.isdigit() else c for c in written)
    assert values(f"x {written} x", language) == [Fraction(whole * 100 + cents, 100)]


def test_letters_glued_to_digits_are_names():
    assert values("The SU-30 and the IL-62 landed at G7 base beside 40 trucks", "en") == [40]


def test_offsets_and_print_are_those_of_the_copy():
    text = "They sold 52.4 mln bags for $3 each"
    for quantity in numbers.extract(text, "en"):
        assert text[slice(*quantity.at)] == quantity.printed
    assert [q.printed for q in numbers.extract(text, "en")] == ["52.4 mln", "$3"]


def test_both_ends_of_a_range_have_its_scale_and_unit():
    low, high = numbers.extract("between 30 and 35 billion yen", "en")
    assert (low.value, low.unit) == (30 * 10**9, "JPY")
    assert (high.value, high.unit) == (35 * 10**9, "JPY")


def test_a_day_beside_its_month_is_a_date_and_a_year_a_year():
    assert [q.kind for q in numbers.extract("on March 11 to 20, 1987, five men", "en")] == [
        "date",
        "date",
        "year",
        "number",
    ]


def test_one_as_a_pronoun_is_no_figure():
    assert values("one of them said no one knew", "en") == []
    assert values("one million of them", "en") == [10**6]


def changed(old, new, language="en"):
    before, after = numbers.extract(old, language), numbers.extract(new, language)
    return [(c.before, c.after) for c in numbers.changed([(before, after)], before, after)]


def test_23_numbers_only_change_is_not_dropped_with_the_punctuation():
    assert changed("Dividend of 14 cts a share", "Dividend of 1.4 cts a share") == [("14 cts", "1.4 cts")]
    assert changed("The lead was 1.5 points there", "The lead was 15 points there") == [("1.5 points", "15 points")]


@pytest.mark.parametrize(
    "old, new",
    [
        ("The ferry carried 40 cars and 12 vans", "The ferry carried 12 vans and 40 cars"),
        ("Operating profit was 4.1 mln francs", "Net profit was 3.9 mln francs"),
        ("The bank lent 90 mln yen to mills", "The bank lent a further 30 mln yen to mills"),
        ("Some 3,086,386 shares were held", "Some 3.1 mln shares were held"),
        ("They met in 1986 in Oslo", "They met in 1985 in Oslo"),
        ("A fine of 1,000 euros was set", "A fine of one thousand euros was set"),
    ],
)
def test_a_moved_figure_another_basis_an_increment_or_a_rounding_is_no_changed_number(old, new):
    assert changed(old, new) == []


def test_another_unit_is_a_changed_number():
    assert changed("The leak ran for 5 km downstream", "The leak ran for 5 miles downstream") == [("5 km", "5 miles")]


def test_two_pct_is_no_rounding_of_one_point_six():
    assert changed("Growth of 2 pct is forecast", "Growth of 1.6 pct is forecast") == [("2 pct", "1.6 pct")]


def test_the_toll_is_found_across_paragraphs():
    old = ["Flood kills 12 in valley", "Police counted 12 dead in the flooded valley."]
    new = [
        "Flood kills 15 in valley",
        "Rescuers came by boat.",
        "Police counted 15 dead in the flooded valley by dusk.",
    ]
    before, after = ([q for t in side for q in numbers.extract(t, "en")] for side in (old, new))
    (change,) = numbers.changed([], before, after)
    assert (change.before, change.after) == ("12", "15")
    pairs = [(numbers.extract(old[1], "en"), numbers.extract(new[2], "en"))]
    (change,) = numbers.changed(pairs, before, after)
    assert (change.before, change.after) == ("12", "15")
    assert labels.label(change) == "toll"


@given(st.text(max_size=200))
def test_any_text_can_be_read(text):
    for quantity in numbers.extract(text):
        assert quantity.printed == text[slice(*quantity.at)]


def test_a_wall_of_digits_is_no_figure():
    assert values("9" * 100_000) == []


def test_a_figure_at_the_end_of_a_german_sentence_is_no_date():
    assert values("Der Kurs fiel auf 45.12.", "de") == [Fraction("45.12")]


@pytest.mark.parametrize(
    "text, language, adds",
    [("another 30 men", "en", True), ("30 more men", "en", True), ("more than 30 men", "en", False),
     ("weitere 30 Männer", "de", True), ("más de 30 hombres", "es", False)],
)  # fmt: skip
def test_more_than_so_many_is_no_increment(text, language, adds):
    assert only(text, language).more is adds


@pytest.mark.parametrize(
    "text, language, values",
    [
        ("火災で十四人が死亡した。", "ja", [14]),
        ("火災で12人が死亡した。", "ja", [12]),
        ("三百二十人が避難した。", "ja", [320]),
        ("二〇二六年三月", "ja", [2026, 3]),
        ("三菱の一部", "ja", []),
        ("两千三百人", "zh", [2300]),
        ("قتل اثنا عشر شخصا", "ar", [12]),
        ("قتل أربعة عشر شخصا", "ar", [14]),
        ("أصيب خمسة وعشرون شخصا", "ar", [25]),
        ("قال أحد الشهود", "ar", []),
    ],
)
def test_numerals_in_han_characters_and_in_arabic_words(text, language, values):
    assert [q.value for q in numbers.extract(text, language)] == values


# What mutations of the code had left standing


@pytest.mark.parametrize(
    "figure, value",
    [
        ("1,234,567", 1234567),
        ("12,34,567", 1234567),
        ("123,456,789", 123456789),
        ("1234,567,890", None),
        ("1,234,56", None),
        ("1,2345,678", None),
    ],
)
def test_groups_of_digits_are_three_or_lakh_and_the_first_no_longer(figure, value):
    found = figures.parse_figure(figure, decimal_comma=False)
    assert found == (None if value is None else (Fraction(value), 0))


def test_a_figure_of_thirty_digits_is_read_and_one_of_forty_one_is_not():
    assert figures.parse_figure("1" * 30, decimal_comma=False) == (Fraction(int("1" * 30)), 0)
    assert figures.parse_figure("1" * 41, decimal_comma=False) is None


def test_lower_case_keeps_every_letter_in_its_place():
    assert [len(figures.lower(word)) for word in ("İSTANBUL", "ΑΣ", "Größe")] == [8, 2, 5]
    assert figures.lower("NORVIK İ 5") == "norvik İ 5"


def test_a_clock_goes_to_twenty_four():
    assert only("at 24:00 sharp").kind == "time"
    assert all(q.kind != "time" for q in numbers.extract("won 25:30 there"))


@pytest.mark.parametrize(
    "text, value",
    [("a rate of 6-5/64 pct", "6.078125"), ("a rate of 7-3/32 pct", "7.09375"), ("a rate of 7-1/2 pct", "7.5")],
)
def test_the_fractions_of_the_markets(text, value):
    assert only(text, "en").value == Fraction(value)


def test_the_unit_of_a_changed_number_is_the_one_that_is_printed():
    assert numbers.as_change(only("a leak of 5 km"), only("a leak of 6")).unit == "km"
    assert numbers.as_change(only("a leak of 5"), only("a leak of 6 km")).unit == "km"


IRREGULAR = {
    "de": "zwo 2 dreissig 30 neunzig 90 sechzehn 16",
    "fr": "septante 70 huitante 80 nonante 90 quatre-vingts 80 soixante-douze 72 quatre-vingt-onze 91",
    "es": "veintiuno 21 veintidós 22 veintitrés 23 veinticuatro 24 veinticinco 25 veintiséis 26 veintisiete 27 veintiocho 28 "
    "veintinueve 29 cien 100 doscientos 200 doscientas 200 trescientos 300 trescientas 300 cuatrocientos 400 quinientos 500 "
    "quinientas 500 seiscientos 600 setecientos 700 ochocientos 800 novecientos 900",
    "pt": "duas 2 quatorze 14 dezasseis 16 dezassete 17 dezanove 19 cem 100 duzentos 200 trezentos 300 quatrocentos 400 "
    "quinhentos 500 seiscentos 600 setecentos 700 oitocentos 800 novecentos 900",
    "nl": "zestien 16 tachtig 80",
    "sv": "aderton 18 nittio 90",
    "en": "thirteen 13 fifteen 15 eighty 80 ninety 90",
}  # fmt: skip


@pytest.mark.parametrize(
    "language, word, value",
    [
        (lang, word, int(n))
        for lang, row in IRREGULAR.items()
        for word, n in zip(row.split()[::2], row.split()[1::2], strict=True)
    ],
)
def test_number_words_that_follow_no_rule(language, word, value):
    assert value in values(f"Vester: {word} barcos", language)


SCALED = {
    "en": "3 million 6 billion 9 trillion 12 thousand 3 hundred 2 mln 6 bn 9 trn 12 lakh 5 crore 7 lakhs 5 crores 7 billon 9",
    "de": "3 Millionen 6 Milliarden 9 Billionen 12 tausend 3 Mio 6 Mrd 9 Milliarde 9 Million 6",
    "fr": "3 millions 6 milliards 9 mille 3 md 9 mds 9 billions 12",
    "es": "3 mil 3 millones 6 billones 12 millón 6",
    "it": "3 milioni 6 miliardi 9 mila 3 mld 9",
    "pt": "3 mil 3 milhões 6 bilhões 9 biliões 12 mi 6 bi 9",
    "nl": "3 duizend 3 miljoen 6 miljard 9 biljoen 12",
    "sv": "3 tusen 3 miljoner 6 miljarder 9 biljon 12",
    "ar": "3 آلاف 3 مليون 6 ملايين 6 مليار 9 مليارات 9",
    "ru": "3 тысячи 3 млн 6 миллионов 6 млрд 9 миллиардов 9",
}  # fmt: skip


@pytest.mark.parametrize(
    "language, word, power",
    [
        (lang, word, int(n))
        for lang, row in SCALED.items()
        for word, n in zip(row.split()[1::2], row.split()[2::2], strict=True)
    ],
)
def test_a_word_that_multiplies_does_so_by_its_languages_scale(language, word, power):
    assert values(f"Vester: 3 {word} barcos", language)[0] == 3 * 10**power


@pytest.mark.parametrize(
    "numeral, value",
    [
        ("十四", 14), ("四十", 40), ("二百三", 203), ("千二百三十四", 1234), ("二〇二六", 2026), ("两千", 2000), ("零", 0),
        ("十十", None), ("百百", None), ("十百", None), ("三四十", None), ("零十", None), ("九千九百九十九", 9999),
    ],
)  # fmt: skip
def test_a_han_numeral_goes_down_its_units_or_digit_by_digit(numeral, value):
    assert numerals.han(numeral) == value


@pytest.mark.parametrize(
    "text, value",
    [("قتل عشرون شخصا", 20), ("قتل خمسة وعشرون شخصا", 25), ("قتل ثلاثة أشخاص", 3), ("قتل تسعون شخصا", 90)],
)
def test_arabic_tens_begin_a_number_too(text, value):
    assert values(text, "ar") == [value]
