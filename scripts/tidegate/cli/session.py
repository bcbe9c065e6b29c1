"""What every command needs: settings, the warehouse, and one way to print a result."""

from __future__ import annotations

import getpass
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from tidegate.cli.group import root
from tidegate.errors import UsageError
from tidegate.settings import Settings, read_settings
from tidegate.warehouse import Warehouse, open_warehouse

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


def json_option(function: Decorated) -> Decorated:
    """`--json`: print the result as one JSON document on standard output."""
    return click.option(
        "--json", "as_json", is_flag=True, help="Print the result as one JSON document."
    )(function)


def fail_on_option(function: Decorated) -> Decorated:
    """`--fail-on`: which severity makes the exit code 1."""
    return click.option(
        "--fail-on",
        type=click.Choice(["warning", "error", "never"]),
        default="error",
        show_default=True,
        help="The lowest severity that makes the exit code 1.",
    )(function)


def request_options(function: Decorated) -> Decorated:
    """What a publication is recorded with: whether it is forced, for whom, and by which key."""
    for option in (
        click.option("--tenant", default="default", show_default=True, help="On whose behalf."),
        click.option("--producer", default="tidegate", show_default=True, help="Who publishes."),
        click.option(
            "--idempotency-key", help="A retry with the same key returns its publication."
        ),
        click.option(
            "--force", is_flag=True, help="Build and judge again even if nothing changed."
        ),
    ):
        function = option(function)
    return function


def opened() -> tuple[Settings, Warehouse]:
    """Settings and the warehouse, with its ledger at the version of this code."""
    from tidegate.ledger import upgrade

    settings = read_settings()
    warehouse = open_warehouse(settings)
    upgrade(warehouse)
    return settings, warehouse


def actor() -> str:
    """Who runs the command, for the ledger."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "unknown"


def print_json(document: Any) -> None:
    """Print one JSON document: keys in order of meaning, times as ISO 8601."""
    click.echo(json.dumps(document, indent=2, default=str, ensure_ascii=False))
    root.json_printed = True


def require_dataset(settings: Settings, name: str | None, *, found: bool) -> None:
    """Raise UsageError where nothing was found of a dataset that no contract declares.

    What a dataset left in the ledger is found though its contract has gone.
    """
    if name is not None and not found:
        from tidegate.contracts.load import load_project

        load_project(settings.project_dir).dataset(name)


def write_report(path: Path, text: str) -> None:
    """Write a file that the command line names; raise UsageError where that cannot be."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(
            f"{path} cannot be written: {error.strerror}.",
            remedy="Name a file in a folder that is there.",
        ) from None
