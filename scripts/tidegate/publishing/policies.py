"""The quality policies of a family's models, judged on the frozen candidate.

A contract with a policy lists the test `quality_policy` (the loader sees to that). dbt runs it as
one scan; here `tidegate.rules` judges the same rules, so that the publication keeps the whole
evidence: version, hash, counts by rule (policy seed, "Producer publication").
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import psycopg

from tidegate.errors import TidegateError
from tidegate.gates import GateResult, GateSpec, Level, Sample, Severity, Status
from tidegate.gates.evaluate import failed
from tidegate.names import SAMPLE_CAP
from tidegate.publishing.generation import BuiltFamily, ModelTable
from tidegate.rules import Relation, RuleStatus, Validation, Verdict, evaluate_model
from tidegate.warehouse import server_message

Connection = psycopg.Connection[tuple[Any, ...]]

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
    conn: Connection, built: BuiltFamily, specs: Sequence[GateSpec]
) -> dict[str, PolicyVerdict]:
    """Judge every policy of the family, by model; the tables are locked against writes."""
    tables = {table.contract.name: table for table in built.tables}
    return {
        spec.model.name: _judge(conn, built, tables[spec.model.name], spec)
        for spec in specs
        if spec.gate_id == GATE_ID and spec.model.name in tables
    }


def _judge(
    conn: Connection, built: BuiltFamily, table: ModelTable, spec: GateSpec
) -> PolicyVerdict:
    started = time.perf_counter()
    contract = table.contract
    try:
        with conn.transaction():
            validation = evaluate_model(conn, contract, Relation(built.schema, contract.name))
    except psycopg.Error as error:
        return PolicyVerdict(_error(spec, server_message(error), started), None)
    except TidegateError as error:
        return PolicyVerdict(_error(spec, error.message, started), None)
    if validation is None:
        return PolicyVerdict(_error(spec, "the contract has no policy", started), None)
    return PolicyVerdict(_result(spec, validation, started), validation)


def _result(spec: GateSpec, validation: Validation, started: float) -> GateResult:
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
        publication_protected=True,
        asset_keys=(spec.model.name,),
    )


def _status(spec: GateSpec, validation: Validation) -> Status:
    if validation.verdict is Verdict.FAILED:
        if not validation.evaluated:
            return Status.NOT_EVALUATED
        return Status.FAIL if spec.severity is Severity.BLOCKING else Status.WARN
    return Status.WARN if validation.verdict is Verdict.READY_WITH_WARNINGS else Status.PASS


def _error(spec: GateSpec, message: str, started: float) -> GateResult:
    return replace(
        failed(spec, message, protected=True),
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
