"""An article as a version or copy of an item: in which place, late or not, and whether it says anything at all."""

from __future__ import annotations

from functools import partial
from typing import Final

import msgspec

from services.core.article import Article, urgency_raised
from services.core.decision import Action, CopyKind, CopyOf, Decision, Since
from services.core.grouping.inquiry import Inquiry, said_by
from services.core.grouping.matching import LINEAGE_THRESHOLD, Match
from services.core.grouping.state import Item, LiveInput
from services.core.identity import is_older, lineage_key
from services.core.language.text import words
from services.core.meaning.compare import compare
from services.core.redline.noise import canonical_headline

TRIMMED: Final = 0.95
"""A copy with less than this share of the words of what it copies is a trimmed one."""


def version_of(
    q: Inquiry, item: Item, match: Match | None = None, *, same_item: bool, score: float, why: str
) -> Decision:
    """The article as a version or copy of `item`: in which place, and whether it says anything at all."""
    target = q.live(match).input_id if match else item.head
    action: Action = "correct" if q.marks.corrects else "none"
    version = Decision(
        relation="new_version", action=action, story=item.story, lineage=item.lineage, score=score, reason=why,
        predecessor=target, base=target, item=item.key if same_item else lineage_key(q.article),
        item_status="live",
    )  # fmt: skip
    as_decided = partial(msgspec.structs.replace, version)
    own = item.provider == q.article.provider
    if own and not _after_its_end(q, item):
        why = f"its item was {item.status if item.status != 'live' else 'withdrawn'} before it came"
        status = item.status if same_item else "withdrawn"
        return as_decided(late=True, recalled=True, item_status=status, predecessor=item.head, base=None, reason=why)
    earlier = q.text_of(target)
    if earlier is None:  # nothing that was ever published, or its row has left the window with this very step
        return as_decided(predecessor=None, base=None)
    copied = _copied_from(q, item, match, earlier)
    if copied is not None:
        source = q.state.inputs[copied.input].provider
        why = f"{q.article.provider} carries this text of {source}"
        return as_decided(relation="copy", action="none", copy_of=copied, reason=why)
    if is_older(q.article, earlier, same_item=same_item):
        older = _older_version(q, item, same_item=same_item)
        why = f"{why}; older than what its lineage has"
        return as_decided(late=True, predecessor=older, base=older or target, reason=why)
    if target and q.state.inputs[target].killed:  # killed words are never shown, not even as what was replaced
        return as_decided(base=None)
    if q.marks.is_take:
        return as_decided(relation="take")
    if action != "none":
        return version
    if _says_the_same(q, target, earlier):
        resent = as_decided(action="resend", reason="the same text sent again")
        again = CopyOf(target or "", "exact", _since(q, target))
        return resent if same_item else msgspec.structs.replace(resent, relation="copy", copy_of=again)
    if not same_item and not q.marks.chains and (kind := _copied(q, item, earlier, match)):
        return as_decided(relation="copy", copy_of=CopyOf(target or "", kind), reason=f"run again, {kind}")
    return version


def _after_its_end(q: Inquiry, item: Item) -> bool:
    """Whether the article is clearly newer than the kill or hold that its item has met, or it has met none.

    Withdrawn wins where the order cannot be told.
    """
    endings = {item.withdrawn_by, item.ended_by if item.status == "held" else None} - {None}
    for ending in endings:
        sent = q.text_of(ending)
        if sent is None or not is_older(sent, q.article, same_item=True):
            return False
    return bool(endings) or item.status != "withdrawn"


def _copied_from(q: Inquiry, item: Item, match: Match | None, earlier: Article) -> CopyOf | None:
    """What the article copies: another provider's text, or once more what its own earlier version copied."""
    if item.provider != q.article.provider:
        live = q.live(match) if match else q.head_of(item)
        kind = _copied(q, item, earlier, match)
        return CopyOf(live.input_id, kind, _since(q, live.input_id)) if kind and live else None
    head = q.head_of(item)
    if head is None or head.copy_of is None or q.marks.is_notice:
        return None
    for other in q.matches:
        live = q.live(other)
        if other.lineage >= LINEAGE_THRESHOLD and live.provider != item.provider and live.copy_of is None:
            original = q.text_of(live.input_id)
            if original and (kind := _copied(q, item, original, other)):
                return CopyOf(live.input_id, kind, _since(q, live.input_id))
            break
    if head.copy_of in q.state.inputs and (kind := _copied(q, item, earlier, None)):
        return CopyOf(head.copy_of, kind, _since(q, head.copy_of))
    return None


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
    now, then = q.article, earlier
    if (now.embargoed, now.pub_status) != (then.embargoed, then.pub_status) or urgency_raised(
        then.urgency, now.urgency
    ):
        return False  # a longer embargo or a raised urgency is news to a desk
    return canonical_headline(then.headline) == canonical_headline(now.headline)


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


def _since(q: Inquiry, version: str | None) -> Since | None:
    """What has become of the version that was copied: withdrawn, corrected, overtaken, or nothing."""
    live = q.state.inputs.get(version or "")
    item = q.state.items.get(live.item or "") if live else None
    if live is None or item is None:
        return None
    if live.killed or item.status == "withdrawn":
        return "withdrawn"
    if version not in item.versions or version == item.head:
        return None
    later = item.versions[item.versions.index(version) + 1 :]
    return "corrected" if any(q.state.inputs[i].corrects for i in later) else "overtaken"


def same_lineage(q: Inquiry, live: LiveInput, item: Item) -> bool:
    other = q.state.items.get(live.item or "")
    return other is not None and other.lineage == item.lineage and other.provider == item.provider
