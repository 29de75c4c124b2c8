"""Rows as their bytes, with the latest ones decoded: a story's rows are read again with each of its articles."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final, Protocol

from services.contract.codec import decode_row
from services.core.grouping.row import Row

CACHED_ROWS: Final = 2_048


class ByteStore(Protocol):
    """Where the bytes are: the table's RocksDB, or a dict."""

    def get(self, key: bytes, /) -> bytes | None: ...


class RowStore:
    """The rows of one edition, by decision number and by input id. It reads only: its owner says what was written.

    The key is the number, not the input: an input that comes again after its row has left the window gets a new row, and
    the old one is needed until no restart can go back to it.
    """

    def __init__(self, edition: int, stored: ByteStore) -> None:
        self._edition = edition
        self._stored = stored
        self._numbers: dict[str, int] = {}
        self._decoded: OrderedDict[int, Row] = OrderedDict()

    def __call__(self, input_id: str) -> Row | None:
        """The live row of an input."""
        number = self._numbers.get(input_id)
        return self.by_number(number) if number is not None else None

    def by_number(self, number: int) -> Row | None:
        """The row with this number, live or not."""
        row = self._decoded.get(number)
        if row is not None:
            self._decoded.move_to_end(number)
            return row
        data = self._stored.get(self.key(number))
        return self._keep(decode_row(data)) if data is not None else None

    def key(self, number: int) -> bytes:
        """A row's key in the table; the keys of an edition sort in decision order.

        It names the edition: a tombstone reaches every partition's store.
        """
        return f"{self._edition}:{number:012d}".encode()

    def wrote(self, row: Row) -> None:
        """The row is in the table, and live."""
        self._numbers[row.input_id] = row.number
        self._keep(row)

    def expired(self, input_id: str) -> int:
        """The row has left the window; returns its number, for the tombstone."""
        number = self._numbers.pop(input_id)
        self._decoded.pop(number, None)
        return number

    def _keep(self, row: Row) -> Row:
        self._decoded[row.number] = row
        if len(self._decoded) > CACHED_ROWS:
            self._decoded.popitem(last=False)
        return row
