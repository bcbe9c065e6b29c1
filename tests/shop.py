"""A small family for publication tests: real tables and real promotions, dbt replaced by SQL.

`Shop` stands where `Context` does. Its dbt "builds" q_orders and q_customers by the statements of
`tables`, so that a test costs milliseconds and decides what every generation holds. The whole way
with real dbt is tested in test_refresh.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from psycopg import sql

from tidegate.contracts.keys import ModelColumnKeys, ModelKeys, Sensitivity
from tidegate.contracts.model import ModelColumn, ModelContract, Project
from tidegate.contracts.types import parse_type
from tidegate.gates.model import Column, GateSpec, Kind, Model, Severity
from tidegate.gates.vendor_code import scan
from tidegate.ledger.contracts import ContractVersion
from tidegate.ledger.evidence import document_sha256
from tidegate.names import candidate_schema
from tidegate.publishing.context import contract_document
from tidegate.publishing.graph import FamilyGraph
from tidegate.publishing.node_results import NodeResult
from tidegate.settings import Settings
from tidegate.warehouse import Warehouse

FAMILY = "shop"
Columns = Sequence[tuple[str, str, bool]]
"""Name, type, nullable."""

ORDERS: Columns = (("order_key", "text", False), ("customer_key", "text", True),
                   ("amount", "numeric(10,2)", True))  # fmt: skip
CUSTOMERS: Columns = (("customer_key", "text", False), ("generation_built", "integer", False))


def contract(
    name: str,
    columns: Columns,
    *,
    family: str = FAMILY,
    version: str = "1",
    references: Sequence[Mapping[str, Any]] = (),
    masks: Mapping[str, str] | None = None,
    policy: Mapping[str, Any] | None = None,
) -> ModelContract:
    """A model's contract without a file; its hash covers everything given here."""
    keys = ModelKeys.model_validate(
        {
            "family": family,
            "version": version,
            "owner": "sales",
            "grain": f"one row of {name}",
            "row_key": [columns[0][0]],
            "provenance": {"policy": "none"},
            "references": list(references),
            "quality_policy": policy,
        }
    )
    made = tuple(
        ModelColumn(
            name=column,
            data_type=kind,
            type=parse_type(kind),
            description=f"The {column}.",
            nullable=nullable,
            keys=ModelColumnKeys.model_validate(
                {"sensitivity": Sensitivity.PUBLIC, "mask": (masks or {}).get(column)}
            ),
            line=1,
        )
        for column, kind, nullable in columns
    )
    whole = ModelContract(
        name=name,
        family=family,
        path=f"contracts/{family}/{name}.yml",
        line=1,
        description=f"Rows of {name}.",
        columns=made,
        keys=keys,
        tests=(),
        column_tests={},
        unique=(),
        checks=(),
        policy=policy,
        sha256="0" * 64,
    )
    from dataclasses import replace

    return replace(whole, sha256=document_sha256(contract_document(whole)))


def gate_model(made: ModelContract) -> Model:
    """The contract as gates see it."""
    return Model(
        name=made.name,
        keys=made.keys,
        columns=tuple(
            Column(c.name, c.data_type, c.nullable, c.keys.sensitivity) for c in made.columns
        ),
        candidate=(candidate_schema(made.family), made.name),
    )


def dbt_spec(made: ModelContract, name: str, statement: str, **more: Any) -> GateSpec:
    """A plain dbt test: `statement` returns the rows that it rejects, of the candidate schema."""
    return GateSpec(
        gate_id=name,
        unique_id=f"test.shop.{name}",
        kind=Kind.DBT,
        severity=more.pop("severity", Severity.BLOCKING),
        family=made.family,
        model=gate_model(made),
        sql=statement,
        asset_keys=(made.name,),
        **more,
    )


def integrity_spec(made: ModelContract, contracts: Mapping[str, ModelContract]) -> GateSpec:
    """Referential integrity of a model as its contract declares it."""
    return GateSpec(
        gate_id="referential_integrity",
        unique_id=f"test.shop.referential_integrity.{made.name}",
        kind=Kind.GATE,
        severity=Severity.BLOCKING,
        family=made.family,
        model=gate_model(made),
        models={name: gate_model(other) for name, other in contracts.items()},
        asset_keys=(made.name,),
    )


Statements = Callable[[int], Mapping[str, str]]


def orders_and_customers(rows: int = 20) -> Statements:
    """Statements that build both tables; every row of a build carries the build's number."""

    def build(number: int) -> dict[str, str]:
        schema = candidate_schema(FAMILY)
        return {
            "q_orders": f"create table {schema}.q_orders as select 'o' || i as order_key,"
            f" 'c' || (i % 5) as customer_key, ({number})::numeric(10,2) as amount"
            f" from generate_series(1, {rows}) as i;"
            f" alter table {schema}.q_orders alter order_key set not null",
            "q_customers": f"create table {schema}.q_customers as select 'c' || i as customer_key,"
            f" {number} as generation_built from generate_series(0, 4) as i;"
            f" alter table {schema}.q_customers alter customer_key set not null,"
            " alter generation_built set not null",
        }

    return build


@dataclass
class ShopDbt:
    """What stands for dbt: it runs the statements of the shop."""

    shop: Shop
    manifest: Any = field(default_factory=lambda: SimpleNamespace(nodes={}, sources={}))

    def run(
        self,
        command: str,
        selected: Sequence[str],
        *more: str,
        built: Callable[[str, str], None] = lambda _, __: None,
    ) -> tuple[NodeResult, ...]:
        """Build the selected models into the candidate schema."""
        assert command == "run"
        self.shop.builds += 1
        results = []
        statements = self.shop.tables(self.shop.builds)
        with self.shop.warehouse.connect() as conn:
            families = {self.shop.contracts[name].family for name in selected}
            for family in families:
                conn.execute(
                    sql.SQL("create schema if not exists {}").format(
                        sql.Identifier(candidate_schema(family))
                    )
                )
            for name in selected:
                if name in statements:
                    conn.execute(statements[name])
                    built(candidate_schema(self.shop.contracts[name].family), name)
                results.append(NodeResult(f"model.shop.{name}", name, "model", "success", 0, ""))
        return tuple(results)


class Shop:
    """A `Context` whose contracts, gates and builds a test decides."""

    def __init__(
        self,
        warehouse: Warehouse,
        contracts: Sequence[ModelContract] = (),
        tables: Statements | None = None,
    ) -> None:
        if not contracts:
            owner = {"columns": ["customer_key"], "to": "q_customers"}
            contracts = (
                contract("q_orders", ORDERS, references=[owner]),
                contract("q_customers", CUSTOMERS),
            )
        self.warehouse = warehouse
        folder = Path(__file__).parent / "shop_code"
        self.settings = Settings(folder, Path("/nonexistent/.tidegate"))
        # Some code, for what is published has its code judged.
        self.code_scan = scan(folder)
        self.contracts = {made.name: made for made in contracts}
        self.tables: Statements = tables or orders_and_customers()
        self.extra_specs: list[GateSpec] = []
        self.builds = 0
        self.code = "code"
        self.project_sha256 = "0" * 64
        self.lower_built: set[str] = set()
        self.lower_tested: set[str] = set()
        self.lower_failed: dict[str, NodeResult] = {}
        self.dbt = ShopDbt(self)

    @property
    def project(self) -> Project:
        """The contracts as a project."""
        return Project(datasets={}, models=self.contracts)

    def family_models(self, family: str) -> tuple[ModelContract, ...]:
        """The contracts of a family."""
        return tuple(self.contracts[name] for name in self.project.families[family])

    def family_contracts(self, family: str) -> tuple[ContractVersion, ...]:
        """The same, as the ledger records them."""
        return tuple(
            ContractVersion(m.family, m.name, m.keys.version, m.sha256, contract_document(m))
            for m in self.family_models(family)
        )

    def graph(self, family: str) -> FamilyGraph:
        """A family without lower layers; `code` decides whether it is unchanged."""
        models = {name: name for name in self.project.families[family]}
        return FamilyGraph(family, models, (), (), (), self.code)

    def inputs(self, conn: Any, family: str) -> dict[str, Any]:
        """Always built again, unless a test sets `volatile`."""
        return {"project": self.project_sha256, "families": list(self.project.families),
                "datasets": {}, "owners": [], "heads": {}, "volatile": True}  # fmt: skip

    def gate_models(self) -> dict[str, Model]:
        """Every model as gates see it."""
        return {name: gate_model(made) for name, made in self.contracts.items()}

    def specs(self, group: Sequence[str]) -> dict[str, tuple[GateSpec, ...]]:
        """Referential integrity of every model, and what the test added."""
        made = [integrity_spec(c, self.contracts) for c in self.contracts.values()]
        return {
            family: tuple(s for s in (*made, *self.extra_specs) if s.family == family)
            for family in group
        }
