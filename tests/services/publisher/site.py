"""A site on the loopback that answers as it is told and remembers what it was asked."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Page:
    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


@dataclass
class Site:
    """Pages by path; a page may be a function of the request's headers. What is not there is 404."""

    url: str = ""
    pages: dict[str, Page | Callable[[dict[str, str]], Page]] = field(default_factory=dict)
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)

    @property
    def paths(self) -> list[str]:
        return [path for path, _ in self.asked]


@contextlib.contextmanager
def site() -> Iterator[Site]:
    made = Site()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            headers = {name.casefold(): value for name, value in self.headers.items()}
            made.asked.append((self.path, headers))
            page = made.pages.get(self.path, Page(status=404))
            page = page(headers) if callable(page) else page
            self.send_response(page.status)
            for name, value in {"Content-Length": str(len(page.body)), **page.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            if page.status != 304:
                with contextlib.suppress(OSError):  # who asked has seen enough
                    self.wfile.write(page.body)

        def log_message(self, *args: Any) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    made.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield made
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
