"""How long a publication waits for locks of others, and what it says when that was too short.

Statements of dbt wait as long as those of the harness: whoever holds a relation that a model reads
or replaces ends the run, and is looked up as soon as dbt has ended with the model, before others
that still run let the holder end too.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import psycopg
from psycopg import errors as pg

from tidegate.errors import PublishBlocked, TidegateError
from tidegate.names import CURATION, GOVERNANCE, LANDING, QUERY
from tidegate.publishing.node_results import LOCK_TIMEOUT, NodeResult
from tidegate.warehouse import Warehouse, locks
from tidegate.warehouse.holders import holders, holders_beneath, holders_in, in_vain

PATIENCE_SECONDS = locks.PATIENCE_SECONDS
_OPTIONS = "PGOPTIONS"


def patient(warehouse: Warehouse) -> Warehouse:
    """The warehouse with connections that wait for a lock for `PATIENCE_SECONDS` at most."""
    return replace(warehouse, lock_timeout=locks.as_setting(PATIENCE_SECONDS))


def session_options() -> dict[str, str]:
    """What libpq reads from the environment when dbt connects.

    It outranks what is set for the login or the database, and what stood in the variable before.
    """
    before = os.environ.get(_OPTIONS, "")
    return {_OPTIONS: f"{before} -c lock_timeout={locks.as_setting(PATIENCE_SECONDS)}".strip()}


@contextmanager
def bounded(warehouse: Warehouse, *schemas: str) -> Iterator[None]:
    """Raise PublishBlocked where a statement of the block waited for a lock in vain.

    Whoever holds one on a relation of these schemas, or of those that every publication uses, is
    named.
    """
    try:
        yield
    except pg.LockNotAvailable:
        raise blocked(warehouse, *schemas) from None


def blocked(warehouse: Warehouse, *schemas: str) -> PublishBlocked:
    """The error about a lock that nobody knows more of than the schemas it may be in."""
    with warehouse.connect() as conn:
        found = holders_in(conn, (*schemas, GOVERNANCE, LANDING, CURATION))
    return PublishBlocked(in_vain(found), remedy=locks.REMEDY)


class LockHolders:
    """Who held what nodes of dbt waited for in vain, by unique id of the node."""

    def __init__(self, warehouse: Warehouse, manifest: Any) -> None:
        self.found: dict[str, tuple[str, ...]] = {}
        self._warehouse = warehouse
        self._manifest = manifest

    def look_up(self, unique_id: str) -> None:
        """Ask the server now; called from whatever thread of dbt ran the node.

        Who reads what a model replaces keeps it waiting too, unless somebody keeps readers out.
        """
        own, read = self._relations(unique_id)
        found: list[str] = []
        with contextlib.suppress(psycopg.Error, TidegateError), self._warehouse.connect() as conn:
            found = holders_beneath(conn, [*own, *read])
            if not found and own:
                found = [
                    f"{holder} on {schema}.{name}"
                    for schema, name in own
                    for holder in holders(conn, [(schema, name)])
                ]
        self.found[unique_id] = tuple(found)

    def _relations(self, unique_id: str) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
        """What the node makes, and what it reads; a model of another family by its view."""
        node = self._manifest.nodes.get(unique_id)
        if node is None:
            return [], []
        own = [] if str(node.resource_type) == "test" else [(node.schema, node.alias)]
        read: list[tuple[str, str]] = []
        for key in node.depends_on.nodes:
            if key in self._manifest.sources:
                source = self._manifest.sources[key]
                read.append((source.schema, source.identifier))
            elif key in self._manifest.nodes:
                other = self._manifest.nodes[key]
                read.extend([(other.schema, other.alias), (QUERY, other.name)])
        return own, read


def refuse_blocked(results: Sequence[NodeResult]) -> None:
    """Raise PublishBlocked where nothing but locks of others kept nodes from being built."""
    failed = [node for node in results if node.status != "skipped"]
    if failed and all(node.said == LOCK_TIMEOUT for node in failed):
        told = ", ".join(sorted(node.told for node in failed)[:5])
        found = list(dict.fromkeys(holder for node in failed for holder in node.held_by))
        raise PublishBlocked(
            f"dbt could not finish {told}. {in_vain(found, PATIENCE_SECONDS)}",
            remedy=locks.REMEDY,
        )
