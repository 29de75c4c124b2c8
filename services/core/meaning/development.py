"""What a changed paragraph means to a newsroom: its operation and its development, each with the reason in words.

`services.core.redline.alignment` has said which paragraph became which. Here the two versions are read as wholes first, because a
figure that only moved to another paragraph is no news, and a name is lost only when it stands nowhere any more.
"""

from __future__ import annotations

import itertools
from collections.abc import Container, Sequence

import msgspec
import regex

from services.core.change import Development, Op, ParagraphChange, Reason
from services.core.language import facts, lexicon, numbers
from services.core.language.figures import UNITS
from services.core.language.tenses import pluperfect
from services.core.language.text import STOP_WORDS, canonical, sentences, tokens, words
from services.core.meaning import notices, rows
from services.core.meaning import said as saying
from services.core.meaning.reading import (
    Difference,
    Passage,
    Scene,
    difference,
    is_fresh,
    is_fresh_state,
    new_names,
    passage,
    telling,
    text_of,
    told_since,
    word_edits,
)
from services.core.meaning.reasons import short, why_added, why_changed, why_counted
from services.core.meaning.restated import parted, restates
from services.core.redline.noise import is_furniture

HEADING_WORDS = 8
"""Words in the longest line without a full stop that is a subhead."""
OLD_NEWS = 0.85
"""Novelty similarity from which an added paragraph repeats what the story had said."""
LABEL_WORDS = 5
"""Words in the longest column label ("three months ended March 31")."""
FRESH_WORDS = 5
"""Content words found nowhere earlier that make an added clause a fact of its own (gold: rewordings bring at most 4)."""
FRESH_OVER_SHED = 2
"""By how many they must outnumber the words that left: swapping words is rewording."""
HEADLINE_NEWS = 3
"""Content words found nowhere earlier that headline and lead share: the story is told for another reason now."""
IN_A_MONTH = frozenset(["in", "since", "last", "im", "seit", "en", "depuis", "desde", "nel", "em", "sinds", "sedan"])
OPENS_IN_THE_PAST = regex.compile(
    r"(?:until |late |early |at the end of |in )?(?:last (?:year|month|week|summer|winter|spring|autumn|fall|january|february|march|april|may|june|july|august|"
    r"september|october|november|december)|yesterday|earlier this (?:year|month|week)|the end of last)\b", regex.IGNORECASE,
)  # fmt: skip
DAYS_AGO, DAYS_AHEAD = 5, 240
"""Days between a day named without its year and the version: nearer it may be what happens, farther it lies ahead."""
BACKGROUND = 0.5
"""Score from which an added paragraph is background; see `_background_score`, whose weights are set by hand."""


class Labelled(msgspec.Struct, frozen=True):
    """A finished entry and why it got its label."""

    entry: ParagraphChange
    reasons: tuple[Reason, ...] = ()
    material: bool = False
    told: bool = False
    """What it brings was told after the earlier version, in a notice."""


def label(entries: Sequence[ParagraphChange], kinds: Sequence[str], scene: Scene) -> tuple[Labelled, ...]:
    """`entries` with operation, development and novelty; `kinds` are the paragraph kinds of the later version."""
    entries = parted(entries, scene)
    pairs = [_pair(entry, scene) if entry.before and entry.after else None for entry in entries]
    if scene.correcting and not any(p is not None and (p.told or p.entry.development == "correction") for p in pairs):
        pairs = _smallest_is_the_correction(pairs)
    if scene.partial:
        pairs = [pair and _corrects_what_it_restates(pair) for pair in pairs]
    touched = _touched(pairs)
    out: list[Labelled] = []
    for entry, pair in zip(entries, pairs, strict=True):
        if pair is not None:
            out.append(pair)
        elif entry.after:
            out.append(_added(entry, kinds[entry.after[0].index], scene, touched))
        else:
            out.append(Labelled(entry))
    if scene.partial and not any(each.entry.development == "correction" or each.told for each in out):
        out = _corrects_somewhere(out, kinds)
    fresh_lead = any(
        each.entry.development in ("new_fact", "fact_changed")
        and any(p.index == scene.new.lead for p in each.entry.after)
        for each in out
    )
    alone = sum(each.entry.op not in ("typographic", "stands") for each in out) == 1
    return tuple(
        _cut_claim(each, scene, alone=alone)
        if each.entry.after
        else _removed(each, scene, touched, fresh_lead=fresh_lead, alone=alone)
        for each in out
    )


def _corrects_what_it_restates(pair: Labelled) -> Labelled:
    """A passage that a notice asks to read otherwise is corrected, however little its words say so."""
    entry = pair.entry
    if (
        pair.told
        or entry.development not in ("stylistic", "attribution")
        or not notices.is_instruction(text_of(entry.after))
    ):
        return pair
    return Labelled(
        msgspec.structs.replace(entry, op="modified", development="correction"), pair.reasons, material=True
    )


def _corrects_somewhere(labelled: list[Labelled], kinds: Sequence[str]) -> list[Labelled]:
    """A notice of which nothing was found in the item that it speaks of: its request is the correction."""
    for i, each in enumerate(labelled):
        entry = each.entry
        if entry.before or kinds[entry.after[0].index] == "note":
            continue
        if notices.is_instruction(text_of(entry.after)):
            place = entry.after[0].index
            reason = Reason(code="notice", paragraph=place, after=short(entry.after[0].text), text=f"asks to read: {short(entry.after[0].text)}")  # fmt: skip
            told = Labelled(msgspec.structs.replace(entry, development="correction"), (reason,), material=True)
            return [*labelled[:i], told, *labelled[i + 1 :]]
    return labelled


def _cut_claim(each: Labelled, scene: Scene, *, alone: bool) -> Labelled:
    """A pair that only lost words: a claim, name or quotation cut out of its middle is withdrawn as well."""
    entry = each.entry
    cut = bool(entry.before) and bool(entry.spans) and all(span.op == "delete" for span in entry.spans)
    if not cut or not alone or scene.correcting or scene.partial or entry.development != "stylistic":
        return each
    lost = _withdrawn_claim(passage(entry.before, scene.old), scene)
    if lost is None:
        return each
    place = entry.after[0].index
    reason = Reason(code="dropped_silently", paragraph=place, before=short(entry.spans[0].before.text), text=lost)
    return Labelled(msgspec.structs.replace(entry, op="modified", development="retracted"), (reason,), material=True)


def is_heading(text: str, kind: str = "paragraph") -> bool:
    """A subhead: marked as one, or a short line without a full stop and without figures."""
    if kind == "heading":
        return True
    bare = text.strip(" -–—*=\"'“”‘’")
    return (
        bool(bare)
        and len(words(bare)) <= HEADING_WORDS
        and bare[-1] not in '.!?:;…。！？”"'
        and not any(c.isdigit() for c in bare)
        and "\n" not in bare
        and "<" not in bare
    )


def _is_column_label(text: str, months: Container[str]) -> bool:
    """A line like "Nine mths" or "4TH QTR": it names the rows below and says nothing."""
    ws = words(text)
    return 0 < len(ws) <= LABEL_WORDS and all(
        w in lexicon.PERIODS or w in UNITS or w in months or w.isdigit() for w in ws
    )


def _months_of(column: str) -> int | None:
    """How long the period of a column label is, in months; None where it does not say."""
    ws = set(words(column))
    if ws & {"year", "yr", "annual"}:
        return 12
    if ws & {"half", "semester"}:
        return 6
    if ws & {"qtr", "quarter"}:
        return 3
    counted = next((n for n in numbers.extract(column, "en") if n.value in (3, 6, 9, 12)), None)
    return int(counted.value) if counted and ws & {"mths", "mth", "months", "mos"} else None


def _pair(entry: ParagraphChange, scene: Scene) -> Labelled:
    """An entry with text on both sides."""
    old, new = passage(entry.before, scene.old), passage(entry.after, scene.new)
    place = entry.after[0].index
    if entry.op in ("typographic", "moved") or canonical(old.text) == canonical(new.text):
        return Labelled(entry)
    if not scene.correcting and all(_is_column_label(side.text, scene.lexicon.months) for side in (old, new)):
        was, now = _months_of(old.text), _months_of(new.text)
        if was is None or now is None or was == now:
            return Labelled(msgspec.structs.replace(entry, development="stylistic"))
        told_of = Reason(code="period_changed", paragraph=place, before=old.text, after=new.text, text=f"period: {old.text} → {new.text}")  # fmt: skip
        return Labelled(
            msgspec.structs.replace(entry, op="modified", development="fact_changed"), (told_of,), material=True
        )
    diff = difference(old, new, scene, entry.similarity or 0.0)
    counts = [change for change, places in scene.tolls if place in places]
    others = [numbers.as_change(b, a) for b, a in diff.changes]
    changes = [*counts, *(c for c in others if all(c.before != t.before and c.after != t.after for t in counts))]
    reasons = why_changed(diff, changes, place)
    turned = {t.kind for t in diff.turns}
    other_voucher = diff.vouchers is not None and (
        scene.correcting or any(is_fresh(w, scene) for w in words(diff.vouchers[1]))
    )
    development: Development
    replaced = bool(diff.lost_figures and diff.new_figures)
    leads = place == scene.new.lead and len(headline_news(diff, scene)) >= HEADLINE_NEWS
    clause = leads or (len(diff.fresh) >= FRESH_WORDS and len(diff.fresh) >= len(diff.shed) + FRESH_OVER_SHED)
    gained = bool(diff.new_figures or diff.new_names or clause)
    swapped_names = bool(diff.new_names and diff.lost_names)
    status = any(t.kind == "status" and is_fresh_state(t.after, scene) for t in diff.turns)
    increment = any(q.more for q in diff.new_figures)
    elsewhere = not diff.new_names and any(q.value in scene.revalued for q in diff.new_figures)
    signs = rows.losses(old.text), rows.losses(new.text)
    turned_sign = None not in signs and signs[0] != signs[1]
    if turned_sign:
        reasons = (Reason(code="opposite_changed", paragraph=place, text="a loss where none was, or the other way round"), *reasons)  # fmt: skip
    if not changes and (places := rows.swapped(old.text, new.text)):
        changes = [numbers.as_change(b, a) for b, a in places]
        reasons = (*why_counted(changes, place), *reasons)
    overturned = turned_sign or bool(changes) or elsewhere or bool(turned - {"status"}) or other_voucher
    if overturned or (replaced and not increment) or (swapped_names and not clause):
        development = "fact_changed"
    elif not status and not diff.new_figures and _names_who_says_it(new, diff, scene):
        development = "attribution"
    elif gained or status:
        development = "new_fact"
        if not scene.correcting and _background_score(new, diff, scene, lead=place == scene.new.lead) >= BACKGROUND:
            development = "context_added"
    elif diff.vouchers is not None or _told(diff) or _names_its_source(old, new, diff, scene):
        development = "attribution"
    else:
        development = "stylistic"
    material = development in ("fact_changed", "new_fact", "context_added")
    lost = bool(diff.lost_figures or diff.lost_names)
    novelty = saying.novelty(new.text, scene.said.but_last, scene.language) if scene.said.but_last else None
    again = novelty.seen_in if novelty is not None and novelty.similarity == 1.0 else None
    told = material and (told_since(diff, scene) or again in scene.later)
    if told:
        development = "stylistic"
        reasons = (Reason(code="told_since", paragraph=place, text="told since, in a notice or another item"),)
    elif scene.correcting and development in ("fact_changed", "new_fact"):
        development = "correction"
    op: Op = entry.op
    if op == "reworded" and (material or lost):
        op = "modified"
    if again is not None and material and not told:
        reasons = (*reasons, Reason(code="said_before", paragraph=place, text="back to what the story had said"))
    entry = msgspec.structs.replace(entry, op=op, development=development, novelty=novelty)
    return Labelled(entry, reasons, material and not told, told)


def headline_news(diff: Difference, scene: Scene) -> frozenset[str]:
    """The words that a new lead brings and the new headline has as well, by their stems."""
    headline = {lexicon.stem(w, scene.language) for w in words(scene.new.headline)}
    return frozenset(s for w in diff.fresh if (s := lexicon.stem(w, scene.language)) in headline)


def _told(diff: Difference) -> bool:
    """Whether the outlet that was told came in or went out."""
    return any(w in lexicon.AGENCIES or w in lexicon.LISTENERS for w in (*diff.gone, *diff.come))


def _names_who_says_it(new: Passage, diff: Difference, scene: Scene) -> bool:
    """Whether all that came, names first, is who says it: a department's spokeswoman for the department."""
    said = facts.who_says(new.text, scene.lexicon)
    return (
        bool(diff.new_names)
        and said.issuperset(w for n in diff.new_names for w in words(n))
        and said.issuperset(diff.fresh)
    )


def _names_its_source(old: Passage, new: Passage, diff: Difference, scene: Scene) -> bool:
    """Whether the name of the one who says it came or went, and the rest only followed."""
    named = {w for side in (old, new) for n in side.names for w in words(n)}
    before = {w for v in facts.vouchers(old.text, scene.lexicon) for w in words(v)} - STOP_WORDS
    after = {w for v in facts.vouchers(new.text, scene.lexicon) for w in words(v)} - STOP_WORDS
    differing = ((before & set(diff.gone)) | (after & set(diff.come))) & named
    other = {w for w in (*diff.gone, *diff.come) if telling(w)} - before - after
    return bool(before) and bool(after) and bool(differing) and len(other) <= len(differing)


def _background_score(of: Passage, diff: Difference | None, scene: Scene, *, lead: bool) -> float:
    """How much speaks for background (above zero) and for news (below). Weights by hand, one line each."""
    text = of.text
    lex, ws = scene.lexicon, words(text)
    figures = (
        diff.new_figures
        if diff
        else [q for q in of.figures if q.value not in scene.old.values and not saying.holds_number(q, scene.said)]
    )
    names = diff.new_names if diff else new_names(of.names, scene)
    quoted = facts.missing_quotes(facts.quotes([text], scene.language), scene.old.word_pairs)
    content = [w for w in dict.fromkeys(ws) if telling(w)]
    fresh = [w for w in content if is_fresh(w, scene)]
    dated = facts.years_before(text, scene.year)
    past_days = diff is None and _on_past_days(ws, scene)
    score = 0.0
    score += 1.0 * min(2, len(facts.phrases_in(text, lex.past)))
    score += 0.5 * min(2, sum(1 + (year < (scene.year or 0) - 1) for year in dated))
    score += 0.4 * bool(facts.phrases_in(text, lex.perfect))
    score += 0.4 * _had_been(text, scene)
    score += 0.5 * _in_a_month(ws, scene)
    score += 1.0 * (OPENS_IN_THE_PAST.match(text) is not None)
    score += 1.0 * past_days
    score += 0.6 * _points_back(ws, scene)
    score += 0.3 * (not facts.vouchers(text, lex))
    score += 1.0 * (0.6 - len(fresh) / len(content) if content else 0.6)
    # of a passage about another year the figures are, too
    score -= (0.5 if dated else 1.0) * min(2, sum(q.kind in ("number", "time") for q in figures))
    score -= 0.5 * min(3, len(names))
    score -= 1.5 * bool(quoted)
    score -= 0.7 * any(w in lex.now or (w in lex.weekdays and w not in scene.old.words) for w in ws)
    score -= 0.5 * (not dated and not past_days and any(w in lex.events for w in fresh))
    score -= 0.6 * any(w in lex.future for w in ws)
    score -= 3.0 * lead
    return round(score, 6)


def _had_been(text: str, scene: Scene) -> bool:
    """Whether a sentence is told in the pluperfect by the copy itself: after "said" it is only the speaker's past."""
    for sentence in sentences(text):
        at = pluperfect(sentence, scene.language)
        if at is not None and not any(w in scene.lexicon.saying for w in words(sentence[:at])):
            return True
    return False


def _in_a_month(ws: Sequence[str], scene: Scene) -> bool:
    """Whether something is dated by a month alone ("began in January"): what just happened has a day."""
    months = scene.lexicon.months
    return any(
        month in months and before in IN_A_MONTH and not (after.isdigit() and len(after) < len("1987"))
        for before, month, after in zip(ws, ws[1:], (*ws[2:], ""), strict=False)
    )


def _on_past_days(ws: Sequence[str], scene: Scene) -> bool:
    """Whether every day that is named by month and number lies before the days that a story is of."""
    if scene.day is None:
        return False
    found = []
    for one, two in itertools.pairwise(ws):
        month, number = (one, two) if one in scene.lexicon.months else (two, one)
        if month in scene.lexicon.months and number.isdigit() and len(number) <= len("31"):
            since = (scene.day[0] - scene.lexicon.months[month]) % 12 * 30 + scene.day[1] - int(number)
            found.append(DAYS_AGO <= since < DAYS_AHEAD)
    return bool(found) and all(found)


def _points_back(ws: Sequence[str], scene: Scene) -> bool:
    """Whether what is said was said in something known: "said in its request", where a request was reported before."""
    return any(
        before in scene.lexicon.saying
        and owner in scene.lexicon.possessives
        and telling(noun)
        and not is_fresh(noun, scene)
        for before, _, owner, noun in zip(ws, ws[1:], ws[2:], ws[3:], strict=False)
    )


def _added(entry: ParagraphChange, kind: str, scene: Scene, touched: frozenset[str]) -> Labelled:
    place, of = entry.after[0].index, passage(entry.after, scene.new)
    text = of.text
    raw = text_of(entry.after)
    if kind in ("note", "credit") or notices.is_note(raw) or is_furniture(raw) or not words(text):
        return Labelled(entry)
    if scene.walled:
        return Labelled(msgspec.structs.replace(entry, development="stylistic"))
    if scene.partial and notices.is_instruction(raw):
        return Labelled(entry)
    if _is_column_label(text, scene.lexicon.months):
        return Labelled(entry)
    if is_heading(text, kind):
        return Labelled(msgspec.structs.replace(entry, development="stylistic"))
    novelty = entry.novelty or saying.novelty(text, scene.said, scene.language)
    entry = msgspec.structs.replace(entry, novelty=novelty)
    development: Development = "new_fact"
    if scene.correcting and _concerns(text, touched):
        development = "correction"
    elif scene.old.lead is not None and (
        novelty.similarity >= OLD_NEWS
        or restates(of, scene)
        or _background_score(of, None, scene, lead=place == scene.new.lead) >= BACKGROUND
    ):
        development = "context_added"
    counts = [change for change, places in scene.tolls if place in places]
    return Labelled(
        msgspec.structs.replace(entry, development=development),
        (*why_counted(counts, place), *why_added(text, place, scene)),
        material=True,
    )


def _concerns(text: str, touched: frozenset[str]) -> bool:
    """Whether a passage names what the correction touched; a capital is enough, for names that open a sentence."""
    return bool(touched) and any(t.folded in touched and t.text[:1].isupper() for t in tokens(text))


def _touched(pairs: Sequence[Labelled | None]) -> frozenset[str]:
    """The names in what a correction took out or put in."""
    out: set[str] = set()
    for pair in pairs:
        if pair is not None and pair.entry.development == "correction":
            old, new = text_of(pair.entry.before), text_of(pair.entry.after)
            gone, come = word_edits(words(old), words(new))
            named = {w for n in (*facts.names(old), *facts.names(new)) for w in words(n) if telling(w)}
            out |= named & {*gone, *come}
    return frozenset(out)


def _smallest_is_the_correction(pairs: Sequence[Labelled | None]) -> list[Labelled | None]:
    """A labelled correction whose edit shows in no figure, name or turn: the reworded pair that stayed most alike."""
    reworded = [
        i
        for i, p in enumerate(pairs)
        if p is not None and p.entry.op in ("reworded", "modified") and p.entry.development == "stylistic"
    ]
    out = list(pairs)
    if reworded:
        best = max(reworded, key=lambda i: (pairs[i].entry.similarity or 0.0, -i))  # type: ignore[union-attr]
        chosen = pairs[best]
        assert chosen is not None
        entry = msgspec.structs.replace(chosen.entry, op="modified", development="correction")
        out[best] = Labelled(entry, chosen.reasons, material=True)
    return out


def _removed(each: Labelled, scene: Scene, touched: frozenset[str], *, fresh_lead: bool, alone: bool) -> Labelled:
    """A paragraph that is not there any more: cut, overtaken, corrected away, or withdrawn without a word."""
    entry = each.entry
    if entry.op == "stands":
        return each
    of, place = passage(entry.before, scene.old), entry.before[0].index
    text = of.text
    development: Development = "stylistic"
    reasons: tuple[Reason, ...] = ()
    if not words(text) or notices.is_note(text_of(entry.before)):
        development = "none"
    elif scene.walled or is_heading(text):
        development = "stylistic"
    elif scene.correcting and facts.vouchers(text, scene.lexicon) and _concerns(text, touched):
        development = "correction"
        reasons = (
            Reason(
                code="removed_with_correction",
                paragraph=place,
                before=short(text),
                text=f"gone with the correction: {short(text)}",
            ),
        )
    elif place == scene.old.lead and fresh_lead:
        development = "fact_changed"
        reasons = (
            Reason(code="lead_overtaken", paragraph=place, before=short(text), text=f"overtaken: {short(text)}"),
        )
    elif alone and place < len(scene.old.body) - 1 and not scene.correcting and (lost := _withdrawn_claim(of, scene)):
        development = "retracted"
        reasons = (Reason(code="dropped_silently", paragraph=place, before=short(text), text=lost),)
    return Labelled(msgspec.structs.replace(entry, development=development), reasons)


def _withdrawn_claim(of: Passage, scene: Scene) -> str | None:
    """What vanished without a notice: a quotation, a name, an allegation.

    Asked only where nothing else was touched: a version that was also re-edited, cut in several places or cut at its tail
    was cut for length (CASES 40, 67).
    """
    if facts.missing_quotes(facts.quotes([of.text], scene.language), scene.new.word_pairs):
        return "quote dropped without a word"
    lost = [n for n in of.names if facts.is_lost(n, scene.new.words, scene.new.initials)]
    if lost:
        return f"{lost[0]} no longer named"
    if any(w in scene.lexicon.hedges for w in words(of.text)) and facts.vouchers(of.text, scene.lexicon):
        return "claim dropped without a word"
    return None
