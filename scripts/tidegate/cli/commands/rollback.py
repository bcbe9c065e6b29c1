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

    It stays served until something the family is built from changes, or `refresh --force`.
    """
    from tidegate.cli.session import opened, print_json
    from tidegate.names import generation_label, parse_generation_label
    from tidegate.publishing.rollback import rollback

    target = parse_generation_label(label) if label else None
    _, warehouse = opened()
    outcome = rollback(warehouse, family, target, by=by, reason=reason)
    if as_json:
        print_json(outcome.document())
    else:
        click.echo(f"Serving views now show {family} {generation_label(outcome.served or 0)}.")
