"""The command line as a user meets it: exit code, standard output, standard error."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from tidegate.cli.errors import exit_code_of
from tidegate.cli.group import root
from tidegate.warehouse import Warehouse

SCRIPTS = Path(__file__).resolve().parent.parent / "scripts"


@dataclass(frozen=True)
class Answer:
    """What a command said, and its exit code."""

    code: int
    out: str
    err: str


@dataclass(frozen=True)
class CommandLine:
    """`tidegate` in a project folder, with the server of a test."""

    project: Path
    warehouse: Warehouse

    def environ(self, more: Mapping[str, str] | None = None) -> dict[str, str]:
        """The environment of a command: this project, this server, no proxy on loopback."""
        return {
            **os.environ,
            "TIDEGATE_PROJECT_DIR": str(self.project),
            "DATABASE_URL": self.warehouse.conninfo,
            "PYTHONPATH": str(SCRIPTS),
            "no_proxy": "127.0.0.1",
            **(more or {}),
        }

    def run(self, *args: str, **environ: str) -> Answer:
        """Run a command inside this process."""
        out, err = io.StringIO(), io.StringIO()
        with (
            mock.patch.dict(os.environ, self.environ(environ), clear=True),
            redirect_stdout(out),
            redirect_stderr(err),
        ):
            try:
                found = root.main(args=list(args), prog_name="tidegate", standalone_mode=False)
                code = found if isinstance(found, int) else 0
            except BaseException as error:  # as tidegate.cli.main does
                code = exit_code_of(error)
        return Answer(code, out.getvalue(), err.getvalue())

    def process(self, *args: str, **environ: str) -> Answer:
        """Run a command as a process of its own; a killed one has the negative signal as code."""
        done = subprocess.run(
            [sys.executable, "-m", "tidegate", *args],
            env=self.environ(environ),
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        return Answer(done.returncode, done.stdout, done.stderr)


def project(folder: Path, warehouse: Warehouse) -> CommandLine:
    """An empty dbt project in `folder`."""
    (folder / "dbt_project.yml").write_text(
        "name: tidegate\nprofile: tidegate\nversion: '1'\n", encoding="utf-8"
    )
    return CommandLine(folder, warehouse)
