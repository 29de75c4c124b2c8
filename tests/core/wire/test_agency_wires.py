"""Frames, agencies' JSON, feeds, pages and mail: what desks have seen go wrong."""

from __future__ import annotations

import orjson
import pytest

from services.core import wire
from services.core.wire.mojibake import DOUBLED_NOTE, undoubled
from tests.core.wire.helpers import SHARED, one, reasons

DPA = {
    "format": "digitalwires@1",
    "urn": "urn:x:1",
    "version": 2,
    "headline": "Fire",
    "article_html": "<p>It burns.</p>",
}


def anpa(fields: bytes, copy: bytes = b"\tIt burns.\r\n", take: bytes = b"") -> bytes:
    head = b"\x16\x16\x01W0412\x1fexamp\r\nr i\x13\x11 BC-Fire " + take + b"  03-11 0311\r\n\x02"
    return head + fields + copy + b"\x03AP-WF-03-11-26 0912GMT<\r\n\x0c\x04"


def iptc(block: bytes, copy: bytes = b"It burns here.\r\n", stamp: bytes = b"110912 GMT Mar 26") -> bytes:
    return (
        b"\x01eca101 3 i 20 abc   dpa 077\r\n\r\nFire/\r\n\x02"
        + block
        + b" =\r\n\r\n"
        + copy
        + b"\x03"
        + stamp
        + b"\r\n\x04"
    )


# --- what ends an item -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        orjson.dumps(DPA | {"pubstatus": "canceled", "headline": "CORRECTED-Fire", "article_html": None}),
        orjson.dumps({"api_version": "1", "data": {"item": {"altids": {"itemid": "1"}, "pubstatus": "canceled", "headline": "CORRECTED-Fire"}}}),
        anpa(b"^BC-Fire, KILL,10<\r\n^CORRECTED-Fire<\r\n"),
        iptc(b"KILL\r\nFire"),
    ],
    ids=["dpa", "ap", "anpa", "7901"],
)  # fmt: skip
def test_a_kill_that_reads_as_a_correction_is_a_kill(data):
    article = one(data)
    assert article.update_kind == "kill"
    assert article.is_ending


def test_a_story_about_a_kill_kills_nothing():
    assert one(anpa(b"^BC-Fire,10<\r\n^Bears kill forty sheep<\r\n")).update_kind is None
    assert one(iptc(b"Bears kill forty sheep")).update_kind is None


def test_an_embargo_of_a_usable_item_is_kept_with_the_offset_that_was_sent():
    article = one(DPA | {"pubstatus": "usable", "embargoed": "2026-03-11T09:00:00+01:00"})
    assert (article.pub_status, article.embargoed) == ("usable", "2026-03-11T09:00:00+01:00")


# --- leads and takes -------------------------------------------------------------------------------------------------


def test_a_lead_that_stands_only_in_the_head_of_a_transmission_is_a_lead():
    article = one(anpa(b"^BC-EU--Fire,140<\r\n^Fire spreads<\r\n", take=b"2ndLd-Writethru "))
    assert (article.slugline, article.update_kind, article.update_number) == (
        "BC-EU--Fire, 2nd Ld-Writethru",
        "writethru",
        2,
    )


def test_a_slug_that_begins_with_a_figure_keeps_it():
    assert one(anpa(b"^BC-10 Fires to Know,354<\r\n^10 fires<\r\n")).slugline == "BC-10 Fires to Know"


@pytest.mark.parametrize(
    "mark, kind, number",
    [("1ST LEAD", "lead", 1), ("3RD NET", "lead", 3), ("REFILE", "refile", None), ("(Achtung)", "advisory", None), ("EXTRA", None, None)],
)  # fmt: skip
def test_a_mark_above_a_headline_is_no_headline(mark, kind, number):
    article = one(iptc(f"{mark}\r\nFire spreads\r\nBy Ruth Okonjo".encode()))
    assert (article.headline, article.byline) == ("Fire spreads", "By Ruth Okonjo")
    assert (article.update_kind, article.update_number) == (kind, number)


def test_two_items_under_one_slug_have_identifiers_of_their_own():
    first, second = (one(iptc(b"Fire", stamp=stamp)).uri for stamp in (b"110912 GMT Mar 26", b"120912 GMT Mar 26"))
    assert first != second


# --- notes and contacts ----------------------------------------------------------------------------------------------


def test_what_is_not_for_publication_is_in_no_field():
    notebook = (
        b"# Notebook\r\n\r\n## Note to editors\r\n- adds quote\r\n\r\n* * * *\r\nThe following information is not intended for "
        b"publication\r\n\r\n## Contacts\r\n- Mill owner, +49 555 1234\r\n- Reporting by: Ruth Okonjo, <r@example.org>\r\n"
    )
    article = one(iptc(b"Fire", b"It burns.\r\n\r\n" + notebook))
    assert [p.text for p in article.body] == ["It burns."]
    assert article.ed_note == "adds quote"
    secret = {"role": "dpaednoterole:dpacontacts", "ednote": "Ruth, +49 555 1234"}
    parsed = one(
        DPA | {"ednotes": [secret], "notepad": {"nonpublic_html": "555"}, "teaser": "555", "infobox_html": "555"}
    )
    assert b"555" not in orjson.dumps([parsed.ed_note, [p.text for p in parsed.body]])


def test_a_list_of_headlines_is_the_copy_where_every_line_is_a_field():
    article = one(anpa(b"^*9006< ^BC-Headlines,20<\r\n^Top news at noon<\r\n^Fire spreads\r\n^Lake rises\r\n", b""))
    assert (article.headline, [p.text for p in article.body]) == ("Top news at noon", ["Fire spreads", "Lake rises"])


# --- times -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "stamp, created",
    [
        (b"110912 GMT Okt 26", "2026-10-11T09:12:00+00:00"),
        (b"110912 Dez 26", "2026-12-11T09:12:00"),
        (b"110912 MEZ M\xe4r 2026", "2026-03-11T09:12:00+01:00"),
        (b"310912 GMT Feb 26", None),
        (b"119912 GMT Mar 26", None),
    ],
)
def test_a_stamp_is_read_as_it_is_and_never_given_a_zone(stamp, created):
    assert one(iptc(b"Fire", stamp=stamp)).version_created == created


def test_a_feed_in_portuguese_has_times():
    item = "<item><guid>a</guid><title>Fogo</title><pubDate>Sáb, 07 Fev 2026 09:00:00 -0300</pubDate></item>"
    assert one(f"<rss><channel>{item}</channel></rss>".encode("latin-1")).version_created == "2026-02-07T09:00:00-03:00"


# --- charsets --------------------------------------------------------------------------------------------------------


def test_utf8_that_was_encoded_twice_is_repaired_with_a_note():
    text = "Die Müllers aßen – „gern“ – im Café."
    for charset in ("cp1252", "latin-1"):
        twice = text.encode().decode(charset, "replace")
        if "\ufffd" not in twice:
            article = one(twice.encode())
            assert ([p.text for p in article.body], article.parse_notes) == ([text], (DOUBLED_NOTE,))
    sent = one({"type": "text", "uri": "u", "headline": "MÃ¼ller wins", "body_text": "In CafÃ©s."})
    assert (sent.headline, sent.body[0].text, sent.parse_notes) == ("Müller wins", "In Cafés.", (DOUBLED_NOTE,))


@pytest.mark.parametrize("text", ["Müller", "Ã", "Müller Ã¼ber", "naïve Â£5 and é", "日本", "Plain"])
def test_what_was_encoded_once_stays(text):
    assert undoubled(text) is None


def test_latin_1_that_a_mailer_claims_is_cp1252():
    mail = b"From: a\nSubject: x\nContent-Type: text/plain; charset=iso-8859-1\n\n\x93Fire\x94 \x96 it burns."
    assert one(mail).body[0].text == "“Fire” – it burns."


# --- pages and feeds -------------------------------------------------------------------------------------------------


def test_a_feed_that_lost_its_end_gives_the_entries_that_are_whole():
    whole = b"<item><guid>a</guid><title>Fire</title></item>"
    parsed = wire.parse(b"<rss><channel>" + whole + whole.replace(b">a<", b">b<") + b"<item><guid>c</gu", source="x")
    assert [a.uri for a in parsed.articles] == ["a", "b"]  # type: ignore[union-attr]
    assert len(parsed.rejected) == 1


def test_an_article_body_that_lost_its_paragraphs_gives_way_to_the_page():
    paragraphs = [
        f"Paragraph {n} says that the ferry burned for {n} hours before anybody on the shore saw it." for n in range(20)
    ]
    news = orjson.dumps({"@type": "NewsArticle", "headline": "Fire", "articleBody": " ".join(paragraphs)}).decode()
    shown = "".join(f"<p>{p}</p>" for p in paragraphs)
    page = f'<!DOCTYPE html><html><head><script type="application/ld+json">{news}</script></head><body><article>{shown}</article></body></html>'
    assert [p.text for p in one(page.encode()).body] == paragraphs


def test_a_page_of_links_is_no_article():
    page = b"<!DOCTYPE html><html><body>" + b"<a href=/x>A link</a> " * 5 + b"</body></html>"
    assert [reason for reason, _ in reasons(page)] in ([], ["no_content"])


def test_the_operator_names_the_provider_where_a_feed_has_only_a_host():
    feed = b"<rss><channel><item><guid>a</guid><title>Fire</title><link>https://www.example.org/a</link></item></channel></rss>"
    assert one(feed).provider == "example.org"
    assert one(feed, provider="Example Post").provider == "Example Post"


def test_the_real_frames_keep_their_word():
    """The sender's own count of words is an integrity check that costs nothing."""
    folder = SHARED / "data" / "wire"
    if not folder.is_dir():
        pytest.skip(f"the shared wire samples are absent: {folder}")
    for name, declared in (("dpa_two_by_line", 850), ("dpa_two_line", 93), ("dpa_copyright", 46)):
        article = one((folder / f"superdesk-core__{name}.txt").read_bytes())
        assert sum(len(p.text.split()) for p in article.body) == declared, name


def test_a_slug_that_lost_its_length_has_no_comma_left():
    wire_text = b"\x16\x16\x01W0042_wire\r\nr i\x13\x11 BC-Ferry 03-11 0020\r\n\x02^BC-EU--Ferry Fire, ,12<\r\n^Ferry burns<\r\n\tIt burns.\r\n\x03"
    assert one(wire_text).slugline == "BC-EU--Ferry Fire"


SIDECAR = b"""\
uri: "tol:1"
version: 3
provider: Tolmer
language: en
headline: Ferry burns off Tarmouth
slugline: ferry-fire
byline: Oda Renk
urgency: 2
embargoed: 2026-03-11T18:00:00+01:00
keywords: [ferry, fire]
usage_terms: Not for Vesk
ed_note: Adds captain
signals: ["sig:update"]
"""


@pytest.mark.parametrize(
    ("copy", "form"),
    [
        (b"ZCZC\r\nIt burns off Tarmouth.\r\nNNNN\r\n", "agency_text"),
        (b"\x16\x16\x01W0042_wire\r\nr i\x13\x11 BC-x 03-11 0020\r\n\x02\tIt burns off Tarmouth.\r\n\x03", "anpa"),
        (b"<html><body><article><p>It burns off Tarmouth.</p></article></body></html>", "html_page"),
        (b"<nitf><body><body.content><p>It burns off Tarmouth.</p></body.content></body></nitf>", "nitf"),
        (b"It burns off Tarmouth.", "plain"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_sidecar_beside_any_format_gives_all_its_fields(copy, form):
    assert wire.detect(copy) == form
    article = one(copy, source="take.txt", sidecar=SIDECAR)
    assert (article.uri, article.version, article.provider) == ("tol:1", "3", "Tolmer")
    assert article.headline == "Ferry burns off Tarmouth"
    assert (article.byline, article.urgency, article.language) == ("Oda Renk", "2", "en")
    assert article.embargoed == "2026-03-11T18:00:00+01:00"
    assert article.keywords == ("ferry", "fire")
    assert (article.usage_terms, article.ed_note, article.signals) == ("Not for Vesk", "Adds captain", ("sig:update",))
    assert [p.text for p in article.body] == ["It burns off Tarmouth."]


def test_a_sidecar_does_not_speak_over_the_item():
    article = one(b"ZCZC\n:ferry-blaze\nIt burns.\nNNNN\n", source="take.txt", sidecar=SIDECAR)
    assert article.slugline == "ferry-blaze"
    two = wire.parse(b"ZCZC\nIt burns.\nNNNN\nZCZC\nIt rains.\nNNNN\n", source="take.txt", sidecar=SIDECAR).articles
    assert [article.uri.partition("#")[0] for article in two] == ["tol:1", "tol:1"]
    assert len({article.uri for article in two}) == 2
    (kill,) = wire.parse(b"ZCZC\n\nNNNN\n", source="t", sidecar=b"uri: tol:1\npub_status: canceled").articles
    assert (kill.uri, kill.pub_status) == ("tol:1", "canceled")


def test_an_embargo_beside_the_file_that_cannot_be_read_is_noted():
    article = one(b"ZCZC\nIt burns.\nNNNN\n", source="t", sidecar=b"embargoed: tomorrow at six")
    assert article.embargoed is None
    assert any("embargoed" in note for note in article.parse_notes)
    assert reasons(b"ZCZC\nIt burns.\nNNNN\n", sidecar=b"keywords: {a: b}") == [("wrong_type", "sidecar.keywords")]


@pytest.mark.parametrize(
    ("marks", "kind", "number"),
    [
        ("1. Zusammenfassung 1200 -", "lead", 1),
        ("(2. Lead)", "lead", 2),
        ("3RD NET", "lead", 3),
        ("2ème Synthèse", "lead", 2),
        ("Berichtigung", "correction", None),
        ("(Korrektur)", "correction", None),
        ("Eilmeldung", "alert", None),
        ("Wiederholung", "repeat", None),
        ("(Achtung)", "advisory", None),
        ("(Achtung)\n1. Zusammenfassung", "lead", 1),
        ("Vermischtes", None, None),
    ],
)
def test_marks_above_a_headline_in_the_languages_of_the_wires(marks, kind, number):
    text = f"\x01bdt0123 3 vm 120 dpx 0456\n\nUnfall/\n\x02{marks}\nFähre brennt vor Tarmouth =\n\nEine Fähre brennt.\n\x03111207 Mrz 26\n"
    article = one(text.encode())
    assert (article.headline, article.update_kind, article.update_number) == ("Fähre brennt vor Tarmouth", kind, number)


def test_anpa_without_any_control_character_still_has_its_head_and_stamp():
    text = b"W0001\r\nr s BC-SOC--Results     03-11 0050\r\n^BC-SOC--Results,50<\r\n^Results<\r\n\tTarmouth 2, Vesk 1\r\nAX-WF-03-11-26 1212GMT\r\n"
    article = one(text)
    assert (article.uri, article.priority, article.provider) == ("W0001/2026-03-11", "r", "AX")
    assert (article.slugline, article.headline) == ("BC-SOC--Results", "Results")
    assert [p.text for p in article.body] == ["Tarmouth 2, Vesk 1"]


def test_a_stamp_before_etx_is_no_copy():
    text = b"\x16\x16\x01W0001_x\r\nr s\x13\x11 BC-x 03-11 0050\r\n\x02^BC-x,5<\r\n^Fire<\r\n\tIt burns.\r\n\t^AX-WF-03-11-26 1212GMT<\r\n\x03\x0c\x04"
    article = one(text)
    assert article.version_created == "2026-03-11T12:12:00+00:00"
    assert [p.text for p in article.body] == ["It burns."]


def test_a_july_of_the_french_wire_is_no_june():
    text = "\x01ats012 4 a 85 XTS 0031\nferry/\n\x02Un ferry en feu =\n\nUn ferry brûle.\n\x03111207 juil 26\n"
    assert one(text.encode()).version_created == "2026-07-11T12:07:00"
