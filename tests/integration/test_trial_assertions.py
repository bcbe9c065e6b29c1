"""Every assertion about the models rejects what it must reject, and names it."""

from __future__ import annotations

import pytest

from assertion_cases import CASES as OF_FAMILIES
from assertion_cases import Case
from trial_project import Built

GROUP = "group:NCT01642004:Outcome:2:OG000"
VALUE = "outcome:NCT01642004:2:1:1:OG000"


OF_TRIALS = (
    Case(
        "assert_arm_link_state_agrees_with_arm_key",
        "update q_trial_result_groups set arm_key = 'arm:NCT01642004:Arm A: Nivolumab'"
        f" where result_group_key = '{GROUP}'",
        f"q_trial_result_groups|{GROUP}",
        "block",
        "arm_without_accepted_link",
        {"arm_link_state": "unlinked"},
    ),
    Case(
        "assert_arm_link_state_agrees_with_arm_key",
        "update q_trial_outcomes set arm_link_state = 'curated'"
        f" where trial_outcome_key = '{VALUE}'",
        f"q_trial_outcomes|{VALUE}",
        "block",
        "accepted_link_without_arm",
        {"arm_link_state": "curated"},
    ),
    Case(
        "assert_link_state_agrees_with_resolved_key",
        "update q_trial_sponsors set resolved_organisation_key = null"
        " where trial_sponsor_key = 'sponsor:NCT02210780:collaborator:Sanofi'",
        "q_trial_sponsors|sponsor:NCT02210780:collaborator:Sanofi",
        "block",
        "accepted_link_without_key",
        {"link_state": "exact"},
    ),
    Case(
        "assert_link_state_agrees_with_resolved_key",
        "update q_trial_interventions set resolved_drug_key = 'drug:dupilumab'"
        " where trial_intervention_key = 'intervention:NCT02210780:DRUG:Placebo'",
        "q_trial_interventions|intervention:NCT02210780:DRUG:Placebo",
        "block",
        "key_without_accepted_link",
        {"link_state": "not_a_drug"},
    ),
    Case(
        "assert_posted_values_are_coherent",
        f"update q_trial_outcomes set value_num = null where trial_outcome_key = '{VALUE}'",
        VALUE,
        "block",
        "value_contradicts_state",
    ),
    Case(
        "assert_posted_values_are_coherent",
        "update q_trial_outcomes set value_num = 0"
        " where trial_outcome_key = 'outcome:NCT01642004:6:1:1:OG000'",
        "outcome:NCT01642004:6:1:1:OG000",
        "block",
        "value_contradicts_state",
    ),
    Case(
        "assert_posted_values_are_coherent",
        "update q_trial_outcomes set dispersion_lower = dispersion_upper + 1"
        f" where trial_outcome_key = '{VALUE}'",
        VALUE,
        "block",
        "bounds_reversed",
    ),
    Case(
        "assert_posted_values_are_coherent",
        f"update q_trial_outcomes set denominator_count = 0 where trial_outcome_key = '{VALUE}'",
        VALUE,
        "block",
        "denominator_not_positive",
    ),
    Case(
        "assert_posted_values_are_coherent",
        "update q_trial_outcomes set denominator_scope = 'not_posted'"
        f" where trial_outcome_key = '{VALUE}'",
        VALUE,
        "block",
        "denominator_contradicts_scope",
    ),
    Case(
        "assert_estimates_lie_in_their_interval",
        "update q_trial_outcome_analyses set param_value = ci_upper + 1"
        " where trial_outcome_analysis_key = 'analysis:NCT01642004:3:1'",
        "analysis:NCT01642004:3:1",
        "warn",
        "estimate_outside_interval",
    ),
    Case(
        "assert_periods_add_up",
        "update q_trial_participant_flow set participants = participants + 1"
        " where trial_flow_key = 'flow:NCT01642004:1:milestone:2:FG000'",
        "group:NCT01642004:Participant Flow:FG000|1",
        "block",
        "period_does_not_add_up",
    ),
    Case(
        "assert_affected_do_not_exceed_those_at_risk",
        "update q_trial_adverse_events set subjects_affected = subjects_at_risk + 1"
        " where trial_adverse_event_key = 'adverse_event:NCT01642004:total:serious:EG000'",
        "adverse_event:NCT01642004:total:serious:EG000",
        "block",
        "more_affected_than_at_risk",
    ),
    Case(
        "assert_ages_are_in_order",
        "update q_trial_eligibility set maximum_age_value = 100, maximum_age_unit = 'weeks'"
        " where trial_key = 'trial:NCT02210780'",
        "trial:NCT02210780",
        "block",
        "ages_reversed",
    ),
    Case(
        "assert_status_intervals_do_not_overlap",
        "update q_trial_status_history set valid_to = '2020-03-15'"
        " where trial_key = 'trial:NCT99999997' and valid_from = '2020-01-01'",
        "trial:NCT99999997|2020-01-01",
        "block",
        "intervals_overlap",
    ),
    Case(
        "assert_status_intervals_do_not_overlap",
        "update q_trial_status_history set valid_to = valid_from"
        " where trial_key = 'trial:NCT99999997' and valid_from = '2020-01-01'",
        "trial:NCT99999997|2020-01-01",
        "block",
        "interval_is_empty",
    ),
    Case(
        "assert_values_lie_in_closed_enums",
        "update q_trials set overall_status = 'PAUSED' where trial_key = 'trial:NCT01642004'",
        "q_trials|trial:NCT01642004",
        "block",
        "value_outside_enum",
        {"column": "overall_status"},
    ),
    Case(
        "assert_values_lie_in_closed_enums",
        "update q_trials set phases = phases || 'PHASE5'::text"
        " where trial_key = 'trial:NCT01642004'",
        "q_trials|trial:NCT01642004",
        "block",
        "value_outside_enum",
        {"column": "phases"},
    ),
    Case(
        "assert_spine_values_lie_in_closed_enums",
        "update q_drugs set drug_kind = 'potion' where drug_key = 'drug:docetaxel'",
        "q_drugs|drug:docetaxel",
        "block",
        "value_outside_enum",
        {"column": "drug_kind"},
    ),
)

CASES = (*OF_TRIALS, *OF_FAMILIES)


@pytest.mark.parametrize("case", CASES, ids=[f"{it.assertion}-{it.reason}" for it in CASES])
def test_an_assertion_names_what_breaks_it(built: Built, case: Case) -> None:
    """Key, level, reason and metadata, and never the value; the undamaged candidates pass."""
    assert built.landed[case.assertion] == "pass"
    assert built.judged(case.assertion, case.damage) == [
        (case.row_key, case.level, case.reason, dict(case.metadata))
    ]


def test_every_assertion_has_been_seen_to_reject(built: Built) -> None:
    """A check that never failed is decoration."""
    assert {case.assertion for case in CASES} == set(built.assertions)


def test_a_gap_between_status_intervals_is_legal(built: Built) -> None:
    """Not overlapping does not mean contiguous."""
    damage = (
        "update q_trial_status_history set valid_to = '2020-02-01'"
        " where trial_key = 'trial:NCT99999997' and valid_from = '2020-01-01'"
    )
    assert built.judged("assert_status_intervals_do_not_overlap", damage) == []
