"""Sending one event to one sink; what goes wrong is a short kind, never what the other side said.

The event travels as a CloudEvents 1.0 JSON document whose `id` is the de-duplication id. A webhook
also gets it as `webhook-id` and `idempotency-key`, signed as Standard Webhooks describes where a
secret is given.
"""

from __future__ import annotations

import base64
import binascii
import contextlib
import hashlib
import hmac
import json
import os
import signal
import stat
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from tidegate.ledger.outbox_config import AnySink, AppendFile, Command, Webhook
from tidegate.ledger.posting import failure_kind, post


@dataclass(frozen=True)
class Event:
    """One event of the outbox; `attempts` counts those that failed."""

    event_id: UUID
    position: int
    topic: str
    subject: str
    owner: str
    source: str | None
    payload: dict[str, Any]
    created_at: datetime
    attempts: int

    @property
    def body(self) -> bytes:
        """The event as one line of JSON."""
        document = {
            "specversion": "1.0",
            "id": str(self.event_id),
            "source": "tidegate",
            "type": self.topic,
            "subject": self.subject,
            "time": self.created_at.isoformat(),
            "datacontenttype": "application/json",
            "owner": self.owner,
            "sequence": str(self.position),
            "data": self.payload,
        }
        return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()


def send(
    sink: AnySink,
    event: Event,
    *,
    timeout: float,
    project_dir: Path,
    environ: Mapping[str, str] | None = None,
) -> str | None:
    """Send an event and wait until it has arrived; None for success, else the kind of failure."""
    env = os.environ if environ is None else environ
    if isinstance(sink, Webhook):
        return post(sink.url, _headers(sink, event, env), event.body, timeout)
    if isinstance(sink, AppendFile):
        return _append(project_dir / sink.path, event.body + b"\n", timeout)
    return _run(sink, event, timeout, project_dir, env)


def _headers(sink: Webhook, event: Event, env: Mapping[str, str]) -> dict[str, str]:
    """The headers of a webhook; the signature covers id, timestamp and body."""
    headers = {
        **{header: env[name] for header, name in sink.headers_env.items()},
        "content-type": "application/cloudevents+json; charset=utf-8",
        "user-agent": "tidegate",
        "webhook-id": str(event.event_id),
        "idempotency-key": str(event.event_id),
        "webhook-timestamp": str(int(time.time())),
    }
    if sink.secret_env:
        headers["webhook-signature"] = _signature(env[sink.secret_env], headers, event.body)
    return headers


def _signature(secret: str, headers: Mapping[str, str], body: bytes) -> str:
    """`v1,` and the base64 HMAC-SHA256 of id, timestamp and body, joined by dots."""
    key = secret.encode()
    if secret.startswith("whsec_"):
        try:
            key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
        except binascii.Error:
            key = secret.encode()
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    return "v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()


def _append(path: Path, line: bytes, timeout: float) -> str | None:
    """Append one line under a lock and flush it; a line that does not fit is taken back."""
    try:
        new = not path.exists()
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o640)
    except OSError as error:
        return f"file_{failure_kind(error)}"
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return "file_not_regular"
        if not _locked(descriptor, timeout):
            return "file_locked"
        size = os.fstat(descriptor).st_size
        if size and os.pread(descriptor, 1, size - 1) != b"\n":
            # A writer was killed in the middle of its line: that event is sent again.
            line = b"\n" + line
        try:
            written = 0
            while written < len(line):
                written += os.write(descriptor, line[written:])
            os.fsync(descriptor)
        except OSError:
            with contextlib.suppress(OSError):
                os.ftruncate(descriptor, size)
            raise
        if new:
            _flush_folder(path.parent)
    except OSError as error:
        return f"file_{failure_kind(error)}"
    finally:
        os.close(descriptor)
    return None


def _locked(descriptor: int, timeout: float) -> bool:
    """Wait for whoever else writes the file, but not longer than an attempt may take."""
    import fcntl

    over = time.monotonic() + timeout
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= over:
                return False
            time.sleep(0.01)
        else:
            return True


def _flush_folder(folder: Path) -> None:
    """Make the name of a new file as durable as its bytes."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _run(
    sink: Command, event: Event, timeout: float, project_dir: Path, env: Mapping[str, str]
) -> str | None:
    """Run the program in the project's folder; what it prints is not kept."""
    try:
        process = subprocess.Popen(
            sink.argv,
            cwd=project_dir,
            env={**env, "TIDEGATE_EVENT_ID": str(event.event_id)},
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as error:
        return f"command_{failure_kind(error)}"
    try:
        process.communicate(event.body + b"\n", timeout=timeout)
    except subprocess.TimeoutExpired:
        # The whole group: what the program started must not go on without it.
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return "timeout"
    return None if process.returncode == 0 else f"command_exit_{process.returncode}"
