"""Start the embedded server if it is used, upgrade the ledger, and write dbt's profile."""

from __future__ import annotations

import click


@click.command()
def command() -> None:
    """Start the embedded server if it is used, upgrade the ledger, and write dbt's profile."""
    from tidegate.cli.session import opened
    from tidegate.publishing import package
    from tidegate.publishing.profile import write_profile

    settings, warehouse = opened()
    folder = write_profile(settings, warehouse)
    package.provide(settings.project_dir)
    click.echo(f"{warehouse.described} is ready. For dbt on its own:")
    click.echo(f"  export DBT_PROFILES_DIR={folder}")
    if warehouse.origin == "embedded":
        click.echo(f"For psql: {warehouse.conninfo}")
