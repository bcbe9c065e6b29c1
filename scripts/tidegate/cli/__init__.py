"""The command line: the only part that prints or exits.

A command is a module in `cli/commands/`, named like the command, with a click command `command`.
Modules are imported only when their command runs, so that `tidegate --help` stays quick; each
module's docstring is the command's one-line help.
"""

from __future__ import annotations

import contextlib
import io
import os
import signal
import sys
from typing import NoReturn

import click

from tidegate.cli.group import root


def main() -> None:
    """Run the command line; an error of Tidegate's own is one message and an exit code."""
    from tidegate.cli.errors import exit_code_of

    _print_any_name()
    # Whoever stops a service or a pod sends SIGTERM: it ends a command as Ctrl-C does.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        # click gives the code of `ctx.exit(code)` back instead of raising it.
        code = root.main(prog_name="tidegate", standalone_mode=False)
        sys.exit(code if isinstance(code, int) else 0)
    except BaseException as error:  # every way out of a command is told in one place
        if isinstance(error, (KeyboardInterrupt, click.Abort)):
            _leave_at_once(error)
        sys.exit(exit_code_of(error))


def _leave_at_once(error: BaseException) -> NoReturn:
    """Tell what an interrupt left, and go: dbt's threads may wait for the server, and one of them
    would raise the interrupt again; whoever presses Ctrl-C twice wants no trace."""
    from tidegate.cli.errors import exit_code_of

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    code = exit_code_of(error)
    with contextlib.suppress(OSError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)


def _print_any_name() -> None:
    """A file or column may have a name that the terminal's encoding lacks: show it escaped."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
