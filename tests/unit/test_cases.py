"""Every reported failure of the areas has a test that names its id."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]

CASES = {
    "landing": (
        "A01 A02 A03 A04 A05 A07 A10 A11 A12 A13 A15 A16 A17 A18 A19 A20 A21 A23 A24 A26 A27 A28"
        " A30 A31 A32 A34 A35 A36 A37 A39 A40 A42 A43"
    ),
    "schema drift": (
        "B01 B02 B03 B04 B06 B07 B08 B10 B11 B12 B13 B14 B15 B17 B18 B19 B20 B21 B23 B24 B25 B26"
        " B28 B30"
    ),
    "publication": ("C01 C02 C03 C04 C05 C06 C07 C08 C09 C10 C12 C13 C15 C17 C18 C19 C21 C22 C24"),
    "rules": "D01 D02 D03 D05 D06 D08 D09 D10 D11 D12 D14 D15 D16 D18 D19 D20 D21 D23",
    "idempotency": "E01 E02 E03 E04 E06 E07 E08 E10 E11 E12 E14 E15 E16 E17 E19",
    "detection": "F01 F03 F04 F06 F07 F08 F09 F11 F12 F14",
}


def covered() -> dict[str, set[str]]:
    """Case ids with the tests that name them: in the test's name, or in its docstring."""
    found: dict[str, set[str]] = {}
    for path in TESTS.rglob("test_*.py"):
        if path == Path(__file__).resolve():
            continue
        text = path.read_text(encoding="utf-8")
        for name, rest in re.findall(r"^def (test_\w+)(.*?)(?=^[^\s)]|\Z)", text, re.M | re.S):
            ids = re.findall(r"_([a-f][0-9]{2})(?=_)", name)
            docstring = re.search(r'"""(.*?)"""', rest, re.S)
            ids += re.findall(r"\b([A-F][0-9]{2})\b", docstring[1] if docstring else "")
            for case in ids:
                found.setdefault(case.upper(), set()).add(f"{path.name}::{name}")
    return found


@pytest.mark.parametrize("area", CASES)
def test_every_case_of_an_area_has_a_test(area: str) -> None:
    """A case without a test fails here with its id."""
    known = covered()
    assert [case for case in CASES[area].split() if case not in known] == []
