"""Whatever the parsers let through, the pipeline decides, writes and emits it: no exception, and rows read back the same."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from services.contract.codec import decode, encode
from services.core.article import Article, Paragraph
from services.core.grouping.row import Row
from tests.builders import run

_ODD = [
    "", "\u200b", "١٢٣ قتيلا", "速報：死者12人", "12 killed", "-3", "1.5", "<ABC>", "a" * 400, "— AFP", "CORRECTED-", "UPDATE 2-x",
    "please read in para 3 ... 12 instead of 15", 'In the story headlined "x" please read', "0" * 300, "\x00", "\u202eabc",
]  # fmt: skip
_text = st.one_of(st.text(st.characters(exclude_categories=["Cs"]), max_size=60), st.sampled_from(_ODD))
_dates = st.sampled_from([
    None, "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "2026-03-11", "20260311T070000Z", "x",
    "2026-03-11T07:00:00.123456+05:30", "2026-W11-3",
])  # fmt: skip
_kinds = st.sampled_from([None, "kill", "correction", "update", "hold", "release", "advisory", "wrapup", "add"])
_articles = st.builds(
    Article,
    provider=_text.filter(bool),
    uri=_text.filter(bool),
    version=st.none() | _text,
    version_created=_dates,
    received_at=_dates,
    headline=st.none() | _text,
    slugline=st.none() | _text,
    language=st.sampled_from([None, "en", "ar", "ja", "xx", "de-AT"]),
    urgency=st.none() | _text,
    signals=st.lists(_text, max_size=2).map(tuple),
    update_kind=_kinds,
    update_number=st.none() | st.integers(-5, 10**12),
    take=st.none() | st.integers(0, 9),
    ed_note=st.none() | _text,
    supersedes=st.none() | _text,
    body=st.lists(
        st.builds(Paragraph, _text, st.sampled_from(["paragraph", "heading", "table", "note", "credit"])), max_size=5
    ).map(tuple),
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(st.lists(_articles, min_size=1, max_size=4))
def test_any_log_is_decided_and_emitted(log):
    _, outcomes = run(log)
    for outcome in outcomes:
        row = outcome.step.row
        assert decode(encode(row), Row) == row
        for event in outcome.events():
            encode(event)
