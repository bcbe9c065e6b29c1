"""The reference project that tests share is built by one worker, whichever comes first."""

from __future__ import annotations

from pathlib import Path

import psycopg
import pytest

import built_once
from databases import copy_of, name_of
from tidegate.warehouse import Warehouse
from trial_project import Built


def test_the_project_is_built_once_and_again_where_a_worker_dies(
    tmp_path: Path, server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a dead worker left is no obstacle; who comes later reads what the next one kept."""
    monkeypatch.setenv("TIDEGATE_TEST_SERVER", server)
    begun: list[Path] = []

    def build(warehouse: Warehouse, folder: Path) -> Built:
        begun.append(folder)
        (folder / "half").touch(exist_ok=False)
        with warehouse.connect() as conn:
            conn.execute("create table canonical.built ()")
        if len(begun) == 1:
            raise KeyboardInterrupt
        return Built(warehouse, {}, {}, {"q_trials": "success"}, {"nodes": {}}, {"a": "select 1"})

    monkeypatch.setattr(built_once, "build", build)
    with pytest.raises(KeyboardInterrupt):
        built_once.built_once(tmp_path)
    made, read = built_once.built_once(tmp_path), built_once.built_once(tmp_path)
    assert begun == [tmp_path / "reference"] * 2
    assert made == read
    assert (read.landed, read.compiled) == ({"q_trials": "success"}, {"a": "select 1"})
    with copy_of(read.warehouse) as copied, copied.connect() as conn:
        assert conn.execute("select to_regclass('canonical.built') is not null").fetchone() == (
            True,
        )
        assert name_of(copied) != name_of(read.warehouse)
    built_once.forget(tmp_path)
    with psycopg.connect(server) as conn:
        left = conn.execute(
            "select from pg_database where datname = %s", [name_of(read.warehouse)]
        ).fetchone()
    assert left is None
