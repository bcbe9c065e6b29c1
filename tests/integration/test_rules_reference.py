"""The reference rule: a frozen materialization, read with its owner's leave, recorded."""

from __future__ import annotations

from typing import Any

import pytest

from integration.judging import Connection, judged, table, told
from tidegate.rules.references import Frozen, References
from tidegate.rules.relation import Relation
from tidegate.rules.validation import Verdict

REFERENCE = {
    "type": "reference",
    "field": "drug",
    "references": {"dataset": "drugs", "materialization": "latest", "fields": ["id"]},
}


def referenced(conn: Connection, role: str, *values: str) -> References:
    """A frozen list of drugs that `role` may or may not read."""
    conn.execute(
        "create schema frozen; create table frozen.drugs (delivery int, id int, secret text)"
    )
    for value in values:
        conn.execute(f"insert into frozen.drugs values ({value}, 'x')")
    return References(
        lambda dataset, wanted: (
            Frozen("drugs@7#abc", Relation("frozen", "drugs", (("delivery", 7),)))
            if (dataset, wanted) == ("drugs", "latest")
            else None
        ),
        role,
    )


@pytest.fixture
def owner(conn: Connection) -> Any:
    """A role that may read the frozen list once it is granted."""
    role = f"policy_owner_{conn.info.dbname}"
    conn.execute(f"create role {role}")
    yield role
    conn.execute(f"drop owned by {role}; drop role {role}")


def grant(conn: Connection, role: str) -> None:
    conn.execute(f"grant usage on schema frozen to {role}")
    conn.execute(f"grant select (delivery, id) on frozen.drugs to {role}")


def test_a_reference_is_frozen_recorded_and_judged(conn: Connection, owner: str) -> None:
    """Keys are looked up in the frozen part only; the evidence has its reference."""
    relation = table(conn, "drug int", "1", "2", "null", "3")
    references = referenced(conn, owner, "7, 1", "7, null", "8, 2")
    grant(conn, owner)
    validation = judged(
        conn, relation, REFERENCE, {**REFERENCE, "allow_null": True}, references=references
    )
    assert told(validation) == [("r0", "failed", 3, (2, 3, 4)), ("r1", "failed", 2, (2, 4))]
    assert {found.reference for found in validation.outcomes} == {"drugs@7#abc"}
    assert [found.null_rows for found in validation.outcomes] == [1, 0]


@pytest.mark.parametrize("parents", [(), ("7, null",)])
def test_d03_d19_an_empty_or_null_parent_hides_nothing(
    conn: Connection, owner: str, parents: tuple[str, ...]
) -> None:
    """Cases D03 and D19: one violation whether the parent is empty or holds a null."""
    relation = table(conn, "drug int", "1", "null")
    references = referenced(conn, owner, *parents)
    grant(conn, owner)
    validation = judged(conn, relation, {**REFERENCE, "allow_null": True}, references=references)
    assert told(validation) == [("r0", "failed", 1, (1,))]
    assert [said.message for said in validation.diagnostics] == (
        [] if parents else ["The referenced materialization drugs@7#abc has no rows."]
    )


def test_a_reference_that_the_owner_may_not_read_is_an_error(conn: Connection, owner: str) -> None:
    """The owner's own privilege counts, not that of whoever runs the check."""
    relation = table(conn, "drug int", "1")
    references = referenced(conn, owner, "7, 1")
    found = judged(conn, relation, REFERENCE, references=references)
    assert (found.outcomes[0].reason, found.verdict) == ("reference_unreadable", Verdict.FAILED)
    assert [said.message for said in found.diagnostics] == [
        f"The owner's role {owner} may not read frozen.drugs."
    ]
    grant(conn, owner)
    assert judged(conn, relation, REFERENCE, references=references).verdict is Verdict.PASSED
    secret = {**REFERENCE, "references": {**REFERENCE["references"], "fields": ["secret"]}}  # type: ignore[dict-item]
    found = judged(conn, relation, secret, references=references)
    assert found.outcomes[0].reason == "reference_unreadable"
    nobody = References(references.resolve, "nobody_at_all")
    found = judged(conn, relation, REFERENCE, references=nobody)
    assert found.outcomes[0].reason == "reference_unreadable"


def test_a_reference_that_nobody_can_resolve_is_an_error(conn: Connection) -> None:
    """Without a frozen materialization nothing is read, and nothing passes."""
    relation = table(conn, "drug int", "1")
    found = judged(conn, relation, REFERENCE)
    assert (found.outcomes[0].reason, found.verdict) == ("reference_unknown", Verdict.FAILED)
    assert [said.message for said in found.diagnostics] == [
        "No materialization latest of drugs is known here."
    ]


def test_a_composite_key_with_a_null_part_is_one_null(conn: Connection, owner: str) -> None:
    """A key is looked up where all of it is there; a part that is null makes it a null, once."""
    relation = table(conn, "a int, b int", "7, 1", "7, null", "null, null", "7, 2", "8, 1")
    references = referenced(conn, owner, "7, 1")
    grant(conn, owner)
    rule = {
        "type": "reference",
        "fields": ["a", "b"],
        "references": {
            "dataset": "drugs",
            "materialization": "latest",
            "fields": ["delivery", "id"],
        },
    }
    validation = judged(conn, relation, rule, {**rule, "allow_null": True}, references=references)
    assert told(validation) == [("r0", "failed", 4, (2, 3, 4, 5)), ("r1", "failed", 2, (4, 5))]
    assert [found.null_rows for found in validation.outcomes] == [2, 0]


def test_a_reference_rule_judges_no_row_of_an_empty_relation(conn: Connection, owner: str) -> None:
    """Like every rule about rows: not evaluated, which blocks."""
    relation = table(conn, "drug int")
    references = referenced(conn, owner, "7, 1")
    grant(conn, owner)
    found = judged(conn, relation, REFERENCE, references=references)
    assert (found.outcomes[0].status.value, found.verdict) == ("not_evaluated", Verdict.FAILED)
