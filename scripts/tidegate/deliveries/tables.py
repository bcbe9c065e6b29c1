"""Where accepted rows live (`layouts`) and the views that dbt reads (`landing_views`), together."""

from __future__ import annotations

from collections.abc import Sequence

from tidegate.connection import Connection
from tidegate.contracts.model import DatasetContract
from tidegate.deliveries import landing_views, layouts
from tidegate.errors import NOT_OURS, EnvironmentFailure
from tidegate.ledger import roles
from tidegate.names import LANDING
from tidegate.warehouse.locks import no_limit

_OTHERS = """
select namespace.nspname, class.relname
from pg_catalog.pg_class as class
inner join pg_catalog.pg_namespace as namespace on namespace.oid = class.relnamespace
where
    class.relkind in ('r', 'p', 'v', 'm', 'f')
    and (
        namespace.nspname = %(landing)s and class.relname = %(dataset)s
        and not exists (
            select from governance.landing_views as ours where ours.dataset = class.relname
        )
        or namespace.nspname = %(rows)s
        and starts_with(class.relname, %(dataset)s || '__l')
        and not exists (
            select from governance.landing_layouts as ours where ours.relation = class.relname
        )
    )
order by 1, 2
limit 1
"""


def ensure(conn: Connection, contract: DatasetContract) -> layouts.Layout:
    """The layout of this contract and its view, made where they are missing.

    Runs inside the caller's transaction; a lock of that transaction keeps two from making both.
    Where both are there nothing is locked, so that deliveries of one dataset are accepted side by
    side.
    """
    layout = layouts.find(conn, contract)
    if layout is not None and landing_views.is_current(conn, contract):
        return layout
    with no_limit(conn):
        conn.execute(
            "select pg_advisory_xact_lock(hashtextextended(jsonb_build_array("
            "'tidegate.landing_view', %s::text)::text, 0))",
            [contract.name],
        )
    _refuse_others(conn, contract.name)
    layout = layouts.ensure(conn, contract)
    landing_views.ensure(conn, contract)
    for schema in (layouts.ROWS, LANDING):
        roles.apply_grants(conn, schema)
    return layout


def incomplete(conn: Connection, contracts: Sequence[DatasetContract]) -> frozenset[str]:
    """The datasets for which `ensure` has something to make."""
    names = [contract.name for contract in contracts]
    there = layouts.by_dataset(conn, names)
    made = landing_views.definitions(conn, names)
    return frozenset(
        contract.name
        for contract in contracts
        if not layouts.has(there.get(contract.name, ()), contract)
        or made.get(contract.name)
        != landing_views.digest(conn, contract, there.get(contract.name, ()))
    )


def _refuse_others(conn: Connection, dataset: str) -> None:
    """Raise EnvironmentFailure where the view or a table would meet somebody else's relation."""
    row = conn.execute(
        _OTHERS, {"landing": LANDING, "rows": layouts.ROWS, "dataset": dataset}
    ).fetchone()
    if row:
        raise EnvironmentFailure(
            f"{row[0]}.{row[1]} is there, and is not Tidegate's.", remedy=NOT_OURS
        )
