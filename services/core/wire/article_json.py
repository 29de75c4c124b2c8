"""Article JSON: our own shape on the wire, one object or one a line; and an editor's command in the same log."""

from __future__ import annotations

from typing import Any, get_args

from services.core.article import Article, Command, Paragraph, ParagraphKind, UpdateKind
from services.core.errors import RejectedInput
from services.core.wire.fields import Fields
from services.core.wire.json_items import read_items
from services.core.wire.parsed import Intake, Item, Parsed, Skipped, finish

# --- wire shape: DESIGN, "Article JSON" ------------------------------------------------------------------------------

TEXTS = (
    "outlet", "item_kind", "genre", "language", "headline", "slugline", "byline", "dateline", "ed_note", "supersedes",
    "evolved_from", "url", "usage_terms", "input_id",
)  # fmt: skip
SCALARS = ("version", "urgency", "priority")
DATES = ("version_created", "first_created", "received_at", "embargoed")
NUMBERS = ("update_number", "take")
LISTS = ("signals", "keywords")
PUB_STATUS = {
    "usable": "usable", "withheld": "withheld", "canceled": "canceled", "cancelled": "canceled",
    "stat:usable": "usable", "stat:withheld": "withheld", "stat:canceled": "canceled", "stat:cancelled": "canceled",
}  # fmt: skip
UPDATE_KINDS = dict[str, str]((kind, kind) for kind in get_args(UpdateKind))
PARAGRAPH_KINDS: dict[str, ParagraphKind] = {kind: kind for kind in get_args(ParagraphKind)}
COMMANDS = frozenset({"merge", "split", "pin"})

# --- reading it ------------------------------------------------------------------------------------------------------


def parse(data: bytes, intake: Intake) -> Parsed:
    """One object, an array, or one object a line (`.jsonl`), all of them Article JSON or commands."""
    return read_items(data, intake, read)


def read(item: dict[str, Any], intake: Intake, position: str) -> Item | Skipped:
    """One object: an article, or a command where it says so. Unknown keys are ignored.

    Raises RejectedInput: missing_uri, missing_provider, wrong_type, no_content, too_large, incomplete_command.
    """
    if "command" in item:
        return _command(Fields(item, intake, position), intake, position)
    fields = Fields(item, intake, position)
    provider = fields.text("provider") or intake.defaults.get("provider") or intake.provider
    uri = fields.text("uri")
    if uri is None:
        raise intake.reject("missing_uri", "an article needs a uri", position)
    if provider is None:
        raise intake.reject("missing_provider", "an article needs a provider", position)
    body = read_body(item.get("body"), fields)
    try:
        return finish(Article(provider=provider, uri=uri, body=body, **metadata(fields)), intake, position)
    except RejectedInput as error:
        error.bare = None  # it is in our own shape already
        raise


# --- adapting it -----------------------------------------------------------------------------------------------------


def metadata(fields: Fields) -> dict[str, Any]:
    """All of an article but provider, uri and body, from Article JSON, front matter or a sidecar."""
    read: dict[str, Any] = {name: fields.text(name) for name in TEXTS}
    read |= {name: fields.scalar(name) for name in SCALARS}
    read |= {name: fields.date(name) for name in DATES}
    read |= {name: fields.number(name) for name in NUMBERS}
    read |= {name: fields.texts(name) for name in LISTS}
    read["pub_status"] = fields.choice("pub_status", PUB_STATUS)
    read["update_kind"] = fields.choice("update_kind", UPDATE_KINDS)
    read["parse_notes"] = (*fields.texts("parse_notes"), *fields.notes)
    return read


def read_body(body: Any, fields: Fields) -> tuple[Paragraph, ...]:
    """Strings, or objects of text and kind; blank paragraphs are none, an unknown kind counts as a paragraph."""
    if body is None:
        return ()
    if not isinstance(body, list):
        raise fields.wrong("body", "a list of paragraphs", body)
    paragraphs = []
    for i, entry in enumerate(body):
        text, kind = (entry.get("text"), entry.get("kind")) if isinstance(entry, dict) else (entry, None)
        if not isinstance(text, str):
            raise fields.wrong(f"body[{i}]", "a text, or an object with a text", text)
        if clean := fields.clean(text):
            paragraphs.append(Paragraph(clean, PARAGRAPH_KINDS.get(str(kind), "paragraph")))
    return tuple(paragraphs)


def _command(fields: Fields, intake: Intake, position: str) -> Command:
    name, id_, by, at = (fields.text(key) for key in ("command", "id", "by", "at"))
    stories, inputs = fields.texts("stories"), fields.texts("inputs")
    if name not in COMMANDS:
        raise intake.reject("wrong_type", f"{name!r} is no command; merge, split and pin are", f"{position}.command")
    needed = {"merge": len(stories) >= 2, "split": bool(inputs), "pin": len(stories) == 1 and bool(inputs)}[name]
    if not (id_ and by and at and needed):
        detail = "a command needs id, by and at; merge two stories, split inputs, pin one story and inputs"
        raise intake.reject("incomplete_command", detail, position)
    moment, received = fields.date("at"), fields.date("received_at")
    if moment is None:
        raise intake.reject("wrong_type", f"at should be a date, it is {at[:40]!r}", f"{position}.at")
    return Command(command=name, id=id_, by=by, at=moment, stories=stories, inputs=inputs, received_at=received)  # type: ignore[arg-type]  # one of COMMANDS
