from __future__ import annotations

from collections.abc import Iterator
from typing import NoReturn

import pytest

from services.runtime import lifecycle


@pytest.fixture(autouse=True, scope="session")
def _a_service_under_test_cannot_end_the_tests() -> Iterator[None]:
    """`lifecycle.end` ends its process, which here is pytest's: it fails the test, or the thread, instead."""

    def exit_(code: int) -> NoReturn:
        raise AssertionError(f"the service under test ended the process with {code}")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lifecycle, "_exit", exit_)
        yield
