"""What a gate answers: `GateResult` with its samples.

Source: contracts seed, "Reusable check-factory contract" (what a check must emit).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tidegate.gates.model import GateSpec, Level, Severity, Status


@dataclass(frozen=True)
class Sample:
    """One violation as it may be shown; `row_key` is None where keys are not public.

    `values` are what the gate read from columns that the contract calls public. They are kept
    apart from everything else, for `governance.gate_examples` only (design §7).
    """

    row_key: str | None
    level: Level
    reason: str
    metadata: Mapping[str, Any]
    values: Mapping[str, Any] = field(default_factory=dict, repr=False)

    def document(self) -> dict[str, Any]:
        """The violation as JSON, without the values."""
        return {
            "row_key": self.row_key,
            "level": self.level.value,
            "reason": self.reason,
            "metadata": dict(self.metadata),
        }


def keys_of(samples: Iterable[Sample]) -> tuple[str, ...]:
    """The row keys that samples show, each once."""
    return tuple(dict.fromkeys(one.row_key for one in samples if one.row_key is not None))


@dataclass(frozen=True)
class GateResult:
    """The verdict of one gate with everything the seed asks of it; no field value in it.

    `rows_failing` counts distinct row keys that a blocking violation names, `rows_warning` those
    of a warning one; `reasons` counts violations by reason code.
    """

    spec: GateSpec = field(repr=False)
    status: Status
    rows_checked: int
    rows_failing: int
    rows_warning: int
    reasons: Mapping[str, int]
    samples: tuple[Sample, ...]
    duration_ms: float
    remediation_hint: str
    publication_protected: bool
    asset_keys: tuple[str, ...] = ()
    """The models that were read, the judged one first."""
    error: str | None = None

    @property
    def gate_id(self) -> str:
        """Which gate."""
        return self.spec.gate_id

    @property
    def blocks(self) -> bool:
        """Whether the publication is withheld because of this result."""
        if self.status is Status.ERROR:
            return True
        return self.spec.severity is Severity.BLOCKING and self.status in (
            Status.FAIL,
            Status.NOT_EVALUATED,
        )

    @property
    def sample_keys(self) -> tuple[str, ...]:
        """At most 25 row keys, none where the contract does not call them public."""
        return keys_of(self.samples)

    def document(self) -> dict[str, Any]:
        """The result as one JSON document, keys in order of meaning."""
        spec = self.spec
        return {
            "gate_id": spec.gate_id,
            "kind": spec.kind.value,
            "asset": spec.model.name,
            "family": spec.family,
            "severity": spec.severity.value,
            "status": self.status.value,
            "blocks": self.blocks,
            "rows_checked": self.rows_checked,
            "rows_failing": self.rows_failing,
            "rows_warning": self.rows_warning,
            "reasons": dict(self.reasons),
            "sample_keys": list(self.sample_keys),
            "samples": [sample.document() for sample in self.samples],
            "contract_version": spec.model.keys.version,
            "contract_ref": spec.contract_ref,
            "asset_keys": list(self.asset_keys),
            "slice": spec.slice,
            "owner": spec.owner,
            "where": spec.where,
            "partition_key": spec.partition_key,
            "sample_strategy": spec.sample_strategy,
            "sampled": spec.sampled,
            "remediation_hint": self.remediation_hint,
            "publication_protected": self.publication_protected,
            "error": self.error,
            "duration_ms": round(self.duration_ms, 3),
            "unique_id": spec.unique_id,
        }
