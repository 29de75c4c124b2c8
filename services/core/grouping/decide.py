"""Which story is it: `decide(state, article, …) -> Decision`, and why.

Explicit wire metadata comes first (the item's own identifier, what it supersedes, its slug when it says that it is an
update), then the text. A decision changes nothing: `State.fold` does, from the row in which the decision is written down.
The order of the questions is DESIGN's ("What the grouper decides"); thresholds stand in `matching`.
"""

from __future__ import annotations

from typing import Final

import msgspec

from services.core.article import Article
from services.core.decision import STATUS_AFTER, Action, Decision, Relation, Series
from services.core.grouping.fingerprint import Fingerprint
from services.core.grouping.inquiry import (
    Inquiry,
    candidates,
    headlined,
    latest_by_slug,
    linked_item,
    own_best_item,
    said_by,
    standing,
)
from services.core.grouping.marks import read_marks
from services.core.grouping.matching import ALIKE, INSTANCES, LINEAGE_THRESHOLD, Match, join_story
from services.core.grouping.slug import slug_family
from services.core.grouping.state import Item, Rows, State
from services.core.grouping.versions import same_lineage, version_of
from services.core.identity import digest, is_older, lineage_key
from services.core.meaning.compare import says_anything_new
from services.core.times import instant

CHAINED: Final = 0.25
"""An article that says that it follows one needs only this much likeness (a corrected trim of the annotated pairs has .31)."""
AS_LIKE: Final = 0.05
"""Two texts that hold this nearly the same share of a third are equally likely what it copies."""
FLASH_LENGTH: Final = 0.5
FLASH_ALIKE: Final = 0.95
"""Two items of under five words, the shorter half as long as the longer at least, are one event only when as good as equal."""
SERIES_VETOES: Final = INSTANCES | {"tickers_differ", "hour_differs", "table_figures", "series_template"}
"""What holds a look-alike back as one more of a series."""


def decide(state: State, article: Article, fingerprint: Fingerprint, rows: Rows) -> Decision:
    """The decision on one article, from state as it stands before its row. Pure: same state and article, same decision."""
    at = instant(state.later_log_time(article.received_at))
    found = state.index.search(fingerprint, at.timestamp() if at else None, provider=article.provider)
    reach = state.window.age.total_seconds() / 3600
    matches = tuple(m for m in found if m.fields.get("gap", 0.0) <= reach)  # rows leave the window a few at a time
    q = Inquiry(state, rows, article, read_marks(article), fingerprint, matches)
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
    return msgspec.structs.replace(decision, candidates=candidates(q))


# -- the questions, in order -------------------------------------------------------------------------------------------


def _ending(q: Inquiry) -> Decision | None:
    """A kill, hold or release: of the item that it names, else of the one item that its slug fits, else it waits."""
    action = q.marks.ending
    if action is None:
        return None
    own = q.state.item_for(q.article)
    named = own or linked_item(q) or headlined(q)
    if named is not None:
        return _end(q, named, action, "new_version" if named is own else "notice", "names its target")
    slugged = q.state.items_by_slug(q.article.provider, q.article.slugline)
    fitting = [item for item in slugged if item.status != "withdrawn" and q.within_reach(q.head_of(item))]
    if len(fitting) == 1:
        return _end(q, fitting[0], action, "notice", "its slug fits one item")
    if len(fitting) > 1:
        story = fitting[-1].story
        return Decision(
            relation="notice", action=action, story=story, target="unresolved",
            reason=f"its slug fits {len(fitting)} items: none is ended",
        )  # fmt: skip
    if action == "release" and q.article.body:
        return None  # a release of something never held is simply the item
    if action == "hold" and q.article.body:  # the item itself, not for publication yet
        if (waited := _waited_for(q)) is not None:
            return msgspec.structs.replace(waited, recalled=True, item_status="withdrawn")
        founding = _founding(q, "new_story", "sent on hold")
        return msgspec.structs.replace(founding, action="hold", item_status="held", target=None)
    return Decision(
        relation="notice", action=action, story=None, target="unseen", item=lineage_key(q.article),
        reason="its target has not been seen: it waits",
    )  # fmt: skip


def _end(q: Inquiry, item: Item, action: Action, relation: Relation, why: str) -> Decision:
    """What the ending does to the item. A withdrawal is not undone by a hold or a release, a late ending undoes nothing."""
    before = q.text_of(item.ended_by)
    if before is not None and is_older(q.article, before, same_item=True):
        return Decision(
            relation="new_version", late=True, recalled=True, story=item.story, lineage=item.lineage, item=item.key,
            item_status=item.status, predecessor=item.head, reason=f"{why}; older than what ended or released it",
        )  # fmt: skip
    return Decision(
        relation=relation, action=action, story=item.story, lineage=item.lineage, item=item.key,
        item_status="withdrawn" if item.status == "withdrawn" else STATUS_AFTER[action], predecessor=item.head,
        base=item.head, target="seen", score=1.0, reason=why,
    )  # fmt: skip


def _notice(q: Inquiry) -> Decision | None:
    """A correction memo ("please read …"): it restates a part of another item and is never a predecessor itself."""
    if not q.marks.is_notice:
        return None
    target = linked_item(q) or headlined(q) or latest_by_slug(q) or own_best_item(q)
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
    target = q.state.item_for(q.article) or linked_item(q) or latest_by_slug(q)
    if target is None:
        return _founding(q, "advisory", "an advisory on no story that is known")
    return Decision(
        relation="advisory", story=target.story, lineage=target.lineage, item=target.key, item_status=target.status,
        predecessor=target.head, score=1.0, reason="an advisory on this story",
    )  # fmt: skip


def _same_item(q: Inquiry) -> Decision | None:
    """The provider's own identifier: the explicit chain that beats every look at the text."""
    item = q.state.item_for(q.article)
    if item is None:
        return None
    version = version_of(q, item, same_item=True, score=1.0, why="the provider's own identifier")
    if q.marks.is_roundup and version.relation == "new_version":
        return msgspec.structs.replace(version, relation="roundup", covers=_covered(q))
    return version


def _waited_for(q: Inquiry) -> Decision | None:
    """A kill or hold came before its item: the item's story begins as what the kill made of it."""
    kill = q.state.waiting_for(lineage_key(q.article))
    sent = q.text_of(kill.input_id) if kill else None
    if kill is None or sent is None:
        return None
    if is_older(sent, q.article, same_item=True):
        return _founding(q, "new_story", "newer than the kill or hold that came first")
    founding = _founding(q, "new_story", "its kill or hold came first")
    return msgspec.structs.replace(
        founding, recalled=True, item_status=STATUS_AFTER[kill.ends], action="none", target=None
    )


def _explicit_link(q: Inquiry) -> Decision | None:
    return _follow(q, linked_item(q), "names the item that it follows")


def _slug_chain(q: Inquiry) -> Decision | None:
    """The slug of an item in the window, on an article that says of itself that it is an update, add or correction."""
    return _follow(q, latest_by_slug(q), "says it is an update, under this item's slug") if q.marks.chains else None


def _follow(q: Inquiry, item: Item | None, why: str) -> Decision | None:
    if item is None or item.head is None:
        return None
    return version_of(q, item, same_item=False, score=1.0, why=why)


def _roundup(q: Inquiry) -> Decision | None:
    if not q.marks.is_roundup:
        return None
    founding = _founding(q, "roundup", "a round-up: a story of its own")
    return msgspec.structs.replace(founding, covers=_covered(q))


def _covered(q: Inquiry) -> tuple[str, ...]:
    """The stories that a round-up is likest to."""
    covered = [live.story for live in map(q.live, q.matches) if live.story and not live.roundup]
    return tuple(dict.fromkeys(covered))[:32]


def _same_text(q: Inquiry) -> Decision | None:
    """A version or copy of a text in the window, by its words alone."""
    close = [m for m in q.matches if m.lineage >= LINEAGE_THRESHOLD] or _said_to_follow(q)
    if not close:
        return None
    likest = [m for m in close if m.exact] or [m for m in close if m.contains >= close[0].contains - AS_LIKE]
    best = next((m for m in likest if q.live(m).copy_of is None), likest[0])  # the original, not another copy of it
    item = q.state.items.get(q.live(best).item or "")
    if item is None:
        return None
    if not best.exact and item.provider == q.article.provider:
        # its own next take hangs on the newest version that is close enough; a copy elsewhere on the one that it copies
        best = max((m for m in close if same_lineage(q, q.live(m), item)), key=lambda m: m.number)
        item = q.state.items.get(q.live(best).item or "") or item
    follows = best.lineage < LINEAGE_THRESHOLD
    why = "says that it follows one, and is like this" if follows else "the same text, changed"
    return version_of(q, item, best, same_item=False, score=best.lineage, why=why)


def _said_to_follow(q: Inquiry) -> list[Match]:
    """What an article that calls itself an update or correction may follow: the explicit word beats the look-alike's veto."""
    if not (q.marks.chains or q.marks.corrects):
        return []
    return [
        m for m in q.matches
        if m.lineage >= CHAINED and "tickers_differ" not in m.vetoes
        and (live := q.live(m)).provider == q.article.provider and q.within_reach(live)
    ]  # fmt: skip


def _same_event(q: Inquiry) -> Decision | None:
    """Another report of an event that is known."""
    weighed = [m for m in q.matches if not _is_two_flashes(m)]
    members = [(m, live.story) for m, live in ((m, q.live(m)) for m in weighed) if live.story and not live.roundup]
    joined = join_story(members, {story: len(q.state.stories[story].inputs) for _, story in members})
    if joined is None:
        return None
    story, score = joined
    if (earlier := _same_slug_in(q, story)) is not None:
        return version_of(q, *earlier, same_item=False, score=score, why="the same event, under the same slug")
    head = standing(q.state, story)
    return Decision(
        relation="coverage", action="correct" if q.marks.corrects else "none", story=story,
        lineage=_own_lineage(q), item=lineage_key(q.article), base=head, score=score, reason="another report of the same event",
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


def _is_two_flashes(match: Match) -> bool:
    """Two items of a few words that differ in one: "President resigns", "Mayor resigns". A flash and its story may differ."""
    fields = match.fields
    return (
        "thin" in match.vetoes and fields.get("length", 0.0) >= FLASH_LENGTH and fields.get("title", 0.0) < FLASH_ALIKE
    )


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
            and set(match.vetoes) <= {"thin"}
        ):
            return item, match
    return None


def _founding(q: Inquiry, relation: Relation, why: str) -> Decision:
    """A decision that founds a story; `story.step` fills in its id from the row's number."""
    corrects = q.marks.corrects and relation == "new_story"
    return Decision(
        relation=relation, action="correct" if corrects else "none", target="unseen" if corrects else None,
        lineage=_own_lineage(q), item=lineage_key(q.article),
        score=q.matches[0].story if q.matches else 0.0, reason=why,
    )  # fmt: skip


def _own_lineage(q: Inquiry) -> str:
    return digest("lineage", lineage_key(q.article), q.state.next_number, size=8)


def says_something_new(state: State, rows: Rows, article: Article, decision: Decision) -> bool:
    """Whether a report says anything that the story has not said: what makes coverage an update."""
    base = rows(decision.base) if decision.base else None
    if base is None or base.article is None or decision.story is None:
        return True
    return says_anything_new(base.article, article, said_by(state, rows, decision.story)[::-1])
