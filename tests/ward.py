"""A small project in which overlays take part: the product's own models of resolution over made-up
candidates, and one published model. Every name and number is synthetic."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from command_line import Answer, CommandLine
from integration.dbt_project import contract
from tidegate.macros import macros_dir
from tidegate.publishing.outcome import FamilyOutcome
from tidegate.publishing.refresh import refresh
from tidegate.settings import Settings
from tidegate.warehouse import Warehouse
from ward_models import GROUPS, LINKS, RECEIPT_COLUMNS, candidates_sql, claims_sql, receipts_sql

REPOSITORY = Path(__file__).resolve().parents[1]
SLICE = "clinical_trials"


def linking(name: str) -> tuple[str, ...]:
    """The product's models that make the links of a slice, below its candidates."""
    return (
        "curation/_curation__sources.yml",
        "provenance/_inference__sources.yml",
        "resolution/int_accepted_verifications.sql",
        "resolution/int_curation_decisions.sql",
        "resolution/int_curation_overlays.sql",
        *(
            f"resolution/{layer}__{name}.sql"
            for layer in ("verifications", "conflict_queue", "links")
        ),
    )


OWN = ("canonical/assertions.sql", *linking(SLICE))
PROJECT = """
name: tidegate
version: "1.0"
config-version: 2
profile: tidegate
model-paths: ["models", "contracts"]
macro-paths: ["macros"]
test-paths: ["tests/dbt"]
flags: {send_anonymous_usage_stats: false, version_check: false, use_colors: false}
models:
  tidegate:
    +materialized: table
    resolution:
      +schema: resolution
      candidates: {+post-hook: "{{ tidegate.note_link_effects() }}"}
    evidence: {+schema: evidence}
    canonical:
      +schema: canonical
      assertions: {+post-hook: "{{ tidegate.note_assertion_effects() }}"}
    query: {+post-hook: "{{ tidegate.apply_overlays() }}"}
"""


@dataclass
class Ward:
    """The project on the database of a test."""

    folder: Path
    warehouse: Warehouse
    keys: dict[str, str] = field(default_factory=dict)
    """Overlays that tests made, by a name of theirs."""

    def start(self, own: Sequence[str], candidates: str) -> None:
        """A project of these models of the product, with their gates and those on candidates."""
        for part in (
            "models/query",
            "models/resolution",
            "models/evidence",
            "contracts/wards",
            "tests/dbt",
        ):
            (self.folder / part).mkdir(parents=True)
        (self.folder / "macros").symlink_to(macros_dir())
        (self.folder / "dbt_project.yml").write_text(PROJECT)
        for path in own:
            target = self.folder / "models" / path
            target.parent.mkdir(exist_ok=True)
            shutil.copy(REPOSITORY / "models" / path, target)
        name = "resolution/_resolution__models.yml"
        document = yaml.safe_load((REPOSITORY / "models" / name).read_text(encoding="utf-8"))
        known = {*(Path(path).stem for path in own), candidates}
        document["models"] = [it for it in document["models"] if it["name"] in known]
        (self.folder / "models" / name).write_text(yaml.safe_dump(document))

    def write(self) -> None:
        """The project's files."""
        self.start(OWN, f"candidates__{SLICE}")
        self.model("resolution", f"candidates__{SLICE}", candidates_sql())
        for name in ("candidates", "conflict_queue"):
            self.model("resolution", name, f'select * from {{{{ ref("{name}__{SLICE}") }}}}')
        self.model("evidence", "claims", claims_sql())
        self.model("query", "q_groups", GROUPS)
        columns = {
            "subject_key": "text!", "subject_kind": "text!", "target_key": "text",
            "link_state": "text!", "value_num": "numeric", "phases": "text[]",
            "provenance_bundle_key": "text!", "publication_state": "text!",
            "contract_version": "text!",
        }  # fmt: skip
        gates = ["schema_contract", {"provenance_coverage": {"arguments": {"links": LINKS}}}]
        asked = {"row_key": ["subject_key"], "provenance": {"policy": "row_required"}}
        self.contract("q_groups", contract("q_groups", "wards", columns, gates, **asked))
        name = "q_provenance__wards"
        self.model("query", name, receipts_sql())
        kept = contract(
            name, "wards", RECEIPT_COLUMNS, ["schema_contract"], row_key=["receipt_key"]
        )
        self.contract(name, kept)

    def contract(self, name: str, document: dict[str, Any]) -> None:
        """Write one contract."""
        path = self.folder / "contracts" / "wards" / f"{name}.yml"
        path.write_text(yaml.safe_dump(document))

    def receipts(self, subject: str) -> list[tuple[Any, ...]]:
        """Facts of one row that have receipts, each with the overlay behind it."""
        return self.query(
            "select fact_path, curation_overlay_key from query.q_provenance"
            " where row_key = %s order by fact_path, curation_overlay_key",
            subject,
        )

    def assertion(self, subject: str) -> tuple[Any, ...]:
        """Value, marker, state and overlay of one assertion, as the newest build left it."""
        (row,) = self.query(
            "select value ->> 'text', lower_authority_marker, publication_state,"
            " curation_overlay_key from canonical.assertions where subject_key = %s",
            subject,
        )
        return row

    def effects(self) -> dict[str, str]:
        """What the newest build found for each overlay, by the test's name for it."""
        found = dict(self.query("select overlay_key, effect from governance.overlay_effects"))
        return {name: found[key] for name, key in self.keys.items() if key in found}

    def model(self, layer: str, name: str, body: str) -> None:
        """Write one model."""
        (self.folder / "models" / layer / f"{name}.sql").write_text(body)

    def tidegate(self, *args: str) -> Answer:
        """A command that has to succeed."""
        answer = CommandLine(self.folder, self.warehouse).run(*args)
        assert answer.code == 0, answer.err
        return answer

    def refresh(self) -> FamilyOutcome:
        """What became of the one family."""
        (outcome,) = refresh(self.settings, self.warehouse).outcomes
        return outcome

    @property
    def settings(self) -> Settings:
        """This project, with a home of its own."""
        return Settings(project_dir=self.folder, home=self.folder / "home")

    def query(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """Rows of a query."""
        with self.warehouse.connect() as conn:
            return conn.execute(statement.encode(), values).fetchall()

    def group(self, subject: str) -> tuple[Any, ...]:
        """Target, state and value of one row, as readers get it."""
        (row,) = self.query(
            "select target_key, link_state, value_num, phases from query.q_groups"
            " where subject_key = %s",
            subject,
        )
        return row

    def link(self, subject: str) -> tuple[Any, ...] | None:
        """Target, basis, state and whether it may be published, of one subject's link."""
        rows = self.query(
            "select target_key, basis, link_state, publishable from"
            " resolution.links__clinical_trials where subject_key = %s",
            subject,
        )
        return rows[0] if rows else None

    def verdict(self, gate: str) -> set[str]:
        """The newest verdicts of a gate below the family: one for each check of it."""
        rows = self.query(
            "select distinct on (result ->> 'unique_id') status from governance.gate_results"
            " where family is null and gate_id = %s"
            " order by result ->> 'unique_id', result_id desc",
            gate,
        )
        return {status for (status,) in rows}

    def propose(self, name: str, *args: str, agent: bool = False) -> str:
        """Propose an overlay by the command and remember its key."""
        who = ("--by", "agent-2", "--agent") if agent else ("--by", "maya")
        said = self.tidegate("curate", "propose", *args, *who, "--reason", f"why {name}", "--json")
        self.keys[name] = json.loads(said.out)["overlay_key"]
        return self.keys[name]

    def decide(self, what: str, name: str, *args: str) -> Answer:
        """Decide about such an overlay."""
        who = ("--by", "omar", "--reason", "read the source")
        return self.tidegate("curate", what, self.keys[name], *args, *who)
