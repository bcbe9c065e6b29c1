"""Text to values: the rules in Python and the expressions on the server say the same."""

from __future__ import annotations

import zoneinfo
from datetime import date, datetime
from decimal import Decimal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from psycopg import sql

from tidegate.connection import Connection
from tidegate.contracts.keys import ParseOptions
from tidegate.contracts.types import parse_type
from tidegate.deliveries.coerce import Good, judge
from tidegate.deliveries.coerce_sql import conversion
from tidegate.deliveries.reasons import Reason
from written_forms import FIXED, GERMAN, OPTIONS, TYPES


def compare(conn: Connection, texts: list[str], type_name: str, options: ParseOptions) -> None:
    """Both sides judge each text alike; a value is what its plain form casts to."""
    type_ = parse_type(type_name)
    expected = [judge(text, type_, options) for text in texts]
    plain = [one.text if isinstance(one, Good) else None for one in expected]
    how = conversion(sql.SQL("s.c"), type_, options)
    rows = conn.execute(
        sql.SQL(
            "select case when not {valid} then {reason} end,"
            " case when {valid} then {value} end is not distinct from s.plain::{type}"
            " from unnest({texts}::text[], {plain}::text[]) with ordinality as s (c, plain, n)"
            " order by s.n"
        ).format(
            valid=how.valid,
            reason=how.reason,
            value=how.value,
            type=sql.SQL(type_.sql),
            texts=sql.Literal(texts),
            plain=sql.Literal(plain),
        )
    ).fetchall()
    wanted = [(one.value if isinstance(one, Reason) else None, True) for one in expected]
    assert list(zip(texts, rows, strict=True)) == list(zip(texts, wanted, strict=True))


@pytest.mark.parametrize("name", OPTIONS)
def test_python_and_the_server_agree_on_every_written_form(conn: Connection, name: str) -> None:
    """Every form of the list, for every type, under every set of options."""
    for type_name in TYPES:
        compare(conn, FIXED, type_name, OPTIONS[name])


@settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    text=st.one_of(
        st.text(alphabet="0123456789+-.,eE_ :TZ/NaInfty\uff11\n'\\", max_size=14),
        st.from_regex(r"-?[0-9]{1,20}([.,][0-9]{1,8})?(e[+-]?[0-9]{1,3})?", fullmatch=True),
        st.datetimes().map(lambda moment: moment.isoformat()),
        st.dates().map(str),
        st.dates().map(lambda day: day.strftime("%d.%m.%Y")),
        st.text(max_size=5).filter(lambda text: "\0" not in text),
    ),
    type_name=st.sampled_from(TYPES),
    name=st.sampled_from(sorted(OPTIONS)),
)
def test_python_and_the_server_agree_on_any_text(
    conn: Connection, text: str, type_name: str, name: str
) -> None:
    """Nothing raises on the server and both sides judge alike, whatever the text is."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return
    compare(conn, [text], type_name, OPTIONS[name])


@pytest.mark.parametrize(
    ("type_name", "text", "reason"),
    [
        ("integer", "01569", "leading_zero"),
        ("integer", "1_000", "invalid_integer"),
        ("integer", "1E5", "invalid_integer"),
        ("integer", "2147483648", "out_of_range"),
        ("numeric", "NaN", "non_finite"),
        ("numeric", "infinity", "non_finite"),
        ("numeric", "1,234", "invalid_number"),
        ("numeric(5,2)", "1.005", "out_of_range"),
        ("numeric", "\u2167", "invalid_number"),
        ("boolean", "Y", "invalid_boolean"),
        ("date", "10/9/2016", "invalid_date"),
        ("date", "now", "invalid_date"),
        ("date", "2023-02-29", "invalid_date"),
        ("timestamptz", "2024-01-01 10:00", "missing_timezone"),
        ("timestamp", "2024-01-01T10:00Z", "unexpected_timezone"),
        ("timestamp(0)", "2024-01-01 10:00:00.5", "out_of_range"),
        ("varchar(3)", "abcd", "too_long"),
        ("uuid", "x", "invalid_uuid"),
    ],
)
def test_a28_a30_a31_a32_a34_a35_every_failure_has_its_reason(
    type_name: str, text: str, reason: str
) -> None:
    """A28, A30, A31, A32, A34, A35: what is not declared is no value, and the code says why."""
    assert judge(text, parse_type(type_name), ParseOptions()) == Reason(reason)


@pytest.mark.parametrize(
    ("zone", "text", "exists"),
    [
        ("Europe/Berlin", "2024-03-31 02:00", False),
        ("Europe/Berlin", "2024-03-31T02:59:59.999999", False),
        ("Europe/Berlin", "2024-03-31 03:00", True),
        ("Europe/Berlin", "2024-10-27 02:30", True),
        ("America/Sao_Paulo", "2018-11-04", False),
        ("Pacific/Apia", "2011-12-30 12:00", False),
        ("Australia/Lord_Howe", "2024-10-06 02:15", False),
        ("Europe/Berlin", "0001-01-01", True),
        ("Europe/Berlin", "9999-12-31 23:59:59", True),
        ("America/New_York", "9999-12-31 23:59:59", True),
    ],
)
def test_a_local_time_that_clocks_skip_is_no_timestamp(
    conn: Connection, zone: str, text: str, exists: bool
) -> None:
    """The server would move it to another time and say nothing; a repeated time is its second."""
    options = ParseOptions(timezone=zone)
    found = judge(text, parse_type("timestamptz"), options)
    assert found == (Good(f"{text} {zone}") if exists else Reason.INVALID_TIMESTAMP)
    compare(conn, [text], "timestamptz", options)


def test_a30_a34_a35_declared_forms_are_values() -> None:
    """A30, A34, A35: an exponent of a number column, a declared order, declared marks."""
    assert judge("1E5", parse_type("numeric"), ParseOptions()) == Good("1E5")
    slashes = ParseOptions(date_format="%d/%m/%Y")
    assert judge("10/9/2016", parse_type("date"), slashes) == Good("2016-09-10")
    assert judge("9/30/2016", parse_type("date"), slashes) == Reason.INVALID_DATE
    assert judge("1.299,99", parse_type("numeric"), GERMAN) == Good("1299.99")
    assert judge("1.2", parse_type("numeric"), GERMAN) == Reason.INVALID_NUMBER
    assert judge("Y", parse_type("boolean"), ParseOptions(true_tokens=("Y",))) == Good("true")


@settings(max_examples=200, deadline=None)
@given(st.dates())
def test_every_date_of_the_calendar_is_a_date_and_no_other(day: date) -> None:
    """The expression for dates is Python's own calendar."""
    assert judge(day.isoformat(), parse_type("date"), ParseOptions()) == Good(day.isoformat())
    for beyond in (29, 30, 31):
        text = f"{day.year:04d}-{day.month:02d}-{beyond}"
        try:
            datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=zoneinfo.ZoneInfo("UTC"))
            wanted: object = Good(text)
        except ValueError:
            wanted = Reason.INVALID_DATE
        assert judge(text, parse_type("date"), ParseOptions()) == wanted


@settings(max_examples=200, deadline=None)
@given(
    st.decimals(allow_nan=False, allow_infinity=False, places=3, min_value=-10000, max_value=10000)
)
def test_a_number_fits_its_precision_exactly_where_rounding_changes_nothing(
    number: Decimal,
) -> None:
    """numeric(5,2) takes what has two places and three digits before them."""
    verdict = judge(f"{number:f}", parse_type("numeric(5,2)"), ParseOptions())
    fits = number == number.quantize(Decimal("0.01")) and abs(number) < 1000
    assert isinstance(verdict, Good) == fits
