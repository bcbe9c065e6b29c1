"""docs/commands.md, made from the commands themselves: `python -m tidegate.cli.reference`."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Iterator

import click

from tidegate.cli.group import root

_HEAD = """\
# Commands

Made by `make docs` from the commands themselves; a test compares. Exit codes are in the
[README](../README.md#exit-codes), error codes in [errors.md](errors.md).
"""


def every_command() -> dict[str, click.Command]:
    """All commands by their full name, those of groups included, in alphabetical order."""
    return dict(sorted(_commands(root, "")))


def reference() -> str:
    """The page as text."""
    sections = (_section(name, command) for name, command in every_command().items())
    return "\n".join([_HEAD, *sections])


def _commands(group: click.Group, prefix: str) -> Iterator[tuple[str, click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from _commands(command, f"{prefix}{name} ")
        elif command is not None:
            yield f"{prefix}{name}", command


def _section(name: str, command: click.Command) -> str:
    arguments = [p.make_metavar(click.Context(command)) for p in command.params
                 if isinstance(p, click.Argument)]  # fmt: skip
    usage = " ".join(["tidegate", name, "[options]", *arguments])
    lines = [f"## `tidegate {name}`", "", f"`{usage}`", "", _paragraphs(command.help or "")]
    options = [
        p
        for p in command.params
        if isinstance(p, click.Option) and p.name != "help" and not p.hidden
    ]
    if options:
        lines += ["", "| option | meaning |", "| --- | --- |"]
        lines += [f"| {_spelling(option)} | {option.help or ''} |" for option in options]
    return "\n".join([*lines, ""])


def _spelling(option: click.Option) -> str:
    if isinstance(option.type, click.Choice):
        return f"`{option.opts[0]}` " + " \\| ".join(map(str, option.type.choices))
    return f"`{option.opts[0]}`"


def _paragraphs(text: str) -> str:
    parts = inspect.cleandoc(text).split("\n\n")
    return "\n\n".join(textwrap.fill(" ".join(part.split()), 100) for part in parts)


if __name__ == "__main__":
    click.echo(reference(), nl=False)
