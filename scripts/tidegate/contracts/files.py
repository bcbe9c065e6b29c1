"""The shape of a contract file: dbt's property-file keys that a contract may use, typed.

Only keys that mean something in a contract are known; dbt's others (an alias, a schema, hooks)
would move a model away from where Tidegate builds and judges it, so they are refused like a
spelling mistake. Tidegate's own keys are in `keys`.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from tidegate.contracts.key_base import Keys
from tidegate.contracts.keys import (
    DatasetColumnKeys,
    DatasetKeys,
    ModelColumnKeys,
    ModelKeys,
    Text,
)

Tests = tuple[str | dict[str, Any], ...]


class _Meta(BaseModel):
    """dbt's `meta`: free for others, one key of it is Tidegate's."""

    model_config = ConfigDict(extra="allow", frozen=True)


class DatasetMeta(_Meta):
    """`meta` of a dataset."""

    tidegate: DatasetKeys


class DatasetColumnMeta(_Meta):
    """`meta` of a column of a dataset."""

    tidegate: DatasetColumnKeys = DatasetColumnKeys()


class ModelMeta(_Meta):
    """`meta` of a model."""

    tidegate: ModelKeys


class ModelColumnMeta(_Meta):
    """`meta` of a column of a model."""

    tidegate: ModelColumnKeys = ModelColumnKeys()


class FreshnessBound(Keys):
    """How old the newest row may be."""

    count: Annotated[int, Field(gt=0)]
    period: Literal["minute", "hour", "day"]


class Freshness(Keys):
    """dbt's freshness of a source table; design §5: measured on `_received_at`."""

    warn_after: FreshnessBound | None = None
    error_after: FreshnessBound | None = None
    filter: str | None = None


class DatasetConfig(Keys):
    """`config` of a dataset."""

    meta: DatasetMeta
    tags: tuple[str, ...] | str = ()
    freshness: Freshness | None = None
    loaded_at_field: str | None = None


class DatasetColumnConfig(Keys):
    """`config` of a column of a dataset."""

    meta: DatasetColumnMeta = DatasetColumnMeta()
    tags: tuple[str, ...] | str = ()


class DatasetColumnFile(Keys):
    """One column of a dataset."""

    name: Text
    """The column's name, exactly: case and spaces count."""
    data_type: Text
    """A PostgreSQL type, such as `text`, `numeric(10,2)` or `integer[]`."""
    description: Text
    quote: bool = False
    """Needed where the name is not a plain lower-case word, so that dbt quotes it too."""
    config: DatasetColumnConfig = DatasetColumnConfig()
    data_tests: Tests = ()


class DatasetHead(Keys):
    """A dataset without its columns."""

    name: Text
    description: Text
    config: DatasetConfig
    data_tests: Tests = ()
    freshness: Freshness | None = None
    loaded_at_field: str | None = None
    """The column freshness is measured on; `_received_at` is when the delivery came."""


class DatasetFile(DatasetHead):
    """One dataset: a dbt source table, read as `landing.<name>`."""

    columns: Annotated[tuple[DatasetColumnFile, ...], Field(min_length=1)]


class SourceConfig(Keys):
    """`config` of a source."""

    meta: dict[str, Any] = Field(default_factory=dict)
    tags: tuple[str, ...] | str = ()
    freshness: Freshness | None = None
    loaded_at_field: str | None = None


class SourceHead(Keys):
    """A source without its tables."""

    name: Text
    # The key is called `schema` in the file, which pydantic's base class already uses.
    schema_: Annotated[Literal["landing"], Field(alias="schema")]
    """Always `landing`: where the views over accepted deliveries are."""
    description: str = ""
    loader: str = ""
    config: SourceConfig = SourceConfig()
    freshness: Freshness | None = None
    loaded_at_field: str | None = None


class SourceFile(SourceHead):
    """One source: who delivers, and what."""

    tables: Annotated[tuple[DatasetFile, ...], Field(min_length=1)]


class NotNull(Keys):
    """The column never holds null: PostgreSQL itself enforces it on the candidate."""

    type: Literal["not_null"]
    name: str | None = None


class Unique(Keys):
    """No two rows have the same values."""

    type: Literal["unique", "primary_key"]
    name: str | None = None
    columns: tuple[str, ...] = ()
    """Of a model only: the columns together."""


class Check(Keys):
    """One boolean SQL expression that every row fulfils."""

    type: Literal["check"]
    name: str | None = None
    expression: Text
    """One condition over the row's own columns: no subquery, no statement."""


Constraint = Annotated[NotNull | Unique | Check, Field(discriminator="type")]


class ModelColumnConfig(Keys):
    """`config` of a column of a model."""

    meta: ModelColumnMeta = ModelColumnMeta()
    tags: tuple[str, ...] | str = ()


class ModelColumnFile(Keys):
    """One column of a model."""

    name: Text
    """The column's name, exactly: case and spaces count."""
    data_type: Text
    """A PostgreSQL type, such as `text`, `numeric(10,2)` or `integer[]`."""
    description: Text
    quote: bool = False
    """Needed where the name is not a plain lower-case word, so that dbt quotes it too."""
    constraints: tuple[Constraint, ...] = ()
    config: ModelColumnConfig = ModelColumnConfig()
    data_tests: Tests = ()


class Enforced(Keys):
    """dbt's contract: always enforced, or there is no promise."""

    enforced: Literal[True]
    alias_types: bool = True


class Index(Keys):
    """One index that dbt makes on the candidate."""

    columns: Annotated[tuple[str, ...], Field(min_length=1)]
    unique: bool = False
    type: Literal["btree", "hash", "gin", "gist", "brin", "spgist"] = "btree"


class ModelConfig(Keys):
    """`config` of a model."""

    contract: Enforced
    meta: ModelMeta
    materialized: Literal["table"] = "table"
    tags: tuple[str, ...] | str = ()
    indexes: tuple[Index, ...] = ()
    docs: dict[str, Any] = Field(default_factory=dict)
    group: str | None = None
    access: Literal["private", "protected", "public"] = "protected"


class ModelHead(Keys):
    """A model without its columns."""

    name: Text
    description: Text
    config: ModelConfig
    constraints: tuple[Constraint, ...] = ()
    data_tests: Tests = ()


class ModelFile(ModelHead):
    """One `q_*` model: what readers get."""

    columns: Annotated[tuple[ModelColumnFile, ...], Field(min_length=1)]


class FileHead(Keys):
    """What a file says before its contracts."""

    version: Literal[2]


class ContractFile(FileHead):
    """One file under `contracts/`: datasets, models, or both."""

    sources: tuple[SourceFile, ...] = ()
    models: tuple[ModelFile, ...] = ()
