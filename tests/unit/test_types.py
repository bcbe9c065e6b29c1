"""A type has one canonical form; what PostgreSQL would not understand is refused with a remedy."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidegate.contracts.types import LogicalType, PgType, parse_type

ALIASES = {
    "integer": ("int", "int4", "INTEGER", " Int ", '"int4"', "pg_catalog.int4"),
    "smallint": ("int2", "smallint"),
    "bigint": ("int8", "BIGINT"),
    "real": ("float4", "float(1)", "float(24)"),
    "double precision": ("float", "float8", "float(25)", "double\n  precision"),
    "numeric": ("dec", "decimal"),
    "numeric(10,0)": ("numeric(10)", "dec(10)", "decimal( 10 , 0 )"),
    "numeric(10,2)": ("decimal(10,2)",),
    "numeric(5,-2)": ("numeric(5,-2)",),
    "boolean": ("bool", "BOOLEAN"),
    "character varying": ("varchar", "char varying", "national character varying"),
    "character varying(5)": ("varchar(5)", "nchar varying(5)"),
    "character(1)": ("char", "character", "nchar", "national char"),
    "character(3)": ("char(3)", "bpchar(3)"),
    "bpchar": ("bpchar", "pg_catalog.bpchar"),
    '"char"': ('"char"', "pg_catalog.char"),
    "timestamp without time zone": ("timestamp", "timestamp without time zone"),
    "timestamp with time zone": ("timestamptz", "TIMESTAMP WITH TIME ZONE"),
    "timestamp(3) with time zone": ("timestamptz(3)", "timestamp (3) with time zone"),
    "time(2) with time zone": ("timetz(2)",),
    "interval day to second(3)": ("interval DAY to SECOND(3)",),
    "interval(3)": ("interval(3)",),
    "bit(1)": ("bit",),
    "bit varying(4)": ("varbit(4)",),
    "integer[]": ("int[]", "integer[][]", "int[3][4]", "_int4", "int array", "integer array[3]"),
    "numeric(10,2)[]": ("decimal(10,2)[]",),
    "s.mood": ("s.mood", "S.Mood", '"s"."mood"'),
    '"My S"."order"[]': ('"My S"."order"[]',),
    "citext": ("citext", "CITEXT"),
}
SPELLINGS = [(text, canonical) for canonical, all_ in ALIASES.items() for text in all_]


@pytest.mark.parametrize(("text", "canonical"), SPELLINGS)
def test_b10_every_alias_has_one_canonical_form(text: str, canonical: str) -> None:
    """No spelling of the same type is ever a difference."""
    assert parse_type(text).sql == canonical
    assert parse_type(text) == parse_type(canonical)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("serial", "`serial` is not a PostgreSQL type. Write `integer`; where its values come from"
         " is not part of its type."),
        ("string", "`string` is not a PostgreSQL type. Write `text`, or `varchar(n)` where the"
         " length is part of the contract."),
        ("nvarchar(5)", "`nvarchar(5)` is not a PostgreSQL type. Write `text`, or `varchar(n)`"
         " where the length is part of the contract."),
        ("datetime", "`datetime` is not a PostgreSQL type. Write `timestamp with time zone` for a"
         " moment, `timestamp` for a local reading of a clock."),
        ("NUMBER", "`NUMBER` is not a PostgreSQL type. Write `numeric(precision, scale)`, or"
         " `bigint` for whole numbers."),
        ("double", "`double` is not a PostgreSQL type. Write `double precision`."),
        ("integr", "`integr` is not a type that PostgreSQL brings. Write `integer`, or the schema"
         " too if it is a type of your own (`my_schema.integr`)."),
        ("pg_catalog.mood", "`pg_catalog.mood` is not a type of pg_catalog. Write a PostgreSQL"
         " type, such as `text`."),
        ("db.s.mood", "`db.s.mood` names a database. Write schema and type only."),
        ("int(11)", "`int(11)` gives `integer` a modifier, which it does not take. Write"
         " `integer`."),
        ("numeric(0)", "`numeric(0)` is out of bounds. Write a precision of 1 to 1000 and a scale"
         " of -1000 to 1000."),
        ("varchar(0)", "`varchar(0)` is out of bounds. Write one length, of 1 to 10485760."),
        ("timestamp(7)", "`timestamp(7)` is out of bounds. Write one precision, of 0 to 6."),
        ("float(54)", "`float(54)` is out of bounds. Write 1 to 53 binary digits."),
        ("interval year(3)", "`interval year(3)` gives a precision to an interval without"
         " seconds."),
        ("_int4[]", "`_int4[]` is an array of an array type. Write `integer[]`."),
        ("setof int", "`setof int` is not a type of a column. Write the type alone, or an array of"
         " it."),
        ("text not null", "`text not null` is not a type: nothing may stand at `not`. Write the"
         " type alone; `not null`, `default` and `collate` have keys of their own."),
        ("int; drop table x", "`int; drop table x` is not a type: nothing may stand at `;`. Write"
         " the type alone; `not null`, `default` and `collate` have keys of their own."),
        ("int -- x", "`int -- x` holds a comment. Write the type alone."),
        ("--", "`--` holds a comment only. Write a PostgreSQL type, such as `text`."),
        ("{# x #} int", "`{# x #} int` holds a comment. Write the type alone."),
        ("int /* x */ []", "`int /* x */ []` holds a comment. Write the type alone."),
        ("text'x'", "`text'x'` is not a type: it holds a text constant."),
        ('"open', '`"open` is not a type: a quote is not closed.'),
        ("int[", "`int[` is not a type: a bracket is not closed."),
        ("numeric(10", "`numeric(10` is not a type: a bracket is not closed."),
        ("numeric(x)", "`numeric(x)` is not a type: a whole number is missing in the brackets."),
        ("a.", "`a.` is not a type: a name is missing."),
        ("{{ x }}", "`{{ x }}` is not a type. Write a PostgreSQL type, such as `text`."),
        ("te\x00xt", "'te\\x00xt' holds an invisible character. Write the type without it."),
        ("int\u00a0", "'int\\xa0' holds an invisible character. Write the type without it."),
        ("int\u200b", "'int\\u200b' holds an invisible character. Write the type without it."),
        ("  ", "No type is given. Write a PostgreSQL type, such as `text`."),
        ("s." + "x" * 64, f"`s.{'x' * 64}` holds a name of more than 63 bytes."),
    ],
)  # fmt: skip
def test_b10_what_postgres_does_not_know_is_refused_with_a_remedy(text: str, message: str) -> None:
    """A contract with a foreign, misspelt or hostile type never loads."""
    with pytest.raises(ValueError) as refused:
        parse_type(text)
    assert str(refused.value) == message


@pytest.mark.parametrize("text", ["ARRAY", "array", "list"])
def test_b12_array_without_elements_is_refused(text: str) -> None:
    """`ARRAY` is what information_schema says of every array; a contract says the element type."""
    with pytest.raises(ValueError, match="Write the type of the elements followed by brackets"):
        parse_type(text)


@pytest.mark.parametrize(
    ("text", "logical"),
    [
        ("int2", LogicalType.INTEGER),
        ("numeric(10)", LogicalType.NUMBER),
        ("float4", LogicalType.NUMBER),
        ("char(3)", LogicalType.STRING),
        ("uuid", LogicalType.STRING),
        ("bool", LogicalType.BOOLEAN),
        ("date", LogicalType.DATE),
        ("timestamptz(3)", LogicalType.TIMESTAMP),
        ("json", LogicalType.JSON),
        ("jsonb", LogicalType.JSON),
        ("time", LogicalType.UNKNOWN),
        ("int[]", LogicalType.UNKNOWN),
        ("s.mood", LogicalType.UNKNOWN),
    ],
)
def test_a_type_has_the_logical_type_of_the_policy(text: str, logical: LogicalType) -> None:
    """The policy's eight logical types; what is none of them is unknown."""
    assert parse_type(text).logical is logical


def test_own_types_keep_their_exact_name() -> None:
    """Quoted names are exact, unquoted ones fold as PostgreSQL folds them: ASCII only."""
    assert parse_type('"My S"."Mood"') == PgType("Mood", schema="My S", builtin=False)
    assert parse_type("s.ÉTAT").name == "État"


_NAMES = st.text(st.characters(codec="utf-8", exclude_categories=["C"]), min_size=1, max_size=15)


@given(st.sampled_from(SPELLINGS))
def test_the_canonical_form_is_a_fixed_point(spelling: tuple[str, str]) -> None:
    """Reading what was printed gives the same type and the same text."""
    once = parse_type(spelling[0])
    assert parse_type(once.sql) == once
    assert parse_type(once.sql).sql == once.sql


@given(_NAMES, _NAMES, st.booleans())
def test_own_types_are_a_fixed_point_whatever_they_are_called(
    schema: str, name: str, array: bool
) -> None:
    """Quotes, dots, brackets and words of the grammar in names are only names."""
    kind = PgType(name, schema=schema, array=array, builtin=False)
    if schema != "pg_catalog":
        assert parse_type(kind.sql) == kind


@given(st.text(max_size=40))
def test_any_text_is_a_type_or_a_sentence(text: str) -> None:
    """Nothing but ValueError ever leaves the reader, and what is read is a fixed point."""
    try:
        kind = parse_type(text)
    except ValueError:
        return
    assert parse_type(kind.sql) == kind


_FRAGMENTS = st.sampled_from(
    ["int", "numeric", "(", ")", "[", "]", "3", ",", ".", '"', "a", "_int4", "with time zone",
     "timestamp", " ", "--", "/*", "*/", "'", "$$", "interval", "day to second", "varchar", "array",
     "E'", "U&", "-", "1e3", "é", "::", "setof", "national", "char", "varying", "double", "{{", ";"]
)  # fmt: skip


@given(
    st.lists(_FRAGMENTS, max_size=8).map("".join) | st.lists(_FRAGMENTS, max_size=6).map(" ".join)
)
def test_pieces_of_types_in_any_order_are_a_type_or_a_sentence(text: str) -> None:
    """Closer to the grammar than any text: what is read is a fixed point, the rest is refused."""
    try:
        kind = parse_type(text)
    except ValueError:
        return
    assert parse_type(kind.sql) == kind
