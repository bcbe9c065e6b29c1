"""Serve an earlier published generation of a family again."""

from __future__ import annotations

import click

from tidegate.cli.session import json_option


@click.command()
@click.argument("family")
@click.option("--to", "label", help="The generation, such as g000041 (default: the one before).")
@click.option("--by", required=True, help="Who decided.")
@click.option("--reason", required=True, help="Why.")
@json_option
def command(family: str, label: str | None, by: str, reason: str, as_json: bool) -> None:
    """Serve an earlier published generation of FAMILY again: one row moves.

    Families of a reference cycle go back together, as they were published. They stay there until
    something they are built from changes, or `refresh --force`.
    """
    from tidegate.cli.session import opened, print_json
    from tidegate.cli.world import watched
    from tidegate.names import generation_label, parse_generation_label
    from tidegate.publishing.rollback import rollback

    target = parse_generation_label(label) if label else None
    _, warehouse = opened()
    with watched(warehouse):
        outcomes = rollback(warehouse, family, target, by=by, reason=reason)
    if as_json:
        print_json({"families": [outcome.document() for outcome in outcomes]})
    else:
        served = ", ".join(f"{o.family} {generation_label(o.served or 0)}" for o in outcomes)
        click.echo(f"Serving views now show {served}.")
