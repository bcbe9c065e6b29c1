"""Macros render the same way outside dbt as inside, and quoting holds."""

from __future__ import annotations

import pytest

from tidegate.macros import render


@pytest.mark.parametrize(
    ("name", "expected"),
    [("a", '"a"'), ('a"b', '"a""b"'), ("select", '"select"'), ("{{ x }}", '"{{ x }}"')],
)
def test_identifier_is_always_quoted(name: str, expected: str) -> None:
    """No name can end its own quotes."""
    assert render("identifier", name) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [("it's", "'it''s'"), (None, "null"), (True, "'true'"), (0, "'0'"), ("$$%", "'$$%'")],
)
def test_literal_is_null_or_a_quoted_string(value: object, expected: str) -> None:
    """No value can end its own quotes."""
    assert render("literal", value) == expected
