"""The policy of a model's contract, judged on the model wherever it stands."""

from __future__ import annotations

from collections.abc import Sequence

from tidegate.connection import Connection
from tidegate.contracts.keys import Sensitivity
from tidegate.contracts.model import ModelContract
from tidegate.rules.evaluation import evaluate
from tidegate.rules.load import load_policy
from tidegate.rules.references import References
from tidegate.rules.relation import Relation
from tidegate.rules.validation import SchemaDocument, Validation


def evaluate_model(
    conn: Connection,
    contract: ModelContract,
    relation: Relation,
    *,
    schema: SchemaDocument | None = None,
    references: References | None = None,
    workers: Sequence[Connection] = (),
) -> Validation | None:
    """Judge the model's own policy, None where it has none; see `evaluate` for the arguments.

    Violating rows are named by the contract's row key where every column of it is public and not
    masked, else they are only counted. Raises ContractError where the policy cannot be read.
    """
    if contract.policy is None:
        return None
    policy = load_policy(contract.policy, contract.columns, file=contract.path, line=contract.line)
    public = {
        column.name
        for column in contract.columns
        if column.keys.sensitivity is Sensitivity.PUBLIC and column.keys.mask is None
    }
    key = contract.keys.row_key
    return evaluate(
        conn,
        policy,
        relation,
        row_key=key if public.issuperset(key) else (),
        allow_empty=contract.keys.may_be_empty,
        schema=schema,
        references=references,
        workers=workers,
    )
