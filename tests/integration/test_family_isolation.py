"""A failing gate in any family keeps that family (or its cycle) back, and no other.

The whole reference domain, published by the real promotion (tests/published_domain.py).
"""

from __future__ import annotations

import pytest

from published_domain import FAMILIES, Domain
from tidegate.publishing.outcome import Verdict


def broken(family: str) -> str:
    """What a blocking gate of the family finds: receipts without bytes, artefacts without hash."""
    table, column = (
        ("q_source_artifacts", "content_hash")
        if family == "support"
        else (f"q_provenance__{family}", "source_content_hash")
    )
    return f"update {table} set {column} = ''"


@pytest.mark.parametrize("family", FAMILIES)
def test_a_failing_gate_keeps_its_family_back_and_no_other(domain: Domain, family: str) -> None:
    """The family and its cycle are served as before; another one is published meanwhile."""
    (group,) = (found for found in domain.groups if family in found)
    other = next(found for found in reversed(domain.groups) if found != group)
    before, seen = domain.heads(), domain.rows(family)
    domain.damage = {family: (broken(family),)}
    held = domain.publish(group)
    assert {outcome.verdict for outcome in held} == {Verdict.HELD_BACK}
    (mine,) = (outcome for outcome in held if outcome.family == family)
    assert mine.entries
    assert all(entry.gate_id != "family_cycle" for entry in mine.entries)
    assert {outcome.verdict for outcome in domain.publish(other)} == {Verdict.PUBLISHED}
    after = domain.heads()
    assert {name: after[name] for name in after if name not in other} == {
        name: before[name] for name in before if name not in other
    }
    assert all((after[name] or 0) > (before[name] or 0) for name in other)
    assert domain.rows(family) == seen


def test_what_was_held_back_is_published_once_it_is_right(domain: Domain) -> None:
    """Nothing of it stays behind."""
    domain.damage = {}
    for group in domain.groups:
        assert {outcome.verdict for outcome in domain.publish(group)} == {Verdict.PUBLISHED}
