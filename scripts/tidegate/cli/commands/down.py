"""Stop the embedded server of this project."""

from __future__ import annotations

import click


@click.command()
def command() -> None:
    """Stop the embedded server of this project; its data stays."""
    from tidegate.settings import read_settings
    from tidegate.warehouse import embedded

    stopped = embedded.stop(read_settings().home)
    click.echo("Embedded server stopped." if stopped else "No embedded server was running.")
