"""How the shape of a model changes from one generation to the next, and what that asks for.

Three answers for the serving parent (design §6.7): it is there already, it takes more nullable
columns, or a new one is needed. Three for the view: it stays, it is replaced in place (columns
appended, same types), or it is dropped and created. Pure; the statements are in `serving`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from tidegate.contracts.keys import Mask


@dataclass(frozen=True)
class ServedColumn:
    """One column as readers get it: name, type as `format_type` prints it, mask if any."""

    name: str
    type: str
    mask: Mask | None = None
    description: str = ""

    @property
    def served_type(self) -> str:
        """The type of the view's column; a masked value is text."""
        return "text" if self.mask else self.type


@dataclass(frozen=True)
class Parent:
    """A serving parent as recorded: its shape number, relation name and columns (name, type)."""

    shape: int
    relation: str
    columns: tuple[tuple[str, str], ...]


class ParentChange(str, Enum):
    """What the serving parent needs before the candidate can be attached."""

    KEEP = "keep"
    EXTEND = "extend"
    CREATE = "create"


class ViewChange(str, Enum):
    """What the stable view needs in the promotion."""

    KEEP = "keep"
    CREATE = "create"
    REPLACE = "replace"
    REBUILD = "rebuild"


@dataclass(frozen=True)
class ParentPlan:
    """What happens to the parent: the change, the parent afterwards, columns that are added."""

    change: ParentChange
    parent: Parent
    added: tuple[tuple[str, str], ...] = ()


def plan_parent(
    model: str, columns: tuple[ServedColumn, ...], parents: tuple[Parent, ...]
) -> ParentPlan:
    """Choose the parent for a candidate of these columns among those that exist.

    Only the newest parent may be extended. An older one of exactly the same columns is used again:
    a change that is taken back finds the former parent, and nothing piles up.
    """
    wanted = tuple((column.name, column.type) for column in columns)
    for parent in sorted(parents, key=lambda entry: entry.shape, reverse=True):
        if sorted(parent.columns) == sorted(wanted):
            return ParentPlan(ParentChange.KEEP, parent)
    newest = max(parents, key=lambda entry: entry.shape, default=None)
    if newest is None:
        return ParentPlan(ParentChange.CREATE, Parent(1, model, wanted))
    if set(newest.columns) < set(wanted):
        names = {name for name, _ in newest.columns}
        added = tuple(entry for entry in wanted if entry[0] not in names)
        if len(added) + len(newest.columns) == len(wanted):
            extended = Parent(newest.shape, newest.relation, newest.columns + added)
            return ParentPlan(ParentChange.EXTEND, extended, added)
    shape = newest.shape + 1
    return ParentPlan(ParentChange.CREATE, Parent(shape, f"{model}__s{shape}", wanted))


@dataclass(frozen=True)
class LiveView:
    """The stable view as it is: its columns (name, type) in order, and its definition.

    `definition` is what Tidegate wrote into the view's record, not what the server prints; `shape`
    is the number of the parent it reads (None: it unites several).
    """

    columns: tuple[tuple[str, str], ...]
    definition: str
    shape: int | None = None


def plan_view(
    live: LiveView | None, served: tuple[ServedColumn, ...], definition: str
) -> ViewChange:
    """Say what the view needs so that it shows `served` by `definition`."""
    if live is None:
        return ViewChange.CREATE
    wanted = tuple((column.name, column.served_type) for column in served)
    if live.columns == wanted and live.definition == definition:
        return ViewChange.KEEP
    if wanted[: len(live.columns)] == live.columns:
        return ViewChange.REPLACE
    return ViewChange.REBUILD
