"""The pipeline of one machine: however many processes lend a hand, the bytes are those of one."""

import itertools

from services import local
from services.contract.codec import encode
from services.core.article import Article, Command
from services.core.wire.limits import DEFAULT
from services.local import Pipeline, enough_workers, replay, replay_encoded
from services.runtime.archive import read
from tests.builders import CLOCK, ROOT


def newsday() -> list[Article | Command]:
    return [item for parsed in read(ROOT / "seeds", provider=None, limits=DEFAULT) for item in parsed.articles]


def test_workers_make_the_bytes_that_one_process_makes(monkeypatch):
    monkeypatch.setattr(local, "BATCH", 2)  # so that several are begun at once
    alone = [[encode(e) for e in outcome.events()] for outcome in replay(newsday(), Pipeline(clock=CLOCK))]
    pipeline = Pipeline(clock=CLOCK)
    assert [events for _, events in replay_encoded(newsday(), pipeline, workers=2)] == alone
    assert len(pipeline.state.inputs) == sum(map(bool, alone))  # an entry that a feed still holds makes no row


def test_a_reader_that_leaves_ends_the_workers():
    told = replay_encoded(itertools.cycle(newsday()), Pipeline(clock=CLOCK), workers=1)
    next(told)
    told.close()
    assert next(told, None) is None


def test_few_records_are_not_worth_a_worker_and_none_is_lost(monkeypatch):
    monkeypatch.setattr(local, "LONG_ARCHIVE", 10)
    workers, records = enough_workers(range(9))
    assert (workers, list(records)) == (0, list(range(9)))
    _, records = enough_workers(range(30))
    assert list(records) == list(range(30))
