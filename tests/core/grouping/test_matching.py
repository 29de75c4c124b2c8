"""What belongs together and what only looks alike. Named after what has bitten others (CASES 43 to 54, 68, 74)."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.core.article import Article, Paragraph
from services.core.grouping.fingerprint import fingerprint
from services.core.grouping.index import CandidateIndex
from services.core.grouping.matching import (
    COPIED,
    HELD_BACK,
    INSTANCES,
    LINEAGE_THRESHOLD,
    STORY_THRESHOLD,
    Match,
    join_story,
)

HOUR = 3_600.0
FLASH = (
    "Ferry sinks off Brannock, dozens in water",
    "A ferry with 140 aboard sank off Brannock Head on Tuesday, coastguards said.",
)
GROWN = (
    "Ferry sinks off Brannock, 96 rescued",
    "A ferry with 140 aboard sank off Brannock Head on Tuesday, coastguards said.",
    "Lifeboats from three harbours had brought 96 people ashore by noon, rescue chief Ida Quist told reporters in Brannock.",
    "The vessel, the Maid of Orrin, was on the morning crossing to Tolvey when water burst through its bow door.",
    "Forty-one passengers were in hospital, four of them in danger.",
)
ELSEWHERE = (
    "Rescuers pull passengers from sea after Maid of Orrin goes down",
    "Rescue crews were combing cold waters near Brannock Head after the passenger ferry Maid of Orrin foundered within minutes.",
    "Ida Quist, who leads the operation, put the number of people saved at 96 out of some 140 on board.",
    "Survivors spoke of water bursting in at the bow as the ferry headed for Tolvey.",
)
OTHER_WRECK = (
    "Trawler runs aground near Pell",
    "A trawler with a crew of six ran aground on rocks near Pell in thick fog, harbour master Jon Wick said.",
    "All six were lifted off by helicopter. Nobody was hurt, and the boat is to be towed away at high tide.",
)
MAYOR = (
    "Mayor of Brannock Ida Quist opens orchard",
    "Ida Quist planted the first of two hundred apple trees on wasteland behind the old tannery.",
    "The orchard is to give the borough's schools fruit and shade, she told pupils.",
)
BACKGROUND = [
    (
        f"{place} council votes on {thing}",
        f"Councillors in {place} met over {thing} and {verb} a plan of {n} million crowns.",
    )
    for n, (place, thing, verb) in enumerate(
        zip(
            ("Stannow", "Lathe", "Morrow", "Ashmere", "Wick", "Thornby", "Calder", "Ebb"),
            (
                "parking",
                "a swimming pool",
                "tram fares",
                "street lamps",
                "bin collection",
                "a new school",
                "flood walls",
                "rents",
            ),
            ("approved", "rejected", "delayed", "amended", "backed", "dropped", "revived", "halved"),
            strict=True,
        )
    )
]


def print_of(headline, *paragraphs, **more):
    return fingerprint(
        Article(provider="p", uri="u", headline=headline, body=tuple(Paragraph(p) for p in paragraphs), **more)
    )


def compare(old, new, gap=None):
    """The match of `new` against `old`, in an index that knows some other news."""
    index = CandidateIndex()
    for number, text in enumerate(BACKGROUND):
        index.add(number, print_of(*text), None)
    index.add(99, old if not isinstance(old, tuple) else print_of(*old), None if gap is None else 0.0)
    query = new if not isinstance(new, tuple) else print_of(*new)
    found = [m for m in index.search(query, None if gap is None else gap * HOUR) if m.number == 99]
    return found[0] if found else Match(number=99, lineage=0.0, story=0.0, contains=0.0, contained=0.0, exact=False)


def test_a_flash_that_grows_stays_one_text():
    match = compare(FLASH, GROWN, gap=1)
    assert match.lineage >= LINEAGE_THRESHOLD
    assert match.contained == 1.0 > match.contains


def test_44_a_new_headline_does_not_fork_the_story():
    renamed = ("Coastguards: most passengers of sunken ferry safe", *GROWN[1:])
    match = compare(GROWN, renamed, gap=2)
    assert match.exact
    assert match.lineage == 1.0


def test_43_threshold_too_strict_one_event_becomes_six_stories():
    match = compare(GROWN, ELSEWHERE, gap=3)
    assert match.lineage < LINEAGE_THRESHOLD
    assert match.story >= STORY_THRESHOLD


def test_same_kind_other_event_stays_apart():
    match = compare(GROWN, OTHER_WRECK, gap=5)
    assert match.story < STORY_THRESHOLD


def test_53_same_person_different_event_stays_apart():
    match = compare(GROWN, MAYOR, gap=5)
    assert match.story < STORY_THRESHOLD


def test_no_dates_at_all_cost_nothing():
    dated, undated = compare(GROWN, ELSEWHERE, gap=3), compare(GROWN, ELSEWHERE)
    assert undated.story == dated.story
    assert "gap" not in undated.fields


def test_a_report_two_weeks_later_has_to_be_more_alike():
    assert compare(GROWN, ELSEWHERE, gap=14 * 24).story < compare(GROWN, ELSEWHERE, gap=24).story


@pytest.mark.parametrize("flash", ["Ferry sinks", "URGENT", "Fire", "Talks resume in Tolvey", "More to follow"])
def test_a_one_line_flash_does_not_match_everything(flash):
    index = CandidateIndex()
    for number, text in enumerate([FLASH, GROWN, ELSEWHERE, OTHER_WRECK, MAYOR, *BACKGROUND]):
        index.add(number, print_of(*text), None)
    assert all(m.lineage < LINEAGE_THRESHOLD for m in index.search(print_of(flash), None))
    matched = [m for m in index.search(print_of(flash), None) if m.story >= STORY_THRESHOLD]
    assert len(matched) <= 2


def test_a_one_line_flash_finds_its_own_story():
    match = compare(FLASH, ("Ferry sinks off Brannock Head, coastguards say",), gap=0.1)
    assert match.story >= STORY_THRESHOLD


def results(company, ticker, profit):
    return (
        f"{company.upper()} <{ticker}> 1ST QTR NET",
        f"Shr {profit}.1 cts vs 12.2 cts. Net {profit},400,000 vs 1,100,000. Revs {profit}2.4 mln vs 30.1 mln.",
        f"{company} said results include a gain on the sale of its {ticker.lower()} division.",
    )


def test_two_companies_results_stay_apart():
    match = compare(results("Quern Foods", "QRN", 3), results("Orrin Metals", "ORM", 7), gap=0.2)
    assert "tickers_differ" in match.vetoes
    assert match.lineage <= HELD_BACK
    assert match.story <= HELD_BACK


def test_the_same_companys_results_filled_in_find_theirs():
    first = results("Quern Foods", "QRN", 3)
    fuller = (
        *first,
        "Sales rose in all regions but the north, the company added, and it kept its forecast for the year.",
    )
    assert compare(first, fuller, gap=0.5).lineage >= LINEAGE_THRESHOLD


def prices(hour, *figures):
    rows = "  ".join(
        f"{name} {figure}" for name, figure in zip(("May", "Jul", "Sep", "Dec", "Mar"), figures, strict=True)
    )
    return (f"ORRIN BARLEY {hour} - MARCH 3", f"Tonnes 1,200 lots 310  {rows}")


def test_the_next_hours_table_is_another_instance():
    match = compare(
        prices("1210", "101.5", "103.2", "104.0", "105.1", "106.2"),
        prices("1230", "101.7", "103.0", "104.1", "105.6", "106.9"),
    )
    assert "hour_differs" in match.vetoes
    assert match.story <= HELD_BACK


def test_a_table_that_is_filled_in_finds_its_first_half():
    half = ("ORRIN BARLEY 1210 - MARCH 3", "Tonnes 1,200 lots 310  May 101.5  Jul 103.2  Sep 104.0")
    match = compare(half, prices("1210", "101.5", "103.2", "104.0", "105.1", "106.2"), gap=0.3)
    assert match.lineage >= LINEAGE_THRESHOLD


def operation(amount, total, band):
    return (
        f"Central bank gives Quern money market {amount} mln help",
        f"The central bank said it gave the money market {amount} mln crowns of assistance this morning.",
        f"It bought {total} mln crowns of band {band} bills and compares with its forecast of a shortage of {amount + 90} mln.",
    )


def test_the_next_days_operation_is_a_series_and_not_an_update():
    match = compare(operation(120, 87, 1), operation(345, 214, 3), gap=24)
    assert match.lineage < LINEAGE_THRESHOLD
    assert match.story <= HELD_BACK
    assert match.vetoes


def test_a_digest_joins_no_story():
    digest = ("Evening news digest", *GROWN[1:3], *OTHER_WRECK[1:], *MAYOR[1:], *(text[1] for text in BACKGROUND[:5]))
    match = compare(OTHER_WRECK, digest, gap=3)
    assert match.story < STORY_THRESHOLD


def test_a_copy_without_a_language_tag_meets_its_story():
    tagged, bare = print_of(*GROWN, language="en"), print_of(*GROWN)
    assert compare(tagged, bare).exact


@pytest.mark.parametrize(
    "old, new",
    [
        (("フェリー沈没、乗客を救助", "北の岬沖で乗客百四十人を乗せたフェリーが沈没した。海上保安庁が発表した。"),
         ("フェリー沈没、九十六人救助", "北の岬沖で乗客百四十人を乗せたフェリーが沈没した。海上保安庁が発表した。船は渡島行きだった。")),
        (("غرق عبارة قبالة الرأس الشمالي", "غرقت عبارة تقل مئة وأربعين راكبا قبالة الرأس الشمالي يوم الثلاثاء، وفق خفر السواحل."),
         ("إنقاذ ركاب العبارة الغارقة", "غرقت عبارة تقل مئة وأربعين راكبا قبالة الرأس الشمالي يوم الثلاثاء، وفق خفر السواحل. ونقل الجرحى إلى المستشفى.")),
        (("Fähre sinkt vor Brannock", "Eine Fähre mit 140 Menschen ist am Dienstag vor Brannock gesunken, teilte die Küstenwache mit."),
         ("Fähre vor Brannock gesunken: 96 gerettet", "Eine Fähre mit 140 Menschen ist am Dienstag vor Brannock gesunken, teilte die Küstenwache mit. 96 wurden gerettet.")),
    ],
)  # fmt: skip
def test_any_script_finds_its_update(old, new):
    assert compare(old, new, gap=1).lineage >= LINEAGE_THRESHOLD


def grouped(texts):
    """Stories as sets, by the greedy rule of the pipeline."""
    index, story, sizes = CandidateIndex(), {}, {}
    for number, text in enumerate(texts):
        fp = print_of(*text)
        found = index.search(fp, None)
        close = [m for m in found if m.lineage >= LINEAGE_THRESHOLD]
        joined = join_story([(m, story[m.number]) for m in found], sizes)
        story[number] = story[close[0].number] if close else joined[0] if joined else f"s{number}"
        sizes[story[number]] = sizes.get(story[number], 0) + 1
        index.add(number, fp, None)
    return {frozenset(texts[n] for n in story if story[n] == s) for s in story.values()}


@pytest.mark.parametrize("seed", range(5))
def test_46_the_result_does_not_depend_on_arrival_order(seed):
    texts = [FLASH, GROWN, ELSEWHERE, OTHER_WRECK, MAYOR, *BACKGROUND]
    random.Random(seed).shuffle(texts)
    stories = grouped(texts)
    assert frozenset({FLASH, GROWN, ELSEWHERE}) in stories
    assert frozenset({OTHER_WRECK}) in stories
    assert frozenset({MAYOR}) in stories


def pair(number, score):
    return Match(number=number, lineage=0.0, story=score, contains=0.0, contained=0.0, exact=False)


def test_45_transitive_chaining_makes_no_giant_story():
    one_link = [(pair(n, 0.1), "blob") for n in range(9)] + [(pair(9, 0.95), "blob")]
    assert join_story(one_link) is None
    assert join_story([(pair(9, 0.95), "small")]) == ("small", 0.95)


def test_a_large_story_needs_more_than_one_member_that_fits():
    fits = [(pair(9, 0.75), "s")]
    assert join_story(fits, {"s": 1}) == ("s", 0.75)
    assert join_story(fits, {"s": 40}) is None


def test_the_better_story_wins_and_ties_go_to_the_later():
    assert join_story([(pair(1, 0.7), "a"), (pair(2, 0.9), "b")]) == ("b", 0.9)
    assert join_story([(pair(1, 0.8), "z"), (pair(2, 0.8), "a")]) == ("a", 0.8)
    assert join_story([]) is None


@given(st.lists(st.tuples(st.integers(0, 50), st.floats(0, 1), st.sampled_from("abc")), max_size=12), st.randoms())
def test_joining_does_not_depend_on_the_order_of_matches(rows, rng):
    matches = [(pair(n, round(s, 6)), story) for n, s, story in rows]
    shuffled = matches[:]
    rng.shuffle(shuffled)
    first, second = join_story(matches), join_story(shuffled)
    assert (first is None) == (second is None)
    assert first is None or abs(first[1] - second[1]) < 2e-6


def test_items_without_headlines_are_judged_by_their_leads():
    old, new = (
        (None, *GROWN[1:]),
        (None, GROWN[1], GROWN[2].replace("96", "98"), *GROWN[3:], "Divers are to search the car deck."),
    )
    assert compare(old, new, gap=1).lineage >= LINEAGE_THRESHOLD
    assert compare(old, (None, *ELSEWHERE[1:]), gap=1).story >= STORY_THRESHOLD


def test_a_trimmed_copy_under_another_headline_is_a_copy():
    match = compare(GROWN, ("Sea disaster", *GROWN[2:4]), gap=20)
    assert match.lineage >= LINEAGE_THRESHOLD
    assert match.contains >= 0.8


TOLL = (
    "Mine collapse at Orrin kills 12",
    "Twelve miners were killed when a gallery collapsed at the Orrin pit on Monday, the mine's owner said.",
    "The gallery lay 400 metres below ground. Rescue crews from Stannow dug through the night in heavy rain.",
)
TOLL_RAISED = (
    "Mine collapse at Orrin kills 15",
    "Fifteen miners were killed when a gallery collapsed at the Orrin pit on Monday, the mine's owner said.",
    *TOLL[2:],
    "Three more bodies were found at dawn, rescue chief Ida Quist said. Nobody is missing any longer.",
)


@pytest.mark.parametrize("hours", [2, 15, 24])
def test_a_raised_toll_is_no_series(hours):
    match = compare(TOLL, TOLL_RAISED, gap=hours)
    assert match.lineage >= LINEAGE_THRESHOLD
    assert not INSTANCES.intersection(match.vetoes)


def reserves(amount, rate):
    return (
        "Central bank of Quern adds reserves",
        f"The central bank of Quern entered the market to arrange {amount} billion crowns of repurchase agreements, it said.",
        f"Dealers said funds were trading at {rate} pct when the bank began its temporary supply of reserves.",
    )


def test_the_next_days_template_with_one_figure_changed_is_another_instance():
    match = compare(reserves("1.5", "6.19"), reserves("1.5", "6.25"), gap=24)
    assert "next_instance" in match.vetoes
    assert max(match.contains, match.contained) > COPIED
    assert max(match.lineage, match.story) < LINEAGE_THRESHOLD


def test_the_same_change_within_the_hour_corrects_the_figure():
    assert compare(reserves("1.5", "6.19"), reserves("1.5", "6.25"), gap=0.5).lineage >= LINEAGE_THRESHOLD


def test_the_same_text_next_day_is_no_other_instance():
    assert compare(reserves("1.5", "6.19"), reserves("1.5", "6.19"), gap=24).lineage == 1.0


def bonus(tonnes, goods, country, price, exporter):
    return (
        f"Trade office accepts bonus on {goods} to {country}",
        f"The Trade Credit Office accepted a bid for a bonus on {tonnes} tonnes of {goods} to {country}, the ministry said.",
        f"It was {price} crowns a tonne and was made to {exporter}, and will be paid in goods from the office's stocks.",
    )


AWARDED = bonus("15,000", "frozen poultry", "Tolvey", "719.80", "Farrier Foods")
ELSEWHERE_AWARDED = bonus("8,400", "frozen poultry", "Marrakand", "473.99", "Gannet Mills")


def test_the_next_countrys_award_minutes_later_is_another_instance():
    match = compare(AWARDED, ELSEWHERE_AWARDED, gap=0.05)
    assert "other_instance" in match.vetoes
    assert max(match.lineage, match.story) < LINEAGE_THRESHOLD


def test_other_agencies_share_the_words_of_an_event_and_fill_no_template():
    index = CandidateIndex()
    index.add(0, print_of(*AWARDED), 0.0, "one")
    theirs, undated = index.search(print_of(*ELSEWHERE_AWARDED), 180.0, provider="two"), CandidateIndex()
    undated.add(0, print_of(*AWARDED), None, "one")
    assert not {"other_instance", "series_template"} & set(theirs[0].vetoes)
    assert not INSTANCES.intersection(undated.search(print_of(*ELSEWHERE_AWARDED), None, provider="one")[0].vetoes)


def test_a_story_whose_likest_text_is_another_instance_takes_none_in():
    other = Match(number=1, lineage=0.1, story=0.2, contains=0.6, contained=0.5, exact=False, vetoes=("next_instance",))
    assert join_story([(pair(2, 0.95), "s")]) == ("s", 0.95)
    assert join_story([(pair(2, 0.95), "s"), (pair(3, 0.95), "s"), (pair(4, 0.95), "s"), (other, "s")]) is None
