"""Build, judge and publish families whose inputs are landed already."""

from __future__ import annotations

import click

from tidegate.cli.session import fail_on_option, json_option, request_options


@click.command()
@click.argument("families", nargs=-1, required=True)
@request_options
@fail_on_option
@json_option
def command(
    families: tuple[str, ...],
    force: bool,
    idempotency_key: str | None,
    producer: str,
    tenant: str,
    fail_on: str,
    as_json: bool,
) -> None:
    """Build, judge and publish FAMILIES; nothing is landed."""
    from tidegate.cli import publishing_output as output
    from tidegate.cli.session import actor, opened
    from tidegate.cli.world import watched
    from tidegate.publishing.publish import Request
    from tidegate.publishing.refresh import refresh

    settings, warehouse = opened()
    request = Request(producer, tenant, idempotency_key, actor(), force)
    with watched(warehouse), output.progress(as_json) as step:
        report = refresh(settings, warehouse, families, request, step)
    output.show_outcomes(report.outcomes, None, as_json=as_json)
    raise SystemExit(output.exit_code(report.outcomes, None, fail_on))
