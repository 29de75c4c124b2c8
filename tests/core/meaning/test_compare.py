import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.core.article import Article, Paragraph
from services.core.change import NEW_DEVELOPMENTS, Change
from services.core.meaning.compare import compare
from services.core.meaning.said import what_it_says
from services.core.redline.alignment import apply, revert
from tests.builders import SHARED

LEAD = "A ferry with 40 passengers sank off Lund on Monday, harbour police said."
QUOTE = "“We will find every one of them,” coastguard chief Nils Berg said."
BACK = "The ferry line has sailed the sound since 1951 with two boats."
BODY = (LEAD, QUOTE, BACK)


def article(*body, **fields):
    fields = {"headline": "Ferry sinks off Lund", "version_created": "2026-03-02T10:00:00Z", "language": "en"} | fields
    fields = {"provider": "agency", "uri": "a"} | fields
    return Article(body=tuple(p if isinstance(p, Paragraph) else Paragraph(p) for p in body), **fields)


OLD = article(*BODY)


def quiet(change):
    return not change.new_development.yes and not change.push.yes and change.level not in ("new", "substantive")


def test_14_a_change_beside_the_copy_is_metadata():
    change = compare(OLD, article(*BODY, urgency="2", keywords=("ferries",)))
    assert change.level == "metadata"
    assert [(m.field, m.before, m.after) for m in change.metadata] == [
        ("urgency", None, "2"),
        ("keywords", None, "ferries"),
    ]
    assert change.paragraphs == ()


@pytest.mark.parametrize(
    "lead",
    [
        "A ferry  with 40 passengers sank off Lund on Monday, harbour police said.",
        "A ferry with 40\u00a0passengers sank off Lund on Monday, harbour police said.",
        "LUND (AFP) - A ferry with 40 passengers sank off Lund on Monday, harbour police said.",
        "A ferry with 40 passengers sank off Lund on Monday, harbour police said. (AFP)",
        "A FERRY with 40 passengers sank off Lund on Monday -- harbour police said.",
    ],
)
def test_21_22_38_39_typography_dateline_and_credit_are_noise(lead):
    change = compare(OLD, article(lead, *BODY[1:]))
    assert change.level == "typographic"
    assert quiet(change)
    assert not change.lead_changed
    assert [p.op for p in change.paragraphs] == ["typographic"]


def test_35_quotes_that_were_ignored_are_only_counted():
    change = compare(OLD, article(LEAD, QUOTE.replace("“", '"').replace("”", '"'), BACK))
    assert change.noise.quotes == 2
    assert (change.quotes_added, change.quotes_removed, change.numbers, change.summary) == ((), (), (), "")


def test_23_a_point_that_moved_is_a_changed_fact():
    before, after = "The owner paid 14 cts a litre.", "The owner paid 1.4 cts a litre."
    change = compare(article(LEAD, before), article(LEAD, after))
    assert change.new_development.yes
    assert [(n.before, n.after) for n in change.numbers] == [("14 cts", "1.4 cts")]


def test_28_a_correction_keeps_its_note_and_its_label():
    new = article(
        LEAD.replace("40", "14"),
        *BODY[1:],
        "-- corrects number of passengers",
        headline="CORRECTED - Ferry sinks off Lund",
    )
    change = compare(OLD, new)
    assert [s.verb for s in change.stated] == ["correct"]
    assert [p.development for p in change.paragraphs] == ["correction", "none"]
    assert not change.headline_changed
    assert change.push.yes
    assert change.summary == "corrects passengers 40 → 14"


def test_a_corrected_item_sent_again_with_only_its_note_is_no_correction():
    change = compare(OLD, article(*BODY, "-- corrects number of passengers"))
    assert quiet(change)


def test_a_mended_spelling_is_a_correction_that_wakes_nobody():
    old = article("The boat sank near Reidgehaven pier.", BACK)
    change = compare(old, article("The boat sank near Ridgehaven pier.", BACK, "-- corrects spelling of pier"))
    assert change.paragraphs[0].development == "correction"
    assert not change.push.yes


@pytest.mark.parametrize("was, now", [("Iran", "Iraq"), ("includes", "excludes"), ("14", "40"), ("rose", "fell")])
def test_a_correction_of_more_than_letters_rings(was, now):
    old = article(f"The port authority said freight from there {was} cattle.", BACK)
    new = article(
        f"The port authority said freight from there {now} cattle.", BACK, "-- corrects second word from the end"
    )
    change = compare(old, new)
    assert change.paragraphs[0].development == "correction"
    assert change.push.yes


@pytest.mark.parametrize(
    "was, now",
    [
        ("UPDATE 1-{}", "UPDATE 2-{}"), ("WRAPUP 1-{}", "WRAPUP 2-{}"), ("{}", "{} =2"), ("{} (1)", "{} (2)"),
        ("{}, 1st Ld", "{}, 2nd Ld"), ("{}", "RELEASED: {}"), ("HOLD: {}", "RELEASED: {}"), ("LEAD 1: {}", "LEAD 2: {}"),
    ],
)  # fmt: skip
def test_the_number_of_an_update_is_no_figure_of_the_story(was, now):
    title = "Ferry fire kills 3 off Lund"
    change = compare(article(*BODY, headline=was.format(title)), article(*BODY, headline=now.format(title)))
    assert (change.level, change.numbers, change.headline_changed) == ("typographic", (), False)
    assert quiet(change)


@pytest.mark.parametrize(
    "long, short",
    [
        ("“We will not leave, and we are sure,” Nils Berg said.", "“We won’t leave, and we’re sure,” Nils Berg said."),
        ("“It is late, they have gone and I cannot help,” Berg said.", "“It's late, they've gone and I can't help,” Berg said."),
        ("The mayor did not sign it.", "The mayor didn't sign it."),
    ],
)  # fmt: skip
def test_a_contraction_changes_no_fact_and_no_quotation(long, short):
    for old, new in ((long, short), (short, long)):
        change = compare(article(LEAD, old, BACK), article(LEAD, new, BACK))
        assert [p.development for p in change.paragraphs] == ["stylistic"]
        assert (change.quotes_added, change.quotes_removed) == ((), ())


def test_a_toll_is_read_behind_the_marks_of_its_headline():
    old, new = (article(*BODY, headline=f"UPDATE {n}-Fire kills {n + 2}") for n in (1, 3))
    assert [(n.before, n.after) for n in compare(old, new).numbers] == [("3", "5")]


@pytest.mark.parametrize("other", [OLD, article(*BODY, uri="b", version="2", provider="other")])
def test_32_no_alert_with_an_empty_diff(other):
    change = compare(OLD, other)
    assert (change.level, change.paragraphs, change.summary) == ("none", (), "")
    assert quiet(change)


def test_36_a_flip_flop_says_that_it_is_back_to_what_was_said():
    a, b = (
        article(LEAD, "Police counted 12 dead.", input_id="a"),
        article(LEAD, "Police counted 15 dead.", input_id="b"),
    )
    memory = [what_it_says(a), what_it_says(b)]
    change = compare(b, msgspec.structs.replace(a, input_id="c"), said=memory)
    (entry,) = change.paragraphs
    assert entry.development == "fact_changed"
    assert entry.novelty is not None
    assert (entry.novelty.similarity, entry.novelty.seen_in) == (1.0, "a")
    assert "said_before" in [r.code for r in change.new_development.reasons]


@pytest.mark.parametrize(
    "stub",
    [
        ("Subscribe to continue reading. Already a member? Log in.",),
        ("This story is for subscribers only.", "Subscribe now for $1 a week.", "Harbour news since 1951."),
        ("Dieser Artikel ist nur für Abonnenten. Jetzt anmelden.",),
        ("Cet article est réservé aux abonnés. Déjà abonné ? Connectez-vous.",),
        ("Contenido exclusivo para suscriptores. Inicia sesión para seguir leyendo.",),
        ("この記事は会員限定です。ログインしてください。",),
    ],
)
def test_27_a_paywall_page_stored_as_a_new_version_says_nothing(stub):
    change = compare(OLD, article(*stub, headline="Subscribe to read 3 more stories"))
    assert {p.development for p in change.paragraphs} <= {"stylistic", "none"}
    assert (change.numbers, change.quotes_removed, change.entities_removed) == ((), (), ())
    assert quiet(change)


def test_27_a_paywall_behind_the_lead_says_nothing_either():
    assert quiet(compare(OLD, article(LEAD, "To read the full story, subscribe now.", "Already a member? Log in.")))


def test_a_story_about_subscribers_is_a_story():
    new = article(LEAD, "The line asked 900 passengers to sign up and get their money back.", BACK)
    assert compare(OLD, new).new_development.yes


def test_40_cuts_for_length_are_no_news():
    change = compare(OLD, article(LEAD))
    assert change.level == "stylistic"
    assert quiet(change)


def test_41_a_correction_that_lives_only_in_the_headline():
    old = article(LEAD, BACK, headline="Moser Shipping buys ferry line")
    new = article(LEAD, BACK, headline="CORRECTED: Moser unit buys ferry line")
    change = compare(old, new)
    assert change.headline is not None
    assert change.headline.development == "correction"
    assert change.headline_changed
    assert change.new_development.yes


def test_42_what_a_please_read_notice_does_not_restate_still_stands():
    notice = article(
        'In LUND item headlined "Ferry sinks off Lund" please read in first graf ... a ferry with 14 passengers sank off Lund ...',
        headline="CORRECTION - Ferry",
    )
    change = compare(OLD, notice, relation="notice", action="correct")
    assert {p.op for p in change.paragraphs} == {"modified", "stands"}
    assert [p.development for p in change.paragraphs if p.op == "modified"] == ["correction"]
    assert (change.headline_changed, change.lead_changed, change.quotes_removed) == (False, False, ())
    assert [(n.before, n.after) for n in change.numbers] == [("40", "14")]


TOLL = article("Police counted 14 dead off Lund, a spokesman said.", BACK, headline="Ferry fire kills 14", input_id="o")
NOTICES = (
    'In LUND item headlined "Ferry fire kills 14" please read in first graf ... police counted 13 dead off Lund ...',
    'In item headlined "Ferry fire kills 14", please read in para 1: Police counted 13 dead off Lund, a spokesman said.',
    'In LUND story "Ferry fire kills 14" please read 13 dead instead of 14 dead.',
    'In the item headlined "Ferry fire kills 14" please read in lead 13 (not 14).',
)


@pytest.mark.parametrize("text", NOTICES)
def test_42_a_notice_says_which_number_it_puts_right(text):
    notice = article(text, headline="CORRECTION - Ferry fire", input_id="n")
    change = compare(TOLL, notice, said=[what_it_says(TOLL)], relation="notice", action="correct")
    assert [("14" in n.before, "13" in n.after) for n in change.numbers] == [(True, True)]
    assert change.push.yes


@pytest.mark.parametrize("text", NOTICES)
@pytest.mark.parametrize("more", [(), ("-- corrects toll in lead",)])
def test_42_the_version_that_carries_what_a_notice_told_rings_nobody_again(text, more):
    said = [what_it_says(TOLL), what_it_says(article(text, headline="CORRECTION - Ferry fire", input_id="n"))]
    new = article(TOLL.body[0].text.replace("14", "13"), BACK, *more, headline="Ferry fire kills 13", input_id="w")
    assert quiet(compare(TOLL, new, said=said))
    worse = msgspec.structs.replace(new, body=(Paragraph(TOLL.body[0].text.replace("14", "17")), *new.body[1:]))
    assert compare(TOLL, worse, said=said).push.yes
    assert compare(TOLL, new, said=said[:1]).push.yes


def test_a_take_adds_and_leaves_the_rest_standing():
    take = article("Engineer Ole Brandt had warned of rusty doors in January.", headline="Ferry =2", take=2)
    change = compare(OLD, take, relation="take")
    assert [p.op for p in change.paragraphs].count("stands") == len(BODY)
    assert [p.development for p in change.paragraphs if p.op == "added"] == ["new_fact"]
    assert (change.lead_changed, change.headline_changed, change.entities_removed) == (False, False, ())


def test_an_article_is_not_known_by_itself():
    new = article(*BODY, "Inspector Eva Holm counted 1,459 crates.", input_id="n")
    change = compare(OLD, new, said=[what_it_says(new)])
    assert change.new_development.yes


def test_67_a_quotation_that_vanished_is_listed_with_its_speaker():
    change = compare(OLD, article(LEAD, BACK))
    assert [(q.text, q.speaker) for q in change.quotes_removed] == [
        ("We will find every one of them", "Nils Berg")
    ] or [q.text for q in change.quotes_removed] == ["We will find every one of them"]
    assert change.new_development.yes


def test_the_first_report_is_new_and_every_paragraph_added():
    change = compare(None, article("== Sound ==", *BODY, Paragraph("Editing by X", "credit")))
    assert (change.level, change.headline_changed) == ("new", True)
    assert {p.op for p in change.paragraphs} == {"added"}
    assert [p.development for p in change.paragraphs] == ["stylistic", "new_fact", "new_fact", "new_fact", "none"]
    assert change.new_development.yes


def test_the_first_flash_rings_by_what_the_wire_says_of_it():
    assert compare(None, article("Ferry sinks.", update_kind="alert")).push.yes
    assert compare(None, article("Ferry sinks, 12 dead.", urgency="2")).push.yes
    assert not compare(
        None, article("The garden show opens in May.", headline="Garden show opens", urgency="6")
    ).push.yes


def test_a_toll_that_rose_rings():
    change = compare(
        article("Police said 12 people were killed when a ferry sank off Lund.", BACK, headline="Ferry sinks, 12 dead"),
        article("Police said 19 people were killed when a ferry sank off Lund.", BACK, headline="Ferry sinks, 19 dead"),
    )
    assert change.push.yes
    assert "toll" in [r.code for r in change.push.reasons]
    assert change.summary == "toll 12 → 19"


def test_a_late_item_never_rings_and_a_withdrawal_always_does():
    new = article("Police said 19 people were killed when a ferry sank off Lund.", headline="Ferry: 19 dead")
    assert not compare(OLD, new, late=True).push.yes
    assert compare(OLD, article(), action="withdraw").push.yes


def test_coverage_brings_only_what_the_story_has_not_said_and_where_it_disagrees():
    theirs = article(
        "A ferry with 52 passengers sank off Lund on Monday, harbour police said.",
        "The ferry line has sailed the sound since 1951 with two boats.",
        "Engineer Ole Brandt had warned of rusty doors in January.",
        provider="rival",
        uri="z",
    )
    change = compare(OLD, theirs, basis="story", relation="coverage", said=[what_it_says(OLD, "one")])
    assert change.basis == "story"
    assert [p.op for p in change.paragraphs] == ["added"] * len(change.paragraphs)
    assert "The ferry line has sailed the sound since 1951 with two boats." not in [
        p.after[0].text for p in change.paragraphs
    ]
    assert "Engineer Ole Brandt had warned of rusty doors in January." in [p.after[0].text for p in change.paragraphs]
    assert [(c.ours, c.theirs, c.providers) for c in change.conflicts] == [("40", "52", ("agency", "rival"))]


def test_coverage_with_nothing_new_has_nothing_to_say():
    change = compare(OLD, article(*BODY, provider="rival"), basis="story", said=[what_it_says(OLD)])
    assert (change.level, change.paragraphs, change.push.yes) == ("none", (), False)


def test_two_unrelated_articles_are_told_apart_only_when_asked():
    other = article("Grain prices in Oslo fell by two pct as rain came.", headline="Grain falls", uri="g", provider="q")
    change = compare(OLD, other, check_same_story=True)
    assert (change.same_story, change.level, change.paragraphs) == (False, "none", ())
    assert compare(OLD, other).same_story


def test_the_update_line_names_what_came():
    new = article(LEAD, QUOTE, '"The doors stood open all night," passenger Eva Holm said.', BACK)
    assert compare(OLD, new).summary == "adds Eva Holm quoted (para 3)"


def test_the_change_is_the_same_json_both_ways():
    change = compare(OLD, article(LEAD.replace("40", "41"), BACK))
    assert msgspec.json.decode(msgspec.json.encode(change), type=Change) == change


TEXT = st.text(min_size=1, max_size=60)
BODIES = st.lists(TEXT, max_size=6)


@given(BODIES, st.none() | TEXT)
def test_a_text_against_itself_is_no_change(body, headline):
    item = article(*body, headline=headline)
    change = compare(item, item)
    assert (change.level, change.paragraphs) == ("none", ())
    assert quiet(change)


@given(BODIES, BODIES)
def test_old_text_and_change_give_the_new_text_and_back(before, after):
    change = compare(article(*before), article(*after))
    assert apply(before, change) == after
    assert revert(after, change) == before


@given(BODIES, BODIES, st.booleans())
def test_any_two_texts_can_be_compared(before, after, correcting):
    old, new = article(*before), article(*after, uri="b")
    change = compare(old, new, action="correct" if correcting else "none", said=[what_it_says(new, "n")])
    assert 0.0 <= change.push.score <= 1.0
    assert change.new_development.yes == (
        any(p.development in NEW_DEVELOPMENTS for p in change.paragraphs)
        or (change.headline is not None and change.headline.development in NEW_DEVELOPMENTS)
    )
    compare(old, new, basis="story")
    compare(old, new, relation="notice")
    compare(None, new)


GOLD = SHARED / "data" / "changes" / "gold-dev.jsonl"


def test_the_editors_verdicts_on_the_gold_pairs_hold():
    """Floors well under the measured figures: a change of kind shows here, a single pair does not."""
    if not GOLD.exists():
        pytest.skip(f"LOUD SKIP: the gold pairs are not at {GOLD}")
    right = {"new": 0, "push": 0, "lead": 0, "headline": 0}
    pairs = 0
    for line in GOLD.read_text(encoding="utf-8").splitlines():
        pair = json.loads(line)
        verdict = pair["annotation"]
        if not verdict["same_story"]:
            continue
        old, new = (
            article(*side["paragraphs"], headline=side.get("title"), version_created=side.get("date"))
            for side in (pair["before"], pair["after"])
        )
        change = compare(old, new)
        pairs += 1
        right["new"] += change.new_development.yes == verdict["new_development"]
        right["push"] += change.push.yes == verdict["push"]
        right["lead"] += change.lead_changed == verdict["lead_changed"]
        right["headline"] += change.headline_changed == verdict["headline_changed"]
    assert min(right.values()) >= 0.9 * pairs


def test_42_a_first_line_that_repeats_the_headline_is_no_copy():
    body = ("Norvik ferries will stop at noon, the port said.", "Two boats stay in the harbour.")
    old = article(*body, headline="FERRIES TO STOP AT NOON")
    new = article(
        "FERRIES TO STOP AT TEN", body[0].replace("noon", "ten"), body[1], headline="CORRECTED - FERRIES TO STOP AT TEN"
    )
    change = compare(old, new)
    assert {(tuple(i.index for i in p.before), tuple(i.index for i in p.after)) for p in change.paragraphs} == {
        ((), (0,)),
        ((0,), (1,)),
    }
    assert change.paragraphs[0].development == "none"
    assert change.lead_changed


def test_42_a_notice_whose_words_are_found_nowhere_is_still_a_correction():
    old = article(
        "Lindholm Yard will offer 18 crowns a share for Norvik Docks.",
        "Docks closed at 14 crowns.",
        headline="Yard bids for rival",
    )
    asks = 'In the Norvik item headlined "Yard bids for rival" please read in headline "Yard weighs bid".'
    change = compare(old, article("CORRECTION - LINDHOLM YARD", asks, headline="CORRECTION - LINDHOLM YARD"))
    assert {p.op for p in change.paragraphs if p.before} == {"stands"}
    assert change.new_development.yes
    assert change.push.yes


def test_a_corrected_mark_over_the_same_copy_is_no_correction():
    body = ("Norvik ferries will stop at noon, the port said.", "Two boats stay in the harbour.")
    old = article(*body, headline="Norvik ferries will stop at noon")
    change = compare(old, article(*body, headline="(CORRECTED)-Norvik ferries stop"))
    assert not change.new_development.yes
    assert not change.push.yes
