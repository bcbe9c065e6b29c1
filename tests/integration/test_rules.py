"""The seven rules, each failing and passing, on every kind of column where it makes sense."""

from __future__ import annotations

import json
import re
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jsonschema
import psycopg
import pytest

from tidegate import rules
from tidegate.contracts.keys import Sensitivity
from tidegate.errors import InvariantBroken, UsageError
from tidegate.macros import render
from tidegate.rules import (
    Column,
    Frozen,
    PolicySource,
    References,
    Relation,
    RuleStatus,
    Validation,
    Verdict,
    evaluate,
    load_policy,
)
from tidegate.rules.judge import Reason
from tidegate.rules.model import RULE_TYPES, Severity
from tidegate.shapes import SchemaDiff
from tidegate.shapes.model import Change, ReasonCode
from tidegate.warehouse import Warehouse

Connection = psycopg.Connection[tuple[Any, ...]]
SEED = {
    "version": "monthly-import-v1",
    "rules": [
        {"id": "non-empty", "type": "row_count", "minimum": 1},
        {"id": "columns", "type": "required_fields", "fields": ["id", "status"]},
        {
            "id": "id-shape",
            "type": "field",
            "field": "id",
            "data_type": "integer",
            "nullable": False,
        },
        {"id": "id-present", "type": "not_null", "fields": ["id"]},
        {"id": "id-unique", "type": "unique", "fields": ["id"]},
        {"id": "amount-range", "type": "range", "field": "amount", "minimum": 0},
        {
            "id": "known-status",
            "type": "referential",
            "field": "status",
            "allowed_values": ["new", "closed"],
        },
    ],
    "schema_policy": {"field_added_required": "warning", "field_removed": "breaking"},
}


def table(conn: Connection, columns: str, *rows: str) -> Relation:
    """A table `public.t` with a row number `n` that counts the rows given."""
    conn.execute(f"create table public.t (n bigint, {columns})")
    for number, row in enumerate(rows, 1):
        conn.execute(f"insert into public.t values ({number}, {row})")
    return Relation("public", "t")


SCHEMA = json.loads((Path(rules.__file__).parent / "evidence.schema.json").read_text())


def judged(
    conn: Connection, relation: Relation, *given: dict[str, Any], **options: Any
) -> Validation:
    """Judge rules, which get an id where they have none; the evidence keeps its JSON Schema."""
    named = [{"id": f"r{index}", **rule} for index, rule in enumerate(given)]
    options = {"row_number": "n", **options}
    validation = evaluate(conn, load_policy({"version": "1", "rules": named}), relation, **options)
    jsonschema.validate(validation.document(), SCHEMA)
    return validation


def told(validation: Validation) -> list[tuple[Any, ...]]:
    """Id, status, violating rows and row numbers of each rule."""
    return [
        (found.id, found.status.value, found.violating_rows, found.row_numbers)
        for found in validation.outcomes
    ]


def test_the_seed_s_policy_passes_unchanged(conn: Connection) -> None:
    """The policy of the seed, as it stands there, passes on rows that keep it."""
    relation = table(
        conn, "id integer, status text, amount numeric", "1, 'new', 0", "2, 'closed', 5"
    )
    validation = evaluate(conn, load_policy(SEED), relation, row_number="n")
    assert told(validation) == [
        ("non-empty", "passed", None, None),
        ("columns", "passed", None, None),
        ("id-shape", "passed", 0, None),
        ("id-present", "passed", 0, None),
        ("id-unique", "passed", 0, None),
        ("amount-range", "passed", 0, None),
        ("known-status", "passed", 0, None),
    ]
    assert validation.verdict is Verdict.PASSED
    assert validation.row_count == 2


def test_the_seed_s_policy_fails_rule_by_rule(conn: Connection) -> None:
    """Each rule about rows in the seed's policy fails with its count and its row numbers."""
    relation = table(
        conn,
        "id integer, status text, amount numeric",
        "1, 'new', 0",
        "1, 'old', 5",
        "null, null, -1",
        "3, 'new', 'NaN'",
        "4, 'new', null",
    )
    validation = evaluate(conn, load_policy(SEED), relation, row_number="n")
    assert told(validation) == [
        ("non-empty", "passed", None, None),
        ("columns", "passed", None, None),
        ("id-shape", "failed", 1, (3,)),
        ("id-present", "failed", 1, (3,)),
        ("id-unique", "failed", 2, (1, 2)),
        ("amount-range", "failed", 3, (3, 4, 5)),
        ("known-status", "failed", 2, (2, 3)),
    ]
    assert validation.verdict is Verdict.FAILED
    by_id = {found.id: found for found in validation.outcomes}
    assert (by_id["amount-range"].null_rows, by_id["amount-range"].non_finite_rows) == (1, 1)
    assert (by_id["known-status"].null_rows, by_id["known-status"].distinct) == (1, 1)
    assert by_id["id-unique"].groups == 1


GOOD_AND_BAD = [
    ("text", {"allowed_values": ["a"]}, "'a'", "'b'"),
    ("varchar(3)", {"allowed_values": ["a"]}, "'a'", "'b'"),
    ("char(3)", {"allowed_values": ["a"]}, "'a'", "'b'"),
    ("smallint", {"allowed_values": [1]}, "1", "2"),
    ("bigint", {"allowed_values": [9007199254740991]}, "9007199254740991", "9007199254740993"),
    ("numeric(10,2)", {"allowed_values": [0.1]}, "0.10", "0.2"),
    ("real", {"allowed_values": [0.1]}, "0.1", "0.2"),
    ("double precision", {"allowed_values": [0.1]}, "0.1", "0.1 + 0.2"),
    ("date", {"allowed_values": ["2024-01-31"]}, "'2024-01-31'", "'infinity'"),
    ("timestamp", {"allowed_values": ["2024-01-31T12:00"]}, "'2024-01-31 12:00'", "'infinity'"),
    (
        "timestamptz",
        {"allowed_values": ["2024-01-31T12:00:00+02:00"]},
        "'2024-01-31 10:00Z'",
        "'2024-01-31 12:00Z'",
    ),
    ("boolean", {"allowed_values": [True]}, "true", "false"),
    (
        "uuid",
        {"allowed_values": ["7D444840-9dc0-11d1-b245-5ffdce74fad2"]},
        "'7d444840-9dc0-11d1-b245-5ffdce74fad2'",
        "'7d444840-9dc0-11d1-b245-5ffdce74fad3'",
    ),
    ("jsonb", {"allowed_values": [{"a": [1, "x"]}]}, """'{"a": [1.0, "x"]}'""", "'{}'"),
    ("json", {"allowed_values": [{"a": 1, "b": 2}]}, """'{"b": 2, "a": 1}'""", "'null'"),
    ("smallint", {"minimum": 0.5}, "1", "0"),
    ("bigint", {"maximum": 5}, "5", "6"),
    ("numeric", {"minimum": 0}, "0", "'NaN'"),
    ("numeric", {"minimum": 0}, "0", "'Infinity'"),
    ("numeric", {"maximum": 0}, "0", "'-Infinity'"),
    ("real", {"minimum": 0, "maximum": 0.1}, "0.1", "'NaN'"),
    ("double precision", {"minimum": 0}, "1e308", "'NaN'"),
    ("double precision", {"maximum": 0}, "-1e308", "'-Infinity'"),
    ("date", {"minimum": "2024-01-31"}, "'2024-01-31'", "'infinity'"),
    ("date", {"maximum": "2024-01-31"}, "'2024-01-31'", "'-infinity'"),
    ("timestamp", {"maximum": "2024-01-31"}, "'2024-01-31 00:00'", "'2024-01-31 00:01'"),
    ("timestamptz", {"minimum": "2024-01-31T00:00:00Z"}, "'2024-01-31 01:00+01'", "'infinity'"),
]  # fmt: skip


def test_values_are_judged_as_their_type_means_them(conn: Connection) -> None:
    """Each kind of column has a value that passes and one that fails."""
    for kind, keys, good, bad in GOOD_AND_BAD:
        rule = {"type": "referential" if "allowed_values" in keys else "range", "field": "x"}
        with conn.transaction(force_rollback=True):
            validation = judged(
                conn,
                table(conn, f"x {kind}", good, bad, "null"),
                {**rule, **keys},
                {**rule, **keys, "allow_null": True},
                {"type": "not_null", "field": "x"},
                {"type": "unique", "field": "x"},
            )
        assert told(validation) == [
            ("r0", "failed", 2, (2, 3)),
            ("r1", "failed", 1, (2,)),
            ("r2", "failed", 1, (3,)),
            ("r3", "passed", 0, None),
        ], (kind, keys)


def test_types_of_somebody_s_own_are_judged_as_their_base(conn: Connection) -> None:
    """An enum is text, a domain is its base type, and an array can be unique."""
    conn.execute("create type public.mood as enum ('ok', 'bad')")
    conn.execute("create domain public.price as numeric")
    relation = table(conn, "m public.mood, p public.price, a int[]", "'bad', 'NaN', '{1,2}'",
                     "'ok', 1, '{1,2}'")  # fmt: skip
    validation = judged(
        conn,
        relation,
        {"type": "referential", "field": "m", "allowed_values": ["ok"]},
        {"type": "range", "field": "p", "minimum": 0},
        {"type": "unique", "field": "a"},
        {"type": "field", "field": "m", "data_type": "public.mood"},
    )
    assert told(validation) == [
        ("r0", "failed", 1, (1,)),
        ("r1", "failed", 1, (1,)),
        ("r2", "failed", 2, (1, 2)),
        ("r3", "passed", None, None),
    ]


def test_keys_of_any_type_can_be_unique(conn: Connection) -> None:
    """A type without a hash is counted exactly from the start."""
    relation = table(conn, "a money, b text", "1, 'x'", "1, 'x'", "2, 'x'")
    validation = judged(conn, relation, {"type": "unique", "fields": ["a", "b"]})
    assert told(validation) == [("r0", "failed", 2, (1, 2))]
    assert validation.outcomes[0].groups == 1


def test_hostile_names_stay_names(conn: Connection) -> None:
    """Quotes, braces and percent signs in names and values are nothing but names and values."""
    name = 'a"; drop table x; -- {{ 1 }} %s $$'
    relation = Relation("public", "T '%")
    conn.execute(
        'create table public."T \'%" (n bigint, "a""; drop table x; -- {{ 1 }} %s $$" text)'
    )
    conn.execute("""insert into public."T '%" values (1, 'it''s \\ {"%s"}'), (2, '}')""")
    values = ['it\'s \\ {"%s"}']
    validation = judged(
        conn,
        relation,
        {"type": "referential", "field": name, "allowed_values": values},
        {"type": "unique", "field": name},
        {"type": "not_null", "field": name},
    )
    assert [row[1:] for row in told(validation)] == [
        ("failed", 1, (2,)), ("passed", 0, None), ("passed", 0, None),
    ]  # fmt: skip


def test_row_count_has_two_ends(conn: Connection) -> None:
    """Too few and too many rows fail; the bounds themselves pass."""
    relation = table(conn, "x int", "1", "1", "1")
    bounds = [{"minimum": 3, "maximum": 3}, {"minimum": 4}, {"maximum": 2}, {"maximum": 3}]
    validation = judged(conn, relation, *({"type": "row_count", **keys} for keys in bounds))
    assert [row[1] for row in told(validation)] == ["passed", "failed", "failed", "passed"]


def test_required_fields_and_field_look_at_the_detected_schema(conn: Connection) -> None:
    """A field that the delivery lacks is absent, though the staged table has it."""
    relation = table(conn, "a int, b text", "1, null")
    validation = judged(
        conn,
        relation,
        {"type": "required_fields", "fields": ["a", "b"]},
        {"type": "required_fields", "fields": ["a"]},
        {"type": "field", "field": "b", "nullable": True},
        {"type": "field", "field": "a", "data_type": "string"},
        {"type": "field", "field": "a", "data_type": "int8", "nullable": False},
        columns=[Column("a", "bigint")],
    )
    assert [(found.status.value, found.reason) for found in validation.outcomes] == [
        ("failed", "field_absent"),
        ("passed", None),
        ("failed", "field_absent"),
        ("failed", "type_differs"),
        ("passed", None),
    ]


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
        found = rules.judge.judge(policy.rules[0], 5, {})
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


def test_at_most_25_row_numbers_the_lowest_first(conn: Connection) -> None:
    """One cap everywhere: 25."""
    relation = table(conn, "a int")
    conn.execute("insert into public.t select i, null from generate_series(40, 1, -1) as i")
    validation = judged(
        conn,
        relation,
        {"type": "not_null", "field": "a"},
        {"type": "unique", "field": "a"},
        {"type": "referential", "field": "a", "allowed_values": [1]},
    )
    assert told(validation) == [(f"r{n}", "failed", 40, tuple(range(1, 26))) for n in range(3)]


def test_rows_are_named_by_public_keys_or_not_at_all(conn: Connection) -> None:
    """Without row numbers: keys that are public, else counts only; never a confidential key."""
    relation = table(conn, "k text, v int", "'x', null", "'y', null")
    rule = {"type": "not_null", "field": "v"}
    by_key = judged(conn, relation, rule, row_number=None, row_key=["k", "n"]).outcomes[0]
    assert (by_key.row_numbers, by_key.row_keys) == (None, ("x|1", "y|2"))
    bare = judged(conn, relation, rule, row_number=None).outcomes[0]
    assert (bare.violating_rows, bare.row_numbers, bare.row_keys) == (2, None, None)
    with pytest.raises(InvariantBroken, match="A row key with a sensitive or masked column"):
        judged(conn, relation, rule, row_number=None, row_key=["k"],
               columns=[Column("k", "text", confidential=True)])  # fmt: skip


def test_what_constraints_prove_is_not_scanned(conn: Connection) -> None:
    """A primary key and a not-null constraint prove their rules; a warning does so too."""
    relation = table(conn, "id int primary key, a int not null, b int unique, c int", "1, 1, 1, 1")
    validation = judged(
        conn,
        relation,
        {"type": "unique", "field": "id"},
        {"type": "unique", "fields": ["c", "id"]},
        {"type": "not_null", "fields": ["id", "a"]},
        {"type": "field", "field": "a", "nullable": False},
        {"type": "unique", "field": "b", "ignore_nulls": True},
        {"type": "unique", "field": "b"},
        {"type": "not_null", "fields": ["id", "c"]},
    )
    assert [found.proved_by for found in validation.outcomes] == ["constraint"] * 5 + [None, None]
    assert all(found.status is RuleStatus.PASSED for found in validation.outcomes)


@pytest.mark.parametrize(
    "ddl",
    [
        "create unique index on public.t (x) where x > 0",
        "create unique index on public.t ((x + 0))",
        "create index on public.t (x)",
        "alter table public.t add unique (x) deferrable initially deferred",
        "create unique index on public.t (x, n)",
        "create table public.child () inherits (public.t)",
    ],
)
def test_an_index_that_proves_less_proves_nothing(conn: Connection, ddl: str) -> None:
    """Partial, deferrable, wider and expression indexes, and parents, leave rows unproved."""
    relation = table(conn, "x int not null")
    if "inherits" in ddl:
        conn.execute("alter table public.t add unique (x)")
    conn.execute(ddl)
    conn.execute("insert into public.t values (1, 1), (2, 2)")
    found = judged(conn, relation, {"type": "unique", "field": "x"}).outcomes[0]
    assert (found.status, found.proved_by) == (RuleStatus.PASSED, None)


def test_nulls_not_distinct_proves_more(conn: Connection) -> None:
    """An index in which nulls are equal proves uniqueness with nulls."""
    relation = table(conn, "x int", "null")
    conn.execute("create unique index on public.t (x) nulls not distinct")
    assert judged(conn, relation, {"type": "unique", "field": "x"}).outcomes[0].proved_by


def test_only_the_named_part_of_a_relation_is_judged(conn: Connection) -> None:
    """A delivery is the part of its table that has its number."""
    table(conn, "d int, x int", "1, null", "2, 5", "2, 5")
    part = Relation("public", "t", (("d", 2),))
    validation = judged(
        conn, part, {"type": "not_null", "field": "x"}, {"type": "unique", "field": "x"}
    )
    assert told(validation) == [("r0", "passed", 0, None), ("r1", "failed", 2, (2, 3))]
    assert validation.row_count == 2


def test_uniqueness_runs_beside_the_scan_on_one_snapshot(warehouse: Warehouse) -> None:
    """With workers on an exported snapshot the answer is that of one connection."""
    with warehouse.connect() as admin:
        relation = table(admin, "a int, b int", "1, 1", "1, 2", "2, 2")
    with warehouse.transaction() as conn, warehouse.transaction() as worker:
        conn.execute("set transaction isolation level repeatable read")
        snapshot = conn.execute("select pg_export_snapshot()").fetchone()
        worker.execute("set transaction isolation level repeatable read")
        worker.execute(f"set transaction snapshot '{snapshot[0] if snapshot else ''}'")
        with warehouse.connect() as other:
            other.execute("insert into public.t values (4, 2, 2)")
        given = [{"type": "unique", "field": "a"}, {"type": "unique", "field": "b"},
                 {"type": "not_null", "field": "a"}]  # fmt: skip
        assert threading.active_count() >= 1
        together = judged(conn, relation, *given, workers=[worker])
        alone = judged(conn, relation, *given)
    assert together == alone
    assert told(together) == [
        ("r0", "failed", 2, (1, 2)), ("r1", "failed", 2, (2, 3)), ("r2", "passed", 0, None),
    ]  # fmt: skip


def test_the_exact_count_runs_only_where_the_proof_fails(conn: Connection) -> None:
    """Clean keys cost one pass over hashes: the plan's exact part is never executed."""
    relation = table(conn, "a int", "1", "2")
    policy = load_policy({"version": "1", "rules": [{"id": "a", "type": "unique", "field": "a"}]})
    facts = rules.relation.read_facts(conn, relation)
    query = render(
        "rule_unique_scan", relation.sql, [policy.rules[0].complete()], facts.raw["columns"],
        "null::bigint", 25,
    )  # fmt: skip
    plan = conn.execute(f"explain (analyze, costs off, timing off) {query}".encode()).fetchall()
    text = "\n".join(row[0] for row in plan)
    assert "WindowAgg (never executed)" in text
    conn.execute("insert into public.t values (3, 2)")
    again = conn.execute(f"explain (analyze, costs off, timing off) {query}".encode()).fetchall()
    assert not any("never executed" in row[0] for row in again)


def test_the_schema_diff_is_part_of_the_verdict(conn: Connection) -> None:
    """Breaking and unknown block, a warning warns, and what is approved is done with."""
    relation = table(conn, "a int", "1")
    rule = {"type": "row_count", "minimum": 1}

    def verdict(diff: SchemaDiff, **options: Any) -> Verdict:
        return judged(conn, relation, rule, schema=diff, **options).verdict

    def change(grade: str) -> SchemaDiff:
        kind, reason = rules.load.ChangeKind.FIELD_REMOVED, next(iter(ReasonCode))
        grade_ = rules.load.Classification(grade)
        return SchemaDiff((Change(kind, "x", reason, grade_, "integer", ""),))

    assert verdict(SchemaDiff()) is Verdict.PASSED
    assert verdict(change("warning")) is Verdict.READY_WITH_WARNINGS
    assert verdict(change("breaking")) is Verdict.FAILED
    assert verdict(change("breaking"), schema_approved=True) is Verdict.PASSED
    assert verdict(SchemaDiff(unknown=next(iter(ReasonCode)))) is Verdict.FAILED


def test_the_evidence_names_the_policy_and_its_source(conn: Connection) -> None:
    """Version, hash, and whether the policy was inherited or the stage's own."""
    relation = table(conn, "id integer, status text, amount numeric", "1, 'new', 0")
    policy = load_policy(SEED)
    for source in PolicySource:
        document = evaluate(conn, policy, relation, source=source).document()
        assert document["policy"] == {
            "version": "monthly-import-v1", "sha256": policy.sha256, "source": source.value,
        }  # fmt: skip


def test_closed_vocabularies_are_those_of_the_schema() -> None:
    """The JSON Schema of the evidence and the enums say the same words."""
    rule = SCHEMA["$defs"]["rule"]["properties"]
    assert set(rule["type"]["enum"]) == set(RULE_TYPES)
    assert set(rule["severity"]["enum"]) == {word.value for word in Severity}
    assert set(rule["status"]["enum"]) == {word.value for word in RuleStatus}
    assert set(rule["reason"]["enum"]) == {word.value for word in Reason}
    top = SCHEMA["properties"]
    assert set(top["verdict"]["enum"]) == {word.value for word in Verdict}
    assert set(top["policy"]["properties"]["source"]["enum"]) == {w.value for w in PolicySource}


def test_a_relation_that_is_not_there_is_an_error(conn: Connection) -> None:
    """No relation is a mistake of the request, never an outcome."""
    with pytest.raises(UsageError) as caught:
        judged(conn, Relation("public", "gone"), {"type": "row_count", "minimum": 0})
    assert str(caught.value) == (
        "There is no table or view public.gone."
        " Name it as schema.table, and check that the role may see it."
    )


def test_contract_columns_are_understood(conn: Connection) -> None:
    """A column of a contract is confidential when it is sensitive or masked."""
    column = SimpleNamespace(
        name="a",
        type=SimpleNamespace(sql="text"),
        keys=SimpleNamespace(sensitivity=Sensitivity.SENSITIVE, mask=None),
    )
    known = rules.columns.as_columns([column])
    assert known == {"a": Column("a", "text", confidential=True)}


REFERENCE = {
    "type": "reference",
    "field": "drug",
    "references": {"dataset": "drugs", "materialization": "latest", "fields": ["id"]},
}


def referenced(conn: Connection, role: str, *values: str) -> References:
    """A frozen list of drugs that `role` may or may not read."""
    conn.execute(
        "create schema frozen; create table frozen.drugs (delivery int, id int, secret text)"
    )
    for value in values:
        conn.execute(f"insert into frozen.drugs values ({value}, 'x')")
    return References(
        lambda dataset, wanted: (
            Frozen("drugs@7#abc", Relation("frozen", "drugs", (("delivery", 7),)))
            if (dataset, wanted) == ("drugs", "latest")
            else None
        ),
        role,
    )


@pytest.fixture
def owner(conn: Connection) -> Any:
    """A role that may read the frozen list once it is granted."""
    role = f"policy_owner_{conn.info.dbname}"
    conn.execute(f"create role {role}")
    yield role
    conn.execute(f"drop owned by {role}; drop role {role}")


def grant(conn: Connection, role: str) -> None:
    conn.execute(f"grant usage on schema frozen to {role}")
    conn.execute(f"grant select (delivery, id) on frozen.drugs to {role}")


def test_a_reference_is_frozen_recorded_and_judged(conn: Connection, owner: str) -> None:
    """Keys are looked up in the frozen part only; the evidence has its reference."""
    relation = table(conn, "drug int", "1", "2", "null", "3")
    references = referenced(conn, owner, "7, 1", "7, null", "8, 2")
    grant(conn, owner)
    validation = judged(
        conn, relation, REFERENCE, {**REFERENCE, "allow_null": True}, references=references
    )
    assert told(validation) == [("r0", "failed", 3, (2, 3, 4)), ("r1", "failed", 2, (2, 4))]
    assert {found.reference for found in validation.outcomes} == {"drugs@7#abc"}
    assert [found.null_rows for found in validation.outcomes] == [1, 0]


@pytest.mark.parametrize("parents", [(), ("7, null",)])
def test_d03_d19_an_empty_or_null_parent_hides_nothing(
    conn: Connection, owner: str, parents: tuple[str, ...]
) -> None:
    """Cases D03 and D19: one violation whether the parent is empty or holds a null."""
    relation = table(conn, "drug int", "1", "null")
    references = referenced(conn, owner, *parents)
    grant(conn, owner)
    validation = judged(conn, relation, {**REFERENCE, "allow_null": True}, references=references)
    assert told(validation) == [("r0", "failed", 1, (1,))]
    assert [said.message for said in validation.diagnostics] == (
        [] if parents else ["The referenced materialization drugs@7#abc has no rows."]
    )


def test_a_reference_that_the_owner_may_not_read_is_an_error(conn: Connection, owner: str) -> None:
    """The owner's own privilege counts, not that of whoever runs the check."""
    relation = table(conn, "drug int", "1")
    references = referenced(conn, owner, "7, 1")
    found = judged(conn, relation, REFERENCE, references=references)
    assert (found.outcomes[0].reason, found.verdict) == ("reference_unreadable", Verdict.FAILED)
    assert [said.message for said in found.diagnostics] == [
        f"The owner's role {owner} may not read frozen.drugs."
    ]
    grant(conn, owner)
    assert judged(conn, relation, REFERENCE, references=references).verdict is Verdict.PASSED
    secret = {**REFERENCE, "references": {**REFERENCE["references"], "fields": ["secret"]}}  # type: ignore[dict-item]
    found = judged(conn, relation, secret, references=references)
    assert found.outcomes[0].reason == "reference_unreadable"
    nobody = References(references.resolve, "nobody_at_all")
    found = judged(conn, relation, REFERENCE, references=nobody)
    assert found.outcomes[0].reason == "reference_unreadable"


def test_a_reference_that_nobody_can_resolve_is_an_error(conn: Connection) -> None:
    """Without a frozen materialization nothing is read, and nothing passes."""
    relation = table(conn, "drug int", "1")
    found = judged(conn, relation, REFERENCE)
    assert (found.outcomes[0].reason, found.verdict) == ("reference_unknown", Verdict.FAILED)
    assert [said.message for said in found.diagnostics] == [
        "No materialization latest of drugs is known here."
    ]


def test_the_examples_of_the_docs_have_the_outcomes_told_there(conn: Connection) -> None:
    """docs/rules.md shows each rule in both outcomes; here they are, on its table."""
    page = (Path(__file__).parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")
    found = [json.loads(text) for text in re.findall(r"```json\n(.*?)```", page, re.DOTALL)]
    shown = {rule["type"]: rule for rule in found if "type" in rule}
    relation = table(
        conn, "id int, status text, amount numeric", "7, 'new', 0", "7, 'old', 'NaN'",
        "null, null, null",
    )  # fmt: skip
    outcomes = [
        ("row_count", {}, "passed", None),
        ("row_count", {"minimum": 4}, "failed", None),
        ("required_fields", {}, "passed", None),
        ("required_fields", {"fields": ["id", "city"]}, "failed", None),
        ("field", {}, "failed", (3,)),
        ("field", {"nullable": True}, "passed", None),
        ("field", {"data_type": "string", "nullable": True}, "failed", None),
        ("not_null", {}, "failed", (3,)),
        ("not_null", {"fields": ["n"]}, "passed", None),
        ("unique", {}, "failed", (1, 2)),
        ("unique", {"field": "n"}, "passed", None),
        ("range", {}, "failed", (2,)),
        ("range", {"allow_null": False}, "failed", (2, 3)),
        ("range", {"field": "n"}, "passed", None),
        ("referential", {}, "failed", (3,)),
        ("referential", {"allow_null": True}, "passed", None),
    ]
    given = [{**shown[kind], **keys, "id": f"r{n}"} for n, (kind, keys, *_) in enumerate(outcomes)]
    given[1].pop("maximum")
    validation = judged(conn, relation, *given)
    assert [(f.type, f.status.value, f.row_numbers) for f in validation.outcomes] == [
        (kind, status, numbers) for kind, _, status, numbers in outcomes
    ]
