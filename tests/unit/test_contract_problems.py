"""Every kind of bad contract is refused with file, line, key, what was expected and the remedy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from contract_texts import DATASET, FULL_DATASET, FULL_MODEL, MODEL, write
from tidegate.contracts.load import load_project
from tidegate.errors import ContractError

CASES: dict[str, list[dict[str, Any]]] = yaml.safe_load(
    Path(__file__).with_name("contract_problems.yml").read_text(encoding="utf-8")
)
MODEL_FILE = "contracts/clinical_trials/q_trials.yml"
DATASET_FILE = "contracts/datasets/ctgov.yml"
TEXTS = {
    "models": (MODEL, MODEL_FILE),
    "datasets": (DATASET, DATASET_FILE),
    "delimited": (FULL_DATASET, DATASET_FILE),
}


def problems(folder: Path, files: dict[str, str | bytes]) -> list[str]:
    """All problems of a project with these files, as a person reads them."""
    write(folder, {name: text for name, text in files.items() if isinstance(text, str)})
    for name, text in files.items():
        if isinstance(text, bytes):
            write(folder, {name: ""})
            (folder / "contracts" / name).write_bytes(text)
    with pytest.raises(ContractError) as caught:
        load_project(folder)
    assert str(caught.value) == "\n".join(str(problem) for problem in caught.value.problems)
    return [str(problem) for problem in caught.value.problems]


@pytest.mark.parametrize(
    ("section", "case"),
    [
        pytest.param(section, case, id=case["rule"])
        for section, cases in CASES.items()
        for case in cases
    ],
)
def test_a_bad_contract_is_refused(tmp_path: Path, section: str, case: dict[str, Any]) -> None:
    """The whole message is asserted; contract_problems.yml names each rule."""
    text, file = TEXTS[section]
    assert case["old"] in text
    changed = text.replace(case["old"], case["new"], 1)
    found = problems(tmp_path, {file.removeprefix("contracts/"): changed})
    assert found == [f"{file}:{problem}" for problem in case["problems"]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", ": is empty. Write a contract, or delete the file."),
        (b"~", ": is empty. Write a contract, or delete the file."),
        (b"# nothing yet\n", ": is empty. Write a contract, or delete the file."),
        (b"\xef\xbb\xbfversion: 2\n", ":1: starts with a byte order mark. "
         "Save it as UTF-8 without BOM."),
        ("version: 2\n".encode("utf-16"), ": is UTF-16. Save it as UTF-8."),
        (b"version: 2\n# caf\xe9\n", ":2: is not UTF-8 text. Save the file as UTF-8."),
        (b"version: 2\nmodels:\n\t- name: x\n", ":3: is not YAML: a tab; YAML is indented with "
         "spaces. Correct the YAML; an editor with the schema shows the place."),
        (b"version: 2\nmodels: [\n", ":2: is not YAML: did not find expected node content. "
         "Correct the YAML; an editor with the schema shows the place."),
        (b"a: \x01\n", ": is not YAML: it holds a character YAML does not allow or nests too "
         "deeply. Correct the YAML; an editor with the schema shows the place."),
        (b"[" * 100_000, ":1: is not YAML: exceeded maximum nesting depth. "
         "Correct the YAML; an editor with the schema shows the place."),
        (b"version: 2\n---\nversion: 2\n", ":2: holds a second document (`---`); a contract file "
         "is one document. Correct the YAML; an editor with the schema shows the place."),
        (b"version: *x\n", ":1: uses an alias (*) that no anchor (&) defines. "
         "Correct the YAML; an editor with the schema shows the place."),
        (b"- version: 2\n", ":1: is not a mapping. Start it with `version: 2`."),
        (b"just text\n", ":1: is not a mapping. Start it with `version: 2`."),
        (b"x" * (1 << 20) + b"x", ": has 1,048,577 bytes; at most 1,048,576 are read. "
         "Split the file."),
        (b"version: &v [*v]\n", ":1: expands to more than 100,000 values or 64 levels. "
         "Remove the aliases that repeat each other."),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_read_is_one_clear_error(
    tmp_path: Path, text: bytes, message: str
) -> None:
    """No trace, no half-read contract, no guess at an encoding."""
    found = problems(tmp_path, {"clinical_trials/q_trials.yml": text})
    assert found == [f"{MODEL_FILE}{message}"]


def test_a_yaml_bomb_is_refused_quickly(tmp_path: Path) -> None:
    """Nine levels of nine aliases would be 400 million values."""
    levels = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    for level in range(1, 9):
        aliases = ", ".join([f"*a{level - 1}"] * 9)
        levels.append(f"a{level}: &a{level} [{aliases}]")
    found = problems(tmp_path, {"clinical_trials/q_trials.yml": "\n".join(levels)})
    assert found == [
        f"{MODEL_FILE}:1: expands to more than 100,000 values or 64 levels. "
        "Remove the aliases that repeat each other."
    ]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("? [a, b]\n: c", "1: has a key that is not text. Put the key in quotes."),
        ("yes: 1", "1: has a key that is not text. Put the key in quotes."),
        (
            "x: !!python/object:os.system ls",
            "1: x: has the YAML tag 'tag:yaml.org,2002:python/object:os.system'. Remove the tag.",
        ),
        ("x: !!int zz", "1: x: is not a value YAML can read. Put it in quotes."),
        ("x: {<<: [1]}", "1: x: merges something that is not a mapping. Remove <<."),
        ('x: "a\\0b"', "1: x: holds a NUL, which PostgreSQL cannot store. Remove it."),
    ],
)
def test_surprises_of_yaml_are_problems(tmp_path: Path, line: str, problem: str) -> None:
    """What YAML would decide by itself, a person decides."""
    found = problems(tmp_path, {"clinical_trials/q_trials.yml": f"{line}\n{MODEL}"})
    assert f"{MODEL_FILE}:{problem}" in found


def test_anchors_and_merge_keys_mean_what_dbt_takes_them_for(tmp_path: Path) -> None:
    """A key written out wins over a merged one; the merged column is a column like others."""
    text = MODEL.replace(
        "      - name: trial_key\n        data_type: text\n",
        "      - &key\n        name: trial_key\n        data_type: text\n",
    ).replace(
        "    data_tests:",
        "      - {<<: *key, name: other_key}\n    data_tests:",
    )
    project = load_project(write(tmp_path, {"clinical_trials/q_trials.yml": text}))
    names = [(it.name, it.nullable) for it in project.models["q_trials"].columns]
    assert names == [("trial_key", False), ("enrollment", True), ("other_key", False)]


def test_all_problems_of_all_files_come_at_once(tmp_path: Path) -> None:
    """A mistake in one column hides neither its other mistakes nor those of other files."""
    found = problems(
        tmp_path,
        {
            "datasets/ctgov.yml": DATASET.replace("append", "apend").replace("text", "string"),
            "clinical_trials/q_trials.yml": MODEL.replace("int4", "strng")
            .replace("grain:", "grian:")
            .replace("enrollment >= 0", "1"),
            "empty.yml": "",
        },
    )
    assert [text.partition(" ")[0] for text in found] == [
        f"{MODEL_FILE}:8:",
        f"{MODEL_FILE}:12:",
        f"{MODEL_FILE}:21:",
        f"{MODEL_FILE}:23:",
        f"{DATASET_FILE}:14:",
        f"{DATASET_FILE}:18:",
        f"{DATASET_FILE}:22:",
        "contracts/empty.yml:",
    ]


def test_one_name_is_one_contract_across_files(tmp_path: Path) -> None:
    """The second model or dataset of a name says where the first is."""
    other = MODEL.replace("family: clinical_trials", "family: other")
    found = problems(
        tmp_path,
        {
            "clinical_trials/q_trials.yml": MODEL,
            "other/q_trials.yml": other,
            "datasets/a.yml": DATASET,
            "datasets/b.yml": DATASET.replace("name: ctgov\n", "name: other\n"),
        },
    )
    assert found == [
        "contracts/datasets/b.yml:6: sources[other].tables[ctgov_studies].name: dataset "
        "'ctgov_studies' is also in contracts/datasets/a.yml:6. Keep one of them.",
        "contracts/other/q_trials.yml:3: models[q_trials].name: model 'q_trials' is also in "
        f"{MODEL_FILE}:3. Keep one of them.",
    ]


def test_a_source_stands_in_its_folder(tmp_path: Path) -> None:
    """Families hold models, contracts/datasets/ holds what is delivered."""
    assert problems(tmp_path, {"clinical_trials/ctgov.yml": DATASET}) == [
        "contracts/clinical_trials/ctgov.yml:3: sources[ctgov]: is a source outside "
        "contracts/datasets/. Move it to a file there."
    ]


def test_a_file_that_dbt_does_not_read_is_a_problem(tmp_path: Path) -> None:
    """A contract that nobody reads would promise nothing in silence."""
    assert problems(tmp_path, {"clinical_trials/q_trials.YML": MODEL}) == [
        "contracts/clinical_trials/q_trials.YML: is not read by dbt. Rename it to q_trials.yml."
    ]


def test_a_name_never_reaches_a_terminal_as_control_characters(tmp_path: Path) -> None:
    """Escapes in a name are shown, not obeyed."""
    text = MODEL.replace("name: enrollment", 'name: "a\\e[31m\\nb"')
    assert problems(tmp_path, {"clinical_trials/q_trials.yml": text})[0] == (
        f"{MODEL_FILE}:20: models[q_trials].columns['a\\x1b[31m\\nb'].name: the name holds an "
        "invisible character. Remove it; a partner's own spelling goes into `header`."
    )


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        ('{"a": 1, "a": 2}', "policy.json has the key 'a' twice. Keep one of them."),
        ("{", "policy.json is not JSON in UTF-8. Correct the file."),
        ("[]", "policy.json is not a JSON object. Correct the file."),
        ("[" * 100_000, "policy.json is not JSON in UTF-8. Correct the file."),
        ('{"a": NaN}', "policy.json is not JSON in UTF-8. Correct the file."),
    ],
)
def test_a_policy_file_is_read_strictly(tmp_path: Path, policy: str, message: str) -> None:
    """What JSON parsers settle in silence is a problem here."""
    (tmp_path / "policy.json").write_text(policy, encoding="utf-8")
    text = DATASET.replace(
        "owner: trials", "owner: trials\n              quality_policy: policy.json"
    )
    assert problems(tmp_path, {"datasets/ctgov.yml": text}) == [
        f"{DATASET_FILE}:14: sources[ctgov].tables[ctgov_studies].config.meta.tidegate"
        f".quality_policy: {message}"
    ]


def test_misspelt_tests_are_named_where_the_project_has_tests(tmp_path: Path) -> None:
    """dbt would say only that a macro is missing."""
    generic = tmp_path / "macros" / "generic"
    generic.mkdir(parents=True)
    (generic / "schema_contract.sql").write_text(
        "{% test schema_contract(model) %}{% endtest %}", encoding="utf-8"
    )
    text = MODEL.replace("- schema_contract", "- schema_contrat\n      - not_null")
    assert problems(tmp_path, {"clinical_trials/q_trials.yml": text}) == [
        f"{MODEL_FILE}:25: models[q_trials].data_tests[0]: 'schema_contrat' is not a test. "
        "Did you mean `schema_contract`?"
    ]


def test_everything_a_contract_may_say_is_accepted(tmp_path: Path) -> None:
    """Every key at once, with names that only quotes carry."""
    project = load_project(
        write(
            tmp_path,
            {"datasets/drugs.yml": FULL_DATASET, "clinical_trials/q_trials.yml": FULL_MODEL},
        )
    )
    model = project.models["q_trials"]
    assert model.column("Käse order").type.sql == "character varying(20)"
    assert model.unique == (("trial_key",),)
    assert [check.name for check in model.checks] == ["no_self"]
    assert model.policy is not None
    assert project.datasets["drug_products"].column("Date Approved").keys.parse.date_format


def test_a_family_keeps_one_number_of_generations(tmp_path: Path) -> None:
    """Its models are published and pruned together."""
    keep = "retention: {generations: %d}\n          provenance:"
    found = problems(
        tmp_path,
        {
            "clinical_trials/q_a.yml": MODEL.replace("q_trials", "q_a").replace(
                "provenance:", keep % 2
            ),
            "clinical_trials/q_b.yml": MODEL.replace("q_trials", "q_b"),
            "clinical_trials/q_c.yml": MODEL.replace("q_trials", "q_c").replace(
                "provenance:", keep % 3
            ),
        },
    )
    assert found == [
        "contracts/clinical_trials/q_c.yml:14: models[q_c].config.meta.tidegate.retention"
        ".generations: is 3, but q_a keeps 2. "
        "A family has one number: write it in one model, or the same in all."
    ]


def test_freshness_is_not_measured_on_a_column_that_needs_quotes(tmp_path: Path) -> None:
    """dbt puts the name into its query as it stands."""
    text = FULL_DATASET.replace("loaded_at_field: _received_at", "loaded_at_field: Date Approved")
    assert problems(tmp_path, {"datasets/drugs.yml": text}) == [
        "contracts/datasets/drugs.yml:14: sources[drugs].tables[drug_products].config"
        ".loaded_at_field: 'Date Approved' needs quotes, which dbt does not put. "
        "Use `_received_at`."
    ]
