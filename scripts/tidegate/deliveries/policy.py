"""The quality policy of a dataset, judged on the typed rows of a delivery before anybody sees them.

The rows are judged where they will stay, inside the transaction that accepts them: they are written
once, and a failure takes them back. Evidence is kept whatever the outcome.
"""

from __future__ import annotations

from collections.abc import Collection

from psycopg import sql

from tidegate.connection import Connection
from tidegate.contracts.keys import DeliveryKind
from tidegate.contracts.model import DatasetContract
from tidegate.deliveries import layouts, references
from tidegate.deliveries.vocabulary import RunReason
from tidegate.ledger import review
from tidegate.rules.evaluation import evaluate
from tidegate.rules.load import load_policy
from tidegate.rules.model import RowCount
from tidegate.rules.relation import Relation
from tidegate.rules.validation import Validation
from tidegate.shapes.model import SchemaDiff

_MANY = 100_000
"""Rows that are worth more than one process of the server."""
_SHARED = sql.SQL(
    "select set_config(name, '0', true)"
    " from unnest(array['parallel_setup_cost', 'parallel_tuple_cost']) as cheap (name)"
)


class PolicyFailed(Exception):
    """The rows may not be accepted; `validation` is None where there was no policy to ask."""

    def __init__(self, reason: RunReason, detail: str, validation: Validation | None) -> None:
        super().__init__(reason.value)
        self.reason = reason
        self.detail = detail
        self.validation = validation


def judge(
    conn: Connection,
    contract: DatasetContract,
    layout: layouts.Layout,
    delivery_id: int,
    *,
    rows: int,
    present: Collection[str],
    diff: SchemaDiff | None,
) -> Validation | None:
    """Judge the rows of a delivery; raise PolicyFailed where they may not be accepted.

    `present` names the columns that the delivery has, `rows` counts its conforming records; `diff`
    is the complete schema difference, every part of which was resolved before.
    """
    if contract.policy is None:
        _check_empty(contract, rows, counted=False)
        return None
    policy = load_policy(contract.policy, contract.columns, file=contract.path, line=contract.line)
    _check_empty(contract, rows, counted=any(isinstance(rule, RowCount) for rule in policy.rules))
    if rows >= _MANY:
        # Nothing has counted these rows yet: the server expects few, and would work alone.
        conn.execute(_SHARED)
    validation = evaluate(
        conn,
        policy,
        Relation(layouts.ROWS, layout.relation, (("_delivery_id", delivery_id),)),
        columns=[column for column in contract.columns if column.name in present],
        row_number="_record_number",
        schema=diff,
        schema_approved=True,
        references=references.references(conn, contract),
    )
    if not validation.ok:
        failed = [rule.id for rule in validation.outcomes if validation.blocks(rule)]
        raise PolicyFailed(
            RunReason.POLICY_FAILED if validation.evaluated else RunReason.POLICY_NOT_EVALUATED,
            f"Rules that block: {', '.join(failed)}.",
            validation,
        )
    return validation


def _check_empty(contract: DatasetContract, rows: int, *, counted: bool) -> None:
    """An empty snapshot would replace good rows with none: only a row_count rule may allow it."""
    if rows or counted or contract.keys.delivery.kind is not DeliveryKind.SNAPSHOT:
        return
    raise PolicyFailed(
        RunReason.EMPTY_SNAPSHOT,
        "No record of this snapshot conforms: it would replace what readers see with nothing. "
        "A row_count rule with minimum 0 allows that.",
        None,
    )


def open_reviews(
    conn: Connection, contract: DatasetContract, delivery_id: int, validation: Validation | None
) -> tuple[str, ...]:
    """A review item for each warning; returns the rules that warned."""
    warned = validation.warnings if validation else ()
    for rule in warned:
        review.open_item(
            conn,
            review.ReviewKind.RULE,
            contract.name,
            rule.id,
            f"delivery:{delivery_id}",
            rule.document(),
        )
    return tuple(rule.id for rule in warned)
