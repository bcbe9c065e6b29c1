"""A library's dbt project, which knows nothing of the reference domain and installs Tidegate.

Two datasets, two `q_*` models in one family with its catalogue, gates on a layer below as well.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from command_line import SCRIPTS, Answer, CommandLine
from dbt_profile import write_profile
from dbt_runs import run_dbt
from tidegate.starter.plan import make_plan
from tidegate.starter.write import carry_out
from tidegate.warehouse import Warehouse

REPOSITORY = SCRIPTS.parent
BOOKS = "isbn,title,pages\n978-1,Of Rivers,120\n978-2,Of Bridges,310\n"
LOANS = (
    "loan_id,isbn,member,lent_on,due_on\n"
    "1,978-1,m-7,2026-01-05,2026-02-05\n"
    "2,978-2,m-7,2026-01-06,2026-02-06\n"
    "3,978-1,m-9,2026-03-01,2026-04-01\n"
)

WEEK = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]


def _dataset(name: str, key: str, columns: dict[str, str]) -> dict[str, Any]:
    return {
        "name": name,
        "description": f"The {name} of the library.",
        "loaded_at_field": "_received_at",
        "config": {
            "meta": {
                "tidegate": {
                    "version": "1",
                    "owner": "library",
                    "delivery": {"kind": "snapshot", "key": [key], "match": [f"{name}*.csv"]},
                    "format": {"type": "csv"},
                    "detection": {"expected_on": WEEK},
                }
            }
        },
        "columns": [
            {
                "name": column,
                "data_type": kind,
                "description": f"The {column}.",
                "config": {"meta": {"tidegate": {"required": True}}},
            }
            for column, kind in columns.items()
        ],
    }


def _model(name: str, key: str, columns: dict[str, str], tests: list[Any], **keys: Any) -> Any:
    return {
        "version": 2,
        "models": [
            {
                "name": name,
                "description": f"The {name}.",
                "config": {
                    "contract": {"enforced": True},
                    "materialized": "table",
                    "meta": {
                        "tidegate": {
                            "family": "library",
                            "version": "1",
                            "owner": "librarian",
                            "grain": f"one {key}",
                            "row_key": [key],
                            "provenance": {"policy": "none"},
                            **keys,
                        }
                    },
                },
                "columns": [
                    {
                        "name": column,
                        "data_type": kind.rstrip("!"),
                        "description": f"The {column}.",
                        "config": {"meta": {"tidegate": {"sensitivity": "public"}}},
                        **({"constraints": [{"type": "not_null"}]} if kind.endswith("!") else {}),
                    }
                    for column, kind in columns.items()
                ],
                "data_tests": tests,
            }
        ],
    }


POLICY = {
    "version": "1",
    "rules": [
        {"id": "some-loans", "type": "row_count", "minimum": 1},
        {"id": "loan-once", "type": "unique", "fields": ["loan_id"]},
        {"id": "days", "type": "range", "field": "days", "minimum": 1, "maximum": 60},
    ],
}
CATALOG = {
    "row_key": "text!", "model_name": "text!", "column_name": "text!", "ordinal": "integer!",
    "data_type": "text", "nullable": "boolean", "description": "text", "grain": "text",
    "owner": "text", "closed_enum": "text[]", "contract_version": "text",
    "provenance_policy": "text", "sensitivity": "text", "row_key_columns": "text[]",
}  # fmt: skip
FILES: dict[str, Any] = {
    "contracts/datasets/library.yml": {
        "version": 2,
        "sources": [
            {
                "name": "library",
                "schema": "landing",
                "tables": [
                    _dataset(
                        "books", "isbn", {"isbn": "text", "title": "text", "pages": "integer"}
                    ),
                    _dataset(
                        "loans",
                        "loan_id",
                        {"loan_id": "text", "isbn": "text", "member": "text",
                         "lent_on": "date", "due_on": "date"},
                    ),
                ],
            }
        ],
    },
    "contracts/library/q_books.yml": _model(
        "q_books", "isbn", {"isbn": "text!", "title": "text!", "pages": "integer!"},
        ["tidegate.schema_contract"],
    ),
    "contracts/library/q_loans.yml": _model(
        "q_loans", "loan_id",
        {"loan_id": "text!", "isbn": "text!", "member": "text!", "days": "integer!"},
        ["tidegate.schema_contract", "tidegate.referential_integrity", "tidegate.quality_policy"],
        references=[{"columns": ["isbn"], "to": "q_books"}],
        quality_policy=POLICY,
    ),
    "contracts/library/q_catalog__library.yml": _model(
        "q_catalog__library", "row_key", CATALOG,
        ["tidegate.schema_contract", "tidegate.catalog_contract_coverage"],
    ),
    "models/query/library/q_books.sql":
        "select isbn, title, pages from {{ source('library', 'books') }} as books",
    "models/query/library/q_loans.sql":
        "select loan_id, isbn, member, days from {{ ref('stg_loans') }}",
    "models/query/library/q_catalog__library.sql":
        "{{ tidegate.catalog_rows('library', [ref('q_books'), ref('q_loans')]) }}",
    "models/staging/stg_loans.sql":
        "select loan_id, isbn, member, lent_on, due_on, due_on - lent_on as days,"
        " 'desk' as system, loan_id as place from {{ source('library', 'loans') }} as loans",
    # Gates and single rules on a layer of one's own, with one's own names of columns.
    "models/staging/_staging.yml": {
        "version": 2,
        "models": [
            {
                "name": "stg_loans",
                "columns": [
                    {"name": "days", "data_tests": [
                        {"tidegate.rule_range": {"arguments": {"minimum": 1, "maximum": 60}}},
                        "tidegate.rule_not_null",
                        {"tidegate.rule_field": {"arguments": {"data_type": "integer"}}},
                    ]},
                    {"name": "system", "data_tests": [
                        {"tidegate.rule_referential": {"arguments": {"allowed_values": ["desk"]}}},
                    ]},
                ],
                "data_tests": [
                    {"tidegate.rule_row_count": {"arguments": {"minimum": 1}}},
                    {"tidegate.rule_unique": {"arguments": {"fields": ["loan_id"]}}},
                    {"tidegate.rule_required_fields": {"arguments": {"fields": ["isbn"]}}},
                    {"tidegate.resolution_basis": {"arguments": {
                        "row_key": ["loan_id"],
                        "allowed": {"*": ["desk"]},
                        "columns": {"basis": "system", **dict.fromkeys((
                            "subject_kind", "verdict", "confidence", "overlay_state", "link_state",
                            "valid_until", "publishable", "candidate_id", "source_term",
                            "target_key"))},
                    }}},
                ],
            }
        ],
    },
}  # fmt: skip


@dataclass(frozen=True)
class Library:
    """The project in its folder, on the database of a test."""

    folder: Path
    warehouse: Warehouse

    def tidegate(self, *arguments: str) -> Answer:
        """A command, told by `--project-dir` which project is meant."""
        import logging
        import warnings

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # dbt's own, on import and while it parses
            line = CommandLine(self.folder.parent, self.warehouse)
            answer = line.run(*arguments, "--project-dir", str(self.folder))
        logging.captureWarnings(False)
        return answer

    def dbt(self, *arguments: str) -> Counter[str]:
        """How many nodes of a dbt command, run in this process, ended in which status."""
        done = run_dbt(
            *arguments, "--project-dir", str(self.folder), "--profiles-dir", str(self.folder),
            "--log-path", str(self.folder / "logs"),
        )  # fmt: skip
        return Counter(str(item.status.value) for item in getattr(done.result, "results", ()))

    def deliver(self, name: str, text: str) -> str:
        """A file for `--land`."""
        file = self.folder / "incoming" / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return str(file)

    def query(self, statement: str) -> list[tuple[Any, ...]]:
        """Rows of a query."""
        with self.warehouse.connect() as conn:
            return conn.execute(statement).fetchall()  # type: ignore[arg-type]


def make_library(folder: Path, warehouse: Warehouse) -> Library:
    """A new project without the example, with this repository as its package, by path."""
    carry_out(make_plan(folder, "library", "{}", example=False))
    (folder / "packages.yml").write_text(f"packages: [{{local: {json.dumps(str(REPOSITORY))}}}]\n")
    for path, content in FILES.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content if isinstance(content, str) else json.dumps(content))
    write_profile(folder, warehouse, "library")
    return Library(folder, warehouse)
