"""The contract marker: which hash of a model's contract was promoted, by whom and when.

The checked-in YAML is the authority; the marker says which of it somebody answers for (design §3).
A model that no reader has seen needs nobody's leave: its first contract is promoted as it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from psycopg.types.json import Jsonb

from tidegate.connection import Connection
from tidegate.ledger import audit

FIRST = "first contract: nobody has read the model yet"
NEVER_READ = "the contract is gone, and nobody has read the model"


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


def promote_unread(conn: Connection, family: str, versions: Iterable[ContractVersion]) -> None:
    """Promote contracts of models that no reader has, and retire those that are gone again."""
    known = promoted(conn, family)
    read = _read(conn, family)
    now = {entry.model: entry for entry in versions}
    for model, entry in now.items():
        if model not in known or (model not in read and known[model] != entry.sha256):
            promote(conn, entry, by=_session_user(conn), reason=FIRST)
    for model in sorted(set(known) - set(now) - read):
        retire(conn, family, model, by=_session_user(conn), reason=NEVER_READ)


def _read(conn: Connection, family: str) -> set[str]:
    """Models that readers have: by a view, or as the family's part of a view over all families."""
    rows = conn.execute(
        "select model from governance.serving_views where family = %(family)s"
        " union select models.model from governance.generation_models as models"
        " join governance.serving_heads as heads using (family, generation)"
        " where models.family = %(family)s",
        {"family": family},
    ).fetchall()
    return {row[0] for row in rows}


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
