"""Judge a policy on a relation: one scan, uniqueness beside it, details only of what failed."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

from tidegate.connection import Connection
from tidegate.errors import InvariantBroken
from tidegate.macros import render
from tidegate.names import SAMPLE_CAP
from tidegate.rules.columns import Column, ContractColumn, as_columns
from tidegate.rules.judge import Reason, judge, outcome
from tidegate.rules.model import FieldShape, Reference, RequiredFields, RowCount, Rule, Unique
from tidegate.rules.places import Places
from tidegate.rules.policy import Policy
from tidegate.rules.references import References, judge_reference
from tidegate.rules.relation import Facts, Relation, read_facts
from tidegate.rules.run import Measured, Refusal, measure
from tidegate.rules.typecheck import check_rule, notes
from tidegate.rules.validation import (
    Diagnostic,
    PolicySource,
    RuleOutcome,
    RuleStatus,
    SchemaDocument,
    Validation,
)


def evaluate(
    conn: Connection,
    policy: Policy,
    relation: Relation,
    *,
    columns: Iterable[ContractColumn | Column] | None = None,
    row_number: str | None = None,
    row_key: Sequence[str] = (),
    source: PolicySource = PolicySource.DATASET,
    allow_empty: bool = False,
    schema: SchemaDocument | None = None,
    schema_approved: bool = False,
    references: References | None = None,
    workers: Sequence[Connection] = (),
) -> Validation:
    """Judge every rule of `policy` on `relation` and return verdict, counts and evidence.

    `columns` is the detected schema that `required_fields` and `field` look at (None: what the
    catalogue has). `row_number` or `row_key` name violating rows; give a row key only where its
    columns are public. `source` says whose policy it is; `allow_empty` is the contract's leave to
    judge no rows; `schema` is the complete schema diff, `schema_approved` that somebody approved
    it. `references` resolves reference rules. `workers` are connections on the same snapshot as
    `conn` that may run uniqueness meanwhile.

    Several statements run: give a relation that nobody changes, or a REPEATABLE READ transaction.
    Raises UsageError where the relation, or a column that names rows, does not exist.
    """
    facts = read_facts(conn, relation)
    detected = facts.columns if columns is None else as_columns(columns)
    places = Places(row_number, tuple(row_key))
    places.check(relation, facts)
    if any(name in detected and detected[name].confidential for name in row_key):
        raise InvariantBroken("A row key with a sensitive or masked column was to be shown.")
    run = _Run(conn, policy, relation, facts, detected, places, references, tuple(workers))
    outcomes = run.outcomes()
    if [found.id for found in outcomes] != [rule.id for rule in policy.rules]:
        raise InvariantBroken("The rules that were judged are not those of the policy.")
    return Validation(
        policy_version=policy.version,
        policy_sha256=policy.sha256,
        policy_source=source,
        row_count=run.row_count,
        outcomes=outcomes,
        diagnostics=tuple(run.diagnostics),
        schema=None if schema is None else schema.document(),
        schema_approved=schema_approved,
        allow_empty=allow_empty,
    )


class _Run:
    """One evaluation: sorts the rules by how they are judged, runs them, puts outcomes together."""

    def __init__(
        self,
        conn: Connection,
        policy: Policy,
        relation: Relation,
        facts: Facts,
        detected: Mapping[str, Column],
        places: Places,
        references: References | None,
        workers: tuple[Connection, ...],
    ) -> None:
        self.conn, self.policy, self.relation = conn, policy, relation
        self.facts, self.places = facts, places
        self.references, self.workers = references, workers
        self.columns = facts.columns
        self.types = facts.raw["columns"]
        self.detected = {
            name: {"logical": column.logical, "sql_type": column.sql_type}
            for name, column in detected.items()
        }
        self.row_count: int | None = None
        self.diagnostics: list[Diagnostic] = []
        self.found: dict[str, RuleOutcome] = {}
        self.shown: dict[str, Sequence[int | str]] = {}

    def outcomes(self) -> tuple[RuleOutcome, ...]:
        judgeable = [rule for rule in self.policy.rules if self._applies(rule)]
        proved = [rule for rule in judgeable if self._proved(rule)]
        known = {rule.id for rule in proved}
        rest = [rule for rule in judgeable if rule.id not in known]
        unique = [rule for rule in rest if isinstance(rule, Unique)]
        scanned = [rule for rule in rest if not isinstance(rule, (Unique, Reference))]
        measured = self._measure(scanned, unique)
        self.row_count = measured.row_count
        for rule in proved:
            found = judge(rule, self.row_count, {"violating_rows": 0})
            passed = found.status is RuleStatus.PASSED
            self.found[rule.id] = replace(found, proved_by="constraint" if passed else None)
        for rule in [*scanned, *unique]:
            self._judge(rule, measured.counts[rule.id])
        for rule in rest:
            if isinstance(rule, Reference):
                self._judge_reference(rule)
        self._details([rule for rule in scanned if self._wants_details(rule)])
        return tuple(
            replace(self.found[rule.id], **self.places.of(self.shown.get(rule.id)))
            for rule in self.policy.rules
        )

    def _applies(self, rule: Rule) -> bool:
        """Whether the rule can be judged on these columns; if not, it is an error (case D21)."""
        self.diagnostics += [Diagnostic(*note, rule.id) for note in notes(rule, self.columns)]
        if isinstance(rule, (RowCount, RequiredFields, FieldShape)):
            return True
        problems = check_rule(rule, self.columns)
        for problem in problems[:SAMPLE_CAP]:
            at = "".join(f"{part}: " for part in ["/".join(map(str, problem.key))] if part)
            self.diagnostics.append(
                Diagnostic(Reason.NOT_APPLICABLE.value, f"{at}{problem.message}", rule.id)
            )
        if problems:
            self.found[rule.id] = outcome(rule, RuleStatus.ERROR, Reason.NOT_APPLICABLE)
        return not problems

    def _proved(self, rule: Rule) -> bool:
        return render("rule_proved", rule.complete(), self.facts.raw) == "true"

    def _measure(self, scanned: Sequence[Rule], unique: Sequence[Rule]) -> Measured:
        """The one scan here, uniqueness on the workers meanwhile; whoever is free takes the next.

        A worker takes one rule at a time, so that no key waits for another; without workers all
        keys are proved in one statement after the scan.
        """
        shares = [[rule] for rule in unique] if self.workers else [list(unique)] if unique else []
        waiting = deque(shares)

        def rest(conn: Connection) -> list[Measured]:
            found: list[Measured] = []
            while True:
                try:
                    share = waiting.popleft()
                except IndexError:
                    return found
                found.append(measure(conn, share, self._unique_sql))

        with ThreadPoolExecutor(max(len(self.workers), 1)) as pool:
            beside = [pool.submit(rest, worker) for worker in self.workers]
            result = measure(self.conn, scanned, self._scan_sql)
            others = rest(self.conn)
            for future in beside:
                others += future.result()
        for other in others:
            result.counts.update(other.counts)
        return result

    def _scan_sql(self, rules: Sequence[Rule]) -> str:
        given = [rule.complete() for rule in rules]
        return render("rule_scan", self.relation.sql, given, self.types, self.detected)

    def _unique_sql(self, rules: Sequence[Rule]) -> str:
        given = [rule.complete() for rule in rules]
        sql = self.relation.sql
        return render("rule_unique_scan", sql, given, self.types, self.places.sql, SAMPLE_CAP)

    def _details_sql(self, rules: Sequence[Rule]) -> str:
        given = [rule.complete() for rule in rules]
        sql = self.relation.sql
        return render("rule_details", sql, given, self.types, self.places.sql, SAMPLE_CAP)

    def _judge(self, rule: Rule, counts: Mapping[str, Any] | Refusal) -> None:
        if isinstance(counts, Refusal):
            said = f"PostgreSQL refused the statement of this rule: {counts.condition}."
            reason = Reason.STATEMENT_FAILED
            self.diagnostics.append(Diagnostic(reason.value, said, rule.id))
            self.found[rule.id] = outcome(rule, RuleStatus.ERROR, reason)
            return
        found = judge(rule, self.row_count, counts)
        if isinstance(rule, FieldShape) and found.status is RuleStatus.PASSED:
            proved = rule.nullable is False and self.types[rule.field]["not_null"]
            found = replace(found, proved_by="constraint" if proved else None)
        self.found[rule.id] = found
        if counts.get("places"):
            self.shown[rule.id] = counts["places"]

    def _judge_reference(self, rule: Reference) -> None:
        found, said, shown = judge_reference(
            self.conn, rule, self.relation, self.row_count, self.places.sql, self.references
        )
        self.found[rule.id] = found
        self.diagnostics += said
        if shown:
            self.shown[rule.id] = shown

    def _wants_details(self, rule: Rule) -> bool:
        return bool(self.found[rule.id].violating_rows)

    def _details(self, rules: Sequence[Rule]) -> None:
        """Places, nulls and distinct values of what failed; a verdict never depends on them."""
        if not rules:
            return
        measured = measure(self.conn, rules, self._details_sql)
        for rule in rules:
            detail = measured.counts[rule.id]
            if isinstance(detail, Refusal):
                said = f"PostgreSQL refused the details of this rule: {detail.condition}."
                self.diagnostics.append(Diagnostic("no_details", said, rule.id))
                continue
            self.shown[rule.id] = detail["places"]
            self.found[rule.id] = replace(
                self.found[rule.id],
                null_rows=detail.get("null_rows"),
                non_finite_rows=detail.get("non_finite_rows"),
                distinct=detail.get("distinct"),
            )
