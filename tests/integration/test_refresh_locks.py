"""Somebody else's lock on what a refresh reads or rebuilds: a bounded wait, one error."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from command_line import CommandLine
from integration.shops import Shops
from publication_support import publish
from shop import Shop
from tidegate.errors import PublishBlocked
from tidegate.publishing import waiting
from tidegate.publishing.aside import build_aside
from tidegate.publishing.context import Context
from tidegate.publishing.outcome import Verdict
from tidegate.warehouse import Warehouse, locks

FIRST = "id,item\n1,bread\n"
SECOND = "id,item\n1,bread\n2,roll\n"
SERVED = "select id from query.q_bakery order by id"
PUBLISHED = {"bakery": (Verdict.PUBLISHED, 2)}


@pytest.fixture
def shops(tmp_path: Path, warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch) -> Shops:
    """A bakery that is served, with one more delivery; whoever waits for a lock gives up soon."""
    shops = Shops(tmp_path, warehouse, ["bakery"])
    shops.land(bakery=FIRST)
    assert shops.refresh() == {"bakery": (Verdict.PUBLISHED, 1)}
    shops.land(bakery=SECOND)
    monkeypatch.setattr(waiting, "PATIENCE_SECONDS", 0.2)
    return shops


def told(text: str) -> str:
    """The message without how long the transaction has been open."""
    return re.sub(r"open for \d+ s", "open for N s", text)


def served(warehouse: Warehouse) -> list[str]:
    """What readers see of the bakery."""
    with warehouse.connect() as conn:
        return [row[0] for row in conn.execute(SERVED).fetchall()]  # type: ignore[call-overload]


def blocked(shops: Shops, statement: str) -> tuple[str, int]:
    """Refresh while somebody else has done this in an open transaction: what is said, who it is."""
    with shops.warehouse.connect(autocommit=False, application_name="somebody") as other:
        other.execute(statement)  # type: ignore[call-overload]
        with pytest.raises(PublishBlocked) as error:
            shops.refresh()
        return told(str(error.value)), other.info.backend_pid


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("statement", "node", "relation"),
    [
        (
            "lock table landing_rows.bakery__l1 in access exclusive mode",
            "source_freshness on bakery, source_key_uniqueness on bakery",
            "landing_rows.bakery__l1",
        ),
        ("select from staging.stg_bakery", "stg_bakery", "staging.stg_bakery"),
    ],
    ids=["read", "rebuilt"],
)
def test_dbt_waits_for_a_lock_in_bounded_time_and_its_holder_is_named(
    shops: Shops, warehouse: Warehouse, statement: str, node: str, relation: str
) -> None:
    """A relation beneath a landing view that nobody else can read; a table that a report reads."""
    message, pid = blocked(shops, statement)
    assert message == (
        f"dbt could not finish {node}. A lock was waited for in vain, for 0.2 s (held by process"
        f" {pid} (somebody, transaction open for N s) on {relation}). {locks.REMEDY}"
    )
    assert served(warehouse) == ["1"]
    assert shops.refresh() == PUBLISHED
    assert served(warehouse) == ["1", "2"]


@pytest.mark.timeout(300)
@pytest.mark.parametrize("relation", ["landing_rows.bakery__l1", "governance.generations"])
def test_no_setting_of_the_login_or_of_the_environment_makes_a_refresh_wait_for_ever(
    shops: Shops, warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch, relation: str
) -> None:
    """A profile has no key for it; what the database or libpq's variable says is outranked."""
    with warehouse.connect() as conn:
        name = conn.info.dbname
        conn.execute(f'alter database "{name}" set lock_timeout = 0')  # type: ignore[call-overload]
    monkeypatch.setenv("PGOPTIONS", "-c lock_timeout=0 -c work_mem=8MB")
    message, pid = blocked(shops, f"lock table {relation} in access exclusive mode")
    assert f"process {pid} (somebody, transaction open for N s) on {relation}" in message
    monkeypatch.undo()
    assert shops.refresh() == PUBLISHED


@pytest.mark.timeout(300)
def test_the_command_says_what_readers_see_and_what_to_do(
    shops: Shops, warehouse: Warehouse
) -> None:
    """Exit code 1, since readers are safe; nothing is recorded that would keep it from trying."""
    command = CommandLine(shops.project.folder, warehouse)
    with warehouse.connect(autocommit=False, application_name="somebody") as other:
        other.execute("select from staging.stg_bakery")
        answer = command.run("refresh", TIDEGATE_HOME=str(shops.settings.home))
        pid = other.info.backend_pid
    assert answer.code == 1
    assert told(answer.err).splitlines()[-3:] == [
        "Error [publish_blocked]: dbt could not finish stg_bakery. A lock was waited for in vain,"
        f" for 0.2 s (held by process {pid} (somebody, transaction open for N s) on"
        " staging.stg_bakery).",
        locks.REMEDY,
        "Serving views unchanged.",
    ]
    assert shops.refresh() == PUBLISHED


@pytest.mark.timeout(300)
def test_building_aside_waits_in_bounded_time_too(shops: Shops, warehouse: Warehouse) -> None:
    """`tidegate build` reads and replaces the same relations."""
    with warehouse.connect(autocommit=False) as other:
        other.execute("lock table landing.bakery in access exclusive mode")
        with pytest.raises(PublishBlocked):
            build_aside(Context(shops.settings, warehouse))
    (built,) = build_aside(Context(shops.settings, warehouse))
    assert built.problems == ()


def test_a_candidate_that_somebody_reads_is_waited_for_in_bounded_time(
    warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is dropped before the next one is built; whoever looks at it keeps that waiting."""
    shop = Shop(warehouse)
    shop.warehouse = waiting.patient(warehouse)
    assert publish(shop).generation == 1
    monkeypatch.setattr(waiting, "PATIENCE_SECONDS", 0.2)
    shop.warehouse = waiting.patient(warehouse)
    with warehouse.connect(autocommit=False, application_name="somebody") as other:
        other.execute(
            "create schema shop__candidate; create table shop__candidate.q_left as select"
        )
        other.commit()
        other.execute("lock table shop__candidate.q_left in share mode")
        with pytest.raises(PublishBlocked) as error:
            publish(shop)
        assert told(str(error.value)) == (
            f"A lock was waited for in vain (held by process {other.info.backend_pid} (somebody,"
            f" transaction open for N s) on shop__candidate.q_left). {locks.REMEDY}"
        )
    assert publish(shop).verdict is Verdict.PUBLISHED
