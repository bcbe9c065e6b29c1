"""claim_origin: whose word a claim is, and which version of what read it there."""

from __future__ import annotations

import json
from typing import Any

import pytest

from integration.gating import spec
from integration.semantic_gating import (
    Connection,
    about,
    alone,
    by_row,
    judge,
    rejected,
    survivors,
    table,
)
from tidegate.gates.model import Model, Severity, Status
from tidegate.gates.registry import GATES
from tidegate.gates.result import GateResult
from tidegate.macros import render

COLUMNS = (
    "claim_id text!, claim_type text, source_authority_tier text, produced_by text,"
    " parser_version text, attempt_id text"
)
VALUE = "registry_outcome_value"
PARSED = ("parsed", VALUE, "registry_primary", "deterministic_parser", "ctgov/1", None)
INFERRED = ("inferred", VALUE, "model_inferred", "inference", None, "a1")
WRITTEN = ("written", VALUE, "peer_reviewed", "human", None, None)
FAILING = [
    (("c", VALUE, None, "deterministic_parser", "ctgov/1", None), "authority_tier_missing"),
    (("c", VALUE, " ", "deterministic_parser", "ctgov/1", None), "authority_tier_missing"),
    (("c", VALUE, "hearsay", "deterministic_parser", "ctgov/1", None), "authority_tier_unknown"),
    (("c", VALUE, "registry_primary", None, "ctgov/1", None), "producer_unknown"),
    (("c", VALUE, "registry_primary", "oracle", "ctgov/1", None), "producer_unknown"),
    (("c", VALUE, "registry_primary", "deterministic_parser", None, "a1"),
     "parser_version_missing"),
    (("c", VALUE, "registry_primary", "deterministic_parser", "", None), "parser_version_missing"),
    (("c", VALUE, "model_inferred", "inference", "ctgov/1", None), "attempt_missing"),
    (("c", VALUE, "model_inferred", "inference", None, "a9"), "attempt_unrecorded"),
    (("c", VALUE, "model_inferred", "inference", None, "a2"), "model_version_missing"),
    (("c", VALUE, "model_inferred", "inference", None, "a3"), "prompt_version_missing"),
    (("c", VALUE, "model_inferred", "inference", None, "a4"), "prompt_version_missing"),
]  # fmt: skip
TIERS = json.loads(render("claim_origin_arguments"))["options"]["tiers"]
# A parser's claim is no model's, whatever attempt it names, and every tier is one.
BRANCHES = [
    *[((f"parsed_{tier}", VALUE, tier, "deterministic_parser", "v1", f"a{number}"), set())
      for number, tier in enumerate(TIERS)],
    (("blank", VALUE, "model_inferred", "inference", None, ""), {"attempt_missing"}),
    (("other_profile", VALUE, "model_inferred", "inference", None, "a5"),
     {"model_version_missing"}),
    (("other_task", VALUE, "model_inferred", "inference", None, "a6"),
     {"prompt_version_missing"}),
]  # fmt: skip
ROLES = {role: f"inference_{role}" for role in ("attempts", "requests", "profiles")} | {
    "contracts": "inference_task_contracts"
}


def records(conn: Connection) -> tuple[Model, ...]:
    """Attempts: as it has to be, an unknown profile, an unknown revision, an unknown request."""
    return (
        table(conn, "inference_attempts",
              "k text, attempt_id text, request_key text, profile_id text,"
              " profile_revision integer",
              [("1", "a1", "r1", "p", 2), ("2", "a2", "r1", "p", 3), ("3", "a3", "r2", "p", 2),
               ("4", "a4", "r9", "p", 2), ("5", "a5", "r1", "q", 2), ("6", "a6", "r3", "p", 2)]),
        table(conn, "inference_requests",
              "k text, request_key text, task_id text, contract_revision integer",
              [("1", "r1", "values", 4), ("2", "r2", "values", 5), ("3", "r3", "words", 4)]),
        table(conn, "inference_profiles",
              "k text, profile_id text, profile_revision integer, model_name text",
              [("1", "p", 2, "synthetic-1")]),
        table(conn, "inference_task_contracts",
              "k text, task_id text, contract_revision integer, prompt_sha256 text",
              [("1", "values", 4, "f" * 64)]),
    )  # fmt: skip


def judged(conn: Connection, *rows: Any, **options: Any) -> GateResult:
    claims = table(conn, "claims", COLUMNS, rows, row_key=["claim_id"])
    options.setdefault("arguments", {"relations": ROLES})
    return judge(conn, "claim_origin", claims, *records(conn), **options)


def test_a_parser_a_model_and_a_person_say_what_read_the_claim(conn: Connection) -> None:
    """A parser its version, a model its attempt, whose prompt and model are kept."""
    result = judged(conn, PARSED, INFERRED, WRITTEN)
    assert (result.status, result.rows_checked) == (Status.PASS, 3)
    assert judged(conn).status is Status.NOT_EVALUATED


@pytest.mark.parametrize(("row", "reason"), FAILING)
def test_each_unknown_origin_blocks(conn: Connection, row: Any, reason: str) -> None:
    """With what the claim says about itself."""
    result = judged(conn, PARSED, row)
    assert by_row(result) == {"c": {reason}}
    assert about(result, "c") == (
        {"withheld": []},
        {"claim_type": VALUE, "source_authority_tier": row[2], "produced_by": row[3],
         "parser_version": row[4], "attempt_id": row[5]},
    )  # fmt: skip
    assert result.remediation_hint == GATES["claim_origin"].remedy
    warned = judged(conn, row, severity=Severity.WARNING)
    assert (warned.status, warned.blocks) == (Status.WARN, False)


def test_records_of_inference_are_looked_at_where_the_contract_names_them(
    conn: Connection,
) -> None:
    """A slice without models needs none; one that names them and has none has no verdict."""
    unrecorded = FAILING[8][0]
    assert judged(conn, unrecorded, arguments={}).status is Status.PASS
    gone = judged(conn, PARSED, missing=["inference_profiles"])
    assert gone.status is Status.NOT_EVALUATED


def test_tiers_and_producers_are_the_projects_own(conn: Connection) -> None:
    """Another domain has its own words for both."""
    row = ("c", "price", "till", "scanner", None, None)
    own = {"tiers": ["till"], "producers": {"scanner": ["parser"]}}
    assert by_row(judged(conn, row, arguments=own)) == {"c": {"parser_version_missing"}}


def test_each_branch_of_a_condition_counts(conn: Connection) -> None:
    """Dropped, each of them would let one of these rows pass, or reject one."""
    assert by_row(judged(conn, *alone(BRANCHES))) == rejected(BRANCHES)


def test_each_condition_counts(conn: Connection) -> None:
    """No condition of the gate can be emptied or negated unnoticed."""
    rows = [(f"c{n}", *row[1:]) for n, (row, _) in enumerate(FAILING)]
    claims = table(conn, "claims", COLUMNS, [PARSED, INFERRED, WRITTEN, *rows, *alone(BRANCHES)],
                   row_key=["claim_id"])  # fmt: skip
    checked = spec("claim_origin", claims, *records(conn), arguments={"relations": ROLES})
    assert survivors(conn, checked) == []
