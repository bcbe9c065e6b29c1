"""A validation as a person reads it, and as JUnit for machines that show test results."""

from __future__ import annotations

from xml.etree import ElementTree

from tidegate.rules.validation import RuleOutcome, RuleStatus, Validation, Verdict

_SHOUT = {
    Verdict.PASSED: "PASSED",
    Verdict.READY_WITH_WARNINGS: "READY, WITH WARNINGS",
    Verdict.FAILED: "FAILED",
}
_REASONS = {
    "empty_relation": "no rows to judge",
    "field_absent": "the field is absent",
    "type_differs": "the field has another type",
    "not_applicable": "the rule does not apply",
    "statement_failed": "PostgreSQL refused the statement",
    "not_measured": "there was no measurement",
    "reference_unknown": "the reference is unknown",
    "reference_unreadable": "the policy's owner may not read the reference",
}


def validation_text(validation: Validation, relation: str) -> str:
    """Lines for a terminal: what was judged, each rule, remarks, and the verdict last."""
    rows = "unknown rows" if validation.row_count is None else _many(validation.row_count, "row")
    lines = [
        f"{relation}: {rows}, policy {validation.policy_version}"
        f" (sha256 {validation.policy_sha256[:12]})"
    ]
    width = max(len(outcome.id) for outcome in validation.outcomes)
    for outcome in validation.outcomes:
        status = outcome.status.value.replace("_", " ")
        lines.append(f"  {status:<13}  {outcome.id:<{width}}  {_told(outcome)}".rstrip())
    lines += [
        f"  {said.rule + ': ' if said.rule else ''}{said.message}"
        for said in validation.diagnostics
    ]
    counts = validation.counts
    told = ", ".join(
        f"{counts[status.value]} {status.value.replace('_', ' ')}"
        for status in RuleStatus
        if counts[status.value]
    )
    lines.append(f"{_SHOUT[validation.verdict]}: {_many(counts['rules'], 'rule')}, {told}.")
    return "\n".join(lines)


def _told(outcome: RuleOutcome) -> str:
    """The type, then what was found: counts, never values."""
    found = [_REASONS[outcome.reason]] if outcome.reason else []
    if outcome.violating_rows:
        found.append(_many(outcome.violating_rows, "row"))
    for count, what in (
        (outcome.null_rows, "null"),
        (outcome.non_finite_rows, "not finite"),
        (outcome.distinct, "distinct"),
    ):
        if count:
            found.append(f"{count:,} {what}")
    if outcome.groups:
        found.append(_many(outcome.groups, "group"))
    if outcome.proved_by:
        found.append(f"proved by {outcome.proved_by}")
    if outcome.row_numbers:
        found.append("row numbers " + ", ".join(map(str, outcome.row_numbers)))
    if outcome.row_keys:
        found.append("row keys " + ", ".join(outcome.row_keys))
    if outcome.reference:
        found.append(f"against {outcome.reference}")
    return f"{outcome.type}: {'; '.join(found)}" if found else outcome.type


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def validation_junit(validation: Validation, relation: str) -> str:
    """One test case a rule: `failure` where it blocks, `error` where it could not be judged."""
    counts = validation.counts
    suite = ElementTree.Element(
        "testsuite",
        name=f"tidegate check {relation}",
        tests=str(counts["rules"]),
        failures=str(sum(_element(validation, one) == "failure" for one in validation.outcomes)),
        errors=str(sum(_element(validation, one) == "error" for one in validation.outcomes)),
        skipped=str(sum(_element(validation, one) == "skipped" for one in validation.outcomes)),
    )
    for outcome in validation.outcomes:
        case = ElementTree.SubElement(suite, "testcase", classname=relation, name=outcome.id)
        element = _element(validation, outcome)
        if element:
            ElementTree.SubElement(case, element, message=_told(outcome))
        elif outcome.status is RuleStatus.WARNING:
            ElementTree.SubElement(case, "system-out").text = f"warning: {_told(outcome)}"
    ElementTree.indent(suite)
    text: str = ElementTree.tostring(suite, encoding="unicode", xml_declaration=True)
    return text + "\n"


def _element(validation: Validation, outcome: RuleOutcome) -> str | None:
    if outcome.status is RuleStatus.ERROR:
        return "error"
    if validation.blocks(outcome):
        return "failure"
    return "skipped" if outcome.status is RuleStatus.NOT_EVALUATED else None
