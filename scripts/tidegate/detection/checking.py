"""What no delivery sets off: days that passed without one, and runs that nobody judged.

Called by `tidegate anomalies check` and by `tidegate refresh`. Advisory, like all of detection.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime

import psycopg

from tidegate.connection import Connection
from tidegate.contracts.model import DatasetContract
from tidegate.detection.after import catch_up
from tidegate.detection.missing import raise_missing


@dataclass(frozen=True)
class Checked:
    """What a check raised: runs judged late, and by dataset the days without a delivery.

    `failed` are datasets that could not be checked.
    """

    judged: int
    missing: Mapping[str, tuple[date, ...]]
    failed: tuple[str, ...] = ()

    def sentences(self) -> list[str]:
        """One line for each missing delivery, and for each dataset that was not checked."""
        return [
            *(
                f"{name}: a delivery was expected on {day}; none came that day."
                for name, days in self.missing.items()
                for day in days
            ),
            *(f"{name}: its calendar could not be checked." for name in self.failed),
        ]


def check(
    conn: Connection, contracts: Iterable[DatasetContract], now: datetime | None = None
) -> Checked:
    """Raise what is missing and judge what was not; what was raised before is not told again."""
    judged, missing, failed = 0, {}, []
    for contract in sorted(contracts, key=lambda one: one.name):
        try:
            judged += catch_up(conn, contract)
            missing[contract.name] = raise_missing(conn, contract, now)
        except psycopg.Error:  # advisory: nobody's refresh fails because of it
            failed.append(contract.name)
            if conn.closed:
                raise
    return Checked(judged, missing, tuple(failed))
