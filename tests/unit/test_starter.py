"""`tidegate init`: what is missing is added, what is there is never overwritten."""

from __future__ import annotations

import json
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

import tidegate
from command_line import CommandLine
from tidegate.contracts import draft
from tidegate.contracts.load import load_project
from tidegate.contracts.surroundings import look_around
from tidegate.errors import BuildFailed, ContractError, UsageError
from tidegate.macros import FOLDERS, macros_dir
from tidegate.publishing import package
from tidegate.starter import plan as planning
from tidegate.starter.plan import Plan, make_plan
from tidegate.starter.write import carry_out
from tidegate.warehouse import Warehouse


def init(folder: Path, name: str | None = None) -> Plan:
    """Plan and carry out."""
    plan = make_plan(folder, name, "{}\n")
    carry_out(plan)
    return plan


def texts(folder: Path) -> dict[str, str]:
    """Every file of a folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def existing(folder: Path, **files: str) -> Path:
    """A dbt project of somebody else; `__` in a name is a folder, `_` before the suffix a dot."""
    for name, text in files.items():
        file = folder / name.replace("__", "/").replace("_dot_", ".")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return folder


def test_an_empty_folder_becomes_a_project_whose_contracts_hold(tmp_path: Path) -> None:
    """Dataset and model of the example load; a second run has nothing to write."""
    folder = tmp_path / "My-Shop"
    plan = init(folder)
    assert (plan.project, plan.is_new_project) == ("my_shop", True)
    assert all(step.is_new for step in plan.steps)
    project = load_project(folder)
    assert (list(project.datasets), list(project.models)) == (["products"], ["q_products"])
    settings = yaml.safe_load((folder / "dbt_project.yml").read_text())
    assert (settings["name"], settings["profile"]) == ("my_shop", "my_shop")
    assert list(settings["models"]) == ["my_shop"]
    assert list(yaml.safe_load((folder / "profiles.example.yml").read_text())) == ["my_shop"]
    before = texts(folder)
    again = init(folder)
    assert (again.steps, again.is_new_project) == ((), False)
    assert texts(folder) == before


def test_a_profile_holds_no_secret_and_no_address(tmp_path: Path) -> None:
    """Everything of the example comes from the environment."""
    init(tmp_path / "shop")
    profile = yaml.safe_load((tmp_path / "shop" / "profiles.example.yml").read_text())["shop"]
    for key in ("host", "port", "user", "password", "dbname", "sslmode"):
        assert "env_var(" in profile["outputs"]["dev"][key]


def test_the_parts_that_two_modules_name_are_the_same() -> None:
    """The folder of the package, and the macros that a project must have."""
    assert planning.PACKAGE == package.FOLDER
    assert set(package.OVERRIDES) < set(planning.OVERRIDES)


def test_a_project_that_is_there_only_grows(tmp_path: Path) -> None:
    """One entry each in model-paths, packages and .gitignore; comments and order stay."""
    folder = existing(
        tmp_path,
        dbt_project_dot_yml='# ours\nname: lib\nmodel-paths: ["models"] # all\nprofile: lib\n',
        packages_dot_yml="packages:\n  - package: dbt-labs/dbt_utils\n    version: 1.3.0\n",
        _dot_gitignore="target/\n/logs",
        macros__own_dot_sql="{% macro ref() %}{{ return(tidegate.ref(*varargs)) }}{% endmacro %}",
        samples__shop__products_dot_csv="mine\n",
    )
    plan = init(folder)
    assert (folder / "dbt_project.yml").read_text() == (
        '# ours\nname: lib\nmodel-paths: ["models", "contracts"] # all\nprofile: lib\n'
    )
    assert (folder / "packages.yml").read_text() == (
        "packages:\n  - local: .tidegate/package\n"
        "  - package: dbt-labs/dbt_utils\n    version: 1.3.0\n"
    )
    assert (folder / ".gitignore").read_text() == (
        "target/\n/logs\n.tidegate/\ndbt_packages/\nprofiles.yml\n.user.yml\n"
    )
    assert (folder / "samples/shop/products.csv").read_text() == "mine\n"
    assert not (folder / "macros" / "ref.sql").exists()
    assert set(plan.kept) == {"macros/own.sql", "samples/shop/products.csv"}
    assert not any(step.by_hand for step in plan.steps)
    assert init(folder).steps == ()


def test_model_paths_that_nobody_named_are_named(tmp_path: Path) -> None:
    """dbt's default is kept in them."""
    folder = existing(tmp_path, dbt_project_dot_yml="name: lib\nprofile: lib\n")
    init(folder)
    settings = yaml.safe_load((folder / "dbt_project.yml").read_text())
    assert settings["model-paths"] == ["models", "contracts"]


def test_what_cannot_be_added_safely_is_left_to_a_person(tmp_path: Path) -> None:
    """A list in block style, a flow list of packages, a macro that goes its own way: told."""
    files = {
        "dbt_project_dot_yml": "name: lib\nmodel-paths:\n  - models\n",
        "dependencies_dot_yml": "packages: [{package: a/b, version: 1.0.0}]\n",
        "macros__mine_dot_sql": "{% macro generate_schema_name(a, b) %}x{% endmacro %}",
    }
    folder = existing(tmp_path, **files)
    before = texts(folder)
    plan = init(folder)
    assert [(step.path, step.why) for step in plan.steps if step.by_hand] == [
        ("dbt_project.yml", 'add "contracts" to model-paths'),
        ("dependencies.yml", "add `- local: .tidegate/package` to packages"),
        (
            "macros/mine.sql",
            "let the macro `generate_schema_name` end in"
            " `return(tidegate.generate_schema_name(…))`",
        ),
    ]
    assert {path: text for path, text in texts(folder).items() if path in before} == before


@pytest.mark.parametrize(
    "entry",
    [
        "git: https://example.org/tidegate.git",
        "local: ../tidegate",
        "local: ../checkout",
        "local: {tmp_path}/checkout",
    ],
)
def test_a_package_that_is_installed_otherwise_stays(tmp_path: Path, entry: str) -> None:
    """From git or a clone, whatever its folder is called: no second one."""
    (tmp_path / "checkout").mkdir()
    (tmp_path / "checkout" / "dbt_project.yml").write_text("name: tidegate\n")
    folder = existing(
        tmp_path / "lib",
        dbt_project_dot_yml="name: lib\n",
        packages_dot_yml=f"packages:\n  - {entry.format(tmp_path=tmp_path)}\n",
    )
    assert "packages.yml" in init(folder).kept


@pytest.mark.parametrize("name", ["tidegate", "dbt", "9lives", "a-b", ""])
def test_a_name_that_dbt_or_tidegate_needs_is_refused(tmp_path: Path, name: str) -> None:
    """Two packages of one name cannot be installed."""
    with pytest.raises(UsageError) as refused:
        make_plan(tmp_path / (name or "---"), name or None, "")
    assert str(refused.value) == (
        f"{name!r} cannot be the name of a project that uses Tidegate."
        " Give another with --name: lower-case letters, digits and underscores,"
        " not tidegate, tidegate_reference, dbt, dbt_postgres."
    )


def test_a_folder_that_is_none_and_another_name_are_refused(tmp_path: Path) -> None:
    """Nothing is guessed."""
    existing(tmp_path, file="", dbt_project_dot_yml="name: lib\n", b__dbt_project_dot_yml="- 1\n")
    for folder, name, message in (
        (tmp_path / "file", None, f"{tmp_path / 'file'} is not a folder."
         " Name a folder, or an empty place."),
        (tmp_path, "other", f"{tmp_path} is already the dbt project lib."
         " Leave --name out, or correct it."),
        (tmp_path / "b", None, f"{tmp_path / 'b' / 'dbt_project.yml'} names no project, or is no"
         " YAML. Correct it: `dbt debug` says more."),
    ):  # fmt: skip
        with pytest.raises(UsageError) as refused:
            make_plan(folder, name, "")
        assert str(refused.value) == message


def test_a_file_that_appears_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    """Between plan and writing, somebody else was quicker."""
    plan = make_plan(tmp_path, "shop", "")
    (tmp_path / "dbt_project.yml").write_text("theirs")
    with pytest.raises(UsageError) as refused:
        carry_out(plan)
    assert str(refused.value) == (
        f"{tmp_path / 'dbt_project.yml'} has appeared meanwhile. Run the command again."
    )
    assert (tmp_path / "dbt_project.yml").read_text() == "theirs"


def test_a_dry_run_writes_nothing_and_says_what_it_would(tmp_path: Path) -> None:
    """The same list as afterwards, in the conditional; a real run says what to do next."""
    line = CommandLine(tmp_path, Warehouse("", "test"))
    folder = tmp_path / "shop"
    answer = line.run("init", str(folder), "--dry-run")
    assert answer.code == 0, answer
    assert not folder.exists()
    assert answer.out.startswith("would create dbt_project.yml: the dbt project\n")
    assert answer.out.endswith("Nothing was written: a dry run.\n")
    answer = line.run("init", str(folder))
    assert "created  dbt_project.yml: the dbt project\n" in answer.out
    assert answer.out.endswith(
        f"Next:\n  cd {folder}\n"
        "  tidegate contract check      # are the contracts right?\n"
        "  tidegate refresh             # land what arrived, build, judge, publish\n"
        "Then replace the example by your own tables: Tidegate's docs/adopting.md goes"
        " through it.\n"
    )
    document = json.loads(line.run("init", str(folder), "--json").out)
    assert (document["created"], document["changed"], document["by_hand"]) == ([], [], [])
    assert "dbt_project.yml" in document["kept"]


def test_the_package_is_made_of_links_and_made_once(tmp_path: Path) -> None:
    """Installed as `dbt deps` would; made again it changes nothing; elsewhere nothing is made."""
    package.provide(tmp_path)
    assert list(tmp_path.iterdir()) == []
    init(tmp_path / "shop")
    for _ in range(2):
        package.provide(tmp_path / "shop")
        installed = tmp_path / "shop" / "dbt_packages" / "tidegate"
        assert yaml.safe_load((installed / "dbt_project.yml").read_text())["name"] == "tidegate"
        assert (installed / "macros" / "gates" / "schema_contract.sql").is_file()
        assert [path.name for path in installed.parent.iterdir()] == ["tidegate"]


def test_a_project_of_ones_own_needs_no_example(tmp_path: Path) -> None:
    """`--no-example` adds what every project needs, and nothing of a shop."""
    line = CommandLine(tmp_path, Warehouse("", "test"))
    answer = line.run("init", str(tmp_path / "bakery"), "--no-example")
    assert answer.code == 0, answer
    assert not [path for path in texts(tmp_path / "bakery") if "shop" in path]
    assert "  write a contract and its model: " in answer.out


def manifest(project: str, **changed: str) -> dict[str, Any]:
    """What dbt has read: Tidegate's macros as they are, but for `changed`, and the overrides."""
    found = {}
    for part in FOLDERS:
        for path in (macros_dir() / part).glob("*.sql"):
            for text, name in MACRO.findall(path.read_text(encoding="utf-8")):
                found[f"macro.tidegate.{name}"] = SimpleNamespace(
                    name=name, package_name="tidegate", macro_sql=changed.get(name, text)
                )
    found["macro.tidegate.ref"] = SimpleNamespace(name="ref", package_name="tidegate", macro_sql="")
    for name in package.OVERRIDES:
        found[f"macro.{project}.{name}"] = SimpleNamespace(
            name=name, package_name=project, macro_sql=f"{{{{ return(tidegate.{name}()) }}}}"
        )
    return found


MACRO = re.compile(r"({%-?\s*macro\s+(\w+)\s*\(.*?endmacro\s*-?%})", re.DOTALL)


def test_a_project_without_the_package_or_an_override_is_refused() -> None:
    """Its gates would not run, or on what is published already."""
    package.require("tidegate", {})
    package.require("shop", manifest("shop"))
    with pytest.raises(BuildFailed) as refused:
        package.require("shop", {})
    assert str(refused.value) == (
        "The dbt project shop does not install the package tidegate."
        " Run `tidegate init` in it: what is missing is added, nothing is overwritten."
    )
    known = manifest("shop")
    del known["macro.shop.ref"]
    with pytest.raises(BuildFailed) as refused:
        package.require("shop", known)
    assert str(refused.value) == (
        "The dbt project shop lacks the macros ref, which dbt looks for in the project that runs"
        " and nowhere else."
        " Run `tidegate init` in it: what is missing is added, nothing is overwritten."
    )


def test_an_override_that_does_not_hand_on_is_refused() -> None:
    """A project's own `ref` or schema names would take its models from where they are judged."""
    known = manifest("shop")
    known["macro.shop.ref"].macro_sql = "{{ return(builtins.ref(*varargs)) }}"
    with pytest.raises(BuildFailed) as refused:
        package.require("shop", known)
    assert str(refused.value) == (
        "The macros ref of the dbt project shop do not hand on to those of tidegate: candidates"
        " would be built and read in the wrong places. Let each end in"
        " `return(tidegate.<its name>(…))`; `tidegate init` names them."
    )


def test_a_package_of_another_version_is_refused() -> None:
    """dbt and the harness would judge by different SQL."""
    with pytest.raises(BuildFailed) as refused:
        package.require("shop", manifest("shop", schema_contract="{% macro schema_contract() %}"))
    assert str(refused.value) == (
        "The package tidegate that shop installs is not of the version that runs,"
        f" {tidegate.__version__}: 1 macros differ, schema_contract for one."
        " Install `- local: .tidegate/package`, or the same version in both places."
    )


@pytest.mark.parametrize(("packages", "prefix"), [("packages.yml", "tidegate."), ("other", "")])
def test_drafts_name_gates_as_the_project_has_to(
    tmp_path: Path, packages: str, prefix: str
) -> None:
    """With the package's name where Tidegate is one; there nobody need have receipts, or tables."""
    (tmp_path / packages).write_text("")
    assert look_around(tmp_path).prefix == prefix
    relation = draft.DraftRelation("orders", "", [], ())
    text = yaml.safe_load(draft.model_text(relation, "shop", prefix))
    (model,) = text["models"]
    assert model["data_tests"][0] == f"{prefix}schema_contract"
    keys = model["config"]["meta"]["tidegate"]
    found = (len(model["data_tests"]), model["config"].get("materialized"), keys["provenance"])
    assert found == (
        (1, "table", {"policy": "none"}) if prefix else (3, None, {"policy": "row_required"})
    )


def test_a_gate_of_the_package_is_called_by_its_name(tmp_path: Path) -> None:
    """Without it dbt would find no such test; a misspelt one is told with the right one."""
    init(tmp_path / "shop")
    file = tmp_path / "shop" / "contracts" / "shop" / "q_products.yml"
    right = file.read_text()
    for written, said in (
        ("- schema_contract", "'schema_contract' is a test of Tidegate."
         " Write `tidegate.schema_contract`."),
        ("- tidegate.schema_contrat", "'tidegate.schema_contrat' is not a test."
         " Did you mean `tidegate.schema_contract`?"),
    ):  # fmt: skip
        file.write_text(right.replace("- tidegate.schema_contract", written))
        with pytest.raises(ContractError) as refused:
            load_project(tmp_path / "shop")
        assert str(refused.value).endswith(said), refused.value
    file.write_text(right + "      - dbt_utils.at_least_one: {arguments: {column_name: sku}}\n")
    load_project(tmp_path / "shop")
