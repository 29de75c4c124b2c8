"""Two articles in, one Change out: the composition of alignment, development and push.

Pure: the same articles and memory give the same change, on every machine.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from functools import lru_cache

import msgspec

from services.core.article import Article, Paragraph, urgency_raised
from services.core.change import (
    NEW_DEVELOPMENTS,
    Basis,
    Change,
    Development,
    HeadlineChange,
    IndexedText,
    Level,
    MetadataChange,
    NewDevelopment,
    Noise,
    ParagraphChange,
    Reason,
)
from services.core.decision import Action, Relation
from services.core.language import facts, lexicon, numbers
from services.core.language.text import canonical
from services.core.meaning import notices, push, rows, tolls
from services.core.meaning import said as saying
from services.core.meaning.development import Labelled, label
from services.core.meaning.reading import (
    Scene,
    Version,
    difference,
    gather,
    is_fresh_state,
    new_names,
    read,
    telling,
    told_since,
)
from services.core.meaning.said import Memory, Said, what_it_says
from services.core.meaning.summary import conflicts, summarise
from services.core.redline.alignment import align, paragraph_changes, same_story, unchanged_pairs
from services.core.redline.noise import canonical_headline, count_noise, is_stub, restated
from services.core.redline.spans import spans

_PARTIAL: frozenset[Relation] = frozenset({"notice", "take"})
"""Relations of an item that says nothing about the paragraphs that it does not repeat."""
_WEIGHS: frozenset[Action] = push.ENDED | {"correct"}
"""Actions that make another change of the same two texts."""
METADATA = (
    "urgency", "priority", "slugline", "keywords", "byline", "dateline", "genre", "embargoed", "pub_status", "ed_note",
    "url", "usage_terms", "language", "signals",
)  # fmt: skip
"""Fields beside the copy whose change an editor can see. Versions, dates and links to other items always differ."""
MOST_REASONS = 12
"""Reasons kept in `new_development`: an editor reads the first few."""
UNSAID = 0.6
"""Novelty similarity below which a paragraph of another agency's report counts as not yet said, figures and names apart."""


def compare(
    old: Article | None,
    new: Article,
    *,
    said: Sequence[Said] = (),
    basis: Basis = "version",
    relation: Relation = "new_version",
    action: Action = "none",
    late: bool = False,
    check_same_story: bool = False,
) -> Change:
    """What changed between the text that is out and `new`, and what that means to a newsroom.

    `old` None: the story begins, every paragraph is added and the level is `new`. `said` is what the story has said
    before, oldest first; `old` need not be among it. Basis `story` compares another agency's report with the whole
    story: only what nobody has said yet is listed, with the conflicts, and nothing is redlined. A notice (by `relation`, or
    because it asks to read other words) and a take leave standing what they do not repeat. `check_same_story`: two unrelated
    articles give level `none` and no paragraphs.
    """
    if old is not None and check_same_story and not same_story(old, new):
        return Change(basis=basis, same_story=False)
    old, new = old and _untitled(old), _untitled(new)
    memory = tuple(said)
    since: tuple[Said, ...] = ()
    later: frozenset[str] = frozenset()
    if old is not None:
        after = _after(old, new, memory)
        since = tuple(s for s in after if s.provider == new.provider)
        later = frozenset(s.input_id for s in after if s.input_id is not None)
        memory = _memory(old, new, memory)
    asked = (relation if relation in _PARTIAL else "new_version", action if action in _WEIGHS else "none")
    change = _compared(old, new, memory, since, later, "story" if basis == "story" else "version", *asked)
    if late and old is not None and action not in push.ENDED:
        change = msgspec.structs.replace(change, push=push.LATE)
    return change if basis != "copy" or old is None else msgspec.structs.replace(change, basis=basis)


def says_anything_new(old: Article, new: Article, said: Sequence[Said]) -> bool:
    """Whether `compare` with basis `story` finds anything: it is asked until the first answer, and no further."""
    scene = _scene(old, new, _memory(old, new, said), "coverage", "none")
    return any(True for _ in _unsaid(new, scene)) or bool(conflicts(old, new, scene))


def _memory(old: Article, new: Article, said: Sequence[Said]) -> tuple[Said, ...]:
    """What the story has said, the earlier version last."""
    known = {old.input_id, new.input_id} - {None}
    own = next((s for s in said if s.input_id is not None and s.input_id == old.input_id), None) or what_it_says(old)
    return (*(s for s in said if s.input_id not in known), own)


def _after(old: Article, new: Article, said: Sequence[Said]) -> tuple[Said, ...]:
    """What the story has told after `old`: a notice does not become the version that the next one is held against."""
    place = next((i for i, s in enumerate(said) if s.input_id is not None and s.input_id == old.input_id), len(said))
    return tuple(s for s in said[place + 1 :] if s.input_id is None or s.input_id != new.input_id)


@lru_cache(maxsize=16)
def _compared(
    old: Article | None,
    new: Article,
    memory: tuple[Said, ...],
    since: tuple[Said, ...],
    later: frozenset[str],
    basis: Basis,
    relation: Relation,
    action: Action,
) -> Change:
    """Kept for a moment: in one process the grouper asks first what the emitter asks again.

    So it is asked without what changes only a field of the answer: whether it is late, a version or a copy.
    """
    scene = msgspec.structs.replace(_scene(old, new, memory, relation, action), since=since, later=later)
    if old is None:
        return _first(new, scene)
    if basis == "story":
        return _coverage(old, new, scene)
    return _redline(old, new, scene, action=action)


def _scene(old: Article | None, new: Article, memory: tuple[Said, ...], relation: Relation, action: Action) -> Scene:
    before, after = read(old), read(new)
    partial = old is not None and (relation in _PARTIAL or notices.is_please_read(new))
    if partial:  # it leads nothing, and of a request to read other words only these are read
        after = dataclasses.replace(read(_restated(new)), lead=None)
    copy = len(after.body) > 1 or any(after.body)
    language = (after.language if copy else lexicon.language_of(after.headline, new.language)) or "en"
    calls_itself = notices.is_correction(new) and not (
        old is not None and notices.is_correction(old) and notices.notes(old) == notices.notes(new)
    )
    year = (new.version_created or "")[:4]
    return Scene(
        old=before,
        new=after,
        said=Memory(memory),
        language=language,
        lexicon=lexicon.of(language),
        correcting=old is not None and (action == "correct" or calls_itself),
        partial=partial,
        year=int(year) if year.isascii() and year.isdigit() else None,
        day=_day(new.version_created),
    )


def _day(created: str | None) -> tuple[int, int] | None:
    """Month and day of a time stamp (RFC 3339)."""
    month, _, day = (created or "")[5:10].partition("-")
    return (int(month), int(day)) if month.isascii() and month.isdigit() and day.isascii() and day.isdigit() else None


def _untitled(article: Article) -> Article:
    """The article with a first line that repeats its headline marked as none of the copy."""
    title, first = canonical_headline(article.headline), next(iter(article.body), None)
    if not title or first is None or first.kind != "paragraph" or canonical_headline(first.text) != title:
        return article
    if len(article.body) == 1:
        return article
    marked = msgspec.structs.replace(first, kind="note")
    return msgspec.structs.replace(article, body=(marked, *article.body[1:]))


def _restated(notice: Article) -> Article:
    body = tuple(msgspec.structs.replace(p, text=restated(p.text)) for p in notice.body)
    return msgspec.structs.replace(notice, body=body)


def _kinds(body: Sequence[Paragraph]) -> list[str]:
    return [p.kind for p in body]


def _first(new: Article, scene: Scene) -> Change:
    """A story's first report."""
    entries = [ParagraphChange(op="added", after=(IndexedText(i, p.text),)) for i, p in enumerate(new.body)]
    labelled = label(entries, _kinds(new.body), scene)
    headline = None
    if new.headline:
        headline = HeadlineChange(before=None, after=new.headline, op="added", development="new_fact")
    reasons = (Reason(code="new_story", text="first report"),)
    return Change(
        level="new",
        paragraphs=tuple(each.entry for each in labelled),
        headline=headline,
        lead_changed=scene.new.lead is not None,
        headline_changed=headline is not None,
        quotes_added=facts.quotes(scene.new.body, scene.language),
        entities_added=_entities(scene.new, scene.old),
        stated=notices.stated(new),
        summary=summarise("new", labelled, headline, (), scene),
        new_development=NewDevelopment(yes=True, kind="new", reasons=reasons),
        push=push.first_flash(new, scene),
    )


def _redline(old: Article, new: Article, scene: Scene, *, action: Action) -> Change:
    alignment = align(old.body, new.body, notice=scene.partial)
    entries = paragraph_changes(alignment, old.body, new.body)
    walled = not any(g.links for g in alignment.groups) and is_stub(p.text for p in new.body)
    scene = msgspec.structs.replace(scene, walled=walled)
    figures = [
        (gather(g.before, scene.old).figures, gather(g.after, scene.new).figures) for g in alignment.groups if g.links
    ]
    if not scene.partial:
        figures.insert(0, (gather([-1], scene.old).figures, gather([-1], scene.new).figures))
    matched = numbers.put_right(scene.new.texts, scene.new.quantities) if scene.partial else ()
    matched += () if walled else numbers.revalued(figures, scene.old.figures, scene.new.figures)
    matched += tuple(
        pair
        for g in alignment.groups
        if g.op == "changed"
        for pair in rows.swapped(scene.old.body[g.before[0]], scene.new.body[g.after[0]])
    )
    counts = () if scene.partial or walled else tolls.revised(scene.old, scene.new, scene.language, scene.year)
    matched = (*((c.before, c.after) for c in counts), *tolls.unlike(matched, counts))
    counted = tuple((tolls.as_change(c), c.places) for c in counts)
    changed = (*(change for change, _ in counted), *(numbers.as_change(b, a) for b, a in matched[len(counts) :]))
    scene = msgspec.structs.replace(scene, revalued=frozenset(a.value for _, a in matched), tolls=counted)
    labelled = label(entries, _kinds(new.body), scene)
    headline = _headline(old, new, labelled, scene)
    metadata = _metadata(old, new)
    noise = count_noise(
        ("\n".join(p.text for p in e.before), "\n".join(p.text for p in e.after))
        for e in entries
        if e.before and e.after
    )
    quotes_old, quotes_new = facts.quotes(scene.old.body, scene.language), facts.quotes(scene.new.body, scene.language)
    development = _new_development(labelled, headline)
    evidence = push.Evidence(
        labelled=labelled,
        headline=headline,
        numbers=tuple(
            c for c, (_, after) in zip(changed, matched, strict=True) if not saying.holds_number(after, scene.since)
        ),
        raised=urgency_raised(old.urgency, new.urgency),
        ended=action in push.ENDED,
        notes=notices.notes(new),
        update_kind=new.update_kind,
    )
    level = _level(labelled, headline, metadata, noise)
    return Change(
        level=level,
        metadata=metadata,
        paragraphs=tuple(each.entry for each in labelled),
        unchanged=unchanged_pairs(alignment),
        headline=headline,
        lead_changed=_lead_changed(labelled, scene),
        headline_changed=headline is not None and headline.op not in ("unchanged", "typographic"),
        numbers=changed,
        quotes_added=facts.missing_quotes(quotes_new, scene.old.word_pairs),
        quotes_removed=() if scene.partial or walled else facts.missing_quotes(quotes_old, scene.new.word_pairs),
        entities_added=() if walled else _entities(scene.new, scene.old),
        entities_removed=() if scene.partial or walled else _entities(scene.old, scene.new),
        stated=notices.stated(new),
        summary=summarise(level, labelled, headline, changed, scene),
        noise=noise,
        new_development=development,
        push=push.judge(evidence, scene),
    )


def _unsaid(new: Article, scene: Scene) -> Iterator[Labelled]:
    """The paragraphs of another agency's report that say what the story has not said yet."""
    kinds = _kinds(new.body)
    for i, paragraph in enumerate(new.body):
        text = scene.new.body[i]
        novelty = saying.novelty(text, scene.said, scene.language)
        fresh_figures = any(
            q.kind != "year" and not saying.holds_number(q, scene.said) for q in scene.new.quantities[i + 1]
        )
        if novelty.similarity < UNSAID or fresh_figures or new_names(scene.new.names[i + 1], scene):
            entry = ParagraphChange(op="added", after=(IndexedText(i, paragraph.text),), novelty=novelty)
            for each in label((entry,), kinds, scene):
                if each.entry.development in NEW_DEVELOPMENTS or each.entry.development == "context_added":
                    yield each


def _coverage(old: Article, new: Article, scene: Scene) -> Change:
    """Another agency's report: what the story has not said yet, and where the two disagree."""
    labelled = tuple(_unsaid(new, scene))
    development = _new_development(labelled, None)
    evidence = push.Evidence(
        labelled=labelled, headline=None, numbers=(), raised=False, ended=False, notes=(), update_kind=new.update_kind
    )  # fmt: skip
    quoted = facts.quotes(scene.new.body, scene.language)
    level: Level = "substantive" if labelled else "none"
    disputed = conflicts(old, new, scene)
    return Change(
        basis="story",
        level=level,
        paragraphs=tuple(each.entry for each in labelled),
        quotes_added=facts.missing_quotes(quoted, scene.old.word_pairs),
        entities_added=_entities(scene.new, scene.old),
        conflicts=disputed,
        stated=notices.stated(new),
        summary=summarise(level, labelled, None, (), scene, disputed),
        new_development=development,
        push=push.judge(evidence, scene),
    )


def _headline(old: Article, new: Article, labelled: Sequence[Labelled], scene: Scene) -> HeadlineChange | None:
    """The headlines; a notice has none of its own, whatever stands above it."""
    before, after = old.headline or None, new.headline or None
    if scene.partial:
        after = before
    if before is None and after is None:
        return None
    if before == after:
        return HeadlineChange(before=before, after=after, op="unchanged")
    if before is None or after is None:
        development: Development = "none"
        return HeadlineChange(
            before=before, after=after, op="added" if before is None else "removed", development=development
        )
    marks = spans(before, after)
    if canonical_headline(notices.plain_headline(before)) == canonical_headline(notices.plain_headline(after)):
        return HeadlineChange(before=before, after=after, op="typographic", spans=marks)
    diff = difference(gather([-1], scene.old), gather([-1], scene.new), scene, 0.0)
    turned = [
        t
        for t in diff.turns
        if t.kind in ("value", "who") or (t.kind != "certainty" and t.after and is_fresh_state(t.after, scene))
    ]
    development = "fact_changed" if diff.changes or diff.new_figures or turned else "stylistic"
    in_body = any(each.entry.development == "correction" for each in labelled)
    if scene.walled or told_since(diff, scene):
        development = "stylistic"
    elif scene.correcting and (development == "fact_changed" or (not in_body and any(map(telling, diff.come)))):
        development = "correction"
    return HeadlineChange(
        before=before,
        after=after,
        op="reworded" if development == "stylistic" else "modified",
        development=development,
        spans=marks,
    )


def _lead_changed(labelled: Sequence[Labelled], scene: Scene) -> bool:
    """Whether the lead's wording differs beyond typography, or another paragraph leads. A notice leads nothing."""
    if scene.partial or (scene.old.lead is None and scene.new.lead is None):
        return False
    for each in labelled:
        entry = each.entry
        if any(p.index == scene.new.lead for p in entry.after):
            return entry.op not in ("typographic", "moved") or all(p.index != scene.old.lead for p in entry.before)
    if scene.old.lead is None or scene.new.lead is None:
        return True
    return canonical(scene.old.body[scene.old.lead]) != canonical(scene.new.body[scene.new.lead])


def _metadata(old: Article, new: Article) -> tuple[MetadataChange, ...]:
    out = []
    for field in METADATA:
        before, after = getattr(old, field), getattr(new, field)
        if isinstance(before, tuple):
            before, after = ", ".join(before) or None, ", ".join(after) or None
        if before != after:
            out.append(MetadataChange(field=field, before=before, after=after))
    return tuple(out)


def _entities(of: Version, against: Version) -> tuple[str, ...]:
    """Names of one version that stand nowhere in the other, each once, in reading order."""
    names = dict.fromkeys(n for ns in of.names for n in ns)
    return tuple(n for n in names if not facts.is_known(n, against.words, against.initials))


def _new_development(labelled: Sequence[Labelled], headline: HeadlineChange | None) -> NewDevelopment:
    reasons: list[Reason] = []
    for each in labelled:
        if each.entry.development in NEW_DEVELOPMENTS:
            reasons.extend(each.reasons or (_plain_reason(each),))
    if headline is not None and headline.development in NEW_DEVELOPMENTS:
        code = "headline_corrected" if headline.development == "correction" else "headline_changed"
        reasons.append(
            Reason(code=code, before=headline.before, after=headline.after, text=f"headline: {headline.after}")
        )
    if reasons:
        return NewDevelopment(yes=True, kind="new", reasons=tuple(dict.fromkeys(reasons))[:MOST_REASONS])
    background = [each for each in labelled if each.entry.development == "context_added"]
    if background:
        return NewDevelopment(
            kind="background", reasons=tuple(r for each in background for r in each.reasons)[:MOST_REASONS]
        )
    return NewDevelopment()


def _plain_reason(each: Labelled) -> Reason:
    place = (each.entry.after or each.entry.before)[0].index
    return Reason(code=each.entry.development, paragraph=place, text=each.entry.development.replace("_", " "))


def _level(
    labelled: Sequence[Labelled], headline: HeadlineChange | None, metadata: Sequence[MetadataChange], noise: Noise
) -> Level:
    """The most that changed. Background counts as substance, though it is no new development."""
    found = {each.entry.development for each in labelled}
    if headline is not None:
        found.add(headline.development)
    if found & {*NEW_DEVELOPMENTS, "context_added"}:
        return "substantive"
    ops = {each.entry.op for each in labelled}
    if found & {"stylistic", "attribution"} or ops - {"typographic", "stands"}:
        return "stylistic"
    if metadata:
        return "metadata"
    if ops & {"typographic"} or (headline is not None and headline.op == "typographic") or noise != Noise():
        return "typographic"
    return "none"
