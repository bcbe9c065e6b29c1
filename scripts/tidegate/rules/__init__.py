"""Rules: the deterministic quality policy, judged in one scan.

`load_policy` reads and checks a policy; `evaluate` judges it on a relation (`evaluate_model`: the
policy of a model's contract) and returns a `Validation`, whose `document()` is the evidence.
"""

from tidegate.rules.columns import Column, TypeFamily
from tidegate.rules.evaluation import evaluate
from tidegate.rules.load import load_policy
from tidegate.rules.models import evaluate_model
from tidegate.rules.policy import Policy
from tidegate.rules.references import Frozen, References
from tidegate.rules.relation import Relation
from tidegate.rules.validation import (
    Diagnostic,
    PolicySource,
    RuleOutcome,
    RuleStatus,
    Validation,
    Verdict,
)
from tidegate.rules.words import Severity

__all__ = [
    "Column",
    "Diagnostic",
    "Frozen",
    "Policy",
    "PolicySource",
    "References",
    "Relation",
    "RuleOutcome",
    "RuleStatus",
    "Severity",
    "TypeFamily",
    "Validation",
    "Verdict",
    "evaluate",
    "evaluate_model",
    "load_policy",
]
