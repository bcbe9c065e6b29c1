"""Which checks a family has, from dbt's manifest: its gates and every other dbt test on it.

Fail closed: a model that lacks a gate its contract makes necessary is a problem, a test that dbt
dropped is kept as a check that errors, and a family without any check is an error.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tidegate.contracts.expressions import ExpressionError, canonical_condition
from tidegate.contracts.surroundings import PACKAGE
from tidegate.errors import ContractError, NothingJudged, Problem
from tidegate.gates.calls_semantics import relation_names
from tidegate.gates.manifest import (
    Manifest,
    Models,
    Node,
    Reading,
    declared_family,
)
from tidegate.gates.model import GATE_FAILS_IF, GateSpec, Kind, Model, Severity
from tidegate.gates.registry import GATES, id_of, position
from tidegate.gates.required import problems_without

_RECORDED = ("slice", "owner", "contract_ref", "partition_key", "sample_strategy")
_FIXED = {
    "fail_calc": "count(*)",
    "error_if": GATE_FAILS_IF,
    "warn_if": "> 0",
}
"""What `gate_config` sets: a contract chooses a gate's severity, never a threshold."""
_DBTS_OWN = ("model", "column_name")


def specs_of(
    manifest: Manifest | Reading, family: str, compiled: Mapping[str, str] | None = None
) -> tuple[GateSpec, ...]:
    """Every check of a family in a fixed order.

    Who asks for several families hands in one `Reading`. `compiled` is dbt's compiled SQL by node
    id, where the manifest does not hold it (dbt puts it into its results). Raises ContractError
    with all problems, NothingJudged where there is no check.
    """
    reading = manifest if isinstance(manifest, Reading) else Reading(manifest)
    models = reading.models
    problems = list(models.problems.get(family, ()))
    found: list[GateSpec] = []

    for node, dropped in reading.tests:
        judged = _judged(node, models, family)
        if judged is None:
            continue
        problems += [*_thresholds(node, judged), *_sampled(node, judged)]
        try:
            found.append(_spec(node, judged, reading, compiled or {}, dropped))
        except ExpressionError as error:
            key = f"data_tests.{_name(node)}.where"
            problems.append(Problem(judged.path, 0, key, error.message, error.remedy))
    problems += _missing_gates(models.of(family), found)
    if problems:
        raise ContractError(problems)
    if not found:
        raise NothingJudged(
            f"The family {family} has no check.",
            remedy="Add its gates to `data_tests:` of its contracts; docs/gates.md lists them.",
        )
    return tuple(
        sorted(found, key=lambda spec: (spec.model.name, position(spec.gate_id), spec.unique_id))
    )


def _missing_gates(models: tuple[Model, ...], specs: list[GateSpec]) -> list[Problem]:
    """One problem for each gate that a model needs and does not have."""
    present = {(spec.model.name, spec.gate_id) for spec in specs if spec.kind is Kind.GATE}
    return [
        problem
        for model in models
        for problem in problems_without(
            model, {gate for name, gate in present if name == model.name}, prefix=_prefix(model)
        )
    ]


def _prefix(model: Model) -> str:
    """What stands before a gate's name in a project that installs Tidegate as a package."""
    package = [*model.unique_id.split("."), ""][1]
    return "" if package in ("", PACKAGE) else f"{PACKAGE}."


def _judged(node: Node, models: Models, family: str) -> Model | None:
    """The model of the family that a test is about, None where it is about none."""
    attached = node.get("attached_node")
    if attached:
        model = models.by_id.get(attached)
        return model if model and model.keys.family == family else None
    read = [models.by_id[item] for item in _reads(node) if item in models.by_id]
    families = {model.keys.family for model in read}
    declared = declared_family(node)
    if (declared or family) != family or family not in families:
        return None
    return next(model for model in read if model.keys.family == family)


def _reads(node: Node) -> tuple[str, ...]:
    return tuple((node.get("depends_on") or {}).get("nodes") or ())


def _name(node: Node) -> str:
    metadata = node.get("test_metadata") or {}
    return str(metadata.get("name") or node["name"])


def _is_gate(node: Node) -> bool:
    """By the macro that runs it: another project may have a test of the same name."""
    macros = (node.get("depends_on") or {}).get("macros") or ()
    return _name(node) in GATES and f"macro.tidegate.test_{_name(node)}" in macros


def _thresholds(node: Node, judged: Model) -> list[Problem]:
    config: Mapping[str, Any] = node.get("config") or {}
    changed = [name for name, text in _FIXED.items() if config.get(name, text) != text]
    if config.get("limit") is not None:
        changed.append("limit")
    return [
        Problem(
            judged.path,
            0,
            f"data_tests.{_name(node)}.config.{name}",
            "a gate takes no threshold.",
            "Remove it; `severity: warn` is how a gate records without blocking.",
        )
        for name in (changed if _is_gate(node) else ())
    ]


def _sampled(node: Node, judged: Model) -> list[Problem]:
    given: Mapping[str, Any] = (node.get("test_metadata") or {}).get("kwargs") or {}
    severity = str((node.get("config") or {}).get("severity", "error")).lower()
    if not _is_gate(node) or given.get("sample_strategy") in (None, "all") or severity != "error":
        return []
    return [
        Problem(
            judged.path,
            0,
            f"data_tests.{_name(node)}.arguments.sample_strategy",
            "a sample never stands in for a blocking check.",
            "Write `severity: warn`, and beside it the same gate on all rows if it has to block.",
        )
    ]


def _spec(
    node: Node,
    judged: Model,
    reading: Reading,
    compiled: Mapping[str, str],
    dropped: bool,
) -> GateSpec:
    models = reading.models
    config: Mapping[str, Any] = node.get("config") or {}
    given: Mapping[str, Any] = (node.get("test_metadata") or {}).get("kwargs") or {}
    gate = _is_gate(node) and not dropped
    recorded = {name: str(given[name]) for name in _RECORDED if given.get(name) is not None}
    arguments = {
        name: value for name, value in given.items() if name not in (*_RECORDED, *_DBTS_OWN)
    }
    other = relation_names(_name(node), arguments) if gate else ()
    known = reading.relations if other else {}
    where = config.get("where") or None
    reads = [models.by_id[item].name for item in _reads(node) if item in models.by_id]
    unique_id = node["unique_id"]
    return GateSpec(
        gate_id=id_of(_name(node), arguments) if _is_gate(node) else _name(node),
        unique_id=unique_id,
        kind=Kind.GATE if gate else Kind.DBT,
        severity=Severity.BLOCKING
        if str(config.get("severity", "error")).lower() == "error"
        else Severity.WARNING,
        family=judged.keys.family,
        model=judged,
        models=models.by_name,
        arguments=arguments,
        related={name: known[name] for name in other if name in known},
        where=canonical_condition(where) if where and gate else where,
        slice=recorded.get("slice", judged.keys.slice),
        owner=recorded.get("owner", judged.keys.owner),
        contract_ref=recorded.get("contract_ref", judged.path),
        partition_key=recorded.get("partition_key"),
        sample_strategy=recorded.get("sample_strategy"),
        sql=None if gate or dropped else compiled.get(unique_id) or node.get("compiled_code"),
        fail_calc=str(config.get("fail_calc") or "count(*)"),
        error_if=str(config.get("error_if") or "!= 0"),
        warn_if=str(config.get("warn_if") or "!= 0"),
        limit=config.get("limit"),
        dropped=dropped,
        asset_keys=tuple(dict.fromkeys((judged.name, *reads))),
    )
