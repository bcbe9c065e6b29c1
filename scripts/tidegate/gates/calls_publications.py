"""The eight families of publication failures.

They judge rows like every semantic gate; each knows the id of its entry in the taxonomy
(contracts seed, "Publication Quality Failure Taxonomy").
"""

from __future__ import annotations

from tidegate.gates.gate import Gate


def _family(gate_id: str, taxonomy_id: str, applies_to: str, demands: str, remedy: str) -> Gate:
    return Gate(gate_id, applies_to, demands, remedy, taxonomy_id=taxonomy_id)


PUBLICATION = (
    _family(
        "publication_value_semantics",
        "pub_zero_sentinel",
        "published result values",
        "A value that is published is one that the source states; what it does not state is null.",
        "Set the value to null with `value_state` not_reported, or derive it from stated "
        "counts; a true zero needs a quote that says so.",
    ),
    _family(
        "endpoint_semantic_consistency",
        "pub_endpoint_semantic_confusion",
        "published results with an endpoint",
        "The endpoint and the statistic are those that the raw phrase names.",
        "Map the phrase to the endpoint it names, or add the phrase to `phrases`; never merge "
        "endpoints that the spine keeps apart.",
    ),
    _family(
        "population_grain_integrity",
        "pub_population_denominator_misattribution",
        "populations and subgroups of publications",
        "The N of a population is stated for this population, in its own words.",
        "Take the N that the source states for the subgroup, or leave it null with `n_basis` "
        "not_stated; drop populations that the source does not name.",
    ),
    _family(
        "arm_dose_attribution",
        "pub_arm_dose_attribution",
        "arms of publications and their results",
        "Each arm has the dose that its own quote states, and a result stands under the arm "
        "it was measured in.",
        "Attach the dose, the recommended dose and the value to the one arm whose quote "
        "states them; leave the arm null otherwise.",
    ),
    _family(
        "subgroup_endpoint_completeness",
        "pub_subgroup_extraction_completeness",
        "expected subgroups and endpoints of publications",
        "Every subgroup and endpoint that a cross-tabulation of the source shows was extracted.",
        "Extract the missing axis from the table or text the locator names, or record why the "
        "source has no value for it.",
    ),
    _family(
        "safety_attribution_integrity",
        "pub_safety_attribution",
        "safety rows of publications",
        "An adverse event stands under the arm or cohort the source gives it to, over those "
        "treated.",
        "Attach the event to the arm its quote names, or report it as pooled without arm; "
        "take the number treated, not the number randomised.",
    ),
    _family(
        "intervention_identity_type_safety",
        "pub_intervention_identity",
        "interventions of publications",
        "Only a drug or biologic has a drug key, and the link has a basis.",
        "Remove the drug key and resolve the term to its concept (`resolved_ncit_code`), or "
        "correct the identity type; the drug spine decides what a drug is.",
    ),
    _family(
        "publication_corpus_identity",
        "pub_corpus_identity_uniqueness",
        "q_publications",
        "A publication is one record; nothing is counted twice, and no indexed paper of a "
        "target slice is missing.",
        "Mark the duplicate with `duplicate_of_publication_key` and move its results to the "
        "record that stays; land the missing paper.",
    ),
)
"""In the order of the taxonomy."""
