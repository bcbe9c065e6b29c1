"""SQL that dbt compiled is pointed elsewhere by its syntax tree, everything else left as it is."""

from __future__ import annotations

import pytest

from tidegate.gates.retarget import Unreadable, retarget, retarget_relations

FROM, TO = "trials__candidate", "trials__g000007"


@pytest.mark.parametrize(
    ("compiled", "expected"),
    [
        ("select 1 from trials__candidate.q_a",
         'select 1 from "trials__g000007"."q_a"'),
        ('select 1 from "db"."trials__candidate"."q_a" a -- trials__candidate',
         'select 1 from "db"."trials__g000007"."q_a" a -- trials__candidate'),
        ("select 1 from Trials__CANDIDATE.q_a", 'select 1 from "trials__g000007"."q_a"'),
        ('select 1 from "Trials__Other".q_a', 'select 1 from "Trials__Other".q_a'),
        ("select 1 from query.q_a", "select 1 from query.q_a"),
        ("with q_a as (select 1 as k), b as (with c as (select * from trials__candidate.q_a)"
         " select * from c) select * from q_a join b using (k)",
         'with q_a as (select 1 as k), b as (with c as (select * from "trials__g000007"."q_a")'
         " select * from c) select * from q_a join b using (k)"),
        ('select "q""x".k from "trials__candidate"."q""x"',
         'select "q""x".k from "trials__g000007"."q""x"'),
        ("select trials__candidate.q_a.k from trials__candidate.q_a",
         'select "trials__g000007"."q_a".k from "trials__g000007"."q_a"'),
        ("select k from trials__candidate.q_a where exists (select 1 from"
         " trials__candidate.q_b where q_b.k = q_a.k) union all"
         " select k from trials__candidate.q_b",
         'select k from "trials__g000007"."q_a" where exists (select 1 from'
         ' "trials__g000007"."q_b" where q_b.k = q_a.k) union all'
         ' select k from "trials__g000007"."q_b"'),
        ("select x::trials__candidate.mood from t", 'select x::"trials__g000007"."mood" from t'),
        ("select 'é%s{}', 1 from trials__candidate.q_a",
         "select 'é%s{}', 1 from \"trials__g000007\".\"q_a\""),
    ],
)  # fmt: skip
def test_names_change_and_nothing_else(compiled: str, expected: str) -> None:
    """Nested CTEs, quoted names, qualified columns; comments and spacing stay."""
    assert retarget(compiled, FROM, TO) == expected


@pytest.mark.parametrize(
    ("compiled", "message"),
    [
        ("select to_regclass('trials__candidate.q_a')",
         "the SQL of the test names trials__candidate where it cannot be replaced"),
        ("select 1; select 2", "the SQL of the test is 2 statements, not one"),
        ("", "the SQL of the test is 0 statements, not one"),
        ("drop table q_a", "the SQL of the test is not a query that only reads"),
        ("with d as (delete from q_a returning 1) select * from d",
         "the SQL of the test is not a query that only reads"),
        ("select 1 into t", "the SQL of the test is not a query that only reads"),
        ("select ((1", "the SQL of the test cannot be parsed"),
    ],
)  # fmt: skip
def test_what_is_not_one_reading_query_is_refused(compiled: str, message: str) -> None:
    """Fail closed, and repeat nothing of the SQL."""
    with pytest.raises(Unreadable) as caught:
        retarget(compiled, FROM, TO)
    assert str(caught.value) == message


def test_relations_are_renamed_one_by_one() -> None:
    """A published view and a candidate may go to different schemas, a hostile name stays quoted."""
    places = {("query", "q_b"): ("other__g000001", "q_b"), (FROM, "q_a"): (TO, 'q"a')}
    assert (
        retarget_relations(
            "select 1 from trials__candidate.q_a, query.q_b, query.q_c",
            lambda schema, name: places.get((schema, name)),
        )
        == 'select 1 from "trials__g000007"."q""a", "other__g000001"."q_b", query.q_c'
    )
