"""What a gate is asked: the vocabulary and `GateSpec`; what it answers is `gates.result`.

Source: contracts seed, "Reusable check-factory contract" (what a check accepts).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from tidegate.contracts.keys import ModelKeys, Sensitivity

GATE_FAILS_IF = "> 0 and count(*) filter (where level = 'block') > 0"
"""The `error_if` of every gate, as `gate_config` writes it: rows that block fail, others warn."""


class Severity(str, Enum):
    """Whether rows that a gate blocks withhold a publication; dbt's error and warn."""

    BLOCKING = "blocking"
    WARNING = "warning"


class Level(str, Enum):
    """What one violation asks for."""

    BLOCK = "block"
    WARN = "warn"


class Status(str, Enum):
    """The verdict of one gate."""

    PASS = "pass"  # noqa: S105 (a verdict)
    WARN = "warn"
    FAIL = "fail"
    ERROR = "error"
    """The gate itself failed: nothing is known, so it always withholds."""
    NOT_EVALUATED = "not_evaluated"
    """There was nothing to judge, and the contract gives no leave for that."""


class Kind(str, Enum):
    """Who defines the check."""

    GATE = "gate"
    """One of Tidegate's gates: its macro is rendered for the relation that is judged."""
    DBT = "dbt"
    """Any other dbt test: dbt compiled it, its relations are retargeted."""


@dataclass(frozen=True)
class Column:
    """One column of a contract, as a gate needs it."""

    name: str
    data_type: str
    nullable: bool
    sensitivity: Sensitivity = Sensitivity.INTERNAL
    enum: tuple[str, ...] | None = None

    @property
    def is_array(self) -> bool:
        """Whether the contract says that it holds an array."""
        return self.data_type.rstrip().endswith("]")


@dataclass(frozen=True)
class Model:
    """One contracted model: its keys and columns, and the name its relation has in dbt.

    `candidate` is the schema and name dbt builds it as.
    """

    name: str
    keys: ModelKeys
    columns: tuple[Column, ...]
    candidate: tuple[str, str]
    unique_id: str = ""
    path: str = ""
    is_view: bool = False

    @property
    def public(self) -> frozenset[str]:
        """The columns whose values may be shown."""
        return frozenset(
            column.name for column in self.columns if column.sensitivity is Sensitivity.PUBLIC
        )

    @property
    def keys_are_public(self) -> bool:
        """Whether keys by the contract's own row key may be shown."""
        return set(self.keys.row_key) <= self.public


@dataclass(frozen=True)
class Related:
    """A relation that dbt knows: what dbt calls it and where dbt puts it.

    `public` are its columns whose values may be shown. A model of a family (`in_family`) is looked
    up where it is judged; everything else stands where dbt built it.
    """

    name: str
    schema: str
    relation: str
    public: frozenset[str] = frozenset()
    in_family: bool = False


@dataclass(frozen=True)
class GateSpec:
    """One check of one model, ready to be evaluated.

    `models` are the contracted models the gate may need by name (owners among them); `arguments`
    are what the contract's `data_tests` entry says; `related` are relations of other layers that
    the gate reads, by dbt's name; `sql` is dbt's compiled SQL (kind `dbt`);
    `asset_keys` are the models it reads.
    """

    gate_id: str
    unique_id: str
    kind: Kind
    severity: Severity
    family: str
    model: Model
    models: Mapping[str, Model] = field(repr=False, default_factory=dict)
    arguments: Mapping[str, Any] = field(default_factory=dict)
    related: Mapping[str, Related] = field(repr=False, default_factory=dict)
    where: str | None = None
    slice: str | None = None
    owner: str = ""
    contract_ref: str = ""
    partition_key: str | None = None
    sample_strategy: str | None = None
    sql: str | None = None
    fail_calc: str = "count(*)"
    error_if: str = "!= 0"
    warn_if: str = "!= 0"
    limit: int | None = None
    dropped: bool = False
    """dbt left the test out because something it refers to does not exist."""
    asset_keys: tuple[str, ...] = ()

    @property
    def row_key(self) -> tuple[str, ...]:
        """The columns that name a row: the test's own argument, else the contract's."""
        return tuple(self.arguments.get("row_key") or self.model.keys.row_key)

    @property
    def keys_are_public(self) -> bool:
        """Whether row keys may be shown: every key column is declared public (design §7)."""
        return set(self.row_key) <= self.model.public

    @property
    def sampled(self) -> bool:
        """Whether it looks at a sample, or at another time: no verdict about all rows."""
        return self.sample_strategy not in (None, "all")
