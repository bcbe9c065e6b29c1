"""The eight comparative fixtures: registry outcome, label indication and publication outcome.

Each is a change of the built candidates of CheckMate 017 (NCT01642004, BLA 125527, PMID 26028407)
and of what surrounds them, judged by every check that the family is published by.
Source: contracts seed, "Comparative therapeutic-fact gate fixtures".
"""

from __future__ import annotations

from typing import Any

from tidegate.gates.result import GateResult, Sample
from trial_project import Built

VALUE = "outcome:NCT01642004:2:1:1:OG000"
GROUP = "group:NCT01642004:Outcome:2:OG000"
ARM = "arm:NCT01642004:Arm A: Nivolumab"
INDICATION = "approval_indication:FDA:18932:2015-03-04:1.2"
TRANSLATED = "approval_indication:FDA:synthetic-label:2:1"
HAZARD = "pub_comparison:pmid:26028407"
LINK = "pub_trial:pmid:26028407:NCT01642004"
NULLABLE = "alter table {} alter column {} drop not null"

Found = dict[tuple[str, str], GateResult]


def blocking(found: Found) -> set[tuple[str, str]]:
    """Model and gate of what withholds the family."""
    return {key for key, result in found.items() if result.blocks}


def told(found: Found, model: str, gate_id: str, reason: str) -> Sample:
    """The first violation of a gate for a reason."""
    return next(s for s in found[model, gate_id].samples if s.reason == reason)


def test_the_undamaged_candidates_are_published(built: Built) -> None:
    """What follows is due to the damage alone."""
    for family in ("clinical_trials", "approvals", "publications"):
        assert blocking(built.verdicts(family)) == set()


def test_1_a_registry_outcome_without_its_immutable_snapshot_blocks(built: Built) -> None:
    """Hash and immutable place are gone, from the value and from its receipt."""
    found = built.verdicts(
        "clinical_trials",
        f"update q_trial_outcomes set source_content_hash = '', source_immutable_uri ="
        f" 'https://clinicaltrials.gov/study/NCT01642004' where trial_outcome_key = '{VALUE}'",
        f"update q_provenance__clinical_trials set source_content_hash = ''"
        f" where row_key = '{VALUE}' and fact_path = 'value_num'",
    )
    assert blocking(found) == {
        ("q_trial_outcomes", "source_artifact_immutability"),
        ("q_trial_outcomes", "provenance_coverage"),
        ("q_provenance__clinical_trials", "source_artifact_immutability"),
    }
    sample = told(found, "q_trial_outcomes", "source_artifact_immutability", "artifact_incomplete")
    assert (sample.row_key, sample.metadata["model"]) == (VALUE, "q_trial_outcomes")
    assert sample.metadata["missing"] == ["source_content_hash"]
    assert sample.values["source_artifact_key"].startswith("artifact:ctgov:NCT01642004")
    result = found["q_trial_outcomes", "source_artifact_immutability"]
    assert result.remediation_hint.startswith("Archive the bytes with hash")


def test_2_a_result_group_without_accepted_arm_link_is_published_unlinked(built: Built) -> None:
    """The registry does not say which arm it is: no arm, and nothing is withheld."""
    assert built.query(
        "select arm_key, arm_link_state from q_trial_result_groups where result_group_key = %s",
        GROUP,
    ) == [(None, "unlinked")]
    found = built.verdicts("clinical_trials")
    assert found["q_trial_result_groups", "resolution_basis"].rows_failing == 0


CLAIMED = (
    "insert into resolution.candidates__clinical_trials (candidate_id, subject_kind, subject_key,"
    " source_term, target_key, match_method, high_impact) values ('fuzzy', 'trial_arm_link',"
    f" '{GROUP}', 'Nivolumab', '{ARM}', 'fuzzy_string', true);"
    "insert into resolution.links__clinical_trials (link_key, candidate_id, subject_kind,"
    " source_term, target_key, basis, link_state, publishable, confidence) values"
    f" ('claimed', 'fuzzy', 'trial_arm_link', 'Nivolumab', '{ARM}', 'verified', 'accepted', true,"
    " 1)"
)


def test_2_a_result_group_that_claims_an_arm_nobody_verified_blocks(built: Built) -> None:
    """ "Nivolumab" is similar to "Arm A: Nivolumab"; what the trials stand on is not built."""
    for gate, reason in (("resolution_basis", "basis_unverified"),
                         ("llm_verifier_required", "verifier_missing")):  # fmt: skip
        (row,) = built.below(f"{gate}_links__clinical_trials", CLAIMED)
        assert row[:3] == ("claimed", "block", reason)
        values = row[3]["values"]
        assert {values["candidate_id"], values["subject_kind"]} == {"fuzzy", "trial_arm_link"}
        assert "verified" in row[3]["required_basis"]
        assert not row[3]["reviewed_overlay"]
        source = "candidates." if gate == "llm_verifier_required" else ""
        assert (values[f"{source}source_term"], values[f"{source}target_key"]) == ("Nivolumab", ARM)


def test_2_an_arm_on_a_link_that_is_not_accepted_blocks(built: Built) -> None:
    """A group with an arm has an accepted link; the metadata says which would do."""
    found = built.verdicts(
        "clinical_trials",
        f"update q_trial_result_groups set arm_key = '{ARM}', arm_link_state = 'rejected',"
        f" arm_link_key = 'arm_link:x' where result_group_key = '{GROUP}'",
    )
    assert ("q_trial_result_groups", "resolution_basis") in blocking(found)
    sample = told(found, "q_trial_result_groups", "resolution_basis", "basis_unsupported")
    assert sample.values == {
        "candidate_id": "arm_link:x", "subject_kind": "trial_arm_link", "verdict": "pass",
        "source_term": "Nivolumab", "target_key": ARM, "basis": "rejected",
    }  # fmt: skip
    assert sample.metadata["required_basis"] == ["exact_label", "verified", "curated"]


def test_3_a_label_indication_without_region_or_regulator_blocks(built: Built) -> None:
    """The text is there, and nobody says for whom it holds."""
    found = built.verdicts(
        "approvals",
        NULLABLE.format("q_approval_indications", "region_code"),
        NULLABLE.format("q_approval_indications", "regulator"),
        "update q_approval_indications set region_code = null, regulator = null"
        f" where approval_indication_key = '{INDICATION}'",
    )
    assert blocking(found) == {
        ("q_approval_indications", "schema_contract"),
        ("q_approval_indications", "source_authority"),
    }
    sample = told(found, "q_approval_indications", "source_authority", "required_column_blank")
    assert sample.row_key == INDICATION
    assert sample.metadata["missing"] == ["regulator", "region_code"]
    assert (sample.values["source_family"], sample.values["source_record_key"]) == (
        "spl_label", "approval_document:FDA:18932:2015-03-04",
    )  # fmt: skip
    assert sample.values["locator"]


def test_4_a_translated_indication_without_original_or_translation_version_blocks(
    built: Built,
) -> None:
    """Nobody could check the translation; the text of another indication stays as it is."""
    found = built.verdicts(
        "approvals",
        "update q_approval_indications set original_language_text = '',"
        f" translation_version = null where approval_indication_key = '{TRANSLATED}'",
    )
    gate = ("q_approval_indications", "document_version")
    assert gate in blocking(found)
    assert blocking(found) <= {
        gate, ("q_approval_indications", "assert_translations_are_told_from_originals"),
    }  # fmt: skip
    assert found[gate].reasons == {"original_text_missing": 1, "translation_version_missing": 1}
    assert told(found, *gate, "original_text_missing").metadata["missing"] == [
        "original_text", "translation_version",
    ]  # fmt: skip


def test_4_a_translated_indication_needs_a_receipt_with_a_place(built: Built) -> None:
    """The translated text has a receipt of its own, and that has a locator."""
    of_text = f"where row_key = '{TRANSLATED}' and fact_path = 'indication_text'"
    lost = built.verdicts("approvals", f"delete from q_provenance__approvals {of_text}")
    assert blocking(lost) == {("q_approval_indications", "provenance_coverage")}
    nowhere = built.verdicts(
        "approvals", f"update q_provenance__approvals set locator = '{{}}' {of_text}"
    )
    assert ("q_provenance__approvals", "source_locator") in blocking(nowhere)


def test_5_a_hazard_ratio_without_text_or_table_locator_blocks(built: Built) -> None:
    """A place in our own record is none in the publication; an artefact that is gone is none."""
    receipt = f"where row_key like '{HAZARD}%' and fact_path = 'value_num'"
    found = built.verdicts(
        "publications",
        "update q_provenance__publications set locator_shape = 'json_pointer',"
        f" locator = '{{\"pointer\": \"/comparisons/0\"}}', source_artifact_key = 'artifact:gone'"
        f" {receipt}",
    )
    assert blocking(found) == {
        ("q_provenance__publications", "source_locator"),
        ("q_provenance__publications", "source_artifact_immutability"),
        ("q_provenance__publications", "document_version"),
    }
    sample = told(found, "q_provenance__publications", "source_locator", "locator_shape_differs")
    assert str(sample.row_key).startswith(f"q_publication_comparisons|{HAZARD}")
    assert (sample.values["fact_path"], sample.values["source_artifact_key"]) == (
        "value_num", "artifact:gone",
    )  # fmt: skip
    moved = built.verdicts(
        "publications",
        f"update q_provenance__publications set locator_shape = 'json_pointer' {receipt}",
    )
    sample = told(moved, "q_provenance__publications", "source_locator", "locator_shape_differs")
    assert sample.metadata["expected_shapes"] == ["table_cell", "text_quote"]
    assert blocking(moved) == {("q_provenance__publications", "source_locator")}


def title_link(eligible: bool) -> str:
    state = "accepted" if eligible else "provisional"
    return (
        f"update q_publication_trial_links set link_basis = 'title_inference', link_state ="
        f" '{state}', comparison_eligible = {eligible} where publication_trial_link_key = '{LINK}'"
    )


def test_6_a_link_by_title_alone_blocks_comparison(built: Built) -> None:
    """Until a verifier passes it or a reviewed overlay says so."""
    found = built.verdicts("publications", title_link(True))
    gate = ("q_publication_trial_links", "resolution_basis")
    assert blocking(found) == {
        gate, ("q_publication_trial_links", "assert_only_identified_trials_are_compared"),
    }  # fmt: skip
    sample = told(found, *gate, "basis_unsupported")
    assert sample.values == {
        "candidate_id": LINK, "subject_kind": "publication_trial_link",
        "source_term": "NCT01642004", "target_key": "trial:NCT01642004",
        "basis": "title_inference",
    }  # fmt: skip
    assert sample.metadata["required_basis"] == [
        "pubmed_databank", "registry_pmid", "nct_in_text", "title_verified", "curated",
    ]  # fmt: skip


def test_6_a_link_by_title_alone_may_be_published_as_provisional(built: Built) -> None:
    """As evidence, never as a comparison."""
    assert blocking(built.verdicts("publications", title_link(False))) == set()


def test_7_registry_and_publication_that_differ_are_both_published(built: Built) -> None:
    """8.8 and 9 are the same, rounded; 72 is not what the registry posts: both stay, it is told."""
    assert built.query(
        "select publication_role, value_num::integer from q_publication_outcomes where"
        " publication_key = 'pub:pmid:26028407' and canonical_endpoint_key = 'endpoint:ORR'"
        " order by 2"
    ) == [("supporting", 9), ("supporting", 20)]
    found = built.verdicts("publications")
    gate = ("q_publication_outcomes", "source_authority")
    assert (found[gate].status.value, found[gate].blocks) == ("warn", False)
    sample = told(found, *gate, "sources_conflict")
    assert sample.metadata == {
        "model": "q_publication_outcomes", "publication_continues": True, "withheld": [],
    }  # fmt: skip
    kept: dict[str, Any] = dict(sample.values)
    assert {name.removeprefix("compared.") for name in kept} == {
        "conflict_role", "fact_path", "value", "unit", "source_authority_tier", "compared_model",
        "compared_keys", "compared_values", "compared_units", "compared_tier",
    }  # fmt: skip
    assert kept["compared.conflict_role"] == "conflicting"
    assert (kept["compared.source_authority_tier"], kept["compared.compared_tier"]) == (
        "peer_reviewed", "registry_primary",
    )  # fmt: skip
    first = kept["compared.compared_keys"].strip("{}").split(",")[0].strip('"')
    assert built.query("select 1 from q_trial_outcomes where trial_outcome_key = %s", first)


def test_7_collapsing_the_two_into_one_blocks(built: Built) -> None:
    """The registry is no source of what the publication says, and its receipt proves nothing."""
    found = built.verdicts(
        "publications",
        "update q_provenance__publications set source_authority_tier = 'registry_primary'"
        " where row_key like 'pub_outcome:pmid:26028407:%' and fact_path = 'value_num'",
    )
    assert blocking(found) == {("q_provenance__publications", "source_authority")}
    sample = told(found, "q_provenance__publications", "source_authority", "authority_insufficient")
    assert sample.metadata["required_tiers"] == ["peer_reviewed"]
    assert sample.values["source_authority_tier"] == "registry_primary"
    lost = built.verdicts(
        "publications",
        "delete from q_provenance__publications"
        " where row_key like 'pub_outcome:pmid:26028407:%' and fact_path = 'value_num'",
    )
    assert blocking(lost) == {("q_publication_outcomes", "provenance_coverage")}


def test_8_an_indication_inferred_from_a_publication_blocks(built: Built) -> None:
    """A publication supports evidence; what is approved is what the regulator says."""
    found = built.verdicts(
        "approvals",
        "update q_approval_indications set source_authority_tier = 'peer_reviewed'"
        f" where approval_indication_key = '{INDICATION}'",
    )
    assert blocking(found) == {
        ("q_approval_indications", "source_authority"),
        ("q_approval_indications", "schema_contract"),
        ("q_approval_applications", "assert_approval_values_lie_in_closed_enums"),
    }
    sample = told(found, "q_approval_indications", "source_authority", "authority_insufficient")
    assert (sample.row_key, sample.metadata["model"]) == (INDICATION, "q_approval_indications")
    assert sample.metadata["required_tiers"] == ["regulator_primary"]
    assert sample.metadata["downstream_risk"]
    assert sample.values["claim_type"] == "approved_indication_text"
    assert sample.values["source_authority_tier"] == "peer_reviewed"
    assert sample.values["source_family"] == "spl_label"
