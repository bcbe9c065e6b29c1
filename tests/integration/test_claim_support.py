"""Milestones and relationships of the reference domain: the claims that each rests on."""

from __future__ import annotations

import pytest

from trial_project import Built

MILESTONE = "milestone:nivolumab-melanoma-us:FDA:125554:ORIG:1"


def test_every_milestone_rests_on_the_claim_of_its_source(built: Built) -> None:
    """A line of the list, a registry's status or phase, a regulator's decision; all are there."""
    assert built.query(
        "select claims.claim_type, claims.source_family, claims.fact_path,"
        " bool_and(claims.source_authority_tier = milestones.source_authority_tier),"
        " bool_and(claims.source_artifact_key = milestones.source_artifact_key)"
        " from canonical.development_program_milestones as milestones"
        " cross join lateral unnest(milestones.supporting_claim_ids) as named(id)"
        " inner join evidence.claims as claims on claims.claim_id = named.id"
        " where claims.canonical_bound group by 1, 2, 3 order by 1, 2"
    ) == [
        ("development_milestone", "ctgov_v2", "milestone_type", True, True),
        ("development_milestone", "reference_list", "milestone_type", True, True),
        ("regulatory_event", "drugs_at_fda", "event_status", True, True),
        ("trial_status", "ctgov_v2", "overall_status", True, True),
    ]
    assert built.query(
        "select count(*) from canonical.development_program_milestones"
        " where cardinality(supporting_claim_ids) <> 1"
    ) == [(0,)]
    assert built.query(
        "select supporting_claim_ids from canonical.development_program_milestones"
        " where milestone_key = %s",
        MILESTONE,
    ) == [(["claim:regulatory_event:approval_event:FDA:125554:ORIG:1:event_status"],)]


def test_every_relationship_rests_on_the_claim_of_its_list(built: Built) -> None:
    """One interval, one claim, with the line that it stands in."""
    assert built.query(
        "select distinct claims.claim_type, claims.locator_shape, relationships.relationship_type"
        " = 'soc_recommended', claims.source_authority_tier"
        " from canonical.temporal_relationships as relationships"
        " cross join lateral unnest(relationships.supporting_claim_ids) as named(id)"
        " inner join evidence.claims as claims on claims.claim_id = named.id order by 1"
    ) == [
        ("ownership_relationship", "csv_cell", False, "reference_list"),
        ("soc_recommendation", "csv_cell", True, "reference_list"),
    ]
    assert built.query(
        "select count(*) = count(distinct named.id)"
        " and count(*) = (select count(*) from canonical.temporal_relationships)"
        " from canonical.temporal_relationships"
        " cross join lateral unnest(supporting_claim_ids) as named(id)"
    ) == [(True,)]


MODELS = {
    "development_program_milestones": ("milestone_key", MILESTONE, "context_key"),
    "temporal_relationships": (
        "relationship_key || '|' || valid_from",
        "relationship:owns_asset:drug:synthetic-asset|2010-01-01",
        "subject_key",
    ),
}
CLAIMS = {
    "development_program_milestones": ("claims__approvals", "quarantine__development"),
    "temporal_relationships": ("claims__spines", "quarantine__spines"),
}


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(
    ("value", "reason", "counts"),
    [
        ("'{}'", "support_missing", (None, None)),
        ("supporting_claim_ids || array['claim:gone']", "claim_missing", (1, 0)),
    ],
)
def test_support_that_is_missing_or_is_no_claim_blocks(
    built: Built, model: str, value: str, reason: str, counts: tuple[int | None, int | None]
) -> None:
    """With the row, what it is about and how many claims are gone; undamaged it passes."""
    key, row, subject = MODELS[model]
    assert built.gated("assertion_support", model, "select 1") == []
    (found,) = built.gated(
        "assertion_support",
        model,
        f"update canonical.{model} set supporting_claim_ids = {value} where {key} = '{row}'",
    )
    assert found[:3] == (row, "block", reason)
    metadata = found[3]
    assert (metadata["absent"], metadata["quarantined"], metadata["withheld"]) == (*counts, [])
    values = metadata["values"]
    assert set(values) == {"claim_type", "subject_key", "fact_path", "supporting_claim_ids"}
    (about,) = built.query(f"select {subject} from canonical.{model} where {key} = %s", row)[0]
    assert values["subject_key"] == about


@pytest.mark.parametrize("model", MODELS)
def test_a_fact_whose_claim_a_gate_rejected_has_no_support(built: Built, model: str) -> None:
    """The claim is quarantined with its gate, the fact is built without it, and is blocked."""
    key, row, _ = MODELS[model]
    claims, quarantine = CLAIMS[model]
    rebuilt = [quarantine, *(["int_development_claims"] if "milestones" in model else []), model]
    with built.warehouse.connect(autocommit=False) as conn:
        conn.execute(
            f"update evidence.{claims} set locator = null where claim_id = (select"
            f" supporting_claim_ids[1] from canonical.{model} where {key} = '{row}')".encode()
        )
        for name in rebuilt:
            schema = built.manifest["nodes"][f"model.tidegate.{name}"]["schema"]
            conn.execute(f"truncate {schema}.{name}".encode())
            sql = built.compiled[f"model.tidegate.{name}"]
            conn.execute(f"insert into {schema}.{name} {sql}".encode())
        rejected = conn.execute(
            f"select gate_id, reason, attempt_id from evidence.{quarantine}".encode()
        ).fetchall()
        bare = conn.execute(
            f"select {key} from canonical.{model} where supporting_claim_ids = '{{}}'".encode()
        ).fetchall()
        check = next(
            text for name, text in built.compiled.items()
            if name.startswith(f"test.tidegate.assertion_support_{model}")
        )  # fmt: skip
        found = conn.execute(check.encode()).fetchall()
        conn.rollback()
    assert rejected == [("source_locator", "locator_missing", None)]
    assert bare == [(row,)]
    assert [line[:3] for line in found] == [(row, "block", "support_missing")]
