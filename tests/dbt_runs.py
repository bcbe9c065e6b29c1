"""dbt, run in the process of a test."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def run_dbt(*arguments: str, manifest: Any = None) -> Any:
    """Run one dbt command, on a copy of a manifest that is parsed already where one is given.

    dbt leaves in a manifest what it compiled, and would not compile it again. What it returns is
    its `dbtRunnerResult`; an exception of dbt is raised.
    """
    import logging
    import warnings

    from dbt.cli.main import dbtRunner

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # dbt's own, on import and while it parses
        done = dbtRunner(manifest=manifest.deepcopy() if manifest else None).invoke(
            ["--quiet", *arguments]
        )
    logging.captureWarnings(False)
    if done.exception is not None:
        raise done.exception
    return done


def statuses(results: Iterable[Any]) -> dict[str, str]:
    """Each node that ran, with dbt's word for how it ended."""
    return {item.node.name: str(item.status.value) for item in results}
