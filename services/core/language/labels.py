"""What a figure is called in an update line: "toll 12 → 15", "net profit 187 → 121 mln"; nothing rather than a wrong word."""

from __future__ import annotations

from collections.abc import Sequence

import regex

from services.core.change import NumberChange

REACH = 4
"""Content words between a figure and the noun that it measures."""
_TAIL = regex.compile(r"[ \u00a0\u202f]?[^\d\s]{1,20}(?: [^\d\s]{1,20})?$")
_WORD = regex.compile(r"\p{Lu}{3,}")
_CODES = frozenset(["USD", "EUR", "GBP", "JPY", "CHF", "CNY", "DEM", "FRF", "INR"])


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_DEATHS = _set("toll dead killed deaths died tote toten morts tués muertos morti mortos doden döda")
_HURT = (
    "injured", "wounded", "missing", "hurt", "arrested", "evacuated", "displaced", "verletzte", "blessés", "heridos", "feriti",
    "feridos", "gewonden", "skadade",
)  # fmt: skip
_MEASURES = _set(
    "index net profit profits loss losses revs revenue revenues sales turnover earnings income shr dividend div payout price prices "
    "cost costs order orders stake budget deficit surplus output production exports imports rate rates debt assets loans loan "
    "deposits shortage shortfall inflation unemployment wages growth gdp gnp capacity reserves stocks supply fine damages aid bid "
    "offer magnitude votes seats majority shares jobs funds yield coupon tariff tax salary fee spending investment crop harvest "
    "demand consumption backlog quota volume passengers population crowd wind winds speed depth height "
    "gewinn verlust umsatz preis preise kosten auftrag anteil haushalt defizit produktion exporte importe zins zinsen schulden "
    "inflation arbeitslosenquote kapazität dividende "
    "bénéfice perte ventes prix coût commande déficit taux dette chômage "
    "beneficio ganancias pérdidas ventas precio coste pedido déficit tasa deuda desempleo "
    "utile perdita vendite prezzo ricavi lucro prejuízo vendas preço winst verlies omzet prijs vinst förlust försäljning pris"
)
_MODIFIERS = _set(
    "net gross oper operating pretax qtly mthly quarterly monthly annual trade current crude discount prime base interest federal "
    "jobless consumer wholesale retail steel oil gold wheat grain coffee sugar cocoa copper"
)


def first_in(front: Sequence[str], behind: Sequence[str]) -> tuple[str, ...]:
    """The noun that a figure measures, with its modifier, among the content words in front of it and behind; () if none."""
    for words, distances in ((front, range(1, REACH + 1)), (behind, range(1, REACH + 1))):
        for n in distances:
            at = len(words) - n if words is front else n - 1
            if 0 <= at < len(words) and words[at] in _MEASURES:
                modified = at > 0 and words[at - 1] in _MODIFIERS and words[at - 1] != words[at]
                return tuple(words[at - 1 : at + 1]) if modified else (words[at],)
    return ()


def label(change: NumberChange) -> str:
    """A word or two for an update line: the toll before all else, then what the first words of the context measure; or ""."""
    found = change.context.split()
    if not _DEATHS.isdisjoint(found):
        return "toll"
    if hurt := next((w for w in _HURT if w in found), None):
        return hurt
    if found and found[0] in _MEASURES:
        follows = found[0] in _MODIFIERS and len(found) > 1 and found[1] in _MEASURES
        return " ".join(found[: 1 + follows])
    return " ".join(found[:2]) if len(found) > 1 and found[0] in _MODIFIERS and found[1] in _MEASURES else ""


def line(change: NumberChange) -> str:
    """`index 1,842.6 → 1,848.1 points`: the unit once, where both figures have it."""
    before, after = _quiet(change.before), _quiet(change.after)
    tails = [_TAIL.search(side) for side in (before, after)]
    if tails[0] and tails[1] and tails[0][0].strip() == tails[1][0].strip() and tails[0].start():
        before = before[: tails[0].start()]
    return f"{label(change)} {before} → {after}".strip()


def _quiet(printed: str) -> str:
    """A figure without the capitals of its headline."""
    return _WORD.sub(lambda m: m[0] if m[0] in _CODES else m[0].lower(), printed)
