"""What `refresh`, `publish`, `build` and `check` print, and their exit code."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tidegate.cli.session import actor, print_json
from tidegate.publishing.outcome import FamilyOutcome, Verdict

if TYPE_CHECKING:
    from tidegate.deliveries.report import LandingReport
    from tidegate.detection.checking import Checked
    from tidegate.settings import Settings
    from tidegate.warehouse import Warehouse

_EXAMPLE = "select * from query.{} limit 5"


def land_first(
    settings: Settings, warehouse: Warehouse, paths: Sequence[Path], *, as_json: bool
) -> LandingReport | None:
    """Land what the command names before it builds, else take on parked runs that were answered.

    None where there is nothing of either.
    """
    if not paths and not _parked(warehouse):
        return None
    from tidegate.cli.landing_output import land_and_tell, show
    from tidegate.deliveries.landing import resume

    if paths:
        report = land_and_tell(settings, warehouse, paths, as_json=as_json, part="landed")
    else:
        report = resume(settings, warehouse)
    if not as_json:
        show(report, as_json=False)
    return report


def answer_from_records(settings: Settings, warehouse: Warehouse, *, as_json: bool) -> None:
    """Run the declared tasks of inference that cost nothing; a project may declare none."""
    from tidegate.cli.commands.infer import show_runs
    from tidegate.inference.declared import load_declarations
    from tidegate.inference.running import open_runtime, recorded_tasks, run_tasks

    tasks = recorded_tasks(load_declarations(settings.project_dir))
    if not tasks:
        return
    reports = run_tasks(open_runtime(settings, warehouse, actor()), tasks, actor=actor())
    if not as_json:
        show_runs(reports)


def _parked(warehouse: Warehouse) -> bool:
    with warehouse.connect() as conn:
        row = conn.execute(
            "select exists (select from governance.runs where status = 'parked')"
        ).fetchone()
    return bool(row and row[0])


@contextlib.contextmanager
def progress(as_json: bool) -> Iterator[Callable[[str], None]]:
    """A spinner with the present step, on a terminal only."""
    if as_json or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.markup import escape

    console = Console(stderr=True)
    with console.status("reading the project") as status:
        # A step may name a partner's file, and brackets are markup to rich.
        yield lambda step: status.update(escape(step))


def check_calendars(settings: Settings, warehouse: Warehouse) -> Checked:
    """Raise deliveries that did not come: on such a day nothing else would."""
    from tidegate.contracts.load import load_project
    from tidegate.detection.checking import check

    with warehouse.connect() as conn:
        return check(conn, load_project(settings.project_dir).datasets.values())


def show_outcomes(
    outcomes: Sequence[FamilyOutcome],
    landed: LandingReport | None,
    checked: Checked | None = None,
    *,
    as_json: bool,
) -> None:
    """Print what became of each family, and which deliveries did not come."""
    from tidegate.reporting.publication import outcome_lines

    if as_json:
        document: dict[str, Any] = {"families": [outcome.document() for outcome in outcomes]}
        if landed is not None:
            document["landed"] = landed.document()
        if checked is not None:
            document["warnings"] = checked.sentences()
        print_json(document)
        return
    for line in checked.sentences() if checked else ():
        click.echo(f"warning: {line}")
    click.echo("\n".join(outcome_lines(outcomes)))


def show_how_to_query(warehouse: Warehouse, outcomes: Sequence[FamilyOutcome]) -> None:
    """After a publication: where the views are, and a statement that reads one of them."""
    published = [o.family for o in outcomes if o.verdict is Verdict.PUBLISHED]
    view = _a_view(warehouse, published) if published else None
    if view is None:
        return
    click.echo("Query them in schema query, for example:")
    # An address of somebody's own may hold a password.
    psql = f'psql "{warehouse.conninfo}"' if warehouse.origin == "embedded" else "psql"
    click.echo(f"  {psql} -c '{_EXAMPLE.format(view)}'")


def _a_view(warehouse: Warehouse, families: Sequence[str]) -> str | None:
    """The catalogue where there is one, else the first published model."""
    with warehouse.connect() as conn:
        row = conn.execute(
            "select viewname from pg_catalog.pg_views where schemaname = 'query'"
            " and (viewname = 'q_catalog' or viewname in (select model"
            " from governance.generation_models where family = any(%s)))"
            " order by viewname <> 'q_catalog', viewname limit 1",
            [list(families)],
        ).fetchone()
    return str(row[0]) if row else None


def exit_code(
    outcomes: Sequence[FamilyOutcome],
    landed: LandingReport | None,
    fail_on: str,
    checked: Checked | None = None,
) -> int:
    """0 published or nothing to do, 1 withheld; `--fail-on` moves the line (design §8).

    No family at all is no success: nothing was evaluated.
    """
    if not outcomes:
        return 2
    withheld = any(outcome.verdict.withheld for outcome in outcomes)
    warned = any(o.warnings for o in outcomes if o.verdict is Verdict.PUBLISHED)
    warned = warned or bool(checked and checked.sentences())
    landing = landed.exit_code if landed is not None else 0
    if landing > 1:
        return landing
    if fail_on == "never":
        return 0
    return int(withheld or landing == 1 or (fail_on == "warning" and warned))
