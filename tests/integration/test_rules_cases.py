"""Cases from the field (area D): rules that others got wrong, each as a test."""

from __future__ import annotations

import json

import pytest

from integration.judging import SEED, Connection, judged, table, told
from tidegate.errors import InvariantBroken
from tidegate.rules.evaluation import evaluate
from tidegate.rules.judge import judge
from tidegate.rules.load import load_policy
from tidegate.rules.relation import Relation
from tidegate.rules.validation import RuleStatus, Verdict


def test_d01_null_is_reported_apart(conn: Connection) -> None:
    """Case D01: a null is a violation by default, counted by itself, unless it is allowed."""
    relation = table(conn, "status text", "'ok'", "null")
    rule = {"type": "referential", "field": "status", "allowed_values": ["ok"]}
    validation = judged(conn, relation, rule, {**rule, "allow_null": True})
    first, second = validation.outcomes
    assert (first.status, first.violating_rows, first.null_rows, first.distinct) == (
        RuleStatus.FAILED, 1, 1, 0,
    )  # fmt: skip
    assert (second.status, second.violating_rows) == (RuleStatus.PASSED, 0)


def test_d05_nan_and_infinity_fail_a_range(conn: Connection) -> None:
    """Case D05: NaN fails a range with and without a maximum, and so does infinity."""
    relation = table(conn, "x double precision", "'NaN'", "5", "'Infinity'")
    validation = judged(
        conn,
        relation,
        {"type": "range", "field": "x", "minimum": 0},
        {"type": "range", "field": "x", "minimum": 0, "maximum": 10},
        {"type": "range", "field": "x", "maximum": 10},
    )
    assert told(validation) == [(f"r{n}", "failed", 2, (1, 3)) for n in range(3)]
    assert [found.non_finite_rows for found in validation.outcomes] == [2, 2, 2]


def test_d06_what_ignore_nulls_means_for_composite_keys(conn: Connection) -> None:
    """Case D06: any leaves rows with a null out, all those without any key, never none."""
    relation = table(conn, "a int, b int", "1, null", "1, null", "2, 3", "2, 3",
                     "null, null", "null, null")  # fmt: skip
    rule = {"type": "unique", "fields": ["a", "b"]}
    given = [{**rule, "ignore_nulls": mode} for mode in ("any", "all", "never", True, False)]
    validation = judged(conn, relation, *given, rule)
    assert [(f.violating_rows, f.groups, f.row_numbers) for f in validation.outcomes] == [
        (2, 1, (3, 4)),
        (4, 2, (1, 2, 3, 4)),
        (6, 3, (1, 2, 3, 4, 5, 6)),
        (2, 1, (3, 4)),
        (6, 3, (1, 2, 3, 4, 5, 6)),
        (6, 3, (1, 2, 3, 4, 5, 6)),
    ]


@pytest.mark.parametrize(("kind", "value"), [
    ("int", "7"), ("bigint", "7"), ("date", "'2026-01-01'"), ("timestamptz", "'2026-01-01'"),
    ("text", "'x'"), ("uuid", "'6ec0bd7f-11c0-43da-975e-2a8ad9ebae0b'"),
])  # fmt: skip
def test_d06_a_null_key_is_a_key_unless_it_is_ignored(
    conn: Connection, kind: str, value: str
) -> None:
    """Case D06 for one field: one null is unique, two are not, and ignored nulls count nowhere."""
    relation = table(conn, f"k {kind}", value, "null")
    given = [{"type": "unique", "field": "k", "ignore_nulls": mode} for mode in (False, True)]
    assert [found.violating_rows for found in judged(conn, relation, *given).outcomes] == [0, 0]
    conn.execute("insert into public.t values (3, null)")
    assert told(judged(conn, relation, *given)) == [
        ("r0", "failed", 2, (2, 3)), ("r1", "passed", 0, None),
    ]  # fmt: skip
    conn.execute(f"insert into public.t values (4, {value})")
    assert told(judged(conn, relation, *given)) == [
        ("r0", "failed", 4, (1, 2, 3, 4)), ("r1", "failed", 2, (1, 4)),
    ]  # fmt: skip


def test_d08_on_no_rows_only_what_needs_none_is_judged(conn: Connection) -> None:
    """Case D08: rules about rows are not evaluated, which blocks; the others are judged."""
    relation = table(conn, "id integer not null, status text, amount numeric")
    policy = load_policy(SEED)
    validation = evaluate(conn, policy, relation, row_number="n")
    assert [(found.status.value, found.reason) for found in validation.outcomes] == [
        ("failed", None),
        ("passed", None),
        *[("not_evaluated", "empty_relation")] * 5,
    ]
    assert validation.verdict is Verdict.FAILED
    only_rows = {"type": "not_null", "field": "id"}
    assert judged(conn, relation, only_rows).verdict is Verdict.FAILED
    warning = {**only_rows, "severity": "warning"}
    assert judged(conn, relation, warning).verdict is Verdict.READY_WITH_WARNINGS
    allowed = judged(conn, relation, only_rows, allow_empty=True)
    assert (allowed.verdict, allowed.evaluated) == (Verdict.PASSED, False)


@pytest.mark.parametrize(
    ("errors", "warnings", "expected"),
    [
        (0, 0, Verdict.PASSED),
        (0, 1, Verdict.READY_WITH_WARNINGS),
        (1, 0, Verdict.FAILED),
        (2, 1, Verdict.FAILED),
    ],
)
def test_d09_d10_severity_follows_from_counts(
    conn: Connection, errors: int, warnings: int, expected: Verdict
) -> None:
    """Cases D09 and D10: one error blocks, a warning never does, and both are kept."""
    relation = table(conn, "a int", "null")
    bad, good = {"type": "not_null", "field": "a"}, {"type": "row_count", "minimum": 1}
    given = [bad] * errors + [{**bad, "severity": "warning"}] * warnings + [good]
    validation = judged(conn, relation, *given)
    assert validation.verdict is expected
    assert validation.ok is (errors == 0)
    assert (validation.counts["failed"], validation.counts["warning"]) == (errors, warnings)
    assert len(validation.warnings) == warnings


def test_d11_no_measurement_is_no_pass() -> None:
    """Case D11: a count that is missing is an error, whatever the other counts say."""
    for kind in ("not_null", "unique", "row_count", "required_fields"):
        keys = {"field": "a"} if kind in ("not_null", "unique") else {}
        keys = {"minimum": 1} if kind == "row_count" else keys
        keys = {"fields": ["a"]} if kind == "required_fields" else keys
        policy = load_policy({"version": "1", "rules": [{"id": "a", "type": kind, **keys}]})
        found = judge(policy.rules[0], 5, {})
        assert (found.status, found.reason) == (RuleStatus.ERROR, "not_measured")


def test_d12_rows_groups_and_distinct_values_are_three_numbers(conn: Connection) -> None:
    """Case D12: violating rows are rows; groups and distinct values stand beside them."""
    relation = table(conn, "id int, code text", "2, 'A'", "2, 'A'", "2, 'B'")
    validation = judged(
        conn,
        relation,
        {"type": "unique", "field": "id", "severity": "warning"},
        {"type": "referential", "field": "code", "allowed_values": ["C"]},
    )
    unique, codes = validation.outcomes
    assert (unique.violating_rows, unique.groups) == (3, 1)
    assert (codes.violating_rows, codes.distinct) == (3, 2)


def test_d14_evidence_never_holds_a_value(conn: Connection) -> None:
    """Case D14: whatever fails, and however, no planted secret is in anything written."""
    secret = "s3cr3t@example.org"
    table(conn, "email text, d date", f"'{secret}', '1977-07-07'",
                     f"'{secret}', '1977-07-07'")  # fmt: skip
    conn.execute("create view public.v as select n, email, d, email::int as broken from public.t")
    validation = judged(
        conn,
        Relation("public", "v"),
        {"type": "referential", "field": "email", "allowed_values": ["x"]},
        {"type": "unique", "field": "email"},
        {"type": "range", "field": "d", "minimum": "2000-01-01"},
        {"type": "not_null", "field": "broken"},
    )
    assert [found.status.value for found in validation.outcomes] == [
        "failed", "failed", "failed", "error",
    ]  # fmt: skip
    written = json.dumps(validation.document()) + repr(validation)
    assert secret not in written
    assert "s3cr3t" not in written
    assert "1977" not in written
    assert validation.document()["diagnostics"] == [
        {
            "code": "statement_failed",
            "message": "PostgreSQL refused the statement of this rule:"
            " InvalidTextRepresentation [22P02].",
            "rule": "r3",
        }
    ]


def test_d15_values_are_compared_exactly(conn: Connection) -> None:
    """Case D15: another case or a trailing space is another value."""
    relation = table(conn, "code text", "'a'", "'A'", "'a '")
    rule = {"type": "referential", "field": "code", "allowed_values": ["a"]}
    assert told(judged(conn, relation, rule)) == [("r0", "failed", 2, (2, 3))]


def test_d16_unique_on_floats_is_remarked(conn: Connection) -> None:
    """Case D16: values that print alike may differ, so a floating-point key gets a remark."""
    relation = table(conn, "x double precision", "'0.30000000000000004'", "0.3")
    validation = judged(conn, relation, {"type": "unique", "field": "x"})
    assert told(validation) == [("r0", "passed", 0, None)]
    assert [said.document() for said in validation.diagnostics] == [
        {
            "code": "float_equality",
            "message": "x is a floating-point column: values that print alike may differ."
            " Use numeric for keys.",
            "rule": "r0",
        }
    ]


def test_d18_every_rule_of_the_policy_has_an_outcome(
    conn: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Case D18: rules that were judged are compared with those that should be."""
    relation = table(conn, "x int", "1")
    monkeypatch.setattr("tidegate.rules.evaluation._Run.outcomes", lambda run: ())
    with pytest.raises(InvariantBroken, match="rules that were judged are not those"):
        judged(conn, relation, {"type": "not_null", "field": "x"})


def test_d21_a_broken_rule_hides_no_other(conn: Connection) -> None:
    """Case D21: a range on text is that rule's error; the others have their counts."""
    relation = table(conn, "a text, b int", "'x', null", "'y', 1")
    validation = judged(
        conn,
        relation,
        {"type": "range", "field": "a", "minimum": 1},
        {"type": "not_null", "field": "b"},
        {"type": "not_null", "field": "gone", "severity": "warning"},
        {"type": "unique", "field": "b"},
    )
    assert told(validation) == [
        ("r0", "error", None, None),
        ("r1", "failed", 1, (1,)),
        ("r2", "error", None, None),
        ("r3", "passed", 0, None),
    ]
    assert validation.verdict is Verdict.FAILED
    assert [said.message for said in validation.diagnostics] == [
        "field: puts a range on the field 'a' of type text.",
        "field: names the field 'gone', which is absent.",
    ]


def test_d21_a_statement_that_fails_is_asked_again_rule_by_rule(conn: Connection) -> None:
    """Case D21: where the one scan fails while it runs, each rule gets a scan of its own."""
    table(conn, "a int, b int", "0, 1", "1, null")
    conn.execute("create view public.v as select n, 1 / a as inverse, b from public.t")
    with conn.transaction():
        validation = judged(
            conn,
            Relation("public", "v"),
            {"type": "range", "field": "inverse", "minimum": 0},
            {"type": "not_null", "field": "b"},
            {"type": "unique", "field": "inverse"},
            {"type": "unique", "field": "b"},
            {"type": "row_count", "minimum": 2},
        )
    assert [(found.status.value, found.reason) for found in validation.outcomes] == [
        ("error", "statement_failed"),
        ("failed", None),
        ("error", "statement_failed"),
        ("passed", None),
        ("passed", None),
    ]


def test_d23_a_hundred_thousand_allowed_values(conn: Connection) -> None:
    """Case D23: the largest allowed set works, and is not copied into the evidence."""
    relation = table(conn, "code text")
    conn.execute("insert into public.t select i, 'code ' || i from generate_series(1, 2000) as i")
    conn.execute("insert into public.t values (2001, 'code 100001')")
    values = [f"code {number}" for number in range(1, 100_001)]
    rule = {"type": "referential", "field": "code", "allowed_values": values}
    validation = judged(conn, relation, rule)
    assert told(validation) == [("r0", "failed", 1, (2001,))]
    assert len(json.dumps(validation.document())) < 2_000
