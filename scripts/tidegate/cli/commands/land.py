"""Land files: store, check against the contract, isolate what fails, accept the rest."""

from __future__ import annotations

from pathlib import Path

import click

from tidegate.cli.session import json_option, opened


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--dataset", help="The dataset, where no pattern of a contract matches the file.")
@click.option("--producer", help="Who hands the delivery over; needs --idempotency-key.")
@click.option("--tenant", help="The tenant of the producer (default: default).")
@click.option("--idempotency-key", help="Retries with the same key are one publication.")
@json_option
def command(
    paths: tuple[Path, ...],
    dataset: str | None,
    producer: str | None,
    tenant: str | None,
    idempotency_key: str | None,
    as_json: bool,
) -> None:
    """Land files or folders.

    Each file finds its dataset by the delivery.match patterns of the contracts, or by --dataset.
    Exit code 0: everything accepted, or accepted before. 1: something was rejected, parked or
    failed its policy. 2: something could not be landed at all.
    """
    from tidegate.cli.landing_output import land_and_tell, show
    from tidegate.deliveries.landing import LandOptions

    settings, warehouse = opened()
    options = LandOptions(dataset, producer, tenant, idempotency_key)
    report = land_and_tell(settings, warehouse, paths, options, as_json=as_json)
    show(report, as_json=as_json)
    raise SystemExit(report.exit_code)
