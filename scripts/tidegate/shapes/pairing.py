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
MOST_PAIRS = 4_000
"""Up to how many pairs of names are compared letter by letter."""


def case_pairs(removed: Sequence[Field], added: Sequence[Field]) -> dict[str, str]:
    """Names that differ in case or Unicode form only: the old side's to the new side's."""
    free: dict[str, list[str]] = {}
    for field in added:
        free.setdefault(folded(field.name), []).append(field.name)
    pairs: dict[str, str] = {}
    for field in removed:
        same_letters = free.get(folded(field.name))
        if same_letters:
            pairs[field.name] = same_letters.pop(0)
    return pairs


def possible_renames(removed: Sequence[Field], added: Sequence[Field]) -> dict[str, str]:
    """Columns that went while one of the same type came, at the same place or with a like name.

    Only a hint: values are not compared, and nothing ever acts on it. Where very many columns
    changed, only those at the same place are looked at, so that a wide file stays quick.
    """
    by_place = len(removed) * len(added) > MOST_PAIRS
    scored = []
    for old in removed:
        for new in added:
            if by_place and old.position != new.position:
                continue
            if _same_type(old, new) and (likeness := _likeness(old, new)) >= SIMILAR:
                scored.append((-likeness, old.position, new.position, old.name, new.name))
    pairs: dict[str, str] = {}
    taken: set[str] = set()
    for _, _, _, old_name, new_name in sorted(scored):
        if old_name not in pairs and new_name not in taken:
            pairs[old_name] = new_name
            taken.add(new_name)
    return pairs


def _likeness(old: Field, new: Field) -> float:
    """How alike two names are, 0 to 1; one more at the same place."""
    if old.position == new.position:
        return 1 + _ratio(old.name, new.name)
    return _ratio(old.name, new.name)


def _ratio(one: str, other: str) -> float:
    # In one order always: SequenceMatcher's ratio depends on which text comes first.
    first, second = sorted((folded(one), folded(other)))
    return SequenceMatcher(None, first, second).ratio()


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
