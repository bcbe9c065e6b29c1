"""How many rows the gates below the families looked at: dbt tells it of no test that passes.

They are counted behind dbt's tests, for all gates of a relation in one scan, in the run that holds
the build lock, so that nobody builds meanwhile. What lands meanwhile is counted, too.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import psycopg

from tidegate.connection import Connection
from tidegate.contracts.expressions import ExpressionError, canonical_condition
from tidegate.gates.calls_layers import DELIVERY_GATES, LEDGER
from tidegate.gates.relations import Counts, Relations, relation_sql
from tidegate.macros import render
from tidegate.publishing.node_results import NodeResult, looked_at
from tidegate.publishing.nodes import judged_dataset

_JUDGED = ("pass", "warn", "fail")


@dataclass(frozen=True)
class _Look:
    """What one test looks at: SQL of one number; relation and condition where it is its rows."""

    scalar: str
    relation: str = ""
    where: str | None = None


def rows_checked(
    conn: Connection, manifest: Any, results: Sequence[NodeResult]
) -> dict[str, int | None]:
    """By unique id of each test that judged, how many rows (deliveries, runs) it looked at.

    None where nobody can say: a test on no relation, or one that the server does not count.
    """
    ledger = _ledger(conn)
    looks = {
        result.unique_id: look
        for result in results
        if result.kind == "test" and result.status in _JUDGED
        if (look := _look(manifest, manifest.nodes.get(result.unique_id), ledger))
    }
    together: defaultdict[str, list[str | None]] = defaultdict(list)
    for look in looks.values():
        if look.relation and look.where not in together[look.relation]:
            together[look.relation].append(look.where)
    counts = Counts(together.items())
    return {unique_id: _counted(conn, counts, look.scalar) for unique_id, look in looks.items()}


def _counted(conn: Connection, counts: Counts, scalar: str) -> int | None:
    try:
        with conn.transaction():
            return counts.of(conn, scalar)
    except psycopg.Error:
        return None


def _ledger(conn: Connection) -> dict[str, str | None]:
    relations = Relations(conn, lambda _: None)
    found = {name: relations.at("governance", name) for name in LEDGER}
    return {name: relation.sql if relation else None for name, relation in found.items()}


def _look(manifest: Any, test: Any, ledger: Mapping[str, str | None]) -> _Look | None:
    if getattr(test, "test_metadata", None) is None:
        return None  # a query of its own: it may look at anything
    judged = looked_at(test)
    node = manifest.nodes.get(judged) or manifest.sources.get(judged)
    if node is None or getattr(node.config, "materialized", None) == "ephemeral":
        return None
    relation = relation_sql(node.schema, getattr(node, "identifier", None) or node.alias)
    try:
        where = canonical_condition(test.config.where) if test.config.where else None
    except ExpressionError:
        return None
    name = test.test_metadata.name
    if name not in DELIVERY_GATES:
        return _Look(render("row_count", relation, where), relation, where)
    options = json.loads(render(f"{name}_arguments"))["options"]
    given = {key: value for key, value in test.test_metadata.kwargs.items() if key in options}
    gate = {
        "relation": relation,
        "subject": node.name,
        "row_key": [],
        "columns": {},
        "relations": {},
        "options": {**options, **given, "dataset": judged_dataset(test)},
        "ledger": ledger,
        "where": where,
        "when_empty": "ignore",
    }
    return _Look(render(f"{name}_checked", gate))
