"""Groups of publication: cycles together, owners before whoever refers to them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from shop import ORDERS, contract
from tidegate.publishing.families import family_references, publication_groups

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
