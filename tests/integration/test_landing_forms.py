"""Whole deliveries of every type under every set of options: landing judges as the rules say."""

from __future__ import annotations

import csv
import io
from collections import Counter
from pathlib import Path

import pytest
import yaml

from landing_project import LandingProject, make_project
from tidegate.contracts.keys import ParseOptions
from tidegate.contracts.types import LogicalType, parse_type
from tidegate.deliveries.coerce import Good, judge
from tidegate.deliveries.kinds import Kind, kind_of
from tidegate.deliveries.vocabulary import RunStatus
from tidegate.warehouse import Warehouse
from written_forms import FIXED, OPTIONS, TYPES

FORMS = [text for text in FIXED if len(text) < 2000]
"""Longer ones are a matter of limits, not of forms."""
MEANT = {
    LogicalType.STRING: {"pattern"},
    LogicalType.DATE: {"date_format"},
    LogicalType.TIMESTAMP: {"timestamp_format", "timezone"},
    LogicalType.NUMBER: {"decimal", "thousands", "allow_nan"},
    LogicalType.INTEGER: {"decimal", "thousands"},
    LogicalType.BOOLEAN: {"true_tokens", "false_tokens"},
}
"""Keys of `parse` that a contract may declare for a type."""


def options(name: str, type_name: str) -> ParseOptions:
    """What a set of options declares for a type."""
    kept = MEANT.get(parse_type(type_name).logical, set())
    return ParseOptions(**OPTIONS[name].model_dump(include=kept, exclude_defaults=True))


def delivered(type_name: str, declared: ParseOptions) -> list[str]:
    """Every form, and behind them as many good values as show that the column is of its type.

    Where nothing is declared a leading zero makes the column text, which is drift and no form.
    """
    type_ = parse_type(type_name)
    plain = declared == ParseOptions() and type_.logical is not LogicalType.STRING
    forms = [text for text in FORMS if not (plain and kind_of(text.encode()) is Kind.LEADING_ZERO)]
    good = [text for text in forms if isinstance(judge(text, type_, declared), Good)]
    return forms + good[:1] * 2 * len(forms)


def contract(name: str) -> str:
    """A dataset for each type, its column written under one set of options."""
    tables = [
        {
            "name": f"forms_{place}",
            "description": "One column of one type.",
            "loaded_at_field": "_received_at",
            "config": {
                "meta": {
                    "tidegate": {
                        "version": "1",
                        "owner": "shop",
                        "delivery": {"kind": "append", "match": [f"forms/{place}.csv"]},
                        "format": {"type": "csv"},
                    }
                }
            },
            "columns": [
                {"name": "n", "data_type": "integer", "description": "Which."},
                {
                    "name": "v",
                    "data_type": type_name,
                    "description": "The form.",
                    "config": {
                        "meta": {
                            "tidegate": {
                                "parse": options(name, type_name).model_dump(
                                    mode="json", exclude_defaults=True
                                )
                            }
                        }
                    },
                },
            ],
        }
        for place, type_name in enumerate(TYPES)
    ]
    source = {"name": "forms", "schema": "landing", "tables": tables}
    return yaml.safe_dump({"version": 2, "sources": [source]}, allow_unicode=True)


@pytest.fixture
def project(tmp_path: Path, warehouse: Warehouse) -> LandingProject:
    """A project without contracts of its own."""
    made = make_project(tmp_path, warehouse)
    for file in (made.folder / "contracts" / "datasets").iterdir():
        file.unlink()
    return made


@pytest.mark.parametrize("name", OPTIONS)
def test_deliveries_of_every_type_are_judged_record_by_record(
    project: LandingProject, name: str
) -> None:
    """No form ends a delivery: each record is accepted as its value, or held for its reason."""
    project.contract("forms", contract(name))
    values = {type_name: delivered(type_name, options(name, type_name)) for type_name in TYPES}
    for place, type_name in enumerate(TYPES):
        table = io.StringIO()
        csv.writer(table, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(
            [("n", "v"), *enumerate(values[type_name])]
        )
        project.write(f"forms/{place}.csv", table.getvalue())
    report = project.land_paths([project.folder / "in"])
    assert len(report.files) == len(TYPES)
    for place, type_name in enumerate(TYPES):
        type_, declared = parse_type(type_name), options(name, type_name)
        judged = [judge(text, type_, declared) for text in values[type_name]]
        (outcome,) = (one for one in report.files if one.dataset == f"forms_{place}")
        expected = Counter(one.value for one in judged if not isinstance(one, Good))
        assert (type_name, outcome.status, outcome.detail) == (type_name, RunStatus.ACCEPTED, "")
        assert (type_name, outcome.quarantine_reasons) == (type_name, expected)
        landed = project.query(f"select n from landing.forms_{place} order by n")
        good = [number for number, one in enumerate(judged) if isinstance(one, Good)]
        assert [number for (number,) in landed] == good
