"""The contract's hash is its meaning: spelling never changes it, a changed promise always does."""

from __future__ import annotations

import random
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from contract_texts import DATASET, FULL_DATASET, FULL_MODEL, MODEL, write
from tidegate.contracts.load import load_project


def hashes(dataset: str, model: str) -> tuple[str, str]:
    """The hashes of the one dataset and the one model of these texts."""
    with TemporaryDirectory() as folder:
        files = {"datasets/x.yml": dataset, "clinical_trials/x.yml": model}
        project = load_project(write(Path(folder), files))
    (one,), (other,) = project.datasets.values(), project.models.values()
    return one.sha256, other.sha256


FULL = hashes(FULL_DATASET, FULL_MODEL)
BASE = hashes(DATASET, MODEL)


def respelled(text: str, seed: int) -> str:
    """The same contract: other key order, other YAML styles, comments between the lines."""
    chance = random.Random(seed)  # noqa: S311 (a test's own dice)

    def shuffled(value: Any) -> Any:
        if isinstance(value, dict):
            names = list(value)
            chance.shuffle(names)
            return {name: shuffled(value[name]) for name in names}
        return [shuffled(item) for item in value] if isinstance(value, list) else value

    lines = yaml.safe_dump(
        shuffled(yaml.safe_load(text)),
        sort_keys=False,
        default_flow_style=chance.choice([None, False, True]),
        allow_unicode=chance.random() < 0.5,
        indent=chance.choice([2, 4, 7]),
        width=chance.choice([40, 100, 10_000]),
    ).splitlines()
    return "# a comment\n" + "".join(f"{line}\n" for line in lines) + "# another\n"


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.integers(0, 2**32))
def test_spelling_never_changes_the_hash(seed: int) -> None:
    """Key order, flow or block style, quotes, escapes, width and comments are not the promise."""
    assert hashes(respelled(FULL_DATASET, seed), respelled(FULL_MODEL, seed)) == FULL


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("data_type: text[]", "data_type: _text"),
        ("data_type: varchar(20)", "data_type: character varying ( 20 )"),
        ("alias_types: true", "alias_types: false"),
        ("data_type: char(6)", "data_type: character(6)"),
        ("data_type: numeric(12,2)", "data_type: DECIMAL (12, 2)"),
        ("data_type: timestamptz", "data_type: timestamp with time zone"),
        ("enum: [PHASE1, PHASE2]", "enum: [PHASE2, PHASE1]"),
        ("parent_key <> trial_key", "parent_key != trial_key"),
        ("name: no_self", "name: other"),
        ("tags: [trials]", "tags: [other]"),
        ("      - schema_contract\n", "      - schema_contract: {config: {severity: ERROR}}\n"),
        ("{column_name: trial_key}", "{'column_name': \"trial_key\"}"),
        ("- {columns: [parent_key], to: q_trials,", "- {deferred: false, columns: [parent_key], "
         "to: q_trials,"),
        ("may_be_empty: false", ""),
        ("default: review", ""),
        ("description: Listed price", "description: The listed price"),
        ("somebody_else: {may: [write, here]}", "somebody_else: {may: [not]}"),
        ("loader: tidegate", "loader: other"),
    ],
)  # fmt: skip
def test_what_is_not_promised_does_not_change_the_hash(old: str, new: str) -> None:
    """Aliases, defaults written out, order of sets, tags, others' meta, a dataset's prose."""
    assert old in FULL_DATASET + FULL_MODEL
    assert hashes(FULL_DATASET.replace(old, new, 1), FULL_MODEL.replace(old, new, 1)) == FULL


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("name: q_trials", "name: q_studies"),
        ("One registered study.", "One study."),
        ('version: "1"', 'version: "2"'),
        ("owner: trials", "owner: others"),
        ("grain: one registered study", "grain: one study"),
        ("policy: row_required", "policy: optional"),
        ("description: Participants enrolled.", "description: Participants planned."),
        ("int4", "int8"),
        ("enrollment >= 0", "enrollment > 0"),
        ("[{type: check", "[{type: not_null}, {type: check"),
        ("[{type: check", "[{type: unique}, {type: check"),
        ("data_type: int4", "config: {meta: {tidegate: {sensitivity: public}}}\n"
         "        data_type: int4"),
        ("      - schema_contract", "      - schema_contract: {config: {severity: warn}}"),
        ("      - schema_contract", "      - schema_contract\n      - unique"),
        ("grain:", "may_be_empty: true\n          grain:"),
        ("grain:", "retention: {generations: 2}\n          grain:"),
    ],
)  # fmt: skip
def test_a_changed_promise_of_a_model_changes_its_hash(old: str, new: str) -> None:
    """Whoever reads the model would notice."""
    assert old in MODEL
    dataset, model = hashes(DATASET, MODEL.replace(old, new, 1))
    assert (dataset, model != BASE[1]) == (BASE[0], True)


def test_the_order_of_columns_is_promised() -> None:
    """The serving view has the contract's columns in the contract's order."""
    first, second = MODEL.index("      - name: trial_key"), MODEL.index("      - name: enrollment")
    end = MODEL.index("    data_tests:")
    moved = MODEL[:first] + MODEL[second:end] + MODEL[first:second] + MODEL[end:]
    assert hashes(DATASET, moved)[1] != BASE[1]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("name: ctgov_studies", "name: studies"),
        ("name: ctgov\n", "name: registry\n"),
        ('version: "1"', 'version: "2"'),
        ("kind: append", "kind: snapshot"),
        ("ctgov/*.json", "*.json"),
        ("{type: json}", "{type: jsonl}"),
        ("/protocolSection/nctId", "/nctId"),
        ("data_type: text", "data_type: varchar(11)"),
        ("owner: trials", "owner: trials\n              drift: {default: block}"),
        ("owner: trials", 'owner: trials\n              quality_policy: {version: "1"}'),
        ("loaded_at_field: _received_at", "freshness: {warn_after: {count: 1, period: day}}"),
        ("required: true, path", "required: true, enum: [NCT1], path"),
    ],
)
def test_a_changed_promise_of_a_dataset_changes_its_hash(old: str, new: str) -> None:
    """A delivery that was right would be judged otherwise."""
    assert old in DATASET
    dataset, model = hashes(DATASET.replace(old, new, 1), MODEL)
    assert (dataset != BASE[0], model) == (True, BASE[1])


def test_a_policy_in_a_file_is_part_of_the_hash(tmp_path: Path) -> None:
    """The same policy has one hash, written in the contract or beside it; another has another."""
    given = "owner: trials\n              quality_policy: "
    inside = DATASET.replace("owner: trials", given + '{version: "1", rules: []}')
    beside = DATASET.replace("owner: trials", given + "policy.json")
    write(tmp_path, {"datasets/x.yml": beside})
    policy = tmp_path / "policy.json"
    policy.write_text('{"rules": [], "version": "1"}', encoding="utf-8")
    same = load_project(tmp_path).datasets["ctgov_studies"].sha256
    policy.write_text('{"rules": [], "version": "2"}', encoding="utf-8")
    other = load_project(tmp_path).datasets["ctgov_studies"].sha256
    assert (same == hashes(inside, MODEL)[0], other == same) == (True, False)
