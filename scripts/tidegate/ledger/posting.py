"""One HTTP POST with an end: whatever the other side does, it is over when its time is.

A time limit of a socket is one of each read: a receiver that sends a byte now and then would hold
the event, and its transaction, for ever. So the connection is shut down when the whole time is up.
"""

from __future__ import annotations

import contextlib
import errno
import http.client
import socket
import ssl
import threading
import urllib.error
import urllib.request
from collections.abc import Mapping
from typing import Any


def post(url: str, headers: Mapping[str, str], body: bytes, seconds: float) -> str | None:
    """Send `body`; None where it was taken (2xx), else the kind of failure.

    The answer's body is not read, and a redirect is not followed: it would arrive as a GET without
    the event.
    """
    try:
        # The scheme was checked when the configuration was read.
        request = urllib.request.Request(url, body, dict(headers), method="POST")  # noqa: S310
        with _Limit(seconds) as limit:
            opener = urllib.request.build_opener(_NoRedirect, _Http(limit), _Https(limit))
            try:
                with opener.open(request, timeout=seconds):
                    return "timeout" if limit.over.is_set() else None
            except (OSError, http.client.HTTPException) as error:
                return "timeout" if limit.over.is_set() else _failure(error)
    except ValueError:
        # A header or an address that HTTP cannot carry, such as a token with a line end.
        return "invalid_request"


def _failure(error: Exception) -> str:
    if isinstance(error, urllib.error.HTTPError):
        error.close()
        return f"http_{error.code}"
    if isinstance(error, urllib.error.URLError):
        return failure_kind(error.reason)
    return failure_kind(error)


def failure_kind(error: object) -> str:
    """A failure of the network or the disk in one word."""
    if isinstance(error, TimeoutError):
        return "timeout"
    if isinstance(error, ssl.SSLError):
        return "tls"
    if isinstance(error, socket.gaierror):
        return "unknown_host"
    if isinstance(error, OSError) and error.errno:
        return errno.errorcode.get(error.errno, "oserror").lower()
    return type(error).__name__.lower()


class _Limit:
    """Shuts the connection down when the time is up; `over` says whether it was."""

    def __init__(self, seconds: float) -> None:
        self.over = threading.Event()
        self._sock: socket.socket | None = None
        self._timer = threading.Timer(seconds, self._end)
        self._timer.daemon = True

    def __enter__(self) -> _Limit:
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()

    def watch(self, sock: socket.socket) -> None:
        """This is the connection; refuse it where the time was up before it stood."""
        self._sock = sock
        if self.over.is_set():
            raise TimeoutError

    def _end(self) -> None:
        self.over.set()
        if self._sock is not None:
            with contextlib.suppress(OSError):
                # The plain socket's: that of TLS would first drop its state under a reader.
                socket.socket.shutdown(self._sock, socket.SHUT_RDWR)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any, **__: Any) -> None:
        """Take no redirect: the answer counts as it is."""


class _Http(urllib.request.HTTPHandler):
    def __init__(self, limit: _Limit) -> None:
        super().__init__()
        self._limit = limit

    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        """Open a connection that the limit can end."""
        limit = self._limit

        class Connection(http.client.HTTPConnection):
            def connect(self) -> None:
                super().connect()
                limit.watch(self.sock)

        return self.do_open(Connection, req)


class _Https(urllib.request.HTTPSHandler):
    def __init__(self, limit: _Limit) -> None:
        super().__init__()
        self._limit = limit

    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        """Open a connection that the limit can end."""
        limit = self._limit

        class Connection(http.client.HTTPSConnection):
            def connect(self) -> None:
                super().connect()
                limit.watch(self.sock)

        return self.do_open(Connection, req)
