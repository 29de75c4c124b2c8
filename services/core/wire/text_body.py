"""Plain text to paragraphs: blank lines, indents, hard-wrapped lines, subheads, tables."""

from __future__ import annotations

import re
from collections.abc import Iterator

from services.core.article import Paragraph

# --- thresholds ------------------------------------------------------------------------------------------------------

WRAP_AT = 100
"""Characters. A block whose longest line is longer was not hard-wrapped: each line is a paragraph. Wires wrap at 64–80."""
MEANT_BREAK = 0.75
"""A line that leaves more than a quarter of the block's width free although the next word would fit ends on purpose."""
SUBHEAD = 60
"""Characters. The longest subhead in the seeds and the gold has 44, the shortest paragraph without a stop 71."""

_NEWLINES = re.compile(r"\r\n?|[\f\v\x85\u2028\u2029]")
_SUBHEAD_RULE = re.compile(r"^[-–—]{1,2}\s+(\S.{0,80}\S)\s+[-–—]{1,2}$")
_STOP = re.compile(r"[.!?…:;,。！？؟।]['\"’”»)\]]*$")
_NO_SUBHEAD = re.compile(r"^(?:By|Von|Par|Por|Di|Door|Av|Eds?|[-–—*•#+=(\[_])(?:\s|$|\W)")
_CELL_GAP = re.compile(r"(?<=\S)(?:\t+| {3,})(?=\S)")
_RULE_LINE = re.compile(r"^[\s_=*~\-–—]{3,}$")
_BLANKS = re.compile(r"[ \t]+")
_OPENS = ("\u3000", "==")
"""The blank that opens a paragraph in Japanese, and what opens a wire's sign-off ("==Kyodo")."""
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef\u3000-\u303f]")

# --- reading it ------------------------------------------------------------------------------------------------------


def text_paragraphs(text: str) -> tuple[Paragraph, ...]:
    """The paragraphs of a text, lines joined, in order; a glued credit stays glued, a rule line is none."""
    blocks = list(_blocks(_NEWLINES.sub("\n", text).split("\n")))
    paragraphs = [p for block in blocks for p in _split_block(block)]
    return tuple(Paragraph(p.text, "heading") if _is_subhead(paragraphs, i) else p for i, p in enumerate(paragraphs))


def _blocks(lines: list[str]) -> Iterator[list[str]]:
    """Runs of lines between blank lines; a line that is only a rule parts like a blank one."""
    block: list[str] = []
    for line in (*lines, ""):
        if line.strip() and not _RULE_LINE.match(line):
            block.append(line.rstrip())
        elif block:
            yield block
            block = []


def _split_block(lines: list[str]) -> Iterator[Paragraph]:
    if len(lines) > 1 and sum(bool(_CELL_GAP.search(line.strip())) for line in lines) * 2 > len(lines):
        yield from (Paragraph(" | ".join(_CELL_GAP.split(line.strip())), "table") for line in lines)
        return
    indents = [len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip()) for line in lines]
    outer = min(indents)
    stripped = [_BLANKS.sub(" ", line).strip() for line in lines]
    width = max(map(len, stripped))
    gathered = [stripped[0]]
    for i in range(1, len(lines)):
        if (
            indents[i] - outer >= 2
            or lines[i].startswith(_OPENS)
            or width > WRAP_AT
            or _break_meant(stripped[i - 1], stripped[i], width)
        ):
            yield Paragraph("".join(gathered))
            gathered = [stripped[i]]
        else:
            gathered += (_between(gathered[-1], stripped[i]), stripped[i])
    yield Paragraph("".join(gathered))


def _break_meant(line: str, following: str, width: int) -> bool:
    if _UNSPACED.match(following) or following[0].islower():  # no blanks to wrap at; or in the middle of a sentence
        return False
    return len(line) + 1 + len(following.split(" ", 1)[0]) <= MEANT_BREAK * width


def _between(before: str, after: str) -> str:
    """What joins two lines of one paragraph: no blank between scripts that use none, nor after a hyphen inside a word."""
    unspaced = _UNSPACED.match(before[-1]) and _UNSPACED.match(after[0])
    hyphen = before.endswith("-") and before[-2:-1].isalpha() and after[0].isalpha()
    return "" if unspaced or hyphen else " "


def _is_subhead(paragraphs: list[Paragraph], i: int) -> bool:
    """A line "- Title -", or a short line without a stop between two paragraphs that are none of either."""
    text = paragraphs[i].text
    if paragraphs[i].kind != "paragraph" or not 0 < i < len(paragraphs) - 1:
        return False
    if _SUBHEAD_RULE.match(text):
        return True
    short = len(text) <= SUBHEAD and not _STOP.search(text) and not _NO_SUBHEAD.match(text)
    return short and any(map(str.isalpha, text)) and all(
        len(neighbour.text) > SUBHEAD or _STOP.search(neighbour.text)
        for neighbour in (paragraphs[i - 1], paragraphs[i + 1])
    )  # fmt: skip
