"""A candidate that changed after it was frozen is never published (domain §5.4, test 4)."""

from __future__ import annotations

from tidegate.gates.model import Column, GateSpec, Kind, Level, Model, Severity, Status
from tidegate.gates.result import GateResult, Sample
from tidegate.publishing.candidate import Fingerprint
from tidegate.publishing.generation import BuiltFamily, ModelTable

GATE_ID = "candidate_frozen"


def mutation_result(built: BuiltFamily, table: ModelTable, now: Fingerprint) -> GateResult:
    """A blocking result that says by how many rows the table differs, never which."""
    contract = table.contract
    model = Model(
        name=contract.name,
        keys=contract.keys,
        columns=tuple(
            Column(column.name, column.data_type, column.nullable) for column in contract.columns
        ),
        candidate=(built.schema, contract.name),
    )
    spec = GateSpec(
        gate_id=GATE_ID,
        unique_id=f"tidegate.{GATE_ID}.{contract.name}",
        kind=Kind.GATE,
        severity=Severity.BLOCKING,
        family=built.family,
        model=model,
        owner=contract.keys.owner,
        contract_ref=contract.path,
        asset_keys=(contract.name,),
    )
    difference = abs(now.row_count - table.mark.row_count)
    sample = Sample(
        None,
        Level.BLOCK,
        "candidate_changed",
        {"frozen_rows": table.mark.row_count, "found_rows": now.row_count},
    )
    return GateResult(
        spec=spec,
        status=Status.FAIL,
        rows_checked=now.row_count,
        rows_failing=max(difference, 1),
        rows_warning=0,
        reasons={"candidate_changed": 1},
        samples=(sample,),
        duration_ms=0.0,
        remediation_hint="Find who writes to generation schemas; build and publish again.",
        publication_protected=True,
    )
