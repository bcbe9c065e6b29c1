"""dbt is told of the nodes of a run by one tag, which only they have and only during it."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from tidegate.publishing.dbt import selecting


def manifest() -> SimpleNamespace:
    """A model with the name of its folder, another one in it, a test and a source."""
    keys = ("model.shop.bakery", "model.shop.bread", "test.shop.unique_bread.1")
    return SimpleNamespace(
        nodes={key: SimpleNamespace(tags=["nightly"]) for key in keys},
        sources={"source.shop.landing.loaves": SimpleNamespace(tags=[])},
    )


def test_the_tag_is_on_what_was_asked_for_alone() -> None:
    """On models, tests and sources alike; the folder of the model's name is not meant."""
    made = manifest()
    chosen = ["model.shop.bakery", "test.shop.unique_bread.1", "source.shop.landing.loaves"]
    with selecting(made, chosen) as arguments:
        option, selected = arguments
        method, _, tag = selected.partition(":")
        assert (option, method) == ("--select", "tag")
        tagged = {key for key, node in {**made.nodes, **made.sources}.items() if tag in node.tags}
        assert tagged == set(chosen)


def test_a_node_that_has_the_same_list_of_tags_is_not_meant() -> None:
    """Whether nodes share a list is dbt's affair."""
    made = manifest()
    shared = made.nodes["model.shop.bakery"].tags
    made.nodes["model.shop.bread"].tags = shared
    with selecting(made, ["model.shop.bakery"]):
        assert made.nodes["model.shop.bread"].tags == ["nightly"]
    assert shared == ["nightly"]


def test_the_tag_is_gone_whatever_became_of_the_run() -> None:
    """A failed run leaves the manifest as it was for the next one; tags of its own stay."""
    made = manifest()
    with pytest.raises(KeyboardInterrupt), selecting(made, ["model.shop.bakery"]):
        raise KeyboardInterrupt
    assert made == manifest()
