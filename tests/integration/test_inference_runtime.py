"""The runtime of inference: what is asked, recorded, decided, used again and withdrawn."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import psycopg
import pytest

from inference_support import (
    COST,
    GOOD,
    SCHEMA,
    TASK,
    VERIFIED,
    answer,
    ask_about,
    attempts,
    checked_sha256,
    decisions,
    declared,
    policy,
    profile,
    provider,
    revised,
    route,
    runtime,
    sha256_of,
    task,
    uses,
)
from tidegate.connection import Connection
from tidegate.errors import ContractError, EnvironmentFailure, NothingJudged, UsageError
from tidegate.inference import asking, batches, records
from tidegate.inference.adapters.recorded import RecordedProvider
from tidegate.inference.provider import Answer, Call
from tidegate.inference.questions import question
from tidegate.inference.run import run_task
from tidegate.inference.runtime import State
from tidegate.inference.vocabulary import AttemptStatus, Transport
from tidegate.warehouse import Warehouse

REPOSITORY = Path(__file__).resolve().parents[2]
ACCEPTED = ("accepted", "deterministic_validator", "meets_policy")


@pytest.mark.parametrize("transport", list(Transport), ids=["sync", "native_batch"])
def test_both_transports_lead_to_the_same_records(
    warehouse: Warehouse, conn: Connection, transport: Transport
) -> None:
    """Good, invalid, late, refused and failed answers: the same attempts, decisions and uses."""
    ask_about(conn, "good", "invalid", "late", "refused", "unknown")
    given = {
        "good": GOOD, "invalid": "{", "late": answer(status=AttemptStatus.TIMED_OUT),
        "refused": answer(status=AttemptStatus.REFUSED),
    }  # fmt: skip
    report = run_task(runtime(warehouse, declared(), given), TASK, transport=transport)
    assert sorted(attempts(conn), key=str) == [
        ("failed", None, None), ("refused", None, None), ("succeeded", False, COST),
        ("succeeded", True, COST), ("timed_out", None, None),
    ]  # fmt: skip
    assert sorted(decisions(conn)) == [
        ACCEPTED,
        *[("rejected", "deterministic_validator", "not_answered")] * 3,
        ("rejected", "deterministic_validator", "output_invalid"),
    ]
    assert uses(conn) == ["t-good"]
    assert (report.accepted, report.rejected, report.calls) == (1, 4, 5)
    assert (report.cost_usd, report.unpriced, report.unanswered) == (2 * COST, 3, 4)


@pytest.mark.parametrize("transport", list(Transport))
def test_an_accepted_answer_is_used_again_and_not_asked_for(
    warehouse: Warehouse, conn: Connection, transport: Transport
) -> None:
    """The second run makes no call and changes no record."""
    ask_about(conn, "one", "two")
    answers = provider({"one": GOOD, "two": GOOD})
    made = runtime(warehouse, declared(), answers)
    run_task(made, TASK)
    before = attempts(conn), decisions(conn)
    again = run_task(made, TASK, transport=transport)
    assert (again.reused, again.calls, again.projected, again.withdrawn) == (2, 0, 0, 0)
    assert (attempts(conn), decisions(conn)) == before
    assert len(answers.calls) == 2


def test_rejected_questions_are_asked_again_until_the_policy_says_enough(
    warehouse: Warehouse, conn: Connection
) -> None:
    """Two invalid answers, then a good one; where three are invalid there is no fourth call."""
    ask_about(conn, "better", "hopeless")
    answers = provider({"better": ["{", "[]", GOOD], "hopeless": "{"})
    made = runtime(warehouse, declared(), answers)
    reports = [run_task(made, TASK) for _ in range(5)]
    assert [report.rejected for report in reports] == [2, 2, 1, 0, 0]
    assert [report.exhausted for report in reports] == [0, 0, 0, 1, 1]
    assert [report.calls for report in reports] == [2, 2, 2, 0, 0]
    assert uses(conn) == ["t-better"]


def test_a_new_policy_decides_again_without_a_call(warehouse: Warehouse, conn: Connection) -> None:
    """What it accepts is used under it; what it does not is withdrawn, and asked again."""
    ask_about(conn, "kept", "lost")
    answers = provider({"kept": GOOD, "lost": {"endpoint": "OS", "value": 9.2}})
    world = declared()
    run_task(runtime(warehouse, world, answers), TASK)
    assert uses(conn) == ["t-kept", "t-lost"]
    strict = policy("B", rules=[{"field": "endpoint", "one_of": ["ORR"]}], max_attempts=1)
    report = run_task(runtime(warehouse, revised(world, strict), answers), TASK)
    assert (report.reused, report.exhausted, report.calls) == (1, 1, 0)
    assert (report.projected, report.withdrawn) == (1, 1)
    assert uses(conn) == ["t-kept"]
    assert len(answers.calls) == 2
    assert decisions(conn).count(("rejected", "deterministic_validator", "value_not_allowed")) == 1
    told = conn.execute(
        "select details from governance.audit_events where event = 'inference.uses.withdrawn'"
    ).fetchall()
    assert told == [({"count": 1, "target_relation": "evidence.claims"},)]


def test_a_use_goes_with_the_input_it_was_the_answer_to(
    warehouse: Warehouse, conn: Connection
) -> None:
    """A changed input is another question; a target that is no longer asked for is not used."""
    ask_about(conn, "one", "two")
    made = runtime(warehouse, declared(), {"one": GOOD, "two": GOOD, "changed": "{"})
    run_task(made, TASK)
    conn.execute("update raw.questions set phrase = 'changed' where target_key = 't-one'")
    conn.execute("delete from raw.questions where target_key = 't-two'")
    report = run_task(made, TASK)
    assert (report.questions, report.rejected, report.withdrawn) == (1, 1, 2)
    assert uses(conn) == []


def test_targets_with_the_same_input_share_one_call(warehouse: Warehouse, conn: Connection) -> None:
    """One question, one request, two uses."""
    ask_about(conn, "same")
    conn.execute("insert into raw.questions values ('t-other', 'same')")
    report = run_task(runtime(warehouse, declared(), {"same": GOOD}), TASK)
    assert (report.questions, report.targets, report.calls, report.projected) == (1, 2, 1, 2)
    assert uses(conn) == ["t-other", "t-same"]


def test_two_profiles_may_disagree_and_one_answer_is_used(
    warehouse: Warehouse, conn: Connection
) -> None:
    """A comparison adds an attempt about which nobody decides."""
    ask_about(conn, "one")
    other = route("second", profile="other")
    world = declared(profiles=[profile(), profile("other")], routes=[route(), other])
    said = provider({"one": {"endpoint": "OS", "value": 1}})
    made = runtime(warehouse, world, {"one": GOOD}, other=said)
    run_task(made, TASK)
    asked = question(task(), {"phrase": "one"})
    made.compare(conn, made.line(other), asked)
    made.compare(conn, made.line(other), asked)
    assert len(attempts(conn)) == 3
    assert decisions(conn) == [ACCEPTED]
    assert run_task(made, TASK).reused == 1


def test_a_verifier_decides_where_the_policy_says_so(
    warehouse: Warehouse, conn: Connection
) -> None:
    """Pass accepts, fail and abstain reject; each decision names the verifier's attempt."""
    ask_about(conn, "passed", "failed", "unsure")
    answers = {"passed": GOOD, "failed": GOOD, "unsure": GOOD}
    verdicts = {"passed": "pass", "failed": "fail", "unsure": "abstain"}
    answers |= {checked_sha256(name): {"verdict": told} for name, told in verdicts.items()}
    world = declared(policies=[policy(**VERIFIED)])
    report = run_task(runtime(warehouse, world, answers), TASK)
    assert (report.accepted, report.rejected, report.calls) == (1, 2, 6)
    assert report.cost_usd == 6 * COST
    assert uses(conn) == ["t-passed"]
    found = conn.execute(
        "select decision, reason, count(verifier_attempt_id)"
        " from provenance.inference_decisions where decided_by = 'verifier_model'"
        " group by 1, 2 order by 1"
    ).fetchall()
    assert found == [("accepted", "verifier_passed", 1), ("rejected", "verifier_failed", 2)]


def test_a_verifier_that_fails_accepts_nothing_and_is_asked_again(
    warehouse: Warehouse, conn: Connection
) -> None:
    """The answer waits for it; once the verifier answers, the same attempt is accepted."""
    ask_about(conn, "one")
    late = answer(status=AttemptStatus.TIMED_OUT)
    answers = provider({"one": GOOD, checked_sha256("one"): [late, {"verdict": "pass"}]})
    made = runtime(warehouse, declared(policies=[policy(**VERIFIED)]), answers)
    first, second = run_task(made, TASK), run_task(made, TASK)
    assert (first.waiting, first.unanswered, first.calls) == (1, 0, 2)
    assert (second.reused, second.calls) == (1, 1)
    assert answers.calls == [sha256_of("one"), checked_sha256("one"), checked_sha256("one")]


def everything_in(conn: Connection, schema: str) -> dict[str, list[Any]]:
    """Every row of every table of a schema."""
    names = conn.execute(
        "select c.oid::regclass::text from pg_class c where c.relkind in ('r', 'p')"
        " and c.relnamespace = %s::regnamespace order by 1",
        [schema],
    ).fetchall()
    return {
        name: sorted(
            str(row[0]) for row in conn.execute(f"select to_jsonb(t) from {name} t").fetchall()
        )
        for (name,) in names
    }


@pytest.mark.parametrize("transport", list(Transport))
def test_failures_of_models_and_verifiers_change_nothing_in_curation(
    warehouse: Warehouse, conn: Connection, transport: Transport
) -> None:
    """Whatever fails, and however, no table of the schema gains, loses or changes a row."""
    conn.execute("create table curation.some_table (v integer); insert into curation.some_table"
                 " values (1)")  # fmt: skip
    before = everything_in(conn, "curation")
    ask_about(conn, "invalid", "late", "refused", "failed", "unverified", "denied")
    late = answer(status=AttemptStatus.TIMED_OUT)
    answers = {
        "invalid": "{", "late": late, "refused": answer(status=AttemptStatus.REFUSED),
        "unverified": GOOD, checked_sha256("unverified"): late,
        "denied": GOOD, checked_sha256("denied"): {"verdict": "fail"},
    }  # fmt: skip
    world = declared(policies=[policy(**VERIFIED)])
    report = run_task(runtime(warehouse, world, answers), TASK, transport=transport)
    assert (report.accepted, report.rejected, report.waiting) == (0, 5, 1)
    assert "curation.some_table" in before
    assert everything_in(conn, "curation") == before
    assert uses(conn) == []


def test_a_policy_of_a_human_waits_for_one(warehouse: Warehouse, conn: Connection) -> None:
    """Without a decision the answer is not used, and the model is not asked again."""
    ask_about(conn, "one")
    made = runtime(warehouse, declared(policies=[policy(decided_by="human")]), {"one": GOOD})
    assert [run_task(made, TASK).waiting for _ in range(2)] == [1, 1]
    assert len(attempts(conn)) == 1
    assert (decisions(conn), uses(conn)) == ([], [])


class Raising(RecordedProvider):
    """A provider that raises wherever it is asked, with a value in its message."""

    error: Exception = RuntimeError()

    def call(self, call: Call) -> Answer:
        """Raise."""
        raise self.error

    def submit(self, batch_id: str, calls: Sequence[Call]) -> str:
        """Raise."""
        raise self.error


@pytest.mark.parametrize("transport", list(Transport))
@pytest.mark.parametrize(
    ("error", "status"),
    [(RuntimeError("secret phrase"), "failed"), (TimeoutError("secret phrase"), "timed_out")],
)
def test_what_a_provider_raises_is_an_attempt_and_no_message(
    warehouse: Warehouse, conn: Connection, error: Exception, status: str, transport: Transport
) -> None:
    """It is recorded by its kind; a batch that was not taken has failed."""
    ask_about(conn, "secret phrase")
    raising = Raising({})
    raising.error = error
    made = runtime(warehouse, declared(), raising)
    report = run_task(made, TASK, transport=transport)
    expected = status if transport is Transport.SYNC else "failed"
    assert attempts(conn) == [(expected, None, None)]
    assert "secret" not in repr(report)


def test_the_cost_is_the_providers_or_by_price_or_the_cap_of_a_call(
    warehouse: Warehouse, conn: Connection
) -> None:
    """Where nothing of it is known the cost is null: the gate of the cost cap says so."""
    ask_about(conn, "told", "counted", "late")
    given = {
        "told": answer(GOOD, cost_usd=Decimal("0.25")), "counted": GOOD,
        "late": answer(status=AttemptStatus.TIMED_OUT),
    }  # fmt: skip
    capped = declared(profiles=[profile(call_cap_usd=0.5)])
    run_task(runtime(warehouse, capped, given), TASK)
    costs = sorted(cost for _, _, cost in attempts(conn))
    assert costs == [COST, Decimal("0.250000"), Decimal("0.500000")]


def test_the_same_request_at_once_is_one_request_one_call_one_acceptance(
    warehouse: Warehouse, conn: Connection
) -> None:
    """Six callers wait for each other; five find the answer of the first."""
    made = runtime(warehouse, declared(), answers := provider({"one": GOOD}))
    line = made.line(route())
    asked = question(task(), {"phrase": "one"})
    barrier = threading.Barrier(6)

    def ask(_: int) -> State:
        with warehouse.connect() as own:
            barrier.wait(30)
            return made.answer(own, line, asked).state

    with ThreadPoolExecutor(6) as pool:
        states = list(pool.map(ask, range(6)))
    assert sorted(states) == [State.ACCEPTED, *[State.REUSED] * 5]
    assert len(answers.calls) == 1
    assert conn.execute("select count(*) from provenance.inference_requests").fetchone() == (1,)
    assert decisions(conn) == [ACCEPTED]


def test_whole_runs_at_once_converge(warehouse: Warehouse, conn: Connection) -> None:
    """Two runs in both transports over the same inputs: each question is asked once."""
    names = [f"q{number}" for number in range(8)]
    ask_about(conn, *names)
    made = runtime(warehouse, declared(), answers := provider(dict.fromkeys(names, GOOD)))
    barrier = threading.Barrier(4)

    def run(transport: Transport) -> int:
        barrier.wait(30)
        report = run_task(made, TASK, transport=transport)
        return report.accepted + report.reused

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(run, [*Transport, *Transport])) == [8] * 4
    assert sorted(answers.calls) == sorted(map(sha256_of, names))
    assert uses(conn) == [f"t-{name}" for name in names]


def test_two_decisions_at_once_accept_one_attempt(warehouse: Warehouse, conn: Connection) -> None:
    """Without the locks of the runtime, too: the database takes one acceptance of a request."""
    ask_about(conn, "one")
    made = runtime(warehouse, declared(), {"one": GOOD})
    run_task(made, TASK)
    made.compare(conn, made.line(route()), question(task(), {"phrase": "one"}))
    with pytest.raises(psycopg.errors.UniqueViolation):
        conn.execute(
            "insert into provenance.inference_decisions"
            " (attempt_id, request_key, policy_hash, decision, decided_by, reason)"
            " select a.attempt_id, a.request_key, p.policy_hash, 'accepted',"
            " 'deterministic_validator', 'meets_policy'"
            " from provenance.inference_attempts a, provenance.inference_acceptance_policies p"
            f" where p.task_id = '{TASK}' and not exists (select from"
            " provenance.inference_decisions d where d.attempt_id = a.attempt_id)"
        )


CRASHING = """
import sys
sys.path[:0] = [{scripts!r}, {tests!r}]
from inference_support import GOOD, TASK, declared, runtime
from tidegate.inference.run import run_task
from tidegate.inference.vocabulary import Transport
from tidegate.warehouse import Warehouse
made = runtime(Warehouse({conninfo!r}, "test"), declared(), {{"one": GOOD}})
run_task(made, TASK, transport=Transport({transport!r}))
"""


def crash(warehouse: Warehouse, point: str, transport: Transport) -> None:
    """Run the task in a process of its own that is killed at a named point."""
    script = CRASHING.format(
        scripts=str(REPOSITORY / "scripts"), tests=str(REPOSITORY / "tests"),
        conninfo=warehouse.conninfo, transport=transport.value,
    )  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", script], env={**os.environ, "TIDEGATE_FAILPOINT": point}, check=False
    )
    assert done.returncode == -signal.SIGKILL


def test_a_crash_leaves_the_attempt_for_all_to_see_and_is_recovered(
    warehouse: Warehouse, conn: Connection
) -> None:
    """It has no end; the next run ends it as failed, asks again, and accepts exactly one."""
    ask_about(conn, "one")
    crash(warehouse, "infer.answered", Transport.SYNC)
    assert attempts(conn) == [(None, None, None)]
    assert (decisions(conn), uses(conn)) == ([], [])
    report = run_task(runtime(warehouse, declared(), {"one": GOOD}), TASK)
    assert report.accepted == 1
    assert attempts(conn) == [("failed", None, None), ("succeeded", True, COST)]
    assert [found[0] for found in decisions(conn)].count("accepted") == 1
    assert uses(conn) == ["t-one"]


def test_a_crash_before_the_reference_is_kept_hands_the_same_batch_over_again(
    warehouse: Warehouse, conn: Connection
) -> None:
    """Under the same id, so that a provider that has it already makes no second one."""
    ask_about(conn, "one")
    crash(warehouse, "infer.submitted", Transport.NATIVE_BATCH)
    (batch,) = conn.execute(
        "select batch_id from provenance.inference_batches where submitted_at is null"
    ).fetchone() or ("",)
    answers = provider({"one": GOOD})
    made = runtime(warehouse, declared(), answers)
    reports = [run_task(made, TASK, transport=Transport.NATIVE_BATCH) for _ in range(2)]
    assert [report.calls for report in reports] == [0, 0]
    assert list(answers.batches) == [f"recorded-{batch}"]
    assert attempts(conn) == [("succeeded", True, COST)]
    assert uses(conn) == ["t-one"]


def test_a_batch_that_runs_is_waited_for_and_not_asked_twice(
    warehouse: Warehouse, conn: Connection
) -> None:
    """By either transport; a later run collects it."""
    ask_about(conn, "one")
    answers = provider({"one": GOOD}, polls=2)
    made = runtime(warehouse, declared(), answers)
    first = run_task(made, TASK, transport=Transport.NATIVE_BATCH)
    assert (first.waiting, first.calls, attempts(conn)) == (1, 1, [(None, None, None)])
    assert run_task(made, TASK).waiting == 1
    second = run_task(made, TASK, transport=Transport.NATIVE_BATCH)
    assert (second.accepted + second.reused, second.calls) == (1, 0)
    assert len(answers.batches) == 1
    left = conn.execute(
        "select count(*) from provenance.inference_batches where collected_at is null"
    ).fetchone()
    assert left == (0,)


def test_a_batch_is_collected_whatever_became_of_its_route(
    warehouse: Warehouse, conn: Connection
) -> None:
    """By the profile it was handed to and the schema it was asked for; then revision 2 is asked."""
    ask_about(conn, "one")
    answers = provider({"one": GOOD}, polls=1)
    run_task(runtime(warehouse, declared(), answers), TASK, transport=Transport.NATIVE_BATCH)
    assert attempts(conn) == [(None, None, None)]
    strict = {**SCHEMA, "required": ["endpoint", "value", "quote"]}
    second = declared(
        tasks=[task(2, output_schema=strict)],
        routes=[route(revision=2, contract_revision=2, profile_revision=2)],
        profiles=[profile(revision=2, input_usd=0.0, output_usd=0.0)],
    )
    report = run_task(runtime(warehouse, second, answers), TASK)
    assert sorted(attempts(conn), key=str) == [
        ("succeeded", False, 0), ("succeeded", True, COST),
    ]  # fmt: skip
    assert (report.rejected, report.calls, uses(conn)) == (1, 1, [])


def test_a_batch_that_never_ends_is_given_up(warehouse: Warehouse, conn: Connection) -> None:
    """It has timed out, and the question can be asked again."""
    ask_about(conn, "one")
    made = runtime(warehouse, declared(), provider({"one": GOOD}, polls=10**6))
    run_task(made, TASK, transport=Transport.NATIVE_BATCH)
    assert batches.collect(conn, made, TASK, {}) == 1
    assert batches.collect(conn, made, TASK, {}, give_up_after=timedelta(0)) == 0
    assert attempts(conn) == [("timed_out", None, None)]
    assert run_task(made, TASK).accepted == 1


def test_what_a_crash_left_on_an_old_revision_is_ended_too(
    warehouse: Warehouse, conn: Connection
) -> None:
    """At the cap of a call where its profile has one; an attempt that somebody waits for is not."""
    ask_about(conn, "one")
    runtime(warehouse, declared(profiles=[profile(call_cap_usd=0.5)]), {})
    left, alive = (question(task(), {"phrase": phrase}) for phrase in ("left", "alive"))
    for asked in (left, alive):
        records.keep_request(conn, asked)
        records.start(conn, asked, route(), Transport.SYNC, None)
    newer = declared(
        tasks=[task(2)], profiles=[profile(revision=2)],
        routes=[route(revision=2, contract_revision=2, profile_revision=2)],
    )  # fmt: skip
    with asking.only_one(warehouse, task=TASK, request_key=alive.request_key):
        run_task(runtime(warehouse, newer, {"one": GOOD}), TASK)
    assert sorted(attempts(conn), key=str) == [
        ("failed", None, Decimal("0.5")), ("succeeded", True, COST), (None, None, None),
    ]  # fmt: skip


def test_records_are_kept_as_they_were(warehouse: Warehouse, conn: Connection) -> None:
    """No update, delete or truncate of any of them, but for the one thing that may still happen."""
    ask_about(conn, "one")
    run_task(runtime(warehouse, declared(policies=[policy(**VERIFIED)]),
                     {"one": GOOD, checked_sha256("one"): {"verdict": "pass"}}), TASK)  # fmt: skip
    changes = {
        "task_contracts": "prompt = prompt || '.'",
        "profiles": "model_name = 'x'",
        "routes": "owner = 'x'",
        "requests": "input_artifact_keys = '{x}'",
        "attempts": "schema_valid = false",
        "decisions": "decision = 'rejected'",
        "acceptance_policies": "policy = '{}'",
    }
    statements = [
        statement.format(f"provenance.inference_{name}", change)
        for name, change in changes.items()
        for statement in ("update {} set {}", "delete from {}", "truncate {} cascade")
    ]
    conn.execute("update provenance.inference_acceptance_policies set active_to = 'infinity'")
    statements += [
        "update provenance.inference_acceptance_policies set active_to = null",
        "update provenance.inference_attempts set completed_at = clock_timestamp()",
        "update provenance.inference_attempts set parsed_output = parsed_output || '{\"x\": 1}'",
    ]
    for statement in statements:
        with pytest.raises(psycopg.errors.RestrictViolation):
            conn.execute(statement)


def test_a_rejected_output_is_not_projected(warehouse: Warehouse, conn: Connection) -> None:
    """The database refuses it, whoever asks."""
    ask_about(conn, "one")
    run_task(runtime(warehouse, declared(), {"one": "{"}), TASK)
    with pytest.raises(psycopg.errors.RestrictViolation):
        conn.execute(
            "insert into provenance.inference_projections"
            " (target_relation, target_key, request_key, attempt_id, decision_id)"
            " select 'evidence.claims', 't', request_key, attempt_id, decision_id"
            " from provenance.inference_decisions"
        )


def test_a_key_that_is_not_made_of_its_question_is_refused(
    warehouse: Warehouse, conn: Connection
) -> None:
    """One key cannot come to mean two questions."""
    runtime(warehouse, declared(), {})
    with pytest.raises(psycopg.errors.CheckViolation):
        conn.execute(
            "insert into provenance.inference_requests"
            " (request_key, task_id, contract_revision, input_sha256)"
            " values (repeat('0', 64), %s, 1, repeat('1', 64))",
            [TASK],
        )


def test_a_revision_is_never_recorded_with_another_content(
    warehouse: Warehouse, conn: Connection
) -> None:
    """All of them are told at once, and nothing of it is kept."""
    runtime(warehouse, declared(), {})
    changed = declared(
        tasks=[task(prompt="Another.")], profiles=[profile(model="other")],
        routes=[route(owner="x")], policies=[policy("B")],
    )  # fmt: skip
    with pytest.raises(ContractError) as caught:
        runtime(warehouse, changed, {})
    assert str(caught.value).splitlines() == [
        f"inference: {kind}[{name}]: revision 1 is recorded with another content."
        " Give the change a new revision."
        for kind, name in (("tasks", TASK), ("profiles", "recorded"), ("routes", "main"))
    ]
    open_now = conn.execute(
        "select policy ->> 'version' from provenance.inference_acceptance_policies"
        " where active_to is null and task_id = %s",
        [TASK],
    ).fetchall()
    assert open_now == [("A",)]


def test_what_is_no_longer_declared_is_retired_and_stays(
    warehouse: Warehouse, conn: Connection
) -> None:
    """Revision 1 is retired with its route; declared again, it is in use again."""
    first = declared()
    second = declared(tasks=[task(2)], routes=[route(revision=2, contract_revision=2)])

    def state() -> list[tuple[Any, ...]]:
        return conn.execute(
            "select contract_revision, retired_at is null, r.is_active"
            " from provenance.inference_task_contracts t"
            " join provenance.inference_routes r using (task_id, contract_revision)"
            " where task_id = %s order by 1",
            [TASK],
        ).fetchall()

    runtime(warehouse, first, {})
    runtime(warehouse, second, {})
    assert state() == [(1, False, False), (2, True, True)]
    runtime(warehouse, first, {})
    assert state() == [(1, True, True), (2, False, False)]


def test_a_policy_that_has_ended_needs_a_new_version(
    warehouse: Warehouse, conn: Connection
) -> None:
    """A hash has one time in force."""
    runtime(warehouse, declared(policies=[policy("A")]), {})
    runtime(warehouse, declared(policies=[policy("B")]), {})
    with pytest.raises(ContractError) as caught:
        runtime(warehouse, declared(policies=[policy("A")]), {})
    assert str(caught.value) == (
        f"inference: policies[{TASK}]: version 'A' was in force before and has ended."
        " Give it a new version."
    )


@pytest.mark.parametrize(
    ("rows", "error", "message"),
    [
        ([], NothingJudged,
         "The input of task pub_outcome returned no row."
         " Land or build what it reads, or declare `may_be_empty: true`."),
        ([(None, "a")], UsageError,
         "The input of task pub_outcome has a row without target_key."
         " Every row names in the text target_key what its answer is used for."),
        ([("t", "a"), ("t", "b")], UsageError,
         "The input of task pub_outcome has two different rows of one target_key."
         " One target has one input."),
    ],
)  # fmt: skip
def test_inputs_that_cannot_be_asked_are_refused(
    warehouse: Warehouse, conn: Connection, rows: list[Any], error: type[Exception], message: str
) -> None:
    """Before anything is asked, and without a value."""
    ask_about(conn)
    for row in rows:
        conn.execute("insert into raw.questions values (%s, %s)", row)
    with pytest.raises(error) as caught:
        run_task(runtime(warehouse, declared(), {}), TASK)
    assert str(caught.value) == message
    assert attempts(conn) == []


def test_an_input_that_cannot_be_read_is_told_by_what_is_missing(
    warehouse: Warehouse, conn: Connection
) -> None:
    """The relation may not have been built yet."""
    with pytest.raises(EnvironmentFailure) as caught:
        run_task(runtime(warehouse, declared(), {}), TASK)
    assert str(caught.value) == (
        "The input of task pub_outcome could not be read: UndefinedTable [42P01]: relation"
        ' "raw.questions" does not exist.'
        " Run the query of its run by hand; land or build what it reads first."
    )


def test_an_input_query_writes_nothing(warehouse: Warehouse, conn: Connection) -> None:
    """Its transaction is read-only, also where a function would write."""
    conn.execute("create schema raw; create sequence raw.numbers")
    world = declared(run={"input": "select nextval('raw.numbers')::text as target_key"})
    with pytest.raises(EnvironmentFailure, match="ReadOnlySqlTransaction"):
        run_task(runtime(warehouse, world, {}), TASK)


def test_nothing_is_asked_on_a_route_that_floats(warehouse: Warehouse, conn: Connection) -> None:
    """It is recorded, so that the gate can tell, and refused."""
    ask_about(conn, "one")
    made = runtime(warehouse, declared(routes=[route(contract_revision=None)]), {"one": GOOD})
    with pytest.raises(UsageError) as caught:
        run_task(made, TASK)
    assert str(caught.value) == (
        "Route main does not pin its revisions. Give it contract_revision and profile_revision."
    )
    assert attempts(conn) == []
