"""Regular expressions of contracts: only what PostgreSQL and Python read alike."""

from __future__ import annotations

import pytest

from tidegate.contracts.column_checks import expression_problem


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[0-9]{4}-[0-9]{3}[0-9X]", None),
        ("(?:ab|c)+d?", None),
        ("", "is empty."),
        ("(a", "is not a regular expression."),
        ("[z-a]", "is not a regular expression."),
        ("(?i)a", "has a group that begins with (?."),
        ("(?P<name>a)", "has a group that begins with (?."),
        ("a(?=b)", "has a group that begins with (?."),
    ],
)
def test_an_expression_that_not_both_understand_is_refused(text: str, problem: str | None) -> None:
    """Look-around, names and flags are dialects; plain groups are not."""
    assert expression_problem(text) == problem
