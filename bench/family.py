"""A family of many small models, published by the harness's own code with SQL in dbt's place.

`Family` builds candidates by plain statements, so that a publication's time is that of the harness
and not of dbt. Every row carries the number of its build.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from unittest import mock

from psycopg import sql

from tidegate import failpoints
from tidegate.connection import Connection
from tidegate.contracts.keys import ModelColumnKeys, ModelKeys, Sensitivity
from tidegate.contracts.model import ModelColumn, ModelContract
from tidegate.contracts.types import parse_type
from tidegate.gates.model import Column, GateSpec, Kind, Model, Severity
from tidegate.ledger.evidence import document_sha256
from tidegate.ledger.publications import Attempt
from tidegate.names import candidate_schema
from tidegate.publishing import candidate, generation
from tidegate.publishing.context import contract_document
from tidegate.publishing.generation import BuiltFamily
from tidegate.publishing.judging import Promotion
from tidegate.publishing.outcome import Verdict
from tidegate.publishing.promote import promote
from tidegate.warehouse import Warehouse, locks

COLUMNS = (("key", "integer"), ("build", "integer"), ("label", "text"), ("amount", "numeric(12,2)"))


@dataclass(frozen=True)
class Published:
    """Seconds of one publication: what came before the lock, and from the lock to the commit.

    `gates` is the part of `promotion` from the freeze to the last verdict.
    """

    build: float
    attach: float
    promotion: float
    gates: float


class Family:
    """Models `q_m000` and on in one family of a warehouse, `rows` rows each."""

    def __init__(self, warehouse: Warehouse, models: int, rows: int, name: str = "shop") -> None:
        self.warehouse = warehouse
        self.name = name
        self.rows = rows
        self.contracts = tuple(_contract(name, f"q_m{number:03}") for number in range(models))
        self.specs = tuple(_spec(contract) for contract in self.contracts)
        self.builds = 0

    @property
    def models(self) -> tuple[str, ...]:
        """The names of the models, which are those of their views."""
        return tuple(contract.name for contract in self.contracts)

    def build(self, conn: Connection) -> None:
        """Make the candidate's tables, as dbt would: a primary key and no dead rows."""
        self.builds += 1
        make_tables(conn, candidate_schema(self.name), self.models, self.rows, self.builds)

    def attach(self, conn: Connection) -> BuiltFamily:
        """Freeze, fingerprint and attach the candidate."""
        candidates = candidate.relations(conn, candidate_schema(self.name))
        assert len(candidates) == len(self.contracts)
        return generation.make_generation(
            conn, self.name, self.contracts, code_sha256="0" * 64, inputs={"volatile": True}
        )

    def promote(self, built: BuiltFamily) -> tuple[float, float]:
        """Judge and promote; seconds from the first lock until the commit is answered, of gates."""
        with self.warehouse.connect(autocommit=False) as conn:
            locks.stay_open(conn)
            locks.take_build_lock(conn)
            key = f"build {built.generation}"
            work = Promotion(
                warehouse=self.warehouse,
                attempt=Attempt("bench", "bench", key, document_sha256({"key": key})),
                actor="bench",
                families=(built,),
                specs={self.name: self.specs},
                models={spec.model.name: spec.model for spec in self.specs},
            )
            marks: dict[str, float] = {}
            note = mock.patch.object(
                failpoints, "hit", lambda name: marks.setdefault(name, time.perf_counter())
            )
            with note:
                start = time.perf_counter()
                (outcome,) = promote(conn, work)
                conn.commit()
                taken = time.perf_counter() - start
        assert outcome.verdict is Verdict.PUBLISHED
        return taken, marks["promote.judged"] - marks["promote.frozen"]

    def publish(self) -> Published:
        """One publication from nothing to served."""
        with self.warehouse.connect() as conn:
            start = time.perf_counter()
            self.build(conn)
            built_in = time.perf_counter() - start
            start = time.perf_counter()
            built = self.attach(conn)
            attached_in = time.perf_counter() - start
        return Published(built_in, attached_in, *self.promote(built))


def make_tables(
    conn: Connection, schema: str, models: Sequence[str], rows: int, build: int
) -> None:
    """Tables of a build, a hundred in a transaction."""
    conn.execute(sql.SQL("create schema if not exists {}").format(sql.Identifier(schema)))
    for start in range(0, len(models), 100):
        with conn.transaction():
            for model in models[start : start + 100]:
                table = sql.Identifier(schema, model)
                conn.execute(
                    sql.SQL(
                        "create table {} (key integer primary key, build integer not null,"
                        " label text not null, amount numeric(12,2) not null)"
                    ).format(table)
                )
                conn.execute(
                    sql.SQL(
                        "insert into {} select i, {}, 'label ' || i % 100, (i % 1000) / 4.0"
                        " from generate_series(1, {}) as i"
                    ).format(table, sql.Literal(build), sql.Literal(rows))
                )


def _contract(family: str, name: str) -> ModelContract:
    """A model's contract without a file."""
    keys = ModelKeys.model_validate(
        {
            "family": family,
            "version": "1",
            "owner": "bench",
            "grain": "one row",
            "row_key": ["key"],
            "provenance": {"policy": "none"},
        }
    )
    columns = tuple(
        ModelColumn(
            name=column,
            data_type=kind,
            type=parse_type(kind),
            description=f"The {column}.",
            nullable=False,
            keys=ModelColumnKeys(sensitivity=Sensitivity.PUBLIC),
            line=1,
        )
        for column, kind in COLUMNS
    )
    made = ModelContract(
        name=name,
        family=family,
        path=f"contracts/{family}/{name}.yml",
        line=1,
        description=f"Rows of {name}.",
        columns=columns,
        keys=keys,
        tests=(),
        column_tests={},
        unique=(),
        checks=(),
        policy=None,
        sha256="0" * 64,
    )
    return replace(made, sha256=document_sha256(contract_document(made)))


def _spec(contract: ModelContract) -> GateSpec:
    """A gate that costs next to nothing: the publication is measured, not the gates."""
    columns = tuple(Column(c.name, c.data_type, c.nullable) for c in contract.columns)
    return GateSpec(
        gate_id=f"trivial_{contract.name}",
        unique_id=f"test.bench.trivial_{contract.name}",
        kind=Kind.DBT,
        severity=Severity.BLOCKING,
        family=contract.family,
        model=Model(
            name=contract.name,
            keys=contract.keys,
            columns=columns,
            candidate=(candidate_schema(contract.family), contract.name),
        ),
        sql="select 1 where false",
        asset_keys=(contract.name,),
    )
