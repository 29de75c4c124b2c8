"""The facts of an invented story: names and figures, each drawn when a sentence first asks for it."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

ONSETS = ("Ald", "Bar", "Bren", "Cal", "Dor", "Ed", "Esk", "Fal", "Garn", "Hol", "Ing", "Jar", "Kel", "Lang", "Mar", "Nor",
          "Os", "Pel", "Quen", "Rav", "Sal", "Tarn", "Ul", "Var", "Wen", "Yar", "Zel", "Thor", "Strand", "Glen", "Hest", "Vik")  # fmt: skip
MIDDLES = ("a", "e", "i", "o", "u", "en", "er", "in", "or", "un", "el", "ar")
PLACE_ENDS = (
    "mouth",
    "holm",
    "wick",
    "ford",
    "stad",
    "vik",
    "haven",
    "mark",
    "by",
    "ness",
    "dal",
    "moor",
    "lund",
    "thorpe",
)
NAME_ENDS = (
    "sen",
    "son",
    "lund",
    "mann",
    "berg",
    "well",
    "dale",
    "ström",
    "ton",
    "quist",
    "ley",
    "owitz",
    "ari",
    "esco",
    "ide",
)
GIVEN = ("Ada", "Aino", "Ansel", "Arvo", "Britt", "Carlo", "Dagny", "Edda", "Emil", "Fenna", "Gerda", "Hanno", "Ilse", "Ivo",
         "Jana", "Joss", "Kaja", "Kurt", "Lena", "Lior", "Maud", "Milo", "Nadia", "Nils", "Oda", "Otto", "Petra", "Quint",
         "Rhea", "Rolf", "Sanne", "Stig", "Tove", "Udo", "Vera", "Wim", "Yara", "Zeno", "Mette", "Corin")  # fmt: skip
LAND_ENDS = ("land", "mark", "ria", "via", "onia", "stan")
COMPANY_ENDS = (
    "Foods",
    "Marine",
    "Bank",
    "Works",
    "Lines",
    "Energy",
    "Steel",
    "Textiles",
    "Coaches",
    "Holding",
    "Paper",
    "Optics",
)
OBSTACLES = {
    "en": ("a lorry", "a bridge pillar", "a milk tanker", "a stone wall", "a gravel truck", "a parked trailer"),
    "de": ("einen Lastwagen", "einen Brückenpfeiler", "eine Mauer", "einen Tanklaster"),
    "fr": ("un camion", "un pilier de pont", "un mur", "un camion-citerne"),
}
JOBS = {
    "en": ("mayor", "harbour chief", "judge", "treasurer", "police chief", "rector"),
    "de": ("Bürgermeister", "Hafenchef", "Kämmerer", "Polizeichef", "Rektor"),
}
TRADES = ("composer", "painter", "novelist", "goalkeeper", "organist", "film director", "sculptor", "chess champion")
BUILDINGS = ("boarding house", "furniture store", "dance hall", "nursing home", "paint shop", "tower block", "old mill")
TARGETS = ("bank vault", "jeweller's", "post office", "museum safe", "cash depot", "pawnshop")
CRAFTS = ("dockers", "nurses", "train drivers", "welders", "teachers", "pilots", "bakers", "postmen", "tram drivers")
ILLNESSES = ("measles", "cholera", "hepatitis", "salmonella", "legionnaires' disease", "whooping cough")
PACTS = ("fishing rights", "river water", "border posts", "tariffs", "airspace", "gas transit", "seabed cables")
PITS = ("coal mine", "cave", "salt mine", "sewer", "railway tunnel", "quarry")
VEHICLES = (
    "coach",
    "school bus",
    "tram",
    "minibus",
    "night bus",
    "delivery van",
    "fire engine",
    "tour bus",
    "works bus",
)
PARTIES = (
    "Harbour Party",
    "Moderate List",
    "Green Union",
    "Workers' Bloc",
    "Coast Alliance",
    "Free Farmers",
    "Civic Forum",
)
WEEKDAYS = {
    "en": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    "de": ("Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag"),
    "fr": ("lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"),
    "es": ("lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo"),
}
ORDINALS = ("first", "second", "third", "fourth")
WHOLE = {
    "toll": (2, 19), "hurt": (21, 95), "age": (22, 64), "age10": (5, 24), "minutes": (11, 58), "riders": (28, 61), "n20": (3, 29),
    "years": (3, 14), "mln": (4, 880), "profit": (31, 940), "profit2": (31, 940), "quarter": (1, 4), "staff": (140, 3900),
    "speed": (101, 187), "homes": (1100, 88000), "turnout": (41, 83), "counted": (12, 60), "year": (1961, 2021),
    "crews": (4, 27), "gang": (2, 8), "firms": (3, 40), "saved": (3, 19), "depth": (22, 480),
}  # fmt: skip
"""Range of each whole figure; a figure of 20 or less is left in digits, so that it is one word in every language."""
DECIMAL = {
    "pct": (31, 58, 1),
    "bln": (1, 9, 1),
    "bln2": (1, 9, 1),
    "price": (2, 480, 2),
    "level": (1200, 9800, 1),
    "move": (0, 2, 1),
}
"""Range and places of each decimal figure."""


class Facts(dict[str, str]):
    """The facts of one story, by the name of their place in a sentence. Two reports of one story share them."""

    def __init__(self, rng: Random, language: str, weekday: int) -> None:
        super().__init__(day=WEEKDAYS[language][weekday])
        self.rng, self.language = rng, language

    def __missing__(self, name: str) -> str:
        self[name] = value = self.draw(name)
        return value

    def draw(self, name: str) -> str:
        """Another value for the place `name`; a last name is that of the person with the same number.

        What follows `_` in a name only keeps two figures of one kind apart.
        """
        name = name.partition("_")[0]
        if name in WHOLE:
            return self.whole(self.rng.randint(*WHOLE[name]), years=name == "year")
        if name in DECIMAL:
            low, high, places = DECIMAL[name]
            return self.decimal(self.rng.uniform(low, high), places)
        if name.startswith("last"):
            return self[f"person{name[4:]}"].split()[-1]
        if name == "ordinal":
            return ORDINALS[int(self["quarter"]) - 1]
        return DRAWN[name.rstrip("0123456789")](self.rng, self.language)

    def whole(self, value: int, *, years: bool = False) -> str:
        """A whole number as the language prints it: 88,000, 88.000."""
        text = str(value) if years else f"{value:,}"
        return text if self.language == "en" else text.replace(",", ".")

    def decimal(self, value: float, places: int) -> str:
        """A decimal as the language prints it, without groups: 51.8, 51,8."""
        text = f"{value:.{places}f}"
        return text if self.language == "en" else text.replace(".", ",")

    def go_on(self, name: str) -> str:
        """The value of `name` some time later: a toll grows, a count goes on, a price moves."""
        before = self[name].replace(".", "").replace(",", "") if name in WHOLE else ""
        if name in ("toll", "counted", "hurt", "firms", "saved"):
            return self.whole(min(99, int(before) + self.rng.randint(1, 6)))
        value = self.draw(name)
        while value == self[name]:
            value = self.draw(name)
        return value


def _place(rng: Random, _: str) -> str:
    return rng.choice(ONSETS) + rng.choice(MIDDLES) + rng.choice(PLACE_ENDS)


def _person(rng: Random, _: str) -> str:
    return f"{rng.choice(GIVEN)} {rng.choice(ONSETS)}{rng.choice(MIDDLES)}{rng.choice(NAME_ENDS)}"


DRAWN: dict[str, Callable[[Random, str], str]] = {
    "place": _place,
    "river": lambda rng, _: rng.choice(ONSETS) + rng.choice(MIDDLES),
    "person": _person,
    "company": lambda rng, _: f"{rng.choice(ONSETS)}{rng.choice(MIDDLES)} {rng.choice(COMPANY_ENDS)}",
    "obstacle": lambda rng, language: rng.choice(OBSTACLES[language]),
    "job": lambda rng, language: rng.choice(JOBS[language]),
    "trade": lambda rng, _: rng.choice(TRADES),
    "vehicle": lambda rng, _: rng.choice(VEHICLES),
    "building": lambda rng, _: rng.choice(BUILDINGS),
    "target": lambda rng, _: rng.choice(TARGETS),
    "craft": lambda rng, _: rng.choice(CRAFTS),
    "illness": lambda rng, _: rng.choice(ILLNESSES),
    "pact": lambda rng, _: rng.choice(PACTS),
    "pit": lambda rng, _: rng.choice(PITS),
    "land": lambda rng, _: rng.choice(ONSETS) + rng.choice(MIDDLES) + rng.choice(LAND_ENDS),
    "party": lambda rng, _: rng.choice(PARTIES),
}
