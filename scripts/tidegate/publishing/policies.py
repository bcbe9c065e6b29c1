"""The quality policies of a family's models, judged on the frozen candidate or by `check`.

A contract with a policy lists the test `quality_policy` (the loader sees to that). dbt runs it as
one scan; here `tidegate.rules` judges the same rules, so that the publication keeps the whole
evidence: version, hash, counts by rule (policy seed, "Producer publication").
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import psycopg

from tidegate.connection import Connection
from tidegate.contracts.model import ModelContract
from tidegate.errors import TidegateError
from tidegate.gates.evaluate import failed
from tidegate.gates.model import GateSpec, Level, Severity, Status
from tidegate.gates.result import GateResult, Sample
from tidegate.names import SAMPLE_CAP
from tidegate.rules.models import evaluate_model
from tidegate.rules.relation import Relation
from tidegate.rules.validation import RuleStatus, Validation, Verdict
from tidegate.warehouse import server_message

GATE_ID = "quality_policy"


@dataclass(frozen=True)
class PolicyVerdict:
    """A policy judged on one table; `validation` is None where that raised an error."""

    result: GateResult
    validation: Validation | None


def without_policies(specs: Sequence[GateSpec]) -> tuple[GateSpec, ...]:
    """The specs that are judged by their own statement."""
    return tuple(spec for spec in specs if spec.gate_id != GATE_ID)


def judge_policies(
    conn: Connection,
    contracts: Iterable[ModelContract],
    resolve: Callable[[str], tuple[str, str] | None],
    specs: Sequence[GateSpec],
    *,
    protected: bool = False,
) -> dict[str, PolicyVerdict]:
    """Judge every policy of these models, by model, on the relations that `resolve` names.

    `protected` inside a promotion, where the tables are locked against writes. A model without a
    relation is an error, which blocks.
    """
    known = {contract.name: contract for contract in contracts}
    return {
        spec.model.name: _judge(
            conn, known[spec.model.name], resolve(spec.model.name), spec, protected=protected
        )
        for spec in specs
        if spec.gate_id == GATE_ID and spec.model.name in known
    }


def _judge(
    conn: Connection,
    contract: ModelContract,
    relation: tuple[str, str] | None,
    spec: GateSpec,
    *,
    protected: bool,
) -> PolicyVerdict:
    started = time.perf_counter()

    def unjudged(message: str) -> PolicyVerdict:
        return PolicyVerdict(_error(spec, message, started, protected=protected), None)

    if relation is None:
        return unjudged("there is no relation to judge")
    try:
        with conn.transaction():
            validation = evaluate_model(conn, contract, Relation(*relation))
    except psycopg.Error as error:
        return unjudged(server_message(error))
    except TidegateError as error:
        return unjudged(error.message)
    if validation is None:
        return unjudged("the contract has no policy")
    return PolicyVerdict(_result(spec, validation, started, protected=protected), validation)


def _result(
    spec: GateSpec, validation: Validation, started: float, *, protected: bool
) -> GateResult:
    told = [o for o in validation.outcomes if o.status is not RuleStatus.PASSED]
    blocking = [outcome for outcome in told if validation.blocks(outcome)]
    reasons = {outcome.id: outcome.violating_rows or 0 for outcome in told}
    return GateResult(
        spec=spec,
        status=_status(spec, validation),
        rows_checked=validation.row_count or 0,
        rows_failing=max((o.violating_rows or 0 for o in blocking), default=0),
        rows_warning=max((o.violating_rows or 0 for o in told if o not in blocking), default=0),
        reasons=reasons,
        samples=tuple(
            Sample(key, Level.BLOCK if outcome in blocking else Level.WARN, outcome.id, {})
            for outcome in told
            for key in (outcome.row_keys or ())
        )[:SAMPLE_CAP],
        duration_ms=(time.perf_counter() - started) * 1000,
        remediation_hint=f"Correct the rows of {spec.model.name} that its policy rejects:"
        " the rules are in its contract.",
        publication_protected=protected,
        asset_keys=(spec.model.name,),
    )


def _status(spec: GateSpec, validation: Validation) -> Status:
    if validation.verdict is Verdict.FAILED:
        if not validation.evaluated:
            return Status.NOT_EVALUATED
        return Status.FAIL if spec.severity is Severity.BLOCKING else Status.WARN
    return Status.WARN if validation.verdict is Verdict.READY_WITH_WARNINGS else Status.PASS


def _error(spec: GateSpec, message: str, started: float, *, protected: bool) -> GateResult:
    return replace(
        failed(spec, message, protected),
        duration_ms=(time.perf_counter() - started) * 1000,
        remediation_hint=f"The policy of {spec.model.name} could not be judged.",
        asset_keys=(spec.model.name,),
    )


def evidence_of(verdict: PolicyVerdict | None) -> Mapping[str, Any]:
    """Version, hash and document of a policy's validation, for the publication's evidence."""
    if verdict is None or verdict.validation is None:
        return {"policy_version": None, "policy_sha256": None, "document": None}
    validation = verdict.validation
    return {
        "policy_version": validation.policy_version,
        "policy_sha256": validation.policy_sha256,
        "document": validation.document(),
    }
