"""Helpers of the gate tests: models as a contract describes them, and the verdict in short."""

from __future__ import annotations

from typing import Any

from tidegate.contracts.keys import ModelKeys, Sensitivity
from tidegate.gates.model import Column, GateSpec, Kind, Model, Severity
from tidegate.gates.result import GateResult

FAMILY = "clinical_trials"
SCHEMA = "clinical_trials__g000007"


def model(
    name: str, columns: str, *, row_key: list[str], public: bool = True, **keys: Any
) -> Model:
    """A model from `name type[!], …`; `!` is not null."""
    listed = []
    for item in columns.split(","):
        column, _, data_type = item.strip().partition(" ")
        listed.append(
            Column(
                name=column,
                data_type=data_type.rstrip("!"),
                nullable=not data_type.endswith("!"),
                sensitivity=Sensitivity.PUBLIC if public else Sensitivity.INTERNAL,
            )
        )
    given = {
        "family": FAMILY,
        "version": "3",
        "owner": "trials",
        "grain": "one row",
        "row_key": row_key,
        "provenance": {"policy": "none"},
        **keys,
    }
    return Model(
        name, ModelKeys.model_validate(given), tuple(listed), (f"{FAMILY}__candidate", name)
    )


def spec(gate_id: str, judged: Model, *others: Model, **options: Any) -> GateSpec:
    """A blocking gate on `judged` that knows the other models."""
    options.setdefault("severity", Severity.BLOCKING)
    return GateSpec(
        gate_id=gate_id,
        unique_id=f"test.tidegate.{gate_id}_{judged.name}",
        kind=Kind.GATE,
        family=FAMILY,
        model=judged,
        models={other.name: other for other in (judged, *others)},
        owner=judged.keys.owner,
        contract_ref=f"contracts/{FAMILY}/{judged.name}.yml",
        **options,
    )


def in_schema(*missing: str) -> Any:
    """Resolve every model into the generation's schema, except those that are missing."""

    def resolve(name: str) -> tuple[str, str] | None:
        return None if name in missing else (SCHEMA, name)

    return resolve


def found(result: GateResult) -> list[tuple[str | None, str, str]]:
    """The samples without their metadata."""
    return [(s.row_key, s.level.value, s.reason) for s in result.samples]
