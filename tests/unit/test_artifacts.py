"""The store of artefacts: whole files under their hash, however large, or nothing at all."""

from __future__ import annotations

import errno
import hashlib
import os
from pathlib import Path

import pytest

from tidegate.deliveries import artifacts
from tidegate.errors import EnvironmentFailure


@pytest.mark.parametrize("flushed", [1, 1 << 20])
@pytest.mark.parametrize("size", [0, 1, 7, 8, 1000])
def test_a_file_is_stored_whole_in_chunks_of_any_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int, flushed: int
) -> None:
    """Hashed, written and brought to disk side by side, the bytes and their hash are the file's."""
    monkeypatch.setattr(artifacts, "CHUNK", 8)
    monkeypatch.setattr(artifacts, "_FLUSHED", flushed)
    source, root = tmp_path / "file", tmp_path / "store"
    source.write_bytes(bytes(place % 251 for place in range(size)))
    found = artifacts.store(source, root)
    assert (found.bytes, found.sha256) == (size, hashlib.sha256(source.read_bytes()).hexdigest())
    assert (root / found.stored_path).read_bytes() == source.read_bytes()
    assert [path.name for path in root.iterdir() if path.is_file()] == []


@pytest.mark.parametrize("failing", [1, 2])
def test_what_cannot_be_brought_to_disk_is_not_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: int
) -> None:
    """Also where it failed meanwhile, while more was being written."""
    monkeypatch.setattr(artifacts, "CHUNK", 8)
    monkeypatch.setattr(artifacts, "_FLUSHED", 1)
    calls: list[int] = []
    fsync = os.fsync

    def failed(descriptor: int) -> None:
        calls.append(descriptor)
        if len(calls) == failing:
            raise OSError(errno.ENOSPC, "No space left on device")
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", failed)
    source, root = tmp_path / "file", tmp_path / "store"
    source.write_bytes(b"x" * 1000)
    with pytest.raises(EnvironmentFailure, match=r"^file could not be stored under .*: No space"):
        artifacts.store(source, root)
    assert list(root.iterdir()) == []
