"""What a run knows: settings, warehouse, contracts, dbt's graph; each made once, at first need."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from tidegate.connection import Connection
from tidegate.contracts.load import load_project
from tidegate.contracts.model import ModelContract, Project
from tidegate.deliveries.landing import prepare
from tidegate.gates.manifest import Reading
from tidegate.gates.model import GateSpec, Kind, Model
from tidegate.gates.specs import specs_of
from tidegate.gates.vendor_code import Scan, scan
from tidegate.ledger.contracts import ContractVersion
from tidegate.names import CURATION
from tidegate.publishing import families, inputs, package
from tidegate.publishing.dbt import DbtProject
from tidegate.publishing.graph import FamilyGraph, family_graphs, model_refs
from tidegate.publishing.node_results import NodeResult
from tidegate.publishing.policies import without_policies
from tidegate.publishing.waiting import patient
from tidegate.settings import Settings
from tidegate.warehouse import Warehouse


class Context:
    """One run over one project and one warehouse, whose locks it waits for in bounded time."""

    def __init__(self, settings: Settings, warehouse: Warehouse) -> None:
        self.settings = settings
        self.warehouse = patient(warehouse)
        self._graphs: dict[str, FamilyGraph] = {}
        self._dataset_states: dict[str, str] | None = None
        self._delivery_states: dict[str, str] | None = None
        self._curation: str | None = None
        self._inference: str | None = None
        self.lower_built: set[str] = set()
        self.lower_tested: set[str] = set()
        self.lower_failed: dict[str, NodeResult] = {}

    @cached_property
    def project_sha256(self) -> str:
        """Hash of the project's files, those of its packages included."""
        package.provide(self.settings.project_dir)
        return inputs.project_sha256(self.settings.project_dir)

    @cached_property
    def code_scan(self) -> Scan:
        """What the gate that reads code judges, for every family the same."""
        return scan(self.settings.project_dir)

    @cached_property
    def project(self) -> Project:
        """Every contract; raises ContractError with all problems."""
        return load_project(self.settings.project_dir)

    @cached_property
    def dbt(self) -> DbtProject:
        """dbt on this project and warehouse."""
        return DbtProject(
            self.settings,
            self.warehouse,
            lambda: {name: model.family for name, model in self.project.models.items()},
        )

    def prepare_landing(self) -> None:
        """Make `landing.<dataset>` of every contract: dbt reads them before the first delivery."""
        if self.project.datasets:
            prepare(self.warehouse, self.project)

    @cached_property
    def _groups(self) -> tuple[tuple[str, ...], ...]:
        pairs = families.family_references(self.project.models, model_refs(self.dbt.manifest))
        return families.publication_groups(self.project.families, pairs)

    def groups(self) -> tuple[tuple[str, ...], ...]:
        """Families that are published together, in the order of their references."""
        return self._groups

    def group_of(self, family: str) -> tuple[str, ...]:
        """The families that this one is published with, itself among them."""
        return next(group for group in self._groups if family in group)

    def family_models(self, family: str) -> tuple[ModelContract, ...]:
        """The contracts of a family's models, by name."""
        return tuple(self.project.models[name] for name in self.project.families[family])

    def family_contracts(self, family: str) -> tuple[ContractVersion, ...]:
        """The same, as the ledger records them."""
        return tuple(contract_version(model) for model in self.family_models(family))

    def graph(self, family: str) -> FamilyGraph:
        """The family in dbt's graph."""
        if not self._graphs:
            # All at once, before dbt has run anything: a run leaves its marks on the nodes, and
            # what another family shares with this one would then look changed.
            hashes = {
                name: {model.name: model.sha256 for model in self.family_models(name)}
                for name in self.project.families
            }
            found = "\n".join(map(str, self.code_scan.findings))
            self._graphs = family_graphs(self.dbt.manifest, hashes, found)
        return self._graphs[family]

    def inputs(self, conn: Connection, family: str) -> dict[str, Any]:
        """What the family is built from in this run, as JSON."""
        graph = self.graph(family)
        sources = [self.dbt.manifest.sources[key] for key in graph.sources]
        curated = any(source.schema == CURATION for source in sources)
        inferred = any(inputs.is_inference(source) for source in sources)
        names = [
            source.name
            for source in sources
            if source.schema != CURATION and not inputs.is_inference(source)
        ]
        referred = {
            self.project.models[reference.to].family
            for model in self.family_models(family)
            for reference in model.keys.references
            if reference.to in self.project.models
        }
        # Families of one cycle are built and judged together, so what one of them serves is no
        # input of the other: each publication would make both look changed, for ever.
        owners = sorted({*graph.owners, *referred} - set(self.group_of(family)))
        states = self._dataset_states_before(conn)
        delivered = self._delivery_states_before(conn) if graph.deliveries else {}
        return {
            "project": self.project_sha256,
            "families": sorted(self.project.families),
            "datasets": {
                name: states.get(name, "none")
                for name in sorted(names)
                if name in self.project.datasets
            },
            "deliveries": {name: delivered.get(name, "none") for name in graph.deliveries},
            "owners": owners,
            "heads": inputs.head_states(conn, owners),
            "curation": self._curation_before(conn) if curated else None,
            "inference": self._inference_before(conn) if inferred else None,
            # Nobody knows when a source without a dataset contract changes: always built again.
            "volatile": any(name not in self.project.datasets for name in names),
        }

    def _dataset_states_before(self, conn: Connection) -> dict[str, str]:
        """Read once, before anything is built: what is recorded is never newer than what is built.

        A delivery that is accepted meanwhile makes the next run build again, which is harmless.
        """
        if self._dataset_states is None:
            self._dataset_states = inputs.dataset_states(conn)
        return self._dataset_states

    def _delivery_states_before(self, conn: Connection) -> dict[str, str]:
        """The same for deliveries of which nothing was accepted."""
        if self._delivery_states is None:
            self._delivery_states = inputs.delivery_states(conn)
        return self._delivery_states

    def _curation_before(self, conn: Connection) -> str:
        """The same for the overlays in force."""
        if self._curation is None:
            self._curation = inputs.curation_state(conn)
        return self._curation

    def _inference_before(self, conn: Connection) -> str:
        """The same for the records of inference."""
        if self._inference is None:
            self._inference = inputs.inference_state(conn)
        return self._inference

    @cached_property
    def _reading(self) -> Reading:
        """The manifest as gates read it, for every family the same."""
        return Reading(self.dbt.manifest)

    def gate_models(self) -> Mapping[str, Model]:
        """Every contracted model as gates see it, by name."""
        return self._reading.models.by_name

    def specs(self, group: Sequence[str]) -> dict[str, tuple[GateSpec, ...]]:
        """The gates of each family; dbt's own tests with the SQL that dbt compiles for them."""
        found = {family: specs_of(self._reading, family) for family in group}
        plain = [
            spec
            for specs in found.values()
            for spec in without_policies(specs)
            if spec.kind is Kind.DBT and not spec.dropped
        ]
        compiled = self.dbt.compile_tests(sorted({spec.unique_id for spec in plain}))
        return {
            family: tuple(
                replace(spec, sql=compiled.get(spec.unique_id)) if spec.kind is Kind.DBT else spec
                for spec in specs
            )
            for family, specs in found.items()
        }


def contract_version(model: ModelContract) -> ContractVersion:
    """A model's contract as the ledger records it."""
    return ContractVersion(
        family=model.family,
        model=model.name,
        version=model.keys.version,
        sha256=model.sha256,
        document=contract_document(model),
    )


def contract_document(model: ModelContract) -> dict[str, Any]:
    """A contract as JSON: what a later one is compared with."""
    return {
        "name": model.name,
        "family": model.family,
        "description": model.description,
        "keys": model.keys.model_dump(mode="json"),
        "columns": [
            {
                "name": column.name,
                "data_type": column.type.sql,
                "nullable": column.nullable,
                "description": column.description,
                "keys": column.keys.model_dump(mode="json"),
            }
            for column in model.columns
        ],
    }
