"""Faust's consumer, told to see committed records only: anyone may produce to the log, also in a transaction that is aborted."""

from __future__ import annotations

from typing import Any

import faust
from faust.transport.drivers import aiokafka as driver


class _Thread(driver.AIOKafkaConsumerThread):
    def _create_worker_consumer(self, transport: Any) -> Any:
        consumer: Any = super()._create_worker_consumer(transport)
        consumer._isolation_level = "read_committed"  # noqa: SLF001  # Faust asks for it with exactly_once only
        return consumer


class _Consumer(driver.Consumer):
    def _new_consumer_thread(self) -> driver.AIOKafkaConsumerThread:
        return _Thread(self, loop=self.loop, beacon=self.beacon)


def read_committed(app: faust.App) -> None:
    """Have the application read so. Before it starts."""
    transport: Any = app.transport
    transport.Consumer = _Consumer
