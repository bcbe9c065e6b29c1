"""The eight comparative fixtures, from a build to what readers see: published, or held back.

Each changes what is built next of CheckMate 017 (NCT01642004, BLA 125527, PMID 26028407), publishes
it, and reads the serving views with a reader's rights. What the gates say of each stands in
test_comparative_fixtures.py. Source: contracts seed, "Comparative therapeutic-fact gate fixtures".
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest

from published_domain import Domain

GROUP = "group:NCT01642004:Outcome:2:OG000"
VALUE = "outcome:NCT01642004:2:1:1:OG000"
ARM = "arm:NCT01642004:Arm A: Nivolumab"
INDICATION = "approval_indication:FDA:18932:2015-03-04:1.2"
TRANSLATED = "approval_indication:FDA:synthetic-label:2:1"
LINK = "pub_trial:pmid:26028407:NCT01642004"
HAZARD = "pub_comparison:pmid:26028407"


@pytest.fixture
def served(domain: Domain) -> Iterator[Domain]:
    """The domain; what a test has published of it is published whole again."""
    before = domain.heads()
    yield domain
    moved = {name for name, head in domain.heads().items() if head != before[name]}
    for group in domain.groups:
        if moved & set(group):
            assert domain.attempt(group[0]).published


def held_back(served: Domain, family: str, read: str, *damage: str) -> set[tuple[str, str, str]]:
    """Why a damaged family is held back: model, gate, reason. Readers see what they saw."""
    seen, head = served.read(read), served.heads()[family]
    attempt = served.attempt(family, *damage)
    assert attempt.held_back
    assert (attempt.outcome.served, served.heads()[family]) == (head, head)
    assert served.read(read) == seen
    return {(model, gate, reason) for model, gate, _, reason in attempt.blocking}


def receipt(model: str, row: str, fact: str) -> str:
    """What readers get of the receipts of a fact: source, place, role and authority."""
    return (
        "select source_artifact_key, locator, role, source_authority_tier from q_provenance where"
        f" model_name = '{model}' and row_key like '{row}%' and fact_path = '{fact}' order by 3, 1"
    )


POSTED = (
    "select value_num, unit_of_measure, denominator_count, arm_key, arm_link_state,"
    " source_content_hash, source_immutable_uri from q_trial_outcomes"
    f" where trial_outcome_key = '{VALUE}'"
)


def test_1_a_registry_outcome_without_its_immutable_snapshot_is_held_back(served: Domain) -> None:
    """Readers keep 20.0 percent of 135 with the bytes it was read from."""
    ((value, unit, people, _, _, sha256, uri),) = served.read(POSTED)
    assert (value, unit, people) == (Decimal("20.0"), "percentage of participants", 135)
    assert (len(sha256), sha256 in uri) == (64, True)
    lost = (
        "update q_trial_outcomes set source_content_hash = '', source_immutable_uri ="
        f" 'https://clinicaltrials.gov/study/NCT01642004' where trial_outcome_key = '{VALUE}'",
        "update q_provenance__clinical_trials set source_content_hash = ''"
        f" where row_key = '{VALUE}' and fact_path = 'value_num'",
    )
    assert held_back(served, "clinical_trials", POSTED, *lost) == {
        ("q_trial_outcomes", "source_artifact_immutability", "artifact_incomplete"),
        ("q_trial_outcomes", "source_artifact_immutability", "artifact_differs"),
        ("q_trial_outcomes", "provenance_coverage", "receipt_incomplete"),
        ("q_provenance__clinical_trials", "source_artifact_immutability", "artifact_incomplete"),
    }


def test_2_a_result_group_without_accepted_arm_link_is_served_unlinked(served: Domain) -> None:
    """Its value is there, and no arm; where a label is equal, the arm is there too."""
    assert served.attempt("clinical_trials").published
    ((*_, arm, state, _, _),) = served.read(POSTED)
    assert (arm, state) == (None, "unlinked")
    assert served.read(
        "select arm_key, arm_link_state from q_trial_outcomes where trial_key ="
        " 'trial:NCT02210780' and arm_key is not null group by 1, 2 order by 1 limit 1"
    ) == [("arm:NCT02210780:Dupilumab 300 mg qw", "exact_label")]


@pytest.mark.parametrize("state", ["rejected", "unlinked"])
def test_2_a_result_group_that_claims_an_arm_is_held_back(served: Domain, state: str) -> None:
    """Neither a link that was rejected nor no link at all gives an arm."""
    of_group = f"where result_group_key = '{GROUP}'"
    read = f"select arm_key, arm_link_state from q_trial_result_groups {of_group}"
    assert served.read(read) == [(None, "unlinked")]
    claimed = (
        f"update q_trial_result_groups set arm_key = '{ARM}', arm_link_state = '{state}',"
        f" arm_link_key = 'arm_link:x' {of_group}"
    )
    found = held_back(served, "clinical_trials", read, claimed)
    assert ("q_trial_result_groups", "resolution_basis", "basis_unsupported") in found


STATED = (
    "select regulator, region_code, indication_text, source_authority_tier, original_language_text,"
    " original_language_code, translation_version from q_approval_indications"
    " where approval_indication_key = '{}'"
)


def test_3_a_label_indication_without_region_or_regulator_is_held_back(served: Domain) -> None:
    """Readers keep the text with whom it holds for."""
    read = STATED.format(INDICATION)
    ((regulator, region, text, *_),) = served.read(read)
    assert (regulator, region, len(text.split())) == ("FDA", "US", 10)
    nobody = (
        "update q_approval_indications set region_code = {0}, regulator = {0}"
        f" where approval_indication_key = '{INDICATION}'"
    )
    found = held_back(served, "approvals", read, nobody.format("''"))
    assert ("q_approval_indications", "source_authority", "required_column_blank") in found
    # A column that may be null is not what the contract says: refused before anything is judged.
    nullable = (
        "alter table q_approval_indications alter column region_code drop not null,"
        " alter column regulator drop not null"
    )
    assert held_back(served, "approvals", read, nullable, nobody.format("null")) == set()


@pytest.mark.parametrize(
    ("lost", "reason"),
    [
        ("original_language_text = ''", "original_text_missing"),
        ("translation_version = null", "translation_version_missing"),
    ],
)
def test_4_a_translation_without_original_or_version_is_held_back(
    served: Domain, lost: str, reason: str
) -> None:
    """Readers keep the translation beside its original, under its version."""
    read = STATED.format(TRANSLATED)
    ((_, _, text, _, original, language, version),) = served.read(read)
    assert (language, version, text == original) == ("zh", "t-2026-01", False)
    damage = (
        f"update q_approval_indications set {lost} where approval_indication_key = '{TRANSLATED}'"
    )
    found = held_back(served, "approvals", read, damage)
    assert ("q_approval_indications", "document_version", reason) in found


def test_5_a_hazard_ratio_without_text_or_table_locator_is_held_back(served: Domain) -> None:
    """Readers keep 0.59 with the words that say so."""
    read = receipt("q_publication_comparisons", HAZARD, "value_num")
    assert served.read(
        "select effect_measure from q_publication_comparisons where publication_key ="
        " 'pub:pmid:26028407' and value_num = 0.59"
    ) == [("hazard_ratio",)]
    primary = [row for row in served.read(read) if row[2] == "primary"]
    assert any("0.59" in locator["exact"] for _, locator, _, _ in primary)
    nowhere = (
        "update q_provenance__publications set locator_shape = 'json_pointer', locator ="
        f" '{{\"pointer\": \"/comparisons/0\"}}' where row_key like '{HAZARD}%'"
        " and fact_path = 'value_num' and role = 'primary'"
    )
    assert held_back(served, "publications", read, nowhere) == {
        ("q_provenance__publications", "source_locator", "locator_shape_differs"),
    }


LINKED = (
    "select link_basis, link_state, comparison_eligible, publication_state"
    f" from q_publication_trial_links where publication_trial_link_key = '{LINK}'"
)


def title_link(state: str, eligible: bool) -> str:
    published = "provisional" if state == "provisional" else "published"
    return (
        "update q_publication_trial_links set link_basis = 'title_inference',"
        f" link_state = '{state}', comparison_eligible = {eligible},"
        f" publication_state = '{published}' where publication_trial_link_key = '{LINK}'"
    )


def test_6_a_link_by_title_alone_is_served_as_provisional_and_never_compared(
    served: Domain,
) -> None:
    """As evidence it is published; as a comparison it is held back: readers see the evidence."""
    assert served.read(LINKED) == [("pubmed_databank", "accepted", True, "published")]
    assert served.attempt("publications", title_link("provisional", False)).published
    provisional = [("title_inference", "provisional", False, "provisional")]
    assert served.read(LINKED) == provisional
    for state in ("accepted", "provisional"):
        found = held_back(served, "publications", LINKED, title_link(state, True))
        assert found, state
    assert served.read(LINKED) == provisional


def test_7_values_that_differ_are_both_served_with_the_roles_of_their_sources(
    served: Domain,
) -> None:
    """Neither 0 nor 99 percent is what the registry posts: each has its source, and the other's."""
    attempt = served.attempt("publications")
    assert attempt.published
    conflicts = {row for model, gate, row, reason in attempt.warning
                 if (model, gate, reason) == ("q_publication_outcomes", "source_authority",
                                              "sources_conflict")}  # fmt: skip
    told = served.read(
        "select publication_outcome_key, value_num from q_publication_outcomes"
        " where publication_role = 'conflicting' order by 2"
    )
    assert [value for _, value in told] == [0, 99]
    assert {key for key, _ in told} == conflicts
    for key, _ in told:
        roles = served.read(receipt("q_publication_outcomes", key, "value_num"))
        assert [(role, tier) for *_, role, tier in roles] == [
            ("conflicting", "registry_primary"), ("conflicting", "registry_primary"),
            ("primary", "peer_reviewed"),
        ]  # fmt: skip


def test_7_values_that_agree_as_printed_are_both_served_and_never_merged(served: Domain) -> None:
    """20 and 20.0, 9 and 8.8: four rows of two models, and the registry supports each."""
    assert served.read(
        "select value_num from q_trial_outcomes where trial_key = 'trial:NCT01642004'"
        " and canonical_endpoint_key = 'endpoint:ORR' and class_title is null order by 1"
    ) == [(Decimal("8.8"),), (Decimal("20.0"),)]
    published = served.read(
        "select publication_outcome_key, value_num, publication_role from q_publication_outcomes"
        " where publication_key = 'pub:pmid:26028407' and canonical_endpoint_key = 'endpoint:ORR'"
        " order by 2"
    )
    assert [row[1:] for row in published] == [(9, "supporting"), (20, "supporting")]
    for key, _, _ in published:
        roles = served.read(receipt("q_publication_outcomes", key, "value_num"))
        assert [(role, tier) for *_, role, tier in roles] == [
            ("primary", "peer_reviewed"), ("supporting", "registry_primary"),
        ]  # fmt: skip


MERGED = (
    "update q_provenance__publications set source_authority_tier = 'registry_primary' where"
    " row_key like 'pub_outcome:pmid:26028407:%' and fact_path = 'value_num' and role = 'primary'",
    "delete from q_provenance__publications where"
    " row_key like 'pub_outcome:pmid:26028407:%' and fact_path = 'value_num' and role = 'primary'",
)


@pytest.mark.parametrize(
    ("damage", "found"),
    [
        (MERGED[0], ("q_provenance__publications", "source_authority", "authority_insufficient")),
        (MERGED[1], ("q_publication_outcomes", "provenance_coverage", "receipt_missing")),
    ],
)
def test_7_collapsing_the_two_into_one_is_held_back(
    served: Domain, damage: str, found: tuple[str, str, str]
) -> None:
    """The registry's receipt stands beside the publication's, and proves nothing of it."""
    read = receipt("q_publication_outcomes", "pub_outcome:pmid:26028407:", "value_num")
    assert held_back(served, "publications", read, damage) == {found}


def test_8_an_indication_inferred_from_a_publication_is_held_back(served: Domain) -> None:
    """Readers keep what the regulator says; the publication says its own, in its own views."""
    read = STATED.format(INDICATION)
    assert served.read(read)[0][3] == "regulator_primary"
    inferred = (
        "update q_approval_indications set source_authority_tier = 'peer_reviewed'"
        f" where approval_indication_key = '{INDICATION}'"
    )
    assert held_back(served, "approvals", read, inferred) == {
        ("q_approval_indications", "source_authority", "authority_insufficient"),
        ("q_approval_indications", "schema_contract", "value_outside_enum"),
    }
    assert served.read(
        "select count(*) > 0 from q_publication_comparisons"
        " where publication_key = 'pub:pmid:26028407'"
    ) == [(True,)]


def test_served_quotes_are_short_and_found_again_in_their_source(served: Domain) -> None:
    """Every quote of every served model: at most twenty words, and a receipt with its bytes."""
    quoting = served.read(
        "select model_name from q_catalog where column_name = 'source_quote' order by 1"
    )
    assert [name for (name,) in quoting] == [
        "q_announced_results", "q_news_events", "q_publication_arms", "q_publication_comparisons",
        "q_publication_outcomes", "q_publication_populations", "q_publication_safety",
    ]  # fmt: skip
    for (name,) in quoting:
        rows: list[tuple[Any, ...]] = served.read(
            "select cardinality(regexp_split_to_array(btrim(quoted.source_quote), '\\s+')),"
            " exists (select from q_provenance as receipt where receipt.provenance_bundle_key ="
            " quoted.provenance_bundle_key and length(receipt.source_content_hash) = 64"
            " and position(quoted.source_quote in receipt.locator ->> 'exact') > 0)"
            f" from {name} as quoted where source_quote is not null"
        )
        assert rows, name
        assert all(0 < words <= 20 for words, _ in rows), name
        assert all(found for _, found in rows), name
