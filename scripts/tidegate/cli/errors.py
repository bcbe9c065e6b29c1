"""How an error leaves the program: one message, a remedy, the state of the world, an exit code.

For a person on standard error; with `--json` for a program too, as one object on standard output.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import click

from tidegate.cli.group import root
from tidegate.cli.world import OutputUnread, partial_of, state_with
from tidegate.errors import ContractError, TidegateError

_BUG = (
    "This is a bug. Set TIDEGATE_TRACEBACK=1 and run it again to see where it happened; "
    "the trace may hold field values, so keep it to yourself."
)


@dataclass(frozen=True)
class Told:
    """An error as it is told: docs/errors.md lists the codes; `state` is what readers see."""

    code: str
    exit_code: int
    message: str
    remedy: str = ""
    state: str = ""

    def lines(self) -> list[str]:
        """The error for a person."""
        return [f"Error [{self.code}]: {self.message}", *filter(None, (self.remedy, self.state))]


def exit_code_of(error: BaseException) -> int:
    """Print `error` as a user should see it and return the exit code of design §8."""
    if isinstance(error, SystemExit):
        return error.code if isinstance(error.code, int) else 2
    if isinstance(error, click.exceptions.Exit):
        return error.exit_code
    state = state_with(error)
    if isinstance(error, OutputUnread):
        return _unread(state)
    if not isinstance(error, TidegateError):
        error = _foreseen(error)
    told = _told(error, state)
    if isinstance(error, (KeyboardInterrupt, click.Abort)):
        click.echo(f"Interrupted. {state}", err=True)
    elif isinstance(error, click.ClickException):
        error.show()
    else:
        click.echo("\n".join(told.lines()), err=True)
        print(end="", file=sys.stderr, flush=True)
    if root.wants_json:
        _print_json(error, told)
    return told.exit_code


def _told(error: BaseException, state: str) -> Told:
    if isinstance(error, (KeyboardInterrupt, click.Abort)):
        return Told("interrupted", 2, "Interrupted.", "Run it again: it may be repeated.", state)
    if isinstance(error, click.ClickException):
        context = getattr(error, "ctx", None)
        command = context.command_path if context else "tidegate"
        return Told("usage", 2, error.format_message(), f"See `{command} --help`.", state)
    if isinstance(error, TidegateError):
        seen = "" if getattr(error, "tells_state", False) else state
        return Told(error.code, error.exit_code, error.message, error.remedy, seen)
    return _unexpected(error, state)


def _print_json(error: BaseException, told: Told) -> None:
    """One document, and never a second one behind a result that was printed already."""
    from tidegate.cli.session import print_json

    if root.json_printed:
        return
    about: dict[str, Any] = asdict(told)
    if isinstance(error, ContractError):
        about["problems"] = [asdict(problem) for problem in error.problems]
    partial: Mapping[str, Any] = partial_of(error)
    print_json({**partial, "error": about})


def _unread(state: str) -> int:
    """Whoever read the output has gone: say so where somebody may still read."""
    # Python flushes standard output once more at its end, into the same closed pipe.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    click.echo(f"The output was not read to its end. {state}", err=True)
    return 2


def _foreseen(error: BaseException) -> BaseException:
    """The error of ours that a server's error amounts to, or the error itself."""
    import psycopg

    from tidegate.warehouse.failures import foreseen

    told = foreseen(error) if isinstance(error, psycopg.Error) else None
    return told or error


def _unexpected(error: BaseException, state: str) -> Told:
    """A bug, or a server's error nobody foresaw: say its kind, never its text."""
    import psycopg

    from tidegate.warehouse.connect import server_message

    if os.environ.get("TIDEGATE_TRACEBACK"):
        raise error
    what = server_message(error) if isinstance(error, psycopg.Error) else type(error).__name__
    return Told("unexpected", 2, f"{what}.", _BUG, state)
