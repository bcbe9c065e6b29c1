"""A first contract from a delivered file: what is found, what is left open, what is refused."""

from __future__ import annotations

import gzip
import re
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from tidegate.contracts.draft import dataset_text
from tidegate.deliveries.drafting.clues import Clues, Declared
from tidegate.deliveries.drafting.draft import FileDraft, draft_file
from tidegate.errors import UsageError


def drafted(folder: Path, name: str, content: str | bytes) -> FileDraft:
    """The draft of a file of that name and content."""
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return draft_file(path)


def columns(draft: FileDraft) -> dict[str, tuple[str, dict[str, Any]]]:
    """Type and keys by the name of the column."""
    return {it.name: (it.type.sql, dict(it.keys)) for it in draft.relation.columns}


def test_a_semicolon_file_with_german_numbers_is_told_as_it_is_written(tmp_path: Path) -> None:
    """Delimiter, names, dates, marks and tokens are declared; leading zeros stay text."""
    draft = drafted(
        tmp_path,
        "orders_2026-02-03.csv",
        "Order ID;Placed at;Amount EUR;Paid?\n"
        "0001;01.02.2026 10:00;1.234,50;ja\n0002;25.02.2026 11:30;;nein\n",
    )
    assert columns(draft) == {
        "order_id": ("text", {"header": "Order ID"}),
        "placed_at": (
            "timestamp without time zone",
            {"header": "Placed at", "parse": {"timestamp_format": "%d.%m.%Y %H:%M"}},
        ),
        "amount_eur": (
            "numeric",
            {"header": "Amount EUR", "parse": {"decimal": ",", "thousands": "."}},
        ),
        "paid": (
            "boolean",
            {"header": "Paid?", "parse": {"true_tokens": ["ja"], "false_tokens": ["nein"]}},
        ),
    }
    assert dict(draft.relation.format) == {"type": "csv", "delimiter": ";"}
    assert (draft.relation.name, draft.relation.match) == ("orders", "orders*.csv")
    assert (draft.relation.key, draft.records) == (("order_id",), 2)
    assert draft.notes == (
        "order_id: no value stands twice, so it was taken for the key",
        "never empty, so perhaps `required: true`: placed_at, paid",
    )


def test_the_contract_of_a_file_holds_what_was_found(tmp_path: Path) -> None:
    """The text is a contract whose empty places are those that only a person knows."""
    draft = drafted(tmp_path, "p.tsv", "SKU\tPrice\nA\t1.5\nB\t2.5\n")
    table = yaml.safe_load(dataset_text(draft.relation, "shop"))["sources"][0]["tables"][0]
    assert table["config"]["meta"]["tidegate"] == {
        "version": "1",
        "owner": "",
        "delivery": {"kind": "snapshot", "match": ["p*.tsv"], "key": ["sku"]},
        "format": {"type": "csv", "delimiter": "\t"},
    }
    assert table["columns"] == [
        {
            "name": "sku",
            "data_type": "text",
            "description": "",
            "config": {"meta": {"tidegate": {"required": True, "header": "SKU"}}},
        },
        {
            "name": "price",
            "data_type": "numeric",
            "description": "",
            "config": {"meta": {"tidegate": {"header": "Price"}}},
        },
    ]


@pytest.mark.parametrize(
    ("name", "content", "form"),
    [
        ("a.json", '[{"a": 1}, {"a": 2}]', {"type": "json"}),
        ("a.json", '{"page": 1, "data": {"it/ems": [{"a": 1}]}}', "/data/it~1ems"),
        ("a.jsonl", '{"a": 1}\n{"a": 2}\n', {"type": "jsonl"}),
        ("a.txt", '{"a": 1}\n{"a": 2}\n', {"type": "jsonl"}),
        ("a.csv", "a|b\n1|x, y\n", {"type": "csv", "delimiter": "|"}),
        ("a.csv", 'a,b\n1,6" pipe\n2,3" pipe\n', {"type": "csv", "quote": None}),
        ("a.csv", "a\n1\n2\n", {"type": "csv"}),
        ("a.csv", "1,2026-01-01,x\n2,2026-01-02,y\n", {"type": "csv", "header": False}),
        ("a.csv", "land,2024,2025\nx,1,2\n", {"type": "csv"}),
        ("a.csv", "a,b\n1,é\n".encode("utf-16"), {"type": "csv", "encoding": "utf-16"}),
    ],
)
def test_the_form_is_told_by_the_bytes(
    tmp_path: Path, name: str, content: str | bytes, form: dict[str, Any] | str
) -> None:
    """What the first bytes and the fewest unreadable records say; the ending only where neither."""
    expected = {"type": "json", "records": form} if isinstance(form, str) else form
    found = dict(drafted(tmp_path, name, content).relation.format)
    assert {**found, "quote": found.get("quote", '"')} == {"quote": '"', **expected}


def test_other_encodings_are_taken_by_their_letters_and_said(tmp_path: Path) -> None:
    """Bytes that are no UTF-8 are read under the likeliest encoding, for a person to confirm."""
    text = "id,name\n" + "".join(f"{n},Müller und Söhne aus Köln, größer\n" for n in range(20))
    draft = drafted(tmp_path, "a.csv", text.replace(", gr", " gr").encode("cp1252"))
    encoding = draft.relation.format["encoding"]
    assert "größer".encode("cp1252").decode(encoding) == "größer"
    assert draft.notes[0] == f"The file is not UTF-8; {encoding} was taken for it."


def test_archives_are_read_and_their_ending_is_not_of_the_pattern(tmp_path: Path) -> None:
    """`.gz` is how a file travels, not what it is called."""
    draft = drafted(tmp_path, "sales 07.csv.gz", gzip.compress(b"a,b\n1,2\n"))
    assert (draft.relation.name, draft.relation.match) == ("sales", "sales*.csv")


def test_members_of_json_are_found_by_their_names_and_strings_stay_text(tmp_path: Path) -> None:
    """A member that one record has is a column; "7" in quotes is text by its sender's will."""
    draft = drafted(
        tmp_path,
        "a.json",
        '[{"unitPrice": 1.5, "zip": "01234"}, {"a/b": {"c": 1}, "zip": "99999"}]',
    )
    assert columns(draft) == {
        "unit_price": ("numeric", {"path": "/unitPrice"}),
        "zip": ("text", {}),
        "a_b": ("jsonb", {"path": "/a~1b"}),
    }


def test_what_cannot_be_told_is_said_without_a_value(tmp_path: Path) -> None:
    """Dates of either order, marks of either meaning, empty columns, other values, persons."""
    draft = drafted(
        tmp_path,
        "a.csv",
        "seen,much,none,count,email\n"
        '01/02/2026,"1,234",,1,a@example.org\n03/04/2026,"5,678",,2,b@example.org\n'
        '03/04/2026,"5,678",,many,c@example.org\n',
    )
    assert {name: kind for name, (kind, _) in columns(draft).items()} == {
        "seen": "text",
        "much": "text",
        "none": "text",
        "count": "integer",
        "email": "text",
    }
    assert draft.notes == (
        "seen: day and month cannot be told apart: declare parse.date_format",
        "much: a mark may be decimal or of thousands: declare parse.decimal",
        "none: no record has a value",
        "count: 1 of 3 values are no integer and would be held",
        "email: reads like data about persons, so perhaps `sensitivity: sensitive`",
        "never empty, so perhaps `required: true`: seen, much, count, email",
    )


def test_names_become_plain_and_stay_apart(tmp_path: Path) -> None:
    """What PostgreSQL, dbt or Tidegate need for themselves gets a letter before it."""
    draft = drafted(
        tmp_path, "a.csv", "2024 €,xmin,Größe,select,price €,price $,日本\n1,2,3,4,5,6,7\n"
    )
    assert [it.name for it in draft.relation.columns] == [
        "c_2024",
        "c_xmin",
        "grosse",
        "c_select",
        "price",
        "price_2",
        "field",
    ]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.csv", b"", "is empty. Take a delivery with records."),
        ("a.csv", b" \n \n", "is empty. Take a delivery with records."),
        ("a.csv", b"a,b\n", "has no records. Take a delivery with records."),
        ("a.json", b"[]", "has no records. Take a delivery with records."),
        (
            "a.json",
            b"{",
            "cannot be read: invalid_document: line 1: it is not JSON. "
            "docs/formats.md says what can.",
        ),
        (
            "a.csv",
            b"PK\x03\x04....",
            "cannot be read: compressed_unexpectedly: the bytes are zip (or a spreadsheet). "
            "docs/formats.md says what can.",
        ),
        (
            "a.csv.gz",
            b"a,b\n1,2\n",
            "cannot be read: archive_expected: the file should be gzip and is no archive. "
            "docs/formats.md says what can.",
        ),
        ("a.csv.gz", b"\x1f\x8b\x08", "cannot be read: damaged archive. Check the file."),
        (
            "a.csv",
            b"a,a\n1,2\n",
            "has a header that cannot be trusted: duplicate_header: 'a' at 1, 2. "
            "Mend its first line, or write the contract by hand.",
        ),
        ("7.csv", b"a,b\n1,2\n", "gives no name for a dataset. Give --name."),
    ],
)
def test_what_is_no_delivery_is_refused_with_its_reason(
    tmp_path: Path, name: str, content: bytes, message: str
) -> None:
    """A person learns what to mend before a contract is written."""
    with pytest.raises(UsageError) as caught:
        drafted(tmp_path, name, content)
    assert str(caught.value) == f"{tmp_path / name} {message}"


FORMS = {"%d.%m.%Y": "date", "%m/%d/%Y": "date", "%d-%b-%Y": "date", "%Y/%m/%d": "date"}


@given(
    st.sampled_from(sorted(FORMS)),
    st.lists(st.dates(min_value=date(1000, 1, 1)), min_size=1, max_size=20),
)
def test_dates_of_one_form_are_declared_so_or_doubted(form: str, days: list[Any]) -> None:
    """No other order is ever chosen: the day written is the day read."""
    clues = Clues(numbers=True)
    for day in days:
        clues.add(day.strftime(form).replace(day.strftime("%Y"), f"{day.year:04}"))
    found = clues.declared()
    if found.doubt:
        assert found == Declared(
            doubt="day and month cannot be told apart: declare parse.date_format"
        )
        assert all(day.day <= 12 for day in days)
    else:
        assert found == Declared("date", {"date_format": form})


@given(st.lists(st.integers(-(10**12), 10**12), min_size=1, max_size=20), st.integers(0, 3))
def test_numbers_with_marks_are_read_as_they_were_written(values: list[int], digits: int) -> None:
    """Written with a decimal comma and grouped by points, they are declared so or left as text."""
    clues = Clues(numbers=True)
    for value in values:
        whole = f"{abs(value):,}".replace(",", ".")
        clues.add(f"{'-' * (value < 0)}{whole}" + (f",{7:0{digits}}" if digits else ""))
    found = clues.declared()
    if digits and any(abs(value) >= 1000 for value in values):
        assert found == Declared("numeric", {"decimal": ",", "thousands": "."})
    elif found.data_type == "text":
        assert re.fullmatch("a mark may be decimal .*|", found.doubt)
    else:
        assert found.parse.get("decimal", ",") == ","
