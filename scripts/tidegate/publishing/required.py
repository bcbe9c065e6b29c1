"""What a candidate has to be before it may become a generation: its tables, as contracted."""

from __future__ import annotations

from collections.abc import Sequence

from tidegate.connection import Connection
from tidegate.contracts.keys import ChangeKind, Classification
from tidegate.contracts.model import ModelContract
from tidegate.errors import HeldBack
from tidegate.names import candidate_schema
from tidegate.publishing import candidate
from tidegate.shapes.introspect import introspect_all
from tidegate.shapes.mismatches import Mismatch, diff_relation


def require_tables(conn: Connection, family: str, contracts: Sequence[ModelContract]) -> None:
    """Raise HeldBack unless the candidate schema holds a table for each contract and no other."""
    found = candidate.relations(conn, candidate_schema(family))
    wanted = {contract.name for contract in contracts}
    missing = sorted(wanted - set(found))
    if missing:
        raise HeldBack(
            f"The candidate of {family} lacks {', '.join(missing)}.",
            remedy="Every contract of a family needs a model of the same name.",
        )
    other = sorted(name for name in wanted if found[name] != "r")
    if other:
        raise HeldBack(
            f"The candidate of {family} holds {', '.join(other)}, which is no table.",
            remedy="Set `materialized: table`: a view would change under its readers.",
        )
    unknown = sorted(set(found) - wanted)
    if unknown:
        raise HeldBack(
            f"The candidate of {family} holds {', '.join(unknown)} without a contract.",
            remedy=f"Write contracts/{family}/{unknown[0]}.yml, or move it out of the family.",
        )


def require_contract(conn: Connection, family: str, contracts: Sequence[ModelContract]) -> None:
    """Raise HeldBack, naming every difference, unless each table is what its contract says."""
    live = introspect_all(conn, candidate_schema(family), [contract.name for contract in contracts])
    found = [
        _told(contract, mismatch)
        for contract in contracts
        for mismatch in diff_relation(contract, live[contract.name])
        if _withholds(mismatch)
    ]
    if found:
        told = "; ".join(found[:10])
        more = f" and {len(found) - 10} more" if len(found) > 10 else ""
        raise HeldBack(
            f"The candidate of {family} differs from its contract: {told}{more}.",
            remedy=f"`tidegate diff --candidate --family {family}` lists every difference.",
        )


def _withholds(mismatch: Mismatch) -> bool:
    """Whether a table with this difference cannot be served as its contract promises.

    Unknown is not passed. A column without a contract has no place in the serving parent; order
    does not matter, since tables are attached and selected by name.
    """
    added = (ChangeKind.FIELD_ADDED_NULLABLE, ChangeKind.FIELD_ADDED_REQUIRED)
    return (
        mismatch.classification is None
        or mismatch.classification is Classification.BREAKING
        or mismatch.kind in added
    )


def _told(contract: ModelContract, mismatch: Mismatch) -> str:
    place = f"{contract.name}.{mismatch.column}" if mismatch.column else contract.name
    return (
        f"{place} is {mismatch.found or 'missing'}, the contract says"
        f" {mismatch.contract or 'nothing'} ({mismatch.reason_code.value})"
    )
