"""The reference rule: keys that must exist in a frozen materialization of another dataset.

The policy names which materialization is meant; whoever knows materializations resolves it to an
immutable reference and a relation that never changes. Whether the policy's owner may read that
relation is asked of the database, whatever the connected role may do.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from tidegate.connection import Connection
from tidegate.macros import render
from tidegate.names import SAMPLE_CAP
from tidegate.rules.judge import Reason, judge, outcome
from tidegate.rules.model import Reference
from tidegate.rules.relation import Relation
from tidegate.rules.run import Refusal, fetch
from tidegate.rules.validation import Diagnostic, RuleOutcome, RuleStatus

_MAY_READ = Path(__file__).with_name("may_read.sql").read_bytes()


@dataclass(frozen=True)
class Frozen:
    """A materialization that cannot change: its immutable reference, and where its rows are.

    `readers_see` is the relation whose grants say who may read the dataset, where that is another.
    """

    reference: str
    relation: Relation
    readers_see: Relation | None = None


Resolve = Callable[[str, str], Frozen | None]
"""Dataset and materialization (a reference, or `latest`) to what they mean now; None: unknown."""


@dataclass(frozen=True)
class References:
    """How reference rules find their targets, and on whose behalf they read."""

    resolve: Resolve
    owner_role: str


def judge_reference(
    conn: Connection,
    rule: Reference,
    relation: Relation,
    row_count: int | None,
    place: str,
    references: References | None,
) -> tuple[RuleOutcome, list[Diagnostic], list[int | str]]:
    """Judge one reference rule: its outcome, what to say about it, and the places it found."""
    target = rule.references
    frozen = references.resolve(target.dataset, target.materialization) if references else None
    if frozen is None or references is None:
        said = f"No materialization {target.materialization} of {target.dataset} is known here."
        return _error(rule, Reason.REFERENCE_UNKNOWN, said)
    asked = frozen.readers_see or frozen.relation
    if not _may_read(conn, references.owner_role, asked, target.fields):
        said = f"The owner's role {references.owner_role} may not read {asked}."
        return _error(rule, Reason.REFERENCE_UNREADABLE, said, frozen.reference)
    query = render(
        "reference_scan",
        relation.sql,
        {**rule.complete(), "type": rule.type},
        frozen.relation.sql,
        place,
        SAMPLE_CAP,
    )
    row = fetch(conn, query)
    if isinstance(row, Refusal):
        said = f"PostgreSQL refused the statement of this rule: {row.condition}."
        return _error(rule, Reason.STATEMENT_FAILED, said, frozen.reference)
    found = judge(rule, row_count, row[0])
    diagnostics = []
    if row[0]["empty_target"]:
        said = f"The referenced materialization {frozen.reference} has no rows."
        diagnostics.append(Diagnostic("empty_reference", said, rule.id))
    judged = replace(found, reference=frozen.reference, null_rows=row[0]["null_rows"])
    return judged, diagnostics, row[0]["places"]


def _error(
    rule: Reference, reason: Reason, said: str, reference: str | None = None
) -> tuple[RuleOutcome, list[Diagnostic], list[int | str]]:
    told = [Diagnostic(reason.value, said, rule.id)]
    return outcome(rule, RuleStatus.ERROR, reason, reference=reference), told, []


def _may_read(conn: Connection, role: str, relation: Relation, fields: tuple[str, ...]) -> bool:
    columns = [*fields, *(name for name, _ in relation.only)]
    row = conn.execute(
        _MAY_READ,
        {"role": role, "fields": columns, "schema": relation.schema, "name": relation.name},
    ).fetchone()
    return bool(row and row[0])
