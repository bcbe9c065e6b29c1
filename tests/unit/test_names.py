"""Names of schemas and generations are made in one place and stay within 63 bytes."""

from __future__ import annotations

import pytest

from tidegate import names
from tidegate.errors import UsageError


def test_longest_family_still_fits_an_identifier() -> None:
    """A family of the longest allowed name never has its schema cut by the server."""
    family = "f" * names.MAX_FAMILY_BYTES
    longest = names.generation_schema(family, 999_999_999)
    assert len(longest.encode()) <= names.MAX_IDENTIFIER_BYTES


@pytest.mark.parametrize("family", ["", "Trials", "1a", "a b", 'a"b', "a__b", "f" * 41, "é", "a%s"])
def test_a_family_that_cannot_name_a_schema_is_refused(family: str) -> None:
    """Hostile and unlucky names never reach SQL."""
    with pytest.raises(UsageError, match="is not a family name"):
        names.candidate_schema(family)


def test_generation_labels_round_trip() -> None:
    """`g000042`, `g42` and `42` are one generation."""
    assert [names.parse_generation_label(text) for text in ("g000042", "g42", "42")] == [42] * 3
    assert names.generation_label(42) == "g000042"
