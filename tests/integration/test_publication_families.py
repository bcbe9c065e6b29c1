"""Families: in a cycle they are published together or not at all; others are left alone."""

from __future__ import annotations

from typing import Any

import pytest

from publication_support import promote_contracts
from readers import racing
from shop import Shop, contract, dbt_spec
from tidegate.connection import Connection
from tidegate.errors import UsageError
from tidegate.ledger import generations
from tidegate.publishing.families import family_references, publication_groups
from tidegate.publishing.outcome import FamilyOutcome, Verdict
from tidegate.publishing.publish import Request, publish_group
from tidegate.publishing.rollback import rollback
from tidegate.warehouse import Warehouse

COLUMNS = (("key", "text", False), ("build", "integer", False))
CYCLE = ("publications", "trials")
ROWS = 5


class Cycle(Shop):
    """`trials` and `publications` refer to each other, and both to `spines`; `sales` to nobody."""

    def __init__(self, warehouse: Warehouse) -> None:
        to = {
            "q_trials": ["q_papers", "q_drugs"],
            "q_papers": ["q_trials", "q_drugs"],
            "q_drugs": [],
            "q_sales": [],
        }
        families = {
            "q_trials": "trials",
            "q_papers": "publications",
            "q_drugs": "spines",
            "q_sales": "sales",
        }
        super().__init__(
            warehouse,
            [
                contract(
                    name,
                    COLUMNS,
                    family=families[name],
                    references=[{"columns": ["key"], "to": owner} for owner in owners],
                )
                for name, owners in to.items()
            ],
        )
        self.build = 1
        self.without: set[str] = set()
        """Models that dbt does not build."""
        self.tables = self._tables

    def _tables(self, _: int) -> dict[str, str]:
        return {
            name: f"create table {made.family}__candidate.{name} (key text not null,"
            f" build integer not null); insert into {made.family}__candidate.{name}"
            f" select 'k' || i, {self.build} from generate_series(1, {ROWS}) as i"
            for name, made in self.contracts.items()
            if name not in self.without
        }

    def groups(self) -> tuple[tuple[str, ...], ...]:
        """As `Context` makes them."""
        pairs = family_references(self.contracts)
        return publication_groups(self.project.families, pairs)

    def refresh(self, **request: Any) -> dict[str, FamilyOutcome]:
        """Publish every group, as `refresh` does."""
        return {
            outcome.family: outcome
            for group in self.groups()
            for outcome in publish_group(self, group, Request(**request))  # type: ignore[arg-type]
        }

    def next_build(self) -> None:
        """Every row of the next builds carries the next number."""
        self.build += 1


@pytest.fixture
def cycle(warehouse: Warehouse) -> Cycle:
    """Every family published once."""
    shop = Cycle(warehouse)
    outcomes = shop.refresh()
    assert {outcome.verdict for outcome in outcomes.values()} == {Verdict.PUBLISHED}
    shop.next_build()
    return shop


def seen(conn: Connection) -> dict[str, int]:
    """The build that readers see of each model."""
    return {
        name: conn.execute(f"select min(build) from query.{name}").fetchone()[0]  # type: ignore[index]
        for name in ("q_trials", "q_papers", "q_drugs", "q_sales")
    }


def test_families_of_a_cycle_are_one_group_and_follow_whom_they_refer_to(
    cycle: Cycle,
) -> None:
    """Owners first, ties by name."""
    assert cycle.groups() == (("sales",), ("spines",), CYCLE)


def test_a_cycle_is_published_in_one_transaction(cycle: Cycle, conn: Connection) -> None:
    """Both heads move by the same transaction; each family has a publication of its own."""
    outcomes = cycle.refresh(idempotency_key="run-2")
    assert {outcomes[family].verdict for family in CYCLE} == {Verdict.PUBLISHED}
    rows = conn.execute(
        "select count(distinct transaction_id), array_agg(family order by family)"
        " from governance.head_moves where to_generation = 2 and family = any(%s)",
        [list(CYCLE)],
    ).fetchone()
    assert rows == (1, list(CYCLE))
    assert seen(conn) == dict.fromkeys(seen(conn), 2)


def test_a_cycle_is_rolled_back_together(cycle: Cycle, conn: Connection) -> None:
    """One of them alone would refer to keys that nobody judged; the others stay where they are."""
    cycle.refresh()
    outcomes = rollback(cycle.warehouse, "trials", None, by="ann", reason="test")
    assert [(outcome.family, outcome.served) for outcome in outcomes] == [
        ("publications", 1),
        ("trials", 1),
    ]
    assert seen(conn) == {"q_trials": 1, "q_papers": 1, "q_drugs": 2, "q_sales": 2}


def test_a_retry_of_a_cycle_returns_both_publications(cycle: Cycle, conn: Connection) -> None:
    """Under one key; the same key for other families is another request."""
    group = publish_group(cycle, CYCLE, Request(idempotency_key="run-2"))  # type: ignore[arg-type]
    again = publish_group(cycle, CYCLE, Request(idempotency_key="run-2"))  # type: ignore[arg-type]
    assert [outcome.verdict for outcome in again] == [Verdict.REPLAYED] * 2
    assert [o.reference for o in again] == [o.reference for o in group]
    with pytest.raises(UsageError) as refused:
        publish_group(
            cycle,  # type: ignore[arg-type]
            ("spines",),
            Request(idempotency_key="run-2", families=("spines",)),
        )
    assert str(refused.value) == (
        "The idempotency key was already used by producer tidegate for another request,"
        f" published as {group[0].reference}. Use a new key for a new request."
    )


def test_one_key_covers_every_group_of_a_run(cycle: Cycle, conn: Connection) -> None:
    """A run that stopped half-way goes on with what is missing; a finished one is only told."""
    cycle.without = {"q_trials"}
    first = cycle.refresh(idempotency_key="run-2")
    assert [o.verdict for o in first.values()] == [Verdict.PUBLISHED] * 2 + [Verdict.HELD_BACK] * 2
    cycle.without = set()
    second = cycle.refresh(idempotency_key="run-2")
    assert [o.verdict for o in second.values()] == [Verdict.REPLAYED] * 2 + [Verdict.PUBLISHED] * 2
    third = cycle.refresh(idempotency_key="run-2")
    assert [o.verdict for o in third.values()] == [Verdict.REPLAYED] * 4
    assert [third[family].reference for family in CYCLE] == [
        second[family].reference for family in CYCLE
    ]
    assert third["sales"].reference == first["sales"].reference
    assert seen(conn) == dict.fromkeys(seen(conn), 2)


def test_readers_never_see_half_of_a_cycle(cycle: Cycle, conn: Connection) -> None:
    """Statements over both families while both are published again and again."""
    with racing(
        cycle.warehouse.conninfo, ["q_trials", "q_papers"], ROWS, ("statement", "repeatable_read")
    ) as found:
        for _ in range(8):
            publish_group(cycle, CYCLE, Request())  # type: ignore[arg-type]
            cycle.next_build()
    assert found.anomalies == {}
    assert found.counts["reads"] > 0


def test_one_blocking_gate_holds_the_whole_cycle_back_and_nobody_else(
    cycle: Cycle, conn: Connection
) -> None:
    """The family without a fault says with whom it is published; the others are published."""
    cycle.extra_specs = [
        dbt_spec(cycle.contracts["q_papers"], "never", "select key from query.q_sales limit 2")
    ]
    outcomes = cycle.refresh()
    assert {family: outcome.verdict for family, outcome in outcomes.items()} == {
        "sales": Verdict.PUBLISHED,
        "spines": Verdict.PUBLISHED,
        "publications": Verdict.HELD_BACK,
        "trials": Verdict.HELD_BACK,
    }
    told = {
        family: [(e.model, e.gate_id, e.reason) for e in outcomes[family].entries]
        for family in CYCLE
    }
    assert told["publications"][0][:2] == ("q_papers", "never")
    assert told["trials"] == [("*", "family_cycle", "published together with publications")]
    assert seen(conn) == {"q_trials": 1, "q_papers": 1, "q_drugs": 2, "q_sales": 2}


def test_a_model_that_cannot_be_built_holds_the_whole_cycle_back(
    cycle: Cycle, conn: Connection
) -> None:
    """What was built and attached before the refusal is discarded, and built again next time."""
    cycle.without = {"q_trials"}
    outcomes = cycle.refresh()
    assert {outcomes[family].verdict for family in CYCLE} == {Verdict.HELD_BACK}
    assert {outcomes[family].entries[0].reason for family in CYCLE} == {
        "The candidate of trials lacks q_trials."
        " Every contract of a family needs a model of the same name."
    }
    assert seen(conn) == {"q_trials": 1, "q_papers": 1, "q_drugs": 2, "q_sales": 2}
    found = generations.find(conn, "publications", 2)
    assert found is not None
    assert (found.state.value, found.reason) == ("discarded", "held_back")
    cycle.without = set()
    outcomes = cycle.refresh()
    assert {outcomes[family].verdict for family in CYCLE} == {Verdict.PUBLISHED}
    assert seen(conn) == dict.fromkeys(seen(conn), 2)


def test_a_changed_contract_parks_the_whole_cycle(cycle: Cycle, conn: Connection) -> None:
    """Nothing of it is built until the contract is promoted."""
    owners = [{"columns": ["key"], "to": "q_papers"}, {"columns": ["key"], "to": "q_drugs"}]
    cycle.contracts["q_trials"] = contract(
        "q_trials", COLUMNS, family="trials", version="2", references=owners
    )
    outcomes = cycle.refresh()
    assert {outcomes[family].verdict for family in CYCLE} == {Verdict.PARKED}
    assert [(e.model, e.gate_id) for e in outcomes["publications"].entries] == [
        ("*", "family_cycle")
    ]
    assert [(e.model, e.gate_id) for e in outcomes["trials"].entries] == [
        ("q_trials", "contract_unpromoted")
    ]
    assert seen(conn) == {"q_trials": 1, "q_papers": 1, "q_drugs": 2, "q_sales": 2}
    promote_contracts(cycle)
    cycle.refresh()
    assert seen(conn) == dict.fromkeys(seen(conn), 2)


def test_an_owner_that_is_held_back_leaves_its_consumers_on_what_is_served(
    cycle: Cycle, conn: Connection
) -> None:
    """The consumers are judged against the owner's served generation and go on."""
    cycle.extra_specs = [dbt_spec(cycle.contracts["q_drugs"], "never", "select 1 as one")]
    outcomes = cycle.refresh()
    assert outcomes["spines"].verdict is Verdict.HELD_BACK
    assert {outcomes[family].verdict for family in CYCLE} == {Verdict.PUBLISHED}
    assert seen(conn) == {"q_trials": 2, "q_papers": 2, "q_drugs": 1, "q_sales": 2}
