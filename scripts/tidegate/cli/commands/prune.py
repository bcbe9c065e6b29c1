"""Remove generations that nothing serves; a dry run unless told otherwise."""

from __future__ import annotations

import click

from tidegate.cli.session import json_option


@click.command()
@click.option("--family", help="Only this family.")
@click.option("--apply", "really", is_flag=True, help="Remove; without it, only say what would go.")
@click.option("--by", default="", help="Who decided (needed with --apply).")
@click.option("--reason", default="", help="Why (needed with --apply).")
@click.option("--hold", "hold", help="Place a legal hold on this generation of --family instead.")
@click.option("--release", "release", type=int, help="Release the hold of this number instead.")
@json_option
def command(
    family: str | None,
    really: bool,
    by: str,
    reason: str,
    hold: str | None,
    release: int | None,
    as_json: bool,
) -> None:
    """Remove generations that nothing serves; a dry run unless told otherwise.

    A generation stays while it is held, referenced, kept by its contract's retention, or while a
    running transaction could still look at it.
    """
    from tidegate.cli.session import opened, print_json
    from tidegate.contracts import load_project
    from tidegate.errors import UsageError
    from tidegate.names import parse_generation_label
    from tidegate.publishing import prune
    from tidegate.publishing.families import generations_kept
    from tidegate.reporting.publication import prune_lines

    settings, warehouse = opened()
    if hold is not None or release is not None:
        if not by or not reason or (hold is not None and not family):
            raise UsageError(
                "A hold needs who and why.", remedy="Give --by, --reason and, for --hold, --family."
            )
        with warehouse.connect() as conn:
            if release is not None:
                prune.release_hold(conn, release, by=by, reason=reason)
                click.echo(f"Hold {release} released.")
            else:
                number = prune.place_hold(
                    conn,
                    str(family),
                    parse_generation_label(str(hold)),
                    kind="legal",
                    by=by,
                    reason=reason,
                )
                click.echo(f"Hold {number} placed on {family} {hold}.")
        return
    with warehouse.connect() as conn:
        items = prune.plan(conn, generations_kept(load_project(settings.project_dir)), family)
    if really:
        prune.apply(warehouse, items, by=by, reason=reason)
    if as_json:
        print_json({"applied": really, "generations": [item.document() for item in items]})
    else:
        click.echo("\n".join(prune_lines(items, applied=really)))
