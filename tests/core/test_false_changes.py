"""Changes that are none, through the whole pipeline: under the names of the symptoms."""

from services.core.events import event_kind
from tests.builders import FERRY, UPDATED_FERRY, at, events, make, run

LINK = "https://nordwire.example/world/"


def told(records):
    """(kind, new development, push) of every event, and how many stories."""
    _, outcomes = run(records)
    made = list(events(outcomes))
    verdicts = [
        (
            event_kind(e),
            bool(e.data.change and e.data.change.new_development.yes),
            bool(e.data.change and e.data.change.push.yes),
        )
        for e in made
    ]
    return verdicts, len({e.subject for e in made})


def test_25_a_link_whose_slug_follows_the_headline_is_the_same_story_and_rings_nobody():
    first = make(
        LINK + "ferry-burns-881", version_created=at("07:00"), headline="Ferry burns", url=LINK + "ferry-burns-881"
    )
    later = make(
        LINK + "fire-on-a-ferry-off-tarmouth-881", version_created=at("07:20"), headline="Fire on a ferry off Tarmouth",
        url=LINK + "fire-on-a-ferry-off-tarmouth-881",
    )  # fmt: skip
    (_, (kind, new, push)), stories = told([first, later])
    assert stories == 1
    assert (kind in ("joined", "updated"), new, push) == (True, False, False)


def test_34_the_next_identical_check_does_not_fire_again():
    old, new = make(version_created=at("07:00")), make(body=UPDATED_FERRY, version_created=at("07:30"))
    again = [make(body=UPDATED_FERRY, version_created=at(clock)) for clock in ("08:00", "08:30", "09:00")]
    verdicts, stories = told([old, new, *again])
    assert stories == 1
    assert verdicts[1][0] == "updated"
    assert verdicts[2:] == [("joined", False, False)] * 3


def test_21_whitespace_only_is_no_update():
    spaced = [text.replace(" ", "  ").replace("the", "the\u00a0", 1) for text in FERRY]
    verdicts, stories = told([make(version_created=at("07:00")), make(body=spaced, version_created=at("07:10"))])
    assert (stories, verdicts[1]) == (1, ("joined", False, False))
