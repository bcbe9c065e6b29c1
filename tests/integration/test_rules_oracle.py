"""The oracle: plain Python and the one scan agree on random tables and random policies."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from policy_oracle import COLUMNS, LOGICAL, judge, verdict
from tidegate.connection import Connection
from tidegate.rules.evaluation import evaluate
from tidegate.rules.load import load_policy
from tidegate.rules.relation import Relation
from tidegate.warehouse import Warehouse

TEXTS = {
    "t": ["", "a", "A", "a ", "é", "e\u0301", "'", '"', "\\", "{", "null", "%s", "ab"],
    "i": ["-1", "0", "1", "2", "7", "2147483647"],
    "c": ["-1", "0", "0.1", "1", "1.0", "1.00", "7.5", "NaN", "Infinity", "-Infinity"],
    "d": ["-1", "0", "-0", "0.1", "0.30000000000000004", "0.3", "1", "NaN", "Infinity", "1e300"],
    "r": ["-1", "0", "0.1", "0.3", "1", "16777217", "NaN", "-Infinity"],
    "da": ["2024-01-31", "2024-02-29", "1999-12-31", "infinity", "-infinity"],
    "ts": ["2024-01-31 00:00:00", "2024-01-31 12:30:00.25", "infinity", "1999-12-31 23:59:59"],
    "tz": ["2024-01-31 00:00:00+00", "2024-01-31 02:00:00+02", "2024-01-30 23:00:00-05"],
    "bo": ["true", "false"],
    "u": ["7d444840-9dc0-11d1-b245-5ffdce74fad2", "00000000-0000-0000-0000-000000000000"],
    "j": ["1", "1.0", "true", '"a"', "{}", '{"a": 1, "b": [1, "<&>"]}', "[]", '"\\u0022"'],
    "js": ["1", "1.0", "true", '"a"', "{}", '{"b": [1], "a": 1}', "[]", '{"a": 1, "b": [1]}'],
}  # fmt: skip
GIVEN: dict[str, list[Any]] = {
    "t": TEXTS["t"],
    "i": [-1, 0, 1.0, 2, 7],
    "c": [-1, 0, 0.1, 1, 7.5, 1e-07],
    "d": [-1, 0, -0.0, 0.1, 0.3, 0.30000000000000004, 1.0],
    "r": [-1, 0, 0.1, 0.3, 1],
    "da": ["2024-01-31", "2024-02-29", "1999-12-31"],
    "ts": ["2024-01-31", "2024-01-31T12:30:00.25", "1999-12-31T23:59:59"],
    "tz": ["2024-01-31T00:00:00Z", "2024-01-31T04:00:00+00:00", "2024-01-31T00:00:00+01:00"],
    "bo": [True, False],
    "u": ["7d444840-9dc0-11d1-b245-5ffdce74fad2", "00000000-0000-0000-0000-000000000001"],
    "j": [1, True, "a", {}, {"b": [1.0, "<&>"], "a": 1}, [], '"'],
    "js": [1, "a", {"a": 1, "b": [1]}, []],
}  # fmt: skip
BOUNDS = {**GIVEN, "i": [-1, 0, 0.5, 1, 7]}
NAMES = st.sampled_from(list(COLUMNS))
ROWS = st.lists(
    st.fixed_dictionaries(
        {name: st.one_of(st.none(), st.sampled_from(texts)) for name, texts in TEXTS.items()}
    ),
    max_size=40,
)


def some(draw: Any, rule: dict[str, Any], **optional: Any) -> dict[str, Any]:
    """The rule with some of its optional keys."""
    for name, strategy in optional.items():
        if draw(st.booleans()):
            rule[name] = draw(strategy)
    return rule


def bounds(draw: Any, rule: dict[str, Any], values: list[Any]) -> dict[str, Any]:
    """The rule with a minimum, a maximum or both, in order."""
    low, high = sorted([draw(st.sampled_from(values)), draw(st.sampled_from(values))])
    which = draw(st.sampled_from(["minimum", "maximum", "both"]))
    if which != "maximum":
        rule["minimum"] = low
    if which != "minimum":
        rule["maximum"] = high
    return rule


@st.composite
def a_rule(draw: Any) -> dict[str, Any]:
    """One rule of any type on any column where the policy can be loaded."""
    kind = draw(
        st.sampled_from(
            ["row_count", "required_fields", "field", "not_null", "unique", "range", "referential"]
        )
    )
    field = draw(NAMES)
    fields = draw(st.lists(NAMES, min_size=1, max_size=3, unique=True))
    rule: dict[str, Any] = {"type": kind}
    if kind == "row_count":
        rule = bounds(draw, rule, [0, 1, 5, 40])
    elif kind == "required_fields":
        rule["fields"] = draw(st.sampled_from([fields, [*fields, "absent"]]))
    elif kind == "field":
        rule["field"] = draw(st.sampled_from([field, field, field, "absent"]))
        rule["nullable"] = draw(st.booleans())
        some(draw, rule, data_type=st.sampled_from([LOGICAL[field], "integer", "string"]))
    elif kind == "not_null":
        rule["fields"] = fields
    elif kind == "unique":
        rule["fields"] = fields
        some(draw, rule, ignore_nulls=st.sampled_from([True, False, "any", "all", "never"]))
    elif kind == "range":
        orderly = field not in ("j", "js")
        rule["field"] = field
        bounds(draw, rule, BOUNDS[field] if orderly else [0, 1])
        if isinstance(rule.get("minimum"), bool) or isinstance(rule.get("maximum"), bool):
            rule |= {key: 0 for key in ("minimum", "maximum") if key in rule}
        some(draw, rule, allow_null=st.booleans())
    else:
        rule["field"] = field
        rule["allowed_values"] = draw(
            st.lists(st.sampled_from(GIVEN[field]), min_size=1, max_size=4)
        )
        some(draw, rule, allow_null=st.booleans())
    return some(draw, rule, severity=st.sampled_from(["error", "warning"]))


@pytest.fixture
def oracle_table(warehouse: Warehouse) -> Any:
    """A table with a column of every kind, and one that says which row is which."""
    with warehouse.connect() as conn:
        columns = ", ".join(f"{name} {kind}" for name, kind in COLUMNS.items())
        conn.execute(f"create table public.o (n bigint, {columns})")
        yield conn


def agree(conn: Connection, rows: list[Any], rules: list[Any], empty: bool) -> None:
    """Judge both ways and compare everything that evidence says."""
    with conn.transaction(force_rollback=True):
        conn.execute(
            "insert into public.o select * from jsonb_populate_recordset(null::public.o, %s)",
            [json.dumps([{"n": n, **jsonless(row)} for n, row in reversed([*enumerate(rows, 1)])])],
        )
        rules = [{"id": f"rule {number}", **rule} for number, rule in enumerate(rules)]
        policy = load_policy({"version": "1", "rules": rules})
        validation = evaluate(
            conn, policy, Relation("public", "o"), row_number="n", allow_empty=empty
        )
    expected = [judge(rule, rows) for rule in rules]
    found = []
    for outcome in validation.outcomes:
        document = outcome.document()
        found.append({k: v for k, v in document.items() if k not in ("id", "type", "severity")})
    assert found == expected
    assert validation.verdict.value == verdict(rules, expected, empty)
    assert validation.row_count == len(rows)


def jsonless(row: dict[str, Any]) -> dict[str, Any]:
    """JSON columns as documents: a text would become a JSON string."""
    return {
        name: json.loads(text) if text is not None and name in ("j", "js") else text
        for name, text in row.items()
    }


QUIET = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large]


@settings(max_examples=200, deadline=None, suppress_health_check=QUIET, database=None,
          derandomize=True, phases=[Phase.generate])  # fmt: skip
@given(rows=ROWS, rules=st.lists(a_rule(), min_size=1, max_size=8), empty=st.booleans())
def test_oracle_agrees_on_random_tables_and_policies(
    oracle_table: Any, rows: list[Any], rules: list[Any], empty: bool
) -> None:
    """Verdict, statuses, counts and row numbers are those of the oracle."""
    agree(oracle_table, rows, rules, empty)


@pytest.mark.long
@settings(
    max_examples=5000, deadline=None, derandomize=False, suppress_health_check=QUIET, database=None
)
@given(rows=ROWS, rules=st.lists(a_rule(), min_size=1, max_size=12), empty=st.booleans())
def test_oracle_agrees_thousands_of_times(
    oracle_table: Any, rows: list[Any], rules: list[Any], empty: bool
) -> None:
    """The same on thousands of examples."""
    agree(oracle_table, rows, rules, empty)
