"""Where the reference rules of a dataset's policy look: frozen rows of an accepted delivery.

A reference is `<dataset>@d<delivery>#<sha256 of its file>`, as publications have it: the rows that
were accepted with that delivery. They never change; records of it that were reprocessed later are
another materialization. `latest` means the newest accepted delivery when the rule is judged. A
delivery from which retention removed rows is not known any more: what is not whole proves nothing.
"""

from __future__ import annotations

import re

from tidegate.connection import Connection
from tidegate.contracts.model import DatasetContract
from tidegate.deliveries.layouts import ROWS
from tidegate.names import LANDING
from tidegate.rules.references import Frozen, References
from tidegate.rules.relation import Relation

LATEST = "latest"
_REFERENCE = re.compile(r"(?P<dataset>.+)@d(?P<delivery>[0-9]{1,18})#(?P<sha256>[0-9a-f]{64})")
_FIND = """
select m.delivery_id, m.artifact_sha256, m.materialization_id, l.relation,
    exists (
        select from governance.delivery_prunings p
        where p.delivery_id = m.delivery_id and p.kind = 'rows'
    )
from governance.materializations m
join governance.landing_layouts l using (dataset, layout)
where m.dataset = %(dataset)s and m.origin = 'delivery'
    and (%(delivery)s::bigint is null or m.delivery_id = %(delivery)s)
order by m.delivery_id desc
limit 1
"""


def references(conn: Connection, contract: DatasetContract) -> References:
    """How the policy of `contract` finds other datasets: on behalf of its owner, as a role.

    What the connected role may read does not count (policy seed, v2 "Policy Contract"); the owner
    has to have SELECT on the fields of `landing.<dataset>`.
    """
    return References(lambda dataset, wanted: find(conn, dataset, wanted), contract.keys.owner)


def find(conn: Connection, dataset: str, wanted: str) -> Frozen | None:
    """The frozen rows that `wanted` (a reference, or `latest`) means; None: there are none."""
    delivery = sha256 = None
    if wanted != LATEST:
        parts = parse(wanted)
        if parts is None or parts[0] != dataset:
            return None
        _, delivery, sha256 = parts
    row = conn.execute(_FIND, {"dataset": dataset, "delivery": delivery}).fetchone()
    if row is None or row[4] or sha256 not in (None, row[1]):
        return None
    return Frozen(
        f"{dataset}@d{row[0]:06d}#{row[1]}",
        Relation(ROWS, row[3], (("_materialization_id", row[2]),)),
        Relation(LANDING, dataset),
    )


def parse(reference: str) -> tuple[str, int, str] | None:
    """Dataset, delivery and hash of a reference; None where it is none."""
    found = _REFERENCE.fullmatch(reference)
    return (found["dataset"], int(found["delivery"]), found["sha256"]) if found else None
