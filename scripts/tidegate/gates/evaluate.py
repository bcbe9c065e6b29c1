"""Evaluate gates on the relations that `resolve` names; fail closed.

A gate that raises an error, finds no relation, or sees no row without leave has not passed
(design §4). Nothing of an error but its kind and number is kept.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

import psycopg
from psycopg import sql

from tidegate.connection import Connection
from tidegate.gates.calls import Call
from tidegate.gates.dbt_tests import Verdict, judge_test
from tidegate.gates.gate import Gate
from tidegate.gates.model import GateSpec, Kind, Level, Severity, Status
from tidegate.gates.reasons import NAMES_NO_ROW, Reason
from tidegate.gates.registry import gate_of
from tidegate.gates.relations import Relations, Resolve
from tidegate.gates.result import GateResult, Sample
from tidegate.gates.retarget import Unreadable
from tidegate.names import SAMPLE_CAP
from tidegate.warehouse.connect import server_message

_JUDGE = files(__package__).joinpath("judge.sql").read_text(encoding="utf-8")


def evaluate(
    conn: Connection, spec: GateSpec, resolve: Resolve, *, protected: bool = False
) -> GateResult:
    """Judge one model by one gate; never raises for what the gate or its relation does.

    `protected` says that the verdict is part of a promotion (`publication_protected`); a check of
    a plain build is not. The statement runs inside a savepoint, so that a caller's transaction
    stays usable.
    """
    return judge(Relations(conn, resolve), spec, protected=protected)


def judge(relations: Relations, spec: GateSpec, *, protected: bool) -> GateResult:
    """Like `evaluate`, for relations that several gates share."""
    started = time.perf_counter()
    try:
        with relations.conn.transaction():
            if spec.kind is Kind.DBT:
                return _of_test(spec, judge_test(spec, relations), started, protected)
            call = _gate(spec).call(spec, relations)
            checked = relations.count(call.checked)
            row = relations.conn.execute(_statement(call.violations)).fetchone()
    except LookupError:
        return _without_relation(spec, started, protected)
    except Unreadable as error:
        return failed(spec, str(error), protected)
    except psycopg.Error as error:
        return failed(spec, server_message(error), protected)
    if row is None:
        return failed(spec, "the gate returned no row", protected)
    return _result(spec, call, checked, row, started, protected)


def violations_of(
    conn: Connection, gate: Gate, violations: str, *, show_keys: bool
) -> tuple[dict[str, int], tuple[Sample, ...]]:
    """Reasons and samples of a gate that dbt has judged already; `violations` is its own select.

    Row keys are shown as everywhere: where `show_keys` says that they are public. Raises what the
    server raises.
    """
    for _, _, _, _, reasons, samples in conn.execute(_statement(violations)):
        return dict(sorted(reasons.items())), _shown(gate, samples, show_keys)
    return {}, ()


def _statement(violations: str) -> sql.Composed:
    return sql.SQL(_JUDGE).format(violations=sql.SQL(violations), cap=sql.Literal(SAMPLE_CAP))


def _result(
    spec: GateSpec, call: Call, checked: int, row: Sequence[Any], started: float, protected: bool
) -> GateResult:
    blocking, malformed, failing, warning, reasons, samples = row
    if malformed:
        return failed(spec, "the gate returned rows without level or reason", protected)
    status = _status(spec, blocking, warning, reasons)
    if spec.sampled and spec.severity is Severity.BLOCKING and status is not Status.FAIL:
        # What was not looked at has not passed: a sample never stands in for a blocking check.
        status, reasons = Status.NOT_EVALUATED, {**reasons, Reason.SAMPLED.value: 1}
    return GateResult(
        spec=spec,
        status=status,
        rows_checked=checked,
        rows_failing=failing,
        rows_warning=warning,
        reasons=dict(sorted(reasons.items())),
        samples=_shown(_gate(spec), samples, spec.keys_are_public),
        duration_ms=(time.perf_counter() - started) * 1000,
        remediation_hint=_remedy(spec),
        publication_protected=protected,
        asset_keys=call.assets,
    )


def _status(spec: GateSpec, blocking: int, warning: int, reasons: Mapping[str, int]) -> Status:
    unevaluated = reasons.get(Reason.NOT_EVALUATED.value, 0)
    if blocking and blocking == unevaluated:
        return Status.NOT_EVALUATED
    if blocking:
        return Status.FAIL if spec.severity is Severity.BLOCKING else Status.WARN
    return Status.WARN if warning else Status.PASS


def _shown(gate: Gate, samples: Sequence[Sequence[Any]], show_keys: bool) -> tuple[Sample, ...]:
    show = gate.about_columns or show_keys
    return tuple(_sample(show, *sample) for sample in samples)


def _sample(
    show: bool, key: str, level: str, reason: str, metadata: Mapping[str, Any] | None
) -> Sample:
    told = metadata or {}
    # A row of another relation: whose keys are public is for that relation's contract to say.
    show = show and not told.get("key_withheld")
    about = {name: value for name, value in told.items() if name != "values"}
    return Sample(
        key if show or reason in NAMES_NO_ROW else None,
        Level(level),
        reason,
        about,
        told.get("values") or {},
    )


def _gate(spec: GateSpec) -> Gate:
    found = gate_of(spec.gate_id)
    if found is None:
        raise Unreadable(f"there is no gate {spec.gate_id}")
    return found


def _remedy(spec: GateSpec) -> str:
    if spec.kind is Kind.GATE:
        return _gate(spec).remedy
    return f"Correct the rows of {spec.model.name} that the dbt test {spec.gate_id} rejects."


def _without_relation(spec: GateSpec, started: float, protected: bool) -> GateResult:
    """A missing relation differs from its contract; for every other gate there is no verdict."""
    about_it = spec.gate_id == "schema_contract"
    reason = Reason.RELATION_MISSING.value
    sample = Sample(spec.model.name, Level.BLOCK, reason, {"model": spec.model.name})
    return GateResult(
        spec=spec,
        status=Status.FAIL if about_it else Status.NOT_EVALUATED,
        rows_checked=0,
        rows_failing=1 if about_it else 0,
        rows_warning=0,
        reasons={reason: 1},
        samples=(sample,),
        duration_ms=(time.perf_counter() - started) * 1000,
        remediation_hint=f"Build {spec.model.name}: it has no relation to judge.",
        publication_protected=protected,
        asset_keys=(spec.model.name,),
    )


def failed(spec: GateSpec, message: str, protected: bool) -> GateResult:
    """The result of a check that raised an error: nothing is known, so it withholds."""
    return GateResult(
        spec=spec,
        status=Status.ERROR,
        rows_checked=0,
        rows_failing=0,
        rows_warning=0,
        reasons={},
        samples=(),
        duration_ms=0.0,
        remediation_hint=f"Run the check {spec.gate_id} of {spec.model.name} by hand: "
        "it raised an error, so nothing is known about its rows.",
        publication_protected=protected,
        asset_keys=spec.asset_keys or (spec.model.name,),
        error=message,
    )


def _of_test(spec: GateSpec, verdict: Verdict, started: float, protected: bool) -> GateResult:
    """dbt's own reading: error_if counts under severity error, warn_if under both (case D09)."""
    failing = bool(verdict.should_error) and spec.severity is Severity.BLOCKING
    status = Status.PASS
    if verdict.failures is None or (
        verdict.rows_checked == 0 and not failing and not spec.model.keys.may_be_empty
    ):
        status = Status.NOT_EVALUATED
    elif failing:
        status = Status.FAIL
    elif verdict.should_warn or verdict.should_error:
        status = Status.WARN
    return GateResult(
        spec=spec,
        status=status,
        rows_checked=verdict.rows_checked,
        rows_failing=verdict.rows_returned if failing else 0,
        rows_warning=verdict.rows_returned if status is Status.WARN else 0,
        reasons=_reasons_of_test(verdict, status),
        samples=(),
        duration_ms=(time.perf_counter() - started) * 1000,
        remediation_hint=_remedy(spec),
        publication_protected=protected,
        asset_keys=spec.asset_keys or (spec.model.name,),
    )


def _reasons_of_test(verdict: Verdict, status: Status) -> dict[str, int]:
    """The codes that the test gives, `test_failed` for every row without one."""
    if status is Status.PASS:
        return {}
    if status is Status.NOT_EVALUATED:
        return {Reason.NOT_EVALUATED.value: max(verdict.rows_returned, 1)}
    given = dict(sorted(verdict.reasons.items()))
    unsaid = max(verdict.rows_returned, 1) - sum(given.values())
    return {**given, **({Reason.TEST_FAILED.value: unsaid} if unsaid > 0 else {})}
