"""How values may be written: options, types and forms, for tests of whatever reads them."""

from __future__ import annotations

from tidegate.contracts.keys import ParseOptions

GERMAN = ParseOptions(
    decimal=",",
    thousands=".",
    date_format="%d.%m.%Y",
    timestamp_format="%d.%m.%Y %H:%M",
    timezone="Europe/Berlin",
    true_tokens=("ja", "1"),
    false_tokens=("nein", "0"),
)
AMERICAN = ParseOptions(
    thousands=",",
    date_format="%b %d, %y",
    timestamp_format="%m/%d/%Y %I:%M:%S.%f %p%z",
    allow_nan=True,
)
CODES = ParseOptions(pattern="[0-9]{4}-[0-9]{3}[0-9X]|ok|[A-Z]+")
OPTIONS = {"plain": ParseOptions(), "german": GERMAN, "american": AMERICAN, "codes": CODES}
TYPES = (
    *("smallint", "integer", "bigint", "numeric", "numeric(5,2)", "numeric(3)", "numeric(2,-1)"),
    *("real", "double precision", "boolean", "date", "timestamp", "timestamp(0)", "timestamptz"),
    *("timestamptz(3)", "text", "varchar(3)", "char(2)", "uuid", "bytea", "time", "time(0)"),
)

FORMS = (
    "|0|1|-1|-0|+5|07|+07|007.5|1.|.5|1.5|-0.0|1_000|0x1F|1E5|1e-7|1E400|1E-400|\uff11\uff12|\u2167|now|today"
    "|epoch|J2460312|NaN|nan|Infinity|-Infinity|inf|+inf|32767|32768|-32768|-32769|2147483647"
    "|2147483648|9223372036854775807|9223372036854775808|-9223372036854775808|999.99|1000.00"
    "|999.995|9.990|1.299,99|1,234|1,2|12,34|1.234.567|1,234,567.8|12.34.567|1,5|0,5|990|995|1000"
    "|3.4028234E+38|3.4028236E+38|1e-46|1.7976931348623157E308|1.8e308|true|false|TRUE|t|yes|ja"
    "|nein|2024-02-29|2023-02-29|2024-02-30|0000-01-01|0001-01-01|9999-12-31|2024-1-1|2024-13-01"
    "|1900-02-29|2000-02-29|29.02.2024|1.2.2024|31.04.2024|29.02.24|Feb 29, 24|Feb 30, 24|sep 1, 68"
    "|Sep 1, 69|Foo 1, 24|2024-01-01T10:00|2024-01-01 10:00:00|2024-01-01 24:00|2024-01-01 10:00:60"
    "|2024-01-01T10:00:00Z|2024-01-01T10:00:00.123456789Z|2024-01-01T10:00:00.1234560000+05:30"
    "|2024-01-01T10:00:00.5|2024-01-01T10:00:00-0800|2024-01-01T10:00:00+16|2024-01-01T10+01"
    "|2024-01-01 10:00 Europe/Berlin|29.02.2024 10:00|29.02.2024 25:00|31.03.2024 02:30"
    "|12/31/2024 12:00:00.5 AM+0100|12/31/2024 13:00:00.5 PMZ|12/31/2024 01:59:59.999999 pm+05:30"
    "|0001-6268|Jan-68|1-Mar|01-Mar-2024|1.23E+17|ok|ok |ok\u00a0|ok\u200b|o\u00adk|A\nB| A"
    "|a|ab|abc|abcd|a |\u00e4\u00f6\u00fc|\U0001f600bc| 1|1 |1\n|\n|'|\\|\\x|\\x0g|\\xABcd|%|10:00"
    "|10:00:00|10:00:00.5|24:00:00|123e4567-e89b-12d3-a456-426614174000|{123e4567-e89b-12d3-a456-426614174000}"
)
FIXED = [
    *FORMS.split("|"),
    "1" * 999,
    "1" * 1001,
    "1" * 140000,
    "0." + "1" * 900,
    "1" + "0" * 40 + "e200",
]
