"""One run of a task: read its inputs, answer them, use what was accepted, withdraw what was not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from tidegate.connection import Connection
from tidegate.errors import UsageError
from tidegate.inference import asking, batches, lookups, records
from tidegate.inference.asking import Line
from tidegate.inference.questions import Inputs, Question, read_inputs
from tidegate.inference.runtime import InferenceRuntime, Outcome, State
from tidegate.inference.vocabulary import Transport
from tidegate.ledger import audit


@dataclass(frozen=True)
class RunReport:
    """What a run did, in counts of questions; `targets` counts what their answers are used for."""

    task: str
    revision: int
    route: str
    profile: str
    transport: str
    questions: int
    accepted: int
    reused: int
    rejected: int
    waiting: int
    exhausted: int
    targets: int
    projected: int
    withdrawn: int
    calls: int
    """Those of the verifier included, as in all that follows."""
    input_tokens: int
    output_tokens: int
    cost_usd: Decimal
    unpriced: int
    """Calls of this run whose cost nobody knows."""

    @property
    def unanswered(self) -> int:
        """Questions that have no acceptable answer and wait for none."""
        return self.rejected + self.exhausted

    def document(self) -> dict[str, Any]:
        """The report as JSON."""
        return asdict(self)


def run_task(
    runtime: InferenceRuntime,
    task_id: str,
    *,
    transport: Transport = Transport.SYNC,
    wait_seconds: float = 0,
    actor: str = "tidegate",
) -> RunReport:
    """Answer everything the task's run asks.

    Raises UsageError where the task has no run, NothingJudged where it asks nothing,
    EnvironmentFailure where its input cannot be read.
    """
    run = runtime.declared.runs.get(task_id)
    if run is None:
        known = ", ".join(sorted(runtime.declared.runs)) or "none"
        raise UsageError(f"There is no run of a task {task_id}.", remedy=f"Declared: {known}.")
    line = runtime.line(runtime.declared.routes[run.route])
    inputs = read_inputs(runtime.warehouse, run, line.task)
    with runtime.warehouse.connect(application_name="tidegate infer") as conn:
        begun = _now(conn)
        asking.interrupt_abandoned(conn, task_id)
        if transport is Transport.SYNC:
            if batches.are_running(conn, task_id):
                with asking.only_one(runtime.warehouse, task=task_id, request_key=None):
                    batches.collect(conn, runtime, task_id, inputs.questions)
            outcomes = {
                key: runtime.answer(conn, line, asked) for key, asked in inputs.questions.items()
            }
        else:
            outcomes = _in_batches(runtime, conn, line, inputs.questions, wait_seconds)
        projected, withdrawn = _use(conn, run.target, line, inputs, outcomes, actor)
        counted = Counter(outcome.state for outcome in outcomes.values())
        verifier = runtime.policy(task_id).verifier
        spent = _spent(conn, begun, [task_id, *([verifier.task] if verifier else [])])
    return RunReport(
        task=task_id,
        revision=line.task.revision,
        route=line.route.id,
        profile=f"{line.profile.id}@{line.profile.revision}",
        transport=transport.value,
        questions=len(inputs.questions),
        accepted=counted[State.ACCEPTED],
        reused=counted[State.REUSED],
        rejected=counted[State.REJECTED],
        waiting=counted[State.WAITING],
        exhausted=counted[State.EXHAUSTED],
        targets=sum(len(found) for found in inputs.targets.values()),
        projected=projected,
        withdrawn=withdrawn,
        **spent,
    )


def _in_batches(
    runtime: InferenceRuntime,
    conn: Connection,
    line: Line,
    questions: Mapping[str, Question],
    wait_seconds: float,
) -> dict[str, Outcome]:
    """Collect what runs, hand over what has to be asked, and collect that if it ends in time."""
    policy = runtime.policy(line.task.id)
    for asked in questions.values():
        records.keep_request(conn, asked)
    with asking.only_one(runtime.warehouse, task=line.task.id, request_key=None):
        batches.collect(conn, runtime, line.task.id, questions)
        before = {k: runtime.known(conn, line, policy, asked) for k, asked in questions.items()}
        wanted = [questions[key] for key, outcome in before.items() if outcome is None]
        numbers = [
            len(lookups.attempts_of(conn, asked.request_key, line.profile, policy.sha256)) + 1
            for asked in wanted
        ]
        batches.hand_over(conn, line, list(zip(wanted, numbers, strict=True)))
        batches.collect(conn, runtime, line.task.id, questions, wait_seconds)
        done: dict[str, Outcome] = {}
        for key, asked in questions.items():
            known = before[key]
            if known is not None and known.state in (State.REUSED, State.EXHAUSTED):
                done[key] = known
                continue
            now = runtime.known(conn, line, policy, asked, after_call=True)
            done[key] = _after_batch(now, asked=known is None)
    return done


def _after_batch(found: Outcome | None, *, asked: bool) -> Outcome:
    if found is None:
        return Outcome(State.REJECTED, calls=int(asked))
    if found.state is State.REUSED:
        return Outcome(State.ACCEPTED, found.use, calls=int(asked))
    return Outcome(found.state, found.use, calls=int(asked))


def _use(
    conn: Connection,
    relation: str,
    line: Line,
    inputs: Inputs,
    outcomes: Mapping[str, Outcome],
    actor: str,
) -> tuple[int, int]:
    """Project accepted answers; a target without one, or that is asked no more, loses its use."""
    projected = 0
    kept: list[str] = []
    with conn.transaction():
        for key, targets in inputs.targets.items():
            use = outcomes[key].use
            for target in targets if use is not None else ():
                kept.append(target)
                projected += records.project(conn, relation, target, use) if use else 0
        gone = conn.execute(
            "select target_key from provenance.inference_projections"
            " join provenance.inference_requests using (request_key)"
            " where target_relation = %s and task_id = %s and target_key <> all(%s)",
            [relation, line.task.id, kept],
        ).fetchall()
        for (target,) in gone:
            records.withdraw(conn, relation, target)
        if gone:
            audit.record(
                conn, "inference.uses.withdrawn", f"inference:{line.task.id}", actor,
                {"target_relation": relation, "count": len(gone)},
            )  # fmt: skip
    return projected, len(gone)


def _now(conn: Connection) -> datetime:
    row = conn.execute("select clock_timestamp()").fetchone()
    assert row is not None  # noqa: S101 (a select without table returns one row)
    began: datetime = row[0]
    return began


def _spent(conn: Connection, begun: datetime, tasks: list[str]) -> dict[str, Any]:
    """Calls that began since then for these tasks, and what they took."""
    row = conn.execute(
        "select count(*), coalesce(sum(a.input_tokens), 0)::bigint,"
        " coalesce(sum(a.output_tokens), 0)::bigint, coalesce(sum(a.cost_usd), 0),"
        " count(*) filter (where a.completed_at is not null and a.cost_usd is null)"
        " from provenance.inference_attempts a join provenance.inference_requests r"
        " using (request_key) where a.started_at >= %s and r.task_id = any(%s)",
        [begun, tasks],
    ).fetchone()
    assert row is not None  # noqa: S101 (an aggregate returns one row)
    names = ("calls", "input_tokens", "output_tokens", "cost_usd", "unpriced")
    return dict(zip(names, row, strict=True))
