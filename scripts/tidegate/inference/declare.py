"""Bringing what is declared into the ledger, where it stays: revisions are added, never changed."""

from __future__ import annotations

from collections.abc import Sequence

from psycopg.types.json import Jsonb

from tidegate.connection import Connection
from tidegate.errors import ContractError, Problem
from tidegate.inference.model import Declarations, Policy, Profile, Route, Task
from tidegate.ledger import audit


def keep_declarations(conn: Connection, declared: Declarations, actor: str) -> None:
    """Record everything that is declared, inside the caller's transaction.

    What is no longer declared is retired: revisions stay, routes are switched off, policies end.
    Raises ContractError with every revision that is recorded with another content.
    """
    conn.execute("select pg_advisory_xact_lock(hashtextextended('tidegate inference', 0))")
    problems: list[Problem] = []
    for task in declared.tasks.values():
        problems += _keep_task(conn, task)
    for profile in declared.profiles.values():
        problems += _keep_profile(conn, profile)
    _retire_tasks(conn, list(declared.tasks))
    _switch_off(conn, [(r.id, r.revision) for r in declared.routes.values() if r.active])
    for route in declared.routes.values():
        problems += _keep_route(conn, route)
    for policy in declared.policies.values():
        problems += _keep_policy(conn, policy, actor)
    _end_policies(conn, declared)
    if problems:
        raise ContractError(problems)


def _differs(kind: str, name: str, revision: int) -> Problem:
    return Problem(
        "inference", 0, f"{kind}[{name}]",
        f"revision {revision} is recorded with another content.",
        "Give the change a new revision.",
    )  # fmt: skip


def _keep_task(conn: Connection, task: Task) -> list[Problem]:
    given = [task.prompt, Jsonb(task.output_schema), task.high_impact, task.owner]
    conn.execute(
        "insert into provenance.inference_task_contracts (task_id, contract_revision, prompt,"
        " prompt_sha256, output_json_schema, high_impact, owner)"
        " values (%s, %s, %s, encode(sha256(convert_to(%s, 'UTF8')), 'hex'), %s, %s, %s)"
        " on conflict do nothing",
        [task.id, task.revision, task.prompt, *given],
    )
    same = conn.execute(
        "select prompt = %s and output_json_schema = %s and high_impact = %s"
        " and owner is not distinct from %s from provenance.inference_task_contracts"
        " where task_id = %s and contract_revision = %s",
        [*given, task.id, task.revision],
    ).fetchone()
    return [] if same == (True,) else [_differs("tasks", task.id, task.revision)]


def _retire_tasks(conn: Connection, kept: Sequence[tuple[str, int]]) -> None:
    names, revisions = [name for name, _ in kept], [revision for _, revision in kept]
    conn.execute(
        "update provenance.inference_task_contracts"
        " set retired_at = greatest(clock_timestamp(), published_at)"
        " where retired_at is null and (task_id, contract_revision) not in"
        " (select * from unnest(%s::text[], %s::integer[]))",
        [names, revisions],
    )
    conn.execute(
        "update provenance.inference_task_contracts set retired_at = null"
        " where retired_at is not null and (task_id, contract_revision) in"
        " (select * from unnest(%s::text[], %s::integer[]))",
        [names, revisions],
    )


def _keep_profile(conn: Connection, profile: Profile) -> list[Problem]:
    given = [
        profile.adapter,
        profile.model,
        Jsonb(profile.parameters),
        profile.input_usd,
        profile.output_usd,
        profile.call_cap_usd,
    ]
    conn.execute(
        "insert into provenance.inference_profiles (profile_id, profile_revision,"
        " provider_adapter, model_name, parameters, input_usd, output_usd, call_cap_usd)"
        " values (%s, %s, %s, %s, %s, %s, %s, %s) on conflict do nothing",
        [profile.id, profile.revision, *given],
    )
    same = conn.execute(
        "select (provider_adapter, model_name, parameters, input_usd, output_usd, call_cap_usd)"
        " is not distinct from (%s::text, %s::text, %s::jsonb, %s::numeric(14, 6),"
        " %s::numeric(14, 6), %s::numeric(14, 6))"
        " from provenance.inference_profiles where profile_id = %s and profile_revision = %s",
        [*given, profile.id, profile.revision],
    ).fetchone()
    return [] if same == (True,) else [_differs("profiles", profile.id, profile.revision)]


def _switch_off(conn: Connection, active: Sequence[tuple[str, int]]) -> None:
    conn.execute(
        "update provenance.inference_routes set is_active = false"
        " where is_active and (route_id, route_revision) not in"
        " (select * from unnest(%s::text[], %s::integer[]))",
        [[name for name, _ in active], [revision for _, revision in active]],
    )


def _keep_route(conn: Connection, route: Route) -> list[Problem]:
    given = [
        route.task,
        route.contract_revision,
        route.profile,
        route.profile_revision,
        route.owner,
    ]
    conn.execute(
        "insert into provenance.inference_routes (route_id, route_revision, task_id,"
        " contract_revision, profile_id, profile_revision, owner, is_active)"
        " values (%s, %s, %s, %s, %s, %s, %s, %s)"
        " on conflict (route_id, route_revision) do update set is_active = excluded.is_active"
        " where inference_routes.is_active <> excluded.is_active",
        [route.id, route.revision, *given, route.active],
    )
    same = conn.execute(
        "select (task_id, contract_revision, profile_id, profile_revision, owner)"
        " is not distinct from (%s::text, %s::integer, %s::text, %s::integer, %s::text)"
        " from provenance.inference_routes where route_id = %s and route_revision = %s",
        [*given, route.id, route.revision],
    ).fetchone()
    return [] if same == (True,) else [_differs("routes", route.id, route.revision)]


def _keep_policy(conn: Connection, policy: Policy, actor: str) -> list[Problem]:
    row = conn.execute(
        "select active_to is null from provenance.inference_acceptance_policies"
        " where policy_hash = %s",
        [policy.sha256],
    ).fetchone()
    if row == (True,):
        return []
    if row is not None:
        return [
            Problem(
                "inference", 0, f"policies[{policy.task}]",
                f"version {policy.version!r} was in force before and has ended.",
                "Give it a new version.",
            )
        ]  # fmt: skip
    _end(conn, [policy.task])
    conn.execute(
        "insert into provenance.inference_acceptance_policies (policy_hash, task_id, policy)"
        " values (%s, %s, %s)",
        [policy.sha256, policy.task, Jsonb(policy.model_dump(mode="json"))],
    )
    audit.record(
        conn, "inference.policy.started", f"inference:{policy.task}", actor,
        {"version": policy.version, "decided_by": policy.decided_by},
        policy_sha256=policy.sha256,
    )  # fmt: skip
    return []


def _end_policies(conn: Connection, declared: Declarations) -> None:
    rows = conn.execute(
        "select task_id from provenance.inference_acceptance_policies where active_to is null"
        " and task_id <> all(%s)",
        [list(declared.policies)],
    ).fetchall()
    _end(conn, [row[0] for row in rows])


def _end(conn: Connection, tasks: Sequence[str]) -> None:
    conn.execute(
        "update provenance.inference_acceptance_policies"
        " set active_to = greatest(clock_timestamp(), active_from)"
        " where active_to is null and task_id = any(%s)",
        [list(tasks)],
    )
