"""Tidegate's own keys of a contract, typed: what stands under `config.meta.tidegate`.

A contract is a dbt property file (design §3). Names, types, descriptions, `constraints`,
`data_tests` and `freshness` are dbt's own keys and stay where dbt wants them; what only Tidegate
knows stands under `config.meta.tidegate` of the source table, the model or the column. An unknown
key is an error. The JSON Schema that editors use is generated from these types.
"""

from __future__ import annotations

from enum import Enum
from typing import Annotated, Any, Literal

from pydantic import Field

from tidegate.contracts.detection_keys import Detection
from tidegate.contracts.key_base import Keys
from tidegate.contracts.reasons import ReasonCode

Text = Annotated[str, Field(min_length=1)]
"""Text that says something."""


class DeliveryKind(str, Enum):
    """What a delivery is to the ones before it."""

    SNAPSHOT = "snapshot"
    """The whole dataset; the latest accepted delivery is what dbt reads."""
    APPEND = "append"
    """New rows only; all accepted deliveries together are what dbt reads."""
    UPSERT = "upsert"
    """Rows by key; the newest row of each key is what dbt reads."""


class Disposition(str, Enum):
    """What a drift policy does about a change (governance seed, "Policy")."""

    AUTO = "auto"
    REVIEW = "review"
    BLOCK = "block"


class Classification(str, Enum):
    """How risky a schema change is (policy seed, "Schema Classification")."""

    COMPATIBLE = "compatible"
    WARNING = "warning"
    BREAKING = "breaking"


class ChangeKind(str, Enum):
    """The eight kinds of schema change (design §3)."""

    FIELD_ADDED_NULLABLE = "field_added_nullable"
    FIELD_ADDED_REQUIRED = "field_added_required"
    FIELD_REMOVED = "field_removed"
    TYPE_WIDENED = "type_widened"
    TYPE_CHANGED = "type_changed"
    NULLABILITY_RELAXED = "nullability_relaxed"
    NULLABILITY_TIGHTENED = "nullability_tightened"
    FIELD_ORDER_CHANGED = "field_order_changed"


class Sensitivity(str, Enum):
    """Who may see values of a column outside the data itself."""

    PUBLIC = "public"
    INTERNAL = "internal"
    SENSITIVE = "sensitive"


class Mask(str, Enum):
    """How a column is shown to readers who are not in the unmasking role."""

    HASH = "hash"
    REDACT = "redact"
    PARTIAL = "partial"


class ProvenancePolicy(str, Enum):
    """What q_provenance must hold for a row (design §7; domain: provenance_coverage)."""

    ROW_REQUIRED = "row_required"
    FACT_REQUIRED = "fact_required"
    OPTIONAL = "optional"
    NONE = "none"


class CsvFormat(Keys):
    """Delimited text; everything is declared, nothing is guessed."""

    type: Literal["csv"]
    delimiter: Annotated[str, Field(min_length=1, max_length=1)] = ","
    quote: Annotated[str, Field(min_length=1, max_length=1)] | None = '"'
    escape: Annotated[str, Field(min_length=1, max_length=1)] | None = None
    """None: a quote inside a quoted field is doubled."""
    encoding: str = "utf-8"
    header: bool = True
    """Without a header the columns are those of the contract, in its order."""
    null_tokens: tuple[str, ...] = ("",)
    """Unquoted fields that mean null; a quoted empty field is empty text."""
    comment: Annotated[str, Field(min_length=1, max_length=1)] | None = None
    trim: bool = False
    """Remove leading and trailing spaces and tabs (U+0020, U+0009, nothing else)."""


class JsonFormat(Keys):
    """A JSON document, or JSON Lines (one document a line)."""

    type: Literal["json", "jsonl"]
    records: str = ""
    """RFC 6901 pointer to the array of records; "" takes the document as one record (or, where it
    is an array, its elements)."""
    encoding: str = "utf-8"


Format = Annotated[CsvFormat | JsonFormat, Field(discriminator="type")]


class ParseOptions(Keys):
    """How text of a column becomes a value; what is not declared is not accepted."""

    date_format: str | None = None
    """A strptime pattern such as `%d.%m.%Y`; None: ISO 8601 only."""
    timestamp_format: str | None = None
    timezone: str | None = None
    """IANA zone of timestamps that carry none; None: they are not accepted as timestamptz."""
    decimal: Annotated[str, Field(min_length=1, max_length=1)] = "."
    thousands: Annotated[str, Field(min_length=1, max_length=1)] | None = None
    true_tokens: tuple[str, ...] = ("true",)
    false_tokens: tuple[str, ...] = ("false",)
    allow_nan: bool = False
    """Whether NaN and infinities are values of a number column."""
    pattern: str | None = None
    """A regular expression that every text matches as a whole, exactly as it was delivered."""


class DatasetColumnKeys(Keys):
    """Keys of a column of a dataset."""

    required: bool = False
    path: str | None = None
    """JSON only: RFC 6901 pointer inside the record; None: a member of the column's name; ""
    takes the whole record."""
    header: str | None = None
    """CSV only: the name in the header, where it differs from the column's name."""
    enum: tuple[str, ...] | None = None
    """Closed set of the source; another value becomes null with its reason in quarantine."""
    parse: ParseOptions = ParseOptions()
    sensitivity: Sensitivity = Sensitivity.INTERNAL
    mask: Mask | None = None


class Delivery(Keys):
    """What partners deliver, and how a file finds its dataset."""

    kind: DeliveryKind
    key: tuple[str, ...] = ()
    """Columns that identify a row; needed for upsert."""
    match: tuple[str, ...] = ()
    """Glob patterns over the file's path inside the landed folder, such as `ctgov/*.json`."""
    max_expanded_bytes: int = Field(default=4 << 30, gt=0)
    """How much a compressed file may expand to."""


class DriftPolicy(Keys):
    """What happens to a schema change: the stricter of this and the classification wins."""

    default: Disposition = Disposition.REVIEW
    by_kind: dict[ChangeKind, Disposition] = Field(default={})
    by_reason: dict[ReasonCode, Disposition] = Field(default={})
    approvers: tuple[str, ...] = ("tidegate_operator",)
    """Database roles whose members may approve or reject."""
    approval_valid_days: int | None = Field(default=None, gt=0)


class Retention(Keys):
    """How long things are kept; only `tidegate prune --apply` acts on it. None: for ever."""

    artifacts_days: int | None = Field(default=None, gt=0)
    rows_days: int | None = Field(default=None, gt=0)
    quarantine_days: int | None = Field(default=None, gt=0)
    generations: int | None = Field(default=None, gt=0)
    """Families only: how many published generations are kept besides the served one."""


class DatasetKeys(Keys):
    """Keys of a dataset (a dbt source table)."""

    version: Text
    owner: Text
    delivery: Delivery
    format: Format
    drift: DriftPolicy = DriftPolicy()
    retention: Retention = Retention()
    detection: Detection = Detection()
    quality_policy: dict[str, Any] | str | None = None
    """The JSON contract of the policy seed, or the path of a JSON file that holds it."""


class ModelColumnKeys(Keys):
    """Keys of a column of a `q_*` model; nullability is dbt's `constraints: [{type: not_null}]`."""

    enum: tuple[str, ...] | None = None
    sensitivity: Sensitivity = Sensitivity.INTERNAL
    mask: Mask | None = None


class Provenance(Keys):
    """Which receipts every row must have."""

    policy: ProvenancePolicy
    facts: tuple[str, ...] = ()
    """Columns that need a receipt of their own under `fact_required`."""


class Reference(Keys):
    """Columns whose values must be keys of an owner model."""

    columns: Annotated[tuple[str, ...], Field(min_length=1)]
    to: str
    """The owner model, such as `q_drugs`."""
    to_columns: tuple[str, ...] = ()
    """Key columns there; empty: the owner's row key."""
    array: bool = False
    """The column holds an array of keys."""
    expected: bool = False
    """A null warns."""
    deferred: bool = False
    """The owner's family does not exist yet: the gate warns instead of blocking."""


class ModelKeys(Keys):
    """Keys of a `q_*` model."""

    family: Text
    version: Text
    owner: Text
    grain: Text
    row_key: Annotated[tuple[str, ...], Field(min_length=1)]
    slice: str | None = None
    provenance: Provenance
    references: tuple[Reference, ...] = ()
    quality_policy: dict[str, Any] | str | None = None
    may_be_empty: bool = False
    """An empty relation is no reason to withhold a verdict."""
    retention: Retention = Retention()
