"""Macros render the same way outside dbt as inside, and quoting holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from tidegate.macros import macros_dir, render


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


def test_the_package_carries_the_macros() -> None:
    """An installed wheel renders the very files that dbt reads: the folder is a link to them."""
    assert macros_dir().resolve() == Path(__file__).resolve().parents[2] / "macros"
    assert (macros_dir() / "gates" / "schema_contract.sql").is_file()
