"""What became of a family in one run, as values that reporting prints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from tidegate.ledger.judgements import HeldBackEntry
from tidegate.names import generation_label


class Verdict(str, Enum):
    """What a run did with a family."""

    PUBLISHED = "published"
    UNCHANGED = "unchanged"
    """Inputs, code and contracts are those of the newest generation: nothing was built."""
    REPLAYED = "replayed"
    """The idempotency key had published before; that publication is the answer."""
    HELD_BACK = "held_back"
    PARKED = "parked"
    """The contract changed and nobody has promoted it (`contract_unpromoted`)."""

    @property
    def withheld(self) -> bool:
        """Whether readers keep an older generation because of this."""
        return self in (Verdict.HELD_BACK, Verdict.PARKED)


@dataclass(frozen=True)
class FamilyOutcome:
    """One family: what happened, what is served now, and why if it was withheld."""

    family: str
    verdict: Verdict
    served: int | None
    generation: int | None = None
    reference: str | None = None
    entries: tuple[HeldBackEntry, ...] = ()
    warnings: int = 0
    unchanged: bool = False
    """Nothing was built: the verdict is that of the newest generation."""
    gates: int = 0
    models: int = 0
    rows: int = 0
    seconds: Mapping[str, float] = field(default_factory=dict)

    def document(self) -> dict[str, Any]:
        """The outcome as JSON, keys in order of meaning."""
        return {
            "family": self.family,
            "outcome": self.verdict.value,
            "unchanged": self.unchanged or self.verdict is Verdict.UNCHANGED,
            "generation": label_of(self.generation),
            "served": label_of(self.served),
            "reference": self.reference,
            "models": self.models,
            "rows": self.rows,
            "gates": self.gates,
            "warnings": self.warnings,
            "held_back": [
                {
                    "model": entry.model,
                    "gate_id": entry.gate_id,
                    "affected_rows": entry.affected_rows,
                    "reason": entry.reason,
                }
                for entry in self.entries
            ],
            "seconds": {key: round(value, 3) for key, value in self.seconds.items()},
        }


def label_of(generation: int | None) -> str | None:
    """`g000042`; None where there is no generation."""
    return None if generation is None else generation_label(generation)


def state_of_the_world(outcomes: tuple[FamilyOutcome, ...]) -> str:
    """The sentence every message ends with: what readers see."""
    kept = ", ".join(
        f"{outcome.family} {label_of(outcome.served) or 'not published yet'}"
        for outcome in outcomes
    )
    return f"Serving views unchanged ({kept})."
