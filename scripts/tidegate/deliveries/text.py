"""A landing report as text: one screen, a line a file, and what readers see at the end."""

from __future__ import annotations

from tidegate.deliveries.report import DatasetState, FileOutcome, LandingReport
from tidegate.names import shown

_CHANGES = 5
"""Changes of a file that are listed: a folder of files is told in one screen."""


def as_text(report: LandingReport) -> str:
    """The report for a person."""
    lines = [line for outcome in report.files for line in _file(outcome)]
    if not report.complete:
        return "\n".join(lines)
    seen = {outcome.dataset for outcome in report.files if outcome.dataset}
    lines.append("")
    lines += [_state(state) for state in report.state if state.dataset in seen]
    return "\n".join(lines)


def _file(outcome: FileOutcome) -> list[str]:
    if outcome.error is not None:
        return [f"not landed  {outcome.error}"]
    status = outcome.status.value if outcome.status else ""
    counts = ""
    if outcome.read is not None:
        counts = (
            f"  {outcome.read} read, {outcome.accepted} accepted, {outcome.quarantined} quarantined"
        )
    lines = [f"{status:<11} {outcome.file} -> {outcome.dataset}{counts}"]
    if outcome.halted_in:
        lines.append(f"            halted in {outcome.halted_in.value}: {outcome.reason}")
    elif outcome.reason:
        lines.append(f"            {outcome.reason}")
    if outcome.superseded_by:
        lines.append(
            f"            the same bytes were accepted as delivery {outcome.delivery_id}; "
            f"delivery {outcome.superseded_by} came after it"
        )
    if outcome.detail:
        lines.append(f"            {outcome.detail}")
    lines += [
        f"            quarantined: {count} {reason}"
        for reason, count in sorted(outcome.quarantine_reasons.items())
    ]
    lines += [
        f"            drift: {change.kind} {shown(change.field)} ({change.reason},"
        f" {change.classification}): {change.resolution}"
        for change in outcome.drift[:_CHANGES]
    ]
    if len(outcome.drift) > _CHANGES:
        more = len(outcome.drift) - _CHANGES
        lines.append(f"            drift: {more} more, see `tidegate drift show {outcome.run_id}`")
    lines += [f"            {warning}" for warning in outcome.warnings]
    return lines


def _state(state: DatasetState) -> str:
    extra = "".join(
        f", {count} {word}"
        for count, word in (
            (state.parked, "parked"),
            (state.held, "records held"),
            (state.hidden, "rows of older contracts not shown (`tidegate rematerialize`)"),
        )
        if count
    )
    latest = f"newest delivery {state.latest_delivery}" if state.latest_delivery else "no delivery"
    return f"landing.{state.dataset}: {state.rows} rows, {latest}{extra}."
