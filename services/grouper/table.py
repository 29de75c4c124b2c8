"""The one write-once table: rows by input id, in RocksDB, recovered from a compacted changelog.

Faust's own `table[key] = value` drops the changelog's future and takes the partition from the event at hand. A lost future is
a lost row, so both are said here.
"""

from __future__ import annotations

import shutil
from collections.abc import Awaitable, Iterator
from typing import Any

import faust
from faust.stores import rocksdb
from faust.types import TP

from services.contract.topics import LARGEST_INTERNAL
from services.grouper.endings import Contradiction, OversizedRow, is_damage
from services.runtime.logs import logger

log = logger(__name__)

OPTIONS = {"block_cache_size": 8 << 20, "write_buffer_size": 8 << 20}
"""RocksDB's own defaults are per partition, and there are sixteen."""


class RowFiles(rocksdb.Store):
    """RocksDB, where a store that cannot be opened is thrown away: its rows come back from the changelog."""

    def _open_for_partition(self, partition: int) -> Any:
        try:
            return super()._open_for_partition(partition)
        except Exception as error:
            if not is_damage(error):
                raise
            folder = self.partition_path(partition)
            log.warning("a damaged store is made again from the changelog", folder=str(folder), error=str(error))
            shutil.rmtree(folder)
            return super()._open_for_partition(partition)


class RowTable(faust.Table[bytes, bytes]):
    """The grouper's table. Every write returns the future of its changelog record."""

    def _new_store(self) -> Any:
        return RowFiles(
            "rocksdb://", self.app, self, table_name=self.name, key_type=self.key_type, value_type=self.value_type,
            key_serializer=self.key_serializer, value_serializer=self.value_serializer, loop=self.loop,
            options=self.options,
        )  # fmt: skip

    def put(self, partition: int, key: bytes, row: bytes) -> Awaitable[Any]:
        """Write a row, once. Raises OversizedRow for one above the topic's limit (Faust would lose it in its buffer), Contradiction for other
        bytes under a number that has a row: a state that went wrong must end here, before it is written down.
        """
        known = self._db(partition).get(key)
        if known is not None and known != row:
            raise Contradiction(
                f"the row {key.decode()} stands already, with other bytes: the state is not what it was"
            )
        sent = self.send_again(partition, key, row)
        self._db(partition).put(key, row)
        return sent

    def send_again(self, partition: int, key: bytes, row: bytes) -> Awaitable[Any]:
        """Send the changelog record of a row that stands in the store."""
        if len(row) > LARGEST_INTERNAL:
            raise OversizedRow(f"the row {key.decode()} has {len(row):,} bytes, a record may have {LARGEST_INTERNAL:,}")
        return self.send_changelog(partition, key, row)

    def drop(self, partition: int, key: bytes) -> Awaitable[Any]:
        """Write a tombstone."""
        sent: Awaitable[Any] = self.send_changelog(partition, key, None)
        self._db(partition).delete(key)
        return sent

    def changelog_of(self, partition: int) -> TP:
        """The partition's changelog."""
        return TP(self.changelog_topic_name, partition)

    def of(self, partition: int) -> Partition:
        """The rows of one partition, to be read."""
        return Partition(self, partition)

    def _db(self, partition: int) -> Any:
        store: Any = self.data
        return store._db_for_partition(partition)  # noqa: SLF001  # there is no public way to one partition


class Partition:
    """One partition's rows, read-only."""

    def __init__(self, table: RowTable, partition: int) -> None:
        self._table = table
        self._partition = partition

    def get(self, key: bytes, /) -> bytes | None:
        value: bytes | None = self._table._db(self._partition).get(key)  # noqa: SLF001
        return value

    def values(self) -> Iterator[bytes]:
        """Every row, in no order that means anything."""
        store: Any = self._table.data
        for _, value in store._visible_items(self._table._db(self._partition)):  # noqa: SLF001
            yield value
