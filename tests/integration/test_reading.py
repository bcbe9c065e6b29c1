"""Held records are read again as they were read the first time."""

from __future__ import annotations

from pathlib import Path

import pytest

from landing_project import make_project
from tidegate.contracts.load import load_project
from tidegate.deliveries.parsing import records
from tidegate.deliveries.reading import open_held
from tidegate.warehouse import Warehouse


@pytest.mark.parametrize("between", ["", "\n", " \n\r\n"])
def test_a_json_record_on_several_lines_is_one_record_again(
    tmp_path: Path, warehouse: Warehouse, between: str
) -> None:
    """A record of a document keeps its text and its number, however many lines it has."""
    make_project(tmp_path, warehouse)
    contract = load_project(tmp_path).datasets["notes"]
    raw = f'{{"head": {between}{{"id": "n1"}}, "tags": ["x"]}}'
    (batch,) = open_held(raw.encode(), contract, None, "utf-8")
    (record,) = records(batch)
    assert (record.record_number, record.raw, record.values[0]) == (1, raw, "n1")


def test_a_csv_record_on_several_lines_is_one_record_again(
    tmp_path: Path, warehouse: Warehouse
) -> None:
    """The names are those of its artefact's header, in that order."""
    make_project(tmp_path, warehouse)
    contract = load_project(tmp_path).datasets["orders"]
    (batch,) = open_held(b'5,"a\nb",1', contract, ["qty", "item", "id"], "utf-8")
    (record,) = records(batch)
    assert record.values == ("1", "a\nb", "5")
