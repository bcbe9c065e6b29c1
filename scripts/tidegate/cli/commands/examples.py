"""Show what a gate read from the rows that it named: public values, for the operator."""

from __future__ import annotations

import click

from tidegate.cli.session import json_option, opened, print_json


@click.command()
@click.argument("gate")
@click.option("--model", help="Only of this model.")
@json_option
def command(gate: str, model: str | None, as_json: bool) -> None:
    """Show values and quotes that GATE read from the rows it named, newest judgement first.

    Only of columns that their contract calls public, and only to members of tidegate_operator; all
    other results have names and counts alone. They are kept with the generation that was judged;
    `tidegate check --keep-examples` keeps those of a candidate.
    """
    from tidegate.errors import UsageError
    from tidegate.gates.registry import gate_of
    from tidegate.ledger.examples import read
    from tidegate.names import generation_label
    from tidegate.warehouse.connect import privileges

    if gate_of(gate) is None:
        raise UsageError(f"There is no gate {gate}.", remedy="`tidegate gates` lists them.")
    _, warehouse = opened()
    with privileges("read examples of gates"), warehouse.connect() as conn:
        found = read(conn, gate, model)
    if as_json:
        print_json([example.document() for example in found])
        return
    for example in found:
        judged = "check" if example.generation is None else generation_label(example.generation)
        key = example.row_key if example.row_key is not None else "(key not public)"
        click.echo(f"{example.asset} {key}  {example.level.value} {example.reason}")
        click.echo(f"    {example.family} {judged}, {example.kept_at:%Y-%m-%d %H:%M} UTC")
        for name, value in example.values.items():
            click.echo(f"    {name}: {'' if value is None else value}")
    if not found:
        click.echo(f"No example of {gate} is kept.")
