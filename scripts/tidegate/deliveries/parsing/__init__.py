"""Reading what partners send: strictly, in bounded memory, without losing a record.

`open_records` gives a reader; iterating over it gives batches of COPY text with the malformed
records beside them. See docs/formats.md for the rules.
"""

from tidegate.deliveries.parsing.opening import Reader, open_records
from tidegate.deliveries.parsing.records import (
    Batch,
    DeliveryRefused,
    Layout,
    Limits,
    Malformed,
    Record,
    Refusal,
    SourceColumn,
    records,
)

__all__ = [
    "Batch",
    "DeliveryRefused",
    "Layout",
    "Limits",
    "Malformed",
    "Reader",
    "Record",
    "Refusal",
    "SourceColumn",
    "open_records",
    "records",
]
