"""The closed enum that staging maps to is the contract's own, or an error that says what to do."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from jinja2 import Environment

from tidegate.macros import macros_dir


class CompilerError(Exception):
    """Stands for dbt's."""


def closed_values(columns: dict[str, Any]) -> str:
    """Render the macro as dbt does while it compiles, on a graph of one model."""

    def refuse(message: str) -> None:
        raise CompilerError(message)

    env = Environment(extensions=["jinja2.ext.do"], autoescape=False)  # noqa: S701 (SQL, not HTML)
    env.globals.update(
        {
            "execute": True,
            "graph": SimpleNamespace(
                nodes={"model.tidegate.q_x": SimpleNamespace(name="q_x", columns=columns)}
            ),
            "exceptions": SimpleNamespace(raise_compiler_error=refuse),
            "return": list,
        }
    )
    text = (macros_dir() / "staging" / "closed_values.sql").read_text(encoding="utf-8")
    return str(env.from_string(text).module.closed_values("q_x", "state"))  # type: ignore[attr-defined]


def column(meta: dict[str, Any]) -> SimpleNamespace:
    """A column of dbt's graph."""
    return SimpleNamespace(config=SimpleNamespace(meta=meta))


def test_the_values_are_those_of_the_contract() -> None:
    """In the contract's order."""
    assert closed_values({"state": column({"tidegate": {"enum": ["b", "a"]}})}) == "['b', 'a']"


@pytest.mark.parametrize(
    "columns", [{}, {"state": column({})}, {"state": column({"tidegate": {}})}]
)
def test_a_column_without_a_closed_enum_is_an_error(columns: dict[str, Any]) -> None:
    """Mapping to no list would make every value null without a word."""
    with pytest.raises(CompilerError) as raised:
        closed_values(columns)
    assert str(raised.value) == (
        "No contract gives q_x.state a closed enum, and values are to be mapped to it. Add"
        " config.meta.tidegate.enum to the column, or map it no longer."
    )
