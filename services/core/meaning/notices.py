"""The agency's own words about its item: "Adds minister in para 4", "-- corrects toll", "please read in 2nd graf …".

They stand in the ed note, in note paragraphs, behind the last sentence or before the first; they are never copy.
"""

from __future__ import annotations

from collections.abc import Iterable

import regex

from services.core.article import Article
from services.core.change import Stated
from services.core.redline.noise import editors_note, is_only_note

LONGEST_NOTE = 600
"""Code points of a note that are read: longer ones are copy in the wrong field."""

_VERBS = {
    "add": "adds add adding ergänzt ergänzung ajoute añade agrega aggiunge acrescenta",
    "update": "updates update updating updated aktualisiert neu actualise actualiza actualización aggiorna atualiza uppdaterar",
    "correct": "corrects correct correcting corrected correction berichtigt berichtigung korrigiert korrektur korr corrige "
    "rectifie corregge corrigeert rättar rättelse richtigstellung rectificatif corrección rettifica correção correctie",
    "clarify": "clarifies clarify clarifying clarification präzisiert précise",
    "recast": "recasts releads rewrites rewrite recast",
    "remove": "removes deletes drops removing deleting trims streicht gestrichen",
    "fix": "fixes fix amends restores",
    "insert": "inserts insert subs sub",
    "refile": "refiles refile repeats repeating resending resends wiederholung",
}  # fmt: skip
_VERB_OF = {word: verb for verb, listed in _VERBS.items() for word in listed.split()}
_FIRST_VERB = regex.compile(r"\p{L}+")
_ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
    "tenth": 10, "ersten": 1, "zweiten": 2, "dritten": 3, "vierten": 4, "fünften": 5, "premier": 1, "deuxième": 2,
    "troisième": 3, "primer": 1, "segundo": 2, "tercer": 3, "lead": 1, "lede": 1,
}  # fmt: skip
_PLACE = (
    r"(?:paras?|paragraphs?|grafs?|absatz|absätze[n]?|abs|paragraphes?|párrafos?|paragrafi|paragrafo|alineas?|stycket?)"
)
_AFTER_PLACE = regex.compile(
    rf"\b{_PLACE}\.? ?(\d{{1,3}}(?:(?:st|nd|rd|th)?(?: ?(?:,|-|–|and|und|et|y|e|to|bis|&) ?)\d{{1,3}}){{0,8}})",
    regex.IGNORECASE,
)
_BEFORE_PLACE = regex.compile(
    rf"((?:\b(?:\d{{1,3}}(?:st|nd|rd|th|\.|e|er|º|°)?|{'|'.join(_ORDINALS)})(?:,? ?(?:and|und|et|y|e|,|-|&)? ?)){{1,6}}){_PLACE}\b",
    regex.IGNORECASE,
)
_NUMBERS = regex.compile(r"(\d{1,3})(?:\s?(?:-|–|to|bis)\s?(\d{1,3}))?")
_PLEASE_READ = regex.compile(
    r"\b(?:please read|pls read|should read|please (?:delete|note|disregard|insert|substitute)|bitte lesen|muss es heißen|"
    r"lire|prière de lire|léase|leggasi|leia-se)\b",
    regex.IGNORECASE,
)
_CORRECTED_HEADLINE = regex.compile(
    r"^\W*(?:CORRECT(?:ED|ION|S|IVE)|BERICHTIGUNG|BERICHTIGT|KORREKTUR|KORR|RICHTIGSTELLUNG|CORRIGÉ|RECTIFICATIF|"
    r"CORRECCIÓN|CORREGIDO|RETTIFICA|CORREÇÃO|CORRECTIE|RÄTTELSE)\b\)?\s*(?:\([^()]{0,60}\))?\s*[-:—–/.]+\s*",
    regex.IGNORECASE,
)
_ITEM_HEADLINED = regex.compile(r"\b(?:story|item|urgent|headlined|slugged|entitled)\b", regex.IGNORECASE)
_SHORT_NOTE = regex.compile(
    r"^\W*(?:NOTE\W{1,3})?(?:(?:Company|Bank|Agency|Firma|Agentur) )?(?:corrects|clarifies|korrigiert|berichtigt|corrige|rectifie|rättar)\b"
    r"(?!.*\b(?:said|sagte|dit|dijo)\b)[^\n]{0,90}$",
    regex.IGNORECASE,
)
_OPENING_LINE = regex.compile(
    r"^\s*[-–—(]{0,2}\s*(?P<line>(?:Adds|ADDS|Updates|UPDATES|Recasts|RECASTS|Corrects|CORRECTS|Inserts|Clarifies|Releads|Trims)"
    r"\b[^\n]{0,240})$"
)


def is_note(text: str) -> bool:
    """Whether a paragraph only speaks about the item: an editor's note, or a short line that says what it corrects."""
    return is_only_note(text) or _SHORT_NOTE.match(text) is not None


def is_instruction(text: str) -> bool:
    """Whether a paragraph tells desks what to do with another item ("please read second paragraph as follows")."""
    return _PLEASE_READ.search(text) is not None or _CORRECTED_HEADLINE.match(text) is not None


def notes(article: Article) -> tuple[str, ...]:
    """Every line of this item that speaks about the item: ed note, note paragraphs, notes glued to the copy."""
    out: list[str] = []
    if article.ed_note:
        out.extend(line.strip() for line in article.ed_note.splitlines() if line.strip())
    for i, paragraph in enumerate(article.body):
        text = paragraph.text
        if paragraph.kind == "note":
            out.append(editors_note(text) or text.strip())
        elif note := editors_note(text):
            out.append(note)
        elif _SHORT_NOTE.match(text):
            out.append(text.strip())
        elif i == 0 and (line := _OPENING_LINE.match(text)) and paragraphs_named(line["line"]):
            out.append(line["line"].strip())
    return tuple(dict.fromkeys(note[:LONGEST_NOTE] for note in out))


def stated(article: Article) -> tuple[Stated, ...]:
    """The notes that say what was changed, with their verb (add, update, correct, …) and the paragraphs named (from 1)."""
    out = []
    for note in notes(article):
        verb, places = verb_of(note), paragraphs_named(note)
        if verb or places:
            out.append(Stated(text=note, verb=verb, paragraphs=places))
    if not out:
        restating = next((p.text for p in article.body if _PLEASE_READ.search(p.text)), None)
        if restating is not None:
            out.append(Stated(text=restating[:LONGEST_NOTE], verb="correct", paragraphs=paragraphs_named(restating)))
    return tuple(out)


def verb_of(note: str) -> str | None:
    """The first word of a note that names an act of editing, in one form; None where none does."""
    return next((v for w in _FIRST_VERB.findall(note.lower()[:LONGEST_NOTE]) if (v := _VERB_OF.get(w))), None)


def paragraphs_named(note: str) -> tuple[int, ...]:
    """Paragraphs that a note names, from 1, in order: "in paras 4-6", "2nd graf", "im 2. Absatz"."""
    found: list[int] = []
    for match in _AFTER_PLACE.finditer(note[:LONGEST_NOTE]):
        for low, high in _NUMBERS.findall(match[1]):
            found.extend(range(int(low), min(int(high), int(low) + 30) + 1) if high else [int(low)])
    for match in _BEFORE_PLACE.finditer(note[:LONGEST_NOTE]):
        found.extend(int(low) for low, _ in _NUMBERS.findall(match[1]))
        found.extend(_ORDINALS[w] for w in _FIRST_VERB.findall(match[1].lower()) if w in _ORDINALS)
    return tuple(sorted(dict.fromkeys(found)))


def plain_headline(headline: str) -> str:
    """A headline without the label that calls it a correction: what two versions' headlines are compared by."""
    return _CORRECTED_HEADLINE.sub("", headline)


def is_please_read(article: Article) -> bool:
    """Whether the item only restates words of another ("please read … instead of …"): a notice, never a whole text."""
    texts: Iterable[str] = (p.text for p in article.body[:2])
    return any(_PLEASE_READ.search(t) and _ITEM_HEADLINED.search(t) for t in texts)


def is_correction(article: Article) -> bool:
    """Whether the item calls itself a correction: by its update kind, its headline or a note."""
    if article.update_kind in ("correction", "corrective"):
        return True
    if article.headline and _CORRECTED_HEADLINE.match(article.headline):
        return True
    return any(verb_of(note) == "correct" for note in notes(article)) or is_please_read(article)
