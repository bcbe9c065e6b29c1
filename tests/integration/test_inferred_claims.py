"""What models read becomes evidence of the reference domain, with everything that it rests on.

Source: contracts seed, "Layered checks" (evidence), gates llm_*; docs/inference.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from typing import Any

import pytest

from tidegate.connection import Connection
from trial_project import SEARCH_PATH, Built

SUBJECT = (
    "pub_comparison:pmid:26028407:randomized patients:nivolumab:docetaxel:overall survival"
    ":hazard_ratio"
)
CLAIM = f"claim:publication_comparison_value:{SUBJECT}:value_num:inference"
MODEL = "claims__inference"
TASK = "publication_estimate_reading"


@contextmanager
def undone(built: Built) -> Iterator[Connection]:
    """A connection whose changes do not stay."""
    with built.warehouse.connect(autocommit=False) as conn:
        conn.execute(SEARCH_PATH.encode())
        yield conn
        conn.rollback()


def rebuild(built: Built, conn: Connection, *models: str) -> None:
    """Build these models again, as dbt compiled them."""
    for statement in built.rebuilt(*models):
        conn.execute(statement.encode())


def test_an_accepted_reading_is_a_claim_with_all_it_rests_on(built: Built) -> None:
    """Attempt, task revision, prompt, artefact, words, and who let it in."""
    (found,) = built.query(
        "select claims.value_num::text, claims.unit, claims.source_text, claims.locator_shape,"
        " claims.locator ->> 'exact', claims.locator ->> 'pointer', claims.produced_by,"
        " claims.source_authority_tier, claims.canonical_bound, claims.high_impact,"
        " inferred.task_id, inferred.contract_revision, inferred.decided_by, inferred.verdict,"
        " attempts.parsed_output ->> 'value',"
        " contracts.prompt_sha256 = inferred.prompt_sha256,"
        " artifacts.content_hash = any(requests.input_artifact_keys)"
        " from evidence.claims as claims inner join evidence.claims__inference as inferred"
        " using (claim_id) inner join provenance.inference_attempts as attempts"
        " on attempts.attempt_id = claims.attempt_id"
        " inner join provenance.inference_requests as requests"
        " on requests.request_key = attempts.request_key"
        " inner join provenance.inference_task_contracts as contracts"
        " on contracts.task_id = requests.task_id"
        " and contracts.contract_revision = requests.contract_revision"
        " inner join provenance.source_artifacts as artifacts"
        " on artifacts.source_artifact_key = claims.source_artifact_key where claim_id = %s",
        CLAIM,
    )
    assert found == (
        "0.59", "hazard_ratio", "hazard ratio, 0.59", "text_quote", "hazard ratio, 0.59",
        "/comparisons/0", "inference", "model_inferred", True, True, TASK, 1,
        "deterministic_validator", "pass", "0.59", True, True,
    )  # fmt: skip


def test_a_reading_supports_what_the_parser_claims(built: Built) -> None:
    """Six of six; the authority, the value and the unit of the statement stay the article's."""
    assert built.query(
        "select source_authority_tier, lower_authority_marker, count(*)::integer,"
        " sum(cardinality(supporting_claim_ids))::integer from canonical.assertions"
        " where claim_type = 'publication_comparison_value' and supporting_claim_ids::text"
        " like '%%:inference%%' group by 1, 2"
    ) == [("peer_reviewed", "none", 6, 12)]


def test_a_reading_of_another_value_supports_nothing(built: Built) -> None:
    """It stays a claim; the statement rests on the parser's alone, and keeps its value."""
    with undone(built) as conn:
        conn.execute("update evidence.claims set value_num = 0.44 where claim_id = %s", [CLAIM])
        rebuild(built, conn, "assertions")
        (found,) = conn.execute(
            "select supporting_claim_ids, value ->> 'number' from canonical.assertions"
            " where subject_key = %s and claim_type = 'publication_comparison_value'",
            [SUBJECT],
        ).fetchall()
    assert found == ([CLAIM.removesuffix(":inference")], "0.59")


def test_a_reading_of_another_value_is_told_and_published_as_conflicting(built: Built) -> None:
    """The statement stays and is published; the warning and a receipt say who says otherwise."""
    checks = {
        name: text for name, text in built.compiled.items()
        if name.startswith("test.tidegate.source_authority_assertions")
    }  # fmt: skip
    (check,) = checks.values()
    key = f"assertion:publication_comparison_value:{SUBJECT}:value_num"
    receipts = (
        "select role, source_authority_tier, locator ->> 'exact' from q_provenance__publications"
        f" where row_key = '{SUBJECT}' and fact_path = 'value_num' order by 1"
    )
    with undone(built) as conn:
        assert [row for row in conn.execute(check.encode()).fetchall() if row[0] == key] == []
        assert [row[:2] for row in conn.execute(receipts.encode()).fetchall()] == [
            ("primary", "peer_reviewed"), ("supporting", "model_inferred"),
        ]  # fmt: skip
        for table in ("claims__inference", "claims"):
            conn.execute(
                f"update evidence.{table} set value_num = 0.44 where claim_id = %s".encode(),
                [CLAIM],
            )
        rebuild(
            built, conn, "assertions", "int_assertion_conflicts", "int_publication_value_sources",
            "q_provenance__publications",
        )  # fmt: skip
        told = [row for row in conn.execute(check.encode()).fetchall() if row[0] == key]
        beside = conn.execute(receipts.encode()).fetchall()
    assert told == [
        (
            key, "warn", "sources_conflict",
            {
                "model": "assertions", "publication_continues": True,
                "values": {
                    "compared.conflict_role": "conflicting", "compared.fact_path": "value_num",
                    "compared.source_authority_tier": "peer_reviewed",
                    "compared.compared_model": "claims",
                    "compared.compared_keys": f'{{"{CLAIM}"}}',
                    "compared.compared_tier": "model_inferred",
                },
                "withheld": ["compared.value", "compared.unit", "compared.compared_values",
                             "compared.compared_units"],
            },
        )
    ]  # fmt: skip
    assert [row[:2] for row in beside] == [
        ("conflicting", "model_inferred"), ("primary", "peer_reviewed"),
    ]  # fmt: skip
    assert beside[0][2] == "hazard ratio, 0.59"


ANSWER = (
    "update provenance.inference_attempts as attempts set parsed_output ="
    " jsonb_build_object('value', %s::text, 'unit', 'not_stated', 'quote', outcomes.source_quote)"
    " from staging.stg_pubmed__outcomes as outcomes where outcomes.publication_outcome_key = %s"
    " and attempts.attempt_id = (select attempt_id from provenance.inference_projections"
    " where target_key = %s)"
)
USE = (
    "insert into provenance.inference_projections select (jsonb_populate_record(used,"
    " jsonb_build_object('target_key', %s::text))).* from provenance.inference_projections as used"
    " where target_key = %s"
)


@pytest.mark.parametrize(("value", "role"), [("20", "supporting"), ("21", "conflicting")])
def test_a_reading_of_whatever_the_parser_claims_is_bound_and_has_its_receipt(
    built: Built, value: str, role: str
) -> None:
    """Of a published rate as of a comparison: with its place, and beside what it speaks of."""
    ((rate,),) = built.query(
        "select publication_outcome_key from q_publication_outcomes where publication_key ="
        " 'pub:pmid:26028407' and canonical_endpoint_key = 'endpoint:ORR' and value_num = 20"
    )
    claim = f"claim:publication_outcome_value:{rate}:value_num"
    with undone(built) as conn:
        # Records of inference are kept as they were; this one is made up and rolled back.
        for table in ("attempts", "projections"):
            conn.execute(f"alter table provenance.inference_{table} disable trigger user".encode())
        conn.execute(ANSWER, [value, rate, CLAIM])
        conn.execute(USE, [f"{claim}:inference", CLAIM])
        rebuild(
            built, conn, MODEL, "claims", "assertions", "int_publication_value_sources",
            "q_provenance__publications",
        )  # fmt: skip
        (found,) = conn.execute(
            "select said.canonical_bound, said.value_num, said.locator ->> 'exact' ="
            " parsed.source_text, said.locator ->> 'pointer' = parsed.locator ->> 'pointer'"
            " from evidence.claims__inference as said, evidence.claims as parsed"
            " where said.claim_id = %s and parsed.claim_id = %s",
            [f"{claim}:inference", claim],
        ).fetchall()
        (supported,) = conn.execute(
            "select cardinality(supporting_claim_ids) from canonical.assertions"
            " where subject_key = %s and fact_path = 'value_num'",
            [rate],
        ).fetchall()
        receipts = conn.execute(
            "select role, source_authority_tier from q_provenance__publications"
            " where row_key = %s and fact_path = 'value_num' order by 2, 1",
            [rate],
        ).fetchall()
    assert found == (True, Decimal(value), True, True)
    assert supported == (2 if role == "supporting" else 1,)
    assert receipts == [
        (role, "model_inferred"), ("primary", "peer_reviewed"), ("supporting", "registry_primary"),
    ]  # fmt: skip


def test_what_a_model_alone_says_is_no_fact(built: Built) -> None:
    """Without the article's own claim the statement is blocked: no policy accepts a model."""
    with undone(built) as conn:
        conn.execute(
            "delete from evidence.claims where claim_id = %s",
            [CLAIM.removesuffix(":inference")],
        )
        rebuild(built, conn, "assertions")
        check = next(
            text for name, text in built.compiled.items()
            if name.startswith("test.tidegate.source_authority_assertions")
        )  # fmt: skip
        blocked = [row for row in conn.execute(check.encode()).fetchall() if row[1] == "block"]
    ((key, _, reason, metadata),) = blocked
    assert (SUBJECT in key, reason) == (True, "authority_insufficient")
    assert metadata["required_tiers"] == ["peer_reviewed"]


def test_a_reading_of_a_text_that_has_changed_is_unbound(built: Built) -> None:
    """It names the artefact it was read from; no fact rests on it until it is asked again."""
    with undone(built) as conn:
        conn.execute("update staging.stg_pubmed__comparisons set content_sha256 = repeat('0', 64)")
        rebuild(built, conn, "claims__publications", MODEL, "quarantine", "claims", "assertions")
        found = conn.execute(
            "select canonical_bound, count(*)::integer from evidence.claims"
            " where produced_by = 'inference' group by 1"
        ).fetchall()
        resting = conn.execute(
            "select count(*) from canonical.assertions"
            " where supporting_claim_ids::text like '%:inference%'"
        ).fetchall()
    assert (found, resting) == ([(False, 6)], [(0,)])


DECIDED = """
with asked as (
    insert into provenance.inference_requests
        (request_key, task_id, contract_revision, input_sha256, input_artifact_keys)
    select encode(sha256(convert_to(
            task_id || '|' || contract_revision || '|' || repeat('e', 64), 'UTF8')), 'hex'),
        task_id, contract_revision, repeat('e', 64), input_artifact_keys
    from provenance.inference_requests where task_id = 'publication_estimate_reading' limit 1
    returning request_key
), attempted as (
    insert into provenance.inference_attempts
        (attempt_id, request_key, profile_id, profile_revision, route_id, route_revision,
         transport, status, output_sha256, parsed_output, schema_valid, started_at, completed_at)
    select said.attempt_id, asked.request_key, 'recorded_readings', 1,
        'publication_estimate_reading', 1, 'sync', 'succeeded', repeat('f', 64),
        said.output::jsonb, said.valid, now(), now()
    from asked cross join (values
        ('broken', null, false),
        ('outside', '{"value": "0.5", "unit": "furlongs"}', false),
        ('refused', '{"value": "1", "unit": "not_stated", "quote": "x", "confidence": 0.1}', true),
        ('waiting', '{"value": "1", "unit": "not_stated", "quote": "x", "confidence": 0.9}', true)
    ) as said (attempt_id, output, valid)
    returning attempt_id, request_key
)
insert into provenance.inference_decisions
    (attempt_id, request_key, policy_hash, decision, decided_by, reason)
select attempted.attempt_id, attempted.request_key, policies.policy_hash, 'rejected',
    'deterministic_validator',
    case attempted.attempt_id when 'refused' then 'value_not_allowed' else 'output_invalid' end
from attempted cross join provenance.inference_acceptance_policies as policies
where policies.task_id = 'publication_estimate_reading'
    and attempted.attempt_id in ('outside', 'refused')
"""


def test_what_was_not_accepted_is_in_quarantine_by_attempt_and_never_in_evidence(
    built: Built,
) -> None:
    """A broken form, decided or not, and a refused value; one that waits is neither."""
    counted = "select count(*) from evidence.claims"
    with undone(built) as conn:
        before = conn.execute(counted.encode()).fetchall()
        curated = "select count(*) from curation.decision_events"
        decisions = conn.execute(curated.encode()).fetchall()
        conn.execute(DECIDED.encode())
        rebuild(built, conn, MODEL, "quarantine", "claims")
        quarantined = conn.execute(
            "select relation_name, row_key, gate_id, reason, attempt_id"
            " from evidence.quarantine order by attempt_id"
        ).fetchall()
        assert conn.execute(counted.encode()).fetchall() == before
        assert conn.execute(curated.encode()).fetchall() == decisions
    relation, gate = "provenance.inference_attempts", "llm_schema_contract"
    assert quarantined == [
        (relation, "broken", gate, "output_invalid", "broken"),
        (relation, "outside", gate, "output_invalid", "outside"),
        (relation, "refused", gate, "value_not_allowed", "refused"),
    ]


def test_a_claim_of_a_model_that_a_gate_rejects_names_its_attempt(built: Built) -> None:
    """In the quarantine of claims, with the gate; nothing rests on it."""
    with undone(built) as conn:
        conn.execute(
            f"update evidence.{MODEL} set locator = null where claim_id = %s".encode(), [CLAIM]
        )
        rebuild(built, conn, "quarantine", "claims", "assertions")
        (found,) = conn.execute(
            "select quarantine.relation_name, quarantine.row_key, quarantine.gate_id,"
            " quarantine.reason, quarantine.attempt_id = claims.attempt_id,"
            " claims.canonical_bound, (select count(*) from canonical.assertions"
            " where claims.claim_id = any(supporting_claim_ids)) from evidence.quarantine"
            " as quarantine inner join evidence.claims as claims"
            " on claims.claim_id = quarantine.row_key"
        ).fetchall()
    assert found == (
        "evidence.claims", CLAIM, "source_locator", "locator_missing", True, False, 0,
    )  # fmt: skip


ONE = f"where claim_id = '{CLAIM}'"
PLACE = {"target_relation": "evidence.claims", "target_key": CLAIM}


@pytest.mark.parametrize(
    ("gate", "damage", "reason", "metadata"),
    [
        ("llm_schema_contract", f"decision_id = 'gone' {ONE}", "decision_missing",
         {"absent_fields": None, "fields_outside_enum": None, "withheld": [],
          "values": {**PLACE, "decision_id": "gone"}}),
        ("llm_schema_contract", f"attempt_id = 'gone' {ONE}", "attempt_missing",
         {"values": {**PLACE, "attempt_id": "gone", "requests.task_id": None}}),
        ("llm_cache_idempotency", f"input_sha256 = 'x', request_key = (select min(request_key)"
         f" from evidence.claims__inference where claim_id <> '{CLAIM}') {ONE}",
         "request_collision", {"count": 2}),
        ("llm_prompt_version_pinned", f"contract_revision = null {ONE}", "revision_floating",
         {"missing": ["contract_revision"], "in_flight": False,
          "values": {"task_id": TASK, "profile_id": "recorded_readings", "owner": "publications",
                     "contract_revision": None}}),
        ("llm_prompt_version_pinned", f"contract_revision = 9 {ONE}", "contract_not_retained",
         {"missing": []}),
        ("llm_verifier_required", f"verdict = 'abstain' {ONE}", "verifier_failed",
         {"reviewed_overlay": False,
          "values": {"candidate_id": CLAIM, "verifications.verdict": "abstain",
                     "candidates.match_method": "inference"}}),
        ("claim_origin", f"attempt_id = null {ONE}", "attempt_missing",
         {"values": {"produced_by": "inference", "attempt_id": None}}),
        ("claim_origin", f"attempt_id = 'gone' {ONE}", "attempt_unrecorded", {}),
        ("source_locator", f"locator = null {ONE}", "locator_missing", {}),
        ("source_artifact_immutability", f"content_hash = null {ONE}", "artifact_incomplete", {}),
        ("document_version", f"source_version_id = null {ONE}", "document_version_missing", {}),
    ],
)  # fmt: skip
def test_each_gate_judges_what_models_claim(
    built: Built, gate: str, damage: str, reason: str, metadata: dict[str, Any]
) -> None:
    """As evidence, by the claim; what passes as it was built blocks once it is damaged."""
    assert built.gated(gate, MODEL, "select 1") == []
    found = built.gated(gate, MODEL, f"update evidence.{MODEL} set {damage}")
    told = next(row for row in found if row[2] == reason)
    assert told[1] == "block"
    for name, value in metadata.items():
        if isinstance(value, dict):
            assert value.items() <= told[3][name].items(), told[3]
        else:
            assert told[3][name] == value, told[3]


def test_what_models_claim_stops_what_rests_on_it(built: Built) -> None:
    """Publications, with the trials they are published with, and what reads all evidence."""
    nodes, children = built.manifest["nodes"], built.manifest["child_map"]
    families: set[str] = set()
    reached: set[str] = set()
    waiting = [f"model.tidegate.{MODEL}"]
    while waiting:
        found = waiting.pop()
        family = nodes[found]["config"]["meta"].get("tidegate", {}).get("family")
        families |= {family} if family else set()
        # Families read of others what is published, and wait for none.
        if found not in reached and not family:
            waiting += [name for name in children[found] if name.startswith("model.")]
        reached.add(found)
    assert families == {"publications", "support"}


def test_every_task_is_judged_once(built: Built) -> None:
    """Those whose rate the records leave to evidence are those that evidence judges by name."""
    said = [
        node["test_metadata"]["kwargs"]
        for node in built.manifest["nodes"].values()
        if (node.get("test_metadata") or {}).get("name") == "llm_schema_contract"
    ]
    left = [name for found in said for name in found.get("tasks_elsewhere", ())]
    taken = [name for found in said for name in found.get("tasks", ())]
    assert left == taken == [TASK]
