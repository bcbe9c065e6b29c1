"""What somebody meets who has just installed it: the way on is in the message."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from tidegate.cli.group import root
from tidegate.errors import UsageError
from tidegate.settings import read_settings


def test_a_misspelt_command_is_told_with_the_right_one() -> None:
    """One that resembles none is only refused."""
    said = CliRunner().invoke(root, ["refrsh"])
    assert said.exit_code == 2
    assert said.output.endswith("Error: No such command 'refrsh'. Did you mean `refresh`?\n")
    assert CliRunner().invoke(root, ["xyzzy"]).output.endswith("No such command 'xyzzy'.\n")


def test_without_a_project_there_are_two_ways_on(tmp_path: Path) -> None:
    """To the project that is there, or to a new one."""
    with pytest.raises(UsageError) as refused:
        read_settings({}, tmp_path)
    assert str(refused.value) == (
        f"No dbt_project.yml in {tmp_path} or any folder above it. Change into the dbt project,"
        " or name it with --project-dir; `tidegate init` starts one."
    )


def test_the_next_steps_can_be_pasted_into_a_shell(tmp_path: Path) -> None:
    """A folder may be called anything."""
    folder = tmp_path / "My Shop!"
    said = CliRunner().invoke(root, ["init", str(folder)])
    assert f"Next:\n  cd '{folder}'\n" in said.output
    assert (folder / "dbt_project.yml").is_file()
