"""What only the text tells a human: "UPDATE 2-", "1st Ld", "CORRECTED-", "(Adds …)", "Eds:", KILL, "please read".

The headline and the slugline stay as sent; a line that is a note to editors stays in the body and gets kind `note`.
Every pattern is anchored or bounded: a story *about* a kill or a correction says nothing of the kind about itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec

from services.core.article import Article, UpdateKind
from services.core.redline.noise import editors_note, is_only_note

LONGEST_NOTE = 600
"""Characters. The longest note line in the wire samples has 310."""
_FIRST, _LAST = 3, 2  # paragraphs at either end in which a note to editors may stand


class Marks(msgspec.Struct, frozen=True, kw_only=True):
    """What the marks say. `notes` are the indices of body paragraphs that are notes to editors, `note` their text."""

    kind: UpdateKind | None = None
    number: int | None = None
    take: int | None = None
    note: str | None = None
    notes: frozenset[int] = frozenset()


# --- the words -------------------------------------------------------------------------------------------------------

_SEVERITY: tuple[UpdateKind, ...] = (
    "kill", "withdrawn", "hold", "release", "corrective", "correction", "clarification", "refile", "repeat", "wrapup",
    "advisory", "writethru", "lead", "update", "add", "insert", "sub", "pickup", "urgent", "alert",
)  # fmt: skip
"""Where several marks stand side by side, the first of these names the item ("UPDATE 1-CORRECTED-" is a correction,
"RPT-UPDATE 3-" a repeat)."""

_SIGNALS: dict[str, UpdateKind] = {
    "sig:update": "update", "sig:correction": "correction", "sig:writethru": "writethru", "sig:repeat": "repeat",
    "sig:refile": "refile", "sig:kill": "kill", "sig:alert": "alert", "update": "update", "correction": "correction",
    "kill": "kill", "edstat:u": "update", "edstat:c": "correction", "edstat:d": "kill", "tt_sig:replace": "update",
    "update:append-major-content": "update",
}  # fmt: skip

_SEP = r"(?:\s*[:：|】）\)\]/]|\s+[-–—]+\s|\s*[–—]+|-\s|\s*$)"
_OPEN = r"^[\s\[\(【（*+#]*"
_GLUED: tuple[tuple[UpdateKind, str], ...] = (  # an agency glues these to the headline: "UPDATE 2-Fire spreads"
    ("update", r"UPDATE\s+(?P<n>\d{1,2})|UPDATE(?=\s*[-–—:|)\]]\s?[A-Z\s])"),
    ("wrapup", r"WRAPUP(?:\s+(?P<n>\d{1,2}))?"),
    ("refile", r"REFILE"),
    ("repeat", r"RPT|REPEAT|WDHLG"),
    (
        "correction",
        r"CORRECTED|CORRECTION(?: ET MISE À JOUR| AND UPDATE)?|KORREKTUR|BERICHTIGUNG|RECTIFICATIF|CORRECCIÓN|RECTIFICACIÓN",
    ),
    ("clarification", r"CLARIFICATION|CLARIFIED"),
    ("update", r"AMP\."),
)
_UPPER: tuple[tuple[UpdateKind, str], ...] = (  # only in capitals and only before a real separator
    ("kill", r"(?:(?:MANDATORY|ADVISORY|BULLETIN|URGENT)[ -]+)?KILL|(?:STORY|ITEM) KILLED|KILLED|ANULADA|ANNULATION"),
    ("withdrawn", r"(?:STORY )?WITHDRAWN|ZURÜCKGEZOGEN|RETIRADA"),
    ("hold", r"(?:ADVISORY[ -]+)?HOLD"),
    ("release", r"RELEASED?|EMBARGO (?:LIFTED|RELEASED)|SPERRFRIST AUFGEHOBEN|FREIGABE"),
    ("corrective", r"CORRECTIVE"),
    ("correction", r"CORREZIONE|RETTIFICA|CORREÇÃO|RETIFICAÇÃO|CORRECTIE|RECTIFICATIE|RÄTTELSE|CORRIGE[DÉ]?"),
    ("clarification", r"PRÉCISION|KLARSTELLUNG|ACLARACIÓN|CLARIFICATION"),
    ("wrapup", r"WRAP|ROUNDUP|ZUSAMMENFASSUNG|SYNTHÈSE|SYNTHESE|RESUMEN"),
    ("advisory", r"ADVISORY|MEDIA ADVISORY|ATTENTION EDITORS|ACHTUNG REDAKTIONEN"),
    ("update", r"UPDATED|AKTUALISIERT|ACTUALISÉ|ACTUALIZA(?:CIÓN)?|AMPLIACIÓN|AGGIORNAMENTO|ATUALIZAÇÃO|UPPDATERAD"),
    ("repeat", r"REPEAT|WIEDERHOLUNG|RÉPÉTITION|REPETICIÓN"),
    ("urgent", r"URGENTE?|EILT|SPOED"),
    ("alert", r"FLASH|SNAP|BULLETIN|ALERTE?|NEWS ?ALERT|EIL(?:MELDUNG)?"),
)
_ANY_CASE: tuple[tuple[UpdateKind, str], ...] = (  # unmistakable before a colon, in any case
    ("correction", r"correction|corrected|korrektur|berichtigung|corrección|rectificatif|correzione|correção"),
    ("clarification", r"clarification|klarstellung"),
    ("update", r"update(?:\s+(?P<n>\d{1,2}))?"),
)
_OTHER_SCRIPTS: tuple[tuple[UpdateKind, str], ...] = (
    ("correction", r"تصحيح|訂正|更正|정정"),
    ("withdrawn", r"سحب الخبر|إلغاء|配信取り消し|取り消し|撤稿"),
    ("update", r"تحديث|更新"),
    ("urgent", r"عاجل|至急|급보"),
    ("alert", r"تنبيه|速報|快讯|快訊|속보"),
)
_LEAD = r"(?P<n>\d{1,2})(?:st|nd|rd|th)[ -]?(?:Ld|Lead)\b"
_NUMBERED: tuple[tuple[UpdateKind, str], ...] = (
    ("writethru", rf"{_LEAD}[ -]*(?:Writethru|Writethrough|WT)\b"),
    ("lead", _LEAD),
    ("add", r"(?P<take>\d{1,2})(?:st|nd|rd|th)[ -]?Add\b"),
    ("insert", r"(?P<n>\d{1,2})(?:st|nd|rd|th)[ -]?Insert\b"),
    ("sub", r"(?P<n>\d{1,2})(?:st|nd|rd|th)[ -]?Sub\b"),
)


def _compile(table: Iterable[tuple[UpdateKind, str]], before: str, after: str, flags: int = 0) -> tuple[
    tuple[UpdateKind, re.Pattern[str]], ...
]:  # fmt: skip
    return tuple((kind, re.compile(f"{before}(?:{words}){after}", flags)) for kind, words in table)


_HEADLINE = (
    *_compile(_NUMBERED, _OPEN, r"\b[\s\-–—:.)\]]*", re.IGNORECASE),
    *_compile(_GLUED, _OPEN, r"(?:\s*[-–—:|)\]]+\s*|\s*$)"),
    *_compile(_UPPER, _OPEN, _SEP),
    *_compile(_ANY_CASE, _OPEN, r"\s*:\s", re.IGNORECASE),
    *_compile(_OTHER_SCRIPTS, _OPEN, _SEP),
)
_SLUG_WORDS: tuple[tuple[UpdateKind, str], ...] = (
    ("kill", r"KILL(?:ED)?"), ("withdrawn", r"WITHDRAWN"), ("hold", r"HOLD"), ("release", r"RELEASED?"),
    ("corrective", r"CORRECTIVE"), ("correction", r"CORRECTED|CORRECTION"), ("clarification", r"CLARIFICATION"),
    ("writethru", r"WRITETHRU"), ("refile", r"REFILE"), ("repeat", r"RPT|REPEAT"), ("urgent", r"URGENT"),
    ("alert", r"ALERT|FLASH|SNAP|NEWSALERT"), ("advisory", r"ADVISORY"), ("pickup", r"PICKUP"),
)  # fmt: skip
_SLUG = (
    *_compile(_NUMBERED, r"(?:^|[\s,(/])", "", re.IGNORECASE),
    *_compile(
        [
            ("update", r"UPDATE (?P<n>\d{1,2})"),
            ("wrapup", r"WRAPUP(?: (?P<n>\d{1,2}))?"),
            ("add", r"ADD (?P<take>\d{1,2})"),
            ("lead", r"LEAD (?P<n>\d{1,2})"),
        ],
        r"(?:^|[\s,(/])",
        r"\b",
    ),
    ("alert", re.compile(r"(?:^|[\s-])AP-?NewsAlert\b", re.IGNORECASE)),
    *_compile(_SLUG_WORDS, r"[,(]\s*(?:[A-Z0-9 ]{1,20},\s*){0,3}", r"\s*(?:[,)]|$)", re.IGNORECASE),
)
_TAKE = re.compile(r"(?:=\s?|\btake\s)(?P<take>\d{1,2})\)?\s*$", re.IGNORECASE)

_NOTE_VERBS: tuple[tuple[UpdateKind, str], ...] = (
    ("correction", (r"corrects|correcting|corrected|correction|fixes|berichtig\w+|korrigier\w+|korrektur|corrige|corrigé"
                   r"|rectifie|rectifica|rettifica|corregge|retifica|corrigeert|rectificeert|rättar|korriger\w+"
                   r"|تصحيح|يصحح|تصحح|訂正|更正")),
    ("clarification", r"clarifies|clarifying|stellt klar|précise|aclara"),
    ("writethru", r"writes through|writethru"),
    ("refile", r"refiles|refiling"),
    ("repeat", r"repeats|repeating|wiederholung|wiederholt|répète|repite"),
    ("update", (r"adds|adding|updates|updating|updated with|recasts|recasting|releads|rewrites|deletes|removes"
               r"|incorporates|ergänzt|aktualisiert|erweitert|ajoute|actualise|complète|añade|agrega|actualiza|amplía|aggiunge|aggiorna|acrescenta|atualiza"
               r"|voegt toe|aangevuld|uppdatera\w*|utökad|utvidet|oppdatert|يضيف|تضيف|إضافة|تحديث|更新|追加")),
)  # fmt: skip
_ONLY_LEADING: tuple[tuple[UpdateKind, str], ...] = (
    ("update", r"changes|drops|replaces|restores|trims|edits|neu|avec|mit"),
)
_VERB_ENDS = r"(?!\w)(?!\s+(?:to (?:come|follow|be)|will|expected|coming)\b)"  # "Updates to follow" announces none
_VERBS = _compile(_NOTE_VERBS, r"(?<!\w)", _VERB_ENDS, re.IGNORECASE)
_LEADING = _compile((*_NOTE_VERBS, *_ONLY_LEADING), r"^[\s\(\[\-–—*]*", _VERB_ENDS, re.IGNORECASE)
_EMBARGO = re.compile(
    r"^[\s\(\[*+]*(?:EMBARGO(?:ED)?\b|Embargoed\b|HOLD FOR RELEASE\b|NOT FOR (?:PUBLICATION|RELEASE)\b|Sperrfrist\b"
    r"|SPERRFRIST\b|SOUS EMBARGO\b|Sous embargo\b|EMBARGADO\b|Embargado\b|محظور النشر)"
)
_KILL_NOTE = re.compile(
    r"^[\s\(\[*+]*(?:(?:(?:MANDATORY|ADVISORY|BULLETIN|URGENT)[ -]+)?KILL\b(?=[\s:,.\-–—])"
    r"|(?:Editors[:,]?\s+)?[Pp]lease (?:kill|do not use)\b|Kill and do not use\b|(?:STORY|ITEM) KILLED\b"
    r"|Bitte (?:die )?(?:folgende )?Meldung\b.{0,120}\bnicht verwenden\b|Merci de ne pas (?:utiliser|publier)\b"
    r"|(?:Queda|Se) anula\b)"
)
_WITHDRAWN_NOTE = re.compile(
    r"^[\s\(\[*+]*(?:(?:STORY|ITEM)?\s?WITHDRAWN\b(?=[\s:,.\-–—])"
    r"|(?:The|This|Our) (?:story|item|report|article)\b.{0,160}\b(?:has been|is|was) withdrawn\b"
    r"|Die Meldung\b.{0,160}\b(?:wird|ist|wurde) zurückgezogen\b)"
)
_RELEASE_NOTE = re.compile(
    r"^[\s\(\[*+]*(?:EMBARGO LIFTED\b|Embargo lifted\b|RELEASED\s*[:\-–—]|Hold released\b|HOLD RELEASED\b"
    r"|Die Sperrfrist\b.{0,80}\baufgehoben\b)"
)
_ENDINGS: tuple[tuple[UpdateKind, re.Pattern[str]], ...] = (
    ("kill", _KILL_NOTE),
    ("withdrawn", _WITHDRAWN_NOTE),
    ("release", _RELEASE_NOTE),
)
_PLEASE_READ = re.compile(
    r"\bplease read\b|\bmuss es (?:richtig )?heißen\b|\b(?:prière de|bien vouloir|merci de) lire\b|\bléase\b"
    r"|\bsi legga\b|\bleia-se\b|\bläs i stället\b|يرجى قراءة",
    re.IGNORECASE,
)
_READ = ("read", "heißen", "lire", "léase", "legga", "leia", "läs", "قراءة")
"""A word of each alternative: looked for first, because the pattern costs 100 µs on a paragraph that asks nothing."""
_IN_STORY = re.compile(r"^In\b[^,]{0,80},\s*")  # "(In March 3 story, corrects …)"
_BRACKETED = re.compile(r"^[\(\[]([^()\[\]]{3,300})[\)\]]")


# --- reading them ----------------------------------------------------------------------------------------------------


def read_marks(article: Article) -> Marks:
    """What status, signals, slugline, headline, ed note and note lines say together; fields already set are not read again."""
    found: list[tuple[UpdateKind, int | None, int | None]] = []
    found += _headline_marks(article.headline)
    found += _slug_marks(article.slugline)
    notes: dict[int, tuple[str, UpdateKind | None]] = {}
    size = len(article.body)
    for i in sorted({*range(min(_FIRST, size)), *range(max(0, size - _LAST), size)}):
        if article.body[i].kind in ("paragraph", "note"):
            note = note_line(article.body[i].text, first=i == 0)
            if note is not None:
                notes[i] = note
    found += [(kind, None, None) for _, kind in notes.values() if kind]
    if article.ed_note:
        kind = _note_kind(article.ed_note)
        found += [(kind, None, None)] if kind else []
    return Marks(
        kind=_stated_kind(article) or min((k for k, _, _ in found), key=_SEVERITY.index, default=None),
        number=next((n for _, n, _ in found if n is not None), None),
        take=next((take for _, _, take in found if take is not None), None),
        note="\n".join(text for text, _ in notes.values()) or None,
        notes=frozenset(
            i
            for i, (text, _) in notes.items()
            if text == article.body[i].text and not _asks_to_read(text)  # what it restates is copy
        ),
    )


def _stated_kind(article: Article) -> UpdateKind | None:
    """Explicit metadata comes before text. A withheld item is known by its status; it need not be an agency's HOLD."""
    if article.pub_status == "canceled":
        return "kill"
    kinds = [kind for signal in article.signals if (kind := _SIGNALS.get(signal.strip().casefold()))]
    return min(kinds, key=_SEVERITY.index, default=None)


def _headline_marks(headline: str | None) -> list[tuple[UpdateKind, int | None, int | None]]:
    found: list[tuple[UpdateKind, int | None, int | None]] = []
    rest = (headline or "")[:200]
    for _ in range(4):  # "URGENT: UPDATE 2-CORRECTED-…"
        hit = next(((kind, m) for kind, pattern in _HEADLINE if (m := pattern.match(rest))), None)
        if hit is None:
            break
        found.append(_mark(*hit))
        rest = rest[hit[1].end() :]
    return found


def line_mark(line: str) -> tuple[UpdateKind, int | None, int | None] | None:
    """(kind, number, take) of a line that is nothing but marks ("1ST LEAD", "REFILE"); None where it says more."""
    rest, found = line[:80].strip(), None
    while rest:
        hit = next(((kind, m) for kind, pattern in _HEADLINE if (m := pattern.match(rest))), None)
        if hit is None:
            return None
        found = found or _mark(*hit)
        rest = rest[hit[1].end() :].strip()
    return found


def _slug_marks(slugline: str | None) -> list[tuple[UpdateKind, int | None, int | None]]:
    slug = (slugline or "")[:200]
    found = [_mark(kind, m) for kind, pattern in _SLUG if (m := pattern.search(slug))]
    if m := _TAKE.search(slug):
        found.append(("add", None, int(m["take"])))
    return found


def _mark(kind: UpdateKind, m: re.Match[str]) -> tuple[UpdateKind, int | None, int | None]:
    groups = m.groupdict()
    number, take = groups.get("n"), groups.get("take")
    return kind, int(number) if number else None, int(take) if take else None


def note_line(text: str, *, first: bool = False) -> tuple[str, UpdateKind | None] | None:
    """The note to editors in a paragraph and the kind it announces; None where the paragraph is copy.

    What is a note is `noise.editors_note`'s to say; added here are kills, embargo lines, "please read", and (only where
    `first`) brackets that open the copy: "(Adds comment) LONDON - …".
    """
    if len(text) > LONGEST_NOTE:
        return None
    for kind, pattern in _ENDINGS:
        if pattern.match(text):
            return text, kind
    if _EMBARGO.match(text):
        return text, None
    if _asks_to_read(text):
        return text, "correction"
    if is_only_note(text):
        return text, _note_kind(text)
    bracketed = _BRACKETED.match(text)
    announced = _leading_kind(_IN_STORY.sub("", bracketed[1])) if bracketed else None
    if bracketed and announced:
        whole = bracketed.end() == len(text.rstrip(" ."))
        return (text if whole else bracketed[0], announced) if whole or first else None
    glued = editors_note(text)
    return (glued, _note_kind(glued)) if glued else None


def _asks_to_read(text: str) -> bool:
    lowered = text.lower()
    return any(word in lowered for word in _READ) and bool(_PLEASE_READ.search(text))


def _note_kind(text: str) -> UpdateKind | None:
    """What a note that is known to be one announces, anywhere in it."""
    if _asks_to_read(text):
        return "correction"
    return next((kind for kind, pattern in _VERBS if pattern.search(text)), None) or _leading_kind(text)


def _leading_kind(text: str) -> UpdateKind | None:
    return next((kind for kind, pattern in _LEADING if pattern.match(text)), None)
