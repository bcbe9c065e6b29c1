"""Land what has arrived, build what changed, judge it, and publish it."""

from __future__ import annotations

from pathlib import Path

import click

from tidegate.cli.session import fail_on_option, json_option, request_options


@click.command()
@click.option(
    "--samples",
    is_flag=True,
    help="Land the project's samples/ first, and run tasks with recorded answers.",
)
@click.option(
    "--land",
    "folders",
    multiple=True,
    type=click.Path(exists=True, path_type=Path),
    help="Land this file or folder first; may be given several times.",
)
@click.option("--family", "families", multiple=True, help="Only this family; may be repeated.")
@request_options
@fail_on_option
@json_option
def command(
    samples: bool,
    folders: tuple[Path, ...],
    families: tuple[str, ...],
    force: bool,
    idempotency_key: str | None,
    producer: str,
    tenant: str,
    fail_on: str,
    as_json: bool,
) -> None:
    """Land what has arrived, build what changed, judge it, and publish it.

    The folders that tidegate.yml names as `inbox` are landed first, and what the options name.
    Deliveries that were expected and did not come are warnings. Idempotent, safe to retry, safe to
    run twice at once. Families that are held back leave their last good generation served.
    """
    from tidegate.cli import publishing_output as output
    from tidegate.cli.session import actor, opened
    from tidegate.cli.world import done_so_far, watched
    from tidegate.ledger.outbox_config import load_inbox
    from tidegate.publishing.publish import Request
    from tidegate.publishing.refresh import refresh

    settings, warehouse = opened()
    named = [settings.project_dir / "samples"] if samples else []
    paths = list(dict.fromkeys([*load_inbox(settings.project_dir), *named, *folders]))
    landed = output.land_first(settings, warehouse, paths, as_json=as_json)
    request = Request(
        producer=producer,
        tenant=tenant,
        idempotency_key=idempotency_key,
        actor=actor(),
        force=force,
    )
    told = {} if landed is None else {"landed": landed.document()}
    with done_so_far(lambda: told), watched(warehouse), output.progress(as_json) as step:
        if samples:
            output.answer_from_records(settings, warehouse, as_json=as_json)
        checked = output.check_calendars(settings, warehouse)
        report = refresh(settings, warehouse, families, request, step)
    output.show_outcomes(report.outcomes, landed, checked, as_json=as_json)
    if not as_json:
        output.show_how_to_query(warehouse, report.outcomes)
    raise SystemExit(output.exit_code(report.outcomes, landed, fail_on, checked))
