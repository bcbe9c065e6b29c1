"""docs/rules.md says what the code does: every rule, status, reason and key."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tidegate.rules.judge import Reason
from tidegate.rules.load import load_policy
from tidegate.rules.model import RULE_TYPES
from tidegate.rules.validation import RuleStatus, Verdict
from tidegate.rules.words import IgnoreNulls

PAGE = (Path(__file__).parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")
EXAMPLES = [json.loads(text) for text in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: str(example.get("id", "policy")))
def test_each_example_is_a_policy_that_loads(example: dict[str, object]) -> None:
    """Examples can be copied as they stand."""
    load_policy(example if "rules" in example else {"version": "1", "rules": [example]})


def test_every_rule_has_a_section_with_an_example() -> None:
    """A rule type without a section, or a section without its example, is not documented."""
    sections = re.findall(r"^### (\w+)$", PAGE, re.MULTILINE)
    assert sections == list(RULE_TYPES)
    assert [example["type"] for example in EXAMPLES[1:]] == sections


def test_every_key_and_word_is_documented() -> None:
    """Keys of rules and words of closed vocabularies stand in the page."""
    keys = {key for model in RULE_TYPES.values() for key in model.model_fields}
    words = [word.value for kind in (RuleStatus, Verdict, Reason, IgnoreNulls) for word in kind]
    missing = [word for word in sorted(keys) + words if f"`{word}`" not in PAGE
               and f'"{word}"' not in PAGE]  # fmt: skip
    assert missing == []
