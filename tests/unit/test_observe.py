"""Observation: what all values of a column show, by own rules and chunk by chunk."""

from __future__ import annotations

import itertools
import string
from collections import Counter
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parsing_support import read_csv, read_json
from tidegate.contracts.keys import ParseOptions
from tidegate.contracts.types import LogicalType, parse_type
from tidegate.deliveries.coerce import Good, judge
from tidegate.deliveries.copytext import NULL, escape, unescape
from tidegate.deliveries.kinds import Kind
from tidegate.deliveries.observe import ObservedColumn, Tally
from tidegate.deliveries.proof import all_convert, no_nulls

DIGITS = set(string.digits)


def all_digits(text: str) -> bool:
    return bool(text) and set(text) <= DIGITS


def plain_kind(value: str) -> Kind:
    """The same rules written down without expressions: slow and obvious."""
    if value in ("true", "false"):
        return Kind.BOOLEAN
    unsigned = value[1:] if value[:1] in ("-", "+") else value
    whole, point, fraction = unsigned.partition(".")
    if all_digits(whole) and (all_digits(fraction) if point else True):
        if len(whole) > 1 and whole[0] == "0":
            return Kind.LEADING_ZERO
        if point:
            return Kind.TEXT if value[0] == "+" else Kind.NUMBER
        if str(int(value)) == value:
            return Kind.INTEGER if -(2**63) <= int(value) < 2**63 else Kind.NUMBER
    return plain_moment(value)


def plain_moment(value: str) -> Kind:
    day, rest = value[:10], value[10:]
    try:
        real = date.fromisoformat(day).isoformat() == day
    except ValueError:
        real = False
    if not real:
        return (
            Kind.AMBIGUOUS_DATE
            if any(map(value.__contains__, "/.-")) and slashed(value)
            else (Kind.TEXT)
        )
    if not rest:
        return Kind.DATE
    clock, zone = rest[1:], False
    if clock.endswith("Z"):
        clock, zone = clock[:-1], True
    for sign in "+-":
        if sign in clock:
            clock, _, offset = clock.partition(sign)
            hours, minutes = offset[:2], offset[2:].removeprefix(":")
            if not (all_digits(hours) and len(hours) == 2 and int(hours) <= 15) or zone:
                return Kind.TEXT
            if offset[2:] and not (all_digits(minutes) and len(minutes) == 2 and minutes < "60"):
                return Kind.TEXT
            zone = True
    whole, point, fraction = clock.partition(".")
    parts = whole.split(":")
    limits = ("24", "60", "60")
    good = (
        rest[0] in "T "
        and len(parts) in (2, 3)
        and all(
            all_digits(part) and len(part) == 2 and part < limit
            for part, limit in zip(parts, limits, strict=False)
        )
        and (not point or (len(parts) == 3 and all_digits(fraction) and len(fraction) <= 6))
    )
    if not good:
        return Kind.TEXT
    return Kind.TIMESTAMP_TZ if zone else Kind.TIMESTAMP


def slashed(value: str) -> bool:
    for mark in "/.-":
        parts = value.split(mark)
        if len(parts) == 3 and all(map(all_digits, parts)):
            return len(parts[0]) in (1, 2) and len(parts[1]) in (1, 2) and len(parts[2]) in (2, 4)
    return False


def moments(draw_from: str) -> st.SearchStrategy[str]:
    return st.from_regex(draw_from, fullmatch=True)


SPECIAL = (
    "|0|-0|00|+7|01569|1E5|NaN|inf|true|false|True|1_000|Y|\uff11|\u2167|0.50|-0.5|.5|5.|00.5|\u00e9"
    "|2024-02-29|2023-02-29|1900-02-29|0000-01-01|10/9/2016|30.9.16|1.2.3|a\tb\\|9223372036854775807"
    "|9223372036854775808|-9223372036854775809|xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
)

VALUES = st.one_of(
    st.none(),
    st.integers(0, 30).map(str),
    st.integers(-(10**20), 10**20).map(str),
    st.sampled_from(SPECIAL.split("|")),
    moments(r"20[0-2][0-9]-[01][0-9]-[0-3][0-9]"),
    moments(r"20[0-2][0-9]-0[1-9]-[0-2][0-9][T ][0-2][0-9]:[0-6][0-9](:[0-5][0-9](\.[0-9]{1,7})?)?"
            r"(Z|[+-][01][0-9](:?[0-6][0-9])?)?"),
    moments(r"-?[0-9]{1,4}\.[0-9]{1,3}"),
    st.text(alphabet="0123456789-+.:/TZ etrufals", max_size=12),
)  # fmt: skip
ODD_DAYS = (
    *("2024-02-29", "2023-02-29", "1900-02-29", "2000-02-29", "2023-02-28", "2024-02-30"),
    *("2023-04-31", "2023-04-30", "0000-01-01", "2023-13-01", "20-2302-01", "2023-1-011"),
)
COLUMNS = st.one_of(
    st.lists(VALUES, max_size=30),
    st.lists(st.integers(0, 10**12).map(str), max_size=30),
    st.lists(st.decimals(0, 100, places=2).map(str), max_size=30),
    st.lists(st.decimals(-20, 20, places=2).map(str), max_size=30),
    st.lists(st.one_of(st.integers(-200, 200), st.decimals(-9, 9, places=1)).map(str), max_size=30),
    st.lists(st.uuids().map(str), max_size=30),
    st.tuples(
        st.lists(st.sampled_from(ODD_DAYS), min_size=1, max_size=4),
        st.sampled_from(["", "T10:00:00Z", " 23:59:59", "T24:00:00", "T10:60:00Z", "T1:000:00Z"]),
    ).map(lambda pair: [day + pair[1] for day in pair[0]]),
    st.tuples(
        st.lists(st.datetimes().map(lambda it: f"{it:%Y-%m-%d %H:%M:%S}"), max_size=30),
        st.sampled_from(["", "Z", "+00", "-0330", "+05:30", "+16", "x"]),
    ).map(lambda pair: [moment + pair[1] for moment in pair[0]]),
    st.lists(st.sampled_from(["2024-02-29", "2023-02-28", "2023-04-30"]), max_size=30),
    st.lists(st.sampled_from(["1900-02-29T10:00Z", "2000-02-29T10:00Z"]), max_size=30),
    st.lists(
        st.sampled_from(["true", "false", "yes", "\\", "\t\n", "x\\t", "-0", "-0.0"]), max_size=9
    ),
    st.lists(st.dates().map(str), max_size=30),
    st.lists(st.datetimes().map(lambda moment: f"{moment:%Y-%m-%dT%H:%M:%S}Z"), max_size=30),
)


TYPES = (
    "smallint|integer|bigint|numeric|numeric(4,2)|real|double precision|boolean|date|timestamp"
    "|timestamptz|timestamp(0)|text|varchar(3)|uuid|integer[]"
)


def tally(values: list[str | None], *, together: bool = True) -> Tally:
    texts = [NULL if value is None else escape(value.encode()) for value in values]
    counted = Tally("c")
    counted.add(texts, b"\n".join(texts), together=together)
    return counted


@settings(max_examples=500, deadline=None)
@given(values=COLUMNS, cuts=st.lists(st.integers(0, 30), max_size=4), together=st.booleans())
def test_counts_equal_a_plain_oracle_however_the_column_is_cut(
    values: list[str | None], cuts: list[int], together: bool
) -> None:
    """Chunks add up to the whole, and the shortcuts for uniform columns change nothing."""
    bounds = [0, *sorted(cuts), len(values)]
    merged = Tally("c")
    for start, stop in itertools.pairwise(bounds):
        merged.merge(tally(values[start:stop], together=together))
    given_values = [value for value in values if value is not None]
    kinds = Counter(map(plain_kind, given_values))
    assert merged.kinds == kinds
    assert merged.nulls == len(values) - len(given_values)
    lengths = list(map(len, given_values))
    assert merged.shortest == (min(lengths) if lengths else None)
    assert merged.longest == (max(lengths) if lengths else None)
    digits = [len(v.lstrip("-")) for v in given_values if plain_kind(v) is Kind.INTEGER]
    assert merged.largest == max(digits, default=0)
    numbers = [v.lstrip("-").partition(".") for v in given_values if plain_kind(v) is Kind.NUMBER]
    assert merged.whole == max((len(whole) for whole, _, _ in numbers), default=0)
    assert merged.scale == max((len(fraction) for _, _, fraction in numbers), default=0)


@settings(max_examples=500, deadline=None)
@given(
    values=COLUMNS,
    together=st.booleans(),
    type_name=st.sampled_from(TYPES.split("|")),
    options=st.sampled_from(
        [
            ParseOptions(),
            ParseOptions(timezone="UTC", decimal=",", thousands="."),
            ParseOptions(date_format="%d.%m.%Y", timestamp_format="%Y", true_tokens=("1",)),
        ]
    ),
)
def test_what_is_proved_by_observation_needs_no_judge(
    values: list[str | None], together: bool, type_name: str, options: ParseOptions
) -> None:
    """Where observation proves a column, the judge passes each of its values."""
    type_ = parse_type(type_name)
    if all_convert(tally(values, together=together), type_, options):
        verdicts = [judge(value, type_, options) for value in values if value is not None]
        assert all(isinstance(verdict, Good) for verdict in verdicts)


@pytest.mark.parametrize("together", [False, True])
def test_usual_columns_are_proved_and_others_are_not(together: bool) -> None:
    """Plain columns need no check on the server; one odd value is enough to need it."""
    proved = {
        "integer": "12",
        "bigint": "1" * 18,
        "numeric": "1.50",
        "boolean": "true",
        "date": "2024-01-31",
        "timestamptz": "2024-01-01T10:00:00Z",
        "varchar(3)": "abc",
        "numeric(4,2)": "-99.99",
        "uuid": "0b1c2d3e-0000-4000-8000-0123456789ab",
    }
    for type_name, value in proved.items():
        type_ = parse_type(type_name)
        counted = tally([value, None], together=together)
        assert all_convert(counted, type_, ParseOptions())
        counted = tally([value, "odd!"], together=together)
        assert not all_convert(counted, type_, ParseOptions())
    assert (no_nulls(tally(["1"])), no_nulls(tally(["1", None]))) == (True, False)
    (number,) = read_json(b'{"n":1E400}', ["n"]).reader.tallies
    assert not all_convert(number, parse_type("double precision"), ParseOptions())


@given(st.text().filter(lambda text: "\0" not in text and _encodable(text)))
def test_copy_text_comes_back(text: str) -> None:
    """Escaping loses nothing and never looks like null."""
    assert unescape(escape(text.encode())) == text


def _encodable(text: str) -> bool:
    return not any(0xD800 <= ord(each) <= 0xDFFF for each in text)


def observe(column: list[str]) -> ObservedColumn:
    data = "c,i\n" + "".join(
        f'"{value}",1\n' if "," in value else f"{value},1\n" for value in column
    )
    return read_csv(data.encode(), ["c"]).reader.tallies[0].observed()


@pytest.mark.parametrize(
    ("column", "logical", "type_name"),
    [
        (["01569", "00501"], LogicalType.STRING, "text"),
        (["0", "1"], LogicalType.INTEGER, "integer"),
        (["-0", "+07"], LogicalType.STRING, "text"),
        (["1E5", "7E2"], LogicalType.STRING, "text"),
        (["inf", "nan"], LogicalType.STRING, "text"),
        (["Y", "N"], LogicalType.STRING, "text"),
        (["10/9/2016", "30/9/2016"], LogicalType.STRING, "text"),
        (["1,234", "1.299,99"], LogicalType.STRING, "text"),
        (["1_000", "\u2167"], LogicalType.STRING, "text"),
        (["202101010000000003"], LogicalType.INTEGER, "bigint"),
        (["9223372036854775808"], LogicalType.NUMBER, "numeric"),
        (["1.10", "2"], LogicalType.NUMBER, "numeric"),
        (["true", "false"], LogicalType.BOOLEAN, "boolean"),
        (["2024-02-29"], LogicalType.DATE, "date"),
        (["2024-02-29", "2024-01-01 10:00"], LogicalType.TIMESTAMP, "timestamp"),
        (["2024-01-01T10:00:00Z"], LogicalType.TIMESTAMP, "timestamptz"),
        (["", ""], LogicalType.UNKNOWN, "text"),
        (["1", "x"], LogicalType.INTEGER, "integer"),
        (["1", "x", "y"], LogicalType.STRING, "text"),
    ],
)
def test_a28_a30_a31_a32_a34_a35_a39_types_are_observed_by_own_rules(
    column: list[str], logical: LogicalType, type_name: str
) -> None:
    """A28, A30, A31, A32, A34, A35, A39: no cast decides, and codes that look like numbers stay."""
    seen = observe(column)
    assert (seen.logical, seen.type) == (logical, parse_type(type_name))


def test_one_leading_zero_makes_a_column_text_whatever_else_is_in_it() -> None:
    """Ten thousand integers do not outweigh one padded identifier."""
    seen = observe([*map(str, range(10_000)), "007"])
    assert (seen.type.sql, seen.leading_zeros, seen.values) == ("text", 1, 10_001)
    assert seen.declared(parse_type("integer"), 1) is seen


def test_a_few_bad_values_lower_the_confidence_and_keep_the_type() -> None:
    """98 of 100 is an integer column with two bad records, told by its confidence."""
    seen = observe([*map(str, range(98)), "x", "y"])
    assert (seen.type.sql, seen.confidence) == ("integer", 0.98)
    assert seen.support[LogicalType.STRING] == 100


def test_a34_dates_in_a_declared_format_are_observed_as_dates() -> None:
    """A34: by characters they are text that cannot be told apart; the contract says how to read."""
    seen = observe(["31.12.2024", "1.2.2024", "x"])
    assert (seen.logical, seen.ambiguous_dates) == (LogicalType.STRING, 2)
    told = seen.declared(parse_type("date"), 1)
    assert (told.type.sql, round(told.confidence, 2)) == ("date", 0.67)


def test_json_types_are_the_documents_own() -> None:
    """A string of digits is a string; an exponent is a number; nested values are json."""
    data = b'{"s":"12","n":1E5,"o":{"a":1},"b":true,"d":"2024-02-29","z":null}\n'
    reader = read_json(data, ["s", "n", "o", "b", "d", "z"]).reader
    kinds = [seen.observed().logical.value for seen in reader.tallies]
    assert kinds == ["string", "number", "json", "boolean", "date", "unknown"]


@pytest.mark.parametrize("together", [False, True])
def test_lengths_are_counted_in_characters(together: bool) -> None:
    """Neither bytes nor escapes count."""
    counted = tally(["\u00e9\u00e9", "a\tb\\c", None], together=together)
    assert (counted.shortest, counted.longest, counted.nulls) == (2, 5, 1)
