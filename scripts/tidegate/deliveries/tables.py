"""Where accepted rows live (`layouts`) and the views that dbt reads (`landing_views`), together."""

from __future__ import annotations

from tidegate.contracts.model import DatasetContract
from tidegate.deliveries import landing_views, layouts
from tidegate.deliveries.runs import Connection
from tidegate.ledger import roles
from tidegate.names import LANDING


def ensure(conn: Connection, contract: DatasetContract) -> layouts.Layout:
    """The layout of this contract and its view, made where they are missing.

    Runs inside the caller's transaction; a lock of that transaction keeps two from making both.
    Where both are there nothing is locked, so that deliveries of one dataset are accepted side by
    side.
    """
    layout = layouts.find(conn, contract)
    if layout is not None and landing_views.is_current(conn, contract):
        return layout
    conn.execute(
        "select pg_advisory_xact_lock(hashtextextended(jsonb_build_array("
        "'tidegate.landing_view', %s::text)::text, 0))",
        [contract.name],
    )
    layout = layouts.ensure(conn, contract)
    landing_views.ensure(conn, contract)
    for schema in (layouts.ROWS, LANDING):
        roles.apply_grants(conn, schema)
    return layout
