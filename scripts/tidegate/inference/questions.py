"""Questions: a task's revision and an input, under a key that is made of both.

The input is hashed as RFC 8785 canonical JSON. It is not recorded: it stands where it came from.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import psycopg
import rfc8785
from psycopg import sql

from tidegate.errors import EnvironmentFailure, NothingJudged, UsageError
from tidegate.inference.model import Run, Task
from tidegate.warehouse.connect import Warehouse, server_message


@dataclass(frozen=True)
class Question:
    """One logical question; `content` holds values and is never shown."""

    task: Task
    content: Mapping[str, Any] = field(repr=False)
    input_sha256: str
    request_key: str
    artifacts: tuple[str, ...] = ()
    """Keys of the artefacts that any row of this input stands in."""


def question(task: Task, content: Mapping[str, Any], artifacts: tuple[str, ...] = ()) -> Question:
    """The question of an input; raise UsageError where JSON cannot carry it exactly."""
    try:
        sha256 = hashlib.sha256(rfc8785.dumps(dict(content))).hexdigest()
    except rfc8785.CanonicalizationError:
        raise UsageError(
            f"An input of task {task.id} holds a number that JSON cannot carry exactly.",
            remedy="Cast the column to text in the run's `input`.",
        ) from None
    key = hashlib.sha256(f"{task.id}|{task.revision}|{sha256}".encode()).hexdigest()
    return Question(task, content, sha256, key, artifacts)


@dataclass(frozen=True)
class Inputs:
    """What a run asks: each question once, with the targets its answer is used for."""

    questions: Mapping[str, Question]
    """By request key, in the order of the input."""
    targets: Mapping[str, tuple[str, ...]]
    """Target keys by request key."""


def read_inputs(warehouse: Warehouse, run: Run, task: Task) -> Inputs:
    """Run the run's query, which may only read.

    Raises EnvironmentFailure where it fails, NothingJudged where it returns nothing, UsageError
    where a target's key is missing or stands for two inputs.
    """
    questions: dict[str, Question] = {}
    targets: dict[str, list[str]] = {}
    owner: dict[str, str] = {}
    for row in _rows(warehouse, run):
        content = dict(row)
        key = content.pop(run.key, None)
        artifacts = content.pop(run.artifacts, None) if run.artifacts else ()
        if not isinstance(key, str) or not key:
            raise UsageError(
                f"The input of task {run.task} has a row without {run.key}.",
                remedy=f"Every row names in the text {run.key} what its answer is used for.",
            )
        asked = question(task, content, tuple(str(item) for item in artifacts or ()))
        if owner.setdefault(key, asked.request_key) != asked.request_key:
            raise UsageError(
                f"The input of task {run.task} has two different rows of one {run.key}.",
                remedy="One target has one input.",
            )
        known = questions.get(asked.request_key, asked)
        merged = tuple(dict.fromkeys((*known.artifacts, *asked.artifacts)))
        questions[asked.request_key] = replace(known, artifacts=merged)
        found = targets.setdefault(asked.request_key, [])
        if key not in found:
            found.append(key)
    if not questions and not run.may_be_empty:
        raise NothingJudged(
            f"The input of task {run.task} returned no row.",
            remedy="Land or build what it reads, or declare `may_be_empty: true`.",
        )
    return Inputs(questions, {key: tuple(found) for key, found in targets.items()})


def _rows(warehouse: Warehouse, run: Run) -> list[Mapping[str, Any]]:
    query = sql.SQL("select to_jsonb(input) from ({}) as input").format(
        sql.SQL(run.input.strip().rstrip(";"))
    )
    try:
        with warehouse.transaction() as conn:
            conn.execute("set transaction isolation level repeatable read, read only")
            return [row[0] for row in conn.execute(query, prepare=True)]
    except psycopg.Error as error:
        raise EnvironmentFailure(
            f"The input of task {run.task} could not be read: {server_message(error)}.",
            remedy="Run the query of its run by hand; land or build what it reads first.",
        ) from None
