"""Decisions of curators: propose, review, supersede and withdraw overlays."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import asdict
from enum import Enum
from typing import TYPE_CHECKING, Any, TypeVar

import click

from tidegate.cli.session import json_option, opened, print_json
from tidegate.ledger import curation_words as words

if TYPE_CHECKING:
    from tidegate.ledger.curation import Curator

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


def _one_of(kind: type[Enum]) -> click.Choice[str]:
    """The words of a closed vocabulary."""
    return click.Choice([word.value for word in kind])


def deciding(function: Decorated) -> Decorated:
    """`--by`, `--reason` and `--agent`: who decides and why."""
    by = click.option("--by", required=True, help="Who takes responsibility.")
    reason = click.option("--reason", required=True, help="Why.")
    agent = click.option("--agent", is_flag=True, help="It is a curation agent, not a person.")
    return by(reason(agent(json_option(function))))


@click.group()
def command() -> None:
    """What people say instead of the sources, and who approved it.

    An overlay corrects a link, overrides a fact or suppresses a row. It takes part in the next
    refresh once it is reviewed; of high impact it needs a person. Deciding takes the role
    tidegate_curator. docs/curation.md explains it with examples.
    """


@command.command()
@click.argument("overlay_kind", type=_one_of(words.OverlayKind))
@click.option("--kind", "subject_kind", required=True, type=_one_of(words.SubjectKind),
              help="What kind of subject it is about.")  # fmt: skip
@click.option(
    "--subject", required=True, help="Key of the link or assertion, or <model>|<row key>."
)
@click.option("--fact", help="Which fact; a link has its target, a row its columns or $row.")
@click.option("--to", "target", help="The key that a link is to have.")
@click.option("--value", help="The value as JSON; - reads it from standard input.")
@click.option("--impact", type=_one_of(words.Impact), default="high", show_default=True,
              help="Low is for subjects that decide no clinical or commercial fact.")  # fmt: skip
@click.option("--precedence", type=int, default=10, show_default=True,
              help="Of several reviewed overlays of one fact the highest is in force.")  # fmt: skip
@click.option("--no-review", is_flag=True, help="In force at once; only where impact is low.")
@deciding
def propose(
    overlay_kind: str, subject_kind: str, subject: str, fact: str | None, target: str | None,
    value: str | None, impact: str, precedence: int, no_review: bool, by: str, reason: str,
    agent: bool, as_json: bool,
) -> None:  # fmt: skip
    """Propose an overlay: nothing changes before it is reviewed."""
    from tidegate.ledger import curation

    kind = words.SubjectKind(subject_kind)
    proposal = curation.Proposal(
        subject_kind=kind,
        subject_key=subject,
        fact_path=fact or (words.TARGET if kind.is_link else words.ROW),
        overlay_kind=words.OverlayKind(overlay_kind),
        new_value=target if target is not None else _value(value),
        impact=words.Impact(impact),
        precedence=precedence,
        needs_review=not no_review,
    )
    _, warehouse = opened()
    with warehouse.connect() as conn:
        key = curation.propose(conn, proposal, _curator(by, reason, agent))
    _tell(key, "proposed", as_json)


@command.command()
@click.argument("overlay_key")
@deciding
def approve(overlay_key: str, by: str, reason: str, agent: bool, as_json: bool) -> None:
    """Approve an overlay: it takes part in the next refresh. An agent approves low impact only."""
    from tidegate.ledger import curation

    _, warehouse = opened()
    with warehouse.connect() as conn:
        kind = curation.approve(conn, overlay_key, _curator(by, reason, agent))
    _tell(overlay_key, kind.value, as_json)


@command.command()
@click.argument("overlay_key")
@deciding
def reject(overlay_key: str, by: str, reason: str, agent: bool, as_json: bool) -> None:
    """Reject an overlay, with the reason: it is closed and changes nothing."""
    from tidegate.ledger import curation

    _, warehouse = opened()
    with warehouse.connect() as conn:
        curation.reject(conn, overlay_key, _curator(by, reason, agent))
    _tell(overlay_key, "rejected", as_json)


@command.command()
@click.argument("overlay_key")
@click.option("--with", "heir", required=True, help="The reviewed overlay that takes its place.")
@deciding
def supersede(
    overlay_key: str, heir: str, by: str, reason: str, agent: bool, as_json: bool
) -> None:
    """Close an overlay in favour of another one of the same subject and fact."""
    from tidegate.ledger import curation

    _, warehouse = opened()
    with warehouse.connect() as conn:
        curation.supersede(conn, overlay_key, heir, _curator(by, reason, agent))
    _tell(overlay_key, "superseded", as_json)


@command.command()
@click.argument("overlay_key")
@deciding
def withdraw(overlay_key: str, by: str, reason: str, agent: bool, as_json: bool) -> None:
    """Close an overlay: the sources speak again with the next refresh."""
    from tidegate.ledger import curation

    _, warehouse = opened()
    with warehouse.connect() as conn:
        curation.withdraw(conn, overlay_key, _curator(by, reason, agent))
    _tell(overlay_key, "withdrawn", as_json)


@command.command("list")
@click.option("--all", "everything", is_flag=True, help="Closed and outranked overlays too.")
@json_option
def list_(everything: bool, as_json: bool) -> None:
    """List overlays that wait for review or are in force, oldest first; never their values."""
    from tidegate.ledger import curation_read

    _, warehouse = opened()
    with warehouse.connect() as conn:
        rows = curation_read.overlays(conn, everything=everything)
    if as_json:
        print_json([asdict(row) for row in rows])
        return
    if not rows:
        click.echo("No overlays." if everything else "No overlay waits or is in force.")
    for row in rows:
        force = "in force" if row.in_force else row.state
        click.echo(
            f"{row.overlay_key}  {row.overlay_kind} of {row.subject_kind} {row.subject_key}"
            f" ({row.fact_path}): {row.impact} impact, {row.review_state}, {force}"
            f"{', in doubt: see `tidegate curate show`' if row.doubt else ''}"
        )


@command.command()
@click.argument("overlay_key")
@click.option("--value", "with_value", is_flag=True, help="Show its value; for curators.")
@json_option
def show(overlay_key: str, with_value: bool, as_json: bool) -> None:
    """Show one overlay and every decision about it."""
    from tidegate.ledger import approvals, curation_doubts, curation_read

    _, warehouse = opened()
    with warehouse.connect() as conn:
        row = curation_read.overlay(conn, overlay_key)
        events = curation_read.decisions(conn, overlay_key)
        value: dict[str, Any] = {}
        if with_value:
            approvals.require_authority(conn, ["tidegate_curator"], to="see an overlay's value")
            new, previous = curation_read.values_of(conn, overlay_key)
            value = {"new_value": new, "previous_value": previous}
    if as_json:
        print_json({**asdict(row), **value, "decisions": [asdict(event) for event in events]})
        return
    click.echo(f"{row.overlay_key}: {row.overlay_kind} of {row.subject_kind} {row.subject_key}")
    click.echo(f"    fact {row.fact_path}, {row.impact} impact, precedence {row.precedence}")
    click.echo(f"    {row.review_state}, {'in force' if row.in_force else 'not in force'}")
    if row.doubt:
        click.echo(f"    warning: {curation_doubts.SAID[words.OverlayEffect(row.doubt)]}")
    if with_value:
        click.echo(f"    value {json.dumps(value['new_value'], ensure_ascii=False)}")
        click.echo(f"    over {json.dumps(value['previous_value'], ensure_ascii=False)}")
    for event in events:
        click.echo(
            f"    {event.occurred_at:%Y-%m-%d %H:%M} UTC {event.event_kind} by {event.actor}"
            f" ({event.actor_kind}): {event.rationale}"
        )
        if event.superseded_by_key:
            click.echo(
                f"        supersedes {event.supersedes_event_key} by {event.superseded_by_key}"
            )


def _value(text: str | None) -> Any:
    """The JSON value of `--value`; the message never repeats it."""
    if text is None:
        return None
    if text == "-":
        text = sys.stdin.read()
    try:
        return json.loads(text)
    except ValueError:
        raise click.UsageError("--value is not JSON; text stands in double quotes.") from None


def _curator(by: str, reason: str, agent: bool) -> Curator:
    from tidegate.ledger.curation import Curator

    return Curator(by, reason, words.ActorKind.CURATION_AGENT if agent else words.ActorKind.HUMAN)


def _tell(overlay_key: str, event_kind: str, as_json: bool) -> None:
    if as_json:
        print_json({"overlay_key": overlay_key, "decision": event_kind})
    else:
        click.echo(f"{overlay_key}: {event_kind}.")
        click.echo(
            "Serving views unchanged; the next `tidegate refresh` builds with what is in force."
        )
