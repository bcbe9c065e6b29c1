"""Each kind of sink takes an event whole, or says in a word why not."""

from __future__ import annotations

import errno
import fcntl
import http.client
import io
import json
import os
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timezone
from pathlib import Path
from uuid import UUID

import pytest

from tidegate.ledger.outbox_config import AppendFile, Command, Webhook
from tidegate.ledger.sinks import Event, send

EVENT = Event(
    UUID(int=7), 3, "a.b", "prices", "market", None, {"name": "é"},
    datetime(2026, 1, 2, tzinfo=timezone.utc), 0,
)  # fmt: skip


def append(folder: Path, path: str = "events.jsonl") -> str | None:
    return send(AppendFile(type="file", path=path), EVENT, timeout=5, project_dir=folder)


def post(folder: Path, url: str, timeout: float = 5, **headers: str) -> str | None:
    named = {name.replace("_", "-"): name.upper() for name in headers}
    sink = Webhook(type="webhook", url=url, headers_env=named)
    environ = {name.upper(): value for name, value in headers.items()}
    return send(sink, EVENT, timeout=timeout, project_dir=folder, environ=environ)


def command(folder: Path, *code: str, timeout: float = 30) -> str | None:
    argv = (sys.executable, "-c", *code)
    return send(Command(type="command", argv=argv), EVENT, timeout=timeout, project_dir=folder)


def test_a_file_gets_one_json_line_an_event(tmp_path: Path) -> None:
    """The path is relative to the project."""
    assert append(tmp_path) is None
    assert append(tmp_path) is None
    lines = (tmp_path / "events.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["id"] for line in lines] == [str(UUID(int=7))] * 2
    assert json.loads(lines[0])["data"] == {"name": "é"}


def test_a_line_that_was_torn_by_a_crash_does_not_swallow_the_next(tmp_path: Path) -> None:
    """The rest of the dead writer's line ends where the new one begins."""
    path = tmp_path / "events.jsonl"
    path.write_bytes(b'{"specversion":"1.')
    assert append(tmp_path) is None
    torn, whole = path.read_bytes().splitlines()
    assert torn == b'{"specversion":"1.'
    assert json.loads(whole)["id"] == str(UUID(int=7))


def test_a_line_that_does_not_fit_on_the_disk_is_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is reported as sent before it is on disk, and no half of it stays."""
    assert append(tmp_path) is None
    before = (tmp_path / "events.jsonl").read_bytes()
    write = os.write

    def fill(descriptor: int, data: bytes) -> int:
        if len(data) < 20:
            raise OSError(errno.ENOSPC, "full")
        return write(descriptor, data[: len(data) // 2])

    monkeypatch.setattr(os, "write", fill)
    assert append(tmp_path) == "file_enospc"
    assert (tmp_path / "events.jsonl").read_bytes() == before


def test_a_folder_that_is_not_there_is_a_failure(tmp_path: Path) -> None:
    """The folder is the operator's to make."""
    assert append(tmp_path, "no/such/folder/events.jsonl") == "file_enoent"


def test_a_command_reads_the_event_and_its_id(tmp_path: Path) -> None:
    """The event is on standard input, the id also in the environment; it runs in the project."""
    code = (
        "import os, sys; open('got', 'w').write(os.environ['TIDEGATE_EVENT_ID'] + '\\n'"
        " + sys.stdin.buffer.read().decode())"
    )
    assert command(tmp_path, code) is None
    event_id, body, *rest = (tmp_path / "got").read_text(encoding="utf-8").split("\n")
    assert (event_id, json.loads(body)["id"], rest) == (str(UUID(int=7)), str(UUID(int=7)), [""])


def test_a_command_that_fails_or_is_missing_is_a_failure(tmp_path: Path) -> None:
    """By exit code; a program that reads nothing and fails is told the same way."""
    assert command(tmp_path, "raise SystemExit(3)") == "command_exit_3"
    missing = Command(type="command", argv=("./no-such-program",))
    assert send(missing, EVENT, timeout=5, project_dir=tmp_path) == "command_enoent"


def test_a_command_that_does_not_end_is_killed_with_what_it_started(tmp_path: Path) -> None:
    """Its child, which would hold on to the event, ends as well."""
    os.mkfifo(tmp_path / "alive")
    reader = os.open(tmp_path / "alive", os.O_RDONLY | os.O_NONBLOCK)
    script = "exec 3> alive; sleep 600 >&3 & sleep 600"
    sink = Command(type="command", argv=("sh", "-c", script))
    assert send(sink, EVENT, timeout=1, project_dir=tmp_path) == "timeout"
    os.set_blocking(reader, True)
    # End of file comes only when nobody holds the other end any more.
    assert os.read(reader, 1) == b""
    os.close(reader)


def _after_first_line(request: io.BufferedReader) -> io.BufferedReader:
    request.readline()
    return request


@contextmanager
def answering(answer: Callable[[socket.socket], None]) -> Iterator[str]:
    """A receiver that reads one request and answers it as a test wants; its address."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            connection, _ = server.accept()
            with connection:
                # Bytes that are left unread when it closes would reset the connection.
                with connection.makefile("rb") as request:
                    headers = http.client.parse_headers(_after_first_line(request))
                    request.read(int(headers["content-length"]))
                answer(connection)

        thread = threading.Thread(target=serve)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}/"
        thread.join(30)
        assert not thread.is_alive(), "the connection was never given up"


def without_end(part: bytes) -> Callable[[socket.socket], None]:
    """Send the same bytes again and again, until the other side has gone."""

    def answer(connection: socket.socket) -> None:
        gone = threading.Event()
        try:
            while not gone.wait(0.02):
                connection.sendall(part)
        except OSError:
            gone.set()

    return answer


@pytest.mark.parametrize(
    "part",
    [b"H", b"HTTP/1.1 100 Continue\r\n\r\n", b"HTTP/1.1 200 OK\r\nx: "],
    ids=["bytes of a status", "interim answers", "headers"],
)
def test_a_receiver_that_answers_without_end_is_a_timeout(tmp_path: Path, part: bytes) -> None:
    """Every read ends in time and the answer never does: the attempt has a time as a whole."""
    with answering(without_end(part)) as url:
        assert post(tmp_path, url, timeout=0.3) == "timeout"


@pytest.mark.parametrize(
    ("answer", "failure"),
    [
        (b"", "remotedisconnected"),
        (b"HTTP/1.1 2", "badstatusline"),
        (b"SSH-2.0-OpenSSH\r\n", "badstatusline"),
        (b"HTTP/1.1 500 No\r\ncontent-length: 10\r\n\r\nhalf", "http_500"),
        (b"HTTP/1.1 302 Found\r\nlocation: file:///etc/passwd\r\n\r\n", "http_302"),
        (b"HTTP/1.1 200 OK\r\n" + b"x: y\r\n" * 200 + b"\r\n", "httpexception"),
    ],
    ids=["nothing", "half", "other protocol", "error", "redirect", "headers"],
)
def test_an_answer_that_is_none_is_a_failure(tmp_path: Path, answer: bytes, failure: str) -> None:
    """Closed in the middle, another protocol, a redirect into the file system."""
    with answering(lambda connection: connection.sendall(answer)) as url:
        assert post(tmp_path, url) == failure


@pytest.mark.parametrize(
    ("url", "token"),
    [
        ("http://127.0.0.1:9/", "secret\n"),
        ("http://127.0.0.1:9/", "secr\u00e9t\u2028"),
        ("http://127.0.0.1:9/caf\u00e9", "secret"),
        (f"http://{'a' * 70}.example/", "secret"),
    ],
    ids=["line end", "no latin-1", "path", "host"],
)
def test_what_http_cannot_carry_is_a_failure_of_its_sink(
    tmp_path: Path, url: str, token: str
) -> None:
    """A token that was read with its line end keeps no other owner's events back."""
    assert post(tmp_path, url, authorization=token) == "invalid_request"


def test_a_file_that_somebody_else_holds_is_a_failure_in_time(tmp_path: Path) -> None:
    """A lock that is never given back holds no event for ever."""
    with (tmp_path / "events.jsonl").open("w") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        sink = AppendFile(type="file", path="events.jsonl")
        assert send(sink, EVENT, timeout=0.05, project_dir=tmp_path) == "file_locked"
    assert append(tmp_path) is None


def test_what_is_no_file_is_a_failure(tmp_path: Path) -> None:
    """What is written into a pipe is on no disk."""
    os.mkfifo(tmp_path / "events.jsonl")
    assert append(tmp_path) == "file_not_regular"
