"""What a run stages: the contract's columns as text, and what could not be read or conform.

Two unlogged tables of schema `landing_stage` belong to a run: `r<run>` holds records, one text
column a contract column; `r<run>_held` holds what goes to quarantine. Both can be made again from
the artefact, so losing them in a crash of the server loses nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from psycopg import sql

from tidegate.connection import Connection
from tidegate.contracts.keys import DatasetColumnKeys
from tidegate.contracts.model import DatasetContract
from tidegate.contracts.types import PgType
from tidegate.deliveries import proof
from tidegate.deliveries.coerce_sql import Conversion, conversion
from tidegate.deliveries.observe import Tally
from tidegate.deliveries.reading import Place
from tidegate.deliveries.reasons import Reason
from tidegate.ledger.roles import Role

SCHEMA = "landing_stage"
_FETCHED = 5000
_KEY_BYTES = 2600
"""PostgreSQL's B-tree takes 2,704 bytes an entry, and refuses the statement beyond."""
_WRITTEN = 200


@dataclass(frozen=True)
class Column:
    """A contract column as staging needs it.

    A part of the dataset's row key is required whatever the contract says: a null there cannot be
    told apart from another null, and each delivery would add the row again.
    """

    name: str
    type: PgType
    keys: DatasetColumnKeys
    required: bool
    key_bytes: int | None = None
    """Of a part of the key: how long it may be, since an index holds the whole key."""

    def fits_key(self, tally: Tally | None) -> bool:
        """Whether no value can be too long for the key's index."""
        if self.key_bytes is None:
            return True
        return tally is not None and 4 * (tally.longest or 0) <= self.key_bytes


@dataclass(frozen=True)
class Stage:
    """The two tables of a run."""

    run_id: int
    columns: tuple[Column, ...]

    @property
    def records(self) -> sql.Identifier:
        """The table of staged records."""
        return sql.Identifier(SCHEMA, f"r{self.run_id}")

    @property
    def held(self) -> sql.Identifier:
        """The table of records that will be quarantined."""
        return sql.Identifier(SCHEMA, f"r{self.run_id}_held")

    def conversions(self) -> list[tuple[Column, Conversion]]:
        """Every column with its expressions over the alias `s`."""
        return [
            (
                column,
                conversion(sql.Identifier("s", column.name), column.type, column.keys.parse),
            )
            for column in self.columns
        ]


def stage_of(run_id: int, contract: DatasetContract) -> Stage:
    """The stage of a run under a contract."""
    key = contract.keys.delivery.key
    return Stage(
        run_id,
        tuple(
            Column(
                column.name,
                column.type,
                column.keys,
                column.keys.required or column.name in key,
                _KEY_BYTES // len(key) if column.name in key else None,
            )
            for column in contract.columns
        ),
    )


def create(conn: Connection, stage: Stage) -> None:
    """Make both tables anew."""
    drop(conn, stage)
    columns = sql.SQL("").join(
        sql.SQL(", {} text").format(sql.Identifier(column.name)) for column in stage.columns
    )
    conn.execute(
        sql.SQL(
            "create unlogged table {} (_record_number bigint not null, _line_from bigint,"
            " _line_to bigint, _raw text{})"
        ).format(stage.records, columns)
    )
    conn.execute(
        sql.SQL(
            "create unlogged table {} (record_number bigint not null, line_from bigint,"
            " line_to bigint, reason text not null, field text, raw bytea,"
            " raw_truncated boolean not null default false)"
        ).format(stage.held)
    )
    conn.execute(sql.SQL("create index on {} (record_number)").format(stage.held))
    # Given here, by their owner, and not by `apply_grants`, which would touch other runs' tables.
    conn.execute(
        sql.SQL("grant select, insert, update, delete, truncate on {}, {} to {}").format(
            stage.records, stage.held, sql.Identifier(Role.OPERATOR.value)
        )
    )


def drop(conn: Connection, stage: Stage) -> None:
    """Remove both tables: accepted, or about to be made again."""
    conn.execute(sql.SQL("drop table if exists {}, {}").format(stage.records, stage.held))


def clear(conn: Connection, stage: Stage) -> None:
    """Remove what was staged for good: the tables where they are ours, else all that is in them.

    A loader's tables are not an operator's to drop: they are emptied, and `sweep` drops them.
    """
    rows = conn.execute(
        "select c.relname, pg_has_role(c.relowner, 'usage') from pg_catalog.pg_class c"
        " where c.relnamespace = to_regnamespace(%s) and c.relname = any(%s)",
        [SCHEMA, [f"r{stage.run_id}", f"r{stage.run_id}_held"]],
    ).fetchall()
    if all(ours for _, ours in rows):
        drop(conn, stage)
        return
    for name, _ in rows:
        conn.execute(sql.SQL("truncate {}").format(sql.Identifier(SCHEMA, name)))


def sweep(conn: Connection) -> None:
    """Drop our own tables that an operator emptied: whoever made them is the one who may."""
    names = conn.execute(
        "select c.relname from governance.delivery_prunings p"
        " join pg_catalog.pg_class c on c.relname in ('r' || p.run_id, 'r' || p.run_id || '_held')"
        " where p.kind = 'stage' and c.relnamespace = to_regnamespace(%s)"
        " and pg_has_role(c.relowner, 'usage')",
        [SCHEMA],
    ).fetchall()
    for (name,) in names:
        conn.execute(sql.SQL("drop table if exists {}").format(sql.Identifier(SCHEMA, name)))


def judge(conn: Connection, stage: Stage, tallies: Mapping[str, Tally] | None = None) -> int:
    """Find the records that do not conform and hold them; return how many records that are.

    One scan with one condition; only what fails it is looked at column by column. A record that
    fails in several columns has a row for each. `tallies`, of exactly the staged records, spare
    the server every check whose outcome they prove.
    """
    good, failures = [], []
    seen = tallies or {}
    for column, how in stage.conversions():
        name = sql.Identifier("s", column.name)
        tally = seen.get(column.name)
        if column.required and not (tally and proof.no_nulls(tally)):
            good.append(sql.SQL("{} is not null").format(name))
            missing = sql.SQL("{} is null").format(name)
            failures.append(_failure(column, _code(Reason.MISSING_REQUIRED), missing))
        if not (tally and proof.all_convert(tally, column.type, column.keys.parse)):
            good.append(sql.SQL("({} is null or {})").format(name, how.valid))
            wrong = sql.SQL("{} is not null and not {}").format(name, how.valid)
            failures.append(_failure(column, how.reason, wrong))
        if not column.fits_key(tally):
            long = sql.SQL("coalesce(octet_length({}) > {}, false)").format(
                name, sql.Literal(column.key_bytes)
            )
            good.append(sql.SQL("not {}").format(long))
            failures.append(_failure(column, _code(Reason.TOO_LONG), long))
        if column.keys.enum is not None and column.required:
            good.append(sql.SQL("not {}").format(outside_enum(column)))
            failures.append(_failure(column, _code(Reason.NOT_IN_ENUM), outside_enum(column)))
    if not good:
        return count_held(conn, stage)
    conn.execute(
        sql.SQL(
            "with failing as materialized (select * from {records} s where not ({good}))"
            " insert into {held} (record_number, line_from, line_to, reason, field, raw)"
            " select s._record_number, s._line_from, s._line_to, f.reason, f.field,"
            " convert_to(s._raw, 'UTF8')"
            " from failing s cross join lateral (values {failures}) as f (reason, field, failed)"
            " where f.failed"
        ).format(
            records=stage.records,
            held=stage.held,
            good=sql.SQL(" and ").join(good),
            failures=sql.SQL(", ").join(failures),
        )
    )
    return count_held(conn, stage)


def count_held(conn: Connection, stage: Stage) -> int:
    """How many records are held."""
    row = conn.execute(
        sql.SQL("select count(distinct record_number) from {}").format(stage.held)
    ).fetchone()
    return int(row[0]) if row else 0


def outside_enum(column: Column) -> sql.Composed:
    """Whether the value is outside the closed set of the source; null is not."""
    name = sql.Identifier("s", column.name)
    return sql.SQL("({0} is not null and {0} <> all({1}::text[]))").format(
        name, sql.Literal(list(column.keys.enum or ()))
    )


def _code(reason: Reason) -> sql.Literal:
    return sql.Literal(reason.value)


def _failure(column: Column, reason: sql.Composable, failed: sql.Composable) -> sql.Composed:
    return sql.SQL("(case when {1} then {0} end, {2}, {1})").format(
        reason, failed, sql.Literal(column.name)
    )


def add_raw(
    conn: Connection,
    stage: Stage,
    read: Callable[[Iterator[Place]], Iterable[tuple[int, bytes]]],
) -> None:
    """Give held records the bytes they were delivered as.

    `read` turns places, in the order of the file, into record numbers and bytes.
    """
    statement = sql.SQL("update {} set raw = %s where record_number = %s").format(stage.held)
    places = sql.SQL(
        "select distinct record_number, line_from, line_to from {} where raw is null"
        " order by record_number"
    ).format(stage.held)
    with conn.transaction(), conn.cursor(name="places") as found, conn.cursor() as cursor:
        found.itersize = _FETCHED
        found.execute(places)
        records = iter(read(iter(found)))
        while some := list(islice(records, _WRITTEN)):
            cursor.executemany(statement, [(raw, number) for number, raw in some])
