"""Would a desk want to be interrupted, given what is already out? A sum of named reasons, each with its weight.

The weights are set by hand on 21 pairs of the gold set and read against some forty pairs of the Reuters stream; they are
meant to be argued with, so each stands for one sentence of an editor.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import msgspec

from services.core.article import Article
from services.core.change import NEW_DEVELOPMENTS, HeadlineChange, NumberChange, Push, Reason
from services.core.decision import Action
from services.core.language import numbers as quantities
from services.core.language.labels import line
from services.core.language.spellings import same_name
from services.core.language.text import words
from services.core.meaning import rows
from services.core.meaning.development import Labelled
from services.core.meaning.reading import Scene

BIG_MOVE = 3
"""Per cent in the lead from which a market's day is no routine: an index moves so far on a few days of a year."""
RINGS_AT = 0.5
"""Score from which a desk is interrupted."""

WEIGHTS: dict[str, float] = {
    "new_lead": 0.45,  # the lead says something that was not out
    "lead_fuller": 0.2,  # the lead names more, or says it more fully, of the same
    "new_headline": 0.25,  # so does the headline
    "headline_follows": 0.15,  # the headline was written anew for a new lead
    "toll": 0.35,  # a count of the dead or hurt has another value
    "grave": 0.2,  # the new lead or headline brings a word that rings: killed, resigns, quake
    "fact_overturned": 0.15,  # each earlier statement that now reads otherwise, up to two
    "figure_in_lead": 0.1,  # a figure of the lead has another value
    "result_row": 0.4,  # the period's own result has another value
    "grave_below": 0.45,  # a word that rings, further down
    "more_news": 0.1,  # something new further down, once
    "increment": -0.5,  # "a further 30": the next instalment of a routine, nobody hurt
    "market_routine": -1.0,  # levels of a market through its day, nothing out of the common
    "correction": 0.6,  # what is out is wrong
    "small_correction": 0.3,  # but neither in lead or headline, nor by much
    "spelling": -0.5,  # but only in its spelling
    "raised": 0.2,  # the wire itself raised the urgency
    "wire_alert": 0.3,  # or sent it as an alert
    "dropped_silently": 0.5,  # a quotation or claim is gone without a word
    "ended": 1.0,  # withdrawn or held
}
FLASH: dict[str, float] = {"flash": 0.7, "alert": 0.7, "urgent": 0.6, "bulletin": 0.6}
"""A first report by what the wire calls it."""
FIRST_BY_URGENCY: dict[str, float] = {"1": 0.7, "2": 0.6, "3": 0.4, "f": 0.7, "b": 0.3, "u": 0.3}
"""A first report by its urgency (IPTC 1–8) or priority letter (ANPA)."""
FIRST_GRAVE = 0.25
"""A first report whose headline or lead holds a word that rings."""
TOLLS = frozenset(["toll", "dead", "killed", "deaths", "injured", "wounded", "missing", "died", "casualties", "victims",
                   "tote", "toten", "verletzte", "morts", "blessés", "muertos", "heridos", "morti", "feriti", "mortos",
                   "feridos", "doden", "gewonden", "döda", "skadade"])  # fmt: skip
LEVELS = frozenset(["pct", "point", "basis-point", "USD", "GBP", "EUR", "JPY", "CHF", "DEM", "FRF", "CNY", "INR"])
"""Units in which markets move."""
RUNNING = frozenset(["total", "cumulative", "totals", "running"])
"""Words beside a figure that counts a series up: its next step is routine unless people are hurt."""


FULLER = frozenset(["new_name", "new_clause", "source_changed", "certainty_changed"])
"""Reasons of a lead that may only say the same more fully."""
SAME_LEAD = 0.5
"""Similarity of two leads from which the later one can be the earlier one told more fully."""
TURNED = frozenset(["negation_changed", "opposite_changed", "status_changed", "value_changed", "who_changed"])
"""Reasons by which a statement reads the other way round."""
TRIFLE, HALF, HANDFUL = Fraction(1, 20), Fraction(1, 2), 10
"""Shares by which a figure moved: a twentieth is rounding. Fewer than a handful is one more or one less."""
AMBIGUOUS = frozenset([
    "fire", "strike", "attack", "attacks", "attacked", "war", "crash", "crashed", "default", "shot", "toll", "emergency", "missing",
    "collapse", "collapsed", "blast", "bomb", "guilty", "surrender", "coup", "killing",
])  # fmt: skip
"""Words that ring at the top of a story, and further down may be a figure of speech or somebody else's past."""
FROM = frozenset(["from", "von", "de", "depuis", "desde", "da", "van", "från"])
"""What stands before a figure that is left behind."""
ENDED: frozenset[Action] = frozenset({"withdraw", "hold"})
LATE = Push(reasons=(Reason(code="late", text="older than what is out"),))
"""The verdict on what is older than the text that is out."""
SPELLING = ("spelling", "schreibweise", "orthographe", "ortografía", "ortografia", "stavning")


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """What `judge` weighs: the finished labels and the fields of the change around them."""

    labelled: Sequence[Labelled]
    headline: HeadlineChange | None
    numbers: Sequence[NumberChange]
    raised: bool
    ended: bool
    notes: Sequence[str]
    update_kind: str | None


def judge(evidence: Evidence, scene: Scene) -> Push:
    """The verdict on a new version. A withdrawal always rings, a late item never does (`LATE`)."""
    if evidence.ended:
        return Push(yes=True, score=1.0, reasons=(Reason(code="ended", text="withdrawn or held"),))
    found: dict[str, tuple[float, str]] = {}

    def say(code: str, text: str, times: int = 1) -> None:
        if times:
            found[code] = (WEIGHTS[code] * times, text)

    news = [each for each in evidence.labelled if each.entry.development in NEW_DEVELOPMENTS]
    lead = next((e for e in news if e.entry.after and e.entry.after[0].index == scene.new.lead), None)
    headline = evidence.headline
    new_headline = headline is not None and headline.development in NEW_DEVELOPMENTS
    if scene.correcting:
        corrected = [e for e in news if e.entry.development == "correction"]
        if corrected or (headline is not None and headline.development == "correction"):
            if _weighs(corrected, headline, scene):
                say("correction", "corrects what is out")
            else:
                say("small_correction", "corrects a detail")
            if _only_spelling(corrected, evidence.notes):
                say("spelling", "only a spelling")
    elif lead is not None:
        fuller = _only_fuller(lead)
        say("lead_fuller" if fuller else "new_lead", "a fuller lead" if fuller else "new lead")
        if not fuller and headline is not None and headline.op in ("reworded", "modified") and not new_headline:
            say("headline_follows", "new headline")
        if any(r.code == "number_changed" for r in lead.reasons):
            say("figure_in_lead", "a figure of the lead changed")
    if new_headline and not scene.correcting:
        say("new_headline", "the headline says something new")
    tolls = [c for c in evidence.numbers if TOLLS & set(words(f"{c.context} {c.after}"))]
    if tolls:
        say("toll", line(tolls[0]))
    if grave := _grave(lead, headline if new_headline else None, scene):
        say("grave", grave)
    below = [e for e in news if e is not lead]
    if not scene.correcting:
        if row := next((label for e in below if (label := _revised_row(e, scene))), None):
            say("result_row", f"{row} has another value")
        if "grave" not in found and (
            word := next((w for e in below if e.entry.after and (w := _grave(e, None, scene, below=True))), None)
        ):
            say("grave_below", word)
    say(
        "fact_overturned",
        "earlier statements changed",
        min(2, sum(e.entry.development == "fact_changed" and bool(e.entry.after) for e in below)),
    )
    if any(e.entry.development == "new_fact" for e in below):
        say("more_news", "more that is new further down")
    if any(e.entry.development == "retracted" for e in below):
        say("dropped_silently", "a claim or quote is gone without a word")
    if (
        lead is not None
        and not tolls
        and not grave
        and (_is_increment(lead, scene) or any(RUNNING & set(words(c.context)) for c in evidence.numbers))
    ):
        say("increment", "one more instalment of a routine")
    flagged = evidence.raised or evidence.update_kind in FLASH
    if lead is not None and not (tolls or grave or flagged or scene.correcting) and _is_market_day(scene):
        say("market_routine", "a market's levels through its day")
    if evidence.raised:
        say("raised", "the wire raised the urgency")
    if evidence.update_kind in FLASH and news:
        say("wire_alert", f"sent as {evidence.update_kind}")
    return _sum(found)


def first_flash(article: Article, scene: Scene) -> Push:
    """The verdict on the first report of a story, by what the wire says of its weight and by the words that ring."""
    found: dict[str, tuple[float, str]] = {}
    marks = [mark.lower() for mark in (article.update_kind, *article.signals) if mark]
    kind = next((mark for mark in marks if mark in FLASH), None)
    if kind is not None:
        found["wire_alert"] = (FLASH[kind], f"sent as {kind}")
    for field, mark in (("urgency", article.urgency), ("priority", article.priority)):
        weight = FIRST_BY_URGENCY.get((mark or "").strip().lower())
        if weight is not None and weight > found.get("urgency", (0.0, ""))[0]:
            found["urgency"] = (weight, f"{field} {mark}")
    if kind is not None and "urgency" in found:
        found["urgency"] = (0.1, found["urgency"][1])  # the same thing said twice
    lead = scene.new.body[scene.new.lead] if scene.new.lead is not None else ""
    grave = next((w for w in (*words(scene.new.headline), *words(lead)) if w in scene.lexicon.grave), None)
    if grave is not None:
        found["grave"] = (FIRST_GRAVE, f"says {grave}")
    return _sum(found)


def _sum(found: dict[str, tuple[float, str]]) -> Push:
    score = round(min(1.0, max(0.0, sum(weight for weight, _ in found.values()))), 3)
    reasons = tuple(Reason(code=code, text=text) for code, (_, text) in found.items())
    return Push(yes=score >= RINGS_AT, score=score, reasons=reasons)


def _grave(lead: Labelled | None, headline: HeadlineChange | None, scene: Scene, *, below: bool = False) -> str | None:
    """A word that rings, in a lead or headline that is new, and in nothing earlier; `below` asks for words of one sense."""
    texts = [lead.entry.after[0].text if lead else "", headline.after or "" if headline else ""]
    grave = scene.lexicon.grave - AMBIGUOUS if below else scene.lexicon.grave
    word = next((w for t in texts for w in words(t) if w in grave and w not in scene.old.words), None)
    return f"says {word}" if word else None


def _only_fuller(lead: Labelled) -> bool:
    """Whether the lead stands in for the earlier one and brings neither figure nor turn: names, a source, a clause more."""
    alike = bool(lead.entry.before) and (lead.entry.similarity or 0.0) >= SAME_LEAD
    return alike and bool(lead.reasons) and all(r.code in FULLER for r in lead.reasons)


def _revised_row(each: Labelled, scene: Scene) -> str | None:
    """The label of a results row whose first figure, that of the period reported, has another value by more than a trifle."""
    entry = each.entry
    if len(entry.before) != 1 or len(entry.after) != 1:
        return None
    label = rows.counts(entry.after[0].text)
    if label is None or rows.counts(entry.before[0].text) is None:
        return None
    signs = rows.losses(entry.before[0].text), rows.losses(entry.after[0].text)
    if signs[0] and signs[1] and signs[0][0] != signs[1][0]:
        return label
    was, now = scene.old.quantities[entry.before[0].index + 1], scene.new.quantities[entry.after[0].index + 1]
    return label if was and now and _is_apart(was[0].value, now[0].value, TRIFLE) else None


def _is_apart(one: Fraction, other: Fraction, share: Fraction) -> bool:
    return abs(one - other) > share * min(abs(one), abs(other))


def _weighs(corrected: Sequence[Labelled], headline: HeadlineChange | None, scene: Scene) -> bool:
    """Whether a correction touches lead or headline, turns a statement round, or moves a figure far."""
    if headline is not None and headline.development == "correction":
        return True
    for each in corrected:
        entry = each.entry
        if any(p.index == scene.new.lead for p in entry.after) or any(p.index == scene.old.lead for p in entry.before):
            return True
        row = len(entry.after) == 1 and rows.counts(entry.after[0].text)
        if _revised_row(each, scene) or (not row and any(r.code in TURNED for r in each.reasons)):
            return True
        if row:
            continue  # a figure of the year before
        moved = [r for r in each.reasons if r.code == "number_changed"]
        if any(_is_far(r) for r in moved) or (scene.partial and entry.after and not moved):
            return True  # a notice that restates words is about these
    return False


def _is_far(reason: Reason) -> bool:
    """Whether a figure was wrong by half or more; dates, times and a handful of things are no such figures."""
    was, now = (quantities.extract(text or "") for text in (reason.before, reason.after))
    if not was or not now or {was[0].kind, now[0].kind} != {"number"}:
        return False
    return max(was[0].value, now[0].value) >= HANDFUL and _is_apart(was[0].value, now[0].value, HALF)


def _is_increment(lead: Labelled, scene: Scene) -> bool:
    """A lead whose new figures are all an addition to known ones, or a running total of them ("so far today").

    A figure that the lead itself sets against the one before ("to 125 from 100") is no instalment.
    """
    place = lead.entry.after[0].index + 1
    figures = scene.new.quantities[place]
    fresh = [q for q in figures if q.value not in scene.old.values]
    if any(FROM & set(words(lead.entry.after[0].text[: q.at[0]])[-1:]) for q in figures if q.value in scene.old.values):
        return False
    return bool(fresh) and (all(q.more for q in fresh) or any(RUNNING & {*q.context} for q in fresh))


def _is_market_day(scene: Scene) -> bool:
    """Whether both leads report a market's levels and nothing out of the common: no halt, no record, no big move."""
    if scene.old.lead is None or scene.new.lead is None:
        return False
    for version, lead in ((scene.old, scene.old.lead), (scene.new, scene.new.lead)):
        said = set(words(version.body[lead]))
        if said.isdisjoint(scene.lexicon.market) or said.isdisjoint(scene.lexicon.session):
            return False
        levels = [q for q in version.quantities[lead + 1] if q.kind == "number"]
        if not levels or not any(q.unit in LEVELS or q.value.denominator != 1 for q in levels):
            return False
    told = {*words(scene.new.headline), *words(scene.new.body[scene.new.lead])}
    moves = [q.value for i in (0, scene.new.lead + 1) for q in scene.new.quantities[i] if q.unit == "pct"]
    return told.isdisjoint(scene.lexicon.extreme) and all(move < BIG_MOVE for move in moves)


def _only_spelling(corrected: Sequence[Labelled], notes: Sequence[str]) -> bool:
    """Whether a correction mends letters of a name: by its own note, or because every edit is one name spelt anew."""
    if any(word in note.lower() for note in notes for word in SPELLING):
        return True
    spans = [span for each in corrected for span in each.entry.spans]
    return bool(spans) and all(
        s.before.text[:1].isupper() and s.after.text.isalpha() and same_name(s.before.text, s.after.text) for s in spans
    )
