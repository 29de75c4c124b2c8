"""Sluglines: the wire's own name for a story, stripped to what stays the same from take to take."""

from __future__ import annotations

import re

_CYCLE = re.compile(r"^(?:BC|AM|PM|BN)-+", re.IGNORECASE)
_ORDINAL = r"(?:\d{1,2}(?:st|nd|rd|th)|first|second|third|fourth|fifth)"
_MARKS = re.compile(
    rf"""\b(?:
        {_ORDINAL}[ ]?(?:ld|lead|nl|net|add|insert|sub|take|update|writethru)(?:[-\s]*(?:writethru|wt))?
      | (?:update|lead|ld|wrapup|refile|take|add|insert|sub)[ ]?\d{{1,2}}
      | urgent|writethru|wt|refile|resending|corrected|correction|corrective|repeat|pix|graphic|tv
    )\b""",
    re.IGNORECASE | re.VERBOSE,
)
_BRACKETS = re.compile(r"\([^()]{0,80}\)|<[^<>]{0,40}>")
_GAPS = re.compile(r"[\s,;:/*=\-–—]+")


def slug_family(slugline: str | None) -> str | None:
    """A slugline without cycle, lead and update marks, brackets and case: "BC-Port Fire, 2nd Ld-Writethru" → "port fire".

    None where nothing of weight is left.
    """
    if not slugline:
        return None
    text = _MARKS.sub(" ", _BRACKETS.sub(" ", _CYCLE.sub("", slugline.strip())))
    family = _GAPS.sub(" ", text).strip().casefold()
    return family if len(family) > 2 else None
