"""A small dbt project with contracts, and the landing of files into it, for tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

from tidegate.contracts.load import load_project
from tidegate.deliveries.landing import LandOptions, land
from tidegate.deliveries.report import FileOutcome, LandingReport
from tidegate.deliveries.versions import promote_contract
from tidegate.settings import Settings
from tidegate.warehouse import Warehouse

ORDERS = """
version: 2
sources:
  - name: shop
    schema: landing
    tables:
      - name: orders
        description: Orders of a shop.
        loaded_at_field: _received_at
        config:
          meta:
            tidegate:
              version: "1"
              owner: shop
              delivery: {kind: KIND, key: [id], match: ["orders/*.csv"]}
              format: {type: csv}
        columns:
          - name: id
            data_type: bigint
            description: Number of the order.
            config: {meta: {tidegate: {required: true}}}
          - name: item
            data_type: text
            description: What was ordered.
          - name: qty
            data_type: integer
            description: How many.
"""

NOTES = """
version: 2
sources:
  - name: notes
    schema: landing
    tables:
      - name: notes
        description: Notes, verbatim.
        loaded_at_field: _received_at
        config:
          meta:
            tidegate:
              version: "1"
              owner: notes
              delivery: {kind: append, key: [note_id], match: ["notes/*.json"]}
              format: {type: json}
        columns:
          - name: note_id
            data_type: text
            description: Identifier.
            config: {meta: {tidegate: {required: true, path: /head/id}}}
          - name: tags
            data_type: jsonb
            description: Tags.
          - name: document
            data_type: jsonb
            description: The whole document.
            config: {meta: {tidegate: {path: ""}}}
"""


@dataclass(frozen=True)
class LandingProject:
    """A project folder, a warehouse, and short ways to land text."""

    folder: Path
    warehouse: Warehouse

    @property
    def settings(self) -> Settings:
        """Settings as the command line would read them."""
        return Settings(self.folder, self.folder / ".tidegate")

    def contract(self, source: str, text: str) -> None:
        """Write or replace one contract file."""
        path = self.folder / "contracts" / "datasets" / f"{source}.yml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def write(self, name: str, content: str | bytes) -> Path:
        """Write a file under the folder `in`."""
        path = self.folder / "in" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def land_paths(self, paths: Sequence[Path], **options: str) -> LandingReport:
        """Land paths."""
        return land(self.settings, self.warehouse, paths, LandOptions(**options))

    def land(self, name: str, content: str | bytes, **options: str) -> FileOutcome:
        """Write one file and land it alone."""
        report = self.land_paths([self.write(name, content)], **options)
        return report.files[0]

    def promote(self, dataset: str = "orders") -> None:
        """Promote the contract of a dataset as it is checked in."""
        with self.warehouse.transaction() as conn:
            promote_contract(conn, load_project(self.folder).datasets[dataset], "ann", "agreed")

    def query(self, statement: str, *parameters: Any) -> list[tuple[Any, ...]]:
        """The rows of a query."""
        with self.warehouse.connect() as conn:
            return conn.execute(statement, parameters or None).fetchall()  # type: ignore[arg-type]


def make_project(folder: Path, warehouse: Warehouse, kind: str = "append") -> LandingProject:
    """A project with the datasets orders (of that kind) and notes."""
    (folder / "dbt_project.yml").write_text("name: test\nprofile: tidegate\n", encoding="utf-8")
    project = LandingProject(folder, warehouse)
    project.contract("shop", ORDERS.replace("KIND", kind))
    project.contract("notes", NOTES)
    return project


def make_old(warehouse: Warehouse) -> None:
    """Let everything that was delivered so far have come in 2001."""
    with warehouse.connect() as conn, conn.transaction():
        conn.execute("set local session_replication_role = replica")
        for table, column in (
            ("materializations", "accepted_at"),
            ("runs", "started_at"),
            ("runs", "finished_at"),
            ("quarantine", "last_seen"),
        ):
            conn.execute(
                sql.SQL("update governance.{} set {} = '2001-01-01' where {} is not null").format(
                    *map(sql.Identifier, (table, column, column))
                )
            )


def refused(conn: psycopg.Connection[Any], statement: str) -> str:
    """The SQLSTATE with which the server refuses a statement."""
    try:
        conn.execute(statement)  # type: ignore[call-overload]
    except psycopg.Error as error:
        return error.sqlstate or ""
    return ""
