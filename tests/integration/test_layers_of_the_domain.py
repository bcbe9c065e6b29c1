"""Every layer of the reference domain has the relations and columns that its data model asks for.

Source: the domain model's listing of relations, tests/domain_relations.yml.
"""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from published_domain import FAMILIES, PROJECT, Domain
from trial_project import REPOSITORY, Built

LAYERS: dict[str, dict[str, list[str]]] = yaml.safe_load(
    (Path(__file__).resolve().parents[1] / "domain_relations.yml").read_text(encoding="utf-8")
)
BELOW = [
    (layer, name)
    for layer, relations in LAYERS.items()
    if layer not in ("query", "united")
    for name in relations
]
EVERYWHERE = ["provenance_bundle_key", "publication_state", "contract_version"]
"""Columns of every published row."""


@pytest.mark.parametrize(("layer", "relation"), BELOW)
def test_a_relation_below_has_its_columns(built: Built, layer: str, relation: str) -> None:
    """As dbt built it of the samples, or as the ledger has it."""
    columns = {
        name
        for (name,) in built.query(
            "select attname::text from pg_attribute where attrelid = to_regclass(%s)"
            " and attnum > 0 and not attisdropped",
            f"{layer}.{relation}",
        )
    }
    assert set(LAYERS[layer][relation]) - columns == set()


@pytest.mark.parametrize("model", LAYERS["query"])
def test_a_served_model_has_its_columns_and_says_so(domain: Domain, model: str) -> None:
    """In its contract, in the view that readers have, and in the catalogue beside it."""
    contracted = [column.name for column in PROJECT.models[model].columns]
    assert set(LAYERS["query"][model]) - set(contracted) == set()
    assert domain.read(
        "select attname::text from pg_attribute where attrelid = to_regclass(%s)"
        " and attnum > 0 and not attisdropped order by attnum",
        f"query.{model}",
    ) == [(name,) for name in contracted]
    assert domain.read(
        "select column_name from q_catalog where model_name = %s order by ordinal", model
    ) == [(name,) for name in contracted]


@pytest.mark.parametrize("view", LAYERS["united"])
def test_what_unites_families_has_its_columns_and_so_has_each_part(
    domain: Domain, view: str
) -> None:
    """Under the names that receipts have here (`row_key` for the domain's `q_row_key`)."""
    parts = {
        name: {column.name for column in model.columns}
        for name, model in PROJECT.models.items()
        if name.startswith(f"{view}__")
    }
    parts[view] = {
        name
        for (name,) in domain.read(
            "select attname::text from pg_attribute where attrelid = to_regclass(%s)"
            " and attnum > 0 and not attisdropped",
            f"query.{view}",
        )
    }
    assert {name for name, found in parts.items() if set(LAYERS["united"][view]) - found} == set()


def test_every_row_of_a_family_carries_its_receipts_state_and_contract() -> None:
    """Catalogues and receipts are about rows, and cards of discovery and search are too."""
    lacking = {
        name
        for name, model in PROJECT.models.items()
        if set(EVERYWHERE) - {column.name for column in model.columns}
    }
    assert {name for name in lacking if "__" not in name} == set()


def test_every_layer_of_a_source_is_judged() -> None:
    """Each dataset by the five checks of landing, each family by gates that block."""
    landed = {
        table["name"]: {
            next(iter(it)) if isinstance(it, dict) else it for it in table["data_tests"]
        }
        for file in (REPOSITORY / "contracts" / "datasets").glob("*.yml")
        for source in yaml.safe_load(file.read_text(encoding="utf-8"))["sources"]
        for table in source["tables"]
    }
    assert set(landed) == set(PROJECT.datasets)
    for name, checks in landed.items():
        wanted = {"source_reachability", "source_parseability", "source_key_uniqueness",
                  "source_freshness"}  # fmt: skip
        if PROJECT.datasets[name].keys.delivery.kind.value == "snapshot":
            wanted.add("source_count_delta")
        assert wanted - checks == set(), name
    for family in FAMILIES:
        for name in PROJECT.families[family]:
            assert "schema_contract" in {
                next(iter(it)) if isinstance(it, dict) else it for it in PROJECT.models[name].tests
            }, name
