"""Lines that lead a reader of a feed or a page somewhere else: no copy, whatever stands around them."""

from __future__ import annotations

import re

_MORE = re.compile(
    r"\W*(?:(?:continue|keep) reading|read (?:more|on|the full \w+)|full (?:story|article)|more|weiterlesen|mehr(?: lesen)?"
    r"|(?:lire|voir) (?:la suite|plus)|leer más|seguir leyendo|sigue leyendo|leggi (?:tutto|anche)|continua a leggere|leia mais"
    r"|lees (?:meer|verder)|läs mer|les mer|\[?(?:…|\.\.\.)\]?)\W*",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(
    r"(?:Related|Read also|Read more|See also|More on this|Lesen Sie auch|Mehr zum Thema|Lire aussi|Lea también|Leggi anche|Lees ook|Läs också)"
    r"\s*[:|–—].{0,300}|The post .{1,300} appeared first on .{1,120}",
    re.IGNORECASE,
)


def leads_on(text: str) -> bool:
    """Whether a paragraph is nothing but "Continue reading …", "Read more: …" or "The post … appeared first on …"."""
    return len(text) < 500 and (_MORE.fullmatch(text) or _ELSEWHERE.fullmatch(text)) is not None
