"""The policy of a model's contract, judged on a candidate."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from integration.dbt_project import contract
from integration.judging import Connection
from tidegate.contracts.load import load_project
from tidegate.contracts.model import ModelContract
from tidegate.errors import ContractError
from tidegate.rules.models import evaluate_model
from tidegate.rules.relation import Relation
from tidegate.rules.validation import Verdict

PUBLIC = {"sensitivity": "public"}
POLICY = {"version": "v1", "rules": [{"id": "here", "type": "not_null", "field": "v"}]}
RELATION = Relation("public", "t")


def model(folder: Path, sensitivity: dict[str, str], **keys: Any) -> ModelContract:
    """A contract with a key column of this sensitivity, read as the harness reads it."""
    columns = {"k": {"type": "text!", "keys": sensitivity}, "v": "integer"}
    tests = ["quality_policy"] if "quality_policy" in keys else []
    document = contract("q_things", "things", columns, ["schema_contract", *tests], **keys)
    (folder / "contracts" / "things").mkdir(parents=True, exist_ok=True)
    (folder / "dbt_project.yml").write_text(
        'name: tidegate\nmodel-paths: ["models", "contracts"]\n'
    )
    (folder / "contracts" / "things" / "q_things.yml").write_text(json.dumps(document))
    return load_project(folder).models["q_things"]


@pytest.mark.parametrize(
    ("sensitivity", "keys"), [(PUBLIC, ("a",)), ({"sensitivity": "internal"}, None)]
)
def test_rows_of_a_model_are_named_by_public_keys_only(
    conn: Connection, tmp_path: Path, sensitivity: dict[str, str], keys: tuple[str, ...] | None
) -> None:
    """A public row key is shown; one that is not declared public is not."""
    conn.execute("create table public.t as select 'a' as k, null::int as v")
    validation = evaluate_model(conn, model(tmp_path, sensitivity, quality_policy=POLICY), RELATION)
    assert validation is not None
    assert validation.verdict is Verdict.FAILED
    assert (validation.outcomes[0].row_keys, validation.outcomes[0].row_numbers) == (keys, None)


@pytest.mark.parametrize(("leave", "expected"), [(True, Verdict.PASSED), (False, Verdict.FAILED)])
def test_the_contract_says_whether_a_model_may_be_empty(
    conn: Connection, tmp_path: Path, leave: bool, expected: Verdict
) -> None:
    """No rows are a pass only with the contract's leave."""
    conn.execute("create table public.t (k text, v int)")
    given = model(tmp_path, PUBLIC, quality_policy=POLICY, may_be_empty=leave)
    validation = evaluate_model(conn, given, RELATION)
    assert validation is not None
    assert validation.verdict is expected


def test_a_model_without_a_policy_has_nothing_to_judge(conn: Connection, tmp_path: Path) -> None:
    """None, which no caller can take for a pass."""
    assert evaluate_model(conn, model(tmp_path, PUBLIC), RELATION) is None


def test_a_bad_policy_of_a_model_is_told_with_the_contract_s_place(
    conn: Connection, tmp_path: Path
) -> None:
    """The contract's file and line, and the pointer inside the policy."""
    bad = {"version": "v1", "rules": [{"id": "here", "type": "not_null", "field": "w"}]}
    given = model(tmp_path, PUBLIC, quality_policy=bad)
    with pytest.raises(ContractError) as caught:
        evaluate_model(conn, given, RELATION)
    assert str(caught.value) == (
        f"contracts/things/q_things.yml:{given.line}: /rules/0/field: names the field 'w', which is"
        " absent. Name a column of the contract."
    )
