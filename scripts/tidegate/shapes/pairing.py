"""Which field of one side is which of the other: by exact name, and hints where names differ."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from difflib import SequenceMatcher

from tidegate.contracts.identifiers import folded
from tidegate.shapes.model import Field
from tidegate.shapes.relation import same

SIMILAR = 0.7
"""How alike two names must be, 0 to 1, to be taken for a rename wherever the columns stand."""


def case_pairs(removed: Sequence[Field], added: Sequence[Field]) -> dict[str, str]:
    """Names that differ in case or Unicode form only: the old side's to the new side's."""
    free = {field.name: folded(field.name) for field in added}
    pairs: dict[str, str] = {}
    for field in removed:
        name_folded = folded(field.name)
        found = next((name for name, other in free.items() if other == name_folded), None)
        if found is not None:
            pairs[field.name] = found
            del free[found]
    return pairs


def possible_renames(removed: Sequence[Field], added: Sequence[Field]) -> dict[str, str]:
    """Columns that went while one of the same type came, at the same place or with a like name.

    Only a hint: values are not compared, and nothing ever acts on it.
    """
    scored = sorted(
        (-_likeness(old, new), old.position, new.position, old.name, new.name)
        for old in removed
        for new in added
        if _same_type(old, new) and _likeness(old, new) >= SIMILAR
    )
    pairs: dict[str, str] = {}
    for _, _, _, old_name, new_name in scored:
        if old_name not in pairs and new_name not in pairs.values():
            pairs[old_name] = new_name
    return pairs


def _likeness(old: Field, new: Field) -> float:
    # Both directions: SequenceMatcher's ratio depends on which text comes first.
    one, other = folded(old.name), folded(new.name)
    ratio = max(
        SequenceMatcher(None, one, other).ratio(), SequenceMatcher(None, other, one).ratio()
    )
    return 1 + ratio if old.position == new.position else ratio


def _same_type(old: Field, new: Field) -> bool:
    if old.type and new.type:
        return same(old.type, new.type)
    return old.logical is new.logical


def moved(old: Sequence[str], new: Sequence[str]) -> tuple[str, ...]:
    """The fewest names that have to move to turn one order into the other, in the old order.

    Both sequences hold the same names.
    """
    place = {name: index for index, name in enumerate(new)}
    target = [place[name] for name in old]
    tails: list[int] = []
    tail_at: list[int] = []
    before: list[int] = [-1] * len(target)
    for index, value in enumerate(target):
        slot = bisect_left(tails, value)
        before[index] = tail_at[slot - 1] if slot else -1
        tails[slot : slot + 1] = [value]
        tail_at[slot : slot + 1] = [index]
    kept = set()
    index = tail_at[-1] if tail_at else -1
    while index >= 0:
        kept.add(index)
        index = before[index]
    return tuple(name for index, name in enumerate(old) if index not in kept)
