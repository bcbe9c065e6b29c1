"""Answers of models in the reference domain: what they are used for, and that gates judge them."""

from __future__ import annotations

from trial_project import Built

GATES = ("llm_cache_idempotency", "llm_cost_cap", "llm_prompt_version_pinned",
         "llm_schema_contract")  # fmt: skip


def test_the_gates_of_inference_judge_the_records_of_the_samples(built: Built) -> None:
    """As tests of the ledger's own tables; nothing asked is no failure."""
    for landed in (built.empty, built.landed):
        said = {
            gate: status
            for gate in GATES
            for name, status in landed.items()
            if name.startswith(f"source_{gate}_")
        }
        assert said == dict.fromkeys(GATES, "pass")


def test_verdicts_of_the_model_verify_the_candidates_they_are_about(built: Built) -> None:
    """Five phrases, fourteen values: the model agrees with the names, but for "response rate"."""
    assert built.query(
        "select verdict, count(*)::integer, min(confidence)::text, count(distinct attempt_id)"
        "::integer from resolution.verifications__publications"
        " where verifier_kind = 'llm_verifier' group by 1 order by 1"
    ) == [("abstain", 2, "0.6200", 1), ("pass", 12, "0.9000", 4)]
    assert built.query(
        "select distinct source_term from resolution.candidates__publications"
        " join resolution.verifications__publications using (candidate_id)"
        " where verdict = 'abstain'"
    ) == [("response rate",)]


def test_readers_see_what_rests_on_an_answer_of_a_model(built: Built) -> None:
    """Where it is used, who was asked, and who accepted it; never the answer."""
    assert built.query(
        "select target_relation, task_id, contract_revision, high_impact, owner, model_name,"
        " transport, decided_by, count(*)::integer, count(distinct request_key)::integer"
        " from q_inference_uses group by 1, 2, 3, 4, 5, 6, 7, 8 order by 1"
    ) == [
        ("evidence.claims", "publication_estimate_reading", 1, True, "publications",
         "written-by-hand", "sync", "deterministic_validator", 6, 6),
        ("resolution.verifications", "endpoint_phrase_check", 1, True, "publications",
         "written-by-hand", "sync", "deterministic_validator", 14, 5),
    ]  # fmt: skip
