"""The root command: finds commands by file name and imports none of them before it is needed."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

import click

import tidegate

_COMMANDS = Path(__file__).parent / "commands"


class LazyGroup(click.Group):
    """A group whose commands are the modules of one folder."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The file names, with dashes for underscores."""
        names = (path.stem for path in _COMMANDS.glob("[a-z]*.py"))
        return sorted(name.replace("_", "-") for name in names)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command."""
        if cmd_name not in self.list_commands(ctx):
            return None
        module = importlib.import_module(f"tidegate.cli.commands.{cmd_name.replace('-', '_')}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands with the first line of their module, without importing any."""
        rows = []
        for name in self.list_commands(ctx):
            source = (_COMMANDS / f"{name.replace('-', '_')}.py").read_text(encoding="utf-8")
            doc = ast.get_docstring(ast.parse(source)) or ""
            rows.append((name, doc.partition("\n")[0]))
        with formatter.section("Commands"):
            formatter.write_dl(rows)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(tidegate.__version__, prog_name="tidegate")
def root() -> None:
    """Serve only data that has passed its contract.

    Exit codes: 0 published or nothing to do; 1 held back, parked, or a blocking gate failed
    (readers are safe); 2 usage, contract or environment error.
    """
