"""intervention_identity_type_safety (pub_intervention_identity): only drugs have drug keys."""

from __future__ import annotations

from typing import Any

import pytest

from integration.gating import spec
from integration.semantic_gating import Connection, about, by_row, judge, survivors, table
from tidegate.gates.model import Model, Status
from tidegate.gates.registry import GATES
from tidegate.gates.result import GateResult

COLUMNS = (
    "k text!, source_term text, identity_type text, resolved_drug_key text,"
    " resolved_ncit_code text, resolution_basis text"
)
LABEL = "exact_normalized_label"
PASSING = [
    ("biologic", "nivolumab", "biologic", "drug:nivolumab", None, LABEL),
    ("radionuclide", "radium-223 dichloride", "drug", "drug:radium-223", None, LABEL),
    ("procedure", "lobectomy", "procedure", None, "NCIt:synthetic", LABEL),
    ("open", "an antibody", "biologic", None, None, "unresolved"),
]
FAILING = [
    ("radiation", "proton beam", "radiation", "drug:proton", None, "verified"),
    ("untyped", "cbt-101", None, "drug:cbt", None, "verified"),
    ("mistyped", "stereotactic body radiotherapy", "drug", "drug:sbrt", None, "verified"),
    ("cognitive", "cognitive behavioural therapy", "behavioral", "drug:cbt", None, "verified"),
    ("baseless", "nivolumab", "biologic", "drug:nivolumab", None, "unresolved"),
    ("unsaid", "nivolumab", "biologic", "drug:nivolumab", None, None),
]


def interventions(conn: Connection, rows: list[Any]) -> Model:
    return table(conn, "q_publication_interventions", COLUMNS, rows)


def verdict(conn: Connection, rows: list[Any], **options: Any) -> GateResult:
    judged = interventions(conn, rows)
    return judge(conn, "intervention_identity_type_safety", judged, **options)


@pytest.mark.parametrize("given", PASSING, ids=lambda given: given[0])
def test_pub_intervention_identity_drugs_and_other_concepts_pass(
    conn: Connection, given: Any
) -> None:
    """A radiopharmaceutical is a drug; a procedure has a concept of its own."""
    assert verdict(conn, [given]).status is Status.PASS


def test_pub_intervention_identity_a_procedure_as_drug_blocks(conn: Connection) -> None:
    """The metadata has term, type, basis and the key that was given."""
    result = verdict(conn, [FAILING[0]])
    assert by_row(result) == {"radiation": {"no_drug_linked_as_drug"}}
    assert about(result, "radiation") == (
        {"taxonomy_id": "pub_intervention_identity", "withheld": []},
        {"source_term": "proton beam", "identity_type": "radiation",
         "resolution_basis": "verified", "resolved_drug_key": "drug:proton",
         "resolved_ncit_code": None},
    )  # fmt: skip
    gate = GATES["intervention_identity_type_safety"]
    assert gate.taxonomy_id == "pub_intervention_identity"


def test_every_unsafe_identity_is_named(conn: Connection) -> None:
    """By type, by a term that is never a drug, by a link without basis."""
    assert by_row(verdict(conn, [*PASSING, *FAILING])) == {
        "radiation": {"no_drug_linked_as_drug"},
        "untyped": {"no_drug_linked_as_drug"},
        "mistyped": {"term_is_no_drug"},
        "cognitive": {"no_drug_linked_as_drug", "term_is_no_drug"},
        "baseless": {"link_without_basis"},
        "unsaid": {"link_without_basis"},
    }


def test_each_condition_counts(conn: Connection) -> None:
    """No condition can be emptied or negated unnoticed."""
    judged = interventions(conn, [*PASSING, *FAILING])
    assert survivors(conn, spec("intervention_identity_type_safety", judged)) == []
