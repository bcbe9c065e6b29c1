"""llm_cache_idempotency: one key, one question; used again only what is accepted now."""

from __future__ import annotations

from typing import Any

from integration.gating import spec
from integration.inference_records import output, records
from integration.semantic_gating import Connection, about, by_row, judge, survivors
from tidegate.gates.model import Model, Status
from tidegate.gates.result import GateResult

TASK = "pub_outcome"
REQUESTS = [
    ("reused", TASK, 4, "in1"), ("compared", TASK, 4, "in2"), ("retried", TASK, 4, "in3"),
    ("clash", TASK, 4, "in4"), ("clash", TASK, 4, "in4-changed"), ("revised", TASK, 4, "in5"),
    ("refused", TASK, 4, "in6"), ("other", TASK, 4, "in7"), ("churning", TASK, 4, "in8"),
    ("twice", TASK, 4, "in9"), ("early", TASK, 4, "in0"), ("same", TASK, 4, "ina"),
    ("same", TASK, 4, "ina"), ("no_input", TASK, 4, None), ("no_input", TASK, 4, "x"),
    ("agreed", TASK, 4, "inb"), ("mixed", TASK, 4, "inc"), ("ending", TASK, 4, "ind"),
    ("stolen", TASK, 4, "ine"),
]  # fmt: skip
CALLS = [
    ("a1", "reused", "p1"), ("a2", "compared", "p1"), ("a3", "compared", "p2"),
    ("a4", "retried", "p1"), ("a5", "retried", "p1"), ("a6", "revised", "p1"),
    ("a7", "refused", "p1"), ("b1", "churning", "p1"), ("b2", "churning", "p1"),
    ("b3", "churning", "p1"), ("c1", "twice", "p1"), ("c1", "twice", "p2"), ("d1", "early", "p1"),
    ("e1", "agreed", "p1"), ("e2", "agreed", "p1"), ("e3", "agreed", "p1"), ("f1", "mixed", "p1"),
    ("g1", "ending", "p1"), ("h1", "stolen", "p1"),
]  # fmt: skip
DECIDED = [
    ("a1", "pol-B", "accepted"), ("a2", "pol-B", "accepted"), ("a3", "pol-B", "rejected"),
    ("a4", "pol-B", "rejected"), ("a5", "pol-B", "accepted"), ("a6", "pol-A", "accepted"),
    ("a7", "pol-B", "rejected"), ("b1", "pol-B", "rejected"), ("b2", "pol-B", "rejected"),
    ("b3", "pol-B", "rejected"), ("d1", "pol-C", "accepted"),
    ("e1", "pol-B", "accepted"), ("e2", "pol-B", "accepted"), ("e3", "pol-B", "accepted"),
    ("f1", "pol-A", "accepted"), ("f1", "pol-B", "rejected"), ("g1", "pol-D", "accepted"),
    ("h1", "pol-B", "accepted"),
]  # fmt: skip
REUSED = [("reused", "a1"), ("compared", "a2"), ("retried", "a5"), ("revised", "a6"),
          ("refused", "a7"), ("other", "a1"), ("early", "d1"), ("agreed", "e1"),
          ("mixed", "f1"), ("ending", "g1"), ("stolen", "a1")]  # fmt: skip
EXPECTED = {
    "clash": {"request_collision"}, "no_input": {"request_collision"},
    "twice": {"attempt_collision"}, "revised": {"reuse_outdated"}, "early": {"reuse_outdated"},
    "refused": {"reuse_unaccepted"}, "other": {"reuse_of_another_request"},
    "churning": {"~rejected_churn"}, "mixed": {"reuse_outdated"},
    "stolen": {"reuse_of_another_request"},
}  # fmt: skip


def tables(conn: Connection, *keys: str, public: bool = True) -> tuple[Model, ...]:
    found = records(
        conn,
        {
            "inference_requests": [r for r in REQUESTS if r[0] in keys or not keys],
            "inference_attempts": [
                (a, k, p, 1, "r", 1, True, output(), 0.1, "2024-01-01")
                for a, k, p in CALLS if k in keys or not keys or a == "a1"
            ],
            "inference_decisions": [
                (f"d{number}", *decided) for number, decided in enumerate(DECIDED)
            ],
            "inference_projections": [
                (f"u-{k}", "evidence.claims", k, k, a, None)
                for k, a in REUSED if k in keys or not keys
            ],
        },
        public,
    )  # fmt: skip
    return found.pop("inference_requests"), *found.values()


def judged(conn: Connection, *keys: str, public: bool = True, **options: Any) -> GateResult:
    return judge(conn, "llm_cache_idempotency", *tables(conn, *keys, public=public), **options)


def test_accepted_reuse_passes(conn: Connection) -> None:
    """One question, one accepted output under the policy in force; asked twice alike as well."""
    assert judged(conn, "reused", "same").status is Status.PASS


def test_a_rejected_attempt_may_be_run_again_and_not_be_reused(conn: Connection) -> None:
    """After a rejection the next attempt is accepted; an output that was rejected stays unused."""
    assert judged(conn, "retried").status is Status.PASS
    result = judged(conn, "refused")
    assert by_row(result) == {"refused": {"reuse_unaccepted"}}
    assert about(result, "refused") == (
        {"withheld": []},
        {"projections.attempt_id": "a7", "projections.decision_id": None},
    )


def test_a_comparison_of_profiles_passes(conn: Connection) -> None:
    """Two profiles may answer one question differently."""
    assert judged(conn, "compared").status is Status.PASS


def test_a_revision_of_the_policy_blocks_reuse(conn: Connection) -> None:
    """Accepted under another policy is not accepted."""
    result = judged(conn, "revised", "early")
    assert by_row(result) == {"revised": {"reuse_outdated"}, "early": {"reuse_outdated"}}


def test_one_key_for_two_questions_blocks(conn: Connection) -> None:
    """Task, revision and input belong to the key; an unknown input is another one."""
    result = judged(conn, "clash", "no_input", "same")
    assert by_row(result) == {"clash": {"request_collision"}, "no_input": {"request_collision"}}
    assert about(result, "clash") == ({"count": 2}, {})


def test_every_request_has_its_verdict(conn: Connection) -> None:
    """All records at once; another request's output is no answer, whatever this one has itself."""
    result = judged(conn)
    assert by_row(result) == EXPECTED
    assert (result.status, result.rows_failing, result.rows_warning) == (Status.FAIL, 9, 1)
    assert result.remediation_hint.startswith("Make the key from task, revision and input")


def test_uses_that_another_check_judges_are_left_to_it(conn: Connection) -> None:
    """By the relation that they are used for; requests and attempts are judged all the same."""
    elsewhere = {"targets_elsewhere": ["evidence.claims"]}
    here = {"targets_elsewhere": ["resolution.verifications"]}
    assert judged(conn, "refused", "revised", arguments=elsewhere).status is Status.PASS
    assert by_row(judged(conn, "refused", arguments=here)) == {"refused": {"reuse_unaccepted"}}
    assert by_row(judged(conn, "clash", arguments=elsewhere)) == {"clash": {"request_collision"}}


def test_churn_of_rejected_attempts_warns(conn: Connection) -> None:
    """At three; two are none yet, and the contract may set another number."""
    result = judged(conn, "churning")
    assert (result.status, by_row(result)) == (Status.WARN, {"churning": {"~rejected_churn"}})
    assert about(result, "churning") == ({"count": 3}, {})
    assert judged(conn, "churning", arguments={"churn": 4}).status is Status.PASS


def test_keys_are_shown_only_where_they_are_public(conn: Connection) -> None:
    """Without leave: counts only."""
    result = judged(conn, "refused", public=False)
    (sample,) = result.samples
    assert (sample.row_key, sample.values) == (None, {})


def test_each_condition_counts(conn: Connection) -> None:
    """No condition of the gate can be emptied or negated unnoticed."""
    requests, *others = tables(conn)
    assert survivors(conn, spec("llm_cache_idempotency", requests, *others)) == []
