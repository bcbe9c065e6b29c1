"""What gates read from rows: values of public columns, kept for the operator alone (design §7).

An example lives as long as the generation that was judged. Those of a `check` have no generation;
the newest check of a family replaces those of the one before.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from psycopg.rows import class_row
from psycopg.types.json import Jsonb

from tidegate.connection import Connection
from tidegate.gates.model import Level
from tidegate.gates.result import GateResult


@dataclass(frozen=True)
class Example:
    """One violation with what the gate read; `row_key` is None where keys are not public.

    `generation` is None for what a check found.
    """

    family: str
    generation: int | None
    gate_id: str
    asset: str
    row_key: str | None
    level: Level
    reason: str
    values: Mapping[str, Any]
    kept_at: datetime

    def document(self) -> dict[str, Any]:
        """The example as JSON."""
        return {
            "family": self.family,
            "generation": self.generation,
            "gate_id": self.gate_id,
            "model": self.asset,
            "row_key": self.row_key,
            "level": self.level.value,
            "reason": self.reason,
            "values": dict(self.values),
            "kept_at": self.kept_at.isoformat(),
        }


def keep(
    conn: Connection, family: str, generation: int | None, results: Iterable[GateResult]
) -> int:
    """Keep the values of every sample that has some; return how many examples that were.

    Inside the caller's transaction. Only columns that a contract calls public have values at all.
    """
    rows = [
        (
            family,
            generation,
            result.gate_id,
            result.spec.model.name,
            sample.row_key,
            sample.level.value,
            sample.reason,
            Jsonb(dict(sample.values)),
        )
        for result in results
        for sample in result.samples
        if sample.values
    ]
    with conn.cursor() as cursor:
        cursor.executemany(
            "insert into governance.gate_examples (family, generation, gate_id, asset, row_key,"
            ' level, reason, "values") values (%s, %s, %s, %s, %s, %s, %s, %s)',
            rows,
        )
    return len(rows)


def keep_of_check(conn: Connection, results: Iterable[GateResult]) -> int:
    """Keep what a check found, in place of what the check before it found in these families."""
    by_family: dict[str, list[GateResult]] = {}
    for result in results:
        by_family.setdefault(result.spec.family, []).append(result)
    kept = 0
    with conn.transaction():
        for family, found in by_family.items():
            conn.execute(
                "delete from governance.gate_examples where family = %s and generation is null",
                [family],
            )
            kept += keep(conn, family, None, found)
    return kept


def drop(conn: Connection, family: str, generation: int) -> None:
    """Remove the examples of a generation that has just been pruned."""
    conn.execute(
        "delete from governance.gate_examples where family = %s and generation = %s",
        [family, generation],
    )


def read(conn: Connection, gate_id: str, asset: str | None = None) -> tuple[Example, ...]:
    """The examples of one gate, those of the newest judgement first.

    Raises psycopg's InsufficientPrivilege for everybody but the operator.
    """
    with conn.cursor(row_factory=class_row(_Row)) as cursor:
        rows = cursor.execute(
            'select family, generation, gate_id, asset, row_key, level, reason, "values",'
            " kept_at from governance.gate_examples"
            " where gate_id = %s and (%s::text is null or asset = %s)"
            " order by kept_at desc, example_id",
            [gate_id, asset, asset],
        ).fetchall()
    return tuple(Example(**{**vars(row), "level": Level(row.level)}) for row in rows)


@dataclass(frozen=True)
class _Row:
    family: str
    generation: int | None
    gate_id: str
    asset: str
    row_key: str | None
    level: str
    reason: str
    values: dict[str, Any]
    kept_at: datetime
