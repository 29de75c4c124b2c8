"""`POST /v1/articles`: any format, one input or many, from senders who hold a key.

202 says that the broker has acknowledged what the results call accepted. 503 says that nothing is promised: the same request again
is safe, whatever became of the first one, because an input that comes twice has the same id.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import threading
import time
import zlib
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

import orjson
from kafka.errors import KafkaError
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from services.core.article import Article
from services.core.errors import RejectedInput
from services.core.wire import Parsed, parse
from services.core.wire.limits import Limits
from services.publisher.answers import (
    Answers,
    Countdown,
    Problem,
    Waiting,
    broken,
    broker_away,
    problem_response,
    refused_by_router,
    respond,
    too_large,
)
from services.publisher.inlet import Inlet, prepare
from services.publisher.inputs import Input, opened
from services.runtime import metrics
from services.runtime.archive import SIDECAR
from services.runtime.containers import is_packed, printable
from services.runtime.logs import logger

log = logger(__name__)

BATCH: Final = 4
"""Times the largest input that a request may hold."""
AT_ONCE: Final = 16
"""Requests that are worked on together; more are told to come again."""
BODY_SECONDS: Final = 60.0
"""For a request's body to arrive."""
BROKER_SECONDS: Final = 10.0
"""For the broker to acknowledge all of a request; the producer goes on trying, and what it delivers later is known by its id."""
MOST_WAITING: Final = 64 * 1024 * 1024
"""Bytes of requests that the broker has not acknowledged, over all senders: the client itself would buffer without end."""
LONGEST_KEY: Final = 255
MOST_PARTS: Final = 1_000
LINES: Final = frozenset(
    {
        "application/x-ndjson",
        "application/ndjson",
        "application/jsonl",
        "application/x-jsonlines",
        "application/json-lines",
    }
)
"""One JSON item a line."""
UNREAD: Final = ("image/", "audio/", "video/", "font/", "model/")
UNREAD_TYPES: Final = frozenset({
    "application/pdf", "application/x-www-form-urlencoded", "application/x-7z-compressed", "application/vnd.rar",
    "application/x-rar-compressed", "application/x-bzip2", "application/x-xz", "application/zstd",
})  # fmt: skip
"""Archives are read as .zip, .tar, .tar.gz and .gz, told by their first bytes."""


@dataclass(slots=True)
class Sender:
    """Who may push: the digest of their key, and their way onto the log."""

    digest: bytes
    inlet: Inlet
    lock: threading.Lock = field(default_factory=threading.Lock)


def sender(key: str, inlet: Inlet) -> Sender:
    """Who holds `key`."""
    return Sender(hashlib.sha256(key.encode()).digest(), inlet)


class Reception:
    """Takes requests in. `stopping` is asked before each; `clock` tells when an item came.

    `lost` is told when the producer has given a record up: it may be of no use after that.
    """

    def __init__(
        self, senders: Sequence[Sender], limits: Limits, *, clock: Callable[[], datetime],
        stopping: Callable[[], bool] = lambda: False, lost: Callable[[BaseException], None] = lambda _: None,
    ) -> None:  # fmt: skip
        self._senders = senders
        self._limits = limits
        self._clock = clock
        self._stopping = stopping
        self._lost = lost
        self._waiting = Waiting(MOST_WAITING)
        self._free = threading.BoundedSemaphore(AT_ONCE)
        self._answers = Answers()

    @property
    def app(self) -> Starlette:
        """The application that a server runs."""
        routes = [Route("/v1/articles", self.post, methods=["POST"])]
        return Starlette(routes=routes, exception_handlers={HTTPException: refused_by_router, Exception: broken})

    async def post(self, request: Request) -> Response:
        """One request: who sends it, what is in it, what it came to."""
        try:
            status, answer = await self._answer(request)
        except Problem as problem:
            return problem_response(problem)
        return respond(status, answer)

    async def _answer(self, request: Request) -> tuple[int, bytes]:
        who = self._who(request)
        if self._stopping():
            raise Problem(503, "stopping", "the service is stopping; send it again")
        if who.inlet.rate.behind() > 0:
            wait = max(1, round(who.inlet.rate.behind()))
            raise Problem(429, "too_fast", f"this key may send {who.inlet.feed.rate}", retry_after=wait)
        kind = _content_type(request)
        if not self._free.acquire(blocking=False):
            raise Problem(503, "busy", f"{AT_ONCE} requests are being worked on; send it again", retry_after=1)
        try:
            data = await self._body(request)
            inputs = await self._inputs(request, kind, data)
            return await run_in_threadpool(self._once, who, request.headers.get("idempotency-key"), inputs)
        finally:
            self._free.release()

    # -- the request ---------------------------------------------------------------------------------------------------

    def _who(self, request: Request) -> Sender:
        """The sender whose key it is. All keys are compared, each in the same time: how long it takes tells nothing."""
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        given = token.strip() if scheme.casefold() == "bearer" else request.headers.get("x-api-key", "")
        digest = hashlib.sha256(given.encode("utf-8", "replace")).digest()
        found = [one for one in self._senders if hmac.compare_digest(one.digest, digest)]
        if not found:
            raise Problem(
                401, "unauthorized", "send a key that is known, as `Authorization: Bearer KEY` or `X-API-Key: KEY`"
            )
        return found[0]

    async def _body(self, request: Request) -> bytes:
        """The whole body, unpacked, within the limits of size and time."""
        most = self._limits.item * BATCH
        coding = request.headers.get("content-encoding", "identity").strip().casefold()
        if coding not in ("identity", "gzip"):
            raise Problem(415, "unsupported_encoding", f"Content-Encoding {coding[:40]!r}; there are identity and gzip")
        stated = request.headers.get("content-length", "")
        if stated.isdigit() and int(stated[:18]) > most:
            raise too_large(most)
        inflate = zlib.decompressobj(wbits=31) if coding == "gzip" else None
        parts: list[bytes] = []
        size = 0
        try:
            async with asyncio.timeout(BODY_SECONDS):
                async for chunk in request.stream():
                    plain = inflate.decompress(chunk, most + 1 - size) if inflate else chunk
                    size += len(plain)
                    if size > most:
                        raise too_large(most)
                    parts.append(plain)
        except TimeoutError:
            raise Problem(408, "too_slow", f"the body did not arrive within {BODY_SECONDS:.0f} s") from None
        except ClientDisconnect:
            raise Problem(400, "incomplete", "the body ended before its end") from None
        except zlib.error as error:
            raise Problem(400, "broken_gzip", str(error)) from None
        return b"".join(parts)

    async def _inputs(self, request: Request, kind: str, data: bytes) -> list[Input]:
        """What the request holds, one by one."""
        if kind == "multipart/form-data":
            return await self._parts(request, data)
        if kind in LINES:
            if data.count(b"\n") > 2 * self._limits.items:
                raise Problem(413, "too_large", f"a batch may hold {self._limits.items:,} items")
            lines = ((number, line) for number, line in enumerate(data.split(b"\n"), 1) if line.strip())
            return [Input(f"line {number}", line, format="json") for number, line in lines]
        if len(data) > self._limits.item and not is_packed(data[:512]):
            raise too_large(self._limits.item)
        given = request.query_params.get("name", "").strip()
        name = printable(given)[:200] if given else f"push-{hashlib.sha256(data).hexdigest()[:16]}"
        return [Input(name, data)]

    async def _parts(self, request: Request, data: bytes) -> list[Input]:
        """The files of a form; NAME.meta.yaml is the sidecar of NAME."""

        async def whole() -> AsyncGenerator[bytes, None]:
            yield data

        parser = MultiPartParser(request.headers, whole(), max_files=MOST_PARTS, max_fields=0)
        try:
            form = await parser.parse()
        except (MultiPartException, KeyError, ValueError) as error:
            raise Problem(
                400, "broken_form", getattr(error, "message", "") or f"no form that can be read: {error}"
            ) from None
        try:
            files = [
                (printable(one.filename or "")[:200], await one.read())
                for _, one in form.multi_items()
                if isinstance(one, UploadFile)
            ]
        finally:
            await form.close()
        beside = {name: content for name, content in files if name.endswith(SIDECAR)}
        found = []
        for name, content in files:
            if name not in beside:
                stem = name.rpartition(".")[0] or name
                sidecar = beside.get(name + SIDECAR, beside.get(stem + SIDECAR))
                found.append(Input(name or f"push-{hashlib.sha256(content).hexdigest()[:16]}", content, sidecar))
        return found

    # -- its work ------------------------------------------------------------------------------------------------------

    def _once(self, who: Sender, key: str | None, inputs: list[Input]) -> tuple[int, bytes]:
        """The work, or the answer that was given for the same key before."""
        if key is None:
            return self._work(who, inputs)
        if not 0 < len(key) <= LONGEST_KEY:
            raise Problem(400, "bad_idempotency_key", f"an Idempotency-Key has 1 to {LONGEST_KEY} characters")
        name, content = (who.digest, key), _digest(inputs)
        before = self._answers.begin(name, content)
        if before is not None:
            return before
        answer = None
        try:
            answer = self._work(who, inputs)
        finally:
            self._answers.end(name, answer)
        return answer

    def _work(self, who: Sender, inputs: list[Input]) -> tuple[int, bytes]:
        results: list[dict[str, Any]] = []
        sent: list[Any] = []
        inputs = list(opened(inputs, self._limits, self._limits.item * BATCH))
        size = sum(len(one.data) for one in inputs)
        if not self._waiting.enter(size):
            raise broker_away()
        last = Countdown(lambda: self._waiting.leave(size))

        def given_up(error: BaseException) -> None:
            last.less()
            self._lost(error)

        try:
            for one in inputs:
                results += self._take(who, one, sent)
            for future in sent:
                last.more()
                future.add_callback(lambda _: last.less())
                future.add_errback(given_up)
            until = time.monotonic() + BROKER_SECONDS
            for future in sent:
                future.get(timeout=max(0.001, until - time.monotonic()))
        except KafkaError as error:
            log.warning("the broker does not take what is pushed", feed=who.inlet.name, error=repr(error))
            raise broker_away() from error
        finally:
            last.less()
        count = {
            status: sum(one["status"] == status for one in results) for status in ("accepted", "rejected", "skipped")
        }
        who.inlet.watch.heard(count["accepted"])
        for status, number in count.items():
            metrics.FEED_ITEMS.labels(who.inlet.name, status).inc(number)
        if not results:
            raise Problem(422, "empty", "the request holds no input")
        if count["rejected"] and not count["accepted"]:
            first = next(one for one in results if one["status"] == "rejected")
            raise Problem(422, first["reason"], first["detail"], results=results)
        return 202, orjson.dumps({**count, "results": results})

    def _take(self, who: Sender, one: Input, sent: list[Any]) -> list[dict[str, Any]]:
        """One input onto its way. Raises KafkaError."""
        inlet = who.inlet
        if one.known is not None:
            parsed = one.known
        elif len(one.data) > self._limits.item:
            error = RejectedInput(
                "too_large", f"{len(one.data):,} bytes, an input may hold {self._limits.item:,}", source=one.name
            )
            parsed = Parsed(rejected=(error,))
        else:
            parsed = parse(
                one.data, source=one.name, format=one.format, provider=inlet.feed.provider, sidecar=one.sidecar,
                limits=self._limits,
            )  # fmt: skip
        ready = prepare(parsed, inlet.feed, near=self._clock())
        results: list[dict[str, Any]] = []
        refused = list(ready.rejected)
        with who.lock:  # two requests of one sender do not mix their items
            for item in ready.articles:
                record = inlet.publisher.stamped(item)
                try:
                    sent.append(inlet.publisher.send(record))
                except RejectedInput as error:
                    refused.append(error)
                    continue
                known = (
                    {
                        "uri": record.uri,
                        "version": record.version,
                        "provider": record.provider,
                        "input": record.input_id,
                    }
                    if isinstance(record, Article)
                    else {"command": record.id}
                )
                results.append({"status": "accepted", "source": one.name, **known})
            for refusal in refused:
                refusal.data = one.data if refusal.data is None else refusal.data
                refusal.sidecar = refusal.sidecar or one.sidecar
                inlet.publisher.reject(refusal, inlet.feed.provider)
        inlet.rate.delay(len(results))
        results += [
            {
                "status": "rejected",
                "source": one.name,
                "reason": error.reason,
                "detail": error.detail,
                "position": error.position,
            }
            for error in refused
        ]
        results += [
            {"status": "skipped", "source": one.name, "kind": left.kind, "uri": left.uri} for left in ready.skipped
        ]
        return results


def _content_type(request: Request) -> str:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().casefold()
    if kind.startswith(UNREAD) or kind in UNREAD_TYPES:
        raise Problem(
            415,
            "unsupported_media_type",
            f"{kind}: send the items themselves, in any wire format; several as multipart/form-data, or as .zip or .tar.gz",
        )
    return kind


def _digest(inputs: list[Input]) -> bytes:
    """Of what a request holds: a form that is sent again has another boundary."""
    known = hashlib.sha256()
    for one in inputs:
        for part in (one.name.encode("utf-8", "surrogatepass"), one.data, one.sidecar or b""):
            known.update(b"%d:" % len(part) + part)
    return known.digest()
