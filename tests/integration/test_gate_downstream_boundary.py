"""downstream_boundary: a support model holds inputs, no state of an application."""

from __future__ import annotations

import pytest

from integration.semantic_gating import Connection, about, by_row, judge, table
from tidegate.gates import Status

NOTE = "owned by the forecasting application"
READINESS = "k text!, segment_key text, readiness_state text, downstream_owner_note text"


def test_a_readiness_row_passes(conn: Connection) -> None:
    """Inputs with the note of who uses them."""
    judged = table(conn, "q_forecast_input_readiness", READINESS, [("r1", "seg:a", "ready", NOTE)])
    result = judge(conn, "downstream_boundary", judged)
    assert (result.status, result.rows_checked) == (Status.PASS, 1)


@pytest.mark.parametrize(
    "column",
    ["canonical_endpoint_key", "endpoint", "engineered_feature", "userland", "savedness",
     "obsession", "administration_route", "api_strength", "routed_dose", "_generation"],
)  # fmt: skip
def test_near_misses_of_the_forbidden_words_pass(conn: Connection, column: str) -> None:
    """Only whole words count: a clinical endpoint is no endpoint of an API."""
    judged = table(conn, "q_tpp_support", f"{READINESS}, {column} text", [("r1", "a", "b", NOTE)])
    assert judge(conn, "downstream_boundary", judged).status is Status.PASS


@pytest.mark.parametrize(
    ("column", "word"),
    [("http_route", "http"), ("scenario_json", "scenario"), ("saved_by", "saved"),
     ("last_session", "session"), ("user_id", "user"), ("api_version", "api_version"),
     ("endpoint_url", "endpoint_url"), ("engine_state", "engine")],
)  # fmt: skip
def test_a_saved_scenario_or_api_shape_blocks(conn: Connection, column: str, word: str) -> None:
    """The column and the word are named; both are names, so they are always shown."""
    judged = table(conn, "q_tpp_support", f"{READINESS}, {column} text", [("r1", "a", "b", NOTE)],
                   public=False)  # fmt: skip
    result = judge(conn, "downstream_boundary", judged)
    assert by_row(result) == {column: {"column_of_an_application"}}
    assert about(result, column)[0] == {"model": "q_tpp_support", "word": word}


@pytest.mark.parametrize("name", ["q_saved_scenarios", "q_user_dashboards", "q_session"])
def test_a_model_of_an_application_blocks(conn: Connection, name: str) -> None:
    """Its own name says what it is."""
    result = judge(conn, "downstream_boundary",
                   table(conn, name, READINESS, [("r1", "a", "b", NOTE)]))  # fmt: skip
    assert by_row(result) == {name: {"model_of_an_application"}}


def test_a_support_model_without_owner_note_warns(conn: Connection) -> None:
    """Without the column, or with rows where it is blank."""
    bare = table(conn, "q_forecast_price_inputs", "k text!, segment_key text", [("a", "b")])
    result = judge(conn, "downstream_boundary", bare)
    assert (result.status, by_row(result)) == (
        Status.WARN, {"q_forecast_price_inputs": {"~owner_note_missing"}},
    )  # fmt: skip
    assert about(result, "q_forecast_price_inputs")[0] == {
        "model": "q_forecast_price_inputs", "rows": 1,
    }  # fmt: skip
    rows = [("r1", "a", "b", NOTE), ("r2", "a", "b", " "), ("r3", "a", "b", None)]
    result = judge(conn, "downstream_boundary", table(conn, "q_support", READINESS, rows))
    assert by_row(result) == {"downstream_owner_note": {"~owner_note_missing"}}
    assert result.samples[0].metadata["rows"] == 2


def test_other_words_and_another_name_of_the_note(conn: Connection) -> None:
    """A foreign project has its own words."""
    judged = table(conn, "q_wishlist", "k text!, basket text, note text", [("a", "b", NOTE)])
    arguments = {"model_words": "wishlist", "column_words": "basket"}
    result = judge(conn, "downstream_boundary", judged, arguments=arguments)
    assert by_row(result) == {
        "q_wishlist": {"model_of_an_application", "~owner_note_missing"},
        "basket": {"column_of_an_application"},
    }
    named = {"columns": {"downstream_owner_note": "note"}}
    assert judge(conn, "downstream_boundary", judged, arguments=named).status is Status.PASS
