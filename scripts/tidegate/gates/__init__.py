"""Gates: which a model has (from dbt's manifest), how they are evaluated, what they answer.

`specs_of` reads dbt's manifest; `evaluate` judges one spec on a connection; `evaluate_all` judges
many on one exported snapshot, in parallel.
"""

from tidegate.gates.evaluate import evaluate
from tidegate.gates.model import Column, GateSpec, Kind, Level, Model, Related, Severity, Status
from tidegate.gates.parallel import evaluate_all, executed
from tidegate.gates.provider_interface import judge_code
from tidegate.gates.reasons import Reason
from tidegate.gates.registry import GATES, gate_of
from tidegate.gates.relations import Resolve
from tidegate.gates.required import problems_without
from tidegate.gates.result import GateResult, Sample
from tidegate.gates.retarget import retarget
from tidegate.gates.specs import specs_of

__all__ = [
    "GATES",
    "Column",
    "GateResult",
    "GateSpec",
    "Kind",
    "Level",
    "Model",
    "Reason",
    "Related",
    "Resolve",
    "Sample",
    "Severity",
    "Status",
    "evaluate",
    "evaluate_all",
    "executed",
    "gate_of",
    "judge_code",
    "problems_without",
    "retarget",
    "specs_of",
]
