"""llm_provider_interface: the project's own code asks models through its runtime, never a vendor.

Static: it reads code and no relation, see `vendor_code`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tidegate.contracts.keys import ModelKeys, Sensitivity
from tidegate.gates.calls import Call
from tidegate.gates.model import Column, GateSpec, Kind, Level, Model, Severity, Status
from tidegate.gates.relations import Relations
from tidegate.gates.result import GateResult, Sample
from tidegate.gates.retarget import Unreadable
from tidegate.gates.vendor_code import ADAPTERS, FOLDERS, Scan
from tidegate.names import SAMPLE_CAP

GATE_ID = "llm_provider_interface"
REMEDY = (
    "Ask through the inference runtime; a vendor's SDK, address and model names belong into an"
    f" adapter (a folder `{ADAPTERS}`) and into profiles."
)


def judge_code(
    done: Scan,
    families: Sequence[str],
    *,
    severity: Severity = Severity.BLOCKING,
    protected: bool = False,
) -> tuple[GateResult, ...]:
    """What the scan found, as one gate result for each family; row keys are `path:line`.

    `protected` says that the verdict is part of a promotion.
    """
    ordered = sorted(done.findings, key=lambda item: item.level is Level.WARN)
    blocking = [item.path for item in ordered if item.level is Level.BLOCK]
    warning = [item.path for item in ordered if item.level is Level.WARN]
    counted = Counter(item.reason.value for item in ordered)
    return tuple(
        GateResult(
            spec=_spec(family, severity),
            status=_status(done, bool(blocking), severity),
            rows_checked=done.files,
            rows_failing=len(set(blocking)),
            rows_warning=len(set(warning)),
            reasons=dict(sorted(counted.items())),
            samples=tuple(
                Sample(f"{at.path}:{at.line}", at.level, at.reason.value, {"names": at.names})
                for at in ordered[:SAMPLE_CAP]
            ),
            duration_ms=done.duration_ms,
            remediation_hint=REMEDY,
            publication_protected=protected,
            asset_keys=FOLDERS,
        )
        for family in families
    )


def no_relation(_spec: GateSpec, _relations: Relations) -> Call:
    """Nothing of this gate runs in the database."""
    raise Unreadable(f"{GATE_ID} reads code and no relation")


def _status(done: Scan, blocks: bool, severity: Severity) -> Status:
    if not done.files:
        return Status.NOT_EVALUATED
    if blocks:
        return Status.FAIL if severity is Severity.BLOCKING else Status.WARN
    return Status.WARN if done.findings else Status.PASS


def _spec(family: str, severity: Severity) -> GateSpec:
    keys = ModelKeys.model_validate(
        {
            "family": family,
            "version": "1",
            "owner": "tidegate",
            "grain": "one line of code",
            "row_key": ["place"],
            "provenance": {"policy": "none"},
        }
    )
    place = Column("place", "text", nullable=False, sensitivity=Sensitivity.PUBLIC)
    return GateSpec(
        gate_id=GATE_ID,
        unique_id=f"tidegate.{GATE_ID}.{family}",
        kind=Kind.GATE,
        severity=severity,
        family=family,
        model=Model("project_code", keys, (place,), ("", "project_code")),
        owner="tidegate",
        contract_ref="docs/gates.md",
    )
