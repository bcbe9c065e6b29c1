"""Declarations of inference: what may stand in `inference/*.yml`, every problem told at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tidegate.errors import ContractError
from tidegate.inference.declared import load_declarations
from tidegate.inference.running import recorded_tasks

REPOSITORY = Path(__file__).resolve().parents[2]
GOOD = """\
version: 1
tasks:
  - id: check
    revision: 1
    description: Checks.
    owner: pubs
    high_impact: true
    prompt: 'Answer as {"verdict": {"is": "pass"}}.'
    output_schema: {type: object, properties: {verdict: {enum: [pass, fail]}}}
profiles:
  - {id: recorded, revision: 1, adapter: recorded, model: by-hand}
routes:
  - {id: main, revision: 1, task: check, contract_revision: 1, profile: recorded,
     profile_revision: 1}
policies:
  - {task: check, version: "1", decided_by: human}
runs:
  - {task: check, route: main, target: resolution.verifications, input: select 1 as x}
"""
WRONG = """\
version: 2
tasks:
  - id: Check
    revision: 0
    description: Checks.
    owner: pubs
    high_impact: 'yes'
    prompt: ''
    output_schema: {}
  - id: bare
    revision: 1
    description: Checks.
    owner: pubs
    high_impact: true
    prompt: Check.
    output_schema: {type: objekt}
  - id: list
    revision: 1
    description: Checks.
    owner: pubs
    high_impact: true
    prompt: Check.
    output_schema: {type: array}
  - id: list
    revision: 1
    description: Checks.
    owner: pubs
    high_impact: false
    prompt: Check.
    output_schema: {type: object}
profiles:
  - {id: vendor, revision: 1, adapter: openai, model: m, temperature: 0}
  - {id: vendor, revision: 2, adapter: vendor, model: m}
routes:
  - {id: floats, revision: 1, task: list, profile: vendor, profile_revision: 7}
  - {id: lost, revision: 1, task: lisd, contract_revision: 1, profile: other, profile_revision: 1}
  - {id: idle, revision: 1, task: list, contract_revision: 1, profile: vendor, profile_revision: 2,
     active: false}
policies:
  - task: list
    version: "1"
    decided_by: deterministic_validator
  - task: bare
    version: "1"
    decided_by: verifier_model
    rules: [{field: verdict}]
    verifier: {task: bare}
runs:
  - {task: list, route: idle, target: a.b, input: select 1}
  - {task: bare, route: floats, target: a.b, input: delete from a.b}
  - {task: lisd, route: other, target: verifications, input: ''}
"""
PROBLEMS = """\
inference/wrong.yml:1: version: is 2. It must be 1.
inference/wrong.yml:3: tasks[0].id: String should match pattern '^[a-z][a-z0-9_]*$'.
inference/wrong.yml:4: tasks[0].revision: must be greater than 0.
inference/wrong.yml:7: tasks[0].high_impact: expected true or false, found 'yes'.
inference/wrong.yml:8: tasks[0].prompt: is empty text. Write something.
inference/wrong.yml:16: tasks[1].output_schema: is no JSON Schema (draft 2020-12) at type. Correct it.
inference/wrong.yml:23: tasks[2].output_schema: does not describe an object. Write `type: object`.
inference/wrong.yml:24: tasks[3]: is also declared in inference/wrong.yml:17. Keep one of them.
inference/wrong.yml:32: profiles[0].temperature: is not a known key. Known: adapter, call_cap_usd, id, input_usd, model, output_usd, parameters, revision.
inference/wrong.yml:33: profiles[1].adapter: 'vendor' is no adapter. Write `recorded`, or `package.module:function`.
inference/wrong.yml:35: routes[0].contract_revision: is missing: the route floats. Pin a revision.
inference/wrong.yml:35: routes[0].profile_revision: profile 'vendor' has no revision 7. Declared: 2.
inference/wrong.yml:36: routes[1].task: there is no task 'lisd'. Did you mean `list`?
inference/wrong.yml:36: routes[1].profile: there is no profile 'other'. Declared: vendor.
inference/wrong.yml:36: routes[1].task: task 'lisd' has no policy. Add one under `policies`.
inference/wrong.yml:42: policies[0].decided_by: lets every well-formed answer of a high-impact task pass. Add rules, a verifier or a human.
inference/wrong.yml:46: policies[1].rules[0].field: there is no field of the output 'verdict'. Declared: none.
inference/wrong.yml:46: policies[1].rules[0]: demands nothing. Add one_of, at_least or in_input.
inference/wrong.yml:47: policies[1].verifier.task: there is no other task 'bare'. Declared: list.
inference/wrong.yml:49: runs[0].route: route 'idle' is not active. Name an active route of the run's task.
inference/wrong.yml:50: runs[1].route: route 'floats' asks task 'list'. Name an active route of the run's task.
inference/wrong.yml:50: runs[1].input: is not one query that only reads. Write one select.
inference/wrong.yml:51: runs[2].input: is empty text. Write something.
inference/wrong.yml:51: runs[2].target: String should match pattern '^[a-z][a-z0-9_]*\\.[a-z][a-z0-9_]*$'.
"""  # noqa: E501


def project(folder: Path, **files: str) -> Path:
    """A project with these files under `inference/`."""
    (folder / "inference").mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / "inference" / f"{name}.yml").write_text(text, encoding="utf-8")
    return folder


def test_a_whole_declaration_is_read(tmp_path: Path) -> None:
    """Braces in a prompt are text: nothing renders them."""
    declared = load_declarations(project(tmp_path, good=GOOD))
    assert declared.tasks[("check", 1)].prompt == 'Answer as {"verdict": {"is": "pass"}}.'
    assert declared.task_of(declared.routes["main"]).id == "check"
    assert declared.runs["check"].key == "target_key"
    assert recorded_tasks(declared) == ("check",)


def test_every_problem_is_told_at_once(tmp_path: Path) -> None:
    """File, line, key, what is wrong, and what to do."""
    with pytest.raises(ContractError) as caught:
        load_declarations(project(tmp_path, wrong=WRONG))
    assert str(caught.value).splitlines() == PROBLEMS.splitlines()


def test_several_files_are_one_declaration(tmp_path: Path) -> None:
    """A route may pin what stands in another file; what stands twice is told with both places."""
    head, _, rest = GOOD.partition("routes:\n")
    declared = load_declarations(project(tmp_path, a=head, b=f"version: 1\nroutes:\n{rest}"))
    assert set(declared.routes) == {"main"}
    with pytest.raises(ContractError) as caught:
        load_declarations(project(tmp_path, a=GOOD))
    assert [str(problem) for problem in caught.value.problems] == [
        f"inference/b.yml:{line}: {place}: is also declared in inference/a.yml:{first}."
        " Keep one of them."
        for line, place, first in ((3, "routes[0]", 13), (6, "policies[0]", 16), (8, "runs[0]", 18))
    ]


def test_a_project_without_the_folder_declares_nothing(tmp_path: Path) -> None:
    """It is no error until somebody wants to run something."""
    assert load_declarations(tmp_path).runs == {}


def test_what_the_project_itself_declares_is_faultless_and_costs_nothing() -> None:
    """Its answers are recorded, so that the samples need no provider."""
    declared = load_declarations(REPOSITORY)
    assert set(recorded_tasks(declared)) == set(declared.runs) != set()
