"""First contracts: from what is drafted to the file, and what a person has still to write."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import click

from tidegate.contracts import draft
from tidegate.contracts.identifiers import relation_problem
from tidegate.contracts.load import examine_project
from tidegate.errors import UsageError
from tidegate.settings import read_settings
from tidegate.shapes.comments import read_comments
from tidegate.shapes.introspect import introspect
from tidegate.warehouse import open_warehouse


def of_source(
    project_dir: Path, relation: str, source: str, name: str | None
) -> tuple[Path, str, tuple[str, ...]]:
    """The file, the text and notes of a dataset's contract; `relation` may be a delivered file."""
    wrong = relation_problem(source) or (relation_problem(name) if name else None)
    if wrong:
        raise UsageError(wrong[0], remedy=wrong[1])
    notes: tuple[str, ...] = ()
    if Path(relation).is_file():
        from tidegate.deliveries.drafting.draft import draft_file

        found = draft_file(Path(relation), name)
        live = found.relation
        notes = (
            f"Read {found.records} records. To be looked at:",
            *map("  {}".format, found.notes),
        )
    else:
        live = of_relation(relation)
        live = replace(live, name=name) if name else live
    folder = Path("contracts") / "datasets"
    path = folder / f"{source}.yml"
    if (project_dir / path).exists():
        # A source may stand in several files, and only a person should edit one that is there.
        path = folder / f"{source}_{draft.plain_name(live.name)}.yml"
    return path, draft.dataset_text(live, source), notes


def write(project_dir: Path, path: Path, text: str) -> None:
    """Write a new contract file and say what it still lacks; one that is there is left alone."""
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


def of_relation(relation: str) -> draft.DraftRelation:
    """The live relation as the text of a contract needs it."""
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
