"""development_program_semantics: contexts of nivolumab, their axes, history, counts, evidence."""

from __future__ import annotations

from typing import Any

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
from tidegate.gates.model import Model, Status
from tidegate.gates.result import GateResult

CONTEXTS = (
    "context_key text!, program_key text, segment_key text, segment_state text,"
    " treatment_line_key text, treatment_line_state text, region_code text, current_phase text,"
    " clinical_activity text, regulatory_state text, historical_max_phase text,"
    " historical_max_regulatory text, owner_organisation_key text, resolved_drug_key text,"
    " regimen_signature text, setting text"
)
COLUMNS = {
    "columns": {
        "regimen_signature": "regimen_signature",
        "setting": "setting",
        "evidence.timepoint": "timepoint",
    }
}


def context(key: str, segment: Any = None, *, segment_state: Any = "known", line: Any = "line:2L",
            line_state: Any = "known", region: str = "US", phase: str = "none",
            activity: str = "none", regulatory: str = "none", highest: str | None = None,
            highest_regulatory: str | None = None, owner: str | None = None,
            program: str = "prog:nivolumab", regimen: str | None = "nivolumab",
            ) -> tuple[Any, ...]:  # fmt: skip
    return (key, program, segment or f"seg:{key}", segment_state, line, line_state, region,
            phase, activity, regulatory, highest or phase, highest_regulatory or regulatory,
            owner, "drug:nivolumab", regimen)  # fmt: skip


PASSING = [
    context("restarted", phase="phase2", activity="recruiting", highest="phase3", owner="org:a"),
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
    context("unowned"),
    context("owned_before", owner="org:a"),
    context("again", program="prog:again"),
    ("open", "prog:w", None, "unknown", None, "unknown", "UNKNOWN", "none", "none", "none", "none",
     "none"),
    context("open_line", line=None, line_state="unknown"),
    context("open_region", region="UNKNOWN"),
]  # fmt: skip
MILESTONES = [
    ("restarted", "phase", "phase3", "2014-01-01", "confirmed", "t1"),
    ("restarted", "phase", "phase2", "2017-03-01", "confirmed", "t2"),
    ("restarted", "clinical_activity", "terminated", "2016-08-01", "confirmed", "t1"),
    ("restarted", "clinical_activity", "recruiting", "2017-03-01", "confirmed", "t2"),
    ("restarted", "ownership", "org:a", "2014-01-01", "confirmed"),
    ("restarted", "phase", "phase4", "2018-01-01", "announced", "t2"),
    ("melanoma", "phase", "phase3", "2012-12-01", "confirmed", "t3"),
    ("melanoma", "clinical_activity", "completed", "2014-10-01", "confirmed", "t3"),
    ("melanoma", "regulatory", "approved", "2014-12-22", "confirmed"),
    ("lung", "phase", "phase3", "2015-10-01", "confirmed", "t4"),
    ("lung", "clinical_activity", "recruiting", "2015-10-01", "confirmed", "t4"),
    ("us", "regulatory", "approved", "2015-03-04", "confirmed"),
    ("eu", "regulatory", "under_review", "2014-09-01", "confirmed"),
    ("no_maximum", "phase", "phase3", "2015-10-01", "confirmed", "t5"),
    ("below", "phase", "phase3", "2015-10-01", "confirmed", "t5"),
    ("below", "clinical_activity", "recruiting", "2015-10-01", "confirmed", "t5"),
    ("reg_below", "regulatory", "approved", "2015-03-04", "confirmed"),
    ("rumoured", "regulatory", "approved", "2015-03-04", "announced"),
    ("unowned", "ownership", "org:a", "2014-01-01", "confirmed"),
]
GOOD_HISTORY = [
    ("restarted", "phase", "phase3", "2014-01-01", "2016-08-01"),
    ("restarted", "phase", "phase2", "2017-03-01", None),
    ("restarted", "clinical_activity", "terminated", "2016-08-01", "2017-03-01"),
    ("restarted", "clinical_activity", "recruiting", "2017-03-01", None),
    ("restarted", "ownership", "org:a", "2014-01-01", None),
    ("melanoma", "phase", "phase3", "2012-12-01", "2014-10-01"),
    ("melanoma", "clinical_activity", "completed", "2014-10-01", None),
    ("melanoma", "regulatory", "approved", "2014-12-22", None),
    ("lung", "phase", "phase3", "2015-10-01", None),
    ("lung", "clinical_activity", "recruiting", "2015-10-01", None),
    ("us", "regulatory", "approved", "2015-03-04", None),
    ("eu", "regulatory", "under_review", "2014-09-01", None),
    ("below", "phase", "phase3", "2015-10-01", None),
    ("below", "clinical_activity", "recruiting", "2015-10-01", None),
    ("reg_below", "regulatory", "approved", "2015-03-04", None),
    ("unowned", "ownership", "org:a", "2014-01-01", None),
]
BAD_HISTORY = [
    ("lung", "phase", "phase4", "2016-01-01", None),
    ("lung", "clinical_activity", "approved", "2013-01-01", "2013-02-01"),
    ("restarted", "phase", "phase4", "2013-01-01", "2013-02-01"),
    ("restarted", "regulatory", "approved", "2014-01-01", None),
    ("us", "regulatory", "approved", "2015-06-01", None),
    ("melanoma", "regulatory", "approved", "2014-12-22", "2015-01-01"),
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


def changed(row: tuple[Any, ...], column: str, value: Any) -> tuple[Any, ...]:
    """The row with another value in one column; short rows end in nulls."""
    names = [item.split()[0] for item in CONTEXTS.split(", ")]
    whole = dict(zip(names, [*row, *[None] * (len(names) - len(row))], strict=True))
    return tuple({**whole, column: value}.values())


AXES = ("current_phase", "clinical_activity", "regulatory_state", "historical_max_phase",
        "historical_max_regulatory")  # fmt: skip
OTHER = {"program": "prog:other", "regimen": "other"}
BRANCHES = [
    # Alike but for one column: neither twins nor one program.
    (context("one", "seg:x"), set()),
    (context("of_another_program", "seg:x", **OTHER), set()),
    (context("of_another_line", "seg:x", line="line:1L"), set()),
    (changed(context("of_another_setting", "seg:x"), "setting", "maintenance"), set()),
    (changed(context("of_another_drug", program="prog:ipi"), "resolved_drug_key", "drug:ipi"),
     set()),
    (context("nameless", program="prog:n1", regimen=None), set()),
    (context("nameless_too", program="prog:n2", regimen=None), set()),
    # Unlike their fold in one axis alone.
    (context("phase_only", phase="phase3", activity="completed"), {"fold_differs"}),
    (context("regulatory_only", regulatory="approved"), {"fold_differs"}),
    (context("highest_only", phase="phase3", activity="recruiting", highest="phase4"),
     {"fold_differs"}),
    # What is unknown is no milestone's, and what is null is nobody's value.
    (context("unknown_phase", phase="unknown"), {"fold_differs"}),
    (context("unknown_activity", activity="unknown"), {"fold_differs"}),
    (context("unknown_regulatory", regulatory="unknown"), {"fold_differs"}),
    *[(changed(context(f"no_{column}"), column, None), {"value_of_another_axis", "fold_differs"})
      for column in AXES],
]  # fmt: skip
MILESTONES_OF_BRANCHES = [
    ("phase_only", "phase", "phase3", "2012-12-01", "confirmed", "t3"),
    ("phase_only", "clinical_activity", "completed", "2014-10-01", "confirmed", "t3"),
    ("regulatory_only", "regulatory", "approved", "2012-12-01", "confirmed"),
    ("regulatory_only", "regulatory", "approval_withdrawn", "2014-10-01", "confirmed"),
    ("highest_only", "phase", "phase3", "2015-10-01", "confirmed", "t4"),
    ("highest_only", "clinical_activity", "recruiting", "2015-10-01", "confirmed", "t4"),
    ("half", "phase", "phase3", "2015-10-01", "confirmed", "t4"),
    ("half", "clinical_activity", "recruiting", "2015-10-01", "confirmed", "t4"),
]
HISTORY_OF_BRANCHES = [
    ("phase_only", "phase", "phase3", "2012-12-01", "2014-10-01"),
    ("phase_only", "clinical_activity", "completed", "2014-10-01", None),
    ("regulatory_only", "regulatory", "approved", "2012-12-01", "2014-10-01"),
    ("regulatory_only", "regulatory", "approval_withdrawn", "2014-10-01", None),
    ("highest_only", "phase", "phase3", "2015-10-01", None),
    ("highest_only", "clinical_activity", "recruiting", "2015-10-01", None),
    ("half", "phase", "phase3", "2015-10-01", None),
]
HALF = context("half", phase="phase3", activity="recruiting")
INTERVALS = [
    ("lung", "ownership", None, "2015-10-01", None),
    ("restarted", "clinical_activity", "phase3", "2014-01-01", "2014-02-01"),
]
COUNTED = ("all", "lung", "q_publications", "pub:1", "arm:nivo", "pop:all", "endpoint:ORR", "12m")
COUNTED_BESIDE = [
    (f"other_{number}", *COUNTED[1:number], "other", *COUNTED[number + 1 :])
    for number in range(1, len(COUNTED))
]


def world(conn: Connection, rows: list[Any], history: list[Any] | None = None,
          landscape: list[Any] | None = None, evidence: list[Any] | None = None,
          ) -> tuple[Model, ...]:  # fmt: skip
    """The contexts, with the milestones of those that have a row, and what stands beside them."""
    known = {row[0] for row in rows}
    told = [*GOOD_HISTORY, *HISTORY_OF_BRANCHES] if history is None else history
    return (
        table(conn, "q_development_programs", CONTEXTS, rows, row_key=["context_key"]),
        table(conn, "q_development_state_history",
              "context_key text, axis text, axis_value text, valid_from date, valid_to date",
              [row for row in told if row[0] in known], row_key=["context_key"]),
        table(conn, "q_development_milestones",
              "context_key text, axis text, axis_value text, milestone_date date,"
              " truth_mode text, source_trial_key text",
              [row for row in [*MILESTONES, *MILESTONES_OF_BRANCHES] if row[0] in known],
              row_key=["context_key"]),
        table(conn, "q_development_landscape",
              "landscape_key text, count_grain text, count_value integer, member_keys text[]",
              landscape or [], row_key=["landscape_key"]),
        table(conn, "q_development_emerging_evidence",
              "emerging_evidence_key text, context_key text, source_row_model text,"
              " source_row_key text, arm_key text, population_key text,"
              " canonical_endpoint_key text, timepoint text", evidence or [],
              row_key=["emerging_evidence_key"]),
    )  # fmt: skip


def verdict(conn: Connection, *given: Any, **arguments: Any) -> GateResult:
    return judge(conn, "development_program_semantics", *world(conn, *given),
                 arguments={**COLUMNS, **arguments})  # fmt: skip


def test_an_active_phase_2_after_a_terminated_phase_3_passes(conn: Connection) -> None:
    """The maximum stays phase 3; the gap in history is legal."""
    assert verdict(conn, PASSING[:1]).status is Status.PASS


def test_approved_and_an_active_expansion_are_two_contexts(conn: Connection) -> None:
    """Approval in melanoma says nothing of lung, nor the one of the US of the EU."""
    result = verdict(conn, PASSING, None, LANDSCAPE[:1], EVIDENCE[:2])
    assert (result.status, result.rows_checked) == (Status.PASS, 5)


def test_every_wrong_context_is_named(conn: Connection) -> None:
    """Duplicates, defaults, axes, maxima, unconfirmed states; what is open only warns."""
    found = by_row(verdict(conn, [row for row in FAILING if row[0] not in ("again", "unowned")]))
    assert found == {
        "twin_a": {"context_duplicated"},
        "twin_b": {"context_duplicated"},
        "defaulted": {"unknown_defaulted", "~context_incomplete"},
        "lineless": {"unknown_defaulted"},
        "defaulted_line": {"unknown_defaulted"},
        "mixed_axes": {"value_of_another_axis", "state_without_milestone", "fold_differs"},
        "no_maximum": {"value_of_another_axis", "fold_differs"},
        "below": {"maximum_below_current", "fold_differs"},
        "reg_below": {"maximum_below_current", "fold_differs"},
        "rumoured": {"state_without_milestone", "fold_differs"},
        "unreached": {"state_without_milestone", "fold_differs"},
        "inactive": {"state_without_milestone", "fold_differs"},
        "owned_before": {"fold_differs"},
        "open": {"~context_incomplete"},
        "open_line": {"~context_incomplete"},
        "open_region": {"~context_incomplete"},
    }


def test_an_announced_approval_moves_nothing(conn: Connection) -> None:
    """The metadata has the context with its axes, and which of them the fold tells otherwise."""
    result = verdict(conn, [FAILING[9]])
    assert about(result, "rumoured") == (
        {"differing": ["regulatory_state", "historical_max_regulatory"], "withheld": []},
        {"context_key": "rumoured", "program_key": "prog:nivolumab",
         "segment_key": "seg:rumoured", "segment_state": "known",
         "treatment_line_key": "line:2L", "treatment_line_state": "known", "region_code": "US",
         "current_phase": "none", "clinical_activity": "none", "regulatory_state": "approved"},
    )  # fmt: skip


def test_a_drug_with_one_regimen_is_one_program(conn: Connection) -> None:
    """Another regimen is another program; without a column for it nobody can tell."""
    again = context("again", program="prog:again", regimen="ipilimumab+nivolumab")
    assert verdict(conn, [PASSING[0], again]).status is Status.PASS
    nameless = [PASSING[0], context("again", program="prog:again", regimen=None)]
    assert verdict(conn, nameless).status is Status.PASS
    two = [PASSING[0], context("again", program="prog:again")]
    assert by_row(verdict(conn, two)) == {
        "again": {"program_duplicated"}, "restarted": {"program_duplicated"},
    }  # fmt: skip
    assert verdict(conn, two, columns={}).status is Status.PASS


def test_history_is_the_fold_of_milestones(conn: Connection) -> None:
    """Two phases at once, a value of another axis, an interval nobody can explain, or moved."""
    kept = [row for row in GOOD_HISTORY if row[:2] not in (("us", "regulatory"),
                                                           ("melanoma", "regulatory"))]  # fmt: skip
    result = verdict(conn, PASSING, [*kept, *BAD_HISTORY])
    assert by_row(result) == {
        "lung|phase|2016-01-01": {
            "interval_overlaps", "interval_without_milestone", "history_differs",
        },
        "lung|clinical_activity|2013-01-01": {
            "value_of_another_axis", "interval_without_milestone", "history_differs",
        },
        "restarted|phase|2013-01-01": {"interval_without_milestone", "history_differs"},
        "restarted|regulatory|2014-01-01": {"interval_without_milestone", "history_differs"},
        "us|regulatory|2015-06-01": {"interval_without_milestone", "history_differs"},
        "us|regulatory|2015-03-04": {"interval_missing"},
        "melanoma|regulatory|2014-12-22": {"history_differs"},
    }  # fmt: skip
    assert about(result, "us|regulatory|2015-03-04") == ({"axis": "regulatory"}, {})


def test_what_is_folded_by_another_rule_is_not_compared(conn: Connection) -> None:
    """`fold: null`; a version that nobody knows is not evaluated. Milestones still bind it."""
    other = context("lung", phase="phase3", activity="recruiting", highest="phase3", owner="org:z")
    assert by_row(verdict(conn, [other], fold=None)) == {}
    assert by_row(verdict(conn, [other])) == {"lung": {"fold_differs"}}
    assert by_row(verdict(conn, [PASSING[2]], fold="7")) == {
        "q_development_programs": {"not_evaluated"}
    }


def test_an_owner_that_nobody_keeps_is_not_compared(conn: Connection) -> None:
    """A warehouse without the column says so."""
    columns = {**COLUMNS["columns"], "owner_organisation_key": None}
    assert verdict(conn, [FAILING[12]], columns=columns).status is Status.PASS


def test_counts_are_of_distinct_members_of_their_grain(conn: Connection) -> None:
    """A trial counted twice, programs counted by trials, evidence that collapses its grain."""
    result = verdict(conn, PASSING, None, LANDSCAPE, EVIDENCE)
    assert by_row(result) == {
        "double": {"count_differs"},
        "collapsed": {"grain_collapsed"},
        "no_grain": {"grain_collapsed"},
        "same_a": {"evidence_duplicated"},
        "same_b": {"evidence_duplicated"},
    }
    assert about(result, "double")[0] == {"distinct_members": 2}


def test_each_branch_of_a_condition_counts(conn: Connection) -> None:
    """Dropped, each of them would let one of these contexts pass, or reject one."""
    assert by_row(verdict(conn, alone(BRANCHES))) == rejected(BRANCHES)


def test_what_is_missing_is_missed_on_its_own_axis_and_day(conn: Connection) -> None:
    """Another axis or another day of the context does not stand in; null is no value."""
    kept = [row for row in GOOD_HISTORY if row[:2] != ("us", "regulatory")]
    history = [*kept, *HISTORY_OF_BRANCHES, BAD_HISTORY[4], *INTERVALS]
    uncounted = ("uncounted", "trial", None, ["trial:NCT01642004"])
    beside = [COUNTED, *COUNTED_BESIDE]
    result = verdict(conn, [*PASSING, HALF], history, [uncounted], beside)
    assert by_row(result) == {
        "half|clinical_activity|2015-10-01": {"interval_missing"},
        "us|regulatory|2015-03-04": {"interval_missing"},
        "us|regulatory|2015-06-01": {"interval_without_milestone", "history_differs"},
        "lung|ownership|2015-10-01": {"interval_without_milestone", "history_differs"},
        "restarted|clinical_activity|2014-01-01": {
            "value_of_another_axis", "interval_without_milestone", "history_differs",
        },
        "uncounted": {"count_differs"},
    }  # fmt: skip


def test_each_condition_counts(conn: Connection) -> None:
    """No condition can be emptied or negated unnoticed."""
    kept = [row for row in GOOD_HISTORY[:-1] if row[:2] != ("us", "regulatory")]
    judged, *others = world(
        conn,
        [*PASSING, *FAILING, *alone(BRANCHES), HALF],
        [*kept, *HISTORY_OF_BRANCHES, *BAD_HISTORY, *INTERVALS],
        [*LANDSCAPE, ("uncounted", "trial", None, ["trial:NCT01642004"])],
        [*EVIDENCE, COUNTED, *COUNTED_BESIDE],
    )
    checked = spec("development_program_semantics", judged, *others, arguments=COLUMNS)
    # The fold itself is proved in test_development_fold.py; the list of differences ends in null.
    assert survivors(conn, checked, apart="fold_", equal=["without NULL: "]) == []
