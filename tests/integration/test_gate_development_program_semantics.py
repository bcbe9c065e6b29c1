"""development_program_semantics: contexts of nivolumab, their axes, history, counts, evidence."""

from __future__ import annotations

from typing import Any

from integration.gating import spec
from integration.semantic_gating import Connection, about, by_row, judge, survivors, table
from tidegate.gates import GateResult, Model, Status

CONTEXTS = (
    "context_key text!, program_key text, segment_key text, segment_state text,"
    " treatment_line_key text, treatment_line_state text, region_code text, current_phase text,"
    " clinical_activity text, regulatory_state text, historical_max_phase text,"
    " historical_max_regulatory text"
)


def context(key: str, segment: Any = None, *, segment_state: Any = "known", line: Any = "line:2L",
            line_state: Any = "known", region: str = "US", phase: str = "none",
            activity: str = "none", regulatory: str = "none", highest: str | None = None,
            highest_regulatory: str | None = None) -> tuple[Any, ...]:  # fmt: skip
    return (key, "prog:nivolumab", segment or f"seg:{key}", segment_state, line, line_state, region,
            phase, activity, regulatory, highest or phase,
            highest_regulatory or regulatory)  # fmt: skip


PASSING = [
    context("restarted", phase="phase2", activity="recruiting", highest="phase3"),
    context("melanoma", regulatory="approved", activity="completed", highest="phase3"),
    context("lung", phase="phase3", activity="recruiting"),
    context("us", "seg:rcc", regulatory="approved"),
    context("eu", "seg:rcc", region="EU", regulatory="under_review"),
]
FAILING = [
    context("twin_a", "seg:hcc"),
    context("twin_b", "seg:hcc"),
    context("defaulted", segment_state="unknown"),
    context("lineless", line=None),
    context("defaulted_line", line_state="not_applicable"),
    context("mixed_axes", activity="approved"),
    context("no_maximum", phase="phase3", highest="approved", activity="none"),
    context("below", phase="phase3", highest="phase2"),
    context("reg_below", regulatory="approved", highest_regulatory="submitted"),
    context("rumoured", regulatory="approved"),
    context("unreached", phase="phase2"),
    context("inactive", activity="recruiting"),
    ("open", "prog:w", None, "unknown", None, "unknown", "UNKNOWN", "none", "none", "none", "none",
     "none"),
    context("open_line", line=None, line_state="unknown"),
    context("open_region", region="UNKNOWN"),
]  # fmt: skip
MILESTONES = [
    ("restarted", "phase", "phase3", "2014-01-01", "confirmed"),
    ("restarted", "phase", "phase2", "2017-03-01", "confirmed"),
    ("restarted", "clinical_activity", "terminated", "2016-08-01", "confirmed"),
    ("restarted", "clinical_activity", "recruiting", "2017-03-01", "confirmed"),
    ("restarted", "ownership", "org:a", "2014-01-01", "confirmed"),
    ("restarted", "phase", "phase4", "2018-01-01", "announced"),
    ("melanoma", "regulatory", "approved", "2014-12-22", "confirmed"),
    ("melanoma", "clinical_activity", "completed", "2014-10-01", "confirmed"),
    ("lung", "phase", "phase3", "2015-10-01", "confirmed"),
    ("lung", "clinical_activity", "recruiting", "2015-10-01", "confirmed"),
    ("us", "regulatory", "approved", "2015-03-04", "confirmed"),
    ("eu", "regulatory", "under_review", "2014-09-01", "confirmed"),
    ("no_maximum", "phase", "phase3", "2015-10-01", "confirmed"),
    ("below", "phase", "phase3", "2015-10-01", "confirmed"),
    ("reg_below", "regulatory", "approved", "2015-03-04", "confirmed"),
    ("rumoured", "regulatory", "approved", "2015-03-04", "announced"),
    ("lung", "clinical_activity", "approved", "2016-01-01", "confirmed"),
    ("lung", "phase", "phase4", "2016-01-01", "confirmed"),
]
GOOD_HISTORY = [
    ("restarted", "phase", "phase3", "2014-01-01", "2016-08-01"),
    ("restarted", "phase", "phase2", "2017-03-01", None),
    ("restarted", "ownership", "org:a", "2014-01-01", None),
    ("lung", "phase", "phase3", "2015-10-01", None),
]
BAD_HISTORY = [
    ("lung", "phase", "phase4", "2016-01-01", None),
    ("lung", "clinical_activity", "approved", "2016-01-01", None),
    ("restarted", "phase", "phase4", "2013-01-01", "2013-02-01"),
]
LANDSCAPE = [
    ("two", "trial", 2, ["trial:NCT01642004", "trial:NCT02481830"]),
    ("double", "trial", 3, ["trial:NCT01642004", "trial:NCT01642004", "trial:NCT02481830"]),
    ("collapsed", "program", 1, ["trial:NCT01642004"]),
    ("no_grain", "asset", 1, ["trial:NCT01642004"]),
]
EVIDENCE = [
    ("all", "lung", "q_publications", "pub:1", "arm:nivo", "pop:all", "endpoint:ORR"),
    ("part", "lung", "q_publications", "pub:1", "arm:nivo", "pop:pdl1", "endpoint:ORR"),
    ("same_a", "lung", "q_publications", "pub:2", "arm:nivo", None, "endpoint:ORR"),
    ("same_b", "lung", "q_publications", "pub:2", "arm:nivo", None, "endpoint:ORR"),
]


def world(conn: Connection, rows: list[Any], history: list[Any] | None = None,
          landscape: list[Any] | None = None, evidence: list[Any] | None = None,
          ) -> tuple[Model, ...]:  # fmt: skip
    return (
        table(conn, "q_development_programs", CONTEXTS, rows, row_key=["context_key"]),
        table(conn, "q_development_state_history",
              "context_key text, axis text, axis_value text, valid_from date, valid_to date",
              history or [], row_key=["context_key"]),
        table(conn, "q_development_milestones",
              "context_key text, axis text, axis_value text, milestone_date date,"
              " truth_mode text", MILESTONES, row_key=["context_key"]),
        table(conn, "q_development_landscape",
              "landscape_key text, count_grain text, count_value integer, member_keys text[]",
              landscape or [], row_key=["landscape_key"]),
        table(conn, "q_development_emerging_evidence",
              "emerging_evidence_key text, context_key text, source_row_model text,"
              " source_row_key text, arm_key text, population_key text,"
              " canonical_endpoint_key text", evidence or [],
              row_key=["emerging_evidence_key"]),
    )  # fmt: skip


def verdict(conn: Connection, *given: Any) -> GateResult:
    return judge(conn, "development_program_semantics", *world(conn, *given))


def test_an_active_phase_2_after_a_terminated_phase_3_passes(conn: Connection) -> None:
    """The maximum stays phase 3; the gap in history is legal."""
    assert verdict(conn, PASSING[:1], GOOD_HISTORY[:3]).status is Status.PASS


def test_approved_and_an_active_expansion_are_two_contexts(conn: Connection) -> None:
    """Approval in melanoma says nothing of lung, nor the one of the US of the EU."""
    result = verdict(conn, PASSING, GOOD_HISTORY, LANDSCAPE[:1], EVIDENCE[:2])
    assert (result.status, result.rows_checked) == (Status.PASS, 5)


def test_every_wrong_context_is_named(conn: Connection) -> None:
    """Duplicates, defaults, axes, maxima, unconfirmed states; what is open only warns."""
    assert by_row(verdict(conn, [*PASSING, *FAILING])) == {
        "twin_a": {"context_duplicated"},
        "twin_b": {"context_duplicated"},
        "defaulted": {"unknown_defaulted", "~context_incomplete"},
        "lineless": {"unknown_defaulted"},
        "defaulted_line": {"unknown_defaulted"},
        "mixed_axes": {"value_of_another_axis", "state_without_milestone"},
        "no_maximum": {"value_of_another_axis"},
        "below": {"maximum_below_current"},
        "reg_below": {"maximum_below_current"},
        "rumoured": {"state_without_milestone"},
        "unreached": {"state_without_milestone"},
        "inactive": {"state_without_milestone"},
        "open": {"~context_incomplete"},
        "open_line": {"~context_incomplete"},
        "open_region": {"~context_incomplete"},
    }


def test_an_announced_approval_moves_nothing(conn: Connection) -> None:
    """The metadata has the context with its four axes."""
    result = verdict(conn, [FAILING[9]])
    assert about(result, "rumoured") == (
        {"withheld": []},
        {"context_key": "rumoured", "program_key": "prog:nivolumab",
         "segment_key": "seg:rumoured", "segment_state": "known",
         "treatment_line_key": "line:2L", "treatment_line_state": "known", "region_code": "US",
         "current_phase": "none", "clinical_activity": "none", "regulatory_state": "approved"},
    )  # fmt: skip


def test_history_reconciles_to_milestones(conn: Connection) -> None:
    """Two phases at once, a value of another axis, an interval nobody can explain."""
    result = verdict(conn, PASSING, [*GOOD_HISTORY, *BAD_HISTORY])
    assert by_row(result) == {
        "lung|phase|2016-01-01": {"interval_overlaps"},
        "lung|clinical_activity|2016-01-01": {"value_of_another_axis"},
        "restarted|phase|2013-01-01": {"interval_without_milestone"},
    }


def test_counts_are_of_distinct_members_of_their_grain(conn: Connection) -> None:
    """A trial counted twice, programs counted by trials, evidence that collapses its grain."""
    result = verdict(conn, PASSING, [], LANDSCAPE, EVIDENCE)
    assert by_row(result) == {
        "double": {"count_differs"},
        "collapsed": {"grain_collapsed"},
        "no_grain": {"grain_collapsed"},
        "same_a": {"evidence_duplicated"},
        "same_b": {"evidence_duplicated"},
    }
    assert about(result, "double")[0] == {"distinct_members": 2}


def test_each_condition_counts(conn: Connection) -> None:
    """No condition can be emptied or negated unnoticed."""
    judged, *others = world(conn, [*PASSING, *FAILING], [*GOOD_HISTORY, *BAD_HISTORY], LANDSCAPE,
                            EVIDENCE)  # fmt: skip
    checked = spec("development_program_semantics", judged, *others)
    assert survivors(conn, checked) == []
