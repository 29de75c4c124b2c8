"""/healthz, /readyz and /metrics of a service, served from a thread of their own.

A busy or hung main loop must not take the probe with it: it must show. The loop calls `beat`; a heart that has not beaten
for `SILENT_AFTER` seconds turns /healthz red.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

import orjson
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from services.runtime import metrics
from services.runtime.lifecycle import Stop

SILENT_AFTER: Final = 60.0
DEAD_AFTER: Final = 90.0
STOPS_WITHIN: Final = 15.0
GUARD_EVERY: Final = 1.0


class Health:
    """What a service says of itself: alive while its loop beats, ready once it works, and why not."""

    def __init__(self, service: str) -> None:
        self.service = service
        self._waits_for: str | None = "starting"
        self._unwell: str | None = None
        self._beat = time.monotonic()
        self._server: ThreadingHTTPServer | None = None
        metrics.READY.labels(service).set(0)

    def beat(self) -> None:
        """The loop goes round."""
        self._beat = time.monotonic()

    def waits(self, why: str) -> None:
        """Not ready, and why."""
        self._waits_for = why
        metrics.READY.labels(self.service).set(0)
        self.beat()

    def ready(self) -> None:
        """Doing its work."""
        self._waits_for = None
        metrics.READY.labels(self.service).set(1)
        self.beat()

    def unwell(self, why: str) -> None:
        """Something is wrong that has not ended the process yet: /healthz is red, and says why."""
        self._unwell = why

    def well(self) -> None:
        """It has passed."""
        self._unwell = None

    @property
    def state(self) -> dict[str, Any]:
        """What /healthz and /readyz answer."""
        silent = time.monotonic() - self._beat
        return {
            "service": self.service,
            "alive": silent < SILENT_AFTER and self._unwell is None,
            "ready": self._waits_for is None,
            "waits_for": self._waits_for,
            "unwell": self._unwell,
            "last_beat_seconds": round(silent, 1),
        }

    @contextmanager
    def guard(self, stop: Stop, end: Callable[[str], None], dead_after: float | None = None) -> Iterator[None]:
        """Within, call `end` from a thread when the heart is silent for `dead_after` (`DEAD_AFTER`) s, or `STOPS_WITHIN` once stop is asked.

        kafka-python can wait for a lost broker without a limit, and takes no notice of a signal meanwhile.
        """
        over = threading.Event()

        def watch() -> None:
            while not over.wait(GUARD_EVERY):
                silent = time.monotonic() - self._beat
                if silent > (STOPS_WITHIN if stop.asked else DEAD_AFTER if dead_after is None else dead_after):
                    end(f"nothing moved for {silent:.0f} s: a client waits for the broker without end")
                    return

        threading.Thread(target=watch, name="guard", daemon=True).start()
        try:
            yield
        finally:
            over.set()

    def serve(self, address: tuple[str, int]) -> int | None:
        """Answer on `address` from now on; returns the port, None where port 0 asks for no server.

        Raises OSError where the address is taken.
        """
        if address[1] == 0:
            return None
        self._server = ThreadingHTTPServer(address, _handler(self))
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, name="health", daemon=True).start()
        return int(self._server.server_address[1])

    def close(self) -> None:
        """Stop answering."""
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()


def _handler(health: Health) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        timeout = 5  # a client that sends nothing must not hold a thread

        def do_GET(self) -> None:
            path = self.path.partition("?")[0]
            if path == "/metrics":
                self._answer(200, generate_latest(), CONTENT_TYPE_LATEST)
            elif path in ("/healthz", "/readyz"):
                state = health.state
                good = state["alive"] and (path == "/healthz" or state["ready"])
                self._answer(200 if good else 503, orjson.dumps(state), "application/json")
            else:
                self._answer(404, b'{"error": "there are /healthz, /readyz and /metrics"}', "application/json")

        def _answer(self, status: int, body: bytes, content_type: str) -> None:
            self.send_response(status)
            self.send_header("Content-Type", content_type)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # the base class names it so
            """Probes come every few seconds: not logged."""

    return Handler
