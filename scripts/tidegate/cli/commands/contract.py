"""Check contracts, promote changed ones, write a first one, print their JSON Schema."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tidegate.cli.session import json_option, print_json

if TYPE_CHECKING:
    from tidegate.contracts.draft import DraftRelation
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
@click.option("--print", "only_print", is_flag=True, help="Print the contract, write no file.")
def init(relation: str, family: str | None, source: str | None, only_print: bool) -> None:
    """Write a first contract from RELATION (schema.name), as the database knows it.

    Views and materialized views too. What only people know is left empty and listed.
    """
    from tidegate.contracts import draft
    from tidegate.contracts.identifiers import relation_problem
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
    live = _draft(relation)
    if family is not None:
        path = Path("contracts") / checked_family(family) / f"{draft.model_name(live.name)}.yml"
        prefix = look_around(settings.project_dir).prefix
        text = draft.model_text(live, family, prefix)
    else:
        assert source is not None  # noqa: S101 (one of the two is given, see above)
        wrong = relation_problem(source)
        if wrong:
            raise UsageError(wrong[0], remedy=wrong[1])
        path = Path("contracts") / "datasets" / f"{source}.yml"
        text = draft.dataset_text(live, source)
    if only_print:
        click.echo(text, nl=False)
        return
    _write(settings.project_dir, path, text)


def _write(project_dir: Path, path: Path, text: str) -> None:
    from tidegate.contracts.load import examine_project
    from tidegate.errors import UsageError

    target = project_dir / path
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        with target.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise UsageError(
            f"{path.as_posix()} exists already.",
            remedy="Use --print and take over what you need, or move the file away.",
        ) from None
    click.echo(f"Wrote {path.as_posix()}.")
    _, problems = examine_project(project_dir)
    left = [problem for problem in problems if problem.file == path.as_posix()]
    if left:
        click.echo("Still to be written:")
    for problem in left:
        click.echo(f"  {problem}")


def _draft(relation: str) -> DraftRelation:
    """The live relation as the text of a contract needs it."""
    from tidegate.contracts import draft
    from tidegate.errors import UsageError
    from tidegate.settings import read_settings
    from tidegate.shapes.comments import read_comments
    from tidegate.shapes.introspect import introspect
    from tidegate.warehouse import open_warehouse

    schema, name = _split(relation)
    with open_warehouse(read_settings()).connect() as conn:
        live = introspect(conn, schema, name)
        comments = read_comments(conn, schema, name)
    if live.kind is None:
        raise UsageError(
            f"There is no table or view {live.qualified}.",
            remedy="Check the name and that this role may use the schema.",
        )
    columns = [
        draft.DraftColumn(
            field.name,
            field.type,
            field.nullable is not False,
            comments.columns.get(field.name, ""),
        )
        for field in live.shape.fields
        if field.type is not None
    ]
    found = draft.DraftRelation(name, comments.relation, columns, comments.key)
    unfit = draft.unfit_columns(found)
    if unfit or not columns:
        why = "; ".join(f"{name!r}: {reason}" for name, reason in unfit.items())
        raise UsageError(
            f"No contract can carry {live.qualified}: {why or 'it has no columns.'}",
            remedy="Make a view over it with plain names, and start from that.",
        )
    return found


def _split(relation: str) -> tuple[str, str]:
    """`schema.name`, each part perhaps in double quotes as SQL has it."""
    import re

    from tidegate.errors import UsageError

    part = r'(?:"((?:[^"]|"")+)"|([^".]+))'
    match = re.fullmatch(rf"{part}\.{part}", relation)
    if not match:
        raise UsageError(
            f"{relation!r} does not name one relation.", remedy="Write it as schema.name."
        )
    quoted_schema, schema, quoted_name, name = match.groups()
    return (
        quoted_schema.replace('""', '"') if quoted_schema else schema.lower(),
        quoted_name.replace('""', '"') if quoted_name else name.lower(),
    )


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
