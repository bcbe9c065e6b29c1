"""Look at installation, server, ledger and rights, and say what puts right what is wrong."""

from __future__ import annotations

from dataclasses import asdict

import click

from tidegate.cli.session import json_option, print_json


@click.command()
@json_option
def command(as_json: bool) -> None:
    """Say what is missing and how to put it right; change nothing.

    Exit code 2 where something that Tidegate needs is missing.
    """
    from tidegate.ledger.doctor import examine
    from tidegate.settings import read_settings

    diagnosis = examine(read_settings())
    if as_json:
        checks = [{**asdict(check), "status": check.status.value} for check in diagnosis.checks]
        print_json({"healthy": diagnosis.healthy, "checks": checks})
    else:
        for check in diagnosis.checks:
            click.echo(f"{check.status.value:8} {check.name:12} {check.message}")
            for line in filter(None, (check.fix, *check.sql)):
                click.echo(f"{'':21} {line}")
    if not diagnosis.healthy:
        raise SystemExit(2)
