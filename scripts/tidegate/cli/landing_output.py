"""What is printed of a landing, also of one that did not come to its end."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tidegate.cli.session import print_json
from tidegate.cli.world import UNCHANGED, done_so_far, note_state

if TYPE_CHECKING:
    from tidegate.deliveries.landing import LandOptions
    from tidegate.deliveries.report import FileOutcome, LandingReport
    from tidegate.settings import Settings
    from tidegate.warehouse import Warehouse


def land_and_tell(
    settings: Settings,
    warehouse: Warehouse,
    paths: Sequence[Path],
    options: LandOptions | None = None,
    *,
    as_json: bool,
    part: str | None = None,
) -> LandingReport:
    """Land; where that ends early, what had ended before is printed all the same.

    `part` is the key of the landing in the document of a command that does more than land.
    """
    from tidegate.cli.publishing_output import progress
    from tidegate.deliveries.landing import land
    from tidegate.deliveries.report import LandingReport

    ended: list[FileOutcome] = []

    def so_far() -> dict[str, Any]:
        # The exit code is the command's own, and stands with the error.
        document = LandingReport(tuple(ended), (), complete=False).document()
        document.pop("exit_code")
        return {part: document} if part else document

    try:
        with progress(as_json) as step, done_so_far(so_far):

            def note(outcome: FileOutcome) -> None:
                ended.append(outcome)
                step(f"landing; {len(ended)} so far, {outcome.file} the last")

            return land(settings, warehouse, paths, options, note)
    except (Exception, KeyboardInterrupt) as error:
        if ended:
            if not as_json:
                show(LandingReport(tuple(ended), (), complete=False), as_json=False)
            count = "1 file" if len(ended) == 1 else f"{len(ended)} files"
            note_state(
                error,
                f"{count} had ended before that. Land all of them again: what was accepted is a"
                f" duplicate then. {UNCHANGED}",
            )
        raise


def show(report: LandingReport, *, as_json: bool) -> None:
    """Print the report for a person or a program."""
    from tidegate.deliveries.text import as_text

    if as_json:
        print_json(report.document())
    else:
        click.echo(as_text(report))
