"""What is written for ever stays as it was written, whoever asks for a change."""

from __future__ import annotations

from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from landing_project import NOTES, ORDERS, make_project
from tidegate.connection import Connection
from tidegate.contracts.keys import Classification
from tidegate.contracts.load import load_project
from tidegate.ledger import audit, evidence, publications
from tidegate.rules.load import load_policy
from tidegate.warehouse import Warehouse

HASH = "ab" * 32


def published(conn: Connection, key: str = "k1") -> int:
    attempt = publications.Attempt("acme", "loader", key, HASH)
    return publications.record(
        conn,
        attempt,
        kind="family",
        subject="clinical_trials",
        content_sha256=HASH,
        validation={},
        generation=1,
    ).publication_id


def kept_for_ever(conn: Connection) -> None:
    audit.record(conn, "datasource.publication.published", "clinical_trials", "ada", {"rows": 3})
    evidence.store(conn, published(conn), "q_trials", {"version": "v1", "counts": {"rows": 3}})


@pytest.mark.parametrize("table", ["governance.audit_events", "provenance.publication_validation"])
@pytest.mark.parametrize("statement", ["update {} set {}", "delete from {}", "truncate {}"])
@pytest.mark.parametrize("who", ["owner", "tidegate_publisher", "replica"])
def test_the_database_refuses_to_change_what_is_append_only(
    conn: Connection, table: str, statement: str, who: str
) -> None:
    """Neither the owner, nor the publisher with every right, nor replica mode gets past it."""
    kept_for_ever(conn)
    schema, name = table.split(".")
    relation = sql.Identifier(schema, name)
    change = sql.SQL("subject = 'x'" if schema == "governance" else "relation = 'x'")
    if who == "tidegate_publisher":
        conn.execute(
            sql.SQL(
                "grant usage on schema {} to tidegate_publisher; grant all on {} to"
                " tidegate_publisher; set role tidegate_publisher"
            ).format(sql.Identifier(schema), relation)
        )
    elif who == "replica":
        conn.execute("set session_replication_role = replica")
    with pytest.raises(psycopg.errors.RestrictViolation) as refused:
        conn.execute(sql.SQL(statement).format(relation, change))
    assert refused.value.diag.message_primary == f"{table} is append-only"


def test_an_upsert_cannot_change_a_recorded_validation(conn: Connection) -> None:
    """`on conflict do update` is an update too."""
    kept_for_ever(conn)
    with pytest.raises(psycopg.errors.RestrictViolation):
        conn.execute(
            "insert into provenance.publication_validation select * from"
            " provenance.publication_validation"
            " on conflict (publication_id, relation) do update set classification = 'breaking'"
        )


def test_a_publication_keeps_its_exact_validation(conn: Connection) -> None:
    """Document, version, hashes and classification come back as they were given."""
    document = {"version": "v1", "rules": [{"id": "r", "failed": 0}], "rate": 0.25}
    number = published(conn)
    sha256 = evidence.store(
        conn,
        number,
        "q_trials",
        document,
        classification=Classification.WARNING,
        policy_version="v1",
        policy_sha256=HASH,
    )
    row = conn.execute(
        "select policy_version, policy_sha256, classification, validation_sha256, validation"
        " from provenance.publication_validation where publication_id = %s",
        [number],
    ).fetchone()
    assert row == ("v1", HASH, "warning", sha256, document)
    assert evidence.document_sha256(row[4]) == sha256


def test_two_spellings_of_one_document_have_one_hash() -> None:
    """Key order and 1.0 beside 1 are spelling; a changed number is not."""
    one = evidence.document_sha256({"a": 1, "b": [1.0]})
    assert one == evidence.document_sha256({"b": [1], "a": 1.0})
    assert one != evidence.document_sha256({"a": 1, "b": [2]})


def test_a_policy_is_kept_once_under_its_hash_and_never_changed(conn: Connection) -> None:
    """The hash in the evidence leads to the complete policy; every role may read it."""
    policy = {"version": "v1", "rules": [{"id": "r", "type": "row_count", "minimum": 1}]}
    evidence.keep_policy(conn, "v1", HASH, policy)
    evidence.keep_policy(conn, "v1", HASH, policy)
    conn.execute("set role tidegate_reader")
    rows = conn.execute("select policy_sha256, version, policy from governance.quality_policies")
    assert rows.fetchall() == [(HASH, "v1", policy)]
    conn.execute("reset role")
    with pytest.raises(psycopg.errors.RestrictViolation):
        conn.execute("update governance.quality_policies set version = 'v2'")


def test_the_policies_of_contracts_are_kept_as_written(conn: Connection, tmp_path: Path) -> None:
    """Under the hash that the evidence of a validation names; without a policy nothing is kept."""
    policy = "{version: v1, rules: [{id: some, type: row_count, minimum: 1}]}"
    (tmp_path / "dbt_project.yml").write_text("name: test\nprofile: tidegate\n", encoding="utf-8")
    folder = tmp_path / "contracts" / "datasets"
    folder.mkdir(parents=True)
    text = ORDERS.replace("KIND", "append")
    (folder / "shop.yml").write_text(
        text.replace(
            "format: {type: csv}", f"format: {{type: csv}}\n              quality_policy: {policy}"
        ),
        encoding="utf-8",
    )
    (folder / "notes.yml").write_text(NOTES, encoding="utf-8")
    project = load_project(tmp_path)
    evidence.keep_policies(conn, project.datasets.values())
    read = load_policy(project.datasets["orders"].policy or {})
    rows = conn.execute("select policy_sha256, version, policy from governance.quality_policies")
    assert rows.fetchall() == [
        (
            read.sha256,
            "v1",
            {"version": "v1", "rules": [{"id": "some", "type": "row_count", "minimum": 1}]},
        )
    ]


def test_what_refuses_deletes_refuses_to_be_emptied(conn: Connection) -> None:
    """No table of the ledger that keeps its rows can be truncated instead."""
    kept = conn.execute(
        "select tgrelid::regclass::text, bool_or(tgtype & 32 <> 0) from pg_trigger t"
        " join pg_class c on c.oid = tgrelid where not tgisinternal and relnamespace in"
        " ('governance'::regnamespace, 'provenance'::regnamespace)"
        " group by tgrelid having bool_or(tgtype & 8 <> 0)"
    ).fetchall()
    assert {"governance.audit_events", "governance.publications", "governance.runs",
            "provenance.publication_validation"} <= {name for name, _ in kept}  # fmt: skip
    assert [name for name, guarded in kept if not guarded] == []


def test_an_audit_event_says_who_when_and_under_which_policy(conn: Connection) -> None:
    """The connected role and the time are the database's, not the caller's."""
    number = audit.record(
        conn, "quality.policy.changed", "prices", "ada", {"rules": 7}, policy_sha256=HASH
    )
    row = conn.execute(
        "select event, subject, actor, session_role = session_user,"
        " at between transaction_timestamp() - interval '1 minute' and clock_timestamp(),"
        " policy_sha256, details from governance.audit_events where audit_id = %s",
        [number],
    ).fetchone()
    assert row == ("quality.policy.changed", "prices", "ada", True, True, HASH, {"rules": 7})


def test_classifications_are_the_same_in_the_database(conn: Connection) -> None:
    """The check constraint and the enum know the same words."""
    number = published(conn)
    for place, word in enumerate(Classification):
        evidence.store(conn, number, f"q_{place}", {}, classification=word)
    with pytest.raises(psycopg.errors.CheckViolation):
        conn.execute(
            "insert into provenance.publication_validation (publication_id, relation,"
            " classification, validation_sha256, validation) values (%s, 'q', 'fine', %s, '{}')",
            [number, HASH],
        )


@pytest.mark.parametrize(("minimum", "status"), [(1, "accepted"), (5, "failed")])
def test_the_policy_that_judged_a_delivery_can_be_read_back_by_its_hash(
    warehouse: Warehouse, conn: Connection, tmp_path: Path, minimum: int, status: str
) -> None:
    """Whether it let the delivery pass or not."""
    policy = f"{{version: v1, rules: [{{id: some, type: row_count, minimum: {minimum}}}]}}"
    landing = make_project(tmp_path, warehouse)
    landing.contract(
        "shop",
        ORDERS.replace("KIND", "append").replace(
            "format: {type: csv}", f"format: {{type: csv}}\n              quality_policy: {policy}"
        ),
    )
    landing.land("orders/1.csv", "id,item,qty\n1,pen,2\n")
    rows = conn.execute(
        "select r.status, p.version, p.policy #> '{rules,0,minimum}' from governance.runs r"
        " join governance.quality_policies p using (policy_sha256)"
    ).fetchall()
    assert rows == [(status, "v1", minimum)]
