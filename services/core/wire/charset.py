"""Bytes to text, by DESIGN's one rule: UTF-8, else cp1252 with a note, else rejected."""

from __future__ import annotations

import re

from services.core.wire.mojibake import DOUBLED_NOTE, undoubled
from services.core.wire.parsed import Intake

CP1252_NOTE = "not UTF-8: read as cp1252"
CONTROL_NOTE = "control characters dropped"
_FILLING = b"\x00\x7f"
_C1 = re.compile(r"[\x80-\x9f]")
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")


def decode(data: bytes, intake: Intake, *, framed: bool = False) -> tuple[str, tuple[str, ...]]:
    """The text without byte order mark, and notes on what had to be repaired.

    In a `framed` wire (IPTC 7901, ANPA) control characters are part of the format, and NUL and DEL around it are filling.
    Raises RejectedInput: `binary` where NUL bytes show that this is no text, `undecodable` where neither charset fits.
    """
    data = data.removeprefix(b"\xef\xbb\xbf")
    if framed:
        data = data.strip(_FILLING)
    nul = data.find(b"\0")
    if nul >= 0:
        raise intake.reject("binary", "a NUL byte: this is no text", f"byte {nul}")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        broken = error.start
    else:
        once = undoubled(text)
        return (text, ()) if once is None else (once, (DOUBLED_NOTE,))
    try:
        text = data.decode("cp1252")
    except UnicodeDecodeError as error:
        raise intake.reject("undecodable", "neither UTF-8 nor cp1252", f"byte {error.start}") from None
    if (_C1 if framed else _CONTROLS).search(text):
        detail = "not UTF-8, and read as cp1252 it holds control characters"
        raise intake.reject("undecodable", detail, f"byte {broken}")
    return text, (CP1252_NOTE,)


def without_controls(text: str) -> tuple[str, tuple[str, ...]]:
    """The text with control characters and lone surrogates as blanks, and a note where there were any.

    Line feeds, tabs, form feeds and NEL stay: they separate.
    """
    clean, dropped = _CONTROLS.subn(" ", text)
    return clean, (CONTROL_NOTE,) if dropped else ()
