"""List every gate: where it applies, its severity, what it said last."""

from __future__ import annotations

import click

from tidegate.cli.session import json_option, opened, print_json


@click.command()
@json_option
def command(as_json: bool) -> None:
    """List every gate: where it applies, its severity, what it said last of each model.

    What the project declares and no run has evaluated yet is listed as never ran. docs/gates.md
    says of each gate what it demands, with examples and remedies.
    """
    from tidegate.errors import TidegateError
    from tidegate.publishing.context import Context
    from tidegate.publishing.declared import declared_checks
    from tidegate.reporting.gate_overview import gate_overview

    settings, warehouse = opened()
    unread = ""
    try:
        declared = declared_checks(Context(settings, warehouse))
    except TidegateError as error:
        # Results are wanted most when the project is broken.
        declared, unread = None, str(error)
    with warehouse.connect() as conn:
        gates = gate_overview(conn, declared)
    if unread:
        click.echo(f"What never ran is not listed. {unread}", err=True)
    if as_json:
        print_json([gate.document() for gate in gates])
        return
    for gate in gates:
        where = gate.applies_to or "a dbt test of the project"
        click.echo(f"{gate.gate_id}  ({gate.severity.value}; {where})")
        if gate.demands:
            click.echo(f"    {gate.demands}")
        if not (gate.results or gate.never_ran):
            click.echo("    not run yet")
        for result in gate.results:
            generation = f" g{result.generation:06d}" if result.generation is not None else ""
            failing = f"{result.rows_failing} failing, " if result.rows_failing else ""
            # Of a query of somebody's own below a family nobody knows how many rows it reads.
            checked = "" if result.rows_checked is None else f"{result.rows_checked} checked, "
            click.echo(
                f"    {result.status.value:<13} {result.asset}{generation}: {checked}{failing}"
                f"{result.evaluated_at:%Y-%m-%d %H:%M} UTC"
            )
        for silent in gate.never_ran or ():
            click.echo(f"    {'never ran':<13} {silent.asset} ({silent.severity.value})")
