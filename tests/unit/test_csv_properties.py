"""What must hold for every CSV file: nothing lost, nothing changed, damage stays where it is."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parsing_support import Outcome, read, read_csv
from tidegate.contracts.keys import CsvFormat
from tidegate.deliveries.parsing import Limits, SourceColumn, csv_reader
from tidegate.deliveries.parsing.csv_reader import CsvReader
from tidegate.deliveries.parsing.source import Source

Row = list[str | None]
ENDS = ("\n", "\r\n", "\r")
CHUNKS = (1, 7, 64, 1 << 20)


@dataclass(frozen=True)
class Written:
    """A dialect and a writer for it that shares no code with the reader."""

    delimiter: str
    quote: str | None
    escape: str | None
    encoding: str
    end: str
    always: bool

    def options(self) -> dict[str, Any]:
        """The dialect as a contract declares it."""
        return {
            "delimiter": self.delimiter,
            "quote": self.quote,
            "escape": self.escape,
            "encoding": self.encoding,
        }

    def field(self, value: str | None) -> str:
        """One field: null is empty, and quotes stand where they are needed or always."""
        if value is None:
            return ""
        if self.quote is None:
            return self._escaped(value)
        special = {self.delimiter, self.quote, "\r", "\n"}
        if self.escape:
            special.add(self.escape)
        if not self.always and value and not special & set(value):
            return value
        inner = self._escaped(value) if self.escape else value.replace(self.quote, self.quote * 2)
        return f"{self.quote}{inner}{self.quote}"

    def _escaped(self, value: str) -> str:
        if self.escape is None:
            return value
        for mark in (self.escape, self.delimiter, self.quote):
            if mark:
                value = value.replace(mark, self.escape + mark)
        return value

    def record(self, row: Row) -> str:
        """One record without its end."""
        return self.delimiter.join(map(self.field, row))

    def may_hold(self, value: str | None) -> bool:
        """Whether the dialect can write the value at all."""
        if value is None:
            return True
        if self.quote is None:
            forbidden = {"\r", "\n"} | (set() if self.escape else {self.delimiter})
            return bool(value) and not forbidden & set(value)
        return True


@st.composite
def tables(draw: st.DrawFn) -> tuple[Written, list[Row]]:
    """A dialect and a table that it can write."""
    quote = draw(st.sampled_from(['"', "'", None]))
    dialect = Written(
        delimiter=draw(st.sampled_from([",", ";", "\t", "|", " ", "\v", "\f", "\x01"])),
        quote=quote,
        escape=draw(st.sampled_from([None, "\\"])),
        encoding=draw(st.sampled_from(["utf-8", "cp1252", "iso-8859-15", "utf-16", "gbk"])),
        end=draw(st.sampled_from(ENDS)),
        always=draw(st.booleans()),
    )
    plain = st.sampled_from(
        ["a", "1", "x y", ",", ";", '"', "'", "\\", "\t", "\\N", "\\.", "\n", "\x01", "\v", "\f"]
    )
    text = st.one_of(
        st.lists(plain, max_size=4).map("".join),
        st.text(alphabet=st.characters(codec=dialect.encoding, exclude_characters="\0\ufeff")),
        st.just("\r\n"),
    )
    value = st.one_of(st.none(), text).filter(dialect.may_hold)
    width = draw(st.integers(2, 4))
    rows = draw(st.lists(st.lists(value, min_size=width, max_size=width), max_size=8))
    return dialect, rows


def names(width: int) -> list[str]:
    return [f"c{place}" for place in range(width)]


def lines_of(outcome: Outcome) -> list[int]:
    """Every physical line that a record covers, in order."""
    return [line for _, start, end in outcome.ranges for line in range(start, end + 1)]


def check_any_table_comes_back(table: tuple[Written, list[Row]], chunk: int) -> None:
    dialect, rows = table
    width = len(rows[0]) if rows else 2
    text = dialect.end.join([dialect.delimiter.join(names(width)), *map(dialect.record, rows)])
    data = (text + dialect.end).encode(dialect.encoding)
    limits = Limits(chunk_bytes=chunk)
    outcome = read_csv(data, names(width), limits=limits, **dialect.options())
    assert outcome.held == []
    assert outcome.rows == [tuple(row) for row in rows]
    covered = lines_of(outcome)
    assert covered == list(range(2, 2 + len(covered)))


@settings(max_examples=150, deadline=None)
@given(table=tables(), chunk=st.sampled_from(CHUNKS))
def test_any_table_in_any_dialect_comes_back_equal(
    table: tuple[Written, list[Row]], chunk: int
) -> None:
    """What was written is read, null and empty apart, and line ranges partition the file."""
    check_any_table_comes_back(table, chunk)


def test_a_tab_inside_quotes_survives_where_tabs_delimit() -> None:
    """The text that is copied is separated by tabs too, so such a field is never taken as it is."""
    dialect = Written("\t", '"', None, "utf-8", "\n", always=False)
    check_any_table_comes_back((dialect, [[None, "\t"]]), 1)


@pytest.mark.parametrize("chunk", CHUNKS)
@pytest.mark.parametrize("mark", ["\t", " ", "\v", "\f", "\x01", ","])
def test_a_delimiter_inside_quotes_is_data_whatever_it_is(mark: str, chunk: int) -> None:
    """White space and control characters are delimiters like any other, at any block boundary."""
    dialect = Written(mark, '"', None, "utf-8", "\n", always=False)
    rows: list[Row] = [[None, mark], [mark, None], [mark * 2, "a"], ["", f"a{mark}b"]]
    check_any_table_comes_back((dialect, rows), chunk)


@pytest.mark.parametrize("quoted", [True, False])
def test_the_byte_that_hides_delimiters_is_data_where_it_is_delivered(quoted: bool) -> None:
    """A control character is kept as it came, beside quotes and in files without any."""
    dialect = Written(",", '"', None, "utf-8", "\n", always=quoted)
    check_any_table_comes_back((dialect, [["x\x01y", "2"], ["\x01", None]]), 64)


@pytest.mark.parametrize("quoted", [False, True])
def test_the_sign_that_masks_delimiters_is_data_where_it_is_data(quoted: bool) -> None:
    """Whether or not other fields are quoted."""
    dialect = Written(",", '"', None, "utf-8", "\n", always=quoted)
    check_any_table_comes_back((dialect, [[None, "\x01"], ["a,b", "\x01,"]]), 64)
    check_any_table_comes_back((dialect, [[None, "\x01"]]), 1)


@pytest.mark.long
@settings(max_examples=10_000, deadline=None, derandomize=False)
@given(table=tables(), chunk=st.sampled_from(CHUNKS))
def test_any_table_in_any_dialect_comes_back_equal_at_length(
    table: tuple[Written, list[Row]], chunk: int
) -> None:
    """The same with many more tables."""
    check_any_table_comes_back(table, chunk)


def _stray(record: bytes) -> bytes:
    return b'k"' + record


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "a field more": lambda record: record + b",x",
    "a field less": lambda record: record[record.index(b",") + 1 :],
    "a quote inside a field": _stray,
    "an opening quote": lambda record: b'"' + record,
    "text after a quote": lambda record: b'"q"z' + record,
    "a closing quote lost": lambda record: record.replace(b'b"', b"b", 1),
    "bad bytes": lambda record: b"\xff" + record,
    "a nul byte": lambda record: b"\0" + record,
}

PIECES = ("", "a", "12", "a,b", "a\nb", 'a""b', "a\u00e9b", "a\r\nb", 'a""\nb')
"""As they stand in the file, without quotes around them: no line of one is a record of four."""


def check_damage_stays(rows: list[list[str]], at: int, damage: str, chunk: int, end: str) -> None:
    def field(piece: str) -> str:
        return f'"{piece}"' if set(piece) & {",", "\n", '"'} else piece

    records = [",".join(["k", *map(field, row)]).encode() for row in rows]
    at %= len(records)
    damaged = DAMAGES[damage](records[at])
    if damaged == records[at]:
        return
    whole = [b"k,x,y,z", *records[:at], damaged, *records[at + 1 :]]
    data = end.encode().join(whole) + end.encode()
    outcome = read_csv(data, ["k", "x", "y", "z"], limits=Limits(chunk_bytes=chunk))
    good = read_csv(
        end.encode().join([whole[0], *records[:at], *records[at + 1 :]]), ["k", "x", "y", "z"]
    )
    assert outcome.rows == good.rows
    assert outcome.malformed
    # Between two held records stands a line end, which belongs to neither.
    held = b"\n".join(bad.raw for bad in outcome.malformed)
    assert held.replace(b"\r\n", b"\n") == damaged.replace(b"\r\n", b"\n")


DAMAGED = given(
    rows=st.lists(
        st.lists(st.sampled_from(PIECES), min_size=3, max_size=3), min_size=1, max_size=6
    ),
    at=st.integers(0, 5),
    damage=st.sampled_from(sorted(DAMAGES)),
    chunk=st.sampled_from(CHUNKS),
    end=st.sampled_from(["\n", "\r\n"]),
)


@settings(max_examples=300, deadline=None)
@DAMAGED
def test_a_damaged_record_is_held_and_no_other(
    rows: list[list[str]], at: int, damage: str, chunk: int, end: str
) -> None:
    """Whatever is broken in one record, exactly its bytes are held and the others are read."""
    check_damage_stays(rows, at, damage, chunk, end)


@pytest.mark.long
@settings(max_examples=10_000, deadline=None, derandomize=False)
@DAMAGED
def test_a_damaged_record_is_held_and_no_other_at_length(
    rows: list[list[str]], at: int, damage: str, chunk: int, end: str
) -> None:
    """The same with many more files."""
    check_damage_stays(rows, at, damage, chunk, end)


NASTY = st.lists(
    st.sampled_from(
        [b"a", b",", b'"', b'""', b"\n", b"\r", b"\r\n", b"\0", b"\xff", b"\xc3\xa9", b"\\", b"#x"]
    ),
    max_size=40,
).map(b"".join)


def exactly(data: bytes, width: int, chunk: int) -> Outcome:
    """Read by the slow path alone."""
    source = Source(io.BytesIO(data), "utf-8", block_bytes=chunk)
    columns = [SourceColumn(name) for name in names(width)]
    reader = CsvReader(
        source,
        CsvFormat(type="csv", header=False),
        columns,
        limits=Limits(chunk_bytes=chunk),
    )
    reader._plain = lambda window: None  # type: ignore[method-assign]
    return read(reader)


def check_paths_agree(data: bytes, width: int, chunk: int) -> None:
    if not data:
        return
    fast = read_csv(data, names(width), header=False, limits=Limits(chunk_bytes=chunk))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(csv_reader, "_GROUPED_WIDTH", 0)
        slow = exactly(data, width, 1 << 20)
    assert (fast.rows, fast.held, fast.ranges) == (slow.rows, slow.held, slow.ranges)
    reader = fast.reader
    assert reader.records_read == len(fast.rows) + len(fast.held)
    ends = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    total = ends.count(b"\n") + (not ends.endswith(b"\n"))
    covered = lines_of(fast)
    assert covered == sorted(set(covered))
    assert len(covered) + reader.blank_lines == total


ANY_BYTES = given(data=NASTY, width=st.integers(1, 3), chunk=st.sampled_from(CHUNKS))


@settings(max_examples=400, deadline=None)
@ANY_BYTES
def test_fast_and_exact_reading_agree_on_any_bytes(data: bytes, width: int, chunk: int) -> None:
    """Chunks, shortcuts and expressions change nothing; every line is a record's, or blank."""
    check_paths_agree(data, width, chunk)


@pytest.mark.long
@settings(max_examples=10_000, deadline=None, derandomize=False)
@ANY_BYTES
def test_fast_and_exact_reading_agree_on_any_bytes_at_length(
    data: bytes, width: int, chunk: int
) -> None:
    """The same with many more files."""
    check_paths_agree(data, width, chunk)
