"""Sparing the server what observation proved changes no outcome."""

from __future__ import annotations

import io

import pytest
from psycopg import sql

from tidegate.connection import Connection
from tidegate.contracts.keys import CsvFormat, DatasetColumnKeys
from tidegate.contracts.types import parse_type
from tidegate.deliveries import proof, staging
from tidegate.deliveries.filling import fill
from tidegate.deliveries.parsing import SourceColumn, open_records

COLUMNS = {"id": "integer", "day": "date", "amount": "numeric(6,2)", "seen": "timestamptz"}
GOOD = b"id,day,amount,seen\n1,2024-02-29,1.50,2024-01-01T10:00:00Z\n2,2024-03-01,2.00,\n"
ODD = {
    "all conform": b"",
    "an odd integer": b"1_0,2024-01-01,1,\n",
    "an odd date": b"3,2023-02-29,1,\n",
    "a null that is required": b",2024-01-01,1,\n",
    "several at once": b"x,now,1.999,yesterday\n",
}


@pytest.mark.parametrize("kind", ODD)
def test_the_same_records_are_held_with_and_without_proof(conn: Connection, kind: str) -> None:
    """Held rows, fields and reasons are equal, and the good file is proved as a whole."""
    columns = tuple(
        staging.Column(name, parse_type(type_), DatasetColumnKeys(), required=name == "id")
        for name, type_ in COLUMNS.items()
    )
    held = []
    for run, proved in ((1, True), (2, False)):
        stage = staging.Stage(run, columns)
        staging.create(conn, stage)
        reader = open_records(
            io.BytesIO(GOOD + ODD[kind]),
            CsvFormat(type="csv"),
            [SourceColumn(name) for name in COLUMNS],
        )
        fill(conn, stage, reader)
        tallies = dict(zip(COLUMNS, reader.tallies, strict=True))
        staging.judge(conn, stage, tallies if proved else None)
        rows = conn.execute(
            sql.SQL("select record_number, reason, field from {} order by 1, 3").format(stage.held)
        )
        held.append(rows.fetchall())
    assert held[0] == held[1]
    assert bool(held[0]) == bool(ODD[kind])
    if not ODD[kind]:
        proofs = [proof.all_convert(tallies[one.name], one.type, one.keys.parse) for one in columns]
        assert proofs == [True, True, True, True]
