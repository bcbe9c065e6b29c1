"""Development programs: ten scenarios from milestones to counts, and what the gate blocks.

Each scenario has its milestones in tests/development_records.py. Source: domain model, "Ten
development-program acceptance scenarios".
"""

from __future__ import annotations

from datetime import date
from typing import Any

import development_oracle as oracle
from development_oracle import Milestone
from development_records import BASKET
from tidegate.gates.model import Status
from trial_project import Built

GATE = "development_program_semantics"
AXES = (
    "current_phase, clinical_activity, regulatory_state, owner_organisation_key,"
    " historical_max_phase, historical_max_regulatory"
)
AUTHORITY = {
    "model": "q_development_milestones",
    "required_tiers": ["registry_primary"],
    "missing": [],
    "overlay_state": None,
    "downstream_risk": "readers would take it for what a sufficient source says",
    "values": {"claim_type": "clinical_activity", "source_authority_tier": "company_announcement"},
    "withheld": ["lower_authority_marker"],
}
OPEN = ("ctx:s4", "warn", "context_incomplete")
"""The one line of treatment that nobody states; it warns in every verdict."""


def state(built: Built, context: str) -> tuple[Any, ...]:
    (row,) = built.query(
        f"select {AXES} from q_development_programs where context_key = %s", f"ctx:{context}"
    )
    return row


def history(built: Built, context: str, axis: str) -> list[tuple[Any, ...]]:
    return built.query(
        "select axis_value, valid_from::text, valid_to::text from q_development_state_history"
        " where context_key = %s and axis = %s order by 2",
        f"ctx:{context}",
        axis,
    )


def counted(built: Built, member: str) -> set[str]:
    """The counts that list a member, without the word that all their keys begin with."""
    rows = built.query(
        "select landscape_key, count_value, cardinality(member_keys) from q_development_landscape"
        " where %s = any(member_keys)",
        member,
    )
    assert all(value == size for _, value, size in rows)
    return {key.removeprefix("landscape:") for key, _, _ in rows}


def about(built: Built, context: str, **changed: Any) -> dict[str, Any]:
    """The values of a context that the gate keeps as metadata, with what was damaged."""
    names = ("context_key", "program_key", "segment_key", "segment_state", "treatment_line_key",
             "treatment_line_state", "region_code", "current_phase", "clinical_activity",
             "regulatory_state")  # fmt: skip
    (row,) = built.query(
        f"select {', '.join(names)} from q_development_programs where context_key = %s",
        f"ctx:{context}",
    )
    values = dict(zip(names, row, strict=True))
    return {**values, **{name: it for name, it in changed.items() if name in values}}


def wrong(built: Built, context: str, **changed: str) -> list[tuple[Any, ...]]:
    """What the gate finds where a context says something else of itself, but for S4's warning."""
    told = ", ".join(f"{column} = '{value}'" for column, value in changed.items())
    found = built.gated(
        GATE,
        "q_development_programs",
        f"update q_development_programs set {told} where context_key = 'ctx:{context}'",
    )
    return sorted(row for row in found if row[:3] != OPEN)


def finding(built: Built, context: str, reason: str, *differing: str, **changed: str) -> Any:
    """One line of the gate, whole."""
    values = about(built, context, **changed)
    more = {"differing": list(differing)} if differing else {}
    return (f"ctx:{context}", "block", reason, {"values": values, "withheld": [], **more})


def blocked(built: Built, context: str, *reasons: str, **changed: str) -> None:
    """The context with other values is blocked for these reasons, with all of the metadata."""
    differing = [column for column in AXES.split(", ") if column in changed]
    order = ["current_phase", "clinical_activity", "regulatory_state", "historical_max_phase",
             "historical_max_regulatory", "owner_organisation_key"]  # fmt: skip
    differing.sort(key=order.index)
    expected = [finding(built, context, it, *differing, **changed) for it in sorted(reasons)]
    assert wrong(built, context, **changed) == expected


def test_every_development_model_has_rows(built: Built) -> None:
    """Each one is fed by the samples, and the verdict on them is a pass but for what is open."""
    models = [name for name in built.landed if name.startswith("q_development")]
    assert len(models) == 5
    counts = {name: built.query(f"select count(*) from {name}")[0][0] for name in models}
    assert all(counts.values()), counts
    (found,) = built.gated(GATE, "q_development_programs", "select")
    assert found[:3] == OPEN


def test_s1_phase_2_recruits_after_phase_3_was_terminated(built: Built) -> None:
    """Neither "terminated" nor "phase 3"; history keeps both, with a legal gap between them."""
    assert state(built, "s1") == ("phase2", "recruiting", "none", None, "phase3", "none")
    assert history(built, "s1", "phase") == [
        ("phase3", "2014-01-01", "2016-08-01"),
        ("phase2", "2017-03-01", None),
    ]
    assert "program_context:segment:asthma:phase=phase2" in counted(built, "ctx:s1")
    blocked(built, "s1", "fold_differs", clinical_activity="terminated")
    blocked(built, "s1", "fold_differs", current_phase="phase3")


def test_s2_approved_in_melanoma_while_an_expansion_recruits(built: Built) -> None:
    """Two contexts of one program; the approval is of one of them."""
    assert state(built, "s2a") == ("none", "completed", "approved", None, "phase3", "approved")
    assert state(built, "s2b") == ("phase3", "recruiting", "none", None, "phase3", "none")
    assert counted(built, "prog:s2") == {
        "program:all",
        "program:segment:melanoma",
        "program:segment:melanoma:phase=none",
        "program:segment:melanoma:regulatory=approved",
        "program:segment:nsclc",
        "program:segment:nsclc:phase=phase3",
        "program:segment:nsclc:regulatory=none",
    }
    leaked = {"regulatory_state": "approved", "historical_max_regulatory": "approved"}
    blocked(built, "s2b", "fold_differs", "state_without_milestone", **leaked)


def test_s3_approved_in_the_us_is_not_approved_in_the_eu(built: Built) -> None:
    """Two regions are two contexts."""
    assert state(built, "s3us")[2] == "approved"
    assert state(built, "s3eu") == ("none", "none", "under_review", None, "none", "under_review")
    assert "program_context:segment:rheumatoid-arthritis:regulatory=under_review" in counted(
        built, "ctx:s3eu"
    )
    blocked(built, "s3eu", "fold_differs", "maximum_below_current", "state_without_milestone",
            regulatory_state="approved")  # fmt: skip


def test_s4_a_line_that_nobody_states_stays_unknown(built: Built) -> None:
    """It warns, and is no first line; a default is blocked, whether it admits to be one or not."""
    assert built.query(
        "select treatment_line_key, treatment_line_state from q_development_programs"
        " where context_key = 'ctx:s4'"
    ) == [(None, "unknown")]
    assert state(built, "s4") == ("phase1", "recruiting", "none", None, "phase1", "none")
    given = {"treatment_line_key": "line:first_line"}
    assert wrong(built, "s4", **given) == [finding(built, "s4", "unknown_defaulted", **given)]
    damage = (
        "update q_development_programs set treatment_line_key = 'line:first_line',"
        " treatment_line_state = 'known' where context_key = 'ctx:s4'"
    )
    assert built.judged("assert_unknown_contexts_stay_unknown", damage) == [
        ("ctx:s4", "block", "unknown_defaulted", {"column": "treatment_line_key"})
    ]


def test_s5_a_seamless_phase_1_2_is_one_program_in_one_phase(built: Built) -> None:
    """Neither two programs nor phase 2."""
    assert state(built, "s5") == ("phase1_2", "recruiting", "none", None, "phase1_2", "none")
    assert counted(built, "prog:s5") == {
        "program:all",
        "program:segment:sjogren",
        "program:segment:sjogren:phase=phase1_2",
        "program:segment:sjogren:regulatory=none",
    }
    blocked(built, "s5", "fold_differs", "maximum_below_current", "state_without_milestone",
            current_phase="phase2")  # fmt: skip
    assert second_program(built, "s5") == ["ctx:s5", "ctx:s5-again"]


def second_program(built: Built, context: str) -> list[str]:
    """The contexts that the gate names where the same drug and regimen is a second program."""
    damage = (
        "insert into q_development_programs select (jsonb_populate_record(it, '{"
        f'"context_key": "ctx:{context}-again", "program_key": "prog:{context}-again"'
        f"}}')).* from q_development_programs as it where context_key = 'ctx:{context}'"
    )
    found = built.gated(GATE, "q_development_programs", damage)
    return sorted(row[0] for row in found if row[2] == "program_duplicated" and row[1] == "block")


def test_s6_rights_that_are_licensed_change_the_owner_alone(built: Built) -> None:
    """No new program, and the phase goes on."""
    assert state(built, "s6") == (
        "phase2", "active_not_recruiting", "none", "org:example-pharma", "phase2", "none",
    )  # fmt: skip
    assert built.query(
        "select ownership_state from q_development_programs where context_key = 'ctx:s6'"
    ) == [("licensee",)]
    assert history(built, "s6", "phase") == [("phase2", "2018-01-01", None)]
    assert history(built, "s6", "ownership") == [
        ("org:example-biotech", "2018-01-01", "2019-06-01"),
        ("org:example-pharma", "2019-06-01", None),
    ]
    assert "organisation:segment:axspa" in counted(built, "org:example-pharma")
    assert counted(built, "org:example-biotech") == set()
    blocked(built, "s6", "fold_differs", current_phase="none")
    blocked(built, "s6", "fold_differs", owner_organisation_key="org:example-biotech")
    assert second_program(built, "s6") == ["ctx:s6", "ctx:s6-again"]


def test_s7_a_refusal_stays_in_history_after_the_approval(built: Built) -> None:
    """Four decisions, four intervals; leaving one out is blocked by its name."""
    assert state(built, "s7") == ("none", "none", "approved", None, "none", "approved")
    assert history(built, "s7", "regulatory") == [
        ("submitted", "2018-01-01", "2018-11-01"),
        ("refused", "2018-11-01", "2019-06-01"),
        ("submitted", "2019-06-01", "2020-02-01"),
        ("approved", "2020-02-01", None),
    ]
    forgotten = "delete from q_development_state_history where axis_value = 'refused'"
    found = built.gated(GATE, "q_development_programs", forgotten)
    assert [row for row in found if row[:3] != OPEN] == [
        ("ctx:s7|regulatory|2018-11-01", "block", "interval_missing", {"axis": "regulatory"})
    ]
    bridged = (
        f"{forgotten}; update q_development_state_history set valid_to = '2020-02-01' where"
        " context_key = 'ctx:s7' and valid_from = '2018-01-01'; delete from"
        " q_development_state_history where context_key = 'ctx:s7' and valid_from = '2019-06-01'"
    )
    found = built.gated(GATE, "q_development_programs", bridged)
    assert sorted(row[:3] for row in found if row[:3] != OPEN) == [
        ("ctx:s7|regulatory|2018-01-01", "block", "history_differs"),
        ("ctx:s7|regulatory|2018-11-01", "block", "interval_missing"),
        ("ctx:s7|regulatory|2019-06-01", "block", "interval_missing"),
    ]


def test_s8_an_announced_end_moves_nothing_while_the_registry_recruits(built: Built) -> None:
    """It is kept as a milestone, and the activity stays."""
    assert state(built, "s8") == ("phase2", "recruiting", "none", None, "phase2", "none")
    assert built.query(
        "select axis_value, truth_mode from q_development_milestones where context_key = 'ctx:s8'"
        " and milestone_type = 'discontinuation_announced'"
    ) == [("terminated", "announced")]
    blocked(built, "s8", "fold_differs", "state_without_milestone",
            clinical_activity="terminated")  # fmt: skip
    promoted = (
        "update q_development_milestones set truth_mode = 'confirmed' where context_key = 'ctx:s8'"
    )
    found = {row[:3] for row in built.gated(GATE, "q_development_programs", promoted)} - {OPEN}
    assert ("ctx:s8", "block", "fold_differs") in found
    assert built.gated("source_authority", "q_development_milestones", promoted) == [
        (
            "milestone:s8-discontinuation_announced-2022-02-01", "block",
            "authority_insufficient", AUTHORITY,
        )
    ]  # fmt: skip


def test_only_a_regulator_confirms_its_decision(built: Built) -> None:
    """An approval that a company tells is at most announced."""
    told = (
        "update q_development_milestones set source_authority_tier = 'company_announcement'"
        " where milestone_key = 'milestone:s7-approved-2020-02-01'"
    )
    found = built.gated("source_authority", "q_development_milestones", told)
    assert [row[:3] for row in found] == [
        ("milestone:s7-approved-2020-02-01", "block", "authority_insufficient")
    ]
    announced = told.replace("' where", "', truth_mode = 'announced' where")
    assert built.gated("source_authority", "q_development_milestones", announced) == []


def test_s9_a_basket_trial_is_one_trial_in_three_contexts(built: Built) -> None:
    """It is counted once over all and once in each disease; three times one is not three."""
    trial = f"trial:{BASKET}"
    for context in ("s9a", "s9b", "s9c"):
        assert state(built, context) == ("phase2", "recruiting", "none", None, "phase2", "none")
    assert counted(built, trial) == {
        "trial:all",
        "trial:segment:lung-cancer",
        "trial:segment:melanoma",
        "trial:segment:nsclc",
    }
    key = "landscape:trial:segment:lung-cancer"
    tripled = (
        "update q_development_landscape set count_value = 3, member_keys ="
        f" array_fill(member_keys[1], array[3]) where landscape_key = '{key}'"
    )
    found = built.gated(GATE, "q_development_programs", tripled)
    assert [row for row in found if row[:3] != OPEN] == [
        (key, "block", "count_differs", {"distinct_members": 1})
    ]
    collapsed = (
        "update q_development_landscape set count_grain = 'program_context'"
        f" where landscape_key = '{key}'"
    )
    found = built.gated(GATE, "q_development_programs", collapsed)
    assert [row for row in found if row[:3] != OPEN] == [
        (key, "block", "grain_collapsed", {"distinct_members": 1})
    ]


def test_s10_a_late_phase_2_counts_and_a_withdrawn_phase_3_never_did(built: Built) -> None:
    """The maximum is phase 2; what was known a month before can still be folded as it was."""
    assert state(built, "s10") == ("none", "completed", "none", None, "phase2", "none")
    assert history(built, "s10", "phase") == [("phase2", "2019-01-01", "2020-12-01")]
    milestones = [Milestone(*row) for row in built.query(
        "select context_key, axis, axis_value, source_trial_key, milestone_date,"
        " (observed_at at time zone 'UTC')::date, truth_mode from q_development_milestones"
        " where context_key = 'ctx:s10'"
    )]  # fmt: skip
    before = [one for one in milestones if str(one.observed) < "2024-03-01"]
    assert len(before) == 2
    assert oracle.fold(before, None)[:2] == ("none", "withdrawn")
    assert oracle.history(before) == {
        ("ctx:s10", "clinical_activity", "withdrawn", date(2021, 5, 1), None)
    }
    blocked(built, "s10", "fold_differs", historical_max_phase="phase3")
    rewritten = (
        "update q_development_state_history set valid_from = '2018-01-01'"
        " where context_key = 'ctx:s10' and axis = 'phase'"
    )
    found = built.gated(GATE, "q_development_programs", rewritten)
    assert sorted((row for row in found if row[:3] != OPEN), key=lambda row: row[2]) == [
        ("ctx:s10|phase|2018-01-01", "block", "history_differs", {"axis": "phase"}),
        ("ctx:s10|phase|2019-01-01", "block", "interval_missing", {"axis": "phase"}),
        ("ctx:s10|phase|2018-01-01", "block", "interval_without_milestone", {"axis": "phase"}),
    ]  # fmt: skip


def test_s10_what_was_published_is_never_moved_or_dropped(built: Built) -> None:
    """A milestone that is overwritten in place takes the history as it was known with it."""
    published = (
        "create schema if not exists query",
        "create table query.q_development_milestones as select * from q_development_milestones"
        " where (observed_at at time zone 'UTC')::date < '2024-03-01'",
    )
    key = ("q_development_milestones", "temporal_validity")
    assert built.verdicts("development", *published)[key].reasons == {}
    withdrawn = "milestone_key = 'milestone:s10-trial_withdrawn-2021-05-01'"
    for damage in (
        f"delete from q_development_milestones where {withdrawn}",
        f"update q_development_milestones set observed_at = '2024-03-01' where {withdrawn}",
    ):
        result = built.verdicts("development", *published, damage)[key]
        assert (result.status, result.blocks, result.reasons) == (
            Status.FAIL, True, {"interval_removed": 1},
        )  # fmt: skip
        assert [(it.row_key, dict(it.metadata)) for it in result.samples] == [
            (
                "milestone:s10-trial_withdrawn-2021-05-01",
                {"published_in": '"query"."q_development_milestones"'},
            )
        ]


def test_s10_history_that_is_told_otherwise_than_before_is_told(built: Built) -> None:
    """What a late milestone adds is silent; an interval that it takes away warns, and publishes."""
    key = ("q_development_state_history", "temporal_validity")
    published = (
        "create schema if not exists query",
        "create table query.q_development_state_history as select * from"
        " q_development_state_history where context_key <> 'ctx:s10'",
        "insert into query.q_development_state_history select (jsonb_populate_record(it, '"
        '{"axis_value": "withdrawn", "valid_from": "2021-05-01"}'
        "')).* from q_development_state_history as it where context_key = 'ctx:s10'"
        " and axis = 'clinical_activity'",
    )
    assert built.verdicts("development", *published[:2])[key].reasons == {}
    result = built.verdicts("development", *published)[key]
    assert (result.status, result.blocks, result.reasons) == (
        Status.WARN, False, {"interval_removed": 1},
    )  # fmt: skip
    assert [it.row_key for it in result.samples] == ["ctx:s10|clinical_activity|2021-05-01"]


def test_the_models_are_the_fold_of_the_oracle(built: Built) -> None:
    """All contexts of samples and scenarios, states and history, from the served milestones."""
    milestones = [Milestone(*row) for row in built.query(
        "select context_key, axis, axis_value, source_trial_key, milestone_date,"
        " (observed_at at time zone 'UTC')::date, truth_mode from q_development_milestones"
    )]  # fmt: skip
    folded = dict.fromkeys(
        (row[0] for row in built.query("select context_key from q_development_programs")),
        oracle.NOTHING,
    ) | oracle.states(milestones)
    served = built.query(f"select context_key, {AXES} from q_development_programs")
    assert {row[0]: oracle.State(*row[1:]) for row in served} == folded
    intervals = built.query(
        "select context_key, axis, axis_value, valid_from, valid_to"
        " from q_development_state_history"
    )
    assert set(intervals) == oracle.history(milestones)
    assert built.query(
        "select distinct fold_version from development_program_state_history"
    ) == [("1",)]  # fmt: skip


def test_checkmate_017_is_approved_and_still_under_way(built: Built) -> None:
    """Phase 3 of the registry, and the FDA's approval of 2015-03-04 five days after the rumour."""
    context = "nivolumab-nsclc-squamous-us"
    assert state(built, context) == (
        "phase3", "active_not_recruiting", "approved", None, "phase3", "approved",
    )  # fmt: skip
    assert history(built, context, "regulatory") == [("approved", "2015-03-04", None)]
    assert history(built, context, "phase") == [("phase3", "2012-09-26", None)]
    assert built.query(
        "select milestone_date::text, axis_value, truth_mode from q_development_milestones"
        " where milestone_key = 'milestone:nivolumab-nsclc-acceptance'"
    ) == [("2015-02-27", "under_review", "announced")]
    assert state(built, "nivolumab-melanoma-us")[:3] == ("none", "none", "approved")


def test_what_the_registry_tells_over_time_is_one_milestone_for_each_change(built: Built) -> None:
    """A repeated status is told once; two phases that are none together are unknown."""
    assert built.query(
        "select source_trial_key, milestone_type, axis_value, milestone_date::text, date_precision,"
        " (observed_at at time zone 'UTC')::date::text from q_development_milestones"
        " where context_key = 'ctx:linked' order by observed_at, 1, 2"
    ) == [
        (None, "approved", "approved", "2015-06-19", "day", "2015-06-19"),
        ("trial:NCT99999997", "recruiting_started", "recruiting", "2020-01-01", "day",
         "2020-01-01"),
        ("trial:NCT99999997", "trial_completed", "completed", "2020-03-01", "day", "2020-03-01"),
        ("trial:NCT99999997", "recruiting_started", "recruiting", "2020-04-01", "day",
         "2020-04-01"),
        ("trial:NCT99999999", "phase_started", "unknown", "2023-01-01", "year", "2024-01-31"),
        ("trial:NCT99999999", "trial_terminated", "terminated", "2024-01-31", "day",
         "2024-01-31"),
    ]  # fmt: skip
    assert state(built, "linked") == (
        "none", "recruiting", "approved", None, "unknown", "approved",
    )  # fmt: skip
    assert history(built, "linked", "clinical_activity") == [
        ("recruiting", "2020-01-01", "2020-03-01"),
        ("completed", "2020-03-01", "2020-04-01"),
        ("recruiting", "2020-04-01", None),
    ]


def test_a_start_that_the_registry_corrects_is_told_twice(built: Built) -> None:
    """What a snapshot said stays; an estimated start is none; phases 1 and 2 are one phase."""
    assert built.query(
        "select milestone_type, axis_value, milestone_date::text,"
        " (observed_at at time zone 'UTC')::date::text from q_development_milestones"
        " where context_key = 'ctx:seamless' order by observed_at, 1"
    ) == [
        ("trial_registered", "planned", "2023-01-01", "2023-01-01"),
        ("phase_started", "phase1_2", "2023-03-01", "2023-04-01"),
        ("recruiting_started", "recruiting", "2023-04-01", "2023-04-01"),
        ("phase_started", "phase1_2", "2023-03-15", "2023-05-01"),
        ("trial_suspended", "suspended", "2023-06-01", "2023-06-01"),
    ]
    assert state(built, "seamless") == (
        "phase1_2", "suspended", "none", None, "phase1_2", "none",
    )  # fmt: skip
    assert history(built, "seamless", "phase") == [("phase1_2", "2023-03-01", None)]


def test_a_context_without_a_milestone_is_none_on_every_axis(built: Built) -> None:
    """It is counted, and nothing is made up for it."""
    assert state(built, "empty") == ("none", "none", "none", None, "none", "none")
    assert built.query(
        "select count(*) from q_development_state_history where context_key = 'ctx:empty'"
    ) == [(0,)]
    assert "program_context:segment:asthma:phase=none" in counted(built, "ctx:empty")


def test_evidence_of_one_endpoint_stays_apart_by_source_arm_and_population(built: Built) -> None:
    """The registry's 20.0 and the publication's 20 percent are two rows, each with its receipts."""
    rows = built.query(
        "select source_kind, value_num::text, population_key is not null, count(receipt_key)"
        " from q_development_emerging_evidence left join q_provenance__development"
        " using (provenance_bundle_key) where canonical_endpoint_key = 'endpoint:ORR'"
        " and value_num between 20 and 20.05 group by emerging_evidence_key, 1, 2, 3 order by 1"
    )
    assert rows == [("publication", "20", True, 3), ("registry_result", "20.0", False, 3)]


def test_receipts_lead_to_the_record_that_told_the_milestone(built: Built) -> None:
    """A pointer into the registry's record, a record of the list or of the FDA's table."""
    assert built.query(
        "select milestone.axis_value, receipts.source_authority_tier, receipts.locator_shape"
        " from q_development_milestones as milestone join q_provenance__development as receipts"
        " using (provenance_bundle_key) where context_key = 'ctx:nivolumab-nsclc-squamous-us'"
        " order by 1, 2"
    ) == [
        ("active_not_recruiting", "registry_primary", "json_pointer"),
        ("approved", "regulator_primary", "csv_record"),
        ("phase3", "registry_primary", "json_pointer"),
        ("under_review", "company_announcement", "csv_record"),
    ]
    assert built.query(
        "select count(*) from q_provenance__development where model_name ="
        " 'q_development_landscape' and row_key = 'landscape:program_context:all'"
    ) == built.query("select count(*) from q_development_programs")
