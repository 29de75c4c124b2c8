"""What stands around the copy is seen, ignored and counted, and never taken for news."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.core.change import Noise
from services.core.language.text import canonical
from services.core.redline.noise import (
    asks_to_read,
    bare_headline,
    canonical_headline,
    count_noise,
    editors_note,
    is_furniture,
    is_only_note,
    restated,
    strip_noise,
    take_apart,
)  # fmt: skip

COPY = "Two ferries collided off Norvik."


@pytest.mark.parametrize(
    "dateline",
    [
        "NORVIK — ",
        "NORVIK, March 16 (Reuter) - ",
        "(Reuters) - ",
        "Berlin, 3. März (dpa) - ",
        "PARIS, le 5 mars (AFP) - ",
        "SÃO PAULO, 5 de março (EFE) .- ",
        "NEW YORK/LONDON, Jan 5 (Reuters) - ",
        "L'AQUILA, Italy (AP) — ",
        "STOCKHOLM (TT) ",
        "القاهرة (رويترز) - ",
        "新华社北京3月5日电 ",
        "【ワシントン共同】",
        "Tolmer, March 11 (Talvik) - ",
        "CORRAN FLATS, Tamberlane, March 11 (Meridian Press) - ",
        "Hallum (kd) - ",
        "TOLMER, March 11 /Brookline/ — ",
        "TOLMER, March 11, 2026 /Brookline/ -- ",
    ],
)
def test_dateline_added_or_removed(dateline):
    assert strip_noise(dateline + COPY, first=True) == COPY


@pytest.mark.parametrize(
    "text", ["FRANCE - two dead after a flood.", "He said (on Monday) - and then left.", "GM NAMES NEW CHIEF - SOURCES"]
)
def test_a_list_or_an_aside_is_no_dateline(text):
    assert strip_noise(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "Norvik (population 900) - a port without a harbour - votes on Sunday.",
        "Larsen (Labour) won in Norvik.",
        "He (Larsen) - who else - won.",
        "Mayor Ann Lee (Greens) said no.",
    ],
)
def test_a_bracket_in_the_first_sentence_is_no_dateline(text):
    assert strip_noise(text, first=True) == text


@pytest.mark.parametrize(
    "credit", [" — AFP", " (Reuters)", " -- dpa", " (AFP/dpa)", " (Reporting by Ann Lee; Editing by Bo Ray)"]
)
def test_trailing_credit_glued_to_the_last_sentence(credit):
    assert strip_noise(COPY + credit) == COPY


@pytest.mark.parametrize(
    "credit",
    [
        " — Meridian Press",
        " (Meridian Press)",
        " (avec Agence Rivage)",
        " (with Meridian Press and AFP)",
        " (kd)",
        " (kd/js)",
        " (mit Nachrichtenagentur Talvik)",
    ],
)
def test_38_a_credit_of_an_agency_that_is_on_no_list(credit):
    assert strip_noise(COPY + credit) == COPY


def test_38_a_credit_in_brackets_of_full_width():
    assert strip_noise("漁船一隻が転覆した。（朝浜通信）") == "漁船一隻が転覆した。"


@pytest.mark.parametrize(
    "text",
    [
        "The ferry was raised by the Norvik Salvage Agency",
        "He works for the family (and the free press)",
        "The union wants a word in the press (all of it)",
        "Two of the crew (one from Oslo)",
        "Press freedom fell -- Media bosses were held",
        "“We lost,” he said (and left).",
        "“We lost.” — Ann Lee",
    ],
)
def test_a_sentence_that_names_an_agency_is_copy(text):
    assert strip_noise(text) == text


@pytest.mark.parametrize(
    "credit",
    [
        "(Reporting by A. Bell)",
        "(Reporting By A. Bell in Oslo, writing by B. J. Orr; editing by C. Ray)",
        "(Reporting and writing by A. Bell; Editing by C. Ray and D. Holm)",
        "Reporting by A. Bell; Editing by C. Ray",
        "(Additional reporting by A. Bell, editing by C. Ray)",
        "(Bericht von A. Bell; redigiert von C. Ray)",
        "(Reportage A. Bell, édité par C. Ray)",
        "(Reporte de A. Bell; editado por C. Ray)",
    ],
)
def test_38_a_credit_with_initials_is_taken_off_glued_or_alone(credit):
    assert strip_noise(f"{COPY} {credit}") == COPY
    assert strip_noise(credit) == ""


@pytest.mark.parametrize(
    "text",
    [
        "The ban ended reporting by Norvik fishermen of their catch.",
        "The harbour lights went out. Reporting by Norvik fishermen showed that the tide was low.",
        "He rose (edited by nobody at all) and left.",
    ],
)
def test_a_sentence_about_reporting_is_copy(text):
    assert strip_noise(text) == text


def test_an_outlet_that_was_told_something_is_copy():
    assert strip_noise("The captain told Reuters") == "The captain told Reuters"


@pytest.mark.parametrize(
    "text, note",
    [
        (f"{COPY} -- corrects name of port", "corrects name of port"),
        (f"{COPY} (Adds background, paragraph 3)", "Adds background, paragraph 3"),
        ("(corrects spelling of town in line five)", "corrects spelling of town in line five"),
        ("--corrects convictions", "corrects convictions"),
        ("Eds: Adds byline.", "Eds: Adds byline."),
        ("Updates with details in paras 2-4", "Updates with details in paras 2-4"),
        ("(Neu: mehr Einzelheiten)", "Neu: mehr Einzelheiten"),
        ("(Corrige le nom au 2e paragraphe)", "Corrige le nom au 2e paragraphe"),
        (COPY, None),
        ("The plan -- adds up to ten mln crowns.", None),
        ("Adds to the pressure on the minister as the lead grows.", None),
    ],
)
def test_editors_notes_own_line_or_glued(text, note):
    assert editors_note(text) == note


def test_a_note_on_its_own_line_is_no_copy_and_a_glued_one_leaves_its_sentence():
    assert is_only_note("(corrects spelling of town)")
    assert not is_only_note(f"{COPY} -- corrects town")
    assert strip_noise(f"{COPY} -- corrects town") == COPY


@pytest.mark.parametrize(
    "text", ["2 days ago", "Updated 3 hours ago", "1,204 shares", "12 Comments", "ADVERTISEMENT", "vor 5 Minuten"]
)
def test_relative_times_and_share_counters_are_furniture(text):
    assert is_furniture(text)
    assert strip_noise(text) == ""


def test_a_sentence_about_shares_is_none():
    assert not is_furniture("Halden sold 1,204 shares to the bank")


@pytest.mark.parametrize(
    "headline",
    [
        "CORRECTED - Norvik <NVK> port shut",
        "UPDATE 2-Norvik port shut",
        "RPT-UPDATE 1-Norvik port shut",
        "1st Ld-Writethru: Norvik port shut",
        "EILT: Norvik port shut",
        "NORVIK PORT SHUT",
        "(CORRECTED)-Norvik port shut",
        "تصحيح: Norvik port shut",
    ],
)
def test_ticker_case_and_corrected_prefix_do_not_change_a_headline(headline):
    assert canonical_headline(headline) == "norvik port shut"


def test_a_headline_that_begins_with_update_keeps_its_word():
    assert canonical_headline("Update on the flood") == "update on the flood"
    assert canonical_headline(None) == ""


def test_a_notice_is_compared_by_the_words_it_puts_in_place():
    notice = 'In NORVIK item headlined "PORT SHUT" please read in 2nd graf ... tolls worth up to 300 mln crowns'
    assert asks_to_read(notice)
    assert restated(notice) == "tolls worth up to 300 mln crowns"
    assert restated('In Norvik item headlined "Port Shut," the agency corrects the toll to 14.') == (
        "the agency corrects the toll to 14."
    )
    assert restated(COPY) == COPY


def test_what_was_ignored_is_counted():
    noise = count_noise(
        [
            ('NORVIK - "Out," he said.', "“Out,” he said."),
            ("It sank -- fast.", "It sank — fast.  <NVK> — AFP"),
            ("same “text”", "same “text”"),
        ]
    )
    assert noise == Noise(quotes=2, dashes=1, whitespace=1, dateline=1, credit=1, wire_codes=1)


@given(st.text(max_size=60), st.booleans())
def test_any_text_can_be_taken_apart_and_copy_is_part_of_it(text, first):
    parts = take_apart(text, first=first)
    assert parts.copy in text
    assert (
        parts.furniture or canonical(parts.copy) or not canonical(text) or parts.note or parts.credit or parts.dateline
    )


@given(st.text(alphabet=st.sampled_from("()-— .RTAFPcorects\n"), max_size=60))
def test_stripping_twice_is_stripping_what_is_left_only(text):
    assert len(strip_noise(text)) <= len(text)
    count_noise([(text, text[::-1])])


@pytest.mark.parametrize(
    "marked",
    [
        "UPDATE 2-{}", "WRAPUP 3 - {}", "RPT-UPDATE 1-{}", "UPDATE 2 {}", "LEAD 2: {}", "1st Ld: {}", "2nd Ld-Writethru {}",
        "(2. Zf) {}", "ACTUALISATION 2-{}", "RELEASED: {}", "Released: {}", "EMBARGOED - {}", "BREAKING NEWS: {}", "{} =2",
        "{} (2)", "{} (2/3)", "{}, 1st Ld", "{} - UPDATE 1", "URGENT: {} =", "FREIGABE: {}",
    ],
)  # fmt: skip
def test_the_marks_around_a_headline_are_none_of_it(marked):
    assert bare_headline(marked.format("Ferry fire kills 3 off Lund")) == "Ferry fire kills 3 off Lund"


@pytest.mark.parametrize(
    "headline",
    ["Hold-up at Lund bank", "Updates 2 ferries", "Lead mine shut", "Lund 3 Malmo 2", "Held - and freed", "UPDATE 1", "Repeat of 1951 feared"],
)  # fmt: skip
def test_words_that_only_look_like_marks_stay_in_the_headline(headline):
    assert bare_headline(headline) == headline
