"""Native batches: handed over in one run, collected in the same or a later one.

What runs is collected whatever has become of its route meanwhile: the profile it was handed to and
the contract its answers have to keep are in the ledger.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from psycopg.rows import class_row

from tidegate.connection import Connection
from tidegate.inference import asking, lookups
from tidegate.inference.asking import Line
from tidegate.inference.model import Profile
from tidegate.inference.provider import Answer
from tidegate.inference.questions import Question
from tidegate.inference.runtime import InferenceRuntime
from tidegate.inference.vocabulary import AttemptStatus

GIVE_UP_AFTER = timedelta(hours=72)
"""Providers end a batch within a day; one that has not ended by then has timed out."""
_PAUSE_SECONDS = 1.0


@dataclass(frozen=True)
class _Batch:
    """A batch with attempts under way, and whether it has run for too long."""

    batch_id: str
    provider_reference: str | None
    profile_id: str
    profile_revision: int
    is_lost: bool


@dataclass(frozen=True)
class _UnderWay:
    """One of its attempts, `number` among those of its question and profile."""

    attempt_id: str
    request_key: str
    number: int
    output_json_schema: Mapping[str, Any]


def hand_over(conn: Connection, line: Line, asked: Sequence[tuple[Question, int]]) -> None:
    """Record and submit one batch of questions with the number of each one's attempt."""
    if asked:
        asking.hand_over(conn, line, asked)


def collect(
    conn: Connection,
    runtime: InferenceRuntime,
    task_id: str,
    questions: Mapping[str, Question],
    wait_seconds: float = 0,
    give_up_after: timedelta = GIVE_UP_AFTER,
) -> int:
    """Complete the attempts of batches that have ended; return how many batches still run.

    Waits at most `wait_seconds` for those that run. The caller holds the task's lock.
    """
    until = time.monotonic() + wait_seconds
    while True:
        running = [
            batch
            for batch in _open(conn, task_id, give_up_after)
            if not _collected(conn, runtime, batch, questions)
        ]
        left = until - time.monotonic()
        if not running or left <= 0:
            return len(running)
        time.sleep(min(_PAUSE_SECONDS, left))


def are_running(conn: Connection, task_id: str) -> bool:
    """Whether there is anything to collect."""
    return bool(_open(conn, task_id, GIVE_UP_AFTER))


def _open(conn: Connection, task_id: str, give_up_after: timedelta) -> list[_Batch]:
    with conn.cursor(row_factory=class_row(_Batch)) as cursor:
        return cursor.execute(
            "select b.batch_id, b.provider_reference, b.profile_id, b.profile_revision,"
            " coalesce(b.submitted_at + %s <= clock_timestamp(), false) as is_lost"
            " from provenance.inference_batches b where b.collected_at is null and exists ("
            " select from provenance.inference_attempts a join provenance.inference_requests r"
            " using (request_key) where a.batch_id = b.batch_id and a.completed_at is null"
            " and r.task_id = %s) order by b.batch_id",
            [give_up_after, task_id],
        ).fetchall()


def _collected(
    conn: Connection,
    runtime: InferenceRuntime,
    batch: _Batch,
    questions: Mapping[str, Question],
) -> bool:
    """Whether a batch is done with, one way or another."""
    profile = lookups.profile(conn, batch.profile_id, batch.profile_revision)
    waiting = _under_way(conn, batch.batch_id)
    if batch.provider_reference is None:
        return _handed_over_again(conn, runtime, profile, batch.batch_id, waiting, questions)
    answers = _answers(runtime, profile, batch.provider_reference)
    if answers is None and not batch.is_lost:
        return False
    missing = Answer(AttemptStatus.TIMED_OUT if answers is None else AttemptStatus.FAILED)
    with conn.transaction():
        for attempt in waiting:
            answer = (answers or {}).get(attempt.attempt_id, missing)
            asking.settle(
                conn, attempt.attempt_id, answer, profile, attempt.output_json_schema,
                runtime.parser,
            )  # fmt: skip
        conn.execute(
            "update provenance.inference_batches set collected_at = clock_timestamp()"
            " where batch_id = %s",
            [batch.batch_id],
        )
    return True


def _handed_over_again(
    conn: Connection,
    runtime: InferenceRuntime,
    profile: Profile,
    batch_id: str,
    waiting: Sequence[_UnderWay],
    questions: Mapping[str, Question],
) -> bool:
    """Submit what a crash kept from it, under the same id.

    A question that is no longer asked cannot be repeated, since its input is not kept: its attempt
    has failed.
    """
    calls = []
    for attempt in waiting:
        asked = questions.get(attempt.request_key)
        if asked is None:
            asking.interrupted(conn, attempt.attempt_id, profile)
        else:
            call = asking.call_of(profile, asked, attempt.attempt_id, attempt.number)
            calls.append(call)
    if calls:
        asking.submit(conn, runtime.provider(profile), profile, batch_id, calls)
    return not _under_way(conn, batch_id)


def _answers(
    runtime: InferenceRuntime, profile: Profile, reference: str
) -> Mapping[str, Answer] | None:
    """None while the batch runs, or the provider cannot be asked: waiting loses nothing."""
    try:
        provider = runtime.provider(profile)
        return provider.collect(reference) if provider.poll(reference) else None
    except Exception:
        return None


def _under_way(conn: Connection, batch_id: str) -> list[_UnderWay]:
    with conn.cursor(row_factory=class_row(_UnderWay)) as cursor:
        return cursor.execute(
            "select a.attempt_id, a.request_key, (select count(*)::integer"
            " from provenance.inference_attempts b where b.request_key = a.request_key"
            " and b.profile_id = a.profile_id and b.profile_revision = a.profile_revision"
            " and b.started_at <= a.started_at) as number, t.output_json_schema"
            " from provenance.inference_attempts a"
            " join provenance.inference_requests r using (request_key)"
            " join provenance.inference_task_contracts t using (task_id, contract_revision)"
            " where a.batch_id = %s and a.completed_at is null order by a.attempt_id",
            [batch_id],
        ).fetchall()
