"""The CSV reader: the landing cases of the field, each as the rule it taught."""

from __future__ import annotations

import gzip
from typing import Any

import pytest

from parsing_support import read_csv
from tidegate.deliveries.parsing import DeliveryRefused, Limits, SourceColumn


def test_a01_one_leading_byte_order_mark_is_removed_and_recorded() -> None:
    """A01: the header is `id`, not U+FEFF and id; a later U+FEFF stays data."""
    outcome = read_csv("\ufeffid,qty\n\ufeff1,5\n".encode(), ["id", "qty"])
    assert outcome.rows == [("\ufeff1", "5")]
    assert outcome.reader.bom is True


def test_a02_utf_16_under_a_declared_utf_8_is_refused_by_name() -> None:
    """A02: the message says what is declared and what the file begins with."""
    data = "id\n1\n".encode("utf-16")
    with pytest.raises(DeliveryRefused) as refused:
        read_csv(data, ["id"])
    assert str(refused.value) == (
        "encoding_mismatch: the contract declares utf-8, the file begins with the byte order mark "
        "of utf-16. Ask the producer for the file again, or correct the contract."
    )
    assert read_csv(data, ["id"], encoding="utf-16").rows == [("1",)]


def test_a03_bad_bytes_hold_their_own_record_only() -> None:
    """A03: a Latin-1 byte in UTF-8 holds one record, with its bytes."""
    outcome = read_csv(b"id,name\n1,caf\xe9\n2,ok\n", ["id", "name"])
    assert outcome.held == [(1, "invalid_encoding", b"1,caf\xe9")]
    assert outcome.rows == [("2", "ok")]
    assert read_csv(b"id,name\n1,caf\xe9\n", ["id", "name"], encoding="latin-1").rows == [
        ("1", "caf\u00e9")
    ]


def test_a04_an_archive_that_is_not_declared_is_refused() -> None:
    """A04: gzip bytes under another name are said to be gzip, not bad UTF-8."""
    with pytest.raises(DeliveryRefused, match=r"^compressed_unexpectedly: the bytes are gzip\."):
        read_csv(gzip.compress(b"id\n1\n"), ["id"])
    with pytest.raises(DeliveryRefused, match=r"^archive_expected: the file should be gzip and"):
        read_csv(b"id\n1\n", ["id"], compressed=True)


def test_a05_a_nul_byte_holds_its_record() -> None:
    """A05: PostgreSQL's text cannot hold U+0000, so the record is held as bytes."""
    outcome = read_csv(b"id,note\n1,a\0b\n2,ok\n", ["id", "note"])
    assert outcome.held == [(1, "nul_byte", b"1,a\0b")]
    assert outcome.rows == [("2", "ok")]


def test_a07_record_numbers_and_lines_differ_after_an_embedded_newline() -> None:
    """A07: the second record is record 2 on line 4."""
    outcome = read_csv(b'id,t\n1,"x\ny"\n2,\n', ["id", "t"])
    assert outcome.rows == [("1", "x\ny"), ("2", None)]
    assert outcome.ranges == [(1, 2, 3), (2, 4, 4)]


def test_a10_an_unterminated_quote_does_not_eat_good_records() -> None:
    """A10: only the record that opens the quote is held."""
    outcome = read_csv(b'id,t\n1,"open\n2,b\n3,c\n', ["id", "t"])
    assert outcome.held == [(1, "unterminated_quote", b'1,"open')]
    assert outcome.rows == [("2", "b"), ("3", "c")]


def test_a11_text_after_a_closing_quote_holds_the_record() -> None:
    """A11: `"ab"c` is not abc."""
    outcome = read_csv(b'id,t\n1,"ab"c\n2,d\n', ["id", "t"])
    assert outcome.held == [(1, "text_after_quote", b'1,"ab"c')]
    assert outcome.rows == [("2", "d")]


def test_a12_a13_a_wrong_number_of_fields_holds_the_record() -> None:
    """A12, A13: nothing is cut off and nothing is filled up."""
    outcome = read_csv(b"a,b,c\n1,2,3\n4,5,6,7\n4,5\n", ["a", "b", "c"])
    assert outcome.held == [(2, "too_many_fields", b"4,5,6,7"), (3, "too_few_fields", b"4,5")]
    assert outcome.rows == [("1", "2", "3")]


@pytest.mark.parametrize(
    ("header", "columns", "refusal"),
    [
        ("id,id,d", ["id", "d"], "duplicate_header: 'id' at 1, 2"),
        ("Ref,ref", ["ref", "x"], "header_collision: 'Ref' and 'ref' are both 'ref'"),
        (
            "unit price,unit_price",
            ["unit_price"],
            "header_collision: 'unit price' and 'unit_price' are both 'unit_price'",
        ),
        (",name,", ["name"], "blank_header: no name at position 1, 3"),
        (
            "10,20",
            ["a", "b"],
            "header_mismatch: none of the 2 names of the first line is a column of the contract, "
            "which has a, b",
        ),
        ('"a"b,c', ["a"], "malformed_header: line 1: text_after_quote"),
    ],
    ids=["a15", "a16_case", "a16_space", "a17", "a19", "broken"],
)
def test_a15_a16_a17_a19_an_ambiguous_header_holds_every_record(
    header: str, columns: list[str], refusal: str
) -> None:
    """A15, A16, A17, A19: nothing is renamed or guessed; the records wait under the reason."""
    outcome = read_csv(f'{header}\n9,4\n"5\n6",7\n'.encode(), columns)
    assert str(outcome.reader.refusal) == refusal
    reason = refusal.split(":")[0]
    assert outcome.held == [(1, reason, b"9,4"), (2, reason, b'"5\n6",7')]
    assert outcome.rows == []


def test_a18_spaces_around_header_names_are_drift_unless_trimmed() -> None:
    """A18: ` qty` is another name; with `trim` it is `qty`."""
    layout = read_csv(b"id, qty\n1,5\n", ["id", "qty"]).reader.layout
    assert (layout.unknown, layout.missing) == ((" qty",), ("qty",))
    assert read_csv(b"id, qty\n1, 5\n", ["id", "qty"], trim=True).rows == [("1", "5")]


def test_a19_without_a_header_the_columns_are_those_of_the_contract() -> None:
    """A19: the first line is a record."""
    assert read_csv(b"10,20\nx,x\n", ["a", "b"], header=False).rows == [("10", "20"), ("x", "x")]


def test_a20_a21_an_empty_file_is_not_a_header_without_records() -> None:
    """A20, A21: no bytes refuse the delivery; no records are a count of zero."""
    with pytest.raises(DeliveryRefused, match=r"^empty_file: the artefact has 0 bytes\."):
        read_csv(b"", ["id"])
    outcome = read_csv(b"id,qty\n", ["id", "qty"])
    assert (outcome.reader.refusal, outcome.rows, outcome.held) == (None, [], [])


def test_a23_long_fields_land_and_longer_ones_are_held() -> None:
    """A23: there is no hidden limit, and the declared one holds the record."""
    data = b'id,t\n1,"' + b"x" * 131073 + b'"\n2,ok\n'
    assert [len(row[1] or "") for row in read_csv(data, ["id", "t"]).rows] == [131073, 2]
    outcome = read_csv(data, ["id", "t"], limits=Limits(field_bytes=1000, raw_bytes=10))
    assert outcome.held == [(1, "field_too_large", b'1,"xxxxxxx')]
    assert outcome.malformed[0].raw_truncated
    assert outcome.rows == [("2", "ok")]


def test_a23_a_line_beyond_the_memory_limit_is_held_and_the_next_is_read() -> None:
    """A23: one endless line costs bounded memory and no other record."""
    limits = Limits(chunk_bytes=64, record_bytes=1000, raw_bytes=16)
    data = b"id,t\n1," + b"x" * 5000 + b"\r\n2,ok\r\n"
    outcome = read_csv(data, ["id", "t"], limits=limits)
    assert [bad[:2] for bad in outcome.held] == [(1, "field_too_large")]
    assert outcome.rows == [("2", "ok")]


def test_a24_more_fields_than_a_table_may_have_columns() -> None:
    """A24: 1,700 fields are read; unknown ones are drift."""
    names = [f"c{i}" for i in range(1700)]
    data = ",".join(names) + "\n" + ",".join(["1"] * 1699) + ',"a,b"\n1,2\n'
    outcome = read_csv(data.encode(), ["c0", "c1699"])
    assert outcome.rows == [("1", "a,b")]
    assert outcome.held == [(2, "too_few_fields", b"1,2")]
    assert len(outcome.reader.layout.unknown) == 1698


def test_a26_a27_only_declared_tokens_are_null_and_only_unquoted() -> None:
    """A26, A27: NA and None are text; a quoted empty field is empty text."""
    assert read_csv(b"cc,v\nNA,null\nFR,None\n", ["cc", "v"]).rows == [
        ("NA", "null"),
        ("FR", "None"),
    ]
    assert read_csv(b'id,t\n1,\n2,""\n', ["id", "t"]).rows == [("1", None), ("2", "")]
    assert read_csv(b'id,t\nNA,"NA"\n,x\n', ["id", "t"], null_tokens=("NA",)).rows == [
        (None, "NA"),
        ("", "x"),
    ]


def test_a37_nothing_is_trimmed_unless_declared_and_then_only_space_and_tab() -> None:
    """A37: U+00A0 and U+200B stay; so does everything without `trim`."""
    data = "s,i\nok ,1\n\tok\u00a0,2\nok\u200b,3\n".encode()
    assert [row[0] for row in read_csv(data, ["s"]).rows] == ["ok ", "\tok\u00a0", "ok\u200b"]
    assert [row[0] for row in read_csv(data, ["s"], trim=True).rows] == [
        "ok",
        "ok\u00a0",
        "ok\u200b",
    ]


def test_a42_a_truncated_archive_is_refused_and_members_are_all_read() -> None:
    """A42: half an archive is no delivery; two members are one file."""
    text = b"id\n" + b"".join(b"%d\n" % i for i in range(5000))
    whole = gzip.compress(text)
    with pytest.raises(DeliveryRefused, match=r"^truncated_archive: after \d+ expanded bytes\."):
        read_csv(whole[:-20], ["id"], compressed=True)
    broken = bytearray(whole)
    broken[-6] ^= 1
    with pytest.raises(DeliveryRefused, match=r"^corrupt_archive: after \d+ expanded bytes\."):
        read_csv(bytes(broken), ["id"], compressed=True)
    two = gzip.compress(b"id\n1\n") + gzip.compress(b"2\n") + b"\0" * 100
    assert read_csv(two, ["id"], compressed=True).rows == [("1",), ("2",)]
    with pytest.raises(DeliveryRefused, match=r"^expansion_cap: the archive expands to more"):
        read_csv(whole, ["id"], compressed=True, max_expanded_bytes=1000)


def test_a43_a_line_of_backslash_dot_ends_nothing() -> None:
    """A43: COPY's end-of-data mark is a record like any other."""
    outcome = read_csv(b"id,t\n1,a\n\\.\n2,b\n", ["id", "t"])
    assert outcome.held == [(2, "too_few_fields", b"\\.")]
    assert outcome.rows == [("1", "a"), ("2", "b")]
    assert read_csv(b"id\n\\.\n\\N\n", ["id"]).rows == [("\\.",), ("\\N",)]


def test_lines_end_with_lf_crlf_or_cr_and_nothing_else() -> None:
    """Old Mac files and mixed ends are read; U+2028, U+0085, VT and FF are data."""
    assert read_csv(b"a,b\r1,2\r3,4\r", ["a", "b"]).rows == [("1", "2"), ("3", "4")]
    outcome = read_csv(b"a,b\r\n1,2\n3,4\r5,6", ["a", "b"])
    assert outcome.ranges == [(1, 2, 2), (2, 3, 3), (3, 4, 4)]
    text = "x\u2028y\u0085\x0b\x0c\x1c"
    assert read_csv(f"a,b\n{text},2\n".encode(), ["a", "b"]).rows == [(text, "2")]


def test_blank_lines_are_no_records_of_a_table_with_several_columns() -> None:
    """They are counted; in a table of one column a blank line is a record of one empty field."""
    outcome = read_csv(b"a,b\n\n1,2\n\n", ["a", "b"])
    assert (outcome.rows, outcome.held, outcome.reader.blank_lines) == ([("1", "2")], [], 2)
    assert read_csv(b"a\n\n1\n", ["a"]).rows == [(None,), ("1",)]


def test_comments_and_escapes_are_read_only_where_declared() -> None:
    """A declared comment begins a line; a declared escape takes the next byte as it is."""
    outcome = read_csv(b"#x\na,b\n#1,2\n3,#4\n", ["a", "b"], comment="#")
    assert (outcome.rows, outcome.reader.comment_lines) == ([("3", "#4")], 2)
    data = b'a,b\n"x\\"\\\\,",y\\,z\nq,\\\n'
    outcome = read_csv(data, ["a", "b"], escape="\\")
    assert outcome.rows == [('x"\\,', "y,z")]
    assert outcome.held == [(2, "dangling_escape", b"q,\\")]


def test_columns_meet_by_name_and_the_differences_are_told() -> None:
    """A reordered header is read by name; unknown and missing columns are drift."""
    outcome = read_csv(b"c,b,x\n3,2,9\n", ["b", "c", "d"])
    layout = outcome.reader.layout
    assert outcome.rows == [("2", "3", None)]
    assert (layout.reordered, layout.unknown, layout.missing) == (True, ("x",), ("d",))


def test_a_broken_record_of_several_lines_is_one_record() -> None:
    """Its first line, and the lines up to the one where its quotes balance."""
    outcome = read_csv(b'a,b\n1,"a"b,"x\ny"\n3,"4"\n5,"6\n7",8\n9,9\n', ["a", "b"])
    assert outcome.held == [
        (1, "text_after_quote", b'1,"a"b,"x\ny"'),
        (3, "too_many_fields", b'5,"6\n7",8'),
    ]
    assert outcome.rows == [("3", "4"), ("9", "9")]


def test_held_records_are_read_again_with_the_names_of_their_header() -> None:
    """Reprocessing reads raw records without the artefact."""
    assert read_csv(b"2,1\n", ["a", "b"], header_names=["b", "a"]).rows == [("1", "2")]


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({}, '"{""a"":1,""a"":2}"'),
        ({"quote": "'"}, """'{"a":1,"b":{"c":1,"c":2}}'"""),
        ({"quote": None, "delimiter": ";"}, '{"a":1,"a":2}'),
        ({"quote": None, "delimiter": ";"}, '[{"a": 1, "\\u0061": 2}]'),
    ],
)
def test_a_member_twice_in_a_json_field_holds_its_record(
    options: dict[str, Any], field: str
) -> None:
    """The server would keep the last and say nothing; good JSON and no JSON go on to it."""
    mark = options.get("delimiter", ",")
    good = field.replace("2", "[2]").replace("a", "x", 1).replace('"c"', '"d"', 1)
    lines = [f"id{mark}doc", f"1{mark}{good}", f"2{mark}{field}", f"3{mark}no JSON: a: b"]
    outcome = read_csv(
        "\n".join(lines).encode(), ["id", SourceColumn("doc", is_json=True)], **options
    )
    assert outcome.held == [(2, "duplicate_key", lines[2].encode())]
    assert [row[0] for row in outcome.rows] == ["1", "3"]
    assert read_csv("\n".join(lines).encode(), ["id", "doc"], **options).held == []
