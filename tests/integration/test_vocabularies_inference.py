"""The closed vocabularies of inference are the same in Python and in the database."""

from __future__ import annotations

from enum import Enum

import pytest

from listed_words import listed_words
from tidegate.connection import Connection
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
    conn: Connection, table: str, column: str, words: type[Enum]
) -> None:
    """A word added on one side only fails here."""
    assert listed_words(conn, table, column) == {word.value for word in words}
