"""Gate results as text and JUnit; row keys only where the contract calls them public."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree

from tidegate.gates.model import Status
from tidegate.gates.provider_interface import GATE_ID as CODE_GATE
from tidegate.gates.result import GateResult

_QUIET = (Status.PASS,)
_SHOWN = 5


def gates_lines(results: Sequence[GateResult]) -> list[str]:
    """One line for everything that is not a pass, and the totals."""
    lines = []
    for result in results:
        if result.status in _QUIET:
            continue
        word = "BLOCKS" if result.blocks else result.status.value.upper()
        counted = ", ".join(f"{reason} {count}" for reason, count in result.reasons.items())
        lines.append(
            f"{word} {result.spec.model.name} {result.gate_id}:"
            f" {result.rows_failing} of {result.rows_checked} rows"
            f" ({counted or result.error or result.status.value})"
        )
        keys = ", ".join(result.sample_keys[:_SHOWN])
        if keys:
            lines.append(f"  keys: {keys}")
        lines.append(f"  {result.remediation_hint}")
    passed = sum(result.status in _QUIET for result in results)
    blocking = sum(result.blocks for result in results)
    lines.append(f"{len(results)} gates: {passed} passed, {blocking} block.")
    return lines


def gates_exit_code(results: Sequence[GateResult], fail_on: str) -> int:
    """0 ready, 1 by `--fail-on`, 2 where no gate was evaluated at all."""
    judged = [
        result
        for result in results
        if result.status not in (Status.ERROR, Status.NOT_EVALUATED)
        and result.gate_id != CODE_GATE  # there is always code; it says nothing about rows
    ]
    if not judged:
        return 2
    if fail_on == "never":
        return 0
    warned = fail_on == "warning" and any(r.status is Status.WARN for r in results)
    return int(warned or any(result.blocks for result in results))


def gates_junit(results: Sequence[GateResult]) -> str:
    """JUnit XML: a test case a gate, a failure where it blocks, an error where it raised one."""
    suite = ElementTree.Element(
        "testsuite",
        name="tidegate",
        tests=str(len(results)),
        failures=str(sum(r.blocks and r.status is not Status.ERROR for r in results)),
        errors=str(sum(r.status is Status.ERROR for r in results)),
    )
    for result in results:
        case = ElementTree.SubElement(
            suite,
            "testcase",
            classname=f"{result.spec.family}.{result.spec.model.name}",
            name=result.gate_id,
            time=f"{result.duration_ms / 1000:.3f}",
        )
        counted = ", ".join(f"{reason} {count}" for reason, count in result.reasons.items())
        if result.status is Status.ERROR:
            ElementTree.SubElement(case, "error", message=result.error or "error")
        elif result.blocks:
            ElementTree.SubElement(case, "failure", message=counted or result.status.value)
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"
