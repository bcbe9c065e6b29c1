"""Groups of publication: cycles together, owners before whoever refers to them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shop import ORDERS, contract
from tidegate.errors import ContractError
from tidegate.publishing.families import family_references, publication_groups
from tidegate.publishing.graph import FamilyGraph, family_graphs, model_refs
from tidegate.publishing.lower_gates import blocked_by, ready_tests

NAMES = ("a", "b", "c", "d", "e", "f")


def test_deferred_references_and_those_inside_a_family_order_nothing() -> None:
    """Their owner need not exist, or is published with them anyway."""
    inside = {"columns": ["customer_key"], "to": "q_b"}
    deferred = {"columns": ["order_key"], "to": "q_c", "deferred": True}
    models = {
        "q_a": contract("q_a", ORDERS, family="one", references=[inside, deferred]),
        "q_b": contract("q_b", ORDERS, family="one"),
        "q_c": contract("q_c", ORDERS, family="two"),
    }
    assert family_references(models) == set()
    assert family_references(models, [("q_b", "q_c"), ("q_b", "stg_x")]) == {("one", "two")}


def test_ties_are_in_alphabetical_order() -> None:
    """So that two runs publish in the same order."""
    assert publication_groups(("c", "a", "b"), ()) == (("a",), ("b",), ("c",))


@given(st.sets(st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES))))
def test_every_family_is_in_one_group_behind_its_owners(pairs: set[tuple[str, str]]) -> None:
    """Two families share a group exactly when each refers to the other, over however many."""
    groups = publication_groups(NAMES, pairs)
    assert sorted(name for group in groups for name in group) == list(NAMES)
    place = {name: index for index, group in enumerate(groups) for name in group}
    reached = {name: _reached(name, pairs) for name in NAMES}
    for consumer in NAMES:
        for owner in reached[consumer]:
            assert place[owner] <= place[consumer]
            assert (place[owner] == place[consumer]) == (consumer in reached[owner] | {owner})


def node(unique_id: str, *parents: str, family: str | None = None, on: str | None = None) -> Any:
    """A node of dbt's manifest, as far as the graph looks at it; a test is `on` a node."""
    kind, _, name = unique_id.split(".")
    meta = {"tidegate": {"family": family}} if family else {}
    return SimpleNamespace(
        unique_id=unique_id, resource_type=kind, name=name, raw_code="select 1", attached_node=on,
        original_file_path=f"models/{name}.yml",
        config=SimpleNamespace(meta=meta, to_dict=dict),
        depends_on=SimpleNamespace(nodes=list(parents), macros=[]),
    )  # fmt: skip


def manifest_of(*nodes: Any, sources: str = "ab") -> Any:
    """A manifest of these nodes, with sources of one letter each."""
    found = {f"source.p.landing.{name}": SimpleNamespace(name=name) for name in sources}
    return SimpleNamespace(nodes={it.unique_id: it for it in nodes}, sources=found, macros={})


def graph_of(manifest: Any, family: str = "one", code_findings: str = "") -> FamilyGraph:
    """One family of `one` to `three`."""
    found = family_graphs(manifest, {name: {} for name in ("one", "two", "three")}, code_findings)
    return found[family]


def test_what_gates_read_is_an_input() -> None:
    """What a gate compares with decides its verdict: models, sources and families alike."""
    manifest = manifest_of(
        node("model.p.stg_a", "source.p.landing.a"),
        node("model.p.artifacts", "model.p.stg_b"),
        node("model.p.stg_b", "source.p.landing.b"),
        node("model.p.q_a", "model.p.stg_a", family="one"),
        node("model.p.q_b", family="two"),
        node("model.p.q_c", family="three"),
        node("test.p.gate", "model.p.q_a", "model.p.artifacts", "model.p.q_b",
             "source.p.landing.c", on="model.p.q_a"),
        node("test.p.of_another_family", "model.p.stg_a", "model.p.q_c", "source.p.landing.d"),
        sources="abcd",
    )  # fmt: skip
    graph = graph_of(manifest)
    assert graph.lower == ("model.p.artifacts", "model.p.stg_a", "model.p.stg_b")
    assert graph.sources == tuple(f"source.p.landing.{name}" for name in "abc")
    assert graph.owners == ("two",)
    assert model_refs(manifest) == [("q_a", "q_a"), ("q_a", "q_b"), ("q_c", "q_c")]


def test_a_gate_between_two_lower_layers_belongs_to_both_families() -> None:
    """If only one of them were built in a run, nobody would compare them."""
    manifest = manifest_of(
        node("model.p.stg_a"),
        node("model.p.stg_b", "source.p.landing.b"),
        node("model.p.q_a", "model.p.stg_a", family="one"),
        node("model.p.q_b", "model.p.stg_b", family="two"),
        node("test.p.between", "model.p.stg_a", "model.p.stg_b", on="model.p.stg_a"),
        node("test.p.on_b", "model.p.stg_b", "source.p.landing.b", on="model.p.stg_b"),
    )
    for family in ("one", "two"):
        graph = graph_of(manifest, family)
        assert graph.lower == ("model.p.stg_a", "model.p.stg_b")
        assert graph.sources == ("source.p.landing.b",)
    assert graph_of(manifest, "three").lower == ()


def test_a_gate_between_lower_layers_of_one_family_concerns_no_other() -> None:
    """The family that has both sides judges it whenever one of them changes."""
    manifest = manifest_of(
        node("model.p.stg_a"),
        node("model.p.stg_b"),
        node("model.p.q_a", "model.p.stg_a", family="one"),
        node("model.p.q_b", "model.p.stg_a", "model.p.stg_b", family="two"),
        node("test.p.between", "model.p.stg_a", "model.p.stg_b", on="model.p.stg_a"),
    )
    assert graph_of(manifest).lower == ("model.p.stg_a",)


def test_a_gate_below_that_reads_above_is_refused() -> None:
    """Nobody would ever judge it: what it reads is built after what it is about."""
    manifest = manifest_of(
        node("model.p.stg_a"),
        node("model.p.q_a", "model.p.stg_a", family="one"),
        node("test.p.upwards", "model.p.stg_a", "model.p.q_a", on="model.p.stg_a"),
    )
    with pytest.raises(ContractError) as refused:
        graph_of(manifest)
    assert str(refused.value) == (
        "models/upwards.yml: upwards: judges a layer below, and reads q_a of the family one. Put it"
        " on q_a, let it read a model below, or write a test of its own that says which family it"
        " judges."
    )


@pytest.mark.parametrize("declared", [None, "three"])
def test_a_test_of_several_families_says_which_it_judges(declared: str | None) -> None:
    """And names one that it reads."""
    manifest = manifest_of(
        node("model.p.q_a", family="one"),
        node("model.p.q_b", family="two"),
        node("test.p.both", "model.p.q_a", "model.p.q_b", family=declared),
    )
    with pytest.raises(ContractError) as refused:
        graph_of(manifest)
    assert str(refused.value) == (
        "models/both.yml: both: reads models of one, two, and does not say which of these families"
        " it judges. Set `config.meta.tidegate.family` of the test to one of them."
    )


def test_a_contract_without_a_model_is_part_of_the_code() -> None:
    """It promises readers something, so the family is not unchanged."""
    manifest = manifest_of(node("model.p.q_a", family="one"))
    promised = {"q_a": "1", "q_missing": "2"}
    found = [
        family_graphs(manifest, {"one": hashes})["one"].code_sha256
        for hashes in ({"q_a": "1"}, promised, dict(reversed(promised.items())))
    ]
    assert found[0] != found[1] == found[2]


def test_what_gates_find_in_code_is_part_of_the_code() -> None:
    """No relation changes when somebody calls a vendor, and yet the verdict does."""
    manifest = manifest_of(node("model.p.q_a", family="one"))
    clean = graph_of(manifest).code_sha256
    assert graph_of(manifest, "one").code_sha256 == clean
    assert graph_of(manifest, "one", "scripts/ask.py").code_sha256 != clean


def test_a_seed_is_a_lower_layer_that_reads_nothing() -> None:
    """dbt gives a seed no list of what it depends on."""
    seed = node("seed.p.countries")
    seed.checksum = SimpleNamespace(checksum="1")
    del seed.depends_on.nodes
    manifest = manifest_of(seed, node("model.p.q_a", "seed.p.countries", family="one"))
    before = graph_of(manifest)
    assert before.lower == ("seed.p.countries",)
    assert blocked_by(manifest, before, ["seed.p.countries"]) == ("seed.p.countries",)
    seed.checksum.checksum = "2"
    assert graph_of(manifest).code_sha256 != before.code_sha256


def test_a_test_runs_as_soon_as_every_model_it_reads_is_built() -> None:
    """Also where dbt's own selection of what is new would not hold all that it reads."""
    nodes = [
        node("model.p.first"),
        node("model.p.second"),
        node("model.p.q_a", family="one"),
        node("test.p.of_both", "model.p.first", "model.p.second"),
        node("test.p.of_source", "source.p.landing.a", "source.p.landing.b"),
        node("test.p.of_family", "model.p.first", "model.p.q_a"),
    ]
    manifest = manifest_of(*nodes)

    def ready(new: str, *before: str) -> set[str]:
        return ready_tests(manifest, {new}, {new, *before})

    assert ready("model.p.first") == set()
    assert ready("model.p.second", "model.p.first") == {"test.p.of_both"}
    assert ready("source.p.landing.a", "model.p.first") == {"test.p.of_source"}
    assert ready("source.p.landing.c", "model.p.first", "model.p.second") == set()


def _reached(name: str, pairs: set[tuple[str, str]]) -> set[str]:
    found: set[str] = set()
    waiting = [name]
    while waiting:
        here = waiting.pop()
        for consumer, owner in pairs:
            if consumer == here and owner not in found:
                found.add(owner)
                waiting.append(owner)
    return found
