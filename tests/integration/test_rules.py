"""The seven rules, each failing and passing, on every kind of column where it makes sense."""

from __future__ import annotations

import json
import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from integration.judging import SEED, Connection, judged, table, told
from tidegate.contracts.keys import Sensitivity
from tidegate.errors import UsageError
from tidegate.rules.columns import Column, TypeFamily, as_columns
from tidegate.rules.evaluation import evaluate
from tidegate.rules.load import load_policy
from tidegate.rules.relation import Relation, read_facts
from tidegate.rules.validation import Verdict


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
        {"type": "field", "field": "p", "data_type": "unknown"},
    )
    assert told(validation) == [
        ("r0", "failed", 1, (1,)),
        ("r1", "failed", 1, (1,)),
        ("r2", "failed", 2, (1, 2)),
        ("r3", "passed", None, None),
        ("r4", "passed", None, None),
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


def test_only_the_named_part_of_a_relation_is_judged(conn: Connection) -> None:
    """A delivery is the part of its table that has its number."""
    table(conn, "d int, x int", "1, null", "2, 5", "2, 5")
    part = Relation("public", "t", (("d", 2),))
    validation = judged(
        conn, part, {"type": "not_null", "field": "x"}, {"type": "unique", "field": "x"}
    )
    assert told(validation) == [("r0", "passed", 0, None), ("r1", "failed", 2, (2, 3))]
    assert validation.row_count == 2


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
    known = as_columns([column])
    assert known == {"a": Column("a", "text", confidential=True)}


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


def test_the_catalogue_and_contracts_agree_on_logical_types(conn: Connection) -> None:
    """A type means the same whether the catalogue or a contract names it."""
    kinds = ["text", "varchar(3)", "char(3)", "name", "uuid", "int2", "int4", "int8", "numeric(4)",
             "float4", "float8", "bool", "date", "timestamp(3)", "timestamptz", "json", "jsonb",
             "int[]", "point", "interval", "bytea", "public.price"]  # fmt: skip
    conn.execute("create domain public.price as numeric")
    relation = table(conn, ", ".join(f"c{n} {kind}" for n, kind in enumerate(kinds)))
    facts = read_facts(conn, relation)
    for name, fact in facts.raw["columns"].items():
        column = Column(name, fact["sql_type"])
        assert (name, column.logical) == (name, fact["logical"])
        if fact["sql_type"] != "public.price":
            assert (name, column.family.value) == (name, fact["family"])
    assert {fact["family"] for fact in facts.raw["columns"].values()} == {
        family.value for family in TypeFamily
    }
