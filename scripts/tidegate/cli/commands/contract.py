"""Check contracts, promote changed ones, write a first one, print their JSON Schema."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tidegate.cli.session import json_option, print_json

if TYPE_CHECKING:
    from tidegate.contracts.model import Project
    from tidegate.errors import Problem


@click.group()
def command() -> None:
    """Check contracts, promote changed ones, write a first one, print their JSON Schema."""


@command.command()
@json_option
@click.pass_context
def check(context: click.Context, as_json: bool) -> None:
    """Read every contract and list all problems; needs no server.

    Exit codes: 0 no problem; 2 problems, or no contract at all.
    """
    from tidegate.reporting.contract_problems import examine
    from tidegate.settings import read_settings

    project, problems = examine(read_settings().project_dir)
    empty = not (project.datasets or project.models or problems)
    if as_json:
        print_json(_document(project, problems))
    else:
        for problem in problems:
            click.echo(str(problem))
        click.echo(_summary(project, problems))
    context.exit(2 if problems or empty else 0)


@command.command()
@click.argument("names", nargs=-1, required=True)
@click.option("--by", required=True, help="Who answers for the change.")
@click.option("--reason", required=True, help="Why.")
def promote(names: tuple[str, ...], by: str, reason: str) -> None:
    """Promote the contracts as they stand now: NAMES are families, models or datasets.

    A changed contract parks its family or its deliveries (`contract_unpromoted`) until somebody
    answers for it. Who and why are kept; the next refresh or delivery uses it.
    """
    from tidegate.cli.session import opened
    from tidegate.deliveries.waiting import bounded
    from tidegate.publishing.markers import promote_contracts

    settings, warehouse = opened()
    with bounded(warehouse, "tidegate contract promote") as conn:
        for line in promote_contracts(conn, settings.project_dir, names, by=by, reason=reason):
            click.echo(line)


@command.command()
@click.option("--policy", is_flag=True, help="Of quality policies that are JSON files, instead.")
def schema(policy: bool) -> None:
    """Print the JSON Schema of contract files, for editors."""
    from tidegate.contracts import schema as contracts
    from tidegate.rules import schema as policies

    click.echo(policies.schema_text() if policy else contracts.schema_text(), nl=False)


@command.command()
@click.argument("relation")
@click.option("--family", help="Write the contract of a q_* model of this family.")
@click.option("--source", help="Write the contract of a dataset of this source.")
@click.option("--name", help="Name of the dataset (default: from the file or relation).")
@click.option("--print", "only_print", is_flag=True, help="Print the contract, write no file.")
def init(
    relation: str, family: str | None, source: str | None, name: str | None, only_print: bool
) -> None:
    """Write a first contract from RELATION (schema.name), as the database knows it.

    Views and materialized views too. With --source it may be a file that was delivered (CSV, JSON,
    JSON Lines, also .gz): then the contract says how it is written, and which columns and types all
    its records show. What only people know is left empty and listed.
    """
    from tidegate.cli import drafting
    from tidegate.contracts import draft
    from tidegate.contracts.surroundings import look_around
    from tidegate.errors import UsageError
    from tidegate.names import checked_family
    from tidegate.settings import read_settings

    settings = read_settings()
    if (family is None) == (source is None):
        raise UsageError(
            "Give either --family or --source.",
            remedy="--family for what readers get, --source for what partners deliver.",
        )
    if family is not None and name is not None:
        raise UsageError("--name is for --source.", remedy="A model is named after its relation.")
    if family is not None:
        live = drafting.of_relation(relation)
        path = Path("contracts") / checked_family(family) / f"{draft.model_name(live.name)}.yml"
        text = draft.model_text(live, family, look_around(settings.project_dir).prefix)
        notes: tuple[str, ...] = ()
    else:
        assert source is not None  # noqa: S101 (one of the two is given, see above)
        path, text, notes = drafting.of_source(settings.project_dir, relation, source, name)
    if only_print:
        click.echo(text, nl=False)
    else:
        drafting.write(settings.project_dir, path, text)
    for note in notes:
        click.echo(note, err=only_print)


def _summary(project: Project, problems: tuple[Problem, ...]) -> str:
    if problems:
        files = len({problem.file for problem in problems})
        return f"{_count(len(problems), 'problem')} in {_count(files, 'file')}."
    if not (project.datasets or project.models):
        return "No contracts under contracts/. `tidegate contract init` writes a first one."
    families = ", ".join(f"{name} {len(models)}" for name, models in project.families.items())
    counts = f"{_count(len(project.datasets), 'dataset')}, {_count(len(project.models), 'model')}"
    return f"{counts}{f' ({families})' if families else ''}: no problems."


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _document(project: Project, problems: tuple[Problem, ...]) -> dict[str, object]:
    return {
        "problems": [
            {
                "file": problem.file,
                "line": problem.line,
                "key": problem.key,
                "message": problem.message,
                "remedy": problem.remedy,
            }
            for problem in problems
        ],
        "datasets": {
            name: {
                "path": it.path,
                "line": it.line,
                "version": it.keys.version,
                "sha256": it.sha256,
            }
            for name, it in project.datasets.items()
        },
        "models": {
            name: {
                "family": it.family,
                "path": it.path,
                "line": it.line,
                "version": it.keys.version,
                "sha256": it.sha256,
            }
            for name, it in project.models.items()
        },
    }
