"""What a change of contracts means to readers, as text, JSON and Markdown of one object."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tidegate.contracts.keys import ChangeKind, Classification
from tidegate.contracts.load import load_project
from tidegate.contracts.model import Project
from tidegate.contracts.reasons import ReasonCode
from tidegate.errors import ContractError, UsageError
from tidegate.reporting.diff import DiffReport, SubjectDiff
from tidegate.reporting.diff_older import diff_against
from tidegate.reporting.diff_text import FOR_PARTNERS, FOR_READERS, shown, to_markdown, to_text
from tidegate.shapes.mismatches import Mismatch
from tidegate.shapes.older import OlderContracts, load_at
from tidegate.shapes.reader_codes import CLASSIFICATIONS, MEANING, ReaderChangeCode

MODEL = """\
version: 2
models:
  - name: {name}
    description: One registered study.
    config:
      contract: {{enforced: true}}
      meta:
        tidegate:
          family: {family}
          version: "{version}"
          owner: trials
          grain: {grain}
          row_key: [{row_key}]
          provenance: {{policy: {provenance}}}
{policy}    columns:
      - name: trial_key
        data_type: text
        description: Stable key.
        constraints: [{{type: not_null}}]
      - name: status
        data_type: text
        description: Status.
        constraints: [{{type: not_null}}]
        config: {{meta: {{tidegate: {{{status}}}}}}}
{more}    data_tests:
      - schema_contract
{tests}"""
PLAIN = {
    "name": "q_trials",
    "family": "clinical_trials",
    "version": "1",
    "grain": "one registered study",
    "row_key": "trial_key",
    "provenance": "row_required",
    "status": "",
    "more": "",
    "policy": "",
    "tests": "",
}
CALM = {
    "policy": "          quality_policy: {version: '1',"
    " rules: [{id: some, type: row_count, minimum: 1}],"
    " schema_policy: {field_removed: compatible}}\n",
    "tests": "      - quality_policy\n",
}
"""A policy that calls removed columns compatible."""
DATASET = """\
version: 2
sources:
  - name: ctgov
    schema: landing
    tables:
      - name: studies
        description: Studies.
        loaded_at_field: _received_at
        config:
          meta:
            tidegate:
              version: "1"
              owner: trials
              delivery: {kind: append, key: [nct_id], match: ["ctgov/*.csv"]}
              format: {type: csv}
        columns:
          - name: nct_id
            data_type: text
            description: Registry number.
            config: {meta: {tidegate: {required: true}}}
"""


def column(name: str, data_type: str) -> str:
    """One more column of a model."""
    return f"      - name: {name}\n        data_type: {data_type}\n        description: More.\n"


def write(folder: Path, **models: dict[str, str]) -> Path:
    """A project with these models, each given as changes of a plain one."""
    (folder / "contracts").mkdir(parents=True, exist_ok=True)
    (folder / "dbt_project.yml").write_text("name: p\n", encoding="utf-8")
    for name, changes in models.items():
        keys = {**PLAIN, "name": name, **changes}
        path = folder / "contracts" / keys["family"] / f"{name}.yml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(MODEL.format(**keys), encoding="utf-8")
    return folder


def loaded(folder: Path, **models: dict[str, str]) -> Project:
    return load_project(write(folder, **models))


def against(tmp_path: Path, old: dict[str, str], new: dict[str, str]) -> SubjectDiff:
    """`q_trials` before and after."""
    older = OlderContracts("main", "0" * 40, loaded(tmp_path / "old", q_trials=old))
    (subject,) = diff_against(older, loaded(tmp_path / "new", q_trials=new)).subjects
    return subject


def told(subject: SubjectDiff) -> list[tuple[str, str, str, str, str]]:
    """Code, column, old, new and classification of each change beside the shape."""
    return [
        (c.code.value, c.column, c.old, c.new, c.classification.value)
        for c in subject.reader_changes
    ]


@pytest.mark.parametrize(
    ("old", "new", "changes"),
    [
        ({}, {}, []),
        ({}, {"grain": "one trial"},
         [("grain_changed", "", "one registered study", "one trial", "warning")]),
        ({}, {"row_key": "status", "version": "2"},
         [("row_key_changed", "", "trial_key", "status", "breaking")]),
        ({}, {"row_key": "status"},
         [("row_key_changed", "", "trial_key", "status", "breaking"),
          ("version_not_raised", "", "1", "1", "warning")]),
        ({}, {"family": "trials"},
         [("family_changed", "", "clinical_trials", "trials", "warning")]),
        ({}, {"provenance": "optional"},
         [("provenance_policy_changed", "", "row_required", "optional", "warning")]),
        ({}, {"status": "enum: [open, done]"},
         [("enum_closed", "status", "", "open, done", "compatible")]),
        ({"status": "enum: [open, done]"}, {},
         [("enum_opened", "status", "open, done", "", "warning")]),
        ({"status": "enum: [open, done]"}, {"status": "enum: [done, held, stopped]"},
         [("enum_values_removed", "status", "open", "", "warning"),
          ("enum_values_added", "status", "", "held, stopped", "warning")]),
        ({"status": "enum: [open, done]"}, {"status": "enum: [done, open]"}, []),
        ({}, {"status": "sensitivity: sensitive, mask: hash", "version": "2"},
         [("mask_added", "status", "", "hash", "breaking")]),
        ({"status": "sensitivity: sensitive, mask: hash"},
         {"status": "sensitivity: sensitive, mask: redact", "version": "2"},
         [("mask_changed", "status", "hash", "redact", "breaking")]),
        ({"status": "sensitivity: sensitive, mask: hash"}, {},
         [("mask_removed", "status", "hash", "", "warning")]),
        ({}, {"tests": "      - unique: {arguments: {column_name: status}}\n"},
         [("gate_added", "", "", "unique (error)", "compatible")]),
        ({"tests": "      - provenance_coverage\n"}, {},
         [("gate_removed", "", "provenance_coverage (error)", "", "warning")]),
        ({"tests": "      - provenance_coverage\n"},
         {"tests": "      - provenance_coverage: {config: {severity: warn}}\n"},
         [("gate_weakened", "", "provenance_coverage (error)", "provenance_coverage (warn)",
           "warning")]),
        ({"tests": "      - provenance_coverage: {config: {severity: warn}}\n"},
         {"tests": "      - provenance_coverage: {config: {severity: error}}\n"},
         [("gate_strengthened", "", "provenance_coverage (warn)", "provenance_coverage (error)",
           "compatible")]),
        ({"tests": "      - provenance_coverage: {config: {where: 'status is not null'}}\n"},
         {"tests": "      - provenance_coverage\n"},
         [("gate_changed", "", "provenance_coverage (error)", "provenance_coverage (error)",
           "warning")]),
        ({"more": column("x", "int") + "        constraints: [{type: unique}]\n"},
         {"more": column("x", "int")}, [("unique_dropped", "", "x", "", "warning")]),
        ({"more": column("x", "int")},
         {"more": column("x", "int") + "        constraints: [{type: unique}]\n"},
         [("unique_added", "", "", "x", "compatible")]),
        (CALM, {},
         [("gate_removed", "", "quality_policy (error)", "", "warning"),
          ("quality_policy_changed", "", "version 1", "", "warning")]),
    ],
)  # fmt: skip
def test_readers_are_told_what_changes_beside_the_shape(
    tmp_path: Path,
    old: dict[str, str],
    new: dict[str, str],
    changes: list[tuple[str, str, str, str, str]],
) -> None:
    """Grain, key, closed values, masks and a version that hides a break."""
    assert told(against(tmp_path, old, new)) == changes


def test_models_and_datasets_that_come_and_go_are_one_change_each(tmp_path: Path) -> None:
    """Not one for each of their columns."""
    write(tmp_path / "old", q_gone={}, q_same={})
    (tmp_path / "old/contracts/datasets").mkdir()
    (tmp_path / "old/contracts/datasets/ctgov.yml").write_text(DATASET, encoding="utf-8")
    older = OlderContracts("v1", "0" * 40, load_project(tmp_path / "old"))
    newer = loaded(tmp_path / "new", q_come={}, q_same={})
    there, back = (
        diff_against(older, newer),
        diff_against(OlderContracts("v1", "0" * 40, newer), older.project),
    )
    codes = [
        [(s.subject, [c.code.value for c in s.reader_changes], s.mismatches) for s in r.subjects]
        for r in (there, back)
    ]
    assert codes == [
        [
            ("q_come", ["model_added"], ()),
            ("q_gone", ["model_removed"], ()),
            ("q_same", [], ()),
            ("studies", ["dataset_removed"], ()),
        ],
        [
            ("q_come", ["model_removed"], ()),
            ("q_gone", ["model_added"], ()),
            ("q_same", [], ()),
            ("studies", ["dataset_added"], ()),
        ],
    ]


def test_every_code_is_classified_and_explained() -> None:
    """The vocabularies are complete, for readers and for partners."""
    assert set(CLASSIFICATIONS) == set(MEANING) == set(ReaderChangeCode)
    assert set(FOR_READERS) == set(FOR_PARTNERS) == set(ChangeKind)


def test_a_contract_cannot_declare_its_own_change_harmless(tmp_path: Path) -> None:
    """Overrides are those of the contract that readers know."""
    extra = {"more": column("extra", "int")}
    smuggled = against(tmp_path / "a", extra, CALM)
    assert smuggled.highest is Classification.BREAKING
    agreed = against(tmp_path / "b", {**CALM, **extra}, CALM)
    assert agreed.highest is Classification.COMPATIBLE


def test_b28_a_column_without_a_type_is_refused_by_name(tmp_path: Path) -> None:
    """The message names file, line, model and column, and what to write."""
    nameless = "      - name: untyped\n        description: More.\n"
    with pytest.raises(ContractError) as refused:
        loaded(tmp_path, q_trials={"more": nameless})
    assert str(refused.value) == (
        "contracts/clinical_trials/q_trials.yml:25: models[q_trials].columns[untyped].data_type:"
        " is missing. Add a PostgreSQL type, such as `text`."
    )


@pytest.fixture
def report(tmp_path: Path) -> DiffReport:
    """A column gone, a type changed, values added, and one model as it was."""
    old = loaded(
        tmp_path / "old",
        q_sites={},
        q_trials={
            "status": "enum: [open, done]",
            "more": column("enrollment", "int") + column("gone", "date"),
        },
    )
    new = loaded(
        tmp_path / "new",
        q_sites={},
        q_trials={
            "status": "enum: [open, done, held]",
            "more": column("enrollment", "bigint[]"),
        },
    )
    return diff_against(OlderContracts("main", "a" * 40, old), new)


def test_the_text_is_a_table_of_all_mismatches(report: DiffReport) -> None:
    """Aligned between bars, as dbt prints a contract error; hints below; one line to sum up."""
    assert (
        to_text(report)
        == """\
q_trials: breaking, compared with q_trials at main
| column     | was     | is       | change kind   | reason code        | classification |
| ---------- | ------- | -------- | ------------- | ------------------ | -------------- |
| enrollment | integer | bigint[] | type_changed  | meaning_changed    | breaking       |
| gone       | date    |          | field_removed | removed            | breaking       |
| status     |         | held     |               | enum_values_added  | warning        |
| (all)      | 1       | 1        |               | version_not_raised | warning        |

2 contracts compared, 1 agree; differences: 2 breaking, 2 warning."""
    )


def test_a_terminal_gets_colours_and_the_same_words(report: DiffReport) -> None:
    """Brackets of arrays are no markup."""
    text = to_text(report, terminal=True, width=160)
    assert "\x1b[31mbreaking" in text
    assert "bigint[]" in text
    assert "version_not_raised" in text


def test_the_markdown_says_what_readers_notice(report: DiffReport) -> None:
    """A pull request shows what the change breaks, in words."""
    lines = to_markdown(report).splitlines()
    assert lines[:5] == [
        "### Contracts against `main`",
        "",
        "**2 contracts compared, 1 agree; differences: 2 breaking, 2 warning.**",
        "",
        "#### Model `q_trials`: breaking, compared with `q_trials at main`",
    ]
    assert [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines[6:]] == [
        ["column", "was", "is", "change", "what readers notice"],
        ["-" * 12, "-" * 9, "-" * 10, "-" * 28, "-" * 62],
        ["`enrollment`", "`integer`", "`bigint[]`", "`meaning_changed` breaking",
         "Comparisons, joins and exports may fail or give other results."],
        ["`gone`", "`date`", "", "`removed` breaking", "Queries that name the column fail."],
        ["`status`", "", "`held`", "`enum_values_added` warning",
         "Queries that list every value miss the new ones."],
        ["(all)", "`1`", "`1`", "`version_not_raised` warning",
         "A breaking change looks like the version they know."],
    ]  # fmt: skip


def test_the_json_is_the_complete_diff(report: DiffReport) -> None:
    """Counts, the commit, and every change; it is plain JSON."""
    document = json.loads(json.dumps(report.document()))
    assert {key: document[key] for key in ("against", "compared", "agree", "counts")} == {
        "against": {"ref": "main", "commit": "a" * 40},
        "compared": 2,
        "agree": 1,
        "counts": {"breaking": 2, "warning": 2, "compatible": 0, "unknown": 0},
    }
    assert document["subjects"][0] == {
        "subject": "q_sites",
        "kind": "model",
        "compared_with": "q_sites at main",
        "classification": "compatible",
        "mismatches": [],
        "reader_changes": [],
    }
    assert document["subjects"][1]["mismatches"][1] == {
        "column": "gone",
        "contract": "date",
        "found": None,
        "kind": "field_removed",
        "reason_code": "removed",
        "classification": "breaking",
        "hint": None,
    }
    assert document["subjects"][1]["reader_changes"][0] == {
        "code": "enum_values_added",
        "column": "status",
        "old": None,
        "new": "held",
        "classification": "warning",
        "meaning": "Queries that list every value miss the new ones.",
    }


def test_hostile_names_do_nothing_to_a_terminal_or_a_pull_request() -> None:
    """Escapes, bars, backticks, tags and line breaks of a live column's name are only shown."""
    name = "a\x1b[31m|`<b>\n\u202e"
    mismatch = Mismatch(
        name, "", "integer", ChangeKind.FIELD_ADDED_NULLABLE, ReasonCode.UNDOCUMENTED_COLUMN,
        Classification.WARNING, hint=f"`{name}`",
    )  # fmt: skip
    report = DiffReport((SubjectDiff("q_x", "model", "query.q_x", (mismatch,)),))
    for text in (to_text(report), to_markdown(report)):
        assert "\x1b" not in text
        assert "\u202e" not in text
    row = to_markdown(report).splitlines()[-1]
    assert row.startswith(r"| `a\x1b[31m\|'<b>\n\u202e` |")
    assert "&lt;b>" in row
    assert shown("ab") == "ab"


def git(folder: Path, *arguments: str) -> None:
    """Run git without anybody's configuration."""
    subprocess.run(
        ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", *arguments],
        cwd=folder,
        check=True,
        capture_output=True,
        env={"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null", "PATH": "/usr/bin:/bin"},
    )


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository whose project is a folder of it, with a policy in a JSON file."""
    calm = {**CALM, "policy": "          quality_policy: p.json\n"}
    project = write(tmp_path / "warehouse", q_trials=calm)
    policy = '{"version": "1", "rules": [{"id": "some", "type": "row_count", "minimum": 1}]}'
    (project / "p.json").write_text(policy, encoding="utf-8")
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "one")
    return project


def test_contracts_of_a_commit_are_read_without_touching_the_work_tree(repository: Path) -> None:
    """The project may be a folder of the repository; changes that are not committed stay."""
    before = load_project(repository)
    write(repository, q_trials={"version": "9"}, q_new={})
    older = load_at(repository, "main")
    assert older.project == before
    assert len(older.commit) == 40
    assert load_project(repository).models.keys() == {"q_new", "q_trials"}


def test_a_commit_before_the_first_contract_has_none(repository: Path) -> None:
    """Everything is new then."""
    git(repository, "rm", "-q", "-r", "contracts")
    git(repository, "commit", "-q", "-m", "two")
    assert load_at(repository, "HEAD").project.models == {}
    assert load_at(repository, "HEAD~1").project.models.keys() == {"q_trials"}


@pytest.mark.parametrize("ref", ["nowhere", "--output=x", "", "main:contracts"])
def test_a_ref_that_names_no_commit_is_refused(repository: Path, ref: str) -> None:
    """Options of git are no refs."""
    with pytest.raises(UsageError) as refused:
        load_at(repository, ref)
    assert str(refused.value) == (
        f"git knows no commit {ref!r}. Name a branch, tag or commit; in a shallow clone, fetch it"
        " first."
    )


def test_without_a_repository_there_is_nothing_to_compare_with(tmp_path: Path) -> None:
    """The message says so, and what --against does."""
    with pytest.raises(UsageError) as refused:
        load_at(tmp_path, "main")
    assert str(refused.value) == (
        f"{tmp_path} is not in a git repository. --against compares with contracts of an earlier"
        " commit."
    )


def test_older_contracts_that_do_not_load_are_named_with_their_ref(repository: Path) -> None:
    """A comparison with half of the contracts would be a pass for the others."""
    write(repository, q_trials={"version": '1"\n          unheard_of: "1'})
    git(repository, "commit", "-q", "-a", "-m", "two")
    write(repository, q_trials={})
    with pytest.raises(ContractError) as refused:
        load_at(repository, "HEAD")
    assert str(refused.value).startswith("HEAD:contracts/clinical_trials/q_trials.yml:11: ")
    assert "unheard_of" in str(refused.value)


def test_every_code_is_documented() -> None:
    """docs/diff.md names each kind, reason and reader change."""
    text = (Path(__file__).parents[2] / "docs" / "diff.md").read_text(encoding="utf-8")
    codes = [code.value for kind in (ChangeKind, ReasonCode, ReaderChangeCode) for code in kind]
    assert [code for code in codes if f"`{code}`" not in text] == []
