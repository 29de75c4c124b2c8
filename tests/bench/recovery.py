"""`python -m tests.bench.recovery`: how long a grouper takes from its start until it is ready, with a full window.

Once from an empty disk (everything from the changelog), once with its RocksDB folder, once killed with a hundred records in
flight. What is asked for: 60 s and 15 s with 100,000 articles in the window. The articles are an invented newsday.
"""

from __future__ import annotations

import argparse
import contextlib
import gzip
import os
import tempfile
import time
from pathlib import Path
from random import Random

from kafka import TopicPartition
from kafka.structs import OffsetAndMetadata

from services.contract.codec import decode, encode
from services.contract.topics import ARTICLES, GROUPER, ROWS, record_key, topic_name
from services.core.grouping.row import Row
from services.local import Pipeline
from services.runtime.clients import consumer, producer
from services.runtime.row_store import RowStore
from services.synthetic.newsday import newsday
from tests.builders import CLOCK
from tests.e2e import kafka as e2e
from tests.e2e.kafka import Installation, Service, broker


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("--articles", type=int, default=100_000)
    ask.add_argument("--rows", type=Path, help="NAME.jsonl.gz: rows made before, or to be kept for the next run")
    asked = ask.parse_args()
    rows = asked.rows or Path(tempfile.mkdtemp()) / "rows.jsonl.gz"
    if not rows.is_file():
        make_rows(rows, asked.articles)
    e2e.PATIENCE = 600.0
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} before the run", flush=True)
    with broker() as bootstrap, tempfile.TemporaryDirectory() as folder:
        installation = Installation(bootstrap, Path(folder), WRITETHRU_WINDOW_DAYS="365")
        try:
            count, size = fill(installation, rows)
            print(f"{count:,} rows, {size / 1e6:,.0f} MB", flush=True)
            started = tell(installation, "from an empty disk")
            started.stop()
            started = tell(installation, "with its RocksDB folder")
            started.kill()
            tell(installation, "the same after kill -9").stop()
        finally:
            installation.close()


def make_rows(out: Path, articles: int) -> None:
    """The rows of so many articles, decided here."""
    pipeline, began = Pipeline(clock=CLOCK), time.monotonic()
    with gzip.open(out, "wb", compresslevel=1) as file:
        for number, item in enumerate(newsday(Random(7), articles), 1):
            done = pipeline.feed(item.article).step
            if not done.redelivered:
                file.write(encode(done.row) + b"\n")
            if number % 10_000 == 0:
                print(f"  {number:,} articles decided, {time.monotonic() - began:.0f} s", flush=True)


def fill(installation: Installation, rows: Path) -> tuple[int, int]:
    """Log, changelog and committed offset as a grouper leaves them."""
    prefix, store = installation.settings.topic_prefix, RowStore(0, {})
    log, changelog = topic_name(ARTICLES, prefix), topic_name(ROWS, prefix)
    count = size = 0
    with contextlib.closing(producer(installation.settings, "bench")) as sender, gzip.open(rows) as lines:
        for line in lines:
            row = decode(line.rstrip(b"\n"), Row)
            while count <= row.offset:  # a redelivery left a record without a row
                article = row.article
                assert article is not None
                sender.send(log, key=record_key(article), value=encode(article), partition=0)
                count += 1
            sender.send(changelog, key=store.key(row.number), value=line.rstrip(b"\n"), partition=0)
            size += len(line)
            if count % 2_000 == 0:
                sender.flush()
        sender.flush()
    with contextlib.closing(consumer(installation.settings, "bench", group_id=f"{prefix}{GROUPER}")) as group:
        group.assign([TopicPartition(log, 0)])
        group.commit({TopicPartition(log, 0): OffsetAndMetadata(count)})
    return count, size


def tell(installation: Installation, how: str) -> Service:
    """Start a grouper and say when it was ready, and what the time went to."""
    began = time.monotonic()
    grouper = installation.start("grouper")
    folding = None
    while grouper.get("/readyz")[0] != 200:
        assert grouper.process.poll() is None, grouper.told()
        if folding is None and "folding rows" in grouper.log.read_text():
            folding = time.monotonic() - began
        time.sleep(0.1)
    took = time.monotonic() - began
    status = Path(f"/proc/{grouper.process.pid}/status").read_text()
    memory = int(status.split("VmRSS:")[1].split()[0]) // 1024
    told = f", of which {folding:.0f} s until the first 5,000 rows were folded" if folding else ""
    print(f"ready {how:<26} {took:6.1f} s{told}; {memory:,} MB resident", flush=True)
    return grouper


if __name__ == "__main__":
    main()
