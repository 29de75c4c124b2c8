"""Ways to spoil a file: its bytes, its lines, the tokens of its markup or JSON. All chance is the caller's: a seed tells all."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

MOST = 600_000
"""Bytes that a spoilt file may grow to: five thousand small articles in one take a second."""
_TOKEN = re.compile(rb"<[^<>]{0,400}>|\"(?:[^\"\\\n]|\\.){0,400}\"|[\[\]{},:]|\r?\n|[^<\"\[\]{},:\r\n]+|.", re.DOTALL)
_DIGITS = re.compile(rb"\d+")
_VALUE = re.compile(rb":\s*(?:\"(?:[^\"\\\n]|\\.){0,200}\"|-?\d+|true|false|null)")
_MOST_TOKENS = 20_000

WORDS = (
    b"", b"\x00", b"\x01", b"\x02", b"\x03", b"\x04", b"\x0b", b"\x0c", b"\x16\x16\x01", b"\x1b", b"\x1f", b"\x7f", b"\x85",
    b"\xa0", b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\xc3\x83\xc2\xa9", b"\xf4\x90\x80\x80", b"\xe2\x80\xa8",
    b"<", b">", b"&", b"]]>", b"<![CDATA[", b"<!--", b"-->", b"<?xml version='1.0' encoding='utf-16'?>", b"<?x?>",
    b"<!DOCTYPE x [<!ENTITY a 'b'>]>", b"&a;", b"&nbsp;", b"&#0;", b"&#x110000;", b"&#xD800;", b"&amp;amp;lt;p&amp;gt;",
    b"<p>", b"</p>", b"<br/><br/>", b"<table><tr><td>", b"</table>", b"<pre>", b"<body.content>", b"<nitf>", b"<script>",
    b"<item>", b"</item>", b"<entry>", b"<NewsItem>", b"<newsItem>", b" xmlns='x'", b" xml:lang='x'", b" xml:base='http://['",
    b"{", b"}", b"[", b"]", b"[]", b"{}", b"null", b"true", b"-0", b"1e999", b"NaN", b"\\ud800", b"\\u0000", b'"', b"\\", b",",
    b"ZCZC\r\n", b"NNNN\r\n", b"^", b"$", b"#", b":", b"%", b"@", b"~", b"*/X", b"AN#", b"TX#", b"\r", b"\n", b"\r\n\r\n", b"\t",
    b"--\r\n", b"\n-- \n", b'Content-Type: multipart/mixed; boundary="a"\r\n\r\n--a\r\n', b"Content-Type: text/plain; charset=x\r\n",
    b"=?utf-8?b?", b"=?x?q?=?=", b"Subject: x\r\n", b"Headline: ", b"---\n", b"embargoed: ", b"2026-02-30T25:61:00Z", b"9" * 30,
    b"99999-12-31T23:59:59+23:59", b"0000-00-00", b"Mon, 32 Foo 2026 25:00 XYZ", b"110912 GMT Mar 26", b"1st Ld-Writethru", b"UPDATE 9",
    b"CORRECTED-", b"http://[", b"http://a:b@c:99999/", b"urn:newsml:", b"\xd9\x85\xd8\xa8\xd8\xa7", b"\xe6\x97\xa5\xe6\x9c\xac",
)  # fmt: skip
"""What parsers trip over."""

Way = Callable[[bytes, Sequence[bytes], Random], bytes]


def spoilt(data: bytes, others: Sequence[bytes], chance: Random) -> bytes:
    """`data` with one to six things done to it; `others` lend their parts. At most `MOST` bytes."""
    for _ in range(chance.choice((1, 1, 1, 2, 3, 6))):
        data = chance.choice(WAYS)(data, others, chance)[:MOST]
    return data


# -- bytes -------------------------------------------------------------------------------------------------------------


def _span(data: bytes, chance: Random, longest: int) -> tuple[int, int]:
    at = chance.randint(0, len(data))
    return at, min(len(data), at + chance.randint(0, longest))


def _replace(data: bytes, _: Sequence[bytes], chance: Random) -> bytes:
    at, end = _span(data, chance, chance.choice((1, 4, 40, 4000)))
    return data[:at] + chance.choice(WORDS) + data[end:]


def _flip(data: bytes, _: Sequence[bytes], chance: Random) -> bytes:
    spoiling = bytearray(data)
    for _ in range(chance.choice((1, 2, 16)) if data else 0):
        spoiling[chance.randrange(len(data))] = chance.randrange(256)
    return bytes(spoiling)


def _copy_on(data: bytes, _: Sequence[bytes], chance: Random) -> bytes:
    """A part again, some times or very often."""
    at, end = _span(data, chance, chance.choice((3, 30, 3000)))
    times = chance.choice((2, 3, 50, 5_000, 100_000))
    return data[:at] + data[at:end] * min(times, MOST // max(1, end - at)) + data[end:]


def _cut(data: bytes, _: Sequence[bytes], chance: Random) -> bytes:
    at = chance.randint(0, len(data))
    return data[:at] if chance.random() < 0.7 else data[at:]


def _splice(data: bytes, others: Sequence[bytes], chance: Random) -> bytes:
    """A part of another file in the middle of this one."""
    other = chance.choice(others)
    at, end = _span(other, chance, chance.choice((20, 500, 20_000)))
    here, there = _span(data, chance, chance.choice((0, 20, 500)))
    return data[:here] + other[at:end] + data[there:]


def _recode(data: bytes, _: Sequence[bytes], chance: Random) -> bytes:
    """In another charset than it says."""
    text = data.decode("utf-8", "replace")
    return text.encode(
        chance.choice(("utf-16", "utf-16-le", "cp1252", "latin-1", "utf-7", "utf-32", "cp037")), "replace"
    )


def _twice(data: bytes, others: Sequence[bytes], chance: Random) -> bytes:
    return data + chance.choice((b"", b"\n", b"\r\n\x04", b",")) + chance.choice((data, chance.choice(others)))


# -- tokens ------------------------------------------------------------------------------------------------------------


def _tokens(data: bytes) -> list[bytes]:
    found = [token[0] for _, token in zip(range(_MOST_TOKENS), _TOKEN.finditer(data), strict=False)]
    return [*found, data[sum(map(len, found)) :]]


def _move_tokens(data: bytes, others: Sequence[bytes], chance: Random) -> bytes:
    """Tokens lost, doubled, exchanged, or taken from another file."""
    tokens = _tokens(data)
    for _ in range(chance.choice((1, 3, 20))):
        at = chance.randrange(len(tokens))
        what = chance.randrange(4)
        if what == 0:
            tokens[at] = b""
        elif what == 1:
            tokens[at] *= 2
        elif what == 2:
            other = chance.randrange(len(tokens))
            tokens[at], tokens[other] = tokens[other], tokens[at]
        else:
            tokens[at] = chance.choice(_tokens(chance.choice(others)[:20_000]))
    return b"".join(tokens)


def _nest(data: bytes, _: Sequence[bytes], chance: Random) -> bytes:
    """An element, list or object around a part, over and over."""
    opening, closing = chance.choice(
        ((b"<p>", b"</p>"), (b"<div>", b"</div>"), (b"<blockquote>", b"</blockquote>"), (b"[", b"]"), (b'{"a":', b"}"),
         (b"<NewsComponent>", b"</NewsComponent>"), (b"<table><tr><td>", b"</td></tr></table>"), (b"&lt;p&gt;", b"&lt;/p&gt;"))
    )  # fmt: skip
    times = chance.choice((2, 20, 70, 300, 5_000))
    at, end = _span(data, chance, 2_000)
    return data[:at] + opening * times + data[at:end] + closing * times + data[end:]


def _number(data: bytes, _: Sequence[bytes], chance: Random) -> bytes:
    """A number grows, goes below nought or becomes a word."""
    found = list(zip(range(2_000), _DIGITS.finditer(data), strict=False))
    if not found:
        return data
    _, number = chance.choice(found)
    other = chance.choice(
        (b"", b"0", b"-1", b"1e999", b"9" * 19, b"9" * 5_000, "٣".encode(), "²".encode(), b"0x1F", b"1.5", b"NaN")
    )
    return data[: number.start()] + other + data[number.end() :]


def _value(data: bytes, _: Sequence[bytes], chance: Random) -> bytes:
    """A JSON value of another type."""
    found = list(zip(range(2_000), _VALUE.finditer(data), strict=False))
    if not found:
        return data
    _, value = chance.choice(found)
    other = chance.choice(
        (b"null", b"true", b"0", b"-1", b"1.5", b"1e308", b'""', b'" "', b"[]", b"{}", b"[null]", b'[{"a":1}]', b'{"value":1}', b'["a","b"]',
         b'"\\ud83d"', b'"\\u0000"', b'{"name":null,"qcode":[]}', b'"<p>a</p>"', b"99999999999999999999999")
    )  # fmt: skip
    return data[: value.start()] + b":" + other + data[value.end() :]


def _lines(data: bytes, others: Sequence[bytes], chance: Random) -> bytes:
    """Lines in another order, lost, doubled, glued, broken in two."""
    lines = data.split(b"\n")
    for _ in range(chance.choice((1, 2, 8))):
        at = chance.randrange(len(lines))
        what = chance.randrange(5)
        if what == 0:
            lines.insert(at, chance.choice(lines))
        elif what == 1:
            lines[at] = chance.choice(chance.choice(others).split(b"\n", 500))
        elif what == 2:
            lines[at] = lines[at].replace(b" ", b"\n")
        elif what == 3:
            lines[at] = lines[at][:4_000].replace(b" ", b"") * chance.choice((1, 200))
        elif len(lines) > 1:
            del lines[at]
    return chance.choice((b"\n", b"\n", b"\r", b"\r\n", b"\x85", b"")).join(lines)


WAYS: tuple[Way, ...] = (
    _replace, _replace, _flip, _copy_on, _cut, _splice, _recode, _twice, _move_tokens, _move_tokens, _nest, _number, _value,
    _value, _lines, _lines,
)  # fmt: skip
