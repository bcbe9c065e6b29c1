"""What declarations have to say about each other; every contradiction is reported in its file."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

import sqlglot
from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError
from sqlglot import exp
from sqlglot.errors import SqlglotError

from tidegate.contracts.document import Document, KeyPath
from tidegate.contracts.wording import suggestion
from tidegate.inference.model import Declarations, Policy, Route, Rule, Run, Task
from tidegate.inference.provider import RECORDED
from tidegate.inference.vocabulary import DecidedBy

Place = Callable[[str, object], tuple[Document, KeyPath]]
_WRITES = (
    exp.Insert, exp.Update, exp.Delete, exp.Merge, exp.Create, exp.Drop, exp.Alter, exp.Command,
    exp.Into, exp.Copy, exp.TruncateTable, exp.Set,
)  # fmt: skip


def check_together(declared: Declarations, place: Place) -> None:
    """Report every contradiction; `place` says where a section's piece stands."""
    for key, task in declared.tasks.items():
        _check_task(task, *place("tasks", key))
    for key, profile in declared.profiles.items():
        document, path = place("profiles", key)
        if profile.adapter != RECORDED and ":" not in profile.adapter:
            document.report(
                (*path, "adapter"),
                f"{profile.adapter!r} is no adapter.",
                f"Write `{RECORDED}`, or `package.module:function`.",
            )
    for name, route in declared.routes.items():
        _check_route(declared, route, *place("routes", name))
    for name, policy in declared.policies.items():
        _check_policy(declared, policy, *place("policies", name))
    for name, run in declared.runs.items():
        _check_run(declared, run, *place("runs", name))


def _check_task(task: Task, document: Document, path: KeyPath) -> None:
    here = (*path, "output_schema")
    try:
        Draft202012Validator.check_schema(task.output_schema)
    except SchemaError as error:
        steps = ".".join(str(step) for step in error.absolute_path)
        document.report(
            here, f"is no JSON Schema (draft 2020-12){f' at {steps}' if steps else ''}.",
            "Correct it.",
        )  # fmt: skip
        return
    if task.output_schema.get("type") != "object":
        document.report(here, "does not describe an object.", "Write `type: object`.")


def _unknown(
    document: Document, path: KeyPath, what: str, name: str, known: Collection[str]
) -> None:
    remedy = suggestion(name, known) or f"Declared: {', '.join(sorted(known)) or 'none'}."
    document.report(path, f"there is no {what} {name!r}.", remedy)


def _check_route(declared: Declarations, route: Route, document: Document, path: KeyPath) -> None:
    for key, revision_key, name, revision, there in (
        ("task", "contract_revision", route.task, route.contract_revision, declared.tasks),
        ("profile", "profile_revision", route.profile, route.profile_revision, declared.profiles),
    ):
        revisions = sorted(number for other, number in there if other == name)
        if not revisions:
            _unknown(document, (*path, key), key, name, {other for other, _ in there})
        elif revision is None:
            document.report(
                (*path, revision_key), "is missing: the route floats.", "Pin a revision."
            )
        elif revision not in revisions:
            document.report(
                (*path, revision_key),
                f"{key} {name!r} has no revision {revision}.",
                f"Declared: {', '.join(map(str, revisions))}.",
            )
    if route.active and route.task not in declared.policies:
        document.report(
            (*path, "task"), f"task {route.task!r} has no policy.", "Add one under `policies`."
        )


def _schema_fields(declared: Declarations, task: str) -> set[str]:
    found: set[str] = set()
    for (name, _), contract in declared.tasks.items():
        properties: Any = contract.output_schema.get("properties")
        if name == task and isinstance(properties, dict):
            found |= set(properties)
    return found


def _check_policy(
    declared: Declarations, policy: Policy, document: Document, path: KeyPath
) -> None:
    revisions = [task for (name, _), task in declared.tasks.items() if name == policy.task]
    if not revisions:
        _unknown(document, (*path, "task"), "task", policy.task, {n for n, _ in declared.tasks})
        return
    fields = _schema_fields(declared, policy.task)
    for index, rule in enumerate(policy.rules):
        _check_rule(rule, fields, document, (*path, "rules", index))
    verified = policy.who is DecidedBy.VERIFIER_MODEL
    if verified != (policy.verifier is not None):
        document.report(
            (*path, "verifier"),
            "is missing." if verified else "judges nothing.",
            "A `verifier` and `decided_by: verifier_model` belong together.",
        )
    elif policy.verifier is not None:
        _check_verifier(declared, policy, document, (*path, "verifier"))
    deterministic = policy.who is DecidedBy.DETERMINISTIC_VALIDATOR
    if deterministic and not policy.rules and any(task.high_impact for task in revisions):
        document.report(
            (*path, "decided_by"),
            "lets every well-formed answer of a high-impact task pass.",
            "Add rules, a verifier or a human.",
        )


def _check_rule(rule: Rule, fields: set[str], document: Document, path: KeyPath) -> None:
    if rule.field not in fields:
        _unknown(document, (*path, "field"), "field of the output", rule.field, fields)
    if rule.one_of is None and rule.at_least is None and rule.in_input is None:
        document.report(path, "demands nothing.", "Add one_of, at_least or in_input.")


def _check_verifier(
    declared: Declarations, policy: Policy, document: Document, path: KeyPath
) -> None:
    verifier = policy.verifier
    if verifier is None:
        return
    names = {name for name, _ in declared.tasks}
    if verifier.task not in names or verifier.task == policy.task:
        _unknown(document, (*path, "task"), "other task", verifier.task, names - {policy.task})
        return
    if declared.route_for(verifier.task) is None:
        document.report((*path, "task"), f"task {verifier.task!r} has no active route.", "Add one.")
    fields = _schema_fields(declared, verifier.task)
    if verifier.field not in fields:
        _unknown(document, (*path, "field"), "field of its output", verifier.field, fields)
    own = declared.policies.get(verifier.task)
    if own is not None and own.who is not DecidedBy.DETERMINISTIC_VALIDATOR:
        document.report(
            (*path, "task"),
            f"task {verifier.task!r} is itself decided by {own.decided_by}.",
            "A verifier's answers are decided by deterministic_validator.",
        )


def _check_run(declared: Declarations, run: Run, document: Document, path: KeyPath) -> None:
    names = {name for name, _ in declared.tasks}
    if run.task not in names:
        _unknown(document, (*path, "task"), "task", run.task, names)
    route = declared.routes.get(run.route)
    if route is None:
        _unknown(document, (*path, "route"), "route", run.route, set(declared.routes))
    elif route.task != run.task or not route.active:
        document.report(
            (*path, "route"),
            f"route {run.route!r} is not active." if route.task == run.task
            else f"route {run.route!r} asks task {route.task!r}.",
            "Name an active route of the run's task.",
        )  # fmt: skip
    if not _only_reads(run.input):
        document.report((*path, "input"), "is not one query that only reads.", "Write one select.")


def _only_reads(text: str) -> bool:
    try:
        statements = sqlglot.parse(text, dialect="postgres")
    except (SqlglotError, RecursionError):
        return False
    return (
        len(statements) == 1
        and isinstance(statements[0], exp.Query)
        and next(statements[0].find_all(*_WRITES), None) is None
    )
