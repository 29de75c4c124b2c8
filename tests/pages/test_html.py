"""The redline page: self-contained, safe from the text it shows, and readable in either light."""

from __future__ import annotations

import base64
import hashlib
import re
from importlib.resources import files

import lxml.html
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.core.meaning.compare import compare
from services.pages.html import redline_page
from tests.builders import BUDGET, FERRY, UPDATED_FERRY, make

CSS = files("services.pages").joinpath("templates", "redline.css").read_text(encoding="utf-8")
EVIL = "</style></p></title><script>alert(1)</script><img src=http://x.example/a onerror=alert(1)><p style='display:none' class=x id=y>"


def page(old, new, **asked):
    return redline_page(old, new, compare(old, new, **asked))


def tree(text):
    return lxml.html.document_fromstring(text)


def skeleton(text):
    """Tags with their attributes, in order; of text nothing."""
    return [(e.tag, sorted(e.attrib.items())) for e in tree(text).iter() if isinstance(e.tag, str) and e.tag != "style"]


def test_the_page_asks_nobody_for_anything_and_runs_nothing():
    root = tree(page(make("a"), make("b", UPDATED_FERRY)))
    assert not root.xpath("//script|//link|//img|//iframe|//object|//*[@src]|//*[@style]|//form|//base")
    assert all(href.startswith("#") for href in root.xpath("//@href"))
    assert not re.search(r"url\(|@import|@font-face", CSS)


def test_the_policy_allows_the_one_style_sheet_and_nothing_else():
    root = tree(page(make("a"), make("b", UPDATED_FERRY)))
    (policy,) = root.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    (style,) = root.xpath("//style/text()")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert policy.split("; ")[:2] == ["default-src 'none'", f"style-src 'sha256-{digest}'"]


@pytest.mark.parametrize(
    "field",
    [
        "headline",
        "ed_note",
        "byline",
        "dateline",
        "outlet",
        "usage_terms",
        "language",
        "version",
        "version_created",
        "slugline",
    ],
)
def test_hostile_text_stays_text_in_every_field(field):
    old, tame, wild = make("a"), make("b", UPDATED_FERRY, **{field: "X"}), make("b", UPDATED_FERRY, **{field: EVIL})
    assert skeleton(page(old, wild)).count(("script", [])) == 0
    texts = page(old, wild)
    assert "<img" not in texts
    assert len(skeleton(texts)) - len(skeleton(page(old, tame))) in range(
        -8, 9
    )  # the reasons may differ, the frame does not


def test_hostile_copy_stays_text():
    text = page(make("a", FERRY), make("b", [*FERRY, EVIL]))
    root = tree(text)
    assert not root.xpath("//script|//img|//*[@onerror]|//*[@id='y']|//p[@style]")
    assert EVIL in "".join(root.xpath("//ins//text()"))


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_text_makes_a_page_that_shows_it(before, after):
    old, new = make("a", [before or "x", *FERRY]), make("b", [after or "y", *FERRY], headline=after)
    root = tree(page(old, new).encode("utf-8", "replace").decode().replace("\0", "\ufffd"))
    assert len(root.xpath("//article")) == 1
    assert not root.xpath("//script|//img")


def test_right_to_left_and_han_go_their_own_way():
    old, new = (
        make("a", ["قتل ثلاثة أشخاص في المرفأ."], language="ar"),
        make("b", ["قتل خمسة أشخاص في المرفأ."], language="ar"),
    )
    root = tree(page(old, new))
    assert root.xpath("/html/@lang") == ["ar"]
    assert root.xpath("//section/@dir") == ["auto"]
    assert root.xpath("//section/p[@class='place']/@dir") == ["ltr"]  # our own words do not decide for the copy
    assert (root.xpath("//section//del/text()"), root.xpath("//section//ins/text()")) == (["ثلاثة"], ["خمسة"])


def test_an_override_cannot_turn_the_windows_title_round():
    root = tree(page(make("a"), make("b", headline="Ferry \u202egnol\u2066")))
    assert not set("\u202e\u2066") & set(root.xpath("//title/text()")[0])


def test_noise_is_hidden_but_counted():
    old = make("a", ['Mayor Ida Holt called the plan "a gift" to shipowners and left the room on Monday.', *FERRY])
    new = make("b", ["Mayor Ida Holt called the plan “a gift” to shipowners and left the room on Tuesday.", *FERRY])
    root = tree(page(old, new))
    assert root.xpath("//section//del[@class='noise']/text()") == ['"', '"']
    assert re.search(r"\.noise \{ display: none; \}", CSS)
    assert "Ignored as noise: 2 quotes" in root.text_content()
    assert root.xpath("//input[@type='checkbox']/@id") == root.xpath("//label/@for")
    assert root.xpath("//details/summary//b/text()") == [f"¶2–¶{len(FERRY) + 1}"]


def test_figures_reasons_and_notes_are_listed_and_lead_to_their_paragraph():
    root = tree(page(make("a"), make("b", UPDATED_FERRY, ed_note="Corrects toll in para 1", update_kind="correction")))
    assert [cell.text_content() for cell in root.xpath("//aside//tbody/tr[1]/td")][:2] == ["12", "15"]
    places = {href[1:] for href in root.xpath("//aside//a/@href")}
    assert places
    assert places <= set(root.xpath("//section/@id"))
    assert "Correction: Corrects toll in para 1" in " ".join(root.text_content().split())


def test_look_alikes_give_no_diff():
    root = tree(
        page(make("a", headline="Ferry burns"), make("b", BUDGET, headline="Budget voted"), check_same_story=True)
    )
    assert "two different stories" in root.text_content()
    assert not root.xpath("//article|//ins|//del")
    assert {"Ferry burns", "Budget voted"} <= {dd.text_content() for dd in root.xpath("//dd")}


def _themes():
    """The colours by name: light, and dark as it overrides them."""
    found = [
        dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{3,6})", block))
        for block in re.findall(r":root \{(.*?)\}", CSS, re.DOTALL)
    ]
    light, dark, paper = found
    return {"light": light, "dark": light | dark, "print": light | paper}


def luminance(colour):
    digits = colour[1:] if len(colour) == 7 else "".join(2 * c for c in colour[1:])
    parts = [int(digits[n : n + 2], 16) / 255 for n in (0, 2, 4)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("theme", ["light", "dark", "print"])
@pytest.mark.parametrize(
    ("ink", "paper"),
    [
        ("ink", "paper"), ("soft", "paper"), ("link", "paper"), ("gone", "gone-paper"), ("come", "come-paper"), ("news", "paper"),
        ("news", "news-paper"), ("ink", "news-paper"), ("alert-ink", "alert"), ("soft", "come-paper"),
    ],
)  # fmt: skip
def test_words_stand_out_from_their_paper(theme, ink, paper):
    colours = _themes()[theme]
    dark, bright = sorted((luminance(colours[ink]), luminance(colours[paper])))
    assert (bright + 0.05) / (dark + 0.05) >= 4.5  # WCAG 2.2, 1.4.3 AA
