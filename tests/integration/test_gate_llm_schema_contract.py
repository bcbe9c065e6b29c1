"""llm_schema_contract: uses of what a model said, judged by contract, decision and policy."""

from __future__ import annotations

from typing import Any

import pytest

from integration.gating import spec
from integration.inference_records import output, records
from integration.semantic_gating import Connection, about, by_row, judge, survivors
from tidegate.gates.model import Model, Status
from tidegate.gates.result import GateResult

OLD = "2020-01-01"
ATTEMPTS = [
    # attempt, request, profile, route, schema_valid, output, cost, completed
    ("good", "k4", "p", 1, "r", 1, True, output(), 0.1, OLD),
    ("deep", "k4", "p", 1, "r", 1, True, output(arms=[{"label": "A", "role": "control"}]), 1, OLD),
    ("enum", "k4", "p", 1, "r", 1, True, output(endpoint="BEST"), 0.1, OLD),
    ("null", "k4", "p", 1, "r", 1, True, output(endpoint=None), 0.1, OLD),
    ("deep_enum", "k4", "p", 1, "r", 1, True,
     output(arms=[{"label": "A"}, {"label": "B", "role": "best"}]), 0.1, OLD),
    ("field", "k4", "p", 1, "r", 1, True, '{"endpoint": "ORR"}', 0.1, OLD),
    ("deep_field", "k4", "p", 1, "r", 1, True, output(arms=[{"role": "control"}]), 0.1, OLD),
    ("list", "k4", "p", 1, "r", 1, True, "[]", 0.1, OLD),
    ("invalid", "k4", "p", 1, "r", 1, False, output(), 0.1, OLD),
    ("unknown", "k4", "p", 1, "r", 1, None, output(), 0.1, OLD),
    ("nothing", "k4", "p", 1, "r", 1, True, None, 0.1, OLD),
    ("floating", "kx", "p", 1, "r", 1, True, output(), 0.1, OLD),
    ("unkept", "k9", "p", 1, "r", 1, True, output(), 0.1, OLD),
    ("undecided", "k4", "p", 1, "r", 1, True, output(), 0.1, OLD),
    ("rejected", "k4", "p", 1, "r", 1, True, output(), 0.1, OLD),
    ("outdated", "k4", "p", 1, "r", 1, True, output(), 0.1, OLD),
    ("early", "k4", "p", 1, "r", 1, True, output(), 0.1, OLD),
    ("borrowed", "k4", "p", 1, "r", 1, True, output(), 0.1, OLD),
    ("roleless", "k4", "p", 1, "r", 1, True, output(arms=[{"label": "A"}]), 0.1, OLD),
    ("words", "k4", "p", 1, "r", 1, True, '["endpoint", "value"]', 0.1, OLD),
    ("other_task", "k7", "p", 1, "r", 1, True, output(), 0.1, OLD),
    ("ending", "k4", "p", 1, "r", 1, True, output(), 0.1, OLD),
    ("rejected_before", "k4", "p", 1, "r", 1, True, output(), 0.1, OLD),
]  # fmt: skip
REQUESTS = [("k4", "pub_outcome", 4, "in4"), ("kx", "pub_outcome", None, "x"),
            ("k9", "pub_outcome", 9, "in9"), ("k7", "other_task", 4, "in7")]  # fmt: skip
POLICY = {"outdated": "pol-A", "early": "pol-C", "ending": "pol-D",
          "rejected_before": "pol-A"}  # fmt: skip
DECISIONS = [
    (f"d-{row[0]}", row[0], POLICY.get(row[0], "pol-B"),
     "rejected" if row[0].startswith("rejected") else "accepted")
    for row in ATTEMPTS if row[0] != "undecided"
]  # fmt: skip
EXPECTED = {
    "enum": {"output_outside_enum"}, "null": {"output_outside_enum"},
    "deep_enum": {"output_outside_enum"}, "field": {"output_field_missing"},
    "deep_field": {"output_field_missing"}, "list": {"output_field_missing"},
    "invalid": {"output_invalid"}, "unknown": {"output_invalid"}, "nothing": {"output_invalid"},
    "floating": {"contract_revision_missing"}, "unkept": {"contract_revision_missing"},
    "rejected_before": {"decision_missing"}, "lent": {"decision_missing"},
    "misnamed": {"decision_missing"}, "undecided": {"decision_missing"},
    "rejected": {"decision_missing"},
    "words": {"output_field_missing"}, "other_task": {"contract_revision_missing"},
    "outdated": {"decision_outdated"}, "early": {"decision_outdated"},
    "borrowed": {"decision_missing"}, "gone": {"attempt_missing", "decision_missing"},
}  # fmt: skip
USES = [
    (row[0], "evidence.claims", f"claim:{row[0]}", row[1], row[0], f"d-{row[0]}")
    for row in ATTEMPTS if row[0] != "borrowed"
] + [
    ("borrowed", "evidence.claims", "claim:borrowed", "k4", "borrowed", "d-good"),
    ("gone", "evidence.claims", "claim:gone", "k4", "gone", "d-gone"),
    ("lent", "evidence.claims", "claim:lent", "k4", "good", "d-outdated"),
    ("misnamed", "evidence.claims", "claim:misnamed", "k4", "outdated", "d-nothing"),
]  # fmt: skip


def made(
    conn: Connection, uses: Any, attempts: Any = ATTEMPTS, public: bool = True
) -> tuple[Model, list[Model]]:
    found = records(
        conn,
        {"inference_requests": REQUESTS, "inference_attempts": attempts,
         "inference_decisions": DECISIONS, "inference_projections": uses}, public,
    )  # fmt: skip
    return found.pop("inference_projections"), list(found.values())


def judged(conn: Connection, *names: str, public: bool = True, **options: Any) -> GateResult:
    uses = [use for use in USES if use[0] in names]
    projections, others = made(conn, uses, options.pop("attempts", ATTEMPTS), public)
    return judge(conn, "llm_schema_contract", projections, *others, **options)


def test_a_valid_accepted_output_passes(conn: Connection) -> None:
    """Schema-valid, accepted under the policy in force, nested parts as well."""
    result = judged(conn, "good", "deep")
    assert (result.status, result.rows_checked) == (Status.PASS, 2)
    assert result.asset_keys == (
        "inference_projections", "inference_attempts", "inference_task_contracts",
        "inference_decisions", "inference_acceptance_policies", "inference_requests",
    )  # fmt: skip


def test_an_invalid_enum_blocks(conn: Connection) -> None:
    """The field is named; what it held is nowhere."""
    result = judged(conn, "good", "enum", "deep_enum", "null")
    assert {key: EXPECTED[key] for key in ("enum", "deep_enum", "null")} == by_row(result)
    assert about(result, "deep_enum") == (
        {"absent_fields": None, "fields_outside_enum": ["/arms/1/role"], "withheld": []},
        {"target_relation": "evidence.claims", "target_key": "claim:deep_enum",
         "attempt_id": "deep_enum", "decision_id": "d-deep_enum",
         "requests.task_id": "pub_outcome"},
    )  # fmt: skip
    assert "BEST" not in str(result.document())
    assert result.remediation_hint.startswith("Ask again under the contract's revision")


def test_a_missing_field_blocks(conn: Connection) -> None:
    """At any depth; an output of another shape lacks them all."""
    result = judged(conn, "field", "deep_field", "list")
    assert {key: EXPECTED[key] for key in ("field", "deep_field", "list")} == by_row(result)
    assert about(result, "field")[0]["absent_fields"] == ["/value"]
    assert about(result, "deep_field")[0]["absent_fields"] == ["/arms/0/label"]
    assert about(result, "list")[0]["absent_fields"] == ["/endpoint", "/value"]


def test_a_decision_under_an_old_policy_blocks(conn: Connection) -> None:
    """Accepted under what was in force once, or will be, is not accepted now."""
    result = judged(conn, "good", "outdated", "early")
    assert by_row(result) == {"outdated": {"decision_outdated"}, "early": {"decision_outdated"}}


def test_every_use_has_its_verdict(conn: Connection) -> None:
    """All uses at once: what fails fails for its own reason only, what is whole passes."""
    result = judged(conn, *(use[0] for use in USES))
    assert by_row(result) == EXPECTED
    assert (result.rows_checked, result.rows_failing) == (26, 22)


NEW = [("n", "k4", "p", 1, "r", 1, True, output(), 0.1)]


@pytest.mark.parametrize(
    ("invalid", "expected"),
    [
        (1, set()), (2, {"~quarantine_rate_elevated"}), (4, {"~quarantine_rate_elevated"}),
        (5, {"quarantine_rate_exceeded"}),
    ],
)  # fmt: skip
def test_an_elevated_rate_of_quarantine_warns_until_it_blocks(
    conn: Connection, invalid: int, expected: set[str]
) -> None:
    """Of twenty recent attempts; older ones do not count."""
    recent = [
        (f"n{number}", "k4", "p", 1, "r", 1, number >= invalid, output(), 0.1, "now")
        for number in range(20)
    ]
    result = judged(conn, "good", attempts=[*ATTEMPTS, *recent])
    assert by_row(result) == ({"inference_projections": expected} if expected else {})
    for sample in result.samples:
        assert sample.metadata == {
            "attempts": 20, "invalid": invalid, "warns_above": 0.05, "blocks_above": 0.2,
            "withheld": [],
        }  # fmt: skip
        assert sample.values == {"requests.task_id": "pub_outcome"}


def test_the_rate_of_a_task_is_judged_where_the_contract_says(conn: Connection) -> None:
    """Of the tasks that are named, of all but those that another check judges, else of all."""
    recent = [("n", "k4", "p", 1, "r", 1, False, output(), 0.1, "now")]

    def reasons(**tasks: list[str]) -> dict[str, int]:
        attempts = [*ATTEMPTS, *recent]
        return dict(judged(conn, "good", attempts=attempts, arguments=tasks).reasons)

    told = {"quarantine_rate_exceeded": 1}
    assert reasons() == told
    assert reasons(tasks=["pub_outcome"]) == told
    assert reasons(tasks=["another_task"]) == {}
    assert reasons(tasks_elsewhere=["another_task"]) == told
    assert reasons(tasks_elsewhere=["pub_outcome"]) == {}


def test_values_are_kept_only_of_public_columns(conn: Connection) -> None:
    """Without leave: names of fields, never keys."""
    (sample,) = judged(conn, "enum", public=False).samples
    assert (sample.row_key, sample.values) == (None, {})
    assert sample.metadata == {
        "absent_fields": None, "fields_outside_enum": ["/endpoint"],
        "withheld": ["target_relation", "target_key", "attempt_id", "decision_id",
                     "requests.task_id"],
    }  # fmt: skip


def test_each_condition_counts(conn: Connection) -> None:
    """No condition of the gate can be emptied or negated unnoticed."""
    left: list[set[str]] = []
    for invalid in (0, 1, 2, 4, 5):
        recent = [
            (f"n{n}", "k4", "p", 1, "r", 1, None if n < invalid else True, output(), 0.1, "now")
            for n in range(20)
        ]
        projections, others = made(conn, USES, [*ATTEMPTS, *recent])
        left.append(set(survivors(conn, spec("llm_schema_contract", projections, *others))))
    assert set.intersection(*left) == set()
