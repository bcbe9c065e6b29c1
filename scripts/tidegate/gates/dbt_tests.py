"""Any other dbt test as a check: its compiled SQL pointed at the relations that are judged.

A test's rows are values of the model, so none of them is ever fetched: counts only, and of a test
that speaks as gates do (`tidegate.gate_config`) its reason codes, where they stand in its own text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

from psycopg import sql

from tidegate.gates.model import GATE_FAILS_IF, GateSpec
from tidegate.gates.relations import Relations
from tidegate.gates.retarget import Unreadable, one_query, refuse_mentions, retarget_relations
from tidegate.macros import render
from tidegate.names import QUERY, candidate_schema

_REASON = re.compile(r"'([a-z][a-z0-9_]{0,62})'")
_JUDGE = files(__package__).joinpath("judge_test.sql").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Verdict:
    """What a dbt test came to; `failures` is dbt's `fail_calc`, None where it has no answer.

    `reasons` counts rows by the reason codes that the test itself gives.
    """

    rows_checked: int
    rows_returned: int
    failures: int | None
    should_error: bool | None
    should_warn: bool | None
    reasons: Mapping[str, int]


def judge_test(spec: GateSpec, relations: Relations) -> Verdict:
    """Run one test; raise Unreadable for SQL nobody understands, LookupError without relation."""
    judged = relations.require(spec.model.name)
    if spec.dropped:
        raise Unreadable("dbt left the test out: something it refers to does not exist")
    if not spec.sql:
        raise Unreadable("the test is not compiled")
    for suffix in (spec.error_if, spec.warn_if):
        _checked_comparison(spec.fail_calc, suffix)
    limit = sql.SQL("limit {}").format(sql.Literal(spec.limit)) if spec.limit else sql.SQL("")
    statement = sql.SQL(_JUDGE).format(
        test=sql.SQL(point(spec, relations)),
        fail_calc=sql.SQL(spec.fail_calc),
        error_if=sql.SQL(spec.error_if),
        warn_if=sql.SQL(spec.warn_if),
        checked=sql.Literal(relations.count(render("row_count", judged.sql))),
        limit=limit,
        reasons=sql.Literal(_codes(spec)),
    )
    row = relations.conn.execute(statement).fetchone()
    if row is None:
        raise Unreadable("the test returned no row")
    return Verdict(*row)


def _codes(spec: GateSpec) -> list[str]:
    """What may be told as a reason: literals of the test's text, so never a value it read."""
    return sorted(set(_REASON.findall(spec.sql or ""))) if spec.error_if == GATE_FAILS_IF else []


def point(spec: GateSpec, relations: Relations) -> str:
    """The compiled SQL of a test, reading what `relations` resolves; raise Unreadable, LookupError.

    The family's candidate and published views of other families both go through `resolve`, so that
    families promoted together are judged together.
    """
    candidate = candidate_schema(spec.family)
    by_candidate = {model.candidate: model.name for model in spec.models.values()}
    by_view = {model.candidate[1]: model.name for model in spec.models.values()}

    def rename(schema: str, name: str) -> tuple[str, str] | None:
        if schema == QUERY and name in by_view:
            found = relations.find(by_view[name])
            return (found.schema, found.name) if found else None
        if schema != candidate and (schema, name) not in by_candidate:
            return None
        if (schema, name) not in by_candidate:
            return relations.require(spec.model.name).schema, name
        found = relations.require(by_candidate[schema, name])
        return found.schema, found.name

    pointed = retarget_relations(spec.sql or "", rename)
    if relations.require(spec.model.name).schema != candidate:
        refuse_mentions(pointed, candidate)
    return pointed


def _checked_comparison(fail_calc: str, suffix: str) -> None:
    """`fail_calc` and its threshold have to be one reading expression together."""
    text = sql.SQL("select {} {} from rows").format(sql.SQL(fail_calc), sql.SQL(suffix))
    tree = one_query(text.as_string(None))
    if len(tree.selects) != 1:
        raise Unreadable("fail_calc, error_if or warn_if of the test is not one expression")
