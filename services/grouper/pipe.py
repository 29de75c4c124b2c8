"""Inputs in flight: what each has sent is awaited, and inputs are acknowledged strictly in order.

Faust commits up to the last acknowledged offset and takes no notice of a hole, so order is everything. A failed send ends
the process: the input is read again in the next life.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any


class Pipe:
    """A bounded queue between deciding and acknowledging. `failed` is called, once, with what went wrong."""

    def __init__(self, size: int, failed: Callable[[BaseException], None]) -> None:
        self._queue: asyncio.Queue[tuple[Callable[[], Any], list[Awaitable[Any]]]] = asyncio.Queue(size)
        self._failed = failed
        self.taken = self.acknowledged = 0
        self._task = asyncio.ensure_future(self._acknowledge())

    async def put(self, acknowledge: Callable[[], Any], sent: list[Awaitable[Any]]) -> None:
        """Hand over one input: `acknowledge` is called when everything in `sent`, and every input before it, is done."""
        self.taken += 1
        await self._queue.put((acknowledge, sent))

    async def drain(self) -> None:
        """Come back when all that was handed over is acknowledged."""
        await self._queue.join()

    def close(self) -> None:
        self._task.cancel()

    async def _acknowledge(self) -> None:
        try:
            while True:
                acknowledge, sent = await self._queue.get()
                for one in sent:
                    await one
                acknowledge()
                self.acknowledged += 1
                self._queue.task_done()
        except asyncio.CancelledError:
            raise
        except BaseException as error:  # noqa: BLE001  # whatever it was: nothing after it may be acknowledged
            self._failed(error)
