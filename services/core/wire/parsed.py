"""What a parser is told (`Intake`), what it hands back (`Parsed`), and the last step that all formats share (`finish`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from services.core.article import Article, Command, Paragraph
from services.core.errors import RejectedInput
from services.core.wire.limits import DEFAULT, Limits
from services.core.wire.markers import read_marks
from services.core.wire.mojibake import DOUBLED_NOTE, undoubled

Item = Article | Command


class Skipped(msgspec.Struct, frozen=True):
    """An item that was understood and is not a story: a picture, a planning item, a package. Named, never an error."""

    source: str
    kind: str
    uri: str | None = None
    position: str | None = None


class Parsed(msgspec.Struct, frozen=True):
    """One input, read: its items in the order of the file, what was rejected and why, and what was left aside."""

    articles: tuple[Item, ...] = ()
    rejected: tuple[RejectedInput, ...] = ()
    skipped: tuple[Skipped, ...] = ()


class Intake(msgspec.Struct, frozen=True, kw_only=True):
    """What is known about an input besides its bytes. `defaults` is the sidecar as it stands, `beside` what it says of an
    article, by field.
    """

    source: str
    provider: str | None = None
    defaults: dict[str, Any] = {}
    beside: dict[str, Any] = {}
    limits: Limits = DEFAULT

    def reject(self, reason: str, detail: str, position: str | None = None) -> RejectedInput:
        return RejectedInput(reason, detail, source=self.source, position=position)


def gather(reads: Iterable[Callable[[], Item | Skipped]], intake: Intake | None = None) -> Parsed:
    """What the items of one file come to, each read on its own: one that is rejected stops no other.

    With `intake`, what comes after `limits.rejects` rejected items in a row is not read: that file holds something else.
    """
    items: list[Item] = []
    rejected: list[RejectedInput] = []
    skipped: list[Skipped] = []
    in_a_row = 0
    for read in reads:
        try:
            item = read()
        except RejectedInput as error:
            rejected.append(error.with_traceback(None))
            in_a_row += 1
            if intake is None or in_a_row < intake.limits.rejects:
                continue
            detail = f"{in_a_row:,} rejected items in a row: the rest is not read"
            rejected.append(intake.reject("unreadable", detail, error.position))
            break
        in_a_row = 0
        if isinstance(item, Skipped):
            skipped.append(item)
        else:
            items.append(item)
    return Parsed(tuple(items), tuple(rejected), tuple(skipped))


ReadItem = Callable[[dict[str, Any], Intake, str], Item | Skipped]

READ_BY_PEOPLE = ("headline", "byline", "dateline", "slugline", "ed_note", "usage_terms")
STORY_KINDS = frozenset({"text", "story", "article", "advisory"})
"""Item kinds that carry copy. Any other kind is named as skipped, unless it is a kill."""


def finish(article: Article, intake: Intake, position: str | None) -> Article | Skipped:
    """The steps that every format ends with: the sidecar speaks where the item is silent, what is no story is set aside, what
    only the text says is read, size is held.

    Raises RejectedInput: `no_content` for an item without headline and body that is no kill, hold or release,
    `too_large` above `limits.text`, or with a list longer than `limits.paragraphs`.
    """
    if intake.beside and article.input_id is None:
        article = _completed(article, intake)
    if not is_story(article.item_kind):
        if article.pub_status != "canceled":
            return Skipped(intake.source, article.item_kind or "", article.uri, position)
        article = msgspec.structs.replace(article, body=())
    if article.input_id is None:  # what is stamped was decided upon as it is
        article = _encoded_once(_stripped(article))
    size = _bytes_of_text(article)
    if size > intake.limits.text:
        limit = f"{intake.limits.text // 1024} KiB"
        raise intake.reject("too_large", f"{size:,} bytes of text, an article may hold {limit}", position)
    for name in ("body", "keywords", "signals", "parse_notes"):
        if (count := len(getattr(article, name))) > intake.limits.paragraphs:
            what = "paragraphs" if name == "body" else f"entries of {name}"
            detail = f"{count:,} {what}, an article may hold {intake.limits.paragraphs:,}"
            raise intake.reject("too_large", detail, position)
    article = _with_marks(_headline_once(article))
    if not article.headline and not article.body and not article.is_ending:
        error = intake.reject("no_content", "neither headline nor body, and it is no kill, hold or release", position)
        error.bare = article
        raise error
    return article


def is_story(item_kind: str | None) -> bool:
    """Whether items of this kind carry copy; where the wire does not say, they do."""
    return item_kind is None or item_kind.casefold() in STORY_KINDS


def _completed(article: Article, intake: Intake) -> Article:
    """The article with what its sidecar says, where it says nothing itself; a `uri` that is only the path is none."""
    known = {name: value for name, value in intake.beside.items() if not getattr(article, name)}
    if uri := intake.beside.get("uri"):
        whole, mark, part = article.uri.partition("#")
        known["uri"] = uri + mark + part if intake.source in (article.uri, whole) else article.uri
    notes = tuple(note for note in intake.beside.get("parse_notes", ()) if note not in article.parse_notes)
    return msgspec.structs.replace(article, **{**known, "parse_notes": (*article.parse_notes, *notes)})


def _stripped(article: Article) -> Article:
    """The article with no blanks around any of its lines, whichever way a format cut it out."""
    blank = {
        name: value.strip() or (value if name in ("provider", "uri") else None)
        for name, value in msgspec.structs.asdict(article).items()
        if isinstance(value, str) and value != value.strip()
    }
    return msgspec.structs.replace(article, **blank) if blank else article


def _headline_once(article: Article) -> Article:
    """The article without a heading above its copy that only repeats the headline."""
    headline, start = (article.headline or "").casefold(), 0
    last = len(article.body) - 1 if article.input_id is None else 0
    while start < last and article.body[start].kind == "heading" and article.body[start].text.casefold() == headline:
        start += 1
    return msgspec.structs.replace(article, body=article.body[start:]) if start else article


def _encoded_once(article: Article) -> Article:
    """The article with UTF-8 that was encoded twice repaired, if every letter outside ASCII in it shows the same fault."""
    texts = {name: value for name in READ_BY_PEOPLE if (value := getattr(article, name))}
    if undoubled("\n".join((*texts.values(), *(p.text for p in article.body)))) is None:
        return article
    return msgspec.structs.replace(
        article,
        **{name: undoubled(text) or text for name, text in texts.items()},
        body=tuple(Paragraph(undoubled(p.text) or p.text, p.kind) for p in article.body),
        parse_notes=(*article.parse_notes, DOUBLED_NOTE),
    )


def _bytes_of_text(article: Article) -> int:
    """UTF-8 bytes of every text in it: a megabyte of byline breaks the topic as surely as one of body."""
    values = msgspec.structs.asdict(article).values()
    lists = (entry for value in values if isinstance(value, tuple) for entry in value)
    texts = (entry.text if isinstance(entry, Paragraph) else entry for entry in (*values, *lists))
    return sum(len(text.encode()) for text in texts if isinstance(text, str))


def _with_marks(article: Article) -> Article:
    marks = read_marks(article)
    body = tuple(
        Paragraph(p.text, "note") if i in marks.notes and p.kind == "paragraph" else p
        for i, p in enumerate(article.body)
    )
    return msgspec.structs.replace(
        article,
        body=body,
        update_kind=article.update_kind or marks.kind,
        update_number=article.update_number if article.update_number is not None else marks.number,
        take=article.take if article.take is not None else marks.take,
        ed_note=article.ed_note or marks.note,
    )
