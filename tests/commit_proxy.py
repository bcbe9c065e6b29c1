"""A proxy before the server that loses the reply to one COMMIT, in a way that a test chooses.

It reads the frontend's messages, so it acts on the very COMMIT: of the connection whose
`application_name` was named, since a publication opens several.
"""

from __future__ import annotations

import socket
import struct
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from psycopg.conninfo import conninfo_to_dict, make_conninfo

from tidegate.warehouse import Warehouse

BEFORE = "before"
"""The COMMIT never reaches the server."""
AFTER = "after"
"""The server has committed; its reply never reaches the client."""
MEANWHILE = "meanwhile"
"""The client is cut off as soon as the server has been asked to commit."""


class CommitProxy:
    """Listens on a Unix socket of its own and passes everything on, but for one COMMIT."""

    def __init__(self, warehouse: Warehouse, folder: Path, application: str, when: str) -> None:
        self.lost = 0
        self.refuses = False
        """Whether no connection is taken any more once the reply was lost."""
        self._server = conninfo_to_dict(warehouse.conninfo)
        self._application = application.encode()
        self._when = when
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(folder / ".s.PGSQL.5432"))
        self._listener.listen()
        self.warehouse = Warehouse(
            make_conninfo(warehouse.conninfo, host=str(folder), port=5432), "test"
        )
        self._sockets = [self._listener]
        self._threads: list[threading.Thread] = []
        self._begin(self._accept)

    def close(self) -> None:
        """End every connection and wait for the threads."""
        for which in list(self._sockets):
            _shut(which)
        for thread in list(self._threads):
            thread.join(timeout=60)

    def _begin(self, target: Callable[..., None], *args: Any) -> None:
        thread = threading.Thread(target=target, args=args, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            if self.refuses and self.lost:
                client.close()
                continue
            server = self._connect()
            self._sockets += [client, server]
            self._begin(self._from_client, client, server)

    def _connect(self) -> socket.socket:
        host, port = str(self._server.get("host") or ""), int(self._server.get("port") or 5432)
        if host.startswith("/"):
            server = socket.socket(socket.AF_UNIX)
            server.connect(f"{host}/.s.PGSQL.{port}")
            return server
        return socket.create_connection((host, port))

    def _from_client(self, client: socket.socket, server: socket.socket) -> None:
        watched = False
        replies = threading.Event()
        """Set once the reply to COMMIT may not be passed on."""
        answered = threading.Event()
        self._begin(_to_client, server, client, replies, answered)
        with suppress(OSError):
            while True:
                startup = _startup(client)
                if startup is None:
                    break
                server.sendall(startup)
                if startup[4:8] != struct.pack("!I", 80877103):  # not a question about TLS
                    watched = b"application_name\0" + self._application + b"\0" in startup
                    break
            while message := _message(client):
                if watched and message[:1] == b"Q" and message[5:].upper().startswith(b"COMMIT"):
                    self.lost += 1
                    self._lose(server, message, replies, answered)
                    break
                server.sendall(message)
        _shut(client)
        if self._when != MEANWHILE or not watched:
            _shut(server)

    def _lose(
        self,
        server: socket.socket,
        message: bytes,
        replies: threading.Event,
        answered: threading.Event,
    ) -> None:
        if self._when == BEFORE:
            return
        replies.set()
        server.sendall(message)
        if self._when == AFTER:
            assert answered.wait(timeout=60)


def _to_client(
    server: socket.socket, client: socket.socket, lose: threading.Event, answered: threading.Event
) -> None:
    with suppress(OSError):
        while data := server.recv(65536):
            if lose.is_set():
                answered.set()
                continue
            client.sendall(data)
    if not lose.is_set():
        _shut(client)


def _startup(client: socket.socket) -> bytes | None:
    head = _exactly(client, 4)
    return head + _exactly(client, struct.unpack("!I", head)[0] - 4) if head else None


def _message(client: socket.socket) -> bytes:
    head = _exactly(client, 5)
    return head + _exactly(client, struct.unpack("!I", head[1:])[0] - 4) if head else b""


def _exactly(client: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        more = client.recv(size - len(data))
        if not more:
            return b""
        data += more
    return data


def _shut(which: socket.socket) -> None:
    with suppress(OSError):
        which.shutdown(socket.SHUT_RDWR)
    which.close()


@contextmanager
def commit_proxy(warehouse: Warehouse, application: str, when: str) -> Iterator[CommitProxy]:
    """A proxy for the block; its `warehouse` is the one to publish through."""
    with tempfile.TemporaryDirectory(prefix="tidegate-proxy-") as folder:
        proxy = CommitProxy(warehouse, Path(folder), application, when)
        try:
            yield proxy
        finally:
            proxy.close()
