"""The JSON readers: strictness, exact numbers, records of a document as a stream."""

from __future__ import annotations

import gzip
import io

import pytest

from parsing_support import read, read_json
from tidegate.contracts.keys import JsonFormat
from tidegate.deliveries.parsing import DeliveryRefused, Limits, SourceColumn, open_records


def test_a39_numbers_keep_every_digit_and_their_scale() -> None:
    """A39: 19, 20 and 25 digits and 1.10 are the source's own tokens, in value and in raw."""
    tokens = ["9223372036854775807", "20210101000000000300", "1" * 25, "1.10", "-0.0", "1E400"]
    data = "\n".join(f'{{"id": {token}}}' for token in tokens).encode()
    outcome = read_json(data, ["id"])
    assert [row[0] for row in outcome.rows] == tokens
    assert [one.raw for one in outcome.records] == data.decode().split("\n")


def test_a40_what_lenient_parsers_let_through_is_held() -> None:
    """A40: a member twice, NaN, text behind the value, a byte order mark in a later line."""
    data = b'\xef\xbb\xbf{"a":0}\n{"a":1,"a":2}\n{"a":NaN}\n{"a":1} x\n\xef\xbb\xbf{"a":1}\n'
    outcome = read_json(data, ["a"])
    assert [held[:2] for held in outcome.held] == [
        (2, "duplicate_key"),
        (3, "invalid_json"),
        (4, "invalid_json"),
        (5, "invalid_json"),
    ]
    assert (outcome.rows, outcome.reader.bom) == ([("0",)], True)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'{"a":' + b"[" * 300 + b"]" * 300 + b"}", "nested_too_deeply"),
        (b'{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}", "nested_too_deeply"),
        (b'{"a":' + b"[" * 100_000, "invalid_json"),
        (b'{"a":"\\ud800"}', "lone_surrogate"),
        (b'{"\\udc00":1}', "lone_surrogate"),
        (b'{"a":"\\u0000"}', "nul_byte"),
        (b'{"a":"\xff"}', "invalid_encoding"),
        (b"[1]", "not_an_object"),
        (b'{"a":[{"b":1,"b":1}]}', "duplicate_key"),
        (b'{"a":"\x01"}', "invalid_json"),
        (b"{'a':1}", "invalid_json"),
    ],
)
def test_a40_every_flaw_has_its_reason_and_holds_one_line(line: bytes, reason: str) -> None:
    """A flaw is told by its own code; the lines around it are read."""
    outcome = read_json(b'{"a":1}\n' + line + b'\n{"a":"\\ud83d\\ude00"}\n', ["a"])
    assert [held[:2] for held in outcome.held] == [(2, reason)]
    assert outcome.malformed[0].raw == line
    assert outcome.rows == [("1",), ("\U0001f600",)]


@pytest.mark.parametrize("chunk", [1, 3, 7, 1 << 20])
def test_a_document_is_read_as_a_stream_whatever_the_blocks_are(chunk: int) -> None:
    """Records stand behind the pointer; a flaw inside one holds that one."""
    data = (
        '{"meta": {"n": [1, 2]},\n "data": {"items": [{"a": "\u00e9"},\n  {"a": "'.encode()
        + b'\xff"}, {"a": 12}, {"a":NaN}, {"a": {"x": [1.50, null, "y"]}}\n]}, "z": 1}\n'
    )
    limits = Limits(chunk_bytes=chunk)
    outcome = read_json(data, ["a"], kind="json", records="/data/items", limits=limits)
    assert outcome.rows == [("\u00e9",), ("12",), ('{"x": [1.50, null, "y"]}',)]
    assert outcome.held == [
        (2, "invalid_encoding", b'{"a": "\xff"}'),
        (4, "invalid_json", b'{"a":NaN}'),
    ]
    assert [place[1:] for place in outcome.ranges] == [(2, 2), *[(3, 3)] * 4]


@pytest.mark.parametrize(
    ("data", "records", "message"),
    [
        (b'[{"a":1},{"a":2}', "", "invalid_document: line 1: `,` was expected."),
        (b'[{"a":1}]\n x', "", "invalid_document: line 2: text stands behind the document."),
        (b'{"x":1,\n"x":[]}', "/y", "invalid_document: line 2: a member around the records stands"),
        (b'{"x":[]}', "/y", "records_not_found: the pointer of `records` leads nowhere."),
        (b'{"x":{}}', "/x", "records_not_found: the pointer of `records` leads to no array."),
        (b'{"x":NaN,"y":[]}', "/y", "invalid_document: line 1: a value around the records: inv"),
        (b'{"x":1,}', "/y", "invalid_document: line 1: a member has no name."),
        (b"  ", "", "invalid_document: line 1: it is not JSON."),
    ],
)
def test_text_that_is_no_document_refuses_the_delivery(
    data: bytes, records: str, message: str
) -> None:
    """Without a document there are no records to tell apart."""
    with pytest.raises(DeliveryRefused) as refused:
        read_json(data, ["a"], kind="json", records=records)
    assert str(refused.value).startswith(message)


def test_columns_are_found_by_name_pointer_or_as_the_whole_record() -> None:
    """A path may lead into arrays, escape its slashes, or take the record; json stays JSON."""
    data = b'{"a/b": {"~": [10, {"k": "v"}]}, "t": "x", "n": null, "f": false}'
    outcome = read_json(
        data,
        [
            SourceColumn("one", path="/a~1b/~0/1/k"),
            SourceColumn("t", is_json=True),
            SourceColumn("n"),
            SourceColumn("f"),
            SourceColumn("all", path="", is_json=True),
            SourceColumn("gone", path="/a~1b/~0/7"),
        ],
    )
    whole = '{"a/b": {"~": [10, {"k": "v"}]}, "t": "x", "n": null, "f": false}'
    assert outcome.rows == [("v", '"x"', None, "false", whole, None)]
    assert outcome.reader.layout.missing == ("gone",)


def test_unknown_members_are_told_with_what_they_hold() -> None:
    """A member that no column takes is drift; it is null where it is absent."""
    outcome = read_json(b'{"a":1}\n{"a":2,"b":"2024-02-29"}\n{"a":3,"b":null}\n', ["a"])
    assert outcome.reader.layout.unknown == ("b",)
    seen = outcome.reader.tallies[1].observed()
    assert (seen.name, seen.type.sql, seen.values, seen.nulls) == ("b", "date", 1, 2)


def test_a42_compressed_json_is_read_member_by_member() -> None:
    """A42: the archive's members are one stream of lines."""
    data = gzip.compress(b'{"a":1}\n') + gzip.compress(b'{"a":2}\n')
    reader = open_records(
        io.BytesIO(data), JsonFormat(type="jsonl"), [SourceColumn("a")], compressed=True
    )
    assert read(reader).rows == [("1",), ("2",)]


def test_a_carriage_return_between_tokens_ends_no_line_of_json() -> None:
    """In JSON Lines only LF ends a record; CR is white space."""
    assert read_json(b'{"a":\r1}\r\n{"a":2}\r\n \r\n', ["a"]).rows == [("1",), ("2",)]


def test_members_that_few_records_have_cost_no_more_than_they_hold() -> None:
    """Names that are keys of a map: each is counted where it stands, and null in the others."""
    count = 20_000
    data = "\n".join(f'{{"a":1,"k{number}":{number}}}' for number in range(count)).encode()
    outcome = read_json(data, ["a"])
    seen = [tally.observed() for tally in outcome.reader.tallies]
    assert [one.name for one in seen[:3]] == ["a", "k0", "k1"]
    assert len(seen) == count + 1
    assert {(one.values, one.nulls) for one in seen[1:]} == {(1, count - 1)}
