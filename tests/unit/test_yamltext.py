"""Contract files are changed in the style of who wrote them."""

from __future__ import annotations

import difflib
from typing import Any

import pytest

from tidegate.contracts.yamltext import changed, written

STYLES = {
    "ours": "# Why.\na:\n  - name: one   # here\n    b: 'x'\n  - name: two\nc: [1, 2]\n",
    "flush": "# Why.\na:\n- name: one   # here\n  b: 'x'\n- name: two\nc: [1, 2]\n",
    "wide": "# Why.\na:\n    - name: one   # here\n      b: 'x'\n    - name: two\nc: [1, 2]\n",
}


@pytest.mark.parametrize("text", STYLES.values(), ids=STYLES)
def test_a_change_is_the_only_difference(text: str) -> None:
    """Comments, quotes, order and indentation are those of the file, whoever wrote it."""

    def edit(document: Any) -> None:
        document["a"].append({"name": "three"})

    before, after = text.splitlines(), changed(text, edit).splitlines()
    diff = [line for line in difflib.ndiff(before, after) if line[0] in "+-?"]
    assert [line[2:].strip() for line in diff] == ["- name: three"]


def test_new_text_is_in_block_style() -> None:
    """As the contracts of the project are."""
    assert written({"a": [{"b": "", "c": "1"}]}) == "a:\n  - b: ''\n    c: '1'\n"
