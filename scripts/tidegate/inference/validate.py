"""What an answer is worth: whether it parses, keeps the task's schema and meets the policy."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from jsonschema import Draft202012Validator

from tidegate.inference.model import Policy, Rule
from tidegate.inference.vocabulary import AttemptStatus, DecisionReason

MAX_OUTPUT_BYTES = 1 << 20


@dataclass(frozen=True)
class Parsed:
    """An answer as JSON (`output` None where it is none), and whether it keeps the schema."""

    output: Any
    schema_valid: bool


def parse_output(text: str, schema: Mapping[str, Any]) -> Parsed:
    """Parse strictly: one JSON value in UTF-8 that PostgreSQL can keep, no NaN, no key twice."""
    if len(text.encode("utf-8", "replace")) > MAX_OUTPUT_BYTES:
        return Parsed(None, schema_valid=False)
    try:
        output = json.loads(text, parse_constant=_refuse, object_pairs_hook=_once)
        # What PostgreSQL cannot keep: infinity, half a surrogate pair, NUL.
        printed = json.dumps(output, ensure_ascii=False, allow_nan=False)
        printed.encode("utf-8")
        if "\\u0000" in printed.replace("\\\\", ""):
            return Parsed(None, schema_valid=False)
        return Parsed(output, Draft202012Validator(dict(schema)).is_valid(output))
    except (ValueError, RecursionError):
        return Parsed(None, schema_valid=False)


def judge(
    policy: Policy,
    status: AttemptStatus,
    parsed: Parsed,
    content: Mapping[str, Any],
) -> DecisionReason:
    """Why the deterministic validator refuses the answer; MEETS_POLICY where it does not."""
    if status is not AttemptStatus.SUCCEEDED:
        return DecisionReason.NOT_ANSWERED
    if not parsed.schema_valid or not isinstance(parsed.output, dict):
        return DecisionReason.OUTPUT_INVALID
    if not all(_met(rule, parsed.output, content) for rule in policy.rules):
        return DecisionReason.VALUE_NOT_ALLOWED
    return DecisionReason.MEETS_POLICY


def _met(rule: Rule, output: Mapping[str, Any], content: Mapping[str, Any]) -> bool:
    if rule.field not in output:
        return False
    value = output[rule.field]
    if rule.one_of is not None and not any(_same(value, known) for known in rule.one_of):
        return False
    if rule.at_least is not None and not (
        isinstance(value, int | float) and not isinstance(value, bool) and value >= rule.at_least
    ):
        return False
    return rule.in_input is None or _within(value, content.get(rule.in_input))


def _within(value: Any, given: Any) -> bool:
    """A member of a list, a part of a text (never the empty part)."""
    if isinstance(given, list):
        return any(_same(value, item) for item in given)
    return isinstance(given, str) and isinstance(value, str) and value != "" and value in given


def _same(left: Any, right: Any) -> bool:
    """Equal as JSON: true is not 1."""
    return isinstance(left, bool) == isinstance(right, bool) and bool(left == right)


def _refuse(_: str) -> None:
    raise ValueError


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise ValueError
    return result
