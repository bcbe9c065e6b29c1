"""The root command: finds commands by file name and imports none of them before it is needed."""

from __future__ import annotations

import ast
import importlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

import tidegate
from tidegate.cli.world import OutputUnread

_COMMANDS = Path(__file__).parent / "commands"


class LazyGroup(click.Group):
    """A group whose commands are the modules of one folder."""

    wants_json = False
    """Whether the line that runs asks for JSON, be the line as wrong as it may."""
    json_printed = False
    """Whether its document was printed already."""

    def main(self, args: Sequence[str] | None = None, *more: Any, **options: Any) -> Any:
        """Run a line, and remember for its end whether it asks for JSON."""
        words = list(sys.argv[1:] if args is None else args)
        self.wants_json, self.json_printed = "--json" in words, False
        return super().main(words, *more, **options)

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
        _accept_project_dir(command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command of a line; a misspelt one is told with the right one."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            from tidegate.contracts.wording import suggestion

            near = suggestion(args[0], self.list_commands(ctx))
            raise click.UsageError(f"{error.message} {near}".rstrip(), ctx) from None

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; a closed pipe is told as what it is, not as exit code 1."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise OutputUnread from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands with the first line of their module, without importing any."""
        rows = []
        for name in self.list_commands(ctx):
            source = (_COMMANDS / f"{name.replace('-', '_')}.py").read_text(encoding="utf-8")
            doc = ast.get_docstring(ast.parse(source)) or ""
            rows.append((name, doc.partition("\n")[0]))
        with formatter.section("Commands"):
            formatter.write_dl(rows)


def _remember(_context: click.Context, _parameter: click.Parameter, value: str | None) -> None:
    """Where settings look for the project, for the rest of the process."""
    if value:
        os.environ["TIDEGATE_PROJECT_DIR"] = str(Path(value).resolve())


def _project_dir(*, hidden: bool) -> click.Option:
    return click.Option(
        ["--project-dir"],
        type=click.Path(file_okay=False),
        expose_value=False,
        is_eager=True,
        hidden=hidden,
        callback=_remember,
        help="Folder of the dbt project (default: the nearest one upwards); also behind a command.",
    )


def _accept_project_dir(command: click.Command) -> None:
    """Let `--project-dir` stand behind a command as well, as dbt's own does."""
    if isinstance(command, click.Group):
        for inner in command.commands.values():
            _accept_project_dir(inner)
    elif not any("--project-dir" in parameter.opts for parameter in command.params):
        command.params.append(_project_dir(hidden=True))


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(tidegate.__version__, prog_name="tidegate")
def root() -> None:
    """Serve only data that has passed its contract.

    Exit codes: 0 published or nothing to do; 1 held back, parked, or a blocking gate failed
    (readers are safe); 2 usage, contract or environment error.
    """


root.params.append(_project_dir(hidden=False))
