"""A frozen candidate lets each gate read the receipts of its own model only."""

from __future__ import annotations

import psycopg
import pytest

from tidegate.publishing import candidate

RECEIPTS = "q_provenance__shop"


def frozen(conn: psycopg.Connection, columns: str) -> list[str]:
    """The columns of the indexes that a table of receipts has once it is frozen."""
    conn.execute("create schema shop__candidate")
    conn.execute(f"create table shop__candidate.{RECEIPTS} ({columns})".encode())
    candidate.freeze(conn, "shop", 1, RECEIPTS)
    rows = conn.execute(
        "select pg_get_indexdef(indexrelid) from pg_index where indrelid = to_regclass(%s)",
        [f"shop__candidate.{RECEIPTS}"],
    ).fetchall()
    return [row[0].partition(" USING ")[2] for row in rows]


@pytest.mark.parametrize(
    ("columns", "indexed"),
    [
        ("curation_overlay_key text, model_name text", "(model_name, curation_overlay_key)"),
        ("model_name text, row_key text", "(model_name)"),
        ("model_name text, curation_overlay_key jsonb", "(model_name)"),
        ("model_name jsonb, row_key text", None),
    ],
)
def test_receipts_are_found_by_model_and_by_overlay(
    conn: psycopg.Connection, columns: str, indexed: str | None
) -> None:
    """By what there is of the two, as text; another project's columns may be anything."""
    expected = [f"brin {indexed} WITH (pages_per_range='32')"] if indexed else []
    assert frozen(conn, columns) == expected


def test_receipts_of_one_model_are_a_part_of_the_table(conn: psycopg.Connection) -> None:
    """The pages of other models are left alone; without an overlay nothing is read at all."""
    table = f"shop__candidate.{RECEIPTS}"
    conn.execute("create schema shop__candidate")
    conn.execute(
        f"create table {table} as select 'q_' || (n / 20000) as model_name, n::text as row_key,"
        " null::text as curation_overlay_key from generate_series(0, 99999) as n".encode()
    )
    candidate.freeze(conn, "shop", 1, RECEIPTS)
    conn.execute("set enable_seqscan to off")
    read = []
    for condition in ("", " and curation_overlay_key is not null"):
        statement = f"explain (analyze, buffers, format json) select * from {table}"
        (plan,) = conn.execute(
            f"{statement} where model_name = 'q_2'{condition}".encode()
        ).fetchone() or ({},)
        read.append(plan[0]["Plan"]["Exact Heap Blocks"] + plan[0]["Plan"]["Lossy Heap Blocks"])
    pages = conn.execute(f"select pg_relation_size('{table}') / 8192".encode()).fetchone()
    assert pages is not None
    assert 0 < read[0] < pages[0] / 2
    assert read[1] == 0
