"""Send events, list what waits, and send dead letters again."""

from __future__ import annotations

from dataclasses import asdict

import click

from tidegate.cli.session import fail_on_option, json_option, opened, print_json


@click.group()
def command() -> None:
    """Events are written with what they tell of, and sent from here (see tidegate.yml)."""


@command.command("list")
@click.option("--state", type=click.Choice(["waiting", "delivered", "dead"]), help="Only these.")
@click.option(
    "--limit", type=click.IntRange(1), default=50, show_default=True, help="At most so many."
)
@json_option
def list_events(state: str | None, limit: int, as_json: bool) -> None:
    """List events, the newest first."""
    from tidegate.ledger import delivering

    _, warehouse = opened()
    with warehouse.connect() as conn:
        events = delivering.listed(conn, state, limit)
    if as_json:
        print_json([asdict(event) for event in events])
        return
    if not events:
        click.echo("No events.")
    for event in events:
        told = (
            f"{event.position:>6}  {event.state:9}  {event.topic} {event.subject} ({event.owner})"
        )
        tried = f", {event.attempts} failed" if event.attempts else ""
        tried += f": {event.last_error}" if event.last_error else ""
        click.echo(f"{told}, {event.created_at:%Y-%m-%d %H:%M} UTC{tried}")


@command.command()
@click.option("--limit", type=click.IntRange(1), help="Try at most so many events.")
@fail_on_option
@json_option
def deliver(limit: int | None, fail_on: str, as_json: bool) -> None:
    """Send every event that is due; run it from a scheduler.

    An attempt that failed is a warning, a dead letter is an error (--fail-on).
    """
    from tidegate.ledger import delivering
    from tidegate.ledger.outbox_config import CONFIG_FILE, load_outbox

    settings, warehouse = opened()
    config = load_outbox(settings.project_dir)
    if config is None:
        with warehouse.connect() as conn:
            waiting = delivering.waiting_count(conn)
        if as_json:
            print_json({"enabled": False, "delivered": 0, "failed": 0, "dead": 0,
                        "waiting": waiting})  # fmt: skip
        else:
            click.echo(
                f"Delivery is not enabled: no outbox section in {CONFIG_FILE}. {waiting} wait."
            )
        return
    done = delivering.deliver(warehouse, config, settings.project_dir, limit=limit)
    if as_json:
        print_json({"enabled": True, **asdict(done)})
    else:
        click.echo(
            f"{done.delivered} delivered, {done.failed} failed and tried again later,"
            f" {done.dead} dead letters, {done.waiting} wait."
        )
    if (done.dead and fail_on != "never") or (done.failed and fail_on == "warning"):
        raise SystemExit(1)


@command.command("dead-letters")
@click.option("--all", "everything", is_flag=True, help="Those that were sent again too.")
@json_option
def dead_letters(everything: bool, as_json: bool) -> None:
    """List events whose attempts are exhausted, with the publication or run they tell of."""
    from tidegate.ledger import dead_letters as letters

    _, warehouse = opened()
    with warehouse.connect() as conn:
        found = letters.listed(conn, resent=everything)
    if as_json:
        print_json([asdict(letter) for letter in found])
        return
    if not found:
        click.echo("No dead letters.")
    for letter in found:
        of = letter.reference or letter.source or letter.subject
        resent = f", sent again by {letter.resent_by}" if letter.resent_by else ""
        click.echo(
            f"{letter.dead_letter_id:>6}  {letter.topic} of {of} ({letter.owner}):"
            f" {letter.attempts} attempts, last {letter.last_error},"
            f" {letter.died_at:%Y-%m-%d %H:%M} UTC{resent}"
        )


@command.command()
@click.argument("numbers", metavar="[ID...]", type=int, nargs=-1)
@click.option("--all", "everything", is_flag=True, help="Every dead letter that waits.")
@click.option("--by", required=True, help="Who asks for it.")
@click.option("--reason", required=True, help="What has changed since.")
@json_option
def resend(numbers: tuple[int, ...], everything: bool, by: str, reason: str, as_json: bool) -> None:
    """Put dead letters back into the outbox; the next delivery sends them under the same id."""
    from tidegate.errors import UsageError
    from tidegate.ledger import dead_letters as letters

    if bool(numbers) == everything:
        raise UsageError(
            "Nothing to send again was named.", remedy="Give numbers of dead letters, or --all."
        )
    _, warehouse = opened()
    with warehouse.transaction() as conn:
        done = letters.resend(conn, None if everything else numbers, by=by, reason=reason)
    if as_json:
        print_json({"resent": [letter.dead_letter_id for letter in done]})
    else:
        click.echo(f"{len(done)} wait for the next `tidegate outbox deliver`.")
