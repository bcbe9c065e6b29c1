"""Groups of publication: cycles together, owners before whoever refers to them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from shop import ORDERS, contract
from tidegate.publishing.families import family_references, publication_groups
from tidegate.publishing.graph import family_graph, ready_tests

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


def node(unique_id: str, *parents: str, family: str | None = None) -> Any:
    """A node of dbt's manifest, as far as the graph looks at it."""
    kind, _, name = unique_id.split(".")
    meta = {"tidegate": {"family": family}} if family else {}
    return SimpleNamespace(
        unique_id=unique_id, resource_type=kind, name=name, raw_code="select 1",
        config=SimpleNamespace(meta=meta, to_dict=dict),
        depends_on=SimpleNamespace(nodes=list(parents), macros=[]),
    )  # fmt: skip


def test_what_gates_read_is_built_first_and_is_no_input() -> None:
    """Artefacts that a gate compares with have to be there; other families stay other families."""
    nodes = [
        node("model.p.stg_a", "source.p.landing.a"),
        node("model.p.artifacts", "model.p.stg_b"),
        node("model.p.stg_b", "source.p.landing.b"),
        node("model.p.q_a", "model.p.stg_a", family="one"),
        node("model.p.q_b", family="two"),
        node("test.p.gate", "model.p.q_a", "model.p.artifacts", "model.p.q_b"),
    ]
    sources = {f"source.p.landing.{name}": SimpleNamespace(name=name) for name in "ab"}
    manifest = SimpleNamespace(nodes={it.unique_id: it for it in nodes}, sources=sources, macros={})
    graph = family_graph(manifest, "one", {})
    assert graph.lower == ("model.p.artifacts", "model.p.stg_a", "model.p.stg_b")
    assert graph.sources == ("source.p.landing.a",)
    assert graph.owners == ()


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
    sources = {f"source.p.landing.{name}": SimpleNamespace(name=name) for name in "ab"}
    manifest = SimpleNamespace(nodes={it.unique_id: it for it in nodes}, sources=sources, macros={})

    def ready(new: str, *before: str) -> set[str]:
        return set(ready_tests(manifest, {new}, {new, *before}).values())

    assert ready("model.p.first") == set()
    assert ready("model.p.second", "model.p.first") == {"of_both"}
    assert ready("source.p.landing.a", "model.p.first") == {"of_source"}
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
