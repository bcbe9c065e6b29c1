"""The command line: the only part that prints or exits.

A command is a module in `cli/commands/`, named like the command, with a click command `command`.
Modules are imported only when their command runs, so that `tidegate --help` stays quick; each
module's docstring is the command's one-line help.
"""

from __future__ import annotations

import io
import sys

from tidegate.cli.group import root


def main() -> None:
    """Run the command line; an error of Tidegate's own is one message and an exit code."""
    from tidegate.cli.errors import exit_code_of

    _print_any_name()
    try:
        # click gives the code of `ctx.exit(code)` back instead of raising it.
        code = root.main(prog_name="tidegate", standalone_mode=False)
        sys.exit(code if isinstance(code, int) else 0)
    except BaseException as error:  # every way out of a command is told in one place
        sys.exit(exit_code_of(error))


def _print_any_name() -> None:
    """A file or column may have a name that the terminal's encoding lacks: show it escaped."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
