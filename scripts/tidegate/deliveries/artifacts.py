"""The artefact store: delivered bytes, unchanged, by their SHA-256.

A file lies at `ab/cdef…` under the store. It appears there whole or not at all: it is written
beside its place, flushed to disk, and renamed. What a killed process left behind is removed by the
next receipt that finds it untouched for an hour.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from tidegate.connection import Connection
from tidegate.errors import EnvironmentFailure, UsageError
from tidegate.failpoints import hit

CHUNK = 1 << 20
_FLUSHED = 32 << 20
"""Files of less are brought to disk once, at their end."""
_GZIP_MAGIC = b"\x1f\x8b"
_ABANDONED_SECONDS = 3600


@dataclass(frozen=True)
class Artifact:
    """One stored file: hex digest, size in bytes, compression, place inside the store."""

    sha256: str
    bytes: int
    compression: str
    stored_path: str


def store(source: Path, root: Path) -> Artifact:
    """Copy `source` into the store while hashing it; the same bytes are stored once.

    Raises UsageError where the file cannot be read and EnvironmentFailure where the store cannot
    be written (a full disk); in both cases the store is as it was.
    """
    try:
        stream = source.open("rb")
    except OSError as error:
        raise UsageError(
            f"{source} cannot be read: {error.strerror}.", remedy="Check its name and permissions."
        ) from None
    with stream:
        try:
            return _store(_chunks(stream, source), root)
        except OSError as error:
            raise EnvironmentFailure(
                f"{source.name} could not be stored under {root}: {error.strerror}.",
                remedy="Nothing of it was landed. Free some space, or mend the folder, and land it "
                "again.",
            ) from None


def _chunks(stream: BinaryIO, source: Path) -> Iterator[bytes]:
    try:
        while chunk := stream.read(CHUNK):
            yield chunk
    except OSError as error:
        raise UsageError(
            f"{source} cannot be read to its end: {error.strerror}.",
            remedy="Nothing of it was landed. Look at the disk or share that it lies on.",
        ) from None


def _store(chunks: Iterator[bytes], root: Path) -> Artifact:
    root.mkdir(parents=True, exist_ok=True)
    _remove_abandoned(root)
    descriptor, name = tempfile.mkstemp(prefix=".receiving-", suffix=".part", dir=root)
    part = Path(name)
    try:
        digest, size, head = hashlib.sha256(), 0, b""
        # All three leave the interpreter free: of many chunks, one is hashed while it is written,
        # and what was written goes to disk meanwhile, so that there is less to wait for at the end.
        with os.fdopen(descriptor, "wb") as out, ThreadPoolExecutor(2) as pool:
            flushed: Future[None] | None = None
            for chunk in chunks:
                head = head or chunk[:2]
                hashed = pool.submit(digest.update, chunk)
                size += len(chunk)
                out.write(chunk)
                if size >= _FLUSHED and (flushed is None or flushed.done()):
                    flushed = _flush(flushed, out, pool)
                hashed.result()
            if flushed:
                flushed.result()
            out.flush()
            os.fsync(out.fileno())
        hit("receive.written")
        sha256 = digest.hexdigest()
        relative = f"{sha256[:2]}/{sha256[2:]}"
        target = root / relative
        if not _has_size(target, size):
            target.parent.mkdir(exist_ok=True)
            part.chmod(0o440)
            part.replace(target)
            _sync_folder(target.parent)
    finally:
        with contextlib.suppress(FileNotFoundError):
            part.unlink()
    compression = "gzip" if head == _GZIP_MAGIC else "none"
    return Artifact(sha256, size, compression, relative)


def _flush(before: Future[None] | None, out: BinaryIO, pool: ThreadPoolExecutor) -> Future[None]:
    """Bring what was written to disk, in another thread; `before` must have gone well."""
    if before:
        before.result()
    out.flush()
    return pool.submit(os.fsync, out.fileno())


def register(conn: Connection, artifact: Artifact) -> None:
    """Say that the artefact is in the store, again if it was pruned; waits for whoever prunes it.

    The caller then looks with `is_whole` whether it still is, and stores it again if not.
    """
    conn.execute(
        "insert into governance.artifacts (sha256, bytes, compression, stored_path)"
        " values (%s, %s, %s, %s) on conflict (sha256) do update set pruned_at = null"
        " where governance.artifacts.pruned_at is not null",
        [artifact.sha256, artifact.bytes, artifact.compression, artifact.stored_path],
    )


def is_stored(artifact: Artifact, root: Path) -> bool:
    """Whether the artefact's file is there."""
    return (root / artifact.stored_path).exists()


def is_whole(artifact: Artifact, root: Path) -> bool:
    """Whether the artefact's file is there in its whole length."""
    return _has_size(root / artifact.stored_path, artifact.bytes)


def _has_size(path: Path, size: int) -> bool:
    try:
        return path.stat().st_size == size
    except OSError:
        return False


def require_intact(artifact: Artifact, root: Path) -> None:
    """Raise EnvironmentFailure where the stored bytes are not those that were delivered."""
    with opened(root, artifact) as stream:
        digest = hashlib.sha256()
        while chunk := stream.read(CHUNK):
            digest.update(chunk)
    if digest.hexdigest() != artifact.sha256:
        raise _damaged(artifact, root)


def _damaged(artifact: Artifact, root: Path) -> EnvironmentFailure:
    return EnvironmentFailure(
        f"The artefact {artifact.sha256} in the store under {root} is not what was delivered.",
        remedy="Restore the store from its backup, or land the file again.",
    )


def _remove_abandoned(root: Path) -> None:
    for part in root.glob(".receiving-*.part"):
        with contextlib.suppress(FileNotFoundError):
            if time.time() - part.stat().st_mtime > _ABANDONED_SECONDS:
                part.unlink()


def _sync_folder(folder: Path) -> None:
    # A rename is durable only when the folder is: otherwise a power cut may undo it.
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def opened(root: Path, artifact: Artifact) -> Iterator[BinaryIO]:
    """The stored bytes as a stream."""
    try:
        stream = (root / artifact.stored_path).open("rb")
    except OSError:
        raise EnvironmentFailure(
            f"The artefact {artifact.sha256} is not in the store under {root}.",
            remedy="Restore the store from its backup, or land the file again.",
        ) from None
    with stream:
        if os.fstat(stream.fileno()).st_size != artifact.bytes:
            raise _damaged(artifact, root)
        yield stream
