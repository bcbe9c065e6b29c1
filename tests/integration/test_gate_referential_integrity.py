"""referential_integrity on real tables: what it must reject, what it must accept."""

from __future__ import annotations

from typing import Any

import pytest

from integration.gating import SCHEMA, found, in_schema, model, spec
from tidegate.connection import Connection
from tidegate.gates.evaluate import evaluate
from tidegate.gates.model import Related, Severity, Status
from tidegate.gates.result import GateResult
from tidegate.macros import render

ENDPOINTS = model(
    "q_endpoints", "endpoint_key text!, publication_state text!", row_key=["endpoint_key"]
)
GROUPS = model(
    "q_trial_result_groups", "trial_key text!, group_key text!", row_key=["trial_key", "group_key"]
)


@pytest.fixture
def facts(conn: Connection) -> Connection:
    """Outcomes of NCT01642004: two known endpoints, one of them provisional; two result groups."""
    conn.execute(
        """
        create schema clinical_trials__g000007;
        set search_path to clinical_trials__g000007, pg_catalog;
        create table q_endpoints (endpoint_key text, publication_state text);
        insert into q_endpoints values ('endpoint:orr', 'published'),
            ('endpoint:corr', 'provisional'), ('endpoint:ttp', 'superseded');
        create table q_trial_result_groups (trial_key text, group_key text);
        insert into q_trial_result_groups values ('trial:NCT01642004', 'rg:OG000'),
            ('trial:NCT01642004', 'rg:OG001');
        create table q_trial_outcomes (outcome_key text, endpoint_key text, trial_key text,
            group_keys text[]);
        set search_path to pg_catalog, pg_temp;
        """
    )
    return conn


def outcomes(*references: dict[str, Any], **keys: Any) -> Any:
    return model(
        "q_trial_outcomes",
        "outcome_key text!, endpoint_key text, trial_key text, group_keys text[]",
        row_key=["outcome_key"],
        references=list(references),
        **keys,
    )


ENDPOINT = {"columns": ["endpoint_key"], "to": "q_endpoints"}
MEMBERS = {
    "columns": ["trial_key", "group_keys"], "to": "q_trial_result_groups", "array": True
}  # fmt: skip


def put(conn: Connection, *rows: tuple[str, str | None, list[str | None] | None]) -> None:
    for key, endpoint, groups in rows:
        conn.execute(
            "insert into clinical_trials__g000007.q_trial_outcomes values (%s, %s, %s, %s)",
            (key, endpoint, "trial:NCT01642004", groups),
        )


def judged(conn: Connection, judged_model: Any, *missing: str, **options: Any) -> GateResult:
    return evaluate(
        conn,
        spec("referential_integrity", judged_model, ENDPOINTS, GROUPS, **options),
        in_schema(*missing),
    )


def test_an_existing_key_and_an_absent_one_pass(facts: Connection) -> None:
    """A key with its owner row passes; a null key is unresolved and passes too."""
    put(
        facts,
        ("o1", "endpoint:orr", ["rg:OG000", "rg:OG001"]),
        ("o2", None, None),
        ("o3", None, []),
    )
    result = judged(facts, outcomes(ENDPOINT, MEMBERS))
    assert (result.status, result.rows_checked, found(result)) == (Status.PASS, 3, [])


def test_a_dangling_key_blocks_with_all_metadata(facts: Connection) -> None:
    """A key without an owner row blocks; the result says everything the seed asks."""
    put(facts, ("o1", "endpoint:orr", None), ("o2", "endpoint:orrr", None))
    result = judged(facts, outcomes(ENDPOINT))
    document = result.document()
    assert document.pop("duration_ms") > 0
    assert document == {
        "gate_id": "referential_integrity",
        "kind": "gate",
        "asset": "q_trial_outcomes",
        "family": "clinical_trials",
        "severity": "blocking",
        "status": "fail",
        "blocks": True,
        "rows_checked": 2,
        "rows_failing": 1,
        "rows_warning": 0,
        "reasons": {"key_dangling": 1},
        "sample_keys": ["o2"],
        "samples": [
            {
                "row_key": "o2",
                "level": "block",
                "reason": "key_dangling",
                "metadata": {
                    "columns": ["endpoint_key"],
                    "owner": "q_endpoints",
                    "owner_columns": ["endpoint_key"],
                    "owner_empty": False,
                },
            }
        ],
        "contract_version": "3",
        "contract_ref": "contracts/clinical_trials/q_trial_outcomes.yml",
        "asset_keys": ["q_trial_outcomes", "q_endpoints"],
        "slice": None,
        "owner": "trials",
        "where": None,
        "partition_key": None,
        "sample_strategy": None,
        "sampled": False,
        "remediation_hint": "Build the owner's missing rows, correct the key, or leave it null "
        "until it is resolved; an owner that does not exist yet is declared `deferred: true`.",
        "publication_protected": False,
        "error": None,
        "unique_id": "test.tidegate.referential_integrity_q_trial_outcomes",
    }


def test_members_of_arrays_are_keys_each(facts: Connection) -> None:
    """One dangling member of an array blocks; the other part of a composite key counts too."""
    put(facts, ("o5", None, ["rg:OG000", "rg:OG009"]), ("o6", None, ["rg:OG000"]))
    facts.execute(
        "insert into clinical_trials__g000007.q_trial_outcomes values"
        " ('o7', null, 'trial:NCT02210780', '{rg:OG000}'), ('o8', null, null, '{rg:OG009}')"
    )
    result = judged(facts, outcomes(MEMBERS))
    assert found(result) == [
        ("o5", "block", "key_dangling"),
        ("o7", "block", "key_dangling"),
    ]


def test_a_null_key_warns_where_it_is_expected(facts: Connection) -> None:
    """An expected key that is null warns and does not block."""
    put(facts, ("o1", "endpoint:orr", None), ("o3", None, None))
    result = judged(facts, outcomes({**ENDPOINT, "expected": True}))
    assert (result.status, found(result)) == (Status.WARN, [("o3", "warn", "key_absent")])
    assert not result.blocks


def test_an_array_without_members_is_an_absent_key(facts: Connection) -> None:
    """No array, an empty one and a null member warn where a key is expected."""
    put(
        facts,
        ("o1", None, ["rg:OG000"]),
        ("o2", None, []),
        ("o3", None, None),
        ("o4", None, [None]),
    )
    result = judged(facts, outcomes({**MEMBERS, "expected": True}))
    assert found(result) == [(key, "warn", "key_absent") for key in ("o2", "o3", "o4")]


def test_an_empty_relation_blocks_unless_the_caller_says_otherwise(facts: Connection) -> None:
    """The macro's own default withholds."""
    relation = '"clinical_trials__g000007"."q_trial_outcomes"'
    violations = render("referential_integrity", relation, "q_trial_outcomes", ["outcome_key"], [])
    assert facts.execute(violations.encode()).fetchall() == [
        ("q_trial_outcomes", "block", "not_evaluated", {"cause": "relation_empty"})
    ]


def test_a_provisional_or_superseded_owner_warns(facts: Connection) -> None:
    """An owner row that is not final warns; a published one is silent."""
    put(
        facts,
        ("o1", "endpoint:orr", None),
        ("o4", "endpoint:corr", None),
        ("o5", "endpoint:ttp", None),
    )
    result = judged(facts, outcomes(ENDPOINT))
    assert found(result) == [
        ("o4", "warn", "owner_provisional"),
        ("o5", "warn", "owner_superseded"),
    ]
    assert (result.rows_failing, result.rows_warning) == (0, 2)


@pytest.mark.parametrize("parent", ["", "insert into q_endpoints values (null, 'published')"])
def test_d19_an_empty_owner_and_a_null_in_it_change_nothing(facts: Connection, parent: str) -> None:
    """A key dangles whether its owner is empty or holds a null (never NOT IN)."""
    facts.execute("truncate clinical_trials__g000007.q_endpoints")
    if parent:
        facts.execute("set search_path to clinical_trials__g000007, pg_catalog; " + parent)
    put(facts, ("o1", "endpoint:orr", None), ("o2", None, None))
    result = judged(facts, outcomes(ENDPOINT))
    assert found(result) == [("o1", "block", "key_dangling")]
    assert result.samples[0].metadata["owner_empty"] is (not parent)


def test_a_deferred_owner_warns_and_never_blocks(facts: Connection) -> None:
    """What cannot be checked yet is said: how many keys, of which owner."""
    put(facts, ("o1", "pub:pmid:26028407", None), ("o2", None, None))
    deferred = {"columns": ["endpoint_key"], "to": "q_publications", "deferred": True}
    result = judged(facts, outcomes(deferred, public=False), "q_publications")
    assert (result.status, found(result)) == (
        Status.WARN,
        [("endpoint_key", "warn", "owner_deferred")],
    )
    assert result.samples[0].metadata["unchecked_keys"] == 1


def test_an_owner_that_is_missing_without_leave_blocks(facts: Connection) -> None:
    """An owner nobody built is not a pass."""
    put(facts, ("o1", "endpoint:orr", None))
    result = judged(facts, outcomes(ENDPOINT), "q_endpoints")
    assert (result.blocks, found(result)) == (
        True,
        [("endpoint_key", "block", "owner_missing")],
    )


def test_an_empty_relation_is_not_evaluated(facts: Connection) -> None:
    """No row, no verdict; the contract may give leave."""
    result = judged(facts, outcomes(ENDPOINT))
    assert (result.status, result.blocks, result.rows_checked) == (Status.NOT_EVALUATED, True, 0)
    assert judged(facts, outcomes(ENDPOINT, may_be_empty=True)).status is Status.PASS


def test_a_missing_relation_is_not_evaluated(facts: Connection) -> None:
    """No relation, no verdict, whatever the contract says about emptiness."""
    result = judged(facts, outcomes(ENDPOINT, may_be_empty=True), "q_trial_outcomes")
    assert (result.status, result.blocks) == (Status.NOT_EVALUATED, True)
    assert result.remediation_hint == "Build q_trial_outcomes: it has no relation to judge."


def test_an_error_of_the_gate_blocks_and_tells_no_value(facts: Connection) -> None:
    """A gate that raises has not passed, and its message holds no value of a row."""
    put(facts, ("o1", "endpoint:secret", None))
    facts.execute(
        "alter table clinical_trials__g000007.q_endpoints alter endpoint_key type integer using 1"
    )
    result = judged(facts, outcomes(ENDPOINT), severity=Severity.WARNING)
    assert (result.status, result.blocks) == (Status.ERROR, True)
    assert result.error == "UndefinedFunction [42883]"


def test_keys_that_are_not_public_are_counted_and_not_shown(facts: Connection) -> None:
    """A key of an internal column leaves the database as a count only."""
    put(facts, ("o2", "endpoint:orrr", None))
    result = judged(facts, outcomes(ENDPOINT, public=False))
    assert (result.rows_failing, result.sample_keys) == (1, ())
    assert "o2" not in str(result.document()["samples"])


def test_samples_are_capped_and_counts_are_not(facts: Connection) -> None:
    """At most 25 keys, in the order of the keys."""
    put(facts, *((f"o{n:02d}", "endpoint:none", None) for n in range(40)))
    result = judged(facts, outcomes(ENDPOINT))
    assert (result.rows_failing, result.reasons) == (40, {"key_dangling": 40})
    assert result.sample_keys == tuple(f"o{n:02d}" for n in range(25))


def test_a_warning_gate_records_and_does_not_block(facts: Connection) -> None:
    """Severity is the contract's: the same rows warn where it says so."""
    put(facts, ("o2", "endpoint:orrr", None))
    result = judged(facts, outcomes(ENDPOINT), severity=Severity.WARNING)
    assert (result.status, result.blocks, result.rows_failing) == (Status.WARN, False, 1)


def test_where_narrows_what_is_judged_and_is_recorded(facts: Connection) -> None:
    """Rows outside `where` are not looked at; the result says which condition it was."""
    put(facts, ("o1", "endpoint:orr", None), ("o2", "endpoint:orrr", None))
    result = judged(facts, outcomes(ENDPOINT), where="outcome_key = 'o1'")
    assert (result.status, result.rows_checked) == (Status.PASS, 1)
    assert result.document()["where"] == "outcome_key = 'o1'"


def test_hostile_names_stay_names(conn: Connection) -> None:
    """Quotes, braces, percent signs and reserved words in names are only names."""
    name = 'q_"%s{{ x }}$$'
    conn.execute("create schema clinical_trials__g000007")
    with conn.cursor() as cursor:
        from psycopg import sql

        table = sql.Identifier(SCHEMA, name)
        cursor.execute(
            sql.SQL("create table {} ({} text, {} text)").format(
                table, sql.Identifier("select"), sql.Identifier('a"b%')
            )
        )
        cursor.execute(sql.SQL("insert into {} values ('k', 'none')").format(table))
        cursor.execute(
            sql.SQL("create table {} ({} text)").format(
                sql.Identifier(SCHEMA, "q_'owner"), sql.Identifier("'; drop")
            )
        )
    owner = model("q_'owner", "x text!", row_key=["'; drop"])
    child = model(
        name, "select text!", row_key=["select"],
        references=[{"columns": ['a"b%'], "to": "q_'owner"}],
    )  # fmt: skip
    result = evaluate(conn, spec("referential_integrity", child, owner), in_schema())
    assert result.reasons == {"key_dangling": 1}


@pytest.mark.parametrize(
    ("below", "expected"),
    [
        ({}, ("endpoint_key", "block", "owner_missing")),
        ({"links": Related("links", "resolution", "links")}, ("o2", "block", "key_dangling")),
    ],
)
def test_a_test_may_refer_to_what_lies_below_the_families(
    facts: Connection, below: dict[str, Related], expected: tuple[str, str, str]
) -> None:
    """By the columns that it names; what dbt does not know is no owner."""
    facts.execute("create table resolution.links as select 'link:1' as link_key")
    facts.execute(
        f"insert into {SCHEMA}.q_trial_outcomes values ('o1', 'link:1'), ('o2', 'link:2')".encode()
    )
    reference = {"columns": ["endpoint_key"], "to": "links", "to_columns": ["link_key"]}
    judged = spec(
        "referential_integrity", outcomes(), arguments={"references": [reference]}, related=below
    )
    assert found(evaluate(facts, judged, in_schema("links"))) == [expected]
