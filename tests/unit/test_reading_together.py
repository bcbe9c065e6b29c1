"""Large windows are looked at as a whole; small ones value by value. Nobody may see which."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from parsing_support import read_csv
from tidegate.contracts.keys import CsvFormat
from tidegate.deliveries.copytext import NULL, escape
from tidegate.deliveries.parsing import Batch, Limits, SourceColumn, columns, open_records
from tidegate.deliveries.parsing.rows import WRITTEN, Form, Lines

NAMES = ["a", "b", "c"]
CLOSED = frozenset({"new", "open", "x\ty"})
PIECES = [
    *("", "0", "7", "12", "-3", "-0", "007", "00", "1.5", "-0.25", "0.", ".5", "00.1", "+1"),
    *("1" * 18, "9" * 19, "1" * 41, "1.2.3", "1-2", "2024-02-29", "2023-02-29", "2024-13-01"),
    *("2024-01-31 10:00", "2024-01-31T10:00:00Z", "2024-01-31T25:00:00Z", "2024-01-31 10:00:00.5"),
    *(
        "2024-01-31 10:00:00+0130",
        "2024-01-31 10:00:00-16:00",
        "2024-01-31 10:00+05:60",
        "1/2/2024",
    ),
    *("0b1c2d3e-0000-4000-8000-0123456789ab", "0b1c2d3e00004000-8000-0123456789ab0-", "a" * 36),
    *(
        "00000000-0000-4000-8000-000000000000",
        "true",
        "false",
        "tru",
        "True",
        "new",
        "open",
        "x\ty",
    ),
    *("NA", "na", "\u00e9", "\u4e16\u754c", "a b", " 1", "1 ", "x\x01", "\\N", 'q"', '"q"', '""'),
]
QUOTED = [
    '""',
    '"a,b"',
    '"2024-01-31 10:00"',
    '"-3"',
    '"\\N"',
    '"x\x01,"',
    '"a\nb"',
    '"a""b"',
    '"7"',
]
PLAIN = [piece for piece in PIECES if not set(piece) & set('"\\')]


@dataclass(frozen=True)
class File:
    """Records of three fields, and how the contract declares them."""

    rows: list[list[str]]
    delimiter: str
    quote: str | None
    end: str
    encoding: str
    nulls: tuple[str, ...]
    chunk: int

    @property
    def data(self) -> bytes:
        """The file."""
        lines = [self.delimiter.join(row) for row in [NAMES, *self.rows]]
        return self.end.join([*lines, ""]).encode(self.encoding)

    @property
    def declared(self) -> dict[str, Any]:
        """Its dialect as the contract has it."""
        return {
            "delimiter": self.delimiter,
            "quote": self.quote,
            "encoding": self.encoding,
            "null_tokens": self.nulls,
        }


@st.composite
def files(draw: st.DrawFn) -> File:
    """Columns of values that are alike, mostly; most records have three fields."""
    pieces = draw(st.sampled_from([PLAIN, PLAIN + QUOTED, PIECES + QUOTED]))
    alike = [draw(st.lists(st.sampled_from(pieces), min_size=1, max_size=3)) for _ in NAMES]
    row = st.tuples(*map(st.sampled_from, alike)).map(list)
    rows = draw(st.lists(row, max_size=12))
    if rows and draw(st.integers(0, 3)) == 0:
        at = draw(st.integers(0, len(rows) - 1))
        rows[at] = draw(
            st.sampled_from([[], ["x"], ["1", "2"], ["1", "2", "3", "4"], ["\0", "", ""]])
        )
    return File(
        rows,
        draw(st.sampled_from([",", ",", ";", "\t", "|", ":", " ", "%", "x", "-"])),
        draw(st.sampled_from(['"', '"', "'", None])),
        draw(st.sampled_from(["\n", "\n", "\r\n", "\r"])),
        draw(st.sampled_from(["utf-8", "utf-16"])),
        draw(st.sampled_from([("",), ("",), ("NA",), (), ("", "NA"), ("\\N",), ('"',)])),
        draw(st.sampled_from([7, 64, 1 << 20])),
    )


def seen(file: File, order: list[str], least: int) -> tuple[Any, ...]:
    """All that reading tells, where windows of `least` bytes or fields are looked at together."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(columns, "_LARGE", least)
        patch.setattr(columns, "_MANY", least)
        outcome = read_csv(
            file.data,
            [SourceColumn(name, closed=CLOSED if name == "a" else None) for name in order],
            limits=Limits(chunk_bytes=file.chunk),
            **file.declared,
        )
    numbers = ("nulls", "shortest", "longest", "largest", "whole", "scale", "outside")
    tallies = [
        (+one.kinds, *(getattr(one, number) for number in numbers))
        for one in outcome.reader.tallies
    ]
    return outcome.rows, outcome.held, outcome.ranges, outcome.reader.refusal, tallies


def check_alike(file: File, order: list[str]) -> None:
    assert seen(file, order, 0) == seen(file, order, 1 << 40)


ORDERS = st.sampled_from([["a", "b", "c"], ["c", "a", "b"], ["a", "c"], ["b", "z", "a", "c"]])
ANY_FILE = given(file=files(), order=ORDERS)


@settings(max_examples=500, deadline=None)
@ANY_FILE
@example(File([["x\ty", "", ""]], ",", '"', "\n", "utf-8", ("",), 7), ["a", "b", "c"])
@example(File([["", "", '"x\x01,"']], ";", '"', "\n", "utf-8", (), 7), ["a", "b", "c"])
def test_windows_read_together_and_value_by_value_are_alike(file: File, order: list[str]) -> None:
    """Records, what is held, line ranges and what is observed are equal."""
    check_alike(file, order)


@pytest.mark.long
@settings(max_examples=10_000, deadline=None, derandomize=False)
@ANY_FILE
def test_windows_read_together_and_value_by_value_are_alike_at_length(
    file: File, order: list[str]
) -> None:
    """The same with many more files."""
    check_alike(file, order)


def batches_of(data: bytes, order: list[str], **declared: Any) -> list[Batch]:
    """The batches of a file, read together."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(columns, "_LARGE", 0)
        names = [SourceColumn(name) for name in order]
        return list(open_records(io.BytesIO(data), CsvFormat(type="csv", **declared), names))


@settings(max_examples=200, deadline=None)
@ANY_FILE
def test_lines_as_they_stand_say_the_same_as_written_out(file: File, order: list[str]) -> None:
    """Split by what their form declares, they have the values, numbers and lines of the table."""
    for batch in batches_of(file.data, order, **file.declared):
        rows, own = batch.table, 3
        if not isinstance(rows, Lines):
            continue
        assert set(rows.form.order or ()) == {order.index(name) for name in NAMES}
        table = rows.written()
        written = [line.split(b"\t") for line in table.numbered((5, 6)).split(b"\n")[:-1]]
        staged = [line.split(b"\t") for line in table.staged().split(b"\n")[:-1]]
        assert copied(rows.numbered((5, 6)), rows.form, own, len(order)) == written
        without_raw = [[*line[:own], *line[own + 1 :]] for line in staged]
        assert copied(rows.staged(), rows.form, own, len(order)) == without_raw


def copied(lines: bytes, form: Form, own: int, width: int) -> list[list[bytes]]:
    """What COPY would read, character by character, as its text in contract order."""
    found = []
    for line in lines.decode().split("\n")[:-1]:
        values: list[bytes] = []
        value, quoted, inside = "", False, False
        for character in line + form.delimiter.decode():
            if form.quote and character == form.quote.decode():
                quoted, inside = True, not inside
            elif character == form.delimiter.decode() and not inside:
                null = not quoted and value == form.null.decode()
                values.append(NULL if null else escape(value.encode()))
                value, quoted = "", False
            else:
                value += character
        fields = [NULL] * width
        for place, each in zip(form.order or (), values[own:], strict=True):
            fields[place] = each
        found.append([*values[:own], *fields])
    return found


@pytest.mark.parametrize(
    ("data", "order", "declared"),
    [
        (b'a,b\n1,"2""3"\n', ["a", "b"], {}),
        (b'a,b\n1,"2"\n3,"\n"\n', ["a", "b"], {}),
        (b"a,b\n1,\\N\n", ["a", "b"], {"quote": None}),
        (b"a,b\n1,\\N\n", ["a", "b"], {"null_tokens": ()}),
        (b'a,b\n1,"\x01,"\n', ["a", "b"], {}),
        (b'a,b\n1,"\x01,"\n', ["a", "b"], {"null_tokens": ()}),
        (b"a,b\n1,2\n", ["a"], {}),
        (b"a,b\n1,2\n", ["a", "b"], {"null_tokens": ("", "NA")}),
        (b"a,b\n1,2\n", ["a", "b"], {"trim": True}),
        (b"a,b\n1,2\n", ["a", "b"], {"comment": "#"}),
        (b"a,b\n1,2\n", ["a", "b"], {"escape": "\\"}),
        (b"axb\n1x2\n", ["a", "b"], {"delimiter": "x", "quote": None}),
        (b"a,b\n1\n", ["a", "b"], {}),
    ],
)
def test_lines_that_copy_would_read_otherwise_are_written_out(
    data: bytes, order: list[str], declared: dict[str, Any]
) -> None:
    """Doubled quotes, backslashes, columns of nobody, several texts for null, odd delimiters."""
    for batch in batches_of(data, order, **declared):
        assert batch.form == WRITTEN


def test_plain_lines_are_copied_as_they_stand() -> None:
    """Also where the contract has the columns in another order, and one that the file lacks."""
    (batch,) = batches_of(b"a;b\n1;x\n\xc3\xa9;\n", ["z", "b", "a"], delimiter=";")
    assert batch.form == Form(b";", b"", (2, 1), b'"')
    assert batch.staged == b"1;2;2;1;x\n2;3;3;\xc3\xa9;\n"
    assert batch.table is not None
    assert batch.table.numbered((8, 9)) == b"1;8;9;1;x\n2;8;9;\xc3\xa9;\n"
    assert batch.copy == b"1\t2\t2\t\\N\t\\N\tx\t1\n2\t3\t3\t\\N\t\\N\t\\N\t\xc3\xa9\n"
