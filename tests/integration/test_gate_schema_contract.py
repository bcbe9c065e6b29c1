"""schema_contract on real relations: drift blocks, other spellings of one type pass."""

from __future__ import annotations

import pytest
from psycopg import sql

from integration.gating import found, in_schema, model, spec
from tidegate.connection import Connection
from tidegate.gates.evaluate import evaluate
from tidegate.gates.model import Column, Model, Status
from tidegate.gates.result import GateResult
from tidegate.macros import render

TRIALS = model(
    "q_trials",
    "trial_key text!, phases text[]!, overall_status text!, start_date date",
    row_key=["trial_key"],
    public=False,
)


@pytest.fixture
def live(conn: Connection) -> Connection:
    """An empty generation."""
    conn.execute("create schema clinical_trials__g000007")
    return conn


def create(conn: Connection, body: str) -> None:
    conn.execute(
        sql.SQL("set search_path to clinical_trials__g000007, pg_catalog; {};").format(
            sql.SQL(body)
        )
    )
    conn.execute("set search_path to pg_catalog, pg_temp")


def judged(conn: Connection, contract: Model, *missing: str) -> GateResult:
    return evaluate(conn, spec("schema_contract", contract), in_schema(*missing))


def test_a_table_like_its_contract_passes(live: Connection) -> None:
    """Columns, types and nullability agree; the harness's own column is not drift."""
    create(
        live,
        """create table q_trials (trial_key text not null, phases text[] not null,
        overall_status text not null, start_date date, _generation integer not null default 7)""",
    )
    result = judged(live, TRIALS)
    assert (result.status, result.rows_checked, found(result)) == (Status.PASS, 4, [])


def test_every_drift_is_reported_at_once_with_its_metadata(live: Connection) -> None:
    """Type, nullability and a missing column block; an additive one warns; shapes are shown."""
    create(
        live,
        """create table q_trials (trial_key text not null, phases text not null,
        overall_status text, extra_note text)""",
    )
    result = judged(live, TRIALS)
    assert (result.status, result.rows_failing, result.rows_warning) == (Status.FAIL, 3, 1)
    assert [(s.row_key, s.level.value, s.reason, s.metadata) for s in result.samples] == [
        ("overall_status", "block", "nullability_differs",
         {"contract": "not null", "found": "nullable"}),
        ("phases", "block", "type_differs", {"contract": "text[]", "found": "text"}),
        ("start_date", "block", "column_missing", {"contract": "date", "found": None}),
        ("extra_note", "warn", "column_undocumented", {"contract": None, "found": "text"}),
    ]  # fmt: skip
    assert result.remediation_hint.startswith("Make the model's SQL and its contract agree")


def test_a_dropped_column_is_not_there(live: Connection) -> None:
    """What PostgreSQL keeps of a dropped column is no column."""
    create(
        live,
        """create table q_trials (trial_key text not null, phases text[] not null,
        overall_status text not null, start_date date, extra_note text);
        alter table q_trials drop column extra_note""",
    )
    assert judged(live, TRIALS).status is Status.PASS


def test_only_an_additive_column_warns(live: Connection) -> None:
    """An undocumented column alone does not withhold the model."""
    create(
        live,
        """create table q_trials (trial_key text not null, phases text[] not null,
        overall_status text not null, start_date date, extra_note text)""",
    )
    result = judged(live, TRIALS)
    assert (result.status, result.blocks) == (Status.WARN, False)


def test_a_stricter_table_differs_too(live: Connection) -> None:
    """Not null where the contract says nullable is drift as well."""
    create(
        live,
        """create table q_trials (trial_key text not null, phases text[] not null,
        overall_status text not null, start_date date not null)""",
    )
    assert found(judged(live, TRIALS)) == [("start_date", "block", "nullability_differs")]


@pytest.mark.parametrize("kind", ["view", "materialized view"])
def test_a_view_is_judged_by_its_rows_never_by_its_nullability(live: Connection, kind: str) -> None:
    """PostgreSQL calls every view column nullable; nulls in the rows are what counts."""
    create(
        live,
        """create table source (
            trial_key text, phases text[], overall_status text, start_date date
        );
        insert into source values ('trial:NCT01642004', '{PHASE3}', 'COMPLETED', '2012-10-16')""",
    )
    create(live, "create " + kind + " q_trials as select * from source")
    assert judged(live, TRIALS).status is Status.PASS
    create(live, "insert into source values ('trial:NCT02210780', null, null, null)")
    if kind == "materialized view":
        create(live, "refresh materialized view q_trials")
    result = judged(live, TRIALS)
    assert found(result) == [
        ("overall_status", "block", "nulls_present"),
        ("phases", "block", "nulls_present"),
    ]
    assert result.samples[0].metadata == {"nulls": 1}


def test_a_view_without_a_contracted_column_is_still_judged(live: Connection) -> None:
    """The look for nulls leaves out what is not there; the missing column is reported."""
    create(live, "create view q_trials as select 't'::text as trial_key, null::date as start_date")
    assert found(judged(live, TRIALS)) == [
        ("overall_status", "block", "column_missing"),
        ("phases", "block", "column_missing"),
    ]


@pytest.mark.parametrize("known", [True, False])
def test_a_missing_relation_is_reported_once(live: Connection, known: bool) -> None:
    """A model without a relation is one finding, not one a column."""
    result = judged(live, TRIALS, *([] if known else ["q_trials"]))
    assert (result.status, result.blocks) == (Status.FAIL, True)
    assert found(result) == [("q_trials", "block", "relation_missing")]


def test_the_macro_itself_reports_a_missing_relation_once(live: Connection) -> None:
    """dbt calls the macro without looking first: still one row, and it blocks."""
    columns = [{"name": "k", "data_type": "text", "nullable": True}]
    violations = render("schema_contract", '"clinical_trials__g000007"."q_x"', "q_x", columns)
    assert live.execute(violations.encode()).fetchall() == [
        ("q_x", "block", "relation_missing", {"relation": '"clinical_trials__g000007"."q_x"'})
    ]


SPELLINGS = [
    ("int4", "integer"),
    ("int", "integer"),
    ("bigint[]", "int8[]"),
    ("decimal(10, 2)", "numeric(10,2)"),
    ("numeric(10)", "numeric(10,0)"),
    ("numeric", "numeric"),
    ("NUMERIC(10,2)[]", "numeric(10,2)[]"),
    ("varchar(20)", "character varying(20)"),
    ("varchar", "character varying"),
    ("char", "character(1)"),
    ("char(6)", "bpchar(6)"),
    ("bpchar", "bpchar"),
    ('"char"', '"char"'),
    ("bit", "bit(1)"),
    ("bit varying(8)", "varbit(8)"),
    ("timestamptz(3)", "timestamp(3) with time zone"),
    ("timestamp(3) with time zone", "timestamptz(3)"),
    ("timestamp", "timestamp without time zone"),
    ("time(0)", "time(0) without time zone"),
    ("float", "double precision"),
    ("float(24)", "real"),
    ("float(25)", "float8"),
    ("interval(3)", "interval(3)"),
    ("bool", "boolean"),
    ("integer[3]", "integer[]"),
    ("clinical_trials__g000007.phase", "clinical_trials__g000007.phase"),
    ("clinical_trials__g000007.phase[]", "clinical_trials__g000007.phase[]"),
    ("clinical_trials__g000007.amount", "clinical_trials__g000007.amount"),
]


def _typed(conn: Connection, contracted: str, built: str) -> GateResult:
    create(
        conn,
        "create type phase as enum ('PHASE3'); create domain amount as numeric(12,2);"
        "create table q_x (v " + built + ")",
    )
    contract = model("q_x", "v text", row_key=["v"])
    columns = (Column("v", contracted, nullable=True),)
    return judged(conn, Model(contract.name, contract.keys, columns, contract.candidate))


@pytest.mark.parametrize(("contracted", "built"), SPELLINGS)
def test_two_spellings_of_one_type_agree(live: Connection, contracted: str, built: str) -> None:
    """Aliases, case, spaces and default modifiers are not drift."""
    assert _typed(live, contracted, built).status is Status.PASS


@pytest.mark.parametrize(
    ("contracted", "built", "canonical", "live_type"),
    [
        ("numeric(10,2)", "numeric(12,2)", "numeric(10,2)", "numeric(12,2)"),
        ("numeric(10,2)", "numeric", "numeric(10,2)", "numeric"),
        ("numeric", "numeric(10,2)", "numeric", "numeric(10,2)"),
        ("numeric(10,2)[]", "numeric(10,3)[]", "numeric(10,2)[]", "numeric(10,3)[]"),
        ("varchar(20)", "varchar(30)", "character varying(20)", "character varying(30)"),
        ("char", '"char"', "character(1)", '"char"'),
        ("char", "bpchar", "character(1)", "bpchar"),
        ("text", "varchar", "text", "character varying"),
        ("timestamptz", "timestamp", "timestamp with time zone", "timestamp without time zone"),
        ("timestamp(3)", "timestamp(6)", "timestamp(3) without time zone",
         "timestamp(6) without time zone"),
        ("integer", "bigint", "integer", "bigint"),
        ("float(24)", "float8", "real", "double precision"),
        ("numeric(12,2)", "amount", "numeric(12,2)", "clinical_trials__g000007.amount"),
        ("interval(3)", "interval", "interval(3)", "interval"),
    ],
)  # fmt: skip
def test_a_type_that_is_another_one_blocks(
    live: Connection, contracted: str, built: str, canonical: str, live_type: str
) -> None:
    """Precision, scale, length, time zone, arrays and domains are part of a type."""
    result = _typed(live, contracted, built)
    assert [(s.reason, s.metadata) for s in result.samples] == [
        ("type_differs", {"contract": canonical, "found": live_type})
    ]


def test_a_type_nobody_knows_blocks(live: Connection) -> None:
    """A contract whose type does not exist is not a pass."""
    result = _typed(live, "no_such_type", "text")
    assert found(result) == [("v", "block", "type_unknown")]


@pytest.mark.parametrize("contracted", ["text) select 1", "numeric(a)", "numeric(10,2", "'"])
def test_a_hostile_type_is_never_a_pass(live: Connection, contracted: str) -> None:
    """What is no type ends as unknown or as an error, and is not executed."""
    assert _typed(live, contracted, "text").blocks


def test_a_mixed_case_name_is_another_name(live: Connection) -> None:
    """Names are compared exactly."""
    create(live, 'create table q_x ("Value" text)')
    contract = model("q_x", "value text", row_key=["value"])
    assert found(judged(live, contract)) == [
        ("value", "block", "column_missing"),
        ("Value", "warn", "column_undocumented"),
    ]


PHASES = ("NA", "PHASE1", "PHASE2", "PHASE3")


def closed(phases: str = "text[]", status: str = "text") -> Model:
    """A contract with a closed enum of a text column and of the members of an array."""
    columns = (
        Column("trial_key", "text", nullable=True),
        Column("phases", phases, nullable=True, enum=PHASES),
        Column("overall_status", status, nullable=True, enum=("COMPLETED", "it's open")),
    )
    made = model("q_trials", "trial_key text", row_key=["trial_key"])
    return Model(made.name, made.keys, columns, made.candidate)


def trials(conn: Connection, *rows: str, kind: str = "table") -> None:
    create(
        conn,
        "create table source (trial_key text, phases text[], overall_status text);"
        + "".join(f"insert into source values ({row});" for row in rows)
        + f"create {kind} q_trials as select * from source",
    )


@pytest.mark.parametrize("kind", ["table", "view"])
def test_only_values_of_closed_enums_pass(live: Connection, kind: str) -> None:
    """Every value and member of the list; null and an empty array claim nothing."""
    trials(
        live,
        "'t1', '{PHASE1,PHASE2}', 'COMPLETED'",
        "'t2', '{}', 'it''s open'",
        "'t3', null, null",
        kind=kind,
    )
    assert judged(live, closed()).status is Status.PASS


@pytest.mark.parametrize("kind", ["table", "view"])
def test_a_value_outside_a_closed_enum_blocks(live: Connection, kind: str) -> None:
    """Column and count of rows are told, the value is nowhere; near misses are other values."""
    trials(
        live,
        "'t1', '{PHASE3}', 'COMPLETED'",
        "'t2', '{PHASE3,PHASE5}', 'completed'",
        "'t3', '{PHASE5,PHASE5}', 'COMPLETED '",
        "'t4', '{NULL}', ''",
        kind=kind,
    )
    result = judged(live, closed())
    assert (result.status, result.blocks, result.rows_failing) == (Status.FAIL, True, 2)
    assert [(s.row_key, s.level.value, s.reason, s.metadata) for s in result.samples] == [
        ("overall_status", "block", "value_outside_enum", {"rows": 3}),
        ("phases", "block", "value_outside_enum", {"rows": 3}),
    ]
    assert "PHASE5" not in str(result.document())


def test_nulls_and_enums_of_a_view_are_counted_in_one_scan(live: Connection) -> None:
    """Whatever rows have to say costs one look at them."""
    contract = closed()
    required = tuple(
        Column(item.name, item.data_type, nullable=False, enum=item.enum)
        for item in contract.columns
    )
    judging = Model(contract.name, contract.keys, required, contract.candidate)
    trials(live, "null, '{PHASE5}', 'COMPLETED'", "'t', null, 'x'", kind="view")
    assert found(judged(live, judging)) == [
        ("overall_status", "block", "value_outside_enum"),
        ("phases", "block", "nulls_present"),
        ("phases", "block", "value_outside_enum"),
        ("trial_key", "block", "nulls_present"),
    ]
    violations = render(
        "schema_contract",
        '"s"."q_x"',
        "q_x",
        [],
        ["a", "b"],
        [{"name": "c", "array": False, "values": ["x"]}],
    )
    assert violations.count('from "s"."q_x"') == 1


def test_a_column_of_another_type_is_reported_as_that(live: Connection) -> None:
    """Text where an array belongs is drift, not an error and not a value; so is what is missing."""
    create(live, "create table q_trials as select 't' as trial_key, 'PHASE5' as phases")
    assert found(judged(live, closed())) == [
        ("overall_status", "block", "column_missing"),
        ("phases", "block", "type_differs"),
    ]


def test_an_empty_enum_allows_no_value(live: Connection) -> None:
    """A closed list without members is closed."""
    trials(live, "'t1', '{}', null", "'t2', '{}', 'COMPLETED'")
    contract = closed()
    columns = (*contract.columns[:2], Column("overall_status", "text", nullable=True, enum=()))
    judging = Model(contract.name, contract.keys, columns, contract.candidate)
    assert [(s.row_key, s.metadata) for s in judged(live, judging).samples] == [
        ("overall_status", {"rows": 1})
    ]
