"""The peer of `bench-e2e`: a Faust application with the grouper's hops and none of its work.

Each record goes to a changelogged table and to the next topic, as in Faust's own guide. What this costs is the price of the
hops; what the product costs beyond it is ours.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import faust

NAME = f"{os.environ['WRITETHRU_TOPIC_PREFIX']}grouper"
DATA = Path(os.environ["WRITETHRU_STATE_FOLDER"]) / NAME
DATA.mkdir(parents=True, exist_ok=True)
app = faust.App(
    NAME, broker=f"kafka://{os.environ['WRITETHRU_KAFKA_BOOTSTRAP']}", store="rocksdb://", web_enabled=False,
    datadir=DATA, key_serializer="raw", value_serializer="raw",
    topic_allow_declare=False, topic_disable_leader=True, stream_wait_empty=False, producer_linger=0.002,
    producer_compression_type="lz4", broker_commit_interval=0.5,
)  # fmt: skip
articles = app.topic(f"{os.environ['WRITETHRU_TOPIC_PREFIX']}wire.articles", key_type=bytes, value_type=bytes)
revisions = app.topic(f"{os.environ['WRITETHRU_TOPIC_PREFIX']}story.revisions", key_type=bytes, value_type=bytes)
rows = app.Table("rows", key_type=bytes, value_type=bytes, partitions=16)


@app.agent(articles)
async def passing(stream: faust.StreamT[bytes]) -> None:
    number = 0
    async for event in stream.events():
        number += 1
        rows[b"%d" % number] = event.value
        await revisions.send(key=event.key, value=event.value)


if __name__ == "__main__":
    worker = faust.Worker(app, loglevel="WARNING", redirect_stdouts=False, quiet=True)
    worker.spinner = None
    sys.exit(worker.execute_from_commandline())
