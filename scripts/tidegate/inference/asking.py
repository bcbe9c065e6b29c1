"""Calls to a provider: recorded before they begin, completed whatever becomes of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from tidegate import failpoints
from tidegate.connection import Connection
from tidegate.inference import lookups, records
from tidegate.inference.model import Profile, Route, Task
from tidegate.inference.provider import Answer, Call, Provider
from tidegate.inference.questions import Question
from tidegate.inference.validate import Parsed, parse_output
from tidegate.inference.vocabulary import AttemptStatus, Transport
from tidegate.warehouse.connect import Warehouse

Parser = Callable[[str, Mapping[str, Any]], Parsed]


@dataclass(frozen=True)
class Line:
    """A way to ask: a pinned route with what it pins, and the provider that answers."""

    task: Task
    route: Route
    profile: Profile
    provider: Provider
    parser: Parser = parse_output


@contextmanager
def only_one(warehouse: Warehouse, *, task: str, request_key: str | None) -> Iterator[None]:
    """Let nobody else ask the same: one question at a time, or (`request_key` None) a whole task.

    Locks of a transaction on a connection of its own, which stays open meanwhile: a crash releases
    them, and what it left under way is then known to be nobody's. A lock of the session would be
    stranded behind a transaction pooler (case C17).
    """
    with warehouse.connect(autocommit=False, application_name="tidegate infer") as turn:
        turn.execute("set local lock_timeout = 0")
        turn.execute("set local idle_in_transaction_session_timeout = 0")
        if request_key is None:
            turn.execute(_ALONE, [_lock_name(task, None)])
        else:
            turn.execute(_BESIDE, [_lock_name(task, None)])
            turn.execute(_ALONE, [_lock_name(task, request_key)])
        yield


_ALONE = "select pg_advisory_xact_lock(hashtextextended(%s, 0))"
_BESIDE = "select pg_advisory_xact_lock_shared(hashtextextended(%s, 0))"
_IF_FREE = "select pg_try_advisory_xact_lock(hashtextextended(%s, 0))"


def ask_now(conn: Connection, line: Line, asked: Question, number: int) -> str:
    """Ask one question and wait; return the attempt, which is completed.

    What a provider raises is never repeated: it may hold what was asked.
    """
    attempt_id = records.start(conn, asked, line.route, Transport.SYNC, None)
    failpoints.hit("infer.started")
    try:
        answer = line.provider.call(call_of(line.profile, asked, attempt_id, number))
    except TimeoutError:
        answer = Answer(AttemptStatus.TIMED_OUT)
    except Exception:
        answer = Answer(AttemptStatus.FAILED)
    failpoints.hit("infer.answered")
    settle(conn, attempt_id, answer, line.profile, line.task.output_schema, line.parser)
    return attempt_id


def settle(
    conn: Connection,
    attempt_id: str,
    answer: Answer,
    profile: Profile,
    schema: Mapping[str, Any],
    parser: Parser,
) -> bool:
    """Complete an attempt with what came back; a text without success is no answer."""
    parsed = None
    if answer.status is AttemptStatus.SUCCEEDED:
        if answer.text is None:
            answer = Answer(AttemptStatus.FAILED, cost_usd=answer.cost_usd)
        else:
            parsed = parser(answer.text, schema)
    return records.complete(conn, attempt_id, answer, parsed, profile)


def interrupted(conn: Connection, attempt_id: str, profile: Profile) -> None:
    """Complete an attempt whose process is gone: nobody will, and nobody knows what it cost."""
    records.complete(conn, attempt_id, Answer(AttemptStatus.FAILED), None, profile)


def interrupt_abandoned(conn: Connection, task: str) -> None:
    """Complete every attempt of a task whose process is gone, whatever it was asked on.

    A call that somebody waits for holds its question's lock; one whose lock is free is nobody's.
    """
    rows = conn.execute(
        "select a.attempt_id, a.request_key, a.profile_id, a.profile_revision"
        " from provenance.inference_attempts a join provenance.inference_requests r"
        " using (request_key) where r.task_id = %s and a.completed_at is null"
        " and a.batch_id is null order by a.attempt_id",
        [task],
    ).fetchall()
    for attempt_id, request_key, profile_id, revision in rows:
        with conn.transaction():
            if conn.execute(_IF_FREE, [_lock_name(task, request_key)]).fetchone() == (True,):
                interrupted(conn, attempt_id, lookups.profile(conn, profile_id, revision))


def _lock_name(task: str, request_key: str | None) -> str:
    return " ".join(("tidegate inference", task, *([request_key] if request_key else [])))


def call_of(profile: Profile, asked: Question, attempt_id: str, number: int) -> Call:
    """The question as the provider gets it."""
    return Call(
        call_id=attempt_id,
        number=number,
        input_sha256=asked.input_sha256,
        prompt=asked.task.prompt,
        input=asked.content,
        output_schema=asked.task.output_schema,
        model=profile.model,
        parameters=profile.parameters,
    )


def hand_over(
    conn: Connection, line: Line, asked: Sequence[tuple[Question, int]]
) -> tuple[str, tuple[str, ...]]:
    """Record a batch and its attempts, then submit it; return its id and the attempts.

    A crash in between leaves a batch without reference, which the next run hands over again under
    the same id.
    """
    with conn.transaction():
        row = conn.execute(
            "insert into provenance.inference_batches (profile_id, profile_revision)"
            " values (%s, %s) returning batch_id",
            [line.profile.id, line.profile.revision],
        ).fetchone()
        assert row is not None  # noqa: S101 (returning always returns)
        batch_id = str(row[0])
        attempts = [
            records.start(conn, question, line.route, Transport.NATIVE_BATCH, batch_id)
            for question, _ in asked
        ]
    failpoints.hit("infer.started")
    calls = [
        call_of(line.profile, question, attempt_id, number)
        for attempt_id, (question, number) in zip(attempts, asked, strict=True)
    ]
    submit(conn, line.provider, line.profile, batch_id, calls)
    return batch_id, tuple(attempts)


def submit(
    conn: Connection, provider: Provider, profile: Profile, batch_id: str, calls: Sequence[Call]
) -> None:
    """Submit a recorded batch and keep its reference; if that fails, all its attempts have."""
    try:
        reference = provider.submit(batch_id, calls)
    except Exception:
        for call in calls:
            interrupted(conn, call.call_id, profile)
        return
    failpoints.hit("infer.submitted")
    conn.execute(
        "update provenance.inference_batches set provider_reference = %s,"
        " submitted_at = clock_timestamp() where batch_id = %s and provider_reference is null",
        [reference, batch_id],
    )
