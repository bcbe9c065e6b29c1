"""Whatever somebody writes: contracts or problems with a place, never a trace."""

from __future__ import annotations

import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from contract_texts import FULL_DATASET, FULL_MODEL, MODEL, write
from tidegate.contracts.load import examine_project, load_project

WORDS = ["", "text", "q_trials", "a b", "no", "{{ x }}", "'", '"', "$$", "é", "_generation", "%s"]
SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 2**60), st.floats(), st.sampled_from(WORDS), st.text()
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from([*WORDS, "name", "type", "config", "meta"]), inner),
    ),
    max_leaves=6,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """All places of a document, the root left out."""
    found = [path] if path else []
    if isinstance(value, list):
        value = dict(enumerate(value))
    for key, item in value.items() if isinstance(value, dict) else ():
        found += places(item, (*path, key))
    return found


def changed(text: str, data: st.DataObject) -> str:
    """The document with one to three of its values replaced or removed."""
    document = yaml.safe_load(text)
    for _ in range(data.draw(st.integers(1, 3))):
        *parents, last = data.draw(st.sampled_from(places(document)))
        inner = document
        for step in parents:
            inner = inner[step]
        if data.draw(st.booleans()):
            inner[last] = data.draw(VALUES)
        else:
            del inner[last]
        if not places(document):
            break
    return yaml.safe_dump(document, sort_keys=False, allow_unicode=True)


def check(files: dict[str, str]) -> None:
    """Load, and look at every problem."""
    with TemporaryDirectory() as folder:
        project, problems = examine_project(write(Path(folder), files))
    assert problems or len(project.datasets) + len(project.models) == len(files)
    for problem in problems:
        lines = files[problem.file.removeprefix("contracts/")].splitlines()
        assert problem.message.endswith(".")
        assert 0 <= problem.line <= max(1, len(lines))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.data())
def test_a_changed_contract_loads_or_is_refused(data: st.DataObject) -> None:
    """Any value in any place, any key missing."""
    dataset, model = FULL_DATASET, FULL_MODEL
    if data.draw(st.booleans()):
        dataset = changed(dataset, data)
    else:
        model = changed(model, data)
    check({"datasets/drugs.yml": dataset, "clinical_trials/q_trials.yml": model})


@pytest.mark.long
@settings(max_examples=2000, deadline=None, derandomize=False)
@given(st.data())
def test_very_many_changed_contracts_load_or_are_refused(data: st.DataObject) -> None:
    """The same for thousands of contracts, others each time."""
    check(
        {
            "datasets/drugs.yml": changed(FULL_DATASET, data),
            "clinical_trials/q_trials.yml": changed(FULL_MODEL, data),
        }
    )


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.one_of(st.text(), st.text(alphabet="-:[]{}&*!|>'\"#%@`, \nab<1?\t~")))
def test_any_text_is_refused_with_a_place(text: str) -> None:
    """No file is a contract by accident, and none brings the loader down."""
    check({"clinical_trials/q_trials.yml": text})


@pytest.mark.long
@settings(max_examples=5000, deadline=None, derandomize=False)
@given(st.one_of(st.text(), st.text(alphabet="-:[]{}&*!|>'\"#%@`, \nab<1?\t~")))
def test_very_many_texts_are_refused_with_a_place(text: str) -> None:
    """The same for thousands of texts, others each time."""
    check({"clinical_trials/q_trials.yml": text})


def test_a_hundred_contracts_load_in_a_second(tmp_path: Path) -> None:
    """Checking contracts is part of every command; twice the aim is allowed on a busy machine."""
    column = """\
      - name: column_{0}
        data_type: numeric(10,2)
        description: "Column number {0}."
        config: {{meta: {{tidegate: {{sensitivity: public}}}}}}
"""
    more = "".join(column.format(number) for number in range(20))
    files = {
        f"clinical_trials/q_{number}.yml": MODEL.replace("q_trials", f"q_n{number}").replace(
            "    data_tests:", f"{more}    data_tests:"
        )
        for number in range(100)
    }
    write(tmp_path, files)
    start = time.process_time()
    assert len(load_project(tmp_path).models) == 100
    assert time.process_time() - start < 2
