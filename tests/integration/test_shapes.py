"""What a live relation is, and whether it is what its contract says."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from psycopg import sql

from tidegate.connection import Connection
from tidegate.contracts.keys import ChangeKind, Classification
from tidegate.contracts.reasons import ReasonCode
from tidegate.contracts.type_names import INTERNAL, PLAIN, quoted
from tidegate.contracts.types import PgType, parse_type
from tidegate.errors import UsageError
from tidegate.shapes.introspect import (
    LiveRelation,
    RelationKind,
    introspect,
    introspect_all,
    list_relations,
    view_sources,
)
from tidegate.shapes.mismatches import Mismatch, diff_relation
from tidegate.shapes.relation import relate
from tidegate.warehouse import Warehouse

SPELLINGS = """
int | int4 | INTEGER | int2 | smallint | int8 | bigint | float | float4 | float8 | float(1)
float(24) | float(25) | float(53) | real | double precision | dec | decimal | numeric | dec(5)
numeric(10) | numeric(10,2) | numeric(3,5) | numeric(5,-2) | numeric( 10 , 2 ) | bool | boolean
varchar | varchar(5) | character varying | character varying(20) | char | char(3) | character
character(7) | char varying(4) | nchar | nchar(3) | nchar varying(4)
national character varying(3) | national char(2) | bpchar | bpchar(5) | text | name | "char"
timestamp | timestamp(3) | timestamp(0) without time zone | timestamptz | timestamptz(3)
timestamp with time zone | timestamp(3) with time zone | timestamp(6) | time | time(3) | timetz
timetz(2) | time with time zone | time(1) with time zone | time without time zone | date | interval
interval(3) | interval year | interval month | interval day | interval hour | interval minute
interval second | interval day to hour | interval day to minute | interval day to second
interval day to second(3) | interval second(0) | interval year to month | interval hour to minute
interval hour to second | interval minute to second(6) | bit | bit(4) | bit varying | bit varying(5)
varbit | varbit(3) | "bit" | uuid | json | jsonb | bytea | inet | cidr | macaddr | macaddr8 | money
xml | point | box | tsvector | tsquery | int4range | tstzrange | int8multirange | oid | regclass
pg_lsn | int[] | integer[][] | int[3][4] | _int4 | _text | _varchar | _timestamptz | _bpchar
_numeric | _bool | text[] | varchar(5)[] | numeric(10,2)[] | timestamp(3) with time zone[]
timestamptz[] | char[] | "char"[] | int array | int array[3] | uuid[] | float(24)[] | bit(3)[]
interval day to second(3)[] | pg_catalog.int4 | pg_catalog.varchar(3) | pg_catalog."char"
pg_catalog.char | pg_catalog.timestamptz(2) | pg_catalog.bit | pg_catalog.bpchar | pg_catalog._int4
pg_catalog.numeric(5,1) | "int4" | "text" | "varchar"(3) | "timestamptz" | "_int4" | xid8 | jsonpath
tid | refcursor | _name | "numeric"(4) | pg_catalog.bit(3) | pg_catalog."time"(2) | shop.mood
shop.mood[] | shop."Mood" | shop."or""der" | shop."order"[] | shop.pc | shop.pair | shop.pc[]
"""


@dataclass(frozen=True)
class Column:
    """A promised column, as small as a contract's can be."""

    name: str
    type: PgType
    nullable: bool = True


@dataclass(frozen=True)
class Promise:
    """A contract of columns only."""

    columns: tuple[Column, ...]


def promise(*columns: str) -> Promise:
    """A contract from `name type [not null]`; names are exact."""
    found = []
    for column in columns:
        name, _, kind = column.partition(" ")
        text = kind.removesuffix(" not null")
        found.append(Column(name, parse_type(text), nullable=text == kind))
    return Promise(tuple(found))


def found_in(conn: Connection, relation: str = "t", schema: str = "shop") -> LiveRelation:
    return introspect(conn, schema, relation)


def told(mismatches: tuple[Mismatch, ...]) -> list[tuple[str, str, str, str]]:
    """Column, contract, found and reason of each mismatch."""
    return [(m.column, m.contract, m.found, m.reason_code.value) for m in mismatches]


@pytest.fixture
def shop(conn: Connection) -> Connection:
    """A schema with types of its own."""
    conn.execute(
        """
        create schema shop;
        create type shop.mood as enum ('good', 'bad');
        create type shop."Mood" as enum ('good');
        create type shop."or""der" as enum ('up');
        create type shop."order" as enum ('up');
        create type shop.pair as (a int, b int);
        create domain shop.pc as varchar(8) check (value ~ '^[0-9]');
        create domain shop.strict_pc as shop.pc not null;
        """
    )
    return conn


def test_b10_canonical_text_is_what_format_type_prints(shop: Connection) -> None:
    """Over every kind of spelling, on the server at hand (15 and 18 agree)."""
    spellings = [text.strip() for line in SPELLINGS.splitlines() for text in line.split("|")]
    spellings = [text for text in spellings if text]
    shop.execute("create table shop.t (dropped int)")
    for number, text in enumerate(spellings):
        statement = sql.SQL("alter table shop.t add column {} {}").format(
            sql.Identifier(f"c{number}"), sql.SQL(text)
        )
        shop.execute(statement)
    shop.execute("alter table shop.t drop column dropped")
    printed = shop.execute(
        "select format_type(atttypid, atttypmod) from pg_attribute"
        " where attrelid = 'shop.t'::regclass and attnum > 0 and not attisdropped order by attnum"
    ).fetchall()
    assert [parse_type(text).sql for text in spellings] == [text for (text,) in printed]
    assert [field.type for field in found_in(shop).shape.fields] == [
        parse_type(text) for (text,) in printed
    ]


def test_every_type_that_postgres_brings_is_known(conn: Connection) -> None:
    """No column of a type in pg_catalog ever fails to be read."""
    rows = conn.execute(
        "select typname::text, format_type(oid, -1) from pg_type"
        " where typnamespace = 'pg_catalog'::regnamespace and typtype in ('b', 'r', 'm')"
        " and typname !~ '^_'"
    ).fetchall()
    assert len(rows) > 70
    for name, printed in rows:
        assert parse_type(f"pg_catalog.{quoted(name)}").sql == printed
        assert parse_type(printed).sql == printed
    assert PLAIN | INTERNAL.keys() >= {name for name, _ in rows}


def test_names_are_quoted_where_postgres_quotes_them(conn: Connection) -> None:
    """Every keyword of the server's grammar, as the name of a type."""
    rows = conn.execute("select word, quote_ident(word) from pg_get_keywords()").fetchall()
    wrong = [word for word, text in rows if text.startswith('"') and quoted(word) != text]
    assert wrong == []


def test_b01_materialized_views_have_columns(shop: Connection) -> None:
    """information_schema does not list them."""
    shop.execute("create materialized view shop.t as select 1 as a, array['x'] as b")
    live = found_in(shop)
    assert live.kind is RelationKind.MATERIALIZED_VIEW
    assert diff_relation(promise("a int", "b text[]"), live) == ()


def test_b02_columns_hidden_by_privileges_are_not_drift(
    shop: Connection, warehouse: Warehouse
) -> None:
    """What the role cannot see is unknown: neither passed nor drifted, and said once."""
    shop.execute("create table shop.t (x int, y int, z int)")
    shop.execute("create role tidegate_test_low")
    try:
        shop.execute("grant usage on schema shop to tidegate_test_low")
        shop.execute("grant select (x) on shop.t to tidegate_test_low")
        with warehouse.connect() as low:
            low.execute("set role tidegate_test_low")
            seen = low.execute(
                "select column_name::text from information_schema.columns"
                " where table_schema = 'shop' and table_name = 't'"
            ).fetchall()
            live = found_in(low)
        assert seen == [("x",)]
        assert live.hidden == ("y", "z")
        assert diff_relation(promise("x int", "y int", "z int"), live) == (
            Mismatch(
                column="",
                contract="3 columns",
                found="2 of 3 columns hidden",
                kind=None,
                reason_code=ReasonCode.INTROSPECTION_INCOMPLETE,
                classification=None,
                hint="The role may not read y, z of shop.t: grant select on it to the role.",
            ),
        )
        shop.execute("grant select on shop.t to tidegate_test_low")
        shop.execute("revoke usage on schema shop from tidegate_test_low")
        with warehouse.connect() as low:
            low.execute("set role tidegate_test_low")
            assert found_in(low).hidden == ("x", "y", "z")
    finally:
        shop.execute("drop owned by tidegate_test_low")
        shop.execute("drop role tidegate_test_low")


def test_b03_arrays_and_enums_keep_their_type(shop: Connection) -> None:
    """int[] is not text[], an enum is not text, and each is named as it is."""
    shop.execute("create table shop.t (a int[], b shop.mood, c shop.mood[])")
    live = found_in(shop)
    assert diff_relation(promise("a int[]", "b shop.mood", "c mood[]"), live) == ()
    mismatches = diff_relation(promise("a text[]", "b text", "c text[]"), live)
    assert told(mismatches) == [
        ("a", "text[]", "integer[]", "representation_changed"),
        ("b", "text", "shop.mood", "representation_changed"),
        ("c", "text[]", "shop.mood[]", "representation_changed"),
    ]
    assert {m.classification for m in mismatches} == {Classification.BREAKING}
    allowed = {ChangeKind.TYPE_CHANGED: Classification.WARNING}
    calm = diff_relation(promise("a int[]", "b text", "c mood[]"), live, allowed)
    assert [m.classification for m in calm] == [Classification.WARNING]


def test_b04_domains_are_domains_over_their_base(shop: Connection) -> None:
    """Named with the type that stores the values, through domains on domains."""
    shop.execute("create table shop.t (a shop.pc, b shop.strict_pc)")
    live = found_in(shop)
    mismatches = diff_relation(promise("a varchar(8)", "b varchar(8) not null"), live)
    assert told(mismatches) == [
        (
            "a",
            "character varying(8)",
            "shop.pc (domain over character varying(8))",
            "domain_over_base",
        ),
        (
            "b",
            "character varying(8) not null",
            "shop.strict_pc (domain over character varying(8)) not null",
            "domain_over_base",
        ),
    ]
    assert {m.classification for m in mismatches} == {Classification.WARNING}
    assert diff_relation(promise("a shop.pc", "b strict_pc not null"), live) == ()


def test_b06_a_narrower_scale_in_the_contract_is_precision_loss(shop: Connection) -> None:
    """The candidate's digits are compared with the contract's before anything is stored."""
    shop.execute("create view shop.t as select 1.25::numeric(10,2) as a, localtimestamp as b")
    assert told(diff_relation(promise("a numeric(10,1)", "b timestamp(0)"), found_in(shop))) == [
        ("a", "numeric(10,1)", "numeric(10,2)", "precision_loss"),
        (
            "b",
            "timestamp(0) without time zone",
            "timestamp without time zone",
            "precision_loss",
        ),
    ]


def test_b10_no_alias_is_drift(shop: Connection) -> None:
    """Each alias in a contract against its live equivalent."""
    shop.execute(
        "create table shop.t (a int4, b int, c decimal, d varchar(5), e timestamptz, f float,"
        " g bool, h char, i timestamp(6), j dec(4))"
    )
    contract = promise(
        "a integer",
        "b int4",
        "c numeric",
        "d character varying(5)",
        "e timestamp with time zone",
        "f float8",
        "g boolean",
        "h character(1)",
        "i timestamp",
        "j numeric(4,0)",
    )
    assert diff_relation(contract, found_in(shop)) == ()


def test_b14_view_nullability_is_taken_from_the_table_behind_it(shop: Connection) -> None:
    """A view never knows; its backing table does."""
    shop.execute("create table shop.backing (a int not null, b int, _generation int not null)")
    shop.execute("create view shop.t as select a, b from shop.backing")
    view = found_in(shop)
    contract = promise("a int not null", "b int not null")
    assert [field.nullable for field in view.shape.fields] == [None, None]
    assert diff_relation(contract, view) == ()
    completed = view.backed_by([found_in(shop, "backing")])
    assert told(diff_relation(contract, completed)) == [
        ("b", "integer not null", "integer", "nullability_relaxed")
    ]


def test_b14_a_view_over_several_tables_knows_only_what_all_of_them_say(shop: Connection) -> None:
    """One table without the promise is enough to lose it; tables of other schemas do not count."""
    shop.execute(
        "create table shop.one (a int not null, b int not null, c int);"
        "create table shop.two (a int not null, b int, c int);"
        "create schema other; create table other.three (a int);"
        "create view shop.t as select a, b, c from shop.one union all select a, b, c from shop.two"
        " union all select a, a, a from other.three;"
        "create view shop.literal as select 1 as a"
    )
    sources = view_sources(shop, "shop", ["t", "literal", "none"], "shop")
    assert sources == {"t": ("one", "two")}
    tables = [found_in(shop, name) for name in sources["t"]]
    assert [field.nullable for field in found_in(shop).backed_by(tables).shape.fields] == [
        False,
        None,
        True,
    ]


def test_b15_a_view_never_proves_that_a_column_is_not_null(shop: Connection) -> None:
    """Whatever it selects, its nullability is unknown; data and backing table are asked instead."""
    shop.execute("create view shop.t as select null::int as x, 1 as y")
    contract = promise("x int not null", "y int not null")
    assert {field.nullable for field in found_in(shop).shape.fields} == {None}
    assert diff_relation(contract, found_in(shop)) == ()
    shop.execute("create table shop.built as select * from shop.t")
    assert told(diff_relation(contract, found_in(shop, "built"))) == [
        ("x", "integer not null", "integer", "nullability_relaxed"),
        ("y", "integer not null", "integer", "nullability_relaxed"),
    ]


def test_b17_a_renamed_live_column_keeps_its_place(shop: Connection) -> None:
    """Same position and type: a possible rename, still breaking."""
    shop.execute("create table shop.t (id int, active bool)")
    shop.execute("alter table shop.t rename active to is_active")
    assert told(diff_relation(promise("id int", "active bool"), found_in(shop))) == [
        ("active", "boolean", "", "possible_rename"),
        ("is_active", "", "boolean", "possible_rename"),
    ]


def test_b18_swapped_columns_of_one_type_are_found_by_name(shop: Connection) -> None:
    """Order is told as a warning; a serving view lists its columns by name."""
    shop.execute("create view shop.t as select 1 as a, 2 as b")
    mismatches = diff_relation(promise("b int", "a int"), found_in(shop))
    assert told(mismatches) == [("b", "integer", "integer", "order_changed")]
    assert [m.classification for m in mismatches] == [Classification.WARNING]


def test_b19_names_are_exact(shop: Connection) -> None:
    """Mixed case, reserved words and spaces are names like any other."""
    shop.execute('create table shop.t ("countryId" int, "from" int, "a b" int, countryid2 int)')
    live = found_in(shop)
    exact = Promise(
        tuple(
            Column(name, parse_type("int")) for name in ("countryId", "from", "a b", "countryid2")
        )
    )
    assert diff_relation(exact, live) == ()
    folded = Promise((Column("countryid", parse_type("int")), *exact.columns[1:]))
    assert [(m.column, m.reason_code.value, m.hint) for m in diff_relation(folded, live)] == [
        (
            "countryid",
            "name_case_differs",
            "There is `countryId`: names are exact, upper and lower case included.",
        )
    ]


def test_information_schema_agrees_where_it_can_tell(shop: Connection) -> None:
    """Names, order and nullability of a table; it is asked for nothing that it cannot tell."""
    shop.execute(
        "create table shop.t (a int not null, gone int, b text, c shop.strict_pc, d int[],"
        ' "E f" numeric(4,1) default 0 not null, primary key (a))'
    )
    shop.execute("alter table shop.t drop column gone")
    rows = shop.execute(
        "select column_name::text, is_nullable::text from information_schema.columns"
        " where table_schema = 'shop' and table_name = 't' order by ordinal_position"
    ).fetchall()
    live = found_in(shop)
    assert [
        (field.name, "NO" if field.nullable is False else "YES") for field in live.shape.fields
    ] == rows


def test_b21_partitioned_and_foreign_tables(shop: Connection) -> None:
    """The parent is listed once, partitions are not, a foreign table says what it is."""
    shop.execute(
        "create table shop.t (a int not null) partition by list (a);"
        "create table shop.t1 partition of shop.t for values in (1);"
        "create foreign data wrapper nowhere; create server s foreign data wrapper nowhere;"
        "create foreign table shop.f (a int not null) server s;"
        "create view shop.v as select a from shop.t; create sequence shop.seq"
    )
    assert list_relations(shop, "shop") == {
        "f": RelationKind.FOREIGN_TABLE,
        "t": RelationKind.PARTITIONED_TABLE,
        "v": RelationKind.VIEW,
    }
    assert found_in(shop, "t1").partition
    assert not found_in(shop).partition
    assert [field.nullable for field in found_in(shop).shape.fields] == [False]
    assert [field.nullable for field in found_in(shop, "f").shape.fields] == [None]
    assert found_in(shop, "seq").kind is None


def test_many_relations_are_read_at_once(shop: Connection) -> None:
    """Each as if it were read alone, domains and those that do not exist included."""
    shop.execute("create table shop.t (a int, b shop.strict_pc)")
    shop.execute("create view shop.v as select b as a, a as b, 1 as c from shop.t")
    names = ["v", "none", "t"]
    assert introspect_all(shop, "shop", names) == {name: found_in(shop, name) for name in names}
    assert introspect_all(shop, "shop", []) == {}


def test_b23_a_missing_relation_is_told_once(shop: Connection) -> None:
    """Not as five removed columns; a relation without columns is no better."""
    contract = promise("a int", "b int", "c int", "d int", "e int")
    assert diff_relation(contract, found_in(shop)) == (
        Mismatch(
            column="",
            contract="5 columns",
            found="no relation",
            kind=None,
            reason_code=ReasonCode.RELATION_MISSING,
            classification=Classification.BREAKING,
            hint="shop.t does not exist; it has not been built, or is called otherwise.",
        ),
    )
    shop.execute("create table shop.t ()")
    (empty,) = diff_relation(contract, found_in(shop))
    assert (empty.found, empty.reason_code, empty.hint) == (
        "no columns",
        ReasonCode.RELATION_MISSING,
        "shop.t has no columns.",
    )


def test_b26_a_name_that_postgres_would_cut_is_refused(shop: Connection) -> None:
    """The cut name could be that of another relation."""
    shop.execute(sql.SQL("create table shop.{} (a int)").format(sql.Identifier("x" * 63)))
    assert found_in(shop, "x" * 63).kind is RelationKind.TABLE
    with pytest.raises(UsageError) as refused:
        found_in(shop, "x" * 70)
    assert str(refused.value) == (
        f"The relation name {'x' * 70} has 70 bytes. PostgreSQL cuts names at 63 bytes: shorten it."
    )


def test_b30_lost_modifiers_are_told(shop: Connection) -> None:
    """What expressions do to lengths and scales, as PostgreSQL does it."""
    shop.execute(
        "create table shop.src (code varchar(20), n numeric(10,2));"
        "create view shop.t as select coalesce(code, '') as code, n * 2 as n from shop.src"
    )
    mismatches = diff_relation(promise("code varchar(20)", "n numeric(10,2)"), found_in(shop))
    assert [(m.column, m.reason_code.value, m.hint) for m in mismatches] == [
        (
            "code",
            "length_changed",
            "Expressions lose length, precision and scale: cast the column to"
            " character varying(20).",
        ),
        (
            "n",
            "precision_loss",
            "Expressions lose length, precision and scale: cast the column to numeric(10,2).",
        ),
    ]


def test_generated_and_identity_columns_are_columns(shop: Connection) -> None:
    """They are noted and are no difference; a collation is noted too."""
    shop.execute(
        "create table shop.t (a int generated always as identity, b int generated by default as"
        ' identity, c int generated always as (1 + 1) stored, d text collate "C", e text)'
    )
    live = found_in(shop)
    assert [field.note for field in live.shape.fields] == [
        "identity always",
        "identity by default",
        "generated",
        "collation C",
        "",
    ]
    contract = promise("a int not null", "b int not null", "c int", "d text", "e text")
    assert diff_relation(contract, live) == ()


def test_an_unchecked_not_null_is_not_believed(shop: Connection) -> None:
    """PostgreSQL 18 can declare a column not null without looking at its rows."""
    shop.execute("create table shop.t (a int)")
    if shop.info.server_version < 180000:
        shop.execute("alter table shop.t alter a set not null")
        assert [field.nullable for field in found_in(shop).shape.fields] == [False]
        return
    shop.execute("alter table shop.t add constraint a_there not null a not valid")
    assert [field.nullable for field in found_in(shop).shape.fields] == [None]


def test_columns_that_the_contract_does_not_mention_warn(shop: Connection) -> None:
    """They are served to nobody; Tidegate's own columns are no such column."""
    shop.execute("create table shop.t (a int, extra int, _generation int)")
    (mismatch,) = diff_relation(promise("a int"), found_in(shop))
    assert (mismatch.column, mismatch.reason_code, mismatch.classification) == (
        "extra",
        ReasonCode.UNDOCUMENTED_COLUMN,
        Classification.WARNING,
    )


def test_every_reason_is_in_the_ledger(conn: Connection) -> None:
    """The table of reasons and the enum are one vocabulary."""
    rows = conn.execute("select reason from governance.drift_reasons").fetchall()
    assert {reason for (reason,) in rows} == {code.value for code in ReasonCode}


def test_hostile_names_are_only_names(shop: Connection) -> None:
    """Quotes, marks and unicode in names are read and never executed."""
    hostile = """a"'; drop table shop.t; -- {{ x }} % $$ é"""
    shop.execute(sql.SQL("create table shop.{0} ({0} int)").format(sql.Identifier(hostile)))
    live = introspect(shop, "shop", hostile)
    assert [field.name for field in live.shape.fields] == [hostile]
    assert introspect(shop, hostile, hostile).kind is None


_SAMPLES = {
    "smallint": ("-32768", "32767"),
    "integer": ("-2147483648", "2147483647"),
    "bigint": ("-9223372036854775808", "9223372036854775807"),
    "numeric(5,2)": ("-999.99", "999.99", "NaN"),
    "numeric(7,3)": ("9999.999",),
    "numeric(4,0)": ("9999",),
    "numeric": ("12345678901234567890.123456789", "NaN", "Infinity"),
    "real": ("0.1", "3.4028235e38", "NaN", "-Infinity"),
    "double precision": ("0.1", "1.7976931348623157e308", "NaN"),
    "text": ("", "a ", "  ", "longer than three"),
    "character varying": ("a ", "longer than three"),
    "character varying(3)": ("a  ", "abc", ""),
    "character varying(5)": ("abcde",),
    "character(3)": ("a",),
    "date": ("2024-02-29", "infinity"),
    "timestamp without time zone": ("2024-02-29 12:00:00.123456",),
    "timestamp(3) without time zone": ("2024-02-29 12:00:00.123",),
    "timestamp with time zone": ("2024-02-29 12:00:00.123456+00",),
    "interval": ("1 day 00:00:01.123456", "1 mon"),
    "interval day to second": ("1 day 00:00:01.123456",),
    "bit(3)": ("101",),
    "bit varying(5)": ("10101",),
    "boolean": ("t",),
    "uuid": ("00000000-0000-0000-0000-000000000001",),
}


def test_a_lossless_widening_loses_nothing(conn: Connection) -> None:
    """Each pair of types that is called lossless: the extremes of one come back from the other."""
    checked = 0
    for source, values in _SAMPLES.items():
        for target in _SAMPLES:
            step = relate(parse_type(source), parse_type(target))
            if step is None or not step.widening:
                continue
            checked += 1
            for value in values:
                statement = sql.SQL(
                    "select {value}::{source} is not distinct from"
                    " ({value}::{source})::{target}::{source}"
                    " and ({value}::{source})::text = ({value}::{source})::{target}::{source}::text"
                ).format(value=value, source=sql.SQL(source), target=sql.SQL(target))
                assert conn.execute(statement).fetchone() == (True,), (source, target)
    assert checked > 20
