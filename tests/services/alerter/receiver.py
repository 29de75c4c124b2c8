"""A real HTTP receiver for webhooks: keeps what it was sent and answers as it is told."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Post:
    """One request."""

    path: str
    headers: dict[str, str]
    body: bytes
    at: float


@dataclass
class Receiver:
    """`answers` gives status and headers by path and how often that was asked; by default 200."""

    answers: Callable[[str, int], tuple[int, dict[str, str]]] = lambda _path, _nth: (200, {})
    delay: Callable[[str], float] = lambda _path: 0.0
    posts: list[Post] = field(default_factory=list)
    url: str = ""

    def ids(self, path: str) -> list[str]:
        return [post.headers["webhook-id"] for post in self.posts if post.path == path]


@contextlib.contextmanager
def receiver(made: Receiver | None = None) -> Iterator[Receiver]:
    """A receiver on a port of its own."""
    here = made or Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            nth = sum(post.path == self.path for post in here.posts)
            here.posts.append(Post(self.path, {k.lower(): v for k, v in self.headers.items()}, body, time.time()))
            time.sleep(here.delay(self.path))
            status, headers = here.answers(self.path, nth)
            with contextlib.suppress(OSError):
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", "0")
                self.end_headers()

        def log_message(self, *_):
            """Not logged."""

    class Server(ThreadingHTTPServer):
        request_queue_size = 128

    server = Server(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    here.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield here
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
