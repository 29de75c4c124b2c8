from __future__ import annotations

import pytest

from services.core import wire
from services.core.wire.text_body import text_paragraphs
from tests.core.wire.helpers import SEEDS, one


def texts(text: str) -> list[str]:
    return [p.text for p in text_paragraphs(text)]


@pytest.mark.parametrize(
    "name, count, headings",
    [
        ("000_b03782d4c53154e8.txt", 31, [11, 20]),
        ("001_69a98c02fe3bdb5c.txt", 28, [10, 21]),
    ],
)
def test_the_seed_articles_have_their_paragraphs_and_subheads(name, count, headings):
    if not SEEDS.is_dir():
        pytest.skip(f"the shared seeds are absent: {SEEDS}")
    article = one((SEEDS / name).read_bytes(), source=name)
    assert len(article.body) == count
    assert [i for i, p in enumerate(article.body) if p.kind == "heading"] == headings
    assert (article.headline, article.version_created, article.update_kind) == (None, None, None)


def test_a_glued_credit_stays_in_the_text():
    assert texts("One thing happened.\n\nAnother did not. — NWA\n")[-1] == "Another did not. — NWA"


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r", "\u2028"])
def test_whitespace_only_differences_of_line_ends_are_no_difference(newline):
    text = "The first paragraph runs here.\n\nThe second one\nruns on.\n"
    assert texts(text.replace("\n", newline)) == texts(text)


def test_hard_wrapped_lines_are_one_paragraph():
    wrapped = (
        "The council of Harrow Bay voted on Wednesday to close the old swing\n"
        "bridge for good after a lorry tore out its northern gate, leaving a\n"
        "wide gap.\n"
    )
    assert texts(wrapped) == [" ".join(wrapped.split())]


def test_unwrapped_lines_without_blank_lines_are_paragraphs():
    line = "The council voted on Wednesday to close the old swing bridge for good after a lorry tore out its northern gate."
    assert texts(f"{line}\n{line}\nShort end.\n") == [line, line, "Short end."]


def test_indents_part_paragraphs():
    assert texts("    First line of one\nand its second.\n    First line of two\nand its second.") == [
        "First line of one and its second.",
        "First line of two and its second.",
    ]


def test_japanese_lines_join_without_a_blank():
    assert texts("港で火災が発生し、\n三人が救助された。") == ["港で火災が発生し、三人が救助された。"]


def test_a_compound_broken_at_its_hyphen_keeps_it_and_gets_no_blank():
    wrapped = "The group signed what it called a long-awaited and much-debated five-\nyear agreement with the port.\n"
    assert texts(wrapped)[0].endswith("five-year agreement with the port.")


@pytest.mark.parametrize("subhead", ["- Harbour closed -", "Harbour closed", "’Harbour closed’"])
def test_subheads_are_headings(subhead):
    body = text_paragraphs(f"The fire began at dawn.\n\n{subhead}\n\nCrews were there within minutes.")
    assert [p.kind for p in body] == ["paragraph", "heading", "paragraph"]


@pytest.mark.parametrize("line", ["It burned.", "By Oda Fenwick", "- a list item", "“It burned,” she said"])
def test_a_short_line_is_not_always_a_subhead(line):
    kinds = [p.kind for p in text_paragraphs(f"{line}\n\nThe fire began at dawn.\n\n{line}")]
    assert "heading" not in kinds


def test_results_in_columns_are_table_rows():
    rows = text_paragraphs("Results:\n\nNorth    3    1\nSouth    2    2\n\nMore follow.")
    assert [(p.text, p.kind) for p in rows[1:3]] == [("North | 3 | 1", "table"), ("South | 2 | 2", "table")]


def test_rule_lines_are_no_paragraphs():
    assert texts("One.\n\n___\n\nTwo.\n\n-----\n") == ["One.", "Two."]


def test_front_matter_names_what_text_cannot_say():
    article = one(
        b"---\nprovider: Nordwire\nuri: nw:1\nlanguage: no\nversion: 07\nversion_created: 2026-03-11T07:00:00+0100\n"
        b"embargoed: tomorrow\nkeywords: [port, fire]\n---\nIt burns.\n",
        provider="ignored",
    )
    assert (article.provider, article.uri, article.language) == ("Nordwire", "nw:1", "no")
    assert (article.version, article.version_created) == ("07", "2026-03-11T07:00:00+01:00")
    assert article.embargoed is None
    assert any("embargoed" in note for note in article.parse_notes)
    assert article.keywords == ("port", "fire")


def test_a_sidecar_speaks_where_the_front_matter_is_silent():
    article = one(
        b"---\nheadline: From the file\n---\nIt burns.",
        sidecar=b"headline: From the sidecar\nprovider: Nordwire\nversion_created: 2026-03-11 07:00\n",
    )
    assert (article.headline, article.provider) == ("From the file", "Nordwire")
    assert article.version_created == "2026-03-11T07:00:00", "no zone was sent, none is added"


@pytest.mark.parametrize("given, expected", [(None, "file"), ("Nordwire", "Nordwire")])
def test_provider_and_uri_without_metadata(given, expected):
    article = one(b"It burns.", source="day/0700_fire.txt", provider=given)
    assert (article.provider, article.uri, article.headline) == (expected, "day/0700_fire.txt", None)


def test_a_text_that_opens_with_a_rule_is_no_front_matter():
    assert [p.text for p in one(b"---\nHarbour closed today, pilots say.\n---\nMore soon.").body] == [
        "Harbour closed today, pilots say.",
        "More soon.",
    ]


@pytest.mark.parametrize(
    "top",
    [
        "---\nheadline: X\nembargoed: 2026-03-11T12:00:00Z\n\n",
        "---\nEmbargoed: 2026-03-11T12:00:00Z\n\n",
        "\n---\n# from the desk\nembargoed: 2026-03-11T12:00:00Z\n",
        "---\rembargoed: 2026-03-11T12:00:00Z\r\r",
        '---\n"embargoed" : 2026-03-11T12:00:00Z\n-----\n',
        "---\nkeywords:\n- port\nembargoed: 2026-03-11T12:00:00Z\n\n",
        "---\nembargoed: 2026-03-11T12:00:00Z\nx: " + "y" * 70_000 + "\n---\n",
    ],
)
def test_front_matter_that_is_not_closed_is_no_copy(top):
    parsed = wire.parse(f"{top}It burns.\n".encode(), source="x.txt")
    assert [(e.reason, e.position) for e in parsed.rejected] == [("broken_yaml", "front matter")]
    assert "not closed" in parsed.rejected[0].detail
    assert not parsed.articles


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_front_matter_is_found_whatever_its_line_ends_and_capitals(end):
    article = one(end.join(("", "---", "", "Embargoed: 2026-03-11T12:00:00Z", "---", "It burns.")).encode())
    assert (article.embargoed, [p.text for p in article.body]) == ("2026-03-11T12:00:00Z", ["It burns."])


@pytest.mark.parametrize(
    "text",
    [
        "---\nHarbour closed today, pilots say.\n\nMore soon.",
        "---\nlondon: it burns.\n\nMore soon.",
        "---\nLONDON: it burns.\n---\nMore soon.",
        "---\nLONDON (Nordwire): it burns.\n\nHeadline: the paper's own.",
        "---\n\nThe minister said: no.\n\nurl: none was given.",
        "--- headline: it burns ---\n\nMore soon.",
    ],
)
def test_a_text_that_only_begins_with_a_dash_line_is_copy(text):
    assert "burns" in str(one(text.encode()).body) or "burns" not in text


@pytest.mark.parametrize(
    "data, reason, position",
    [
        (b"---\nheadline: a: b\n---\nText.", "broken_yaml", "front matter line 1"),
        (b"---\nkeywords: &x [1]\nsignals: *x\n---\nText.", "broken_yaml", "front matter line 2"),
        (b'---\nheadline: "\\U7fffffff"\n---\nText.', "broken_yaml", "front matter"),
        (b'---\nheadline: "\\UFFFFFFFF"\n---\nText.', "broken_yaml", "front matter"),
        (b"---\nkeywords: " + b"[" * 400 + b"\n---\nText.", "too_deep", "front matter"),
        (b"---\nheadline: [a]\n---\nText.", "wrong_type", "$.headline"),
        (b"plain\x00text", "binary", "byte 5"),
        (b"\x81\x8d not text", "undecodable", "byte 0"),
        (b"\xe9t\xe9 \x07 bell", "undecodable", "byte 0"),
        (b"", "empty", None),
        (b" \r\n\t", "empty", None),
        (b"\xef\xbb\xbf", "empty", None),
    ],
)
def test_bad_files_are_rejected_with_a_reason_and_a_place(data, reason, position):
    parsed = wire.parse(data, source="x.txt")
    assert [(e.reason, e.position, e.source) for e in parsed.rejected] == [(reason, position, "x.txt")]
    assert parsed.rejected[0].detail
    assert not parsed.articles


def test_latin_text_is_read_with_a_note():
    article = one("Café – déjà vu.".encode("cp1252"))
    assert article.body[0].text == "Café – déjà vu."
    assert article.parse_notes == ("not UTF-8: read as cp1252",)


def test_stray_controls_in_utf8_are_dropped_with_a_note():
    article = one(b"Ende.\x1a")
    assert (article.body[0].text, article.parse_notes) == ("Ende.", ("control characters dropped",))


def test_a_kill_needs_no_text():
    article = one(b"", sidecar=b"uri: nw:1\nprovider: Nordwire\npub_status: canceled\n")
    assert (article.update_kind, article.body) == ("kill", ())


def test_a_japanese_paragraph_opens_with_a_blank_of_its_own():
    text = "　【タルマス】フェリーが炎上した。\n　１２人が負傷\nした。\n==Wire\n"
    assert [p.text for p in one(text.encode()).body] == [
        "【タルマス】フェリーが炎上した。",
        "１２人が負傷した。",
        "==Wire",
    ]


@pytest.mark.parametrize("again", [1, 2])
def test_a_heading_that_only_repeats_the_headline_is_no_copy(again):
    item = {
        "type": "text", "uri": "u", "headline": "Ferry burns",
        "body_html": "<div>" + "<h1>FERRY BURNS</h1>" * again + "<h2>Twelve hurt</h2><p>It burns.</p></div>",
    }  # fmt: skip
    assert [p.text for p in one(item).body] == ["Twelve hurt", "It burns."]
    item["body_html"] = "<h1>Ferry burns</h1>"
    assert [p.text for p in one(item).body] == ["Ferry burns"]
