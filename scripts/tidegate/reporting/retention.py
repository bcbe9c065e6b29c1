"""What retention removed from deliveries, or would remove, as text."""

from __future__ import annotations

from collections.abc import Sequence

from tidegate.deliveries.retention import Prunable

_SHOWN = 20
"""Items of a kind that are named; the rest are counted. `--json` has all."""


def retention_lines(items: Sequence[Prunable], *, applied: bool) -> list[str]:
    """What went, or would go, and what is old enough and stays, and why."""
    if not items:
        return ["Nothing to prune: no delivery is older than its contract keeps it."]
    verb = "removed" if applied else "would remove"
    going = [f"{verb} {item.label}" for item in items if not item.kept_because]
    staying = [f"keeps {item.label}: {item.kept_because}" for item in items if item.kept_because]
    lines = []
    for some in (going, staying):
        lines.extend(some[:_SHOWN])
        if len(some) > _SHOWN:
            lines.append(f"  and {len(some) - _SHOWN} more")
    return lines
