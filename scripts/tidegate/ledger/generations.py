"""Generations in the ledger: numbers, states, models, results, and the serving head.

Every function works inside the caller's transaction. States and their transitions are
constrained in the database (migration 0002); `GenerationState` mirrors them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from psycopg.types.json import Jsonb

from tidegate.connection import Connection


class GenerationState(str, Enum):
    """The states of a generation (gate seed, "Publication-state behavior")."""

    CANDIDATE_MATERIALIZED = "candidate_materialized"
    CHECKS_PASSING = "checks_passing"
    PUBLISHED = "published"
    HELD_BACK = "held_back"
    DISCARDED = "discarded"
    PRUNED = "pruned"


@dataclass(frozen=True)
class Generation:
    """One generation as recorded; `inputs` and `code_sha256` say what it was built from."""

    family: str
    generation: int
    state: GenerationState
    attached: bool
    code_sha256: str
    inputs: Mapping[str, Any]
    reason: str | None


@dataclass(frozen=True)
class BuiltModel:
    """One table of a generation: rows, order-independent content hash, what readers would get."""

    model: str
    shape: int
    row_count: int
    content_hash: int
    contract_version: str
    contract_sha256: str
    served: Sequence[Mapping[str, Any]]


def served_generation(conn: Connection, family: str) -> int | None:
    """The generation that the stable views show; None before the first publication."""
    row = conn.execute(
        "select generation from governance.serving_heads where family = %s", [family]
    ).fetchone()
    return int(row[0]) if row else None


def latest(conn: Connection, family: str) -> Generation | None:
    """The newest generation that was judged; None where there is none."""
    row = conn.execute(
        "select family, generation, state, attached, code_sha256, inputs, reason"
        " from governance.generations where family = %s and state in ('published', 'held_back')"
        " order by generation desc limit 1",
        [family],
    ).fetchone()
    return _generation(row) if row else None


def find(conn: Connection, family: str, generation: int) -> Generation | None:
    """One generation; None where it was never built."""
    row = conn.execute(
        "select family, generation, state, attached, code_sha256, inputs, reason"
        " from governance.generations where family = %s and generation = %s",
        [family, generation],
    ).fetchone()
    return _generation(row) if row else None


def note_project(conn: Connection, family: str, project_sha256: str) -> None:
    """Remember that the project's files, as they are now, change nothing for the family."""
    conn.execute(
        "update governance.generations set inputs = jsonb_set(inputs, '{project}', %s)"
        " where (family, generation) = (select family, max(generation)"
        " from governance.generations where family = %s"
        " and state in ('published', 'held_back') group by family)",
        [Jsonb(project_sha256), family],
    )


def next_number(conn: Connection, family: str) -> int:
    """The number after the highest ever given; the caller holds the build lock."""
    row = conn.execute(
        "select coalesce(max(generation), 0) + 1 from governance.generations where family = %s",
        [family],
    ).fetchone()
    assert row is not None  # noqa: S101 (an aggregate returns a row)
    return int(row[0])


def insert(
    conn: Connection,
    *,
    family: str,
    generation: int,
    code_sha256: str,
    inputs: Mapping[str, Any],
    contracts: Mapping[str, str],
) -> None:
    """Record a candidate that has become a generation and is not yet attached."""
    conn.execute(
        "insert into governance.generations (family, generation, state, prior_generation,"
        " attached, code_sha256, inputs, contracts)"
        " values (%s, %s, 'candidate_materialized',"
        " (select generation from governance.serving_heads where family = %s),"
        " false, %s, %s, %s)",
        [family, generation, family, code_sha256, Jsonb(inputs), Jsonb(contracts)],
    )


def insert_models(
    conn: Connection, family: str, generation: int, models: Sequence[BuiltModel]
) -> None:
    """Record the tables of a generation."""
    with conn.cursor() as cursor:
        cursor.executemany(
            "insert into governance.generation_models (family, generation, model, shape,"
            " row_count, content_hash, contract_version, contract_sha256, served)"
            " values (%s, %s, %s, %s, %s, %s, %s, %s, %s)",
            [
                (
                    family,
                    generation,
                    built.model,
                    built.shape,
                    built.row_count,
                    built.content_hash,
                    built.contract_version,
                    built.contract_sha256,
                    Jsonb(list(built.served)),
                )
                for built in models
            ],
        )


def set_attached(conn: Connection, family: str, generation: int) -> None:
    """The tables of the generation are partitions of their serving parents."""
    conn.execute(
        "update governance.generations set attached = true where family = %s and generation = %s",
        [family, generation],
    )


def set_state(
    conn: Connection,
    family: str,
    generation: int,
    state: GenerationState,
    *,
    reason: str | None = None,
    content_sha256: str | None = None,
) -> None:
    """Move a generation to `state`; the database refuses a transition that is none."""
    conn.execute(
        "update governance.generations set state = %s, reason = %s,"
        " content_sha256 = coalesce(%s, content_sha256) where family = %s and generation = %s",
        [state.value, reason, content_sha256, family, generation],
    )


def discard_interrupted(
    conn: Connection, families: Sequence[str], *, reason: str = "interrupted"
) -> list[tuple[str, int]]:
    """Mark what a crashed run left; the caller holds the build lock, so nobody works on it."""
    rows = conn.execute(
        "update governance.generations set state = 'discarded', reason = %s"
        " where family = any(%s) and state in ('candidate_materialized', 'checks_passing')"
        " returning family, generation",
        [reason, list(families)],
    ).fetchall()
    return [(row[0], row[1]) for row in rows]


def published_together(conn: Connection, family: str, generation: int) -> list[tuple[str, int]]:
    """The family and generation, and those that one transaction published with it, by family.

    A generation of another family that is not kept any more is left out.
    """
    rows = conn.execute(
        "select others.family, others.to_generation from governance.head_moves as mine"
        " join governance.head_moves as others using (transaction_id)"
        " join governance.generations as kept on kept.family = others.family"
        " and kept.generation = others.to_generation and kept.state = 'published'"
        " where mine.family = %s and mine.to_generation = %s"
        " and mine.kind = 'publish' and others.kind = 'publish' order by others.family",
        [family, generation],
    ).fetchall()
    return [(row[0], row[1]) for row in rows]


def move_head(
    conn: Connection, family: str, generation: int, *, kind: str, by: str, reason: str | None
) -> int | None:
    """Make a generation the served one; return the one served before. The whole publication."""
    before = conn.execute(
        "select generation from governance.serving_heads where family = %s for update", [family]
    ).fetchone()
    conn.execute(
        "insert into governance.serving_heads (family, generation) values (%s, %s)"
        " on conflict (family) do update set generation = excluded.generation",
        [family, generation],
    )
    conn.execute(
        "insert into governance.head_moves (family, from_generation, to_generation, kind,"
        " moved_by, reason) values (%s, %s, %s, %s, %s, %s)",
        [family, before[0] if before else None, generation, kind, by, reason],
    )
    return int(before[0]) if before else None


def _generation(row: tuple[Any, ...]) -> Generation:
    return Generation(row[0], row[1], GenerationState(row[2]), *row[3:])
