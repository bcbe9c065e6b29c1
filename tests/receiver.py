"""A real HTTP server on loopback that keeps what it is sent and answers as a test wants."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Receiver:
    """What arrived, in order: `bodies` and `headers`; `answer` decides each status code."""

    url: str = ""
    answer: Callable[[dict[str, Any]], int] = lambda _event: 204
    bodies: list[bytes] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def ids(self) -> list[str]:
        """The de-duplication ids, in the order of arrival."""
        return [json.loads(body)["id"] for body in self.bodies]

    @property
    def subjects(self) -> list[str]:
        """The subjects, in the order of arrival."""
        return [json.loads(body)["subject"] for body in self.bodies]


@contextmanager
def receiver() -> Iterator[Receiver]:
    """Serve until the block ends."""
    kept = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            with kept.lock:
                kept.bodies.append(body)
                kept.headers.append({key.lower(): value for key, value in self.headers.items()})
            code = kept.answer(json.loads(body))
            try:
                self.send_response(code)
                if code in (301, 302, 307, 308):
                    self.send_header("location", kept.url + "/elsewhere")
                self.send_header("content-length", "0")
                self.end_headers()
            except BrokenPipeError:
                self.close_connection = True

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            """A test's output is not a log."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    kept.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield kept
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
