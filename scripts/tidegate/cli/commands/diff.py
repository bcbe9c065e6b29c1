"""Compare contracts with the warehouse, or with what they were at a git ref."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tidegate.cli.session import fail_on_option, json_option

if TYPE_CHECKING:
    from tidegate.contracts.model import Project
    from tidegate.reporting.diff import DiffReport


@click.command()
@click.argument("models", nargs=-1)
@click.option("--candidate", is_flag=True, help="Compare with what dbt built, not yet published.")
@click.option("--serving", is_flag=True, help="Compare with what readers query.")
@click.option("--against", metavar="REF", help="Compare with the contracts at a git ref.")
@click.option("--family", metavar="NAME", help="Only the models of this family.")
@click.option("--markdown", is_flag=True, help="Print Markdown, for a pull request.")
@json_option
@fail_on_option
@click.pass_context
def command(
    ctx: click.Context,
    models: tuple[str, ...],
    candidate: bool,
    serving: bool,
    against: str | None,
    family: str | None,
    markdown: bool,
    as_json: bool,
    fail_on: str,
) -> None:
    """Compare contracts with the warehouse, or with what they were at a git ref.

    Without a flag each model's candidate is compared, or, where there is none, its serving view.
    Nothing is changed. Exit code 1: a difference at --fail-on or above (error: breaking); 2:
    nothing could be compared, or the role cannot see every column.
    """
    from tidegate.errors import UsageError

    if candidate + serving + (against is not None) > 1:
        raise UsageError(
            "--candidate, --serving and --against are different comparisons.",
            remedy="Give one of them.",
        )
    if markdown and as_json:
        raise UsageError("--markdown and --json are different forms.", remedy="Give one of them.")
    if against is None:
        report = _live(models, family, candidate, serving)
    else:
        report = _against(models, family, against)
    _print(report, markdown, as_json)
    ctx.exit(_exit_code(report, fail_on))


def _live(
    models: tuple[str, ...], family: str | None, candidate: bool, serving: bool
) -> DiffReport:
    from tidegate.cli.session import opened
    from tidegate.contracts.load import load_project
    from tidegate.reporting.diff_live import Side, diff_live
    from tidegate.settings import read_settings

    project = load_project(read_settings().project_dir)
    chosen = _chosen((project,), models, family)
    _, warehouse = opened()
    side = Side.CANDIDATE if candidate else Side.SERVING if serving else Side.PRESENT
    with warehouse.connect() as conn:
        return diff_live(conn, [project.models[name] for name in chosen], side)


def _against(models: tuple[str, ...], family: str | None, ref: str) -> DiffReport:
    """Needs no warehouse: CI runs it on a pull request."""
    from tidegate.contracts.load import load_project
    from tidegate.reporting.diff_older import diff_against
    from tidegate.settings import read_settings
    from tidegate.shapes.older import load_at

    settings = read_settings()
    project = load_project(settings.project_dir)
    older = load_at(settings.project_dir, ref)
    if not models and family is None and (project.datasets or older.project.datasets):
        return diff_against(older, project)
    return diff_against(older, project, _chosen((project, older.project), models, family), ())


def _chosen(
    projects: tuple[Project, ...], models: tuple[str, ...], family: str | None
) -> list[str]:
    """The models meant; a name that matches nothing is an error, never an empty pass."""
    from tidegate.errors import UsageError

    known = {name: model.family for project in projects for name, model in project.models.items()}
    families = sorted(set(known.values()))
    if family is not None and family not in families:
        raise UsageError(
            f"No model belongs to a family {family!r}.",
            remedy=f"Families: {', '.join(families) or 'none'}.",
        )
    strangers = [name for name in models if name not in known]
    if strangers:
        raise UsageError(
            f"No contract declares {', '.join(strangers)}.",
            remedy=f"Models: {', '.join(sorted(known)) or 'none'}.",
        )
    chosen = [
        name
        for name in sorted(known)
        if (not models or name in models) and (family is None or known[name] == family)
    ]
    if not chosen:
        raise UsageError(
            "No model is chosen, so nothing would be compared.",
            remedy="Name models of the family, or declare one under contracts/.",
        )
    return chosen


def _print(report: DiffReport, markdown: bool, as_json: bool) -> None:
    from tidegate.cli.session import print_json
    from tidegate.reporting.diff_text import to_markdown, to_text

    if as_json:
        print_json(report.document())
        return
    if markdown:
        click.echo(to_markdown(report), nl=False)
        return
    import shutil
    import sys

    terminal = sys.stdout.isatty()
    click.echo(to_text(report, terminal, shutil.get_terminal_size((120, 40)).columns))


def _exit_code(report: DiffReport, fail_on: str) -> int:
    from tidegate.contracts.keys import Classification

    if report.unknown or report.nothing_compared:
        return 2
    grades = {"error": Classification.BREAKING, "warning": Classification.WARNING}
    return int(fail_on in grades and report.reaches(grades[fail_on]))
