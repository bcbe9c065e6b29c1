"""Write what a dbt project needs to use Tidegate; an empty folder becomes a whole project."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tidegate.cli.session import json_option, print_json

EXAMPLE = "contracts/shop/q_products.yml"

if TYPE_CHECKING:
    from tidegate.starter.plan import Plan


@click.command()
@click.argument("folder", default=".", type=click.Path(path_type=Path))
@click.option("--name", help="Name of a new project (default: from the folder).")
@click.option("--no-example", is_flag=True, help="Without the example of a shop and its sample.")
@click.option("--dry-run", is_flag=True, help="Say what would be written, and write nothing.")
@json_option
def command(folder: Path, name: str | None, no_example: bool, dry_run: bool, as_json: bool) -> None:
    """Write what a dbt project needs to use Tidegate.

    An empty folder becomes a whole project with one example: a dataset, a model, their contracts
    and a sample. In a project that is there, files and lines that are missing are added; nothing
    is overwritten, and what only a person can change is listed.
    """
    from tidegate.contracts.schema import schema_text
    from tidegate.starter.plan import make_plan
    from tidegate.starter.write import carry_out

    plan = make_plan(folder, name, schema_text(), example=not no_example)
    if not dry_run:
        carry_out(plan)
    if as_json:
        print_json(_document(plan, dry_run=dry_run))
    else:
        click.echo("\n".join(_lines(plan, dry_run=dry_run)))


def _document(plan: Plan, *, dry_run: bool) -> dict[str, object]:
    return {
        "project": plan.project,
        "folder": str(plan.folder),
        "dry_run": dry_run,
        "created": [step.path for step in plan.steps if step.is_new],
        "changed": [s.path for s in plan.steps if not s.is_new and not s.by_hand],
        "by_hand": [{"file": s.path, "do": s.why} for s in plan.steps if s.by_hand],
        "kept": list(plan.kept),
    }


def _lines(plan: Plan, *, dry_run: bool) -> list[str]:
    lines = []
    for step in plan.steps:
        if not step.by_hand:
            verb = "create" if step.is_new else "extend"
            done = f"would {verb}" if dry_run else {"create": "created", "extend": "extended"}[verb]
            lines.append(f"{done:8} {step.path}: {step.why}")
    lines += [f"kept     {path}" for path in plan.kept]
    by_hand = [step for step in plan.steps if step.by_hand]
    if by_hand:
        lines.append("By hand, since these files say otherwise:")
        lines += [f"  {step.path}: {step.why}" for step in by_hand]
    lines.append("Nothing was written: a dry run." if dry_run else "Next:")
    if not dry_run:
        lines += _next(plan)
    return lines


def _next(plan: Plan) -> list[str]:
    here = plan.folder.resolve() == Path.cwd()
    example = (plan.folder / EXAMPLE).exists()
    lines = [] if here else [f"  cd {shlex.quote(str(plan.folder))}"]
    if not example:
        lines.append(
            "  write a contract and its model: Tidegate's docs/adopting.md goes through it"
        )
    lines.append("  tidegate contract check      # are the contracts right?")
    lines.append("  tidegate refresh             # land what arrived, build, judge, publish")
    if example:
        lines.append(
            "Then replace the example by your own tables: Tidegate's docs/adopting.md goes"
            " through it."
        )
    return lines
