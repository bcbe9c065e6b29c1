"""A process that publishes the test family once, for tests that kill it."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2] / "scripts")]

from shop import FAMILY, Shop  # noqa: E402
from tidegate.errors import TidegateError  # noqa: E402
from tidegate.ledger.generations import served_generation  # noqa: E402
from tidegate.publishing.publish import Request, publish_group  # noqa: E402
from tidegate.warehouse import Warehouse  # noqa: E402


def main(conninfo: str, key: str | None) -> int:
    """Publish; the exit code is that of the command line."""
    shop = Shop(Warehouse(conninfo, "test"))
    with shop.warehouse.connect() as conn:
        # Numbers of builds go on where the last process stopped.
        shop.builds = (served_generation(conn, FAMILY) or 0) * 100
    try:
        (outcome,) = publish_group(
            shop,  # type: ignore[arg-type]
            (FAMILY,),
            Request(idempotency_key=key),
        )
    except TidegateError as error:
        print(error)
        return error.exit_code
    print(outcome.verdict.value, outcome.reference)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None))
