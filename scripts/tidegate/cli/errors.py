"""How an error leaves the program: one message, a remedy, the state of the world, an exit code."""

from __future__ import annotations

import os
import sys

import click

from tidegate.cli.world import OutputUnread, state_with
from tidegate.errors import TidegateError


def exit_code_of(error: BaseException) -> int:
    """Print `error` as a user should see it and return the exit code of design §8."""
    if isinstance(error, SystemExit):
        return error.code if isinstance(error.code, int) else 2
    if isinstance(error, click.exceptions.Exit):
        return error.exit_code
    state = state_with(error)
    if isinstance(error, (KeyboardInterrupt, click.Abort)):
        click.echo(f"Interrupted. {state}", err=True)
        return 2
    if isinstance(error, click.ClickException):
        error.show()
        return 2
    if isinstance(error, OutputUnread):
        return _unread(state)
    if not isinstance(error, TidegateError):
        error = _foreseen(error)
    if isinstance(error, TidegateError):
        click.echo(f"Error [{error.code}]: {error.message}", err=True)
        if error.remedy:
            click.echo(error.remedy, err=True)
        if not getattr(error, "tells_state", False):
            click.echo(state, err=True)
        return error.exit_code
    return _unexpected(error, state)


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


def _unexpected(error: BaseException, state: str) -> int:
    """A bug, or a server's error nobody foresaw: say its kind, never its text."""
    import psycopg

    from tidegate.warehouse.connect import server_message

    if os.environ.get("TIDEGATE_TRACEBACK"):
        raise error
    what = server_message(error) if isinstance(error, psycopg.Error) else type(error).__name__
    click.echo(f"Error [unexpected]: {what}.", err=True)
    click.echo(
        "This is a bug. Set TIDEGATE_TRACEBACK=1 and run it again to see where it happened; "
        "the trace may hold field values, so keep it to yourself.",
        err=True,
    )
    click.echo(state, err=True)
    print(end="", file=sys.stderr, flush=True)
    return 2
