"""Text that was UTF-8, was read as cp1252 or Latin-1 on its way, and was sent as UTF-8 again: "MÃ¼ller" for "Müller"."""

from __future__ import annotations

import re

DOUBLED_NOTE = "UTF-8 encoded twice: repaired"
_TYPICAL = re.compile(r"[ÂÃÐÑØÙ][\x80-\xbf€‚-•–—˜™š›œžŸƒˆ‰Š‹ŒŽ¡-¿]|â[\x80€]")
_RUN = re.compile(r"[^\x00-\x7f]+")


def undoubled(text: str) -> str | None:
    """The text as it was before; None where any letter of it shows that it was encoded once."""
    if _TYPICAL.search(text) is None:
        return None
    try:
        return _RUN.sub(lambda run: _bytes(run[0]).decode("utf-8"), text)
    except UnicodeError:
        return None


def _bytes(run: str) -> bytes:
    """The bytes that were read as these characters: cp1252 where it has them, else Latin-1."""
    return b"".join(char.encode("latin-1" if ord(char) < 0xA0 else "cp1252") for char in run)
