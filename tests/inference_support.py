"""A small world of inference for tests: two tasks, recorded answers, questions in a table."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

from tidegate.connection import Connection
from tidegate.inference.adapters.recorded import RecordedProvider
from tidegate.inference.asking import Parser
from tidegate.inference.model import Declarations, Policy, Profile, Route, Run, Task
from tidegate.inference.provider import Answer
from tidegate.inference.questions import question
from tidegate.inference.runtime import InferenceRuntime
from tidegate.inference.validate import parse_output
from tidegate.inference.vocabulary import AttemptStatus
from tidegate.warehouse import Warehouse

TASK = "pub_outcome"
VERIFIER = "pub_outcome_check"
SCHEMA: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["endpoint", "value"],
    "properties": {
        "endpoint": {"enum": ["ORR", "PFS", "OS"]},
        "value": {"type": "number"},
        "quote": {"type": "string"},
    },
}
VERDICT: dict[str, Any] = {
    "type": "object",
    "required": ["verdict"],
    "properties": {"verdict": {"enum": ["pass", "fail", "abstain"]}},
}
GOOD = {"endpoint": "ORR", "value": 20.0}
TARGET = "evidence.claims"


def task(revision: int = 1, **changes: Any) -> Task:
    given = {
        "id": TASK, "revision": revision, "description": "Reads an outcome.", "owner": "pubs",
        "high_impact": True, "prompt": f"Read the outcome (revision {revision}).",
        "output_schema": SCHEMA, **changes,
    }  # fmt: skip
    return Task(**given)


def verifier(**changes: Any) -> Task:
    return task(id=VERIFIER, prompt="Is it so?", output_schema=VERDICT, **changes)


def profile(name: str = "recorded", revision: int = 1, **changes: Any) -> Profile:
    given = {"id": name, "revision": revision, "adapter": "recorded", "model": "recorded-1",
             "input_usd": 1.0, "output_usd": 5.0, **changes}  # fmt: skip
    return Profile(**given)


def route(name: str = "main", revision: int = 1, **changes: Any) -> Route:
    given = {"id": name, "revision": revision, "task": TASK, "contract_revision": 1,
             "profile": "recorded", "profile_revision": 1, "owner": "pubs", **changes}  # fmt: skip
    return Route(**given)


def policy(version: str = "A", **changes: Any) -> Policy:
    given = {"task": TASK, "version": version, "decided_by": "deterministic_validator", **changes}
    return Policy(**given)


VERIFIED: dict[str, Any] = {"decided_by": "verifier_model", "verifier": {"task": VERIFIER}}
"""What makes a policy one that the verifier decides."""


def declared(
    tasks: Sequence[Task] = (),
    profiles: Sequence[Profile] = (),
    routes: Sequence[Route] = (),
    policies: Sequence[Policy] = (),
    run: Mapping[str, Any] | None = None,
) -> Declarations:
    """A world with one task, its verifier, one profile and a route for both; parts can be given."""
    all_tasks = [*(tasks or [task()]), verifier()]
    all_routes = [*(routes or [route()]), route("check", task=VERIFIER)]
    all_policies = [*(policies or [policy()]), policy(task=VERIFIER)]
    given = {"input": "select * from raw.questions", "target": TARGET, **(run or {})}
    only = Run(task=TASK, route=all_routes[0].id, **given)
    return Declarations(
        tasks={(item.id, item.revision): item for item in all_tasks},
        profiles={(item.id, item.revision): item for item in profiles or [profile()]},
        routes={item.id: item for item in all_routes},
        policies={item.task: item for item in all_policies},
        runs={TASK: only},
    )


def revised(world: Declarations, changed: Policy) -> Declarations:
    """The same world under another policy."""
    return replace(world, policies={**world.policies, changed.task: changed})


def answer(output: Any = None, **given: Any) -> Answer:
    """A recorded answer; without output one that did not come."""
    if output is not None:
        text = output if isinstance(output, str) else json.dumps(output)
        return Answer(AttemptStatus.SUCCEEDED, text, 1000, 100, **given)
    return Answer(given.pop("status", AttemptStatus.FAILED), **given)


def sha256_of_content(content: Mapping[str, Any]) -> str:
    """The hash of an input, which is the same whatever is asked about it."""
    return question(task(), content).input_sha256


def sha256_of(phrase: str) -> str:
    """The hash of the input that a row of `raw.questions` is."""
    return sha256_of_content({"phrase": phrase})


def checked_sha256(phrase: str, output: Any = GOOD) -> str:
    """The hash of what the verifier is asked about an output."""
    return sha256_of_content({"input": {"phrase": phrase}, "output": output})


def provider(answers: Mapping[str, Any], **options: Any) -> RecordedProvider:
    """Answers by phrase; one that is no list is the only one."""
    listed = {
        (key if len(key) == 64 else sha256_of(key)): found if isinstance(found, list) else [found]
        for key, found in answers.items()
    }
    return RecordedProvider(
        {
            key: [item if isinstance(item, Answer) else answer(item) for item in found]
            for key, found in listed.items()
        },
        **options,
    )


def runtime(
    warehouse: Warehouse,
    world: Declarations,
    answers: Mapping[str, Any] | RecordedProvider,
    parser: Parser = parse_output,
    **others: RecordedProvider,
) -> InferenceRuntime:
    """A runtime whose declarations are in the ledger; `others` answer for further profiles."""
    given = answers if isinstance(answers, RecordedProvider) else provider(answers)
    providers = {name: others.get(name, given) for name, _ in world.profiles}
    made = InferenceRuntime(warehouse, world, Path(), providers, parser=parser)
    made.keep_declarations("ann")
    return made


def ask_about(conn: Connection, *phrases: str) -> None:
    """Exactly these rows in `raw.questions`, each used for the target of its own name."""
    conn.execute("create schema if not exists raw")
    conn.execute("create table if not exists raw.questions (target_key text, phrase text)")
    conn.execute("truncate raw.questions")
    for phrase in phrases:
        conn.execute("insert into raw.questions values (%s, %s)", [f"t-{phrase}", phrase])


def attempts(conn: Connection) -> list[tuple[Any, ...]]:
    """Status, validity and cost of every attempt, the oldest first."""
    return conn.execute(
        "select status, schema_valid, cost_usd from provenance.inference_attempts"
        " order by started_at, attempt_id"
    ).fetchall()


def decisions(conn: Connection) -> list[tuple[Any, ...]]:
    """Decision, decider and reason of every decision, the oldest first."""
    return conn.execute(
        "select decision, decided_by, reason from provenance.inference_decisions"
        " order by decided_at, decision_id"
    ).fetchall()


def uses(conn: Connection) -> list[str]:
    """Targets that an accepted output is used for."""
    rows = conn.execute(
        "select target_key from provenance.inference_projections order by target_key"
    ).fetchall()
    return [row[0] for row in rows]


COST = Decimal("0.001500")
"""What a recorded answer of this world costs: 1,000 tokens for 1 dollar a million, 100 for 5."""
