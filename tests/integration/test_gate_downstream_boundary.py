"""downstream_boundary: a support model holds inputs, no state of an application."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from integration.gating import spec
from integration.semantic_gating import Connection, about, by_row, judge, survivors, table
from tidegate.contracts.load import load_project
from tidegate.gates.model import Status
from tidegate.macros import render

NOTE = "owned by the forecasting application"
REPOSITORY = Path(__file__).resolve().parents[2]
READINESS = "k text!, segment_key text, readiness_state text, downstream_owner_note text"


def test_fixture_a_valid_readiness_row_passes(conn: Connection) -> None:
    """Inputs with the note of who uses them."""
    judged = table(conn, "q_forecast_input_readiness", READINESS, [("r1", "seg:a", "ready", NOTE)])
    result = judge(conn, "downstream_boundary", judged)
    assert (result.status, result.rows_checked) == (Status.PASS, 1)


@pytest.mark.parametrize(
    "column",
    ["canonical_endpoint_key", "endpoint", "engineered_feature", "userland", "savedness",
     "obsession", "administration_route", "api_strength", "routed_dose", "_generation",
     "app_rate", "approach", "response_rate", "downtime", "gui_statement"],
)  # fmt: skip
def test_near_misses_of_the_forbidden_words_pass(conn: Connection, column: str) -> None:
    """Only whole words count: a clinical endpoint is no endpoint of an API."""
    judged = table(conn, "q_tpp_support", f"{READINESS}, {column} text", [("r1", "a", "b", NOTE)])
    assert judge(conn, "downstream_boundary", judged).status is Status.PASS


@pytest.mark.parametrize(
    ("column", "word"),
    [("http_route", "http"), ("scenario_json", "scenario"), ("saved_by", "saved"),
     ("last_session", "session"), ("user_id", "user"), ("api_version", "api_version"),
     ("endpoint_url", "endpoint_url"), ("engine_state", "engine"), ("owned_by_engine", "engine"),
     ("runtime_flags", "runtime"), ("app_state", "app_state"), ("ui_state_json", "ui_state"),
     ("api_route", "api_route"), ("response_body", "response_body"), ("app_owner", "app_owner")],
)  # fmt: skip
def test_a_saved_scenario_or_api_shape_blocks(conn: Connection, column: str, word: str) -> None:
    """The column and the word are named; both are names, so they are always shown."""
    judged = table(conn, "q_tpp_support", f"{READINESS}, {column} text", [("r1", "a", "b", NOTE)],
                   public=False)  # fmt: skip
    result = judge(conn, "downstream_boundary", judged)
    assert by_row(result) == {column: {"column_of_an_application"}}
    assert about(result, column)[0] == {"model": "q_tpp_support", "word": word}


@pytest.mark.parametrize(
    "name", ["q_saved_scenarios", "q_user_dashboards", "q_session", "q_tpp_app_state"]
)
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


def test_fixture_a_saved_scenario_row_with_the_shape_of_an_api_blocks(conn: Connection) -> None:
    """The row itself is as ready as any other; what it is part of is state of an application."""
    columns = f"{READINESS}, scenario_json jsonb, http_route text"
    scenario = json.dumps({"price": 1, "share": 0.5})
    rows = [("r1", "seg:a", "ready", NOTE, scenario, "/api/v1/scenarios/1")]
    judged = table(conn, "q_forecast_saved_scenarios", columns, rows)
    result = judge(conn, "downstream_boundary", judged)
    assert (result.status, result.rows_failing) == (Status.FAIL, 3)
    assert by_row(result) == {
        "q_forecast_saved_scenarios": {"model_of_an_application"},
        "scenario_json": {"column_of_an_application"},
        "http_route": {"column_of_an_application"},
    }
    assert "/api" not in json.dumps([dict(sample.metadata) for sample in result.samples])


@pytest.mark.parametrize("columns", [READINESS, "k text!, segment_key text"])
def test_each_condition_counts(conn: Connection, columns: str) -> None:
    """No condition can be emptied or negated unnoticed, with a column for the note or without."""
    row = ("r1", "seg:a", "ready", None)[: columns.count(",") + 1]
    noted = [(*row[:3], NOTE)] if len(row) > 2 else []
    state = table(conn, "q_saved_inputs", f"{columns}, engine_state text", [(*row, "x")])
    inputs = table(conn, "q_price_inputs", columns, noted, may_be_empty=True)
    left = [set(survivors(conn, spec("downstream_boundary", it))) for it in (state, inputs)]
    assert set.intersection(*left) == set()


def test_each_forbidden_word_counts(conn: Connection) -> None:
    """Without any one of the words its own column or model would pass: none is idle."""
    options = json.loads(render("downstream_boundary_arguments"))["options"]
    for option, fits in (("column_words", "q_inputs"), ("model_words", None)):
        for word in alternatives(options[option]):
            name = word.replace("?", "")
            columns = f"{READINESS}, the_{name} text" if fits else READINESS
            judged = table(conn, fits or f"q_{name}", columns, [("r1", "a", "b", NOTE)])
            assert judge(conn, "downstream_boundary", judged).status is Status.FAIL, word
            others = "|".join(o for o in alternatives(options[option]) if o != word)
            kept = judge(conn, "downstream_boundary", judged, arguments={option: others})
            assert kept.status is Status.PASS, word


def test_no_contract_of_support_or_of_the_catalogue_has_such_a_name() -> None:
    """Read from the contracts alone, before anything is built; and the gate is attached."""
    options = json.loads(render("downstream_boundary_arguments"))["options"]
    words = re.compile(f"(^|_)({options['column_words']})(_|$)")
    models = load_project(REPOSITORY).models
    found = [
        (name, column.name)
        for name, model in models.items()
        for column in model.columns
        if words.search(column.name)
    ]
    assert found == []
    assert "downstream_boundary" in str(models["q_forecast_input_readiness"].tests)


def alternatives(pattern: str) -> list[str]:
    """The single words of a pattern of alternatives, groups multiplied out."""
    found = []
    for part in re.findall(r"(?:[^|(]|[(][^)]*[)])+", pattern):
        prefix, _, group = part.partition("(?:")
        rest = group.rstrip(")").split("|") if group else [""]
        found.extend(prefix + item for item in rest)
    return found
