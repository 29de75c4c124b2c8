"""Faust's consumer, with two things that Faust does not offer.

It sees committed records only: anyone may produce to the log, also in a transaction that is aborted. And it reads the log only
once it is told from where: Faust lets it read on after a recovery and seeks then, what came in between it has dropped, and
a committed 0 it does not seek at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import faust
from faust.transport.drivers import aiokafka as driver
from faust.types import TP


class _Thread(driver.AIOKafkaConsumerThread):
    def _create_worker_consumer(self, transport: Any) -> Any:
        consumer: Any = super()._create_worker_consumer(transport)
        consumer._isolation_level = "read_committed"  # noqa: SLF001  # Faust asks for it with exactly_once only
        return consumer


class LogConsumer(driver.Consumer):
    """Holds the log's partitions back until `read_from`."""

    held = ""
    """The topic of the log."""

    def resume_partitions(self, tps: Iterable[TP]) -> None:
        super().resume_partitions({tp for tp in tps if tp.topic != self.held})

    async def read_from(self, places: Mapping[TP, int]) -> None:
        """Seek to these offsets and read from there."""
        for tp, offset in places.items():
            await self.seek(tp, offset)
        super().resume_partitions(places)

    def _new_consumer_thread(self) -> driver.AIOKafkaConsumerThread:
        return _Thread(self, loop=self.loop, beacon=self.beacon)


def read_committed(app: faust.App, log: str) -> None:
    """Have the application read so, and the topic `log` from where it is told. Before it starts."""
    transport: Any = app.transport
    transport.Consumer = type("LogConsumer", (LogConsumer,), {"held": log})
