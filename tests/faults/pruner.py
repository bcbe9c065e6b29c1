"""A process that prunes once, for tests that kill it: deliveries or generations."""

from __future__ import annotations

import sys
from datetime import datetime, timezone
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2] / "scripts")]

from tidegate.contracts.load import load_project  # noqa: E402
from tidegate.deliveries.pruning import Pruner  # noqa: E402
from tidegate.publishing import prune  # noqa: E402
from tidegate.warehouse import Warehouse  # noqa: E402


def main(what: str, conninfo: str, folder: Path) -> None:
    """Remove everything that may go."""
    warehouse = Warehouse(conninfo, "test")
    if what == "deliveries":
        store = folder / ".tidegate" / "artifacts"
        at = datetime.now(timezone.utc)
        Pruner(load_project(folder), store, by="ann", reason="test", at=at).apply(warehouse)
        return
    with warehouse.connect() as conn:
        items = prune.plan(conn, {"shop": 0})
    prune.apply(warehouse, items, by="ann", reason="test")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], Path(sys.argv[3]))
