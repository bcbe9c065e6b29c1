"""Build families aside and compare them with their contracts; nothing is published."""

from __future__ import annotations

import click

from tidegate.cli.session import json_option


@click.command()
@click.argument("families", nargs=-1)
@json_option
def command(families: tuple[str, ...], as_json: bool) -> None:
    """Build FAMILIES (default: all) into their candidate schemas; nothing is published.

    Then look at a candidate with `tidegate diff --candidate`, judge it with `tidegate check`.
    """
    from tidegate.cli import publishing_output as output
    from tidegate.cli.session import opened, print_json
    from tidegate.publishing.aside import build_aside
    from tidegate.publishing.context import Context

    settings, warehouse = opened()
    with output.progress(as_json) as step:
        built = build_aside(Context(settings, warehouse), families, step)
    if as_json:
        print_json({"families": [entry.document() for entry in built]})
    else:
        for entry in built:
            click.echo(f"{entry.family}: {entry.models} models in {entry.schema}")
            for problem in entry.problems:
                click.echo(f"  {problem}")
        click.echo("Serving views unchanged: nothing was published.")
    raise SystemExit(int(any(entry.problems for entry in built)))
