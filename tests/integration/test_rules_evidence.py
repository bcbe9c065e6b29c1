"""What evidence holds: places, proofs, the schema diff; and how its statements are run."""

from __future__ import annotations

from typing import Any

import pytest

from integration.judging import SCHEMA, SEED, Connection, judged, table, told
from tidegate.contracts.keys import ChangeKind, Classification
from tidegate.errors import InvariantBroken, UsageError
from tidegate.macros import render
from tidegate.rules.columns import Column
from tidegate.rules.evaluation import evaluate
from tidegate.rules.judge import Reason
from tidegate.rules.load import load_policy
from tidegate.rules.model import RULE_TYPES
from tidegate.rules.relation import Relation, read_facts
from tidegate.rules.validation import PolicySource, RuleStatus, Verdict
from tidegate.rules.words import Severity
from tidegate.shapes.model import Change, ReasonCode, SchemaDiff
from tidegate.warehouse import Warehouse


def test_at_most_25_row_numbers_the_lowest_first(conn: Connection) -> None:
    """One cap everywhere: 25."""
    relation = table(conn, "a int")
    conn.execute("insert into public.t select i, null from generate_series(40, 1, -1) as i")
    validation = judged(
        conn,
        relation,
        {"type": "not_null", "field": "a"},
        {"type": "unique", "field": "a"},
        {"type": "referential", "field": "a", "allowed_values": [1]},
    )
    assert told(validation) == [(f"r{n}", "failed", 40, tuple(range(1, 26))) for n in range(3)]


def test_rows_are_named_by_public_keys_or_not_at_all(conn: Connection) -> None:
    """Without row numbers: keys that are public, else counts only; never a confidential key."""
    relation = table(conn, "k text, v int", "'x', null", "'y', null")
    rule = {"type": "not_null", "field": "v"}
    by_key = judged(conn, relation, rule, row_number=None, row_key=["k", "n"]).outcomes[0]
    assert (by_key.row_numbers, by_key.row_keys) == (None, ("x|1", "y|2"))
    bare = judged(conn, relation, rule, row_number=None).outcomes[0]
    assert (bare.violating_rows, bare.row_numbers, bare.row_keys) == (2, None, None)
    with pytest.raises(InvariantBroken, match="A row key with a sensitive or masked column"):
        judged(conn, relation, rule, row_number=None, row_key=["k"],
               columns=[Column("k", "text", confidential=True)])  # fmt: skip


def test_what_constraints_prove_is_not_scanned(conn: Connection) -> None:
    """A primary key and a not-null constraint prove their rules; a warning does so too."""
    relation = table(conn, "id int primary key, a int not null, b int unique, c int", "1, 1, 1, 1")
    validation = judged(
        conn,
        relation,
        {"type": "unique", "field": "id"},
        {"type": "unique", "fields": ["c", "id"]},
        {"type": "not_null", "fields": ["id", "a"]},
        {"type": "field", "field": "a", "nullable": False},
        {"type": "unique", "field": "b", "ignore_nulls": True},
        {"type": "unique", "field": "b"},
        {"type": "not_null", "fields": ["id", "c"]},
    )
    assert [found.proved_by for found in validation.outcomes] == ["constraint"] * 5 + [None, None]
    assert all(found.status is RuleStatus.PASSED for found in validation.outcomes)


@pytest.mark.parametrize(
    "ddl",
    [
        "create unique index on public.t (x) where x > 0",
        "create unique index on public.t ((x + 0))",
        "create index on public.t (x)",
        "alter table public.t add unique (x) deferrable initially deferred",
        "create unique index on public.t (x, n)",
        "create table public.child () inherits (public.t)",
    ],
)
def test_an_index_that_proves_less_proves_nothing(conn: Connection, ddl: str) -> None:
    """Partial, deferrable, wider and expression indexes, and parents, leave rows unproved."""
    relation = table(conn, "x int not null")
    if "inherits" in ddl:
        conn.execute("alter table public.t add unique (x)")
    conn.execute(ddl)
    conn.execute("insert into public.t values (1, 1), (2, 2)")
    found = judged(conn, relation, {"type": "unique", "field": "x"}).outcomes[0]
    assert (found.status, found.proved_by) == (RuleStatus.PASSED, None)


def test_an_index_under_another_collation_proves_nothing(conn: Connection) -> None:
    """What is unique under one collation need not be under the column's own."""
    relation = table(conn, "x text not null", "'a'")
    conn.execute('create unique index on public.t (x collate "C")')
    rule = {"type": "unique", "field": "x"}
    assert judged(conn, relation, rule).outcomes[0].proved_by is None
    conn.execute("create unique index on public.t (x) include (n)")
    assert judged(conn, relation, rule).outcomes[0].proved_by == "constraint"


def test_a_not_null_constraint_that_was_not_validated_proves_nothing(conn: Connection) -> None:
    """PostgreSQL 18 can promise for new rows only; earlier ones cannot, and promise for all."""
    relation = table(conn, "x int", "null")
    if conn.info.server_version >= 180000:
        conn.execute("alter table public.t add constraint later not null x not valid")
    else:
        conn.execute("alter table public.t add check (x is not null) not valid")
    found = judged(conn, relation, {"type": "not_null", "field": "x"}).outcomes[0]
    assert (found.status, found.violating_rows, found.proved_by) == (RuleStatus.FAILED, 1, None)


def test_a_constraint_over_a_foreign_partition_proves_nothing(conn: Connection) -> None:
    """What another server holds is promised by nobody, under a parent's constraint as well."""
    conn.execute(
        "create table public.whole (x int not null) partition by list (x);"
        "create table public.here partition of public.whole for values in (1)"
    )
    relation = Relation("public", "whole")
    assert read_facts(conn, relation).raw["columns"]["x"]["not_null"] is True
    conn.execute(
        "create foreign data wrapper nowhere; create server other foreign data wrapper nowhere;"
        "create foreign table public.there partition of public.whole for values in (2) server other"
    )
    assert read_facts(conn, relation).raw["columns"]["x"]["not_null"] is False


def test_nulls_not_distinct_proves_more(conn: Connection) -> None:
    """An index in which nulls are equal proves uniqueness with nulls."""
    relation = table(conn, "x int", "null")
    conn.execute("create unique index on public.t (x) nulls not distinct")
    assert judged(conn, relation, {"type": "unique", "field": "x"}).outcomes[0].proved_by


def test_uniqueness_runs_beside_the_scan_on_one_snapshot(warehouse: Warehouse) -> None:
    """With workers on an exported snapshot the answer is that of one connection."""
    with warehouse.connect() as admin:
        relation = table(admin, "a int, b int", "1, 1", "1, 2", "2, 2")
    with warehouse.transaction() as conn, warehouse.transaction() as worker:
        conn.execute("set transaction isolation level repeatable read")
        snapshot = conn.execute("select pg_export_snapshot()").fetchone()
        worker.execute("set transaction isolation level repeatable read")
        worker.execute(f"set transaction snapshot '{snapshot[0] if snapshot else ''}'")
        with warehouse.connect() as other:
            other.execute("insert into public.t values (4, 2, 2)")
        given = [{"type": "unique", "field": "a"}, {"type": "unique", "field": "b"},
                 {"type": "not_null", "field": "a"}]  # fmt: skip
        together = judged(conn, relation, *given, workers=[worker])
        alone = judged(conn, relation, *given)
    assert together == alone
    assert told(together) == [
        ("r0", "failed", 2, (1, 2)), ("r1", "failed", 2, (2, 3)), ("r2", "passed", 0, None),
    ]  # fmt: skip


def test_the_exact_count_runs_only_where_the_proof_fails(conn: Connection) -> None:
    """Clean keys cost one pass over hashes: the plan's exact part is never executed."""
    relation = table(conn, "a int", "1", "2")
    policy = load_policy({"version": "1", "rules": [{"id": "a", "type": "unique", "field": "a"}]})
    facts = read_facts(conn, relation)
    query = render(
        "rule_unique_scan", relation.sql, [policy.rules[0].complete()], facts.raw["columns"],
        "null::bigint", 25,
    )  # fmt: skip
    plan = conn.execute(f"explain (analyze, costs off, timing off) {query}".encode()).fetchall()
    text = "\n".join(row[0] for row in plan)
    assert "WindowAgg (never executed)" in text
    conn.execute("insert into public.t values (3, 2)")
    again = conn.execute(f"explain (analyze, costs off, timing off) {query}".encode()).fetchall()
    assert not any("never executed" in row[0] for row in again)


def test_the_schema_diff_is_part_of_the_verdict(conn: Connection) -> None:
    """Breaking and unknown block, a warning warns, and what is approved is done with."""
    relation = table(conn, "a int", "1")
    rule = {"type": "row_count", "minimum": 1}

    def verdict(diff: SchemaDiff, **options: Any) -> Verdict:
        return judged(conn, relation, rule, schema=diff, **options).verdict

    def change(grade: str) -> SchemaDiff:
        kind, reason = ChangeKind.FIELD_REMOVED, next(iter(ReasonCode))
        graded = Classification(grade)
        return SchemaDiff((Change(kind, "x", reason, graded, "integer", ""),))

    assert verdict(SchemaDiff()) is Verdict.PASSED
    assert verdict(change("warning")) is Verdict.READY_WITH_WARNINGS
    assert verdict(change("breaking")) is Verdict.FAILED
    assert verdict(change("breaking"), schema_approved=True) is Verdict.PASSED
    assert verdict(SchemaDiff(unknown=next(iter(ReasonCode)))) is Verdict.FAILED


def test_the_evidence_names_the_policy_and_its_source(conn: Connection) -> None:
    """Version, hash, and whether the policy was inherited or the stage's own."""
    relation = table(conn, "id integer, status text, amount numeric", "1, 'new', 0")
    policy = load_policy(SEED)
    for source in PolicySource:
        document = evaluate(conn, policy, relation, source=source).document()
        assert document["policy"] == {
            "version": "monthly-import-v1", "sha256": policy.sha256, "source": source.value,
        }  # fmt: skip


def test_closed_vocabularies_are_those_of_the_schema() -> None:
    """The JSON Schema of the evidence and the enums say the same words."""
    rule = SCHEMA["$defs"]["rule"]["properties"]
    assert set(rule["type"]["enum"]) == set(RULE_TYPES)
    assert set(rule["severity"]["enum"]) == {word.value for word in Severity}
    assert set(rule["status"]["enum"]) == {word.value for word in RuleStatus}
    assert set(rule["reason"]["enum"]) == {word.value for word in Reason}
    top = SCHEMA["properties"]
    assert set(top["verdict"]["enum"]) == {word.value for word in Verdict}
    assert set(top["policy"]["properties"]["source"]["enum"]) == {w.value for w in PolicySource}


def test_rows_can_only_be_named_by_numbers_that_are_there(conn: Connection) -> None:
    """A row number that is absent, or holds text, would break rules or show values."""
    relation = table(conn, "email text", "'a'")
    rule = {"type": "not_null", "field": "email"}
    for options, expected in (
        (
            {"row_number": "email"},
            "The column 'email' of public.t is text, not a row number."
            " Name a column of whole numbers.",
        ),
        (
            {"row_number": None, "row_key": ["gone"]},
            "public.t has no column 'gone' to name rows by. Name one of its columns.",
        ),
    ):
        with pytest.raises(UsageError) as caught:
            judged(conn, relation, rule, **options)
        assert str(caught.value) == expected


def test_a_time_limit_is_waited_for_once(conn: Connection) -> None:
    """A statement that was cancelled is not asked again for each rule; all of them are errors."""
    table(conn, "a int", "1")
    conn.execute(
        "create view public.v as select n, a, (select 1 from pg_sleep(60)) as slow from public.t"
    )
    conn.execute("set statement_timeout = 200")
    given = [{"type": "not_null", "field": "slow"}, *[{"type": "not_null", "field": "a"}] * 9]
    validation = judged(conn, Relation("public", "v"), *given)
    assert {found.reason for found in validation.outcomes} == {"statement_failed"}
    assert validation.row_count is None
    assert {said.message for said in validation.diagnostics} == {
        "PostgreSQL refused the statement of this rule: QueryCanceled [57014]."
    }


def test_details_that_cannot_be_had_change_no_verdict(
    conn: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the statement for row numbers is refused, counts stand and a diagnostic says so."""
    relation = table(conn, "a int", "null")
    monkeypatch.setattr(
        "tidegate.rules.evaluation._Run._details_sql", lambda run, rules: "select 1 / 0"
    )
    validation = judged(conn, relation, {"type": "not_null", "field": "a"})
    assert told(validation) == [("r0", "failed", 1, None)]
    assert [said.document() for said in validation.diagnostics] == [
        {
            "code": "no_details",
            "message": "PostgreSQL refused the details of this rule: DivisionByZero [22012].",
            "rule": "r0",
        }
    ]
