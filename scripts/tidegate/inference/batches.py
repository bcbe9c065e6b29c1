"""Native batches: handed over in one run, collected in the same or a later one."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

import psycopg

from tidegate.inference import asking
from tidegate.inference.asking import Line
from tidegate.inference.provider import Answer
from tidegate.inference.questions import Question
from tidegate.inference.vocabulary import AttemptStatus

Connection = psycopg.Connection[tuple[Any, ...]]
_PAUSE_SECONDS = 1.0


def hand_over(conn: Connection, line: Line, asked: Sequence[tuple[Question, int]]) -> None:
    """Record and submit one batch of questions with the number of each one's attempt."""
    if asked:
        asking.hand_over(conn, line, asked)


def collect(
    conn: Connection, line: Line, questions: Mapping[str, Question], wait_seconds: float = 0
) -> int:
    """Complete the attempts of batches that have ended; return how many batches still run.

    Waits at most `wait_seconds` for those that run. The caller holds the task's lock.
    """
    until = time.monotonic() + wait_seconds
    while True:
        running = [
            batch_id
            for batch_id, reference in _open(conn, line)
            if not _collected(conn, line, batch_id, reference, questions)
        ]
        left = until - time.monotonic()
        if not running or left <= 0:
            return len(running)
        time.sleep(min(_PAUSE_SECONDS, left))


def _open(conn: Connection, line: Line) -> list[tuple[str, str | None]]:
    return conn.execute(
        "select b.batch_id, b.provider_reference from provenance.inference_batches b"
        " where b.collected_at is null and exists ("
        " select from provenance.inference_attempts a join provenance.inference_requests r"
        " using (request_key) where a.batch_id = b.batch_id and a.completed_at is null"
        " and a.route_id = %s and a.route_revision = %s and r.task_id = %s)"
        " order by b.batch_id",
        [line.route.id, line.route.revision, line.task.id],
    ).fetchall()


def _collected(
    conn: Connection,
    line: Line,
    batch_id: str,
    reference: str | None,
    questions: Mapping[str, Question],
) -> bool:
    """Whether a batch is done with, one way or another."""
    waiting = _under_way(conn, batch_id)
    if reference is None:
        # A crash fell between the record and the reference: hand over again under the same id. A
        # question that is no longer asked cannot be repeated, its input is not kept.
        known = [(a, questions[key], n) for a, key, n in waiting if key in questions]
        for attempt_id, key, _ in waiting:
            if key not in questions:
                asking.interrupted(conn, line, attempt_id)
        calls = [asking.call_of(line, asked, attempt, n) for attempt, asked, n in known]
        if not calls:
            return True
        asking.submit(conn, line, batch_id, calls)
        return not _under_way(conn, batch_id)
    answers = _answers(line, reference)
    if answers is None:
        return False
    with conn.transaction():
        for attempt_id, _, _ in waiting:
            answer = answers.get(attempt_id, Answer(AttemptStatus.FAILED))
            asking.settle(conn, line, attempt_id, answer)
        conn.execute(
            "update provenance.inference_batches set collected_at = clock_timestamp()"
            " where batch_id = %s",
            [batch_id],
        )
    return True


def _answers(line: Line, reference: str) -> Mapping[str, Answer] | None:
    """None while the batch runs, or the provider cannot be asked: waiting loses nothing."""
    try:
        return line.provider.collect(reference) if line.provider.poll(reference) else None
    except Exception:
        return None


def _under_way(conn: Connection, batch_id: str) -> list[tuple[str, str, int]]:
    """Attempts of a batch without an end: id, request key, its number among the request's."""
    return conn.execute(
        "select a.attempt_id, a.request_key, (select count(*)::integer"
        " from provenance.inference_attempts b where b.request_key = a.request_key"
        " and b.profile_id = a.profile_id and b.profile_revision = a.profile_revision"
        " and b.started_at <= a.started_at)"
        " from provenance.inference_attempts a"
        " where a.batch_id = %s and a.completed_at is null order by a.attempt_id",
        [batch_id],
    ).fetchall()
