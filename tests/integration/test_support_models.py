"""Support: every artefact that is served from, and what no closed enum had a place for."""

from __future__ import annotations

from trial_project import Built


def test_every_receipt_names_an_artefact_that_is_kept(built: Built) -> None:
    """Whatever family the receipt is of: the same key, the same bytes."""
    families = ("approvals", "clinical_trials", "commercial", "development", "epidemiology")
    for family in (*families, "news", "publications", "spines"):
        assert built.query(
            "select count(*) > 0, count(*) filter (where artifacts.content_hash is distinct from"
            f" receipts.source_content_hash) from q_provenance__{family} as receipts"
            " left join q_source_artifacts as artifacts using (source_artifact_key)"
        ) == [(True, 0)], family


def test_snapshots_of_one_trial_are_two_versions(built: Built) -> None:
    """The registry's day is the version, and when it was so; our list has only its hash."""
    assert built.query(
        "select source_version_id, version_semantics, (observed_at at time zone 'UTC')::date::text,"
        " supersedes_artifact_key from q_source_artifacts"
        " where source_native_id = 'NCT00513591' order by 1"
    ) == [
        ("2016-06-29", "strong", "2016-06-29", None),
        ("2018-05-11", "strong", "2018-05-11", None),
    ]
    assert built.query(
        "select version_semantics, source_version_id = 'sha256:' || content_hash"
        " from q_source_artifacts where source_native_id = 'drugs'"
    ) == [("weak", True)]


def test_cells_without_a_place_are_counted_and_not_shown(built: Built) -> None:
    """One row a column; the values stay where only staging sees them."""
    rows = built.query(
        "select model_name, column_name, cells from q_unmapped_values where model_name in"
        " ('q_approval_indications', 'q_product_sales_facts', 'q_publications', 'q_trials')"
        " order by 1, 2"
    )
    assert rows == [
        ("q_approval_indications", "approval_basis", 2),
        ("q_product_sales_facts", "restatement_reason", 1),
        ("q_publications", "publication_kind", 1),
        ("q_trials", "overall_status", 1),
        ("q_trials", "phases", 2),
        ("q_trials", "start_date_type", 1),
        ("q_trials", "study_type", 1),
    ]


def test_a_forecast_input_is_ready_where_it_is_published(built: Built) -> None:
    """The rate of the country, and the sales of a drug with an indication for the disease."""
    assert built.query(
        "select input_kind, source_q_model_name, input_period_end::text,"
        " source_q_row_key like '%%:rate:%%', downstream_owner_note <> ''"
        " from q_forecast_input_readiness where segment_key = 'segment:all-cancers'"
        " and geography_code = '00000' and readiness_state = 'ready'"
    ) == [("incidence", "q_epidemiology_observations", "2018-12-31", True, True)]
    assert built.query(
        "select source_q_row_key, readiness_state from q_forecast_input_readiness"
        " where segment_key = 'segment:nsclc-squamous' and geography_code = 'WW'"
        " and input_kind = 'sales_history'"
    ) == [("sales:bms_opdivo_2017q1_prose", "ready")]


def test_a_forecast_input_that_is_missing_stays_missing(built: Built) -> None:
    """Six kinds for each disease and place; neither a value nor a row is invented."""
    assert built.query(
        "select mod(count(*), 6), count(*) filter (where readiness_state = 'missing_input') > 0,"
        " count(source_q_row_key) filter (where readiness_state = 'missing_input')"
        " from q_forecast_input_readiness"
    ) == [(0, True, 0)]
    (gate,) = [name for name in built.landed if name.startswith("downstream_boundary_")]
    assert built.landed[gate] == "pass"


def test_an_old_forecast_input_is_stale(built: Built) -> None:
    """Its period ended long ago; the row that it stands on is named all the same."""
    assert built.query(
        "select readiness_state, input_period_end::text, source_q_row_key is not null"
        " from q_forecast_input_readiness where geography_code = '88888'"
        " and source_q_row_key is not null"
    ) == [("stale", "1999-12-31", True)]
