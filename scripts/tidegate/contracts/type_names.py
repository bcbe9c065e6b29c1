"""Names of types: PostgreSQL's own, their aliases, and spellings of elsewhere with their remedy."""

from __future__ import annotations

import re
import unicodedata


def _split(words: str) -> frozenset[str]:
    return frozenset(words.split())


INTERNAL = {
    "int2": "smallint",
    "int4": "integer",
    "int8": "bigint",
    "float4": "real",
    "float8": "double precision",
    "bool": "boolean",
    "varchar": "character varying",
    "varbit": "bit varying",
    "timestamp": "timestamp without time zone",
    "timestamptz": "timestamp with time zone",
    "time": "time without time zone",
    "timetz": "time with time zone",
    "char": '"char"',
    "bit": '"bit"',
}
"""Names in `pg_catalog` that `format_type` prints otherwise."""

PLAIN = _split(
    "aclitem bpchar box bytea cid cidr circle date datemultirange daterange gtsvector inet"
    " int2vector int4multirange int4range int8multirange int8range interval json jsonb jsonpath"
    " line lseg macaddr macaddr8 money name numeric nummultirange numrange oid oidvector path"
    " pg_brin_bloom_summary pg_brin_minmax_multi_summary pg_dependencies pg_lsn pg_mcv_list"
    " pg_ndistinct pg_node_tree pg_snapshot point polygon refcursor regclass regcollation"
    " regconfig regdictionary regnamespace regoper regoperator regproc regprocedure regrole"
    " regtype text tid tsmultirange tsquery tsrange tstzmultirange tstzrange tsvector"
    " txid_snapshot uuid xid xid8 xml"
)
"""Names in `pg_catalog` that are printed as they are."""

KEYWORDS = {
    "int": "integer",
    "integer": "integer",
    "smallint": "smallint",
    "bigint": "bigint",
    "real": "real",
    "boolean": "boolean",
    "dec": "numeric",
    "decimal": "numeric",
    "varchar": "character varying",
}
"""Words that the grammar itself knows; not names in `pg_catalog`."""

EXTENSIONS = _split("citext cube geography geometry hstore isbn ltree seg vector")
"""Types of widespread extensions, so that they are never taken for a misspelling."""

_TIMESTAMPS = "`timestamp with time zone` for a moment, `timestamp` for a local reading of a clock"
_TEXT = "`text`, or `varchar(n)` where the length is part of the contract"
_NUMERIC = "`numeric(precision, scale)`, or `bigint` for whole numbers"

ELSEWHERE = {
    "serial": "`integer`; where its values come from is not part of its type",
    "serial4": "`integer`; where its values come from is not part of its type",
    "bigserial": "`bigint`; where its values come from is not part of its type",
    "serial8": "`bigint`; where its values come from is not part of its type",
    "smallserial": "`smallint`; where its values come from is not part of its type",
    "serial2": "`smallint`; where its values come from is not part of its type",
    "array": "the type of the elements followed by brackets, such as `text[]`",
    "list": "the type of the elements followed by brackets, such as `text[]`",
    "number": _NUMERIC,
    "bignumeric": _NUMERIC,
    "money_amount": _NUMERIC,
    **dict.fromkeys(
        ("string", "str", "clob", "ntext", "longtext", "mediumtext", "tinytext"), _TEXT
    ),
    **dict.fromkeys(("varchar2", "nvarchar", "nvarchar2", "utf8", "large_string"), _TEXT),
    **dict.fromkeys(("datetime", "datetime2", "smalldatetime", "timestamp_ntz"), _TIMESTAMPS),
    **dict.fromkeys(("timestamp_tz", "timestamp_ltz", "datetimeoffset", "datetimetz"), _TIMESTAMPS),
    **dict.fromkeys(("tinyint", "int16", "uint8", "byteint"), "`smallint`"),
    **dict.fromkeys(("mediumint", "int32", "uint16"), "`integer`"),
    **dict.fromkeys(("int64", "uint32", "long"), "`bigint`"),
    **dict.fromkeys(("uint64", "int128", "hugeint"), "`numeric`"),
    **dict.fromkeys(("double", "float64"), "`double precision`"),
    "float32": "`real`",
    **dict.fromkeys(("blob", "binary", "varbinary", "bytes", "image", "longblob"), "`bytea`"),
    **dict.fromkeys(("guid", "uniqueidentifier"), "`uuid`"),
    **dict.fromkeys(("struct", "map", "object", "variant", "super", "record"), "`jsonb`"),
    **dict.fromkeys(("enum", "set"), "`text`, with the closed set under `enum:` of the column"),
}
"""Spellings that PostgreSQL does not know, and what to write instead."""

_QUOTED_WORDS = _split(
    "all analyse analyze and any array as asc asymmetric authorization between bigint binary bit"
    " boolean both case cast char character check coalesce collate collation column concurrently"
    " constraint create cross current_catalog current_date current_role current_schema"
    " current_time current_timestamp current_user dec decimal default deferrable desc distinct do"
    " else end except exists extract false fetch float for foreign freeze from full grant greatest"
    " group grouping having ilike in initially inner inout int integer intersect interval into is"
    " isnull join json json_array json_arrayagg json_exists json_object json_objectagg json_query"
    " json_scalar json_serialize json_table json_value lateral leading least left like limit"
    " localtime localtimestamp merge_action national natural nchar none normalize not notnull null"
    " nullif numeric offset on only or order out outer overlaps overlay placing position precision"
    " primary real references returning right row select session_user setof similar smallint some"
    " substring symmetric system_user table tablesample then time timestamp to trailing treat trim"
    " true union unique user using values varchar variadic verbose when where window with"
    " xmlattributes xmlconcat xmlelement xmlexists xmlforest xmlnamespaces xmlparse xmlpi xmlroot"
    " xmlserialize xmltable"
)


def quoted(identifier: str) -> str:
    """The identifier as SQL text, in quotes only where PostgreSQL would need them."""
    if re.fullmatch(r"[a-z_][a-z0-9_]*", identifier) and identifier not in _QUOTED_WORDS:
        return identifier
    doubled = identifier.replace('"', '""')
    return f'"{doubled}"'


def has_invisible_character(text: str) -> bool:
    """Whether text holds a control character, or, outside quoted names, blanks that are not ASCII.

    PostgreSQL takes a no-break space or a zero-width one for a letter of the name.
    """
    if any(unicodedata.category(ch) == "Cc" and ch not in "\t\n\r" for ch in text):
        return True
    unquoted = re.sub(r'"(?:[^"]|"")*"', "", text)
    return any(not ch.isascii() and not ch.isprintable() for ch in unquoted)


def suggestion(name: str) -> str | None:
    """The PostgreSQL type whose name `name` most likely misspells, if there is one."""
    from difflib import get_close_matches

    known = [*KEYWORDS, *INTERNAL, *PLAIN, "character", "double precision", "interval"]
    found = get_close_matches(name, [word for word in known if len(word) > 3], n=1, cutoff=0.8)
    return found[0] if found else None
