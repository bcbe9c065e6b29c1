"""Show what readers see, what is held back and why, and what waits for somebody."""

from __future__ import annotations

import click

from tidegate.cli.session import json_option


@click.command()
@json_option
def command(as_json: bool) -> None:
    """Show what readers see, what is held back and why, and what waits for somebody."""
    from tidegate.cli.session import opened, print_json
    from tidegate.publishing.status import read_status
    from tidegate.reporting.publication import status_lines

    _, warehouse = opened()
    with warehouse.connect() as conn:
        status = read_status(conn)
    if as_json:
        print_json(status.document())
    else:
        click.echo("\n".join(status_lines(status)))
