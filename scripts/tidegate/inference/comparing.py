"""Comparing profiles: the same questions on another route, and nothing of it is used."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any

from tidegate.errors import UsageError
from tidegate.inference import lookups
from tidegate.inference.model import Route
from tidegate.inference.questions import read_inputs
from tidegate.inference.runtime import InferenceRuntime


@dataclass(frozen=True)
class Comparison:
    """What a route says of the questions that have an accepted answer, in counts."""

    task: str
    route: str
    profile: str
    questions: int
    same: int
    different: int
    invalid: int
    """Answers that do not keep the task's schema."""
    unanswered: int

    def document(self) -> dict[str, Any]:
        """The comparison as JSON."""
        return asdict(self)


def compare(runtime: InferenceRuntime, task_id: str, route_id: str) -> Comparison:
    """Ask every question of a task that has an accepted answer once more, on another route.

    The attempts are recorded and cost money like all others; nobody decides about them. Raises
    UsageError where the task has no run, or the route does not ask the run's revision of it.
    """
    run = runtime.declared.runs.get(task_id)
    if run is None:
        raise UsageError(f"There is no run of a task {task_id}.")
    task = runtime.declared.task_of(runtime.declared.routes[run.route])
    line = runtime.line(_route(runtime, route_id, task_id, task.revision))
    policy = runtime.policy(task_id)
    found: Counter[str] = Counter()
    with runtime.warehouse.connect(application_name="tidegate infer") as conn:
        for key, asked in read_inputs(runtime.warehouse, run, task).questions.items():
            use = lookups.accepted(conn, key, policy.sha256)
            if use is None:
                continue
            attempt = lookups.attempt(conn, runtime.compare(conn, line, asked))
            if attempt.schema_valid is None:
                found["unanswered"] += 1
            elif not attempt.schema_valid:
                found["invalid"] += 1
            else:
                found["same" if attempt.parsed_output == use.output else "different"] += 1
    return Comparison(
        task=task_id,
        route=route_id,
        profile=f"{line.profile.id}@{line.profile.revision}",
        questions=sum(found.values()),
        same=found["same"],
        different=found["different"],
        invalid=found["invalid"],
        unanswered=found["unanswered"],
    )


def _route(runtime: InferenceRuntime, route_id: str, task_id: str, revision: int) -> Route:
    route = runtime.declared.routes.get(route_id)
    if route is None or route.task != task_id or route.contract_revision != revision:
        fitting = [
            name
            for name, other in sorted(runtime.declared.routes.items())
            if other.task == task_id and other.contract_revision == revision
        ]
        raise UsageError(
            f"Route {route_id} does not ask revision {revision} of task {task_id}.",
            remedy=f"Routes that do: {', '.join(fitting)}.",
        )
    return route
