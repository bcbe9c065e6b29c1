"""List warnings that wait for somebody, and acknowledge them."""

from __future__ import annotations

from dataclasses import asdict

import click

from tidegate.cli.session import json_option, opened, print_json


@click.group()
def command() -> None:
    """Warnings block nothing and are never lost: each waits here until somebody looks at it."""


@command.command("list")
@click.option("--subject", help="Only of this dataset, model or family.")
@click.option("--all", "everything", is_flag=True, help="Acknowledged items too.")
@json_option
def list_items(subject: str | None, everything: bool, as_json: bool) -> None:
    """List open review items, the oldest first."""
    from tidegate.ledger import review

    _, warehouse = opened()
    with warehouse.connect() as conn:
        state = None if everything else review.ReviewState.OPEN
        items = review.items(conn, state, subject)
    if as_json:
        print_json([asdict(item) for item in items])
        return
    if not items:
        click.echo("No review items." if everything else "No open review items.")
    for item in items:
        seen = "once" if item.sightings == 1 else f"{item.sightings} times"
        click.echo(
            f"{item.review_id:>6}  {item.severity}  {item.kind} {item.check_id} on {item.subject}:"
            f" since {item.opened_at:%Y-%m-%d %H:%M} UTC, seen {seen}, last in {item.last_source}"
        )
        if item.acknowledged_at:
            click.echo(
                f"        acknowledged by {item.acknowledged_by},"
                f" {item.acknowledged_at:%Y-%m-%d %H:%M} UTC: {item.acknowledged_reason}"
            )


@command.command()
@click.argument("review_ids", metavar="ID...", type=int, nargs=-1, required=True)
@click.option("--by", required=True, help="Who takes responsibility.")
@click.option("--reason", required=True, help="Why this may stay as it is.")
@json_option
def acknowledge(review_ids: tuple[int, ...], by: str, reason: str, as_json: bool) -> None:
    """Close review items with a name and a reason: all of them or none."""
    from tidegate.ledger import review

    _, warehouse = opened()
    with warehouse.transaction() as conn:
        for review_id in dict.fromkeys(review_ids):
            review.acknowledge(conn, review_id, by=by, reason=reason)
        left = review.open_count(conn)
    if as_json:
        print_json({"acknowledged": list(dict.fromkeys(review_ids)), "open": left})
    else:
        click.echo(f"Acknowledged {len(set(review_ids))}, {left} open.")
