"""Where accepted rows live, and the views that dbt reads.

`landing_rows.<dataset>__l<n>` holds rows of one layout (the columns and types of a contract);
`landing.<dataset>` is a view over every layout, in the contract's column order, with the technical
columns of docs/architecture.md last. Which rows it shows depends on the dataset's delivery kind
(design §5.7). A view is replaced only when its definition changes, and never with CASCADE.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

from psycopg import errors as pg
from psycopg import sql
from psycopg.types.json import Jsonb

from tidegate.contracts.keys import DeliveryKind
from tidegate.contracts.model import DatasetContract
from tidegate.contracts.types import PgType, parse_type
from tidegate.deliveries.runs import Connection
from tidegate.errors import EnvironmentFailure
from tidegate.ledger import roles
from tidegate.names import LANDING, MAX_IDENTIFIER_BYTES
from tidegate.shapes import relate

ROWS = "landing_rows"
TECHNICAL = (
    "_delivery_id",
    "_record_number",
    "_artifact_sha256",
    "_received_at",
    "_accepted_at",
)


class ViewHasDependents(EnvironmentFailure):
    """A landing view has to change its columns, and other relations are built on it."""

    code = "view_has_dependents"


@dataclass(frozen=True)
class Layout:
    """One typed table: its number, its name, and its columns with their types in order."""

    number: int
    relation: str
    columns: tuple[tuple[str, str], ...]


def ensure(conn: Connection, contract: DatasetContract) -> Layout:
    """The layout of this contract and its view, made where they are missing.

    Runs inside the caller's transaction; a lock of that transaction keeps two from making both.
    """
    conn.execute(
        "select pg_advisory_xact_lock(hashtextextended(jsonb_build_array("
        "'tidegate.landing_view', %s::text)::text, 0))",
        [contract.name],
    )
    layout = _ensure_layout(conn, contract)
    _ensure_view(conn, contract)
    for schema in (ROWS, LANDING):
        roles.apply_grants(conn, schema)
    return layout


def _ensure_layout(conn: Connection, contract: DatasetContract) -> Layout:
    columns = tuple((column.name, column.type.sql) for column in contract.columns)
    digest = hashlib.sha256(json.dumps(columns, ensure_ascii=False).encode()).hexdigest()
    row = conn.execute(
        "select layout, relation from governance.landing_layouts"
        " where dataset = %s and columns_sha256 = %s",
        [contract.name, digest],
    ).fetchone()
    if row:
        return Layout(row[0], row[1], columns)
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
    rows = conn.execute(
        "select layout, relation, columns from governance.landing_layouts"
        " where dataset = %s order by layout",
        [dataset],
    ).fetchall()
    return [Layout(row[0], row[1], tuple((name, kind) for name, kind in row[2])) for row in rows]


def _ensure_view(conn: Connection, contract: DatasetContract) -> None:
    definition = _definition(conn, contract)
    text = definition.as_string(conn)
    digest = hashlib.sha256(text.encode()).hexdigest()
    view = sql.Identifier(LANDING, contract.name)
    row = conn.execute(
        "select definition_sha256 from governance.landing_views where dataset = %s"
        " and to_regclass(format('%%I.%%I', %s::text, dataset)) is not null",
        [contract.name, LANDING],
    ).fetchone()
    if row and row[0] == digest:
        return
    try:
        with conn.transaction():
            conn.execute(sql.SQL("create or replace view {} as {}").format(view, definition))
    except pg.InvalidTableDefinition:
        _replace_shape(conn, contract.name, view, definition)
    conn.execute(
        sql.SQL("comment on view {} is {}").format(view, sql.Literal(contract.description))
    )
    conn.execute(sql.SQL("grant select on {} to tidegate_transformer").format(view))
    conn.execute(
        "insert into governance.landing_views (dataset, definition_sha256) values (%s, %s)"
        " on conflict (dataset) do update"
        " set definition_sha256 = excluded.definition_sha256, made_at = clock_timestamp()",
        [contract.name, digest],
    )


def _replace_shape(
    conn: Connection, dataset: str, view: sql.Identifier, definition: sql.Composable
) -> None:
    """Columns changed: PostgreSQL can only drop and create; dependents are named, not dropped."""
    name = f"{LANDING}.{dataset}"
    rows = conn.execute(
        "select distinct c.oid::regclass::text from pg_depend d"
        " join pg_rewrite r on r.oid = d.objid and d.classid = 'pg_rewrite'::regclass"
        " join pg_class c on c.oid = r.ev_class"
        " where d.refclassid = 'pg_class'::regclass and c.oid <> d.refobjid"
        " and d.refobjid = format('%%I.%%I', %s::text, %s::text)::regclass order by 1",
        [LANDING, dataset],
    ).fetchall()
    if rows:
        names = ", ".join(row[0] for row in rows)
        raise ViewHasDependents(
            f"The columns of {name} change, and other relations are built on it: {names}.",
            remedy="Nothing was replaced. Drop them, run this again, and build them again.",
        )
    grants = conn.execute(
        "select a.grantee::regrole::text, a.privilege_type from pg_class c"
        " cross join lateral aclexplode(c.relacl) a"
        " where c.oid = format('%%I.%%I', %s::text, %s::text)::regclass"
        " and a.grantee <> 0 and a.grantee <> c.relowner",
        [LANDING, dataset],
    ).fetchall()
    conn.execute(sql.SQL("drop view {}").format(view))
    conn.execute(sql.SQL("create view {} as {}").format(view, definition))
    for role, privilege in grants:
        # The role's name comes quoted by the server, the privilege from its own closed list.
        conn.execute(
            sql.SQL("grant {} on {} to {}").format(sql.SQL(privilege), view, sql.SQL(role))
        )


def _definition(conn: Connection, contract: DatasetContract) -> sql.Composed:
    names = [column.name for column in contract.columns]
    rows = sql.SQL(" union all ").join(
        _of_layout(layout, contract) for layout in shown_layouts(conn, contract)
    )
    columns = sql.SQL("").join(sql.SQL("r.{}, ").format(sql.Identifier(name)) for name in names)
    nothing: sql.Composable = sql.SQL("")
    distinct, order, where = nothing, nothing, nothing
    kind = contract.keys.delivery.kind
    if kind is DeliveryKind.SNAPSHOT:
        where = sql.SQL(
            " where r._delivery_id = (select max(h.delivery_id) from governance.materializations h"
            " where h.dataset = {} and h.origin = 'delivery')"
        ).format(sql.Literal(contract.name))
    if kind is DeliveryKind.UPSERT:
        key = sql.SQL(", ").join(
            sql.SQL("r.{}").format(sql.Identifier(name)) for name in contract.keys.delivery.key
        )
        distinct = sql.SQL("distinct on ({}) ").format(key)
        order = sql.SQL(" order by {}, r._delivery_id desc, r._record_number desc").format(key)
    return sql.SQL(
        "select {}{}r._delivery_id, r._record_number, m.artifact_sha256 as _artifact_sha256,"
        " d.received_at as _received_at, m.accepted_at as _accepted_at"
        " from ({}) r join governance.materializations m"
        " on m.materialization_id = r._materialization_id"
        " join governance.deliveries d on d.delivery_id = m.delivery_id{}{}"
    ).format(distinct, columns, rows, where, order)


def shown_layouts(conn: Connection, contract: DatasetContract) -> list[Layout]:
    """The layouts whose rows the contract's view can show.

    Rows of a layout with a type that the contract narrowed stay where they are, unseen: casting
    them could round, fail or mean something else. `hidden_rows` counts them.
    """
    return [one for one in layouts(conn, contract.name) if _shows(contract, one)]


def hidden_rows(conn: Connection, contract: DatasetContract) -> int:
    """Accepted rows of older contracts that the present contract's view cannot show."""
    hidden = [one for one in layouts(conn, contract.name) if not _shows(contract, one)]
    count = 0
    for layout in hidden:
        row = conn.execute(
            sql.SQL("select count(*) from {}").format(sql.Identifier(ROWS, layout.relation))
        ).fetchone()
        count += int(row[0]) if row else 0
    return count


def _shows(contract: DatasetContract, layout: Layout) -> bool:
    wanted = {column.name: column.type for column in contract.columns}
    return all(
        name not in wanted or keeps_values(parse_type(kind), wanted[name])
        for name, kind in layout.columns
    )


def keeps_values(old: PgType, new: PgType) -> bool:
    """Whether every value of `old` can be shown as `new`: widened, or written out as text."""
    step = relate(old, new)
    return step is None or step.widening or new.sql in ("text", "character varying")


def _of_layout(layout: Layout, contract: DatasetContract) -> sql.Composed:
    there = dict(layout.columns)
    columns = [
        sql.SQL("{}::{} as {}").format(
            sql.Identifier(column.name) if column.name in there else sql.SQL("null"),
            sql.SQL(column.type.sql),
            sql.Identifier(column.name),
        )
        for column in contract.columns
    ]
    own = map(sql.Identifier, ("_materialization_id", "_delivery_id", "_record_number"))
    return sql.SQL("select {} from {}").format(
        sql.SQL(", ").join([*columns, *own]), sql.Identifier(ROWS, layout.relation)
    )
