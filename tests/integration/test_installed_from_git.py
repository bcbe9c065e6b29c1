"""This repository as a dbt package from git: what a clone brings along stays out of the way."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from library_project import BOOKS, LOANS, REPOSITORY, make_library
from tidegate.warehouse import Warehouse

REVISION = "v0.1.0"


@pytest.mark.timeout(300)
def test_the_package_comes_from_git(tmp_path: Path, warehouse: Warehouse) -> None:
    """`dbt deps` clones it, without network; dbt says green and red, and the harness publishes."""
    library = make_library(tmp_path / "library", warehouse)
    packages = {"packages": [{"git": served(tmp_path / "tidegate"), "revision": REVISION}]}
    (library.folder / "packages.yml").write_text(json.dumps(packages))
    answer = library.tidegate("refresh")
    assert answer.code == 2
    assert answer.err == (
        "Error [build_failed]: dbt cannot read the project: Compilation Error dbt found 1"
        " package(s) specified in packages.yml, but only 0 package(s) installed in dbt_packages."
        ' Run "dbt deps" to install package dependencies.\n'
        "Run `dbt parse` to see it in full.\nServing views unchanged.\n"
    )
    library.dbt("deps")
    package = library.folder / "dbt_packages" / "tidegate"
    assert not package.is_symlink()
    assert (package / "contracts" / "tidegate.schema.json").is_file()
    answer = library.tidegate("contract", "check")
    assert answer.out == "2 datasets, 3 models (library 3): no problems.\n"
    landing = [
        part
        for name, text in (("books.csv", BOOKS), ("loans.csv", LOANS))
        for part in ("--land", library.deliver(name, text))
    ]
    answer = library.tidegate("refresh", *landing)
    assert answer.code == 0, answer
    assert "\nlibrary g000001 published: 3 models, 26 rows, 7 gates passed\n" in answer.out
    strict = ("build", "--target", "ci", "--vars", "{tidegate_when_empty: block}")
    assert library.dbt(*strict) == {"success": 4, "pass": 14}
    manifest = json.loads((library.folder / "target" / "manifest.json").read_text())
    found = [*manifest["nodes"].values(), *manifest["sources"].values()]
    assert {node["package_name"] for node in found} == {"library"}
    path = library.folder / "models" / "query" / "library" / "q_loans.sql"
    path.write_text(path.read_text().replace("isbn,", "'978-9'::text as isbn,", 1))
    assert library.dbt(*strict, "--select", "q_loans") == {"success": 1, "pass": 2, "fail": 1}
    answer = library.tidegate("refresh")
    assert answer.code == 1, answer
    assert "  referential_integrity on q_loans (3 rows): key_dangling (3)\n" in answer.out
    assert answer.out.endswith("Serving views unchanged (library g000001).\n")


def served(folder: Path) -> str:
    """A git repository of what a commit of this one would hold, by its address."""
    environ = os.environ | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    git = ("git", "--git-dir", str(folder / ".git"), "--work-tree", str(REPOSITORY))
    who = ("-c", "user.name=Test", "-c", "user.email=test@example.org")
    for line in (
        ("git", "init", "--quiet", str(folder)),
        (*git, "add", "--all"),
        (*git, *who, "commit", "--quiet", "--message", "As it stands"),
        ("git", "-C", str(folder), "tag", REVISION),
    ):
        subprocess.run(line, check=True, env=environ, cwd=REPOSITORY, capture_output=True)
    return folder.as_uri()
