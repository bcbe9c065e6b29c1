"""Gates, their macros, their reasons and their documentation agree."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tidegate.gates import vendor_code
from tidegate.gates.model import Status
from tidegate.gates.reasons import Reason
from tidegate.gates.registry import GATES
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


PARTS = ("Demands", "Example", "Why", "Remedy", "Metadata")


def section(gate_id: str) -> dict[str, str]:
    """The parts of a gate's section, by their name."""
    found = re.search(rf"^## {gate_id}\n(.*?)(?=^## |\Z)", IN_DOCS, re.M | re.S)
    assert found is not None, f"docs/gates.md has no section {gate_id}"
    names = "|".join(PARTS)
    parts = re.findall(
        rf"^\*\*({names})\.\*\*(.*?)(?=^\*\*(?:{names})\.\*\*|\Z)", found[1], re.M | re.S
    )
    return {name: text.strip() for name, text in parts}


@pytest.mark.parametrize("gate_id", GATES)
def test_a_gate_is_one_section(gate_id: str) -> None:
    """What it demands, examples, why, how to remedy, its metadata: a gate without is no gate."""
    parts = section(gate_id)
    for name in PARTS:
        assert len(parts.get(name, "").split()) >= 3, f"docs/gates.md: {gate_id} has no {name}"


@pytest.mark.parametrize("gate_id", GATES)
def test_a_section_shows_rows_of_both_kinds(gate_id: str) -> None:
    """One that passes and one that does not, each with its verdict in the last column."""
    rows = re.findall(r"^\|.*\| ([^|]+) \|$", section(gate_id)["Example"], re.M)
    assert rows[0] == "verdict", f"docs/gates.md: {gate_id} has no table of examples"
    assert any(re.match(r"pass(es)?\b", verdict) for verdict in rows), gate_id
    assert any(re.search(r"`(block|warn)`", verdict) for verdict in rows), gate_id


@pytest.mark.parametrize("gate_id", [gate.gate_id for gate in GATES.values() if not gate.static])
def test_a_section_names_every_reason_of_its_gate(gate_id: str) -> None:
    """What a result may say is explained where the gate is; what all may say, once for all."""
    macro = (macros_dir() / "gates" / f"{gate_id}.sql").read_text(encoding="utf-8")
    text = "".join(section(gate_id).values())
    shared = {Reason.NOT_EVALUATED}
    for reason in set(Reason) - shared:
        if re.search(rf"""['"]{reason.value}['"]""", macro):
            assert f"`{reason.value}`" in text, f"docs/gates.md: {gate_id} says nothing of {reason}"


def test_every_macro_is_a_registered_gate() -> None:
    """A macro file that nothing calls would be a gate that never runs."""
    assert {path.stem for path in (macros_dir() / "gates").glob("*.sql")} == {
        gate.gate_id for gate in GATES.values() if not gate.static
    }


def test_reasons_are_a_closed_vocabulary() -> None:
    """Every code a macro writes is in the enum, and every code of the enum is documented."""
    files = [*(macros_dir() / "gates").glob("*.sql"), *(macros_dir() / "sql").glob("*.sql")]
    code = Path(vendor_code.__file__).read_text(encoding="utf-8").lower()
    sql = "\n".join(path.read_text(encoding="utf-8") for path in files)
    unwritten = {
        Reason.OWNER_PROVISIONAL, Reason.OWNER_SUPERSEDED, Reason.TEST_FAILED, Reason.SAMPLED,
    }  # fmt: skip
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
