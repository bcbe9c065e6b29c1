"""Which checks the project declares, whether they ever ran or not."""

from __future__ import annotations

import json
from dataclasses import asdict

from tidegate.publishing.context import Context
from tidegate.publishing.node_results import Check, check_of
from tidegate.publishing.nodes import is_test

_KEPT = "declared_checks.json"


def declared_checks(context: Context) -> tuple[Check, ...]:
    """Every test that dbt knows, of the layers below the families too, by gate and asset.

    What dbt said of the same files last time is kept: it needs seconds to read a project. Raises
    what reading the project raises (ContractError, BuildFailed).
    """
    kept = context.settings.home / _KEPT
    try:
        known = json.loads(kept.read_text(encoding="utf-8"))
        if known["project"] == context.project_sha256:
            return tuple(Check(**check) for check in known["checks"])
    except (OSError, ValueError, TypeError, KeyError):
        pass  # none is kept, or one of another version
    nodes = context.dbt.manifest.nodes.values()
    found = sorted({check_of(node) for node in nodes if is_test(node)}, key=_order)
    document = {"project": context.project_sha256, "checks": [asdict(check) for check in found]}
    kept.write_text(json.dumps(document), encoding="utf-8")
    return tuple(found)


def _order(check: Check) -> tuple[str, str, str]:
    return check.gate_id, check.asset, check.severity
