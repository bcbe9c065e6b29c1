"""The wheel by itself: what an installation without this repository can do."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tidegate.warehouse import Warehouse

REPOSITORY = Path(__file__).resolve().parents[2]
PIP = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")
OFFLINE = ("--no-deps", "--no-index")


@pytest.mark.timeout(300)
def test_a_wheel_starts_and_publishes_a_project(tmp_path: Path, warehouse: Warehouse) -> None:
    """Built without network, it brings every file that `init` and `refresh` need.

    Its dependencies are those of the tests; Tidegate itself is found in the wheel alone.
    """
    site = installed(tmp_path)
    environ = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("TIDEGATE_", "DBT_", "PYTHON"))
    } | {"PYTHONPATH": str(site), "DATABASE_URL": warehouse.conninfo}

    def run(folder: Path, *line: str) -> str:
        done = subprocess.run(line, cwd=folder, env=environ, capture_output=True, text=True)
        assert done.returncode == 0, done
        return done.stdout

    found = run(tmp_path, sys.executable, "-c", "import tidegate; print(tidegate.__file__)")
    assert Path(found.strip()).is_relative_to(site)
    tidegate = str(site / "bin" / "tidegate")
    assert "Next:\n  cd shop\n" in run(tmp_path, tidegate, "init", "shop")
    shop = tmp_path / "shop"
    assert run(shop, tidegate, "contract", "check").endswith(": no problems.\n")
    told = run(shop, tidegate, "refresh")
    assert re.search(r"^shop g000001 published: ", told, re.MULTILINE), told
    links = [shop / ".tidegate" / "package" / "macros", shop / "dbt_packages" / "tidegate"]
    assert links[0].resolve() == site / "tidegate" / "_macros"
    assert links[1].resolve() == links[0].parent
    with warehouse.connect() as conn:
        assert conn.execute("select count(*) > 0 from query.q_products").fetchone() == (True,)
    assert "shop g000001 unchanged: nothing to do\n" in run(shop, tidegate, "refresh")


def installed(folder: Path) -> Path:
    """Build the wheel from a copy of what it is made of, and install it into a folder."""
    source = folder / "source"
    without_caches = shutil.ignore_patterns("__pycache__", "*.egg-info")
    shutil.copytree(
        REPOSITORY / "scripts", source / "scripts", symlinks=True, ignore=without_caches
    )
    shutil.copytree(REPOSITORY / "macros", source / "macros")
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(REPOSITORY / name, source)
    wheels, site = folder / "wheels", folder / "site"
    for line in (
        ("wheel", *OFFLINE, "--no-build-isolation", "--wheel-dir", str(wheels), str(source)),
        ("install", *OFFLINE, "--target", str(site), "--find-links", str(wheels), "tidegate"),
    ):
        subprocess.run((*PIP, *line), check=True, capture_output=True)
    shutil.rmtree(source)
    return site
