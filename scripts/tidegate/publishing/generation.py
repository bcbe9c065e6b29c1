"""A candidate becomes a generation: frozen, fingerprinted, renamed and attached; still invisible.

The attach is committed before the promotion begins. In one transaction with the head, a reader's
snapshot can see the head before the parent's invalidation reaches it: an empty family.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from psycopg import sql

from tidegate import failpoints
from tidegate.connection import Connection
from tidegate.contracts.model import ModelContract
from tidegate.ledger import generations
from tidegate.ledger.generations import BuiltModel
from tidegate.names import candidate_schema, generation_schema, serving_schema
from tidegate.publishing import candidate, serving, statistics
from tidegate.publishing.candidate import Fingerprint
from tidegate.publishing.hands import hands
from tidegate.publishing.shape import ParentChange, ParentPlan, ServedColumn, plan_parent
from tidegate.warehouse import locks
from tidegate.warehouse.holders import holders

ATTACH_BATCH = 100
"""Tables attached in one transaction: a server's lock table is finite."""


@dataclass(frozen=True)
class ModelTable:
    """One table of a generation: its contract, what readers get, its parent, its fingerprint."""

    contract: ModelContract
    served: tuple[ServedColumn, ...]
    parent: ParentPlan
    mark: Fingerprint


@dataclass(frozen=True)
class BuiltFamily:
    """A generation that is attached and judged next."""

    family: str
    generation: int
    tables: tuple[ModelTable, ...]

    @property
    def schema(self) -> str:
        """Where its tables live."""
        return generation_schema(self.family, self.generation)

    @property
    def content_sha256(self) -> str:
        """One hash of contracts and contents."""
        return candidate.content_sha256(
            [(table.contract.name, table.contract.sha256, table.mark) for table in self.tables]
        )


def make_generation(
    conn: Connection,
    family: str,
    contracts: Sequence[ModelContract],
    *,
    code_sha256: str,
    inputs: Mapping[str, Any],
    connect: Callable[[], Connection] | None = None,
    analysed: Collection[str] = (),
) -> BuiltFamily:
    """Freeze the candidate, make it the next generation and attach it; `conn` is autocommit.

    With `connect`, a second connection shares the work of freezing and fingerprinting tables;
    those of `analysed` have statistics already, but for the column that is added here.
    """
    schema = candidate_schema(family)
    number = generations.next_number(conn, family)
    names = [contract.name for contract in contracts]
    columns = {name: _live_columns(conn, schema, name) for name in names}
    with hands(conn, connect) as each:
        each(names, lambda own, name: candidate.freeze(own, family, number, name, analysed))
        failpoints.hit("publish.frozen")
        marks = each(names, lambda own, name: candidate.fingerprint(own, schema, name))
    parents = serving.read_parents(conn, family)
    tables = []
    for contract in contracts:
        served = _served(contract, columns[contract.name])
        plan = plan_parent(contract.name, served, parents.get(contract.name, ()))
        tables.append(ModelTable(contract, served, plan, marks[contract.name]))
    built = BuiltFamily(family, number, tuple(tables))
    failpoints.hit("publish.fingerprinted")
    with locks.short_waits_of_session(conn):
        _make_known(conn, built, code_sha256, inputs)
    generations.set_attached(conn, family, number)
    failpoints.hit("publish.attached")
    return built


def _make_known(
    conn: Connection, built: BuiltFamily, code_sha256: str, inputs: Mapping[str, Any]
) -> None:
    """Rename the candidate's schema and attach its tables, in short waits for what readers use."""
    locks.retried_together(
        conn,
        lambda wait: _rename(conn, wait, built, code_sha256, inputs),
        kind="The serving parent",
    )
    failpoints.hit("publish.renamed")
    for start in range(0, len(built.tables), ATTACH_BATCH):
        batch = built.tables[start : start + ATTACH_BATCH]
        locks.retried(
            conn,
            f"The serving parents of {built.family}",
            lambda batch=batch: _attach(conn, built, batch),  # type: ignore[misc]
            blockers=lambda: _parent_holders(conn, built),
        )


def _rename(
    conn: Connection,
    wait: locks.OneWait,
    built: BuiltFamily,
    code_sha256: str,
    inputs: Mapping[str, Any],
) -> None:
    conn.execute(
        sql.SQL("alter schema {} rename to {}").format(
            sql.Identifier(candidate_schema(built.family)), sql.Identifier(built.schema)
        )
    )
    conn.execute(
        sql.SQL("create schema if not exists {}").format(
            sql.Identifier(serving_schema(built.family))
        )
    )
    generations.insert(
        conn,
        family=built.family,
        generation=built.generation,
        code_sha256=code_sha256,
        inputs=inputs,
        contracts={table.contract.name: table.contract.sha256 for table in built.tables},
    )
    schema = serving_schema(built.family)
    for table in sorted(built.tables, key=lambda entry: entry.contract.name):
        if table.parent.change is ParentChange.EXTEND:
            wait.goes_on(schema, table.parent.parent.relation)
        serving.apply_parent_plan(
            conn, built.family, table.contract.name, table.parent, built.generation
        )
    generations.insert_models(
        conn, built.family, built.generation, [_record(table) for table in built.tables]
    )


def _attach(conn: Connection, built: BuiltFamily, tables: Sequence[ModelTable]) -> None:
    for table in sorted(tables, key=lambda entry: entry.contract.name):
        serving.attach(
            conn, built.family, table.contract.name, table.parent.parent, built.generation
        )
    statistics.describe_parents(
        conn,
        built.schema,
        [table.contract.name for table in tables],
        serving_schema(built.family),
        [table.parent.parent.relation for table in tables],
    )


def _record(table: ModelTable) -> BuiltModel:
    return BuiltModel(
        model=table.contract.name,
        shape=table.parent.parent.shape,
        row_count=table.mark.row_count,
        content_hash=table.mark.content_hash,
        contract_version=table.contract.keys.version,
        contract_sha256=table.contract.sha256,
        served=[
            {
                "name": column.name,
                "type": column.type,
                "mask": column.mask.value if column.mask else None,
                "description": column.description,
            }
            for column in table.served
        ],
    )


def _served(contract: ModelContract, live: Mapping[str, str]) -> tuple[ServedColumn, ...]:
    """The contract's columns in contract order, with the types that the candidate has."""
    return tuple(
        ServedColumn(column.name, live[column.name], column.keys.mask, column.description)
        for column in contract.columns
    )


def _live_columns(conn: Connection, schema: str, name: str) -> dict[str, str]:
    rows = conn.execute(
        "select attname, format_type(atttypid, atttypmod) from pg_catalog.pg_attribute"
        " where attrelid = to_regclass(format('%%I.%%I', %s::text, %s::text))"
        " and attnum > 0 and not attisdropped",
        [schema, name],
    ).fetchall()
    return {row[0]: row[1] for row in rows}


def _parent_holders(conn: Connection, built: BuiltFamily) -> list[str]:
    schema = serving_schema(built.family)
    return holders(conn, [(schema, table.parent.parent.relation) for table in built.tables])
