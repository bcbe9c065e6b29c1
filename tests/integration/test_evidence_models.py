"""Evidence and assertions: what sources claim, what a gate rejects, and what rests on the rest."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from trial_project import SEARCH_PATH, Built

SLICES = (
    "approvals", "clinical_trials", "commercial", "development", "epidemiology", "inference",
    "news", "publications", "spines",
)  # fmt: skip
CLAIMS = (
    "claim_id", "claim_type", "subject_key", "fact_path", "value_text", "value_num", "unit",
    "source_artifact_key", "source_version_id", "source_family", "source_authority_tier",
    "locator_shape", "locator", "source_text", "source_text_coverage", "language_code",
    "produced_by", "parser_version", "attempt_id", "canonical_bound", "high_impact",
    "recorded_at",
)  # fmt: skip
EVENTS = (
    "event_claim_id", "claim_id", "subject_key", "event_family", "event_status",
    "source_status_text", "event_date", "event_date_precision", "truth_mode",
    "source_authority_tier",
)  # fmt: skip
QUOTED = "claim:publication_comparison_value:"


def columns(built: Built, schema: str, name: str) -> list[str]:
    rows = built.query(
        "select column_name from information_schema.columns"
        " where table_schema = %s and table_name = %s order by ordinal_position",
        schema,
        name,
    )
    return [row[0] for row in rows]


def test_every_slice_has_claims_and_all_are_gathered(built: Built) -> None:
    """Each once, in the columns of the domain, bound, by a parser of a version or by an attempt."""
    counts = {name: built.query(f"select count(*) from evidence.claims__{name}")[0][0]
              for name in SLICES}  # fmt: skip
    assert all(counts.values()), counts
    assert columns(built, "evidence", "claims") == list(CLAIMS)
    assert columns(built, "evidence", "event_claims") == list(EVENTS)
    assert built.query(
        "select count(*), count(distinct claim_id), bool_and(canonical_bound) from evidence.claims"
    ) == [(sum(counts.values()), sum(counts.values()), True)]
    assert built.query(
        "select produced_by, count(*) = count(parser_version), count(*) = count(attempt_id)"
        " from evidence.claims group by 1 order by 1"
    ) == [("deterministic_parser", True, False), ("inference", False, True)]
    assert built.query("select count(*) from evidence.quarantine") == [(0,)]


def test_a_posted_rate_is_a_claim_and_an_assertion(built: Built) -> None:
    """20.0 percent with nivolumab, as the registry posts it, with the place in its record."""
    rows = built.query(
        "select claims.value_num, claims.unit, claims.source_version_id, claims.locator_shape,"
        " claims.locator ->> 'pointer', assertions.value, assertions.source_authority_tier,"
        " assertions.lower_authority_marker, assertions.document_version_id,"
        " assertions.supporting_claim_ids = array[claims.claim_id], assertions.curation_overlay_key"
        " from evidence.claims as claims"
        " inner join canonical.assertions as assertions"
        " using (claim_type, subject_key, fact_path)"
        " where claims.claim_type = 'registry_outcome_value'"
        " and claims.subject_key = 'outcome:NCT01642004:2:1:1:OG000'"
    )
    assert rows == [
        (
            Decimal("20.0"), "percentage of participants", "2018-05-11", "json_pointer",
            "/resultsSection/outcomeMeasuresModule/outcomeMeasures/1/classes/0/categories/0"
            "/measurements/0/value",
            {"number": Decimal("20.0"), "text": "20.0", "unit": "percentage of participants"},
            "registry_primary", "none", "2018-05-11", True, None,
        )
    ]  # fmt: skip


def test_an_event_keeps_who_says_it_and_how_sure(built: Built) -> None:
    """The regulator's approval is confirmed, the company's acceptance announced, the paper out."""
    assert built.query(
        "select event_status, truth_mode, event_date::text, source_authority_tier"
        " from evidence.event_claims where source_status_text in"
        " ('AP', 'FDA has accepted for filing', 'publicationDate') and (subject_key in"
        " ('application:FDA:125527', 'pub:pmid:26028407') or subject_key like '%%bms:2015-02-27%%')"
        " and (event_date = '2015-03-04' or truth_mode = 'announced' or event_family ="
        " 'publication') order by event_date"
    ) == [
        ("accepted_for_review", "announced", "2015-02-27", "company_announcement"),
        ("approved", "confirmed", "2015-03-04", "regulator_primary"),
        ("published", "confirmed", "2015-07-09", "peer_reviewed"),
    ]


def test_a_lower_authority_carries_its_marker(built: Built) -> None:
    """What a company or a newsroom says has happened is marked; nothing else is."""
    assert built.query(
        "select source_authority_tier, lower_authority_marker from canonical.assertions"
        " where lower_authority_marker <> 'none' group by 1, 2 order by 1, 2"
    ) == [
        ("company_announcement", "announced_not_confirmed"),
        ("company_announcement", "secondary_source"),
        ("secondary_news", "secondary_source"),
    ]


def test_a_translation_keeps_its_original_and_its_version(built: Built) -> None:
    """Its translator is not named, so it counts as a machine's."""
    assert built.query(
        "select distinct source_language, target_language, original_text, translated_text,"
        " translation_version, translator_kind from evidence.translations"
    ) == [("zh", "en", "合成示例原文", "synthetic example", "t-2026-01", "machine")]


@pytest.mark.parametrize(
    ("gate", "model", "damage", "reason"),
    [
        ("source_locator", "claims__publications", "locator = null", "locator_missing"),
        ("source_locator", "claims__epidemiology", "locator_shape = 'text_quote'",
         "locator_shape_differs"),
        ("claim_origin", "claims__clinical_trials", "source_authority_tier = null",
         "authority_tier_missing"),
        ("claim_origin", "claims__news", "parser_version = null", "parser_version_missing"),
        ("source_artifact_immutability", "claims__commercial", "content_hash = null",
         "artifact_incomplete"),
        ("document_version", "claims__approvals", "source_version_id = null",
         "document_version_missing"),
        ("announcement_semantics", "event_claims__approvals", "event_status = 'published'",
         "status_collapsed"),
        ("announcement_semantics", "event_claims__publications", "event_status = 'approved'",
         "status_collapsed"),
        ("document_version", "translations", "original_text = null", "original_text_missing"),
        ("source_artifact_immutability", "claims", "source_artifact_key = 'x'",
         "artifact_missing"),
        ("source_locator", "claims__development", "locator = '{}'", "locator_incomplete"),
        ("claim_origin", "claims__development", "source_authority_tier = null",
         "authority_tier_missing"),
        ("claim_origin", "claims__spines", "produced_by = 'rumour'", "producer_unknown"),
        ("source_artifact_immutability", "claims__spines", "immutable_uri = null",
         "artifact_incomplete"),
    ],
)  # fmt: skip
def test_each_gate_of_evidence_judges_its_model(
    built: Built, gate: str, model: str, damage: str, reason: str
) -> None:
    """What passes as it was built fails once it is damaged."""
    assert built.gated(gate, model, "select 1") == []
    found = built.gated(gate, model, f"update evidence.{model} set {damage}")
    assert {row[1:3] for row in found} >= {("block", reason)}


@pytest.mark.parametrize(
    ("gate", "damage", "reason"),
    [
        ("assertion_support", "supporting_claim_ids = '{}'", "support_missing"),
        ("assertion_support", "supporting_claim_ids = array['claim:gone']", "claim_missing"),
        ("document_version", "document_version_id = null", "document_version_missing"),
        ("source_authority", "source_authority_tier = 'secondary_news', high_impact = true",
         "authority_insufficient"),
        ("source_authority", "lower_authority_marker = 'model_inferred', high_impact = true",
         "authority_marker_differs"),
    ],
)  # fmt: skip
def test_each_gate_of_assertions_judges_them(
    built: Built, gate: str, damage: str, reason: str
) -> None:
    """Nothing to rest on, no version, a source that may not say it, a wrong marker."""
    found = built.gated(gate, "assertions", f"update canonical.assertions set {damage}")
    assert {row[1:3] for row in found} >= {("block", reason)}


def test_a_rejected_claim_is_quarantined_and_nothing_rests_on_it(built: Built) -> None:
    """With the gate and the reason; the claim stays, unbound, and curation is not touched."""
    with built.warehouse.connect(autocommit=False) as conn:
        conn.execute(SEARCH_PATH.encode())
        (claim,) = conn.execute(
            "update evidence.claims__publications set locator = null where claim_id ="
            " (select min(claim_id) from evidence.claims__publications"
            f" where claim_id like '{QUOTED}%') returning claim_id".encode()
        ).fetchone() or ("",)
        for schema, name in (("evidence", "quarantine"), ("evidence", "claims"),
                             ("canonical", "assertions")):  # fmt: skip
            conn.execute(f"truncate {schema}.{name}".encode())
            built_from = built.compiled[f"model.tidegate.{name}"]
            conn.execute(f"insert into {schema}.{name} {built_from}".encode())
        rejected = conn.execute(
            "select relation_name, row_key, gate_id, reason from evidence.quarantine"
        ).fetchall()
        bound = conn.execute(
            "select canonical_bound, (select count(*) from canonical.assertions where %s ="
            " any(supporting_claim_ids)), (select count(*) from curation.overlays)"
            " from evidence.claims where claim_id = %s",
            [claim, claim],
        ).fetchall()
        others: list[tuple[Any, ...]] = conn.execute(
            "select count(*) from evidence.claims where not canonical_bound"
        ).fetchall()
        conn.rollback()
    assert rejected == [("evidence.claims", claim, "source_locator", "locator_missing")]
    assert bound == [(False, 0, 0)]
    assert others == [(1,)]


def test_an_assertion_on_a_quarantined_claim_blocks(built: Built) -> None:
    """However it got there."""
    (claim,) = built.query("select min(claim_id) from evidence.claims")[0]
    found = built.gated(
        "assertion_support",
        "assertions",
        "insert into evidence.quarantine (quarantine_id, relation_name, row_key, gate_id, reason,"
        f" quarantined_at) values ('q', 'evidence.claims', '{claim}', 'claim_origin', 'x', now())",
    )
    assert [row[1:3] for row in found] == [("block", "claim_quarantined")]


def test_what_no_calendar_has_stands_in_the_quarantine_of_dates(built: Built) -> None:
    """The cell is null, the text is kept, and the gate on dates is content."""
    assert built.query(
        "select relation_name, row_key, column_name, source_value from staging.date_quarantine"
        " order by 3"
    ) == [
        ("q_trials", "trial:NCT99999998", "completion_date", "soon"),
        ("q_trials", "trial:NCT99999998", "start_date", "2023-02-30"),
    ]
    lost = built.gated("date_validity", "stg_ctgov__trials", "truncate staging.date_quarantine")
    assert {row[:3] for row in lost} == {("trial:NCT99999998", "block", "date_unreadable")}


@pytest.mark.parametrize(
    ("gate", "model", "damage", "reason"),
    [
        ("identifier_presence", "stg_ctgov__trials", "nct_id = ' '", "identifier_missing"),
        ("enum_mapping", "stg_pubmed__outcomes", "source_statistic = 'X', statistic = null",
         "value_unmapped"),
        ("enum_mapping", "stg_labels__documents", "document_kind = 'HOLOGRAM'",
         "value_outside_enum"),
        ("date_validity", "stg_labels__documents", "effective_date = '2101-01-01'",
         "date_out_of_range"),
        ("provenance_retention", "stg_commercial__sales", "content_sha256 = null",
         "provenance_lost"),
        ("identifier_presence", "stg_development__programs", "drug_name = ' '",
         "identifier_missing"),
        ("enum_mapping", "stg_development__contexts", "source_setting = 'X', setting = null",
         "value_unmapped"),
        ("enum_mapping", "stg_ctgov__arms", "source_arm_type = 'X', arm_type = null",
         "value_unmapped"),
        ("enum_mapping", "stg_spines__drugs", "drug_kind = 'HOLOGRAM'", "value_outside_enum"),
        ("date_validity", "stg_development__milestones",
         "source_milestone_date = '2023-02-30', milestone_date = null", "date_unreadable"),
        ("provenance_retention", "stg_spines__soc_recommendations", "immutable_uri = null",
         "provenance_lost"),
    ],
)  # fmt: skip
def test_each_gate_of_staging_judges_its_model(
    built: Built, gate: str, model: str, damage: str, reason: str
) -> None:
    """Identifiers, words, dates and receipts of what was staged."""
    assert [row for row in built.gated(gate, model, "select 1") if row[1] == "block"] == []
    found = built.gated(gate, model, f"update staging.{model} set {damage}")
    assert {row[1:3] for row in found} >= {("block", reason)}


def test_a_phase_that_no_axis_has_is_told_where_it_is_staged(built: Built) -> None:
    """The word of a milestone is kept in no quarantine: lost, it blocks; other axes have none."""
    lost = "update staging.stg_development__milestones set axis_value = null where axis = %s"
    gate = "phases_of_milestones_are_mapped"
    assert built.below(gate, "select 1") == []
    assert {row[1:3] for row in built.below(gate, lost.replace("%s", "'phase'"))} == {
        ("block", "value_unmapped")
    }
    assert built.below(gate, lost.replace("%s", "'regulatory'")) == []
