"""A quality policy is read strictly, all problems at once, and hashed by its meaning."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from tidegate.errors import ContractError
from tidegate.rules.columns import Column
from tidegate.rules.load import load_policy
from tidegate.rules.policy import Policy

COLUMNS = (
    Column("id", "integer"),
    Column("status", "text"),
    Column("amount", "numeric(10,2)"),
    Column("ratio", "double precision"),
    Column("day", "date"),
    Column("seen", "timestamp without time zone"),
    Column("heard", "timestamp with time zone"),
    Column("open", "boolean"),
    Column("token", "uuid"),
    Column("body", "jsonb"),
    Column("secret", "text", confidential=True),
    Column("spot", "point"),
)
RULE_TYPES = "row_count, required_fields, field, not_null, unique, range, referential, reference"


def problems(raw: Any, columns: tuple[Column, ...] | None = COLUMNS, **options: Any) -> list[str]:
    """Every problem as the user reads it."""
    with pytest.raises(ContractError) as caught:
        load_policy(raw, columns, **options)
    return [str(problem) for problem in caught.value.problems]


def of_rule(**rule: Any) -> list[str]:
    """Problems of a policy with this one rule, without what all of them start with."""
    found = problems({"version": "1", "rules": [{"id": "a", **rule}]})
    assert all(text.startswith("quality_policy: /rules/0") for text in found)
    return [text.removeprefix("quality_policy: /rules/0") for text in found]


def loaded(*rules: dict[str, Any], **policy: Any) -> Policy:
    """A policy with these rules."""
    return load_policy({"version": "1", "rules": list(rules), **policy}, COLUMNS)


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ([], ["quality_policy: must be an object with version and rules."]),
        (
            {},
            [
                'quality_policy: has no version. Give it one, such as "v1".',
                "quality_policy: has no rules: what judges nothing is never a pass."
                " List at least one rule under 'rules'.",
            ],
        ),
        (
            {"version": 2, "rules": [], "rule": 1},
            [
                "quality_policy: /rule: is not a key of a policy."
                " The keys of a policy are version, rules, schema_policy.",
                "quality_policy: /version: must be text that is not empty.",
                "quality_policy: /rules: has no rules: what judges nothing is never a pass."
                " List at least one rule under 'rules'.",
            ],
        ),
        (
            {
                "version": "1",
                "rules": [{"id": "a", "type": "row_count", "minimum": 1}],
                "schema_policy": {"field_gone": "breaking", "field_removed": "fatal"},
            },
            [
                "quality_policy: /schema_policy/field_gone: is not a kind of schema change. Use one"
                " of field_added_nullable, field_added_required, field_removed, type_widened,"
                " type_changed, nullability_relaxed, nullability_tightened, field_order_changed.",
                "quality_policy: /schema_policy/field_removed: is not a classification."
                " Use one of compatible, warning, breaking.",
            ],
        ),
        (
            {
                "version": "1",
                "rules": [
                    {"id": "a", "type": "row_count", "minimum": 1},
                    {"id": "a", "type": "not_null", "field": "id"},
                    {"type": "not_null", "field": "id"},
                    "row_count",
                ],
            },
            [
                "quality_policy: /rules/2/id: is missing.",
                "quality_policy: /rules/3: must be an object.",
                "quality_policy: /rules/1/id: is the id of rule 0 already."
                " Give every rule an id of its own.",
            ],
        ),
    ],
)
def test_all_problems_of_a_policy_are_told_at_once(raw: Any, expected: list[str]) -> None:
    """A policy is refused with every problem, its place and its remedy."""
    assert problems(raw) == expected


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ({}, [f": has no type. Use one of {RULE_TYPES}."]),
        ({"type": "regex"}, [f"/type: is not a rule type. Use one of {RULE_TYPES}."]),
        (
            {"type": "row_count", "minimum": -1, "severity": "fatal", "max": 3},
            [
                "/severity: must be 'error' or 'warning'.",
                "/minimum: must not be negative.",
                "/max: is not a key of a row_count rule."
                " The keys of a row_count rule are id, severity, type, minimum, maximum.",
            ],
        ),
        ({"type": "row_count"}, [": needs 'minimum', 'maximum' or both."]),
        ({"type": "row_count", "minimum": 1.5}, ["/minimum: must be a whole number."]),
        (
            {"type": "row_count", "minimum": 3, "maximum": 2},
            [": has a minimum above its maximum."],
        ),
        ({"type": "row_count", "maximum": None}, ["/maximum: is null. Leave the key out.",
                                                  ": needs 'minimum', 'maximum' or both."]),
        ({"type": "required_fields", "fields": []}, ["/fields: must not be empty."]),
        ({"type": "required_fields", "fields": "id"}, ["/fields: must be a list."]),
        (
            {"type": "required_fields", "fields": ["id", "idd"]},
            ["/fields/1: names the field 'idd', which is absent. Name a column of the contract."],
        ),
        ({"type": "field", "field": "id"}, [": needs 'data_type', 'nullable' or both."]),
        (
            {"type": "field", "field": "id", "data_type": "interger", "nullable": "no"},
            [
                "/data_type: must be a logical type (integer, number, string, boolean, date,"
                " timestamp, json, unknown) or a PostgreSQL type such as numeric(10,2).",
                "/nullable: must be true or false.",
            ],
        ),
        ({"type": "not_null"}, [": needs either 'field' or 'fields'."]),
        (
            {"type": "not_null", "field": "id", "fields": ["id"]},
            [": needs either 'field' or 'fields'."],
        ),
        ({"type": "not_null", "fields": ["id", "id"]}, ["/fields: names a field twice."]),
        (
            {"type": "not_null", "field": "gone"},
            ["/field: names the field 'gone', which is absent. Name a column of the contract."],
        ),
        (
            {"type": "unique", "field": "id", "ignore_nulls": "some"},
            ["/ignore_nulls: must be true, false, 'any', 'all' or 'never'."],
        ),
        ({"type": "range", "field": "amount"}, [": needs 'minimum', 'maximum' or both."]),
        (
            {"type": "range", "field": "amount", "minimum": True},
            ["/minimum: must be a number, or a date or timestamp as ISO 8601 text."],
        ),
        (
            {"type": "range", "field": "amount", "minimum": 2, "maximum": 1},
            [": has a minimum above its maximum."],
        ),
        (
            {"type": "range", "field": "amount", "minimum": 2, "maximum": "2024-01-31"},
            [": has one bound as a number and one as text."],
        ),
        (
            {"type": "range", "field": "amount", "minimum": 2**53},
            ["/minimum: is a number beyond 2^53 - 1. Two such numbers may be one double."],
        ),
        (
            {"type": "range", "field": "amount", "minimum": float("nan")},
            ["/minimum: is not a finite number."],
        ),
        (
            {"type": "range", "field": "status", "minimum": 1},
            [
                "/field: puts a range on the field 'status' of type text."
                " A range is for numbers, dates and timestamps."
            ],
        ),
        (
            {"type": "range", "field": "amount", "minimum": "2024-01-31"},
            ["/minimum: is not a number, and the field 'amount' is numeric(10,2)."],
        ),
        (
            {"type": "range", "field": "day", "minimum": "2024-02-30"},
            ["/minimum: is not a date such as 2024-01-31, and the field 'day' is date."],
        ),
        (
            {"type": "range", "field": "seen", "maximum": "2024-01-31T00:00:00Z"},
            [
                "/maximum: is not a timestamp without zone such as 2024-01-31T12:00:00, and the"
                " field 'seen' is timestamp without time zone."
            ],
        ),
        (
            {"type": "range", "field": "heard", "maximum": "2024-01-31T00:00:00"},
            [
                "/maximum: is not a timestamp with zone such as 2024-01-31T12:00:00Z, and the"
                " field 'heard' is timestamp with time zone."
            ],
        ),
        (
            {"type": "range", "field": "day", "minimum": "2024-02-01", "maximum": "2024-01-31"},
            [": has a minimum above its maximum."],
        ),
        (
            {"type": "referential", "field": "status", "allowed_values": []},
            ["/allowed_values: must not be empty."],
        ),
        (
            {"type": "referential", "field": "status", "allowed_values": ["a"] * 100_001},
            ["/allowed_values: holds more than 100,000 values."],
        ),
        (
            {"type": "referential", "field": "id", "allowed_values": [1, "a", 1.5, True]},
            [
                "/allowed_values/1: is not a whole number, and the field 'id' is integer.",
                "/allowed_values/2: is not a whole number, and the field 'id' is integer.",
                "/allowed_values/3: is not a whole number, and the field 'id' is integer.",
            ],
        ),
        (
            {"type": "referential", "field": "open", "allowed_values": [1]},
            ["/allowed_values/0: is not true or false, and the field 'open' is boolean."],
        ),
        (
            {"type": "referential", "field": "token", "allowed_values": ["7d44"]},
            [
                "/allowed_values/0: is not a UUID such as 7d444840-9dc0-11d1-b245-5ffdce74fad2,"
                " and the field 'token' is uuid."
            ],
        ),
        (
            {"type": "referential", "field": "secret", "allowed_values": ["a"]},
            [
                "/allowed_values: embeds values of the sensitive or masked field 'secret'."
                " Policies are readable by everybody: use a reference rule instead."
            ],
        ),
        (
            {"type": "referential", "field": "spot", "allowed_values": ["a"]},
            [
                "/field: lists values for the field 'spot' of type point. Allowed values are for"
                " text, number, date, timestamp, boolean, UUID and JSON."
            ],
        ),
        (
            {"type": "referential", "field": "status", "allowed_values": ["a\0"]},
            ["/allowed_values/0: holds a character that PostgreSQL has no text for."],
        ),
        (
            {"type": "reference", "field": "id", "references": {"dataset": "d", "fields": ["x"]}},
            ["/references/materialization: is missing."],
        ),
        (
            {
                "type": "reference",
                "field": "id",
                "references": {
                    "dataset": "d", "materialization": "latest", "fields": ["x", "y"], "at": 1,
                },
            },
            [
                "/references/at: is not a key of references."
                " The keys of references are dataset, materialization, fields."
            ],
        ),
        (
            {
                "type": "reference",
                "field": "id",
                "references": {"dataset": "d", "materialization": "latest", "fields": ["x", "y"]},
            },
            [": names more fields on one side than on the other."],
        ),
    ],
)  # fmt: skip
def test_a_bad_rule_is_refused_in_full_words(rule: dict[str, Any], expected: list[str]) -> None:
    """What is wrong, where, and what to write instead; never the value itself."""
    assert of_rule(**rule) == expected


def test_numbers_and_texts_that_no_canonical_json_has_are_told_where_they_stand(
    tmp_path: Path,
) -> None:
    """An overflowing bound, half of a surrogate pair as a value or a key, a control character."""
    path = tmp_path / "policy.json"
    path.write_text(
        '{"version": "a\\u001b", "\\ud800": 1, "rules": [\n'
        '{"id": "a", "type": "row_count", "minimum": 1e999},\n'
        '{"id": "b\\n", "type": "not_null", "field": "\\udfff"},\n'
        '{"id": "c", "type": "referential", "field": "id", "allowed_values": [1e999]},\n'
        '{"id": "d", "type": "referential", "field": "status", "allowed_values": '
        + "[" * 200 + "]" * 200 + "}]}"
    )  # fmt: skip
    assert problems(path) == [
        f"{path}:1: /\ud800: is not a key of a policy."
        " The keys of a policy are version, rules, schema_policy.",
        f"{path}:1: /\ud800: holds a character that PostgreSQL has no text for.",
        f"{path}:2: /rules/0/minimum: is not a finite number.",
        f"{path}:3: /rules/1/field: holds a character that PostgreSQL has no text for.",
        f"{path}:4: /rules/2/allowed_values/0: is not a finite number.",
        f"{path}:5: /rules/3/allowed_values{'/0' * 98}: is nested deeper than 100 levels.",
        f"{path}:1: /version: must not hold control characters.",
        f"{path}:2: /rules/0/minimum: must be a whole number.",
        f"{path}:3: /rules/1/id: must not hold control characters.",
        f"{path}:4: /rules/2/allowed_values/0: is not a whole number,"
        " and the field 'id' is integer.",
        f"{path}:5: /rules/3/allowed_values/0: is not text, and the field 'status' is text.",
    ]


def test_d02_a_null_among_allowed_values_is_refused_with_a_hint() -> None:
    """Case D02: null is not a text; `allow_null` is how nulls are allowed."""
    assert of_rule(type="referential", field="status", allowed_values=["ok", None]) == [
        '/allowed_values/1: is null. Leave it out and say "allow_null": true.'
    ]


def test_d20_a_bad_allowed_set_never_loads() -> None:
    """Case D20: a policy with a mistake is an error of the run, never a passed check."""
    assert of_rule(type="referential", field="status", allowed_values=[1, "a", None]) == [
        '/allowed_values/2: is null. Leave it out and say "allow_null": true.'
    ]
    assert of_rule(type="referential", field="status", allowed_values=[1, "a"]) == [
        "/allowed_values/0: is not text, and the field 'status' is text."
    ]


def test_problems_of_a_file_have_its_lines(tmp_path: Path) -> None:
    """Duplicate keys and NaN, which Python's reader accepts, are problems with their lines."""
    path = tmp_path / "policy.json"
    path.write_text(
        '{\n  "version": "1",\n  "rules": [\n    {"id": "a", "type": "range", "field": "amount",\n'
        '     "minimum": NaN,\n     "minimum": 1},\n'
        '    {"id": "b", "type": "row_count",\n     "maximum": -1}\n  ]\n}\n'
    )
    assert problems(path) == [
        f"{path}:5: /rules/0/minimum: is NaN, which JSON does not have.",
        f"{path}:6: /rules/0/minimum: is written twice.",
        f"{path}:8: /rules/1/maximum: must not be negative.",
    ]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b'{"version": ', "policy.json:1: is not JSON: Expecting value."),
        (b"\xff", "policy.json: is not UTF-8 text."),
        (
            b"[" * 100_000,
            "policy.json: is not JSON that can be read: nested or long beyond bounds.",
        ),
        (None, "policy.json: cannot be read: No such file or directory."),
    ],
)
def test_a_file_that_is_no_json_is_refused(
    tmp_path: Path, content: bytes | None, expected: str
) -> None:
    """Whatever the bytes are, the message says which file and what is wrong."""
    if content is not None:
        (tmp_path / "policy.json").write_bytes(content)
    assert problems("policy.json", base=tmp_path) == [expected]


def test_problems_inside_a_contract_have_the_contract_s_place() -> None:
    """A policy inside YAML is told by file, line and pointer."""
    assert problems(
        {"version": "", "rules": [{"id": "a", "type": "row_count", "minimum": 1}]},
        file="contracts/datasets/a.yml",
        line=12,
        key="quality_policy",
    ) == ["contracts/datasets/a.yml:12: quality_policy/version: must be text that is not empty."]


SPELLINGS = [
    '{"version": "1", "rules": [{"id": "a", "type": "range", "field": "amount", "minimum": 1}]}',
    '{"rules":[{"minimum":1.0,"type":"range","field":"amount","id":"a"}],"version":"1"}',
    '{"version": "1", "rules": [{"id": "a", "type": "range", "field": "amount", "minimum": 1e0,'
    ' "severity": "error", "allow_null": false}], "schema_policy": {}}',
    '{"version": "\\u0031", "rules": [{"id": "a", "type": "range", "field": "amount",'
    ' "minimum": 1}]}',
]


def test_two_spellings_of_one_policy_have_one_hash() -> None:
    """Key order, white space, escapes, 1.0 for 1 and written-out defaults change no hash."""
    canonical = (
        b'{"rules":[{"allow_null":false,"field":"amount","id":"a","minimum":1,"severity":"error",'
        b'"type":"range"}],"schema_policy":{},"version":"1"}'
    )
    assert {load_policy(json.loads(text)).canonical for text in SPELLINGS} == {canonical}
    assert {load_policy(json.loads(text)).sha256 for text in SPELLINGS} == {
        hashlib.sha256(canonical).hexdigest()
    }


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"type": "not_null", "field": "id"}, {"type": "not_null", "fields": ["id"]}),
        (
            {"type": "unique", "field": "id", "ignore_nulls": True},
            {"type": "unique", "field": "id", "ignore_nulls": "any"},
        ),
        (
            {"type": "unique", "field": "id"},
            {"type": "unique", "field": "id", "ignore_nulls": "never"},
        ),
        (
            {"type": "field", "field": "id", "data_type": "int8"},
            {"type": "field", "field": "id", "data_type": "bigint"},
        ),
    ],
)
def test_two_ways_to_say_one_thing_have_one_hash(one: Any, other: Any) -> None:
    """Where the seed allows two words for one meaning, the hash is that of the meaning."""
    assert loaded({"id": "a", **one}).sha256 == loaded({"id": "a", **other}).sha256


@pytest.mark.parametrize(
    "change",
    [
        {"minimum": 2}, {"maximum": 9}, {"allow_null": True}, {"severity": "warning"},
        {"field": "ratio"}, {"id": "b"}, {"minimum": 1.5},
    ],
)  # fmt: skip
def test_any_change_of_meaning_changes_the_hash(change: dict[str, Any]) -> None:
    """A bound, a leave, a severity, a field or an id: each makes another policy."""
    rule = {"id": "a", "type": "range", "field": "amount", "minimum": 1}
    assert loaded(rule).sha256 != loaded({**rule, **change}).sha256
    assert loaded(rule).sha256 != loaded(rule, schema_policy={"field_removed": "warning"}).sha256
