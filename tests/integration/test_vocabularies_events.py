"""The closed vocabularies of evidence and events are the same in Python and in the database."""

from __future__ import annotations

import re
from enum import Enum
from typing import Any

import psycopg
import pytest

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
    conn: psycopg.Connection[tuple[Any, ...]], table: str, column: str, words: type[Enum]
) -> None:
    """A word added on one side only fails here."""
    row = conn.execute(
        "select pg_get_constraintdef(c.oid) from pg_constraint c"
        " join pg_attribute a on a.attrelid = c.conrelid and c.conkey = array[a.attnum]"
        " where c.conrelid = %s::regclass and c.contype = 'c' and a.attname = %s"
        " and pg_get_constraintdef(c.oid) ~ 'ANY'",
        [table, column],
    ).fetchone()
    assert row is not None
    assert set(re.findall(r"'([a-z_]+)'", row[0])) == {word.value for word in words}
