"""Gates, their macros, their reasons and their documentation agree."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tidegate.gates import GATES, Reason, Status, provider_interface
from tidegate.macros import macros_dir

DOCS = Path(__file__).resolve().parents[2] / "docs" / "gates.md"
IN_DOCS = DOCS.read_text(encoding="utf-8")


@pytest.mark.parametrize("gate_id", [gate.gate_id for gate in GATES.values() if not gate.static])
def test_a_gate_is_one_macro_and_one_dbt_test(gate_id: str) -> None:
    """A gate that dbt cannot run is no gate; only one that reads code has neither."""
    macro = (macros_dir() / "gates" / f"{gate_id}.sql").read_text(encoding="utf-8")
    test = (macros_dir() / "generic" / f"{gate_id}.sql").read_text(encoding="utf-8")
    assert re.search(rf"macro {gate_id}\(", macro)
    assert re.search(rf"test {gate_id}\(", test)


@pytest.mark.parametrize("gate_id", GATES)
def test_a_gate_is_one_section(gate_id: str) -> None:
    """A gate nobody documented is no gate."""
    section = re.search(rf"^## {gate_id}\n(.*?)(?=^## |\Z)", IN_DOCS, re.M | re.S)
    assert section is not None
    for part in ("**Demands.**", "**Example.**", "**Why.**", "**Remedy.**", "**Metadata.**"):
        assert part in section[1], f"docs/gates.md: {gate_id} has no {part}"


def test_every_macro_is_a_registered_gate() -> None:
    """A macro file that nothing calls would be a gate that never runs."""
    assert {path.stem for path in (macros_dir() / "gates").glob("*.sql")} == {
        gate.gate_id for gate in GATES.values() if not gate.static
    }


def test_reasons_are_a_closed_vocabulary() -> None:
    """Every code a macro writes is in the enum, and every code of the enum is documented."""
    files = [*(macros_dir() / "gates").glob("*.sql"), *(macros_dir() / "sql").glob("*.sql")]
    code = Path(provider_interface.__file__).read_text(encoding="utf-8").lower()
    sql = "\n".join(path.read_text(encoding="utf-8") for path in files)
    unwritten = {Reason.OWNER_PROVISIONAL, Reason.OWNER_SUPERSEDED, Reason.TEST_FAILED}
    for reason in Reason:
        if reason not in unwritten:
            written_here = re.search(rf"""['"]{reason.value}['"]""", sql)
            assert written_here or f"reason.{reason.value}" in code, reason
        if reason is not Reason.TEST_FAILED:
            assert f"`{reason.value}`" in IN_DOCS, reason
    written = set(re.findall(r"""['"]([a-z]+(?:_[a-z]+)+)['"]::text as reason""", sql))
    assert written <= {reason.value for reason in Reason}


def test_every_status_is_documented() -> None:
    """What a result may say is explained."""
    for status in Status:
        assert f"`{status.value}`" in IN_DOCS
