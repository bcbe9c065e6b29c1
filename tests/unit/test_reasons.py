"""The vocabulary of reasons is documented as it is."""

from __future__ import annotations

from pathlib import Path

from tidegate.deliveries.reasons import Reason

FORMATS = Path(__file__).resolve().parents[2] / "docs" / "formats.md"


def test_every_reason_is_documented_with_its_meaning() -> None:
    """docs/formats.md has one row a reason, in order, and no other."""
    rows = [line for line in FORMATS.read_text("utf-8").splitlines() if line.startswith("| `")]
    wanted = [
        f"| `{reason.value}` | {reason.kind.value}, {reason.scope.value} | {reason.meaning} |"
        for reason in Reason
    ]
    assert rows[-len(wanted) :] == wanted


def test_meanings_are_sentences() -> None:
    """Each meaning is one sentence that ends in a full stop."""
    assert [reason for reason in Reason if not reason.meaning.endswith(".")] == []
