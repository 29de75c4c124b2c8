from __future__ import annotations

import pytest

from services.core.wire.html_body import html_paragraphs, plain_of
from services.core.wire.parsed import Intake


def read(markup: str) -> list[tuple[str, str]]:
    return [(p.text, p.kind) for p in html_paragraphs(markup, Intake(source="x"), "$")]


@pytest.mark.parametrize(
    "markup, expected",
    [
        ("<p>a</p><p>b</p>", ["a", "b"]),
        ("<p>a<p>b", ["a", "b"]),
        ("a<br>b", ["a b"]),
        ("a<br/> <br/>b<br><br><br>c", ["a", "b", "c"]),
        ("<div>a<p>b</p>c</div>", ["a", "b", "c"]),
        ("<ul><li>a</li><li>b</li></ul>", ["a", "b"]),
        ("<p>one <b>tw</b>o\n  three</p>", ["one two three"]),
        ("<p>a</p><script>x()</script><style>p{}</style><!-- y --><p>b</p>", ["a", "b"]),
        ("<figure><img alt=q><figcaption>caption</figcaption></figure>tail", ["tail"]),
        ("<blockquote class='twitter-tweet x'><p>tweet</p></blockquote><blockquote>said</blockquote>", ["said"]),
        ("<p style='display: none'>hidden</p><p>seen</p>", ["seen"]),
        ("<pre>a\n\nb</pre>", ["a", "b"]),
        ("<p>&nbsp;</p><p>1&nbsp;000 &lt;b&gt; &amp;amp; &eacute;</p>", ["1\xa0000 <b> &amp; é"]),
        ("<a href=u>link</a> text", ["link text"]),
        ("<p></p><p> </p>", []),
        ("", []),
        ("   ", []),
        ("<!-- nothing -->", []),
    ],
)
def test_paragraphs(markup, expected):
    assert [text for text, _ in read(markup)] == expected


def test_headings_and_rows_keep_their_kind_and_what_follows_is_copy_again():
    assert read(
        "<h2>Sub <i>head</i></h2>a<table><tr><th>x</th><td>1</td></tr><tr><td></td><td>2</td></tr></table>b"
    ) == [
        ("Sub head", "heading"),
        ("a", "paragraph"),
        ("x | 1", "table"),
        ("2", "table"),
        ("b", "paragraph"),
    ]


def test_no_entity_is_declared_and_nothing_is_fetched():
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY f SYSTEM "file:///etc/hostname">]><p>&a;&f;.</p>'
    text = " ".join(text for text, _ in read(bomb))
    assert "aaaa" not in text
    assert "&f;" in text


def test_curly_quotes_dashes_and_nbsp_stay_as_sent():
    assert read("<p>‘a’ “b” -- — \xa0c</p>") == [("‘a’ “b” -- — \xa0c", "paragraph")]


@pytest.mark.parametrize(
    "line, text", [("1.5 < 15", "1.5 < 15"), ("A &amp; B", "A & B"), ("<b>A</b>\n B", "A B"), ("R&D", "R&D")]
)
def test_a_line_is_read_as_text_and_keeps_what_is_no_markup(line, text):
    assert plain_of(line) == text
