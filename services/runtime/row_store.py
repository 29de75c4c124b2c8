"""Rows as their bytes, with the latest ones decoded: a story's rows are read again with each of its articles."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final, Protocol

from services.contract.codec import decode
from services.core.grouping.row import Row

CACHED_ROWS: Final = 2_048


class ByteStore(Protocol):
    """Where the bytes are: the table's RocksDB, or a dict."""

    def get(self, key: bytes, /) -> bytes | None: ...


class DecodedRows:
    """Looks up rows of one edition by input id. It reads only; the owner of the bytes tells it what was written."""

    def __init__(self, edition: int, stored: ByteStore) -> None:
        self._edition = edition
        self._stored = stored
        self._decoded: OrderedDict[str, Row] = OrderedDict()

    def __call__(self, input_id: str) -> Row | None:
        row = self._decoded.get(input_id)
        if row is not None:
            self._decoded.move_to_end(input_id)
            return row
        data = self._stored.get(row_key(self._edition, input_id))
        return self.wrote(decode(data, Row)) if data is not None else None

    def wrote(self, row: Row) -> Row:
        """A row was written, or read: keep it at hand."""
        self._decoded[row.input_id] = row
        if len(self._decoded) > CACHED_ROWS:
            self._decoded.popitem(last=False)
        return row

    def dropped(self, input_id: str) -> None:
        """A row is gone."""
        self._decoded.pop(input_id, None)


def row_key(edition: int, input_id: str) -> bytes:
    """A row's key in the table. It names the edition: a tombstone reaches every partition's store."""
    return f"{edition}:{input_id}".encode()
