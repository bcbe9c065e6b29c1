"""source_authority: who may say what. BLA 125527, approved 2015-03-04, and what others wrote."""

from __future__ import annotations

from typing import Any

import pytest

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
from tidegate.gates.model import Model, Severity, Status
from tidegate.gates.result import GateResult

COLUMNS = (
    "assertion_key text!, claim_type text, source_authority_tier text, lower_authority_marker text,"
    " high_impact boolean, curation_overlay_key text, region_code text, regulator text,"
    " source_family text, source_record_key text, locator text"
)
OVERLAYS = "overlay_key text!, review_state text"
EVENT, INDICATION, RESULT = (
    "regulatory_event", "approved_indication_text", "publication_outcome_value",
)  # fmt: skip
ANNOUNCED = "announced_not_confirmed"
PASSING = [
    ("approval", EVENT, "regulator_primary", "none", True),
    ("unmarked", EVENT, "regulator_primary", None, True),
    ("news_reviewed", INDICATION, "secondary_news", "none", True, "ov:approved"),
    ("paper", RESULT, "peer_reviewed", "none", True),
]
FAILING = [
    ("announced_as_fact", EVENT, "company_announcement", "none", True),
    ("no_marker", EVENT, "company_announcement", None, True),
    ("unknown_impact", EVENT, "company_announcement", "none", None),
    ("from_paper", INDICATION, "peer_reviewed", "none", True),
    ("from_model", EVENT, "model_inferred", ANNOUNCED, True),
    ("registry_as_paper", RESULT, "registry_primary", "none", True),
    ("no_tier", EVENT, None, "none", True),
    ("unheard_of", "weather", "regulator_primary", "none", True),
    ("pending", INDICATION, "secondary_news", "none", True, "ov:pending"),
    ("no_overlay", INDICATION, "secondary_news", "none", True, "ov:gone"),
    ("low_impact", INDICATION, "peer_reviewed", "none", False),
    ("low_marker", EVENT, "company_announcement", "none", False),
    ("announced", EVENT, "company_announcement", ANNOUNCED, True),
]
BRANCHES = [
    (("low_reviewed", INDICATION, "peer_reviewed", "none", False, "ov:approved"), set()),
    (("marker_reviewed", EVENT, "company_announcement", "none", True, "ov:approved"), set()),
    (("low_marker_reviewed", EVENT, "company_announcement", "none", False, "ov:approved"), set()),
    (("of_two_minds", INDICATION, "secondary_news", "none", True, "ov:both"),
     {"authority_insufficient"}),
    (("marked_fact", EVENT, "regulator_primary", ANNOUNCED, True), {"authority_marker_differs"}),
]  # fmt: skip
EXPECTED = {
    "announced_as_fact": {"authority_marker_differs"}, "no_marker": {"authority_marker_differs"},
    "unknown_impact": {"authority_marker_differs"}, "from_paper": {"authority_insufficient"},
    "from_model": {"authority_insufficient"}, "registry_as_paper": {"authority_insufficient"},
    "no_tier": {"authority_insufficient"}, "unheard_of": {"authority_insufficient"},
    "pending": {"authority_insufficient"}, "no_overlay": {"authority_insufficient"},
    "low_impact": {"~authority_insufficient"}, "low_marker": {"~authority_marker_differs"},
    "announced": {"~authority_lower"},
}  # fmt: skip


def tables(conn: Connection, rows: Any, public: bool = True) -> tuple[Model, Model]:
    overlays = table(conn, "overlays", OVERLAYS, [("ov:approved", "human_approved"),
                     ("ov:pending", "pending"), ("ov:both", "human_approved"),
                     ("ov:both", "auto_reviewed")], row_key=["overlay_key"])  # fmt: skip
    made = table(conn, "assertions", COLUMNS, rows, row_key=["assertion_key"], public=public)
    return made, overlays


def judged(conn: Connection, *rows: Any, public: bool = True, **options: Any) -> GateResult:
    return judge(conn, "source_authority", *tables(conn, rows, public), **options)


def test_an_approval_by_its_regulator_passes_and_its_announcement_only_with_marker(
    conn: Connection,
) -> None:
    """FDA's record is a fact; the company's words five days before are an announcement."""
    result = judged(conn, PASSING[0], FAILING[12], FAILING[0])
    assert by_row(result) == {
        "announced": {"~authority_lower"}, "announced_as_fact": {"authority_marker_differs"},
    }  # fmt: skip
    assert about(result, "announced_as_fact") == (
        {"model": "assertions", "required_tiers": ["regulator_primary"], "missing": [],
         "overlay_state": None, "withheld": [],
         "downstream_risk": "readers would take it for what a sufficient source says"},
        {"claim_type": EVENT, "source_authority_tier": "company_announcement",
         "lower_authority_marker": "none"},
    )  # fmt: skip


def test_news_needs_a_reviewed_overlay_for_an_indication(conn: Connection) -> None:
    """Approved stands in; pending and missing ones do not."""
    result = judged(conn, PASSING[2], FAILING[8], FAILING[9])
    assert by_row(result) == {
        "pending": {"authority_insufficient"}, "no_overlay": {"authority_insufficient"},
    }  # fmt: skip
    assert about(result, "pending")[0]["overlay_state"] == "pending"


def test_a_publication_is_authority_for_its_result_never_for_an_indication(
    conn: Connection,
) -> None:
    """NEJM 2015;373:123 supports evidence; it does not approve."""
    assert by_row(judged(conn, PASSING[3], FAILING[3])) == {
        "from_paper": {"authority_insufficient"}
    }


def test_every_conflict_of_authority_has_its_verdict(conn: Connection) -> None:
    """All rows at once; what passes alone passes beside them."""
    result = judged(conn, *PASSING, *FAILING)
    assert by_row(result) == EXPECTED
    assert (result.status, result.rows_checked) == (Status.FAIL, 17)
    assert result.remediation_hint.startswith("Find a source of sufficient authority")


def test_an_indication_without_region_or_regulator_blocks(conn: Connection) -> None:
    """The comparative fixture: what is missing, from which record, and where it stands there."""
    tail = ("spl_label", "set 608d4f0d", "section 1")
    rows = [
        ("whole", INDICATION, "regulator_primary", "none", True, None, "US", "FDA", *tail),
        ("nowhere", INDICATION, "regulator_primary", "none", True, None, None, " ", *tail),
    ]
    columns = {name: name for name in ("source_family", "source_record_key", "locator")}
    options = {"requires": ["region_code", "regulator"], "columns": columns}
    result = judged(conn, *rows, arguments=options)
    assert by_row(result) == {"nowhere": {"required_column_blank"}}
    metadata, values = about(result, "nowhere")
    assert metadata["missing"] == ["region_code", "regulator"]
    assert values == {
        "claim_type": INDICATION, "source_authority_tier": "regulator_primary",
        "lower_authority_marker": "none", "source_family": "spl_label",
        "source_record_key": "set 608d4f0d", "locator": "section 1",
    }  # fmt: skip


def test_the_policy_is_the_projects_own(conn: Connection) -> None:
    """Another domain says who may state what."""
    rows = [("a", "price", "till", "none", True), ("b", "price", "rumour", "none", True)]
    result = judged(conn, *rows, arguments={"policy": {"price": {"till": "none"}}})
    assert by_row(result) == {"b": {"authority_insufficient"}}
    nobody = judged(conn, *rows, arguments={"policy": {}})
    assert by_row(nobody) == {"a": {"authority_insufficient"}, "b": {"authority_insufficient"}}


def test_without_overlays_nothing_stands_in(conn: Connection) -> None:
    """Where a project has no curation, an overlay key is no leave."""
    result = judged(conn, PASSING[2], arguments={"relations": {"overlays": None}})
    assert by_row(result) == {"news_reviewed": {"authority_insufficient"}}


@pytest.mark.parametrize("severity", [Severity.BLOCKING, Severity.WARNING])
def test_severity_decides_whether_it_withholds(conn: Connection, severity: Severity) -> None:
    """The contract alone promotes a warning."""
    result = judged(conn, FAILING[0], severity=severity)
    assert result.blocks is (severity is Severity.BLOCKING)


def test_values_are_kept_only_of_public_columns(conn: Connection) -> None:
    """Without leave: names only; the policy's own tiers are no values."""
    (sample,) = judged(conn, FAILING[0], public=False).samples
    assert (sample.row_key, sample.values) == (None, {})
    assert sample.metadata["withheld"] == [
        "claim_type", "source_authority_tier", "lower_authority_marker",
    ]  # fmt: skip
    assert sample.metadata["required_tiers"] == ["regulator_primary"]


def test_each_branch_of_a_condition_counts(conn: Connection) -> None:
    """Dropped, each of them would let one of these rows pass, or reject one."""
    assert by_row(judged(conn, *alone(BRANCHES))) == rejected(BRANCHES)


def test_each_condition_counts(conn: Connection) -> None:
    """No condition of the gate can be emptied or negated unnoticed."""
    tail = (None, "US", "FDA")
    rows = [(*row[:5], *(row[5:] or (None,)), "US", "FDA")
            for row in [*PASSING, *FAILING, *alone(BRANCHES)]]  # fmt: skip
    rows.append(("blank", EVENT, "regulator_primary", "none", True, *tail[:2], None))
    made, overlays = tables(conn, rows)
    checked = spec("source_authority", made, overlays, arguments={"requires": ["regulator"]})
    # Which tiers would do is only told, see the metadata above.
    told = ("lifted: WHERE accepted.", "only accepted.")
    assert survivors(conn, checked, equal=told) == []
