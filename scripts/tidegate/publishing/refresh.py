"""`refresh`: build what changed, judge it, publish it; what has not changed is not built.

Idempotent, safe to retry and safe to run twice at once: builds wait for each other, and the one
that waited finds the work done.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from tidegate.connection import Connection
from tidegate.ledger import generations, judgements
from tidegate.publishing import inputs, waiting
from tidegate.publishing.context import Context
from tidegate.publishing.early import unchanged_outcome
from tidegate.publishing.families import require_known
from tidegate.publishing.outcome import FamilyOutcome
from tidegate.publishing.publish import Request, publish_group
from tidegate.settings import Settings
from tidegate.warehouse import Warehouse

OnStep = Callable[[str], None]


@dataclass(frozen=True)
class RefreshReport:
    """What a run did with each family, in the order of publication."""

    outcomes: tuple[FamilyOutcome, ...]

    @property
    def withheld(self) -> bool:
        """Whether anything was held back or parked."""
        return any(outcome.verdict.withheld for outcome in self.outcomes)


def refresh(
    settings: Settings,
    warehouse: Warehouse,
    families: Sequence[str] = (),
    request: Request | None = None,
    on_step: OnStep = lambda _: None,
) -> RefreshReport:
    """Publish every family (or these) of which anything changed.

    A family that is held back keeps only itself (and its cycle) from readers; the others go on.
    Raises ContractError, BuildFailed (dbt cannot read the project), PublishBlocked.
    """
    request = replace(request or Request(), families=tuple(families))
    context = Context(settings, warehouse)
    if not families and not request.force and request.idempotency_key is None:
        with waiting.bounded(context.warehouse):
            quick = _nothing_changed(context)
        if quick is not None:
            return RefreshReport(quick)
    context.prepare_landing()
    require_known(context.project, families)
    outcomes: list[FamilyOutcome] = []
    for group in context.groups():
        if families and not set(group) & set(families):
            continue
        on_step(f"publishing {', '.join(group)}")
        outcomes.extend(publish_group(context, group, request))
    return RefreshReport(tuple(outcomes))


def _nothing_changed(context: Context) -> tuple[FamilyOutcome, ...] | None:
    """The served state, if files, deliveries and heads are as they were; without starting dbt."""
    with context.warehouse.connect() as conn:
        names = _recorded_families(conn, context.project_sha256)
        if not names:
            return None
        outcomes = []
        for family in names:
            newest = generations.latest(conn, family)
            if newest is None or newest.inputs.get("project") != context.project_sha256:
                return None
            if not inputs.same_inputs(conn, newest.inputs):
                return None
            if judgements.is_unsettled(conn, newest):
                return None
            outcomes.append(unchanged_outcome(conn, newest))
    return tuple(outcomes)


def _recorded_families(conn: Connection, project_sha256: str) -> list[str]:
    row = conn.execute(
        "select inputs -> 'families' from governance.generations"
        " where inputs ->> 'project' = %s limit 1",
        [project_sha256],
    ).fetchone()
    return list(row[0]) if row else []
