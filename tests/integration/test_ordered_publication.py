"""The ordered publication tests of the protected seventeen (domain §5.4, 1 to 7).

Number 5, a promotion that is killed half-way, is test_publication_crashes.py at every step; the
race of number 6 is in test_publication_races.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import psycopg
import pytest
from psycopg import IsolationLevel

from publication_support import publish
from shop import Shop, contract, dbt_spec
from tidegate.connection import Connection
from tidegate.publishing.outcome import Verdict
from tidegate.warehouse import Warehouse

MODELS = tuple(f"q_m{number:02}" for number in range(1, 18))
FIRST, LAST = MODELS[0], MODELS[-1]
ROWS = 10


class Seventeen(Shop):
    """Seventeen models; each of the other sixteen refers to the first by generation and key."""

    def __init__(self, warehouse: Warehouse) -> None:
        columns = (("key", "text", False), ("build", "integer", False))
        owner = {"columns": ["key"], "to": FIRST}
        super().__init__(
            warehouse,
            [
                contract(name, columns, references=[] if name == FIRST else [owner])
                for name in MODELS
            ],
        )
        self.damage: Callable[[dict[str, str], int], None] = lambda _made, _number: None
        self.tables = self._build

    def _build(self, number: int) -> dict[str, str]:
        made = {name: self.table(name, number, number) for name in MODELS}
        self.damage(made, number)
        return made

    @staticmethod
    def table(name: str, key: int, number: int) -> str:
        """A table whose keys carry `key` and whose rows carry the number of the build."""
        return (
            f"create table shop__candidate.{name} (key text not null, build integer not null);"
            f" insert into shop__candidate.{name}"
            f" select 'g{key}:' || i, {number} from generate_series(1, {ROWS}) as i"
        )


@pytest.fixture
def seventeen(warehouse: Warehouse) -> Seventeen:
    """Published once."""
    shop = Seventeen(warehouse)
    outcome = publish(shop)
    assert (outcome.verdict, outcome.models) == (Verdict.PUBLISHED, 17)
    return shop


def builds(conn: Connection) -> dict[str, tuple[int, int | None, int | None]]:
    """What readers see of each model: rows, lowest and highest number of the build."""
    return {
        name: conn.execute(
            f"select count(*)::integer, min(build), max(build) from query.{name}"
        ).fetchone()
        for name in MODELS
    }  # type: ignore[return-value]


def all_of(number: int) -> dict[str, tuple[int, int, int]]:
    """Seventeen whole models of one build."""
    return dict.fromkeys(MODELS, (ROWS, number, number))


def held_back(conn: Connection) -> list[Any]:
    """What the ledger says of the blocked generation."""
    return conn.execute(
        "select prior_generation, blocked_generation, model, gate_id, affected_rows, reason"
        " from governance.held_back order by held_back_id"
    ).fetchall()


@pytest.mark.parametrize("gone", [FIRST, LAST])
def test_1_a_model_missing_from_the_candidate_holds_all_back(
    seventeen: Seventeen, conn: Connection, gone: str
) -> None:
    """The head does not move."""
    seventeen.damage = lambda made, _: made.pop(gone) and None
    outcome = publish(seventeen)
    assert outcome.verdict is Verdict.HELD_BACK
    assert outcome.entries[0].reason == (
        f"The candidate of shop lacks {gone}."
        " Every contract of a family needs a model of the same name."
    )
    assert builds(conn) == all_of(1)


def test_2_one_gate_that_fails_on_the_last_model_holds_all_back(
    seventeen: Seventeen, conn: Connection
) -> None:
    """Sixteen models passed; readers get none of them, and the ledger has every result."""
    rows = dict.fromkeys(MODELS, 0) | {LAST: 3}
    seventeen.extra_specs = [
        dbt_spec(
            seventeen.contracts[name],
            f"no_odd_{name}",
            f"select key from shop__candidate.{name} limit {rows[name]}",
        )
        for name in MODELS
    ]
    outcome = publish(seventeen)
    assert outcome.verdict is Verdict.HELD_BACK
    assert [(e.model, e.gate_id, e.affected_rows) for e in outcome.entries] == [
        (LAST, f"no_odd_{LAST}", 3)
    ]
    assert builds(conn) == all_of(1)
    assert [row[:5] for row in held_back(conn)] == [(1, 2, LAST, f"no_odd_{LAST}", 3)]
    results = conn.execute(
        "select status, count(*)::integer from governance.gate_results where generation = 2"
        " and gate_id like 'no_odd%' group by status order by status"
    ).fetchall()
    assert results == [("fail", 1), ("pass", 16)]


def test_3_a_child_that_points_at_a_parent_of_another_generation_blocks(
    seventeen: Seventeen, conn: Connection
) -> None:
    """Its parents are served at that very moment, but they are not those it is published with."""

    def damage(made: dict[str, str], number: int) -> None:
        made[LAST] = Seventeen.table(LAST, 1, number)

    seventeen.damage = damage
    outcome = publish(seventeen)
    assert outcome.verdict is Verdict.HELD_BACK
    assert held_back(conn) == [
        (1, 2, LAST, "referential_integrity", ROWS, f"key_dangling ({ROWS})")
    ]
    assert builds(conn) == all_of(1)


@pytest.mark.parametrize(
    ("model", "mutation"),
    [
        (LAST, f"update shop__g000002.{LAST} set build = 7 where key = 'g2:1'"),
        (LAST, f"delete from shop__g000002.{LAST} where key = 'g2:1'"),
        (FIRST, f"insert into shop__g000002.{FIRST} values ('g2:11', 2)"),
    ],
    ids=["updated", "deleted", "inserted"],
)
def test_4_a_candidate_that_changes_after_the_freeze_blocks(
    seventeen: Seventeen,
    conn: Connection,
    monkeypatch: pytest.MonkeyPatch,
    model: str,
    mutation: str,
) -> None:
    """One row of one table is enough, and the ledger says by how many rows it differs."""
    from tidegate.publishing import promote

    original = promote._freeze

    def mutate(*args: Any) -> None:
        conn.execute(mutation)
        original(*args)

    monkeypatch.setattr(promote, "_freeze", mutate)
    outcome = publish(seventeen)
    assert outcome.verdict is Verdict.HELD_BACK
    assert [(e.model, e.gate_id, e.reason) for e in outcome.entries] == [
        (model, "candidate_frozen", "candidate_changed (1)")
    ]
    assert builds(conn) == all_of(1)


def test_4_nothing_can_change_once_the_gates_look_at_it(
    seventeen: Seventeen, conn: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the freeze to the commit a writer waits; afterwards the generation is published."""
    from tidegate.publishing import promote

    refused: list[str] = []
    original = promote.judge

    def write_meanwhile(*args: Any) -> Any:
        conn.execute("set lock_timeout = '50ms'")
        try:
            conn.execute(f"update shop__g000002.{LAST} set build = 7")
        except psycopg.errors.LockNotAvailable as error:
            refused.append(type(error).__name__)
        return original(*args)

    monkeypatch.setattr(promote, "judge", write_meanwhile)
    assert publish(seventeen).verdict is Verdict.PUBLISHED
    assert refused == ["LockNotAvailable"]
    assert builds(conn) == all_of(2)


@pytest.mark.parametrize("level", [IsolationLevel.REPEATABLE_READ, IsolationLevel.SERIALIZABLE])
def test_7_a_repeatable_reader_keeps_its_generation_across_promotions(
    seventeen: Seventeen, warehouse: Warehouse, conn: Connection, level: IsolationLevel
) -> None:
    """Models it has read and models it has not: all of the old generation, none empty."""
    with warehouse.connect(autocommit=False) as reader:
        reader.isolation_level = level
        seen = reader.execute(f"select min(build), max(build) from query.{FIRST}").fetchone()
        assert seen == (1, 1)
        publish(seventeen)
        assert builds(reader) == all_of(1)
        publish(seventeen)
        assert builds(reader) == all_of(1)
        reader.commit()
        assert builds(reader) == all_of(3)
    assert builds(conn) == all_of(3)


def test_7_a_read_committed_reader_gets_each_statement_whole(
    seventeen: Seventeen, warehouse: Warehouse
) -> None:
    """Statements of one transaction may see different generations, never a mix in one."""
    both = f"select array_agg(distinct build) from (select build from query.{FIRST} union all"
    statement = f"{both} select build from query.{LAST}) as rows"
    with warehouse.connect(autocommit=False) as reader:
        assert reader.execute(statement).fetchone() == ([1],)
        publish(seventeen)
        assert reader.execute(statement).fetchone() == ([2],)
