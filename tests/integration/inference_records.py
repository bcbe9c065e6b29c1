"""Records of inference as the gates of inference read them: one task, two revisions."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from integration.semantic_gating import Connection, table
from tidegate.gates.model import Model

SCHEMA = {
    "type": "object",
    "required": ["endpoint", "value"],
    "properties": {
        "endpoint": {"enum": ["ORR", "cORR", "PFS", "TTP", "OS", "DOR"]},
        "value": {"type": "number"},
        "arms": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["label"],
                "properties": {"role": {"enum": ["experimental", "control"]}},
            },
        },
    },
}
"""What the task `pub_outcome` promises."""
COLUMNS = {
    "inference_task_contracts": (
        "task_id text!, contract_revision integer!, output_json_schema jsonb"
    ),
    "inference_profiles": "profile_id text!, profile_revision integer!",
    "inference_requests": (
        "request_key text!, task_id text, contract_revision integer, input_sha256 text"
    ),
    "inference_attempts": (
        "attempt_id text!, request_key text, profile_id text, profile_revision integer,"
        " route_id text, route_revision integer, schema_valid boolean, parsed_output jsonb,"
        " cost_usd numeric, completed_at timestamptz"
    ),
    "inference_decisions": "decision_id text!, attempt_id text, policy_hash text, decision text",
    "inference_acceptance_policies": (
        "policy_hash text!, active_from timestamptz, active_to timestamptz"
    ),
    "inference_projections": (
        "projection_key text!, target_relation text, target_key text, request_key text,"
        " attempt_id text, decision_id text"
    ),
}
POLICIES = [
    ("pol-A", "2024-01-01", "2025-01-01"),
    ("pol-B", "2025-01-01", None),
    ("pol-C", "2999-01-01", None),
    ("pol-D", "2025-01-01", "2999-01-01"),
]
"""One that was replaced, the one in force, one that is not in force yet, one that will end."""
CONTRACTS = [("pub_outcome", 3, json.dumps(SCHEMA)), ("pub_outcome", 4, json.dumps(SCHEMA))]


def output(**fields: Any) -> str:
    """The parsed output of an attempt."""
    return json.dumps({"endpoint": "ORR", "value": 20.0, **fields})


def records(
    conn: Connection, rows: Mapping[str, Sequence[Any]], public: bool = True
) -> dict[str, Model]:
    """All seven relations, with contracts and policies of the task."""
    given = {"inference_task_contracts": CONTRACTS, "inference_acceptance_policies": POLICIES,
             **rows}  # fmt: skip
    return {
        name: table(
            conn, name, columns, given.get(name, ()),
            row_key=[columns.partition(" ")[0]], public=public,
        )
        for name, columns in COLUMNS.items()
    }  # fmt: skip
