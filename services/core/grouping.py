"""Which story is it: `decide(state, article, …) -> Decision`, and why.

Explicit wire metadata comes first (the item's own identifier, what it supersedes, its slug when it says that it is an
update), then the text. A decision changes nothing: `State.fold` does, from the row in which the decision is written down.
The order of the questions is DESIGN's ("What the grouper decides"); thresholds stand in `matching`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Final

import msgspec

from services.core.article import Article
from services.core.compare import compare
from services.core.decision import Action, Candidate, CopyKind, CopyOf, Decision, Relation, Series, Since, Status
from services.core.fingerprint import Fingerprint
from services.core.identity import digest, is_older, lineage_key
from services.core.marks import Marks, read_marks
from services.core.matching import ALIKE, LINEAGE_THRESHOLD, Match, join_story
from services.core.noise import canonical_headline
from services.core.said import Said
from services.core.slug import slug_family
from services.core.state import Item, LiveInput, Rows, State
from services.core.text import words
from services.core.times import instant

CANDIDATES_KEPT: Final = 5
"""Candidates written into a row for `explain`."""
TRIMMED: Final = 0.95
"""A copy with less than this share of the words of what it copies is a trimmed one."""
CHAINED: Final = 0.25
"""An article that says that it follows one needs only this much likeness (a corrected trim of the annotated pairs has .31)."""
SERIES_VETOES: Final = frozenset({"tickers_differ", "hour_differs", "table_figures", "series_template"})
"""What holds a look-alike back as one more of a series."""
STATUS_AFTER: Final[dict[Action, Status]] = {"withdraw": "withdrawn", "hold": "held", "release": "live"}
SLUG_REACH: Final = timedelta(hours=48)
"""An update that is linked by its slug alone follows within this time; next week's slug is another day's story."""
SAID_INPUTS: Final = 64
SAID_BYTES: Final = 256 * 1024
"""What the story has said is read from at most this many of its latest inputs, and carried up to this size (DESIGN)."""


@dataclass(frozen=True, slots=True)
class Inquiry:
    """One article before the state: what every question below is asked with."""

    state: State
    rows: Rows
    article: Article
    input_id: str
    marks: Marks
    fingerprint: Fingerprint
    matches: Sequence[Match]

    def live(self, match: Match) -> LiveInput:
        return self.state.by_number(match.number)

    def text_of(self, input_id: str | None) -> Article | None:
        row = self.rows(input_id) if input_id else None
        return row.article if row else None


def decide(state: State, article: Article, input_id: str, fingerprint: Fingerprint, rows: Rows) -> Decision:
    """The decision on one article, from state as it stands before its row. Pure: same state and article, same decision."""
    at = instant(state.later_log_time(article.received_at))
    matches = state.index.search(fingerprint, at.timestamp() if at else None)
    q = Inquiry(state, rows, article, input_id, read_marks(article), fingerprint, matches)
    decision = (
        _ending(q)
        or _notice(q)
        or _advisory(q)
        or _same_item(q)
        or _waited_for(q)
        or _explicit_link(q)
        or _slug_chain(q)
        or _roundup(q)
        or _same_text(q)
        or _same_event(q)
        or _new_story(q)
    )
    return msgspec.structs.replace(decision, candidates=_candidates(q))


# -- the questions, in order -------------------------------------------------------------------------------------------


def _ending(q: Inquiry) -> Decision | None:
    """A kill, hold or release: of the item that it names, else of the one item that its slug fits, else it waits."""
    action = q.marks.ending
    if action is None:
        return None
    own = q.state.item_for(q.article)
    named = own or _linked_item(q)
    if named is not None:
        return _end(named, action, "new_version" if named is own else "notice", "names its target")
    fitting = [i for i in q.state.items_by_slug(q.article.provider, q.article.slugline) if i.status != "withdrawn"]
    if len(fitting) == 1:
        return _end(fitting[0], action, "notice", "its slug fits one item")
    if len(fitting) > 1:
        story = fitting[-1].story
        return Decision(
            relation="notice", action=action, story=story, target="unresolved",
            reason=f"its slug fits {len(fitting)} items: none is ended",
        )  # fmt: skip
    if action == "release" and (q.article.body or q.article.headline):
        return None  # a release of something never held is simply the item
    return Decision(
        relation="notice", action=action, story=None, target="unseen", item=lineage_key(q.article),
        reason="its target has not been seen: it waits",
    )  # fmt: skip


def _end(item: Item, action: Action, relation: Relation, why: str) -> Decision:
    # a withdrawal is not undone by a hold or a release
    status: Status = "withdrawn" if item.status == "withdrawn" else STATUS_AFTER[action]
    return Decision(
        relation=relation, action=action, story=item.story, lineage=item.lineage, item=item.key, item_status=status,
        predecessor=item.head, base=item.head, target="seen", score=1.0, reason=why,
    )  # fmt: skip


def _notice(q: Inquiry) -> Decision | None:
    """A correction memo ("please read …"): it restates a part of another item and is never a predecessor itself."""
    if not q.marks.is_notice:
        return None
    target = _linked_item(q) or _headlined(q) or _latest_by_slug(q) or _best_item(q, same_provider=True)
    if target is None:
        return None
    return Decision(
        relation="notice", action="correct" if q.marks.corrects else "none", story=target.story,
        lineage=target.lineage, item=target.key, item_status=target.status, predecessor=target.head, base=target.head,
        target="seen", score=1.0, reason="a notice on an item of this story",
    )  # fmt: skip


def _advisory(q: Inquiry) -> Decision | None:
    if not q.marks.is_advisory:
        return None
    target = q.state.item_for(q.article) or _linked_item(q) or _latest_by_slug(q)
    if target is None:
        return _founding(q, "advisory", "an advisory on no story that is known")
    return Decision(
        relation="advisory", story=target.story, lineage=target.lineage, item=target.key, item_status=target.status,
        predecessor=target.head, score=1.0, reason="an advisory on this story",
    )  # fmt: skip


def _same_item(q: Inquiry) -> Decision | None:
    """The provider's own identifier: the explicit chain that beats every look at the text."""
    item = q.state.item_for(q.article)
    if item is None or item.head is None:
        return None
    return _version_of(q, item, same_item=True, score=1.0, why="the provider's own identifier")


def _waited_for(q: Inquiry) -> Decision | None:
    """A kill or hold came before its item: the item's story begins as what the kill made of it."""
    kill = next((w for w in q.state.waiting.values() if w.item == lineage_key(q.article)), None)
    row = q.rows(kill.input_id) if kill else None
    if row is None or row.decision.action not in ("withdraw", "hold"):
        return None
    status = "withdrawn" if row.decision.action == "withdraw" else "held"
    founding = _founding(q, "new_story", "its kill or hold came first")
    return msgspec.structs.replace(founding, action=row.decision.action, item_status=status)


def _explicit_link(q: Inquiry) -> Decision | None:
    item = _linked_item(q)
    if item is None or item.head is None:
        return None
    return _version_of(q, item, same_item=False, score=1.0, why="names the item that it follows")


def _slug_chain(q: Inquiry) -> Decision | None:
    """The slug of an item in the window, on an article that says of itself that it is an update, add or correction."""
    if not q.marks.chains:
        return None
    item = _latest_by_slug(q)
    if item is None or item.head is None:
        return None
    return _version_of(q, item, same_item=False, score=1.0, why="says it is an update, under this item's slug")


def _roundup(q: Inquiry) -> Decision | None:
    if not q.marks.is_roundup:
        return None
    founding = _founding(q, "roundup", "a round-up: a story of its own")
    covered = [live.story for live in map(q.live, q.matches) if live.story]
    return msgspec.structs.replace(founding, covers=tuple(dict.fromkeys(covered))[:32])


def _same_text(q: Inquiry) -> Decision | None:
    """A version or copy of a text in the window, by its words alone."""
    close = [m for m in q.matches if m.lineage >= LINEAGE_THRESHOLD] or _said_to_follow(q)
    if not close:
        return None
    exact = [m for m in close if m.exact]  # what was copied is the original, not another copy of it
    best = next((m for m in exact if q.live(m).copy_of is None), exact[0] if exact else close[0])
    mine = q.live(best)
    item = q.state.items.get(mine.item or "")
    if item is None:
        return None
    if not best.exact and item.provider == q.article.provider:
        # its own next take hangs on the newest version that is close enough; a copy elsewhere on the one that it copies
        newer = [m for m in close if q.live(m).item == mine.item or _same_lineage(q, q.live(m), item)]
        best = max(newer, key=lambda m: m.number, default=best)
        item = q.state.items.get(q.live(best).item or "") or item
    follows = best.lineage < LINEAGE_THRESHOLD
    why = "says that it follows one, and is like this" if follows else "the same text, changed"
    return _version_of(q, item, best, same_item=False, score=best.lineage, why=why)


def _said_to_follow(q: Inquiry) -> list[Match]:
    """What an article that calls itself an update or correction may follow: the explicit word beats the look-alike's veto."""
    if not (q.marks.chains or q.marks.corrects):
        return []
    now = instant(q.state.later_log_time(q.article.received_at))

    def within_reach(live: LiveInput) -> bool:
        at = instant(live.at)
        return now is None or at is None or now - at <= SLUG_REACH

    return [
        m for m in q.matches
        if m.lineage >= CHAINED and "tickers_differ" not in m.vetoes
        and (live := q.live(m)).provider == q.article.provider and within_reach(live)
    ]  # fmt: skip


def _same_event(q: Inquiry) -> Decision | None:
    """Another report of an event that is known."""
    members = [(m, live.story) for m, live in ((m, q.live(m)) for m in q.matches) if live.story and not live.roundup]
    joined = join_story(members, {story: len(q.state.stories[story].inputs) for _, story in members})
    if joined is None:
        return None
    story, score = joined
    if (earlier := _same_slug_in(q, story)) is not None:
        return _version_of(q, *earlier, same_item=False, score=score, why="the same event, under the same slug")
    head = _standing(q.state, story)
    return Decision(
        relation="coverage", action="correct" if q.marks.corrects else "none", story=story,
        lineage=digest("lineage", lineage_key(q.article), q.state.next_number, size=8), item=lineage_key(q.article),
        base=head, score=score, reason="another report of the same event",
    )  # fmt: skip


def _new_story(q: Inquiry) -> Decision:
    founding = _founding(q, "new_story", "like nothing in the window")
    series = _series(q)
    if series is None:
        return founding
    return msgspec.structs.replace(founding, series=series, reason="one more of a series, and a story of its own")


def _series(q: Inquiry) -> Series | None:
    """The run of look-alikes that this is one more of: daily prices, another company's results in the same template."""
    for match in q.matches:
        if SERIES_VETOES.intersection(match.vetoes) and max(match.contains, match.contained) >= ALIKE:
            live = q.live(match)
            return Series(live.series or digest("series", live.input_id, size=8), live.input_id)
    return None


# -- parts -------------------------------------------------------------------------------------------------------------


def _same_slug_in(q: Inquiry, story: str) -> tuple[Item, Match] | None:
    """The provider's own latest item in the story under the article's slug: what it rewrites, however little they share."""
    family = slug_family(q.article.slugline)
    if family is None:
        return None
    for match in q.matches:
        live = q.live(match)
        item = q.state.items.get(live.item or "")
        if (
            item
            and live.story == story
            and (live.provider, live.slug) == (q.article.provider, family)
            and not match.vetoes
        ):
            return item, match
    return None


def _standing(state: State, story: str) -> str | None:
    """The input whose text stands for the story; its latest one where that has left the window."""
    head = state.stories[story].header.head
    if head in state.inputs:
        return head
    return next((i for i in reversed(state.stories[story].inputs) if state.inputs[i].text), None)


def _founding(q: Inquiry, relation: Relation, why: str) -> Decision:
    """A decision that founds a story; `story` is filled in by `story.row_for`, which knows the row's number."""
    corrects = q.marks.corrects and relation == "new_story"
    return Decision(
        relation=relation, action="correct" if corrects else "none", target="unseen" if corrects else None,
        lineage=digest("lineage", lineage_key(q.article), q.state.next_number, size=8), item=lineage_key(q.article),
        score=q.matches[0].story if q.matches else 0.0, reason=why,
    )  # fmt: skip


def _linked_item(q: Inquiry) -> Item | None:
    """The item that the article names as the one it supersedes, replaces or has evolved from."""
    for uri in (q.article.supersedes, q.article.evolved_from):
        if uri:
            item = q.state.items.get(lineage_key(msgspec.structs.replace(q.article, uri=uri)))
            if item is not None and item.key != lineage_key(q.article):
                return item
    return None


def _latest_by_slug(q: Inquiry) -> Item | None:
    """The provider's item under the same slug: the one whose text fits best, else the latest within reach."""
    items = {item.key: item for item in q.state.items_by_slug(q.article.provider, q.article.slugline)}
    for match in q.matches:
        live = q.live(match)
        if live.item in items:
            return items[live.item]
    now = instant(q.state.later_log_time(q.article.received_at))
    for item in reversed(items.values()):
        at = instant(q.state.inputs[item.head].at) if item.head else None
        if now is None or at is None or now - at <= SLUG_REACH:
            return item
    return None


def _headlined(q: Inquiry) -> Item | None:
    """The provider's item whose headline the notice quotes."""
    if not q.marks.headlined:
        return None
    wanted = words(q.marks.headlined)
    for match in q.matches:
        live = q.live(match)
        article = q.text_of(live.input_id)
        if article and live.provider == q.article.provider and words(article.headline or "") == wanted:
            return q.state.items.get(live.item or "")
    return None


def _best_item(q: Inquiry, *, same_provider: bool) -> Item | None:
    for match in q.matches:
        live = q.live(match)
        if not same_provider or live.provider == q.article.provider:
            return q.state.items.get(live.item or "")
    return None


def _same_lineage(q: Inquiry, live: LiveInput, item: Item) -> bool:
    other = q.state.items.get(live.item or "")
    return other is not None and other.lineage == item.lineage and other.provider == item.provider


def _version_of(
    q: Inquiry, item: Item, match: Match | None = None, *, same_item: bool, score: float, why: str
) -> Decision:
    """The article as a version or copy of `item`: in which place, and whether it says anything at all."""
    target = q.live(match).input_id if match else item.head
    earlier = q.text_of(target)
    action: Action = "correct" if q.marks.corrects else "none"
    version = Decision(
        relation="new_version", action=action, story=item.story, lineage=item.lineage, score=score, reason=why,
        predecessor=target, base=target, item=item.key if same_item else lineage_key(q.article),
        item_status=item.status if same_item else "live",
    )  # fmt: skip
    as_decided = partial(msgspec.structs.replace, version)
    if earlier is None:  # its row has left the window with this very step
        return as_decided(predecessor=None, base=None)
    if item.provider != q.article.provider and (kind := _copied(q, item, earlier, match)):
        copied = CopyOf(target or "", kind, _since(q, item, target))
        why = f"{q.article.provider} carries this text of {item.provider}"
        return as_decided(relation="copy", copy_of=copied, reason=why)
    after_end = _after_its_end(q, item) if same_item else None
    if after_end is False or is_older(q.article, earlier, same_item=same_item):
        older = _older_version(q, item, same_item=same_item)
        why = f"{why}; older than what its lineage has"
        return as_decided(late=True, predecessor=older, base=older or target, reason=why)
    if after_end:  # a version that comes after its kill brings the item back
        version = as_decided(item_status="live")
        as_decided = partial(msgspec.structs.replace, version)
    if q.marks.is_take:
        return as_decided(relation="take")
    if action != "none":
        return version
    if _says_the_same(q, target, earlier):
        resent = as_decided(action="resend", reason="the same text sent again")
        copied = CopyOf(target or "", "exact", _since(q, item, target))
        return resent if same_item else msgspec.structs.replace(resent, relation="copy", copy_of=copied)
    if not same_item and not q.marks.chains and (kind := _copied(q, item, earlier, match)):
        return as_decided(relation="copy", copy_of=CopyOf(target or "", kind), reason=f"run again, {kind}")
    return version


def _after_its_end(q: Inquiry, item: Item) -> bool | None:
    """Whether the article is clearly newer than the kill that ended its item; None where nothing has ended it.

    Withdrawn wins where the order cannot be told.
    """
    if item.status != "withdrawn":
        return None
    kill = q.text_of(item.ended_by)
    return kill is not None and is_older(kill, q.article, same_item=True)


def _older_version(q: Inquiry, item: Item, *, same_item: bool) -> str | None:
    """The newest version of the item that the late article does not come before."""
    for version in reversed(item.versions):
        article = q.text_of(version)
        if article is not None and not is_older(q.article, article, same_item=same_item):
            return version
    return None


def _says_the_same(q: Inquiry, version: str | None, earlier: Article) -> bool:
    """Same copy and headline but for typography, dateline and credit: what an editor calls a resend."""
    row = q.rows(version) if version else None
    if row is None or row.fingerprint is None or row.fingerprint.body_hash != q.fingerprint.body_hash:
        return False
    return canonical_headline(earlier.headline) == canonical_headline(q.article.headline)


def _copied(q: Inquiry, item: Item, earlier: Article, match: Match | None) -> CopyKind | None:
    """How the article copies `earlier`, or None when it says something that the story has not said.

    Background that a site adds to a wire's copy leaves it a copy; at the same provider it makes a new version.
    """
    mine, theirs = words(_copy(q.article)), words(_copy(earlier))
    if mine == theirs or (match is not None and match.exact):
        return "exact"
    said = said_by(q.state, q.rows, item.story)[::-1]
    new = compare(earlier, q.article, said=said, basis="copy").new_development.kind
    if new == "new" or (new == "background" and item.provider == q.article.provider):
        return None
    return "trimmed" if len(mine) < TRIMMED * len(theirs) else "edited"


def _copy(article: Article) -> str:
    return "\n".join(p.text for p in article.body if p.kind not in ("note", "credit"))


def _since(q: Inquiry, item: Item, version: str | None) -> Since | None:
    """What has become of the version that was copied: withdrawn, corrected, overtaken, or nothing."""
    if item.status == "withdrawn":
        return "withdrawn"
    if version not in item.versions or version == item.head:
        return None
    later = item.versions[item.versions.index(version) + 1 :]
    return "corrected" if any(q.state.inputs[i].corrects for i in later) else "overtaken"


def said_by(state: State, rows: Rows, story: str) -> tuple[Said, ...]:
    """What the story has said, newest first, from the rows of its latest inputs."""
    found: list[Said] = []
    size = 0
    for input_id in reversed(state.stories[story].inputs[-SAID_INPUTS:]):
        row = rows(input_id)
        if row is None or row.said is None or row.decision.action == "withdraw":
            continue
        size += row.said.size()
        if size > SAID_BYTES:
            break
        found.append(row.said)
    return tuple(found)


def says_something_new(state: State, rows: Rows, article: Article, decision: Decision) -> bool:
    """Whether a report says anything that the story has not said: what makes coverage an update."""
    base = rows(decision.base) if decision.base else None
    if base is None or base.article is None or decision.story is None:
        return True
    said = said_by(state, rows, decision.story)[::-1]
    change = compare(base.article, article, said=said, basis="story", relation="coverage")
    return bool(change.paragraphs or change.conflicts)


def _candidates(q: Inquiry) -> tuple[Candidate, ...]:
    return tuple(
        Candidate(
            input=q.live(m).input_id, story=q.live(m).story or "", score=m.story, lineage=m.lineage, fields={name: value for name, value in m.fields.items() if value},
            vetoes=m.vetoes,
        )
        for m in q.matches[:CANDIDATES_KEPT]
    )  # fmt: skip
