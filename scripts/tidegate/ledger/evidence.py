"""The exact validation of a publication, kept for ever in `provenance.publication_validation`.

Whoever consumes an immutable reference reads here what was validated, under which policy, and with
what result, without running a policy that may have changed (policy seed, "Evidence and Privacy").
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

import rfc8785
from psycopg.types.json import Jsonb

from tidegate.connection import Connection
from tidegate.contracts.keys import Classification
from tidegate.contracts.model import DatasetContract, ModelContract
from tidegate.errors import ContractError
from tidegate.rules.load import load_policy


def document_sha256(document: Mapping[str, Any]) -> str:
    """SHA-256 over the RFC 8785 canonical form: two spellings of one document have one hash."""
    return hashlib.sha256(rfc8785.dumps(dict(document))).hexdigest()


def keep_policy(conn: Connection, version: str, sha256: str, policy: Mapping[str, Any]) -> None:
    """Keep a policy under the hash that evidence names, so that the hash can always be read back.

    Called wherever a policy was applied; every role may read `governance.quality_policies`.
    """
    conn.execute(
        "insert into governance.quality_policies (policy_sha256, version, policy)"
        " values (%s, %s, %s) on conflict (policy_sha256) do nothing",
        [sha256, version, Jsonb(dict(policy))],
    )


def keep_policies(conn: Connection, contracts: Iterable[DatasetContract | ModelContract]) -> None:
    """Keep the policy of each contract that has one, before it is applied.

    One that is not valid is left out: whoever applies it refuses it, with all its problems.
    """
    for contract in contracts:
        if contract.policy is None:
            continue
        with contextlib.suppress(ContractError):
            policy = load_policy(contract.policy, contract.columns)
            keep_policy(conn, policy.version, policy.sha256, contract.policy)


def store(
    conn: Connection,
    publication_id: int,
    relation: str,
    document: Mapping[str, Any],
    *,
    classification: Classification | str = Classification.COMPATIBLE,
    policy_version: str | None = None,
    policy_sha256: str | None = None,
) -> str:
    """Keep the validation of one relation of a publication; return the document's SHA-256.

    Called inside the transaction that publishes. `relation` is the model's or the dataset's name;
    a relation without a policy has neither version nor hash.
    """
    sha256 = document_sha256(document)
    conn.execute(
        "insert into provenance.publication_validation (publication_id, relation, policy_version,"
        " policy_sha256, classification, validation_sha256, validation)"
        " values (%s, %s, %s, %s, %s, %s, %s)",
        [
            publication_id,
            relation,
            policy_version,
            policy_sha256,
            Classification(classification).value,
            sha256,
            Jsonb(dict(document)),
        ],
    )
    return sha256
