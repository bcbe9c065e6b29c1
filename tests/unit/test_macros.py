"""Macros render the same way outside dbt as inside, and quoting holds."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tidegate.macros import FOLDERS, _namespace, defined, macros_dir, render


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


@pytest.mark.parametrize("part", FOLDERS)
def test_every_macro_of_every_file_can_be_called_by_name(part: str) -> None:
    """A file is compiled when one of its macros is first used: here, all are."""
    for path in (macros_dir() / part).glob("*.sql"):
        text = path.read_text(encoding="utf-8")
        names = re.findall(r"macro ([a-z_0-9]+)\(", text)
        assert names, f"{path} defines no macro"
        for name in names:
            assert defined(name), f"{path}: {name}"
            assert callable(getattr(_namespace(), name))


def test_a_macro_that_nobody_wrote_is_not_defined() -> None:
    """So a caller's slip is an error, not an empty text."""
    assert not defined("no_such_macro")
    with pytest.raises(AttributeError):
        render("no_such_macro")
