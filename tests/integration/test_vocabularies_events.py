"""The closed vocabularies of evidence and events are the same in Python and in the database."""

from __future__ import annotations

from enum import Enum

import pytest

from listed_words import listed_words
from tidegate.connection import Connection
from tidegate.contracts.keys import Classification
from tidegate.ledger.outbox import OutboxState
from tidegate.ledger.review import ReviewKind, ReviewSeverity, ReviewState


@pytest.mark.parametrize(
    ("table", "column", "words"),
    [
        ("governance.review_items", "kind", ReviewKind),
        ("governance.review_items", "severity", ReviewSeverity),
        ("governance.review_items", "state", ReviewState),
        ("governance.outbox_events", "state", OutboxState),
        ("provenance.publication_validation", "classification", Classification),
    ],
)
def test_the_check_constraint_lists_the_enum(
    conn: Connection, table: str, column: str, words: type[Enum]
) -> None:
    """A word added on one side only fails here."""
    assert listed_words(conn, table, column) == {word.value for word in words}
