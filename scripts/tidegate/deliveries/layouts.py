"""The typed tables of accepted rows: one for each set of columns and types a contract has had."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from psycopg import sql
from psycopg.types.json import Jsonb

from tidegate.connection import Connection
from tidegate.contracts.keys import DeliveryKind
from tidegate.contracts.model import DatasetContract
from tidegate.errors import EnvironmentFailure
from tidegate.names import MAX_IDENTIFIER_BYTES

ROWS = "landing_rows"


@dataclass(frozen=True)
class Layout:
    """One typed table: its number, its name, and its columns with their types in order."""

    number: int
    relation: str
    columns: tuple[tuple[str, str], ...]
    taken_up: tuple[int, ...] = ()
    """Layouts into which rows of this one were read again (see `rematerialize`)."""


def find(conn: Connection, contract: DatasetContract) -> Layout | None:
    """The layout with exactly the contract's columns and types, if there is one."""
    columns, digest = _columns(contract)
    row = conn.execute(
        "select layout, relation from governance.landing_layouts"
        " where dataset = %s and columns_sha256 = %s",
        [contract.name, digest],
    ).fetchone()
    return Layout(row[0], row[1], columns) if row else None


def has(there: Iterable[Layout], contract: DatasetContract) -> bool:
    """Whether one of these layouts is the one that `find` looks for."""
    columns, _ = _columns(contract)
    return any(one.columns == columns for one in there)


def ensure(conn: Connection, contract: DatasetContract) -> Layout:
    """The layout of the contract, made where it is missing; the caller holds the dataset's lock."""
    there = find(conn, contract)
    if there is not None:
        return there
    columns, digest = _columns(contract)
    found = conn.execute(
        "select coalesce(max(layout), 0) + 1 from governance.landing_layouts where dataset = %s",
        [contract.name],
    ).fetchone()
    number = int(found[0]) if found else 1
    layout = Layout(number, _relation_name(contract.name, number), columns)
    _create_table(conn, layout, _key_of(contract))
    conn.execute(
        "insert into governance.landing_layouts"
        " (dataset, layout, relation, columns, columns_sha256) values (%s, %s, %s, %s, %s)",
        [contract.name, number, layout.relation, Jsonb(columns), digest],
    )
    return layout


def _columns(contract: DatasetContract) -> tuple[tuple[tuple[str, str], ...], str]:
    columns = tuple((column.name, column.type.sql) for column in contract.columns)
    digest = hashlib.sha256(json.dumps(columns, ensure_ascii=False).encode()).hexdigest()
    return columns, digest


def _relation_name(dataset: str, number: int) -> str:
    name = f"{dataset}__l{number}"
    if len(name.encode()) > MAX_IDENTIFIER_BYTES:
        raise EnvironmentFailure(
            f"The dataset name {dataset} is too long: a table could not be named after it.",
            remedy=f"Use at most {MAX_IDENTIFIER_BYTES - 5} bytes.",
        )
    return name


def _key_of(contract: DatasetContract) -> tuple[str, ...]:
    upsert = contract.keys.delivery.kind is DeliveryKind.UPSERT
    return contract.keys.delivery.key if upsert else ()


def _create_table(conn: Connection, layout: Layout, key: tuple[str, ...]) -> None:
    table = sql.Identifier(ROWS, layout.relation)
    columns = sql.SQL("").join(
        sql.SQL("{} {}, ").format(sql.Identifier(name), sql.SQL(type_sql))
        for name, type_sql in layout.columns
    )
    conn.execute(
        sql.SQL(
            "create table {} ({} _materialization_id bigint not null,"
            " _delivery_id bigint not null, _record_number bigint not null,"
            " unique (_delivery_id, _record_number))"
        ).format(table, columns)
    )
    if key:
        names = sql.SQL(", ").join(map(sql.Identifier, key))
        conn.execute(
            sql.SQL("create index on {} ({}, _delivery_id desc, _record_number desc)").format(
                table, names
            )
        )


def layouts(conn: Connection, dataset: str) -> list[Layout]:
    """Every layout of a dataset, oldest first."""
    return by_dataset(conn, [dataset]).get(dataset, [])


def by_dataset(conn: Connection, datasets: Sequence[str]) -> dict[str, list[Layout]]:
    """Every layout of those datasets that have any, oldest first."""
    rows = conn.execute(
        "select l.dataset, l.layout, l.relation, l.columns, array(select distinct r.layout"
        " from governance.rematerializations r"
        " where r.dataset = l.dataset and r.from_layout = l.layout order by 1)"
        " from governance.landing_layouts l where l.dataset = any(%s) order by l.layout",
        [list(datasets)],
    ).fetchall()
    found: dict[str, list[Layout]] = {}
    for dataset, number, relation, columns, taken_up in rows:
        layout = Layout(
            number, relation, tuple((name, kind) for name, kind in columns), tuple(taken_up)
        )
        found.setdefault(dataset, []).append(layout)
    return found
