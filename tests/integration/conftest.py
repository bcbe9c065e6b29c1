"""What several integration tests share."""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from built_once import built_once
from databases import copy_of
from published_domain import Domain
from tidegate.publishing.outcome import Verdict
from tidegate.warehouse import Warehouse
from trial_project import Built
from ward import Ward


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of the built project come first: other workers do the rest while one of them builds."""
    items.sort(key=lambda item: "built" not in getattr(item, "fixturenames", ()))


@pytest.fixture(scope="session", autouse=True)
def flags_of_dbt_without_source() -> None:
    """dbt walks the whole stack at each start to say who declared its flags; ours is deep."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from dbt_common.behavior_flags import BehaviorFlagRendered
    BehaviorFlagRendered._default_source = staticmethod(lambda: "dbt")  # type: ignore[method-assign]


@pytest.fixture(scope="session")
def built(run_folder: Path) -> Iterator[Built]:
    """The project built with the samples landed, in a copy of this worker's own.

    Its tests leave it as it is.
    """
    made = built_once(run_folder)
    with copy_of(made.warehouse) as warehouse:
        yield dataclasses.replace(made, warehouse=warehouse)


@pytest.fixture(scope="session")
def domain(built: Built) -> Iterator[Domain]:
    """Every family of the reference domain published once, in a database of this worker's own.

    Its tests leave nothing damaged; which generation is served may have moved.
    """
    with copy_of(built.warehouse) as warehouse:
        made = Domain(warehouse, built)
        for group in made.groups:
            outcomes = made.publish(group)
            assert {it.verdict for it in outcomes} == {Verdict.PUBLISHED}, outcomes
        yield made


@pytest.fixture
def ward(tmp_path: Path, warehouse: Warehouse) -> Ward:
    """A project and database of one test's own."""
    made = Ward(tmp_path / "ward", warehouse)
    made.folder.mkdir()
    made.write()
    return made
