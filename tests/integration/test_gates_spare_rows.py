"""Gates look at what can be wrong with a row before they list it: that spares only sound rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import pytest

from integration.gating import in_schema, spec
from integration.semantic_gating import Connection, judge, table
from tidegate import macros
from tidegate.gates.model import Model
from tidegate.gates.registry import GATES
from tidegate.gates.relations import Relations

BLANK = (None, "", " ", "\t", " x", "x")
"""Text as receipts have it: nothing, what trims to nothing, and what does not."""


def rows_of(*columns: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Every combination, each with a key of its own."""
    return [(str(number), *row) for number, row in enumerate(product(*columns))]


def locators(conn: Connection) -> tuple[str, list[Model], dict[str, Any]]:
    """Artefacts, shapes, places, coverage, binding; two shapes of one family, one of none."""
    places = (
        None, "null", "3", "[]", "{}", '{"id": 1}', '{"id": " ", "row": 2}', '{"id": 1, "row": 2}',
        '{"pointer": ""}', '{"pointer": " "}', '{"pointer": "/a"}',
    )  # fmt: skip
    claims = table(
        conn, "claims",
        "claim_id text!, source_family text, source_artifact_key text, locator_shape text,"
        " locator jsonb, source_text_coverage text, canonical_bound boolean, fact_path text,"
        " subject_key text",
        rows_of((None, "book", "other"), (None, " ", "a"), (None, "cell", "json_pointer", "word"),
                places, (None, "whole", "part"), (None, False)),
        row_key=["claim_id"],
    )  # fmt: skip
    shapes = {"book": ["cell", "json_pointer", "word"], "other": ["cell"]}
    members = {"cell": ["id", "row"], "json_pointer": ["pointer"], "sign": []}
    return "source_locator_doubtful", [claims], {
        "shapes": shapes, "members": members, "partial": ["part"],
    }  # fmt: skip


def locators_without_members(conn: Connection) -> tuple[str, list[Model], dict[str, Any]]:
    """No shape has a member that it needs, and no coverage is partial."""
    look, models, options = locators(conn)
    return look, models, {**options, "members": {}, "partial": []}


def versions(conn: Connection) -> tuple[str, list[Model], dict[str, Any]]:
    """Versions of a claim against those of its artefact, sound and not."""
    kept = [(f"{number}", version, strength) for number, (version, strength) in
            enumerate(product(BLANK, (None, "strong", "weak")))]  # fmt: skip
    artifacts = table(
        conn, "source_artifacts",
        "source_artifact_key text!, source_version_id text, version_semantics text", kept,
        row_key=["source_artifact_key"],
    )  # fmt: skip
    claims = table(
        conn, "claims",
        "claim_id text!, source_family text, source_version_id text, source_artifact_key text",
        rows_of((None, "label"), (*BLANK, "y"), (None, "gone", *(key for key, _, _ in kept))),
        row_key=["claim_id"],
    )  # fmt: skip
    return "document_version_findings", [claims, artifacts], {}


def versions_of_their_own(conn: Connection) -> tuple[str, list[Model], dict[str, Any]]:
    """Claims that say themselves what their version is worth."""
    claims = table(
        conn, "claims",
        "claim_id text!, source_family text, source_version_id text, version_semantics text",
        rows_of((None, "label"), BLANK, (None, "strong", "weak")), row_key=["claim_id"],
    )  # fmt: skip
    return "document_version_findings", [claims], {
        "relations": {"artifacts": None}, "families": ["label"],
    }  # fmt: skip


def translations(conn: Connection) -> tuple[str, list[Model], dict[str, Any]]:
    """Translated texts."""
    texts = table(
        conn, "texts",
        "k text!, source_family text, original_text text, source_language text,"
        " target_language text, translation_version text",
        rows_of((None,), BLANK, (None, "zh"), (None, "zh", "en"), BLANK),
    )  # fmt: skip
    return "document_version_findings", [texts], {
        "translated": True, "columns": {"source_version_id": None},
        "relations": {"artifacts": None},
    }  # fmt: skip


def authorities(conn: Connection) -> tuple[str, list[Model], dict[str, Any]]:
    """Claim types with and without a rule, markers, overlays, impact, a column that is needed."""
    overlays = table(conn, "overlays", "overlay_key text!, review_state text",
                     [("yes", "human_approved"), ("no", "pending")],
                     row_key=["overlay_key"])  # fmt: skip
    statements = table(
        conn, "statements",
        "k text!, claim_type text, source_authority_tier text, lower_authority_marker text,"
        " high_impact boolean, curation_overlay_key text, regulator text",
        rows_of((None, "event", "weather"), (None, "primary", "news", "paper"),
                (None, "none", "second"), (None, True, False), (None, "yes", "no"), BLANK),
    )  # fmt: skip
    return "source_authority_doubtful", [statements, overlays], {
        "policy": {"event": {"primary": "none", "news": "second", "paper": None}},
        "requires": ["regulator"],
    }  # fmt: skip


def links(conn: Connection) -> tuple[str, list[Model], dict[str, Any]]:
    """Links of kinds with rules of their own, of any other kind, on every basis."""
    made = table(
        conn, "links",
        "k text!, subject_kind text, source_term text, target_key text, basis text, verdict text,"
        " overlay_state text, link_state text, publishable boolean, confidence numeric,"
        " valid_until timestamptz, candidate_id text",
        rows_of((None, "arm", "paper"), (None,), (None,),
                (None, "exact", "verified", "reviewed_curation", "guess"), (None, "pass"),
                (None, "human_approved", "auto"), (None, "stale"), (None, False), (None, 0.5, 0.7),
                (None, "2000-01-01", "infinity")),
    )  # fmt: skip
    return "resolution_basis_findings", [made], {
        "allowed": {"*": ["exact", "verified", "reviewed_curation"], "arm": ["verified"]},
        "reviewed": {"arm": ["human_approved", "auto"]},
    }  # fmt: skip


CASES: dict[Callable[[Connection], tuple[str, list[Model], dict[str, Any]]], str] = {
    locators: "source_locator",
    locators_without_members: "source_locator",
    versions: "document_version",
    versions_of_their_own: "document_version",
    translations: "document_version",
    authorities: "source_authority",
    links: "resolution_basis",
}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_what_is_spared_has_nothing_wrong_with_it(
    conn: Connection,
    monkeypatch: pytest.MonkeyPatch,
    case: Callable[[Connection], tuple[str, list[Model], dict[str, Any]]],
) -> None:
    """All combinations of values: without the look the gate says the same, row by row."""
    look, models, arguments = case(conn)
    asked = spec(CASES[case], *models, arguments=arguments)

    def answer() -> list[tuple[Any, ...]]:
        call = GATES[CASES[case]].call(asked, Relations(conn, in_schema()))
        return sorted(conn.execute(call.violations.encode()).fetchall(), key=repr)

    with_look = answer()
    namespace = macros._namespace()
    made = getattr(namespace, look)

    def unlooked(*given: Any, **options: Any) -> str:
        return "true" if options.get("any", look.endswith("_doubtful")) else str(made(*given))

    monkeypatch.setattr(namespace, look, unlooked)
    assert answer() == with_look
    rows = {row[0] for row in with_look}
    assert 0 < len(rows) < judge(conn, CASES[case], *models, arguments=arguments).rows_checked


def test_what_a_receipt_lacks_is_what_trims_to_nothing(conn: Connection) -> None:
    """Artefact, hash, version, locator and completeness, in every combination."""
    receipts = rows_of(BLANK, BLANK, BLANK, (None, "{}"), (None, "partial", "complete"))
    facts = table(conn, "q_facts", "k text!", [row[:1] for row in receipts],
                  provenance={"policy": "row_required"})  # fmt: skip
    table(
        conn, "q_provenance__clinical_trials",
        "row_key text, source_artifact_key text, source_content_hash text, source_version_id text,"
        " locator jsonb, completeness text, model_name text, fact_path text,"
        " provenance_bundle_key text",
        [(*row, "q_facts", "$row") for row in receipts],
        row_key=["row_key"],
    )  # fmt: skip
    violations = (
        GATES["provenance_coverage"]
        .call(spec("provenance_coverage", facts), Relations(conn, in_schema()))
        .violations
    )
    found = {
        (row, reason): metadata["missing"]
        for row, _, reason, metadata in conn.execute(violations.encode())
    }
    expected: dict[tuple[str, str], list[str]] = {}
    for row, *texts, locator, completeness in receipts:
        blank = [text is None or not text.strip(" ") for text in texts]
        lacks = {
            "receipt_incomplete": (("source_artifact_key", blank[0]),
                                   ("source_content_hash", blank[1])),
            "receipt_partial": (("completeness", completeness != "complete"),
                                ("locator", locator is None), ("source_version_id", blank[2])),
        }  # fmt: skip
        for reason, members in lacks.items():
            if names := [name for name, lacking in members if lacking]:
                expected[row, reason] = names
    assert found == expected
