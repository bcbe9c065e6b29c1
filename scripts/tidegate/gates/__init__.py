"""Gates: which a model has (from dbt's manifest), how they are evaluated, what they answer.

`specs_of` reads dbt's manifest; `evaluate` judges one spec on a connection; `evaluate_all` judges
many on one exported snapshot, in parallel.
"""

from tidegate.gates.evaluate import evaluate
from tidegate.gates.model import (
    Column,
    GateResult,
    GateSpec,
    Kind,
    Level,
    Model,
    Reason,
    Sample,
    Severity,
    Status,
)
from tidegate.gates.registry import GATES

__all__ = [
    "GATES",
    "Column",
    "GateResult",
    "GateSpec",
    "Kind",
    "Level",
    "Model",
    "Reason",
    "Sample",
    "Severity",
    "Status",
    "evaluate",
]
