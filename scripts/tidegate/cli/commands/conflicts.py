"""Terms that mean more than one thing: list, resolve and dismiss them."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from tidegate.cli.session import json_option, opened, print_json

if TYPE_CHECKING:
    from tidegate.ledger.conflicts import Answer
    from tidegate.ledger.curation import Curator


@click.group()
def command() -> None:
    """Ambiguous terms are linked to nothing until a curator, or a verifier, says which they mean.

    An answer is an overlay (`tidegate curate`): of high impact it waits for approval. It takes
    part in the next refresh. docs/curation.md explains it.
    """


@command.command("list")
@click.option("--all", "everything", is_flag=True, help="Answered conflicts too.")
@json_option
def list_(everything: bool, as_json: bool) -> None:
    """List conflicts as the last build left them, those of most weight first."""
    from tidegate.ledger import conflicts

    _, warehouse = opened()
    with warehouse.connect() as conn:
        rows = conflicts.conflicts(conn, everything=everything)
        found = {row.conflict_id: conflicts.candidates(conn, row) for row in rows}
    if as_json:
        print_json(
            [
                {**asdict(row), "candidates": [asdict(it) for it in found[row.conflict_id]]}
                for row in rows
            ]
        )
        return
    if not rows:
        click.echo("No conflicts." if everything else "No conflict is open.")
    for row in rows:
        answered = f", answered by {row.overlay_key}" if row.overlay_key else ""
        click.echo(f"{row.conflict_id}  {row.severity}, {row.state}{answered}")
        for it in found[row.conflict_id]:
            click.echo(f"    {it.target_key}  ({it.match_method}, {it.match_score:.2f})")


@command.command()
@click.argument("conflict_id")
@click.option("--to", "candidate", required=True, help="The target, or the candidate's id.")
@click.option("--by", required=True, help="Who takes responsibility.")
@click.option("--reason", required=True, help="Why.")
@click.option("--agent", is_flag=True, help="It is a curation agent, not a person.")
@json_option
def resolve(
    conflict_id: str, candidate: str, by: str, reason: str, agent: bool, as_json: bool
) -> None:
    """Say which of its candidates a term means."""
    from tidegate.ledger import conflicts

    _, warehouse = opened()
    with warehouse.connect() as conn:
        answer = conflicts.resolve(conn, conflict_id, candidate, _curator(by, reason, agent))
    _tell(conflict_id, "resolved", answer, as_json)


@command.command()
@click.argument("conflict_id")
@click.option("--by", required=True, help="Who takes responsibility.")
@click.option("--reason", required=True, help="Why.")
@click.option("--agent", is_flag=True, help="It is a curation agent, not a person.")
@json_option
def dismiss(conflict_id: str, by: str, reason: str, agent: bool, as_json: bool) -> None:
    """Say that a term is linked to nothing on purpose."""
    from tidegate.ledger import conflicts

    _, warehouse = opened()
    with warehouse.connect() as conn:
        answer = conflicts.dismiss(conn, conflict_id, _curator(by, reason, agent))
    _tell(conflict_id, "dismissed", answer, as_json)


def _curator(by: str, reason: str, agent: bool) -> Curator:
    from tidegate.ledger.curation import Curator
    from tidegate.ledger.curation_words import ActorKind

    return Curator(by, reason, ActorKind.CURATION_AGENT if agent else ActorKind.HUMAN)


def _tell(conflict_id: str, decision: str, answer: Answer, as_json: bool) -> None:
    if as_json:
        print_json({"conflict_id": conflict_id, "decision": decision, **asdict(answer)})
    elif answer.in_force:
        click.echo(f"{conflict_id}: {decision} by {answer.overlay_key}.")
        click.echo("Serving views unchanged; the next `tidegate refresh` builds with it.")
    else:
        click.echo(f"{conflict_id}: {decision} by {answer.overlay_key} once that is approved.")
        click.echo(
            f"Serving views unchanged. Next: `tidegate curate approve {answer.overlay_key}`."
        )
