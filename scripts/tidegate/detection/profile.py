"""What is measured of accepted rows: repetition, and the members of the declared dimension."""

from __future__ import annotations

from psycopg import sql
from psycopg.types.json import Jsonb

from tidegate.connection import Connection
from tidegate.contracts.model import DatasetContract
from tidegate.rules.load import load_policy
from tidegate.rules.model import Unique
from tidegate.rules.validation import RuleStatus
from tidegate.rules.words import IgnoreNulls

ROWS = "landing_rows"
_HASHED = frozenset((
    "smallint", "integer", "bigint", "numeric", "real", "double precision", "boolean", "text",
    "character varying", "character", "date", "time", "timestamp", "uuid", "jsonb", "bytea",
))  # fmt: skip
"""Types whose values the server can hash; every other one is compared by its text."""


def profile(conn: Connection, run_id: int, contract: DatasetContract) -> None:
    """Measure the rows that a run brought, once; nothing where it brought none.

    Two records repeat each other if all their columns are equal, by a hash of 64 bits. Where some
    of them never repeat, nor do the records: the policy may have said so of the same rows, and the
    key alone is far cheaper to compare.
    """
    keys = contract.keys.detection
    row = conn.execute(
        "select m.materialization_id, m.dataset, l.relation, l.columns, m.rows"
        " from governance.materializations m"
        " join governance.landing_layouts l using (dataset, layout)"
        " where m.run_id = %s and not exists"
        " (select from governance.delivery_profiles p where p.run_id = m.run_id)",
        [run_id],
    ).fetchone()
    if row is None:
        return
    materialization_id, dataset, relation, columns, rows = row
    table = sql.Identifier(ROWS, relation)
    key = [column for column in columns if column[0] in contract.keys.delivery.key]
    if _never_repeat(conn, run_id, contract):
        compared = distinct = rows
    else:
        compared, distinct = _distinct(conn, table, key or columns, materialization_id)
    if distinct < compared and key:
        compared, distinct = _distinct(conn, table, columns, materialization_id)
    members = None
    if keys.dimension in dict(columns):
        members = _members(conn, table, str(keys.dimension), materialization_id)
    conn.execute(
        "insert into governance.delivery_profiles"
        " (run_id, dataset, compared, repeated, dimension, members)"
        " values (%s, %s, %s, %s, %s, %s) on conflict do nothing",
        [
            run_id,
            dataset,
            compared,
            compared - distinct,
            None if members is None else keys.dimension,
            None if members is None else Jsonb(members),
        ],
    )


def _never_repeat(conn: Connection, run_id: int, contract: DatasetContract) -> bool:
    """Whether the run's policy, still the contract's, found some fields of its rows unique."""
    if contract.policy is None:
        return False
    policy = load_policy(contract.policy, contract.columns, file=contract.path, line=contract.line)
    whole = [
        rule.id
        for rule in policy.rules
        if isinstance(rule, Unique) and rule.ignore_nulls is IgnoreNulls.NEVER
    ]
    row = conn.execute(
        "select exists (select from jsonb_array_elements(r.validation -> 'rules') as rule"
        " where rule ->> 'id' = any(%s) and rule ->> 'status' = %s)"
        " from governance.runs r where r.run_id = %s and r.policy_sha256 = %s",
        [whole, RuleStatus.PASSED.value, run_id, policy.sha256],
    ).fetchone()
    return row is not None and bool(row[0])


def _distinct(
    conn: Connection, table: sql.Identifier, columns: list[tuple[str, str]], materialization_id: int
) -> tuple[int, int]:
    """Records, and how many different ones there are."""
    values = sql.SQL(", ").join(_comparable(name, kind) for name, kind in columns)
    row = conn.execute(
        sql.SQL(
            "select count(*), count(distinct hash_record_extended(row({}), 0))"
            " from {} r where r._materialization_id = %s"
        ).format(values, table),
        [materialization_id],
    ).fetchone()
    assert row is not None  # noqa: S101 (aggregates always return)
    return int(row[0]), int(row[1])


def _comparable(name: str, kind: str) -> sql.Composable:
    column = sql.Identifier("r", name)
    base = kind.partition("(")[0].removesuffix(" with time zone").removesuffix(" without time zone")
    return column if base.strip() in _HASHED else sql.SQL("{}::text").format(column)


def _members(
    conn: Connection, table: sql.Identifier, dimension: str, materialization_id: int
) -> dict[str, int]:
    """Records by member; what is null, or was outside the closed enum, belongs to none."""
    rows = conn.execute(
        sql.SQL(
            "select r.{column}::text, count(*) from {table} r"
            " where r._materialization_id = %s and r.{column} is not null group by 1 order by 1"
        ).format(table=table, column=sql.Identifier(dimension)),
        [materialization_id],
    ).fetchall()
    return {member: int(count) for member, count in rows}
