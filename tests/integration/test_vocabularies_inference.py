"""The closed vocabularies of inference are the same in Python and in the database."""

from __future__ import annotations

import re
from enum import Enum
from typing import Any

import psycopg
import pytest

from tidegate.inference.vocabulary import (
    AttemptStatus,
    DecidedBy,
    Decision,
    DecisionReason,
    Transport,
)


@pytest.mark.parametrize(
    ("table", "column", "words"),
    [
        ("provenance.inference_attempts", "transport", Transport),
        ("provenance.inference_attempts", "status", AttemptStatus),
        ("provenance.inference_decisions", "decision", Decision),
        ("provenance.inference_decisions", "decided_by", DecidedBy),
        ("provenance.inference_decisions", "reason", DecisionReason),
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
