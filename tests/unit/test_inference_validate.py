"""What an answer is worth: strict JSON, the task's schema, the policy's rules."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from inference_support import GOOD, SCHEMA, answer, policy, profile, question, task
from tidegate.errors import ContractError, EnvironmentFailure, UsageError
from tidegate.inference.adapters.recorded import make
from tidegate.inference.provider import Call, make_provider
from tidegate.inference.records import cost_of
from tidegate.inference.validate import Parsed, judge, parse_output
from tidegate.inference.vocabulary import AttemptStatus, DecisionReason

REFUSED = (
    "", "{", "{} {}", '{"value": NaN}', '{"value": 1e999}', '{"a": 1, "a": 2}',
    '{"a": "\\u0000"}', '{"a": "\\ud800"}', "[" * 100_000, '"' + "x" * (1 << 20) + '"',
)  # fmt: skip


@pytest.mark.parametrize("text", REFUSED, ids=range(len(REFUSED)))
def test_what_is_not_json_that_can_be_kept_is_no_output(text: str) -> None:
    """Neither two values, nor NaN and infinity, a key twice, NUL, half a character, or too much."""
    assert parse_output(text, {}) == Parsed(None, schema_valid=False)


@pytest.mark.parametrize(
    ("text", "valid"),
    [
        ('{"endpoint": "ORR", "value": 20}', True),
        ('{"endpoint": "ORR", "value": 20, "quote": "C:\\\\u0000"}', True),
        ('{"endpoint": "BEST", "value": 20}', False),
        ('{"endpoint": "ORR"}', False),
        ('{"endpoint": "ORR", "value": "20"}', False),
        ('{"endpoint": "ORR", "value": 20, "more": 1}', False),
        ('["ORR", 20]', False),
    ],
)
def test_an_output_keeps_its_schema_or_does_not(text: str, valid: bool) -> None:
    """It is kept as JSON either way."""
    parsed = parse_output(text, SCHEMA)
    assert (parsed.output is not None, parsed.schema_valid) == (True, valid)


@pytest.mark.parametrize(
    ("rule", "output", "content", "met"),
    [
        ({"one_of": ["a", 1]}, "a", {}, True),
        ({"one_of": ["a", 1]}, 1, {}, True),
        ({"one_of": ["a", 1]}, True, {}, False),
        ({"one_of": [True]}, 1, {}, False),
        ({"one_of": ["a"]}, ["a"], {}, False),
        ({"at_least": 0.8}, 0.8, {}, True),
        ({"at_least": 0.8}, 0.79, {}, False),
        ({"at_least": 0.8}, "0.9", {}, False),
        ({"at_least": 0}, True, {}, False),
        ({"in_input": "phrase"}, "rate", {"phrase": "response rate"}, True),
        ({"in_input": "phrase"}, "", {"phrase": "response rate"}, False),
        ({"in_input": "phrase"}, "Rate", {"phrase": "response rate"}, False),
        ({"in_input": "phrase"}, "rate", {"phrase": None}, False),
        ({"in_input": "phrase"}, "rate", {}, False),
        ({"in_input": "codes"}, "OS", {"codes": ["OS", "PFS"]}, True),
        ({"in_input": "codes"}, "O", {"codes": ["OS", "PFS"]}, False),
        ({"in_input": "codes"}, None, {"codes": [None]}, True),
        ({"one_of": ["a"], "in_input": "phrase"}, "a", {"phrase": "b"}, False),
    ],
)
def test_rules_are_met_by_values_and_nothing_like_them(
    rule: dict[str, Any], output: Any, content: dict[str, Any], met: bool
) -> None:
    """All demands of a rule; true is not 1, and a missing field meets none."""
    rules = policy(rules=[{"field": "x", **rule}])
    parsed = Parsed({"x": output}, schema_valid=True)
    expected = DecisionReason.MEETS_POLICY if met else DecisionReason.VALUE_NOT_ALLOWED
    assert judge(rules, AttemptStatus.SUCCEEDED, parsed, content) is expected
    missing = judge(rules, AttemptStatus.SUCCEEDED, Parsed({}, schema_valid=True), content)
    assert missing is DecisionReason.VALUE_NOT_ALLOWED


@pytest.mark.parametrize(
    ("status", "parsed", "reason"),
    [
        (AttemptStatus.TIMED_OUT, Parsed(None, schema_valid=False), DecisionReason.NOT_ANSWERED),
        (AttemptStatus.REFUSED, Parsed(GOOD, schema_valid=True), DecisionReason.NOT_ANSWERED),
        (AttemptStatus.SUCCEEDED, Parsed(GOOD, schema_valid=False), DecisionReason.OUTPUT_INVALID),
        (AttemptStatus.SUCCEEDED, Parsed([], schema_valid=True), DecisionReason.OUTPUT_INVALID),
        (AttemptStatus.SUCCEEDED, Parsed(GOOD, schema_valid=True), DecisionReason.MEETS_POLICY),
    ],
)
def test_what_did_not_come_or_keeps_no_schema_is_refused(
    status: AttemptStatus, parsed: Parsed, reason: DecisionReason
) -> None:
    """Before any rule is looked at."""
    assert judge(policy(), status, parsed, {}) is reason


def test_the_key_of_a_question_is_made_of_task_revision_and_input() -> None:
    """Order and spelling of JSON mean nothing; everything else is another question."""
    same = question(task(), {"a": 1, "b": [None, "x"]})
    assert question(task(), {"b": [None, "x"], "a": 1.0}).request_key == same.request_key
    others = [
        question(task(), {"a": 1, "b": ["x", None]}),
        question(task(2), {"a": 1, "b": [None, "x"]}),
        question(task(id="other"), {"a": 1, "b": [None, "x"]}),
    ]
    assert len({same.request_key, *(item.request_key for item in others)}) == 4


def test_a_number_that_json_cannot_carry_is_refused_without_it() -> None:
    """It would be another question than the one that was read."""
    with pytest.raises(UsageError) as caught:
        question(task(), {"a": 2**53 + 1})
    assert str(caught.value) == (
        "An input of task pub_outcome holds a number that JSON cannot carry exactly."
        " Cast the column to text in the run's `input`."
    )


def test_questions_and_answers_show_no_value() -> None:
    """Whoever logs one shows hashes."""
    asked = question(task(), {"phrase": "secret"})
    call = Call(
        "1", 1, asked.input_sha256, "secret", {"phrase": "secret"}, {}, "m", {"k": "secret"}
    )
    assert "secret" not in repr((asked, call, answer({"endpoint": "secret"})))


def test_a_cost_is_told_counted_capped_or_unknown() -> None:
    """In this order; nothing is zero because nobody knows it."""
    priced, capped = profile(), profile(input_usd=None, call_cap_usd=0.05)
    assert cost_of(answer(GOOD, cost_usd=Decimal(1)), priced) == 1
    assert cost_of(answer(GOOD), priced) == Decimal("0.0015")
    assert cost_of(answer(GOOD), capped) == Decimal("0.05")
    assert cost_of(answer(), priced) is None


def test_recorded_answers_come_in_turn(tmp_path: Path) -> None:
    """The last one answers all further attempts; what was not recorded fails."""
    (tmp_path / "a.jsonl").write_text(
        '{"input_sha256": "k", "status": "timed_out"}\n\n'
        '{"input_sha256": "k", "output": {"x": 1}, "cost_usd": "0.10"}\n'
    )
    made = make(profile(parameters={"answers": "a.jsonl"}), tmp_path)

    def ask(sha256: str, number: int) -> AttemptStatus:
        return made.call(Call("1", number, sha256, "", {}, {})).status

    found = [ask("k", 1), ask("k", 2), ask("k", 9), ask("other", 1)]
    assert [status.value for status in found] == ["timed_out", "succeeded", "succeeded", "failed"]


def test_recorded_answers_that_cannot_be_read_are_told_by_line(tmp_path: Path) -> None:
    """All of them, without what they hold."""
    lines = (
        "not json", '{"input_sha256": "k", "extra": 1, "text": "x"}', '{"input_sha256": "k"}',
        '{"input_sha256": "k", "status": "lost"}', '{"input_sha256": "k", "text": "x"}',
    )  # fmt: skip
    (tmp_path / "a.jsonl").write_text("\n".join(lines))
    with pytest.raises(ContractError) as caught:
        make(profile(parameters={"answers": "a.jsonl"}), tmp_path)
    assert str(caught.value).splitlines() == [
        f"a.jsonl:{number}: is not a recorded answer. See docs/inference.md."
        for number in (1, 2, 3, 4)
    ]


def test_an_adapter_that_cannot_be_imported_is_told(tmp_path: Path) -> None:
    """By its name and the kind of the error."""
    with pytest.raises(EnvironmentFailure) as caught:
        make_provider(profile(adapter="no_such_package.adapters:make"), tmp_path)
    assert str(caught.value) == (
        "The adapter no_such_package.adapters:make of profile recorded cannot be imported:"
        " ModuleNotFoundError. Install the package it stands in, or correct `adapter`."
    )
