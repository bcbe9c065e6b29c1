"""The contract marker: which hash of a model's contract was promoted, by whom and when.

The checked-in YAML is the authority; the marker says which of it somebody answers for (design §3).
A model that no reader has seen needs nobody's leave: its first contract is promoted as it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg.types.json import Jsonb

from tidegate.ledger import audit

Connection = psycopg.Connection[tuple[Any, ...]]

FIRST = "first contract: nobody has read the model yet"


@dataclass(frozen=True)
class ContractVersion:
    """What is recorded of one contract; `document` is the contract as JSON, without values."""

    family: str
    model: str
    version: str
    sha256: str
    document: dict[str, Any]


def promoted(conn: Connection, family: str) -> dict[str, str]:
    """The promoted contract hash of each model of a family."""
    rows = conn.execute(
        "select model, contract_sha256 from governance.model_contracts"
        " where family = %s and is_contract",
        [family],
    ).fetchall()
    return {row[0]: row[1] for row in rows}


def promote_unread(
    conn: Connection, family: str, versions: Iterable[ContractVersion], *, is_served: bool
) -> None:
    """Promote contracts that no reader depends on yet.

    Those are contracts of models without a marker, and all of a family that was never published.
    """
    known = promoted(conn, family)
    for entry in versions:
        marker = known.get(entry.model)
        if marker is None or (not is_served and marker != entry.sha256):
            promote(conn, entry, by=_session_user(conn), reason=FIRST)


def unpromoted(
    conn: Connection, family: str, versions: Iterable[ContractVersion]
) -> list[tuple[str, str]]:
    """Models whose contract is not the promoted one, each with what is the matter."""
    markers = promoted(conn, family)
    now = {entry.model: entry for entry in versions}
    found = [
        (model, f"contract {entry.sha256[:12]} was never promoted")
        for model, entry in sorted(now.items())
        if model in markers and markers[model] != entry.sha256
    ]
    found.extend(
        (model, "its contract is gone, readers still have the view")
        for model in sorted(set(markers) - set(now))
    )
    return found


def promote(conn: Connection, entry: ContractVersion, *, by: str, reason: str) -> None:
    """Move the marker of a model to this contract; who and why are kept."""
    with conn.transaction():
        conn.execute(
            "update governance.model_contracts set is_contract = false"
            " where family = %s and model = %s and is_contract",
            [entry.family, entry.model],
        )
        conn.execute(
            "insert into governance.model_contracts (family, model, contract_version,"
            " contract_sha256, document, is_contract, promoted_by, reason)"
            " values (%s, %s, %s, %s, %s, true, %s, %s)",
            [entry.family, entry.model, entry.version, entry.sha256, Jsonb(entry.document),
             by, reason],
        )  # fmt: skip
        audit.record(
            conn,
            "contract.promoted",
            entry.model,
            by,
            {"family": entry.family, "contract_sha256": entry.sha256, "reason": reason},
        )


def retire(conn: Connection, family: str, model: str, *, by: str, reason: str) -> None:
    """Take the marker from a model whose contract is gone: the next publication drops its view."""
    with conn.transaction():
        conn.execute(
            "update governance.model_contracts set is_contract = false"
            " where family = %s and model = %s and is_contract",
            [family, model],
        )
        audit.record(conn, "contract.retired", model, by, {"family": family, "reason": reason})


def _session_user(conn: Connection) -> str:
    row = conn.execute("select session_user").fetchone()
    return str(row[0]) if row else "unknown"
