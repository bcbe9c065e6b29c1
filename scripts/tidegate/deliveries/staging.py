"""What a run stages: the contract's columns as text, and what could not be read or conform.

Two unlogged tables of schema `landing_stage` belong to a run: `r<run>` holds records, one text
column a contract column; `r<run>_held` holds what goes to quarantine. Both can be made again from
the artefact, so losing them in a crash of the server loses nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from psycopg import sql

from tidegate.contracts.keys import DatasetColumnKeys
from tidegate.deliveries.conform import Conversion, conversion
from tidegate.deliveries.reading import Held, Record
from tidegate.deliveries.runs import Connection

SCHEMA = "landing_stage"


@dataclass(frozen=True)
class Column:
    """A contract column as staging needs it."""

    name: str
    type_sql: str
    keys: DatasetColumnKeys
    in_key: bool = False
    """Part of the dataset's row key: null there cannot be told apart from another null."""

    @property
    def required(self) -> bool:
        """Whether a record without it is held."""
        return self.keys.required or self.in_key


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
                conversion(sql.Identifier("s", column.name), column.type_sql, column.keys.parse),
            )
            for column in self.columns
        ]


def create(conn: Connection, stage: Stage) -> None:
    """Make both tables anew."""
    drop(conn, stage)
    columns = sql.SQL("").join(
        sql.SQL(", {} text").format(sql.Identifier(column.name)) for column in stage.columns
    )
    conn.execute(
        sql.SQL(
            "create unlogged table {} (_record_number bigint not null, _line_from bigint,"
            " _line_to bigint{})"
        ).format(stage.records, columns)
    )
    conn.execute(
        sql.SQL(
            "create unlogged table {} (record_number bigint not null, line_from bigint,"
            " line_to bigint, reason text not null, field text, raw bytea)"
        ).format(stage.held)
    )


def drop(conn: Connection, stage: Stage) -> None:
    """Remove both tables: accepted, or about to be made again."""
    conn.execute(sql.SQL("drop table if exists {}, {}").format(stage.records, stage.held))


def fill(
    conn: Connection, stage: Stage, names: Sequence[str], records: Iterable[Record | Held]
) -> tuple[int, int]:
    """Write what the parser yields; return how many records were read and how many were held.

    Held records wait in memory in batches: one connection cannot write two tables at once.
    """
    places = [names.index(column.name) if column.name in names else -1 for column in stage.columns]
    read = held_count = 0
    held: list[Held] = []
    with conn.cursor() as cursor:
        with cursor.copy(sql.SQL("copy {} from stdin").format(stage.records)) as copy:
            for record in records:
                read += 1
                if isinstance(record, Held):
                    held.append(record)
                    held_count += 1
                    continue
                fields = [record.fields[at] if at >= 0 else None for at in places]
                copy.write_row((record.number, record.line_from, record.line_to, *fields))
        _write_held(conn, stage, held)
    conn.execute(sql.SQL("analyze {}").format(stage.records))
    return read, held_count


def _write_held(conn: Connection, stage: Stage, held: Sequence[Held]) -> None:
    with (
        conn.cursor() as cursor,
        cursor.copy(sql.SQL("copy {} from stdin").format(stage.held)) as copy,
    ):
        for record in held:
            copy.write_row(
                (record.number, record.line_from, record.line_to, record.reason, None, record.raw)
            )


def judge(conn: Connection, stage: Stage) -> int:
    """Find the records that do not conform and hold them; return how many.

    One scan with one condition; only what fails it is looked at column by column. A record that
    fails in several columns has a row for each.
    """
    good, failures = [], []
    for column, how in stage.conversions():
        name = sql.Identifier("s", column.name)
        if column.required:
            good.append(sql.SQL("{} is not null").format(name))
            failures.append(
                _failure(column, "missing_required", sql.SQL("{} is null").format(name))
            )
        good.append(sql.SQL("({} is null or {})").format(name, how.valid))
        failures.append(
            _failure(
                column,
                how.reason,
                sql.SQL("{} is not null and not {}").format(name, how.valid),
            )
        )
    cursor = conn.execute(
        sql.SQL(
            "with failing as materialized (select * from {records} s where not ({good}))"
            " insert into {held} (record_number, line_from, line_to, reason, field)"
            " select s._record_number, s._line_from, s._line_to, f.reason, f.field"
            " from failing s cross join lateral (values {failures}) as f (reason, field, failed)"
            " where f.failed"
        ).format(
            records=stage.records,
            held=stage.held,
            good=sql.SQL(" and ").join(good),
            failures=sql.SQL(", ").join(failures),
        )
    )
    if not cursor.rowcount:
        return 0
    row = conn.execute(
        sql.SQL("select count(distinct record_number) from {} where raw is null").format(stage.held)
    ).fetchone()
    return int(row[0]) if row else 0


def _failure(column: Column, reason: str, failed: sql.Composable) -> sql.Composed:
    return sql.SQL("({}, {}, {})").format(sql.Literal(reason), sql.Literal(column.name), failed)


def fill_raw(conn: Connection, stage: Stage, records: Iterable[Record | Held]) -> None:
    """Give held records the bytes they were delivered as, from a second reading."""
    missing = {
        row[0]
        for row in conn.execute(
            sql.SQL("select distinct record_number from {} where raw is null").format(stage.held)
        )
    }
    statement = sql.SQL("update {} set raw = %s where record_number = %s").format(stage.held)
    with conn.transaction(), conn.cursor() as cursor:
        for record in records:
            if record.number in missing:
                cursor.execute(statement, [record.raw, record.number])
                missing.discard(record.number)
            if not missing:
                break
