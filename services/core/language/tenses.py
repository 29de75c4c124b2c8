"""The past before the past: "had begun", "hatte begonnen". What a story tells so lay before it."""

from __future__ import annotations

from typing import Final

import regex

_EN_PARTICIPLE = r"(?:\w{2,}(?:ed|en|wn|ght|pt|eld|old|ung|unk|ost|uck)|been|begun|done|gone|made|put|cut|set|met|paid|said|won|come|become|run|led|fled|sent|spent|left|lost|stood)"
_PLUPERFECT: Final = {
    "en": regex.compile(
        rf"\bhad (?:(?:also|already|previously|earlier|not|never|long|since|first|only|once|just|been) ){{0,2}}{_EN_PARTICIPLE}\b"
    ),
    "de": regex.compile(
        r"\b(?:hatten?|waren?) [^.!?]{0,160}?\b(?:\p{Ll}*ge\p{Ll}{2,}(?:t|en)|\p{Ll}{3,}iert|(?:be|ver|er|ent|zer)\p{Ll}{3,}(?:t|en)|worden)(?=[.,;!?]|$)"
    ),
    "fr": regex.compile(r"\b(?:avai(?:t|ent)|étai(?:t|ent)) (?:\p{Ll}{2,10} ){0,2}\p{Ll}{2,}(?:é|ée|és|ées|i|is|it|u|ue|us|ert)\b"),
    "es": regex.compile(r"\bhabían? \p{Ll}{1,}(?:ado|ido|to|cho|sto)\b"),
    "it": regex.compile(r"\b(?:aveva|avevano|era|erano) (?:\p{Ll}{2,10} ){0,1}\p{Ll}{2,}(?:at[oaie]|ut[oaie]|it[oaie])\b"),
    "pt": regex.compile(r"\b(?:havia|haviam|tinha|tinham) \p{Ll}{1,}(?:ado|ido|to)\b"),
    "nl": regex.compile(r"\bhad(?:den)? [^.!?]{0,100}?\bge\p{Ll}{2,}(?:d|t|en)\b"),
    "sv": regex.compile(r"\bhade (?:\p{Ll}{2,10} ){0,1}\p{Ll}{2,}(?:at|tt|it)\b"),
}  # fmt: skip


def pluperfect(text: str, language: str) -> int | None:
    """Where the text first says that something had been so, in code points; None where it does not, or the language is not known."""
    pattern = _PLUPERFECT.get(language)
    found = pattern.search(text) if pattern else None
    return found.start() if found else None
