"""Whoever has tables of other names finds in docs/gates.md which columns a gate reads."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tidegate.gates.gate_columns import columns_of
from tidegate.gates.registry import GATES

PAGE = (Path(__file__).parents[2] / "docs" / "gates.md").read_text(encoding="utf-8")
OF_CONTRACTS = {"provenance_coverage"}
"""Takes its columns from the contract, under fixed names."""


@pytest.mark.parametrize("gate_id", sorted({*GATES} - OF_CONTRACTS))
def test_every_column_that_a_gate_reads_is_documented(gate_id: str) -> None:
    """Under its own name, be it of the judged relation or of one that is compared with it."""
    section = re.search(rf"^## {gate_id}\n.*?(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert section is not None
    text = re.sub(r"```.*?```", "", section[0], flags=re.DOTALL)
    words = set(re.findall(r"\w+", " ".join(re.findall(r"`([^`]+)`", text))))
    missing = [name for name in columns_of(gate_id) if name.rpartition(".")[2] not in words]
    assert missing == [], f"document them under {gate_id} in docs/gates.md"
