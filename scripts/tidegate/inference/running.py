"""What the command line does with tasks: load what is declared, run, plan, decide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from tidegate.connection import Connection
from tidegate.errors import UsageError
from tidegate.inference import lookups, records
from tidegate.inference.declared import FOLDER, load_declarations
from tidegate.inference.model import Declarations
from tidegate.inference.provider import RECORDED
from tidegate.inference.questions import read_inputs
from tidegate.inference.records import Verdict
from tidegate.inference.run import RunReport, run_task
from tidegate.inference.runtime import InferenceRuntime
from tidegate.inference.vocabulary import DecidedBy, Decision, DecisionReason, Transport
from tidegate.ledger import approvals, audit
from tidegate.settings import Settings
from tidegate.warehouse.connect import Warehouse


@dataclass(frozen=True)
class Plan:
    """What a run would ask: questions without an accepted answer, by the hash of their input."""

    task: str
    revision: int
    route: str
    profile: str
    questions: int
    unanswered: tuple[str, ...]

    def document(self) -> dict[str, Any]:
        """The plan as JSON."""
        return asdict(self)


def open_runtime(settings: Settings, warehouse: Warehouse, actor: str) -> InferenceRuntime:
    """The runtime of a project, with its declarations in the ledger.

    Raises ContractError with every problem, UsageError where the project declares no run.
    """
    declared = load_declarations(settings.project_dir)
    if not declared.runs:
        raise UsageError(
            f"The project declares no run in {FOLDER}/.",
            remedy="Add `tasks`, `profiles`, `routes`, `policies` and `runs`: docs/inference.md.",
        )
    runtime = InferenceRuntime(warehouse, declared, settings.project_dir)
    runtime.keep_declarations(actor)
    return runtime


def run_tasks(
    runtime: InferenceRuntime,
    tasks: Sequence[str] = (),
    *,
    transport: Transport = Transport.SYNC,
    wait_seconds: float = 0,
    actor: str = "tidegate",
) -> tuple[RunReport, ...]:
    """Run these tasks, or every one that has a run; see `run_task` for what is raised."""
    chosen = _chosen(runtime, tasks)
    return tuple(
        run_task(runtime, task, transport=transport, wait_seconds=wait_seconds, actor=actor)
        for task in chosen
    )


def recorded_tasks(declared: Declarations) -> tuple[str, ...]:
    """Tasks whose answers were recorded beforehand, their verifiers' too: they cost nothing."""
    found = []
    for name, run in declared.runs.items():
        policy = declared.policies.get(name)
        routes = [declared.routes[run.route]]
        if policy is not None and policy.verifier is not None:
            other = declared.route_for(policy.verifier.task)
            routes += [other] if other is not None else []
        if all(declared.profile_of(route).adapter == RECORDED for route in routes):
            found.append(name)
    return tuple(found)


def plan(runtime: InferenceRuntime, tasks: Sequence[str] = ()) -> tuple[Plan, ...]:
    """What would be asked; nothing is, and nothing is recorded."""
    plans = []
    for name in _chosen(runtime, tasks):
        run = runtime.declared.runs[name]
        route = runtime.declared.routes[run.route]
        task, profile = runtime.declared.task_of(route), runtime.declared.profile_of(route)
        inputs = read_inputs(runtime.warehouse, run, task)
        policy = runtime.policy(name)
        with runtime.warehouse.connect() as conn:
            open_ = tuple(
                asked.input_sha256
                for key, asked in inputs.questions.items()
                if lookups.accepted(conn, key, policy.sha256) is None
            )
        asked_of = f"{profile.id}@{profile.revision}"
        plans.append(Plan(name, task.revision, route.id, asked_of, len(inputs.questions), open_))
    return tuple(plans)


def decide_by_hand(
    conn: Connection, attempt_id: str, *, accept: bool, by: str, reason: str
) -> None:
    """Record a person's decision about an attempt under the policy in force.

    Runs inside the caller's transaction. Raises UsageError where there is no such attempt, it has
    no valid output, no policy is in force, or it (or another one of its request) was decided,
    PrivilegeMissing where the login is no operator's.
    """
    if not by.strip() or not reason.strip():
        raise UsageError("A decision needs who and why.", remedy="Give --by and --reason.")
    approvals.require_operator(conn, "decide about an answer for a person")
    row = conn.execute(
        "select a.request_key, r.task_id, a.schema_valid, p.policy_hash"
        " from provenance.inference_attempts a"
        " join provenance.inference_requests r using (request_key)"
        " left join provenance.inference_acceptance_policies p"
        " on p.task_id = r.task_id and p.active_to is null where a.attempt_id = %s",
        [attempt_id],
    ).fetchone()
    if row is None:
        raise UsageError("There is no such attempt.", remedy="See `tidegate infer status --json`.")
    request_key, task, valid, policy_hash = row
    if policy_hash is None:
        raise UsageError(f"No policy of task {task} is in force.", remedy="Declare one.")
    if accept and valid is not True:
        raise UsageError(
            "The attempt has no output that keeps its task's schema.", remedy="Reject it."
        )
    decision = Decision.ACCEPTED if accept else Decision.REJECTED
    verdict = Verdict(decision, DecidedBy.HUMAN, DecisionReason.REVIEWED, actor=by.strip())
    if not records.decide(conn, attempt_id, request_key, policy_hash, verdict):
        raise UsageError(
            "The attempt, or another one of its question, was decided already.",
            remedy="A decision stands as long as its policy is in force.",
        )
    audit.record(
        conn, "inference.attempt.decided", f"inference:{task}", by.strip(),
        {"attempt_id": attempt_id, "decision": decision.value, "reason": reason.strip()},
        policy_sha256=policy_hash,
    )  # fmt: skip


def _chosen(runtime: InferenceRuntime, tasks: Sequence[str]) -> tuple[str, ...]:
    known = runtime.declared.runs
    for name in tasks:
        if name not in known:
            raise UsageError(
                f"There is no run of a task {name}.",
                remedy=f"Declared: {', '.join(sorted(known))}.",
            )
    return tuple(tasks or known)
