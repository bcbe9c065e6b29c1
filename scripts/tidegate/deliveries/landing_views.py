"""`landing.<dataset>`, what dbt reads: a view over every layout of a dataset.

It has the contract's columns in their order, then the technical columns of docs/architecture.md.
Which rows it shows depends on the dataset's delivery kind (design §5.7). It is replaced only when
its definition changes, and never with CASCADE.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

from psycopg import errors as pg
from psycopg import sql

from tidegate.connection import Connection
from tidegate.contracts.keys import DeliveryKind
from tidegate.contracts.model import DatasetContract
from tidegate.contracts.types import PgType, parse_type
from tidegate.deliveries.layouts import ROWS, Layout, layouts
from tidegate.errors import EnvironmentFailure, LandingBlocked
from tidegate.names import LANDING
from tidegate.shapes.relation import relate
from tidegate.warehouse import locks
from tidegate.warehouse.holders import holders


class ViewHasDependents(EnvironmentFailure):
    """A landing view has to change its columns, and other relations are built on it."""

    code = "view_has_dependents"


def is_current(conn: Connection, contract: DatasetContract) -> bool:
    """Whether the view is there and is what the contract asks for."""
    made = definitions(conn, [contract.name])
    return made.get(contract.name) == digest(conn, contract, layouts(conn, contract.name))


def definitions(conn: Connection, datasets: Sequence[str]) -> dict[str, str]:
    """The digest of what each view is that is there, by dataset."""
    rows = conn.execute(
        "select dataset, definition_sha256 from governance.landing_views where dataset = any(%s)"
        " and to_regclass(format('%%I.%%I', %s::text, dataset)) is not null",
        [list(datasets), LANDING],
    ).fetchall()
    return dict(rows)


def digest(conn: Connection, contract: DatasetContract, there: Iterable[Layout]) -> str:
    """The digest of what the contract asks for, with these layouts of the dataset."""
    return hashlib.sha256(_definition(contract, there).as_string(conn).encode()).hexdigest()


def ensure(conn: Connection, contract: DatasetContract) -> None:
    """Make or replace the view where it is not current; the caller holds the dataset's lock.

    Raises ViewHasDependents where its columns change and something is built on it, LandingBlocked
    where somebody reads or locks it all the time.
    """
    if is_current(conn, contract):
        return
    there = layouts(conn, contract.name)
    definition = _definition(contract, there)
    with locks.short_waits(conn):
        locks.retried(
            conn,
            f"The view {LANDING}.{contract.name}",
            lambda: _make(conn, contract, definition),
            blockers=lambda: holders(conn, [(LANDING, contract.name)]),
            raised=LandingBlocked,
        )
    conn.execute(
        "insert into governance.landing_views (dataset, definition_sha256) values (%s, %s)"
        " on conflict (dataset) do update"
        " set definition_sha256 = excluded.definition_sha256, made_at = clock_timestamp()",
        [contract.name, digest(conn, contract, there)],
    )


def _make(conn: Connection, contract: DatasetContract, definition: sql.Composable) -> None:
    view = sql.Identifier(LANDING, contract.name)
    try:
        with conn.transaction():
            conn.execute(sql.SQL("create or replace view {} as {}").format(view, definition))
    except pg.InvalidTableDefinition:
        _replace_shape(conn, contract.name, view, definition)
    conn.execute(
        sql.SQL("comment on view {} is {}").format(view, sql.Literal(contract.description))
    )
    conn.execute(sql.SQL("grant select on {} to tidegate_transformer").format(view))


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


def _definition(contract: DatasetContract, there: Iterable[Layout]) -> sql.Composed:
    names = [column.name for column in contract.columns]
    shown, _ = divided(contract, there)
    rows = sql.SQL(" union all ").join(of_layout(layout, contract, shown) for layout in shown)
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
    """The layouts whose rows the contract's view can show."""
    return divided(contract, layouts(conn, contract.name))[0]


def hiding_layouts(conn: Connection, contract: DatasetContract) -> list[Layout]:
    """The layouts whose rows the contract's view cannot show."""
    return divided(contract, layouts(conn, contract.name))[1]


def divided(
    contract: DatasetContract, there: Iterable[Layout]
) -> tuple[list[Layout], list[Layout]]:
    """The layouts whose rows the contract's view can show, and those whose rows it cannot.

    Rows of a layout with a type that the contract narrowed stay where they are, unseen: casting
    them could round, fail or mean something else. `hidden` counts them.
    """
    shown: list[Layout] = []
    hiding: list[Layout] = []
    for one in there:
        (shown if _shows(contract, one) else hiding).append(one)
    return shown, hiding


def absent_from(others: Iterable[Layout], *, newer: bool) -> sql.Composed:
    """The condition that no other layout has the record of row `o` (`newer`: taken up later)."""
    later = sql.SQL(" and n._materialization_id > o._materialization_id" if newer else "")
    return sql.SQL("").join(
        sql.SQL(
            " and not exists (select from {} n where n._delivery_id = o._delivery_id"
            " and n._record_number = o._record_number{})"
        ).format(sql.Identifier(ROWS, one.relation), later)
        for one in others
    )


def newer_of(layout: Layout, shown: Iterable[Layout]) -> sql.Composed:
    """Rows that were read again into another layout that is shown are seen there."""
    return absent_from((one for one in shown if one.number in layout.taken_up), newer=True)


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


def of_layout(
    layout: Layout, contract: DatasetContract, shown: Iterable[Layout] = ()
) -> sql.Composed:
    """The rows of a layout as the contract's columns, and the three of its own.

    Of a record that is also in another layout of `shown`, the row that was taken up last.
    """
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
    listed, relation = sql.SQL(", ").join([*columns, *own]), sql.Identifier(ROWS, layout.relation)
    others = [one for one in shown if one.number in layout.taken_up]
    if not others:
        return sql.SQL("select {} from {}").format(listed, relation)
    return sql.SQL("select {} from {} o where true{}").format(
        listed, relation, absent_from(others, newer=True)
    )
