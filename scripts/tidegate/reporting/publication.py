"""Publications, status and pruning as text for a person."""

from __future__ import annotations

from collections.abc import Sequence

from tidegate.names import generation_label
from tidegate.publishing.outcome import FamilyOutcome, Verdict, state_of_the_world
from tidegate.publishing.prune import PruneItem
from tidegate.publishing.status import FamilyStatus, Status

_SHOWN = 10


def outcome_lines(outcomes: Sequence[FamilyOutcome]) -> list[str]:
    """One line a family, and under it what held it back; at the end what readers see."""
    lines = []
    for outcome in outcomes:
        lines.append(_headline(outcome))
        for entry in outcome.entries[:_SHOWN]:
            rows = "" if entry.affected_rows is None else f" ({entry.affected_rows} rows)"
            lines.append(f"  {entry.gate_id} on {entry.model}{rows}: {entry.reason}")
        if len(outcome.entries) > _SHOWN:
            lines.append(
                f"  … and {len(outcome.entries) - _SHOWN} more: see tidegate status --json"
            )
    moved = [o for o in outcomes if o.verdict is Verdict.PUBLISHED]
    if moved:
        served = ", ".join(f"{o.family} {generation_label(o.served or 0)}" for o in moved)
        lines.append(f"Serving views now show {served}.")
    kept = tuple(outcome for outcome in outcomes if outcome.verdict is not Verdict.PUBLISHED)
    if kept:
        lines.append(state_of_the_world(kept))
    return lines


def _headline(outcome: FamilyOutcome) -> str:
    generation = generation_label(outcome.generation) if outcome.generation else ""
    if outcome.verdict is Verdict.PUBLISHED:
        warned = f", {outcome.warnings} warned (tidegate review list)" if outcome.warnings else ""
        return (
            f"{outcome.family} {generation} published: {outcome.models} models,"
            f" {outcome.rows} rows, {outcome.gates} gates passed{warned}"
        )
    if outcome.verdict is Verdict.UNCHANGED:
        return f"{outcome.family} {generation} unchanged: nothing to do"
    if outcome.verdict is Verdict.REPLAYED:
        return f"{outcome.family} {generation} was published under this key before"
    if outcome.verdict is Verdict.PARKED:
        return f"{outcome.family} parked: its contract waits for `tidegate contract promote`"
    again = " still" if outcome.unchanged else ""
    return f"{outcome.family} {generation or 'candidate'}{again} held back:"


def status_lines(status: Status) -> list[str]:
    """What is served, what is held back and why, and what waits for somebody."""
    lines = [line for family in status.families for line in _family_lines(family)]
    if not status.families:
        lines.append("Nothing was built yet. Run `tidegate refresh`.")
    lines.append(
        f"{status.open_reviews} warnings wait for review, {status.parked_runs} deliveries are"
        f" parked, {status.quarantined_records} records are in quarantine."
    )
    lines.extend(
        f"warning: overlay {doubt.overlay_key} ({doubt.subject_kind}, {doubt.fact_path}):"
        f" {doubt.said}. See `tidegate curate show {doubt.overlay_key}`."
        for doubt in status.doubted_overlays[:_SHOWN]
    )
    return lines


def _family_lines(family: FamilyStatus) -> list[str]:
    served = generation_label(family.served) if family.served else "nothing"
    lines = [f"{family.family}: readers see {served} ({family.state})"]
    lines.extend(
        f"  {gate} on {model}{'' if rows is None else f' ({rows} rows)'}: {reason}"
        for model, gate, rows, reason in family.held_back[:_SHOWN]
    )
    lines.extend(
        f"  query.{model.view}  {model.rows} rows"
        f"{'' if model.view == model.model else f' of {family.family}'}"
        for model in family.models
    )
    return lines


def prune_lines(items: Sequence[PruneItem], *, applied: bool) -> list[str]:
    """What went, or would go, and what stays and why."""
    verb = "removed" if applied else "would remove"
    lines = [
        f"{verb} {item.label} ({item.state}, {item.tables} tables, {item.bytes} bytes)"
        for item in items
        if not item.kept_because
    ]
    lines.extend(f"keeps {item.label}: {item.kept_because}" for item in items if item.kept_because)
    if not items:
        lines.append("Nothing to prune: every generation is served.")
    return lines
