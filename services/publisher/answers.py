"""What push answers and remembers: problems as RFC 9457 has them, answers by their Idempotency-Key, and how much may wait."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any, Final

import orjson
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from services.runtime import metrics

RETRY_AFTER: Final = 5
REMEMBERED: Final = 10_000
"""Answers that are kept for their Idempotency-Key, and for how many seconds."""
REMEMBERED_FOR: Final = 86_400.0


class Problem(Exception):
    """An answer that is no: status, a code for machines, a sentence for people."""

    def __init__(self, status: int, code: str, detail: str, **more: Any) -> None:
        super().__init__(detail)
        self.status = status
        self.code = code
        self.detail = detail
        self.more = more


class Waiting:
    """A bounded count of bytes; thread-safe. One request of any size may always enter."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._now = 0
        self._lock = threading.Lock()

    def enter(self, size: int) -> bool:
        with self._lock:
            if self._now and self._now + size > self._most:
                return False
            self._now += size
            return True

    def leave(self, size: int) -> None:
        with self._lock:
            self._now -= size


class Countdown:
    """Calls `end` when everybody has left; begins with one. Thread-safe."""

    def __init__(self, end: Callable[[], None]) -> None:
        self._end = end
        self._left = 1
        self._lock = threading.Lock()

    def more(self) -> None:
        with self._lock:
            self._left += 1

    def less(self) -> None:
        with self._lock:
            self._left -= 1
            over = self._left == 0
        if over:
            self._end()


class Answers:
    """What was answered for each Idempotency-Key, the youngest last. `clock` in seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._known: OrderedDict[tuple[bytes, str], tuple[float, bytes, tuple[int, bytes] | None]] = OrderedDict()

    def begin(self, name: tuple[bytes, str], content: bytes) -> tuple[int, bytes] | None:
        """The answer of before; None where the work is now to be done. Raises Problem where neither can be."""
        with self._lock:
            now = self._clock()
            while self._known and (
                len(self._known) >= REMEMBERED or next(iter(self._known.values()))[0] < now - REMEMBERED_FOR
            ):
                self._known.popitem(last=False)
            before = self._known.get(name)
            if before is None:
                self._known[name] = (now, content, None)
                return None
        _, known, answer = before
        if known != content:
            raise Problem(422, "idempotency_key_reused", "this Idempotency-Key came with another body before")
        if answer is None:
            raise Problem(
                409, "in_progress", "the first request with this Idempotency-Key is being worked on", retry_after=1
            )
        return answer

    def end(self, name: tuple[bytes, str], answer: tuple[int, bytes] | None) -> None:
        """Keep the answer; without one the key is free again."""
        with self._lock:
            if answer is None:
                self._known.pop(name, None)
            elif name in self._known:
                at, content, _ = self._known[name]
                self._known[name] = (at, content, answer)


# -- as HTTP -----------------------------------------------------------------------------------------------------------


def too_large(most: int) -> Problem:
    return Problem(413, "too_large", f"a request may hold {most:,} bytes")


def broker_away() -> Problem:
    return Problem(503, "broker_away", "the log cannot take it now; send the same request again")


def problem_response(problem: Problem) -> Response:
    """RFC 9457."""
    more = dict(problem.more)
    headers = {}
    if problem.status in (429, 503, 409):
        headers["Retry-After"] = str(more.pop("retry_after", RETRY_AFTER))
    if problem.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    body = {
        "type": f"urn:writethru:problem:{problem.code}", "title": problem.code.replace("_", " "), "status": problem.status,
        "detail": problem.detail, **more,
    }  # fmt: skip
    return respond(problem.status, orjson.dumps(body), "application/problem+json", headers)


def respond(
    status: int, body: bytes, kind: str = "application/json", headers: Mapping[str, str] | None = None
) -> Response:
    metrics.PUSHED.labels(str(status)).inc()
    return Response(body, status, headers, kind)


def refused_by_router(_request: Request, error: Exception) -> Response:
    """What the router has to say: no such path, no such method."""
    assert isinstance(error, HTTPException)
    code = {404: "not_found", 405: "method_not_allowed"}.get(error.status_code, "refused")
    answer = problem_response(Problem(error.status_code, code, "there is POST /v1/articles"))
    answer.headers.update(error.headers or {})
    return answer


def broken(_request: Request, _error: Exception) -> Response:
    """A bug of ours; starlette raises it again for the log."""
    return problem_response(Problem(500, "bug", "this is our fault; the log says more"))
